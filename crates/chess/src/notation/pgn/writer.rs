//! The PGN writer.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use super::model::{PgnGame, PgnMove, Variation};
use crate::position::Position;
use crate::types::Color;

/// The maximum length of a line.
const MAX_COLUMNS: usize = 80;

/// Writes the tags, the moves with their annotations, and the result.
///
/// A game from another start position gets the tags `SetUp` and `FEN`, if it lacks them. A second tag with the name of the
/// first one is omitted: readers would take it for the start of another game.
impl fmt::Display for PgnGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let write_tag = |f: &mut fmt::Formatter<'_>, name: &str, value: &str| {
            // A tag is one line.
            let value = value.replace(['\n', '\r'], " ").replace('\\', "\\\\").replace('"', "\\\"");
            writeln!(f, "[{name} \"{value}\"]")
        };
        let others = self.tags.iter().skip(1).filter(|(name, _)| !name.eq_ignore_ascii_case(&self.tags[0].0));
        for (name, value) in self.tags.iter().take(1).chain(others) {
            write_tag(f, name, value)?;
        }
        if self.tag("FEN").is_none() && self.start != Position::default() {
            if self.tag("SetUp").is_none() {
                write_tag(f, "SetUp", "1")?;
            }
            write_tag(f, "FEN", &self.start.to_string())?;
        }
        writeln!(f)?;
        let mut movetext = Movetext::default();
        movetext.variation(&self.main_line, &self.start);
        movetext.word(&self.outcome.map_or_else(|| "*".to_owned(), |outcome| outcome.to_string()));
        movetext.flush();
        writeln!(f, "{}", movetext.text)
    }
}

/// The movetext, broken into lines.
#[derive(Default)]
struct Movetext {
    text: String,
    column: usize,
    /// The last word. It is written when the next word starts, since punctuation may still be attached to it.
    last: String,
    /// The next word is attached to the last one.
    is_attached: bool,
}

impl Movetext {
    fn word(&mut self, word: &str) {
        if !core::mem::take(&mut self.is_attached) {
            self.flush();
        }
        self.last.push_str(word);
    }

    fn open(&mut self, sign: &str) {
        self.word(sign);
        self.is_attached = true;
    }

    fn close(&mut self, sign: &str) {
        self.last.push_str(sign);
        self.is_attached = false;
    }

    fn flush(&mut self) {
        let length = self.last.chars().count();
        if self.column > 0 && self.column + 1 + length > MAX_COLUMNS {
            self.text.push('\n');
            self.column = 0;
        } else if self.column > 0 {
            self.text.push(' ');
            self.column += 1;
        }
        self.text.push_str(&self.last);
        self.column += length;
        self.last.clear();
    }

    fn comment(&mut self, text: &str) {
        // PGN has no escape for the closing brace in a comment.
        let text = text.replace('}', ")");
        self.open("{");
        for word in words(&text) {
            self.word(&word);
        }
        self.close("}");
    }

    fn variation(&mut self, variation: &Variation, start: &Position) {
        for comment in &variation.comments {
            self.comment(comment);
        }
        let mut position = start.clone();
        // A move of Black gets its number unless it follows a move of White.
        let mut needs_number = true;
        for played in &variation.moves {
            if needs_number || position.side_to_move() == Color::White {
                let dots = if position.side_to_move() == Color::White { "." } else { "..." };
                self.word(&format!("{}{dots}", position.fullmove_number()));
            }
            let before = position.clone();
            match played.mv {
                Some(mv) => {
                    self.word(&position.san(mv));
                    position.make(mv, &mut ());
                }
                None => {
                    self.word("--");
                    position.make_null();
                }
            }
            needs_number = self.annotations(played, &before);
        }
    }

    /// Writes the annotations of a move and returns whether there was more than NAGs.
    fn annotations(&mut self, played: &PgnMove, before: &Position) -> bool {
        for nag in &played.nags {
            self.word(&format!("${nag}"));
        }
        for comment in &played.comments {
            self.comment(comment);
        }
        for variation in &played.variations {
            self.open("(");
            self.variation(variation, before);
            self.close(")");
        }
        !played.comments.is_empty() || !played.variations.is_empty()
    }
}

/// The words of a comment. A command such as `[%eval 0.25]` is one word: many readers do not accept a line break in it.
fn words(comment: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut is_in_command = false;
    for word in comment.split_whitespace() {
        match words.last_mut().filter(|_| is_in_command) {
            Some(command) => {
                command.push(' ');
                command.push_str(word);
            }
            None => words.push(word.to_owned()),
        }
        is_in_command = match (word.rfind("[%"), word.rfind(']')) {
            (Some(begin), end) => end.is_none_or(|end| end < begin),
            (None, Some(_)) => false,
            (None, None) => is_in_command,
        };
    }
    words
}
