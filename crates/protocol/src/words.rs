//! The words of a line, with the rest of the line at hand: the value of an option is text, not words.

/// What has not been read yet of a line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words<'a> {
    rest: &'a str,
}

impl<'a> Words<'a> {
    /// All words of `line`.
    pub(crate) fn new(line: &'a str) -> Self {
        Self { rest: line.trim() }
    }

    /// The next word, which stays the next one.
    pub(crate) fn peek(&self) -> Option<&'a str> {
        let mut ahead = *self;
        ahead.next()
    }

    /// All that has not been read, without the spaces around it.
    pub(crate) fn rest(&self) -> &'a str {
        self.rest.trim()
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let text = self.rest.trim_start();
        let end = text.find(char::is_whitespace).unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }
}
