//! The laboratory: state files of a directory.

use std::fs;
use std::path::PathBuf;

use rukh_web::Config;
use serde_json::json;

use crate::client::TestServer;

/// A directory that goes with the test.
struct Directory(PathBuf);

impl Directory {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("rukh-web-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).expect("it can be created");
        Self(path)
    }

    fn write(&self, name: &str, header: &serde_json::Value, lines: &[serde_json::Value]) {
        let mut text = format!("{header}\n");
        for (number, line) in (1..).zip(lines) {
            text += &format!("{number} 0123456789abcdef {line}\n");
        }
        // The last line is being written.
        fs::write(self.0.join(name), text + "99 01").expect("it can be written");
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn matches_and_tunings_are_shown() {
    let directory = Directory::new("shown");
    let header = json!({
        "kind": "match", "event": "sprt", "engines": [{ "name": "new", "cmd": "./secret" }, { "name": "old" }],
        "encounters": [[0, 1]], "games": 8,
    });
    let game = |index: u64, result: &str| {
        json!({ "game": index, "result": result, "reason": "checkmate", "fault": null, "effort": [[1, 1, 1, 1], [1, 1, 1, 1]],
                "pgn": format!("[Round \"{index}\"]\n\n1. e4 *\n") })
    };
    directory.write(
        "test.state",
        &header,
        &[game(1, "0-1"), game(0, "1-0"), game(2, "1/2-1/2"), game(3, "0-1")],
    );
    let tune = json!({ "kind": "tune", "parameters": ["rfp_margin, int, 80, 20, 200, 8, 0.002"], "engine": { "name": "self" }, "iterations": 100 });
    let iteration =
        |number: u64, value: f64| json!({ "iteration": number, "games": [1, 0, 1], "values": [value] });
    directory.write("spsa.state", &tune, &[iteration(1, 80.5), iteration(2, 81.0)]);
    fs::write(directory.0.join("games.pgn"), "1. e4 *\n").expect("it can be written");
    fs::write(directory.0.join("broken.state"), "nonsense\n").expect("it can be written");
    let server = TestServer::with(Config { lab: Some(directory.0.clone()), ..Config::default() });
    let list = server.get("/api/lab").json();
    assert_eq!(
        (list["runs"].as_array().map(Vec::len), &list["faults"][0]["name"]),
        (Some(3), &json!("broken.state"))
    );
    let run = server.get("/api/lab/run?name=test.state").json();
    assert_eq!(
        (&run["engines"], &run["finished"], &run["pairs"]),
        (&json!(["new", "old"]), &json!(4), &json!([0, 0, 0, 1, 1]))
    );
    assert_eq!(
        (&run["rows"][0]["wins"], &run["rows"][0]["points"], &run["rows"][1]["losses"]),
        (&json!(3), &json!(3.5), &json!(3))
    );
    assert!(run["llr"][3][1].as_f64() > Some(0.0) && run["llr"].as_array().map(Vec::len) == Some(4), "{run}");
    assert_eq!(run["sprt"]["elo1"], json!(5.0));
    assert!(!run.to_string().contains("secret"), "commands of engines stay on this machine");
    let pgn = server.get("/api/lab/games?name=test.state&game=2").json();
    assert!(pgn["pgn"].as_str().is_some_and(|text| text.contains("[Round \"2\"]")));
    let run = server.get("/api/lab/run?name=spsa.state").json();
    assert_eq!(
        (&run["values"], &run["value_iterations"]),
        (&json!([[80.0], [80.5], [81.0]]), &json!([0, 1, 2]))
    );
    assert_eq!((&run["parameters"][0]["least"], &run["games"]), (&json!(20.0), &json!([2, 0, 2])));
    assert_eq!(server.get("/api/lab/games?name=games.pgn").json()["pgn"], "1. e4 *\n");
}

#[test]
fn the_test_of_a_match_is_that_of_its_state_file() {
    let directory = Directory::new("hypotheses");
    let header = |sprt: &serde_json::Value| json!({ "kind": "match", "engines": [{ "name": "a" }, { "name": "b" }], "encounters": [[0, 1]], "games": 8, "sprt": sprt });
    let test = json!({ "model": "logistic", "elo0": -3.0, "elo1": 1.0, "alpha": 0.1, "beta": 0.02 });
    directory.write("test.state", &header(&test), &[]);
    directory.write("match.state", &header(&json!(null)), &[]);
    let server = TestServer::with(Config { lab: Some(directory.0.clone()), ..Config::default() });
    let sprt = |query: &str| server.get(&format!("/api/lab/run?name={query}")).json()["sprt"].clone();
    let held = sprt("test.state");
    for (name, value) in test.as_object().expect("an object") {
        assert_eq!(&held[name], value, "{held}");
    }
    assert_eq!(held["source"], "state");
    // ln(0.02 / 0.9) and ln(0.98 / 0.1)
    assert!((held["lower"].as_f64().expect("a number") + 3.807).abs() < 0.001, "{held}");
    assert!((held["upper"].as_f64().expect("a number") - 2.282).abs() < 0.001, "{held}");
    let other = sprt("test.state&elo1=2&alpha=0.05");
    assert_eq!((&other["elo0"], &other["elo1"], &other["alpha"]), (&json!(-3.0), &json!(2.0), &json!(0.05)));
    assert_eq!(other["source"], "request");
    assert_eq!(
        (&sprt("match.state")["elo1"], &sprt("match.state")["source"]),
        (&json!(5.0), &json!("default"))
    );
    for bad in ["elo0=5&elo1=0", "alpha=0.7", "beta=0", "model=guess", "elo0=x"] {
        server.get(&format!("/api/lab/run?name=test.state&{bad}")).sentence(400, "bad-input");
    }
}

#[test]
fn no_path_leaves_the_directory() {
    let directory = Directory::new("inside");
    directory.write("test.state", &json!({ "kind": "other" }), &[]);
    fs::create_dir_all(directory.0.join("folder")).expect("it can be created");
    let server = TestServer::with(Config { lab: Some(directory.0.clone()), ..Config::default() });
    assert_eq!(server.get("/api/lab/run?name=test.state").json()["kind"], "other");
    for name in [
        "../inside/test.state",
        "%2e%2e/x",
        "/etc/passwd",
        "folder",
        "folder/../test.state",
        "./test.state",
        "",
        "%00",
    ] {
        for route in ["run", "games"] {
            server.get(&format!("/api/lab/{route}?name={name}")).sentence(404, "not-found");
        }
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("/etc/passwd", directory.0.join("link.pgn")).expect("it can be created");
        server.get("/api/lab/games?name=link.pgn").sentence(404, "not-found");
        assert!(!server.get("/api/lab").body.contains("link.pgn"));
    }
}

#[test]
fn without_a_directory_there_is_nothing() {
    let server = TestServer::start();
    assert_eq!(server.get("/api/info").json()["has_lab"], false);
    assert_eq!(server.get("/api/lab").json()["runs"], json!([]));
    server.get("/api/lab/run?name=test.state").sentence(404, "not-found");
    let sentence = server.get("/api/lab/run").sentence(400, "bad-input");
    assert!(sentence.contains("name"), "{sentence}");
}
