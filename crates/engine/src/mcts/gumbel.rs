//! Gumbel root: sequential halving among the root moves, chosen by policy and Gumbel noise.
//!
//! The budget is divided into stages. In each, all candidates get the same number of visits, and the worse half drops out.
//! With few visits this finds a better move than PUCT (Danihelka et al. 2022). It knows the root alone.

use rukh_chess::random::SplitMix64;

use super::proof::Outcome;
use super::slot::Slot;
use super::target::value_scale;
use crate::noise::gumbel;
use crate::params;

/// The state of sequential halving.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Halving {
    /// The remaining candidates: index of the child, and Gumbel noise plus logit.
    candidates: Vec<(usize, f64)>,
    stage: u32,
    stages: u32,
}

impl Halving {
    /// Sequential halving among the best of `children` by prior and noise times `scale`; the same seed gives the same noise.
    pub(super) fn new(children: &[Slot], seed: u64, scale: f64) -> Self {
        let mut random = SplitMix64::new(seed);
        let mut noise = || scale * gumbel(&mut random);
        let logit = |child: &Slot| f64::from(child.prior().max(f32::EPSILON)).ln();
        let mut candidates: Vec<(usize, f64)> =
            children.iter().enumerate().map(|(index, child)| (index, noise() + logit(child))).collect();
        candidates.sort_by(|one, other| other.1.total_cmp(&one.1));
        candidates.truncate(params::gumbel_moves() as usize);
        let stages = candidates.len().max(2).next_power_of_two().ilog2();
        Self { candidates, stage: 0, stages }
    }

    /// The candidate to visit next when this share of the budget is spent.
    pub(super) fn next(&mut self, children: &[Slot], spent: f64) -> Option<usize> {
        while self.candidates.len() > 1 && spent * f64::from(self.stages) >= f64::from(self.stage + 1) {
            self.sort(children);
            self.candidates.truncate(self.candidates.len().div_ceil(2));
            self.stage += 1;
        }
        let open = |&&(index, _): &&(usize, f64)| {
            children.get(index).is_some_and(|child| child.bounds().proven().is_none())
        };
        let least = |&&(index, _): &&(usize, f64)| children[index].visits() + children[index].in_flight();
        self.candidates.iter().filter(open).min_by_key(least).map(|&(index, _)| index)
    }

    /// The best candidate; one that is proven to win before all, one that is proven to lose behind all.
    pub(super) fn best(&mut self, children: &[Slot]) -> Option<usize> {
        self.sort(children);
        self.candidates.first().map(|&(index, _)| index)
    }

    fn sort(&mut self, children: &[Slot]) {
        let most =
            self.candidates.iter().filter_map(|&(index, _)| children.get(index)).map(Slot::visits).max();
        let scale = value_scale(most.unwrap_or(0));
        let score = |&(index, base): &(usize, f64)| {
            let Some(child) = children.get(index) else { return f64::MIN };
            match child.bounds().proven() {
                Some(Outcome::Win) => f64::MAX,
                Some(Outcome::Loss) => f64::MIN,
                // Values from 0 to 1.
                _ => base + scale * (child.mean().unwrap_or(-1.0) + 1.0) / 2.0,
            }
        };
        self.candidates.sort_by(|one, other| score(other).total_cmp(&score(one)));
    }
}

#[cfg(test)]
mod tests {
    use super::super::slot::Visit;
    use super::*;

    fn children(count: usize) -> Vec<Slot> {
        let all: Vec<Slot> = (0..count).map(|_| Slot::default()).collect();
        all.iter().for_each(|child| child.reset(None, 1.0 / count as f32));
        all
    }

    #[test]
    fn the_best_of_bandits_is_found_and_visited_most() {
        let children = children(16);
        let mut halving = Halving::new(&children, 7, 1.0);
        let budget = 320;
        for spent in 0..budget {
            let index = halving.next(&children, f64::from(spent) / f64::from(budget)).expect("all are open");
            let value = if index == 11 { 0.5 } else { -0.02 * index as f64 };
            children[index].add(Visit { value, draw: 0.0 });
        }
        assert_eq!(halving.best(&children), Some(11));
        let visits: Vec<u32> = children.iter().map(Slot::visits).collect();
        assert!(
            visits.iter().enumerate().all(|(index, &count)| index == 11 || count <= visits[11]),
            "{visits:?}"
        );
        assert!(
            visits.iter().all(|&count| count >= 4),
            "every candidate of the first stage is visited: {visits:?}"
        );
        assert_eq!(visits.iter().sum::<u32>(), budget as u32);
    }

    #[test]
    fn the_same_seed_gives_the_same_candidates() {
        let children = children(40);
        assert_eq!(Halving::new(&children, 3, 1.0), Halving::new(&children, 3, 1.0));
        assert_ne!(Halving::new(&children, 3, 1.0), Halving::new(&children, 4, 1.0));
        assert_eq!(Halving::new(&children, 3, 1.0).candidates.len(), params::gumbel_moves() as usize);
    }
}
