//! Setups: positions that need not be legal, and their validation.

use alloc::vec::Vec;
use core::fmt;

use crate::attacks;
use crate::position::{Parts, Position};
use crate::types::{Bitboard, Color, Piece, Rank, Square, Wing};

/// The parts of a position as a user gives them. They may contradict each other; [`Setup::validate`] reports that.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The piece on each square, from a1 to h8.
    pub board: [Option<(Color, Piece)>; Square::COUNT],
    /// The side to move.
    pub side_to_move: Color,
    /// The squares of the rooks that may still castle.
    pub castling_rooks: Bitboard,
    /// The en-passant square: the square that a pawn has just passed.
    pub en_passant: Option<Square>,
    /// The halfmove clock: plies since the last capture or pawn move.
    pub halfmove_clock: u16,
    /// The number of the move. It increases after a move of Black.
    pub fullmove_number: u32,
}

/// The maximum number of pieces of a side.
const MAX_PIECES: u32 = 16;
/// The maximum number of pawns of a side.
const MAX_PAWNS: u32 = 8;
/// The first and the eighth rank: castling rooks are there, pawns are not.
const OUTER_RANKS: Bitboard = Bitboard(Bitboard::rank(Rank::First).0 | Bitboard::rank(Rank::Eighth).0);

impl Setup {
    /// An empty board, White to move.
    pub const EMPTY: Self = Self {
        board: [None; Square::COUNT],
        side_to_move: Color::White,
        castling_rooks: Bitboard::EMPTY,
        en_passant: None,
        halfmove_clock: 0,
        fullmove_number: 1,
    };

    /// The start position of Chess960 with these numbers of the back ranks. Standard chess is 518 for both; different
    /// numbers give double Chess960. Numbers are taken modulo 960.
    pub fn chess960(white: u16, black: u16) -> Self {
        let mut setup = Self::EMPTY;
        for (color, number) in [(Color::White, white), (Color::Black, black)] {
            let rank = |rank: Rank| {
                Square::ALL.into_iter().filter(move |square| square.rank() == rank.relative_to(color))
            };
            for (square, piece) in rank(Rank::First).zip(chess960_back_rank(number)) {
                setup.board[square.index()] = Some((color, piece));
                if piece == Piece::Rook {
                    setup.castling_rooks |= Bitboard::of(square);
                }
            }
            for square in rank(Rank::Second) {
                setup.board[square.index()] = Some((color, Piece::Pawn));
            }
        }
        setup
    }

    /// The start position of standard chess.
    pub fn standard() -> Self {
        Self::chess960(518, 518)
    }

    /// The squares of the pieces of one kind and colour.
    pub fn colored_pieces(&self, color: Color, piece: Piece) -> Bitboard {
        self.squares(|occupant| occupant == (color, piece))
    }

    fn squares(&self, is_wanted: impl Fn((Color, Piece)) -> bool) -> Bitboard {
        Square::ALL.into_iter().filter(|square| self.board[square.index()].is_some_and(&is_wanted)).collect()
    }

    /// The position, or all faults of the setup.
    ///
    /// An en-passant square without a legal capture is not a fault; it is dropped.
    pub fn validate(&self) -> Result<Position, InvalidSetup> {
        let mut faults = Vec::new();
        for color in Color::ALL {
            self.check_pieces(color, &mut faults);
            self.check_castling(color, &mut faults);
        }
        let misplaced = self.castling_rooks & !OUTER_RANKS;
        faults.extend(misplaced.into_iter().map(|square| Fault::CastlingRookOffBackRank { square }));
        faults.extend(self.en_passant_fault());
        faults.extend(self.king_capture_fault());
        if !faults.is_empty() {
            return Err(InvalidSetup { faults });
        }
        Ok(Position::assemble(&Parts {
            board: &self.board,
            side_to_move: self.side_to_move,
            castling_rooks: self.castling_rooks,
            en_passant: self.en_passant,
            halfmove_clock: self.halfmove_clock,
            fullmove_number: self.fullmove_number.max(1),
        }))
    }

    fn check_pieces(&self, color: Color, faults: &mut Vec<Fault>) {
        let kings = self.colored_pieces(color, Piece::King).count();
        let pawns = self.colored_pieces(color, Piece::Pawn);
        let pieces = self.squares(|(of, _)| of == color).count();
        if kings != 1 {
            faults.push(Fault::Kings { color, count: kings });
        }
        if pieces > MAX_PIECES {
            faults.push(Fault::TooManyPieces { color, count: pieces });
        }
        if pawns.count() > MAX_PAWNS {
            faults.push(Fault::TooManyPawns { color, count: pawns.count() });
        }
        faults
            .extend((pawns & OUTER_RANKS).into_iter().map(|square| Fault::PawnOnOuterRank { color, square }));
    }

    fn check_castling(&self, color: Color, faults: &mut Vec<Fault>) {
        let back_rank = Bitboard::back_rank(color);
        let claimed = self.castling_rooks & back_rank;
        if claimed.is_empty() {
            return;
        }
        let Some(king) = (self.colored_pieces(color, Piece::King) & back_rank).first() else {
            faults.push(Fault::KingNotAtHome { color });
            return;
        };
        let rooks = self.colored_pieces(color, Piece::Rook);
        faults.extend((claimed & !rooks).into_iter().map(|square| Fault::NoCastlingRook { color, square }));
        for wing in Wing::ALL {
            let on_wing = (claimed & rooks).into_iter().filter(|&rook| Wing::of_rook(king, rook) == wing);
            if on_wing.count() > 1 {
                faults.push(Fault::TwoCastlingRooks { color, wing });
            }
        }
    }

    /// The fault that the side to move can capture the king. It is tested only if each side has one king.
    fn king_capture_fault(&self) -> Option<Fault> {
        let them = !self.side_to_move;
        if Color::ALL.into_iter().any(|color| self.colored_pieces(color, Piece::King).count() != 1) {
            return None;
        }
        let king = self.colored_pieces(them, Piece::King);
        let occupied = self.squares(|_| true);
        let mut attackers = Square::ALL.into_iter().filter(|square| {
            self.board[square.index()].is_some_and(|(color, piece)| {
                color != them && attacks::of_piece(color, piece, *square, occupied).intersects(king)
            })
        });
        Some(Fault::KingCanBeCaptured { king: them, by: attackers.next()? })
    }

    fn en_passant_fault(&self) -> Option<Fault> {
        let square = self.en_passant?;
        let them = !self.side_to_move;
        if square.rank() != Rank::Third.relative_to(them) {
            return Some(Fault::EnPassantRank { square, side_to_move: self.side_to_move });
        }
        let forward = if them == Color::White { 1 } else { -1 };
        let at = |ranks: i8| square.offset(0, ranks * forward).and_then(|square| self.board[square.index()]);
        if at(1) != Some((them, Piece::Pawn)) {
            return Some(Fault::EnPassantWithoutPawn { square, of: them });
        }
        let is_path_free = at(0).is_none() && at(-1).is_none();
        (!is_path_free).then_some(Fault::EnPassantBlocked { square, of: them })
    }
}

impl From<&Position> for Setup {
    fn from(position: &Position) -> Self {
        let occupant = |square| Some((position.color_on(square)?, position.piece_on(square)?));
        Self {
            board: Square::ALL.map(occupant),
            side_to_move: position.side_to_move(),
            castling_rooks: position.castling().rooks(),
            en_passant: position.en_passant(),
            halfmove_clock: position.halfmove_clock(),
            fullmove_number: position.fullmove_number(),
        }
    }
}

/// The start position of standard chess.
impl Default for Position {
    fn default() -> Self {
        Setup::standard().validate().expect("the start position is valid")
    }
}

/// The back rank of a Chess960 start position by its Scharnagl number: bishops, queen and knights are placed on free
/// squares in turn, and rook, king and rook on the last three.
fn chess960_back_rank(number: u16) -> [Piece; 8] {
    /// The free squares of the two knights, by the last digit of the scheme.
    const KNIGHTS: [(usize, usize); 10] =
        [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];
    let mut rest = usize::from(number % 960);
    let mut digit = |choices: usize| {
        let choice = rest % choices;
        rest /= choices;
        choice
    };
    let mut rank = [None; 8];
    rank[2 * digit(4) + 1] = Some(Piece::Bishop);
    rank[2 * digit(4)] = Some(Piece::Bishop);
    let mut put = |place: usize, piece| {
        let free = rank.iter_mut().filter(|square| square.is_none()).nth(place);
        *free.expect("there are eight pieces for eight squares") = Some(piece);
    };
    put(digit(6), Piece::Queen);
    let (first, second) = KNIGHTS[digit(10)];
    put(second, Piece::Knight);
    put(first, Piece::Knight);
    for piece in [Piece::Rook, Piece::King, Piece::Rook] {
        put(0, piece);
    }
    rank.map(|piece| piece.expect("every square has a piece"))
}

/// A fault of a [`Setup`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the messages below explain each fault")]
pub enum Fault {
    Kings { color: Color, count: u32 },
    TooManyPieces { color: Color, count: u32 },
    TooManyPawns { color: Color, count: u32 },
    PawnOnOuterRank { color: Color, square: Square },
    KingNotAtHome { color: Color },
    NoCastlingRook { color: Color, square: Square },
    CastlingRookOffBackRank { square: Square },
    TwoCastlingRooks { color: Color, wing: Wing },
    EnPassantRank { square: Square, side_to_move: Color },
    EnPassantWithoutPawn { square: Square, of: Color },
    EnPassantBlocked { square: Square, of: Color },
    KingCanBeCaptured { king: Color, by: Square },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Kings { color, count: 0 } => write!(f, "{color} has no king"),
            Self::Kings { color, count } => write!(f, "{color} has {count} kings"),
            Self::TooManyPieces { color, count } => {
                write!(f, "{color} has {count} pieces, more than {MAX_PIECES}")
            }
            Self::TooManyPawns { color, count } => {
                write!(f, "{color} has {count} pawns, more than {MAX_PAWNS}")
            }
            Self::PawnOnOuterRank { color, square } => write!(f, "{color} has a pawn on {square}"),
            Self::KingNotAtHome { color } => {
                write!(f, "{color} has castling rights, but its king is not on its first rank")
            }
            Self::NoCastlingRook { color, square } => {
                write!(f, "{color} has the right to castle with a rook on {square}, but there is none")
            }
            Self::CastlingRookOffBackRank { square } => {
                write!(f, "no side can castle with a rook on {square}")
            }
            Self::TwoCastlingRooks { color, wing } => {
                let side = if wing == Wing::King { "right" } else { "left" };
                write!(f, "{color} has the right to castle with two rooks to the {side} of its king")
            }
            Self::EnPassantRank { square, side_to_move } => {
                write!(f, "{side_to_move} is to move and cannot capture en passant on {square}")
            }
            Self::EnPassantWithoutPawn { square, of } => {
                write!(f, "no pawn of {of} can have passed {square}: there is none in front of it")
            }
            Self::EnPassantBlocked { square, of } => {
                write!(f, "no pawn of {of} can have passed {square}: its path was not free")
            }
            Self::KingCanBeCaptured { king, by } => {
                write!(f, "{king} is in check from {by}, but it is not its turn to move")
            }
        }
    }
}

/// All faults of a [`Setup`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InvalidSetup {
    /// The faults, at least one.
    pub faults: Vec<Fault>,
}

impl fmt::Display for InvalidSetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, fault) in self.faults.iter().enumerate() {
            let separator = if i == 0 { "" } else { "; " };
            write!(f, "{separator}{fault}")?;
        }
        Ok(())
    }
}

impl core::error::Error for InvalidSetup {}
