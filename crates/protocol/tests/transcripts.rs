//! Whole conversations with the real engine. Which move it finds does not matter here, only that it is one.
#![allow(clippy::unwrap_used, reason = "a test may fail by it, helpers included")]

mod common;

use common::talk;
use rukh_chess::Position;
use rukh_protocol::about;

/// The FEN that `d` shows at the end of these lines.
fn fen_after(input: &str) -> String {
    let lines = talk(&format!("{input}\nd\n"));
    let fen = lines.iter().rev().find_map(|line| line.strip_prefix("Fen: "));
    fen.unwrap_or_else(|| panic!("{lines:?}")).to_owned()
}

/// The one line said to this input.
fn answer(input: &str) -> String {
    let mut lines = talk(&format!("{input}\n"));
    assert_eq!(lines.len(), 1, "{lines:?}");
    lines.remove(0)
}

/// The moves of the `bestmove` lines; each must be legal in `fen`.
fn best_moves(input: &str, fen: &str) -> Vec<String> {
    let position: Position = fen.parse().unwrap();
    let lines = talk(input);
    let moves = lines.iter().filter_map(|line| line.strip_prefix("bestmove "));
    moves
        .map(|text| {
            let mv = text.split(' ').next().unwrap();
            assert!(position.parse_uci(mv).is_ok(), "{mv} in {fen}");
            mv.to_owned()
        })
        .collect()
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn simple_questions() {
    assert_eq!(answer("isready"), "readyok");
    assert_eq!(answer("eval"), format!("worth of {START}"));
    assert_eq!(talk("joho isready now\n"), ["info string \"joho\" was passed over", "readyok"]);
    for silent in ["", "stop", "ponderhit", "ucinewgame", "register later", "debug on", "# a comment", "flip"]
    {
        assert_eq!(talk(&format!("{silent}\n")), [""; 0], "{silent:?}");
    }
    assert!(answer("what is this").contains("\"what is this\" is not a command"));
    let help = talk("help\n").join("\n");
    for word in ["isready", "setoption", "position", "go", "stop", "perft", "eval", "flip", "bench", "quit"] {
        assert!(help.contains(word), "{word}");
    }
    assert!(about::greeting().starts_with("Rukh ") && !about::greeting().contains('\n'));
}

#[test]
fn quit_ends_and_so_does_the_end_of_input() {
    assert_eq!(talk("isready\nquit\nisready\n"), ["readyok"]);
    assert_eq!(talk("isready"), ["readyok"]);
    assert_eq!(talk("isready\r\nisready\r\n"), ["readyok", "readyok"]);
    assert_eq!(talk(""), [""; 0]);
}

#[test]
fn a_position_is_shown() {
    let lines = talk("position startpos moves f2f3 e7e5 g2g4 d8h4\nd\n");
    assert_eq!(lines[1], " | r | n | b |   | k | b | n | r | 8");
    assert_eq!(lines[15], " | R | N | B | Q | K | B | N | R | 1");
    let end = lines[17..].join("\n");
    let key = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    assert!(end.contains(&format!("Fen: {key}")), "{end}");
    assert!(end.contains(&format!("Key: {:016X}", key.parse::<Position>().unwrap().key())));
    assert!(end.contains("Checkers: h4\nLegal moves: 0\nEnd: Black wins by checkmate"));
    assert!(talk("d\n").contains(&"Checkers:".to_owned()));
}

#[test]
fn positions_are_set() {
    assert_eq!(fen_after(""), START);
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 20";
    assert_eq!(fen_after(&format!("position fen {fen}")), fen);
    let castled = "r4rk1/8/8/8/8/8/8/R3K2R w KQ - 4 21";
    // Both spellings of castling, whatever the game.
    assert_eq!(fen_after(&format!("position fen {fen} moves e8g8")), castled);
    assert_eq!(fen_after(&format!("position fen {fen} moves e8h8")), castled);
    // The counters may be missing.
    assert_eq!(fen_after("position fen 4k3/8/8/8/8/8/8/4K3 w - -"), "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    assert_eq!(fen_after(&format!("position fen {fen}\nposition startpos")), START);
    // Another game does not begin before its position is given.
    assert_eq!(fen_after(&format!("position fen {fen}\nucinewgame")), fen);
}

#[test]
fn a_bad_position_is_explained_and_the_old_one_stays() {
    let old = "position startpos moves e2e4";
    let kept = fen_after(old);
    for (line, reason) in [
        ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "White has no king"),
        ("position fen rubbish", "8 ranks"),
        ("position fen", "ends before the board"),
        ("position startpos moves e2e4 e7e5 e1e3", "move 3 of 3: \"e1e3\" is not legal"),
        ("position startpos moves e2e4 hello", "move 2 of 2: \"hello\" is not a move"),
        ("position startpos moves 0000", "is not a move"),
        ("position", "startpos or fen"),
        ("position startpos e2e4", "followed by moves"),
    ] {
        let said = answer(&format!("{old}\n{line}"));
        assert!(said.starts_with("info string the position stays: ") && said.contains(reason), "{said}");
        assert_eq!(fen_after(&format!("{old}\n{line}")), kept);
    }
}

#[test]
fn colours_are_swapped() {
    let fen = "r3k2r/7q/8/3pP3/8/8/8/R3K2R w KQk d6 0 20";
    let flipped = "r3k2r/8/8/8/3Pp3/8/7Q/R3K2R b Kkq d3 0 20";
    assert_eq!(fen_after(&format!("position fen {fen}\nflip")), flipped);
    assert_eq!(fen_after(&format!("position fen {fen}\nflip\nflip")), fen);
    assert_eq!(
        fen_after("position startpos moves e2e4\nflip"),
        fen_after("position fen rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    );
}

#[test]
fn every_go_is_answered() {
    for words in [
        "depth 1",
        "nodes 100",
        "movetime 10",
        "infinite",
        "ponder wtime 100 btime 100",
        "",
        "wtime 100",
        "btime 100",
        "wtime 100 btime 100 winc 10 binc 10",
        "binc 10 winc 10 btime 100 wtime 100 movestogo 5",
        "searchmoves e2e4 d2d4 depth 1",
        "depth",
        "winc 10",
        "depth 0",
        "nodes 0",
        "movetime 0",
        "wtime 0 btime 0",
        "wtime -5 btime 100",
        "movestogo 0 wtime 100",
        "nonsense depth 1",
        "nodes 1000 depth 99999999999999999999",
    ] {
        // The end of input stops what has no end of its own.
        let moves = best_moves(&format!("go {words}\n"), START);
        assert_eq!(moves.len(), 1, "go {words}");
        let moves = best_moves(&format!("go {words}\nstop\ngo {words}\nquit\n"), START);
        assert_eq!(moves.len(), 2, "go {words}");
    }
    // Whether a search for a mate that is not there ends by itself is the engine's affair.
    assert_eq!(best_moves("go mate 1\nstop\n", START).len(), 1);
}

#[test]
fn clocks_may_be_missing_for_either_side() {
    let black = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    for words in ["wtime 100", "btime 100", "winc 5", "wtime 100 binc 10"] {
        let input = format!("position fen {black}\ngo {words}\n");
        assert_eq!(best_moves(&input, black).len(), 1, "{input}");
    }
}

#[test]
fn no_move_to_find() {
    for fen in ["7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "R6k/6pp/8/8/8/8/8/K7 b - - 0 1"] {
        let lines = talk(&format!("position fen {fen}\ngo depth 3\n"));
        assert_eq!(lines.last().unwrap(), "bestmove (none)");
    }
}

#[test]
fn lines_are_counted() {
    let lines = talk("go perft 3\n");
    assert_eq!(lines.len(), 20 + 3);
    assert!(lines.contains(&"e2e4: 600".to_owned()), "{lines:?}");
    assert_eq!(lines[21], "Nodes searched: 8902");
    assert!(talk("perft 0\n").contains(&"Nodes searched: 1".to_owned()));
    assert!(talk("go perft 1\n").contains(&"Nodes searched: 20".to_owned()));
    // Deeper than is counted in one go, and not cut off by what follows.
    assert!(talk("go perft 5\nquit\n").contains(&"Nodes searched: 4865609".to_owned()));
    assert!(talk("perft 6 \nstop\nisready\n").contains(&"readyok".to_owned()));
    assert!(answer("go perft 4000000000").contains("up to 64"));
    assert_eq!(answer("go perft"), "info string perft needs a number");
    let castling = "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1\ngo perft 1\n";
    assert!(talk(castling).contains(&"e1g1: 1".to_owned()));
    let chess960 = format!("setoption name UCI_Chess960 value true\n{castling}");
    assert!(talk(&chess960).contains(&"e1h1: 1".to_owned()));
}

#[test]
fn speed_is_measured_elsewhere() {
    assert_eq!(talk("bench 5 1\n"), ["arguments [\"5\", \"1\"]", "12345 nodes 67890 nps"]);
    assert_eq!(talk("bench\nquit\n").last().unwrap(), "12345 nodes 67890 nps");
    assert_eq!(answer("bench bad"), "info string bad is not a depth");
}

#[test]
fn debug_tells_what_is_searched() {
    let lines = talk("debug on\ngo depth 1\n");
    assert!(lines[0].starts_with(&format!("info string searching {START} with ")), "{lines:?}");
    assert!(!talk("debug on\ndebug off\ngo depth 1\n")[0].contains("searching"));
}

#[test]
fn faults_of_go_are_one_line_each() {
    let lines = talk("go depth x nodes y movetime z wtime q btime r\n");
    let remarks = lines.iter().filter(|line| line.starts_with("info string")).collect::<Vec<_>>();
    assert_eq!(remarks.len(), 2, "{remarks:?}");
    assert!(remarks[0].ends_with("; and 1 more"), "{remarks:?}");
    assert!(remarks[1].contains("no limit to go by"), "{remarks:?}");
    let lines = talk("go depth 1 searchmoves e2e5 e2e4\n");
    assert!(lines[0].starts_with("info string \"e2e5\" is not legal: "), "{lines:?}");
}
