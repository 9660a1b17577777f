//! What a search that has ended knows of the positions inside its tree: the table remembers it, and nobody need search again.
//!
//! Only principal variations have exact scores, and every node of one was reached through others. So the way from the root
//! leads along entries that have been in a principal variation, by legal moves alone: nothing below a null move is seen.

use std::collections::HashSet;

use rukh_chess::random::SplitMix64;
use rukh_chess::{Move, Position};
use rukh_eval::Score;

use crate::api::Bound;
use crate::transposition::{Entry, TranspositionTable};

/// A quiet position inside a search, and what the search found there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TreeSample {
    /// The position: nobody is in check.
    pub position: Position,
    /// Its best move, which neither takes nor promotes.
    pub best: Move,
    /// Its score for the side to move: exact, and nothing proven.
    pub score: Score,
    /// How deep it was searched.
    pub depth: i32,
}

impl TreeSample {
    /// What `entry` says of `position`, if that is all that is asked for.
    fn new(position: &Position, entry: &Entry) -> Option<Self> {
        // What tables of endings know is put in without an evaluation.
        let is_searched = entry.bound == Bound::Exact && entry.eval.is_some();
        let score = entry.score(0);
        let best = entry.mv.filter(|&mv| !mv.is_noisy() && position.is_legal(mv))?;
        let is_taken =
            is_searched && !score.is_decisive() && !position.is_check() && entry.holds_for(position);
        is_taken.then(|| Self { position: position.clone(), best, score, depth: entry.depth })
    }
}

/// A position at random that the last search with `table` looked at: one of those on a way down from `root`, on which every move is
/// drawn from those that were looked at.
pub(crate) fn random_tree_position(
    table: &TranspositionTable,
    root: &Position,
    random: &mut SplitMix64,
) -> Option<Position> {
    let mut seen = HashSet::from([root.key()]);
    let mut way: Vec<Position> = Vec::new();
    loop {
        let position = way.last().unwrap_or(root);
        let moves = position.legal_moves();
        let is_open =
            |child: &Position| table.probe_current(child.key()).is_some() && !seen.contains(&child.key());
        let mut below: Vec<_> = moves.iter().map(|&mv| position.after(mv)).filter(is_open).collect();
        if below.is_empty() {
            break;
        }
        let child = below.swap_remove(random.below(below.len() as u64) as usize);
        seen.insert(child.key());
        way.push(child);
    }
    (!way.is_empty()).then(|| way.swap_remove(random.below(way.len() as u64) as usize))
}

/// The quiet positions below `root` that the last search with `table` has an exact score of, searched `min_depth` deep or
/// deeper; each once.
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
