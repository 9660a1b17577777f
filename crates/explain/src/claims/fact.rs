//! Facts: predicates over the positions of a line. They are data: [`super::verify`](mod@super::verify) evaluates them.
//!
//! A ply counts the moves of the line played so far: 0 is the start of the line. How a fact was found is unknown here.

use rukh_chess::{Color, Piece, Square};

/// A predicate that holds at a point of a line.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(tag = "fact", rename_all = "snake_case"))]
pub enum Fact {
    /// A piece stands on the square.
    Piece {
        /// Plies from the start of the line.
        ply: usize,
        /// The colour of the piece.
        #[cfg_attr(feature = "serde", serde(with = "super::text_form::color"))]
        color: Color,
        /// The kind of the piece.
        #[cfg_attr(feature = "serde", serde(with = "super::text_form::piece"))]
        piece: Piece,
        /// Where it stands.
        #[cfg_attr(feature = "serde", serde(with = "super::text_form::square"))]
        square: Square,
    },
    /// The piece on `from` attacks the square `to`.
    Attacks {
        /// Plies from the start of the line.
        ply: usize,
        /// The attacking piece.
        #[cfg_attr(feature = "serde", serde(with = "super::text_form::square"))]
        from: Square,
        /// The attacked square.
        #[cfg_attr(feature = "serde", serde(with = "super::text_form::square"))]
        to: Square,
    },
    /// The piece on `from` does not attack the square `to`.
    AttacksNot {
        /// Plies from the start of the line.
        ply: usize,
        /// The piece.
        #[cfg_attr(feature = "serde", serde(with = "super::text_form::square"))]
        from: Square,
        /// The square that it does not attack.
        #[cfg_attr(feature = "serde", serde(with = "super::text_form::square"))]
        to: Square,
    },
    /// Exactly these pieces give check.
    Checkers {
        /// Plies from the start of the line.
        ply: usize,
        /// Their squares.
        #[cfg_attr(feature = "serde", serde(with = "super::text_form::squares"))]
        squares: Vec<Square>,
    },
    /// The side to move is checkmated.
    Checkmate {
        /// Plies from the start of the line.
        ply: usize,
    },
    /// The piece on `pinned` is the only one between the slider on `by` and the piece on `target`, which has its colour.
    Pin {
        /// Plies from the start of the line.
        ply: usize,
        /// The pinned piece.
        #[cfg_attr(feature = "serde", serde(with = "super::text_form::square"))]
        pinned: Square,
        /// The pinning piece.
        #[cfg_attr(feature = "serde", serde(with = "super::text_form::square"))]
        by: Square,
        /// The piece behind it.
        #[cfg_attr(feature = "serde", serde(with = "super::text_form::square"))]
        target: Square,
    },
    /// The move that leads to this ply captures this piece on the square.
    Captures {
        /// Plies from the start of the line, at least 1.
        ply: usize,
        /// The captured piece.
        #[cfg_attr(feature = "serde", serde(with = "super::text_form::piece"))]
        piece: Piece,
        /// The square of the captured piece.
        #[cfg_attr(feature = "serde", serde(with = "super::text_form::square"))]
        square: Square,
    },
    /// The move that leads to this ply promotes to this piece.
    Promotes {
        /// Plies from the start of the line, at least 1.
        ply: usize,
        /// The new piece.
        #[cfg_attr(feature = "serde", serde(with = "super::text_form::piece"))]
        piece: Piece,
    },
    /// No piece of its colour protects the piece on the square, not even through an attacker.
    Unprotected {
        /// Plies from the start of the line.
        ply: usize,
        /// The square of the piece.
        #[cfg_attr(feature = "serde", serde(with = "super::text_form::square"))]
        square: Square,
    },
    /// The piece on the square is attacked, and unprotected or attacked by a less valuable piece.
    EnPrise {
        /// Plies from the start of the line.
        ply: usize,
        /// The square of the piece.
        #[cfg_attr(feature = "serde", serde(with = "super::text_form::square"))]
        square: Square,
    },
    /// The piece on the square, of the side to move, is en prise and stays so wherever it goes; and it can take nothing
    /// of its value.
    Trapped {
        /// Plies from the start of the line.
        ply: usize,
        /// The square of the piece.
        #[cfg_attr(feature = "serde", serde(with = "super::text_form::square"))]
        square: Square,
    },
    /// The material balance of a side, in pawns (9, 5, 3, 3, 1), has changed by this much since the start of the line.
    Material {
        /// Plies from the start of the line.
        ply: usize,
        /// The side.
        #[cfg_attr(feature = "serde", serde(with = "super::text_form::color"))]
        side: Color,
        /// The change.
        pawns: i32,
    },
    /// The side to move has exactly this many legal moves.
    LegalMoves {
        /// Plies from the start of the line.
        ply: usize,
        /// Their number.
        count: usize,
    },
    /// The side forces mate in this many of its moves, from the position at the ply, against every defence.
    ForcedMate {
        /// Plies from the start of the line.
        ply: usize,
        /// The side that gives mate.
        #[cfg_attr(feature = "serde", serde(with = "super::text_form::color"))]
        side: Color,
        /// Its moves.
        moves: u32,
    },
    /// A search of the position at the ply gives the side at least this expected score, from 0 to 1.
    AtLeast {
        /// Plies from the start of the line.
        ply: usize,
        /// The side.
        #[cfg_attr(feature = "serde", serde(with = "super::text_form::color"))]
        side: Color,
        /// Win probability plus half the draw probability.
        expected: f64,
    },
    /// A search of the position at the ply gives the side at most this expected score, from 0 to 1.
    AtMost {
        /// Plies from the start of the line.
        ply: usize,
        /// The side.
        #[cfg_attr(feature = "serde", serde(with = "super::text_form::color"))]
        side: Color,
        /// Win probability plus half the draw probability.
        expected: f64,
    },
    /// If the side to move at the ply passes, a search gives the opponent at least this expected score.
    IfPassedAtLeast {
        /// Plies from the start of the line.
        ply: usize,
        /// The expected score of the opponent of the side to move.
        expected: f64,
    },
    /// If the side to move at the ply passes, a search gives the opponent at most this expected score.
    IfPassedAtMost {
        /// Plies from the start of the line.
        ply: usize,
        /// The expected score of the opponent of the side to move.
        expected: f64,
    },
    /// Every other move than the one that leads to this ply gives the side that moves at most this expected score.
    OthersAtMost {
        /// Plies from the start of the line, at least 1.
        ply: usize,
        /// The expected score.
        expected: f64,
    },
    /// The tablebases give this result for the side: 1 win, 0.5 draw, 0 loss.
    Tablebase {
        /// Plies from the start of the line.
        ply: usize,
        /// The side.
        #[cfg_attr(feature = "serde", serde(with = "super::text_form::color"))]
        side: Color,
        /// The result.
        result: f64,
    },
    /// A term of the classical evaluation, from the point of view of the side, has risen by at least this many
    /// hundredths of a pawn since the start of the line; a fall is negative and is at most this much.
    TermChange {
        /// Plies from the start of the line.
        ply: usize,
        /// The side.
        #[cfg_attr(feature = "serde", serde(with = "super::text_form::color"))]
        side: Color,
        /// The name of the term.
        term: String,
        /// The change.
        by: i32,
    },
}

impl Fact {
    /// The ply at which the fact holds.
    pub fn ply(&self) -> usize {
        match self {
            Self::Piece { ply, .. }
            | Self::Attacks { ply, .. }
            | Self::AttacksNot { ply, .. }
            | Self::Checkers { ply, .. }
            | Self::Checkmate { ply, .. }
            | Self::Pin { ply, .. }
            | Self::Captures { ply, .. }
            | Self::Promotes { ply, .. }
            | Self::Unprotected { ply, .. }
            | Self::EnPrise { ply, .. }
            | Self::Trapped { ply, .. }
            | Self::Material { ply, .. }
            | Self::LegalMoves { ply, .. }
            | Self::ForcedMate { ply, .. }
            | Self::AtLeast { ply, .. }
            | Self::AtMost { ply, .. }
            | Self::IfPassedAtLeast { ply, .. }
            | Self::IfPassedAtMost { ply, .. }
            | Self::OthersAtMost { ply, .. }
            | Self::Tablebase { ply, .. }
            | Self::TermChange { ply, .. } => *ply,
        }
    }

    /// The same fact this many plies later.
    #[must_use]
    pub fn later(mut self, plies: usize) -> Self {
        match &mut self {
            Self::Piece { ply, .. }
            | Self::Attacks { ply, .. }
            | Self::AttacksNot { ply, .. }
            | Self::Checkers { ply, .. }
            | Self::Checkmate { ply, .. }
            | Self::Pin { ply, .. }
            | Self::Captures { ply, .. }
            | Self::Promotes { ply, .. }
            | Self::Unprotected { ply, .. }
            | Self::EnPrise { ply, .. }
            | Self::Trapped { ply, .. }
            | Self::Material { ply, .. }
            | Self::LegalMoves { ply, .. }
            | Self::ForcedMate { ply, .. }
            | Self::AtLeast { ply, .. }
            | Self::AtMost { ply, .. }
            | Self::IfPassedAtLeast { ply, .. }
            | Self::IfPassedAtMost { ply, .. }
            | Self::OthersAtMost { ply, .. }
            | Self::Tablebase { ply, .. }
            | Self::TermChange { ply, .. } => *ply += plies,
        }
        self
    }

    /// Whether only a search can check the fact.
    pub fn needs_search(&self) -> bool {
        matches!(
            self,
            Self::ForcedMate { .. }
                | Self::AtLeast { .. }
                | Self::AtMost { .. }
                | Self::IfPassedAtLeast { .. }
                | Self::IfPassedAtMost { .. }
                | Self::OthersAtMost { .. }
        )
    }
}
