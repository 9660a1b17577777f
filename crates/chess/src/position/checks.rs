//! Checkers and pins, squares from which a move gives check, and legal en-passant captures.

use super::state::{Pins, Position};
use crate::attacks;
use crate::types::{Bitboard, ByPiece, Color, Move, MoveKind, Piece, Side, Square, Wing};

/// Check squares: where pieces of the side to move give check to the opponent's king.
#[derive(Clone, Copy, Debug)]
pub struct CheckSquares {
    king: Square,
    direct: ByPiece<Bitboard>,
    /// Discovered check candidates: pieces of the side to move that alone block one of its sliders from the king.
    blockers: Bitboard,
}

impl CheckSquares {
    /// The squares on which `piece`, moving from `from`, gives a direct or a discovered check. Whether the piece can
    /// reach them is not tested.
    ///
    /// Castling, promotions and en-passant captures are not covered: use [`Position::gives_check`].
    #[inline]
    pub fn of(&self, piece: Piece, from: Square) -> Bitboard {
        let direct = self.direct[piece];
        if self.blockers.contains(from) { direct | !attacks::line(self.king, from) } else { direct }
    }
}

impl Position {
    /// The squares where pieces of the side to move give check.
    #[inline]
    pub fn check_squares(&self) -> CheckSquares {
        let us = self.side_to_move;
        let king = self.king(!us);
        let occupied = self.occupied();
        let (bishop, rook) = (attacks::bishop(king, occupied), attacks::rook(king, occupied));
        let direct = ByPiece([
            attacks::pawn(!us, king),
            attacks::knight(king),
            bishop,
            rook,
            bishop | rook,
            Bitboard::EMPTY,
        ]);
        let snipers = attacks::rook_rays(king) & self.orthogonal_sliders(us)
            | attacks::bishop_rays(king) & self.diagonal_sliders(us);
        let mut candidates = Bitboard::EMPTY;
        for sniper in snipers {
            let blockers = attacks::between(king, sniper) & occupied;
            if !blockers.has_many() {
                candidates |= blockers & self.colors[us];
            }
        }
        CheckSquares { king, direct, blockers: candidates }
    }

    /// Recomputes the checkers and pins of the side to move, which is `Us`.
    #[inline]
    pub(super) fn update_checks<Us: Side>(&mut self) {
        let us = Us::COLOR;
        let them = Us::Them::COLOR;
        let king = self.king(us);
        self.checkers = attacks::knight(king) & self.colored_pieces(them, Piece::Knight)
            | attacks::pawn(us, king) & self.colored_pieces(them, Piece::Pawn);
        self.pins = Pins {
            orthogonal: self.pin_lines(us, king, attacks::rook_rays(king) & self.orthogonal_sliders(them)),
            diagonal: self.pin_lines(us, king, attacks::bishop_rays(king) & self.diagonal_sliders(them)),
        };
    }

    /// The lines to those `snipers` that a single piece of `us` blocks. Snipers without a blocker are added to the checkers.
    #[inline]
    fn pin_lines(&mut self, us: Color, king: Square, snipers: Bitboard) -> Bitboard {
        let occupied = self.occupied();
        let mut lines = Bitboard::EMPTY;
        for sniper in snipers {
            let between = attacks::between(king, sniper);
            let blockers = between & occupied;
            if blockers.is_empty() {
                self.checkers |= Bitboard::of(sniper);
            } else if !blockers.has_many() && blockers.intersects(self.colors[us]) {
                lines |= between | Bitboard::of(sniper);
            }
        }
        lines
    }

    /// Whether a legal move gives check.
    pub fn gives_check(&self, mv: Move) -> bool {
        let us = self.side_to_move;
        let (from, to) = (mv.from(), mv.to());
        let king = self.king(!us);
        let Some(moved) = self.board[from] else { return false };
        let mut own = self.colors[us] ^ Bitboard::of(from) | Bitboard::of(to);
        let mut occupied = self.occupied() ^ Bitboard::of(from) | Bitboard::of(to);
        let arrived = mv.promotion().unwrap_or(moved);
        match mv.kind() {
            MoveKind::CastleKingSide | MoveKind::CastleQueenSide => {
                let wing = if mv.kind() == MoveKind::CastleKingSide { Wing::King } else { Wing::Queen };
                let targets = Bitboard::of(wing.king_target(us)) | Bitboard::of(wing.rook_target(us));
                let without = occupied ^ Bitboard::of(to);
                return attacks::rook(wing.rook_target(us), without | targets).contains(king);
            }
            MoveKind::EnPassant => occupied ^= Bitboard::of(behind(to, us)),
            _ => {}
        }
        let direct = attacks::of_piece(us, arrived, to, occupied);
        // Discovered checks: the bitboards still have the moved piece on its origin, so it is excluded.
        own ^= Bitboard::of(to);
        let diagonal = own & (self.pieces[Piece::Bishop] | self.pieces[Piece::Queen]);
        let orthogonal = own & (self.pieces[Piece::Rook] | self.pieces[Piece::Queen]);
        direct.contains(king)
            || (attacks::bishop_rays(king) & diagonal).intersects(attacks::bishop(king, occupied))
            || (attacks::rook_rays(king) & orthogonal).intersects(attacks::rook(king, occupied))
    }

    // ANCHOR: en_passant
    /// The pawns of the side to move that can legally capture en passant on `target`.
    ///
    /// Two pawns leave their squares and one arrives. Pins and checkers do not cover that, so the attacks on the king are
    /// computed with the occupancy after the capture.
    pub(crate) fn en_passant_capturers(&self, target: Square) -> Bitboard {
        let us = self.side_to_move;
        let king = self.king(us);
        let pushed = Bitboard::of(behind(target, us));
        let diagonal = self.diagonal_sliders(!us);
        let orthogonal = self.orthogonal_sliders(!us);
        if !self.checkers.is_subset_of(pushed | diagonal | orthogonal) {
            return Bitboard::EMPTY;
        }
        (attacks::pawn(!us, target) & self.colored_pieces(us, Piece::Pawn))
            .into_iter()
            .filter(|&capturer| {
                let occupied = self.occupied() ^ Bitboard::of(capturer) ^ pushed ^ Bitboard::of(target);
                let attackers =
                    attacks::bishop(king, occupied) & diagonal | attacks::rook(king, occupied) & orthogonal;
                attackers.is_empty()
            })
            .collect()
    }
    // ANCHOR_END: en_passant
}

/// The square behind `square` from the view of `color`.
#[inline]
pub(super) fn behind(square: Square, color: Color) -> Square {
    Square::from_low_bits(match color {
        Color::White => square as u8 - 8,
        Color::Black => square as u8 + 8,
    })
}
