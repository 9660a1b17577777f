//! History tables: butterfly, continuation, pawn, capture and correction history, and countermoves.

use rukh_chess::position::CheckSquares;
use rukh_chess::types::{ByColor, ByPiece};
use rukh_chess::{Color, Move, Piece, Position, Square};
use rukh_eval::Score;

use super::context::{Context, ContinuationContext, Threats};
use super::gravity::Gravity;
use super::piece_to::PieceTo;
use crate::params;

/// The limit of quiet histories.
const QUIET_MAX: i32 = 8192;
/// The limit of capture history. It is smaller, so that old results fade faster.
const CAPTURE_MAX: i32 = 4096;
const CORRECTION_MAX: i32 = 1024;

type Quiet = Gravity<QUIET_MAX>;
type Capture = Gravity<CAPTURE_MAX>;
type Correction = Gravity<CORRECTION_MAX>;

const PAWN_KEYS: usize = 1 << 10;
const CORRECTION_KEYS: usize = 1 << 14;

/// Butterfly history: by threat flags, from-square and to-square.
type Butterfly = [[[[Quiet; Square::COUNT]; Square::COUNT]; 2]; 2];

/// The histories of one thread.
#[derive(Clone, Debug)]
pub(crate) struct Histories {
    butterfly: ByColor<Box<Butterfly>>,
    countermoves: Box<[Option<Move>; PieceTo::COUNT]>,
    capture: Box<[[ByPiece<Capture>; Square::COUNT]]>,
    continuation: Box<[[Quiet; PieceTo::COUNT]]>,
    pawn: Box<[[Quiet; PieceTo::COUNT]]>,
    corrections: Box<[ByColor<[Correction; CORRECTION_KEYS]>; CorrectionKey::COUNT]>,
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

/// A key of correction history.
#[derive(Clone, Copy, Debug)]
enum CorrectionKey {
    Pawns,
    Minors,
    Majors,
    White,
    Black,
}

impl CorrectionKey {
    const ALL: [Self; 5] = [Self::Pawns, Self::Minors, Self::Majors, Self::White, Self::Black];
    const COUNT: usize = Self::ALL.len();

    #[inline]
    fn index(self, position: &Position) -> usize {
        let keys = position.keys();
        let key = match self {
            Self::Pawns => keys.pawns(),
            Self::Minors => keys.minors(),
            Self::Majors => keys.majors(),
            Self::White => keys.non_pawns(Color::White),
            Self::Black => keys.non_pawns(Color::Black),
        };
        key as usize % CORRECTION_KEYS
    }
}

impl Default for Histories {
    fn default() -> Self {
        let butterfly = || {
            let quarters = vec![[[[Quiet::default(); Square::COUNT]; Square::COUNT]; 2]; 2];
            quarters.into_boxed_slice().try_into().expect("the vector has two rows of two")
        };
        let rows = |count: usize| vec![[Quiet::default(); PieceTo::COUNT]; count].into_boxed_slice();
        let corrections = vec![ByColor([[Correction::default(); CORRECTION_KEYS]; 2]); CorrectionKey::COUNT];
        Self {
            butterfly: ByColor([butterfly(), butterfly()]),
            countermoves: Box::new([None; PieceTo::COUNT]),
            capture: vec![[ByPiece::default(); Square::COUNT]; Color::COUNT * Piece::COUNT]
                .into_boxed_slice(),
            continuation: rows(PieceTo::COUNT + 1),
            pawn: rows(PAWN_KEYS),
            corrections: corrections
                .into_boxed_slice()
                .try_into()
                .expect("the vector has a table for each key"),
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
    continuations: [&'h [Quiet; PieceTo::COUNT]; 3],
    pawn: &'h [Quiet; PieceTo::COUNT],
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

    /// The correction of the static evaluation in internal units: how far the scores of searches with the same keys were above
    /// it.
    #[inline]
    pub(crate) fn correction(&self, position: &Position) -> i32 {
        let side = position.side_to_move();
        let sum: i32 = CorrectionKey::ALL
            .iter()
            .map(|&key| self.corrections[key as usize][side][key.index(position)].value())
            .sum();
        sum / params::correction_divisor()
    }

    /// Updates correction history with a search of `position` to `depth`, which returned `score` against the static evaluation
    /// `eval`.
    pub(crate) fn learn_correction(&mut self, position: &Position, depth: i32, score: Score, eval: Score) {
        let side = position.side_to_move();
        let most = params::correction_bonus_max();
        let bonus = ((score - eval) * depth / params::correction_depth()).clamp(-most, most);
        for key in CorrectionKey::ALL {
            self.corrections[key as usize][side][key.index(position)].learn(bonus);
        }
    }
}
