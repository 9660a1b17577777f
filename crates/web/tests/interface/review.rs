//! The review of games.

use serde_json::{Value, json};

use crate::client::TestServer;

const GAMES: &str = "[White \"A\"]\n[Black \"B\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n\
                     [White \"C\"]\n\n1. e4 Qxz9 *\n\n[White \"D\"]\n\n1. e4 e5 *\n";

#[test]
fn games_are_reviewed_with_their_mistakes() {
    let server = TestServer::start();
    let session = server.session();
    let mut stream = server.stream(&session);
    let path = format!("{session}/review");
    server.get(&format!("{path}.pgn")).sentence(404, "not-found");
    let started = server.done(&path, &json!({ "pgn": GAMES, "depth": 6 }));
    assert_eq!((&started["games"], &started["positions"]), (&json!(2), &json!(8)));
    let done = stream.wait("review", |review| review["state"] == "done");
    // The last position of the first game is mate, which needs no analysis.
    assert_eq!((&done["position"], &done["game"]), (&json!(7), &json!(2)));
    assert_eq!(done["faults"][0]["game"], 2);
    let json = server.get(&path).json();
    let game = &json["games"][0];
    assert_eq!((&json["review"], &game["white"]["name"]), (&started["review"], &json!("A")));
    assert_eq!(json["games"][1]["number"], 3);
    let moves = game["moves"].as_array().expect("a list of moves");
    let blunders = moves.iter().step_by(2).filter(|played| played["judgement"] == "blunder").count();
    assert_eq!((&game["white"]["blunders"], &game["black"]["blunders"]), (&json!(blunders), &json!(0)));
    assert!(game["white"]["accuracy"].as_f64() < game["black"]["accuracy"].as_f64());
    let blunder = &game["moves"][2];
    assert_eq!((&blunder["judgement"], &blunder["move"]), (&json!("blunder"), &json!("g4")));
    assert!(blunder["reasons"][0].as_str().is_some_and(|text| text.contains("mate in 1")), "{blunder}");
    assert!(
        blunder["best"][0]["uci"].is_string()
            && blunder["fen"].as_str().is_some_and(|fen| fen.contains(" w "))
    );
    assert_eq!(game["expected"].as_array().map(Vec::len), Some(5));
    assert_eq!(game["expected"][4].as_f64(), Some(0.0), "White is mated");
    let pgn = server.get(&format!("{path}.pgn"));
    assert!(pgn.body.contains("Blunder") && pgn.headers.contains("attachment"), "{pgn:?}");
    let html = server.get(&format!("{path}.html"));
    assert!(html.body.contains("<svg") && html.headers.contains("attachment"), "{}", html.headers);
}

#[test]
fn a_review_is_exclusive_and_can_be_stopped() {
    let server = TestServer::start();
    let session = server.session();
    let mut stream = server.stream(&session);
    let path = format!("{session}/review");
    let long = "[White \"x\"]\n\n1. e4 e5 *\n\n".repeat(20) + GAMES;
    server.done(&path, &json!({ "pgn": GAMES, "depth": 3 }));
    stream.wait("review", |review| review["state"] == "done");
    server.done(&path, &json!({ "pgn": long, "movetime_ms": 100 }));
    stream.wait("review", |review| review["state"] == "running" && review["game"].as_u64() > Some(1));
    for (route, body) in [("analysis", json!({})), ("review", json!({ "pgn": GAMES })), ("tree", json!({}))] {
        let sentence = server.post(&format!("{session}/{route}"), &body).sentence(409, "conflict");
        assert!(sentence.contains("busy with a review"), "{sentence}");
    }
    server.post(&format!("{session}/settings"), &json!({ "multipv": 2 })).sentence(409, "conflict");
    server.done(&format!("{session}/stop"), &json!({}));
    let stopped = stream.wait("review", |review| review["state"] == "stopped");
    let finished = server.get(&path).json()["games"].as_array().map_or(0, Vec::len) as u64;
    assert!(finished >= 1 && Some(finished) < stopped["games"].as_u64(), "{finished} of {stopped}");
}

#[test]
fn a_pgn_with_faults_only_is_refused() {
    let server = TestServer::start();
    let session = server.session();
    let path = format!("{session}/review");
    let refused = |pgn: &str| server.post(&path, &json!({ "pgn": pgn })).sentence(400, "bad-input");
    assert!(refused("1. e4 e4 *").contains("no readable game"));
    assert!(refused("").contains("no game"));
    assert!(refused(&"1. e4 *\n\n".repeat(51)).contains("at most 50 games"));
    assert_eq!(server.get(&session).json()["review"]["state"], "none");
    assert_eq!(server.get(&path).json()["games"], Value::Array(Vec::new()));
}
