//! The engine: settings, transposition table and thread pool behind one type.

use std::sync::Arc;
use std::sync::atomic::{AtomicI32, AtomicU32, AtomicU64};
use std::time::Instant;

use rukh_eval::{Evaluation, PolicyNetwork};

use crate::api::{Algorithm, LeafNetwork, Listener, OutOfMemory, Request, Settings, TablebaseUse};
use crate::clock::TimePlan;
use crate::mcts::MctsTree;
use crate::pool::Pool;
use crate::search::{Job, SharedState, Signals};
use crate::searchers::{Evaluators, PolicyChoice, Searchers};
use crate::tablebase::{Probing, RootRanking, Tablebase};
use crate::technique::{Technique, TechniqueSet};
use crate::threads::{NoThread, THREADS_PER_PROCESSOR, max_search_threads};

/// An engine: search threads and a transposition table, kept between searches. Several engines can live in one process.
#[derive(Debug)]
pub struct Engine {
    settings: Settings,
    /// The memory of the search in mebibytes.
    hash: usize,
    pool: Pool,
    search: Option<Arc<SharedState>>,
    tablebase: Option<Arc<dyn Tablebase>>,
}

impl Default for Engine {
    fn default() -> Self {
        Self::new()
    }
}

impl Engine {
    /// The initial size of the transposition table, in mebibytes.
    pub const DEFAULT_HASH: usize = 16;

    /// An engine with one thread and a transposition table of [`Self::DEFAULT_HASH`] mebibytes.
    ///
    /// # Panics
    ///
    /// If the system gives no thread; [`Self::try_new`] returns an error instead.
    pub fn new() -> Self {
        Self::try_new().unwrap_or_else(|error| panic!("{error}"))
    }

    /// [`Self::new`], or an error if the system gives no thread to search with.
    pub fn try_new() -> Result<Self, NoThread> {
        let (settings, hash) = (Settings::default(), Self::DEFAULT_HASH);
        let evaluators = Evaluators::new(Evaluation::default());
        let searchers = Searchers::new(settings.algorithm, evaluators, hash, 1);
        let pool = Pool::new(searchers.expect("a few mebibytes are available"))?;
        Ok(Self { settings, hash, pool, search: None, tablebase: None })
    }

    /// The number of search threads in use: [`Settings::threads`], or fewer if the machine cannot use or the system does not
    /// give as many.
    pub fn threads(&self) -> usize {
        self.pool.len()
    }

    /// Why fewer threads are in use than are set, in one sentence; `None` if all are.
    pub fn thread_shortage(&self) -> Option<String> {
        let (set, used) = (self.settings.threads, self.threads());
        let reason = match used == max_search_threads() {
            true => format!("this machine can use no more than {THREADS_PER_PROCESSOR} for each processor"),
            false => "the system gives no more".to_owned(),
        };
        (used < set).then(|| format!("{set} threads are set and {used} are used: {reason}"))
    }

    /// The current settings.
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// Changes the settings; a running search is stopped first. If another algorithm finds no memory, the old one stays.
    pub fn set(&mut self, mut settings: Settings) {
        self.stop();
        let threads = self.pool.len();
        self.pool.resize(settings.threads);
        let searchers = self.pool.searchers();
        // A tree has a segment for each thread.
        let is_other_tree = searchers.has_tree() && threads != self.pool.len();
        if (settings.algorithm != searchers.algorithm() || is_other_tree)
            && self.allocate(settings.algorithm, self.hash).is_err()
        {
            settings.algorithm = self.pool.searchers().algorithm();
        }
        let is_other_strength = settings.strength != self.settings.strength;
        self.settings = settings;
        if is_other_strength {
            // Scores in the transposition table contain the errors of the old strength.
            self.clear();
        }
    }

    /// The evaluation of positions.
    pub fn evaluation(&self) -> &Evaluation {
        &self.pool.searchers().evaluators().evaluation
    }

    /// Sets the evaluation. A running search is stopped first, and everything learnt from earlier searches is cleared.
    pub fn set_evaluation(&mut self, evaluation: Evaluation) {
        self.set_evaluators(|evaluators| evaluators.evaluation = evaluation);
    }

    /// The policy network of the tree search; `None` if it uses the handcrafted prior.
    pub fn policy(&self) -> Option<Arc<PolicyNetwork>> {
        self.pool.searchers().evaluators().policy.network()
    }

    /// Sets the policy network, or removes it. A running search is stopped first, and everything learnt from earlier
    /// searches is cleared.
    pub fn set_policy(&mut self, policy: Option<Arc<PolicyNetwork>>) {
        self.set_evaluators(|evaluators| evaluators.policy = PolicyChoice::Given(policy));
    }

    /// The network that evaluates the leaves of [`Algorithm::Mcts`]; `None` if the evaluation and the policy network do.
    pub fn leaf_network(&self) -> Option<&Arc<dyn LeafNetwork>> {
        self.pool.searchers().evaluators().leaf_network.as_ref()
    }

    /// Sets the network that evaluates the leaves of [`Algorithm::Mcts`], or removes it. A running search is stopped first,
    /// and everything learnt from earlier searches is cleared.
    pub fn set_leaf_network(&mut self, network: Option<Arc<dyn LeafNetwork>>) {
        self.set_evaluators(|evaluators| evaluators.leaf_network = network);
    }

    fn set_evaluators(&mut self, change: impl FnOnce(&mut Evaluators)) {
        self.stop();
        let searchers = self.pool.searchers().with(change);
        self.pool.set_searchers(searchers);
        self.clear();
    }

    /// Sets the tablebases, or removes them. A running search is stopped first, and everything learnt from earlier
    /// searches is cleared.
    pub fn set_tablebase(&mut self, tablebase: Option<Arc<dyn Tablebase>>) {
        self.stop();
        self.tablebase = tablebase;
        self.clear();
    }

    /// A view of the tree of a Monte Carlo search; `None` if the search is alpha-beta. Another algorithm or memory size ends
    /// it.
    pub fn mcts_tree(&self) -> Option<MctsTree> {
        self.pool.searchers().tree_view()
    }

    /// The tablebases with the current settings.
    fn probing(&self) -> Option<Probing> {
        let TablebaseUse { depth, pieces, counts_fifty } = self.settings.tablebase;
        self.tablebase.clone().map(|tables| Probing {
            pieces: pieces.min(tables.max_pieces()),
            depth: depth as i32,
            counts_fifty,
            tables,
        })
    }

    /// Resizes the memory of the search: the transposition table, or the tree. A running search is stopped first. If the
    /// memory is not available, the old one stays.
    pub fn resize_hash(&mut self, mebibytes: usize) -> Result<(), OutOfMemory> {
        self.stop();
        self.search = None;
        self.allocate(self.settings.algorithm, mebibytes)?;
        self.hash = mebibytes;
        Ok(())
    }

    /// Gives the threads new memory for this algorithm.
    fn allocate(&mut self, algorithm: Algorithm, mebibytes: usize) -> Result<(), OutOfMemory> {
        let evaluators = self.pool.searchers().evaluators().clone();
        let searchers = Searchers::new(algorithm, evaluators, mebibytes, self.pool.len())?;
        match algorithm == self.pool.searchers().algorithm() && !searchers.has_tree() {
            // What the threads have learnt does not depend on the transposition table.
            true => self.pool.replace_table(searchers),
            false => self.pool.set_searchers(searchers),
        }
        Ok(())
    }

    /// Clears everything learnt from earlier searches. A running search is stopped first.
    pub fn clear(&mut self) {
        self.stop();
        self.pool.searchers().clear(self.pool.len());
        self.pool.clear();
    }

    /// Starts a search and returns at once. A running search is stopped first. The listener receives the events; the last
    /// is always [`Event::Done`](crate::api::Event::Done). [`Engine::search`] returns the events as an iterator instead.
    pub fn start(&mut self, mut request: Request, listener: Arc<dyn Listener>) {
        self.stop();
        let start = Instant::now();
        let side = request.game.position().side_to_move();
        // Analysis ignores a limited strength.
        let strength = self.settings.strength.filter(|_| !request.limits.is_infinite);
        let handicap = strength.and_then(|strength| {
            let position = request.game.position();
            request.limits.restrict(strength.nodes(position));
            strength.handicap(position)
        });
        // A limited strength is a number of nodes: helper threads would exceed it.
        let is_limited = strength.is_some_and(|strength| !strength.is_full());
        let threads = if is_limited { 1 } else { self.pool.len() };
        let table = self.pool.searchers().table().clone();
        table.new_search();
        let probing = self.probing();
        let rank = |probing: &Probing| probing.rank_root(&request.game, &request.limits.search_moves);
        let root_ranking = probing.as_ref().and_then(rank);
        // Ranking the root probes every root move.
        let hits = root_ranking.as_ref().map_or(0, |ranking| ranking.len() as u64);
        let number = request.game.position().fullmove_number();
        let move_number = self.settings.overrides.has(Technique::TimeMoveNumber).then_some(number);
        let shared = Arc::new(SharedState {
            table,
            signals: Arc::new(Signals::new(request.limits.is_ponder)),
            nodes: (0..threads).map(|_| AtomicU64::new(0)).collect(),
            granted_nodes: AtomicU64::new(0),
            start,
            plan: TimePlan::new(&request.limits, side, self.settings.move_overhead, move_number),
            limits: request.limits.clone(),
            contempt: self.settings.contempt,
            probing: probing.filter(|_| root_ranking.as_ref().is_none_or(RootRanking::needs_probing)),
            root_ranking,
            tablebase_hits: AtomicU64::new(hits),
            handicap,
            tree_hashfull: self.pool.searchers().has_tree().then(|| AtomicU32::new(0)),
            root_depth: AtomicI32::new(0),
        });
        self.search = Some(shared.clone());
        self.pool.search(&Job {
            shared,
            request: Arc::new(request),
            multipv: self.settings.multipv,
            overrides: self.settings.overrides,
            noise: None,
            listener: Some(listener),
            report_delay: Job::REPORT_DELAY,
        });
    }

    /// Stops the running search, if there is one, and waits until it has reported its move.
    pub fn stop(&mut self) {
        if let Some(search) = &self.search {
            search.signals.stop();
        }
        self.pool.status.wait();
    }

    /// The expected move was played: the running search continues with the clock.
    pub fn ponder_hit(&mut self) {
        if let Some(search) = &self.search {
            search.signals.ponder_hit();
        }
    }

    /// Whether a search is running.
    pub fn is_searching(&self) -> bool {
        self.pool.status.is_searching()
    }

    /// Waits until the running search reaches its own limits.
    pub fn wait(&mut self) {
        self.pool.status.wait();
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.stop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_has_a_segment_for_each_thread() {
        let mut engine = Engine::new();
        let settings = Settings { algorithm: Algorithm::Mcts, ..Settings::default() };
        engine.set(settings);
        assert_eq!(engine.pool.searchers().segments(), Some(1));
        engine.set(Settings { threads: 4, ..settings });
        assert_eq!(engine.pool.searchers().segments(), Some(engine.pool.len()));
        engine.set(settings);
        assert_eq!(engine.pool.searchers().segments(), Some(1));
        engine.set(Settings { algorithm: Algorithm::AlphaBeta, ..settings });
        assert_eq!(engine.pool.searchers().segments(), None);
    }
}
