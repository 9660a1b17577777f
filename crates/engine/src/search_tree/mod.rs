//! Search tree: the nodes of one alpha-beta search with the reason of every score, kept within a bound.
//!
//! [`record_tree`] searches on one thread with a fresh transposition table, so the same request gives the same tree. Its
//! search is that of play: the node count is the same with and without the recorder.

mod node;
mod recorder;
mod sample;
mod savings;
mod stop;

use std::sync::Arc;
use std::thread;

use rukh_chess::Move;
use rukh_chess::game::Game;
use rukh_eval::{Evaluation, Score};

pub use node::{Collapsed, DepthChange, Skipped, Totals, TreeNode};
pub use recorder::{Iterations, TreeLimits};
pub use savings::Savings;
pub use stop::StopHandle;

use crate::api::{Request, ResourceError};
use crate::search::{Job, SharedState};
use crate::searchers;
use crate::technique::{Technique, TechniqueOverrides};
use crate::threads::spawn_search;
use crate::transposition::TranspositionTable;
use recorder::Recorder;
use sample::Samples;

/// The recorded tree of a search.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SearchTree {
    /// The best move; `None` if there is no legal move.
    #[cfg_attr(feature = "serde", serde(serialize_with = "crate::serialize::optional_uci"))]
    pub best: Option<Move>,
    /// Its score for the side to move at the root.
    #[cfg_attr(feature = "serde", serde(serialize_with = "crate::serialize::optional_score"))]
    pub score: Option<Score>,
    /// All nodes of the search.
    pub nodes: u64,
    /// How often each technique was used and each reason decided a node, in all nodes of the search.
    pub totals: Totals,
    /// The roots: one for each search of the root position, in the order of the search.
    pub roots: Vec<TreeNode>,
    /// Nodes at which the techniques were used, for [`Self::measure_savings`].
    #[cfg_attr(feature = "serde", serde(skip))]
    samples: Samples,
}

impl SearchTree {
    /// The techniques that were used at some node that can be searched again, with the number of such nodes.
    pub fn uses(&self) -> impl Iterator<Item = (Technique, u64)> {
        self.samples.iter().map(|(&technique, sample)| (technique, sample.uses))
    }

    /// Measures what a technique saved in this search of the current position of `game`, which was recorded with `overrides`
    /// and `evaluation`. `None` if it was not used or the measurement was stopped.
    pub fn measure_savings(
        &self,
        technique: Technique,
        overrides: TechniqueOverrides,
        evaluation: &Evaluation,
        game: &Game,
        stop: &StopHandle,
    ) -> Result<Option<Savings>, ResourceError> {
        let Some(sample) = self.samples.get(&technique) else { return Ok(None) };
        savings::measure(sample, technique, overrides, evaluation, game, stop)
    }
}

/// Searches once with the default techniques except `overrides`, and a fresh transposition table of `mebibytes`, and records
/// the search tree within `limits`. `stop` ends it early.
pub fn record_tree(
    overrides: TechniqueOverrides,
    evaluation: &Evaluation,
    request: Request,
    mebibytes: usize,
    limits: TreeLimits,
    stop: &StopHandle,
) -> Result<SearchTree, ResourceError> {
    let table = Arc::new(TranspositionTable::new(mebibytes, 1)?);
    table.new_search();
    let shared = SharedState::single_threaded(table, request.limits.clone());
    let shared = Arc::new(SharedState { signals: stop.signals(), ..shared });
    let job = Job::silent(shared.clone(), request, overrides);
    let work = || searchers::observe(evaluation, &job, Recorder::new(limits));
    let (result, recorder) = thread::scope(|scope| {
        Ok::<_, ResourceError>(spawn_search(scope, work)?.join().expect("a search does not panic"))
    })?;
    let (roots, totals, samples) = recorder.finish();
    Ok(SearchTree {
        best: result.as_ref().and_then(|result| result.pv.first().copied()),
        score: result.as_ref().map(|result| result.score),
        nodes: shared.all_nodes(),
        totals,
        roots,
        samples,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use rukh_chess::{Move, Position};
    use rukh_eval::Evaluation;

    use super::*;
    use crate::api::{Bound, Limits};
    use crate::sync::search_once;
    use crate::witness::{NodeKind, Purpose, Reason, SkipReason};

    const MIDDLEGAME: &str = "r2q1rk1/ppp2ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPP2PPP/R2Q1RK1 w - - 4 8";
    const ENDING: &str = "8/5pk1/6p1/1p2P3/2p2P2/2P3K1/1P6/8 w - - 0 40";
    const HASH: usize = 4;

    fn position(fen: &str) -> Position {
        fen.parse().expect("valid FEN")
    }

    fn request(fen: &str, limits: Limits) -> Request {
        Request::from_position(position(fen), limits)
    }

    fn to_depth(depth: u32) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    fn record(fen: &str, limits: Limits, bounds: TreeLimits) -> SearchTree {
        let overrides = TechniqueOverrides::default();
        let stop = StopHandle::default();
        record_tree(overrides, &Evaluation::Classical, request(fen, limits), HASH, bounds, &stop)
            .expect("a few mebibytes are available")
    }

    fn everything() -> TreeLimits {
        TreeLimits { max_nodes: usize::MAX, iterations: Iterations::All, ..TreeLimits::default() }
    }

    fn at_most(max_nodes: usize) -> TreeLimits {
        TreeLimits { max_nodes, ..TreeLimits::default() }
    }

    /// Calls `check` for each recorded node, with its position.
    fn walk(position: &Position, node: &TreeNode, check: &mut impl FnMut(&Position, &TreeNode)) {
        check(position, node);
        for child in &node.children {
            let after = match child.mv {
                Some(mv) => position.after(mv),
                None if child.purpose == Purpose::NullMove => {
                    let mut after = position.clone();
                    after.make_null();
                    after
                }
                None => position.clone(),
            };
            walk(&after, child, check);
        }
    }

    fn walk_all(fen: &str, tree: &SearchTree, mut check: impl FnMut(&Position, &TreeNode)) {
        tree.roots.iter().for_each(|root| walk(&position(fen), root, &mut check));
    }

    fn recorded(tree: &SearchTree) -> usize {
        tree.roots.iter().map(TreeNode::recorded_below).sum()
    }

    fn assert_sums(fen: &str, tree: &SearchTree) {
        walk_all(fen, tree, |_, node| {
            let children: u64 = node.children.iter().map(|child| child.nodes).sum();
            assert_eq!(node.nodes, 1 + children + node.collapsed.nodes);
            assert!(node.collapsed.nodes >= node.collapsed.children);
        });
        assert_eq!(tree.roots.iter().map(|root| root.nodes).sum::<u64>(), tree.nodes);
        assert_eq!(tree.totals.decided.values().sum::<u64>(), tree.nodes);
        assert_eq!(tree.totals.searched.values().sum::<u64>(), tree.nodes);
    }

    #[test]
    fn children_and_collapsed_nodes_sum_to_the_parent() {
        for fen in [MIDDLEGAME, ENDING] {
            for bounds in [at_most(0), at_most(40), at_most(3_000), everything()] {
                assert_sums(fen, &record(fen, to_depth(7), bounds.clone()));
                let stopped = record(fen, Limits { nodes: Some(5_000), ..Limits::default() }, bounds);
                assert_sums(fen, &stopped);
                let last = stopped.roots.last().expect("there are roots");
                assert_eq!((last.reason, last.score), (Reason::Stopped, None));
            }
        }
    }

    #[test]
    fn an_observed_search_is_the_search_of_play() {
        for fen in [MIDDLEGAME, ENDING] {
            let overrides = TechniqueOverrides::default();
            let plain = search_once(overrides, &Evaluation::Classical, request(fen, to_depth(9)), HASH);
            let plain = plain.expect("a few mebibytes are available");
            let tree = record(fen, to_depth(9), at_most(500));
            assert_eq!((tree.best, tree.score, tree.nodes), (plain.best, plain.score, plain.nodes));
            assert_eq!(tree, record(fen, to_depth(9), at_most(500)), "it repeats");
        }
    }

    #[test]
    fn the_record_is_bounded_and_keeps_the_heaviest_nodes() {
        let all = record(MIDDLEGAME, to_depth(7), everything());
        assert_eq!(recorded(&all) as u64 + all.roots.len() as u64, all.nodes, "nothing is collapsed");
        for max_nodes in [0, 40, 3_000] {
            let tree = record(MIDDLEGAME, to_depth(7), at_most(max_nodes));
            assert!(recorded(&tree) <= max_nodes, "{} of {max_nodes}", recorded(&tree));
            assert!(recorded(&tree) > 0 || max_nodes == 0, "{max_nodes}");
        }
        let tree = record(MIDDLEGAME, to_depth(7), at_most(3_000));
        let last = tree.roots.last().expect("there are roots");
        assert_eq!(last.collapsed, Collapsed::default(), "nodes near the root are kept");
        let (mut lightest_kept, mut heaviest_collapsed) = (u64::MAX, 0);
        walk_all(MIDDLEGAME, &tree, |_, node| {
            if node.ply > 1 && node.iteration == 7 {
                lightest_kept = lightest_kept.min(node.nodes);
            }
            if node.ply > 0 && node.iteration == 7 && node.collapsed.children == 1 {
                heaviest_collapsed = heaviest_collapsed.max(node.collapsed.nodes);
            }
        });
        assert!(heaviest_collapsed < lightest_kept, "{heaviest_collapsed} and {lightest_kept}");
    }

    #[test]
    fn every_legal_move_is_searched_or_skipped_with_a_reason() {
        let mut checked = [0; 2];
        for fen in [MIDDLEGAME, ENDING] {
            let tree = record(fen, to_depth(8), everything());
            walk_all(fen, &tree, |position, node| {
                let skipped: Vec<Move> = node.skipped.iter().map(|skipped| skipped.mv).collect();
                let is_twice = |(at, mv): (usize, &Move)| skipped[..at].contains(mv);
                assert!(!skipped.iter().enumerate().any(is_twice), "a move is skipped once");
                let is_full =
                    matches!(node.reason, Reason::FailedLow | Reason::RaisedAlpha | Reason::StandPat);
                let is_cutoff = node.bound == Bound::Lower;
                if !is_full || is_cutoff {
                    return;
                }
                let searched: Vec<Move> = node.children.iter().filter_map(|child| child.mv).collect();
                let is_quiescence = node.kind == NodeKind::Quiescence && !position.is_check();
                for &mv in position.legal_moves().iter().filter(|mv| !is_quiescence || mv.is_noisy()) {
                    let is_reported = searched.contains(&mv) || skipped.contains(&mv);
                    assert!(is_reported, "{position}: {mv:?} {:?} {:?}", node.kind, node.reason);
                }
                checked[usize::from(is_quiescence)] += 1;
            });
        }
        assert!(checked.iter().all(|&count| count > 500), "{checked:?}");
    }

    #[test]
    fn scores_agree_with_bounds_and_windows() {
        let tree = record(MIDDLEGAME, to_depth(7), everything());
        walk_all(MIDDLEGAME, &tree, |_, node| {
            let score = node.score.expect("the search was not stopped");
            let at_least_beta = node.beta.is_some_and(|beta| score >= beta);
            let at_most_alpha = node.alpha.is_some_and(|alpha| score <= alpha);
            match node.bound {
                Bound::Exact => assert!(!at_least_beta && !at_most_alpha),
                Bound::Lower => assert!(at_least_beta),
                Bound::Upper => assert!(at_most_alpha),
            }
            let is_high =
                matches!(node.reason, Reason::BetaCutoff | Reason::NullMove | Reason::ReverseFutility);
            assert!(!is_high || node.bound == Bound::Lower, "{:?} {:?}", node.reason, node.bound);
            assert!(!matches!(node.reason, Reason::BetaCutoff | Reason::RaisedAlpha) || node.best.is_some());
        });
    }

    #[test]
    fn a_technique_that_is_off_decides_nothing() {
        for (technique, reason) in [
            (Technique::NullMove, Reason::NullMove),
            (Technique::ReverseFutility, Reason::ReverseFutility),
            (Technique::Razoring, Reason::Razoring),
            (Technique::TableCutoff, Reason::TableCutoff),
            (Technique::DeltaPruning, Reason::DeltaPruning),
        ] {
            let decided = |overrides| {
                let request = request(MIDDLEGAME, to_depth(7));
                let stop = StopHandle::default();
                let tree = record_tree(overrides, &Evaluation::Classical, request, HASH, at_most(0), &stop);
                let totals = tree.expect("a few mebibytes are available").totals;
                totals.decided.get(&reason).copied().unwrap_or(0)
            };
            assert!(decided(TechniqueOverrides::default()) > 0, "{technique}");
            assert_eq!(decided(TechniqueOverrides::these([technique])), 0, "{technique}");
        }
        for technique in [Technique::LateMovePruning, Technique::Futility, Technique::ExchangePruning] {
            let tree = record(MIDDLEGAME, to_depth(7), at_most(0));
            assert!(tree.totals.skipped.contains_key(&SkipReason::Technique(technique)), "{technique}");
        }
    }

    #[test]
    fn a_path_selects_what_is_recorded() {
        let root = position(MIDDLEGAME);
        let first = root.parse_san("Bxe6").expect("legal");
        let path = vec![first, root.after(first).parse_san("fxe6").expect("legal")];
        let tree = record(MIDDLEGAME, to_depth(7), TreeLimits { path: path.clone(), ..at_most(300) });
        assert_sums(MIDDLEGAME, &tree);
        let mut reached = 0;
        for child in tree.roots.iter().flat_map(|root| &root.children) {
            assert_eq!(child.mv, Some(path[0]));
            for reply in &child.children {
                assert_eq!(reply.mv, Some(path[1]));
                reached += reply.children.len();
            }
        }
        assert!(reached > 10, "{reached}");
    }

    #[test]
    fn iterations_can_be_selected() {
        let with_nodes = |iterations| {
            let tree = record(ENDING, to_depth(8), TreeLimits { iterations, ..at_most(5_000) });
            let roots = tree.roots.iter().filter(|root| !root.children.is_empty());
            roots.map(|root| root.iteration).collect::<BTreeSet<_>>()
        };
        assert_eq!(with_nodes(Iterations::Last), BTreeSet::from([7, 8]));
        assert_eq!(with_nodes(Iterations::Only(3)), BTreeSet::from([3]));
        assert_eq!(with_nodes(Iterations::All), (1..=8).collect());
    }

    #[test]
    fn a_search_can_be_stopped_and_its_tree_stays() {
        let stop = StopHandle::default();
        stop.stop();
        let overrides = TechniqueOverrides::default();
        let endless = request(MIDDLEGAME, Limits::default());
        let tree = record_tree(overrides, &Evaluation::Classical, endless, HASH, at_most(100), &stop)
            .expect("a few mebibytes are available");
        assert_sums(MIDDLEGAME, &tree);
        assert!(tree.best.is_some() && tree.nodes < 250_000, "{}", tree.nodes);
    }

    #[test]
    fn a_position_without_moves_has_no_tree() {
        let mated = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
        let tree = record(mated, to_depth(3), everything());
        assert_eq!((tree.best, tree.nodes, tree.roots.len()), (None, 0, 0));
    }
}
