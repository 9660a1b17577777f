//! Writes the perft table of the tests with counts from another library, `shakmaty`, so that our own
//! generator is never asked about itself.
//!
//! The argument is a file with a position on each line, `FEN ;id "theme: what is hard about it"`, or the
//! table itself, whose counts are ignored and computed anew. This reproduces the table byte for byte:
//!
//! ```text
//! cargo run --release -p rukh-chess --example perft_table -- crates/chess/tests/perft_table.epd
//! ```

use std::error::Error;
use std::fmt::Write;

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position, PositionError};

/// A position is counted as deep as it has no more lines than this.
const MAX_LEAVES: u64 = 3_000_000;
/// And no deeper than this: a bare king takes long to reach the number above.
const MAX_DEPTH: u32 = 8;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("the argument is the file with the positions")?;
    for line in std::fs::read_to_string(path)?.lines() {
        let counted = count_line(line).map_err(|error| format!("{line}: {error}"))?;
        println!("{counted}");
    }
    Ok(())
}

/// The line of the table for a position and its name.
fn count_line(line: &str) -> Result<String, Box<dyn Error>> {
    let (fen, operations) = line.split_once(" ;").ok_or("nothing follows the FEN")?;
    let id = operations.find("id ").map(|start| &operations[start..]).ok_or("the position has no id")?;
    let position = read(fen)?;
    let mut text = fen.to_owned();
    for depth in 1..=MAX_DEPTH {
        let Some(leaves) = count(&position, depth) else { break };
        write!(text, " ;D{depth} {leaves}")?;
        // Deeper down there is nothing more to count.
        if leaves == 0 {
            break;
        }
    }
    write!(text, " ;{id}")?;
    Ok(text)
}

/// Reads the FEN in Chess960 mode, which understands standard positions as well.
///
/// Fifteen queens and checks that no game leads to are welcome: the rules say what may be played there all
/// the same.
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
