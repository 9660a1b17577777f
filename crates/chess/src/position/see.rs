//! Static exchange evaluation (SEE): the material result of the captures on one square.

use super::state::Position;
use crate::attacks;
use crate::types::{Bitboard, ByColor, ByPiece, Color, Move, MoveKind, Piece, Square};

impl Position {
    // ANCHOR: see
    /// Whether the static exchange evaluation of the legal move `mv` is at least `threshold`. Each side captures on the
    /// target square with its least valuable piece and stops when that is better. `values` are the piece values.
    ///
    /// Pinned pieces do not capture while the pinning piece is on the board; `docs/move-generation.md` has the cost and the
    /// gain. Checks and promotions on recapture are ignored.
    pub fn see_at_least(&self, mv: Move, threshold: i32, values: &ByPiece<i32>) -> bool {
        if mv.is_castling() {
            return threshold <= 0;
        }
        let moved = self.board[mv.from()].expect("a legal move starts on a piece");
        let arrived = mv.promotion().unwrap_or(moved);
        let won = self.captured_by(mv).map_or(0, |piece| values[piece]) + values[arrived] - values[moved];

        // The margin of the side that captured last over the threshold: first without a recapture, then with one.
        let mut balance = won.saturating_sub(threshold);
        if balance < 0 {
            return false;
        }
        balance -= values[arrived];
        if balance >= 0 {
            return true;
        }

        let us = self.side_to_move;
        let mut exchange = Exchange::after(self, mv);
        let mut side = !us;
        while let Some(piece) = exchange.capture_with_least_valuable(side) {
            // From here on `side` has captured last. The extra 1 decides ties: they are enough for us, not for them.
            balance = -balance - 1 - values[piece];
            side = !side;
            if balance >= 0 {
                break;
            }
        }
        // The side that cannot capture, or does not gain by it, loses the exchange.
        side != us
    }
    // ANCHOR_END: see
}

/// The state of the captures on one square.
struct Exchange<'a> {
    position: &'a Position,
    target: Square,
    occupied: Bitboard,
    /// The attackers of the square. An x-ray attacker is added when the piece in front of it has captured.
    attackers: Bitboard,
    pinned: ByColor<Option<Pinned>>,
}

/// Pieces of one side that are pinned along lines that do not contain the square, and the pinning pieces.
#[derive(Clone, Copy)]
struct Pinned {
    pieces: Bitboard,
    by: Bitboard,
}

impl<'a> Exchange<'a> {
    fn after(position: &'a Position, mv: Move) -> Self {
        let target = mv.to();
        let mut occupied = position.occupied() ^ Bitboard::of(mv.from()) | Bitboard::of(target);
        if mv.kind() == MoveKind::EnPassant {
            occupied ^= Bitboard::of(Square::new(target.file(), mv.from().rank()));
        }
        let attackers = position.attackers_to(target, occupied) & occupied;
        Self { position, target, occupied, attackers, pinned: ByColor([None; 2]) }
    }

    /// Captures with the least valuable piece of `side` that can, and returns its kind.
    #[inline]
    fn capture_with_least_valuable(&mut self, side: Color) -> Option<Piece> {
        let mut candidates = self.attackers & self.position.colors[side];
        if candidates.is_empty() {
            return None;
        }
        let pinned =
            *self.pinned[side].get_or_insert_with(|| pinned(self.position, side, self.target, self.occupied));
        if pinned.by.intersects(self.occupied) {
            candidates &= !pinned.pieces;
        }
        let pieces = &self.position.pieces;
        let piece = Piece::ALL.into_iter().find(|&piece| candidates.intersects(pieces[piece]))?;
        if piece == Piece::King && self.attackers.intersects(self.position.colors[!side]) {
            return None;
        }
        self.occupied ^= Bitboard::of((candidates & pieces[piece]).first()?);
        if matches!(piece, Piece::Pawn | Piece::Bishop | Piece::Queen) {
            let diagonal = pieces[Piece::Bishop] | pieces[Piece::Queen];
            self.attackers |= attacks::bishop(self.target, self.occupied) & diagonal;
        }
        if matches!(piece, Piece::Rook | Piece::Queen) {
            let orthogonal = pieces[Piece::Rook] | pieces[Piece::Queen];
            self.attackers |= attacks::rook(self.target, self.occupied) & orthogonal;
        }
        self.attackers &= self.occupied;
        Some(piece)
    }
}

/// The pieces of `side` that would expose their king by moving to `target`, and the pieces that pin them.
fn pinned(position: &Position, side: Color, target: Square, occupied: Bitboard) -> Pinned {
    let king = position.king(side);
    let snipers = attacks::rook_rays(king) & position.orthogonal_sliders(!side)
        | attacks::bishop_rays(king) & position.diagonal_sliders(!side);
    let mut pinned = Pinned { pieces: Bitboard::EMPTY, by: Bitboard::EMPTY };
    for sniper in snipers & occupied {
        let blockers = attacks::between(king, sniper) & occupied;
        let is_pin = !blockers.has_many() && blockers.intersects(position.colors[side]);
        if is_pin && !attacks::line(king, sniper).contains(target) {
            pinned.pieces |= blockers;
            pinned.by |= Bitboard::of(sniper);
        }
    }
    pinned
}
