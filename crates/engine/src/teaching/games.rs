//! Short games between teaching versions, from balanced random openings.

use rukh_chess::game::{Game, Outcome};
use rukh_chess::position::ChangeObserver;
use rukh_chess::random::SplitMix64;
use rukh_chess::{Color, Move, Position};
use rukh_eval::{Classical, Evaluator, Score};

use super::quiescence::Quiesced;

/// A game is won when both sides agree about so much: some seven pawns.
const DECIDED: i32 = 700;
/// A game is drawn after so many plies.
const MAX_PLIES: usize = 200;

/// Plays a game. `best` gives the move of the side to move and its score. Scores that both agree on, and a great length, end it.
pub fn play(opening: Position, mut best: impl FnMut(&Position) -> Option<(Move, Score)>) -> Outcome {
    let mut game = Game::new(opening);
    let mut before = 0;
    for _ in 0..MAX_PLIES {
        if let Some(ending) = game.ending() {
            return ending.outcome();
        }
        let Some((mv, score)) = best(game.position()) else { break };
        let value =
            if game.position().side_to_move() == Color::White { score.value() } else { -score.value() };
        if value.min(before) > DECIDED {
            return Outcome::Win(Color::White);
        }
        if value.max(before) < -DECIDED {
            return Outcome::Win(Color::Black);
        }
        before = value;
        game.play(mv).expect("a move of a search is legal");
    }
    Outcome::Draw
}

/// Random plies of an opening.
const OPENING: usize = 8;
/// The greatest advantage of one side after an opening, about a pawn.
const BALANCED: i32 = 100;

/// A position after some random moves in which neither side has a great advantage.
pub fn opening(random: &mut SplitMix64) -> Position {
    loop {
        let mut position = Position::default();
        for _ in 0..OPENING {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position = position.after(moves[random.below(moves.len() as u64) as usize]);
        }
        let is_open = position.count_legal_moves() > 0;
        if is_open && Quiesced(FromScratch::default()).evaluate(&position).value().abs() <= BALANCED {
            return position;
        }
    }
}

/// The classical evaluation, made anew for each position: textbook searches copy positions and tell nobody what changes.
#[derive(Clone, Debug, Default)]
pub(super) struct FromScratch(Classical);

impl Evaluator for FromScratch {
    fn reset(&mut self, position: &Position) {
        self.0.reset(position);
    }

    fn push(&mut self) -> impl ChangeObserver + '_ {
        self.0.push()
    }

    fn pop(&mut self) {
        self.0.pop();
    }

    fn evaluate(&mut self, position: &Position) -> Score {
        self.0.reset(position);
        self.0.evaluate(position)
    }
}
