//! Mate: the line ends with checkmate by the hero. Mate in n counts the hero's moves.

use rukh_chess::types::{File, Rank};
use rukh_chess::{Bitboard, Color, Piece, Position, Square, attacks};

use super::super::claim::Finding;
use super::super::fact::Predicate;
use super::super::kind::ClaimKind;
use super::board::attackers;
use super::line::{MotifLine, Step};

/// Mate at the end of the line.
pub(super) fn mate_in(line: &MotifLine) -> Option<Finding> {
    let last = line.last_own().filter(|step| step.after.is_checkmate())?;
    let checkers: Vec<_> = last.after.checkers().into_iter().collect();
    Some(last.finding(ClaimKind::MateIn, &checkers, vec![Predicate::Checkmate.at(last.plies())]))
}

/// The final position of a mate with what the patterns need.
pub(super) struct Mate<'l> {
    pub(super) board: &'l Position,
    /// The winner.
    pub(super) hero: Color,
    /// The square of the mated king.
    pub(super) king: Square,
    /// The piece that moved last, as it stands now.
    pub(super) piece: Piece,
    /// Its square.
    pub(super) square: Square,
}

/// The name of a mate and its definition.
pub(super) type Pattern = (ClaimKind, fn(&Mate<'_>) -> bool);

impl<'l> Mate<'l> {
    /// The mate that a move gives.
    pub(super) fn new(last: &Step<'l>) -> Self {
        let hero = last.before.side_to_move();
        let king = last.after.king(!hero);
        Self { board: last.after, hero, king, piece: last.arrived(), square: last.to() }
    }

    pub(super) fn them(&self) -> Bitboard {
        self.board.color(!self.hero)
    }

    pub(super) fn field(&self) -> Bitboard {
        attacks::king(self.king)
    }

    pub(super) fn own(&self, piece: Piece) -> Bitboard {
        self.board.colored_pieces(self.hero, piece)
    }

    /// The hero's pieces that attack a square.
    pub(super) fn guards(&self, square: Square) -> Bitboard {
        attackers(self.board, self.hero, square)
    }

    pub(super) fn is_edge_file(&self) -> bool {
        matches!(self.king.file(), File::A | File::H)
    }

    pub(super) fn is_edge_rank(&self) -> bool {
        matches!(self.king.rank(), Rank::First | Rank::Eighth)
    }

    /// The hero's pieces that attack a square once the king has left its place.
    pub(super) fn guards_behind_king(&self, square: Square) -> Bitboard {
        let occupied = self.board.occupied() & !Bitboard::of(self.king);
        self.board.attackers_to(square, occupied) & self.board.color(self.hero)
    }

    /// The empty squares next to the king.
    pub(super) fn empty_field(&self) -> Bitboard {
        self.field() & !self.board.occupied()
    }
}
