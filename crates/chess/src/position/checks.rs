//! Checkers, pins, who can give check, and whether a pawn can be taken in passing.

use super::state::{Pins, Position};
use crate::attacks;
use crate::types::{Bitboard, ByPiece, Color, Move, MoveKind, Piece, Side, Square, Wing};

/// From where the pieces of the side to move check the other side's king.
#[derive(Clone, Copy, Debug)]
pub struct CheckSquares {
    king: Square,
    direct: ByPiece<Bitboard>,
    /// Men of the side to move that stand alone between the king and a slider of their own.
    uncovering: Bitboard,
}

impl CheckSquares {
    /// The squares on which a `piece` that leaves `from` gives check, itself or by making way for another. It is not
    /// asked whether it can go there.
    ///
    /// Castling, promotion and taking in passing change more of the board than this knows of:
    /// [`Position::gives_check`] does.
    #[inline]
    pub fn of(&self, piece: Piece, from: Square) -> Bitboard {
        let direct = self.direct[piece];
        if self.uncovering.contains(from) { direct | !attacks::line(self.king, from) } else { direct }
    }
}

impl Position {
    /// From where pieces of the side to move would give check.
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
        let mut uncovering = Bitboard::EMPTY;
        for sniper in snipers {
            let blockers = attacks::between(king, sniper) & occupied;
            if !blockers.has_many() {
                uncovering |= blockers & self.colors[us];
            }
        }
        CheckSquares { king, direct, uncovering }
    }

    /// Finds the checkers and pins of the side to move, which is `Us`, anew.
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

    /// The lines to those `snipers` behind a single piece of `us`; snipers with nothing in between are checkers.
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
        // The piece that moved is no longer where its bitboard says; any other slider of ours may have been uncovered.
        own ^= Bitboard::of(to);
        let diagonal = own & (self.pieces[Piece::Bishop] | self.pieces[Piece::Queen]);
        let orthogonal = own & (self.pieces[Piece::Rook] | self.pieces[Piece::Queen]);
        direct.contains(king)
            || (attacks::bishop_rays(king) & diagonal).intersects(attacks::bishop(king, occupied))
            || (attacks::rook_rays(king) & orthogonal).intersects(attacks::rook(king, occupied))
    }

    /// The pawns of the side to move that may legally take in passing on `target`.
    ///
    /// Two pieces leave their squares and one arrives, so neither pins nor checkers tell: the lines to the king are
    /// looked at anew with the pieces moved.
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
}

/// The square one step back from `square` as `color` sees it.
#[inline]
pub(super) fn behind(square: Square, color: Color) -> Square {
    Square::from_low_bits(match color {
        Color::White => square as u8 - 8,
        Color::Black => square as u8 + 8,
    })
}
