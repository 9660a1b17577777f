//! Material count: the simplest evaluator, for teaching searches and tests.

use rukh_chess::position::ChangeObserver;
use rukh_chess::types::ByPiece;
use rukh_chess::{Color, Piece, Position};

use crate::evaluator::Evaluator;
use crate::score::Score;

/// Counts material: 1, 3, 3, 5 and 9 pawns.
#[derive(Clone, Copy, Debug, Default)]
pub struct Material;

const VALUES: ByPiece<i32> = ByPiece([100, 300, 300, 500, 900, 0]);

/// Ignores all changes.
struct NoObserver;

impl ChangeObserver for NoObserver {}

impl Evaluator for Material {
    fn reset(&mut self, _position: &Position) {}

    fn push(&mut self) -> impl ChangeObserver + '_ {
        NoObserver
    }

    fn pop(&mut self) {}

    fn evaluate(&mut self, position: &Position) -> Score {
        let material = |color: Color| -> i32 {
            Piece::ALL
                .iter()
                .map(|&piece| position.colored_pieces(color, piece).count() as i32 * VALUES[piece])
                .sum()
        };
        let us = position.side_to_move();
        Score::new(material(us) - material(!us))
    }
}
