//! Positions from sample the searches of a game.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use rukh_chess::Color;
use rukh_chess::game::Outcome;
use rukh_engine::TreeSample;

use crate::packed::{NO_SCORE, PackedGame};

/// What was samples sample the searches of one game: a position once, as the deepest search saw it.
#[derive(Default)]
pub(super) struct TreeSampleSet {
    found: Vec<TreeSample>,
    /// Where a key stands among those that were found.
    places: HashMap<u64, usize>,
}

impl TreeSampleSet {
    /// Takes another in.
    pub(super) fn add(&mut self, sample: TreeSample) {
        match self.places.entry(sample.position.key()) {
            Entry::Vacant(place) => {
                place.insert(self.found.len());
                self.found.push(sample);
            }
            Entry::Occupied(place) => {
                let known = &mut self.found[*place.get()];
                if sample.depth > known.depth {
                    *known = sample;
                }
            }
        }
    }

    /// As games of one move that ended like `game`, in the order they were sampled. Positions that were searched in the game
    /// itself are left out: there they have a better score.
    pub(super) fn into_games(mut self, game: &PackedGame) -> Vec<PackedGame> {
        for (position, ..) in game.positions().filter(|(.., score)| *score != NO_SCORE) {
            self.places.remove(&position.key());
        }
        let is_left = |sample: &TreeSample| self.places.contains_key(&sample.position.key());
        self.found.into_iter().filter(is_left).map(|sample| one_move(sample, game.outcome)).collect()
    }
}

fn one_move(sample: TreeSample, outcome: Outcome) -> PackedGame {
    let TreeSample { position, best, score, .. } = sample;
    let for_white = if position.side_to_move() == Color::White { score } else { -score };
    PackedGame { start: position, outcome, moves: vec![(best, for_white.value() as i16)] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rukh_chess::Position;
    use rukh_eval::Score;

    #[test]
    fn a_position_is_met_once_and_not_where_it_was_played() {
        let start = Position::default();
        let sample = |moves: &[&str], best: &str, score: i32, depth: i32| {
            let play =
                |position: Position, text: &&str| position.after(position.parse_uci(text).expect("legal"));
            let position = moves.iter().fold(start.clone(), play);
            let best = position.parse_uci(best).expect("it is legal");
            TreeSample { position, best, score: Score::new(score), depth }
        };
        let [e4, e5] = ["e2e4", "e7e5"];
        let mut samples = TreeSampleSet::default();
        samples.add(sample(&[e4, e5], "g1f3", 20, 4));
        samples.add(sample(&[e4], e5, -25, 3));
        samples.add(sample(&["d2d4"], "d7d5", -15, 3));
        samples.add(sample(&[e4, e5], "b1c3", 30, 6));
        samples.add(sample(&[e4, e5], "f1c4", 10, 5));
        // The first move was searched, the second is random.
        let first = sample(&[], e4, 22, 9);
        let second = sample(&[e4], e5, 0, 9);
        let third = sample(&[e4, e5], "g1f3", 0, 9);
        let game = |scores: [i16; 3]| PackedGame {
            start: start.clone(),
            outcome: Outcome::Win(Color::Black),
            moves: [first.best, second.best, third.best].into_iter().zip(scores).collect(),
        };
        let game = game([22, 18, NO_SCORE]);
        let found = samples.into_games(&game);
        let expected = [(&[e4, e5][..], "b1c3", 30), (&["d2d4"][..], "d7d5", 15)];
        let expected = expected.map(|(moves, best, for_white)| {
            let TreeSample { position, best, .. } = sample(moves, best, 0, 0);
            PackedGame { start: position, outcome: game.outcome, moves: vec![(best, for_white)] }
        });
        assert_eq!(found, expected);
    }
}
