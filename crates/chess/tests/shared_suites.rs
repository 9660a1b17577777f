//! Public test data, where a folder of it lies beside the project; elsewhere these tests have nothing to do.

mod common;

use std::fs;
use std::path::PathBuf;

use rukh_chess::notation::Epd;
use rukh_chess::notation::pgn::{Games, decode};
use rukh_chess::perft::perft;
use rukh_chess::types::ByPiece;
use rukh_chess::{Position, Setup};

/// The bytes of a file of the data, if it is there.
fn data(name: &str) -> Option<Vec<u8>> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(name);
    let bytes = fs::read(&path).ok();
    if bytes.is_none() {
        println!("{} is not here, so nothing is tested with it", path.display());
    }
    bytes
}

fn lines(name: &str) -> Vec<String> {
    String::from_utf8(data(name).unwrap_or_default())
        .expect("the data is text")
        .lines()
        .map(str::to_owned)
        .collect()
}

/// Checks every `step`th line of a perft suite, its counts up to `max_nodes`.
fn check_suite(name: &str, step: usize, max_nodes: u64) {
    for line in lines(name).iter().step_by(step) {
        let epd: Epd = line.parse().unwrap_or_else(|error| panic!("{line}: {error}"));
        // One suite has a position with 28 men of a side, which we refuse.
        let Ok(position) = epd.setup.validate() else {
            assert!(line.contains("too-much-material"), "{line}");
            continue;
        };
        for operation in epd.operations.iter().filter(|operation| operation.opcode.starts_with('D')) {
            let depth = operation.opcode[1..].parse().expect("a depth follows the D");
            let nodes = operation.operands[0].parse().expect("a count follows the depth");
            if nodes <= max_nodes {
                assert_eq!(perft(&position, depth), nodes, "{line} depth {depth}");
            }
        }
    }
}

#[test]
fn perft_suites() {
    check_suite("perft/standard.epd", 1, 5_000_000);
    check_suite("perft/tricky_extra.epd", 1, 5_000_000);
    check_suite("perft/doublecheck_d4.epd", 1, 5_000_000);
    check_suite("perft/enpassant_d4.epd", 20, 5_000_000);
    check_suite("perft/fischer_960.epd", 1, 500_000);
}

#[test]
fn bad_fens_are_refused_and_good_ones_read() {
    for line in lines("suites/bad_fens.tsv").iter().skip(1) {
        let mut columns = line.split('\t');
        let (fen, verdict) = (columns.next().unwrap_or_default(), columns.next().unwrap_or_default());
        match fen.parse::<Position>() {
            Ok(position) => {
                // What standard chess calls a wrong castling right may be one of Chess960.
                assert!(matches!(verdict, "valid" | "parses; BAD_CASTLING_RIGHTS"), "{fen}: {verdict}");
                assert_eq!(common::position(&position.to_string()), position);
            }
            Err(error) => {
                assert_ne!(verdict, "valid", "{fen}: {error}");
                let sentence = error.to_string();
                assert!(!sentence.is_empty() && !sentence.contains('\n'));
            }
        }
    }
}

#[test]
fn exchanges_have_their_published_values() {
    const VALUES: ByPiece<i32> = ByPiece([100, 300, 300, 500, 900, 20_000]);
    let lines = lines("suites/see.tsv");
    let is_different = |line: &&String| {
        let columns = line.split('\t').collect::<Vec<_>>();
        let position = common::position(columns[0]);
        let mv = position.parse_uci(columns[2]).expect("the move is legal");
        let value: i32 = columns[3].parse().expect("a number");
        !position.see_at_least(mv, value, &VALUES) || position.see_at_least(mv, value + 1, &VALUES)
    };
    let different = lines.iter().skip(1).filter(is_different).collect::<Vec<_>>();
    // Three recaptures promote, which we do not look at; one published value overlooks a pin.
    let expected = if lines.is_empty() { 0 } else { 4 };
    assert_eq!(different.len(), expected, "{different:#?}");
}

#[test]
fn nasty_games_are_read_or_refused() {
    for line in lines("pgn/nasty/INDEX.tsv").iter().skip(1) {
        let columns = line.split('\t').collect::<Vec<_>>();
        let bytes = data(&format!("pgn/nasty/{}", columns[0])).expect("the index names files");
        for game in Games::new(&decode(&bytes)) {
            match game {
                Ok(game) => {
                    let text = game.to_string();
                    let again = Games::new(&text)
                        .next()
                        .expect("there is a game")
                        .expect("what we write can be read");
                    assert_eq!(again.main_line, game.main_line, "{}", columns[0]);
                    assert_eq!(again.game().positions(), game.game().positions(), "{}", columns[0]);
                }
                Err(error) => assert!(!error.to_string().contains('\n'), "{error:?}"),
            }
        }
    }
}

#[test]
fn every_position_of_the_suites_survives_fen() {
    for name in ["suites/thousand_midgame.epd", "suites/stress_positions.epd", "suites/wac_300.epd"] {
        for line in lines(name) {
            let epd: Epd = line.parse().unwrap_or_else(|error| panic!("{line}: {error}"));
            let Ok(position) = epd.setup.validate() else { continue };
            assert_eq!(Setup::from(&position).to_string().parse(), Ok(Setup::from(&position)));
            assert!(epd.moves(&position, "bm").is_ok(), "{line}");
        }
    }
}
