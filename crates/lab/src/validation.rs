//! Validation of an evaluation against results: the mean squared error of the win probability, with the best scale of the
//! logistic curve.
//!
//! A match measures an evaluation in Elo; this measures its error in a second. Nothing is searched here.

use rukh_eval::{AnyEvaluator, Evaluation, Evaluator, Score};

use crate::labelled::LabelledPosition;
use crate::logistic::{best_scale, mean_squared_error};
use crate::packed::PackedGame;

/// The quiet positions of a game with scores of at most `max_score` whose result is known.
pub fn samples_of(game: &PackedGame, max_score: i16) -> impl Iterator<Item = LabelledPosition> + '_ {
    let max = i32::from(max_score).abs();
    let is_near = move |score: Score| score.value().abs() <= max;
    let quiet = LabelledPosition::quiet_of(game).map(|(_, quiet)| quiet);
    quiet.filter(move |quiet| quiet.outcome.is_some() && quiet.score.is_some_and(is_near))
}

/// The result for the side to move: 0 is lost, 1 is won.
fn result(labelled: &LabelledPosition) -> Option<f64> {
    labelled.result_for(labelled.position.side_to_move())
}

/// The fit of scores to results.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Fit {
    /// The mean squared error of the win probability.
    pub error: f64,
    /// The scale of the logistic curve, in internal units.
    pub scale: f64,
}

impl Fit {
    /// That of the searches that found the positions' best moves.
    pub fn of_searches(positions: &[LabelledPosition]) -> Self {
        let scores =
            positions.iter().filter_map(|labelled| Some((labelled.score?.value(), result(labelled)?)));
        Self::of(&scores.collect::<Vec<_>>())
    }

    /// That of an evaluation.
    pub fn of_evaluation(evaluation: &Evaluation, positions: &[LabelledPosition]) -> Self {
        let mut evaluator = AnyEvaluator::new(evaluation);
        let scores = positions.iter().filter_map(|labelled| {
            evaluator.reset(&labelled.position);
            Some((evaluator.evaluate(&labelled.position).value(), result(labelled)?))
        });
        Self::of(&scores.collect::<Vec<_>>())
    }

    /// The best fit for scores with their results.
    fn of(scores: &[(i32, f64)]) -> Self {
        let scores: Vec<(f64, f64)> =
            scores.iter().map(|&(score, result)| (f64::from(score), result)).collect();
        let scale = best_scale(&scores);
        Self { error: mean_squared_error(&scores, scale), scale }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packed::NO_SCORE;
    use rukh_chess::game::Outcome;
    use rukh_chess::random::SplitMix64;
    use rukh_chess::{Color, Position};

    /// Random results with win probabilities of a known scale: that scale is found, and the error is the variance alone.
    #[test]
    fn a_known_scale_is_found() {
        let mut random = SplitMix64::new(8);
        let probability = |score: i32| 1.0 / (1.0 + (-f64::from(score) / 150.0).exp());
        let scores: Vec<(i32, f64)> = (0..100_000)
            .map(|_| {
                let score = random.below(1_000) as i32 - 500;
                (score, f64::from(u8::from(random.share() < probability(score))))
            })
            .collect();
        let fit = Fit::of(&scores);
        let variances = scores.iter().map(|&(score, _)| probability(score) * (1.0 - probability(score)));
        let expected = variances.sum::<f64>() / scores.len() as f64;
        assert!((140.0..160.0).contains(&fit.scale), "{fit:?}");
        assert!((fit.error - expected).abs() < 0.002, "{fit:?}, {expected}");
        let worse: Vec<(i32, f64)> = scores.iter().map(|&(score, result)| (score.abs(), result)).collect();
        assert!(Fit::of(&worse).error > fit.error + 0.05, "less informative scores have a larger error");
    }

    #[test]
    fn scores_and_results_are_for_the_side_to_move() {
        let start = Position::default();
        let mut moves = Vec::new();
        let mut position = start.clone();
        for (name, score) in [("e2e4", NO_SCORE), ("e7e5", 20), ("g1f3", 30), ("b8c6", 4_000)] {
            let mv = position.parse_uci(name).expect("it is legal");
            moves.push((mv, score));
            position = position.after(mv);
        }
        let game = PackedGame { start, outcome: Outcome::Win(Color::White), moves };
        let pair = |sample: LabelledPosition| Some((sample.score?.value(), result(&sample)?));
        let scores: Vec<(i32, f64)> = samples_of(&game, 300).filter_map(pair).collect();
        assert_eq!(scores, [(-20, 0.0), (30, 1.0)]);
    }
}
