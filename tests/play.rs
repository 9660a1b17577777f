//! `rukh play`, as a person types at it.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// An empty folder of its own for each test.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("play-{name}"));
    // What an earlier run left does not matter.
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("the folder for tests can be written");
    path
}

/// Starts `rukh play` with its data in `home` and types `lines`.
fn type_lines(home: &Path, args: &[&str], lines: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_rukh"))
        .arg("play")
        .args(args)
        .env("XDG_DATA_HOME", home)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    // A game that is over reads no more.
    let _ = child.stdin.take().expect("it is piped").write_all(lines.as_bytes());
    child.wait_with_output().expect("it ends")
}

fn play(home: &Path, args: &[&str], lines: &str) -> String {
    let output = type_lines(home, args, lines);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{args:?}: {error}");
    String::from_utf8(output.stdout).expect("output is text")
}

fn refusal(args: &[&str]) -> String {
    let output = type_lines(&folder("refusal"), args, "");
    assert!(!output.status.success(), "{args:?} is accepted");
    String::from_utf8(output.stderr).expect("output is text")
}

fn saved(home: &Path) -> String {
    fs::read_to_string(home.join("rukh").join("games.pgn")).expect("the game is saved")
}

#[test]
fn two_people_play_a_whole_game() {
    let home = folder("mate");
    let told = play(&home, &["--two"], "f3\ne5\ng4\nQh4\n");
    let last_board = "
  +---+---+---+---+---+---+---+---+     Black
8 | r | n | b |( )| k | b | n | r |
  +---+---+---+---+---+---+---+---+   Barnes Opening
7 | p | p | p | p |   | p | p | p |     1. f3      e5
  +---+---+---+---+---+---+---+---+     2. g4      Qh4#
6 |   |   |   |   |   |   |   |   |
  +---+---+---+---+---+---+---+---+
5 |   |   |   |   | p |   |   |   |
  +---+---+---+---+---+---+---+---+
4 |   |   |   |   |   |   | P |(q)|
  +---+---+---+---+---+---+---+---+
3 |   |   |   |   |   | P |   |   |
  +---+---+---+---+---+---+---+---+
2 | P | P | P | P | P |   |   | P |
  +---+---+---+---+---+---+---+---+
1 | R | N | B | Q |[K]| B | N | R |
  +---+---+---+---+---+---+---+---+     White
    a   b   c   d   e   f   g   h

Black wins by checkmate. 0-1
Opening: Barnes Opening (A00).
";
    assert!(told.contains(last_board), "{told}");
    let (_, summary) = told.split_once("Accuracy: White ").expect("there is a summary");
    // How much the other moves cost depends on how far fifty milliseconds carry.
    assert!(
        summary.contains(", Black ") && summary.contains("2. g4?? (blunder): better is 2. "),
        "{summary}"
    );
    assert!(summary.contains("The game is saved in "), "{summary}");
    assert!(saved(&home).ends_with("1. f3 e5 2. g4 Qh4# 0-1\n"), "{}", saved(&home));
}

#[test]
fn mistakes_are_explained_and_change_nothing() {
    let told = play(&folder("mistakes"), &["--two"], "e5\ne2e5\nNe2\nresing\nlevel 77\nxyzzy\nfen\n");
    for sentence in [
        "\"e5\" is not a legal move here: no pawn of White can go to e5",
        "\"e2e5\" is not legal: the pawn on e2 cannot go to e5",
        "\"Ne2\" is not a legal move here: a piece of the same side stands on e2",
        "\"resing\" is neither a move nor a command; did you mean resign?",
        "\"77\" is not a level from 0 to 20",
        "type help for a list",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ] {
        assert!(told.contains(sentence), "{sentence} is not in {told}");
    }
}

#[test]
fn moves_can_be_listed_taken_back_and_seen_from_the_other_side() {
    let told = play(&folder("look"), &["--two"], "e4\nmoves g8\nmoves e5\nundo\nmoves e2\nflip\nfen\n");
    assert!(told.contains("\nNf6 Nh6\n") && told.contains("\nthere is no legal move from e5\n"), "{told}");
    assert!(told.contains("\ne3 e4\n"), "the move was taken back: {told}");
    assert!(
        told.contains("1 | R | N | B | K | Q | B | N | R |\n  +---+---+---+---+---+---+---+---+\n2"),
        "{told}"
    );
    assert!(told.contains("\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n"), "{told}");
}

#[test]
fn the_end_of_input_saves_and_the_game_is_resumed() {
    let home = folder("resume");
    let told = play(&home, &["--level", "1", "--movetime", "20"], "e4\n");
    assert!(told.contains("Rukh plays 1... "), "{told}");
    assert!(told.contains("rukh play --resume resumes it."), "{told}");
    let before = saved(&home);
    assert!(before.contains("[Black \"Rukh (level 1)\"]") && before.contains("[Result \"*\"]"), "{before}");
    let told = play(&home, &["--resume"], "resign\n");
    assert!(told.contains("Player against Rukh (level 1), 1 move."), "{told}");
    assert!(told.contains("Black wins: White resigns. 0-1"), "{told}");
    assert_eq!(saved(&home).matches("[Event ").count(), 1, "it is the same game: {}", saved(&home));
    assert!(saved(&home).trim_end().ends_with("0-1"));
    let output = type_lines(&home, &["--resume"], "");
    assert!(String::from_utf8_lossy(&output.stderr).contains("no unfinished game"), "it is over now");
}

#[test]
fn clocks_are_kept() {
    let home = folder("clocks");
    play(&home, &["--two", "--tc", "5+3"], "e4\ne5\n");
    assert!(saved(&home).contains("[TimeControl \"300+3\"]") && saved(&home).contains("[%clk 0:05:0"));
    let told = play(&home, &["--resume"], "");
    assert!(told.contains("> White  5:0") && told.contains("  Black  5:0"), "{told}");
}

#[test]
fn a_flag_falls_while_nobody_types() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_rukh"))
        .args(["play", "--two", "--tc", "0:01"])
        .env("XDG_DATA_HOME", folder("flag"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    // The input stays open, and nothing comes.
    let typed = child.stdin.take();
    let output = child.wait_with_output().expect("it ends by itself");
    drop(typed);
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(told.contains("Black wins on time. 0-1"), "{told}");
}

#[cfg(unix)]
#[test]
fn an_interrupt_saves_the_game() {
    let home = folder("interrupt");
    let mut child = Command::new(env!("CARGO_BIN_EXE_rukh"))
        .args(["play", "--two"])
        .env("XDG_DATA_HOME", &home)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut typed = child.stdin.take().expect("it is piped");
    typed.write_all(b"e4\n").expect("it reads");
    let mut lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
    let mut next = || lines.next().expect("it goes on").expect("output is text");
    while !next().ends_with("> Black") {}
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(killed.is_ok_and(|status| status.success()));
    while !next().contains("rukh play --resume resumes it.") {}
    assert!(child.wait().expect("it ends").success());
    assert!(saved(&home).ends_with("1. e4 *\n"), "{}", saved(&home));
}

#[test]
fn a_file_keeps_every_game() {
    let home = folder("file");
    let path = home.join("mine.pgn");
    let name = path.to_str().expect("paths of tests are text");
    fs::write(&path, "[White \"Somebody\"]\n\n1. d4 d5 1/2-1/2\n").expect("it can be written");
    let told = play(&home, &["--pgn", name, "--two"], "e4\n");
    assert!(told.contains(&format!("rukh play --pgn {name} resumes it.")), "{told}");
    play(&home, &["--pgn", name], "e5\nnew\nc4\n");
    let text = fs::read_to_string(&path).expect("it is there");
    let games: Vec<_> = text.lines().filter(|line| line.starts_with("1.")).collect();
    assert_eq!(games, ["1. d4 d5 1/2-1/2", "1. e4 e5 *", "1. c4 *"]);
    let copy = home.join("copy.pgn");
    let copied = copy.to_str().expect("paths of tests are text");
    let lines = format!("save {copied}\nsave {name}\nnew\nload {copied}\nfen\n");
    let told = play(&home, &["--pgn", name], &lines);
    assert!(told.contains("choose another name"), "another file is not written over: {told}");
    assert!(told.contains("\nrnbqkbnr/pppppppp/8/8/2P5/8/PP1PPPPP/RNBQKBNR b KQkq - 0 1\n"), "{told}");
}

#[test]
fn the_engine_answers_questions() {
    let mate_in_one = "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1";
    let told =
        play(&folder("questions"), &["--fen", mate_in_one], "hint\neval\ndraw\nelo 1200\nlevel\npgn\n");
    assert!(told.contains("Rd8# is a good move: 1. Rd8#"), "{told}");
    assert!(told.contains("White gives mate in 1 (#1 for White: 100% win"), "{told}");
    assert!(told.contains("it is too early") && told.contains("Rukh plays at 1200 Elo."), "{told}");
    assert!(told.contains(&format!("[FEN \"{mate_in_one}\"]")), "{told}");
}

#[test]
fn two_people_agree_to_a_draw() {
    let told = play(&folder("draw"), &["--two"], "e4\ndraw\ndraw\ne5\ndraw\n");
    assert!(told.contains("White may then accept with draw"), "{told}");
    assert!(told.contains("The game is drawn by agreement. 1/2-1/2"), "{told}");
}

#[test]
fn the_engine_takes_a_draw_where_it_does_not_stand_better() {
    let ahead = "4k3/8/8/8/8/8/3QP3/4K3 w - - 0 30";
    let told = play(&folder("engine-draw"), &["--fen", ahead], "draw\n");
    assert!(told.contains("The game is drawn by agreement. 1/2-1/2"), "{told}");
    let behind = "3qk3/4p3/8/8/8/8/8/4K3 w - - 0 30";
    let told = play(&folder("engine-draw"), &["--fen", behind], "draw\n");
    assert!(told.contains("Rukh declines the draw: it evaluates its position as better."), "{told}");
}

#[test]
fn the_engine_plays_against_itself_to_the_end() {
    let home = folder("engines");
    let args = ["--engines", "--movetime", "1", "--fen", "8/8/8/8/8/3QK3/8/6k1 w - - 0 1"];
    let told = play(&home, &args, "");
    assert!(told.contains("White plays 1. ") && told.contains("White wins by checkmate. 1-0"), "{told}");
    assert!(saved(&home).contains("[WhiteType \"program\"]\n[BlackType \"program\"]"), "{}", saved(&home));
}

#[test]
fn black_moves_second_and_sits_at_the_bottom() {
    let told =
        play(&folder("black"), &["--colour", "black", "--level", "0", "--movetime", "20"], "takeback\n");
    assert!(told.contains("Rukh plays 1. "), "{told}");
    assert!(told.contains("\n1 | ") && told.find("\n1 | ") < told.find("\n8 | "), "{told}");
    assert!(told.contains("There is no move of yours to take back."), "{told}");
}

#[test]
fn chess960_begins_where_it_is_told() {
    let told = play(&folder("960"), &["--chess960", "0", "--two"], "fen\n");
    assert!(told.contains("\nbbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w "), "{told}");
}

#[test]
fn wrong_arguments_are_refused_in_words() {
    let mated = "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1";
    assert_eq!(refusal(&["--fen", mated]), "rukh: a game cannot start there: White wins by checkmate\n");
    assert!(refusal(&["--level", "21"]).contains("is not a level from 0 to 20"));
    assert!(refusal(&["--tc", "soon"]).contains("is not a time control; examples: 5+3"));
    assert!(refusal(&["--two", "--engines"]).contains("cannot be used with"));
    assert!(refusal(&["--resume"]).contains("there is no unfinished game to resume"));
}
