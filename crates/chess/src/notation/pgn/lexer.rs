//! The words of a PGN text.

use alloc::borrow::ToOwned;
use alloc::string::String;

/// One word of a PGN text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token<'a> {
    /// `[Name "Value"]`
    Tag { name: &'a str, value: String },
    /// `{text}` or `;text`
    Comment(&'a str),
    /// Anything of the moves and what belongs to them
    Movetext(Part<'a>),
}

/// One word of the moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Part<'a> {
    /// `(`
    Open,
    /// `)`
    Close,
    /// `$1`, or what stands for it, such as `!`
    Nag(&'a str),
    /// A move, a result, or the number of a move
    Word(&'a str),
}

/// What cannot be taken for a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LexError<'a> {
    /// A `{` without its `}`.
    OpenComment,
    /// A line that begins like a tag and is none.
    BadTag(&'a str),
    /// A sign that has no meaning here.
    Stray(char),
}

/// Splits a text into tokens and knows the line it is on.
#[derive(Clone, Debug)]
pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
    line: usize,
    /// No comment ends after this: remembered, so that many open ones do not each search the whole text.
    is_out_of_braces: bool,
}

impl<'a> Lexer<'a> {
    pub(super) const fn new(text: &'a str) -> Self {
        Self { text, at: 0, line: 1, is_out_of_braces: false }
    }

    /// The line of the next token's beginning, counted from 1, once [`Self::skip_space`] has been called.
    pub(super) const fn line(&self) -> usize {
        self.line
    }

    pub(super) const fn bytes_read(&self) -> usize {
        self.at
    }

    /// Whether nothing is left.
    pub(super) const fn is_at_end(&self) -> bool {
        self.at == self.text.len()
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn advance(&mut self, bytes: usize) -> &'a str {
        let passed = &self.rest()[..bytes];
        self.line += passed.bytes().filter(|&byte| byte == b'\n').count();
        self.at += bytes;
        passed
    }

    fn is_line_start(&self) -> bool {
        self.at == 0 || self.text.as_bytes()[self.at - 1] == b'\n'
    }

    /// Goes over white space and over lines that begin with `%`, which are meant for other programs.
    pub(super) fn skip_space(&mut self) {
        loop {
            let space = self.rest().len() - self.rest().trim_ascii_start().len();
            self.advance(space);
            if !(self.is_line_start() && self.rest().starts_with('%')) {
                return;
            }
            self.advance(line_length(self.rest()));
        }
    }

    /// The next token.
    pub(super) fn next(&mut self) -> Option<Result<Token<'a>, LexError<'a>>> {
        self.skip_space();
        let first = self.rest().chars().next()?;
        match first {
            '{' => Some(self.comment()),
            ';' => {
                self.advance(1);
                let length = line_length(self.rest());
                Some(Ok(Token::Comment(self.advance(length))))
            }
            '[' => Some(self.tag()),
            '(' => Some(Ok(self.part(1, |_| Part::Open))),
            ')' => Some(Ok(self.part(1, |_| Part::Close))),
            // A bare full stop after a move number.
            '.' => {
                let dots = self.rest().len() - self.rest().trim_start_matches('.').len();
                Some(Ok(self.part(dots, Part::Word)))
            }
            '$' => {
                let digits = self.rest()[1..].bytes().take_while(u8::is_ascii_digit).count();
                Some(Ok(self.part(1 + digits, Part::Nag)))
            }
            '!' | '?' => {
                let marks = self.rest().bytes().take_while(|byte| matches!(byte, b'!' | b'?')).count();
                Some(Ok(self.part(marks, Part::Nag)))
            }
            _ if is_word_sign(first) => {
                let mut length = self.rest().find(|sign| !is_word_sign(sign)).unwrap_or(self.rest().len());
                // Taking in passing may be marked, with or without a space before: exd6 e.p.
                if self.rest()[..length].ends_with('e') && self.rest()[length..].starts_with(".p.") {
                    length += ".p.".len();
                }
                Some(Ok(self.part(length, Part::Word)))
            }
            stray => {
                self.advance(stray.len_utf8());
                Some(Err(LexError::Stray(stray)))
            }
        }
    }

    fn part(&mut self, bytes: usize, kind: impl FnOnce(&'a str) -> Part<'a>) -> Token<'a> {
        Token::Movetext(kind(self.advance(bytes)))
    }

    fn comment(&mut self) -> Result<Token<'a>, LexError<'a>> {
        let end = if self.is_out_of_braces { None } else { self.rest().find('}') };
        let Some(end) = end else {
            self.is_out_of_braces = true;
            // Everything after it would be lost: go on where the next game seems to begin.
            let next_game = self.rest().find("\n[Event ").map_or(self.rest().len(), |newline| newline + 1);
            self.advance(next_game);
            return Err(LexError::OpenComment);
        };
        let text = self.advance(end + 1);
        Ok(Token::Comment(&text[1..end]))
    }

    fn tag(&mut self) -> Result<Token<'a>, LexError<'a>> {
        let Some((name, value, length)) = split_tag(self.rest()) else {
            let length = line_length(self.rest());
            return Err(LexError::BadTag(self.advance(length)));
        };
        self.advance(length);
        Ok(Token::Tag { name, value })
    }
}

fn line_length(text: &str) -> usize {
    text.find('\n').unwrap_or(text.len())
}

/// Signs of moves, results and move numbers.
fn is_word_sign(sign: char) -> bool {
    sign.is_alphanumeric() || matches!(sign, '-' | '+' | '#' | '=' | '/' | '*' | ':' | '_' | '@' | '½' | '–')
}

/// Splits a tag off the beginning of `text`: its name, its value, and how long it was.
///
/// Quotes and backslashes inside a value should be escaped, and the value should be closed. Where they are not, the
/// bracket at the end of the line tells where the value ends.
fn split_tag(text: &str) -> Option<(&str, String, usize)> {
    let inside = text.strip_prefix('[')?.trim_ascii_start();
    let name_length =
        inside.find(|sign: char| !(sign.is_alphanumeric() || matches!(sign, '_' | '-' | '+' | '.')))?;
    let (name, rest) = inside.split_at(name_length);
    let quoted = rest.trim_start_matches([' ', '\t']).strip_prefix('"')?;
    if name.is_empty() {
        return None;
    }
    let (value, length) = split_value(quoted).or_else(|| {
        let line = quoted[..line_length(quoted)].trim_end();
        Some((line.strip_suffix(']')?.to_owned(), line.len()))
    })?;
    Some((name, value, text.len() - quoted.len() + length))
}

/// Splits the value of a tag, its closing quote and bracket included, off `quoted`.
fn split_value(quoted: &str) -> Option<(String, usize)> {
    let closing_bracket = |at: usize| {
        let rest = quoted[at..].trim_start_matches([' ', '\t']);
        rest.starts_with(']').then(|| quoted.len() - rest.len() + 1)
    };
    let is_end_of_line = |at: usize| {
        quoted[at..].trim_start_matches([' ', '\t', '\r']).starts_with('\n') || at == quoted.len()
    };
    let mut value = String::new();
    let mut signs = quoted.char_indices();
    loop {
        match signs.next()? {
            (at, '\\') => match signs.next()? {
                (_, '"') => match closing_bracket(at + 2).filter(|&end| is_end_of_line(end)) {
                    Some(end) => {
                        value.push('\\');
                        return Some((value, end));
                    }
                    None => value.push('"'),
                },
                (_, '\\') => value.push('\\'),
                (_, '\n') => return None,
                (_, sign) => value.extend(['\\', sign]),
            },
            (at, '"') => match closing_bracket(at + 1) {
                Some(end) => return Some((value, end)),
                None => value.push('"'),
            },
            (_, '\n') => return None,
            (_, sign) => value.push(sign),
        }
    }
}
