//! Tracing of terms: the same code gives the score, a table of terms, or the coefficients for a tuner.
//!
//! It knows weights and terms, not positions.

use rukh_chess::Color;
use rukh_chess::types::Side;

use super::declare::{Term, WeightIndex};
use super::tapered::Tapered;

/// Receives every term while a position is evaluated. `()` ignores them at no cost.
pub trait Trace {
    /// A weight counts `count` times for `side`. Its term is that of the weight.
    #[inline(always)]
    fn weight(&mut self, _side: Color, _weight: WeightIndex, _count: i32) {}

    /// A weight counts `count` times in a non-linear term, whose value [`Self::value`] reports afterwards.
    #[inline(always)]
    fn part(&mut self, _term: Term, _side: Color, _weight: WeightIndex, _count: i32) {}

    /// A non-linear term has this value for `side`.
    #[inline(always)]
    fn value(&mut self, _term: Term, _side: Color, _value: Tapered) {}
}

impl Trace for () {}

/// The sum of all terms, White's less Black's. Every term is also reported to a [`Trace`].
pub struct Ledger<'t, T> {
    sum: Tapered,
    trace: &'t mut T,
}

impl<'t, T: Trace> Ledger<'t, T> {
    /// A ledger that starts with this sum, which is not reported.
    #[inline]
    pub fn new(sum: Tapered, trace: &'t mut T) -> Self {
        Self { sum, trace }
    }

    /// The sum so far, White's less Black's.
    #[inline]
    pub fn sum(&self) -> Tapered {
        self.sum
    }

    /// `weight` counts `count` times for `Us`.
    #[inline(always)]
    pub fn add<Us: Side>(&mut self, weight: WeightIndex, count: i32) {
        self.trace.weight(Us::COLOR, weight, count);
        self.gain::<Us>(weight.value() * count);
    }

    /// `weight` counts once for `Us` if `holds`.
    #[inline(always)]
    pub(crate) fn add_if<Us: Side>(&mut self, holds: bool, weight: WeightIndex) {
        if holds {
            self.add::<Us>(weight, 1);
        }
    }

    /// `weight` counts `count` times in `total`, from which a non-linear term is made.
    #[inline(always)]
    pub fn part<Us: Side>(&mut self, term: Term, total: &mut Tapered, weight: WeightIndex, count: i32) {
        self.trace.part(term, Us::COLOR, weight, count);
        *total += weight.value() * count;
    }

    /// A non-linear term has this value for `Us`.
    #[inline(always)]
    pub fn value<Us: Side>(&mut self, term: Term, value: Tapered) {
        self.trace.value(term, Us::COLOR, value);
        self.gain::<Us>(value);
    }

    #[inline(always)]
    fn gain<Us: Side>(&mut self, value: Tapered) {
        match Us::COLOR {
            Color::White => self.sum += value,
            Color::Black => self.sum -= value,
        }
    }
}
