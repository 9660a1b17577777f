//! Positions from inside the searches of a game.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use rukh_chess::Color;
use rukh_chess::game::Outcome;
use rukh_engine::Inside;

use crate::packed::{NO_SCORE, PackedGame};

/// What was met inside the searches of one game: a position once, as the deepest search saw it.
#[derive(Default)]
pub(super) struct Met {
    found: Vec<Inside>,
    /// Where a key stands among those that were found.
    places: HashMap<u64, usize>,
}

impl Met {
    /// Takes another in.
    pub(super) fn add(&mut self, inside: Inside) {
        match self.places.entry(inside.position.key()) {
            Entry::Vacant(place) => {
                place.insert(self.found.len());
                self.found.push(inside);
            }
            Entry::Occupied(place) => {
                let known = &mut self.found[*place.get()];
                if inside.depth > known.depth {
                    *known = inside;
                }
            }
        }
    }

    /// As games of one move that ended like `game`, in the order they were met. Positions that were thought about in the game
    /// itself are left out: there they have a better score.
    pub(super) fn into_games(mut self, game: &PackedGame) -> Vec<PackedGame> {
        for (position, ..) in game.positions().filter(|(.., score)| *score != NO_SCORE) {
            self.places.remove(&position.key());
        }
        let is_left = |inside: &Inside| self.places.contains_key(&inside.position.key());
        self.found.into_iter().filter(is_left).map(|inside| one_move(inside, game.outcome)).collect()
    }
}

fn one_move(inside: Inside, outcome: Outcome) -> PackedGame {
    let Inside { position, best, score, .. } = inside;
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
        let inside = |moves: &[&str], best: &str, score: i32, depth: i32| {
            let play =
                |position: Position, text: &&str| position.after(position.parse_uci(text).expect("legal"));
            let position = moves.iter().fold(start.clone(), play);
            let best = position.parse_uci(best).expect("it is legal");
            Inside { position, best, score: Score::centipawns(score), depth }
        };
        let [e4, e5] = ["e2e4", "e7e5"];
        let mut met = Met::default();
        met.add(inside(&[e4, e5], "g1f3", 20, 4));
        met.add(inside(&[e4], e5, -25, 3));
        met.add(inside(&["d2d4"], "d7d5", -15, 3));
        met.add(inside(&[e4, e5], "b1c3", 30, 6));
        met.add(inside(&[e4, e5], "f1c4", 10, 5));
        // The first move was thought about, the second drawn by lot.
        let first = inside(&[], e4, 22, 9);
        let second = inside(&[e4], e5, 0, 9);
        let third = inside(&[e4, e5], "g1f3", 0, 9);
        let game = |scores: [i16; 3]| PackedGame {
            start: start.clone(),
            outcome: Outcome::Win(Color::Black),
            moves: [first.best, second.best, third.best].into_iter().zip(scores).collect(),
        };
        let game = game([22, 18, NO_SCORE]);
        let found = met.into_games(&game);
        let expected = [(&[e4, e5][..], "b1c3", 30), (&["d2d4"][..], "d7d5", 15)];
        let expected = expected.map(|(moves, best, for_white)| {
            let Inside { position, best, .. } = inside(moves, best, 0, 0);
            PackedGame { start: position, outcome: game.outcome, moves: vec![(best, for_white)] }
        });
        assert_eq!(found, expected);
    }
}
