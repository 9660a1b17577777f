//! An engine as a process that is written to and read from by lines.
//!
//! A thread of its own reads what the engine says, so that no engine can hold up the game: lines are cut at a length, what is
//! of no interest is dropped where it is read, and of the rest no more is kept than anyone could wait for.

use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender, TrySendError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Longer lines are cut here: no message of any protocol needs as much.
const LINE_MAX: u64 = 1 << 16;
/// Lines that may wait for the game.
const QUEUE: usize = 64;
/// How long an engine that was told to quit may take.
const FAREWELL: Duration = Duration::from_millis(500);

/// A line and when it came.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Heard<T> {
    pub(super) at: Instant,
    pub(super) what: T,
}

/// Why nothing was heard.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Silence {
    /// The engine has ended, or closed its output.
    Ended,
    /// It did not say anything in time.
    Late,
}

impl fmt::Display for Silence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Ended => "the engine has ended",
            Self::Late => "the engine does not answer",
        })
    }
}

/// What a reader makes of lines: it may keep to itself what matters only together with a later line.
pub(super) trait Ear: Send + 'static {
    /// What the game hears of.
    type Message: Send + 'static;

    /// A line came; the message, if there is one.
    fn hear(&mut self, line: &str) -> Option<Self::Message>;
}

/// A running engine.
#[derive(Debug)]
pub(super) struct Process<M> {
    child: Child,
    input: Option<ChildStdin>,
    heard: Receiver<Heard<M>>,
    reader: Option<JoinHandle<()>>,
}

impl<M: Send + 'static> Process<M> {
    /// Starts `command`, whose lines go to `ear`.
    pub(super) fn start(command: &mut Command, ear: impl Ear<Message = M>) -> io::Result<Self> {
        detach(command);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let input = child.stdin.take();
        let output = child.stdout.take().expect("it was asked for");
        let (sender, heard) = mpsc::sync_channel(QUEUE);
        let reader =
            thread::Builder::new().name("engine".to_owned()).spawn(move || read(output, ear, &sender))?;
        Ok(Self { child, input, heard, reader: Some(reader) })
    }

    /// Writes a line. An engine that has gone is noticed when it is listened to.
    pub(super) fn say(&mut self, line: &str) {
        if let Some(input) = &mut self.input {
            let mut bytes = Vec::with_capacity(line.len() + 1);
            bytes.extend_from_slice(line.as_bytes());
            bytes.push(b'\n');
            if input.write_all(&bytes).and_then(|()| input.flush()).is_err() {
                self.input = None;
            }
        }
    }

    /// The next message, waited for until `deadline`, or without end.
    pub(super) fn listen(&self, deadline: Option<Instant>) -> Result<Heard<M>, Silence> {
        match deadline {
            None => self.heard.recv().map_err(|_| Silence::Ended),
            Some(deadline) => {
                let patience = deadline.saturating_duration_since(Instant::now());
                self.heard.recv_timeout(patience).map_err(|error| match error {
                    RecvTimeoutError::Timeout => Silence::Late,
                    RecvTimeoutError::Disconnected => Silence::Ended,
                })
            }
        }
    }

    /// Ends the engine: politely with `farewell`, then by force.
    pub(super) fn end(&mut self, farewell: &str) {
        self.say(farewell);
        // To many engines the end of the input is a farewell too.
        self.input = None;
        let deadline = Instant::now() + FAREWELL;
        while Instant::now() < deadline {
            // What is still said would keep it from ending.
            while self.heard.try_recv().is_ok() {}
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
        // Both fail only if it has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
        // The reader ends with the output, or, if a child of the engine holds that open, with nobody to tell.
        let (_, nobody) = mpsc::sync_channel(1);
        self.heard = nobody;
        if let Some(reader) = self.reader.take().filter(JoinHandle::is_finished) {
            let _ = reader.join();
        }
    }
}

/// Keeps an interrupt at the terminal from the engine: it is for the match to say when it ends.
#[cfg(unix)]
fn detach(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

#[cfg(not(unix))]
fn detach(_command: &mut Command) {}

/// Reads lines until there are no more, or nobody listens.
fn read<E: Ear>(output: ChildStdout, mut ear: E, sender: &SyncSender<Heard<E::Message>>) {
    let mut output = BufReader::with_capacity(1 << 16, output);
    let mut line = Vec::new();
    loop {
        line.clear();
        match output.by_ref().take(LINE_MAX).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let at = Instant::now();
        let text = String::from_utf8_lossy(&line);
        let Some(what) = ear.hear(text.trim()) else { continue };
        // Where so much waits already, nobody wants it; what must not happen is that the engine is held up.
        if let Err(TrySendError::Disconnected(_)) = sender.try_send(Heard { at, what }) {
            return;
        }
    }
}
