//! The perft table: positions with difficult cases, with counts from an independent library.
//!
//! The example `perft_table` writes the counts. Every way of generating moves must agree with them.

use rukh_chess::Position;
use rukh_chess::notation::Epd;
use rukh_chess::perft::{perft, perft_listing, perft_staged, perft_testing};

const TABLE: &str = include_str!("perft_table.epd");

/// The maximum count for perft with move lists, which is slower.
const MAX_LISTED: u64 = 500_000;
/// The maximum number of root moves for two plies by the legality test, which tests all 16-bit moves at every node.
const MAX_TESTED_MOVES: u64 = 60;

/// A row of the table. The counts begin with depth 1.
struct Row {
    id: String,
    fen: &'static str,
    position: Position,
    counts: Vec<u64>,
}

fn read(line: &'static str) -> Row {
    let epd = line.parse::<Epd>().unwrap_or_else(|error| panic!("{line}: {error}"));
    let position = epd.setup.validate().unwrap_or_else(|error| panic!("{line}: {error}"));
    let id = epd.operand("id").unwrap_or_else(|| panic!("{line}: there is no id")).to_owned();
    let count = |depth: u32| {
        let text = epd.operand(&format!("D{depth}"))?;
        Some(text.parse::<u64>().unwrap_or_else(|error| panic!("{line}: {text}: {error}")))
    };
    let counts = (1..).map_while(count).collect::<Vec<_>>();
    assert!(!counts.is_empty(), "{line}: there are no counts");
    let fen = line.split_once(" ;").map_or(line, |(fen, _)| fen);
    Row { id, fen, position, counts }
}

/// Counts every row of the table at those depths that `is_wanted` accepts, given the row, the depth and the count.
fn check(way: fn(&Position, u32) -> u64, is_wanted: impl Fn(&Row, u32, u64) -> bool) {
    let mut failures = Vec::new();
    for line in TABLE.lines().map(read) {
        for (depth, &expected) in (1..).zip(&line.counts) {
            if !is_wanted(&line, depth, expected) {
                continue;
            }
            let got = way(&line.position, depth);
            if got != expected {
                failures.push(format!(
                    "{}\n  {}\n  depth {depth}: expected {expected}, got {got}",
                    line.id, line.fen
                ));
            }
        }
    }
    assert!(failures.is_empty(), "{} counts differ\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn the_table_is_long_enough() {
    let count = TABLE.lines().map(read).count();
    assert!(count >= 60, "the table has {count} positions");
}

#[test]
fn counting_agrees() {
    check(perft, |_, _, _| true);
}

#[test]
fn listing_agrees() {
    check(perft_listing, |_, _, leaves| leaves <= MAX_LISTED);
}

#[test]
fn stages_agree() {
    check(perft_staged, |_, _, leaves| leaves <= MAX_LISTED);
}

#[test]
fn the_legality_test_agrees() {
    check(perft_testing, |line, depth, _| depth == 1 || depth == 2 && line.counts[0] <= MAX_TESTED_MOVES);
}
