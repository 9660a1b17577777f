//! Reviews as JSON.

use rukh_chess::Color;
use rukh_chess::notation::pgn::{PgnError, PgnGame};
use rukh_explain::accuracy::{Expectation, Fault};
use rukh_explain::line::in_san;
use rukh_explain::review::{Review, ReviewedMove};
use rukh_explain::words;
use serde_json::{Value, json};

/// A reviewed game.
pub(super) fn game_as_json(number: usize, game: &PgnGame, review: &Review) -> Value {
    json!({
        "game": number,
        "white": side_as_json(game, review, Color::White),
        "black": side_as_json(game, review, Color::Black),
        "result": game.outcome.map_or_else(|| "*".to_owned(), |outcome| outcome.to_string()),
        "start": game.start.to_string(),
        "moves": review.moves().map(|played| move_as_json(&played)).collect::<Vec<_>>(),
    })
}

/// A malformed game.
pub(super) fn fault_as_json(error: &PgnError) -> Value {
    json!({ "game": error.game, "line": error.line, "fault": error.fault.to_string() })
}

fn side_as_json(game: &PgnGame, review: &Review, side: Color) -> Value {
    json!({
        "name": words::player(game, side),
        "accuracy": review.accuracy(side),
        "inaccuracies": review.count(side, Fault::Inaccuracy),
        "mistakes": review.count(side, Fault::Mistake),
        "blunders": review.count(side, Fault::Blunder),
    })
}

fn move_as_json(played: &ReviewedMove<'_>) -> Value {
    let [before, after] = played.expectations().map(Expectation::value);
    json!({
        "move": played.position.san(played.mv),
        "number": played.position.fullmove_number(),
        "side": played.mover().to_string().to_lowercase(),
        "eval": played.verdict().to_string(),
        "expected_before": before,
        "expected_after": after,
        "loss": played.loss(),
        "fault": played.fault().map(|fault| fault.to_string()),
        "best_line": in_san(played.position, played.best_line()),
    })
}
