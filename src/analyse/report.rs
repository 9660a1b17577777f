//! A review as JSON.

use rukh_chess::Color;
use rukh_chess::notation::pgn::{PgnError, PgnGame};
use rukh_explain::accuracy::{ExpectedScore, MoveJudgement};
use rukh_explain::review::{Review, ReviewedMove};
use rukh_explain::text;
use rukh_explain::variation::to_san;
use serde_json::{Value, json};

/// A game that was reviewed.
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

/// A game that could not be read.
pub(super) fn fault_as_json(error: &PgnError) -> Value {
    json!({ "game": error.game, "line": error.line, "fault": error.fault.to_string() })
}

fn side_as_json(game: &PgnGame, review: &Review, side: Color) -> Value {
    json!({
        "name": text::player_name(game, side),
        "accuracy": review.accuracy(side),
        "inaccuracies": review.count(side, MoveJudgement::Inaccuracy),
        "mistakes": review.count(side, MoveJudgement::Mistake),
        "blunders": review.count(side, MoveJudgement::Blunder),
    })
}

fn move_as_json(played: &ReviewedMove<'_>) -> Value {
    let [before, after] = played.expected_scores().map(ExpectedScore::value);
    json!({
        "move": played.position.san(played.mv),
        "number": played.position.fullmove_number(),
        "side": played.mover().to_string().to_lowercase(),
        "eval": played.white_score().to_string(),
        "expected_before": before,
        "expected_after": after,
        "loss": played.loss(),
        "judgement": played.judgement().map(|judgement| judgement.to_string()),
        "best_line": to_san(played.position, played.best_line()),
    })
}
