//! A game against the engine.

use std::time::Duration;

use serde_json::{Value, json};

use crate::client::{Stream, TestServer};

/// A quick game, and the path of its commands.
fn begin(server: &TestServer, more: &Value) -> (String, Stream, Value) {
    let session = server.session();
    let stream = server.stream(&session);
    let mut body = json!({ "command": "new", "level": 0, "movetime_ms": 20 });
    for (name, value) in more.as_object().expect("an object") {
        body[name] = value.clone();
    }
    let path = format!("{session}/play");
    let started = server.done(&path, &body);
    (path, stream, started)
}

#[test]
fn a_game_is_played_to_its_end() {
    let server = TestServer::start();
    let (path, mut stream, started) = begin(&server, &json!({}));
    assert_eq!(
        (&started["state"], &started["color"], &started["ply"]),
        (&json!("playing"), &json!("white"), &json!(0))
    );
    assert_eq!(started["legal"].as_array().map(Vec::len), Some(20));
    let moved = server.done(&path, &json!({ "command": "move", "move": "e4", "ply": 0 }));
    assert_eq!((&moved["moves"][0]["san"], &moved["is_thinking"]), (&json!("e4"), &json!(true)));
    let answered = stream.wait("play", |play| play["ply"] == 2);
    assert!(answered["opening"]["name"].is_string() && answered["clock"].is_null(), "{answered}");
    server.done(&path, &json!({ "command": "hint" }));
    let hint = stream.wait("play", |play| play["hint"].is_object())["hint"].clone();
    assert!(hint["san"].is_string() && hint["line"].is_array(), "{hint}");
    let back = server.done(&path, &json!({ "command": "takeback" }));
    assert_eq!((&back["ply"], &back["hint"]), (&json!(0), &Value::Null));
    let declined = server.done(&path, &json!({ "command": "draw" }));
    assert!(declined["message"].as_str().is_some_and(|text| text.contains("declines")), "{declined}");
    server.done(&path, &json!({ "command": "move", "move": "d2d4", "ply": 0 }));
    let over = server.done(&path, &json!({ "command": "resign" }));
    assert_eq!((&over["state"], &over["ending"]["result"]), (&json!("over"), &json!("0-1")));
    let pgn = server.get(&format!("{path}.pgn"));
    assert!(pgn.body.contains("1. d4") && pgn.body.contains("[Black \"Rukh (level 0)\"]"), "{pgn:?}");
    // The next game keeps the record.
    let next =
        server.done(&path, &json!({ "command": "new", "color": "black", "elo": 1500, "movetime_ms": 20 }));
    assert_eq!(
        (&next["game"], &next["skill"], &next["color"]),
        (&json!(2), &json!("1500 Elo"), &json!("black"))
    );
    stream.wait("play", |play| play["game"] == 2 && play["ply"] == 1);
    assert_eq!(server.get(&format!("{path}.pgn")).body.matches("[White ").count(), 2);
    let second = server.get(&format!("{path}.pgn?game=2")).body;
    assert!(second.matches("[White ").count() == 1 && second.contains("1500 Elo"), "{second}");
    server.get(&format!("{path}.pgn?game=3")).sentence(404, "not-found");
}

#[test]
fn commands_out_of_order_are_refused() {
    let server = TestServer::start();
    let session = server.session();
    let path = format!("{session}/play");
    let refused = |body: Value, status: u16, code: &str| server.post(&path, &body).sentence(status, code);
    assert!(
        refused(json!({ "command": "move", "move": "e4", "ply": 0 }), 409, "conflict").contains("no game")
    );
    server.get(&format!("{path}.pgn")).sentence(404, "not-found");
    server.done(&path, &json!({ "command": "new", "movetime_ms": 60_000 }));
    refused(json!({ "command": "move", "move": "e5", "ply": 0 }), 400, "bad-input");
    assert!(
        refused(json!({ "command": "move", "move": "e4", "ply": 3 }), 409, "conflict").contains("0 moves")
    );
    assert!(refused(json!({ "command": "takeback" }), 409, "conflict").contains("no move of yours"));
    server.done(&path, &json!({ "command": "move", "move": "e4", "ply": 0 }));
    // Two tabs: the second one sends the same move again.
    refused(json!({ "command": "move", "move": "e4", "ply": 0 }), 409, "conflict");
    assert!(
        refused(json!({ "command": "move", "move": "d4", "ply": 1 }), 409, "conflict")
            .contains("engine's turn")
    );
    refused(json!({ "command": "hint" }), 409, "conflict");
    server.done(&path, &json!({ "command": "move_now" }));
    server.stream(&session).wait("play", |play| play["ply"] == 2);
    server.done(&path, &json!({ "command": "resign" }));
    assert!(refused(json!({ "command": "move", "move": "d4", "ply": 2 }), 409, "conflict").contains("over"));
    for bad in [
        json!({ "command": "cheat" }),
        json!({}),
        json!({ "command": "new", "level": 21 }),
        json!({ "command": "new", "elo": 10 }),
        json!({ "command": "new", "level": 3, "elo": 1500 }),
        json!({ "command": "new", "clock": "fast" }),
        json!({ "command": "new", "color": "green" }),
        json!({ "command": "new", "search": "magic" }),
        json!({ "command": "new", "fen": "8/8/8/8/8/8/8/8 w - - 0 1" }),
        json!({ "command": "new", "fen": "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1" }),
        json!({ "command": "new", "chess960": 1000 }),
    ] {
        refused(bad, 400, "bad-input");
    }
    assert_eq!(server.get(&session).json()["play"]["state"], "over", "refused commands change nothing");
}

#[test]
fn clocks_run_and_a_flag_falls() {
    let server = TestServer::start();
    let (_, mut stream, started) = begin(&server, &json!({ "clock": "0:02+1" }));
    assert_eq!(
        (&started["clock"]["control"], &started["clock"]["running"]),
        (&json!("2+1"), &json!("white"))
    );
    assert!(started["clock"]["white_ms"].as_u64() <= Some(2_000));
    let over = stream.wait("play", |play| play["state"] == "over");
    assert_eq!((&over["ending"]["result"], &over["clock"]["white_ms"]), (&json!("0-1"), &json!(0)));
    assert!(over["ending"]["text"].as_str().is_some_and(|text| text.contains("on time")), "{over}");
    assert_eq!(over["clock"]["running"], Value::Null);
}

#[test]
fn chess960_and_a_start_position_can_be_played() {
    let server = TestServer::start();
    let (path, mut stream, started) = begin(&server, &json!({ "chess960": 0 }));
    assert!(started["start"].as_str().is_some_and(|fen| fen.starts_with("bbqnnrkr/")), "{started}");
    server.done(&path, &json!({ "command": "move", "move": "e4", "ply": 0 }));
    stream.wait("play", |play| play["ply"] == 2);
    let (path, mut stream, _) = begin(&server, &json!({ "fen": "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1" }));
    std::thread::sleep(Duration::from_millis(10));
    server.done(&path, &json!({ "command": "move", "move": "Rd8", "ply": 0 }));
    let over = stream.wait("play", |play| play["state"] == "over");
    assert_eq!(over["ending"]["text"], "White wins by checkmate");
}
