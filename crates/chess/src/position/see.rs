//! Static exchange evaluation: what a series of captures on one square is worth.

use super::state::Position;
use crate::attacks;
use crate::types::{Bitboard, ByColor, ByPiece, Color, Move, MoveKind, Piece, Square};

impl Position {
    /// Whether the exchange that the legal move `mv` begins on its target square wins at least `threshold`, each side
    /// taking with its least valuable piece and stopping when that is better. `values` gives the worth of the pieces.
    ///
    /// Pinned pieces stay out while a pinning piece stands: `docs/move-generation.md` says what that costs and gains.
    /// Nothing else outside the square is looked at, neither checks nor promotions on recapture.
    pub fn see_at_least(&self, mv: Move, threshold: i32, values: &ByPiece<i32>) -> bool {
        if mv.is_castling() {
            return threshold <= 0;
        }
        let moved = self.board[mv.from()].expect("a legal move starts on a piece");
        let arrived = mv.promotion().unwrap_or(moved);
        let won = self.captured_by(mv).map_or(0, |piece| values[piece]) + values[arrived] - values[moved];

        // How far the side that has taken last is ahead of what it wants: first if nothing more is taken, then if its
        // own piece is.
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
        while let Some(piece) = exchange.take_with_least_valuable(side) {
            // From here on `side` has taken last. The one more is for ties: they are enough for us, not for them.
            balance = -balance - 1 - values[piece];
            side = !side;
            if balance >= 0 {
                break;
            }
        }
        // The side that should take and cannot, or would not gain by it, has lost the exchange.
        side != us
    }
}

/// The captures on one square.
struct Exchange<'a> {
    position: &'a Position,
    target: Square,
    occupied: Bitboard,
    /// The pieces that attack the square, those behind other attackers only when these have taken.
    attackers: Bitboard,
    pinned: ByColor<Option<Pinned>>,
}

/// Men of one side that are pinned along lines other than those to the square, and the pieces that pin them.
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

    /// Takes with the least valuable piece of `side` that may, and tells which kind it was.
    #[inline]
    fn take_with_least_valuable(&mut self, side: Color) -> Option<Piece> {
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

/// Finds the pieces of `side` that would uncover their king by going to `target`.
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
