//! Testing and SPSA.

use rukh_chess::random::SplitMix64;
use rukh_lab::stats::{Elo, Estimate, Hypotheses, Model, Pairs, Sprt, Verdict};

use super::common::is_near;

#[test]
fn testing_1_games_for_five_elo() {
    // Half of the games are drawn, the others are shared equally.
    let deviation = (0.25_f64 * 0.5).sqrt();
    assert!(is_near(deviation, 0.354, 0.001));
    let score = Elo(5.0).score() - 0.5;
    assert!(is_near(score, 0.0072, 0.0001));
    let games = (1.96 * deviation / score).powi(2);
    assert!((9_200.0..9_400.0).contains(&games), "{games}");
}

/// Half points of a pair of games of an engine that scores `score` with half of the games drawn.
fn pair(score: f64, random: &mut SplitMix64) -> usize {
    let mut game = || match random.share() {
        share if share < 0.5 => 1,
        share if share < 0.5 + score - 0.25 => 2,
        _ => 0,
    };
    game() + game()
}

#[test]
fn testing_2_a_test_that_passes_soon_overstates() {
    let hypotheses = Hypotheses { model: Model::Logistic, elo0: 0.0, elo1: 20.0 };
    let sprt = Sprt { hypotheses, alpha: 0.05, beta: 0.05 };
    let truth = 20.0;
    let mut random = SplitMix64::new(3);
    let mut estimates = Vec::new();
    for _ in 0..100 {
        let mut pairs = Pairs::default();
        // It is looked at after every eighth pair.
        while sprt.verdict(&pairs) == Verdict::Open {
            (0..8).for_each(|_| pairs.add(pair(Elo(truth).score(), &mut random)));
        }
        if sprt.verdict(&pairs) == Verdict::Passed {
            let estimate = Estimate::of(&pairs).expect("there are pairs");
            estimates.push((pairs.count(), estimate.elo.0));
        }
    }
    assert!(estimates.len() > 85, "{} of 100 pass", estimates.len());
    estimates.sort_by_key(|&(pairs, _)| pairs);
    let soon = &estimates[..estimates.len() / 4];
    let mean = soon.iter().map(|estimate| estimate.1).sum::<f64>() / soon.len() as f64;
    assert!(mean > 1.5 * truth, "the quarter that passed first shows {mean} Elo instead of {truth}");
}

/// SPSA in ten lines: all parameters are moved at random, two opposite settings play a pair, the winner shows the way.
fn spsa(optimum: &[f64], pairs: u32, seed: u64) -> Vec<f64> {
    let mut random = SplitMix64::new(seed);
    let mut values = vec![0.0; optimum.len()];
    let strength = |values: &[f64]| {
        // Only the first two parameters matter.
        -values.iter().zip(optimum).take(2).map(|(value, best)| (value - best).powi(2)).sum::<f64>()
    };
    for number in 0..pairs {
        let rate = 1.0 / (1.0 + 10.0 * f64::from(number) / f64::from(pairs));
        let signs: Vec<f64> = values.iter().map(|_| if random.below(2) == 0 { 1.0 } else { -1.0 }).collect();
        let moved =
            |side: f64| values.iter().zip(&signs).map(|(value, sign)| value + side * 0.5 * sign).collect();
        let (plus, minus): (Vec<f64>, Vec<f64>) = (moved(1.0), moved(-1.0));
        let wins = 1.0 / (1.0 + (strength(&minus) - strength(&plus)).exp());
        let result = if random.share() < wins { 1.0 } else { -1.0 };
        values.iter_mut().zip(&signs).for_each(|(value, sign)| *value += 0.05 * rate * sign * result);
    }
    values
}

#[test]
fn spsa_1_two_parameters_and_ten_that_do_not_matter() {
    let near = |values: &[f64]| is_near(values[0], 3.0, 0.5) && is_near(values[1], -2.0, 0.5);
    let two = spsa(&[3.0, -2.0], 3_000, 1);
    assert!(near(&two), "{two:?}");
    let twelve: Vec<f64> = [3.0, -2.0].into_iter().chain([0.0; 10]).collect();
    let found = spsa(&twelve, 3_000, 1);
    assert!(near(&found), "the ten others hardly disturb: {found:?}");
}

#[test]
fn spsa_2_plus_against_minus_shows_twice_the_difference() {
    // A slope of 4 Elo for each unit, a step of 5 units.
    let (slope, step) = (4.0, 5.0);
    let against_minus = Elo(2.0 * slope * step).score() - 0.5;
    let against_middle = Elo(slope * step).score() - 0.5;
    assert!(is_near(against_minus / against_middle, 2.0, 0.02));
    // The noise of a game is the same, so that the same certainty takes a quarter of the games.
    let games = |difference: f64| (1.96 * 0.354 / difference).powi(2);
    assert!(is_near(games(against_middle) / games(against_minus), 4.0, 0.1));
}
