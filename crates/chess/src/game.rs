//! Games: start position, moves, and endings by the rules.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use crate::history::KeyHistory;
use crate::position::Position;
use crate::types::{Bitboard, Color, Move, Piece};

/// The outcome of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// A win of this side.
    Win(Color),
    /// A draw.
    Draw,
}

impl Outcome {
    /// The half points of a side: 2 for a win, 1 for a draw.
    pub fn half_points(self, side: Color) -> u8 {
        match self {
            Self::Draw => 1,
            Self::Win(winner) => 2 * u8::from(winner == side),
        }
    }
}

/// Writes the result in PGN notation: `1-0`, `0-1` or `1/2-1/2`.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Win(Color::White) => "1-0",
            Self::Win(Color::Black) => "0-1",
            Self::Draw => "1/2-1/2",
        })
    }
}

/// The reason for which a game ends by the rules.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// The side to move is in check and has no legal move.
    Checkmate {
        /// The side that gave mate.
        winner: Color,
    },
    /// The side to move is not in check and has no legal move.
    Stalemate,
    /// No sequence of moves leads to mate.
    InsufficientMaterial,
    /// Fifty moves of each side without a capture or a pawn move.
    FiftyMoves,
    /// The same position has occurred three times.
    ThreefoldRepetition,
}

impl Ending {
    /// The outcome.
    pub fn outcome(self) -> Outcome {
        match self {
            Self::Checkmate { winner } => Outcome::Win(winner),
            _ => Outcome::Draw,
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Checkmate { winner } => write!(f, "{winner} wins by checkmate"),
            Self::Stalemate => f.write_str("the game is drawn by stalemate"),
            Self::InsufficientMaterial => {
                f.write_str("the game is drawn: neither side has enough to give mate")
            }
            Self::FiftyMoves => f.write_str("the game is drawn by the fifty-move rule"),
            Self::ThreefoldRepetition => f.write_str("the game is drawn by threefold repetition"),
        }
    }
}

impl Position {
    /// The halfmove clock at which the fifty-move rule draws the game.
    pub const FIFTY_MOVES: u16 = 100;

    /// The ending by the rules that need no history. Checkmate on the hundredth ply wins.
    pub fn ending(&self) -> Option<Ending> {
        if self.count_legal_moves() == 0 {
            return Some(match self.is_check() {
                true => Ending::Checkmate { winner: !self.side_to_move() },
                false => Ending::Stalemate,
            });
        }
        if self.has_insufficient_material() {
            return Some(Ending::InsufficientMaterial);
        }
        (self.halfmove_clock() >= Self::FIFTY_MOVES).then_some(Ending::FiftyMoves)
    }

    /// Whether the side to move is checkmated.
    pub fn is_checkmate(&self) -> bool {
        self.is_check() && self.count_legal_moves() == 0
    }

    /// Whether no sequence of moves leads to mate: there is at most one minor piece, or only bishops on squares of one
    /// colour.
    pub fn has_insufficient_material(&self) -> bool {
        let mating = self.pieces(Piece::Pawn) | self.pieces(Piece::Rook) | self.pieces(Piece::Queen);
        if !mating.is_empty() {
            return false;
        }
        let (knights, bishops) = (self.pieces(Piece::Knight), self.pieces(Piece::Bishop));
        let dark = Bitboard::DARK_SQUARES;
        let one_colour = bishops.is_subset_of(dark) || bishops.is_subset_of(!dark);
        !(knights | bishops).has_many() || (knights.is_empty() && one_colour)
    }
}

/// A game: the start position, the moves, and all positions.
#[derive(Clone, Debug)]
pub struct Game {
    /// All positions, from the start position to the current one.
    positions: Vec<Position>,
    moves: Vec<Move>,
    history: KeyHistory,
}

/// The move is not legal in the current position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotLegal(pub Move);

impl fmt::Display for NotLegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the move from {} to {} is not legal here", self.0.from(), self.0.to())
    }
}

impl core::error::Error for NotLegal {}

impl Game {
    /// A game from the position `start`.
    pub fn new(start: Position) -> Self {
        Self { positions: vec![start], moves: Vec::new(), history: KeyHistory::new() }
    }

    /// The start position.
    pub fn start(&self) -> &Position {
        self.positions.first().expect("a game has its first position")
    }

    /// The current position.
    pub fn position(&self) -> &Position {
        self.positions.last().expect("a game has its first position")
    }

    /// All positions, from the start position to the current one.
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// The moves.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The keys of the positions before the current one; a search continues with them.
    pub fn history(&self) -> &KeyHistory {
        &self.history
    }

    /// Plays a move. An illegal move changes nothing.
    pub fn play(&mut self, mv: Move) -> Result<(), NotLegal> {
        if !self.position().is_legal(mv) {
            return Err(NotLegal(mv));
        }
        self.history.push(self.positions.last().expect("a game has its first position"));
        self.positions.push(self.position().after(mv));
        self.moves.push(mv);
        Ok(())
    }

    /// Takes back the last move and returns it.
    pub fn take_back(&mut self) -> Option<Move> {
        let mv = self.moves.pop()?;
        self.positions.pop();
        self.history.pop();
        Some(mv)
    }

    /// The number of occurrences of the current position in this game, itself included.
    pub fn occurrences(&self) -> usize {
        self.history.occurrences(self.position()) + 1
    }

    /// The ending by the rules; `None` while the game continues.
    pub fn ending(&self) -> Option<Ending> {
        let by_repetition = || (self.occurrences() >= 3).then_some(Ending::ThreefoldRepetition);
        self.position().ending().or_else(by_repetition)
    }
}

/// A game from the start position of standard chess.
impl Default for Game {
    fn default() -> Self {
        Self::new(Position::default())
    }
}
