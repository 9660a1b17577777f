//! A game: where it began, the moves, and how it ended.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use crate::history::KeyHistory;
use crate::position::Position;
use crate::types::{Bitboard, Color, Move, Piece};

/// Who won.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// This side won.
    Win(Color),
    /// Nobody did.
    Draw,
}

impl Outcome {
    /// Half points for a side: 2 for a win, 1 for a draw.
    pub fn half_points(self, side: Color) -> u8 {
        match self {
            Self::Draw => 1,
            Self::Win(winner) => 2 * u8::from(winner == side),
        }
    }
}

/// The result as PGN writes it.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Win(Color::White) => "1-0",
            Self::Win(Color::Black) => "0-1",
            Self::Draw => "1/2-1/2",
        })
    }
}

/// How the rules end a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// The side to move is in check and has no move.
    Checkmate {
        /// The side that gave mate.
        winner: Color,
    },
    /// The side to move is not in check and has no move.
    Stalemate,
    /// No sequence of moves leads to mate.
    InsufficientMaterial,
    /// Fifty moves of each side without a capture or a pawn move.
    FiftyMoves,
    /// The same position for the third time.
    ThreefoldRepetition,
}

impl Ending {
    /// Who won.
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
    /// The number of moves of either side, without a capture or a pawn move, after which a game is drawn.
    pub const FIFTY_MOVES: u16 = 100;

    /// How the game ends here by the rules that need no history. Mate on the hundredth move wins.
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

    /// Whether the side to move is mated.
    pub fn is_checkmate(&self) -> bool {
        self.is_check() && self.count_legal_moves() == 0
    }

    /// Whether no sequence of moves leads to mate: there is at most one minor piece, or there are only bishops and they
    /// all stand on squares of one colour.
    pub fn has_insufficient_material(&self) -> bool {
        let mighty = self.pieces(Piece::Pawn) | self.pieces(Piece::Rook) | self.pieces(Piece::Queen);
        if !mighty.is_empty() {
            return false;
        }
        let (knights, bishops) = (self.pieces(Piece::Knight), self.pieces(Piece::Bishop));
        let dark = Bitboard::DARK_SQUARES;
        let one_colour = bishops.is_subset_of(dark) || bishops.is_subset_of(!dark);
        !(knights | bishops).has_many() || (knights.is_empty() && one_colour)
    }
}

/// A game from its first position on.
#[derive(Clone, Debug)]
pub struct Game {
    /// Every position, the first one and the present one included.
    positions: Vec<Position>,
    moves: Vec<Move>,
    history: KeyHistory,
}

/// The move is not legal in the present position of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotLegal(pub Move);

impl fmt::Display for NotLegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the move from {} to {} is not legal here", self.0.from(), self.0.to())
    }
}

impl core::error::Error for NotLegal {}

impl Game {
    /// A game that begins in `start`.
    pub fn new(start: Position) -> Self {
        Self { positions: vec![start], moves: Vec::new(), history: KeyHistory::new() }
    }

    /// The first position.
    pub fn start(&self) -> &Position {
        self.positions.first().expect("a game has its first position")
    }

    /// The present position.
    pub fn position(&self) -> &Position {
        self.positions.last().expect("a game has its first position")
    }

    /// Every position from the first to the present one.
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// The moves so far.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The keys of the positions before the present one, for a search to go on with.
    pub fn history(&self) -> &KeyHistory {
        &self.history
    }

    /// Makes a move; an illegal one changes nothing.
    pub fn play(&mut self, mv: Move) -> Result<(), NotLegal> {
        if !self.position().is_legal(mv) {
            return Err(NotLegal(mv));
        }
        self.history.push(self.positions.last().expect("a game has its first position"));
        self.positions.push(self.position().after(mv));
        self.moves.push(mv);
        Ok(())
    }

    /// Takes the last move back and returns it.
    pub fn take_back(&mut self) -> Option<Move> {
        let mv = self.moves.pop()?;
        self.positions.pop();
        self.history.pop();
        Some(mv)
    }

    /// How often the present position occurred in this game, itself included.
    pub fn occurrences(&self) -> usize {
        self.history.occurrences(self.position()) + 1
    }

    /// How the game has ended, if it has.
    pub fn ending(&self) -> Option<Ending> {
        let by_repetition = || (self.occurrences() >= 3).then_some(Ending::ThreefoldRepetition);
        self.position().ending().or_else(by_repetition)
    }
}

/// The start of a game of standard chess.
impl Default for Game {
    fn default() -> Self {
        Self::new(Position::default())
    }
}
