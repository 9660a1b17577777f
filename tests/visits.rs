//! Self-play with visit distributions through the real binary: reproducible, resumed, checked, converted.

use std::fs;

use crate::common::{path, refused, succeeds};
use serde_json::Value;

const SETTINGS: [&str; 10] =
    ["--search", "mcts", "--nodes", "12", "--max-plies", "24", "--seed", "5", "--chess960", "0.3"];

fn play(out: &str, games: &str, threads: &str) -> Value {
    let amount = ["selfplay", "--visits", out, "--games", games, "--threads", threads, "--json"];
    serde_json::from_str(&succeeds(&[&amount[..], &SETTINGS].concat())).expect("it is JSON")
}

#[test]
fn visit_distributions_are_the_same_in_parts_and_on_more_threads() {
    let ((whole, whole_name), (parts, parts_name)) = (path("whole.rkv"), path("parts.rkv"));
    let made = play(&whole_name, "70", "1");
    assert_eq!(made["games"], 70);
    play(&parts_name, "3", "2");
    assert_eq!(play(&parts_name, "70", "3")["games"], 70);
    assert_eq!(fs::read(&whole).expect("it is there"), fs::read(&parts).expect("it is there"));
    assert_eq!(play(&parts_name, "70", "1")["new_positions"], 0, "nothing is played twice");

    let told = succeeds(&["data", "visits", &whole_name, "--json"]);
    let told: Value = serde_json::from_str(&told).expect("it is JSON");
    assert_eq!((&told["games"], &told["positions"]), (&made["games"], &made["positions"]));
    assert_eq!(told["manifest"]["evaluations"], 12);
    let (raw, raw_name) = path("visits.bin");
    let (_, games_name) = path("visits.vf");
    succeeds(&["data", "visits", &whole_name, "--raw", &raw_name, "--games", &games_name]);
    let positions = made["positions"].as_u64().expect("it is a number");
    assert_eq!(fs::metadata(&raw).expect("it is there").len(), 416 * positions);
    let stats = succeeds(&["data", "stats", &games_name, "--json"]);
    let stats: Value = serde_json::from_str(&stats).expect("it is JSON");
    assert_eq!(stats["games"], 70);
}

#[test]
fn what_is_wrong_is_said_in_a_sentence() {
    let (file, name) = path("wrong.rkv");
    let sentence = refused(&["selfplay", "--visits", &name, "--games", "1"]);
    assert!(sentence.contains("--search mcts"), "{sentence}");
    play(&name, "2", "1");
    let other = ["selfplay", "--visits", &name, "--games", "3", "--temperature", "0.5"];
    let sentence = refused(&[&other[..], &SETTINGS].concat());
    assert!(sentence.contains("another setting \"temperature\" (1.0, not 0.5)"), "{sentence}");
    let bytes = fs::read(&file).expect("it is there");
    fs::write(&file, &bytes[..bytes.len() - 3]).expect("it can be written");
    let (raw, raw_name) = path("wrong.bin");
    let sentence = refused(&["data", "visits", &name, "--raw", &raw_name]);
    assert!(sentence.contains("it ends within block 1") && !raw.exists(), "{sentence}");
    let sentence = refused(&["selfplay", "--search", "mcts", "--visits", "/nowhere/x.rkv", "--games", "1"]);
    assert!(sentence.contains("/nowhere/x.rkv"), "{sentence}");
    for bad in [["--temperature", "101"], ["--dirichlet-share", "2"], ["--policy-file", "/nowhere"]] {
        refused(
            &[&["selfplay", "--search", "mcts", "--visits", "/tmp/never.rkv", "--games", "1"][..], &bad]
                .concat(),
        );
    }
}
