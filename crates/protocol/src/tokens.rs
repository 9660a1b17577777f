//! A tokenizer: the words of a line, with access to the unread rest. The value of an option is the rest of its line.

/// The unread part of a line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tokens<'a> {
    rest: &'a str,
}

impl<'a> Tokens<'a> {
    /// The tokens of `line`.
    pub(crate) fn new(line: &'a str) -> Self {
        Self { rest: line.trim() }
    }

    /// The next token, without consuming it.
    pub(crate) fn peek(&self) -> Option<&'a str> {
        let mut ahead = *self;
        ahead.next()
    }

    /// The unread rest, trimmed.
    pub(crate) fn rest(&self) -> &'a str {
        self.rest.trim()
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let text = self.rest.trim_start();
        let end = text.find(char::is_whitespace).unwrap_or(text.len());
        let (token, rest) = text.split_at(end);
        self.rest = rest;
        (!token.is_empty()).then_some(token)
    }
}
