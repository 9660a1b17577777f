//! Root moves with their scores, lines and node counts, in the order of the last iteration.

use rukh_chess::{Move, Position};
use rukh_eval::Score;

use crate::api::Bound;
use crate::tablebase::RootRanking;

/// A root move.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) mv: Move,
    /// The rank by the tablebases, if they contain the root: a move of a greater rank is better, whatever its score.
    rank: i32,
    /// The score of this iteration, if the move raised alpha.
    pub(super) score: Option<Score>,
    /// Whether that score is exact or a bound.
    pub(super) bound: Bound,
    /// The last score of an earlier iteration.
    previous: Score,
    /// The principal variation that starts with this move.
    pub(super) pv: Vec<Move>,
    /// Nodes spent on it in this search.
    pub(super) nodes: u64,
    /// Nodes spent on it in this iteration.
    iteration_nodes: u64,
    /// The score of the last iteration, if the move raised alpha there.
    recent: Option<Score>,
}

/// The root moves, best first, and the line (MultiPV) being searched.
#[derive(Debug, Default)]
pub(crate) struct Root {
    moves: Vec<RootMove>,
    line: usize,
    depth: i32,
    has_result: bool,
    /// Whether only some of the legal moves are searched for the first line.
    is_restricted: bool,
    /// Root node order: moves without a score of this or the last iteration are ordered by their nodes.
    is_ordered_by_nodes: bool,
    /// Changes of the best move within the iteration.
    changes: u32,
}

impl Root {
    /// Starts a search of `position` with its legal moves or, if `wanted` is not empty, those of them, in the order of the
    /// ranking.
    pub(super) fn begin(&mut self, position: &Position, wanted: &[Move], ranking: Option<&RootRanking>) {
        let legal = position.legal_moves();
        let is_wanted = |mv: &&Move| wanted.is_empty() || wanted.contains(mv);
        let chosen = legal.iter().filter(is_wanted);
        self.moves = chosen
            .map(|&mv| RootMove {
                mv,
                rank: ranking.map_or(0, |ranking| ranking.rank(mv)),
                score: None,
                bound: Bound::Lower,
                previous: Score::MIN,
                pv: vec![mv],
                nodes: 0,
                iteration_nodes: 0,
                recent: None,
            })
            .collect();
        self.moves.sort_by_key(|root_move| std::cmp::Reverse(root_move.rank));
        self.line = 0;
        self.is_restricted = self.candidates().count() < legal.len();
        self.depth = 0;
        self.has_result = false;
        self.changes = 0;
    }

    /// Orders moves that do not raise alpha by their nodes, or by their last score.
    pub(super) fn order_by_nodes(&mut self, is_ordered: bool) {
        self.is_ordered_by_nodes = is_ordered;
    }

    /// Counts a change of the best move, if it is one.
    pub(super) fn note_change(&mut self, is_change: bool) {
        self.changes += u32::from(is_change);
    }

    /// The changes of the best move within the iteration.
    pub(super) fn changes(&self) -> u32 {
        self.changes
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

    /// The index of the line being searched.
    pub(super) fn line(&self) -> usize {
        self.line
    }

    /// Whether all legal moves are searched, so that the result is valid for the position.
    pub(super) fn has_all_moves(&self) -> bool {
        self.line == 0 && !self.is_restricted
    }

    /// Whether the first line is being searched.
    pub(super) fn is_first_line(&self) -> bool {
        self.line == 0
    }

    /// The moves of the line being searched: those of the best rank that are not the best of an earlier line.
    pub(super) fn candidates(&self) -> impl Iterator<Item = Move> + '_ {
        let moves = &self.moves[self.line..];
        let rank = moves.first().map(|best| best.rank);
        moves.iter().take_while(move |root_move| Some(root_move.rank) == rank).map(|root_move| root_move.mv)
    }

    /// Whether there is no choice: one move or, if one line is searched, one of the best rank.
    pub(super) fn is_forced(&self, lines: usize) -> bool {
        self.moves.len() == 1 || lines == 1 && self.candidates().count() == 1
    }

    pub(super) fn begin_iteration(&mut self, depth: i32) {
        self.depth = depth;
        self.changes = 0;
        for root_move in &mut self.moves {
            root_move.recent = root_move.score;
            root_move.iteration_nodes = 0;
            root_move.previous = root_move.score.take().unwrap_or(root_move.previous);
        }
    }

    /// Discards the scores of this iteration: they come from a search for a mate, not for the best move.
    pub(super) fn clear_scores(&mut self) {
        for root_move in &mut self.moves {
            root_move.score = None;
        }
        self.sort();
    }

    pub(super) fn begin_line(&mut self, line: usize) {
        self.line = line;
    }

    /// The expected score of the line: that of the last iteration.
    pub(super) fn expected_score(&self) -> Score {
        self.moves.get(self.line).map_or(Score::DRAW, |root_move| root_move.previous)
    }

    /// Records the nodes of a move and, if it raised alpha, its score and line. Otherwise the score is only a bound and is
    /// dropped.
    pub(super) fn record(&mut self, mv: Move, nodes: u64, best: Option<(Score, Bound, &Vec<Move>)>) {
        let Some(root_move) = self.moves.iter_mut().find(|root_move| root_move.mv == mv) else { return };
        root_move.nodes += nodes;
        root_move.iteration_nodes += nodes;
        root_move.score = best.map(|(score, bound, line_after)| {
            root_move.bound = bound;
            root_move.pv.truncate(1);
            root_move.pv.extend_from_slice(line_after);
            score
        });
    }

    /// Sorts the moves from the current line on by rank and score, then by earlier score or nodes. The sort is stable.
    pub(super) fn sort(&mut self) {
        let line = self.line;
        let by_nodes = self.is_ordered_by_nodes;
        self.moves[line..].sort_by_key(|root_move| {
            let score = root_move.score.unwrap_or(Score::MIN);
            let (earlier, nodes) = match by_nodes {
                true => (root_move.recent.unwrap_or(Score::MIN), root_move.iteration_nodes),
                false => (root_move.previous, 0),
            };
            std::cmp::Reverse((root_move.rank, score, earlier, nodes))
        });
    }

    /// Ends an iteration after all its lines.
    pub(super) fn complete_iteration(&mut self) {
        self.line = 0;
        self.sort();
        self.has_result = true;
    }

    /// The share of nodes spent on the best move.
    pub(super) fn effort_on_best(&self) -> f64 {
        let all: u64 = self.moves.iter().map(|root_move| root_move.nodes).sum();
        self.moves.first().map_or(1.0, |best| best.nodes as f64 / all.max(1) as f64)
    }
}
