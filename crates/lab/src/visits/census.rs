//! What is in a file of visit distributions, in numbers.

use rukh_chess::Color;
use rukh_chess::game::Outcome;
use serde_json::{Value, json};

use super::code::points;
use super::game::{End, Resignation, UNITS, VisitGame};

/// Counts over games.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct VisitCensus {
    /// Games.
    pub games: u64,
    /// Positions.
    pub positions: u64,
    /// Games that White won, drawn games, games that Black won.
    pub results: [u64; 3],
    /// Games that ended by the rules, by resignation, by their length.
    pub ends: [u64; 3],
    /// Games in which nobody could resign; those of them in which a side would have; those in which it did not lose.
    pub played_on: [u64; 3],
    /// Moves that have a part of the policy, over all positions.
    pub moves: u64,
    /// The entropy of the policy in bits, over all positions.
    pub entropy: f64,
    /// Positions where the move with the greatest part was played.
    pub best_played: u64,
    /// Positions with a proven result.
    pub proven: u64,
    /// The squared error of the expected score of a search against the result, over all positions.
    pub error: f64,
}

impl VisitCensus {
    /// Counts another game.
    pub fn add(&mut self, game: &VisitGame, resignation: Option<Resignation>) {
        self.games += 1;
        self.positions += game.plies.len() as u64;
        self.results[match game.outcome {
            Outcome::Win(Color::White) => 0,
            Outcome::Draw => 1,
            Outcome::Win(Color::Black) => 2,
        }] += 1;
        self.ends[match game.end {
            End::Rules => 0,
            End::Resignation => 1,
            End::Length => 2,
        }] += 1;
        if game.plays_on {
            let resigner = resignation.and_then(|rule| game.resigner(rule)).map(|(side, _)| side);
            self.played_on[0] += 1;
            self.played_on[1] += u64::from(resigner.is_some());
            self.played_on[2] += u64::from(resigner.is_some_and(|side| game.outcome != Outcome::Win(!side)));
        }
        let white = points(game.outcome);
        let first = game.start.side_to_move();
        for (number, ply) in game.plies.iter().enumerate() {
            let is_white = (first == Color::White) == (number % 2 == 0);
            let result = if is_white { white } else { 1.0 - white };
            let share = |&(_, part): &(_, u8)| f64::from(part) / f64::from(UNITS);
            self.moves += ply.policy.len() as u64;
            self.entropy -= ply.policy.iter().map(share).map(|share| share * share.log2()).sum::<f64>();
            self.best_played += u64::from(ply.best() == Some(ply.mv));
            self.proven += u64::from(ply.is_proven);
            self.error += (ply.expected_score() - result).powi(2);
        }
    }

    /// The mean of a sum over all positions.
    fn mean(&self, sum: f64) -> f64 {
        sum / self.positions.max(1) as f64
    }

    /// As JSON.
    pub fn to_json(&self) -> Value {
        json!({
            "games": self.games, "positions": self.positions, "white_wins": self.results[0], "draws": self.results[1],
            "black_wins": self.results[2], "by_rules": self.ends[0], "by_resignation": self.ends[1],
            "by_length": self.ends[2], "played_on": self.played_on[0], "would_resign": self.played_on[1],
            "false_resignations": self.played_on[2], "moves_per_position": self.mean(self.moves as f64),
            "entropy_bits": self.mean(self.entropy), "best_played": self.mean(self.best_played as f64),
            "proven": self.mean(self.proven as f64), "squared_error": self.mean(self.error),
        })
    }

    /// As lines for people.
    pub fn lines(&self) -> Vec<String> {
        let percent = |share: f64| format!("{:.1}%", 100.0 * share);
        let [white, draws, black] = self.results;
        let [rules, resigned, long] = self.ends;
        let [played_on, would, false_ones] = self.played_on;
        vec![
            format!(
                "results: White won {white}, {draws} drawn, Black won {black}; ended by the rules {rules}, by resignation {resigned}, by their length {long}"
            ),
            format!(
                "nobody could resign in {played_on} games; a side would have in {would}, and did not lose {false_ones} of them"
            ),
            format!(
                "policy: {:.2} moves and {:.2} bits a position; the best one was played in {}; {} proven",
                self.mean(self.moves as f64),
                self.mean(self.entropy),
                percent(self.mean(self.best_played as f64)),
                percent(self.mean(self.proven as f64)),
            ),
            format!("squared error of the expected score against the result: {:.4}", self.mean(self.error)),
        ]
    }
}
