//! Bandits with known means: the regret of UCB1 grows like the logarithm.

use rukh_chess::random::SplitMix64;

use super::super::select::Rule;
use super::super::slot::{Slot, Visit};

/// The regret after each of `horizons` pulls, for arms that win with these probabilities.
fn regrets(means: &[f64], horizons: &[u32], seed: u64) -> Vec<f64> {
    let mut random = SplitMix64::new(seed);
    let (node, arms): (Slot, Vec<Slot>) = (Slot::default(), means.iter().map(|_| Slot::default()).collect());
    node.reset(None, 1.0);
    arms.iter().for_each(|arm| arm.reset(None, 1.0 / means.len() as f32));
    let best = means.iter().copied().fold(f64::MIN, f64::max);
    let (mut regret, mut found) = (0.0, Vec::new());
    for pull in 1..=*horizons.last().expect("there is a horizon") {
        let arm = Rule::Ucb1.select(&node, &arms, false, 0.0).expect("there are arms");
        let value = if random.share() < means[arm] { 1.0 } else { -1.0 };
        arms[arm].add(Visit { value, draw: 0.0 });
        node.add(Visit { value: -value, draw: 0.0 });
        regret += best - means[arm];
        if horizons.contains(&pull) {
            found.push(regret);
        }
    }
    found
}

#[test]
fn the_regret_of_ucb1_grows_like_the_logarithm() {
    const HORIZONS: [u32; 3] = [1_000, 10_000, 100_000];
    let mut sums = [0.0; 3];
    for seed in 0..8 {
        let found = regrets(&[0.9, 0.6, 0.6, 0.3], &HORIZONS, seed);
        sums.iter_mut().zip(found).for_each(|(sum, regret)| *sum += regret / 8.0);
    }
    let [first, second, third] = sums;
    // Ten times the pulls add about the same regret; a linear regret would be ten times as large.
    assert!(third - second < 2.0 * (second - first), "{sums:?}");
    assert!(third < 3.0 * first && third < 0.01 * f64::from(HORIZONS[2]), "{sums:?}");
}
