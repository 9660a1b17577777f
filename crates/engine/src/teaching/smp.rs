//! Two ways to search with several threads, around one and the same search: young brothers wait and Lazy SMP.
//!
//! The search is principal variation search with a shared transposition table and quiescence, without pruning and reductions. The
//! table answers for equal depths alone, so that the value of a search does not depend on its threads, which the tests check.
//! The engine itself has a search of its own and uses Lazy SMP.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use rukh_chess::{Move, Position};
use rukh_eval::Score;

use super::games::FromScratch;
use super::quiescence::quiescence;
use super::searches::{Counted, Order};
use crate::api::{Bound, OutOfMemory};
use crate::transposition::{NewEntry, TranspositionTable};

/// How threads share the work of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scheme {
    /// All threads search one tree: when the first move of a node has been searched, idle threads help with the others.
    YoungBrothersWait,
    /// Each thread searches the whole tree; they share the transposition table.
    LazySmp,
}

/// What a search has found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found {
    /// The best move; `None` if there is no legal one.
    pub best: Option<Move>,
    /// Its value for the side to move.
    pub value: Score,
    /// The last finished iteration.
    pub depth: u32,
    /// Nodes of all threads, those of quiescence counted by their evaluations.
    pub nodes: u64,
}

/// A player that searches with several threads.
#[derive(Debug)]
pub struct ParallelSearch {
    scheme: Scheme,
    threads: usize,
    table: TranspositionTable,
}

impl ParallelSearch {
    /// A search with an empty table of `mebibytes`.
    pub fn new(scheme: Scheme, threads: usize, mebibytes: usize) -> Result<Self, OutOfMemory> {
        Ok(Self { scheme, threads: threads.max(1), table: TranspositionTable::new(mebibytes, 1)? })
    }

    /// Empties the table.
    pub fn clear(&self) {
        self.table.clear(1);
    }

    /// Searches by iterative deepening to a depth, or for a time.
    pub fn search(&self, position: &Position, depth: u32, time: Option<Duration>) -> Found {
        self.table.new_search();
        let shared = Shared {
            table: &self.table,
            end: time.map(|time| Instant::now() + time),
            is_stopped: AtomicBool::new(false),
            open: Mutex::new(Vec::new()),
            news: Condvar::new(),
            idle: AtomicUsize::new(0),
        };
        thread::scope(|scope| {
            let helpers: Vec<_> = (1..self.threads)
                .map(|_| {
                    scope.spawn(|| {
                        let mut thread = Thread::new(&shared);
                        match self.scheme {
                            Scheme::YoungBrothersWait => thread.serve(),
                            Scheme::LazySmp => drop(thread.deepen(position, u32::MAX)),
                        }
                        thread.nodes()
                    })
                })
                .collect();
            let mut first = Thread::new(&shared);
            let mut found = first.deepen(position, depth);
            shared.stop();
            let others: u64 =
                helpers.into_iter().map(|helper| helper.join().expect("no thread panics")).sum();
            found.nodes = first.nodes() + others;
            found
        })
    }
}

/// The search has no time left, or its result is no longer needed.
struct Stopped;

/// What the threads of a search share.
struct Shared<'a> {
    table: &'a TranspositionTable,
    end: Option<Instant>,
    is_stopped: AtomicBool,
    /// Split points with moves that nobody has taken yet.
    open: Mutex<Vec<Arc<SplitPoint>>>,
    /// Signals that a split point was opened, or the end.
    news: Condvar,
    /// Threads that wait for a split point.
    idle: AtomicUsize,
}

impl Shared<'_> {
    fn stop(&self) {
        let _open = self.open();
        self.is_stopped.store(true, Ordering::Relaxed);
        self.news.notify_all();
    }

    fn open(&self) -> MutexGuard<'_, Vec<Arc<SplitPoint>>> {
        self.open.lock().expect("no thread panics")
    }
}

/// A node whose moves are searched by several threads.
struct SplitPoint {
    position: Position,
    ply: usize,
    depth: u32,
    beta: Score,
    moves: Vec<Move>,
    /// The next move that nobody has taken.
    next: AtomicUsize,
    best: Mutex<Best>,
    /// Threads that search moves of it.
    workers: AtomicUsize,
    /// Set by a cut-off: what is still searched below is not needed.
    is_cut: AtomicBool,
    /// The split point below which this one is.
    parent: Option<Arc<SplitPoint>>,
}

/// The best so far in a node.
#[derive(Clone, Copy)]
struct Best {
    alpha: Score,
    value: Score,
    mv: Option<Move>,
}

impl Best {
    fn add(&mut self, mv: Move, value: Score) {
        if value > self.value {
            (self.value, self.mv) = (value, Some(mv));
        }
        self.alpha = self.alpha.max(value);
    }
}

impl SplitPoint {
    /// Whether this split point or one above it has a cut-off.
    fn is_over(&self) -> bool {
        self.is_cut.load(Ordering::Relaxed) || self.parent.as_ref().is_some_and(|parent| parent.is_over())
    }

    fn has_moves(&self) -> bool {
        self.next.load(Ordering::Relaxed) < self.moves.len() && !self.is_over()
    }

    fn best(&self) -> Best {
        *self.best.lock().expect("no thread panics")
    }
}

/// One thread of a search.
struct Thread<'a> {
    shared: &'a Shared<'a>,
    evaluator: Counted<FromScratch>,
    nodes: u64,
    /// The split point below which it searches.
    split: Option<Arc<SplitPoint>>,
}

/// The least depth at which a node is split: below, the work is not worth the overhead.
const SPLIT_MIN_DEPTH: u32 = 3;

impl<'a> Thread<'a> {
    fn new(shared: &'a Shared<'a>) -> Self {
        Self { shared, evaluator: Counted::default(), nodes: 0, split: None }
    }

    fn nodes(&self) -> u64 {
        self.nodes + self.evaluator.count
    }

    /// Iterative deepening. The result is that of the last finished iteration.
    fn deepen(&mut self, position: &Position, depth: u32) -> Found {
        let moves = position.legal_moves();
        let mut found = Found { best: moves.first().copied(), value: Score::DRAW, depth: 0, nodes: 0 };
        for depth in 1..=depth.min(rukh_eval::MAX_PLY as u32 / 2) {
            let Ok(value) = self.node(position, 0, depth, (Score::MIN, Score::MAX)) else { break };
            let best = self.shared.table.probe(position.key()).and_then(|entry| entry.mv);
            found = Found {
                best: best.filter(|&mv| position.is_legal(mv)).or(found.best),
                value,
                depth,
                nodes: 0,
            };
        }
        found
    }

    fn check(&self) -> Result<(), Stopped> {
        /// Nodes between looks at the clock.
        const LOOK: u64 = 512;
        let shared = self.shared;
        if self.nodes.is_multiple_of(LOOK) && shared.end.is_some_and(|end| Instant::now() >= end) {
            shared.stop();
        }
        let is_over = self.split.as_ref().is_some_and(|split| split.is_over());
        if is_over || shared.is_stopped.load(Ordering::Relaxed) { Err(Stopped) } else { Ok(()) }
    }

    /// Principal variation search of a node.
    fn node(
        &mut self,
        position: &Position,
        ply: usize,
        depth: u32,
        (alpha, beta): (Score, Score),
    ) -> Result<Score, Stopped> {
        self.nodes += 1;
        self.check()?;
        if ply > 0 && position.halfmove_clock() >= Position::FIFTY_MOVES {
            return Ok(Score::DRAW);
        }
        if depth == 0 {
            return Ok(quiescence(position, ply, (alpha, beta), &mut self.evaluator));
        }
        let entry = self.shared.table.probe(position.key());
        if let Some(entry) = entry.filter(|entry| ply > 0 && entry.depth == depth as i32) {
            let score = entry.score(ply);
            match entry.bound {
                Bound::Exact => return Ok(score),
                Bound::Lower if score >= beta => return Ok(score),
                Bound::Upper if score <= alpha => return Ok(score),
                _ => {}
            }
        }
        let mut moves = Order::CapturesFirst.moves(position);
        if moves.is_empty() {
            return Ok(if position.is_check() { Score::mated_at(ply) } else { Score::DRAW });
        }
        if let Some(at) =
            entry.and_then(|entry| entry.mv).and_then(|mv| moves.iter().position(|&other| other == mv))
        {
            moves[..=at].rotate_right(1);
        }
        let best = self.moves(position, ply, depth, (alpha, beta), moves)?;
        let bound = match best.value {
            value if value >= beta => Bound::Lower,
            value if value > alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        let entry = NewEntry {
            mv: best.mv,
            score: best.value,
            ply,
            eval: None,
            depth: depth as i32,
            bound,
            was_pv: false,
        };
        self.shared.table.store(position.key(), entry);
        Ok(best.value)
    }

    // ANCHOR: brothers
    /// Searches the moves of a node: the first alone, the others with helpers as soon as there are idle threads.
    fn moves(
        &mut self,
        position: &Position,
        ply: usize,
        depth: u32,
        (alpha, beta): (Score, Score),
        moves: Vec<Move>,
    ) -> Result<Best, Stopped> {
        let mut best = Best { alpha, value: Score::MIN, mv: None };
        for (at, &mv) in moves.iter().enumerate() {
            let may_split = at > 0 && depth >= SPLIT_MIN_DEPTH && at + 1 < moves.len();
            if may_split && self.shared.idle.load(Ordering::Relaxed) > 0 {
                let split = SplitPoint {
                    position: position.clone(),
                    ply,
                    depth,
                    beta,
                    next: AtomicUsize::new(at),
                    moves,
                    best: Mutex::new(best),
                    workers: AtomicUsize::new(1),
                    is_cut: AtomicBool::new(false),
                    parent: self.split.clone(),
                };
                return self.share(&Arc::new(split));
            }
            let value = self.child(position, ply, depth, (best.alpha, beta), mv, at == 0)?;
            best.add(mv, value);
            if best.alpha >= beta {
                break;
            }
        }
        Ok(best)
    }

    /// The value of a move: the eldest with the whole window, its brothers with a zero window first.
    fn child(
        &mut self,
        position: &Position,
        ply: usize,
        depth: u32,
        (alpha, beta): (Score, Score),
        mv: Move,
        is_eldest: bool,
    ) -> Result<Score, Stopped> {
        let after = position.after(mv);
        if !is_eldest {
            let value = -self.node(&after, ply + 1, depth - 1, (-(alpha + 1), -alpha))?;
            if value <= alpha || value >= beta {
                return Ok(value);
            }
        }
        Ok(-self.node(&after, ply + 1, depth - 1, (-beta, -alpha))?)
    }

    /// Opens a split point, searches moves of it as all others do, and waits for them.
    fn share(&mut self, split: &Arc<SplitPoint>) -> Result<Best, Stopped> {
        self.shared.open().push(split.clone());
        self.shared.news.notify_all();
        self.help(split);
        self.shared.open().retain(|other| !Arc::ptr_eq(other, split));
        while split.workers.load(Ordering::Acquire) > 0 {
            thread::yield_now();
        }
        self.check()?;
        Ok(split.best())
    }

    /// Takes moves of a split point until there are none left, or a cut-off.
    fn help(&mut self, split: &Arc<SplitPoint>) {
        let above = self.split.replace(split.clone());
        while let Some(&mv) = split.moves.get(split.next.fetch_add(1, Ordering::Relaxed)) {
            let alpha = split.best().alpha;
            let searched =
                self.child(&split.position, split.ply, split.depth, (alpha, split.beta), mv, false);
            let Ok(value) = searched else { break };
            let mut best = split.best.lock().expect("no thread panics");
            best.add(mv, value);
            if best.alpha >= split.beta {
                split.is_cut.store(true, Ordering::Relaxed);
                break;
            }
        }
        self.split = above;
        split.workers.fetch_sub(1, Ordering::Release);
    }

    /// Helps wherever there is an open split point, until the search ends.
    fn serve(&mut self) {
        let shared = self.shared;
        loop {
            let mut open = shared.open();
            shared.idle.fetch_add(1, Ordering::Relaxed);
            let split = loop {
                if shared.is_stopped.load(Ordering::Relaxed) {
                    return;
                }
                match open.iter().find(|split| split.has_moves()) {
                    // Counted under the lock: the owner waits for it once it has closed the split point.
                    Some(split) => {
                        split.workers.fetch_add(1, Ordering::Relaxed);
                        break split.clone();
                    }
                    None => open = shared.news.wait(open).expect("no thread panics"),
                }
            };
            shared.idle.fetch_sub(1, Ordering::Relaxed);
            drop(open);
            self.help(&split);
        }
    }
    // ANCHOR_END: brothers
}

#[cfg(test)]
mod tests {
    use super::*;

    const POSITIONS: [&str; 4] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1",
    ];

    fn search(scheme: Scheme, threads: usize, position: &Position, depth: u32) -> Found {
        let search = ParallelSearch::new(scheme, threads, 4).expect("there is memory");
        search.search(position, depth, None)
    }

    #[test]
    fn values_do_not_depend_on_scheme_and_threads() {
        const DEPTH: u32 = 3;
        for fen in POSITIONS {
            let position: Position = fen.parse().expect("the positions are valid");
            let mut plain = Counted::<FromScratch>::default();
            let value = full_window(&position, 0, DEPTH, &mut plain);
            for scheme in [Scheme::YoungBrothersWait, Scheme::LazySmp] {
                for threads in [1, 2, 4] {
                    let found = search(scheme, threads, &position, DEPTH);
                    assert_eq!(
                        (found.value, found.depth),
                        (value, DEPTH),
                        "{fen}, {scheme:?}, {threads} threads"
                    );
                    assert!(found.best.is_some_and(|mv| position.is_legal(mv)));
                }
            }
        }
    }

    /// Alpha-beta with quiescence and nothing else.
    fn full_window(
        position: &Position,
        ply: usize,
        depth: u32,
        evaluator: &mut Counted<FromScratch>,
    ) -> Score {
        fn node(
            position: &Position,
            ply: usize,
            depth: u32,
            (mut alpha, beta): (Score, Score),
            evaluator: &mut Counted<FromScratch>,
        ) -> Score {
            if depth == 0 {
                return quiescence(position, ply, (alpha, beta), evaluator);
            }
            let moves = Order::CapturesFirst.moves(position);
            if moves.is_empty() {
                return if position.is_check() { Score::mated_at(ply) } else { Score::DRAW };
            }
            let mut best = Score::MIN;
            for mv in moves {
                best = best.max(-node(&position.after(mv), ply + 1, depth - 1, (-beta, -alpha), evaluator));
                alpha = alpha.max(best);
                if alpha >= beta {
                    break;
                }
            }
            best
        }
        node(position, ply, depth, (Score::MIN, Score::MAX), evaluator)
    }

    #[test]
    fn one_thread_is_the_same_in_both_schemes() {
        let position: Position = POSITIONS[1].parse().expect("the position is valid");
        let [one, other] =
            [Scheme::YoungBrothersWait, Scheme::LazySmp].map(|scheme| search(scheme, 1, &position, 4));
        assert_eq!(one, other);
    }

    #[test]
    fn helpers_take_part() {
        let position: Position = POSITIONS[1].parse().expect("the position is valid");
        let alone = search(Scheme::YoungBrothersWait, 1, &position, 4).nodes;
        // With helpers the tree depends on who is first; on a busy machine they may come too late for once.
        let differs = |_| search(Scheme::YoungBrothersWait, 3, &position, 4).nodes != alone;
        assert!((0..20).any(differs), "nobody has helped");
    }

    #[test]
    fn a_time_limit_holds() {
        let position: Position = POSITIONS[0].parse().expect("the position is valid");
        for scheme in [Scheme::YoungBrothersWait, Scheme::LazySmp] {
            let search = ParallelSearch::new(scheme, 2, 4).expect("there is memory");
            let begun = Instant::now();
            let found = search.search(&position, u32::MAX, Some(Duration::from_millis(50)));
            assert!(found.depth >= 1 && found.best.is_some(), "{found:?}");
            assert!(begun.elapsed() < Duration::from_secs(5), "{scheme:?} took {:?}", begun.elapsed());
        }
    }

    #[test]
    fn a_finished_game_has_no_move() {
        let mate: Position = "7k/6Q1/5K2/8/8/8/8/8 b - - 0 1".parse().expect("the position is valid");
        assert_eq!(search(Scheme::YoungBrothersWait, 2, &mate, 3).best, None);
    }
}
