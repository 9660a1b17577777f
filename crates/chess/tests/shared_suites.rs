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
///
/// Tells how many positions were refused: those with more than sixteen pieces of a side.
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

/// Files of the nasty games of which the index tells other numbers of games, faults and plies, and what we find in them.
const NASTY_EXCEPTIONS: [(&str, [usize; 3]); 28] = [
    // An empty line ends a game there, so that the result, or the moves after a comment, are a game of their own.
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
    // Tags and moves on one line, games line by line, tags between the marks of a web page.
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
    // Words that are no moves, braces in comments, stray commas: passed over there, faults here.
    ("pgnextract__nested-comment.pgn", [1, 1, 0]),
    ("chesslib_cpp__corrupted.pgn", [1, 1, 0]),
    ("pychess__badpgn.pgn", [1, 1, 0]),
    ("mliebelt_doc__sampleGameThrow.pgn", [1, 1, 0]),
    ("chess_db__GM_games.pgn", [20, 1, 1421]),
    ("chess_db__russian_chess.pgn", [10, 4, 399]),
    // Games with a fault, of which the moves before it are kept there; one has a FEN with rights that it cannot have.
    ("fastchess__test_invalid.pgn", [2, 1, 16]),
    ("chess_db__ambiguous.pgn", [4, 2, 135]),
    ("chess_db__hayes.pgn", [9, 2, 435]),
];

#[test]
fn nasty_games_are_read_or_refused() {
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
                        .expect("what we write can be read");
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
        let told = [1, 2, 3].map(|column| columns[column].parse::<usize>().expect("a number"));
        let exception = NASTY_EXCEPTIONS.iter().find(|(file, _)| *file == columns[0]);
        assert_eq!(found, exception.map_or(told, |(_, found)| *found), "{}", columns[0]);
        exceptions += usize::from(found != told);
    }
    assert!(index.is_empty() || exceptions == NASTY_EXCEPTIONS.len(), "an exception is none any more");
}

#[test]
fn every_position_of_the_suites_survives_fen() {
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
