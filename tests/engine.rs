//! The commands that search, through the real binary.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use rukh_eval::nnue::simd::Instructions;
use serde_json::Value;

fn rukh(args: &[&str], input: &str) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_rukh"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    child.stdin.take().expect("it has an input").write_all(input.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{args:?}");
    String::from_utf8(output.stdout).expect("output is text")
}

#[test]
fn a_session_says_nothing_until_asked_and_ends_with_its_input() {
    assert_eq!(rukh(&[], ""), "");
    let text = rukh(&[], "uci\nisready\nposition startpos moves e2e4 e7e5\ngo depth 6\n");
    assert!(text.starts_with("id name Rukh "), "{text}");
    assert!(text.contains("\nuciok\nreadyok\n"), "{text}");
    let last = text.lines().last().expect("there is an answer");
    assert!(last.starts_with("bestmove "), "{text}");
    let line = text.lines().rev().find(|line| line.contains(" pv ")).expect("there is a line with a score");
    assert!(line.contains("score cp"), "{line}");
    assert_eq!(line.split(" pv ").nth(1).and_then(|pv| pv.split(' ').next()), last.split(' ').nth(1));
}

#[test]
fn lines_of_a_session_may_be_arguments() {
    let text = rukh(&["position fen 6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "go depth 4", "quit"], "");
    assert!(text.contains("score mate 1") && text.ends_with("bestmove a1a8\n"), "{text}");
}

#[test]
fn the_bench_counts_the_same_nodes_here_and_in_a_session() {
    let first = rukh(&["bench", "5"], "");
    let nodes = first.split(' ').next().expect("the nodes come first");
    let words = first.split_whitespace().collect::<Vec<_>>();
    assert!(matches!(words[..], [_, "nodes", _, "nps"]), "{first}");
    let in_session = rukh(&["bench 5", "quit"], "");
    let last = in_session.lines().last().expect("it prints");
    assert_eq!(last.split(' ').next(), Some(nodes));
}

#[test]
fn eval_prints_a_table_that_ends_in_the_score() {
    let text = rukh(&[], "setoption name Evaluation value classical\neval\nquit\n");
    assert!(text.contains("Material") && text.contains("Tempo") && text.contains("Score"), "{text}");
    let text = rukh(&[], "eval\nquit\n");
    assert!(text.contains("|   q   |") && text.contains("output bucket 8 of 8, for 32 pieces"), "{text}");
    assert!(text.lines().any(|line| line.starts_with("Score") && line.contains("% won")), "{text}");
}

/// Whatever the CPU has, the network says the same: scalar sums, AVX2, AVX-512, NEON.
#[test]
fn the_bench_does_not_depend_on_instructions() {
    let nodes = |arguments: &[&str]| {
        let text = rukh(&[&["bench", "6"], arguments].concat(), "");
        text.split(' ').next().expect("the nodes come first").to_owned()
    };
    let by_default = nodes(&[]);
    for family in Instructions::here() {
        assert_eq!(nodes(&["--instructions", &family.to_string()]), by_default, "{family}");
    }
    assert_ne!(nodes(&["--classical"]), by_default);
}

/// The signature of the tree search: the same on one thread with all instructions.
#[test]
fn the_bench_of_the_tree_search_is_a_signature() {
    let nodes = |arguments: &[&str]| {
        let text =
            rukh(&[&["bench", "4", "--search", "mcts", "--switch", "leaf-search"], arguments].concat(), "");
        text.split(' ').next().expect("the nodes come first").to_owned()
    };
    let by_default = nodes(&[]);
    for family in Instructions::here() {
        assert_eq!(nodes(&["--instructions", &family.to_string()]), by_default, "{family}");
    }
    assert_ne!(nodes(&["--classical"]), by_default);
}

#[test]
fn analysis_is_readable_by_people_and_by_programs() {
    let text = rukh(&["analyse", "--depth", "6"], "");
    assert!(text.lines().last().is_some_and(|line| line.starts_with("best move: ")), "{text}");
    let json = rukh(&["analyse", "--depth", "6", "--multipv", "2", "--json"], "");
    let lines: Vec<Value> =
        json.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect();
    assert!(lines.iter().any(|line| line["multipv"] == 2 && line["depth"] == 6), "{json}");
    let mated = rukh(&["analyse", "--fen", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"], "");
    assert_eq!(mated, "White wins by checkmate\n");
}

#[test]
fn a_suite_is_solved_and_failures_are_named() {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("suite.epd");
    let rook = "6k1/5ppp/8/8/8/8/8/R3K3 w Q -";
    let text =
        format!("{rook} bm Ra8; id \"good.1\";\n{rook} bm Ra7; id \"bad.1\";\n{rook} dm 1; id \"good.2\";\n");
    fs::write(&path, text).expect("the folder for tests can be written");
    let output = rukh(&["suite", path.to_str().expect("a plain path"), "--depth", "4"], "");
    assert!(output.contains("bad.1: Ra8#, not Ra7 (0 points)"), "{output}");
    assert!(output.contains("mates: 1 of 1 found, of any length"), "{output}");
    assert!(output.contains("0 of them incomplete, 0 contradicted by the answer"), "{output}");
    assert!(
        output
            .lines()
            .last()
            .is_some_and(|line| line.split_whitespace().collect::<Vec<_>>()[..3] == ["all", "3", "2"])
    );
}
