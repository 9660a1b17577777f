//! Terms are emitted, not added: who listens gets the score, a table, or the coefficients of a tuner.

use rukh_chess::Color;
use rukh_chess::types::Side;

use super::declare::{Term, WeightIndex};
use super::tapered::Tapered;

/// Hears of every term while a position is judged. `()` listens to nothing and costs nothing.
pub trait Trace {
    /// A weight counts `count` times for `side`. The term follows from the weight.
    #[inline(always)]
    fn weight(&mut self, _side: Color, _weight: WeightIndex, _count: i32) {}

    /// A weight goes `count` times into a term that is no sum, of which [`Self::value`] tells the result afterwards.
    #[inline(always)]
    fn part(&mut self, _term: Term, _side: Color, _weight: WeightIndex, _count: i32) {}

    /// A term that is no sum of weights is worth `value` to `side`.
    #[inline(always)]
    fn value(&mut self, _term: Term, _side: Color, _value: Tapered) {}
}

impl Trace for () {}

/// Adds up what is emitted, White's gain being positive, and passes it on to a [`Trace`].
pub struct Ledger<'t, T> {
    sum: Tapered,
    trace: &'t mut T,
}

impl<'t, T: Trace> Ledger<'t, T> {
    /// A ledger with this sum to begin with, of which `trace` is not told.
    #[inline]
    pub fn new(sum: Tapered, trace: &'t mut T) -> Self {
        Self { sum, trace }
    }

    /// The sum so far, White's gain being positive.
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
    pub fn add_if<Us: Side>(&mut self, holds: bool, weight: WeightIndex) {
        if holds {
            self.add::<Us>(weight, 1);
        }
    }

    /// `weight` goes `count` times into `total`, from which a term that is no sum will be made.
    #[inline(always)]
    pub fn part<Us: Side>(&mut self, term: Term, total: &mut Tapered, weight: WeightIndex, count: i32) {
        self.trace.part(term, Us::COLOR, weight, count);
        *total += weight.value() * count;
    }

    /// A term that is no sum of weights is worth `value` to `Us`.
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
