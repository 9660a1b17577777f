//! Correction history: how far the scores of searches were above the static evaluation of positions with the same keys.

use rukh_chess::types::ByColor;
use rukh_chess::{Color, Position};
use rukh_eval::Score;

use super::gravity::Gravity;
use super::piece_to::PieceTo;
use crate::params::{self, ONE};

const CORRECTION_MAX: i32 = 1024;
type Correction = Gravity<CORRECTION_MAX>;

/// The keys of a table.
pub(crate) const CORRECTION_KEYS: usize = 1 << 14;
/// The keys of a table with large correction history.
pub(crate) const LARGE_CORRECTION_KEYS: usize = 1 << 16;

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
    fn index(self, position: &Position, keys: usize) -> usize {
        let all = position.keys();
        let key = match self {
            Self::Pawns => all.pawns(),
            Self::Minors => all.minors(),
            Self::Majors => all.majors(),
            Self::White => all.non_pawns(Color::White),
            Self::Black => all.non_pawns(Color::Black),
        };
        // Both are powers of two.
        key as usize & (keys - 1) & (LARGE_CORRECTION_KEYS - 1)
    }
}

/// What correction history is indexed by, apart from the position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CorrectionContext {
    /// The number of keys in use: [`CORRECTION_KEYS`] or [`LARGE_CORRECTION_KEYS`].
    pub(crate) keys: usize,
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

/// The tables of correction history.
#[derive(Clone, Debug)]
pub(crate) struct Corrections {
    by_key: Box<[ByColor<[Correction; LARGE_CORRECTION_KEYS]>; CorrectionKey::COUNT]>,
    /// Continuation correction: by an earlier move of the side to move and the last move.
    by_moves: Box<[[Correction; PieceTo::COUNT]]>,
}

impl Default for Corrections {
    fn default() -> Self {
        let tables = vec![ByColor([[Correction::default(); LARGE_CORRECTION_KEYS]; 2]); CorrectionKey::COUNT];
        Self {
            by_key: tables.into_boxed_slice().try_into().expect("the vector has a table for each key"),
            by_moves: vec![[Correction::default(); PieceTo::COUNT]; PieceTo::COUNT].into_boxed_slice(),
        }
    }
}

impl Corrections {
    /// The correction of the static evaluation in internal units.
    #[inline]
    pub(crate) fn correction(&self, position: &Position, context: &CorrectionContext) -> i32 {
        let side = position.side_to_move();
        let mut sum: i32 = CorrectionKey::ALL
            .iter()
            .map(|&key| self.by_key[key as usize][side][key.index(position, context.keys)].value())
            .sum();
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
            self.by_key[key as usize][side][key.index(position, context.keys)].learn(bonus);
        }
        for (earlier, last) in context.pairs() {
            self.by_moves[earlier][last].learn(bonus);
        }
    }
}
