//! What can be wrong with a game, in words.

use core::fmt;

use super::lexer::LexError;
use crate::notation::fen::FenError;
use crate::notation::quote::Quoted;
use crate::notation::san::SanError;

/// Variations may nest this deep.
pub(super) const MAX_DEPTH: usize = 100;

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

impl core::error::Error for PgnError {}

impl From<LexError<'_>> for PgnFault {
    fn from(error: LexError<'_>) -> Self {
        match error {
            LexError::OpenComment => Self::OpenComment,
            LexError::BadTag(text) => Self::BadTag(Quoted::new(text.trim_end())),
            LexError::Stray(sign) => Self::StraySign(sign),
        }
    }
}
