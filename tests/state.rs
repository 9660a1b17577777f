//! State files through the real binary: what is resumed, what is refused, what a full disk leaves.

use std::fs;

use crate::common::{path, refused, rukh, succeeds};
use serde_json::Value;

#[test]
fn tuning_asks_for_what_it_needs() {
    let ((_, state), (parameters, list)) = (path("tune.state"), path("tune.txt"));
    fs::write(&parameters, "# one\nContempt, int, 0, -50, 50, 10, 0.02\n").expect("it can be written");
    let args = [
        "tune",
        "--parameters",
        &list,
        "--nodes",
        "100",
        "--iterations",
        "3",
        "--state",
        &state,
        "--max-moves",
        "30",
        "--json",
    ];
    let result: Value = serde_json::from_str(&succeeds(&args)).expect("JSON");
    assert_eq!((&result["iterations"], &result["games"]), (&3.into(), &6.into()));
    assert!(result["values"]["Contempt"].is_number());
    let whole = fs::read_to_string(&state).expect("it is there");
    assert_eq!(whole.lines().count(), 4);
    // Interrupted within the last line: the iteration is played again, from where the others had led.
    let cut = whole.trim_end().rfind('\n').expect("there are lines") + 20;
    fs::write(&state, &whole[..cut]).expect("it can be written");
    let again: Value = serde_json::from_str(&succeeds(&args)).expect("JSON");
    assert_eq!(again["values"], result["values"]);
    assert_eq!(fs::read_to_string(&state).expect("it is there"), whole);
    fs::write(&parameters, "Hope, int, 0, -50, 50, 10, 0.02\n").expect("it can be written");
    assert!(refused(&args).contains("no option \"Hope\""));
    fs::write(&parameters, "Contempt, int, 0\n").expect("it can be written");
    assert!(refused(&args).contains("line 1"));
}

/// One game at a time with fixed nodes: the same seed gives the same values, and a run that was interrupted anywhere gives those
/// of an undisturbed one, to the last bit.
#[test]
fn tuning_repeats_and_a_resumed_one_equals_a_whole_one() {
    check_tuning("0.02", "3", 3);
}

/// Commit 11c2ebc fails here: resumed after seven iterations, it ends at -11.3 in place of -17.3.
#[test]
fn tuning_with_a_high_rate_repeats_too() {
    check_tuning("0.1", "4", 1);
}

/// `changes` is the least number of iterations that change something.
fn check_tuning(rate: &str, seed: &str, changes: usize) {
    let (parameters, list) = path(&format!("repeat-{seed}.txt"));
    let text = format!("MultiPV, int, 5, 1, 9, 3, {rate}\nContempt, int, 7, -200, 200, 60, {rate}\n");
    fs::write(&parameters, text).expect("it can be written");
    let tune = |state: &str| -> Value {
        let engine = ["tune", "--engine", "cmd=self,option.Hash=1", "--parameters", &list];
        let args = [&engine[..], &["--nodes", "150", "--iterations", "8", "--seed", seed]].concat();
        let text = succeeds(&[&args[..], &["--state", state, "--json"]].concat());
        serde_json::from_str(&text).expect("JSON")
    };
    let ((whole_file, whole), (again_file, again)) =
        (path(&format!("repeat-{seed}.state")), path(&format!("again-{seed}.state")));
    let result = tune(&whole);
    let state = fs::read_to_string(&whole_file).expect("it is there");
    let values = |line: &str| line.split_once("\"values\":").map(|(_, values)| values.to_owned());
    let values: Vec<_> = state.lines().skip(1).map(values).collect();
    let changed = values.windows(2).filter(|pair| pair[0] != pair[1]).count();
    assert!(changed >= changes, "too little is learnt: {state}");
    assert_eq!(tune(&again)["values"], result["values"]);
    assert_eq!(fs::read_to_string(&again_file).expect("it is there"), state);
    for lines in [4, 8] {
        let start: String = state.lines().take(lines).map(|line| format!("{line}\n")).collect();
        fs::write(&again_file, start).expect("it can be written");
        assert_eq!(tune(&again)["values"], result["values"], "resumed after {} iterations", lines - 1);
        assert_eq!(fs::read_to_string(&again_file).expect("it is there"), state);
    }
}

/// A state file whose lines do not follow each other is not resumed, and stays as it is.
#[test]
fn a_broken_state_is_refused() {
    let (state_file, state) = path("chain.state");
    let args = ["match", "--engine", "cmd=self,name=a", "--engine", "cmd=self,name=b", "--depth", "1"];
    let args = [&args[..], &["--max-moves", "5", "--games", "4", "--state", &state]].concat();
    succeeds(&args);
    let whole = fs::read_to_string(&state_file).expect("it is there");
    let lines: Vec<&str> = whole.lines().collect();
    assert_eq!(lines.len(), 5);
    let doubled = [&lines[..2], &lines[1..]].concat();
    let missing = [&lines[..2], &lines[3..]].concat();
    let renumbered = lines[2].replacen('2', "7", 1);
    let renumbered = [&lines[..2], &[renumbered.as_str()], &lines[3..]].concat();
    for broken in [doubled, missing, renumbered] {
        let text = broken.join("\n") + "\n";
        fs::write(&state_file, &text).expect("it can be written");
        let sentence = refused(&args);
        assert!(sentence.contains(&state) && sentence.contains("line 3 does not follow"), "{sentence}");
        assert_eq!(fs::read_to_string(&state_file).expect("it is there"), text, "it is unchanged");
    }
}

/// Two engines that differ in nothing but protocol, pondering or directory are different engines.
#[test]
fn a_state_is_resumed_only_with_the_same_engines() {
    let (parameters, list) = path("identity.txt");
    fs::write(&parameters, "Contempt, int, 0, -50, 50, 10, 0.02\n").expect("it can be written");
    let changes = [
        (",proto=xboard", "protocol is \"uci\" there and \"xboard\" here"),
        (",ponder", "ponder is false there and true here"),
        (",dir=.", "directory is none there and \".\" here"),
    ];
    let common = ["--depth", "1", "--max-moves", "5"];
    for (command, engine, options) in [
        ("match", "--engine", &["--engine", "cmd=self,name=a", "--games", "2"][..]),
        ("sprt", "--engine", &["--engine", "cmd=self,name=a", "--games", "2"][..]),
        ("tune", "--engine", &["--parameters", &list, "--iterations", "1"][..]),
        ("levels", "--against", &["--elo", "800", "--games", "2"][..]),
    ] {
        let (state_file, state) = path(&format!("identity-{command}.state"));
        let args = |second: &str| {
            let mut args: Vec<String> = [command].into_iter().chain(common).map(str::to_owned).collect();
            args.extend(options.iter().map(|&word| word.to_owned()));
            args.extend([engine, second, "--state", &state].map(str::to_owned));
            args
        };
        let run = |second: &str| rukh(&args(second).iter().map(String::as_str).collect::<Vec<_>>());
        // A test of so few games is not passed; its state is kept all the same.
        run("cmd=self,name=b");
        let before = fs::read_to_string(&state_file).expect("the state is written");
        for (change, difference) in changes {
            let output = run(&format!("cmd=self,name=b{change}"));
            let sentence = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(!output.status.success(), "{command} {change} is resumed");
            assert!(
                sentence.contains("the state of a different run") && sentence.contains(difference),
                "{sentence}"
            );
            assert_eq!(fs::read_to_string(&state_file).expect("it is there"), before, "{command} {change}");
        }
    }
}

/// A full disk: the sentence names the file that could not be written, the standings are printed, and what was saved is resumed.
#[test]
#[cfg(unix)]
fn a_match_on_a_full_disk_names_the_file_and_prints_the_standings() {
    let common = ["match", "--engine", "cmd=self,name=a", "--engine", "cmd=self,name=b", "--depth", "1"];
    let common = [&common[..], &["--max-moves", "6", "--games", "12"]].concat();

    // Both files are on the full disk. The games are written first.
    let ((pgn_file, pgn), (json_file, json)) = (path("full.pgn"), path("full.json"));
    for file in [&pgn_file, &json_file] {
        std::os::unix::fs::symlink("/dev/full", file).expect("a link can be made");
    }
    let output = rukh(&[&common[..], &["--pgn", &pgn, "--json", &json]].concat());
    let [told, error] =
        [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
    assert!(error.contains(&pgn) && !error.contains(&json), "{error}");
    assert!(told.starts_with("a - b: "), "{told}");

    // No file may grow beyond four kibibytes: the state is the first that cannot.
    let ((state_file, state), (whole_pgn_file, pgn)) = (path("full.state"), path("limited.pgn"));
    let args = [&common[..], &["--state", &state, "--pgn", &pgn]].concat();
    let output = std::process::Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 8; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_rukh")])
        .args(&args)
        .output()
        .expect("there is a shell");
    let [told, error] =
        [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains(&state), "{error}");
    assert!(told.starts_with("a - b: "), "{told}");
    let saved = fs::read_to_string(&state_file).expect("it is there");
    assert!(saved.ends_with('\n') && (2..13).contains(&saved.lines().count()), "{saved}");
    succeeds(&args);
    let all = fs::read_to_string(&state_file).expect("it is there");
    assert!(all.starts_with(&saved) && all.lines().count() == 13, "{all}");
    assert_eq!(fs::read_to_string(&whole_pgn_file).expect("it is there").matches("[Event ").count(), 12);
}
