//! Explanations as text and as JSON.

use rukh_chess::notation::CastlingNotation;
use rukh_explain::claims::question::Explanation;
use rukh_explain::claims::words;
use rukh_explain::variation::move_number;
use serde_json::{Value, json};

use super::args::Args;

/// The move with its number, its expected score and the best move.
pub(super) fn heading(explanation: &Explanation) -> String {
    let position = &explanation.position;
    let [best, own] = explanation.expected.map(|expected| format!("{:.0}%", 100.0 * expected));
    let name = format!("{} {}", move_number(position), position.san(explanation.mv));
    let symbol = explanation.judgement().map_or("", |judgement| judgement.symbol());
    match explanation.mv == explanation.best {
        true => format!("{name}, expected score {own}"),
        false => format!("{name}{symbol}, expected score {own}; {} {best}", position.san(explanation.best)),
    }
}

/// An explanation as text.
pub(super) fn as_text(explanation: &Explanation, args: &Args) -> String {
    let sentences = words::sentences(explanation, args.level, args.sentences);
    format!("{}\n  {}", heading(explanation), sentences.join("\n  "))
}

/// An explanation as JSON.
pub(super) fn as_json(explanation: &Explanation, args: &Args) -> Value {
    let position = &explanation.position;
    let castling = CastlingNotation::of(position);
    json!({
        "fen": position.to_string(),
        "move": position.san(explanation.mv),
        "uci": position.uci(explanation.mv, castling),
        "best": position.san(explanation.best),
        "expected_best": explanation.expected[0],
        "expected": explanation.expected[1],
        "judgement": explanation.judgement(),
        "sentences": words::sentences(explanation, args.level, args.sentences),
        "claims": explanation.claims,
    })
}
