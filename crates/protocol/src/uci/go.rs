//! The words of `go`, in any order.

use std::time::Duration;

use rukh_chess::Color;
use rukh_chess::notation::Quoted;

use crate::codec::Reading;
use crate::command::{Command, Go};
use crate::words::Words;

/// Everything that may follow `go`.
const WORDS: [&str; 13] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "perft",
];

/// Understands what follows `go`. What cannot be understood is complained of, and the rest is obeyed.
pub(super) fn read(words: Words<'_>) -> Reading {
    let mut reader = Reader { words, go: Go::default(), complaints: Vec::new() };
    let mut perft = None;
    while let Some(word) = reader.words.next() {
        match word {
            // A count takes the place of the search, readable or not.
            "perft" => perft = Some(reader.count("perft")),
            "searchmoves" => reader.search_moves(),
            "infinite" => reader.go.is_infinite = true,
            "ponder" => reader.go.is_ponder = true,
            word if WORDS.contains(&word) => reader.limit(word),
            word => reader.complaints.push(format!("{} is not a word of go", Quoted::new(word))),
        }
    }
    let command = match perft {
        Some(depth) => depth.map(Command::Perft),
        None => Some(Command::Go(reader.go)),
    };
    Reading { commands: command.into_iter().collect(), complaints: reader.complaints }
}

/// Understands what follows `perft`: a depth.
pub(super) fn read_perft(words: Words<'_>) -> Reading {
    let mut reader = Reader { words, go: Go::default(), complaints: Vec::new() };
    let command = reader.count("perft").map(Command::Perft);
    Reading { commands: command.into_iter().collect(), complaints: reader.complaints }
}

struct Reader<'a> {
    words: Words<'a>,
    go: Go,
    complaints: Vec<String>,
}

impl Reader<'_> {
    /// A word with a number.
    fn limit(&mut self, word: &str) {
        let is_read = match word {
            "wtime" => self.duration(word).map(|time| self.go.remaining[Color::White] = Some(time)),
            "btime" => self.duration(word).map(|time| self.go.remaining[Color::Black] = Some(time)),
            "winc" => self.duration(word).map(|time| self.go.increment[Color::White] = Some(time)),
            "binc" => self.duration(word).map(|time| self.go.increment[Color::Black] = Some(time)),
            "movetime" => self.duration(word).map(|time| self.go.movetime = Some(time)),
            "movestogo" => self.count(word).map(|moves| self.go.moves_to_go = Some(moves)),
            "depth" => self.count(word).map(|depth| self.go.depth = Some(depth)),
            "mate" => self.count(word).map(|moves| self.go.mate = Some(moves)),
            "nodes" => self.amount(word).map(|nodes| self.go.nodes = Some(nodes)),
            _ => None,
        };
        self.go.has_lost_limit |= is_read.is_none();
    }

    /// Milliseconds. A clock that has run past zero stands at zero: some programs let a game go on after that.
    fn duration(&mut self, word: &str) -> Option<Duration> {
        let number = self.number(word)?;
        if number < 0 {
            self.complaints.push(format!("{word} is negative and taken for 0"));
        }
        Some(Duration::from_millis(number.max(0).unsigned_abs()))
    }

    fn amount(&mut self, word: &str) -> Option<u64> {
        let number = self.number(word)?;
        if number < 0 {
            self.complaints.push(format!("{word} cannot be negative"));
        }
        u64::try_from(number).ok()
    }

    fn count(&mut self, word: &str) -> Option<u32> {
        self.amount(word).map(|number| u32::try_from(number).unwrap_or(u32::MAX))
    }

    /// The number after `word`. If another word of `go` stands in its place, that one is still to be read.
    fn number(&mut self, word: &str) -> Option<i64> {
        let Some(text) = self.words.peek().filter(|text| !WORDS.contains(text)) else {
            self.complaints.push(format!("{word} needs a number"));
            return None;
        };
        self.words.next();
        let number = parse(text);
        if number.is_none() {
            self.complaints.push(format!("{word} needs a number, not {}", Quoted::new(text)));
        }
        number
    }

    fn search_moves(&mut self) {
        let before = self.go.search_moves.len();
        while let Some(text) = self.words.peek().filter(|text| looks_like_a_move(text)) {
            self.words.next();
            self.go.search_moves.push(text.to_owned());
        }
        if self.go.search_moves.len() == before {
            self.complaints.push("searchmoves needs moves such as e2e4".to_owned());
        }
    }
}

/// A whole number; one that is too large is the largest.
fn parse(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let limit = if text.starts_with('-') { i64::MIN } else { i64::MAX };
    Some(text.parse().unwrap_or(limit))
}

/// Letter, digit, letter, digit, and perhaps one more letter: whether there are such squares is seen later,
/// so that the complaint can say it.
fn looks_like_a_move(text: &str) -> bool {
    let is_letter = |at: usize| text.as_bytes()[at].is_ascii_alphabetic();
    let is_digit = |at: usize| text.as_bytes()[at].is_ascii_digit();
    let has_squares = || is_letter(0) && is_digit(1) && is_letter(2) && is_digit(3);
    match text.len() {
        4 => has_squares(),
        5 => has_squares() && is_letter(4),
        _ => false,
    }
}
