//! Decoding of UCI lines.

use std::time::Duration;

use rukh_chess::Color;
use rukh_chess::random::SplitMix64;
use rukh_protocol::Uci;
use rukh_protocol::codec::{Codec, DecodedLine};
use rukh_protocol::command::{Command, Go, StartPosition};

fn read(line: &str) -> DecodedLine {
    Uci.decode(line)
}

/// The single command of a valid line.
fn command(line: &str) -> Command {
    let DecodedLine { mut commands, errors } = read(line);
    assert_eq!(errors, [""; 0], "{line:?}");
    assert_eq!(commands.len(), 1, "{line:?}");
    commands.remove(0)
}

/// The errors of a line without a command.
fn refused(line: &str) -> String {
    let DecodedLine { commands, errors } = read(line);
    assert_eq!(commands, [], "{line:?}");
    errors.join("; ")
}

/// The decoded part of an invalid `go`, and the errors.
fn faulty(line: &str) -> (Go, String) {
    let DecodedLine { mut commands, errors } = read(line);
    assert_eq!(commands.len(), 1, "{line:?}");
    let Command::Go(go) = commands.remove(0) else { panic!("{line:?} is not a search") };
    assert!(!errors.is_empty(), "{line:?}");
    (go, errors.join("; "))
}

fn go(line: &str) -> Go {
    let Command::Go(go) = command(line) else { panic!("{line:?} is not a search") };
    go
}

fn ms(time: u64) -> Option<Duration> {
    Some(Duration::from_millis(time))
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

#[test]
fn single_word_commands() {
    assert_eq!(command("uci"), Command::Identify);
    assert_eq!(command("  isready\t"), Command::IsReady);
    assert_eq!(command("ucinewgame"), Command::NewGame);
    assert_eq!(command("stop"), Command::Stop);
    assert_eq!(command("ponderhit"), Command::PonderHit);
    assert_eq!(command("quit"), Command::Quit);
    assert_eq!(command("d"), Command::Display);
    assert_eq!(command("eval"), Command::Eval);
    assert_eq!(command("explain e4"), Command::Explain { arguments: owned(&["e4"]) });
    assert_eq!(command("flip"), Command::Flip);
    assert_eq!(command("help"), Command::Help);
    assert_eq!(command("perft 5"), Command::Perft(5));
    assert_eq!(command("bench 13 2"), Command::Bench { arguments: owned(&["13", "2"]) });
    assert_eq!(command("debug\u{a0}on"), Command::Debug(true));
    assert_eq!(command("debug off"), Command::Debug(false));
    for silent in ["", "   ", "\r", "# a comment", "register later", "register name x code y"] {
        assert_eq!(read(silent), DecodedLine::default(), "{silent:?}");
    }
}

#[test]
fn unknown_words_before_a_command_are_skipped() {
    let decoded = read("joho debug on");
    assert_eq!(decoded.commands, [Command::Debug(true)]);
    assert_eq!(decoded.errors, ["\"joho\" was skipped"]);
    assert_eq!(read("one two  isready").errors, ["\"one two\" was skipped"]);
    assert_eq!(refused("debug joho on"), "debug is on or off");
    assert!(refused("postion startpos").contains("\"postion startpos\" is not a command"));
    // Extensions are accepted only at the start of a line.
    assert!(refused("please help me d").contains("is not a command"));
}

#[test]
fn option_names_and_values_may_contain_spaces() {
    let set = |name: &str, value: Option<&str>| Command::SetOption {
        name: name.to_owned(),
        value: value.map(str::to_owned),
    };
    assert_eq!(command("setoption name Hash value 32"), set("Hash", Some("32")));
    assert_eq!(command("setoption name Clear Hash"), set("Clear Hash", None));
    assert_eq!(command("setoption  name  Move   Overhead  value  30 "), set("Move Overhead", Some("30")));
    assert_eq!(
        command("setoption name Debug Log File value /tmp/two  spaces/value x.txt"),
        set("Debug Log File", Some("/tmp/two  spaces/value x.txt"))
    );
    assert_eq!(command("setoption name Hash value"), set("Hash", None));
    assert!(refused("setoption Hash value 3").contains("setoption name NAME value VALUE"));
    assert!(refused("setoption").contains("setoption name NAME value VALUE"));
    assert!(refused("setoption name value 3").contains("no name"));
}

#[test]
fn positions_have_a_start_and_moves() {
    let position = |start: StartPosition, moves: &[&str]| Command::Position { start, moves: owned(moves) };
    let fen = "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1";
    assert_eq!(command("position startpos"), position(StartPosition::Standard, &[]));
    assert_eq!(command("position startpos moves"), position(StartPosition::Standard, &[]));
    assert_eq!(
        command("position startpos moves e2e4 e7e5"),
        position(StartPosition::Standard, &["e2e4", "e7e5"])
    );
    assert_eq!(command(&format!("position fen {fen}")), position(StartPosition::Fen(fen.to_owned()), &[]));
    assert_eq!(
        command(&format!("position  fen  {fen}  moves a1b1")),
        position(StartPosition::Fen(fen.to_owned()), &["a1b1"])
    );
    assert!(refused("position startpos e2e4").contains("followed by moves, not \"e2e4\""));
    assert!(refused("position").contains("startpos or fen"));
    assert!(refused("position moves e2e4").contains("startpos or fen"));
}

#[test]
fn all_parameters_of_go() {
    let read =
        go("go wtime 1000 btime 2000 winc 10 binc 20 movestogo 40 depth 7 nodes 99 mate 3 movetime 500 \
         infinite ponder searchmoves e2e4 e7e8q");
    let mut expected = Go {
        depth: Some(7),
        nodes: Some(99),
        mate: Some(3),
        movetime: ms(500),
        moves_to_go: Some(40),
        is_infinite: true,
        is_ponder: true,
        search_moves: owned(&["e2e4", "e7e8q"]),
        ..Go::default()
    };
    expected.remaining[Color::White] = ms(1000);
    expected.remaining[Color::Black] = ms(2000);
    expected.increment[Color::White] = ms(10);
    expected.increment[Color::Black] = ms(20);
    assert_eq!(read, expected);
    assert_eq!(go("go"), Go::default());
    assert_eq!(command("go perft 4"), Command::Perft(4));
}

#[test]
fn the_order_of_parameters_does_not_matter() {
    let mut words = [
        "wtime 1000",
        "btime 2000",
        "winc 10",
        "binc 20",
        "movestogo 40",
        "depth 7",
        "nodes 99",
        "mate 3",
        "movetime 500",
        "infinite",
        "ponder",
        "searchmoves e2e4 e7e8q",
    ];
    let expected = go(&format!("go {}", words.join(" ")));
    let mut random = SplitMix64::new(7);
    for _ in 0..500 {
        for i in (1..words.len()).rev() {
            words.swap(i, random.below(i as u64 + 1) as usize);
        }
        let line = format!("go {}", words.join(" "));
        assert_eq!(go(&line), expected, "{line:?}");
    }
}

#[test]
fn invalid_parameters_of_go_leave_the_rest() {
    let (go, error) = faulty("go depth wtime 100");
    assert_eq!((go.depth, go.remaining[Color::White], go.has_unreadable_limit), (None, ms(100), true));
    assert_eq!(error, "depth needs a number");

    let (go, error) = faulty("go nodes many depth 3");
    assert_eq!((go.depth, go.nodes), (Some(3), None));
    assert_eq!(error, "nodes needs a number, not \"many\"");

    let (go, error) = faulty("go wtime -50 btime 100 winc -1");
    assert_eq!((go.remaining[Color::White], go.increment[Color::White]), (ms(0), ms(0)));
    assert_eq!(error, "wtime is negative and counts as 0; winc is negative and counts as 0");
    assert!(!go.has_unreadable_limit);

    let (go, error) = faulty("go depth -3");
    assert_eq!((go.depth, go.has_unreadable_limit), (None, true));
    assert_eq!(error, "depth cannot be negative");

    let (go, error) = faulty("go fast depth 2 please");
    assert_eq!(go.depth, Some(2));
    assert_eq!(error, "\"fast\" is not a parameter of go; \"please\" is not a parameter of go");

    let (go, error) = faulty("go searchmoves depth 2");
    assert_eq!((go.depth, go.search_moves.len()), (Some(2), 0));
    assert!(error.contains("searchmoves needs moves"));

    let (go, error) = faulty("go movetime 10.5");
    assert!(go.has_unreadable_limit && error.contains("10.5"));
    assert_eq!(refused("go perft"), "perft needs a number");
    assert_eq!(refused("perft x"), "perft needs a number, not \"x\"");
}

#[test]
fn too_large_numbers_saturate() {
    let huge = "9".repeat(1000);
    let read = go(&format!("go depth {huge} nodes {huge} wtime {huge}"));
    assert_eq!((read.depth, read.nodes), (Some(u32::MAX), Some(i64::MAX as u64)));
    assert!(read.remaining[Color::White] > ms(1 << 60));
    assert_eq!(go("go movetime +5").movetime, ms(5));
}

#[test]
fn searchmoves_end_at_another_parameter() {
    let read = go("go searchmoves e2e4 d2d4 depth 5 searchmoves g1f3");
    assert_eq!((read.search_moves, read.depth), (owned(&["e2e4", "d2d4", "g1f3"]), Some(5)));
    // It has the form of a move, so that the session reports why it is not one.
    assert_eq!(go("go searchmoves e2e9").search_moves, ["e2e9"]);
}
