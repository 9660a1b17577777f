//! Facts: predicates over the positions of a line. They are data: [`super::verify`](mod@super::verify) evaluates them.
//!
//! A ply counts the moves of the line played so far: 0 is the start of the line. How a fact was found is unknown here.

use rukh_chess::{Color, Piece, Square};

/// A predicate that holds at a point of a line.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Fact {
    /// Plies from the start of the line.
    pub ply: usize,
    /// What holds there.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub predicate: Predicate,
}

/// What can hold at a point of a line.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(tag = "fact", rename_all = "snake_case"))]
pub enum Predicate {
    /// A piece stands on the square.
    Piece {
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
        /// The attacking piece.
        #[cfg_attr(feature = "serde", serde(with = "super::text_form::square"))]
        from: Square,
        /// The attacked square.
        #[cfg_attr(feature = "serde", serde(with = "super::text_form::square"))]
        to: Square,
    },
    /// The piece on `from` does not attack the square `to`.
    AttacksNot {
        /// The piece.
        #[cfg_attr(feature = "serde", serde(with = "super::text_form::square"))]
        from: Square,
        /// The square that it does not attack.
        #[cfg_attr(feature = "serde", serde(with = "super::text_form::square"))]
        to: Square,
    },
    /// Exactly these pieces give check.
    Checkers {
        /// Their squares.
        #[cfg_attr(feature = "serde", serde(with = "super::text_form::squares"))]
        squares: Vec<Square>,
    },
    /// The side to move is checkmated.
    Checkmate,
    /// The piece on `pinned` is the only one between the slider on `by` and the piece on `target`, which has its colour.
    Pin {
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
        /// The captured piece.
        #[cfg_attr(feature = "serde", serde(with = "super::text_form::piece"))]
        piece: Piece,
        /// The square of the captured piece.
        #[cfg_attr(feature = "serde", serde(with = "super::text_form::square"))]
        square: Square,
    },
    /// The move that leads to this ply promotes to this piece.
    Promotes {
        /// The new piece.
        #[cfg_attr(feature = "serde", serde(with = "super::text_form::piece"))]
        piece: Piece,
    },
    /// No piece of its colour protects the piece on the square, not even through an attacker.
    Unprotected {
        /// The square of the piece.
        #[cfg_attr(feature = "serde", serde(with = "super::text_form::square"))]
        square: Square,
    },
    /// The piece on the square is attacked, and unprotected or attacked by a less valuable piece.
    EnPrise {
        /// The square of the piece.
        #[cfg_attr(feature = "serde", serde(with = "super::text_form::square"))]
        square: Square,
    },
    /// The piece on the square, of the side to move, is en prise and stays so wherever it goes; and it can take nothing
    /// of its value.
    Trapped {
        /// The square of the piece.
        #[cfg_attr(feature = "serde", serde(with = "super::text_form::square"))]
        square: Square,
    },
    /// Whatever the side to move plays, the pawn of the other side steps forward on every move and promotes to a queen,
    /// which is not captured at once.
    Unstoppable {
        /// The square of the pawn.
        #[cfg_attr(feature = "serde", serde(with = "super::text_form::square"))]
        square: Square,
    },
    /// The material balance of a side, in pawns (9, 5, 3, 3, 1), has changed by this much since the start of the line.
    Material {
        /// The side.
        #[cfg_attr(feature = "serde", serde(with = "super::text_form::color"))]
        side: Color,
        /// The change.
        pawns: i32,
    },
    /// The side to move has exactly this many legal moves.
    LegalMoves {
        /// Their number.
        count: usize,
    },
    /// The side forces mate in this many of its moves, from the position at the ply, against every defence.
    ForcedMate {
        /// The side that gives mate.
        #[cfg_attr(feature = "serde", serde(with = "super::text_form::color"))]
        side: Color,
        /// Its moves.
        moves: u32,
    },
    /// A search of the position at the ply gives the side at least this expected score, from 0 to 1.
    AtLeast {
        /// The side.
        #[cfg_attr(feature = "serde", serde(with = "super::text_form::color"))]
        side: Color,
        /// Win probability plus half the draw probability.
        expected: f64,
    },
    /// A search of the position at the ply gives the side at most this expected score, from 0 to 1.
    AtMost {
        /// The side.
        #[cfg_attr(feature = "serde", serde(with = "super::text_form::color"))]
        side: Color,
        /// Win probability plus half the draw probability.
        expected: f64,
    },
    /// Searches of two points give the side an expected score that is higher at `above` than at `below`, by at least
    /// this much. The difference counts, not the level: engines agree on it better.
    Gap {
        /// The side.
        #[cfg_attr(feature = "serde", serde(with = "super::text_form::color"))]
        side: Color,
        /// The point with the higher expected score.
        above: Point,
        /// The point with the lower expected score.
        below: Point,
        /// The least difference; a negative one is the most that `above` may be lower.
        by: f64,
    },
    /// The tablebases give this result for the side: 1 win, 0.5 draw, 0 loss.
    Tablebase {
        /// The side.
        #[cfg_attr(feature = "serde", serde(with = "super::text_form::color"))]
        side: Color,
        /// The result.
        result: f64,
        /// The plies to the next capture or pawn move with best play (DTZ, to within one); `None` for a draw.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
        distance: Option<u32>,
    },
    /// A term of the classical evaluation, from the point of view of the side, has risen by at least this many
    /// hundredths of a pawn since the start of the line; a fall is negative and is at most this much.
    TermChange {
        /// The side.
        #[cfg_attr(feature = "serde", serde(with = "super::text_form::color"))]
        side: Color,
        /// The name of the term.
        term: String,
        /// The change.
        by: i32,
    },
}

/// A point of a comparison, relative to the ply of the fact.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Point {
    /// The position at the ply.
    Here,
    /// The position before the move that leads to the ply, with every move allowed.
    Before,
    /// The position before the move that leads to the ply, with every other move allowed.
    Others,
    /// The position at the ply, after the side to move has passed.
    Passed,
    /// The position before the move that leads to the ply, after a pass instead of that move.
    PassedBefore,
}

/// The difference in expected score that is claimed where a search has found `found`: two fifths of it in steps of 5%, so
/// that a deeper search and another engine can confirm it.
pub fn claimed_gap(found: f64) -> f64 {
    const STEPS: f64 = 20.0;
    const SHARE: f64 = 0.4;
    (found * SHARE * STEPS).floor().max(1.0) / STEPS
}

impl Predicate {
    /// The fact that this holds after so many plies of the line.
    #[must_use]
    pub fn at(self, ply: usize) -> Fact {
        Fact { ply, predicate: self }
    }

    /// Whether only a search can check it.
    pub fn needs_search(&self) -> bool {
        matches!(
            self,
            Self::ForcedMate { .. } | Self::AtLeast { .. } | Self::AtMost { .. } | Self::Gap { .. }
        )
    }
}
