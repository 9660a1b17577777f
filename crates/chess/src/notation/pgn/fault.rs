//! Faults of PGN games, in words.

use core::fmt;

use super::lexer::LexError;
use crate::notation::fen::FenError;
use crate::notation::quote::Quoted;
use crate::notation::san::SanError;

/// The maximum depth of nested variations.
pub(super) const MAX_DEPTH: usize = 100;

/// The first fault of a game, and its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PgnError {
    /// The number of the game in the text, from 1.
    pub game: usize,
    /// The line of the text, from 1.
    pub line: usize,
    /// The fault.
    pub fault: PgnFault,
}

/// The kinds of faults.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PgnFault {
    /// A `{` without its `}`.
    OpenComment,
    /// A `(` without its `)`.
    OpenVariation,
    /// A `)` without its `(`.
    UnmatchedClose,
    /// A variation before any move.
    VariationOfNothing,
    /// Variations nest too deeply.
    TooDeep,
    /// A malformed tag.
    BadTag(Quoted),
    /// A character without a meaning in PGN.
    UnexpectedCharacter(char),
    /// An annotation that is neither a NAG from `$0` to `$255` nor one of `! ? !! ?? !? ?!`.
    BadMark(Quoted),
    /// An illegal or malformed move.
    Move(SanError),
    /// A null move in check.
    PassInCheck,
    /// The position of the tag `FEN` is not valid.
    Start(FenError),
    /// A chess variant with other rules.
    Variant(Quoted),
}

impl fmt::Display for PgnFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OpenComment => f.write_str("a comment has no end"),
            Self::OpenVariation => f.write_str("a variation has no end"),
            Self::UnmatchedClose => f.write_str("a closing parenthesis has no opening parenthesis"),
            Self::VariationOfNothing => f.write_str("a variation begins before the first move"),
            Self::TooDeep => write!(f, "variations nest deeper than {MAX_DEPTH}"),
            Self::BadTag(text) => write!(f, "{text} is not a tag such as [White \"Name\"]"),
            Self::UnexpectedCharacter(sign) => write!(f, "the character {sign:?} has no meaning here"),
            Self::BadMark(text) => write!(f, "{text} is not an annotation such as $1 or !?"),
            Self::Move(error) => error.fmt(f),
            Self::PassInCheck => f.write_str("a null move is not possible in check"),
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
            LexError::Unexpected(sign) => Self::UnexpectedCharacter(sign),
        }
    }
}
