//! The recorded search tree.

use serde_json::{Value, json};

use crate::client::{Stream, TestServer};

fn record(server: &TestServer, session: &str, stream: &mut Stream, body: &Value) -> Value {
    let number = server.done(&format!("{session}/tree"), body)["tree"].clone();
    stream.wait("tree", |tree| tree["tree"] == number && tree["state"] != "running")
}

fn nodes(json: &Value) -> u64 {
    json["nodes"].as_u64().expect("a number of nodes")
}

#[test]
fn nodes_are_opened_one_by_one_and_sum_up() {
    let server = TestServer::start();
    let session = server.session();
    let mut stream = server.stream(&session);
    let body = json!({ "moves": ["e4"], "depth": 7, "iteration": "all", "max_nodes": 2000 });
    let done = record(&server, &session, &mut stream, &body);
    assert_eq!(done["state"], "done", "{done}");
    let tree = &done["tree"];
    let summary = server.get(&format!("{session}/tree?tree={tree}")).json();
    assert_eq!(summary["nodes"], done["nodes"]);
    let roots = summary["roots"].as_array().expect("roots");
    assert_eq!(roots.iter().map(nodes).sum::<u64>(), nodes(&done));
    assert!(summary["totals"]["decided"]["beta-cutoff"].as_u64() > Some(0), "{summary}");
    let mut at = (roots.len() - 1).to_string();
    let mut opened = 0;
    loop {
        let node = server.get(&format!("{session}/tree/node?tree={tree}&at={at}")).json();
        let children = node["children"].as_array().expect("children");
        let below: u64 = children.iter().map(nodes).sum();
        assert_eq!(nodes(&node), 1 + below + node["collapsed"]["nodes"].as_u64().expect("a number"), "{at}");
        assert_eq!(node["child_count"].as_u64(), Some(children.len() as u64));
        opened += 1;
        let Some(heaviest) = children.iter().max_by_key(|child| nodes(child)) else { break };
        assert!(heaviest.get("children").is_none() && heaviest["reason"].is_string(), "{heaviest}");
        at = heaviest["at"].as_str().expect("a place").to_owned();
    }
    assert!(opened > 3, "{opened}");
    let flame = server.get(&format!("{session}/tree/flame?tree={tree}&at=0&plies=2")).json();
    assert!(flame["children"][0]["children"].is_array() && flame["reason"].is_string(), "{flame}");
    for bad in ["x", "", "0.9999", "99", "0..1", "-1"] {
        server.get(&format!("{session}/tree/node?tree={tree}&at={bad}")).sentence(404, "not-found");
    }
    server.get(&format!("{session}/tree/node?tree=999&at=0")).sentence(404, "not-found");
}

#[test]
fn a_search_is_repeated_below_a_node_and_without_a_technique() {
    let server = TestServer::start();
    let session = server.session();
    let mut stream = server.stream(&session);
    let plain = json!({ "depth": 7, "max_nodes": 100 });
    let first = record(&server, &session, &mut stream, &plain);
    let below = record(
        &server,
        &session,
        &mut stream,
        &json!({ "depth": 7, "max_nodes": 100, "path": ["e4", "e7e5"] }),
    );
    assert_eq!((nodes(&first), &below["best"]), (nodes(&below), &first["best"]), "the same search");
    assert_eq!((&below["path"], &below["path_san"]), (&json!(["e2e4", "e7e5"]), &json!(["e4", "e5"])));
    let without = record(&server, &session, &mut stream, &json!({ "depth": 7, "switch": ["null-move"] }));
    assert_ne!(nodes(&without), nodes(&first));
    assert_eq!(without["switched"], json!(["null-move"]));
    let summary = server.get(&format!("{session}/tree")).json();
    assert!(summary["totals"]["decided"].get("null-move").is_none(), "{summary}");
}

#[test]
fn bad_requests_are_refused_and_the_tree_stays() {
    let server = TestServer::start();
    let session = server.session();
    let mut stream = server.stream(&session);
    server.get(&format!("{session}/tree")).sentence(404, "not-found");
    let done = record(&server, &session, &mut stream, &json!({ "depth": 3 }));
    let mated = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    for bad in [
        json!({ "switch": ["magic"] }),
        json!({ "path": ["e4", "e4"] }),
        json!({ "iteration": "first" }),
        json!({ "iteration": 0 }),
        json!({ "fen": mated }),
        json!({ "depth": "deep" }),
        json!({ "evaluation": "guess" }),
    ] {
        server.post(&format!("{session}/tree"), &bad).sentence(400, "bad-input");
    }
    let tree = &done["tree"];
    assert_eq!(server.get(&format!("{session}/tree?tree={tree}")).status, 200);
}

#[test]
fn a_long_recording_is_bounded_and_can_be_stopped() {
    let server = TestServer::start();
    let session = server.session();
    let mut stream = server.stream(&session);
    let body = json!({ "nodes": 20_000, "max_nodes": 1_000_000_000_u64 });
    let done = record(&server, &session, &mut stream, &body);
    assert!(nodes(&done) <= 20_000 && done["recorded"].as_u64() <= Some(50_100), "{done}");
    // Without the limit of the server this would not end.
    server.done(&format!("{session}/tree"), &json!({ "depth": 200 }));
    let busy = server.post(&format!("{session}/analysis"), &json!({})).sentence(409, "conflict");
    assert!(busy.contains("recording"), "{busy}");
    server.done(&format!("{session}/stop"), &json!({}));
    let stopped = stream.wait("tree", |tree| tree["state"] == "stopped");
    let summary = server.get(&format!("{session}/tree?tree={}", stopped["tree"])).json();
    assert_eq!(summary["nodes"], stopped["nodes"], "what was recorded can be read");
    assert!(nodes(&stopped) < 2_000_000, "it was stopped before its limit: {stopped}");
    let number =
        server.done(&format!("{session}/analysis"), &json!({ "limits": { "depth": 3 } }))["search"].clone();
    stream.wait("analysis", |analysis| analysis["search"] == number && analysis["state"] == "done");
}

#[test]
fn savings_are_measured_by_a_sample_and_can_be_stopped() {
    let server = TestServer::start();
    let session = server.session();
    let mut stream = server.stream(&session);
    server.post(&format!("{session}/tree/savings"), &json!({ "tree": 1 })).sentence(404, "not-found");
    let done = record(&server, &session, &mut stream, &json!({ "depth": 8, "max_nodes": 100 }));
    assert_eq!(done["savings"], json!({}));
    let wish = json!({ "tree": done["tree"] });
    server.done(&format!("{session}/tree/savings"), &wish);
    let is_over = |tree: &Value| tree["measured"].is_null() && tree["savings"] != json!({});
    let measured = stream.wait("tree", is_over);
    let savings = &measured["savings"]["reverse-futility"];
    let number = |name: &str| savings[name].as_u64().expect("a number");
    assert!(number("sampled") > 0 && number("sampled") <= number("uses"), "{savings}");
    assert!(number("without") > number("with"), "{savings}");
    assert_eq!(server.get(&session).json()["tree"]["savings"], measured["savings"], "a reload finds them");
    server.post(&format!("{session}/tree/savings"), &json!({ "tree": 999 })).sentence(404, "not-found");
    server.post(&format!("{session}/tree/savings"), &json!({})).sentence(400, "bad-input");
    // A measurement is stopped between two searches; what was measured stays.
    server.done(&format!("{session}/tree/savings"), &wish);
    let busy = server.post(&format!("{session}/tree"), &json!({ "depth": 3 }));
    server.done(&format!("{session}/stop"), &json!({}));
    if busy.status == 409 {
        assert!(busy.sentence(409, "conflict").contains("measurement"));
    }
    stream.wait("tree", is_over);
}
