//! Visit distributions for trainers: records of a fixed width that need no rules of chess to be read, and games with scores.

use rukh_chess::Color;
use rukh_eval::{Score, win_draw_loss};

use super::game::{UNITS, VisitGame};
use crate::packed::PackedGame;
use crate::policy_records::{MOVES_MAX, PolicySample, RECORD_BYTES};

/// Bytes of a record.
pub const VISIT_RECORD_BYTES: usize = RECORD_BYTES + MOVES_MAX;

/// The records of the positions of a game, one after the other: each is one of `rukh data policy` with the probabilities to win
/// and to lose of the search and the move with the greatest part of the policy as the best, then 96 bytes with the part of each
/// legal move in 255ths. Positions with more than 96 legal moves have none.
pub fn raw_records(game: &VisitGame) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (position, ply) in game.positions() {
        let legal = position.legal_moves();
        let Some(best) = ply.best() else { continue };
        let sample = PolicySample::of_search(position.clone(), best, [ply.win, ply.loss], game.outcome);
        let Some(record) = sample.record() else { continue };
        let mut parts = [0; MOVES_MAX];
        for (to, &mv) in parts.iter_mut().zip(&legal) {
            *to = ply.policy.iter().find(|&&(other, _)| other == mv).map_or(0, |&(_, part)| part);
        }
        bytes.extend(record);
        bytes.extend(parts);
    }
    bytes
}

/// The game in viriformat: the score of a move is the one whose WDL has the value of its search.
pub fn packed_game(game: &VisitGame) -> PackedGame {
    let moves = game.positions().map(|(position, ply)| {
        let value = (f64::from(ply.win) - f64::from(ply.loss)) / f64::from(UNITS);
        let score = score_of(value, position.fullmove_number());
        (ply.mv, if position.side_to_move() == Color::White { score } else { -score })
    });
    PackedGame { start: game.start.clone(), outcome: game.outcome, moves: moves.collect() }
}

/// The score whose probability to win less that to lose is `value`, by bisection.
fn score_of(value: f64, fullmove_number: u32) -> i16 {
    const GREATEST: i32 = 3_000;
    let value_of = |score: i32| {
        let [win, _, loss] = win_draw_loss(Score::new(score), fullmove_number);
        win - loss
    };
    let (mut low, mut high) = (-GREATEST, GREATEST);
    while low < high {
        let middle = low + (high - low) / 2;
        if value_of(middle) < value {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low as i16
}
