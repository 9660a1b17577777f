//! Every exercise of the guide has its test, and every test its exercise.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The names of all tests of the exercises.
fn tests() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(root().join("tests/exercises")).expect("the folder of this file is there") {
        let text = fs::read_to_string(entry.expect("it can be read").path()).expect("sources are text");
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        for pair in lines.windows(2).filter(|pair| pair[0] == "#[test]") {
            let name = pair[1].strip_prefix("fn ").and_then(|rest| rest.split('(').next());
            names.insert(name.expect("a function follows its attribute").to_owned());
        }
    }
    names
}

/// The exercises of a chapter that do not name their test, or whose test does not exist.
fn faults(chapter: &str, text: &str, tests: &BTreeSet<String>) -> Vec<String> {
    let prefix = chapter.trim_end_matches(".md").replace('-', "_");
    let solutions =
        text.split("<details>").skip(1).map(|part| part.split("</details>").next().unwrap_or(part));
    let mut faults = Vec::new();
    for (number, solution) in (1..).zip(solutions) {
        let name = format!("{prefix}_{number}");
        if !solution.contains(&format!("`cargo test --test integration {name}`")) {
            faults.push(format!("{chapter}: solution {number} does not name {name}"));
        }
        if tests.iter().filter(|test| test.starts_with(&format!("{name}_"))).count() != 1 {
            faults.push(format!("{chapter}: there is not one test {name}_..."));
        }
    }
    faults
}

#[test]
fn every_exercise_names_a_test_that_exists() {
    let (tests, mut faults_found, mut count) = (tests(), Vec::new(), 0);
    for entry in fs::read_dir(root().join("docs/guide")).expect("the guide is there") {
        let path = entry.expect("it can be read").path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if name.ends_with(".md") {
            let text = fs::read_to_string(&path).expect("a chapter is text");
            count += text.matches("<details>").count();
            faults_found.extend(faults(name, &text, &tests));
        }
    }
    assert!(faults_found.is_empty(), "{}", faults_found.join("\n"));
    assert!(count >= 66, "only {count} exercises");
}

#[test]
fn an_exercise_without_its_test_is_found() {
    let tests = BTreeSet::from(["null_move_1_a_window".to_owned()]);
    let good = "<details>`cargo test --test integration null_move_1`</details>";
    assert_eq!(faults("null-move.md", good, &tests), Vec::<String>::new());
    assert_eq!(faults("null-move.md", "<details>Text.</details>", &tests).len(), 1);
    assert_eq!(faults("null-move.md", &format!("{good}{good}"), &tests).len(), 2);
    assert_eq!(faults("lmr.md", good, &tests).len(), 2);
}
