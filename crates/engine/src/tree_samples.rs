//! Tree samples: positions inside a finished search tree with their scores, read from the transposition table.
//!
//! Nothing is searched again. Only nodes of principal variations have exact scores, and every such node was reached
//! through others. So the walk for tree samples follows entries with the PV flag, by legal moves, and reaches no position below a
//! null move. Visited positions have no score; they are all that the table still knows.

use std::collections::HashSet;

use rukh_chess::{Move, Position};
use rukh_eval::Score;

use crate::api::Bound;
use crate::transposition::{Entry, TranspositionTable};

/// A quiet position inside a search tree, with the result the search stored for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TreeSample {
    /// The position; the side to move is not in check.
    pub position: Position,
    /// Its best move, neither a capture nor a promotion.
    pub best: Move,
    /// Its score for the side to move: exact, and neither a mate nor a tablebase score.
    pub score: Score,
    /// The search depth.
    pub depth: i32,
}

impl TreeSample {
    /// The sample from `entry`, if it meets all conditions of the fields.
    fn new(position: &Position, entry: &Entry) -> Option<Self> {
        // Tablebase scores are stored without an evaluation.
        let is_searched = entry.bound == Bound::Exact && entry.eval.is_some();
        let score = entry.score(0);
        let best = entry.mv.filter(|&mv| !mv.is_noisy() && position.is_legal(mv))?;
        let is_suitable =
            is_searched && !score.is_decisive() && !position.is_check() && entry.holds_for(position);
        is_suitable.then(|| Self { position: position.clone(), best, score, depth: entry.depth })
    }
}

/// The positions below `root` that the last search with `table` visited, by legal moves and null moves; each once, without
/// `root`. These are the positions that the search evaluated, except those whose entries were overwritten.
pub(crate) fn visited_positions(table: &TranspositionTable, root: &Position) -> Vec<Position> {
    let mut seen = HashSet::from([root.key()]);
    let mut found: Vec<Position> = Vec::new();
    let mut expanded = 0;
    let mut expand = |position: &Position, found: &mut Vec<Position>| {
        let moves = position.legal_moves();
        let children = moves.iter().map(|&mv| position.after(mv));
        let after_null = (!position.is_check()).then(|| {
            let mut position = position.clone();
            position.make_null();
            position
        });
        let is_new =
            |child: &Position| table.probe_current(child.key()).is_some() && seen.insert(child.key());
        found.extend(children.chain(after_null).filter(is_new));
    };
    expand(root, &mut found);
    while expanded < found.len() {
        let position = found[expanded].clone();
        expand(&position, &mut found);
        expanded += 1;
    }
    found
}

/// The quiet positions below `root` for which the last search with `table` stored an exact score of depth `min_depth` or
/// more; each once.
pub(crate) fn tree_samples(table: &TranspositionTable, root: &Position, min_depth: i32) -> Vec<TreeSample> {
    let mut seen = HashSet::from([root.key()]);
    let mut open = vec![root.clone()];
    let mut found = Vec::new();
    while let Some(position) = open.pop() {
        for &mv in &position.legal_moves() {
            let child = position.after(mv);
            let entry = table.probe_current(child.key());
            let entry = entry.filter(|entry| entry.was_pv && entry.depth >= min_depth);
            if let Some(entry) = entry.filter(|_| seen.insert(child.key())) {
                found.extend(TreeSample::new(&child, &entry));
                open.push(child);
            }
        }
    }
    found
}
