//! Sessions, their game tree, and the analysis stream.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use rukh_chess::Position;
use rukh_engine::tablebase::{Tablebase, Wdl};
use rukh_eval::Network;
use rukh_web::{Config, Evaluations};
use serde_json::{Value, json};

use crate::client::TestServer;

const MATE_IN_ONE: &str = "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1";

#[test]
fn an_analysis_reports_lines() {
    let server = TestServer::start();
    let session = server.session();
    let mut stream = server.stream(&session);
    server.done(&format!("{session}/settings"), &json!({ "multipv": 3 }));
    let started =
        server.done(&format!("{session}/analysis"), &json!({ "moves": ["e4"], "limits": { "depth": 8 } }));
    let number = &started["search"];
    let done =
        stream.wait("analysis", |analysis| analysis["search"] == *number && analysis["state"] == "done");
    let lines = done["lines"].as_array().expect("lines");
    assert_eq!((lines.len(), &done["depth"]), (3, &json!(8)));
    assert!(done["nodes"].as_u64() > Some(100) && done["nps"].as_u64() > Some(0), "{done}");
    assert_eq!(done["best"]["uci"], lines[0]["pv"][0]["uci"]);
    for line in lines {
        let wdl: u64 = line["wdl"].as_array().expect("WDL").iter().filter_map(Value::as_u64).sum();
        assert_eq!(wdl, 1_000, "{line}");
        let moves: Vec<&str> = ["e4"]
            .into_iter()
            .chain(line["pv"].as_array().expect("a line").iter().filter_map(|mv| mv["san"].as_str()))
            .collect();
        server.done("/api/position", &json!({ "moves": moves }));
    }
}

#[test]
fn scores_are_those_of_white() {
    let server = TestServer::start();
    let session = server.session();
    let mut stream = server.stream(&session);
    let mut score = |fen: &str| {
        let body = json!({ "fen": fen, "limits": { "depth": 4 } });
        let number = server.done(&format!("{session}/analysis"), &body)["search"].clone();
        let done =
            stream.wait("analysis", |analysis| analysis["search"] == number && analysis["state"] == "done");
        (done["lines"][0]["score"].clone(), done["lines"][0]["wdl"].clone(), done["lines"][0]["text"].clone())
    };
    assert_eq!(score(MATE_IN_ONE), (json!({ "mate": 1 }), json!([1000, 0, 0]), json!("#1")));
    let black = "k2r4/8/8/8/8/8/5PPP/6K1 b - - 0 1";
    assert_eq!(score(black), (json!({ "mate": -1 }), json!([0, 0, 1000]), json!("#-1")));
}

#[test]
fn an_endless_analysis_is_replaced_and_stopped() {
    let server = TestServer::start();
    let session = server.session();
    let mut stream = server.stream(&session);
    let analyse = format!("{session}/analysis");
    let first = server.done(&analyse, &json!({}))["search"].clone();
    stream.wait("analysis", |analysis| analysis["search"] == first && analysis["depth"].as_u64() > Some(5));
    // Ten quick requests: the last one counts.
    let mut last = Value::Null;
    for _ in 0..10 {
        last = server.done(&analyse, &json!({ "moves": ["d4"] }))["search"].clone();
    }
    stream.wait("analysis", |analysis| analysis["search"] == last && analysis["depth"].as_u64() > Some(5));
    let start = Instant::now();
    server.done(&format!("{session}/stop"), &json!({}));
    stream.wait("analysis", |analysis| analysis["state"] == "stopped" && analysis["search"] == last);
    assert!(start.elapsed() < Duration::from_secs(5));
    server.done(&format!("{session}/stop"), &json!({}));
}

#[test]
fn updates_come_at_most_fifteen_times_a_second() {
    let server = TestServer::start();
    let session = server.session();
    let mut stream = server.stream(&session);
    server.done(&format!("{session}/settings"), &json!({ "multipv": 5 }));
    server.done(&format!("{session}/analysis"), &json!({ "limits": { "movetime_ms": 2000 } }));
    stream.wait("analysis", |analysis| analysis["state"] == "running");
    let start = Instant::now();
    let mut count = 0;
    while stream.next().is_some_and(|(_, snapshot)| snapshot["state"] != "done") {
        count += 1;
    }
    let most = (start.elapsed().as_secs_f64() * 15.0).ceil() as usize + 2;
    assert!((3..=most).contains(&count), "{count} of {most}");
}

#[test]
fn a_threat_is_the_move_of_the_other_side() {
    let server = TestServer::start();
    let session = server.session();
    let mut stream = server.stream(&session);
    // White to move; Black threatens mate on the back rank.
    let fen = "k2r4/8/8/8/8/7p/5PPP/6K1 w - - 0 1";
    let body = json!({ "fen": fen, "is_threat": true, "limits": { "depth": 5 } });
    let number = server.done(&format!("{session}/analysis"), &body)["search"].clone();
    let done =
        stream.wait("analysis", |analysis| analysis["search"] == number && analysis["state"] == "done");
    assert_eq!((&done["lines"][0]["pv"][0]["san"], &done["fen"]), (&json!("Rd1#"), &json!(fen)));
    let check = json!({ "moves": ["e4", "e5", "Qh5", "Nc6", "Qxf7"], "is_threat": true });
    assert!(server.post(&format!("{session}/analysis"), &check).sentence(400, "bad-input").contains("check"));
}

#[test]
fn tree_searches_report_their_root_moves() {
    let server = TestServer::start();
    let session = server.session();
    let mut stream = server.stream(&session);
    for search in ["mcts", "uct"] {
        server.done(&format!("{session}/settings"), &json!({ "search": search }));
        let body = json!({ "fen": MATE_IN_ONE, "limits": { "nodes": 200 } });
        let number = server.done(&format!("{session}/analysis"), &body)["search"].clone();
        let done =
            stream.wait("analysis", |analysis| analysis["search"] == number && analysis["state"] == "done");
        let root = done["root"].as_array().expect("root moves");
        assert!(root.len() > 5 && root[0]["visits"].as_u64() > Some(0), "{search}: {done}");
        assert_eq!(root[0]["san"], "Rd8#");
    }
}

#[test]
fn settings_are_clamped_to_the_flags() {
    let server = TestServer::with(Config { threads: 2, hash: 32, ..Config::default() });
    let session = server.session();
    let settings = format!("{session}/settings");
    let set = server.done(&settings, &json!({ "threads": 9999, "hash": 1_000_000, "multipv": 99 }));
    let expected =
        json!({ "threads": 2, "hash": 32, "multipv": 5, "search": "alphabeta", "evaluation": "network" });
    assert_eq!(set, expected);
    assert_eq!(server.done(&settings, &json!({ "threads": 0, "hash": 0, "multipv": 0 }))["hash"], 1);
    for bad in [
        json!({ "threads": -1 }),
        json!({ "hash": "much" }),
        json!({ "search": "minimax" }),
        json!({ "evaluation": "/etc" }),
    ] {
        server.post(&settings, &bad).sentence(400, "bad-input");
    }
    assert_eq!(server.get(&session).json()["settings"]["threads"], 1, "a refused change changes nothing");
}

#[test]
fn a_reload_finds_everything_again() {
    let server = TestServer::start();
    let session = server.session();
    let game = json!({ "tags": [["White", "Me"]], "moves": [{ "san": "e4", "comments": ["mine"] }] });
    let body = json!({ "revision": 1, "game": game, "view": { "path": [0] } });
    server.done(&format!("{session}/game"), &body);
    server.done(&format!("{session}/analysis"), &json!({ "moves": ["e4"], "limits": { "depth": 3 } }));
    server.stream(&session).wait("analysis", |analysis| analysis["state"] == "done");
    let all = server.get(&session).json();
    assert_eq!((&all["game"]["revision"], &all["game"]["view"]["path"]), (&json!(2), &json!([0])));
    assert_eq!(all["game"]["game"]["moves"][0]["comments"], json!(["mine"]));
    assert_eq!((&all["analysis"]["depth"], &all["play"]["state"]), (&json!(3), &json!("none")));
    let mut stream = server.stream(&session);
    let mut names: Vec<String> = (0..6).map(|_| stream.next().expect("a snapshot").0).collect();
    names.sort();
    assert_eq!(names, ["analysis", "game", "play", "review", "settings", "tree"]);
    let pgn = server.get(&format!("{session}/game.pgn"));
    assert!(pgn.body.contains("1. e4 {mine} *") && pgn.headers.contains("attachment"), "{pgn:?}");
}

#[test]
fn two_tabs_do_not_overwrite_each_other() {
    let server = TestServer::start();
    let session = server.session();
    let game = format!("{session}/game");
    let (mut one, mut other) = (server.stream(&session), server.stream(&session));
    server.done(&game, &json!({ "revision": 1, "pgn": "1. e4 *" }));
    for stream in [&mut one, &mut other] {
        let snapshot = stream.wait("game", |snapshot| snapshot["revision"] == 2);
        assert_eq!(snapshot["game"]["moves"][0]["san"], "e4");
    }
    // The other tab has not seen it yet.
    let late = server.post(&game, &json!({ "revision": 1, "pgn": "1. d4 *" }));
    assert!(late.sentence(409, "conflict").contains("another tab"));
    assert_eq!(late.json()["snapshot"]["game"]["moves"][0]["san"], "e4");
    assert_eq!(server.get(&session).json()["game"]["revision"], 2, "nothing is lost");
    for bad in [
        json!({ "revision": 2, "pgn": "1. e4 e4 *" }),
        json!({ "revision": 2, "pgn": "" }),
        json!({ "revision": 2, "game": {}, "pgn": "1. e4" }),
        json!({ "revision": 2, "view": "x".repeat(5_000) }),
        json!({ "pgn": "1. e4" }),
    ] {
        server.post(&game, &bad).sentence(400, "bad-input");
    }
    assert_eq!(server.get(&session).json()["game"]["revision"], 2);
}

/// Tablebases whose reader has a fault: the search thread that probes them ends.
#[derive(Debug)]
struct FaultyTables;

impl Tablebase for FaultyTables {
    fn max_pieces(&self) -> u32 {
        5
    }

    fn wdl(&self, position: &Position) -> Option<Wdl> {
        assert!(
            position.occupied().count() > self.max_pieces(),
            "a fault of the tablebase reader, on purpose"
        );
        None
    }

    fn dtz(&self, position: &Position) -> Option<i32> {
        self.wdl(position).map(|_| 0)
    }
}

#[test]
fn an_ended_engine_thread_is_replaced() {
    let server = TestServer::with(Config { tablebase: Some(Arc::new(FaultyTables)), ..Config::default() });
    let session = server.session();
    let mut stream = server.stream(&session);
    server.done(&format!("{session}/game"), &json!({ "revision": 1, "pgn": "1. e4 *" }));
    // Five pieces: the root is probed. Six pieces: the search thread probes after a capture.
    for fen in ["4k3/8/8/8/8/8/3PPP2/4K3 w - - 0 1", "4k3/3p4/4P3/8/8/8/3PP3/4K3 w - - 0 1"] {
        for _ in 0..2 {
            let number =
                server.done(&format!("{session}/analysis"), &json!({ "fen": fen }))["search"].clone();
            let failed = stream
                .wait("analysis", |analysis| analysis["search"] == number && analysis["state"] == "failed");
            assert!(
                failed["message"].as_str().is_some_and(|text| text.contains("ended unexpectedly")),
                "{failed}"
            );
        }
        let number =
            server.done(&format!("{session}/analysis"), &json!({ "limits": { "depth": 4 } }))["search"]
                .clone();
        stream.wait("analysis", |analysis| analysis["search"] == number && analysis["state"] == "done");
    }
    assert_eq!(server.get(&session).json()["game"]["revision"], 2, "nothing is lost");
    // A position request ends its own work only.
    let five = json!({ "fen": "4k3/8/8/8/8/8/3PPP2/4K3 w - - 0 1" });
    server.post("/api/position", &five).sentence(500, "engine-failed");
    assert_eq!(server.get("/api/info").status, 200);
}

#[test]
fn ten_sessions_do_not_starve_each_other() {
    let server = TestServer::start();
    let sessions: Vec<String> = (0..10).map(|_| server.session()).collect();
    let mut streams: Vec<_> = sessions.iter().map(|session| server.stream(session)).collect();
    for session in &sessions {
        server.done(&format!("{session}/analysis"), &json!({}));
    }
    for stream in &mut streams {
        stream.wait("analysis", |analysis| analysis["depth"].as_u64() > Some(6));
    }
    let start = Instant::now();
    server.done("/api/position", &json!({}));
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    // Each session gets its share of the machine.
    thread::sleep(Duration::from_secs(2));
    let nodes = |session: &String| {
        server.done(&format!("{session}/stop"), &json!({}));
        server.get(session).json()["analysis"]["nodes"].as_u64().expect("a number")
    };
    let nodes: Vec<u64> = sessions.iter().map(nodes).collect();
    let (least, most) = (nodes.iter().min().expect("ten"), nodes.iter().max().expect("ten"));
    assert!(least * 20 > *most, "{nodes:?}");
}

#[test]
fn networks_are_chosen_by_name() {
    let mut evaluations = Evaluations::default();
    evaluations.add("other", Network::built_in());
    let server = TestServer::with(Config { evaluations, ..Config::default() });
    let info = server.get("/api/info").json();
    let names: Vec<&str> =
        info["evaluations"].as_array().expect("a list").iter().filter_map(|it| it["name"].as_str()).collect();
    assert_eq!(names, ["network", "classical", "other"]);
    assert!(info["evaluations"][2]["description"].as_str().is_some_and(|text| !text.is_empty()), "{info}");
    let session = server.session();
    let mut stream = server.stream(&session);
    let mut analyse = |name: &str| {
        server.done(&format!("{session}/settings"), &json!({ "evaluation": name }));
        let body = json!({ "limits": { "depth": 7 } });
        let number = server.done(&format!("{session}/analysis"), &body)["search"].clone();
        let done =
            stream.wait("analysis", |analysis| analysis["search"] == number && analysis["state"] == "done");
        done["nodes"].clone()
    };
    let (network, classical, other) = (analyse("network"), analyse("classical"), analyse("other"));
    assert_eq!(network, other, "the same network searches the same tree");
    assert_ne!(network, classical);
    let settings = format!("{session}/settings");
    for bad in ["third", "../other", "other.net", "/tmp/other.net", ""] {
        let sentence = server.post(&settings, &json!({ "evaluation": bad })).sentence(400, "bad-input");
        assert!(sentence.contains("there are network, classical, other"), "{sentence}");
    }
    let recorded = server.done(&format!("{session}/tree"), &json!({ "depth": 3, "evaluation": "other" }));
    assert_eq!(recorded["state"], "running");
}
