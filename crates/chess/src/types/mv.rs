//! A move in 16 bits.

use core::fmt;
use core::num::NonZeroU16;

use super::piece::Piece;
use super::square::Square;

/// What happens beside a piece going from one square to another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum MoveKind {
    /// Nothing else.
    Quiet = 0,
    /// A pawn goes two squares.
    DoublePush = 1,
    /// Castling towards the h-file; the move goes from the king to the rook.
    CastleKingSide = 2,
    /// Castling towards the a-file; the move goes from the king to the rook.
    CastleQueenSide = 3,
    /// The piece on the target square is taken.
    Capture = 4,
    /// A pawn is taken in passing.
    EnPassant = 5,
    /// A pawn becomes a knight.
    PromoteKnight = 8,
    /// A pawn becomes a bishop.
    PromoteBishop = 9,
    /// A pawn becomes a rook.
    PromoteRook = 10,
    /// A pawn becomes a queen.
    PromoteQueen = 11,
    /// A pawn takes and becomes a knight.
    CapturePromoteKnight = 12,
    /// A pawn takes and becomes a bishop.
    CapturePromoteBishop = 13,
    /// A pawn takes and becomes a rook.
    CapturePromoteRook = 14,
    /// A pawn takes and becomes a queen.
    CapturePromoteQueen = 15,
}

impl MoveKind {
    /// Set in every kind that takes something.
    const CAPTURE_BIT: u8 = 4;
    /// Set in every kind that promotes.
    const PROMOTION_BIT: u8 = 8;

    /// The promotion to `piece`, if a pawn can become that.
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

/// A move: six bits for the square left, six for the square reached, four for the [`MoveKind`].
///
/// Castling goes from the king's square to the rook's, which no other move can, so that Chess960 needs
/// nothing special. No legal move has all bits zero: `Option<Move>` takes two bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Move(NonZeroU16);

impl Move {
    /// A move of the given kind between two different squares.
    ///
    /// Nothing says that it is legal anywhere.
    #[inline]
    pub const fn new(from: Square, to: Square, kind: MoveKind) -> Self {
        debug_assert!(from as u8 != to as u8);
        let bits = from as u16 | (to as u16) << 6 | (kind as u16) << 12;
        // Bits of two different squares are never all zero: the other arm only spares the panic.
        match NonZeroU16::new(bits) {
            Some(bits) => Self(bits),
            None => Self(NonZeroU16::MIN),
        }
    }

    /// The move that these bits encode, if they encode one; any `u16` may be asked.
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

    /// The square left.
    #[inline]
    pub const fn from(self) -> Square {
        Square::from_low_bits(self.bits() as u8)
    }

    /// The square reached; for castling, the square of the rook.
    #[inline]
    pub const fn to(self) -> Square {
        Square::from_low_bits((self.bits() >> 6) as u8)
    }

    /// What else happens.
    #[inline]
    pub const fn kind(self) -> MoveKind {
        match self.bits() >> 12 {
            0 => MoveKind::Quiet,
            1 => MoveKind::DoublePush,
            2 => MoveKind::CastleKingSide,
            3 => MoveKind::CastleQueenSide,
            4 => MoveKind::Capture,
            // `from_bits` lets no 6 or 7 in; naming them here keeps the match free of a panic.
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

    /// Whether something is taken, in passing or not.
    #[inline]
    pub const fn is_capture(self) -> bool {
        self.bits() >> 12 & MoveKind::CAPTURE_BIT as u16 != 0
    }

    /// Whether a pawn becomes something else.
    #[inline]
    pub const fn is_promotion(self) -> bool {
        self.bits() >> 12 & MoveKind::PROMOTION_BIT as u16 != 0
    }

    /// Whether the move takes or promotes: it changes the material.
    #[inline]
    pub const fn is_noisy(self) -> bool {
        self.bits() >> 12 >= MoveKind::CAPTURE_BIT as u16
    }

    /// Whether the move castles.
    #[inline]
    pub const fn is_castling(self) -> bool {
        matches!(self.kind(), MoveKind::CastleKingSide | MoveKind::CastleQueenSide)
    }

    /// What the pawn becomes.
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

/// Shows the squares and the kind; notations for people and programs are in [`crate::notation`].
impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{} {:?}", self.from(), self.to(), self.kind())
    }
}
