//! The PGN lexer: tokens of a text.

use alloc::borrow::ToOwned;
use alloc::string::String;

/// A token of a PGN text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token<'a> {
    /// `[Name "Value"]`
    Tag { name: &'a str, value: String },
    /// `{text}` or `;text`
    Comment(&'a str),
    /// Moves, NAGs, parentheses and results
    Movetext(Part<'a>),
}

/// A token of the movetext.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Part<'a> {
    /// `(`
    Open,
    /// `)`
    Close,
    /// `$1`, or a mark such as `!`
    Nag(&'a str),
    /// A move, a result, or a move number
    Word(&'a str),
}

/// Text that is not a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LexError<'a> {
    /// A `{` without its `}`.
    OpenComment,
    /// A malformed tag.
    BadTag(&'a str),
    /// A character without a meaning.
    Unexpected(char),
}

/// Splits a text into tokens and counts its lines.
#[derive(Clone, Debug)]
pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
    line: usize,
    /// The rest of the text has no closing brace. Stored, so that many open comments do not each scan the whole text.
    is_out_of_braces: bool,
}

impl<'a> Lexer<'a> {
    pub(super) const fn new(text: &'a str) -> Self {
        Self { text, at: 0, line: 1, is_out_of_braces: false }
    }

    /// The line of the next token, from 1, after a call of [`Self::skip_space`].
    pub(super) const fn line(&self) -> usize {
        self.line
    }

    pub(super) const fn bytes_read(&self) -> usize {
        self.at
    }

    /// Whether the whole text has been read.
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

    /// Skips white space and escaped lines, which begin with `%`.
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
                // An en-passant capture may have a mark, with or without a space: exd6 e.p.
                if self.rest()[..length].ends_with('e') && self.rest()[length..].starts_with(".p.") {
                    length += ".p.".len();
                }
                Some(Ok(self.part(length, Part::Word)))
            }
            other => {
                self.advance(other.len_utf8());
                Some(Err(LexError::Unexpected(other)))
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
            // Skip to the next game, so that the games after it are not lost.
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

/// Characters of moves, results and move numbers.
fn is_word_sign(sign: char) -> bool {
    sign.is_alphanumeric() || matches!(sign, '-' | '+' | '#' | '=' | '/' | '*' | ':' | '_' | '@' | '½' | '–')
}

/// Splits a tag off `text`: its name, its value, and its length.
///
/// Quotes and backslashes in a value should be escaped, and the value should end with a quote. Otherwise the bracket at
/// the end of the line ends the value.
fn split_tag(text: &str) -> Option<(&str, String, usize)> {
    let content = text.strip_prefix('[')?.trim_ascii_start();
    let name_length =
        content.find(|sign: char| !(sign.is_alphanumeric() || matches!(sign, '_' | '-' | '+' | '.')))?;
    let (name, rest) = content.split_at(name_length);
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

/// Splits the value of a tag, with its closing quote and bracket, off `quoted`.
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
