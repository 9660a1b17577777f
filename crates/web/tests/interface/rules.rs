//! Rules, PGN and static evaluation without a session.

use serde_json::{Value, json};

use crate::client::TestServer;

#[test]
fn a_position_is_described() {
    let server = TestServer::start();
    let json = server.done("/api/position", &json!({ "moves": ["e4", "c7c5"] }));
    assert_eq!((&json["side"], &json["opening"]["code"]), (&json!("white"), &json!("B20")));
    assert_eq!((json["legal"].as_array().map(Vec::len), &json["path"][1]["uci"]), (Some(30), &json!("c7c5")));
    let json = server.done("/api/position", &json!({ "chess960": 0 }));
    assert_eq!((json["is_chess960"].as_bool(), &json["ending"]), (Some(true), &Value::Null));
    let mate = server.done("/api/position", &json!({ "moves": ["f3", "e5", "g4", "Qh4"] }));
    assert_eq!((&mate["check"], &mate["ending"]["result"]), (&json!("e1"), &json!("0-1")));
}

#[test]
fn bad_positions_and_moves_are_named() {
    let server = TestServer::start();
    let refused = |body: Value| server.post("/api/position", &body).sentence(400, "bad-input");
    for (fen, word) in [
        ("8/8/8/8/8/8/8/8 w - - 0 1", "king"),
        ("rubbish", "8 ranks"),
        ("", ""),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1", "x"),
        ("rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", ""),
    ] {
        let sentence = refused(json!({ "fen": fen }));
        assert!(sentence.contains(word), "{fen}: {sentence}");
    }
    assert!(refused(json!({ "fen": "x".repeat(100_000) })).len() < 1_000, "a sentence is short");
    for text in ["e5", "", "e2e5", "O-O", "e2e4\u{0}", "♞", &"N".repeat(10_000)] {
        let sentence = refused(json!({ "moves": [text] }));
        assert!(sentence.contains("is no legal move in") && sentence.len() < 300, "{sentence}");
    }
    assert!(refused(json!({ "moves": vec!["e4"; 3_000] })).contains("at most"));
    assert!(refused(json!({ "chess960": 960 })).contains("0 to 959"));
}

#[test]
fn pgn_is_read_with_its_faults_and_written() {
    let server = TestServer::start();
    let pgn = "[White \"A\"]\n[Result \"1-0\"]\n\n1. e4 (1. d4 d5 {queen's pawn}) 1... e5 $1 1-0\n\n\
               [White \"B\"]\n\n1. e4 Qxz9 *\n\n[White \"C\"]\n\n1. c4 *\n";
    let json = server.done("/api/pgn/read", &json!({ "pgn": pgn, "game": 0 }));
    assert_eq!(json["games"].as_array().map(Vec::len), Some(2));
    assert_eq!((&json["faults"][0]["game"], &json["games"][1]["white"]), (&json!(2), &json!("C")));
    let variation = &json["game"]["moves"][0]["variations"][0]["moves"];
    assert_eq!((&variation[1]["san"], &variation[1]["comments"][0]), (&json!("d5"), &json!("queen's pawn")));
    let written = server.done("/api/pgn/write", &json!({ "game": json["game"] }));
    let text = written["pgn"].as_str().expect("text");
    assert!(text.contains("1. e4 (1. d4 d5 {queen's pawn}) 1... e5 $1 1-0"), "{text}");
    let again = server.done("/api/pgn/read", &json!({ "pgn": text }));
    assert_eq!(again["game"], json["game"]);
    for bad in ["", "   ", "1. e4 e4", "[White \"x", "{"] {
        let sentence = server.post("/api/pgn/read", &json!({ "pgn": bad })).sentence(400, "bad-input");
        assert!(sentence.contains("no readable game") || sentence.contains("no game"), "{bad}: {sentence}");
    }
    let illegal = json!({ "game": { "moves": [{ "san": "e5" }] } });
    assert!(server.post("/api/pgn/write", &illegal).sentence(400, "bad-input").contains("e5"));
}

#[test]
fn deep_trees_are_refused_in_words() {
    let server = TestServer::start();
    let mut moves = json!([{ "san": "e4" }]);
    for depth in 0..60 {
        moves = json!([{ "san": "e4", "variations": [{ "moves": moves }] }]);
        if depth == 20 {
            assert_eq!(server.post("/api/pgn/write", &json!({ "game": { "moves": moves } })).status, 200);
        }
    }
    server.post("/api/pgn/write", &json!({ "game": { "moves": moves } })).sentence(400, "bad-input");
    let long: Vec<Value> = (0..30_000).map(|_| json!({ "uci": "0000" })).collect();
    let sentence =
        server.post("/api/pgn/write", &json!({ "game": { "moves": long } })).sentence(400, "bad-input");
    assert!(sentence.contains("20000"), "{sentence}");
}

#[test]
fn the_static_evaluation_is_that_of_eval() {
    let server = TestServer::start();
    let json = server.done("/api/evaluate", &json!({ "moves": ["e4"] }));
    assert_eq!(json["pieces"].as_array().map(Vec::len), Some(32));
    assert!(json["text"].as_str().is_some_and(|text| text.contains("output bucket")), "{json}");
    let json = server.done("/api/evaluate", &json!({ "evaluation": "classical" }));
    assert!(json["terms"].as_array().is_some_and(|terms| !terms.is_empty()));
    let check = json!({ "moves": ["f3", "e5", "g4", "Qh4"] });
    assert!(server.post("/api/evaluate", &check).sentence(400, "bad-input").contains("in check"));
    let other = json!({ "evaluation": "../../secret" });
    assert!(server.post("/api/evaluate", &other).sentence(400, "bad-input").contains("no evaluation"));
}
