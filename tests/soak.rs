//! `rukh soak` through the real binary: games without a fault, resuming, refusals.

use std::fs;

use crate::common::{path, refused, succeeds};
use serde_json::Value;

/// The counts of a run. Moves may depend on the clock, so that only games are the same each time.
fn counts(args: &[&str]) -> Value {
    let text = succeeds(&[&["soak", "--plies", "3", "--json"], args].concat());
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn games_of_both_searches_have_no_fault() {
    // Tests share their machine: a late answer is no fault here.
    let args = ["--games", "24", "--concurrency", "3", "--slack", "60000", "--patience", "60000"];
    let counts = counts(&args);
    let number = |name: &str| counts[name].as_u64().expect("a number");
    assert_eq!((number("games"), number("faults")), (24, 0), "{counts}");
    assert!((4..20).contains(&number("tree_games")), "{counts}");
    assert!(number("searches") >= 24 && number("lines") > number("searches"), "{counts}");
}

#[test]
fn a_soak_test_is_resumed_and_extended() {
    let (file, state) = path("soak.state");
    let play = |first: &str, games: &str| {
        counts(&[
            "--first",
            first,
            "--games",
            games,
            "--state",
            &state,
            "--slack",
            "60000",
            "--patience",
            "60000",
        ])
    };
    let first = play("96", "8");
    assert_eq!((&first["games"], &first["faults"]), (&8.into(), &0.into()));
    let lines = || fs::read_to_string(&file).expect("it is there").lines().count();
    assert_eq!(lines(), 3, "a header and the two parts");
    let again = play("96", "8");
    assert_eq!((&again["games"], &again["lines"]), (&8.into(), &first["lines"]), "nothing is left to play");
    let more = play("94", "12");
    assert_eq!((&more["games"], &more["faults"], lines()), (&12.into(), &0.into(), 5));
    let other = ["soak", "--plies", "3", "--seed", "2", "--games", "1", "--state", &state];
    assert!(refused(&other).contains("seed is 1 there and 2 here"));
}
