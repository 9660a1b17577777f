//! Reading PGN: many games, each with nested variations; a bad one does not spoil the others.

use alloc::borrow::Cow;
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use super::fault::{MAX_DEPTH, PgnError, PgnFault};
use super::lexer::{LexError, Lexer, Part, Token};
use super::model::{Line, PgnGame, PgnMove, find_tag};
use crate::game::Outcome;
use crate::notation::quote::Quoted;
use crate::position::Position;
use crate::types::Color;

/// The text of a PGN file: UTF-8, or Latin-1 as the standard had it, with or without a byte-order mark.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    match core::str::from_utf8(bytes) {
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
    /// What is said before the first move, be it before, among or after the tags.
    comments: Vec<String>,
    /// There was more than tags and comments: a tag after that belongs to the next game.
    has_movetext: bool,
    start: Option<Position>,
    /// The line being read, last, and those it is a variation of; empty before the movetext and after a fault.
    stack: Vec<OpenLine>,
    /// The first fault, with its line; after it the rest of the game is gone over unread.
    fault: Option<(usize, PgnFault)>,
    /// The parentheses that are open, once there is a fault.
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
    fn new(position: Position, comments: Vec<String>) -> Self {
        Self { line: Line { comments, moves: Vec::new() }, before: position.clone(), position }
    }
}

impl GameReader {
    /// Reads to the end of the game, whatever is wrong with it; `None` if there was none.
    fn read(mut self, lexer: &mut Lexer<'_>) -> Result<Option<PgnGame>, (usize, PgnFault)> {
        let mut termination = None;
        let mut line = lexer.line();
        while termination.is_none() {
            lexer.skip_space();
            let before_token = lexer.clone();
            let Some(token) = lexer.next() else { break };
            line = before_token.line();
            match token {
                Ok(Token::Tag { name, .. }) if self.is_tag_of_next_game(name) => {
                    *lexer = before_token;
                    break;
                }
                Ok(Token::Tag { name, value }) => self.tags.push((name.to_owned(), value)),
                Ok(Token::Comment(text)) => self.comment(text),
                Ok(Token::Movetext(part)) => {
                    termination = self.termination(&part);
                    self.movetext(&part, line);
                }
                Err(error) => {
                    self.has_movetext |= !matches!(error, LexError::BadTag(_));
                    self.fail(line, error.into());
                }
            }
        }
        self.finish(termination, line)
    }

    /// Whether a tag belongs to the next game. One of the same name as the first tag does: games without any move are
    /// told apart by that, since the games of a text begin alike. Other tags may come twice.
    fn is_tag_of_next_game(&self, name: &str) -> bool {
        let is_first_again = self.tags.first().is_some_and(|(first, _)| first.eq_ignore_ascii_case(name));
        self.has_movetext || is_first_again
    }

    /// The end of the game, if `part` is one; results inside variations are not.
    fn termination(&self, part: &Part<'_>) -> Option<Termination> {
        let is_inside = self.stack.len() > 1 || self.skipped_depth > 0;
        match part {
            Part::Word(word) if !is_inside => Termination::read(word),
            _ => None,
        }
    }

    fn comment(&mut self, text: &str) {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let comments = match self.stack.last_mut().map(|current| &mut current.line) {
            None => &mut self.comments,
            Some(line) => line.moves.last_mut().map_or(&mut line.comments, |last| &mut last.comments),
        };
        comments.extend((!text.is_empty()).then_some(text));
    }

    fn movetext(&mut self, part: &Part<'_>, line: usize) {
        self.has_movetext = true;
        self.begin(line);
        let is_faulty = self.fault.is_some();
        let step = match part {
            _ if is_faulty => Ok(()),
            Part::Open => self.open_variation(),
            Part::Close => self.close_variation(),
            Part::Nag(mark) => self.mark(mark),
            Part::Word(word) => self.word(word),
        };
        if let Err(fault) = step {
            self.fail(line, fault);
        }
        if self.fault.is_some() {
            match part {
                Part::Open => self.skipped_depth += 1,
                Part::Close if is_faulty => self.skipped_depth = self.skipped_depth.saturating_sub(1),
                _ => {}
            }
        }
    }

    /// Remembers the first fault and no other.
    fn fail(&mut self, line: usize, fault: PgnFault) {
        if self.fault.is_none() {
            self.fault = Some((line, fault));
            self.skipped_depth = self.stack.len().saturating_sub(1);
            self.stack.clear();
        }
    }

    /// Sets the first position up, once the tags are known.
    fn begin(&mut self, line: usize) {
        if self.start.is_some() || self.fault.is_some() {
            return;
        }
        match self.first_position() {
            Ok(position) => {
                let comments = core::mem::take(&mut self.comments);
                self.stack.push(OpenLine::new(position.clone(), comments));
                self.start = Some(position);
            }
            Err(fault) => self.fail(line, fault),
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

    fn mark(&mut self, mark: &str) -> Result<(), PgnFault> {
        let nag = read_nag(mark).ok_or_else(|| PgnFault::BadMark(Quoted::new(mark)))?;
        // A mark before the first move is of no use to anybody.
        if let Some(last) = self.current().line.moves.last_mut() {
            last.nags.push(nag);
        }
        Ok(())
    }

    /// Takes a move, or what may stand among moves: the number of one, a result.
    fn word(&mut self, word: &str) -> Result<(), PgnFault> {
        let is_number = word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        if is_number || matches!(word, "ep" | "e.p.") || Termination::read(word).is_some() {
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
        current.before = core::mem::replace(&mut current.position, after);
        current.line.moves.push(PgnMove::new(mv));
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
        self.stack.push(OpenLine::new(start, Vec::new()));
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
        termination: Option<Termination>,
        last_line: usize,
    ) -> Result<Option<PgnGame>, (usize, PgnFault)> {
        self.begin(last_line);
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        if self.stack.len() > 1 {
            return Err((last_line, PgnFault::OpenVariation));
        }
        let OpenLine { line: main_line, .. } = self.stack.pop().expect("a game has begun before it ends");
        if self.tags.is_empty() && main_line.moves.is_empty() && termination.is_none() {
            return Ok(None);
        }
        let from_tag = || find_tag(&self.tags, "Result").and_then(Termination::read);
        let outcome = termination.or_else(from_tag).and_then(Termination::outcome);
        let start = self.start.expect("a game that has begun has a first position");
        Ok(Some(PgnGame { tags: self.tags, start, main_line, outcome }))
    }
}

/// What stands at the end of a game.
#[derive(Clone, Copy)]
enum Termination {
    /// A result.
    Decided(Outcome),
    /// The asterisk.
    Unfinished,
}

impl Termination {
    fn read(word: &str) -> Option<Self> {
        match word {
            "1-0" | "1–0" => Some(Self::Decided(Outcome::Win(Color::White))),
            "0-1" | "0–1" => Some(Self::Decided(Outcome::Win(Color::Black))),
            "1/2-1/2" | "1/2" | "½-½" | "1/2–1/2" => Some(Self::Decided(Outcome::Draw)),
            "*" => Some(Self::Unfinished),
            _ => None,
        }
    }

    const fn outcome(self) -> Option<Outcome> {
        match self {
            Self::Decided(outcome) => Some(outcome),
            Self::Unfinished => None,
        }
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
