//! A small HTTP client, and a server on a free port.

use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rukh_web::{Config, Server, ServerHandle};
use serde_json::{Value, json};

/// The longest wait for an answer or an event.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running server, which ends with the test.
pub(crate) struct TestServer {
    pub(crate) address: SocketAddr,
    pub(crate) token: String,
    pub(crate) url: String,
    pub(crate) handle: ServerHandle,
    running: Option<JoinHandle<Result<(), String>>>,
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The sentence of an error, after a check of its status and code.
    pub(crate) fn sentence(&self, status: u16, code: &str) -> String {
        assert_eq!(self.status, status, "{self:?}");
        let json = self.json();
        assert_eq!(json["code"], code, "{self:?}");
        json["error"].as_str().expect("an error has a sentence").to_owned()
    }
}

impl TestServer {
    pub(crate) fn start() -> Self {
        Self::with(Config::default())
    }

    pub(crate) fn with(config: Config) -> Self {
        let server = Server::bind(config, Ipv4Addr::LOCALHOST.into(), 0).expect("there is a free port");
        let (address, handle, url) = (server.address(), server.handle(), server.url());
        let token = server.token().to_owned();
        let running = Some(thread::spawn(move || server.run()));
        Self { address, token, url, handle, running }
    }

    /// Sends bytes and reads the answer.
    pub(crate) fn raw(&self, request: &[u8]) -> Answer {
        let mut connection = self.connect();
        // The server may refuse a request before it has read all of it.
        let _ = connection.write_all(request);
        read_answer(&mut BufReader::new(connection))
    }

    fn connect(&self) -> TcpStream {
        let connection = TcpStream::connect(self.address).expect("the server listens");
        connection.set_read_timeout(Some(PATIENCE)).expect("a timeout can be set");
        connection
    }

    /// A request with these header lines.
    pub(crate) fn request(&self, method: &str, path: &str, headers: &str, body: &str) -> Answer {
        let length = body.len();
        let text = format!(
            "{method} {path} HTTP/1.1\r\n{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        );
        self.raw(text.as_bytes())
    }

    fn headers(&self) -> String {
        let Self { address, token, .. } = self;
        format!("Host: {address}\r\nX-Rukh-Token: {token}\r\nContent-Type: application/json\r\n")
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.request("GET", path, &self.headers(), "")
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Answer {
        self.request("POST", path, &self.headers(), &body.to_string())
    }

    /// A command that succeeds.
    pub(crate) fn done(&self, path: &str, body: &Value) -> Value {
        let answer = self.post(path, body);
        assert!(answer.status < 300, "{path}: {answer:?}");
        answer.json()
    }

    /// A new session: the path of its routes.
    pub(crate) fn session(&self) -> String {
        let created = self.done("/api/sessions", &json!({}));
        format!("/api/sessions/{}", created["session"].as_str().expect("an id"))
    }

    /// The stream of a session.
    pub(crate) fn stream(&self, session: &str) -> Stream {
        let mut connection = self.connect();
        let Self { address, token, .. } = self;
        let request = format!("GET {session}/events?token={token} HTTP/1.1\r\nHost: {address}\r\n\r\n");
        connection.write_all(request.as_bytes()).expect("the server reads");
        let mut reader = BufReader::new(connection);
        let mut line = String::new();
        reader.read_line(&mut line).expect("there is an answer");
        assert!(line.starts_with("HTTP/1.1 200"), "{line}");
        while line.trim() != "" {
            line.clear();
            reader.read_line(&mut line).expect("there are headers");
        }
        Stream { reader }
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.handle.stop();
        let running = self.running.take().expect("it runs until here");
        let result = running.join();
        if !thread::panicking() {
            assert_eq!(result.expect("the server does not panic"), Ok(()));
        }
    }
}

fn read_answer(reader: &mut impl BufRead) -> Answer {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        let count = reader.read_line(&mut head).expect("there is an answer");
        assert!(count > 0, "the answer ends early: {head:?}");
    }
    let status = head.split(' ').nth(1).and_then(|text| text.parse().ok()).expect("a status");
    let mut body = Vec::new();
    // A connection that the server closes early may be reset.
    let _ = reader.read_to_end(&mut body);
    let mut body = String::from_utf8(body).expect("text");
    if head.to_lowercase().contains("transfer-encoding: chunked") {
        body = unchunked(&body);
    }
    Answer { status, headers: head.to_lowercase(), body }
}

fn unchunked(mut text: &str) -> String {
    let mut whole = String::new();
    while let Some((size, rest)) = text.split_once("\r\n") {
        let size = usize::from_str_radix(size, 16).expect("a size");
        whole += &rest[..size];
        text = rest[size..].strip_prefix("\r\n").unwrap_or_default();
    }
    whole
}

/// A stream of events.
pub(crate) struct Stream {
    reader: BufReader<TcpStream>,
}

impl Stream {
    /// The next event: its name and its snapshot; `None` at the end of the stream.
    pub(crate) fn next(&mut self) -> Option<(String, Value)> {
        let mut name = String::new();
        let start = Instant::now();
        loop {
            // Comments keep the connection without an event.
            assert!(start.elapsed() < PATIENCE, "there is no event");
            let mut line = String::new();
            if self.reader.read_line(&mut line).expect("the stream can be read") == 0 {
                return None;
            }
            let line = line.trim_end();
            if line == "0" {
                return None;
            }
            if let Some(event) = line.strip_prefix("event: ") {
                name = event.to_owned();
            }
            if let Some(data) = line.strip_prefix("data: ") {
                return Some((name, serde_json::from_str(data).expect("an event is JSON")));
            }
        }
    }

    /// The next snapshot of a topic that is wanted.
    pub(crate) fn wait(&mut self, topic: &str, is_wanted: impl Fn(&Value) -> bool) -> Value {
        let start = Instant::now();
        loop {
            let (name, snapshot) = self.next().expect("the stream goes on");
            if name == topic && is_wanted(&snapshot) {
                return snapshot;
            }
            assert!(start.elapsed() < PATIENCE, "no such {topic}; the last was {snapshot}");
        }
    }
}
