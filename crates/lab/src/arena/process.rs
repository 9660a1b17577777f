//! An engine process with line-based input and output.
//!
//! A thread reads the output, so that no engine can block the game: long lines are cut, lines without a message are dropped,
//! and the queue of messages is bounded. It does not know any protocol.

use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender, TrySendError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Longer lines are cut here: no message of any protocol needs as much.
const LINE_MAX: u64 = 1 << 16;
/// The length of the queue of messages.
const QUEUE: usize = 64;
/// Bytes before the end of the handshake after which nothing more is read: the longest lists of options are far shorter.
const HANDSHAKE_MAX: usize = 1 << 20;
/// How long an engine may take to quit.
const QUIT_TIMEOUT: Duration = Duration::from_millis(500);

/// A message and the time of its arrival.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Received<T> {
    pub(super) at: Instant,
    pub(super) what: T,
}

/// Why no message was received.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NoReply {
    /// The engine has exited or closed its output.
    Ended,
    /// No message came in time.
    Late,
    /// It filled its output before the end of the handshake.
    Flood,
}

impl fmt::Display for NoReply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Ended => "the engine has ended",
            Self::Late => "the engine does not answer",
            Self::Flood => "it writes without end and does not answer: it is no engine of this protocol",
        })
    }
}

/// A parser of an engine's output. It may hold state until a later line completes a message.
pub(super) trait OutputParser: Send + 'static {
    /// What it parses lines into.
    type Message: Send + 'static;

    /// Parses a line; the message, if it completes one.
    fn parse(&mut self, line: &str) -> Option<Self::Message>;
}

/// A running engine.
#[derive(Debug)]
pub(super) struct Process<M> {
    child: Child,
    input: Option<ChildStdin>,
    received: Receiver<Received<M>>,
    reader: Option<JoinHandle<()>>,
    handshake: Arc<Handshake>,
}

/// The state of the handshake, shared with the reader.
#[derive(Debug, Default)]
struct Handshake {
    is_over: AtomicBool,
    is_flooded: AtomicBool,
}

impl<M: Send + 'static> Process<M> {
    /// Starts `command`, whose lines go to `parser`.
    pub(super) fn start(command: &mut Command, parser: impl OutputParser<Message = M>) -> io::Result<Self> {
        detach(command);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let input = child.stdin.take();
        let output = child.stdout.take().expect("it was asked for");
        let (sender, received) = mpsc::sync_channel(QUEUE);
        let handshake = Arc::new(Handshake::default());
        let shared = handshake.clone();
        let reader = thread::Builder::new()
            .name("engine".to_owned())
            .spawn(move || read(output, parser, &sender, &shared))?;
        Ok(Self { child, input, received, reader: Some(reader), handshake })
    }

    /// The handshake is over: from now on the engine may write as much as it likes.
    pub(super) fn end_handshake(&self) {
        self.handshake.is_over.store(true, Ordering::Relaxed);
    }

    /// Sends a line. If the engine has exited, the next `receive` reports it.
    pub(super) fn send(&mut self, line: &str) {
        if let Some(input) = &mut self.input {
            let mut bytes = Vec::with_capacity(line.len() + 1);
            bytes.extend_from_slice(line.as_bytes());
            bytes.push(b'\n');
            if input.write_all(&bytes).and_then(|()| input.flush()).is_err() {
                self.input = None;
            }
        }
    }

    /// Waits for the next message until `deadline`, or without a limit.
    pub(super) fn receive(&self, deadline: Option<Instant>) -> Result<Received<M>, NoReply> {
        match deadline {
            None => self.received.recv().map_err(|_| self.ended()),
            Some(deadline) => {
                let patience = deadline.saturating_duration_since(Instant::now());
                self.received.recv_timeout(patience).map_err(|error| match error {
                    RecvTimeoutError::Timeout => NoReply::Late,
                    RecvTimeoutError::Disconnected => self.ended(),
                })
            }
        }
    }

    /// Why the reader ended.
    fn ended(&self) -> NoReply {
        if self.handshake.is_flooded.load(Ordering::Relaxed) { NoReply::Flood } else { NoReply::Ended }
    }

    /// Quits the engine with the command `quit`; it is killed on drop if it does not exit in time.
    pub(super) fn end(&mut self, quit: &str) {
        self.send(quit);
        // Many engines quit at the end of their input, too.
        self.input = None;
        let deadline = Instant::now() + QUIT_TIMEOUT;
        while Instant::now() < deadline {
            // A full pipe would keep it from exiting.
            while self.received.try_recv().is_ok() {}
            if matches!(self.child.try_wait(), Ok(Some(_))) {
                return;
            }
            thread::sleep(Duration::from_millis(2));
        }
    }
}

impl<M> Drop for Process<M> {
    fn drop(&mut self) {
        self.input = None;
        // Both fail only if it has exited already.
        let _ = self.child.kill();
        let _ = self.child.wait();
        // The reader ends with the output, or, if a child of the engine holds that open, with a closed channel.
        let (_, closed) = mpsc::sync_channel(1);
        self.received = closed;
        if let Some(reader) = self.reader.take().filter(JoinHandle::is_finished) {
            let _ = reader.join();
        }
    }
}

/// Shields the engine from an interrupt at the terminal: the match ends its engines itself.
#[cfg(unix)]
fn detach(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

#[cfg(not(unix))]
fn detach(_command: &mut Command) {}

/// Reads lines until the output or the channel is closed, or the handshake is flooded.
fn read<E: OutputParser>(
    output: ChildStdout,
    mut parser: E,
    sender: &SyncSender<Received<E::Message>>,
    handshake: &Handshake,
) {
    let mut output = BufReader::with_capacity(1 << 16, output);
    let mut line = Vec::new();
    let mut bytes = 0;
    loop {
        line.clear();
        match output.by_ref().take(LINE_MAX).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        if !handshake.is_over.load(Ordering::Relaxed) {
            bytes += line.len();
            if bytes > HANDSHAKE_MAX {
                handshake.is_flooded.store(true, Ordering::Relaxed);
                return;
            }
        }
        let at = Instant::now();
        let text = String::from_utf8_lossy(&line);
        let Some(what) = parser.parse(text.trim()) else { continue };
        // A message is dropped if the queue is full: the engine must not be blocked.
        if let Err(TrySendError::Disconnected(_)) = sender.try_send(Received { at, what }) {
            return;
        }
    }
}
