//! Scores of the search: evaluations in internal units, mates, tablebase wins and losses.
//!
//! They know nothing of positions. What people see are [`Centipawns`].

use std::fmt;
use std::ops::{Add, Neg, Sub};

use crate::centipawns::Centipawns;

/// The internal units that are shown as one pawn, 100 [`Centipawns`]: they win half of the games at move 32.
pub const PAWN: i32 = 92;

/// The score of a position for the side to move, in internal units.
///
/// One number orders all scores: every mate is above every tablebase win, and that above every evaluation. Mates and
/// tablebase wins count plies from the root of the search, so that a faster win is a higher score.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(i32);

/// The meaning of a [`Score`] to people.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScoreKind {
    /// An evaluation.
    Centipawns(Centipawns),
    /// A tablebase win this many plies from the root; a loss if negative.
    Tablebase(i32),
    /// Mate in this many full moves; negative if the side to move is mated.
    Mate(i32),
}

/// The greatest ply of a search.
pub const MAX_PLY: usize = 246;

const MATE: i32 = 32_000;
const MATE_MIN: i32 = MATE - MAX_PLY as i32;
const TABLEBASE: i32 = 31_000;
const TABLEBASE_MIN: i32 = TABLEBASE - MAX_PLY as i32;
const EVALUATION_MAX: i32 = TABLEBASE_MIN - 1;

impl Score {
    /// A draw.
    pub const DRAW: Self = Self(0);
    /// The lowest score: mated at the root.
    pub const MIN: Self = Self(-MATE);
    /// The highest score.
    pub const MAX: Self = Self(MATE);

    /// An evaluation in internal units, clamped so that it stays below every proven win.
    #[inline]
    pub const fn new(value: i32) -> Self {
        if value > EVALUATION_MAX {
            Self(EVALUATION_MAX)
        } else if value < -EVALUATION_MAX {
            Self(-EVALUATION_MAX)
        } else {
            Self(value)
        }
    }

    /// The side to move gives mate with the move that leads to `ply`.
    #[inline]
    pub const fn mate_at(ply: usize) -> Self {
        Self(MATE - ply as i32)
    }

    /// The side to move is mated at `ply`.
    #[inline]
    pub const fn mated_at(ply: usize) -> Self {
        Self(ply as i32 - MATE)
    }

    /// A tablebase win for the side to move, probed at `ply`.
    #[inline]
    pub const fn tablebase_win_at(ply: usize) -> Self {
        Self(TABLEBASE - ply as i32)
    }

    /// A tablebase loss for the side to move, probed at `ply`.
    #[inline]
    pub const fn tablebase_loss_at(ply: usize) -> Self {
        Self(ply as i32 - TABLEBASE)
    }

    /// The evaluation that is shown as these centipawns, rounded to internal units and clamped below every proven win.
    pub const fn from_centipawns(centipawns: Centipawns) -> Self {
        let doubled = 2 * PAWN as i64 * centipawns.value() as i64;
        let rounded = (doubled + 100 * doubled.signum()) / 200;
        if rounded.abs() > EVALUATION_MAX as i64 {
            Self(EVALUATION_MAX * rounded.signum() as i32)
        } else {
            Self(rounded as i32)
        }
    }

    /// The evaluation in centipawns, rounded. A proven win or loss has no centipawns of its own and gets those of the
    /// greatest evaluation.
    pub const fn to_centipawns(self) -> Centipawns {
        let value = Self::new(self.0).0;
        Centipawns((200 * value + value.signum() * PAWN) / (2 * PAWN))
    }

    /// The internal units: the number that orders scores.
    #[inline]
    pub const fn value(self) -> i32 {
        self.0
    }

    /// The score with this [value](Self::value), clamped to the range of scores.
    #[inline]
    pub const fn from_value(value: i32) -> Self {
        if value > MATE {
            Self(MATE)
        } else if value < -MATE {
            Self(-MATE)
        } else {
            Self(value)
        }
    }

    /// The score as it is shown to people.
    pub const fn kind(self) -> ScoreKind {
        match self.0 {
            value if value >= MATE_MIN => ScoreKind::Mate((MATE - value + 1) / 2),
            value if value <= -MATE_MIN => ScoreKind::Mate(-(MATE + value) / 2),
            value if value >= TABLEBASE_MIN => ScoreKind::Tablebase(TABLEBASE - value),
            value if value <= -TABLEBASE_MIN => ScoreKind::Tablebase(-(TABLEBASE + value)),
            _ => ScoreKind::Centipawns(self.to_centipawns()),
        }
    }

    /// Whether this is a proven win or loss, by mate or by tablebase.
    #[inline]
    pub const fn is_decisive(self) -> bool {
        self.0 >= TABLEBASE_MIN || self.0 <= -TABLEBASE_MIN
    }

    /// Whether this is a proven win.
    #[inline]
    pub const fn is_win(self) -> bool {
        self.0 >= TABLEBASE_MIN
    }

    /// Whether this is a proven loss.
    #[inline]
    pub const fn is_loss(self) -> bool {
        self.0 <= -TABLEBASE_MIN
    }

    /// Whether this is a mate for either side.
    #[inline]
    pub const fn is_mate(self) -> bool {
        self.0 >= MATE_MIN || self.0 <= -MATE_MIN
    }

    /// The plies from the root to the mate, if this is one.
    #[inline]
    pub const fn mate_plies(self) -> Option<usize> {
        if self.is_mate() { Some((MATE - self.0.abs()) as usize) } else { None }
    }

    /// The score for the transposition table: plies are counted from the position, which is at `ply`.
    #[inline]
    pub const fn to_table(self, ply: usize) -> i16 {
        let value = match self.0 {
            value if value >= TABLEBASE_MIN => value + ply as i32,
            value if value <= -TABLEBASE_MIN => value - ply as i32,
            value => value,
        };
        value as i16
    }

    /// The score from the transposition table: plies are counted from the root again.
    #[inline]
    pub const fn from_table(value: i16, ply: usize) -> Self {
        Self(match value as i32 {
            value if value >= TABLEBASE_MIN => value - ply as i32,
            value if value <= -TABLEBASE_MIN => value + ply as i32,
            value => value,
        })
    }
}

impl Neg for Score {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

/// Adds a margin in internal units, for search windows. The sum may be any score, mates included.
impl Add<i32> for Score {
    type Output = Self;

    #[inline]
    fn add(self, margin: i32) -> Self {
        Self::from_value(self.0 + margin)
    }
}

/// Subtracts a margin in internal units.
impl Sub<i32> for Score {
    type Output = Self;

    #[inline]
    fn sub(self, margin: i32) -> Self {
        Self::from_value(self.0 - margin)
    }
}

/// The difference in internal units.
impl Sub for Score {
    type Output = i32;

    #[inline]
    fn sub(self, other: Self) -> i32 {
        self.0 - other.0
    }
}

/// The score for people: `+0.25`, `#3`, `#-2`, `TB 12`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            ScoreKind::Centipawns(centipawns) => centipawns.fmt(f),
            ScoreKind::Tablebase(plies) => write!(f, "TB {plies}"),
            ScoreKind::Mate(moves) => write!(f, "#{moves}"),
        }
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_ordered() {
        let ordered = [
            Score::MIN,
            Score::mated_at(2),
            Score::mated_at(4),
            Score::tablebase_loss_at(3),
            Score::new(i32::MIN),
            Score::new(-50),
            Score::DRAW,
            Score::new(i32::MAX),
            Score::tablebase_win_at(5),
            Score::tablebase_win_at(3),
            Score::mate_at(5),
            Score::mate_at(1),
        ];
        assert!(ordered.is_sorted(), "{ordered:?}");
        assert!(ordered[5..8].iter().all(|score| !score.is_decisive()));
    }

    #[test]
    fn mates_are_counted_in_full_moves() {
        assert_eq!(Score::mate_at(1).kind(), ScoreKind::Mate(1));
        assert_eq!(Score::mate_at(3).kind(), ScoreKind::Mate(2));
        assert_eq!(Score::mated_at(2).kind(), ScoreKind::Mate(-1));
        assert_eq!(Score::mated_at(4).kind(), ScoreKind::Mate(-2));
        assert_eq!(
            (Score::mate_at(5).to_string(), Score::mated_at(4).to_string()),
            ("#3".into(), "#-2".into())
        );
        assert_eq!(Score::new(-PAWN).to_string(), "-1.00");
        assert_eq!(Score::new(7 * PAWN).to_string(), "+7.00");
        for value in -PAWN..=PAWN {
            let shown = Score::new(value).to_centipawns().value();
            assert!(2 * (shown * PAWN - 100 * value).abs() <= PAWN, "{value} is shown as {shown}");
        }
        assert_eq!((Score::mate_at(5).mate_plies(), Score::mated_at(4).mate_plies()), (Some(5), Some(4)));
        assert_eq!((Score::DRAW.mate_plies(), Score::tablebase_win_at(5).mate_plies()), (None, None));
    }

    #[test]
    fn the_transposition_table_counts_from_the_position() {
        for ply in [0, 1, 7, 100] {
            for score in
                [Score::mate_at(ply + 3), Score::mated_at(ply + 2), Score::tablebase_win_at(ply), Score::DRAW]
            {
                let kept = score.to_table(ply);
                assert_eq!(Score::from_table(kept, ply), score);
                if score.is_mate() {
                    let nearer = Score::from_table(kept, 0);
                    assert_eq!(nearer.value().abs() - score.value().abs(), ply as i32);
                }
            }
        }
    }
}
