//! Draw policy: from which move on, and up to which evaluation, a side accepts a draw.
//!
//! It is the only one: the engine answers draw offers by it at the terminal and in XBoard, and a match is adjudicated as drawn
//! when both sides would accept.

use rukh_eval::{Centipawns, Score, ScoreKind};

/// When a side accepts a draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DrawPolicy {
    /// The first move at which a draw is accepted.
    pub from_move: u32,
    /// The best evaluation with which a side accepts.
    pub margin: Centipawns,
}

impl DrawPolicy {
    /// The policy for offers to the engine. Dead draws are not all evaluated as 0.00, so the margin is above it.
    pub const OFFERS: Self = Self { from_move: 20, margin: Centipawns(10) };

    /// Whether the game is late enough.
    pub const fn is_due(self, fullmove_number: u32) -> bool {
        fullmove_number >= self.from_move
    }

    /// Whether a side with this evaluation of its own position accepts.
    pub const fn accepts(self, evaluation: Centipawns) -> bool {
        evaluation.value() <= self.margin.value()
    }

    /// Whether a side with this score of its own position accepts: never with a proven win, always with a proven loss.
    pub const fn accepts_score(self, score: Score) -> bool {
        match score.kind() {
            ScoreKind::Centipawns(centipawns) => self.accepts(centipawns),
            ScoreKind::Tablebase(_) | ScoreKind::Mate(_) => !score.is_win(),
        }
    }

    /// Whether both sides accept, by one evaluation.
    pub const fn is_level(self, evaluation: Centipawns) -> bool {
        self.accepts(evaluation) && self.accepts(Centipawns(evaluation.value().saturating_neg()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rukh_eval::score::PAWN;

    const POLICY: DrawPolicy = DrawPolicy { from_move: 20, margin: Centipawns(10) };

    #[test]
    fn a_draw_is_accepted_late_enough() {
        assert_eq!([19, 20, 21].map(|number| POLICY.is_due(number)), [false, true, true]);
    }

    #[test]
    fn a_side_accepts_up_to_the_margin() {
        let accepts = |value| POLICY.accepts(Centipawns(value));
        let is_level = |value| POLICY.is_level(Centipawns(value));
        assert!(accepts(10) && accepts(-900) && !accepts(11));
        assert_eq!([-11, -10, 0, 10, 11].map(is_level), [false, true, true, true, false]);
        assert!(!is_level(i32::MIN) && !is_level(i32::MAX));
    }

    #[test]
    fn proven_results_are_not_compared_with_the_margin() {
        for win in [Score::mate_at(1), Score::tablebase_win_at(0), Score::new(PAWN)] {
            assert!(!POLICY.accepts_score(win) && POLICY.accepts_score(-win), "{win}");
        }
        assert!(POLICY.accepts_score(Score::DRAW) && POLICY.accepts_score(Score::mated_at(0)));
    }
}
