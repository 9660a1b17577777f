//! The tables of histories: each an array of one law and a way to index it.

use rukh_chess::position::CheckSquares;
use rukh_chess::types::{ByColor, ByPiece};
use rukh_chess::{Color, Move, Piece, Position, Square};
use rukh_eval::Score;

use super::context::{Before, Context, Threats};
use super::gravity::Gravity;
use super::piece_to::PieceTo;
use crate::params;

/// Quiet histories range to here.
const QUIET_MAX: i32 = 8192;
/// Capture histories range to less, so that they forget faster.
const CAPTURE_MAX: i32 = 4096;
const CORRECTION_MAX: i32 = 1024;

type Quiet = Gravity<QUIET_MAX>;
type Capture = Gravity<CAPTURE_MAX>;
type Corrected = Gravity<CORRECTION_MAX>;

const PAWN_KEYS: usize = 1 << 10;
const CORRECTION_KEYS: usize = 1 << 14;

/// Quiet moves by their squares, and by whether those are attacked.
type Butterfly = [[[[Quiet; Square::COUNT]; Square::COUNT]; 2]; 2];

/// Everything a thread has learnt about moves and evaluations.
#[derive(Clone, Debug)]
pub struct Histories {
    butterfly: ByColor<Box<Butterfly>>,
    countermoves: Box<[Option<Move>; PieceTo::COUNT]>,
    capture: Box<[[ByPiece<Capture>; Square::COUNT]]>,
    continuation: Box<[[Quiet; PieceTo::COUNT]]>,
    pawn: Box<[[Quiet; PieceTo::COUNT]]>,
    corrections: Box<[ByColor<[Corrected; CORRECTION_KEYS]>; Keyed::COUNT]>,
}

/// A quiet move that was made, with what it was known by.
#[derive(Clone, Copy, Debug)]
pub struct Made {
    /// Who made it.
    pub color: Color,
    /// The move.
    pub mv: Move,
    /// Who went where.
    pub moved: PieceTo,
    /// Whether the squares it went from and to were attacked.
    pub meets: (bool, bool),
    /// The moves before it.
    pub before: Before,
}

/// What a correction of the evaluation goes by.
#[derive(Clone, Copy, Debug)]
enum Keyed {
    Pawns,
    Minors,
    Majors,
    White,
    Black,
}

impl Keyed {
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
            quarters.into_boxed_slice().try_into().expect("there are two of two")
        };
        let columns = |count: usize| vec![[Quiet::default(); PieceTo::COUNT]; count].into_boxed_slice();
        let keyed = vec![ByColor([[Corrected::default(); CORRECTION_KEYS]; 2]); Keyed::COUNT];
        Self {
            butterfly: ByColor([butterfly(), butterfly()]),
            countermoves: Box::new([None; PieceTo::COUNT]),
            capture: vec![[ByPiece::default(); Square::COUNT]; Color::COUNT * Piece::COUNT]
                .into_boxed_slice(),
            continuation: columns(PieceTo::COUNT + 1),
            pawn: columns(PAWN_KEYS),
            corrections: keyed.into_boxed_slice().try_into().expect("there is one for each key"),
        }
    }
}

/// The histories of quiet moves as one position sees them: what does not depend on the move is looked up once.
#[derive(Clone, Copy, Debug)]
pub struct QuietHistories<'h> {
    position: &'h Position,
    threats: Threats,
    checks: CheckSquares,
    butterfly: &'h Butterfly,
    continuations: [&'h [Quiet; PieceTo::COUNT]; 3],
    pawn: &'h [Quiet; PieceTo::COUNT],
}

impl QuietHistories<'_> {
    /// History of a move by its squares.
    #[inline]
    pub fn butterfly(&self, mv: Move) -> i32 {
        let (from, to) = self.threats.meet(mv);
        self.butterfly[usize::from(from)][usize::from(to)][mv.from().index()][mv.to().index()].value()
    }

    /// Whether a move gives check and loses nothing by it.
    #[inline]
    pub fn is_good_check(&self, mv: Move, values: &ByPiece<i32>) -> bool {
        let piece = self.position.piece_on(mv.from()).unwrap_or(Piece::Pawn);
        self.checks.of(piece, mv.from()).contains(mv.to()) && self.position.see_at_least(mv, 0, values)
    }

    /// Whether a move takes a piece away from pieces worth less than itself, or into their reach: 1, -1, or neither.
    #[inline]
    pub fn rescue(&self, mv: Move) -> i32 {
        let piece = self.position.piece_on(mv.from()).unwrap_or(Piece::Pawn);
        let is_endangered = |square| i32::from(self.threats.endanger(piece, square));
        is_endangered(mv.from()) - is_endangered(mv.to())
    }

    /// History of a move after each of the moves before.
    #[inline]
    pub fn continuation(&self, mv: Move) -> i32 {
        let piece_to = PieceTo::of(self.position, mv).index();
        self.continuations.iter().map(|row| row[piece_to].value()).sum()
    }

    /// History of a move in the present pawn structure.
    #[inline]
    pub fn pawn(&self, mv: Move) -> i32 {
        self.pawn[PieceTo::of(self.position, mv).index()].value()
    }
}

impl Histories {
    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Where moves after `before` are kept; the last row is for when there was none.
    #[inline]
    fn row(before: Option<PieceTo>) -> usize {
        before.map_or(PieceTo::COUNT, PieceTo::index)
    }

    /// What is known of the quiet moves of `position`.
    #[inline]
    pub fn quiet<'h>(&'h self, position: &'h Position, context: &Context) -> QuietHistories<'h> {
        QuietHistories {
            position,
            threats: context.threats,
            checks: position.check_squares(),
            butterfly: &self.butterfly[position.side_to_move()],
            continuations: context.before.map(|before| &self.continuation[Self::row(before)]),
            pawn: &self.pawn[position.keys().pawns() as usize % PAWN_KEYS],
        }
    }

    /// History of a capture or promotion.
    #[inline]
    pub fn capture_of(&self, position: &Position, mv: Move) -> i32 {
        let (row, to, captured) = Self::capture_index(position, mv);
        self.capture[row][to][captured].value()
    }

    #[inline]
    fn capture_index(position: &Position, mv: Move) -> (usize, usize, Piece) {
        let piece = position.piece_on(mv.from()).unwrap_or(Piece::Pawn);
        let row = position.side_to_move().index() * Piece::COUNT + piece.index();
        // A promotion that takes nothing shares the column of kings, which are never taken.
        (row, mv.to().index(), position.captured_by(mv).unwrap_or(Piece::King))
    }

    /// A quiet move did well, or, with a negative bonus, did not.
    pub fn learn_quiet(&mut self, position: &Position, mv: Move, context: &Context, bonus: i32) {
        let piece_to = PieceTo::of(position, mv).index();
        self.learn_squares(position.side_to_move(), mv, context.threats.meet(mv), bonus);
        self.pawn[position.keys().pawns() as usize % PAWN_KEYS][piece_to].learn(bonus);
        self.learn_continuation(&context.before, piece_to, bonus);
    }

    fn learn_squares(&mut self, color: Color, mv: Move, (from, to): (bool, bool), bonus: i32) {
        let butterfly = &mut self.butterfly[color][usize::from(from)][usize::from(to)];
        butterfly[mv.from().index()][mv.to().index()].learn(bonus);
    }

    fn learn_continuation(&mut self, before: &Before, piece_to: usize, bonus: i32) {
        for &before in before.iter().filter(|before| before.is_some()) {
            self.continuation[Self::row(before)][piece_to].learn(bonus);
        }
    }

    /// A quiet move that was made did well, or, with a negative bonus, did not, as far as its squares go.
    pub fn learn_squares_of(&mut self, made: &Made, bonus: i32) {
        self.learn_squares(made.color, made.mv, made.meets, bonus);
    }

    /// The same, and as far as the moves before it go.
    pub fn learn_made(&mut self, made: &Made, bonus: i32) {
        self.learn_squares_of(made, bonus);
        self.learn_continuation(&made.before, made.moved.index(), bonus);
    }

    /// The quiet move that last refuted `before`.
    #[inline]
    pub fn countermove(&self, before: Option<PieceTo>) -> Option<Move> {
        before.and_then(|before| self.countermoves[before.index()])
    }

    /// A quiet move refuted `before`.
    pub fn learn_countermove(&mut self, before: Option<PieceTo>, mv: Move) {
        if let Some(before) = before {
            self.countermoves[before.index()] = Some(mv);
        }
    }

    /// A capture or promotion did well, or, with a negative bonus, did not.
    pub fn learn_capture(&mut self, position: &Position, mv: Move, bonus: i32) {
        let (row, to, captured) = Self::capture_index(position, mv);
        self.capture[row][to][captured].learn(bonus);
    }

    /// How far searches of positions like this one have come out above their evaluation, in centipawns.
    #[inline]
    pub fn correction(&self, position: &Position) -> i32 {
        let side = position.side_to_move();
        let sum: i32 = Keyed::ALL
            .iter()
            .map(|&keyed| self.corrections[keyed as usize][side][keyed.index(position)].value())
            .sum();
        sum / params::correction_divisor()
    }

    /// A search of `position` to `depth` came out at `score` instead of `eval`.
    pub fn learn_correction(&mut self, position: &Position, depth: i32, score: Score, eval: Score) {
        let side = position.side_to_move();
        let most = params::correction_bonus_max();
        let bonus = ((score - eval) * depth / params::correction_depth()).clamp(-most, most);
        for keyed in Keyed::ALL {
            self.corrections[keyed as usize][side][keyed.index(position)].learn(bonus);
        }
    }
}
