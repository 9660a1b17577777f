//! The PGN reader: games with nested variations. A faulty game does not affect the others.

use alloc::borrow::Cow;
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use super::fault::{MAX_DEPTH, PgnError, PgnFault};
use super::lexer::{LexError, Lexer, Part, Token};
use super::model::{PgnGame, PgnMove, Variation, find_tag};
use crate::game::Outcome;
use crate::notation::quote::Quoted;
use crate::position::Position;
use crate::types::Color;

/// Decodes a PGN file: UTF-8, or Latin-1 as in the standard, with or without a byte-order mark.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    match core::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().copied().map(char::from).collect()),
    }
}

/// Iterator over the games of a PGN text. A faulty game is an error; the next game follows.
#[derive(Clone, Debug)]
pub struct Games<'a> {
    lexer: Lexer<'a>,
    game: usize,
}

impl<'a> Games<'a> {
    /// Reads `text`; [`decode`] turns bytes into text.
    pub const fn new(text: &'a str) -> Self {
        Self { lexer: Lexer::new(text), game: 0 }
    }

    /// The number of bytes read so far.
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
            // Comments alone are not a game.
            if let Some(result) = GameReader::default().read(&mut self.lexer).transpose() {
                self.game += 1;
                return Some(result.map_err(|(line, fault)| PgnError { game: self.game, line, fault }));
            }
        }
    }
}

/// The state of a game that is being read.
#[derive(Default)]
struct GameReader {
    tags: Vec<(String, String)>,
    /// Comments before the first move: before, among or after the tags.
    comments: Vec<String>,
    /// Movetext has been read: a tag after it belongs to the next game.
    has_movetext: bool,
    start: Option<Position>,
    /// The open variations, the innermost last, the main line first; empty before the movetext and after a fault.
    stack: Vec<OpenVariation>,
    /// The first fault with its line. The rest of the game is skipped.
    fault: Option<(usize, PgnFault)>,
    /// The number of open parentheses, after a fault.
    skipped_depth: usize,
}

/// A variation that has not ended yet.
struct OpenVariation {
    variation: Variation,
    position: Position,
    /// The position before the last move, where its variations start.
    before: Position,
}

impl OpenVariation {
    fn new(position: Position, comments: Vec<String>) -> Self {
        Self { variation: Variation { comments, moves: Vec::new() }, before: position.clone(), position }
    }
}

impl GameReader {
    /// Reads to the end of the game, also after a fault; `None` if there is no game.
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

    /// Whether a tag belongs to the next game. A tag with the name of the first tag does: it separates games without moves.
    /// Other tags may occur twice.
    fn is_tag_of_next_game(&self, name: &str) -> bool {
        let is_first_again = self.tags.first().is_some_and(|(first, _)| first.eq_ignore_ascii_case(name));
        self.has_movetext || is_first_again
    }

    /// The termination marker, if `part` is one outside variations.
    fn termination(&self, part: &Part<'_>) -> Option<Termination> {
        let is_in_variation = self.stack.len() > 1 || self.skipped_depth > 0;
        match part {
            Part::Word(word) if !is_in_variation => Termination::read(word),
            _ => None,
        }
    }

    fn comment(&mut self, text: &str) {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let comments = match self.stack.last_mut().map(|current| &mut current.variation) {
            None => &mut self.comments,
            Some(open) => open.moves.last_mut().map_or(&mut open.comments, |last| &mut last.comments),
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

    /// Stores the first fault and ignores later ones.
    fn fail(&mut self, line: usize, fault: PgnFault) {
        if self.fault.is_none() {
            self.fault = Some((line, fault));
            self.skipped_depth = self.stack.len().saturating_sub(1);
            self.stack.clear();
        }
    }

    /// Sets up the start position, after the tags.
    fn begin(&mut self, line: usize) {
        if self.start.is_some() || self.fault.is_some() {
            return;
        }
        match self.start_position() {
            Ok(position) => {
                let comments = core::mem::take(&mut self.comments);
                self.stack.push(OpenVariation::new(position.clone(), comments));
                self.start = Some(position);
            }
            Err(fault) => self.fail(line, fault),
        }
    }

    fn start_position(&self) -> Result<Position, PgnFault> {
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
        // A NAG before the first move is ignored.
        if let Some(last) = self.current().variation.moves.last_mut() {
            last.nags.push(nag);
        }
        Ok(())
    }

    /// Reads a move, a move number or a result.
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
            // Some programs write number and move without a separator: 1e4.
            let bare = word.trim_start_matches(|sign: char| sign.is_ascii_digit());
            let text = if word.starts_with("0-0") { word } else { bare };
            // Some programs write UCI moves.
            let read = current.position.parse_san(text);
            let mv =
                read.or_else(|error| current.position.parse_uci(text).map_err(|_| PgnFault::Move(error)))?;
            after.make(mv, &mut ());
            Some(mv)
        };
        current.before = core::mem::replace(&mut current.position, after);
        current.variation.moves.push(PgnMove::new(mv));
        Ok(())
    }

    fn current(&mut self) -> &mut OpenVariation {
        self.stack.last_mut().expect("the main line is open")
    }

    fn open_variation(&mut self) -> Result<(), PgnFault> {
        if self.stack.len() > MAX_DEPTH {
            return Err(PgnFault::TooDeep);
        }
        let current = self.current();
        if current.variation.moves.is_empty() {
            return Err(PgnFault::VariationOfNothing);
        }
        let start = current.before.clone();
        self.stack.push(OpenVariation::new(start, Vec::new()));
        Ok(())
    }

    fn close_variation(&mut self) -> Result<(), PgnFault> {
        if self.stack.len() < 2 {
            return Err(PgnFault::UnmatchedClose);
        }
        let variation = self.stack.pop().expect("two variations are open").variation;
        let last = self.current().variation.moves.last_mut().expect("a variation follows a move");
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
        let OpenVariation { variation: main_line, .. } = self.stack.pop().expect("the main line is open");
        if self.tags.is_empty() && main_line.moves.is_empty() && termination.is_none() {
            return Ok(None);
        }
        let from_tag = || find_tag(&self.tags, "Result").and_then(Termination::read);
        let outcome = termination.or_else(from_tag).and_then(Termination::outcome);
        let start = self.start.expect("the main line has a start position");
        Ok(Some(PgnGame { tags: self.tags, start, main_line, outcome }))
    }
}

/// The termination marker of a game.
#[derive(Clone, Copy)]
enum Termination {
    /// A result.
    Decided(Outcome),
    /// `*`
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
