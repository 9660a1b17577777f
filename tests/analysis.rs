//! The review of games, through the real binary.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use rukh_chess::notation::pgn::{Games, PgnGame};
use serde_json::Value;

fn rukh(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rukh")).args(args).output().expect("the binary starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("output is text")
}

/// A folder of its own for each test, and a file in it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("the folder for tests can be written");
        Self(path)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("a plain path").to_owned()
    }

    fn file(&self, name: &str, content: &str) -> String {
        let path = self.path(name);
        fs::write(&path, content).expect("the folder for tests can be written");
        path
    }

    /// The names of the files in it.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).expect("it is there");
        let mut names: Vec<_> = entries
            .map(|entry| entry.expect("it can be read").file_name().into_string().expect("a plain name"))
            .collect();
        names.sort();
        names
    }
}

fn read(path: impl AsRef<Path>) -> String {
    fs::read_to_string(path).expect("it was written")
}

/// A mate on the board, a game in which White has written something and gives the queen away, one that cannot be read, one
/// without moves, one of Chess960, one that ends in stalemate.
const GAMES: &str = r#"[White "Fool"]
[Black "Quick & <Clever>"]
[Result "0-1"]
[Odd "kept"]

1. f3 e5 2. g4 Qh4# 0-1

[White "Giver"]

1. e4 {[%clk 0:05:00] my move} e5 2. Qh5 (2. Nf3 $1 Nc6) Nc6 3. Qxf7+ $5 Kxf7 *

[White "Unreadable"]

1. e4 e5 2. Ke3 *

[White "Nobody"]

*

[White "Random"]
[Variant "Chess960"]
[FEN "bqnbrnkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBRNKR w HEhe - 0 1"]

1. g4 g5 2. Ng3 Ng6 3. O-O O-O *

[White "Careless"]
[FEN "7k/8/4K1Q1/8/8/8/8/8 w - - 0 1"]

1. Kf6 1/2-1/2

"#;

const NODES: &str = "2500";

fn games_of(text: &str) -> Vec<PgnGame> {
    Games::new(text).filter_map(Result::ok).collect()
}

#[test]
fn games_are_annotated_and_nothing_is_lost() {
    let folder = Folder::new("annotated");
    let (input, out) = (folder.file("games.pgn", GAMES), folder.path("out.pgn"));
    let output = rukh(&["analyse", "--pgn", &input, "--out", &out, "--nodes", NODES]);
    assert_eq!(output.status.code(), Some(1), "one game has a fault");
    let told = text(&output.stderr);
    assert!(told.contains("game 3, line 14: \"Ke3\" is not a legal move here"), "{told}");
    assert_eq!(text(&output.stdout).lines().count(), 5);
    assert_eq!(folder.names(), ["games.pgn", "out.pgn"], "nothing is left beside the output");

    let written = read(&out);
    let (before, after) = (games_of(GAMES), games_of(&written));
    assert_eq!(Games::new(&written).count(), 5);
    for (before, after) in before.iter().zip(&after) {
        assert_eq!(before.game().positions(), after.game().positions());
        assert_eq!(before.outcome, after.outcome);
        assert!(before.tags.iter().all(|tag| after.tags.contains(tag)), "{after}");
        assert_eq!(after.tag("Annotator"), Some(concat!("Rukh ", env!("CARGO_PKG_VERSION"))));
        let last = after.game().position().clone();
        let judged = after.main_line.moves.len() - usize::from(last.is_checkmate());
        assert!(
            after.main_line.moves[..judged].iter().all(|played| played.command("eval").is_some()),
            "{after}"
        );
        assert_eq!(after.tag("WhiteAccuracy").is_some(), judged > 0);
    }
    let [fool, giver, ..] = &after[..] else { panic!("{written}") };
    assert!(fool.main_line.moves[2].nags.contains(&4), "{fool}");
    assert_eq!(fool.main_line.moves[2].command("eval"), Some("#-1"));
    assert_eq!(fool.main_line.moves[3].command("eval"), None);
    let accuracy = |tag| fool.tag(tag).and_then(|told| told.parse::<f64>().ok()).expect("an accuracy");
    assert!(accuracy("BlackAccuracy") > 90.0 && accuracy("WhiteAccuracy") < 70.0, "{fool}");
    let moves = &giver.main_line.moves;
    assert_eq!(moves[0].comments[1], "[%clk 0:05:00] my move");
    assert!(moves[2].variations.contains(&before[1].main_line.moves[2].variations[0]), "{giver}");
    assert_eq!(moves[4].nags, [5, 4]);
    // The better move, then a reason with its line.
    let (better, reason) = moves[4].comments[0].split_once(" was better. ").expect("a reason follows");
    assert!(better.contains("] Blunder: ") && reason.contains(": 3. "), "{giver}");
    assert!((3..=10).contains(&moves[4].variations[0].moves.len()), "{giver}");
    let careless = &after[4].main_line.moves[0];
    assert_eq!((careless.command("eval"), careless.nags.as_slice()), (Some("0.00"), [4].as_slice()));
    assert!(careless.comments[0].contains(" forces mate in "), "{careless:?}");
}

#[test]
fn the_page_holds_every_game_and_only_text_of_others() {
    let folder = Folder::new("page");
    let (input, html) = (folder.file("games.pgn", GAMES), folder.path("review.html"));
    rukh(&["analyse", "--pgn", &input, "--html", &html, "--nodes", NODES]);
    let page = read(&html);
    assert_eq!(page.matches("<section ").count(), 5);
    assert_eq!(page.matches("<svg class=\"board\"").count(), 5);
    assert_eq!(page.matches("<svg class=\"graph\"").count(), 4, "a game without moves has no graph");
    assert_eq!(page.matches("<a class=\"move main").count(), 4 + 6 + 6 + 1);
    assert!(page.contains("Quick &amp; &lt;Clever&gt;") && !page.contains("<Clever>"), "{page}");
    assert!(page.contains("g4??") && page.contains("my move") && !page.contains("%clk"));
}

#[test]
fn a_review_is_printed_for_people_and_for_programs() {
    let folder = Folder::new("printed");
    let input = folder.file("games.pgn", GAMES);
    let told = text(&rukh(&["analyse", "--pgn", &input, "--nodes", NODES]).stdout);
    assert!(told.starts_with("Game 1: Fool - Quick & <Clever>, 0-1\n"), "{told}");
    assert!(told.contains("\n  2. g4??") && told.contains("it allows mate in 1; "), "{told}");
    assert!(told.contains("\nGame 4: Nobody - Black, *\n"), "{told}");

    let told = text(&rukh(&["analyse", "--pgn", &input, "--nodes", NODES, "--json"]).stdout);
    let games: Vec<Value> = told.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(games.len(), 6);
    assert_eq!(
        (&games[0]["game"], &games[0]["line"]),
        (&Value::from(3), &Value::from(14)),
        "the fault comes first"
    );
    let fool = &games[1];
    let moves = fool["moves"].as_array().expect("moves");
    let blunders = moves.iter().step_by(2).filter(|mv| mv["judgement"] == "blunder").count();
    assert_eq!(fool["white"]["blunders"], blunders, "{fool}");
    assert!(fool["black"]["accuracy"].as_f64().expect("a number") > 90.0, "{fool}");
    assert_eq!(
        (&fool["moves"][2]["move"], &fool["moves"][2]["judgement"]),
        (&"g4".into(), &"blunder".into())
    );
    assert_eq!(fool["moves"][3]["loss"], 0.0, "mate is the best there is");
    assert_eq!(games[3]["white"]["accuracy"], Value::Null, "nobody moved");
}

#[test]
fn what_cannot_be_used_is_refused_and_changes_nothing() {
    let folder = Folder::new("refused");
    let (input, old) = (folder.file("games.pgn", GAMES), folder.file("old.pgn", "old"));
    let empty = folder.file("empty.pgn", "");
    let bad = folder.file("bad.pgn", "1. e5 *");
    let foreign = folder.file("taken.pgn.part", "somebody's letters\n");
    let part = folder.file("in.pgn.part", GAMES);
    let [taken, nowhere, own] =
        ["taken.pgn", "no-such-folder/out.pgn", "in.pgn"].map(|name| folder.path(name));
    let names = folder.names();
    let cases: [(&[&str], &str); 10] = [
        (&["--pgn", &input, "--out", &input], "the file that the games are read from"),
        (&["--pgn", &input, "--html", &input], "the file that the games are read from"),
        (&["--pgn", &part, "--out", &own], "the file that the games are read from"),
        (&["--pgn", &input, "--out", &old, "--html", &old], "two outputs have the same file"),
        (&["--pgn", &empty, "--out", &old], "there is no game to review in"),
        (&["--pgn", &bad, "--out", &old], "there is no game to review in"),
        (&["--pgn", &input, "--out", &taken], "is not a file of finished reviews"),
        (&["--pgn", &input, "--out", &nowhere], "cannot write"),
        (&["--pgn", "/nowhere.pgn", "--out", &old], "cannot read /nowhere.pgn"),
        (&["--pgn", &input, "--fen", "startpos"], "cannot be used with"),
    ];
    for (args, sentence) in cases {
        let output = rukh(&[&["analyse", "--depth", "1"], args].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(text(&output.stderr).contains(sentence), "{args:?}: {}", text(&output.stderr));
        assert!(output.stdout.is_empty());
    }
    assert!(text(&rukh(&["analyse", "--out", &old]).stderr).contains("--pgn"));
    assert_eq!(folder.names(), names);
    assert_eq!((read(&input), read(&part)), (GAMES.to_owned(), GAMES.to_owned()));
    assert_eq!((read(&old), read(&foreign)), ("old".to_owned(), "somebody's letters\n".to_owned()));
}

#[test]
fn the_smallest_limits_are_enough() {
    let folder = Folder::new("small");
    let input = folder.file("games.pgn", GAMES);
    for limit in [["--nodes", "1"], ["--depth", "1"], ["--movetime", "1"]] {
        let output = rukh(&[&["analyse", "--pgn", &input, "--json"], &limit[..]].concat());
        assert_eq!(output.status.code(), Some(1), "{limit:?}: {}", text(&output.stderr));
        assert_eq!(text(&output.stdout).lines().count(), 6);
    }
}

/// A first game that is short, and others that take longer than it takes to be interrupted.
#[cfg(unix)]
fn long_games() -> String {
    let rest = "Nf3 Nf6 Nc3 Nc6 Rb1 Rb8 Rg1 Rg8 Ra1 Ra8 Rh1 Rh8 a3 a6 b3 b6 d3 d6 e3 e6 g3 g6 h3 h6 *";
    let games = ["e4 e5 *".to_owned(), rest.to_owned(), format!("c4 c5 {rest}"), format!("f4 f5 {rest}")];
    games.map(|moves| format!("[White \"A\"]\n\n{moves}\n\n")).concat()
}

#[cfg(unix)]
#[test]
fn a_review_that_was_interrupted_ends_as_if_it_had_not_been() {
    use std::io::Write;
    use std::process::Stdio;
    use std::time::Duration;

    let folder = Folder::new("interrupted");
    let input = folder.file("games.pgn", &long_games());
    let [whole, page] = ["whole.pgn", "whole.html"].map(|name| folder.path(name));
    let [out, html, part] = ["out.pgn", "out.html", "out.pgn.part"].map(|name| folder.path(name));
    let command = |out: &str, html: &str, nodes: &str| {
        ["analyse", "--pgn", &input, "--out", out, "--html", html, "--nodes", nodes].map(str::to_owned)
    };
    let run = |args: &[String]| rukh(&args.iter().map(String::as_str).collect::<Vec<_>>());
    const MANY: &str = "5000";
    assert!(run(&command(&whole, &page, MANY)).status.success());

    fs::write(&out, "older").expect("it can be written");
    let child = Command::new(env!("CARGO_BIN_EXE_rukh"))
        .args(command(&out, &html, MANY))
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    while !fs::read_to_string(&part).is_ok_and(|text| text.contains('\n')) {
        std::thread::sleep(Duration::from_millis(5));
    }
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(killed.is_ok_and(|status| status.success()));
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(1));
    let told = text(&output.stderr);
    assert!(told.contains(" of 4 games; the same command resumes from here"), "{told}");
    assert_eq!(folder.names(), ["games.pgn", "out.pgn", "out.pgn.part", "whole.html", "whole.pgn"]);
    assert_eq!(read(&out), "older");

    // What is kept is believed: other scores there are other scores in the output.
    let kept = read(&part);
    let seven_pawns = 7 * rukh_eval::score::PAWN;
    let forged = kept.replace("\"score\":", &format!("\"score\":{seven_pawns},\"old\":"));
    fs::write(&part, forged).expect("it can be written");
    assert!(run(&command(&out, &html, MANY)).status.success());
    assert!(read(&out).contains("1. e4 {[%eval -7.00]}"), "{}", read(&out));

    // The same command goes on, even after a line that was torn, and other settings have no use for what is kept.
    for (nodes, is_same) in [(MANY, true), ("500", false)] {
        fs::write(&part, &kept).expect("it can be written");
        let mut file = fs::File::options().append(true).open(&part).expect("it is there");
        file.write_all(b"{\"game\":\"rnbq").expect("it can be written");
        assert!(run(&command(&out, &html, nodes)).status.success());
        assert_eq!(read(&out) == read(&whole), is_same);
        assert_eq!(read(&html) == read(&page), is_same);
        assert!(!fs::exists(&part).expect("one can ask"));
    }
}

/// A killed run leaves what it has finished, which may be torn anywhere, and its temporary files until the next run.
#[cfg(unix)]
#[test]
fn a_killed_review_leaves_nothing_in_the_end() {
    use std::process::Stdio;
    use std::time::Duration;

    let folder = Folder::new("killed");
    let input = folder.file("games.pgn", &long_games());
    let [out, part] = ["out.pgn", "out.pgn.part"].map(|name| folder.path(name));
    let foreign = ["out.pgn.7.part", "out.pgn.x.rukh-part", "out.pgn.rukh-part"];
    foreign.iter().for_each(|name| drop(folder.file(name, "somebody's")));
    let args = |nodes| ["analyse", "--pgn", &input, "--out", &out, "--nodes", nodes];
    let mut child = Command::new(env!("CARGO_BIN_EXE_rukh"))
        .args(args("10000"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary starts");
    while !fs::read_to_string(&part).is_ok_and(|text| text.contains('\n')) {
        std::thread::sleep(Duration::from_millis(5));
    }
    // Another run with the same output does not take away what is in use.
    let temporary = format!("out.pgn.{}.rukh-part", child.id());
    let stays = rukh(&["analyse", "--pgn", &folder.path("none.pgn"), "--out", &out]);
    assert!(!stays.status.success() && folder.names().contains(&temporary), "{:?}", folder.names());
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    assert!(folder.names().contains(&temporary), "{:?}", folder.names());
    assert!(rukh(&args("100")).status.success());
    let mut names = [&["games.pgn", "out.pgn"], &foreign[..]].concat();
    names.sort_unstable();
    assert_eq!(folder.names(), names);

    // Torn within its first bytes, twice.
    let whole = read(&out);
    for torn in ["", "{", "{\"ga", "{\"game\":", "{\"game\":\"rn"] {
        fs::write(&part, torn).expect("it can be written");
        let output = rukh(&args("100"));
        assert!(output.status.success(), "{torn}: {}", text(&output.stderr));
        assert_eq!(read(&out), whole, "{torn}");
        assert!(!fs::exists(&part).expect("one can ask"));
    }
}
