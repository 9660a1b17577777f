//! Writes the perft table of the tests, with counts from an independent library, `shakmaty`.
//!
//! The argument is a file with a position on each line, `FEN ;id "theme: the difficulty"`, or the table itself, whose counts
//! are recomputed. This reproduces the table byte for byte:
//!
//! ```text
//! cargo run --release -p rukh-chess --example perft_table -- crates/chess/tests/perft_table.epd
//! ```

use std::error::Error;
use std::fmt::Write;

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position, PositionError};

/// The maximum count: greater depths are omitted.
const MAX_LEAVES: u64 = 3_000_000;
/// The maximum depth, for positions with few moves.
const MAX_DEPTH: u32 = 8;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("the argument is the file with the positions")?;
    for line in std::fs::read_to_string(path)?.lines() {
        let counted = count_line(line).map_err(|error| format!("{line}: {error}"))?;
        println!("{counted}");
    }
    Ok(())
}

/// The row of the table for a position and its id.
fn count_line(line: &str) -> Result<String, Box<dyn Error>> {
    let (fen, operations) = line.split_once(" ;").ok_or("nothing follows the FEN")?;
    let id = operations.find("id ").map(|start| &operations[start..]).ok_or("the position has no id")?;
    let position = read(fen)?;
    let mut text = fen.to_owned();
    for depth in 1..=MAX_DEPTH {
        let Some(leaves) = count(&position, depth) else { break };
        write!(text, " ;D{depth} {leaves}")?;
        // Greater depths have no moves either.
        if leaves == 0 {
            break;
        }
    }
    write!(text, " ;{id}")?;
    Ok(text)
}

/// Parses the FEN in Chess960 mode, which includes standard chess.
///
/// Positions that cannot occur in a game, such as fifteen queens or impossible checks, are accepted: they have legal moves
/// too.
fn read(fen: &str) -> Result<Chess, Box<dyn Error>> {
    let position = Fen::from_ascii(fen.as_bytes())?
        .into_position::<Chess>(CastlingMode::Chess960)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)?;
    Ok(position)
}

/// The lines of `depth` moves, or nothing as soon as there are too many of them.
fn count(position: &Chess, depth: u32) -> Option<u64> {
    let mut leaves = 0;
    for mv in position.legal_moves() {
        let mut child = position.clone();
        child.play_unchecked(mv);
        leaves += shakmaty::perft(&child, depth - 1);
        if leaves > MAX_LEAVES {
            return None;
        }
    }
    Some(leaves)
}
