//! Networks, training, Texel tuning.

use std::collections::HashMap;

use rukh_chess::random::SplitMix64;
use rukh_chess::{Color, Position};
use rukh_eval::nnue::features::PlacedPiece;
use rukh_eval::nnue::{Current, NetworkKind};
use rukh_lab::texel::chance;

use super::common::{is_near, position};

/// The features of White's perspective that a position activates.
fn features(position: &Position) -> Vec<usize> {
    let inputs = Current::ARCHITECTURE.inputs;
    let perspective = inputs.perspective(Color::White, position.king(Color::White));
    PlacedPiece::all_of(position).map(|placed| perspective.feature(Color::White, placed)).collect()
}

/// How many features of the one position the other does not have.
fn changed(before: &str, after: &str) -> usize {
    let (before, after) = (features(&position(before)), features(&position(after)));
    before.iter().filter(|feature| !after.contains(feature)).count()
}

#[test]
fn nnue_1_a_king_that_crosses_the_middle_changes_everything() {
    let on_f1 = "2r1k3/pp4p1/5n2/8/2B5/1P6/P5P1/R4K2 w - - 0 1";
    let on_e1 = "2r1k3/pp4p1/5n2/8/2B5/1P6/P5P1/R3K3 w - - 0 1";
    let on_d1 = "2r1k3/pp4p1/5n2/8/2B5/1P6/P5P1/R2K4 w - - 0 1";
    let pieces = features(&position(on_e1)).len();
    assert!(changed(on_f1, on_e1) <= 1, "one piece has moved");
    assert!(changed(on_e1, on_d1) > pieces / 2, "the board is mirrored");
}

#[test]
fn nnue_2_products_that_fit_in_16_bits() {
    let sum = |one: i32| 2 * one * 127;
    assert_eq!((sum(128), sum(255)), (32_512, 64_770));
    assert!((sum(128)..sum(255)).contains(&i16::MAX.into()));
}

#[test]
fn training_1_errors_that_matter() {
    // Win probabilities of centipawns, on the scale of a usual network.
    let probability = |centipawns: f64| chance(centipawns, 1.0 / 165.0);
    let error = |a: f64, b: f64| (probability(a) - probability(b)).powi(2);
    assert!(
        is_near((900_f64 - 1200.0).powi(2), (-150_f64 - 150.0).powi(2), 1e-9),
        "the same error in centipawns"
    );
    assert!(error(-150.0, 150.0) > 1_000.0 * error(900.0, 1200.0));
}

/// The error of a learner that remembers games, on a tenth of all positions: of other games or of the same games.
fn memorising(by_games: bool) -> f64 {
    const GAMES: u64 = 2_000;
    const POSITIONS: u64 = 60;
    let mut random = SplitMix64::new(7);
    let results: Vec<f64> = (0..GAMES).map(|_| random.below(2) as f64).collect();
    let mut memory: HashMap<u64, f64> = HashMap::new();
    let mut held_out = Vec::new();
    for (game, &result) in results.iter().enumerate() {
        for at in 0..POSITIONS {
            let is_validation = if by_games { game % 10 == 0 } else { at % 10 == 0 };
            // The structure of a game is in each of its positions.
            let structure = game as u64;
            match is_validation {
                true => held_out.push((structure, result)),
                false => _ = memory.insert(structure, result),
            }
        }
    }
    let errors = held_out.iter().map(|(structure, result)| {
        let predicted = memory.get(structure).copied().unwrap_or(0.5);
        (predicted - result).powi(2)
    });
    errors.sum::<f64>() / held_out.len() as f64
}

#[test]
fn training_2_validation_by_games_finds_overfitting() {
    assert!(memorising(false) < 0.01, "the same games are in both sets: nothing seems wrong");
    assert!(is_near(memorising(true), 0.25, 0.01), "on new games it knows nothing");
}

#[test]
fn texel_1_scale_and_weights_are_redundant() {
    for value in [-300.0, -20.0, 0.0, 75.0, 410.0] {
        let (scale, factor) = (0.006, 2.0);
        assert!(is_near(chance(value, scale), chance(factor * value, scale / factor), 1e-12));
    }
}

/// The spread of a weight that is estimated as a mean result of `count` positions, over many trials.
fn spread(count: usize) -> f64 {
    const TRIALS: usize = 400;
    let mut random = SplitMix64::new(count as u64);
    let mut trial = || (0..count).map(|_| random.below(2) as f64).sum::<f64>() / count as f64;
    let means: Vec<f64> = (0..TRIALS).map(|_| trial()).collect();
    let mean = means.iter().sum::<f64>() / TRIALS as f64;
    (means.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / TRIALS as f64).sqrt()
}

#[test]
fn texel_2_rare_features_fit_noise() {
    let (rare, frequent) = (spread(100), spread(2_500));
    assert!(is_near(rare, 0.05, 0.01), "a hundred positions: {rare}");
    assert!(is_near(frequent, 0.01, 0.002), "twenty-five times as many, a fifth of the noise: {frequent}");
    // Near one half, 0.05 of win probability are so many centipawns on a scale of 165.
    assert!(is_near(0.05 / 0.25 * 165.0, 33.0, 1e-9));
}
