//! Public test data in a folder beside the project. Without it these tests do nothing.

use crate::common;
use std::fs;
use std::path::PathBuf;

use rukh_chess::notation::Epd;
use rukh_chess::notation::pgn::{Games, decode};
use rukh_chess::perft::perft;
use rukh_chess::types::ByPiece;
use rukh_chess::{Position, Setup};

/// The bytes of a data file; `None` if it does not exist.
fn data(name: &str) -> Option<Vec<u8>> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(name);
    let bytes = fs::read(&path).ok();
    if bytes.is_none() {
        println!("{} does not exist and is not tested", path.display());
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

/// Checks every `step`th line of a perft suite, with counts up to `max_nodes`.
///
/// Returns the number of rejected positions: those with more than sixteen pieces of a side.
fn check_suite(name: &str, step: usize, max_nodes: u64) -> usize {
    let mut refused = 0;
    for line in lines(name).iter().step_by(step) {
        let epd: Epd = line.parse().unwrap_or_else(|error| panic!("{line}: {error}"));
        let Ok(position) = epd.setup.validate() else {
            assert!(line.contains("too-much-material"), "{line}");
            refused += 1;
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
    refused
}

#[test]
fn perft_suites() {
    assert_eq!(check_suite("perft/standard.epd", 1, 5_000_000), 0);
    assert!(check_suite("perft/tricky_extra.epd", 1, 5_000_000) <= 1);
    assert_eq!(check_suite("perft/doublecheck_d4.epd", 1, 5_000_000), 0);
    assert_eq!(check_suite("perft/enpassant_d4.epd", 20, 5_000_000), 0);
    assert_eq!(check_suite("perft/fischer_960.epd", 1, 500_000), 0);
}

#[test]
fn faulty_fens_are_rejected_and_good_ones_parsed() {
    for line in lines("suites/bad_fens.tsv").iter().skip(1) {
        let mut columns = line.split('\t');
        let (fen, verdict) = (columns.next().unwrap_or_default(), columns.next().unwrap_or_default());
        match fen.parse::<Position>() {
            Ok(position) => {
                // A castling right that is invalid in standard chess may be valid in Chess960.
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
fn see_has_the_published_values() {
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
    // Three recaptures promote, which SEE ignores; one published value ignores a pin.
    let expected = if lines.is_empty() { 0 } else { 4 };
    assert_eq!(different.len(), expected, "{different:#?}");
}

/// Difficult PGN files for which the index has other numbers of games, faults and plies, and our numbers.
const EXCEPTIONS: [(&str, [usize; 3]); 28] = [
    // The other reader ends a game at an empty line, so the result or the moves after a comment are another game.
    ("pgnextract__barnes-horton.pgn", [1, 0, 72]),
    ("pgnextract__test-C.pgn", [1, 0, 72]),
    ("pgnextract__test-F-text.pgn", [1, 0, 72]),
    ("pgnextract__test-Ta.pgn", [1, 0, 72]),
    ("pgnextract__test-checkmate.pgn", [2, 0, 76]),
    ("pgnextract__test-nochecks.pgn", [2, 0, 76]),
    ("pgnextract__test-stalemate.pgn", [3, 0, 178]),
    ("chesslib_java__ep.pgn", [1, 0, 164]),
    ("chesslib_java__err.pgn", [1, 1, 0]),
    ("chesslib_java__z0.pgn", [1, 0, 58]),
    // Tags and moves on one line, one game per line, tags in HTML.
    ("pgnextract__test-fuzzydepth.pgn", [4, 0, 20]),
    ("pgnextract__test-nobadresults.pgn", [9, 0, 9]),
    ("scid__res_gameLatin1.pgn", [1, 0, 149]),
    ("chessjs__0.pgn", [7, 7, 0]),
    // Variants with other rules.
    ("pychess_lib__antichess-programfox.pgn", [2, 2, 0]),
    ("pychess_lib__knightvuillaume-jannlee-zh-lichess.pgn", [1, 1, 0]),
    ("pychess_lib__saturs-jannlee-zh-lichess.pgn", [1, 1, 0]),
    ("pychess__atomic.pgn", [10, 10, 0]),
    ("pychess__sittuyin.pgn", [3, 3, 0]),
    // Words that are not moves, braces in comments, commas: skipped by the other reader, faults here.
    ("pgnextract__nested-comment.pgn", [1, 1, 0]),
    ("chesslib_cpp__corrupted.pgn", [1, 1, 0]),
    ("pychess__badpgn.pgn", [1, 1, 0]),
    ("mliebelt_doc__sampleGameThrow.pgn", [1, 1, 0]),
    ("chess_db__GM_games.pgn", [20, 1, 1421]),
    ("chess_db__russian_chess.pgn", [10, 4, 399]),
    // Faulty games: the other reader keeps the moves before the fault. One FEN has invalid castling rights.
    ("fastchess__test_invalid.pgn", [2, 1, 16]),
    ("chess_db__ambiguous.pgn", [4, 2, 135]),
    ("chess_db__hayes.pgn", [9, 2, 435]),
];

#[test]
fn difficult_games_are_read_or_rejected() {
    let index = lines("pgn/nasty/INDEX.tsv");
    let mut exceptions = 0;
    for line in index.iter().skip(1) {
        let columns = line.split('\t').collect::<Vec<_>>();
        let bytes = data(&format!("pgn/nasty/{}", columns[0])).expect("the index names files");
        let [mut games, mut faults, mut plies] = [0; 3];
        for game in Games::new(&decode(&bytes)) {
            games += 1;
            match game {
                Ok(game) => {
                    plies += game.main_line.moves.len();
                    let text = game.to_string();
                    let again = Games::new(&text)
                        .next()
                        .expect("there is a game")
                        .expect("the written game can be read");
                    assert_eq!(again.main_line, game.main_line, "{}", columns[0]);
                    assert_eq!(again.game().positions(), game.game().positions(), "{}", columns[0]);
                }
                Err(error) => {
                    faults += 1;
                    assert!(!error.to_string().contains('\n'), "{error:?}");
                }
            }
        }
        let found = [games, faults, plies];
        let expected = [1, 2, 3].map(|column| columns[column].parse::<usize>().expect("a number"));
        let exception = EXCEPTIONS.iter().find(|(file, _)| *file == columns[0]);
        assert_eq!(found, exception.map_or(expected, |(_, found)| *found), "{}", columns[0]);
        exceptions += usize::from(found != expected);
    }
    assert!(index.is_empty() || exceptions == EXCEPTIONS.len(), "an exception is no longer needed");
}

#[test]
fn every_position_of_the_suites_round_trips_through_fen() {
    let mut refused = Vec::new();
    for name in ["suites/thousand_midgame.epd", "suites/stress_positions.epd", "suites/wac_300.epd"] {
        for line in lines(name) {
            let epd: Epd = line.parse().unwrap_or_else(|error| panic!("{line}: {error}"));
            let Ok(position) = epd.setup.validate() else {
                refused.push(line);
                continue;
            };
            assert_eq!(Setup::from(&position).to_string().parse(), Ok(Setup::from(&position)));
            assert!(epd.moves(&position, "bm").is_ok(), "{line}");
        }
    }
    // Three stress positions have 28 pieces of a side and more.
    let is_expected = |line: &String| line.starts_with("k7/1p1p1p1p/pPpPpPpP/");
    assert!(refused.iter().all(is_expected) && matches!(refused.len(), 0 | 3), "{refused:#?}");
}
