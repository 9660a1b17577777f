//! Reading PGN: many games, each with nested variations; a bad one does not spoil the others.

use std::borrow::Cow;
use std::fmt;

use super::lexer::{LexError, Lexer, Token};
use super::model::{Line, PgnGame, PgnMove, find_tag};
use crate::game::Outcome;
use crate::notation::fen::FenError;
use crate::notation::quote::Quoted;
use crate::notation::san::SanError;
use crate::position::Position;
use crate::types::Color;

/// Variations may nest this deep.
const MAX_DEPTH: usize = 100;

/// Why a game could not be read, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PgnError {
    /// Which game of the text it is, counted from 1.
    pub game: usize,
    /// The line, counted from 1.
    pub line: usize,
    /// The fault.
    pub fault: PgnFault,
}

/// What can be wrong with a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PgnFault {
    /// A `{` without its `}`.
    OpenComment,
    /// A `(` without its `)`.
    OpenVariation,
    /// A `)` without its `(`.
    StrayClose,
    /// A variation before any move.
    VariationOfNothing,
    /// Variations inside variations, more than anyone can have meant.
    TooDeep,
    /// A line that begins like a tag and is none.
    BadTag(Quoted),
    /// A sign that has no meaning in a game.
    StraySign(char),
    /// A mark that is neither `$` and a number up to 255 nor one of `! ? !! ?? !? ?!`.
    BadMark(Quoted),
    /// A move that cannot be played.
    Move(SanError),
    /// A passed turn while in check.
    PassInCheck,
    /// The position in the tag `FEN`.
    Start(FenError),
    /// A kind of chess with other rules.
    Variant(Quoted),
}

impl fmt::Display for PgnFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OpenComment => f.write_str("a comment has no end"),
            Self::OpenVariation => f.write_str("a variation has no end"),
            Self::StrayClose => f.write_str("a variation ends that has not begun"),
            Self::VariationOfNothing => f.write_str("a variation begins before there is a move"),
            Self::TooDeep => write!(f, "variations nest deeper than {MAX_DEPTH}"),
            Self::BadTag(text) => write!(f, "{text} is not a tag such as [White \"Name\"]"),
            Self::StraySign(sign) => write!(f, "the sign {sign:?} has no meaning here"),
            Self::BadMark(text) => write!(f, "{text} is not a mark such as $1 or !?"),
            Self::Move(error) => error.fmt(f),
            Self::PassInCheck => f.write_str("the turn is passed while in check"),
            Self::Start(error) => write!(f, "in the tag FEN, {error}"),
            Self::Variant(name) => write!(f, "the variant {name} has other rules than chess and Chess960"),
        }
    }
}

impl fmt::Display for PgnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {}, line {}: {}", self.game, self.line, self.fault)
    }
}

impl std::error::Error for PgnError {}

/// The text of a PGN file: UTF-8, or Latin-1 as the standard had it, with or without a byte-order mark.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().copied().map(char::from).collect()),
    }
}

/// The games of a PGN text, one after the other; a game that cannot be read is an error, and the next one follows.
#[derive(Clone, Debug)]
pub struct Games<'a> {
    lexer: Lexer<'a>,
    game: usize,
}

impl<'a> Games<'a> {
    /// Reads `text`; [`decode`] makes one from bytes.
    pub const fn new(text: &'a str) -> Self {
        Self { lexer: Lexer::new(text), game: 0 }
    }

    /// How much of the text has been read.
    pub const fn bytes_read(&self) -> usize {
        self.lexer.bytes_read()
    }
}

impl Iterator for Games<'_> {
    type Item = Result<PgnGame, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            self.lexer.skip_space();
            if self.lexer.is_at_end() {
                return None;
            }
            // What holds nothing but comments is not a game.
            if let Some(result) = GameReader::default().read(&mut self.lexer).transpose() {
                self.game += 1;
                return Some(result.map_err(|(line, fault)| PgnError { game: self.game, line, fault }));
            }
        }
    }
}

/// What has been read of a game so far.
#[derive(Default)]
struct GameReader {
    tags: Vec<(String, String)>,
    start: Option<Position>,
    /// The line being read, last, and those it is a variation of; empty before the first move or comment.
    stack: Vec<OpenLine>,
    /// The first fault, with its line; after it the rest of the game is gone over unread.
    fault: Option<(usize, PgnFault)>,
    /// Parentheses open since the fault.
    skipped_depth: usize,
}

/// A line that has not ended yet.
struct OpenLine {
    line: Line,
    position: Position,
    /// The position before the last move, where variations begin.
    before: Position,
}

impl OpenLine {
    fn new(position: Position) -> Self {
        Self { line: Line::default(), before: position.clone(), position }
    }
}

impl GameReader {
    /// Reads to the end of the game, whatever is wrong with it; `None` if there was none.
    fn read(mut self, lexer: &mut Lexer<'_>) -> Result<Option<PgnGame>, (usize, PgnFault)> {
        let mut outcome = None;
        let mut last_line = lexer.line();
        loop {
            lexer.skip_space();
            let before_token = lexer.clone();
            let Some(token) = lexer.next() else { break };
            last_line = before_token.line();
            let is_inside = self.stack.len() > 1 || self.skipped_depth > 0;
            let step = match token {
                Err(error) => Err(error.into()),
                Ok(Token::Tag { .. }) if self.is_past_tags() => {
                    *lexer = before_token;
                    break;
                }
                Ok(Token::Word(word)) => match read_result(word) {
                    Some(_) if is_inside => Ok(()),
                    Some(result) => {
                        self.begin(last_line);
                        outcome = Some(result);
                        break;
                    }
                    None => self.word(word, last_line),
                },
                Ok(token) => self.token(token, last_line),
            };
            if let Err(fault) = step {
                self.fault.get_or_insert((last_line, fault));
            }
        }
        self.begin(last_line);
        self.finish(outcome, last_line)
    }

    /// Whether a tag would belong to the next game: only comments may stand before the tags of a game.
    fn is_past_tags(&self) -> bool {
        match &self.fault {
            Some((_, PgnFault::BadTag(_))) => false,
            Some(_) => true,
            None => {
                self.stack.first().is_some_and(|main| !self.tags.is_empty() || !main.line.moves.is_empty())
            }
        }
    }

    /// Sets the first position up, once the tags are known.
    fn begin(&mut self, line: usize) {
        if self.stack.is_empty() && self.fault.is_none() {
            match self.first_position() {
                Ok(position) => {
                    self.start = Some(position.clone());
                    self.stack.push(OpenLine::new(position));
                }
                Err(fault) => self.fault = Some((line, fault)),
            }
        }
    }

    fn first_position(&self) -> Result<Position, PgnFault> {
        if let Some(variant) = find_tag(&self.tags, "Variant") {
            let plain = variant.to_ascii_lowercase().replace([' ', '-', '_'], "");
            let known =
                ["standard", "chess", "normal", "fromposition", "chess960", "fischerandom", "fischerrandom"];
            if !known.contains(&plain.as_str()) {
                return Err(PgnFault::Variant(Quoted::new(variant)));
            }
        }
        find_tag(&self.tags, "FEN")
            .map_or_else(|| Ok(Position::default()), |fen| fen.parse().map_err(PgnFault::Start))
    }

    /// Takes any token but a word.
    fn token(&mut self, token: Token<'_>, line: usize) -> Result<(), PgnFault> {
        if let Token::Tag { name, value } = token {
            self.stack.clear();
            self.tags.push((name.to_owned(), value));
            return Ok(());
        }
        self.begin(line);
        if self.fault.is_some() {
            match token {
                Token::Open => self.skipped_depth += 1,
                Token::Close => self.skipped_depth = self.skipped_depth.saturating_sub(1),
                _ => {}
            }
            return Ok(());
        }
        match token {
            Token::Open => self.open_variation(),
            Token::Close => self.close_variation(),
            Token::Comment(text) => {
                let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
                let line = &mut self.current().line;
                let comments = line.moves.last_mut().map_or(&mut line.comments, |last| &mut last.comments);
                comments.extend((!text.is_empty()).then_some(text));
                Ok(())
            }
            Token::Nag(mark) => {
                let nag = read_nag(mark).ok_or_else(|| PgnFault::BadMark(Quoted::new(mark)))?;
                // A mark before the first move is of no use to anybody.
                if let Some(last) = self.current().line.moves.last_mut() {
                    last.nags.push(nag);
                }
                Ok(())
            }
            Token::Tag { .. } | Token::Word(_) => Ok(()),
        }
    }

    /// Takes a move or the number of one.
    fn word(&mut self, word: &str, line: usize) -> Result<(), PgnFault> {
        self.begin(line);
        let is_number = word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        if self.fault.is_some() || is_number || matches!(word, "ep" | "e.p.") {
            return Ok(());
        }
        let current = self.current();
        let mut after = current.position.clone();
        let mv = if matches!(word, "--" | "Z0" | "null") {
            if after.is_check() {
                return Err(PgnFault::PassInCheck);
            }
            after.make_null();
            None
        } else {
            // Some write the number and the move together: 1e4.
            let bare = word.trim_start_matches(|sign: char| sign.is_ascii_digit());
            let text = if word.starts_with("0-0") { word } else { bare };
            // Some programs write moves as UCI does.
            let read = current.position.parse_san(text);
            let mv =
                read.or_else(|error| current.position.parse_uci(text).map_err(|_| PgnFault::Move(error)))?;
            after.make(mv, &mut ());
            Some(mv)
        };
        current.before = std::mem::replace(&mut current.position, after);
        current.line.moves.push(PgnMove {
            mv,
            nags: Vec::new(),
            comments: Vec::new(),
            variations: Vec::new(),
        });
        Ok(())
    }

    fn current(&mut self) -> &mut OpenLine {
        self.stack.last_mut().expect("a game has begun before it is added to")
    }

    fn open_variation(&mut self) -> Result<(), PgnFault> {
        if self.stack.len() > MAX_DEPTH {
            return Err(PgnFault::TooDeep);
        }
        let current = self.current();
        if current.line.moves.is_empty() {
            return Err(PgnFault::VariationOfNothing);
        }
        let start = current.before.clone();
        self.stack.push(OpenLine::new(start));
        Ok(())
    }

    fn close_variation(&mut self) -> Result<(), PgnFault> {
        if self.stack.len() < 2 {
            return Err(PgnFault::StrayClose);
        }
        let variation = self.stack.pop().expect("there are two lines at least").line;
        let last = self.current().line.moves.last_mut().expect("a variation is one of a move");
        last.variations.push(variation);
        Ok(())
    }

    fn finish(
        mut self,
        outcome: Option<Option<Outcome>>,
        last_line: usize,
    ) -> Result<Option<PgnGame>, (usize, PgnFault)> {
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        if self.stack.len() > 1 {
            return Err((last_line, PgnFault::OpenVariation));
        }
        let OpenLine { line: main_line, .. } = self.stack.pop().expect("a game has begun before it ends");
        if self.tags.is_empty() && main_line.moves.is_empty() && outcome.is_none() {
            return Ok(None);
        }
        let from_tag = || find_tag(&self.tags, "Result").and_then(read_result);
        let outcome = outcome.or_else(from_tag).flatten();
        let start = self.start.expect("a game that has begun has a first position");
        Ok(Some(PgnGame { tags: self.tags, start, main_line, outcome }))
    }
}

impl From<LexError<'_>> for PgnFault {
    fn from(error: LexError<'_>) -> Self {
        match error {
            LexError::OpenComment => Self::OpenComment,
            LexError::BadTag(text) => Self::BadTag(Quoted::new(text.trim_end())),
            LexError::Stray(sign) => Self::StraySign(sign),
        }
    }
}

/// The result that ends a game; `Some(None)` is the asterisk.
fn read_result(word: &str) -> Option<Option<Outcome>> {
    match word {
        "1-0" | "1–0" => Some(Some(Outcome::Win(Color::White))),
        "0-1" | "0–1" => Some(Some(Outcome::Win(Color::Black))),
        "1/2-1/2" | "1/2" | "½-½" | "1/2–1/2" => Some(Some(Outcome::Draw)),
        "*" => Some(None),
        _ => None,
    }
}

fn read_nag(mark: &str) -> Option<u8> {
    match mark {
        "!" => Some(1),
        "?" => Some(2),
        "!!" => Some(3),
        "??" => Some(4),
        "!?" => Some(5),
        "?!" => Some(6),
        _ => mark.strip_prefix('$')?.parse().ok(),
    }
}
