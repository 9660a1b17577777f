//! One thread's search: what it owns, and how it is stopped.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use rukh_chess::history::KeyHistory;
use rukh_chess::{Move, Position};
use rukh_eval::{Evaluator, MAX_PLY, Score};

use super::buffer::Buffer;
use super::reductions::ReductionTable;
use super::root::Root;
use crate::api::{Event, Listener};
use crate::histories::{Before, Context, Histories, Made, PieceTo, Threats};
use crate::search::SharedState;
use crate::technique::{Technique, TechniqueSet};

/// The search was told to end: whatever it was about to return does not count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stopped;

/// What a part of the search returns.
pub(crate) type Searched = Result<Score, Stopped>;

/// The kind of a node, known at compile time.
pub(super) trait Kind {
    /// Whether it is the root.
    const ROOT: bool;
    /// Whether it is searched with an open window, as part of a principal variation.
    const PV: bool;
    /// What its first child is.
    type Child: Kind;
}

/// The root.
pub(super) enum RootNode {}
/// A node of the principal variation.
pub(super) enum PvNode {}
/// A node searched with an empty window, to be shown better or worse than its bound.
pub(super) enum ScoutNode {}

impl Kind for RootNode {
    const ROOT: bool = true;
    const PV: bool = true;
    type Child = PvNode;
}

impl Kind for PvNode {
    const ROOT: bool = false;
    const PV: bool = true;
    type Child = Self;
}

impl Kind for ScoutNode {
    const ROOT: bool = false;
    const PV: bool = false;
    type Child = Self;
}

/// What is known of one ply of the line being searched.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Frame {
    /// The piece moved at this ply, and where; none for a null move.
    pub(super) moved: Option<PieceTo>,
    /// The corrected static evaluation; none in check.
    pub(super) eval: Option<Score>,
    /// The move left out while it is asked whether another is as good.
    pub(super) excluded: Option<Move>,
    /// A quiet move that refuted something here.
    pub(super) killer: Option<Move>,
    /// Cut-offs at this ply since the ply before was entered.
    pub(super) cutoffs: u32,
    /// Whether the move at this ply passes the turn.
    pub(super) is_null: bool,
    /// The move made at this ply; none for a null move.
    pub(super) mv: Option<Move>,
    /// Whether the squares of that move were attacked.
    pub(super) meets: (bool, bool),
    /// Double extensions on the way here.
    pub(super) double_extensions: u32,
    /// What is left of extensions by less than a ply on the way here, in 1024ths.
    pub(super) owed: i32,
    /// Plies by which the move at this ply is searched shallower just now.
    pub(super) reduction: i32,
}

/// Frames below ply 0 are sentinels: nothing is known of what was before.
const SENTINELS: usize = 4;
/// How often the clock is looked at, in nodes; a power of two.
const POLL_NODES: u64 = 1024;

/// One thread's search.
pub(crate) struct Worker<E, T> {
    pub(super) shared: Arc<SharedState>,
    pub(super) index: usize,
    pub(super) evaluator: E,
    pub(super) techniques: T,
    pub(super) histories: Histories,
    pub(super) reductions: ReductionTable,
    frames: Box<[Frame]>,
    pub(super) buffers: Vec<Buffer>,
    pub(super) tried_buffers: Vec<Vec<Move>>,
    pub(super) pv: Vec<Vec<Move>>,
    pub(super) keys: KeyHistory,
    root_len: usize,
    pub(super) nodes: u64,
    pub(super) seldepth: usize,
    /// Below this ply no null move is tried: a cut-off by one is being verified.
    pub(super) null_min_ply: usize,
    pub(super) root: Root,
    /// Hears which move is being looked at, once the search has taken this long.
    pub(super) listener: Option<(Arc<dyn Listener>, Duration)>,
}

impl<E: Evaluator, T: TechniqueSet> Worker<E, T> {
    pub(crate) fn new(shared: Arc<SharedState>, evaluator: E, techniques: T) -> Self {
        Self {
            shared,
            index: 0,
            evaluator,
            techniques,
            histories: Histories::default(),
            reductions: ReductionTable::new(),
            frames: vec![Frame::default(); MAX_PLY + 2 * SENTINELS].into_boxed_slice(),
            buffers: Vec::new(),
            tried_buffers: Vec::new(),
            pv: vec![Vec::new(); MAX_PLY + 2],
            keys: KeyHistory::new(),
            root_len: 0,
            nodes: 0,
            seldepth: 0,
            null_min_ply: 0,
            root: Root::default(),
            listener: None,
        }
    }

    /// Forgets everything learnt, and everything that was computed from the tunables.
    pub(crate) fn clear(&mut self) {
        self.histories.clear();
        self.reductions = ReductionTable::new();
    }

    /// From now on it searches with these techniques.
    pub(crate) fn set_techniques(&mut self, techniques: T) {
        self.techniques = techniques;
    }

    /// Makes ready for a search of another position.
    pub(super) fn begin(
        &mut self,
        shared: Arc<SharedState>,
        index: usize,
        position: &Position,
        keys: &KeyHistory,
    ) {
        self.shared = shared;
        self.index = index;
        self.keys = keys.clone();
        self.root_len = keys.len();
        self.nodes = 0;
        self.seldepth = 0;
        self.null_min_ply = 0;
        self.frames.fill(Frame::default());
        self.evaluator.reset(position);
    }

    #[inline]
    pub(super) fn frame(&mut self, ply: usize) -> &mut Frame {
        &mut self.frames[ply + SENTINELS]
    }

    /// The frame `back` plies before `ply`, which may be a sentinel; `back` is 4 at most.
    #[inline]
    pub(super) fn frame_before(&self, ply: usize, back: usize) -> &Frame {
        &self.frames[ply + SENTINELS - back]
    }

    /// The moves that led to `ply`, as continuation histories want them.
    #[inline]
    pub(super) fn before(&self, ply: usize) -> Before {
        [1, 2, 4].map(|back| self.frame_before(ply, back).moved)
    }

    /// The quiet move that led to `ply`, if it was one.
    pub(super) fn made_before(&self, position: &Position, ply: usize) -> Option<Made> {
        let before = self.before(ply.checked_sub(1)?);
        let frame = self.frame_before(ply, 1);
        let (mv, moved) = (frame.mv.filter(|mv| !mv.is_noisy())?, frame.moved?);
        Some(Made { color: !position.side_to_move(), mv, moved, meets: frame.meets, before })
    }

    /// What histories know `position` by, which is at `ply`.
    #[inline]
    pub(super) fn context(&self, position: &Position, ply: usize) -> Context {
        let threats = match (self.has(Technique::ThreatHistory), self.has(Technique::DefensiveBonus)) {
            (true, _) => Threats::of(position),
            (false, true) => Threats::of(position).by_lesser_pieces(),
            (false, false) => Threats::default(),
        };
        Context { before: self.before(ply), threats }
    }

    #[inline]
    pub(super) fn has(&self, technique: Technique) -> bool {
        self.techniques.has(technique)
    }

    /// Counts a node and ends the search if it is time.
    #[inline]
    pub(super) fn count_node(&mut self, ply: usize) -> Result<(), Stopped> {
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        let is_out_of_nodes =
            self.index == 0 && self.shared.limits.nodes.is_some_and(|limit| self.nodes >= limit);
        if is_out_of_nodes || self.nodes.is_multiple_of(POLL_NODES) { self.poll() } else { Ok(()) }
    }

    /// Looks at the clock and at the stop flag. The first iteration is not interrupted unless it takes absurdly long, so
    /// that there is always a move with a score.
    #[cold]
    fn poll(&mut self) -> Result<(), Stopped> {
        const FIRST_ITERATION_NODES: u64 = 200_000;
        self.shared.nodes[self.index].store(self.nodes, Ordering::Relaxed);
        if self.index == 0 {
            let limits = &self.shared.limits;
            let out_of_nodes = limits.nodes.is_some_and(|limit| self.shared.all_nodes() >= limit);
            let is_pondering = self.shared.is_pondering.load(Ordering::Relaxed);
            let out_of_time =
                !is_pondering && self.shared.plan.is_some_and(|plan| self.shared.elapsed() >= plan.hard);
            if out_of_nodes || out_of_time {
                self.shared.is_stopped.store(true, Ordering::Relaxed);
            }
        }
        let may_stop = self.root.has_result() || self.nodes >= FIRST_ITERATION_NODES;
        if may_stop && self.shared.is_stopped.load(Ordering::Relaxed) { Err(Stopped) } else { Ok(()) }
    }

    /// Whether `position`, which is not the root, is a draw by rule.
    #[inline]
    pub(super) fn is_draw(&self, position: &Position) -> bool {
        let by_fifty_moves = || {
            position.halfmove_clock() >= Position::FIFTY_MOVES
                && (!position.is_check() || position.count_legal_moves() > 0)
        };
        position.has_insufficient_material()
            || by_fifty_moves()
            || self.keys.is_draw_in_search(position, self.root_len)
    }

    /// What a draw is worth at `ply`: by contempt less for the side to move at the root. A centipawn of jitter keeps the
    /// search from being blind among drawn lines.
    #[inline]
    pub(super) fn draw_score(&self, ply: usize) -> Score {
        let contempt = self.shared.contempt;
        let own = if ply.is_multiple_of(2) { -contempt } else { contempt };
        let jitter = (self.nodes & 2) as i32 - 1;
        Score::centipawns(own + jitter)
    }

    /// Fetches what the table knows of the position after `mv` while it is decided whether and how to look at it.
    #[inline]
    pub(super) fn prefetch(&self, position: &Position, mv: Move) {
        self.shared.table.prefetch(position.likely_key_after(mv));
    }

    /// The position after `mv`, with everything that follows the line told of it. [`Self::unmake`] ends it.
    #[inline]
    pub(super) fn make(&mut self, position: &Position, mv: Move, ply: usize) -> Position {
        let moved = PieceTo::of(position, mv);
        let frame = self.frame(ply);
        frame.moved = Some(moved);
        frame.is_null = false;
        frame.reduction = 0;
        frame.mv = Some(mv);
        self.keys.push(position);
        let mut child = position.clone();
        child.make(mv, &mut self.evaluator.push());
        child
    }

    /// The position after passing the turn.
    pub(super) fn make_null(&mut self, position: &Position, ply: usize) -> Position {
        let frame = self.frame(ply);
        frame.moved = None;
        frame.is_null = true;
        frame.reduction = 0;
        frame.mv = None;
        self.keys.push(position);
        drop(self.evaluator.push());
        let mut child = position.clone();
        child.make_null();
        self.shared.table.prefetch(child.key());
        child
    }

    /// Goes back from the position that [`Self::make`] or [`Self::make_null`] gave.
    #[inline]
    pub(super) fn unmake(&mut self) {
        self.keys.pop();
        self.evaluator.pop();
    }

    /// Tells that `mv`, the one of this number among those that compete, is being looked at, if the search takes long.
    pub(super) fn tell_current_move(&self, mv: Move, number: usize) {
        let patient = self.listener.as_ref().filter(|(_, patience)| self.shared.elapsed() >= *patience);
        if let Some((listener, _)) = patient {
            let (depth, number) = (self.root.depth() as u32, self.root.line() + number);
            listener.on_event(Event::CurrentMove { depth, mv, number });
        }
    }

    /// The best line from `ply` is `mv` and then the best line after it.
    pub(super) fn update_pv(&mut self, ply: usize, mv: Move) {
        let (here, below) = self.pv.split_at_mut(ply + 1);
        let here = &mut here[ply];
        here.clear();
        here.push(mv);
        here.extend_from_slice(&below[0]);
    }
}
