//! Make: applies moves to a position.

use super::checks::behind;
use super::state::Position;
use crate::types::{Bitboard, Black, Color, Move, MoveKind, Piece, Side, Square, White, Wing};

// ANCHOR: observer
/// Receives every change of the board while a move is made.
///
/// Data derived from the board, such as the accumulator of a network, is updated by an implementation of this trait. `()`
/// ignores all changes.
pub trait ChangeObserver {
    /// A piece is placed on an empty square.
    #[inline]
    fn placed(&mut self, _color: Color, _piece: Piece, _square: Square) {}

    /// A piece is removed from its square.
    #[inline]
    fn removed(&mut self, _color: Color, _piece: Piece, _square: Square) {}

    /// A piece moves from one square to another, which is empty at that moment.
    #[inline]
    fn moved(&mut self, color: Color, piece: Piece, from: Square, to: Square) {
        self.removed(color, piece, from);
        self.placed(color, piece, to);
    }
}
// ANCHOR_END: observer

impl ChangeObserver for () {}

impl Position {
    /// Makes a legal move and reports every change to `observer`.
    ///
    /// The move must be legal: test moves of unknown origin with [`Position::is_legal`] first.
    #[inline]
    pub fn make(&mut self, mv: Move, observer: &mut impl ChangeObserver) {
        match self.side_to_move {
            Color::White => self.make_as::<White>(mv, observer),
            Color::Black => self.make_as::<Black>(mv, observer),
        }
    }

    /// The position after a legal move.
    #[inline]
    #[must_use]
    pub fn after(&self, mv: Move) -> Self {
        let mut position = self.clone();
        position.make(mv, &mut ());
        position
    }

    /// Makes a null move. The side to move must not be in check.
    pub fn make_null(&mut self) {
        debug_assert!(!self.is_check());
        self.clear_en_passant();
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        match self.side_to_move {
            Color::White => self.switch_side::<White>(),
            Color::Black => self.switch_side::<Black>(),
        }
    }

    /// [`Position::make`] for a side known at compile time.
    #[inline]
    pub(crate) fn make_as<Us: Side>(&mut self, mv: Move, observer: &mut impl ChangeObserver) {
        debug_assert_eq!(self.side_to_move, Us::COLOR);
        let us = Us::COLOR;
        let (from, to) = (mv.from(), mv.to());
        let piece = self.board[from].expect("a legal move starts on a piece");
        self.clear_en_passant();
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        self.lose_castling_rights::<Us>(piece, from, to);

        if mv.is_capture() {
            let square = if mv.kind() == MoveKind::EnPassant { behind(to, us) } else { to };
            let captured = self.board[square].expect("a legal capture takes a piece");
            self.remove(!us, captured, square, observer);
            self.halfmove_clock = 0;
        }
        match mv.kind() {
            MoveKind::CastleKingSide => self.castle::<Us>(Wing::King, from, to, observer),
            MoveKind::CastleQueenSide => self.castle::<Us>(Wing::Queen, from, to, observer),
            _ => match mv.promotion() {
                None => self.shift(us, piece, from, to, observer),
                Some(promoted) => {
                    self.remove(us, Piece::Pawn, from, observer);
                    self.place(us, promoted, to, observer);
                }
            },
        }
        if piece == Piece::Pawn {
            self.halfmove_clock = 0;
        }
        self.switch_side::<Us>();
        if mv.kind() == MoveKind::DoublePush {
            self.set_en_passant(behind(to, us));
        }
    }

    #[inline]
    fn lose_castling_rights<Us: Side>(&mut self, piece: Piece, from: Square, to: Square) {
        let mut touched = Bitboard::of(from) | Bitboard::of(to);
        if piece == Piece::King {
            touched |= Bitboard::back_rank(Us::COLOR);
        }
        let lost = self.castling.rooks() & touched;
        if !lost.is_empty() {
            self.castling = self.castling.without(lost);
            self.keys.toggle_castling(lost);
        }
    }

    /// In Chess960 king and rook may stand on each other's target squares, so both are removed before either is placed.
    fn castle<Us: Side>(
        &mut self,
        wing: Wing,
        king: Square,
        rook: Square,
        observer: &mut impl ChangeObserver,
    ) {
        let us = Us::COLOR;
        self.remove(us, Piece::King, king, observer);
        self.remove(us, Piece::Rook, rook, observer);
        self.place(us, Piece::King, wing.king_target(us), observer);
        self.place(us, Piece::Rook, wing.rook_target(us), observer);
    }

    #[inline]
    fn clear_en_passant(&mut self) {
        if let Some(square) = self.en_passant.take() {
            self.keys.toggle_en_passant(square.file());
        }
    }

    /// Sets the en-passant square, if a legal capture exists there.
    #[inline]
    pub(super) fn set_en_passant(&mut self, square: Square) {
        if !self.en_passant_capturers(square).is_empty() {
            self.en_passant = Some(square);
            self.keys.toggle_en_passant(square.file());
        }
    }

    #[inline]
    fn switch_side<Us: Side>(&mut self) {
        self.side_to_move = Us::Them::COLOR;
        self.keys.toggle_side();
        if Us::COLOR == Color::Black {
            self.fullmove_number = self.fullmove_number.saturating_add(1);
        }
        self.update_checks::<Us::Them>();
    }

    #[inline]
    pub(super) fn place(
        &mut self,
        color: Color,
        piece: Piece,
        square: Square,
        observer: &mut impl ChangeObserver,
    ) {
        self.pieces[piece] |= Bitboard::of(square);
        self.colors[color] |= Bitboard::of(square);
        self.board[square] = Some(piece);
        self.keys.place(color, piece, square);
        observer.placed(color, piece, square);
    }

    #[inline]
    fn remove(&mut self, color: Color, piece: Piece, square: Square, observer: &mut impl ChangeObserver) {
        self.pieces[piece] ^= Bitboard::of(square);
        self.colors[color] ^= Bitboard::of(square);
        self.board[square] = None;
        self.keys.remove(color, piece, square);
        observer.removed(color, piece, square);
    }

    #[inline]
    fn shift(
        &mut self,
        color: Color,
        piece: Piece,
        from: Square,
        to: Square,
        observer: &mut impl ChangeObserver,
    ) {
        let change = Bitboard::of(from) | Bitboard::of(to);
        self.pieces[piece] ^= change;
        self.colors[color] ^= change;
        self.board[from] = None;
        self.board[to] = Some(piece);
        self.keys.shift(color, piece, from, to);
        observer.moved(color, piece, from, to);
    }
}
