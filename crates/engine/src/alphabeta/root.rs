//! The moves at the root and what is known of each.

use rukh_chess::{Move, Position};
use rukh_eval::Score;

use crate::api::Bound;

/// A move at the root.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) mv: Move,
    /// The score of this iteration, if the move was among the best when it was searched.
    pub(super) score: Option<Score>,
    /// How that score is meant.
    pub(super) bound: Bound,
    /// The score of the last iteration in which it was.
    previous: Score,
    /// The line that begins with it.
    pub(super) pv: Vec<Move>,
    /// Nodes spent on it in this search.
    pub(super) nodes: u64,
}

/// The moves at the root, the best first, and which line is being searched.
#[derive(Debug, Default)]
pub(crate) struct Root {
    moves: Vec<RootMove>,
    line: usize,
    depth: i32,
    has_result: bool,
    /// Whether only some of the legal moves are wanted.
    is_restricted: bool,
}

impl Root {
    /// Begins a search of `position` among its legal moves, or those of them that are `wanted`.
    pub(super) fn begin(&mut self, position: &Position, wanted: &[Move]) {
        let legal = position.legal_moves();
        let is_wanted = |mv: &&Move| wanted.is_empty() || wanted.contains(mv);
        let chosen = legal.iter().filter(is_wanted);
        self.moves = chosen
            .map(|&mv| RootMove {
                mv,
                score: None,
                bound: Bound::Lower,
                previous: Score::MIN,
                pv: vec![mv],
                nodes: 0,
            })
            .collect();
        self.is_restricted = self.moves.len() < legal.len();
        self.line = 0;
        self.depth = 0;
        self.has_result = false;
    }

    pub(super) fn moves(&self) -> &[RootMove] {
        &self.moves
    }

    /// The iteration.
    pub(super) fn depth(&self) -> i32 {
        self.depth
    }

    /// Whether an iteration has been completed.
    pub(super) fn has_result(&self) -> bool {
        self.has_result
    }

    /// The line being searched: how many better ones there are.
    pub(super) fn line(&self) -> usize {
        self.line
    }

    /// Whether what is being found out holds for the position: all its moves compete.
    pub(super) fn has_all_moves(&self) -> bool {
        self.line == 0 && !self.is_restricted
    }

    /// Whether the best line is being searched, and not one of those after it.
    pub(super) fn is_first_line(&self) -> bool {
        self.line == 0
    }

    /// The moves that compete for the line being searched.
    pub(super) fn candidates(&self) -> impl Iterator<Item = Move> + '_ {
        self.moves[self.line..].iter().map(|root_move| root_move.mv)
    }

    pub(super) fn begin_iteration(&mut self, depth: i32) {
        self.depth = depth;
        for root_move in &mut self.moves {
            root_move.previous = root_move.score.take().unwrap_or(root_move.previous);
        }
    }

    /// The scores of this iteration answer another question than the one for the best move.
    pub(super) fn forget_scores(&mut self) {
        for root_move in &mut self.moves {
            root_move.score = None;
        }
        self.sort();
    }

    pub(super) fn begin_line(&mut self, line: usize) {
        self.line = line;
    }

    /// The score around which the line is expected.
    pub(super) fn expected_score(&self) -> Score {
        self.moves.get(self.line).map_or(Score::DRAW, |root_move| root_move.previous)
    }

    /// Notes what a move cost and, if it was the best so far, what it gave: only then do score and line mean something.
    pub(super) fn record(&mut self, mv: Move, nodes: u64, best: Option<(Score, Bound, &Vec<Move>)>) {
        let Some(root_move) = self.moves.iter_mut().find(|root_move| root_move.mv == mv) else { return };
        root_move.nodes += nodes;
        root_move.score = best.map(|(score, bound, line_after)| {
            root_move.bound = bound;
            root_move.pv.truncate(1);
            root_move.pv.extend_from_slice(line_after);
            score
        });
    }

    /// Puts the best moves first, from the line being searched on; equals stay as they were.
    pub(super) fn sort(&mut self) {
        let line = self.line;
        self.moves[line..].sort_by_key(|root_move| {
            std::cmp::Reverse((root_move.score.unwrap_or(Score::MIN), root_move.previous))
        });
    }

    /// All lines of the iteration have been searched.
    pub(super) fn complete_iteration(&mut self) {
        self.line = 0;
        self.sort();
        self.has_result = true;
    }

    /// Part of the nodes that went into the best move.
    pub(super) fn effort_on_best(&self) -> f64 {
        let all: u64 = self.moves.iter().map(|root_move| root_move.nodes).sum();
        self.moves.first().map_or(1.0, |best| best.nodes as f64 / all.max(1) as f64)
    }
}
