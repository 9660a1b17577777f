//! Centipawns: the unit of scores shown to people and sent to other programs. The search does not use it.

use std::fmt;
use std::ops::Neg;

/// A number of centipawns as shown to people: 100 is one pawn, which wins half the games at move 32.
///
/// The search counts in internal units, which are those of [`Score`](crate::Score). [`Score::kind`](crate::Score::kind) and
/// [`Score::from_centipawns`](crate::Score::from_centipawns) convert between the two.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Centipawns(pub i32);

impl Centipawns {
    /// The number.
    pub const fn value(self) -> i32 {
        self.0
    }

    /// The distance from zero.
    #[must_use]
    pub const fn abs(self) -> Self {
        Self(self.0.saturating_abs())
    }
}

impl Neg for Centipawns {
    type Output = Self;

    /// Saturates: other engines may send any number.
    fn neg(self) -> Self {
        Self(self.0.saturating_neg())
    }
}

/// Pawns with two decimals and a sign: `+0.25`.
impl fmt::Display for Centipawns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { '-' } else { '+' };
        let size = self.0.unsigned_abs();
        write!(f, "{sign}{}.{:02}", size / 100, size % 100)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::{PAWN, Score, ScoreKind};

    #[test]
    fn centipawns_are_written_as_pawns() {
        assert_eq!(Centipawns(25).to_string(), "+0.25");
        assert_eq!(Centipawns(0).to_string(), "+0.00");
        assert_eq!(Centipawns(-1_234).to_string(), "-12.34");
        assert_eq!(Centipawns(i32::MIN).to_string(), "-21474836.48");
        assert_eq!(
            (-Centipawns(i32::MIN), Centipawns(i32::MIN).abs()),
            (Centipawns(i32::MAX), Centipawns(i32::MAX))
        );
    }

    /// Exact where a pawn has at most as many internal units as centipawns; within the rounding otherwise.
    #[test]
    fn internal_units_survive_the_conversion() {
        for value in -3_000..=3_000 {
            let score = Score::new(value);
            assert_eq!(score.kind(), ScoreKind::Centipawns(score.to_centipawns()));
            let back = Score::from_centipawns(score.to_centipawns());
            assert!((back - score).abs() <= PAWN / 101, "{value} comes back as {}", back.value());
        }
        assert_eq!(Score::from_centipawns(Centipawns(100)), Score::new(PAWN));
        assert_eq!(Score::new(-PAWN).to_centipawns(), Centipawns(-100));
        assert!(!Score::from_centipawns(Centipawns(i32::MAX)).is_decisive());
        assert!(!Score::from_centipawns(Centipawns(i32::MIN)).is_decisive());
    }
}
