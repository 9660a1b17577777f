//! The engine as others see it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use rukh_eval::Evaluation;

use crate::alphabeta::{Job, Shared};
use crate::api::{Listener, OutOfMemory, Request, Settings, TablebaseUse};
use crate::clock::TimePlan;
use crate::pool::Pool;
use crate::tablebase::{Probing, Tablebase};
use crate::transposition::TranspositionTable;

/// An engine: threads and a table, kept between searches. Two engines can live in one process.
#[derive(Debug)]
pub struct Engine {
    settings: Settings,
    table: Arc<TranspositionTable>,
    pool: Pool,
    search: Option<Arc<Shared>>,
    tablebase: Option<Arc<dyn Tablebase>>,
}

impl Default for Engine {
    fn default() -> Self {
        Self::new()
    }
}

impl Engine {
    /// The table an engine begins with, in mebibytes.
    pub const DEFAULT_HASH: usize = 16;

    /// An engine with one thread and a table of [`Self::DEFAULT_HASH`] mebibytes.
    pub fn new() -> Self {
        let table = TranspositionTable::new(Self::DEFAULT_HASH, 1)
            .expect("a machine that plays chess has a few mebibytes");
        let mut pool = Pool::default();
        pool.resize(1);
        Self { settings: Settings::default(), table: Arc::new(table), pool, search: None, tablebase: None }
    }

    /// The present settings.
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// Changes the settings; a search under way is stopped first.
    pub fn set(&mut self, settings: Settings) {
        self.stop();
        self.pool.resize(settings.threads);
        let is_other_player = settings.strength != self.settings.strength;
        self.settings = settings;
        if is_other_player {
            // What one player thinks of positions is nothing to another.
            self.clear();
        }
    }

    /// What positions are judged by.
    pub fn evaluation(&self) -> &Evaluation {
        self.pool.evaluation()
    }

    /// Judges positions by something else from now on; a search under way is stopped first, and everything learnt from
    /// earlier searches is forgotten.
    pub fn set_evaluation(&mut self, evaluation: Evaluation) {
        self.stop();
        self.pool.judge_by(evaluation);
        self.clear();
    }

    /// Asks these tables of endings from now on, or none; a search under way is stopped first, and what was learnt without
    /// them is forgotten.
    pub fn set_tablebase(&mut self, tablebase: Option<Arc<dyn Tablebase>>) {
        self.stop();
        self.tablebase = tablebase;
        self.clear();
    }

    /// The tables with the present settings.
    fn probing(&self) -> Option<Probing> {
        let TablebaseUse { depth, pieces, counts_fifty } = self.settings.tablebase;
        self.tablebase.clone().map(|tables| Probing {
            pieces: pieces.min(tables.max_pieces()),
            depth: depth as i32,
            counts_fifty,
            tables,
        })
    }

    /// Gives the table another size; a search under way is stopped first. If the memory cannot be had, a table of the old
    /// size stays.
    pub fn resize_hash(&mut self, mebibytes: usize) -> Result<(), OutOfMemory> {
        self.stop();
        self.search = None;
        self.table = Arc::new(TranspositionTable::new(mebibytes, self.pool.len())?);
        Ok(())
    }

    /// Forgets everything learnt from earlier searches; a search under way is stopped first.
    pub fn clear(&mut self) {
        self.stop();
        self.table.clear(self.pool.len());
        self.pool.clear();
    }

    /// Begins a search and returns at once; one under way is stopped first. The last event is always
    /// [`Event::Done`](crate::api::Event::Done).
    pub fn start(&mut self, mut request: Request, listener: Arc<dyn Listener>) {
        self.stop();
        let start = Instant::now();
        let side = request.game.position().side_to_move();
        // Who analyses wants the truth.
        let strength = self.settings.strength.filter(|_| !request.limits.is_infinite);
        let handicap = strength.and_then(|strength| {
            let position = request.game.position();
            request.limits.restrict(strength.nodes(position));
            strength.handicap(position)
        });
        // A weak player looks at so many positions: helpers would look at more.
        let is_weak = strength.is_some_and(|strength| !strength.is_full());
        let threads = if is_weak { 1 } else { self.pool.len() };
        self.table.new_search();
        let probing = self.probing();
        // Who asks for certain moves, or for several, wants to see them.
        let may_choose = request.limits.search_moves.is_empty() && self.settings.multipv == 1;
        let asked = probing.as_ref().filter(|_| may_choose);
        let best = asked.and_then(|probing| probing.best_moves(&request.game));
        // What is known of the root is known of each of its moves.
        let tablebase_hits = best.as_ref().map_or(0, |_| request.game.position().legal_moves().len() as u64);
        let shared = Arc::new(Shared {
            table: self.table.clone(),
            is_stopped: AtomicBool::new(false),
            is_pondering: AtomicBool::new(request.limits.is_ponder),
            nodes: (0..threads).map(|_| AtomicU64::new(0)).collect(),
            start,
            plan: TimePlan::new(&request.limits, side, self.settings.move_overhead),
            limits: request.limits.clone(),
            contempt: self.settings.contempt,
            // What is known at the root is better looked at than looked up: the search may find a mate.
            probing: probing.filter(|_| best.is_none()),
            best,
            tablebase_hits: AtomicU64::new(tablebase_hits),
            handicap,
        });
        self.search = Some(shared.clone());
        self.pool.search(&Job {
            shared,
            request: Arc::new(request),
            multipv: self.settings.multipv,
            switched: self.settings.switched,
            listener: Some(listener),
            patience: Job::PATIENCE,
        });
    }

    /// Ends the search under way, if there is one, and waits until it has told its move.
    pub fn stop(&mut self) {
        if let Some(search) = &self.search {
            search.is_stopped.store(true, Ordering::Relaxed);
        }
        self.pool.status.wait();
    }

    /// The guessed move was played: the search under way goes on by the clock.
    pub fn ponder_hit(&mut self) {
        if let Some(search) = &self.search {
            search.is_pondering.store(false, Ordering::Relaxed);
        }
    }

    /// Whether a search is under way.
    pub fn is_searching(&self) -> bool {
        self.pool.status.is_searching()
    }

    /// Waits until the search under way ends by its own limits.
    pub fn wait(&mut self) {
        self.pool.status.wait();
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.stop();
    }
}
