//! The laboratory through the real binary: self-play, stored games, tuning, ablation, matches.

use std::fs;

use crate::common::{path, refused, rukh, succeeds};
use serde_json::Value;

fn selfplay(out: &str, games: &str, threads: &str) -> Value {
    let text = succeeds(&[
        "selfplay",
        "--classical",
        "--out",
        out,
        "--games",
        games,
        "--threads",
        threads,
        "--nodes",
        "150",
        "--seed",
        "5",
        "--chess960",
        "0.3",
        "--json",
    ]);
    serde_json::from_str(&text).expect("it is JSON")
}

#[test]
fn selfplay_is_the_same_in_parts_and_on_more_threads() {
    let ((whole, whole_name), (parts, parts_name)) = (path("whole.vf"), path("parts.vf"));
    assert_eq!(selfplay(&whole_name, "8", "1")["games"], 8);
    selfplay(&parts_name, "3", "2");
    let resumed = selfplay(&parts_name, "8", "3");
    assert_eq!(resumed["games"], 8);
    assert!(resumed["new_positions"].as_u64() < resumed["positions"].as_u64());
    assert_eq!(fs::read(&whole).expect("it is there"), fs::read(&parts).expect("it is there"));
    let sentence = refused(&[
        "selfplay",
        "--classical",
        "--out",
        &parts_name,
        "--games",
        "9",
        "--nodes",
        "150",
        "--seed",
        "6",
    ]);
    assert!(sentence.contains("not those that this engine plays with these settings"), "{sentence}");
    let sentence = refused(&["selfplay", "--out", "/nowhere/x.vf", "--games", "1"]);
    assert!(sentence.contains("/nowhere/x.vf"), "{sentence}");
}

#[test]
fn positions_inside_the_searches_go_with_their_games() {
    let [whole, inside, parts, parts_inside] =
        ["with.vf", "samples.vf", "parts-with.vf", "parts-samples.vf"].map(path);
    let nodes = ["--nodes", "150", "--seed", "5", "--tree-sample-depth", "2", "--json"];
    let play = |games: &str, threads: &str, out: &str, inside: &str| -> Value {
        let files = ["selfplay", "--classical", "--out", out, "--tree-samples", inside];
        let text = succeeds(&[&files[..], &["--games", games, "--threads", threads], &nodes].concat());
        serde_json::from_str(&text).expect("it is JSON")
    };
    let made = play("6", "1", &whole.1, &inside.1);
    play("2", "2", &parts.1, &parts_inside.1);
    assert_eq!(play("6", "3", &parts.1, &parts_inside.1)["tree_samples"], made["tree_samples"]);
    for (one, other) in [(&whole, &parts), (&inside, &parts_inside)] {
        assert_eq!(fs::read(&one.0).expect("it is there"), fs::read(&other.0).expect("it is there"));
    }
    let count = made["tree_samples"].as_u64().expect("a number");
    assert!(count > 0);
    assert!(
        succeeds(&["data", "check", &inside.1]).contains(&format!("{count} games with {count} positions"))
    );
    let (file, fresh) = path("fresh-samples.vf");
    let sentence = refused(
        &[
            &["selfplay", "--classical", "--out", &whole.1, "--tree-samples", &fresh, "--games", "7"][..],
            &nodes,
        ]
        .concat(),
    );
    assert!(sentence.contains(&fresh) && sentence.contains("name another file for both"), "{sentence}");
    assert!(!file.exists(), "what is refused leaves nothing behind");
}

#[test]
fn stored_games_are_counted_checked_shuffled_and_converted() {
    let ((games, name), (_, shuffled), (_, epd), (picture, svg)) =
        (path("data.vf"), path("shuffled.vf"), path("data.epd"), path("data.svg"));
    let made = selfplay(&name, "6", "2");
    let stats: Value =
        serde_json::from_str(&succeeds(&["data", "stats", &name, "--svg", &svg, "--json"])).expect("JSON");
    assert_eq!((&stats["games"], &stats["positions"]), (&made["games"], &made["positions"]));
    let sum = |key: &str| -> u64 {
        stats[key].as_array().expect("a list").iter().map(|count| count.as_u64().expect("a number")).sum()
    };
    assert!(["scores", "phases", "pieces"].iter().all(|key| made["positions"] == sum(key)));
    assert!(fs::read_to_string(picture).expect("it is there").starts_with("<svg"));
    assert!(succeeds(&["data", "check", &name]).contains("6 games with"));

    succeeds(&["data", "shuffle", &name, &name, "--out", &shuffled, "--seed", "3"]);
    let twice: Value =
        serde_json::from_str(&succeeds(&["data", "stats", &shuffled, "--json"])).expect("JSON");
    assert_eq!(twice["games"], 12);
    assert!(twice["duplicates"].as_u64() >= made["positions"].as_u64());

    succeeds(&["data", "to-epd", &name, "--out", &epd, "--positions", "50"]);
    let lines = fs::read_to_string(&epd).expect("it is there");
    assert_eq!(lines.lines().count(), 50);
    assert!(lines.lines().all(|line| line.contains(" c9 \"") && line.contains(" ce ")), "{lines}");
    assert_eq!(succeeds(&["data", "to-epd", &name, "--positions", "50"]), lines);

    let (_, singles) = path("singles.vf");
    for (task, at_least) in [("quiet", 50), ("perturb", 200)] {
        succeeds(&["data", task, &name, "--out", &singles]);
        let stats: Value =
            serde_json::from_str(&succeeds(&["data", "stats", &singles, "--json"])).expect("JSON");
        assert_eq!(stats["games"], stats["positions"], "{task}: each is a game of one move");
        assert!(stats["positions"].as_u64() > Some(at_least), "{task}: {stats}");
        assert!(stats["in_check"] == 0 && stats["noisy"] == 0, "{task}: {stats}");
    }

    let told: Value = serde_json::from_str(&succeeds(&["data", "validate", &name, "--json"])).expect("JSON");
    assert!(told["positions"].as_u64() > Some(50) && told["positions"].as_u64() < made["positions"].as_u64());
    let by: Vec<_> =
        told["validation"].as_array().expect("a list").iter().map(|fit| fit["by"].as_str()).collect();
    assert_eq!(by, [Some("scores"), Some("classical"), Some("built in")]);
    assert!(refused(&["data", "validate", &name, "--network", &epd]).contains("no network of Rukh"));

    let mut bytes = fs::read(&games).expect("it is there");
    // The square from which the first move begins.
    bytes[32] ^= 0x3f;
    fs::write(&games, &bytes).expect("it can be written");
    let output = rukh(&["data", "check", &name]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1));
    assert!(said.contains("game 1, at byte 0"), "{said}");
}

#[test]
fn texel_learns_from_games_and_from_lines() {
    let ((_, games), (_, epd), (weights, out)) = (path("texel.vf"), path("texel.epd"), path("texel.txt"));
    selfplay(&games, "60", "2");
    succeeds(&["data", "to-epd", &games, "--out", &epd]);
    // Everyone knows that a queen is worth more than a pawn; the games know it too.
    let (worse, from) = path("worse.txt");
    fs::write(
        worse,
        "MATERIAL in Material = [(100, 100), (100, 100), (100, 100), (100, 100), (100, 100), (0, 0)];",
    )
    .expect("it can be written");
    for data in [&games, &epd] {
        let _ = fs::remove_file(&weights);
        let said = succeeds(&[
            "texel",
            data,
            "--from",
            &from,
            "--out",
            &out,
            "--epochs",
            "3",
            "--score-share",
            "1",
            "--validate-every",
            "2",
        ]);
        assert!(said.lines().any(|line| line.contains("validation") && line.ends_with(" *")), "{said}");
        let written = fs::read_to_string(&weights).expect("better weights were found");
        assert!(written.contains("MATERIAL in Material = [("), "{written}");
    }
    let again =
        succeeds(&["texel", &games, "--from", &out, "--epochs", "1", "--positions", "2000", "--json"]);
    let last: Value = serde_json::from_str(again.lines().last().expect("there is an end")).expect("JSON");
    assert!(last["weights"].as_str().expect("it is a text").contains("MATERIAL in "));
    let line: Value = serde_json::from_str(again.lines().next().expect("there is a pass")).expect("JSON");
    assert_eq!(line["epoch"], 1);
    let (broken, name) = path("broken.epd");
    fs::write(broken, "4k3/8/8/8/8/8/8/4K3 w - - 0 1 [0.5]\nhello\n").expect("it can be written");
    assert!(refused(&["texel", &name]).contains("line 2"));
}

#[test]
fn the_same_match_gives_the_same_games() {
    let play = |name: &str| {
        let (pgn, out) = path(name);
        succeeds(&[
            "match",
            "--engine",
            "cmd=self,name=a,option.Hash=1",
            "--engine",
            "cmd=self,name=b,option.Hash=1,option.Techniques=null-move",
            "--nodes",
            "300",
            "--games",
            "4",
            "--concurrency",
            "2",
            "--pgn",
            &out,
            "--max-moves",
            "40",
        ]);
        let text = fs::read_to_string(pgn).expect("it is there");
        // The order in which games end may differ, and so may the time they took.
        let is_told =
            |line: &&str| !line.starts_with('[') || line.starts_with("[Round") || line.starts_with("[White");
        let mut games: Vec<String> = text
            .split("[Event")
            .map(|game| {
                let words = game.lines().filter(is_told).flat_map(str::split_whitespace);
                words.filter(|word| !word.contains("s}")).collect::<Vec<_>>().join(" ")
            })
            .collect();
        games.sort();
        games
    };
    assert_eq!(play("first.pgn"), play("second.pgn"));
}

#[test]
fn what_is_refused_changes_nothing() {
    let ((pgn, games), (state_file, state)) = (path("kept.pgn"), path("kept.state"));
    fs::write(&pgn, "precious").expect("it can be written");
    let args = ["match", "--engine", "cmd=self,name=a", "--engine", "cmd=/nowhere/engine", "--nodes", "10"];
    let sentence = refused(&[&args[..], &["--pgn", &games, "--state", &state]].concat());
    assert!(sentence.contains("engine"), "{sentence}");
    assert_eq!(fs::read_to_string(&pgn).expect("it is there"), "precious");
    assert!(!state_file.exists());
    let sentence = refused(&["selfplay", "--out", &games, "--games", "1", "--nodes", "50"]);
    assert!(sentence.contains("kept.pgn"), "{sentence}");
    assert_eq!(fs::read_to_string(&pgn).expect("it is there"), "precious");
}

#[test]
fn ablate_measures_a_technique() {
    let (state_file, state) = path("ablate.state");
    let args = [
        "ablate",
        "--depth",
        "4",
        "--only",
        "null-move,countermove",
        "--games",
        "2",
        "--nodes",
        "100",
        "--state",
        &state,
    ];
    let table = succeeds(&args);
    assert!(table.contains("\n| null-move | yes | ") && table.contains("\n| countermove | no | "), "{table}");
    // What is done is not done again: the state has no more lines. What the state says is believed, so a changed line is refused.
    let text = fs::read_to_string(&state_file).expect("it is there");
    assert_eq!(text.lines().count(), 3, "{text}");
    assert_eq!(succeeds(&args), table);
    assert_eq!(fs::read_to_string(&state_file).expect("it is there"), text);
    let other = text.replacen("\"nodes_without\":", "\"nodes_without\":9", 1);
    fs::write(&state_file, other).expect("it can be written");
    assert!(refused(&args).contains("line 2 does not follow"));
    fs::write(&state_file, text).expect("it can be written");
    let json = succeeds(&[&args[..], &["--json"]].concat());
    let objects: Vec<Value> =
        json.lines().map(|line| serde_json::from_str(line).expect("each line is an object")).collect();
    assert_eq!(objects.len(), 3, "{json}");
    assert_eq!((&objects[0]["ablate"]["depth"], &objects[0]["ablate"]["nodes"]), (&4.into(), &100.into()));
    assert_eq!(objects[1]["technique"], "null-move");
    assert!(objects[1]["test"].is_null() && objects[1]["games"].is_array(), "{json}");
    assert!(refused(&["ablate", "--depth", "2", "--state", &state]).contains("depth is 4 there and 2 here"));
    assert!(refused(&["ablate", "--only", "hope"]).contains("no technique \"hope\""));
}

#[test]
fn levels_are_measured_and_the_other_engine_has_limits_of_its_own() {
    let (_, state) = path("levels.state");
    let against = |other| {
        let args =
            ["levels", "--elo", "3200", "--against", other, "--nodes", "2000", "--games", "6", "--json"];
        let result: Value = serde_json::from_str(&succeeds(&args)).expect("JSON");
        [0, 1, 2].map(|place| result["games"][place].as_u64().expect("a count"))
    };
    let [wins, _, losses] = against("cmd=self,option.Hash=1");
    assert_eq!(wins, losses, "it meets itself");
    let [wins, _, losses] = against("cmd=self,depth=1,option.Hash=1");
    assert!(wins >= losses + 4, "{wins} and {losses}");

    let args =
        ["levels", "--elo", "800,1600", "--neighbours", "--nodes", "300", "--games", "2", "--state", &state];
    let table = succeeds(&args);
    assert!(table.contains("\n| 800 | 1600 | +"), "{table}");
    assert_eq!(succeeds(&args), table);
    assert!(refused(&["levels", "--elo", "800", "--nodes", "300"]).contains("no opponent"));
}

/// The teacher is not written in Rust: it repeats constants of the network.
#[test]
fn the_teacher_counts_as_the_network_does() {
    let teacher = include_str!("../scripts/teacher");
    let scale =
        teacher.lines().find_map(|line| line.strip_prefix("SCALE = ")?.split(' ').next()?.parse().ok());
    assert_eq!(scale, Some(f64::from(rukh_eval::nnue::arch::SCALE)));
}
