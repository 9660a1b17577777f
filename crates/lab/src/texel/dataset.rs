//! The training and validation sets of the tuner.

use rukh_chess::Color;
use rukh_engine::threads;

use super::model::Weights;
use super::sample::{Label, Sample};
use super::tuner::{chance, fit_scale};
use crate::labelled::LabelledPosition;
use crate::packed::PackedGame;

/// The positions that have been read. A group, such as the positions of a game, is entirely in the training or the validation
/// set.
#[derive(Clone, Debug)]
pub struct Dataset {
    /// Positions at most.
    limit: usize,
    /// One of so many groups is in the validation set.
    validate_every: usize,
    groups: usize,
    training: Part,
    validation: Part,
}

/// Positions with their search scores.
#[derive(Clone, Debug, Default)]
struct Part {
    samples: Vec<Sample>,
    scores: Vec<Option<i32>>,
}

/// The input of the tuner.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The training set.
    pub training: Vec<Sample>,
    /// The validation set.
    pub validation: Vec<Sample>,
    /// The scale of the logistic curve from internal units to win probability.
    pub scale: f64,
}

impl Dataset {
    /// Nothing yet.
    pub fn new(limit: usize, validate_every: usize) -> Self {
        let (training, validation) = (Part::default(), Part::default());
        Self { limit, validate_every, groups: 0, training, validation }
    }

    /// Whether nothing more is taken.
    pub fn is_full(&self) -> bool {
        self.len() >= self.limit
    }

    fn len(&self) -> usize {
        self.training.samples.len() + self.validation.samples.len()
    }

    /// Adds the quiet positions of games, one in so many of each.
    pub fn add_games(&mut self, games: &[PackedGame], every: usize, threads: usize) {
        let share = games.len().div_ceil(threads.max(1)).max(1);
        let counted =
            |game: &PackedGame| counted(LabelledPosition::with_result_of(game).step_by(every.max(1)));
        let work = |games: &[PackedGame]| games.iter().map(counted).collect::<Vec<_>>();
        let groups = threads::share(threads, games.chunks(share), work);
        groups.into_iter().flatten().for_each(|group| self.add(group));
    }

    /// Adds a position that belongs to no other.
    pub fn add_position(&mut self, position: LabelledPosition) {
        self.add(counted([position].into_iter()));
    }

    fn add(&mut self, mut group: Part) {
        let room = self.limit - self.len();
        group.samples.truncate(room);
        group.scores.truncate(room);
        let is_validation = self.groups.is_multiple_of(self.validate_every.max(1));
        self.groups += 1;
        let to = if is_validation { &mut self.validation } else { &mut self.training };
        to.samples.extend(group.samples);
        to.scores.extend(group.scores);
    }

    /// Fits the scale to the results, and mixes `score_share` of the scores into the labels by it; none if the
    /// training or the validation set is empty.
    pub fn prepare(self, weights: &Weights, score_share: f64, threads: usize) -> Option<Prepared> {
        if self.training.samples.is_empty() || self.validation.samples.is_empty() {
            return None;
        }
        let scale = fit_scale(&self.validation.samples, weights, threads);
        let blended = |mut part: Part| {
            for (sample, score) in part.samples.iter_mut().zip(part.scores) {
                if let Some(score) = score {
                    sample.blend(chance(f64::from(score), scale), score_share);
                }
            }
            part.samples
        };
        Some(Prepared { training: blended(self.training), validation: blended(self.validation), scale })
    }
}

/// What the evaluation counts in each position, but for endings that it knows by themselves.
fn counted(positions: impl Iterator<Item = LabelledPosition>) -> Part {
    let mut part = Part::default();
    for labelled in positions {
        let label = labelled.result_for(Color::White).map(|result| result as Label);
        if let Some(sample) = label.and_then(|label| Sample::new(&labelled.position, label)) {
            part.samples.push(sample);
            part.scores.push(labelled.white_score());
        }
    }
    part
}

#[cfg(test)]
mod tests {
    use super::super::model::tests::POSITIONS;
    use super::*;
    use rukh_chess::Position;
    use rukh_chess::game::Outcome;
    use rukh_eval::Score;

    fn labelled(at: usize, score: Option<i32>) -> LabelledPosition {
        let position: Position = POSITIONS[at % POSITIONS.len()].parse().expect("the positions are valid");
        let sign = if position.side_to_move() == Color::White { 1 } else { -1 };
        let score = score.map(|score| Score::from_value(sign * score));
        LabelledPosition { outcome: Some(Outcome::Win(Color::White)), score, ..position.into() }
    }

    #[test]
    fn groups_are_split_into_sets_up_to_the_limit() {
        let mut data = Dataset::new(7, 3);
        (0..10).for_each(|at| data.add_position(labelled(at, None)));
        assert!(data.is_full());
        let prepared = data.prepare(&Weights::of_play(), 0.0, 1).expect("there is enough");
        assert_eq!((prepared.training.len(), prepared.validation.len()), (4, 3));
        assert!(Dataset::new(7, 3).prepare(&Weights::of_play(), 0.0, 1).is_none());
    }

    #[test]
    fn scores_have_their_share_of_the_label() {
        for (share, score) in [(0.0, Some(-100)), (0.5, Some(-100)), (1.0, Some(-100)), (1.0, None)] {
            let mut data = Dataset::new(10, 2);
            (0..2).for_each(|at| data.add_position(labelled(at, score)));
            let prepared = data.prepare(&Weights::of_play(), share, 1).expect("there is enough");
            let seen =
                score.map_or(1.0, |score| 1.0 - share + share * chance(f64::from(score), prepared.scale));
            assert!((f64::from(prepared.training[0].label) - seen).abs() < 1e-6);
        }
    }
}
