//! A position given as an argument.

use rukh_chess::Position;

/// Parses a position; `startpos` is the start position.
pub(crate) fn position(fen: &str) -> Result<Position, String> {
    match fen {
        "startpos" => Ok(Position::default()),
        fen => fen.parse::<Position>().map_err(|error| error.to_string()),
    }
}
