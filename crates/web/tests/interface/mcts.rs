//! The tree of a Monte Carlo search, node by node.

use serde_json::{Value, json};

use crate::client::{Stream, TestServer};

fn search(server: &TestServer, session: &str, stream: &mut Stream, body: &Value) -> Value {
    let number = server.done(&format!("{session}/analysis"), body)["search"].clone();
    stream.wait("analysis", |analysis| analysis["search"] == number && analysis["state"] == "done")
}

fn visits(json: &Value) -> u64 {
    json["visits"].as_u64().expect("a number of visits")
}

#[test]
fn visits_of_the_children_sum_to_those_of_the_parent_less_one() {
    let server = TestServer::start();
    let session = server.session();
    let mut stream = server.stream(&session);
    server.done(&format!("{session}/settings"), &json!({ "search": "mcts" }));
    let body = json!({ "moves": ["e4"], "limits": { "nodes": 300 } });
    let done = search(&server, &session, &mut stream, &body);
    let node = |line: &str| {
        let answer = server.get(&format!("{session}/mcts?search={}&line={line}", done["search"]));
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.json()
    };
    let root = node("");
    let by_move = |moves: &Value| {
        let mut moves = moves.as_array().expect("moves").clone();
        moves.sort_by_key(|info| info["uci"].to_string());
        moves.iter().map(|info| (info["uci"].clone(), info["visits"].clone())).collect::<Vec<_>>()
    };
    assert_eq!(by_move(&root["moves"]), by_move(&done["root"]), "the root is that of the analysis");
    let mut open = vec![(String::new(), root)];
    let mut expanded = 0;
    while let Some((line, node_here)) = open.pop() {
        let moves = node_here["moves"].as_array().expect("moves");
        if moves.is_empty() {
            continue;
        }
        expanded += 1;
        assert_eq!(moves.iter().map(visits).sum::<u64>(), visits(&node_here) - 1, "{line}: {node_here}");
        for info in moves.iter().filter(|info| visits(info) > 1) {
            let uci = info["uci"].as_str().expect("a move");
            let below = if line.is_empty() { uci.to_owned() } else { format!("{line}.{uci}") };
            let child = node(&below);
            assert_eq!(visits(&child), visits(info), "{below}");
            open.push((below, child));
        }
    }
    assert!(expanded > 10, "{expanded}");
}

#[test]
fn a_tree_that_is_gone_or_never_was_is_refused() {
    let server = TestServer::start();
    let session = server.session();
    let mut stream = server.stream(&session);
    server.get(&format!("{session}/mcts?search=1")).sentence(404, "not-found");
    server.get(&format!("{session}/mcts")).sentence(400, "bad-input");
    server.done(&format!("{session}/settings"), &json!({ "search": "uct" }));
    let body = json!({ "limits": { "nodes": 100 } });
    let number = search(&server, &session, &mut stream, &body)["search"].clone();
    let of = |search: &Value, line: &str| server.get(&format!("{session}/mcts?search={search}&line={line}"));
    assert_eq!(of(&number, "").status, 200);
    of(&number, "e2e5").sentence(400, "bad-input");
    of(&json!(999), "").sentence(404, "not-found");
    // An alpha-beta search has no tree, and takes the memory of the one before.
    server.done(&format!("{session}/settings"), &json!({ "search": "alphabeta" }));
    let next = search(&server, &session, &mut stream, &json!({ "limits": { "depth": 2 } }))["search"].clone();
    of(&next, "").sentence(404, "not-found");
    of(&number, "").sentence(404, "not-found");
}
