//! Moves in 16 bits.

use core::fmt;
use core::num::NonZeroU16;

use super::piece::Piece;
use super::square::Square;

/// The kind of a move: what happens besides a piece going from one square to another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum MoveKind {
    /// A move without capture, promotion, castling or double push.
    Quiet = 0,
    /// A double pawn push.
    DoublePush = 1,
    /// Castling towards the h-file; the move goes from the king to the rook.
    CastleKingSide = 2,
    /// Castling towards the a-file; the move goes from the king to the rook.
    CastleQueenSide = 3,
    /// A capture of the piece on the target square.
    Capture = 4,
    /// An en-passant capture.
    EnPassant = 5,
    /// Promotion to a knight.
    PromoteKnight = 8,
    /// Promotion to a bishop.
    PromoteBishop = 9,
    /// Promotion to a rook.
    PromoteRook = 10,
    /// Promotion to a queen.
    PromoteQueen = 11,
    /// Capture with promotion to a knight.
    CapturePromoteKnight = 12,
    /// Capture with promotion to a bishop.
    CapturePromoteBishop = 13,
    /// Capture with promotion to a rook.
    CapturePromoteRook = 14,
    /// Capture with promotion to a queen.
    CapturePromoteQueen = 15,
}

impl MoveKind {
    /// Set in every capture.
    const CAPTURE_BIT: u8 = 4;
    /// Set in every promotion.
    const PROMOTION_BIT: u8 = 8;

    /// The promotion to `piece`; `None` for pawn and king.
    #[inline]
    pub const fn promotion_to(piece: Piece, is_capture: bool) -> Option<Self> {
        Some(match (piece, is_capture) {
            (Piece::Knight, false) => Self::PromoteKnight,
            (Piece::Bishop, false) => Self::PromoteBishop,
            (Piece::Rook, false) => Self::PromoteRook,
            (Piece::Queen, false) => Self::PromoteQueen,
            (Piece::Knight, true) => Self::CapturePromoteKnight,
            (Piece::Bishop, true) => Self::CapturePromoteBishop,
            (Piece::Rook, true) => Self::CapturePromoteRook,
            (Piece::Queen, true) => Self::CapturePromoteQueen,
            (Piece::Pawn | Piece::King, _) => return None,
        })
    }
}

/// A move: six bits for the origin square, six for the target square, four for the [`MoveKind`].
///
/// Castling is the king capturing its own rook: its target is the square of the rook. So Chess960 needs no special
/// encoding. No legal move has all bits zero: `Option<Move>` takes two bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Move(NonZeroU16);

impl Move {
    /// A move of the given kind between two different squares. It need not be legal in any position.
    #[inline]
    pub const fn new(from: Square, to: Square, kind: MoveKind) -> Self {
        debug_assert!(from as u8 != to as u8);
        let bits = from as u16 | (to as u16) << 6 | (kind as u16) << 12;
        // The bits of two different squares are never all zero: the other arm avoids the code of a panic.
        match NonZeroU16::new(bits) {
            Some(bits) => Self(bits),
            None => Self(NonZeroU16::MIN),
        }
    }

    /// The move that these bits encode; `None` if they encode no move. Any `u16` is allowed.
    #[inline]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        match NonZeroU16::new(bits) {
            Some(bits) if !matches!(bits.get() >> 12, 6 | 7) => Some(Self(bits)),
            _ => None,
        }
    }

    /// The 16 bits.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// The origin square.
    #[inline]
    pub const fn from(self) -> Square {
        Square::from_low_bits(self.bits() as u8)
    }

    /// The target square; for castling the square of the rook.
    #[inline]
    pub const fn to(self) -> Square {
        Square::from_low_bits((self.bits() >> 6) as u8)
    }

    /// The kind of the move.
    #[inline]
    pub const fn kind(self) -> MoveKind {
        match self.bits() >> 12 {
            0 => MoveKind::Quiet,
            1 => MoveKind::DoublePush,
            2 => MoveKind::CastleKingSide,
            3 => MoveKind::CastleQueenSide,
            4 => MoveKind::Capture,
            // `from_bits` rejects 6 and 7; listing them here avoids the code of a panic.
            5..=7 => MoveKind::EnPassant,
            8 => MoveKind::PromoteKnight,
            9 => MoveKind::PromoteBishop,
            10 => MoveKind::PromoteRook,
            11 => MoveKind::PromoteQueen,
            12 => MoveKind::CapturePromoteKnight,
            13 => MoveKind::CapturePromoteBishop,
            14 => MoveKind::CapturePromoteRook,
            _ => MoveKind::CapturePromoteQueen,
        }
    }

    /// Whether the move is a capture, en passant included.
    #[inline]
    pub const fn is_capture(self) -> bool {
        self.bits() >> 12 & MoveKind::CAPTURE_BIT as u16 != 0
    }

    /// Whether the move is a promotion.
    #[inline]
    pub const fn is_promotion(self) -> bool {
        self.bits() >> 12 & MoveKind::PROMOTION_BIT as u16 != 0
    }

    /// Whether the move is noisy: a capture or a promotion.
    #[inline]
    pub const fn is_noisy(self) -> bool {
        self.bits() >> 12 >= MoveKind::CAPTURE_BIT as u16
    }

    /// Whether the move is castling.
    #[inline]
    pub const fn is_castling(self) -> bool {
        matches!(self.kind(), MoveKind::CastleKingSide | MoveKind::CastleQueenSide)
    }

    /// The piece that a promotion puts on the board.
    #[inline]
    pub const fn promotion(self) -> Option<Piece> {
        match self.kind() {
            MoveKind::PromoteKnight | MoveKind::CapturePromoteKnight => Some(Piece::Knight),
            MoveKind::PromoteBishop | MoveKind::CapturePromoteBishop => Some(Piece::Bishop),
            MoveKind::PromoteRook | MoveKind::CapturePromoteRook => Some(Piece::Rook),
            MoveKind::PromoteQueen | MoveKind::CapturePromoteQueen => Some(Piece::Queen),
            _ => None,
        }
    }
}

/// Shows the squares and the kind. SAN and UCI notation are in [`crate::notation`].
impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{} {:?}", self.from(), self.to(), self.kind())
    }
}
