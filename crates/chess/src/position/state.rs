//! What a position is, and the questions that can be asked of it.

use super::keys::Keys;
use crate::attacks;
use crate::types::{Bitboard, ByColor, ByPiece, BySquare, Castling, Color, Move, Piece, Square};

/// A position that obeys the rules: one king a side, the side that has moved not in check, rights that can be used.
///
/// Bitboards and a mailbox are kept together. Checkers and pins of the side to move are always at hand. An en-passant
/// square is kept only while a pawn can legally be taken there, so that two positions are equal for the rules of
/// repetition exactly if their keys are.
///
/// It is made from a [`Setup`](crate::setup::Setup), and changed by [`Position::make`] alone. Copying it is how moves
/// are taken back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    pub(super) pieces: ByPiece<Bitboard>,
    pub(super) colors: ByColor<Bitboard>,
    pub(super) board: BySquare<Option<Piece>>,
    pub(super) keys: Keys,
    pub(super) checkers: Bitboard,
    pub(super) pins: Pins,
    pub(super) castling: Castling,
    pub(super) fullmove_number: u32,
    pub(super) halfmove_clock: u16,
    pub(super) en_passant: Option<Square>,
    pub(super) side_to_move: Color,
}

/// The lines on which pieces of the side to move are pinned to their king: the squares from the king, which is not
/// included, to the pinning piece, which is.
///
/// Files and ranks are kept apart from diagonals. A piece that slides or captures along its own line never reaches a
/// line of another pin of the same kind, so one mask is enough for all pinned pieces of a kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pins {
    /// Pins along files and ranks.
    pub orthogonal: Bitboard,
    /// Pins along diagonals.
    pub diagonal: Bitboard,
}

impl Pins {
    /// The lines of all pins.
    #[inline]
    pub fn all(self) -> Bitboard {
        self.orthogonal | self.diagonal
    }
}

impl Position {
    /// All pieces of one kind, of both colours.
    #[inline]
    pub fn pieces(&self, piece: Piece) -> Bitboard {
        self.pieces[piece]
    }

    /// All pieces of one colour.
    #[inline]
    pub fn color(&self, color: Color) -> Bitboard {
        self.colors[color]
    }

    /// The pieces of one kind and colour.
    #[inline]
    pub fn colored_pieces(&self, color: Color, piece: Piece) -> Bitboard {
        self.colors[color] & self.pieces[piece]
    }

    /// The bishops and queens of one colour.
    #[inline]
    pub fn diagonal_sliders(&self, color: Color) -> Bitboard {
        self.colors[color] & (self.pieces[Piece::Bishop] | self.pieces[Piece::Queen])
    }

    /// The rooks and queens of one colour.
    #[inline]
    pub fn orthogonal_sliders(&self, color: Color) -> Bitboard {
        self.colors[color] & (self.pieces[Piece::Rook] | self.pieces[Piece::Queen])
    }

    /// All squares on which a piece stands.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.colors[Color::White] | self.colors[Color::Black]
    }

    /// The kind of piece on `square`.
    #[inline]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.board[square]
    }

    /// The colour of the piece on `square`.
    #[inline]
    pub fn color_on(&self, square: Square) -> Option<Color> {
        Color::ALL.into_iter().find(|&color| self.colors[color].contains(square))
    }

    /// The square of the king of `color`.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        Square::from_low_bits(self.colored_pieces(color, Piece::King).0.trailing_zeros() as u8)
    }

    /// Who is to move.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// The rooks that may still castle.
    #[inline]
    pub fn castling(&self) -> Castling {
        self.castling
    }

    /// Where a pawn can be taken in passing; present only if such a capture is legal.
    #[inline]
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Moves of either side since the last capture or pawn move.
    #[inline]
    pub fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// The number of the move as scores count it: it grows after Black has moved.
    #[inline]
    pub fn fullmove_number(&self) -> u32 {
        self.fullmove_number
    }

    /// All keys.
    #[inline]
    pub fn keys(&self) -> &Keys {
        &self.keys
    }

    /// The key of the whole position: [`Keys::whole`].
    #[inline]
    pub fn key(&self) -> u64 {
        self.keys.whole()
    }

    /// What [`Self::key`] will most often be after a legal move: right but where castling rights, taking in passing or a
    /// promotion change more than two squares. Good enough to fetch memory early.
    #[inline]
    pub fn likely_key_after(&self, mv: Move) -> u64 {
        let Some(piece) = self.board[mv.from()] else { return self.key() };
        self.keys.whole_after((self.side_to_move, piece), mv.from(), mv.to(), self.board[mv.to()])
    }

    /// The pieces that give check.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn is_check(&self) -> bool {
        !self.checkers.is_empty()
    }

    /// The lines of the pins of the side to move.
    #[inline]
    pub fn pins(&self) -> Pins {
        self.pins
    }

    /// The piece that `mv`, a legal move, takes.
    #[inline]
    pub fn captured_by(&self, mv: Move) -> Option<Piece> {
        use crate::types::MoveKind;
        match mv.kind() {
            MoveKind::EnPassant => Some(Piece::Pawn),
            _ if mv.is_capture() => self.board[mv.to()],
            _ => None,
        }
    }

    /// Every piece of either colour that attacks `square` when the squares of `occupied` are taken.
    #[inline]
    pub fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let diagonal = self.pieces[Piece::Bishop] | self.pieces[Piece::Queen];
        let orthogonal = self.pieces[Piece::Rook] | self.pieces[Piece::Queen];
        attacks::knight(square) & self.pieces[Piece::Knight]
            | attacks::king(square) & self.pieces[Piece::King]
            | attacks::pawn(Color::White, square) & self.colored_pieces(Color::Black, Piece::Pawn)
            | attacks::pawn(Color::Black, square) & self.colored_pieces(Color::White, Piece::Pawn)
            | attacks::bishop(square, occupied) & diagonal
            | attacks::rook(square, occupied) & orthogonal
    }
}
