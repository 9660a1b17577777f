//! Decoding of `go`, whose parameters may come in any order.

use std::time::Duration;

use rukh_chess::Color;
use rukh_chess::notation::Quoted;

use crate::codec::DecodedLine;
use crate::command::{Command, Go};
use crate::tokens::Tokens;

/// The parameters of `go`.
const PARAMETERS: [&str; 13] = [
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

/// Decodes the parameters of `go`. Those that cannot be decoded become errors; the rest is used.
pub(super) fn decode(tokens: Tokens<'_>) -> DecodedLine {
    let mut decoder = GoDecoder { tokens, go: Go::default(), errors: Vec::new() };
    let mut perft = None;
    while let Some(word) = decoder.tokens.next() {
        match word {
            // Perft replaces the search, even if its depth cannot be decoded.
            "perft" => perft = Some(decoder.count("perft")),
            "searchmoves" => decoder.search_moves(),
            "infinite" => decoder.go.is_infinite = true,
            "ponder" => decoder.go.is_ponder = true,
            word if PARAMETERS.contains(&word) => decoder.limit(word),
            word => decoder.errors.push(format!("{} is not a parameter of go", Quoted::new(word))),
        }
    }
    let command = match perft {
        Some(depth) => depth.map(Command::Perft),
        None => Some(Command::Go(decoder.go)),
    };
    DecodedLine { commands: command.into_iter().collect(), errors: decoder.errors }
}

/// Decodes the depth after `perft`.
pub(super) fn decode_perft(tokens: Tokens<'_>) -> DecodedLine {
    let mut decoder = GoDecoder { tokens, go: Go::default(), errors: Vec::new() };
    let command = decoder.count("perft").map(Command::Perft);
    DecodedLine { commands: command.into_iter().collect(), errors: decoder.errors }
}

struct GoDecoder<'a> {
    tokens: Tokens<'a>,
    go: Go,
    errors: Vec<String>,
}

impl GoDecoder<'_> {
    /// A parameter with a number.
    fn limit(&mut self, word: &str) {
        let decoded = match word {
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
        self.go.has_unreadable_limit |= decoded.is_none();
    }

    /// Milliseconds. Negative clocks become zero: some GUIs let a game continue after the flag has fallen.
    fn duration(&mut self, word: &str) -> Option<Duration> {
        let number = self.number(word)?;
        if number < 0 {
            self.errors.push(format!("{word} is negative and counts as 0"));
        }
        Some(Duration::from_millis(number.max(0).unsigned_abs()))
    }

    fn amount(&mut self, word: &str) -> Option<u64> {
        let number = self.number(word)?;
        if number < 0 {
            self.errors.push(format!("{word} cannot be negative"));
        }
        u64::try_from(number).ok()
    }

    fn count(&mut self, word: &str) -> Option<u32> {
        self.amount(word).map(|number| u32::try_from(number).unwrap_or(u32::MAX))
    }

    /// The number after `word`. Another parameter in its place is not consumed.
    fn number(&mut self, word: &str) -> Option<i64> {
        let Some(text) = self.tokens.peek().filter(|text| !PARAMETERS.contains(text)) else {
            self.errors.push(format!("{word} needs a number"));
            return None;
        };
        self.tokens.next();
        let number = parse(text);
        if number.is_none() {
            self.errors.push(format!("{word} needs a number, not {}", Quoted::new(text)));
        }
        number
    }

    fn search_moves(&mut self) {
        let count = self.go.search_moves.len();
        while let Some(text) = self.tokens.peek().filter(|text| looks_like_move(text)) {
            self.tokens.next();
            self.go.search_moves.push(text.to_owned());
        }
        if self.go.search_moves.len() == count {
            self.errors.push("searchmoves needs moves such as e2e4".to_owned());
        }
    }
}

/// Parses an integer; too large a value saturates.
fn parse(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let limit = if text.starts_with('-') { i64::MIN } else { i64::MAX };
    Some(text.parse().unwrap_or(limit))
}

/// Whether the text has the form of a move: letter, digit, letter, digit, optional letter. The squares are validated
/// later, with a better error message.
fn looks_like_move(text: &str) -> bool {
    let is_letter = |at: usize| text.as_bytes()[at].is_ascii_alphabetic();
    let is_digit = |at: usize| text.as_bytes()[at].is_ascii_digit();
    let has_squares = || is_letter(0) && is_digit(1) && is_letter(2) && is_digit(3);
    match text.len() {
        4 => has_squares(),
        5 => has_squares() && is_letter(4),
        _ => false,
    }
}
