//! Slow clients: each loses its own connection, and nobody else notices.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use rukh_web::Config;

use crate::client::TestServer;

const PATIENCE: Duration = Duration::from_millis(400);

fn server() -> TestServer {
    TestServer::with(Config { patience: PATIENCE, ..Config::default() })
}

fn connect(server: &TestServer) -> TcpStream {
    let connection = TcpStream::connect(server.address).expect("it listens");
    connection.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout can be set");
    connection
}

#[test]
fn a_request_that_does_not_come_ends_its_connection() {
    let server = server();
    for beginning in ["", "GET / HTTP/1.1\r\nHost: "] {
        let mut connection = connect(&server);
        connection.write_all(beginning.as_bytes()).expect("it can be sent");
        let start = Instant::now();
        let mut answer = Vec::new();
        // The server closes the connection, with or without a word.
        let _ = connection.read_to_end(&mut answer);
        assert!(start.elapsed() < Duration::from_secs(10), "{beginning:?}: {:?}", start.elapsed());
    }
    assert_eq!(server.get("/api/info").status, 200);
}

#[test]
fn a_body_that_does_not_come_is_answered() {
    let server = server();
    let (address, token) = (server.address, &server.token);
    let head = format!(
        "POST /api/position HTTP/1.1\r\nHost: {address}\r\nX-Rukh-Token: {token}\r\n\
         Content-Type: application/json\r\nContent-Length: 100\r\nConnection: close\r\n\r\n{{"
    );
    let sentence = server.raw(head.as_bytes()).sentence(408, "too-slow");
    assert!(sentence.contains("in time"), "{sentence}");
}

#[test]
fn an_answer_that_nobody_takes_ends_its_connection() {
    /// Their answers are more than the system buffers.
    const REQUESTS: usize = 2_500;
    let server = server();
    let page = server.get("/board.js").body.len();
    let mut connection = connect(&server);
    let request = format!("GET /board.js HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
    connection.write_all(request.repeat(REQUESTS).as_bytes()).expect("it can be sent");
    std::thread::sleep(4 * PATIENCE);
    let mut answers = Vec::new();
    let start = Instant::now();
    let _ = connection.read_to_end(&mut answers);
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    assert!(answers.len() < page * REQUESTS, "{} of {}", answers.len(), page * REQUESTS);
    assert_eq!(server.get("/api/info").status, 200);
}
