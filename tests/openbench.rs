//! What OpenBench asks of an engine: its configuration, its commands, the message of a commit, training data from its uploads.
//!
//! The rules are those of the server's `config.py` and `verify_workload.py` and of the client's `worker.py`, in our own words.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::common::{path, refused, rukh, succeeds};
use serde_json::{Map, Value};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn commands_answer_as_the_client_expects() {
    let fens = |seed: &str| succeeds(&[&format!("genfens 4 seed {seed} book None"), "quit"]);
    let lines = fens("7");
    assert_eq!(lines.lines().count(), 4);
    for line in lines.lines() {
        let fen = line.strip_prefix("info string genfens ").expect("it is a line for OpenBench");
        fen.parse::<rukh_chess::Position>().expect("it is a position");
        assert_eq!(fen.split(' ').count(), 6, "the client takes the counters off: {fen}");
    }
    assert_eq!(lines, fens("7"));
    assert_ne!(lines, fens("8"));
    let bench = succeeds(&["bench", "4"]);
    let last: Vec<&str> = bench.lines().last().expect("there is a line").split(' ').collect();
    assert!(matches!(last[..], [_, "nodes", _, "nps"]), "{bench}");
}

/// What a build cannot set is not listed: tuning it would measure noise.
#[test]
fn only_what_can_be_set_is_listed_for_tuners() {
    let listed = succeeds(&["spsa", "quit"]);
    let options = succeeds(&["uci", "quit"]);
    let is_option = |name: &str| options.contains(&format!("option name {name} type spin "));
    if is_option("see_pawn") {
        assert!(listed.lines().count() > 50);
        for line in listed.lines() {
            let parameter =
                line.parse::<rukh_lab::stats::Parameter>().unwrap_or_else(|error| panic!("{error}"));
            assert!(is_option(&parameter.name), "{line}");
        }
    } else {
        let sentence = listed.strip_prefix("info string ").expect("it is a remark");
        assert_eq!(sentence.lines().count(), 1);
        assert!(sentence.contains("make TUNE=yes"), "{sentence}");
    }
}

/// The default target builds what the client asks for.
#[test]
#[cfg(unix)]
fn the_makefile_takes_the_variables_of_the_client() {
    let make = |variables: &[&str]| {
        let mut command = Command::new("make");
        command.arg("-n").args(variables).current_dir(root()).env_remove("TUNE").env_remove("EXE");
        // Who builds with Cargo alone may have no make.
        let output = command.output().ok()?;
        Some((output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned()))
    };
    let Some((is_built, lines)) = make(&["-j", "EXE=Rukh-01234567"]) else { return };
    assert!(is_built && lines.contains("build --release") && lines.contains("\"Rukh-01234567\""), "{lines}");
    assert!(!lines.contains("--features"), "{lines}");
    let (is_built, lines) = make(&["TUNE=yes"]).expect("it was there");
    assert!(is_built && lines.contains("--features tune"), "{lines}");
    assert!(!make(&["TUNE=perhaps"]).expect("it was there").0);
}

fn settings() -> Value {
    let text = fs::read_to_string(root().join("openbench.json")).expect("it is there");
    serde_json::from_str(&text).expect("it is JSON")
}

fn texts<'v>(value: &'v Value, name: &str) -> Vec<&'v str> {
    let list = value[name].as_array().unwrap_or_else(|| panic!("{name} is a list"));
    list.iter().map(|text| text.as_str().expect("it is a list of texts")).collect()
}

#[test]
fn the_server_takes_the_engine() {
    let settings = settings();
    assert_eq!(settings["private"], false, "a private engine needs credentials on the server");
    assert!(settings["nps"].as_i64().is_some_and(|nps| nps > 0), "nps is a whole number above zero");
    let source = settings["source"].as_str().expect("source is a text");
    let place = source.strip_prefix("https://github.com/").expect("only GitHub is read");
    let is_plain =
        |name: &str| !name.is_empty() && name.chars().all(|sign| sign.is_ascii_alphanumeric() || sign == '-');
    let (owner, name) = place.trim_end_matches('/').split_once('/').expect("an owner and a name");
    assert!(is_plain(owner) && is_plain(&name.replace(['_', '.'], "-")), "{source}");

    let build = &settings["build"];
    assert_eq!(build["path"], "", "the Makefile is at the root");
    assert!(root().join("Makefile").exists());
    texts(build, "cpuflags");
    let systems = texts(build, "systems");
    assert!(
        systems.iter().all(|system| ["Linux", "Windows", "Darwin"].contains(system)) && !systems.is_empty()
    );
    let compilers = texts(build, "compilers");
    let [compiler] = compilers[..] else { panic!("{compilers:?}") };
    let (program, version) = compiler.split_once(">=").expect("a program and its least version");
    assert_eq!(program, "cargo");
    // The client compares the numbers between the dots; the least version is the one the packages ask for.
    let numbers: Vec<u32> = version.split('.').map(|number| number.parse().expect("a number")).collect();
    let manifest = fs::read_to_string(root().join("Cargo.toml")).expect("it is there");
    let asked = manifest.lines().find_map(|line| line.strip_prefix("rust-version = \"")).expect("it is said");
    assert_eq!(format!("{}.{}", numbers[0], numbers[1]), asked.trim_end_matches('"'));
}

/// The fields of the form that a preset may fill, by the part of the name after `dev_`, `base_` or `both_`.
const OF_A_SIDE: [&str; 5] = ["branch", "bench", "network", "options", "time_control"];
const OF_ALL: [&str; 8] =
    ["book_name", "upload_pgns", "priority", "throughput", "syzygy_wdl", "syzygy_adj", "win_adj", "draw_adj"];

fn is_known(kind: &str, key: &str) -> bool {
    let (sides, own): (&[&str], &[&str]) = match kind {
        "test" => {
            (&["both", "dev", "base"], &["test_bounds", "test_confidence", "test_max_games", "workload_size"])
        }
        "tune" => (
            &["both", "dev"],
            &[
                "spsa_reporting_type",
                "spsa_distribution_type",
                "spsa_alpha",
                "spsa_gamma",
                "spsa_A_ratio",
                "spsa_iterations",
                "spsa_pairs_per",
            ],
        ),
        _ => (
            &["both", "dev", "base"],
            &["datagen_custom_genfens", "datagen_play_reverses", "datagen_max_games", "workload_size"],
        ),
    };
    let is_of_a_side =
        key.split_once('_').is_some_and(|(side, field)| sides.contains(&side) && OF_A_SIDE.contains(&field));
    is_of_a_side || OF_ALL.contains(&key) || own.contains(&key)
}

/// The form as a preset fills it: the default first, then the preset, `both_` for either side.
fn form(default: &Map<String, Value>, preset: &Map<String, Value>) -> BTreeMap<String, String> {
    let mut form = BTreeMap::new();
    for (key, value) in default.iter().chain(preset) {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        match key.strip_prefix("both_") {
            Some(field) => {
                form.insert(format!("dev_{field}"), text.clone());
                form.insert(format!("base_{field}"), text);
            }
            None => {
                form.insert(key.clone(), text);
            }
        }
    }
    form
}

/// `[low, high]`.
fn bounds(text: &str) -> Option<(f64, f64)> {
    let (low, high) = text.strip_prefix('[')?.strip_suffix(']')?.split_once(", ")?;
    Some((low.parse().ok()?, high.parse().ok()?))
}

/// Words of `name=number`, with these names.
fn are_numbers(text: &str, names: &[&str]) -> bool {
    let words: Vec<_> = text.split(' ').filter_map(|word| word.split_once('=')).collect();
    words.iter().map(|(name, _)| *name).eq(names.iter().copied())
        && words.iter().all(|(_, number)| number.parse::<u32>().is_ok())
}

fn is_time_control(text: &str) -> bool {
    let is_positive = |number: &str| number.parse::<f64>().is_ok_and(|number| number > 0.0);
    if let Some((kind, number)) = text.split_once('=') {
        return ["N", "D", "MT"].contains(&kind) && number.parse::<u32>().is_ok_and(|number| number > 0);
    }
    let time = text.split_once('/').map_or(text, |(_, time)| time);
    time.split_once('+').is_some_and(|(base, increment)| is_positive(base) && is_positive(increment))
}

/// Checks what the server checks of a form before it makes a workload of it.
fn verify(kind: &str, name: &str, form: &BTreeMap<String, String>) {
    let at = format!("{kind} preset {name}");
    let said = |key: &str| form.get(key).map(String::as_str);
    let number = |key: &str| said(key).map(|text| text.parse::<f64>().unwrap_or(f64::NAN));
    let sides: &[&str] = if kind == "tune" { &["dev"] } else { &["dev", "base"] };
    for side in sides {
        let control = said(&format!("{side}_time_control"));
        assert!(control.is_some_and(is_time_control), "{at}: {control:?}");
        let options = said(&format!("{side}_options")).unwrap_or_default();
        for option in ["Threads=", "Hash="] {
            let value = options.split(' ').find_map(|word| word.strip_prefix(option));
            let value = value.and_then(|value| value.parse::<u32>().ok());
            assert!(value.is_some_and(|value| value >= 1), "{at}: {options:?}");
        }
        assert_eq!(said(&format!("{side}_bench")), None, "{at}: the message of the commit says it");
    }
    let win = said("win_adj").expect("it is said");
    assert!(win == "None" || are_numbers(win, &["movecount", "score"]), "{at}: {win}");
    let draw = said("draw_adj").expect("it is said");
    assert!(draw == "None" || are_numbers(draw, &["movenumber", "movecount", "score"]), "{at}: {draw}");
    let book = said("book_name").expect("it is said");
    let is_book = [".epd", ".pgn"].iter().any(|end| book.ends_with(end));
    assert!(is_book || (kind == "datagen" && book == "NONE"), "{at}: {book}");
    for key in ["workload_size", "throughput", "datagen_max_games", "spsa_iterations", "spsa_pairs_per"] {
        assert!(number(key).is_none_or(|number| number >= 1.0 && number.fract() == 0.0), "{at}: {key}");
    }
    if kind == "test" {
        let (low, high) = said("test_bounds").and_then(bounds).unwrap_or_else(|| panic!("{at}: bounds"));
        assert!(low < high, "{at}: {low} to {high}");
        let (alpha, beta) =
            said("test_confidence").and_then(bounds).unwrap_or_else(|| panic!("{at}: confidence"));
        assert!([alpha, beta].iter().all(|risk| (0.001..0.999).contains(risk)), "{at}: {alpha}, {beta}");
    }
    let is_one_of = |key: &str, allowed: &[&str]| said(key).is_none_or(|text| allowed.contains(&text));
    assert!(is_one_of("datagen_play_reverses", &["YES", "NO"]), "{at}");
    // Data that is not uploaded is lost.
    let uploads: &[&str] =
        if kind == "datagen" { &["COMPACT", "VERBOSE"] } else { &["FALSE", "COMPACT", "VERBOSE"] };
    assert!(is_one_of("upload_pgns", uploads), "{at}");
    assert!(said("datagen_custom_genfens").is_none_or(|text| !text.contains('"')), "{at}");
    let tables = ["OPTIONAL", "DISABLED", "3-MAN", "4-MAN", "5-MAN", "6-MAN", "7-MAN"];
    assert!(["syzygy_wdl", "syzygy_adj"].iter().all(|key| is_one_of(key, &tables)), "{at}");
}

#[test]
fn the_server_takes_every_preset() {
    let settings = settings();
    for kind in ["test", "tune", "datagen"] {
        let presets = settings[format!("{kind}_presets")].as_object().expect("presets have names");
        // Without this one the server forgets all others.
        let default = presets.get("default").and_then(Value::as_object).expect("there is a default");
        for (name, preset) in presets {
            let preset = preset.as_object().expect("a preset has fields");
            for key in preset.keys() {
                assert!(is_known(kind, key), "{kind} preset {name}: no field {key}");
            }
            // The default of tests is only what the others have in common.
            if kind != "test" || name != "default" {
                verify(kind, name, &form(default, preset));
            }
        }
    }
    assert!(!is_known("tune", "base_branch") && !is_known("test", "hope") && !is_known("test", "both_hope"));
    // The page applies this preset when the engine is chosen.
    assert!(settings["test_presets"]["STC"].is_object());
}

/// The hook refuses what OpenBench could not read.
#[test]
#[cfg(unix)]
fn the_hook_asks_for_the_bench_line() {
    let (file, name) = path("message.txt");
    let hook = root().join(".githooks/commit-msg");
    let run = |message: &str| {
        fs::write(&file, message).expect("it can be written");
        let output = Command::new("sh").arg(&hook).arg(&name).output().expect("there is a shell");
        (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let scissors = "# ------------------------ >8 ------------------------";
    for message in [
        "A change\n\nBench: 3555735\n",
        "A change\n\nWhy.\nBench: 3555735\n\n# a comment of git\n",
        "A change\r\n\r\nBench: 3555735\r\n",
        &format!("A change\n\nBench: 1\n{scissors}\ndiff --git a/x b/x\n+x\n"),
    ] {
        assert_eq!(run(message), (true, String::new()), "{message:?}");
    }
    for message in [
        "",
        "A change\n",
        "A change\n\nBench: 3555735\nand more\n",
        "A change\n\nBench: 3,555,735\n",
        "A change\n\nbench 3555735\n",
        "A change\n\nBench: 0\n",
        "A change\n\n# Bench: 3555735\n",
    ] {
        let (is_taken, sentence) = run(message);
        assert!(!is_taken && sentence.lines().count() == 1, "{message:?}: {sentence}");
        assert!(sentence.contains("\"Bench: N\""), "{sentence}");
    }
}

#[test]
fn games_in_pgn_become_training_data() {
    let ((pgn, games), (data, out)) = (path("uploaded.pgn"), path("uploaded.vf"));
    let entrants = ["--engine", "cmd=self,name=a", "--engine", "cmd=self,name=b"];
    let limits = ["--nodes", "300", "--games", "4", "--max-moves", "30", "--pgn", &games];
    succeeds(&[&["match"][..], &entrants, &limits].concat());
    let read: Value = serde_json::from_str(&succeeds(&["pgn", &games, "--json"])).expect("JSON");
    let convert = ["data", "from-pgn", &games, "--out", &out];
    let made: Value = serde_json::from_str(&succeeds(&[&convert[..], &["--json"]].concat())).expect("JSON");
    assert_eq!((&made["games"], &made["positions"]), (&read["games"], &read["plies"]));
    assert!(made["scored"].as_u64() > Some(100) && made["scored"].as_u64() <= made["positions"].as_u64());
    let positions = made["positions"].as_u64().expect("a number");
    assert!(succeeds(&["data", "check", &out]).contains(&format!("4 games with {positions} positions")));

    // A bad game is named and the others are kept; what was converted before gives way to them.
    let mut text = fs::read_to_string(&pgn).expect("it is there");
    text.push_str(
        "\n[Event \"bad\"]\n\n1. e4 {+0.20/9 0.1s} e4 1-0\n\n[Event \"open\"]\n\n1. e4 {+0.20/9 0.1s} *\n",
    );
    fs::write(&pgn, &text).expect("it can be written");
    let whole = fs::read(&data).expect("it is there");
    let output = rukh(&convert);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        said.contains("uploaded.pgn: game 5, line ") && said.contains("game 6: it has no result"),
        "{said}"
    );
    assert!(
        said.contains(&format!("4 games with {positions} positions in "))
            && said.contains("; 2 games skipped")
    );
    assert_eq!(fs::read(&data).expect("it is there"), whole);

    fs::write(&pgn, "no games at all").expect("it can be written");
    let output = rukh(&convert);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no game to write"));
    assert_eq!(fs::read(&data).expect("it is there"), whole, "what is refused changes nothing");
    assert!(refused(&["data", "from-pgn", &games, "--out", &games]).contains("written over"));
    assert!(refused(&["data", "from-pgn", "/nowhere/x.pgn", "--out", &out]).contains("/nowhere/x.pgn"));
    assert!(refused(&["data", "from-pgn", "x.pgn.gz", "--out", &out]).contains("x.pgn.gz"));
}
