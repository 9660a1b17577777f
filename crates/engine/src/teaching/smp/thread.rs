//! One thread: principal variation search of its part of the tree, and help at split points.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Instant;

use rukh_chess::{Move, Position};
use rukh_eval::Score;

use super::super::games::FromScratch;
use super::super::quiescence::quiescence;
use super::super::searches::{Counted, Order};
use super::split::{Best, Shared, SplitPoint, Stopped};
use crate::api::Bound;
use crate::transposition::NewEntry;

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

/// One thread of a search.
pub(super) struct Thread<'a> {
    shared: &'a Shared<'a>,
    evaluator: Counted<FromScratch>,
    nodes: u64,
    /// The split point below which it searches.
    split: Option<Arc<SplitPoint>>,
    /// The part of the later moves of each node that it searches last.
    postponed: f64,
}

/// The least depth at which a node is split: below, the work is not worth the overhead.
const SPLIT_MIN_DEPTH: u32 = 3;

impl<'a> Thread<'a> {
    pub(super) fn new(shared: &'a Shared<'a>) -> Self {
        Self { shared, evaluator: Counted::default(), nodes: 0, split: None, postponed: 0.0 }
    }

    /// A thread that begins elsewhere than the others, from 0 to 1, with the moves after the first.
    pub(super) fn beginning_at(shared: &'a Shared<'a>, start: f64) -> Self {
        Self { postponed: start, ..Self::new(shared) }
    }

    pub(super) fn nodes(&self) -> u64 {
        self.nodes + self.evaluator.count
    }

    /// Iterative deepening. The result is that of the last finished iteration.
    pub(super) fn deepen(&mut self, position: &Position, depth: u32) -> Found {
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
        let later = &mut moves[1..];
        later.rotate_left((later.len() as f64 * self.postponed) as usize);
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
    pub(super) fn serve(&mut self) {
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
