//! Synchronous searches on the calling thread, with any choice of techniques, for self-play, labelling and ablation.

use std::sync::Arc;
use std::thread;

use rukh_chess::{Move, Position};
use rukh_eval::{Evaluation, PolicyNetwork, Score};

use crate::api::{Algorithm, LeafNetwork, OutOfMemory, Request, ResourceError};
use crate::mcts::{RootPolicy, RootTarget};
use crate::noise::RootNoise;
use crate::search::{Job, Searcher, SharedState};
use crate::searchers::{Evaluators, PolicyChoice, Searchers};
use crate::technique::TechniqueOverrides;
use crate::threads::spawn_search;
use crate::transposition::TranspositionTable;
use crate::tree_samples::{TreeSample, tree_samples, visited_positions};

/// The result of a search on the calling thread.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SearchResult {
    /// The best move; `None` if there is no legal move.
    pub best: Option<Move>,
    /// Its score for the side to move.
    pub score: Option<Score>,
    /// Nodes searched.
    pub nodes: u64,
}

/// A searcher without threads of its own. What it learns stays until it is cleared: the same searches in the same order give
/// the same results.
pub struct SyncSearcher {
    searcher: Box<dyn Searcher>,
    searchers: Searchers,
    overrides: TechniqueOverrides,
    table: Arc<TranspositionTable>,
}

impl SyncSearcher {
    /// A searcher with the default techniques except `overrides`, and a transposition table of `mebibytes`.
    pub fn new(
        overrides: TechniqueOverrides,
        evaluation: &Evaluation,
        mebibytes: usize,
    ) -> Result<Self, OutOfMemory> {
        Self::with_algorithm(Algorithm::default(), overrides, evaluation, mebibytes)
    }

    /// A searcher with any algorithm.
    pub fn with_algorithm(
        algorithm: Algorithm,
        overrides: TechniqueOverrides,
        evaluation: &Evaluation,
        mebibytes: usize,
    ) -> Result<Self, OutOfMemory> {
        let searchers = Searchers::new(algorithm, Evaluators::new(evaluation.clone()), mebibytes, 1)?;
        let table = searchers.table().clone();
        Ok(Self { searcher: searchers.searcher(), searchers, overrides, table })
    }

    /// Sets the policy network of tree searches, or removes it. Everything learnt from earlier searches is cleared.
    pub fn set_policy(&mut self, policy: Option<Arc<PolicyNetwork>>) {
        self.set_evaluators(|evaluators| evaluators.policy = PolicyChoice::Given(policy));
    }

    /// Sets the network that evaluates the leaves of [`Algorithm::Mcts`], or removes it. Everything learnt from earlier
    /// searches is cleared.
    pub fn set_leaf_network(&mut self, network: Option<Arc<dyn LeafNetwork>>) {
        self.set_evaluators(|evaluators| evaluators.leaf_network = network);
    }

    fn set_evaluators(&mut self, change: impl FnOnce(&mut Evaluators)) {
        self.searchers = self.searchers.with(change);
        self.searcher = self.searchers.searcher();
        self.clear();
    }

    /// Clears everything learnt from earlier searches.
    pub fn clear(&mut self) {
        self.searchers.clear(1);
        self.searcher.clear();
    }

    /// Searches on the calling thread, which must come from [`spawn_search`], because a search needs a large stack. Clocks are
    /// ignored.
    pub fn search(&mut self, request: Request) -> SearchResult {
        self.search_job(request, None)
    }

    /// A tree search with noise at the root: its result, and what it teaches about the root as this kind of policy. There is no
    /// target without a legal move or without a tree.
    pub fn search_root(
        &mut self,
        request: Request,
        noise: RootNoise,
        policy: RootPolicy,
    ) -> (SearchResult, Option<RootTarget>) {
        let found = self.search_job(request, Some(noise));
        let target = found.best.and_then(|_| self.searchers.root_target(policy));
        (found, target)
    }

    fn search_job(&mut self, request: Request, noise: Option<RootNoise>) -> SearchResult {
        self.table.new_search();
        let shared = Arc::new(SharedState::single_threaded(self.table.clone(), request.limits.clone()));
        let job = Job { noise, ..Job::silent(shared.clone(), request, self.overrides) };
        self.searchers.prepare(&job);
        let result = self.searcher.search(&job, 0);
        SearchResult {
            best: result.as_ref().and_then(|result| result.pv.first().copied()),
            score: result.as_ref().map(|result| result.score),
            nodes: shared.all_nodes(),
        }
    }

    /// Tree samples: the quiet positions below `root`, the root of the last search, with exact scores of depth `min_depth` or
    /// more. They are the positions of its principal variations, including abandoned ones. Each appears once, `root` does not,
    /// and nothing is searched again.
    pub fn tree_samples(&self, root: &Position, min_depth: i32) -> Vec<TreeSample> {
        tree_samples(&self.table, root, min_depth)
    }

    /// The positions below `root`, the root of the last search, that the search visited, each once: where it evaluates.
    pub fn visited_positions(&self, root: &Position) -> Vec<Position> {
        visited_positions(&self.table, root)
    }
}

/// Searches once with the default techniques except `overrides`, and a fresh transposition table of `mebibytes`.
pub fn search_once(
    overrides: TechniqueOverrides,
    evaluation: &Evaluation,
    request: Request,
    mebibytes: usize,
) -> Result<SearchResult, ResourceError> {
    search_once_with(Algorithm::default(), overrides, evaluation, request, mebibytes)
}

/// Searches once with any algorithm.
pub fn search_once_with(
    algorithm: Algorithm,
    overrides: TechniqueOverrides,
    evaluation: &Evaluation,
    request: Request,
    mebibytes: usize,
) -> Result<SearchResult, ResourceError> {
    thread::scope(|scope| {
        let work = || {
            let mut searcher = SyncSearcher::with_algorithm(algorithm, overrides, evaluation, mebibytes)?;
            Ok(searcher.search(request))
        };
        spawn_search(scope, work)?.join().expect("a search does not panic")
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::api::{Bound, Limits};
    use crate::transposition::NewEntry;

    const MIDDLEGAME: &str = "r2q1rk1/ppp2ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPP2PPP/R2Q1RK1 w - - 4 8";
    const ENDING: &str = "8/5pk1/6p1/1p2P3/2p2P2/2P3K1/1P6/8 w - - 0 40";

    fn position(fen: &str) -> Position {
        fen.parse().expect("valid FEN")
    }

    /// Searches on a search thread and applies `look`.
    fn after_search<R: Send>(
        fen: &str,
        depth: u32,
        look: impl Fn(&mut SyncSearcher, &Position) -> R + Sync,
    ) -> R {
        let work = || {
            let mut searcher = SyncSearcher::new(TechniqueOverrides::default(), &Evaluation::default(), 4)
                .expect("a few mebibytes are available");
            let root = position(fen);
            let limits = Limits { depth: Some(depth), ..Limits::default() };
            searcher.search(Request::from_position(root.clone(), limits));
            look(&mut searcher, &root)
        };
        thread::scope(|scope| {
            let searcher = spawn_search(scope, work).expect("a thread is given");
            searcher.join().expect("a search does not panic")
        })
    }

    /// The keys of all positions up to `plies` below `position`.
    fn keys_below(position: &Position, plies: u32, keys: &mut HashSet<u64>) {
        for &mv in &position.legal_moves() {
            let child = position.after(mv);
            keys.insert(child.key());
            if plies > 1 {
                keys_below(&child, plies - 1, keys);
            }
        }
    }

    #[test]
    fn tree_samples_equal_the_table_entries() {
        for (fen, depth) in [(MIDDLEGAME, 10), (ENDING, 14)] {
            after_search(fen, depth, |searcher, root| {
                let found = searcher.tree_samples(root, 3);
                assert!(found.len() > 2, "{fen}: {}", found.len());
                let keys: HashSet<u64> = found.iter().map(|sample| sample.position.key()).collect();
                assert_eq!(keys.len(), found.len(), "each appears once");
                assert!(!keys.contains(&root.key()), "the root is not a sample");
                for TreeSample { position, best, score, depth } in &found {
                    let entry = searcher.table.probe(position.key()).expect("the table has it");
                    assert_eq!((entry.mv, entry.score(7), entry.depth), (Some(*best), *score, *depth));
                    assert_eq!(entry.bound, Bound::Exact);
                    assert!(*depth >= 3 && !score.is_decisive());
                    assert!(!position.is_check() && position.is_legal(*best) && !best.is_noisy());
                }
                let shallowest = found.iter().map(|sample| sample.depth).min().expect("there are some");
                let deeper = searcher.tree_samples(root, shallowest + 1);
                assert!(deeper.len() < found.len());
                // The path may differ, and the halfmove clock with it.
                let is_deeper =
                    |sample: &TreeSample| sample.depth > shallowest && keys.contains(&sample.position.key());
                assert!(deeper.iter().all(is_deeper));
            });
        }
    }

    #[test]
    fn tree_samples_are_reached_by_legal_moves() {
        after_search(ENDING, 7, |searcher, root| {
            const PLIES: u32 = 5;
            let mut keys = HashSet::new();
            keys_below(root, PLIES, &mut keys);
            let found = searcher.tree_samples(root, 4);
            assert!(!found.is_empty());
            assert!(found.iter().all(|sample| keys.contains(&sample.position.key())));
        });
    }

    /// Where the table is large enough, nearly all nodes of the search are found again, quiescence nodes included.
    #[test]
    fn visited_positions_are_those_of_the_search() {
        after_search(ENDING, 7, |searcher, root| {
            let visited = searcher.visited_positions(root);
            assert!(visited.iter().all(|position| searcher.table.probe_current(position.key()).is_some()));
            let keys: HashSet<u64> = visited.iter().map(Position::key).collect();
            assert!(keys.len() == visited.len() && !keys.contains(&root.key()), "each appears once");
            let mut near = HashSet::new();
            keys_below(root, 2, &mut near);
            let is_deep = |key: &&u64| !near.contains(key);
            let deep = keys.iter().filter(is_deep).count();
            assert!(deep > visited.len() / 2, "{deep} of {} are not near the root", visited.len());
            let stored = searcher.table.current_entries();
            assert!(visited.len() * 10 > stored * 9, "{} of {stored} entries", visited.len());
            searcher.table.new_search();
            assert_eq!(searcher.visited_positions(root), [], "the entries belong to an earlier search");
        });
    }

    #[test]
    fn shallow_cleared_and_earlier_searches_give_no_samples() {
        after_search(MIDDLEGAME, 1, |searcher, root| assert_eq!(searcher.tree_samples(root, 1), []));
        after_search(MIDDLEGAME, 8, |searcher, root| {
            assert_eq!(searcher.tree_samples(root, 30), []);
            assert!(!searcher.tree_samples(root, 2).is_empty());
            searcher.table.new_search();
            assert_eq!(searcher.tree_samples(root, 2), [], "the entries belong to an earlier search");
            searcher.clear();
            assert_eq!(searcher.tree_samples(root, 2), []);
        });
    }

    #[test]
    fn only_exact_scores_of_quiet_positions_are_samples() {
        let searcher = SyncSearcher::new(TechniqueOverrides::default(), &Evaluation::default(), 1)
            .expect("a mebibyte is available");
        let root = position("4k3/8/8/3p4/4P3/8/8/4K2R w K - 0 1");
        let child = root.after(root.parse_uci("e1e2").expect("it is legal"));
        let reply = |text| Some(child.parse_uci(text).expect("it is legal"));
        let right = NewEntry {
            mv: reply("e8e7"),
            score: Score::new(-310),
            ply: 1,
            eval: Some(Score::new(-300)),
            depth: 4,
            bound: Bound::Exact,
            was_pv: true,
        };
        let taken = |new: NewEntry| {
            searcher.table.clear(1);
            searcher.table.store(child.key(), new);
            searcher.tree_samples(&root, 3)
        };
        let expected = TreeSample {
            position: child.clone(),
            best: right.mv.expect("it has one"),
            score: right.score,
            depth: right.depth,
        };
        assert_eq!(taken(right), [expected]);
        for wrong in [
            NewEntry { mv: None, ..right },
            NewEntry { mv: reply("d5e4"), ..right },
            NewEntry { mv: root.parse_uci("h1h8").ok(), ..right },
            NewEntry { score: Score::mated_at(9), ..right },
            NewEntry { score: Score::tablebase_loss_at(9), ..right },
            NewEntry { eval: None, ..right },
            NewEntry { depth: 2, ..right },
            NewEntry { bound: Bound::Lower, ..right },
            NewEntry { bound: Bound::Upper, ..right },
        ] {
            assert_eq!(taken(wrong), [], "{wrong:?}");
        }
        let checked = root.after(root.parse_uci("h1h8").expect("it is legal"));
        searcher.table.clear(1);
        searcher.table.store(checked.key(), NewEntry { mv: checked.parse_uci("e8e7").ok(), ..right });
        assert_eq!(searcher.tree_samples(&root, 3), [], "the king is in check");
    }
}
