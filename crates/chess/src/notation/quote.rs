//! Quotes of user input in error messages.

use alloc::string::String;
use core::fmt;

/// The first characters of a text that could not be parsed, safe to print: short, on one line, control characters escaped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Quoted(String);

/// Longer texts are cut.
const MAX_CHARS: usize = 40;

impl Quoted {
    /// Quotes the first characters of `text`.
    pub fn new(text: &str) -> Self {
        let mut kept = text.chars().take(MAX_CHARS).collect::<String>();
        if kept.len() < text.len() {
            kept.push('…');
        }
        Self(kept)
    }
}

impl fmt::Display for Quoted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}
