//! Transcripts: whole sessions with the real engine. They check that moves are legal, not which move is played. Each
//! transcript also runs once for every reply with that reply altered, and must fail then.

use crate::common::{talk, talk_of, transcript};
use rukh_chess::Position;
use rukh_engine::api::Limits;
use rukh_protocol::identity;

/// The FEN that `d` shows after these lines.
fn fen_after(input: &str) -> String {
    let lines = talk_of("Fen: ", &format!("{input}\nd\n"));
    assert_eq!(lines.len(), 1, "{lines:?}");
    lines[0].replace("Fen: ", "")
}

/// The single line of output for this input.
fn answer(input: &str) -> String {
    let mut lines = talk(&format!("{input}\n"));
    assert_eq!(lines.len(), 1, "{lines:?}");
    lines.remove(0)
}

/// The moves of the `bestmove` lines; each must be legal in `fen`.
fn best_moves(input: &str, fen: &str) -> Vec<String> {
    let position: Position = fen.parse().unwrap();
    let lines = talk_of("bestmove ", input);
    lines
        .iter()
        .map(|line| {
            let words: Vec<&str> = line.split(' ').collect();
            let mv = position.parse_uci(words[1]).unwrap_or_else(|error| panic!("{line} in {fen}: {error}"));
            match words[2..] {
                [] => {}
                ["ponder", answer] => {
                    assert!(position.after(mv).parse_uci(answer).is_ok(), "{line} in {fen}");
                }
                _ => panic!("{line}"),
            }
            words[1].to_owned()
        })
        .collect()
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn simple_commands_have_simple_replies() {
    transcript(|| {
        assert_eq!(answer("isready"), "readyok");
        assert_eq!(answer("eval"), format!("evaluation of {START}"));
        assert_eq!(talk("joho isready now\n"), ["info string \"joho\" was skipped", "readyok"]);
        for silent in
            ["", "stop", "ponderhit", "ucinewgame", "register later", "debug on", "# a comment", "flip"]
        {
            assert_eq!(talk(&format!("{silent}\n")), [""; 0], "{silent:?}");
        }
        assert_eq!(
            answer("what is this"),
            "info string \"what is this\" is not a command; help lists them all"
        );
        assert!(identity::greeting().starts_with("Rukh ") && !identity::greeting().contains('\n'));
    });
}

#[test]
fn quit_and_the_end_of_input_end_the_session() {
    transcript(|| {
        assert_eq!(talk("isready\nquit\nisready\n"), ["readyok"]);
        assert_eq!(talk("isready"), ["readyok"]);
        assert_eq!(talk("isready\r\nisready\r\n"), ["readyok", "readyok"]);
        assert_eq!(talk(""), [""; 0]);
    });
}

#[test]
fn help_lists_the_commands() {
    transcript(|| {
        let expected = "uci                                    prints the engine's name and the options
xboard                                 switches to the XBoard protocol
isready                                replies readyok, also during a search
setoption name NAME value VALUE        sets an option
ucinewgame                             clears the hash table and the histories
position startpos|fen FEN [moves ...]  sets up a position
go [depth N] [nodes N] [movetime MS] [wtime MS] [btime MS] [winc MS] [binc MS] [movestogo N]
   [mate N] [searchmoves ...] [ponder] [infinite]
                                       starts a search; without a limit it runs until stop
stop                                   stops the search or perft
ponderhit                              the ponder move was played
go perft N                             counts the leaf nodes at depth N; also: perft N
d                                      shows the position
eval                                   shows the static evaluation
explain [MOVE] [against MOVE]          explains a move, or the best one
flip                                   swaps the colours of the position
bench [DEPTH] [THREADS] [HASH]         runs the benchmark
genfens N seed S [book FILE]           generates N opening positions
spsa                                   lists the tunables
debug on|off                           turns debug messages on or off
quit                                   ends the session";
        assert_eq!(talk("help\n"), expected.lines().collect::<Vec<_>>());
    });
}

#[test]
fn display_shows_the_position() {
    transcript(|| {
        let fen = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
        let key = fen.parse::<Position>().unwrap().key();
        let expected = format!(
            " +---+---+---+---+---+---+---+---+
 | r | n | b |   | k | b | n | r | 8
 +---+---+---+---+---+---+---+---+
 | p | p | p | p |   | p | p | p | 7
 +---+---+---+---+---+---+---+---+
 |   |   |   |   |   |   |   |   | 6
 +---+---+---+---+---+---+---+---+
 |   |   |   |   | p |   |   |   | 5
 +---+---+---+---+---+---+---+---+
 |   |   |   |   |   |   | P | q | 4
 +---+---+---+---+---+---+---+---+
 |   |   |   |   |   | P |   |   | 3
 +---+---+---+---+---+---+---+---+
 | P | P | P | P | P |   |   | P | 2
 +---+---+---+---+---+---+---+---+
 | R | N | B | Q | K | B | N | R | 1
 +---+---+---+---+---+---+---+---+
   a   b   c   d   e   f   g   h

Fen: {fen}
Key: {key:016X}
Checkers: h4
Legal moves: 0
End: Black wins by checkmate"
        );
        let shown = talk("position startpos moves f2f3 e7e5 g2g4 d8h4\nd\n");
        assert_eq!(shown, expected.lines().collect::<Vec<_>>());
    });
    transcript(|| assert_eq!(talk_of("Checkers", "d\n"), ["Checkers:"]));
}

#[test]
fn position_sets_up_a_position() {
    transcript(|| {
        assert_eq!(fen_after(""), START);
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 20";
        assert_eq!(fen_after(&format!("position fen {fen}")), fen);
        let castled = "r4rk1/8/8/8/8/8/8/R3K2R w KQ - 4 21";
        // Both spellings of castling are accepted in every game.
        assert_eq!(fen_after(&format!("position fen {fen} moves e8g8")), castled);
        assert_eq!(fen_after(&format!("position fen {fen} moves e8h8")), castled);
        // The counters may be missing.
        assert_eq!(fen_after("position fen 4k3/8/8/8/8/8/8/4K3 w - -"), "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
        assert_eq!(fen_after(&format!("position fen {fen}\nposition startpos")), START);
        // `ucinewgame` keeps the position.
        assert_eq!(fen_after(&format!("position fen {fen}\nucinewgame")), fen);
    });
}

#[test]
fn a_bad_position_is_refused_with_a_reason() {
    transcript(|| {
        let old = "position startpos moves e2e4";
        let kept = fen_after(old);
        for (line, reason) in [
            ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "White has no king; Black has no king"),
            ("position fen rubbish", "the board of the FEN should have 8 ranks, but has 1"),
            ("position fen", "the FEN ends before the board"),
            (
                "position startpos moves e2e4 e7e5 e1e3",
                "move 3 of 3: \"e1e3\" is not legal: the king on e1 cannot go to e3",
            ),
            (
                "position startpos moves e2e4 hello",
                "move 2 of 2: \"hello\" is not a move such as e2e4 or e7e8q",
            ),
            ("position startpos moves 0000", "move 1 of 1: \"0000\" is not a move such as e2e4 or e7e8q"),
            ("position", "it is given by startpos or fen"),
            ("position startpos e2e4", "startpos is followed by moves, not \"e2e4\""),
        ] {
            let output = answer(&format!("{old}\n{line}"));
            assert_eq!(output, format!("info string the position is unchanged: {reason}"));
            assert_eq!(fen_after(&format!("{old}\n{line}")), kept);
        }
    });
}

#[test]
fn flip_swaps_the_colours() {
    transcript(|| {
        let fen = "r3k2r/7q/8/3pP3/8/8/8/R3K2R w KQk d6 0 20";
        let flipped = "r3k2r/8/8/8/3Pp3/8/7Q/R3K2R b Kkq d3 0 20";
        assert_eq!(fen_after(&format!("position fen {fen}\nflip")), flipped);
        assert_eq!(fen_after(&format!("position fen {fen}\nflip\nflip")), fen);
        assert_eq!(
            fen_after("position startpos moves e2e4\nflip"),
            fen_after("position fen rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
        );
    });
}

#[test]
fn every_go_gets_a_best_move() {
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
        transcript(|| {
            // The end of the input stops an unlimited search.
            let moves = best_moves(&format!("go {words}\n"), START);
            assert_eq!(moves.len(), 1, "go {words}");
            let moves = best_moves(&format!("go {words}\nstop\ngo {words}\nquit\n"), START);
            assert_eq!(moves.len(), 2, "go {words}");
        });
    }
    // Whether a search for a missing mate ends by itself depends on the engine.
    transcript(|| assert_eq!(best_moves("go mate 1\nstop\n", START).len(), 1));
}

#[test]
fn clocks_may_be_missing_for_either_side() {
    let black = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    for words in ["wtime 100", "btime 100", "winc 5", "wtime 100 binc 10"] {
        let input = format!("position fen {black}\ngo {words}\n");
        transcript(|| assert_eq!(best_moves(&input, black).len(), 1, "{input}"));
    }
}

#[test]
fn positions_without_legal_moves_have_no_best_move() {
    for fen in ["7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "R6k/6pp/8/8/8/8/8/K7 b - - 0 1"] {
        transcript(|| assert_eq!(talk(&format!("position fen {fen}\ngo depth 3\n")), ["bestmove (none)"]));
    }
}

#[test]
fn perft_counts_leaf_nodes() {
    let counted = |input: &str| talk_of("Nodes searched: ", input);
    transcript(|| {
        let lines = talk("go perft 3\n");
        let (moves, end) = lines.split_at(20);
        let sum: u64 =
            moves.iter().map(|line| line.split_once(": ").unwrap().1.parse::<u64>().unwrap()).sum();
        assert_eq!(sum, 8902);
        assert!(moves.contains(&"e2e4: 600".to_owned()), "{moves:?}");
        assert_eq!(*end, ["", "Nodes searched: 8902", ""]);
    });
    transcript(|| {
        assert_eq!(counted("perft 0\n"), ["Nodes searched: 1"]);
        assert_eq!(counted("go perft 1\n"), ["Nodes searched: 20"]);
    });
    // Deeper than the unchecked depth; `quit` does not cut it off.
    transcript(|| assert_eq!(counted("go perft 5\nquit\n"), ["Nodes searched: 4865609"]));
    transcript(|| assert_eq!(talk_of("readyok", "perft 6 \nstop\nisready\n"), ["readyok"]));
    transcript(|| {
        assert_eq!(answer("go perft 4000000000"), "info string the maximum depth of perft is 64");
        assert_eq!(answer("go perft"), "info string perft needs a number");
    });
    transcript(|| {
        let castling = "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1\ngo perft 1\n";
        assert_eq!(talk_of("e1g1", castling), ["e1g1: 1"]);
        let chess960 = format!("setoption name UCI_Chess960 value true\n{castling}");
        assert_eq!(talk_of("e1h1", &chess960), ["e1h1: 1"]);
    });
}

#[test]
fn explain_runs_the_hook_with_the_game() {
    transcript(|| {
        let lines = talk("position startpos moves e2e4\nexplain e5 against c5\n");
        assert_eq!(lines, ["explains [\"e5\", \"against\", \"c5\"] after 1 moves"]);
        assert_eq!(talk("explain\nquit\n"), ["explains [] after 0 moves"]);
    });
}

#[test]
fn bench_runs_the_hook() {
    transcript(|| {
        assert_eq!(talk("bench 5 1\n"), ["arguments [\"5\", \"1\"]", "12345 nodes 67890 nps"]);
        assert_eq!(talk("bench\nquit\n"), ["arguments []", "12345 nodes 67890 nps"]);
        assert_eq!(answer("bench bad"), "info string bad is not a depth");
    });
}

#[test]
fn debug_reports_the_search_limits() {
    transcript(|| {
        let lines = talk_of("info string ", "debug on\ngo depth 1\n");
        let limits = Limits { depth: Some(1), ..Limits::default() };
        assert_eq!(lines, [format!("info string searching {START} with {limits:?}")]);
        assert_eq!(talk_of("info string ", "debug on\ndebug off\ngo depth 1\n"), [""; 0]);
    });
}

#[test]
fn errors_of_go_are_reported_in_one_line() {
    transcript(|| {
        let messages = talk_of("info string ", "go depth x nodes y movetime z wtime q btime r\n");
        assert_eq!(
            messages,
            [
                "info string depth needs a number, not \"x\"; nodes needs a number, not \"y\"; \
                 movetime needs a number, not \"z\"; wtime needs a number, not \"q\"; and 1 more",
                "info string no usable limit was given; the search takes 100 ms",
            ]
        );
        let messages = talk_of("info string ", "go depth 1 searchmoves e2e5 e2e4\n");
        assert_eq!(messages, ["info string \"e2e5\" is not legal: the pawn on e2 cannot go to e5"]);
    });
}
