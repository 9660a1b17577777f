//! History tables: butterfly, continuation, pawn, capture and correction history, and countermoves.

use rukh_chess::position::CheckSquares;
use rukh_chess::types::{ByColor, ByPiece};
use rukh_chess::{Color, Move, Piece, Position, Square};

use super::context::{Context, ContinuationContext, Threats};
use super::correction::Corrections;
use super::gravity::Gravity;
use super::piece_to::PieceTo;
use crate::memory::prefetch;

/// The limit of quiet histories.
const QUIET_MAX: i32 = 8192;
/// The limit of capture history. It is smaller, so that old results fade faster.
const CAPTURE_MAX: i32 = 4096;

type Quiet = Gravity<QUIET_MAX>;
type Capture = Gravity<CAPTURE_MAX>;

/// The entries of a quiet history in a cache line.
const QUIET_LINE: usize = 64 / size_of::<Quiet>();

const PAWN_KEYS: usize = 1 << 10;

/// Butterfly history: by threat flags, from-square and to-square.
type Butterfly = [[[[Quiet; Square::COUNT]; Square::COUNT]; 2]; 2];

/// By colour, piece and to-square.
type ByPieceTo = [Quiet; PieceTo::COUNT];

/// The histories of one thread.
#[derive(Clone, Debug)]
pub(crate) struct Histories {
    butterfly: ByColor<Box<Butterfly>>,
    countermoves: Box<[Option<Move>; PieceTo::COUNT]>,
    capture: Box<[[ByPiece<Capture>; Square::COUNT]]>,
    continuation: Box<[ByPieceTo]>,
    pawn: Box<[ByPieceTo]>,
    /// Correction history.
    pub(crate) corrections: Corrections,
}

/// A quiet move on the current line, with everything needed to update its histories after it was made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PriorQuietMove {
    /// The side that made it.
    pub(crate) color: Color,
    /// The move.
    pub(crate) mv: Move,
    /// Its piece and to-square.
    pub(crate) moved: PieceTo,
    /// Threat flags: whether its from-square and to-square were attacked.
    pub(crate) threat_flags: (bool, bool),
    /// The moves before it, for continuation history.
    pub(crate) continuation: ContinuationContext,
}

impl Default for Histories {
    fn default() -> Self {
        let butterfly = || {
            let quarters = vec![[[[Quiet::default(); Square::COUNT]; Square::COUNT]; 2]; 2];
            quarters.into_boxed_slice().try_into().expect("the vector has two rows of two")
        };
        let rows = |count: usize| vec![[Quiet::default(); PieceTo::COUNT]; count].into_boxed_slice();
        Self {
            butterfly: ByColor([butterfly(), butterfly()]),
            countermoves: Box::new([None; PieceTo::COUNT]),
            capture: vec![[ByPiece::default(); Square::COUNT]; Color::COUNT * Piece::COUNT]
                .into_boxed_slice(),
            continuation: rows(PieceTo::COUNT + 1),
            pawn: rows(PAWN_KEYS),
            corrections: Corrections::default(),
        }
    }
}

/// The quiet histories of one position. What does not depend on the move is looked up once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QuietHistories<'h> {
    position: &'h Position,
    threats: Threats,
    checks: CheckSquares,
    butterfly: &'h Butterfly,
    continuations: [&'h ByPieceTo; 3],
    pawn: &'h ByPieceTo,
}

impl QuietHistories<'_> {
    /// Butterfly history of a move.
    #[inline]
    pub(crate) fn butterfly(&self, mv: Move) -> i32 {
        let (from, to) = self.threats.flags(mv);
        self.butterfly[usize::from(from)][usize::from(to)][mv.from().index()][mv.to().index()].value()
    }

    /// Whether a move gives check and does not lose material by SEE.
    #[inline]
    pub(crate) fn is_good_check(&self, mv: Move, values: &ByPiece<i32>) -> bool {
        let piece = self.position.piece_on(mv.from()).unwrap_or(Piece::Pawn);
        self.checks.of(piece, mv.from()).contains(mv.to()) && self.position.see_at_least(mv, 0, values)
    }

    /// 1 if a move takes a piece out of an attack by less valuable pieces, -1 if it goes into one, otherwise 0.
    #[inline]
    pub(crate) fn threat_escape(&self, mv: Move) -> i32 {
        let piece = self.position.piece_on(mv.from()).unwrap_or(Piece::Pawn);
        let is_attacked = |square| i32::from(self.threats.is_attacked_by_lesser(piece, square));
        is_attacked(mv.from()) - is_attacked(mv.to())
    }

    /// Continuation history of a move: the sum over the previous moves.
    #[inline]
    pub(crate) fn continuation(&self, mv: Move) -> i32 {
        let piece_to = PieceTo::of(self.position, mv).index();
        self.continuations.iter().map(|row| row[piece_to].value()).sum()
    }

    /// Pawn history of a move: by pawn structure, piece and to-square.
    #[inline]
    pub(crate) fn pawn(&self, mv: Move) -> i32 {
        self.pawn[PieceTo::of(self.position, mv).index()].value()
    }
}

impl Histories {
    /// Clears all histories.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    /// The row of continuation history for the moves after `previous`; the last row is for none.
    #[inline]
    fn row(previous: Option<PieceTo>) -> usize {
        previous.map_or(PieceTo::COUNT, PieceTo::index)
    }

    /// Prefetches continuation and pawn history of the quiet moves of `position`.
    #[inline]
    pub(crate) fn prefetch_quiet(&self, position: &Position, context: &Context) {
        let rows = context.continuation.map(|previous| &self.continuation[Self::row(previous)]);
        let pawn = &self.pawn[position.keys().pawns() as usize % PAWN_KEYS];
        for row in rows.into_iter().chain([pawn]) {
            PieceTo::range_of(position.side_to_move()).step_by(QUIET_LINE).for_each(|at| prefetch(&row[at]));
        }
    }

    /// The quiet histories of `position`.
    #[inline]
    pub(crate) fn quiet<'h>(&'h self, position: &'h Position, context: &Context) -> QuietHistories<'h> {
        QuietHistories {
            position,
            threats: context.threats,
            checks: position.check_squares(),
            butterfly: &self.butterfly[position.side_to_move()],
            continuations: context.continuation.map(|previous| &self.continuation[Self::row(previous)]),
            pawn: &self.pawn[position.keys().pawns() as usize % PAWN_KEYS],
        }
    }

    /// Capture history of a capture or promotion.
    #[inline]
    pub(crate) fn capture_of(&self, position: &Position, mv: Move) -> i32 {
        let (row, to, captured) = Self::capture_index(position, mv);
        self.capture[row][to][captured].value()
    }

    #[inline]
    fn capture_index(position: &Position, mv: Move) -> (usize, usize, Piece) {
        let piece = position.piece_on(mv.from()).unwrap_or(Piece::Pawn);
        let row = position.side_to_move().index() * Piece::COUNT + piece.index();
        // A promotion without capture uses the column of kings, which are never captured.
        (row, mv.to().index(), position.captured_by(mv).unwrap_or(Piece::King))
    }

    /// Updates all quiet histories of a move.
    pub(crate) fn learn_quiet(&mut self, position: &Position, mv: Move, context: &Context, bonus: i32) {
        let piece_to = PieceTo::of(position, mv).index();
        self.learn_butterfly(position.side_to_move(), mv, context.threats.flags(mv), bonus);
        self.pawn[position.keys().pawns() as usize % PAWN_KEYS][piece_to].learn(bonus);
        self.learn_continuation(&context.continuation, piece_to, bonus);
    }

    fn learn_butterfly(&mut self, color: Color, mv: Move, (from, to): (bool, bool), bonus: i32) {
        let butterfly = &mut self.butterfly[color][usize::from(from)][usize::from(to)];
        butterfly[mv.from().index()][mv.to().index()].learn(bonus);
    }

    fn learn_continuation(&mut self, context: &ContinuationContext, piece_to: usize, bonus: i32) {
        for &previous in context.iter().filter(|previous| previous.is_some()) {
            self.continuation[Self::row(previous)][piece_to].learn(bonus);
        }
    }

    /// Updates the butterfly history of a move that was made before.
    pub(crate) fn learn_prior_butterfly(&mut self, prior: &PriorQuietMove, bonus: i32) {
        self.learn_butterfly(prior.color, prior.mv, prior.threat_flags, bonus);
    }

    /// Updates the butterfly and continuation histories of a move that was made before.
    pub(crate) fn learn_prior_quiet(&mut self, prior: &PriorQuietMove, bonus: i32) {
        self.learn_prior_butterfly(prior, bonus);
        self.learn_continuation(&prior.continuation, prior.moved.index(), bonus);
    }

    /// Updates the capture history of a capture that was made before: piece and to-square, and the captured piece.
    pub(crate) fn learn_prior_capture(&mut self, moved: PieceTo, captured: Piece, bonus: i32) {
        let (row, to) = moved.row_and_square();
        self.capture[row][to][captured].learn(bonus);
    }

    /// The countermove: the quiet move that last refuted `previous`.
    #[inline]
    pub(crate) fn countermove(&self, previous: Option<PieceTo>) -> Option<Move> {
        previous.and_then(|previous| self.countermoves[previous.index()])
    }

    /// Stores `mv` as the countermove to `previous`.
    pub(crate) fn learn_countermove(&mut self, previous: Option<PieceTo>, mv: Move) {
        if let Some(previous) = previous {
            self.countermoves[previous.index()] = Some(mv);
        }
    }

    /// Updates the capture history of a capture or promotion.
    pub(crate) fn learn_capture(&mut self, position: &Position, mv: Move, bonus: i32) {
        let (row, to, captured) = Self::capture_index(position, mv);
        self.capture[row][to][captured].learn(bonus);
    }
}
