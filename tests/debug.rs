//! `rukh debug tree`: the recorded tree as JSON and as text, and what is refused.

use std::process::{Command, Output};

use serde_json::Value;

const POSITION: &str = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 4 8";

fn tree(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rukh"));
    command.args(["debug", "tree", "--fen", POSITION]).args(args).output().expect("the binary starts")
}

fn text(args: &[&str]) -> String {
    let output = tree(args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("the output is UTF-8")
}

fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value[key].as_array().unwrap_or_else(|| panic!("{key} is a list"))
}

fn number(value: &Value) -> u64 {
    value.as_u64().expect("this is a number")
}

/// Checks the sums of a node and all below it.
fn check(node: &Value) {
    let children = list(node, "children");
    let below: u64 = children.iter().map(|child| number(&child["nodes"])).sum();
    assert_eq!(number(&node["nodes"]), 1 + below + number(&node["collapsed"]["nodes"]));
    assert!(node["reason"].is_string() && node["purpose"].is_string());
    children.iter().for_each(check);
}

#[test]
fn the_json_tree_has_sums_and_reasons() {
    let text = text(&["--depth", "8", "--json", "--max-nodes", "300"]);
    let report: Value = serde_json::from_str(&text).expect("this is JSON");
    let roots = list(&report, "roots");
    roots.iter().for_each(check);
    assert_eq!(roots.iter().map(|root| number(&root["nodes"])).sum::<u64>(), number(&report["nodes"]));
    let decided = report["totals"]["decided"].as_object().expect("this is a map");
    assert_eq!(decided.values().map(number).sum::<u64>(), number(&report["nodes"]));
    assert!(decided.contains_key("beta-cutoff") && decided.contains_key("null-move"), "{decided:?}");
    let last = roots.last().expect("there are roots");
    assert!(list(last, "children").iter().any(|child| child["move"] == "e1g1"));
    assert_eq!(report["fen"], POSITION);
}

#[test]
fn a_path_shows_each_visit_of_its_last_move() {
    let text = text(&["--depth", "8", "--moves", "8. dxc5 Bxc5 h4", "--max-nodes", "20"]);
    assert!(text.contains("h4 in "), "{text}");
    assert!(
        text.contains("searched as") || text.contains("skipped by") || text.contains("not tried"),
        "{text}"
    );
    // Only the moves of the path are recorded above the position.
    let first = text.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let first: Vec<&str> = first.take_while(|line| !line.starts_with("  iteration")).collect();
    let is_path = |line: &&str| line.starts_with("  dxc5:") || line.contains(" other search");
    assert!(!first.is_empty() && first.iter().all(is_path), "{first:?}");
}

#[test]
fn a_switched_technique_fires_no_more() {
    let null = "null-move ";
    assert!(text(&["--depth", "8"]).contains(null));
    assert!(!text(&["--depth", "8", "--switch", "null-move"]).contains(null));
}

#[test]
fn bad_input_gets_one_sentence() {
    for (args, part) in [
        (&["--moves", "dxc5 Ke5"][..], "\"Ke5\" is no legal move"),
        (&["--switch", "hope"], "no technique \"hope\""),
        (&["--iteration", "0"], "is no iteration"),
        (&["--depth", "0"], "0 is not in"),
        (&["--nodes", "0"], "0 is not in"),
    ] {
        let output = tree(args);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {message}");
        assert!(message.contains(part) && output.stdout.is_empty(), "{args:?}: {message}");
    }
    let mated = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    for (fen, part) in [(mated, "no legal move to search"), ("8/8 w", "")] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rukh"));
        let output = command.args(["debug", "tree", "--fen", fen]).output().expect("the binary starts");
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), message.lines().count()), (Some(2), 1), "{fen}: {message}");
        assert!(message.contains(part), "{fen}: {message}");
    }
}
