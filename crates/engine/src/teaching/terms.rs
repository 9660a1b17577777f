//! The classical evaluation without one of its terms, and games that measure what the term is worth.
//!
//! Both sides have the same textbook search, so that only the term differs.

use rukh_chess::game::Outcome;
use rukh_chess::position::ChangeObserver;
use rukh_chess::{Color, Move, Position};
use rukh_eval::hce::evaluate::interpolate;
use rukh_eval::hce::{self, Term};
use rukh_eval::knowledge::fifty_moves::damp;
use rukh_eval::{Evaluator, Score};

use super::games;
use super::quiescence::Quiesced;
use super::searches::{Order, alpha_beta};

/// The classical evaluation without a term; with `None` the whole evaluation.
#[derive(Clone, Copy, Debug, Default)]
pub struct WithoutTerm(pub Option<Term>);

/// Ignores all changes: every position is evaluated from scratch.
struct NoObserver;

impl ChangeObserver for NoObserver {}

impl Evaluator for WithoutTerm {
    fn reset(&mut self, _position: &Position) {}

    fn push(&mut self) -> impl ChangeObserver + '_ {
        NoObserver
    }

    fn pop(&mut self) {}

    // ANCHOR: without
    fn evaluate(&mut self, position: &Position) -> Score {
        let trace = hce::trace(position);
        let summary = trace.summary;
        let value = match (self.0, summary.endgame) {
            (Some(term), None) => {
                let sum = summary.sum - trace.difference(term);
                damp(interpolate(sum, summary.midgame_share, summary.scale), position.halfmove_clock())
            }
            _ => summary.value,
        };
        Score::new(if position.side_to_move() == Color::White { value } else { -value })
    }
    // ANCHOR_END: without
}

/// The best move by alpha-beta to `depth` plies with quiescence search, and its score; `None` without a legal move.
pub fn best_move(position: &Position, depth: u32, evaluator: &mut impl Evaluator) -> Option<(Move, Score)> {
    let order = Order::CapturesFirst;
    let mut best: Option<(Move, Score)> = None;
    for mv in order.moves(position) {
        let alpha = best.map_or(Score::MIN, |(_, score)| score);
        let window = (Score::MIN, -alpha);
        let score = -alpha_beta(&position.after(mv), 1, depth.saturating_sub(1), window, order, evaluator);
        if best.is_none_or(|(_, found)| score > found) {
            best = Some((mv, score));
        }
    }
    best
}

/// Plays a game between two evaluators to `depth` plies a move.
pub fn play(opening: Position, depth: u32, white: impl Evaluator, black: impl Evaluator) -> Outcome {
    let (mut white, mut black) = (Quiesced(white), Quiesced(black));
    games::play(opening, |position| match position.side_to_move() {
        Color::White => best_move(position, depth, &mut white),
        Color::Black => best_move(position, depth, &mut black),
    })
}

/// The half points of the evaluation with a term against the one without it in a pair of games from one opening with
/// colours swapped: 0 to 4.
pub fn pair(opening: &Position, depth: u32, term: Term) -> usize {
    let (with, without) = (WithoutTerm(None), WithoutTerm(Some(term)));
    let first = play(opening.clone(), depth, with, without).half_points(Color::White);
    let second = play(opening.clone(), depth, without, with).half_points(Color::Black);
    usize::from(first + second)
}

#[cfg(test)]
mod tests {
    use super::games::opening;
    use super::*;
    use rukh_chess::random::SplitMix64;
    use rukh_eval::Classical;

    #[test]
    fn without_a_term_only_that_term_is_missing() {
        let fen = "r1bq1rk1/pppn1ppp/3bpn2/8/2BP4/2N2N2/PPP2PPP/R1BQ1RK1 b - - 0 1";
        let position: Position = fen.parse().expect("the position is valid");
        let whole = WithoutTerm(None).evaluate(&position);
        let mut classical = Classical::new();
        classical.reset(&position);
        assert_eq!(whole, classical.evaluate(&position));
        for term in Term::ALL {
            let is_zero = hce::trace(&position).difference(term) == hce::Tapered::ZERO;
            let is_same = WithoutTerm(Some(term)).evaluate(&position) == whole;
            assert!(is_same || !is_zero, "{term:?} is zero and changes the value");
        }
        assert_ne!(WithoutTerm(Some(Term::Mobility)).evaluate(&position), whole);
    }

    #[test]
    fn games_end_and_repeat() {
        let mut random = SplitMix64::new(1);
        let opening = opening(&mut random);
        assert!(opening.count_legal_moves() > 0);
        assert_eq!(pair(&opening, 1, Term::Material), pair(&opening, 1, Term::Material));
        // A mate in one is found, and the game ends by it.
        let mate: Position = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1".parse().expect("the position is valid");
        let whole = WithoutTerm(None);
        assert_eq!(play(mate, 1, whole, whole), Outcome::Win(Color::White));
    }

    #[test]
    fn who_does_not_count_material_loses() {
        let mut random = SplitMix64::new(2);
        let points: usize = (0..4).map(|_| pair(&opening(&mut random), 1, Term::Material)).sum();
        assert!(points > 12, "{points} of 16");
    }
}
