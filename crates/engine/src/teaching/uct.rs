//! UCT: Monte Carlo tree search with random playouts, as it was before networks.
//!
//! A playout is a random game of some plies, then the material decides. There is no other knowledge, and moves are not
//! ordered.

use std::cmp::Reverse;

use rukh_chess::random::SplitMix64;
use rukh_chess::{Move, Position};
use rukh_eval::{Evaluator, Material};

/// Plies of a playout.
const PLAYOUT: usize = 12;
/// Exploration: how much an uncertain move is preferred.
const EXPLORATION: f64 = 0.7;
/// A material advantage that is worth 73%: one unit of the logistic curve.
const SCALE: f64 = 300.0;

/// A node of the tree. Its value is for the side that moved to it.
struct Node {
    mv: Option<Move>,
    visits: u32,
    sum: f64,
    children: Vec<Self>,
}

/// A root move with its visits and its mean result: 1 for a win, 0 for a loss.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Visited {
    /// The move.
    pub mv: Move,
    /// How often it was tried.
    pub visits: u32,
    /// Its mean result.
    pub mean: f64,
}

/// The root moves after `playouts` playouts, the most visited first. The same seed gives the same result.
pub fn uct(position: &Position, playouts: u32, seed: u64) -> Vec<Visited> {
    uct_with(position, playouts, seed, PLAYOUT)
}

/// The same with playouts of so many plies; with 0 the leaves are evaluated at once.
pub fn uct_with(position: &Position, playouts: u32, seed: u64, plies: usize) -> Vec<Visited> {
    let mut root = Node { mv: None, visits: 0, sum: 0.0, children: Vec::new() };
    let mut random = SplitMix64::new(seed);
    for _ in 0..playouts {
        root.visit(position, &mut random, plies);
    }
    let mean = |node: &Node| node.sum / f64::from(node.visits.max(1));
    let visited = |node: &Node| node.mv.map(|mv| Visited { mv, visits: node.visits, mean: mean(node) });
    let mut moves: Vec<_> = root.children.iter().filter_map(visited).collect();
    moves.sort_by_key(|found| Reverse(found.visits));
    moves
}

// ANCHOR: visit
impl Node {
    /// One visit: select down to a leaf, expand it, play out, add the result on the way back. Returns the result for the
    /// side to move at `position`.
    fn visit(&mut self, position: &Position, random: &mut SplitMix64, plies: usize) -> f64 {
        let result = if self.visits == 0 {
            playout(position.clone(), random, plies)
        } else {
            if self.children.is_empty() {
                let child = |&mv: &Move| Self { mv: Some(mv), visits: 0, sum: 0.0, children: Vec::new() };
                self.children = position.legal_moves().iter().map(child).collect();
            }
            match self.select() {
                None => result_without_moves(position),
                Some((mv, child)) => 1.0 - child.visit(&position.after(mv), random, plies),
            }
        };
        self.visits += 1;
        self.sum += 1.0 - result;
        result
    }

    /// The child with the highest upper confidence bound (UCB1); a child without a visit first.
    fn select(&mut self) -> Option<(Move, &mut Self)> {
        let log = f64::from(self.visits).ln();
        let bound = |child: &Self| {
            let visits = f64::from(child.visits);
            if child.visits == 0 {
                f64::MAX
            } else {
                child.sum / visits + EXPLORATION * (log / visits).sqrt()
            }
        };
        let best = self.children.iter_mut().max_by(|a, b| bound(a).total_cmp(&bound(b)))?;
        Some((best.mv?, best))
    }
}

/// The result of a random game for the side to move.
fn playout(mut position: Position, random: &mut SplitMix64, plies: usize) -> f64 {
    let us = position.side_to_move();
    for _ in 0..plies {
        let moves = position.legal_moves();
        if moves.is_empty() {
            let result = result_without_moves(&position);
            return if position.side_to_move() == us { result } else { 1.0 - result };
        }
        position = position.after(moves[random.below(moves.len() as u64) as usize]);
    }
    let score = f64::from(Material.evaluate(&position).value());
    let result = 1.0 / (1.0 + (-score / SCALE).exp());
    if position.side_to_move() == us { result } else { 1.0 - result }
}
// ANCHOR_END: visit

fn result_without_moves(position: &Position) -> f64 {
    if position.is_check() { 0.0 } else { 0.5 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn best(fen: &str, playouts: u32) -> String {
        let position: Position = fen.parse().expect("the position is valid");
        let moves = uct(&position, playouts, 1);
        assert_eq!(moves.iter().map(|found| found.visits).sum::<u32>(), playouts - 1);
        assert_eq!(moves, uct(&position, playouts, 1), "the same seed gives the same result");
        position.san(moves[0].mv).to_string()
    }

    #[test]
    fn a_mate_in_one_and_a_free_queen_are_found() {
        assert_eq!(best("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", 2_000), "Ra8#");
        assert_eq!(best("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", 2_000), "exd5");
    }
}
