//! Search worker: the state of one search thread, making and unmaking moves, node counting and stopping.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use rukh_chess::history::KeyHistory;
use rukh_chess::{Color, Move, Piece, Position};
use rukh_eval::{Evaluator, MAX_PLY, Score};

use super::buffer::Buffer;
use super::reductions::ReductionTable;
use super::root::Root;
use crate::api::{Event, Listener};
use crate::histories::{Context, ContinuationContext, Histories, PieceTo, PriorQuietMove, Threats};
use crate::search::SharedState;
use crate::technique::{Technique, TechniqueSet};
use crate::witness::Witness;

/// The search was stopped; the result of the current node is invalid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stopped;

/// The score of a node, or [`Stopped`].
pub(crate) type Searched = Result<Score, Stopped>;

/// The node type, known at compile time.
pub(super) trait Kind {
    /// Whether the node is the root.
    const ROOT: bool;
    /// Whether the node is a PV node, searched with an open window.
    const PV: bool;
    /// The type of its children that are searched with the full window.
    type Child: Kind;
}

/// The root node.
pub(super) enum RootNode {}
/// A PV node.
pub(super) enum PvNode {}
/// A non-PV node: searched with a zero window.
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

/// A frame of the search stack: the state of one ply of the current line.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Frame {
    /// Piece and to-square of the move at this ply; `None` for a null move.
    pub(super) moved: Option<PieceTo>,
    /// The static evaluation after correction history; `None` in check.
    pub(super) eval: Option<Score>,
    /// The excluded move of a singular search.
    pub(super) excluded: Option<Move>,
    /// The killer move: the last quiet move that caused a cut-off at this ply.
    pub(super) killer: Option<Move>,
    /// Beta cut-offs at this ply since a node two plies above was entered.
    pub(super) cutoffs: u32,
    /// Whether the move at this ply is a null move.
    pub(super) is_null: bool,
    /// The move made at this ply; `None` for a null move.
    pub(super) mv: Option<Move>,
    /// Threat flags of that move.
    pub(super) threat_flags: (bool, bool),
    /// Double extensions on the line so far.
    pub(super) double_extensions: u32,
    /// The remainder of fractional extensions on the line so far, in 1024ths of a ply.
    pub(super) extension_remainder: i32,
    /// The current reduction of the move at this ply, in plies.
    pub(super) reduction: i32,
    /// The piece that the move at this ply captures; only with the prior capture bonus.
    pub(super) captured: Option<Piece>,
}

/// Sentinel frames below ply 0, so that frames of earlier plies can always be read.
const SENTINELS: usize = 4;
/// Nodes between two checks of the limits.
const POLL_NODES: u64 = 1024;

/// The alpha-beta search of one thread.
pub(crate) struct Worker<E, T, W = ()> {
    pub(super) shared: Arc<SharedState>,
    pub(super) index: usize,
    pub(super) evaluator: E,
    pub(super) techniques: T,
    /// Observes the search; `()` in play.
    pub(super) witness: W,
    pub(super) histories: Histories,
    pub(super) reductions: ReductionTable,
    frames: Box<[Frame]>,
    pub(super) buffers: Vec<Buffer>,
    pub(super) tried_buffers: Vec<Vec<Move>>,
    pub(super) pv: Vec<Vec<Move>>,
    pub(super) keys: KeyHistory,
    root_len: usize,
    pub(super) nodes: u64,
    /// The node count at which the limits are checked next.
    next_poll: u64,
    pub(super) seldepth: usize,
    /// While a null move cut-off is verified, no null move is tried at plies less than this; otherwise 0.
    pub(super) null_min_ply: usize,
    pub(super) root: Root,
    /// The side to move at the root.
    pub(super) side_at_root: Color,
    /// The score of the last search, and the side it was for.
    pub(super) last_score: Option<(Color, Score)>,
    /// Receives the current root move once the search has taken this long.
    pub(super) listener: Option<(Arc<dyn Listener>, Duration)>,
}

impl<E: Evaluator, T: TechniqueSet> Worker<E, T> {
    pub(crate) fn new(shared: Arc<SharedState>, evaluator: E, techniques: T) -> Self {
        Self::observed(shared, evaluator, techniques, ())
    }
}

impl<E: Evaluator, T: TechniqueSet, W: Witness> Worker<E, T, W> {
    /// A worker whose search `witness` observes.
    pub(crate) fn observed(shared: Arc<SharedState>, evaluator: E, techniques: T, witness: W) -> Self {
        Self {
            shared,
            index: 0,
            evaluator,
            techniques,
            witness,
            histories: Histories::default(),
            reductions: ReductionTable::new(),
            frames: vec![Frame::default(); MAX_PLY + 2 * SENTINELS].into_boxed_slice(),
            buffers: Vec::new(),
            tried_buffers: Vec::new(),
            pv: vec![Vec::new(); MAX_PLY + 2],
            keys: KeyHistory::new(),
            root_len: 0,
            nodes: 0,
            next_poll: 0,
            seldepth: 0,
            null_min_ply: 0,
            root: Root::default(),
            side_at_root: Color::White,
            last_score: None,
            listener: None,
        }
    }

    /// Returns the witness.
    pub(crate) fn into_witness(self) -> W {
        self.witness
    }

    /// Clears the histories and recomputes the tables that depend on tunables.
    pub(crate) fn clear(&mut self) {
        self.histories.clear();
        self.last_score = None;
        self.reductions = ReductionTable::new();
    }

    /// Sets the techniques.
    pub(crate) fn set_techniques(&mut self, techniques: T) {
        self.techniques = techniques;
    }

    /// Prepares a search of `position`, whose game has these keys.
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
        self.next_poll = self.shared.grant_nodes(0, POLL_NODES);
        self.seldepth = 0;
        self.null_min_ply = 0;
        self.side_at_root = position.side_to_move();
        self.frames.fill(Frame::default());
        self.evaluator.reset(position);
    }

    #[inline]
    pub(super) fn frame(&mut self, ply: usize) -> &mut Frame {
        &mut self.frames[ply + SENTINELS]
    }

    /// The frame `back` plies before `ply`, which may be a sentinel; `back` is at most 4.
    #[inline]
    pub(super) fn frame_before(&self, ply: usize, back: usize) -> &Frame {
        &self.frames[ply + SENTINELS - back]
    }

    /// The continuation context of `ply`: the moves one, two and four plies ago.
    #[inline]
    pub(super) fn continuation_context(&self, ply: usize) -> ContinuationContext {
        [1, 2, 4].map(|back| self.frame_before(ply, back).moved)
    }

    /// The move that led to `ply`, if it was a quiet move.
    pub(super) fn prior_quiet_move(&self, position: &Position, ply: usize) -> Option<PriorQuietMove> {
        let continuation = self.continuation_context(ply.checked_sub(1)?);
        let frame = self.frame_before(ply, 1);
        let (mv, moved) = (frame.mv.filter(|mv| !mv.is_noisy())?, frame.moved?);
        let (color, threat_flags) = (!position.side_to_move(), frame.threat_flags);
        Some(PriorQuietMove { color, mv, moved, threat_flags, continuation })
    }

    /// The history context of `position` at `ply`.
    #[inline]
    pub(super) fn context(&self, position: &Position, ply: usize) -> Context {
        let threats = match (self.has(Technique::ThreatHistory), self.has(Technique::DefensiveBonus)) {
            (true, _) => Threats::of(position),
            (false, true) => Threats::of(position).by_lesser_pieces(),
            (false, false) => Threats::default(),
        };
        Context { continuation: self.continuation_context(ply), threats }
    }

    #[inline]
    pub(super) fn has(&self, technique: Technique) -> bool {
        self.techniques.has(technique)
    }

    /// Counts a node and checks the limits from time to time.
    #[inline]
    pub(super) fn count_node(&mut self, ply: usize) -> Result<(), Stopped> {
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        if self.nodes >= self.next_poll { self.poll() } else { Ok(()) }
    }

    /// Publishes the node count and checks node limit, clock and stop flag. The first iteration of thread 0 is not
    /// interrupted within 200,000 nodes, so that there is a move with a score.
    #[cold]
    fn poll(&mut self) -> Result<(), Stopped> {
        const FIRST_ITERATION_NODES: u64 = 200_000;
        let shared = &self.shared;
        shared.nodes[self.index].store(self.nodes, Ordering::Relaxed);
        let granted = shared.grant_nodes(self.nodes, POLL_NODES - self.nodes % POLL_NODES);
        if granted == 0 || self.index == 0 && shared.is_out_of_time() {
            shared.signals.finish();
        }
        let may_stop = self.index > 0 || self.root.has_result() || self.nodes >= FIRST_ITERATION_NODES;
        if may_stop && shared.signals.must_end() {
            return Err(Stopped);
        }
        self.next_poll = self.nodes + granted.max(1);
        Ok(())
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

    /// The score of a draw at `ply`: contempt makes it worse for the side to move at the root. A random internal unit (by the
    /// node count) avoids blindness to threefold repetitions.
    #[inline]
    pub(super) fn draw_score(&self, ply: usize) -> Score {
        let contempt = self.shared.contempt;
        let own = if ply.is_multiple_of(2) { -contempt } else { contempt };
        let jitter = (self.nodes & 2) as i32 - 1;
        Score::new(own + jitter)
    }

    /// The key of `position` in the transposition table.
    ///
    /// Fifty-move key: with many moves since the last capture or pawn move the key depends on the halfmove clock in steps, so
    /// that a score from a fresh clock is not taken for one near the fifty-move rule.
    #[inline]
    pub(super) fn table_key(&self, position: &Position) -> u64 {
        match self.has(Technique::FiftyMoveKey) {
            true => position.key() ^ fifty_move_word(position.halfmove_clock()),
            false => position.key(),
        }
    }

    /// Prefetches the transposition table cluster of the position after `mv`.
    #[inline]
    fn prefetch(&self, position: &Position, mv: Move) {
        let key = position.likely_key_after(mv);
        let is_reversible = || !mv.is_noisy() && position.piece_on(mv.from()) != Some(Piece::Pawn);
        let key = match self.has(Technique::FiftyMoveKey) && is_reversible() {
            true => key ^ fifty_move_word(position.halfmove_clock() + 1),
            false => key,
        };
        self.shared.table.prefetch(key);
    }

    /// Makes `mv`: updates search stack, key history and evaluator, and returns the position. [`Self::unmake`] undoes it. What
    /// the node will read first, its cluster of the transposition table and its corrections, is prefetched.
    #[inline]
    pub(super) fn make(&mut self, position: &Position, mv: Move, ply: usize) -> Position {
        self.prefetch(position, mv);
        let moved = PieceTo::of(position, mv);
        let frame = self.frame(ply);
        frame.moved = Some(moved);
        frame.is_null = false;
        frame.reduction = 0;
        frame.mv = Some(mv);
        if self.has(Technique::PriorCaptureBonus) {
            self.frame(ply).captured = position.captured_by(mv);
        }
        self.keys.push(position);
        let mut child = position.clone();
        child.make(mv, &mut self.evaluator.push());
        self.histories.corrections.prefetch(&child);
        child
    }

    /// Makes a null move.
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
        self.shared.table.prefetch(self.table_key(&child));
        child
    }

    /// Undoes [`Self::make`] or [`Self::make_null`].
    #[inline]
    pub(super) fn unmake(&mut self) {
        self.keys.pop();
        self.evaluator.pop();
    }

    /// Reports `mv` as the current root move, if the search has taken long enough.
    pub(super) fn report_current_move(&self, mv: Move, number: usize) {
        let listener = self.listener.as_ref().filter(|(_, delay)| self.shared.elapsed() >= *delay);
        if let Some((listener, _)) = listener {
            let (depth, number) = (self.root.depth() as u32, self.root.line() + number);
            listener.on_event(Event::CurrentMove { depth, mv, number });
        }
    }

    /// Sets the principal variation from `ply` to `mv` followed by that of the next ply.
    pub(super) fn update_pv(&mut self, ply: usize, mv: Move) {
        let (here, below) = self.pv.split_at_mut(ply + 1);
        let here = &mut here[ply];
        here.clear();
        here.push(mv);
        here.extend_from_slice(&below[0]);
    }
}

/// The part of the fifty-move key by the halfmove clock: 0 at first, then another word every few plies.
fn fifty_move_word(halfmove_clock: u16) -> u64 {
    /// Below this clock the fifty-move rule is far.
    const FIRST: u16 = 16;
    const STEP: u16 = 8;
    let step = halfmove_clock.checked_sub(FIRST).map_or(0, |beyond| beyond / STEP + 1);
    u64::from(step).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}
