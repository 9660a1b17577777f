//! `rukh teach --json`: one object for each row of the table, with the same numbers.

use std::process::Command;

use serde_json::Value as Json;

fn printed(words: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_rukh")).arg("teach").args(words).output();
    let output = output.expect("the binary starts");
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("it is text")
}

/// The rows as objects and as lines of the table, which has one line more.
fn rows(words: &[&str]) -> Vec<(Json, String)> {
    let objects = printed(&[words, &["--json"]].concat());
    let table = printed(words);
    let has_head = !words.contains(&"generators");
    let lines: Vec<&str> = table.lines().skip(usize::from(has_head)).collect();
    assert_eq!(objects.lines().count(), lines.len(), "{words:?}");
    let read = |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
    objects.lines().map(read).zip(lines.iter().map(|line| (*line).to_owned())).collect()
}

/// Whether a line of a table has the number as a word.
fn has(line: &str, value: &Json) -> bool {
    let text = value.to_string();
    line.split_whitespace().any(|word| word == text)
}

#[test]
fn the_table_of_searches_is_printed_as_json() {
    let found = rows(&["searches", "--depth", "3"]);
    assert_eq!(found.len(), 3);
    for (json, line) in &found {
        let leaves = json["leaves"].as_object().expect("it has the leaves of each search");
        assert_eq!(leaves.len(), 4);
        assert!(leaves.values().all(|count| has(line, count)) && has(line, &json["value"]), "{line}: {json}");
    }
    let last = &found[2].0;
    assert_eq!((&last["depth"], &last["leaves"]["minimax"]), (&Json::from(3), &Json::from(97_861)));
}

#[test]
fn the_other_experiments_are_printed_as_json() {
    for (json, line) in rows(&["techniques", "--depth", "4"]) {
        assert!(has(&line, &json["nodes"]) && json["techniques"].is_array(), "{line}: {json}");
        assert!(line.contains(json["move"].as_str().expect("there is a move")), "{line}: {json}");
    }
    for (json, line) in rows(&["playouts", "--count", "200"]) {
        assert!(has(&line, &json["visits"]) && json["mean"].is_number(), "{line}: {json}");
    }
    for (json, line) in rows(&["generators", "--depth", "2"]) {
        assert!(has(&line, &json["nodes"]) && json["seconds"].is_number(), "{line}: {json}");
        assert!(line.starts_with(json["generator"].as_str().expect("it has a name")), "{line}: {json}");
    }
    let parallel = ["parallel", "--depth", "2", "--engine-depth", "4"];
    let work: Vec<_> = rows(&parallel).into_iter().map(|(json, _)| json["work"].clone()).collect();
    assert!(work.len() == 5 && work.iter().all(Json::is_number), "{work:?}");
    for (json, line) in rows(&["terms", "--only", "material", "--games", "2", "--depth", "1"]) {
        assert!(has(&line, &json["games"]) && json["score"].is_number(), "{line}: {json}");
    }
}

#[test]
fn bad_input_is_refused_in_a_sentence() {
    for (words, fault) in [
        (&["terms", "--only", "luck"][..], "\"luck\" is no term"),
        (&["searches", "--fen", "x"], "should have 8 ranks"),
        (&["parallel", "--fen", "7k/6Q1/5K2/8/8/8/8/8 b - - 0 1"], "no legal move"),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_rukh")).arg("teach").args(words).output();
        let output = output.expect("the binary starts");
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && error.contains(fault), "{words:?}: {error}");
    }
}
