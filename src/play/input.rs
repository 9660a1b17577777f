//! Input lines: with editing and completion at a terminal, plain otherwise.
//!
//! A thread reads them, so that a clock can run out meanwhile.

use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, ExternalPrinter, Helper};

/// The result of a prompt.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum ReadLine {
    /// A line.
    Line(String),
    /// Ctrl-C.
    Interrupted,
    /// The end of the input.
    End,
    /// The deadline has passed.
    TooLate,
}

/// A request for a line.
struct Question {
    prompt: String,
    /// The words for completion.
    words: Vec<String>,
}

type Printer = Box<dyn ExternalPrinter + Send>;

/// The source of lines.
pub(super) struct Input {
    questions: Sender<Question>,
    answers: Receiver<ReadLine>,
    /// Prints while a line is edited; only at a terminal.
    printer: Option<Printer>,
}

impl Input {
    /// Lines from standard input.
    pub(super) fn new() -> Result<Self, String> {
        let (questions, asked) = channel();
        let (told, answers) = channel();
        let mut printer = None;
        if io::stdin().is_terminal() {
            let config = Config::builder().completion_type(CompletionType::List).build();
            let mut editor = Editor::with_history(config, MemHistory::new())
                .map_err(|error| format!("the terminal cannot be used: {error}"))?;
            // Without a printer a message appears after the line.
            printer = editor.create_external_printer().ok().map(|printer| Box::new(printer) as Printer);
            spawn(move || edit_lines(editor, &asked, &told))?;
        } else {
            spawn(move || read_lines(&asked, &told))?;
        }
        Ok(Self { questions, answers, printer })
    }

    /// Whether lines are edited at a terminal.
    pub(super) fn is_edited(&self) -> bool {
        self.printer.is_some()
    }

    /// Prompts for a line until `deadline`, if there is one. `is_interrupted` is Ctrl-C where no line is edited.
    pub(super) fn ask(
        &mut self,
        prompt: &str,
        words: Vec<String>,
        deadline: Option<Instant>,
        is_interrupted: &AtomicBool,
    ) -> ReadLine {
        const POLL: Duration = Duration::from_millis(50);
        if self.questions.send(Question { prompt: prompt.to_owned(), words }).is_err() {
            return ReadLine::End;
        }
        loop {
            match self.answers.recv_timeout(POLL) {
                Ok(answer) => return answer,
                Err(RecvTimeoutError::Disconnected) => return ReadLine::End,
                Err(RecvTimeoutError::Timeout) => {}
            }
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                self.call_time();
                return ReadLine::TooLate;
            }
            if !self.is_edited() && is_interrupted.swap(false, Ordering::Relaxed) {
                return ReadLine::Interrupted;
            }
        }
    }

    /// Prints that the time is over, and waits for the end of the line.
    fn call_time(&mut self) {
        if let Some(printer) = &mut self.printer {
            // If this fails, the end of the game is printed nevertheless.
            let _ = printer.print("You ran out of time. Press Enter.".to_owned());
            let _ = self.answers.recv();
        }
    }
}

fn spawn(work: impl FnOnce() + Send + 'static) -> Result<(), String> {
    let spawned = thread::Builder::new().name("input".to_owned()).spawn(work);
    spawned.map(drop).map_err(|error| format!("cannot start a thread: {error}"))
}

fn edit_lines(
    mut editor: Editor<Words, MemHistory>,
    questions: &Receiver<Question>,
    answers: &Sender<ReadLine>,
) {
    for Question { prompt, words } in questions {
        editor.set_helper(Some(Words(words)));
        let answer = match editor.readline(&prompt) {
            Ok(line) => {
                // The history is a convenience.
                let _ = editor.add_history_entry(&line);
                ReadLine::Line(line)
            }
            Err(ReadlineError::Interrupted) => ReadLine::Interrupted,
            Err(_) => ReadLine::End,
        };
        if answers.send(answer).is_err() {
            return;
        }
    }
}

fn read_lines(questions: &Receiver<Question>, answers: &Sender<ReadLine>) {
    for _ in questions {
        let mut line = String::new();
        let answer = match io::stdin().read_line(&mut line) {
            Ok(0) | Err(_) => ReadLine::End,
            Ok(_) => ReadLine::Line(line),
        };
        if answers.send(answer).is_err() {
            return;
        }
    }
}

/// The words for completion.
struct Words(Vec<String>);

impl Words {
    /// The words that begin with the typed text, in either case.
    fn beginning_with(&self, typed: &str) -> Vec<String> {
        let typed = typed.to_lowercase();
        self.0.iter().filter(|word| word.to_lowercase().starts_with(&typed)).cloned().collect()
    }
}

impl Completer for Words {
    type Candidate = String;

    fn complete(&self, line: &str, place: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        Ok((0, self.beginning_with(&line[..place])))
    }
}

impl Hinter for Words {
    type Hint = String;
}

impl Highlighter for Words {}
impl Validator for Words {}
impl Helper for Words {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_completed_in_either_case() {
        let words = Words(["Nf3", "Nc3", "e4", "new"].map(str::to_owned).to_vec());
        assert_eq!(words.beginning_with("n"), ["Nf3", "Nc3", "new"]);
        assert_eq!(words.beginning_with("NF"), ["Nf3"]);
        assert!(words.beginning_with("x").is_empty());
    }
}
