//! Tree slot: the statistics of one child in 32 bytes, shared by all threads without locks.
//!
//! Values are for the side that makes the move. It knows nothing of selection and of the memory around it.

use std::sync::atomic::{AtomicI64, AtomicU16, AtomicU32, Ordering};

use rukh_chess::Move;

use super::proof::Bounds;

/// The block index of a node without children.
pub(super) const NO_CHILDREN: u32 = 0;
/// Stands in place of the block index while a thread expands the node.
pub(super) const EXPANDING: u32 = 1;

/// Fixed point of value sums: exact for every order of additions.
const VALUE_ONE: f64 = (1_u64 << 30) as f64;
/// Fixed point of priors.
const PRIOR_ONE: f32 = u16::MAX as f32;
/// The bit of [`Slot::proof`] that marks a draw by repetition, which is a draw only on this path and in this search.
const REPETITION_BIT: u16 = 1 << 15;

/// A child, or the header of a block of children.
#[derive(Debug, Default)]
#[repr(align(32))]
pub(super) struct Slot {
    /// The sum of all values.
    value: AtomicI64,
    visits: AtomicU32,
    /// The block of its children.
    children: AtomicU32,
    /// The mean draw probability, as the bits of an `f32`.
    draws: AtomicU32,
    /// The mean of the squared values, likewise.
    squares: AtomicU32,
    /// The move and the prior.
    edge: AtomicU32,
    /// Descents that have passed here and have not been backed up yet (virtual loss).
    in_flight: AtomicU16,
    /// The bounds and [`REPETITION_BIT`].
    proof: AtomicU16,
}

const _: () = assert!(size_of::<Slot>() == 32);

/// The value of one visit for one side.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Visit {
    /// Win probability less loss probability, from -1 to 1.
    pub(super) value: f64,
    /// The draw probability.
    pub(super) draw: f32,
}

impl Visit {
    /// The visit as the other side sees it.
    pub(super) fn flipped(self) -> Self {
        Self { value: -self.value, ..self }
    }
}

/// Sums over visits for one side.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Visits {
    pub(super) count: u32,
    pub(super) values: f64,
    pub(super) draws: f64,
    pub(super) squares: f64,
}

impl Visits {
    /// These and others.
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            count: self.count + other.count,
            values: self.values + other.values,
            draws: self.draws + other.draws,
            squares: self.squares + other.squares,
        }
    }

    /// The visits as the other side sees them.
    pub(super) fn flipped(self) -> Self {
        Self { values: -self.values, ..self }
    }
}

impl Slot {
    /// Makes this an unvisited child.
    pub(super) fn reset(&self, mv: Option<Move>, prior: f32) {
        self.value.store(0, Ordering::Relaxed);
        self.visits.store(0, Ordering::Relaxed);
        self.children.store(NO_CHILDREN, Ordering::Relaxed);
        self.draws.store(0, Ordering::Relaxed);
        self.squares.store(0, Ordering::Relaxed);
        let prior = (prior.clamp(0.0, 1.0) * PRIOR_ONE).round() as u32;
        self.edge.store(u32::from(mv.map_or(0, Move::bits)) | prior << 16, Ordering::Relaxed);
        self.in_flight.store(0, Ordering::Relaxed);
        self.proof.store(Bounds::OPEN.to_bits(), Ordering::Relaxed);
    }

    /// Copies the statistics of another child, for a new root. No thread may be searching.
    pub(super) fn copy(&self, other: &Self) {
        self.value.store(other.value.load(Ordering::Relaxed), Ordering::Relaxed);
        for (to, from) in [
            (&self.visits, &other.visits),
            (&self.children, &other.children),
            (&self.draws, &other.draws),
            (&self.squares, &other.squares),
            (&self.edge, &other.edge),
        ] {
            to.store(from.load(Ordering::Relaxed), Ordering::Relaxed);
        }
        self.in_flight.store(0, Ordering::Relaxed);
        self.proof.store(other.proof.load(Ordering::Relaxed), Ordering::Relaxed);
    }

    /// The move; `None` for the root.
    pub(super) fn mv(&self) -> Option<Move> {
        Move::from_bits(self.edge.load(Ordering::Relaxed) as u16)
    }

    /// The prior probability of the move.
    pub(super) fn prior(&self) -> f32 {
        (self.edge.load(Ordering::Relaxed) >> 16) as f32 / PRIOR_ONE
    }

    /// Finished visits.
    pub(super) fn visits(&self) -> u32 {
        self.visits.load(Ordering::Relaxed)
    }

    /// Unfinished visits.
    pub(super) fn in_flight(&self) -> u32 {
        u32::from(self.in_flight.load(Ordering::SeqCst))
    }

    /// The sum of all values.
    pub(super) fn value_sum(&self) -> f64 {
        self.value.load(Ordering::Relaxed) as f64 / VALUE_ONE
    }

    /// The mean value; `None` without visits.
    pub(super) fn mean(&self) -> Option<f64> {
        let visits = self.visits();
        (visits > 0).then(|| self.value_sum() / f64::from(visits))
    }

    /// The mean draw probability.
    pub(super) fn draw(&self) -> f32 {
        f32::from_bits(self.draws.load(Ordering::Relaxed))
    }

    /// The standard deviation of the values (their spread).
    pub(super) fn spread(&self) -> f64 {
        let squares = f64::from(f32::from_bits(self.squares.load(Ordering::Relaxed)));
        let mean = self.mean().unwrap_or(0.0);
        (squares - mean * mean).max(0.0).sqrt()
    }

    /// The bounds of the value.
    pub(super) fn bounds(&self) -> Bounds {
        Bounds::from_bits(self.proof.load(Ordering::Relaxed) & !REPETITION_BIT)
    }

    /// Stores proven bounds.
    pub(super) fn set_bounds(&self, bounds: Bounds) {
        self.proof.store(bounds.to_bits(), Ordering::Relaxed);
    }

    /// Whether the last visits found a draw by repetition here.
    pub(super) fn is_repetition(&self) -> bool {
        self.proof.load(Ordering::Relaxed) & REPETITION_BIT != 0
    }

    /// Marks a draw by repetition.
    pub(super) fn mark_repetition(&self) {
        self.proof.fetch_or(REPETITION_BIT, Ordering::Relaxed);
    }

    /// The block of the children, [`NO_CHILDREN`] or [`EXPANDING`].
    pub(super) fn children(&self) -> u32 {
        self.children.load(Ordering::SeqCst)
    }

    /// Replaces `old` as the block of the children; false if it is another one now.
    pub(super) fn exchange_children(&self, old: u32, new: u32) -> bool {
        self.children.compare_exchange(old, new, Ordering::SeqCst, Ordering::SeqCst).is_ok()
    }

    /// Adds a virtual visit; returns how many there were before.
    pub(super) fn enter(&self) -> u32 {
        u32::from(self.in_flight.fetch_add(1, Ordering::SeqCst))
    }

    /// Removes a virtual visit.
    pub(super) fn leave(&self) {
        self.in_flight.fetch_sub(1, Ordering::SeqCst);
    }

    /// Adds a visit. The sum of values is exact; the two means may lose an update to another thread.
    pub(super) fn add(&self, visit: Visit) {
        self.value.fetch_add((visit.value * VALUE_ONE).round() as i64, Ordering::Relaxed);
        let visits = self.visits.fetch_add(1, Ordering::Relaxed).saturating_add(1) as f32;
        let update = |mean: &AtomicU32, value: f32| {
            let old = f32::from_bits(mean.load(Ordering::Relaxed));
            mean.store((old + (value - old) / visits).to_bits(), Ordering::Relaxed);
        };
        update(&self.draws, visit.draw);
        update(&self.squares, (visit.value * visit.value) as f32);
    }

    /// Takes back visits that are no longer true. No thread may be searching.
    pub(super) fn subtract(&self, gone: &Visits) {
        let before = self.visits();
        let left = before.saturating_sub(gone.count);
        self.value.fetch_sub((gone.values * VALUE_ONE).round() as i64, Ordering::Relaxed);
        self.visits.store(left, Ordering::Relaxed);
        let update = |mean: &AtomicU32, sum: f64| {
            let all = f64::from(f32::from_bits(mean.load(Ordering::Relaxed))) * f64::from(before);
            let new = if left == 0 { 0.0 } else { ((all - sum) / f64::from(left)).max(0.0) };
            mean.store((new as f32).to_bits(), Ordering::Relaxed);
        };
        update(&self.draws, gone.draws);
        update(&self.squares, gone.squares);
    }

    /// All visits.
    pub(super) fn all_visits(&self) -> Visits {
        let count = f64::from(self.visits());
        let sum = |mean: &AtomicU32| f64::from(f32::from_bits(mean.load(Ordering::Relaxed))) * count;
        Visits {
            count: self.visits(),
            values: self.value_sum(),
            draws: sum(&self.draws),
            squares: sum(&self.squares),
        }
    }

    /// Makes this the header of a block: its owner, `None` for free memory, and the number of children.
    pub(super) fn make_header(&self, owner: Option<u32>, count: u32) {
        self.edge.store(owner.map_or(u32::MAX, |owner| owner), Ordering::Relaxed);
        self.visits.store(count, Ordering::Relaxed);
        // A header is never taken for the owner of a block.
        self.children.store(NO_CHILDREN, Ordering::Relaxed);
    }

    /// Of a header: the number of children.
    pub(super) fn block_len(&self) -> u32 {
        self.visits.load(Ordering::Relaxed)
    }

    /// Of a header: the slot whose children these are; `None` for free memory.
    pub(super) fn owner(&self) -> Option<u32> {
        let owner = self.edge.load(Ordering::Relaxed);
        (owner != u32::MAX).then_some(owner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rukh_chess::{MoveKind, Square};

    #[test]
    fn the_statistics_are_means_of_the_visits() {
        let slot = Slot::default();
        let mv = Move::new(Square::E2, Square::E4, MoveKind::DoublePush);
        slot.reset(Some(mv), 0.25);
        assert_eq!((slot.mv(), slot.visits(), slot.mean()), (Some(mv), 0, None));
        assert!((slot.prior() - 0.25).abs() < 1e-4);
        let values = [0.5, -0.25, 1.0, -1.0];
        for value in values {
            slot.add(Visit { value, draw: 0.5 });
        }
        assert_eq!((slot.visits(), slot.mean()), (4, Some(0.0625)));
        assert!((slot.draw() - 0.5).abs() < 1e-6);
        let variance = values.iter().map(|value| value * value).sum::<f64>() / 4.0 - 0.0625_f64.powi(2);
        assert!((slot.spread() - variance.sqrt()).abs() < 1e-6);
        slot.subtract(&Visits { count: 1, values: -1.0, draws: 0.0, squares: 1.0 });
        assert_eq!((slot.visits(), slot.value_sum()), (3, 1.25));
        assert!((slot.draw() - 2.0 / 3.0).abs() < 1e-6);
        let left = slot.all_visits();
        assert!((left.squares - 1.3125).abs() < 1e-6 && (left.draws - 2.0).abs() < 1e-6, "{left:?}");
        slot.subtract(&left);
        assert_eq!(slot.all_visits(), Visits::default());
    }

    #[test]
    fn a_repetition_is_no_proof() {
        let slot = Slot::default();
        slot.reset(None, 1.0);
        slot.mark_repetition();
        assert!(slot.is_repetition() && slot.bounds() == Bounds::OPEN);
    }
}
