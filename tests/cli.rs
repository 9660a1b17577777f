//! The real binary, as a user starts it.

use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

fn rukh<S: AsRef<OsStr>>(args: &[S]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rukh")).args(args).output().expect("the binary starts")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("output is text")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("output is text")
}

fn succeeds(args: &[&str]) -> String {
    let output = rukh(args);
    assert!(output.status.success(), "{args:?}: {}", stderr(&output));
    stdout(&output)
}

/// A file of its own for each test.
fn file(name: &str, content: &[u8]) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, content).expect("the folder for tests can be written");
    path
}

#[test]
fn perft_counts() {
    assert!(succeeds(&["perft", "6"]).starts_with("119060324 nodes ("));
    assert!(succeeds(&["perft", "0"]).starts_with("1 nodes ("));
    assert!(succeeds(&["perft", "5", "--threads", "2", "--hash", "16"]).starts_with("4865609 nodes ("));
}

#[test]
fn perft_divides_in_both_spellings_of_castling() {
    let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let standard = succeeds(&["perft", "1", "--divide", "--fen", fen]);
    assert!(standard.contains("e1g1: 1\n") && standard.contains("15 nodes ("), "{standard}");
    let chess960 = succeeds(&["perft", "1", "--divide", "--chess960", "--fen", fen]);
    assert!(chess960.contains("e1h1: 1\n"), "{chess960}");
}

#[test]
fn perft_tells_all_moves_apart_where_the_king_stands_beside_its_target() {
    let fen = "4k3/8/8/8/8/8/8/5K1R w K - 0 1";
    let report: Value =
        serde_json::from_str(&succeeds(&["perft", "1", "--divide", "--json", "--fen", fen])).expect("JSON");
    let moves = report["moves"].as_object().expect("the moves have names");
    assert_eq!(report["nodes"], moves.len());
    assert!(moves.contains_key("f1g1") && moves.contains_key("f1h1"), "{moves:?}");
}

#[test]
fn counts_beyond_sixty_four_bits_are_refused() {
    let kings = "k7/8/8/8/8/8/8/K7 w - - 0 1";
    assert!(succeeds(&["perft", "20", "--hash", "16", "--fen", kings]).contains(" nodes ("));
    let answer = refusal(&["perft", "27", "--hash", "16", "--fen", kings]);
    assert_eq!(answer, "rukh: the count does not fit in 64 bits");
}

#[test]
fn perft_prints_json() {
    let report: Value =
        serde_json::from_str(&succeeds(&["perft", "3", "--divide", "--json"])).expect("this is JSON");
    assert_eq!(report["nodes"], 8902);
    assert_eq!(report["moves"]["e2e4"], 600);
    assert_eq!(report["moves"].as_object().map(serde_json::Map::len), Some(20));
}

#[test]
fn a_suite_passes_or_names_what_differs() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let good = file("good.epd", format!("{start} ;D1 20 ;D2 400 ;D3 8902\n# a comment\n\n").as_bytes());
    let text = succeeds(&["perft", "--suite", good.to_str().expect("a plain path")]);
    assert!(text.starts_with("3 counts, 0 wrong, 0 malformed lines, 9322 nodes ("), "{text}");
    let text = succeeds(&["perft", "--suite", good.to_str().expect("a plain path"), "--max-depth", "1"]);
    assert!(text.starts_with("1 counts, 0 wrong"), "{text}");

    let bad = file("bad.epd", format!("{start} ;D1 20 ;D2 401\nnonsense ;D1 1\n{start} ;D1 20\n").as_bytes());
    let output = rukh(&[OsStr::new("perft"), OsStr::new("--suite"), bad.as_os_str()]);
    assert_eq!(output.status.code(), Some(1));
    let text = stdout(&output);
    assert!(text.contains(&format!("line 1, depth 2: 401 expected, 400 counted: {start}")), "{text}");
    assert!(text.contains("line 2: the board of the FEN should have 8 ranks, but has 1"), "{text}");
    assert!(text.contains("3 counts, 1 wrong, 1 malformed lines"), "{text}");
    let output = rukh(&["perft", "--json", "--suite", bad.to_str().expect("a plain path")]);
    let report: Value = serde_json::from_str(&stdout(&output)).expect("this is JSON");
    assert_eq!(report["mismatches"][0]["counted"], 400);
    assert_eq!(output.status.code(), Some(1));
}

/// The one line that a command answers to something it cannot use.
fn refusal<S: AsRef<OsStr>>(args: &[S]) -> String {
    let output = rukh(args);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    let text = stderr(&output);
    // The parser of arguments adds its usage; what we say ourselves is one line.
    assert!(!text.starts_with("rukh:") || text.lines().count() == 1, "{text}");
    text.lines().next().expect("there is an answer").to_owned()
}

#[test]
fn bad_input_gets_one_sentence() {
    assert_eq!(refusal(&["perft", "3", "--fen", ""]), "rukh: the FEN ends before the board");
    let no_king = "8/8/8/8/8/8/8/K7 w - - 0 1";
    assert_eq!(refusal(&["perft", "3", "--fen", no_king]), "rukh: Black has no king");
    assert!(
        refusal(&["perft", "--suite", "no-such-file.epd"]).starts_with("rukh: cannot read no-such-file.epd:")
    );
    let empty = file("empty.epd", b"");
    assert!(
        refusal(&["perft", "--suite", empty.to_str().expect("a plain path")])
            .contains("has no count to verify")
    );
    let noise = file("noise.epd", b"\xFF\xFE\x00");
    assert!(
        refusal(&["perft", "--suite", noise.to_str().expect("a plain path")]).contains("byte 0 is invalid")
    );
    assert!(refusal(&["perft", "three"]).contains("invalid value 'three'"));
    assert!(refusal(&["perft", "99999999999999999999"]).contains("invalid value"));
    assert!(refusal(&["perft", "3", "--threads", "0"]).contains("invalid value '0'"));
    let too_much = usize::MAX.to_string();
    assert!(
        refusal(&["perft", "3", "--hash", &too_much])
            .starts_with("rukh: there is not enough memory for a hash table of")
    );
    let suite = ["perft", "--chess960", "--suite", "no-such-file.epd"];
    assert!(refusal(&suite).contains("cannot be used with"));
    assert!(refusal(&["castle"]).contains("is neither a subcommand of rukh nor a command of a session"));
    assert!(refusal(&["pgn", "no-such-file.pgn"]).starts_with("rukh: cannot read no-such-file.pgn"));
}

#[cfg(unix)]
#[test]
fn arguments_that_are_not_utf_8_are_refused() {
    use std::os::unix::ffi::OsStrExt;
    let args = [OsStr::new("perft"), OsStr::new("3"), OsStr::new("--fen"), OsStr::from_bytes(b"\xFF\xFE")];
    assert!(refusal(&args).contains("invalid UTF-8"));
}

#[test]
fn games_are_read_and_written_back() {
    let good = "[Event \"one\"]\n\n1. e4 e5 2. Nf3 {a comment} (2. f4) 1-0\n\n";
    let input = file("games.pgn", format!("{good}[Event \"two\"]\n\n1. e5 *\n\n{good}").as_bytes());
    let out = file("out.pgn", b"");
    let args = [OsStr::new("pgn"), input.as_os_str(), OsStr::new("--out"), out.as_os_str()];
    let output = rukh(&args);
    assert_eq!(output.status.code(), Some(1));
    let text = stdout(&output);
    assert!(text.contains("game 2, line 7: \"e5\" is not a legal move here"), "{text}");
    assert!(text.contains("2 valid games with 6 plies, 1 malformed games"), "{text}");
    let written = fs::read_to_string(&out).expect("the games were written");
    assert_eq!(written.matches("2. Nf3 {a comment} (2. f4) 1-0").count(), 2, "{written}");
    assert!(succeeds(&["pgn", "--json", out.to_str().expect("a plain path")]).contains("\"games\":2"));
}

#[test]
fn games_are_not_written_over_themselves_nor_half() {
    let content = "[Event \"one\"]\n\n1. e4 e5 1-0\n";
    let input = file("same.pgn", content.as_bytes());
    let path = input.to_str().expect("a plain path");
    let answer = refusal(&["pgn", path, "--out", path]);
    assert_eq!(
        answer,
        format!("rukh: --out is {path}, the file that the games are read from; name another file")
    );
    assert_eq!(fs::read_to_string(&input).expect("it is still there"), content);

    let nowhere = input.with_file_name("no-such-folder").join("out.pgn");
    let answer = refusal(&["pgn", path, "--out", nowhere.to_str().expect("a plain path")]);
    assert!(answer.starts_with("rukh: cannot write ") && answer.contains("out.pgn: "), "{answer}");
    // Nothing is left beside what was written, and a device is written to as it is.
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("written");
    fs::create_dir_all(&folder).expect("the folder for tests can be written");
    let out = folder.join("out.pgn");
    for _ in 0..2 {
        succeeds(&["pgn", path, "--out", out.to_str().expect("a plain path")]);
        assert_eq!(fs::read_dir(&folder).expect("it is there").count(), 1);
    }
    if cfg!(unix) {
        succeeds(&["pgn", path, "--out", "/dev/null"]);
        assert!(!fs::metadata("/dev/null").expect("it is there").is_file());
    }
}

#[test]
fn a_book_is_made_and_shown() {
    let games = "[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n\n[Result \"0-1\"]\n\n1. e4 c5 0-1\n\n[Result \"*\"]\n\n1. d4 *\n";
    let (games, book) = (file("openings.pgn", games.as_bytes()), file("openings.bin", b""));
    let [games, book] = [&games, &book].map(|path| path.to_str().expect("a plain path"));
    fs::remove_file(book).expect("it is there");
    let made = rukh(&["book", "make", "--pgn", games, "--out", book, "--min-games", "1"]);
    assert!(stdout(&made).starts_with("3 moves from 2 games in "), "{}", stdout(&made));
    assert!(stderr(&made).contains("1 games are malformed or have no result"), "{}", stderr(&made));
    assert_eq!(succeeds(&["book", "show", book]), "e4            2 100.0%\n");
    let unknown = succeeds(&["book", "show", book, "--fen", "8/8/8/3k4/8/8/2K5/7R w - - 0 1"]);
    assert_eq!(unknown, "the position is not in the book\n");
    let before = fs::read(book).expect("it is there");
    assert!(
        refusal(&["book", "make", "--pgn", games, "--out", book, "--min-games", "9"])
            .contains("no book to write")
    );
    assert!(refusal(&["book", "make", "--pgn", "/nowhere.pgn", "--out", book]).contains("/nowhere.pgn"));
    assert_eq!(fs::read(book).expect("it is there"), before, "what was refused changed nothing");
    assert!(refusal(&["book", "show", games]).contains("it is not a Polyglot book"));
}

#[test]
fn games_that_are_noise_are_counted_as_faults() {
    let noise = (0..1_u32 << 20).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect::<Vec<_>>();
    let latin = b"[White \"M\xFCller\"]\n\n1. e4 *\n";
    let cases: [(&str, &[u8], i32); 4] = [
        ("noise.pgn", &noise, 1),
        ("latin.pgn", latin, 0),
        ("torn.pgn", b"[Event \"torn\"]\n\n1. e4 (1. d4 {never", 1),
        ("empty.pgn", b"", 0),
    ];
    for (name, content, code) in cases {
        let input = file(name, content);
        let output = rukh(&[OsStr::new("pgn"), OsStr::new("--json"), input.as_os_str()]);
        assert_eq!(output.status.code(), Some(code), "{name}: {}", stderr(&output));
        let report: Value = serde_json::from_str(&stdout(&output)).expect("this is JSON");
        assert_eq!(report["faults"].as_array().is_some_and(Vec::is_empty), code == 0, "{name}");
        assert!(output.stderr.is_empty(), "{name}");
    }
}

/// What the binary answers when its standard output is `out`.
fn with_stdout(args: &[&str], out: impl Into<Stdio>) -> Output {
    let child =
        Command::new(env!("CARGO_BIN_EXE_rukh")).args(args).stdout(out).stderr(Stdio::piped()).spawn();
    child.and_then(Child::wait_with_output).expect("the binary starts")
}

const TALKATIVE: [&[&str]; 4] =
    [&["magics"], &["perft", "1", "--divide"], &["perft", "1", "--json"], &["magics", "--json"]];

#[test]
fn a_reader_that_leaves_is_no_fault() {
    for args in TALKATIVE {
        let (reader, writer) = std::io::pipe().expect("the system has pipes");
        drop(reader);
        let output = with_stdout(args, writer);
        assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""), "{args:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_gets_one_sentence() {
    for args in TALKATIVE {
        let full = fs::File::options().write(true).open("/dev/full").expect("Linux has it");
        let output = with_stdout(args, full);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let text = stderr(&output);
        let is_sentence = text.starts_with("rukh: cannot write to standard output: ");
        assert!(is_sentence && text.lines().count() == 1, "{args:?}: {text}");
    }
}

#[test]
fn magics_are_repeatable() {
    let text = succeeds(&["magics"]);
    assert_eq!(text, include_str!("../crates/chess/src/attacks/factors.rs"));
    assert_eq!(succeeds(&["magics", "--seed", "7"]), succeeds(&["magics", "--seed", "7"]));
    assert_ne!(succeeds(&["magics", "--seed", "7"]), text);
}

#[test]
fn the_version_is_that_of_the_package() {
    let expected = concat!("rukh ", env!("CARGO_PKG_VERSION"), "\n");
    assert_eq!([succeeds(&["--version"]), succeeds(&["-V"])], [expected; 2]);
}

/// The help of a command, on a screen so wide that no line is broken.
fn help(path: &[String]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rukh"));
    let output = command.args(path).arg("--help").env("COLUMNS", "1000").output().expect("the binary starts");
    assert!(output.status.success(), "{path:?}: {}", stderr(&output));
    stdout(&output)
}

/// The commands that a help lists, without `help` itself.
fn listed(help: &str) -> Vec<String> {
    let list = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let entries = list.take_while(|line| !line.is_empty()).filter(|line| !line.starts_with("   "));
    let names = entries.filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

/// All commands, each as its words: `perft`, or `data` and `stats`.
fn commands() -> Vec<Vec<String>> {
    let mut found: Vec<Vec<String>> = Vec::new();
    let mut open = vec![Vec::new()];
    while let Some(path) = open.pop() {
        let below = listed(&help(&path)).into_iter().map(|name| [path.clone(), vec![name]].concat());
        open.extend(below);
        found.push(path);
    }
    found
}

/// That the examples parse is tested where the parser is, in src/main.rs.
#[test]
fn every_help_has_examples() {
    let commands = commands();
    for known in [&["perft"][..], &["data", "to-epd"], &["book", "make"], &["man"], &["completions"]] {
        assert!(commands.iter().any(|path| path == known), "{known:?} is not among {commands:?}");
    }
    for path in commands {
        let help = help(&path);
        let (_, examples) = help.split_once("\nExamples:\n").unwrap_or_else(|| panic!("{path:?}: {help}"));
        let own = ["rukh".to_owned()].into_iter().chain(path.clone()).collect::<Vec<_>>().join(" ");
        assert!(examples.lines().any(|line| line.trim_start().starts_with(&own)), "{path:?}: {examples}");
        assert!(examples.lines().all(|line| line.starts_with("  rukh")), "{path:?}: {examples}");
    }
}

#[test]
fn shells_complete_every_command() {
    let names = listed(&help(&[]));
    assert!(names.len() > 10, "{names:?}");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = succeeds(&["completions", shell]);
        for name in &names {
            assert!(script.contains(name.as_str()), "{shell} does not know {name}");
        }
        assert!(script.contains("min-games"), "{shell} does not know the options of rukh book make");
    }
    assert!(refusal(&["completions", "tcsh"]).contains("invalid value 'tcsh'"));
}

#[cfg(target_os = "linux")]
#[test]
fn bash_can_read_its_completions() {
    let script = file("completions.bash", succeeds(&["completions", "bash"]).as_bytes());
    let question = format!(
        "source {} && COMP_WORDS=(rukh per) COMP_CWORD=1 && _rukh rukh per rukh && echo \"${{COMPREPLY[@]}}\"",
        script.display()
    );
    let output = Command::new("bash").args(["--norc", "-c", &question]).output().expect("bash starts");
    assert_eq!(stdout(&output).trim(), "perft", "{}", stderr(&output));
}

#[test]
fn there_is_a_manual_page_for_every_command() {
    let page = succeeds(&["man"]);
    assert!(page.contains("\n.TH rukh 1 ") && page.contains(".SH EXAMPLES\n.nf\n  rukh "), "{page}");
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("manual").join("man1");
    // What an older test left there would hide what is missing.
    let _ = fs::remove_dir_all(&folder);
    let told = succeeds(&["man", "--out", folder.to_str().expect("a plain path")]);
    let commands = commands();
    assert_eq!(told, format!("{} pages in {}\n", commands.len(), folder.display()));
    for path in commands {
        let name = ["rukh".to_owned()].into_iter().chain(path).collect::<Vec<_>>();
        let page = fs::read_to_string(folder.join(name.join("-") + ".1")).expect("the page is there");
        let (title, synopsis) = (name.join("-"), name.join(" ").replace('-', "\\-"));
        assert!(page.contains(&format!(".TH {title} 1 ")), "{page}");
        assert!(page.contains(&format!(".SH SYNOPSIS\n\\fB{synopsis}\\fR ")), "{page}");
        assert!(page.contains(".SH EXAMPLES\n.nf\n  rukh "), "{page}");
    }
    let in_the_way = file("in-the-way", b"");
    let answer = refusal(&["man", "--out", in_the_way.to_str().expect("a plain path")]);
    assert!(answer.starts_with("rukh: cannot create "), "{answer}");
}
