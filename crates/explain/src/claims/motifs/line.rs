//! A line of play with all its positions, and the opponent's move before it.

use rukh_chess::types::Wing;
use rukh_chess::{Bitboard, Color, Move, MoveKind, Piece, Position, Square};

use super::super::claim::{Finding, NamedPiece};
use super::super::fact::{Fact, Predicate};
use super::super::kind::ClaimKind;

/// A line: the hero moves first and then every second ply.
#[derive(Clone, Debug)]
pub struct MotifLine {
    previous: Option<(Position, Move)>,
    positions: Vec<Position>,
    moves: Vec<Move>,
}

/// One move of a line.
#[derive(Clone, Copy, Debug)]
pub struct Step<'l> {
    /// The index of the move in the line.
    pub at: usize,
    /// The position before the move.
    pub before: &'l Position,
    /// The move.
    pub mv: Move,
    /// The position after the move.
    pub after: &'l Position,
}

impl Step<'_> {
    /// The square where the moved piece stands after the move: for castling that of the king.
    pub fn to(&self) -> Square {
        destination(self.before, self.mv)
    }

    /// The squares of the pieces that the move brought there: castling brings king and rook.
    pub fn arrivals(&self) -> Bitboard {
        let rook = self
            .mv
            .is_castling()
            .then(|| Wing::of_rook(self.mv.from(), self.mv.to()).rook_target(self.before.side_to_move()));
        Bitboard::of(self.to()) | rook.map_or(Bitboard::EMPTY, Bitboard::of)
    }

    /// The square that the moved piece left.
    pub fn from(&self) -> Square {
        self.mv.from()
    }

    /// The piece that moved; a pawn for a promotion.
    pub fn piece(&self) -> Piece {
        self.before.piece_on(self.mv.from()).expect("a legal move starts on a piece")
    }

    /// The piece that moved, as it stands after the move.
    pub fn arrived(&self) -> Piece {
        self.mv.promotion().unwrap_or_else(|| self.piece())
    }

    /// The captured piece.
    pub fn captured(&self) -> Option<Piece> {
        self.before.captured_by(self.mv)
    }

    /// Plies of the line up to and including this move.
    pub fn plies(&self) -> usize {
        self.at + 1
    }

    /// The named piece on a square after this move.
    pub fn named(&self, square: Square) -> Option<NamedPiece> {
        NamedPiece::on(self.after, square)
    }

    /// A finding that is complete with this move. `squares` are those of the pieces it is about, after the move.
    pub fn finding(&self, kind: ClaimKind, squares: &[Square], facts: Vec<Fact>) -> Finding {
        let pieces = squares.iter().filter_map(|&square| self.named(square)).collect();
        Finding { kind, at: self.at, plies: self.plies(), pieces, facts }
    }

    /// The square of the captured piece, if there is one: for an en-passant capture not that of the move.
    pub fn captured_on(&self) -> Square {
        match self.mv.kind() {
            MoveKind::EnPassant => Square::new(self.mv.to().file(), self.mv.from().rank()),
            _ => self.mv.to(),
        }
    }

    /// The fact that this move captures a piece; `None` for a move that captures nothing.
    pub fn capture_fact(&self) -> Option<Fact> {
        let square = self.captured_on();
        self.captured().map(|piece| Predicate::Captures { piece, square }.at(self.plies()))
    }
}

/// The square where the moved piece stands after a move: for castling that of the king.
pub(super) fn destination(position: &Position, mv: Move) -> Square {
    let color = position.side_to_move();
    match mv.kind() {
        MoveKind::CastleKingSide | MoveKind::CastleQueenSide => {
            Wing::of_rook(mv.from(), mv.to()).king_target(color)
        }
        _ => mv.to(),
    }
}

impl MotifLine {
    /// A line of legal moves from `start`. `previous` is the opponent's move that led to `start`, with the position
    /// before it.
    pub fn new(previous: Option<(Position, Move)>, start: &Position, moves: &[Move]) -> Self {
        let mut positions = Vec::with_capacity(moves.len() + 1);
        positions.push(start.clone());
        for &mv in moves {
            let after = positions[positions.len() - 1].after(mv);
            positions.push(after);
        }
        Self { previous, positions, moves: moves.to_vec() }
    }

    /// The side that moves first.
    pub fn hero(&self) -> Color {
        self.positions[0].side_to_move()
    }

    /// The number of moves.
    pub fn plies(&self) -> usize {
        self.moves.len()
    }

    /// The position after `plies` moves.
    pub fn position(&self, plies: usize) -> &Position {
        &self.positions[plies]
    }

    /// The last position.
    pub fn end(&self) -> &Position {
        &self.positions[self.moves.len()]
    }

    /// The move with this index; `None` beyond the end.
    pub fn step(&self, at: usize) -> Option<Step<'_>> {
        let mv = *self.moves.get(at)?;
        Some(Step { at, before: &self.positions[at], mv, after: &self.positions[at + 1] })
    }

    /// The opponent's move before the line.
    pub fn previous(&self) -> Option<(&Position, Move)> {
        self.previous.as_ref().map(|(position, mv)| (position, *mv))
    }

    /// The moves of the hero.
    pub fn own(&self) -> impl DoubleEndedIterator<Item = Step<'_>> {
        (0..self.moves.len().div_ceil(2)).filter_map(|turn| self.step(2 * turn))
    }

    /// The moves of the hero after the first, each with the hero's move before it and the reply to that.
    pub fn own_pairs(&self) -> impl Iterator<Item = (Step<'_>, Step<'_>, Step<'_>)> {
        self.own().skip(1).filter_map(|step| Some((self.step(step.at - 2)?, self.step(step.at - 1)?, step)))
    }

    /// The last move, if the hero made it.
    pub fn last_own(&self) -> Option<Step<'_>> {
        self.step(self.moves.len().checked_sub(1)?).filter(|step| step.at % 2 == 0)
    }
}
