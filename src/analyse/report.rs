//! Reviews as JSON.

use rukh_chess::Color;
use rukh_chess::notation::pgn::{PgnError, PgnGame};
use rukh_explain::review::Review;
use rukh_explain::text;
use serde_json::{Value, json};

/// A reviewed game.
pub(super) fn game_as_json(number: usize, game: &PgnGame, review: &Review) -> Value {
    let mut value = serde_json::to_value(review).expect("all keys of a review are text");
    value["game"] = json!(number);
    value["result"] = json!(game.outcome.map_or_else(|| "*".to_owned(), |outcome| outcome.to_string()));
    value["white"]["name"] = json!(text::player_name(game, Color::White));
    value["black"]["name"] = json!(text::player_name(game, Color::Black));
    value
}

/// A malformed game.
pub(super) fn fault_as_json(error: &PgnError) -> Value {
    json!({ "game": error.game, "line": error.line, "fault": error.fault.to_string() })
}
