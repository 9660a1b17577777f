//! Safety: hosts, origins, tokens, bodies, limits. Each refusal is a sentence and changes nothing.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::time::{Duration, Instant};

use crate::client::TestServer;
use rukh_web::{Config, Server};
use serde_json::json;

#[test]
fn the_page_has_the_token_and_a_strict_policy() {
    let server = TestServer::start();
    let host = format!("Host: {}\r\n", server.address);
    let page = server.request("GET", "/", &host, "");
    assert_eq!(page.status, 200);
    assert!(page.body.contains(&server.token) && !page.body.contains("{{token}}"));
    for header in [
        "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self';",
        "frame-ancestors 'none'",
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
        "cache-control: no-store",
    ] {
        assert!(page.headers.contains(header), "{header} in {}", page.headers);
    }
    let style = server.request("GET", "/style.css", &host, "");
    assert!(style.status == 200 && style.headers.contains("content-type: text/css"), "{style:?}");
}

#[test]
fn no_path_reaches_the_file_system() {
    let server = TestServer::start();
    for path in
        ["/../Cargo.toml", "/%2e%2e/Cargo.toml", "/..%2fCargo.toml", "//etc/passwd", "/page/index.html"]
    {
        let answer = server.get(path);
        assert_eq!(answer.status, 404, "{path}: {answer:?}");
    }
}

#[test]
fn a_foreign_host_is_refused() {
    let server = TestServer::start();
    let port = server.address.port();
    for host in ["evil.example", "evil.example:80", "127.0.0.1", "127.0.0.1:1", "127.0.0.1.evil.example"] {
        for path in ["/", "/style.css", "/api/info"] {
            let answer = server.request("GET", path, &format!("Host: {host}\r\n"), "");
            answer.sentence(421, "foreign-host");
            assert!(!answer.body.contains(&server.token));
        }
    }
    let twice = format!("Host: 127.0.0.1:{port}\r\nHost: evil.example\r\n");
    assert!(matches!(server.request("GET", "/", &twice, "").status, 400 | 421));
    let local = format!("Host: localhost:{port}\r\n");
    assert_eq!(server.request("GET", "/", &local, "").status, 200);
}

#[test]
fn a_foreign_origin_is_refused() {
    let server = TestServer::start();
    let (address, token) = (server.address, &server.token);
    let post = |more: &str| {
        let headers =
            format!("Host: {address}\r\nX-Rukh-Token: {token}\r\nContent-Type: application/json\r\n{more}");
        server.request("POST", "/api/sessions", &headers, "{}")
    };
    let port = address.port();
    for origin in ["http://evil.example", "null", "https://127.0.0.1", &format!("http://localhost:{port}")] {
        post(&format!("Origin: {origin}\r\n")).sentence(403, "foreign-origin");
    }
    post("Sec-Fetch-Site: cross-site\r\n").sentence(403, "foreign-origin");
    assert_eq!(post(&format!("Origin: http://{address}\r\nSec-Fetch-Site: same-origin\r\n")).status, 201);
}

#[test]
fn a_command_needs_the_token_of_this_run() {
    let server = TestServer::start();
    let token = &server.token;
    let send = |method: &str, path: &str, header: &str| {
        let headers = format!("Host: {}\r\nContent-Type: application/json\r\n{header}", server.address);
        server.request(method, path, &headers, "{}")
    };
    let right = format!("X-Rukh-Token: {token}\r\n");
    for wrong in ["", "X-Rukh-Token: \r\n", "X-Rukh-Token: 0123456789abcdef0123456789abcdef\r\n"] {
        send("POST", "/api/sessions", wrong).sentence(401, "bad-token");
        send("GET", "/api/info", wrong).sentence(401, "bad-token");
    }
    // A form of another page cannot set the header; the query is for streams and downloads only.
    send("POST", &format!("/api/sessions?token={token}"), "").sentence(401, "bad-token");
    assert_eq!(send("GET", &format!("/api/info?token={token}"), "").status, 200);
    assert_eq!(send("POST", "/api/sessions", &right).status, 201);
}

#[test]
fn a_chosen_token_is_not_handed_out() {
    let token = "0123456789abcdef".to_owned();
    let server = TestServer::with(Config { token: Some(token.clone()), ..Config::default() });
    let host = format!("Host: {}\r\n", server.address);
    server.request("GET", "/", &host, "").sentence(401, "bad-token");
    let page = server.request("GET", &format!("/?token={token}"), &host, "");
    assert!(page.status == 200 && page.body.contains(&token));
    assert!(server.url.ends_with("/?token=0123456789abcdef"));
}

#[test]
fn other_machines_need_a_token() {
    let everywhere = Ipv4Addr::UNSPECIFIED.into();
    let error = Server::bind(Config::default(), everywhere, 0).err().expect("refused");
    assert!(error.contains("--token"), "{error}");
    let short = Config { token: Some("short".to_owned()), ..Config::default() };
    let error = Server::bind(short, everywhere, 0).err().expect("refused");
    assert!(error.contains("16 to 128"), "{error}");
}

#[test]
fn a_port_in_use_gives_the_next_one() {
    let first = Server::bind(Config::default(), Ipv4Addr::LOCALHOST.into(), 0).expect("a free port");
    let port = first.address().port();
    let second = Server::bind(Config::default(), Ipv4Addr::LOCALHOST.into(), port).expect("a free port");
    assert!(second.address().port() > port, "{}", second.address());
}

#[test]
fn bodies_are_limited_and_typed() {
    let server = TestServer::start();
    let (address, token) = (server.address, &server.token);
    let head = |path: &str, kind: &str, length: usize| {
        format!(
            "POST {path} HTTP/1.1\r\nHost: {address}\r\nX-Rukh-Token: {token}\r\nContent-Type: {kind}\r\n\
             Content-Length: {length}\r\nConnection: close\r\n\r\n"
        )
    };
    // The announced length is enough to refuse: nothing is read.
    let answer = server.raw(head("/api/position", "application/json", 1 << 40).as_bytes());
    answer.sentence(413, "too-large");
    let long = format!("{{\"pgn\": \"{}\"}}", "x".repeat(5 << 20));
    server
        .raw((head("/api/pgn/read", "application/json", long.len()) + &long).as_bytes())
        .sentence(413, "too-large");
    // Without a length the bytes are counted.
    let chunked = format!(
        "POST /api/position HTTP/1.1\r\nHost: {address}\r\nX-Rukh-Token: {token}\r\nContent-Type: application/json\r\n\
         Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n200000\r\n{}\r\n0\r\n\r\n",
        " ".repeat(2 << 20)
    );
    server.raw(chunked.as_bytes()).sentence(413, "too-large");
    server.raw((head("/api/position", "text/plain", 2) + "{}").as_bytes()).sentence(415, "bad-type");
    for body in ["", "{", "[]", "null", "{\"fen\": 7}", "{\"surprise\": 1}", "\u{0}", "{\"moves\": [[[[]]]]}"]
    {
        let text = head("/api/position", "application/json", body.len()) + body;
        let sentence = server.raw(text.as_bytes()).sentence(400, "bad-input");
        assert!(sentence.starts_with("the body cannot be read"), "{body}: {sentence}");
    }
    let deep = "[".repeat(100_000);
    server
        .raw((head("/api/position", "application/json", deep.len()) + &deep).as_bytes())
        .sentence(400, "bad-input");
}

#[test]
fn wrong_routes_and_methods_are_named() {
    let server = TestServer::start();
    server.get("/api/nothing").sentence(404, "not-found");
    server.get("/api/position").sentence(405, "bad-method");
    server.post("/api/info", &json!({})).sentence(405, "bad-method");
    server.post("/api/sessions/none/analysis", &json!({})).sentence(404, "no-session");
    server.get("/api/sessions/none/events").sentence(404, "no-session");
}

#[test]
fn sessions_and_streams_are_limited() {
    let server = TestServer::with(Config { sessions: 2, ..Config::default() });
    let (first, _second) = (server.session(), server.session());
    let sentence = server.post("/api/sessions", &json!({})).sentence(429, "too-many");
    assert!(sentence.contains("2 sessions"), "{sentence}");
    server.done(&format!("{first}/close"), &json!({}));
    server.get(&first).sentence(404, "no-session");
    let third = server.session();
    let _streams: Vec<_> = (0..12).map(|_| server.stream(&third)).collect();
    server.get(&format!("{third}/events")).sentence(429, "too-many");
}

#[test]
fn the_end_of_the_server_ends_its_streams() {
    let server = TestServer::start();
    let session = server.session();
    let mut stream = server.stream(&session);
    server.done(&format!("{session}/analysis"), &json!({}));
    stream.wait("analysis", |analysis| analysis["depth"].as_u64() > Some(3));
    let start = Instant::now();
    server.handle.stop();
    while stream.next().is_some() {}
    assert!(start.elapsed() < Duration::from_secs(5));
    let address = server.address;
    drop(server);
    assert!(TcpStream::connect(address).is_err(), "the port is free again");
}

#[test]
fn broken_requests_do_not_harm() {
    let server = TestServer::start();
    for bytes in [
        &b"\x00\xff\xfe"[..],
        b"GET / HTTP/1.1\r\n",
        b"POST /api/position HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
    ] {
        let mut connection = TcpStream::connect(server.address).expect("it listens");
        connection.write_all(bytes).expect("it can be sent");
        connection.set_read_timeout(Some(Duration::from_millis(200))).expect("a timeout can be set");
        let _ = connection.read(&mut [0; 100]);
    }
    assert_eq!(server.get("/api/info").status, 200);
}
