//! A conversation with a session in this process: lines in, lines out, a transcript of both, and deadlines.

use std::io::{self, BufRead, Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rukh_engine::Engine;
use rukh_protocol::{Hooks, Session, SessionError, Uci};

/// What is wrong, in one sentence.
pub(super) type Complaint = String;

/// A conversation with a session.
pub(super) struct Conversation {
    input: Option<Sender<String>>,
    output: Receiver<String>,
    session: Option<JoinHandle<Result<(), SessionError>>>,
    /// All lines of both sides, with `>` before those to the session.
    pub(super) transcript: Vec<String>,
    /// Everything must be answered within this time.
    pub(super) patience: Duration,
}

/// The end of a session, after which a conversation is dropped.
const LAST_WORDS: Duration = Duration::from_millis(1);

impl Conversation {
    /// Starts a session on a thread of its own.
    pub(super) fn start(patience: Duration) -> Result<Self, Complaint> {
        let engine = Engine::try_new().map_err(|error| error.to_string())?;
        let (input, lines) = channel();
        let (said, output) = channel();
        let run = move || {
            let writer = LineWriter { said, rest: Vec::new() };
            let mut session = Session::with_engine(Uci, writer, Hooks::default(), engine);
            session.run(LineReader { lines, chunk: Vec::new(), at: 0 })
        };
        let session = thread::Builder::new().name("session".to_owned()).spawn(run);
        let session = Some(session.map_err(|error| format!("no thread is given: {error}"))?);
        Ok(Self { input: Some(input), output, session, transcript: Vec::new(), patience })
    }

    /// Sends a line.
    pub(super) fn send(&mut self, line: impl Into<String>) -> Result<(), Complaint> {
        let line = line.into();
        self.transcript.push(format!("> {line}"));
        let sent = self.input.as_ref().is_some_and(|input| input.send(line).is_ok());
        if sent { Ok(()) } else { Err("the session reads no more".to_owned()) }
    }

    /// The next line, within the patience.
    pub(super) fn receive(&mut self) -> Result<String, Complaint> {
        self.receive_before(Instant::now() + self.patience)?
            .ok_or_else(|| format!("there is no answer within {} ms", self.patience.as_millis()))
    }

    /// The next line; `None` if there is none before the deadline.
    pub(super) fn receive_before(&mut self, deadline: Instant) -> Result<Option<String>, Complaint> {
        let left = deadline.saturating_duration_since(Instant::now());
        match self.output.recv_timeout(left) {
            Ok(line) => {
                self.transcript.push(line.clone());
                Ok(Some(line))
            }
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err("the session has ended by itself".to_owned()),
        }
    }

    /// Ends the session with `quit`, which it must follow.
    pub(super) fn quit(&mut self) -> Result<(), Complaint> {
        self.send("quit")?;
        let deadline = Instant::now() + self.patience;
        let Some(session) = self.session.take() else { return Ok(()) };
        while !session.is_finished() {
            if Instant::now() > deadline {
                return Err("quit does not end the session".to_owned());
            }
            thread::sleep(LAST_WORDS);
        }
        match session.join() {
            Ok(ended) => ended.map_err(|error| error.to_string()),
            Err(_) => Err("the session panicked".to_owned()),
        }
    }
}

/// The lines of a channel as input. Its end is the end of the input.
struct LineReader {
    lines: Receiver<String>,
    chunk: Vec<u8>,
    at: usize,
}

impl BufRead for LineReader {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.at == self.chunk.len() {
            self.chunk = self.lines.recv().map(|line| (line + "\n").into_bytes()).unwrap_or_default();
            self.at = 0;
        }
        Ok(&self.chunk[self.at..])
    }

    fn consume(&mut self, amount: usize) {
        self.at += amount;
    }
}

impl Read for LineReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

/// Output as lines of a channel.
struct LineWriter {
    said: Sender<String>,
    rest: Vec<u8>,
}

impl Write for LineWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.rest.extend_from_slice(bytes);
        while let Some(end) = self.rest.iter().position(|&byte| byte == b'\n') {
            let line = String::from_utf8_lossy(&self.rest[..end]).into_owned();
            self.rest.drain(..=end);
            self.said.send(line).map_err(|_| io::ErrorKind::BrokenPipe)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
