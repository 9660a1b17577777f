//! Time management: soft and hard time limit of a search, a pure function of its limits.

use std::time::Duration;

use rukh_chess::Color;

use crate::api::Limits;
use crate::params::{self, fraction};

/// The soft and the hard time limit of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TimePlan {
    /// No new iteration starts after this time, scaled by the stability of the search.
    pub(crate) soft: Duration,
    /// The search stops at this time, within an iteration too.
    pub(crate) hard: Duration,
    /// Whether the time is fixed, so that the soft limit is not scaled.
    pub(crate) is_fixed: bool,
}

/// The least time for a move, whatever the clock says.
const LEAST: Duration = Duration::from_millis(1);

impl TimePlan {
    // ANCHOR: plan
    /// The plan for `side`; `None` if the time is not limited. With time by move number the share of the clock grows with
    /// `move_number`: early moves are book moves and quiet development, and few games last long.
    pub(crate) fn new(
        limits: &Limits,
        side: Color,
        overhead: Duration,
        move_number: Option<u32>,
    ) -> Option<Self> {
        let fixed = limits.movetime.map(|time| {
            let time = time.saturating_sub(overhead).max(LEAST);
            Self { soft: time, hard: time, is_fixed: true }
        });
        let by_clock = limits.clocks[side].map(|clock| {
            let expected_moves = params::time_expected_moves() as u32;
            let moves = limits.moves_to_go.unwrap_or(expected_moves).clamp(1, expected_moves);
            // The overhead is paid with every move until the control.
            let reserve = Duration::from_millis(params::time_reserve() as u64);
            let reserve = reserve.min(clock.remaining.mul_f64(fraction(params::time_reserve_weight())));
            let available = clock.remaining.saturating_sub(overhead * 2 + reserve).max(LEAST);
            let most = if moves == 1 {
                available
            } else {
                available.mul_f64(fraction(params::time_hard_share_weight()))
            };
            let full = Duration::from_millis(params::time_increment_full() as u64);
            let increment_part =
                fraction(params::time_increment_weight()) * available.div_duration_f64(full).min(1.0);
            let number = move_number.filter(|_| limits.moves_to_go.is_none());
            let by_number = number.map_or(1.0, number_factor);
            let share = available.mul_f64(by_number).div_f64(f64::from(moves))
                + clock.increment.mul_f64(increment_part);
            let soft = share.min(most).max(LEAST);
            Self {
                soft,
                hard: soft.mul_f64(fraction(params::time_hard_weight())).min(most).max(LEAST),
                is_fixed: false,
            }
        });
        match (fixed, by_clock) {
            (Some(fixed), Some(by_clock)) => Some(Self {
                soft: fixed.soft.min(by_clock.soft),
                hard: fixed.hard.min(by_clock.hard),
                is_fixed: false,
            }),
            (fixed, by_clock) => fixed.or(by_clock),
        }
    }
    // ANCHOR_END: plan

    /// The plan whose hard limit is the soft limit times `factor`, if that is less.
    pub(crate) fn ending_at_soft(self, factor: f64) -> Self {
        Self { hard: self.soft_scaled(factor), ..self }
    }

    /// The soft limit times `factor`, at most the hard limit.
    pub(crate) fn soft_scaled(&self, factor: f64) -> Duration {
        if self.is_fixed { self.soft } else { self.soft.mul_f64(factor).min(self.hard) }
    }
}

/// Time by move number: the factor on the share of the clock.
fn number_factor(number: u32) -> f64 {
    fraction(params::time_number_base_weight())
        + fraction(params::time_number_weight()) * f64::from(number).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Clock;
    use rukh_chess::types::ByColor;

    const OVERHEAD: Duration = Duration::from_millis(10);

    fn plan(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> TimePlan {
        let clock = Clock {
            remaining: Duration::from_millis(remaining),
            increment: Duration::from_millis(increment),
        };
        let limits = Limits { clocks: ByColor([Some(clock), None]), moves_to_go, ..Limits::default() };
        TimePlan::new(&limits, Color::White, OVERHEAD, None).expect("a clock limits the time")
    }

    #[test]
    fn the_clock_is_never_overdrawn() {
        for remaining in [0, 1, 5, 20, 21, 50, 100, 1_000, 60_000, 7_200_000] {
            for increment in [0, 10, 100, 2_000, 60_000] {
                for moves in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    let plan = plan(remaining, increment, moves);
                    let available = Duration::from_millis(remaining).saturating_sub(OVERHEAD).max(LEAST);
                    assert!(plan.hard <= available, "{remaining} + {increment}, {moves:?}: {plan:?}");
                    assert!(plan.soft <= plan.hard && plan.soft >= LEAST);
                    assert!(plan.soft_scaled(10.0) <= plan.hard);
                }
            }
        }
    }

    #[test]
    fn more_time_or_fewer_moves_give_a_higher_soft_limit() {
        assert!(plan(60_000, 0, None).soft < plan(120_000, 0, None).soft);
        assert!(plan(60_000, 0, None).soft < plan(60_000, 1_000, None).soft);
        assert!(plan(60_000, 0, Some(20)).soft < plan(60_000, 0, Some(2)).soft);
    }

    #[test]
    fn the_share_of_the_clock_grows_with_the_move_number() {
        let clock = Clock { remaining: Duration::from_secs(60), increment: Duration::ZERO };
        let soft = |moves_to_go, number| {
            let limits = Limits { clocks: ByColor([Some(clock), None]), moves_to_go, ..Limits::default() };
            TimePlan::new(&limits, Color::White, OVERHEAD, number).expect("a clock limits the time").soft
        };
        assert!(soft(None, Some(1)) < soft(None, None) && soft(None, None) < soft(None, Some(60)));
        assert_eq!(soft(Some(20), Some(1)), soft(Some(20), None), "the number of moves is known");
    }

    /// In a long game with increment a pause of the machine does not lose on time.
    #[test]
    fn a_reserve_for_pauses_remains() {
        let (mut clock, increment) = (500, 5);
        for _ in 0..1_000 {
            // Sending and receiving moves takes time too.
            clock = clock - plan(clock, increment, None).soft.as_millis() as u64 - 1 + increment;
            assert!(clock > 130, "{clock} ms");
        }
    }

    #[test]
    fn the_clock_of_the_other_side_is_no_limit() {
        let limits = Limits { clocks: ByColor([Some(Clock::default()), None]), ..Limits::default() };
        assert_eq!(TimePlan::new(&limits, Color::Black, OVERHEAD, None), None);
    }

    #[test]
    fn movetime_is_used_except_the_overhead() {
        let limits = Limits { movetime: Some(Duration::from_millis(100)), ..Limits::default() };
        let plan = TimePlan::new(&limits, Color::White, OVERHEAD, None).expect("the time is limited");
        assert_eq!((plan.soft, plan.hard), (Duration::from_millis(90), Duration::from_millis(90)));
        assert_eq!(plan.soft_scaled(0.3), plan.soft);
    }
}
