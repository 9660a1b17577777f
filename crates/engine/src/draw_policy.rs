//! Draw policy: from which move on, and up to which evaluation, a side accepts a draw.
//!
//! It is the only one: the engine answers draw offers by it at the terminal and in XBoard, and a match is adjudicated as drawn
//! when both sides would accept.

use rukh_eval::{Score, Verdict};

/// When a side accepts a draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DrawPolicy {
    /// The first move at which a draw is accepted.
    pub from_move: u32,
    /// The best evaluation with which a side accepts, in centipawns as shown to people.
    pub margin: i32,
}

impl DrawPolicy {
    /// The policy for offers to the engine. Dead draws are not all evaluated as 0.00, so the margin is above it.
    pub const OFFERS: Self = Self { from_move: 20, margin: 10 };

    /// Whether the game is late enough.
    pub const fn is_due(self, fullmove_number: u32) -> bool {
        fullmove_number >= self.from_move
    }

    /// Whether a side with this evaluation of its own position accepts, in centipawns as shown to people.
    pub const fn accepts(self, centipawns: i32) -> bool {
        centipawns <= self.margin
    }

    /// Whether a side with this score of its own position accepts: never with a proven win, always with a proven loss.
    pub const fn accepts_score(self, score: Score) -> bool {
        match score.verdict() {
            Verdict::Centipawns(centipawns) => self.accepts(centipawns),
            Verdict::Tablebase(_) | Verdict::Mate(_) => !score.is_win(),
        }
    }

    /// Whether both sides accept, by one evaluation in centipawns.
    pub const fn is_level(self, centipawns: i32) -> bool {
        self.accepts(centipawns) && self.accepts(centipawns.saturating_neg())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rukh_eval::score::PAWN;

    const POLICY: DrawPolicy = DrawPolicy { from_move: 20, margin: 10 };

    #[test]
    fn a_draw_is_accepted_late_enough() {
        assert_eq!([19, 20, 21].map(|number| POLICY.is_due(number)), [false, true, true]);
    }

    #[test]
    fn a_side_accepts_up_to_the_margin() {
        assert!(POLICY.accepts(10) && POLICY.accepts(-900) && !POLICY.accepts(11));
        assert_eq!([-11, -10, 0, 10, 11].map(|it| POLICY.is_level(it)), [false, true, true, true, false]);
        assert!(!POLICY.is_level(i32::MIN) && !POLICY.is_level(i32::MAX));
    }

    #[test]
    fn proven_results_are_not_compared_with_the_margin() {
        for win in [Score::mate_at(1), Score::tablebase_win_at(0), Score::centipawns(PAWN)] {
            assert!(!POLICY.accepts_score(win) && POLICY.accepts_score(-win), "{win}");
        }
        assert!(POLICY.accepts_score(Score::DRAW) && POLICY.accepts_score(Score::mated_at(0)));
    }
}
