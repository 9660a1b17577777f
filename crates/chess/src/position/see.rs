//! Static exchange evaluation: what a series of captures on one square is worth.

use super::state::Position;
use crate::attacks;
use crate::types::{Bitboard, ByPiece, Color, Move, MoveKind, Piece, Square};

impl Position {
    /// Whether the exchange that the legal move `mv` begins on its target square wins at least `threshold`, each side
    /// taking with its least valuable man and stopping when that is better. `values` gives the worth of the men.
    ///
    /// Men pinned to their king take part only along the line of the pin, as long as the pinning man stands. Nothing
    /// outside the square is looked at: no checks, no promotions on recapture.
    pub fn see_at_least(&self, mv: Move, threshold: i32, values: &ByPiece<i32>) -> bool {
        let Some(moved) = self.board[mv.from()] else { return false };
        if mv.is_castling() {
            return threshold <= 0;
        }
        let (us, target) = (self.side_to_move, mv.to());
        let arrived = mv.promotion().unwrap_or(moved);
        let won = self.captured_by(mv).map_or(0, |piece| values[piece]) + values[arrived] - values[moved];

        // What the side that has just taken is ahead of the threshold, if nothing more is taken, and then if its own
        // man is.
        let mut balance = won - threshold;
        if balance < 0 {
            return false;
        }
        balance -= values[arrived];
        if balance >= 0 {
            return true;
        }

        let mut occupied = self.occupied() ^ Bitboard::of(mv.from()) | Bitboard::of(target);
        if mv.kind() == MoveKind::EnPassant {
            occupied ^= Bitboard::of(Square::new(target.file(), mv.from().rank()));
        }
        let exchange = Exchange::new(self, target);
        let mut side = us;
        loop {
            side = !side;
            let Some((square, piece)) = exchange.least_valuable(side, occupied) else { break };
            occupied ^= Bitboard::of(square);
            if piece == Piece::King && exchange.least_valuable(!side, occupied).is_some() {
                // The king would step into an attack: it cannot take.
                break;
            }
            balance = -balance - 1 - values[piece];
            if balance >= 0 {
                side = !side;
                break;
            }
        }
        // The side that is left to take, and cannot or would not, has lost the exchange.
        side != us
    }
}

/// The men that may join the captures on one square.
struct Exchange<'a> {
    position: &'a Position,
    target: Square,
}

impl<'a> Exchange<'a> {
    fn new(position: &'a Position, target: Square) -> Self {
        Self { position, target }
    }

    /// The least valuable man of `side` among those still on the board that may take on the square.
    fn least_valuable(&self, side: Color, occupied: Bitboard) -> Option<(Square, Piece)> {
        let attackers =
            self.position.attackers_to(self.target, occupied) & occupied & self.position.color(side);
        Piece::ALL.into_iter().find_map(|piece| {
            let mut candidates = attackers & self.position.pieces(piece);
            if piece != Piece::King {
                candidates = candidates
                    .into_iter()
                    .filter(|&square| !self.is_pinned(side, square, occupied))
                    .collect();
            }
            Some((candidates.first()?, piece))
        })
    }

    /// Whether the man on `square` uncovers its king when it goes to the target square.
    fn is_pinned(&self, side: Color, square: Square, occupied: Bitboard) -> bool {
        let king = self.position.king(side);
        let line = attacks::line(king, square);
        if line.is_empty() || line.contains(self.target) {
            return false;
        }
        let without = occupied ^ Bitboard::of(square);
        let enemies = occupied & line & self.position.color(!side);
        let diagonal = attacks::bishop(king, without) & enemies & self.position.diagonal_sliders(!side);
        let orthogonal = attacks::rook(king, without) & enemies & self.position.orthogonal_sliders(!side);
        !(diagonal | orthogonal).is_empty()
    }
}
