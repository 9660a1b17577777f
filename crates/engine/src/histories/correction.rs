//! Correction history: how far the scores of searches were above the static evaluation of positions with the same keys.

use rukh_chess::types::ByColor;
use rukh_chess::{Color, Position};
use rukh_eval::Score;

use super::gravity::Gravity;
use super::piece_to::PieceTo;
use crate::memory::prefetch;
use crate::params::{self, ONE};

const CORRECTION_MAX: i32 = 1024;
type Correction = Gravity<CORRECTION_MAX>;

/// The keys of a table.
const KEYS: usize = 1 << 14;
/// The keys of a table with large correction history.
const LARGE_KEYS: usize = 1 << 16;

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
    fn of(self, position: &Position) -> usize {
        let keys = position.keys();
        let key = match self {
            Self::Pawns => keys.pawns(),
            Self::Minors => keys.minors(),
            Self::Majors => keys.majors(),
            Self::White => keys.non_pawns(Color::White),
            Self::Black => keys.non_pawns(Color::Black),
        };
        key as usize
    }
}

/// What correction history is indexed by, apart from the position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CorrectionContext {
    /// Whether the tables with [`LARGE_KEYS`] are used.
    pub(crate) is_large: bool,
    /// The last move, and the moves one and three plies before it; `None` without continuation correction.
    pub(crate) moves: Option<(Option<PieceTo>, [Option<PieceTo>; 2])>,
}

impl CorrectionContext {
    /// The indices of continuation correction.
    #[inline]
    fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let moves = self.moves.and_then(|(last, earlier)| Some((last?.index(), earlier)));
        let pairs = moves
            .map(|(last, earlier)| earlier.into_iter().flatten().map(move |earlier| (earlier.index(), last)));
        pairs.into_iter().flatten()
    }
}

/// The tables of one key, for both sides to move.
type Table<const KEYS: usize> = ByColor<[Correction; KEYS]>;

/// The tables of correction history. Those of candidates are empty until [`Corrections::prepare`].
#[derive(Clone, Debug)]
pub(crate) struct Corrections {
    by_key: Box<[Table<KEYS>; CorrectionKey::COUNT]>,
    /// Large correction history.
    by_large_key: Box<[Table<LARGE_KEYS>]>,
    /// Continuation correction: by an earlier move of the side to move and the last move.
    by_moves: Box<[[Correction; PieceTo::COUNT]]>,
}

impl Default for Corrections {
    fn default() -> Self {
        let tables = vec![ByColor([[Correction::default(); KEYS]; 2]); CorrectionKey::COUNT];
        Self {
            by_key: tables.into_boxed_slice().try_into().expect("the vector has a table for each key"),
            by_large_key: Box::default(),
            by_moves: Box::default(),
        }
    }
}

impl Corrections {
    /// Allocates the tables that searches with this context need.
    pub(crate) fn prepare(&mut self, context: &CorrectionContext) {
        if context.is_large && self.by_large_key.is_empty() {
            let table = ByColor([[Correction::default(); LARGE_KEYS]; 2]);
            self.by_large_key = vec![table; CorrectionKey::COUNT].into_boxed_slice();
        }
        if context.moves.is_some() && self.by_moves.is_empty() {
            let rows = vec![[Correction::default(); PieceTo::COUNT]; PieceTo::COUNT];
            self.by_moves = rows.into_boxed_slice();
        }
    }

    /// Prefetches the corrections of a position that will be evaluated.
    #[inline]
    pub(crate) fn prefetch(&self, position: &Position) {
        let side = position.side_to_move();
        for key in CorrectionKey::ALL {
            prefetch(&self.by_key[key as usize][side][key.of(position) % KEYS]);
        }
    }

    /// The correction of the static evaluation in internal units.
    #[inline]
    pub(crate) fn correction(&self, position: &Position, context: &CorrectionContext) -> i32 {
        let side = position.side_to_move();
        let value = |&key: &CorrectionKey| match context.is_large {
            true => self.by_large_key[key as usize][side][key.of(position) % LARGE_KEYS].value(),
            false => self.by_key[key as usize][side][key.of(position) % KEYS].value(),
        };
        let mut sum: i32 = CorrectionKey::ALL.iter().map(value).sum();
        if context.moves.is_some() {
            let by_moves: i32 =
                context.pairs().map(|(earlier, last)| self.by_moves[earlier][last].value()).sum();
            sum += by_moves * params::continuation_correction_weight() / ONE;
        }
        sum / params::correction_divisor()
    }

    /// Learns from a search of `position` to `depth`, which returned `score` against the static evaluation `eval`.
    pub(crate) fn learn(
        &mut self,
        position: &Position,
        context: &CorrectionContext,
        depth: i32,
        score: Score,
        eval: Score,
    ) {
        let side = position.side_to_move();
        let most = params::correction_bonus_max();
        let bonus = ((score - eval) * depth / params::correction_depth()).clamp(-most, most);
        for key in CorrectionKey::ALL {
            match context.is_large {
                true => self.by_large_key[key as usize][side][key.of(position) % LARGE_KEYS].learn(bonus),
                false => self.by_key[key as usize][side][key.of(position) % KEYS].learn(bonus),
            }
        }
        for (earlier, last) in context.pairs() {
            self.by_moves[earlier][last].learn(bonus);
        }
    }
}
