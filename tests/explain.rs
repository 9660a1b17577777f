//! `rukh explain`, through the real binary.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use crate::common::{path, refused, rukh, succeeds};
use serde_json::Value;

/// The scholar's mate, one move before it.
const SCHOLAR: &str = "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3";

#[test]
fn a_move_and_its_alternative_are_explained() {
    let text = succeeds(&["explain", "--fen", SCHOLAR, "--move", "Nf6", "--nodes", "5000"]);
    assert!(text.starts_with("3... Nf6??, expected score 0%; "), "{text}");
    assert!(text.contains("\n  Nf6 allows mate in 1: 3... Nf6 4. Qxf7#.\n"), "{text}");
    let text =
        succeeds(&["explain", "--fen", SCHOLAR, "--move", "g6", "--against", "g8f6", "--nodes", "5000"]);
    assert!(text.contains("Nf6 allows mate in 1"), "{text}");
}

#[test]
fn json_can_be_verified() {
    let json = succeeds(&["explain", "--fen", SCHOLAR, "--move", "Nf6", "--nodes", "5000", "--json"]);
    let value: Value = serde_json::from_str(&json).expect("it is JSON");
    assert_eq!(
        (&value["move"], &value["uci"], &value["judgement"]),
        (&"Nf6".into(), &"g8f6".into(), &"blunder".into())
    );
    assert_eq!(value["claims"][0]["kind"], "allows_mate");
    assert!(value["sentences"].as_array().is_some_and(|list| !list.is_empty() && list.len() <= 3));
    let (file, name) = path("explain-verify.json");
    fs::write(&file, &json).expect("the folder for tests can be written");
    let text = succeeds(&["explain", "--verify", &name]);
    assert!(text.contains("confirmed  allows mate") && text.contains("\nall "), "{text}");
    // The same by another engine, which is this program.
    let text = succeeds(&["explain", "--verify", &name, "--engine", "cmd=self"]);
    assert!(
        text.contains("confirmed  allows mate") && text.contains("1 explanations, 1 of quiet moves"),
        "{text}"
    );
    let sentence = refused(&["explain", "--verify", &name, "--engine", "/no/such/engine"]);
    assert!(sentence.contains("/no/such/engine") && sentence.contains("cannot be started"), "{sentence}");
    // A false claim: mate in one in the start position.
    let false_claim = json.replace(SCHOLAR, "r1bqkbnr/pppppppp/2n5/8/2B1P3/8/PPPP1PPP/RNBQK1NR b KQkq - 3 3");
    fs::write(&file, false_claim).expect("the folder for tests can be written");
    let output = rukh(&["explain", "--verify", &name]);
    assert!(!output.status.success(), "a line that is not legal or a false claim is not confirmed");
}

#[test]
fn moves_of_a_game_are_named_by_their_number() {
    let (file, name) = path("explain-game.pgn");
    fs::write(&file, "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n")
        .expect("the folder for tests can be written");
    let with =
        |arguments: &[&str]| succeeds(&[&["explain", "--pgn", &name, "--nodes", "5000"], arguments].concat());
    assert!(with(&["--move", "3..."]).contains("Nf6 allows mate in 1"));
    assert!(with(&["--move", "4"]).contains("Qxf7# is mate."));
    assert!(with(&["--move", "3...", "--move", "g6"]).starts_with("3... g6, "));
    assert_eq!(with(&["--every", "3", "--json"]).lines().count(), 2);
    let sentence = refused(&["explain", "--pgn", &name, "--move", "4..."]);
    assert_eq!(sentence, "rukh: the game has no move 4...; it has 7 half-moves\n");
    assert!(refused(&["explain", "--pgn", &name]).contains("name the number of one move"));
    assert!(
        refused(&["explain", "--pgn", &name, "--game", "2", "--move", "1"])
            .contains("there is no game 2 in ")
    );
}

#[test]
fn bad_input_gets_one_sentence() {
    assert!(refused(&["explain", "--fen", SCHOLAR, "--move", "Qh1"]).contains("Qh1"));
    assert!(refused(&["explain", "--fen", SCHOLAR, "--against", "e4"]).contains("e4"));
    refused(&["explain", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1"]);
    assert!(refused(&["explain", "--nodes", "0"]).contains("--nodes takes a number from 1"));
    assert!(refused(&["explain", "--every", "0"]).contains("--every takes a number from 1"));
    assert!(refused(&["explain", "--every", "5"]).contains("--every needs the games of --pgn"));
    assert!(refused(&["explain", "--level", "king"]).contains("levels are beginner, club and expert"));
    // A promotion without its piece, castling without the right, an en-passant capture that is not there.
    let promotion = "8/1P6/8/8/8/8/k7/6K1 w - - 0 1";
    for (fen, mv) in [(promotion, "b7b8"), (SCHOLAR, "O-O"), (SCHOLAR, "bxc3"), (SCHOLAR, "")] {
        refused(&["explain", "--fen", fen, "--move", mv]);
    }
    // A game that ends at once.
    let (file, name) = path("explain-empty.pgn");
    fs::write(&file, "[Result \"1-0\"]\n\n1-0\n").expect("the folder for tests can be written");
    let sentence = refused(&["explain", "--pgn", &name, "--move", "1"]);
    assert_eq!(sentence, "rukh: the game has no move 1.; it has 0 half-moves\n");
    let mated = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    assert_eq!(refused(&["explain", "--fen", mated]), "rukh: there is no legal move in this position\n");
    let (file, name) = path("explain-bad.json");
    fs::write(&file, "{\"claims\": [{\"kind\": \"fork\"}]}").expect("the folder for tests can be written");
    refused(&["explain", "--verify", &name]);
    fs::write(&file, "[]").expect("the folder for tests can be written");
    assert!(refused(&["explain", "--verify", &name]).contains("there is no claim in"));
    let (file, name) = path("explain-bad.tsv");
    fs::write(&file, "a\tb\n").expect("the folder for tests can be written");
    assert!(refused(&["explain", "--themes", &name]).contains("line 1"));
}

/// Two puzzles of our own: a fork that has its tag, and a back-rank mate without one.
const PUZZLES: &str = "id\tfen\tmoves\trating\tthemes\n\
    one\tr6k/8/8/3N4/8/8/8/4K3 b - - 0 1\th8g8 d5c7 g8f8 c7a8\t1000\thangingPiece\n\
    two\t5k2/5ppp/8/8/8/8/8/R5K1 b - - 0 1\tf8g8 a1a8\t900\tmate mateIn1 backRankMate\n";

#[test]
fn themes_have_precision_and_recall() {
    let (file, name) = path("explain-themes.tsv");
    fs::write(&file, PUZZLES).expect("the folder for tests can be written");
    let json: Value =
        serde_json::from_str(&succeeds(&["explain", "--themes", &name, "--json"])).expect("it is JSON");
    let row = |theme: &str| {
        let rows = json["own_line"].as_array().expect("there are rows");
        rows.iter().find(|row| row["theme"] == theme).expect("the theme stands for a claim").clone()
    };
    assert_eq!((&row("mate")["precision"], &row("mate")["recall"]), (&1.0.into(), &1.0.into()));
    assert_eq!((&row("backRankMate")["rows"], &row("backRankMate")["both"]), (&1.into(), &1.into()));
    assert_eq!((&row("hangingPiece")["rows"], &row("hangingPiece")["claims"]), (&1.into(), &0.into()));
    let differences = succeeds(&["explain", "--themes", &name, "--differences", "hangingPiece"]);
    assert!(differences.starts_with("one\ttheme only: hanging piece\t"), "{differences}");
    assert_eq!(differences.lines().count(), 1, "{differences}");
    let second = succeeds(&["explain", "--themes", &name, "--every", "2"]);
    assert!(second.starts_with("1 puzzles, on their own lines\n"), "{second}");
    assert!(refused(&["explain", "--themes", &name, "--every", "3"]).contains("has fewer than 3 puzzles"));
    let own = succeeds(&["explain", "--themes", &name, "--nodes", "1000", "--own-lines"]);
    assert!(own.contains("on their own lines") && !own.contains("engine's"), "{own}");
    let with_nodes = succeeds(&["explain", "--themes", &name, "--nodes", "1000"]);
    assert!(with_nodes.contains("on the engine's main line with 1000 nodes"), "{with_nodes}");
    assert!(with_nodes.contains("on the engine's whole lines with 1000 nodes"), "{with_nodes}");
    assert!(
        refused(&["explain", "--themes", &name, "--differences", "short"]).contains("stands for no claim")
    );
}

#[test]
fn a_session_explains() {
    let text = succeeds(&[&format!("position fen {SCHOLAR}"), "explain Nf6 nodes 5000", "quit"]);
    assert!(text.contains("Nf6 allows mate in 1"), "{text}");
    let text = succeeds(&["explain Nf6", "quit"]);
    assert!(text.starts_with("info string "), "{text}");
}

#[test]
fn a_game_at_the_terminal_explains_the_last_move() {
    let (_, name) = path("explain-play.pgn");
    let mut child = Command::new(env!("CARGO_BIN_EXE_rukh"))
        .args(["play", "--two", "--ascii", "--pgn", &name])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let input = "explain\nf3\ne5\ng4\nexplain\nexplain Qh4\nquit\n";
    child.stdin.take().expect("it is piped").write_all(input.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8(output.stdout).expect("output is text");
    assert!(text.contains("There is no move to explain yet"), "{text}");
    assert!(text.contains("g4 allows mate in 1: 2. g4 Qh4#."), "{text}");
    assert!(text.contains("Qh4# is mate."), "{text}");
}

#[test]
fn a_review_has_reasons() {
    let (file, name) = path("explain-review.pgn");
    fs::write(
        &file,
        "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4 4. Nxe5 Qg5 5. Nxf7 Qxg2 6. Rf1 Qxe4+ 7. Be2 Nf3# 0-1\n",
    )
    .expect("the folder for tests can be written");
    let text = succeeds(&["analyse", "--pgn", &name, "--nodes", "30000"]);
    assert!(text.contains(" wins ") || text.contains("forks") || text.contains("en prise"), "{text}");
    let (html, html_name) = path("explain-review.html");
    let (pgn, pgn_name) = path("explain-review-out.pgn");
    succeeds(&["analyse", "--pgn", &name, "--nodes", "30000", "--html", &html_name, "--out", &pgn_name]);
    let page = fs::read_to_string(html).expect("it was written");
    assert!(page.contains("<p class=\"note reason ") && page.contains("data-claim=\""), "{page}");
    let annotated = fs::read_to_string(pgn).expect("it was written");
    assert!(annotated.contains("wins") || annotated.contains("forks"), "{annotated}");
}
