//! The program with a large network for the leaves of the tree search: `cargo test --features large-network large_network`.

#![cfg(feature = "large-network")]

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use rukh_leaf_network::file::{MAGIC, Part, Size, VERSION, checksum, parts};

/// A network whose weights are all zero: every position is won, drawn and lost alike, and all moves are alike.
fn network(name: &str) -> PathBuf {
    let size = Size { width: 4, layers: 1 };
    let mut bytes = MAGIC.to_vec();
    for number in [VERSION, size.width as u32, size.layers as u32, 0] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.resize(bytes.len() + 2 * parts(size).iter().map(Part::count).sum::<usize>(), 0);
    bytes.extend(checksum(&bytes).to_le_bytes());
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, bytes).expect("the folder for tests can be written");
    path
}

fn rukh(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rukh")).args(args).output().expect("the binary starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("output is text")
}

#[test]
fn a_position_is_analysed_with_it() {
    let file = network("analysed.rkt");
    let file = file.to_str().expect("the path is text");
    let mate = "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1";
    let args = ["analyse", "--fen", mate, "--search", "mcts", "--nodes", "3000", "--leaf-network", file];
    let output = rukh(&args);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("Rd8#"), "{}", text(&output.stdout));
}

#[test]
fn a_bench_with_it_is_reproducible() {
    let file = network("bench.rkt");
    let args = ["bench", "1", "--search", "mcts", "--leaf-network", file.to_str().expect("the path is text")];
    let nodes = || text(&rukh(&args).stdout).split(' ').next().map(str::to_owned);
    let first = nodes();
    assert!(
        first.as_ref().is_some_and(|count| count.parse::<u64>().is_ok_and(|count| count > 50)),
        "{first:?}"
    );
    assert_eq!(first, nodes());
}

#[test]
fn without_a_gpu_a_sentence_says_that_the_cpu_is_used() {
    let file = network("cuda.rkt");
    let file = file.to_str().expect("the path is text");
    let output = rukh(&["bench", "1", "--search", "mcts", "--leaf-network", file, "--backend", "cuda"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let has_gpu = cfg!(feature = "cuda") && output.stderr.is_empty();
    let sentence = text(&output.stderr);
    assert!(has_gpu || sentence.contains("the leaf network runs on the CPU"), "{sentence}");
}

#[test]
fn wrong_words_are_refused_in_one_sentence() {
    let file = network("refused.rkt");
    let file = file.to_str().expect("the path is text");
    for (args, sentence) in [
        (&["bench", "1", "--leaf-network", file][..], "--leaf-network needs --search mcts"),
        (&["bench", "1", "--search", "mcts", "--leaf-network", "none.rkt"], "none.rkt cannot be loaded"),
        (
            &["bench", "1", "--search", "mcts", "--leaf-network", "Cargo.toml"],
            "it is no leaf network of Rukh",
        ),
        (
            &["bench", "1", "--search", "mcts", "--leaf-network", file, "--backend", "tpu"],
            "no backend \"tpu\"",
        ),
        (&["bench", "1", "--search", "mcts", "--backend", "cpu"], "--leaf-network"),
    ] {
        let output = rukh(args);
        let error = text(&output.stderr);
        assert!(!output.status.success() && error.contains(sentence), "{args:?}: {error}");
    }
}

#[test]
fn a_session_has_its_options() {
    let file = network("session.rkt");
    let choice = format!("setoption name LeafNetwork value {}", file.display());
    let lines = ["uci", "setoption name Search value mcts", &choice, "go nodes 200"];
    let more =
        ["setoption name LeafNetwork value Cargo.toml", "setoption name Backend value cpu", "go nodes 50"];
    let output = rukh(&[&lines[..], &more, &["quit"]].concat());
    let said = text(&output.stdout);
    assert!(said.contains("option name LeafNetwork type string"), "{said}");
    assert!(said.contains("option name Backend type combo default cpu var cpu var cuda"), "{said}");
    assert!(said.contains("the leaf network is unchanged: Cargo.toml cannot be loaded"), "{said}");
    assert_eq!(said.matches("bestmove").count(), 2, "{said}");
}
