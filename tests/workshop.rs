//! `rukh workshop` through the real binary: verdicts, effects, resuming, the budget, refusals.

use std::fs;

use crate::common::{path, refused, rukh, succeeds};
use serde_json::Value;

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("it is JSON")
}

/// Games of a few moves at depth 1, of which the same command gives the same.
const SHORT: [&str; 10] = [
    "--base",
    "cmd=self,name=base,option.Hash=1",
    "--depth",
    "1",
    "--max-moves",
    "3",
    "--minutes",
    "5",
    "--concurrency",
    "2",
];

/// What is left of a state file whose run was interrupted within a line.
fn interrupt(state: &std::path::Path, lines: usize) {
    let text = fs::read_to_string(state).expect("it is there");
    assert!(text.lines().count() > lines + 1, "{text}");
    let end: usize = text.split_inclusive('\n').take(lines).map(str::len).sum();
    fs::write(state, &text[..end + 30]).expect("it can be written");
}

#[test]
fn candidates_are_decided_and_stop() {
    let (page, page_name) = path("workshop-sprt.md");
    let args = [
        "workshop",
        "sprt",
        "--base",
        "cmd=self,name=base,depth=2,option.Hash=1",
        "--candidate",
        "name=deep,depth=5",
        "--candidate",
        "name=shallow,depth=1,option.Techniques=quiescence-exchange",
        "--elo0=-200",
        "--elo1=100",
        "--model",
        "logistic",
        "--resign",
        "1,250",
        "--minutes",
        "5",
        "--games",
        "400",
        "--concurrency",
        "2",
        "--page",
        &page_name,
    ];
    let text = succeeds(&args);
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    for (line, name, verdict) in [(1, "deep", "passed"), (2, "shallow", "failed")] {
        assert_eq!((lines[line][0], lines[line].last()), (name, Some(&verdict)), "{text}");
        let games: u32 = lines[line][1].parse().expect("a number");
        assert!((4..400).contains(&games), "{text}");
    }
    let page = fs::read_to_string(page).expect("it is there");
    assert!(page.contains("\n| candidate | games | W D L |") && page.contains("\n| deep | "), "{page}");
    assert!(page.contains("rukh workshop sprt --base cmd=self,name=base,depth=2,option.Hash=1 "), "{page}");
}

#[test]
fn a_resumed_test_equals_a_whole_one() {
    let (state_file, state) = path("workshop-sprt.state");
    let args = ["workshop", "sprt", "--candidate", "name=keen,option.Contempt=50"];
    let args = [&args[..], &["--candidate", "name=other,option.Techniques=null-move"], &SHORT].concat();
    let args = [&args[..], &["--games", "12", "--state", &state, "--json"]].concat();
    let whole = json(&succeeds(&args));
    assert_eq!(whole["games"], 24);
    assert_eq!(whole["candidates"][1]["name"], "other");
    assert_eq!(whole["candidates"][0]["verdict"], "undecided");
    assert_eq!(fs::read_to_string(&state_file).expect("it is there").lines().count(), 25);
    assert_eq!(json(&succeeds(&args)), whole, "nothing is left to play");
    for lines in [1, 8, 20] {
        interrupt(&state_file, lines);
        assert_eq!(json(&succeeds(&args)), whole, "resumed after {lines} lines");
    }
    let mut other = args.clone();
    other[3] = "name=keen,option.Contempt=51";
    assert!(refused(&other).contains("engines[1].options"));
}

#[test]
fn a_resumed_screen_equals_a_whole_one() {
    let ((state_file, state), (page, page_name)) = (path("workshop.state"), path("workshop.md"));
    let args =
        ["workshop", "screen", "--switch", "Techniques=null-move,razoring", "--tunable", "Contempt=0:40"];
    let args = [&args[..], &SHORT, &["--games", "24", "--state", &state, "--seed", "3"]].concat();
    let as_json = [&args[..], &["--json"]].concat();
    let whole = json(&succeeds(&as_json));
    assert_eq!((&whole["games"], &whole["rows"], &whole["faults"]), (&24.into(), &4.into(), &0.into()));
    let names: Vec<_> =
        whole["factors"].as_array().expect("a list").iter().map(|it| it["name"].as_str()).collect();
    assert_eq!(names, [Some("null-move"), Some("razoring"), Some("Contempt")]);
    for key in ["elo", "standard_error", "error"] {
        assert!(whole["factors"][2][key].is_f64() && whole["constant"][key].is_f64(), "{whole}");
    }
    for lines in [1, 9] {
        interrupt(&state_file, lines);
        assert_eq!(json(&succeeds(&as_json)), whole, "resumed after {lines} lines");
    }
    let text = succeeds(&[&args[..], &["--page", &page_name]].concat());
    assert!(
        text.contains("\nrazoring ") && text.contains("\nconstant ") && text.contains("24 games, 12 pairs"),
        "{text}"
    );
    let page = fs::read_to_string(page).expect("it is there");
    assert!(
        page.contains("\n| factor | Elo | z | verdict |\n") && page.contains("\n| Contempt | "),
        "{page}"
    );
    let mut other = args.clone();
    other[args.len() - 1] = "4";
    assert!(refused(&other).contains("the state of a different run"));
}

/// The budget ends the games, says so, and another run of the same command plays more.
#[test]
fn a_budget_is_kept_and_resumed() {
    let ((_, state), (openings, book)) = (path("workshop-budget.state"), path("workshop-budget.epd"));
    fs::write(openings, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n")
        .expect("it can be written");
    let args =
        ["workshop", "screen", "--switch", "Techniques=null-move", "--movetime", "5", "--margin", "9999"];
    let args = [&args[..], &["--minutes", "0.02", "--concurrency", "2", "--openings", &book]].concat();
    let args = [&args[..], &["--max-moves", "4", "--state", &state, "--json"]].concat();
    let play = || {
        let output = rukh(&args);
        assert!(output.status.success());
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains("the budget is used up; the same command resumes"), "{said}");
        json(&String::from_utf8_lossy(&output.stdout))["games"].as_u64().expect("a number")
    };
    let first = play();
    // A busy machine may finish no game within one budget; no game is ever lost.
    let mut last = first;
    for _ in 0..10 {
        let games = play();
        assert!(games >= last);
        last = games;
        if last > first {
            return;
        }
    }
    panic!("no run has played more than {first} games");
}

#[test]
fn bad_input_is_refused_with_one_sentence() {
    let limits = ["--nodes", "100", "--minutes", "1", "--games", "2"];
    let many = (0..128).map(|number| format!("t{number}")).collect::<Vec<_>>().join(",");
    let many = format!("Techniques={many}");
    for (args, complaint) in [
        (&["screen"][..], "a screen needs a factor"),
        (&["screen", "--switch", "Techniques=razoring,razoring"], "two factors are called \"razoring\""),
        (&["screen", "--switch", &many], "128 factors are too many"),
        (&["screen", "--switch", "Hopes=razoring"], "it has no option \"Hopes\""),
        (&["screen", "--switch", "Techniques=hope"], "refuses a level: there is no technique \"hope\""),
        (&["screen", "--tunable", "Contempt=1"], "not a tunable"),
        (&["screen", "--factor", "keen=Contempt=1"], "at one level only"),
        (&["sprt"], "there is no candidate"),
        (&["sprt", "--candidate", "option.Contempt=5"], "has no name"),
        (&["sprt", "--candidate", "name=a", "--candidate", "name=a"], "two engines are called \"a\""),
        (&["sprt", "--candidate", "name=base,option.Contempt=5"], "two engines are called \"base\""),
        (&["sprt", "--candidate", "name=a,option.Hopes=5"], "it has no option \"Hopes\""),
        (&["sprt", "--candidate", "name=a,cmd=/nowhere/engine"], "cannot be started"),
        (&["sprt", "--candidate", "name=a", "--elo0", "5"], "--elo0 must be less"),
    ] {
        let sentence = refused(&[&["workshop"], args, &limits].concat());
        assert!(sentence.contains(complaint), "{args:?}: {sentence}");
    }
    let screen = ["workshop", "screen", "--switch", "Techniques=razoring"];
    for minutes in ["0", "-1", "x"] {
        let budget = format!("--minutes={minutes}");
        let sentence = refused(&[&screen[..], &["--nodes", "100", &budget]].concat());
        assert!(sentence.contains("a number of minutes above 0"), "{sentence}");
    }
    assert!(refused(&[&screen[..], &["--minutes", "1"]].concat()).contains("have no limit"));
    let (state_file, state) = path("workshop-refused.state");
    let args = [&screen[..], &limits, &["--page", "/nowhere/page.md", "--state", &state]].concat();
    assert!(refused(&args).contains("/nowhere/page.md"));
    assert!(!state_file.exists(), "what is refused leaves nothing behind");
}

/// One process plays many settings. Late move reductions save most of the nodes to a depth, so in each game the nodes show which
/// side has them: every setting reaches the engine, and none stays from the game before.
#[test]
fn every_game_is_played_with_its_own_levels() {
    let (state_file, state) = path("workshop-levels.state");
    let args = ["workshop", "screen", "--switch", "Techniques=late-move-reductions,razoring,countermove"];
    let args =
        [&args[..], &["--depth", "6", "--max-moves", "8", "--minutes", "9", "--concurrency", "1"]].concat();
    succeeds(&[&args[..], &["--games", "16", "--state", &state]].concat());
    let text = fs::read_to_string(state_file).expect("it is there");
    let (header, games) = text.split_once('\n').expect("there are lines");
    let engines = &json(header)["engines"];
    let is_off = |engine: usize| {
        let option = &engines[engine]["options"][0];
        assert_eq!(option[0], "Techniques");
        option[1].as_str().is_some_and(|list| list.contains("late-move-reductions"))
    };
    assert_eq!(games.lines().count(), 16);
    for line in games.lines() {
        let game = json(line.splitn(3, ' ').nth(2).expect("a number, a checksum and the game"));
        let index = game["game"].as_u64().expect("a number") as usize;
        let row = index / 2 % 4;
        let white = 2 * row + index % 2;
        assert_ne!(is_off(2 * row), is_off(2 * row + 1));
        let nodes = |side: usize| {
            let effort = |place: usize| game["effort"][side][place].as_f64().expect("a number");
            effort(2) / effort(0)
        };
        assert_eq!(nodes(0) > nodes(1), is_off(white), "{line}");
    }
}

/// Every program searches every position, and one is as fast as itself, apart from what disturbs it here.
#[test]
fn speeds_are_compared_by_turns() {
    let args = [
        "workshop",
        "speed",
        "--candidate",
        "name=same",
        "--candidate",
        "name=classical,option.Evaluation=classical",
    ];
    let report = json(&succeeds(&[&args[..], &["--nodes", "500", "--rounds", "1", "--json"]].concat()));
    assert_eq!((report["searches"].as_u64(), report["nodes"].as_u64()), (Some(50), Some(500)));
    let programs = report["programs"].as_array().expect("there are programs");
    assert_eq!(
        programs.iter().map(|program| &program["name"]).collect::<Vec<_>>(),
        ["base", "same", "classical"]
    );
    let ratio = |program: usize| programs[program]["ratio"].as_f64().expect("there are enough searches");
    assert_eq!(ratio(0), 1.0);
    assert!((0.5..2.0).contains(&ratio(1)), "{report}");
    let sentence = refused(&["workshop", "speed", "--candidate", "name=a,option.Hopes=5"]);
    assert!(sentence.contains("it has no option \"Hopes\""), "{sentence}");
    assert!(refused(&["workshop", "speed"]).contains("there is no candidate"));
}
