//! Correction history: how far the scores of searches were above the static evaluation of positions with the same keys.

use rukh_chess::types::ByColor;
use rukh_chess::{Color, Position};
use rukh_eval::Score;

use super::gravity::Gravity;
use crate::memory::prefetch;
use crate::params;

const CORRECTION_MAX: i32 = 1024;
type Correction = Gravity<CORRECTION_MAX>;

/// The keys of a table.
const KEYS: usize = 1 << 14;

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
        key as usize % KEYS
    }
}

/// The tables of correction history, for both sides to move.
#[derive(Clone, Debug)]
pub(crate) struct Corrections {
    by_key: Box<[ByColor<[Correction; KEYS]>; CorrectionKey::COUNT]>,
}

impl Default for Corrections {
    fn default() -> Self {
        let tables = vec![ByColor([[Correction::default(); KEYS]; 2]); CorrectionKey::COUNT];
        Self { by_key: tables.into_boxed_slice().try_into().expect("the vector has a table for each key") }
    }
}

impl Corrections {
    /// Prefetches the corrections of a position that will be evaluated.
    #[inline]
    pub(crate) fn prefetch(&self, position: &Position) {
        let side = position.side_to_move();
        for key in CorrectionKey::ALL {
            prefetch(&self.by_key[key as usize][side][key.index(position)]);
        }
    }

    /// The correction of the static evaluation in internal units.
    #[inline]
    pub(crate) fn correction(&self, position: &Position) -> i32 {
        let side = position.side_to_move();
        let value = |&key: &CorrectionKey| self.by_key[key as usize][side][key.index(position)].value();
        let sum: i32 = CorrectionKey::ALL.iter().map(value).sum();
        sum / params::correction_divisor()
    }

    /// Learns from a search of `position` to `depth`, which returned `score` against the static evaluation `eval`.
    pub(crate) fn learn(&mut self, position: &Position, depth: i32, score: Score, eval: Score) {
        let side = position.side_to_move();
        let most = params::correction_bonus_max();
        let bonus = ((score - eval) * depth / params::correction_depth()).clamp(-most, most);
        for key in CorrectionKey::ALL {
            self.by_key[key as usize][side][key.index(position)].learn(bonus);
        }
    }
}
