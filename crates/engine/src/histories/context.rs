//! What histories know a position by, beside its pieces.

use rukh_chess::{Bitboard, Move, Piece, Position, Square, attacks};

use super::piece_to::PieceTo;

/// The moves before, as continuation histories ask for them: one, two and four plies ago; none after a null move.
pub type Before = [Option<PieceTo>; 3];

/// How a position came about, and what is under attack in it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Context {
    /// The moves that led to it.
    pub before: Before,
    /// What the side that is not to move attacks.
    pub threats: Threats,
}

impl From<Before> for Context {
    fn from(before: Before) -> Self {
        Self { before, threats: Threats::default() }
    }
}

/// The squares that the side not to move attacks; the default is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Threats {
    by_pawns: Bitboard,
    /// And by pawns.
    by_minors: Bitboard,
    /// And by minor pieces and pawns.
    by_rooks: Bitboard,
    by_any: Bitboard,
}

impl Threats {
    /// Those of a position.
    pub fn of(position: &Position) -> Self {
        let them = !position.side_to_move();
        let occupied = position.occupied();
        let by = |piece: Piece, attacks: fn(Square, Bitboard) -> Bitboard| {
            let pieces = position.colored_pieces(them, piece).into_iter();
            pieces.fold(Bitboard::EMPTY, |all, square| all | attacks(square, occupied))
        };
        let by_pawns = position.colored_pieces(them, Piece::Pawn).pawn_attacks(them);
        let by_knights = position.colored_pieces(them, Piece::Knight).knight_attacks();
        let by_minors = by_pawns | by_knights | by(Piece::Bishop, attacks::bishop);
        let by_rooks = by_minors | by(Piece::Rook, attacks::rook);
        let by_any = by_rooks | by(Piece::Queen, attacks::queen) | attacks::king(position.king(them));
        Self { by_pawns, by_minors, by_rooks, by_any }
    }

    /// Only those that make pieces leave a square; whether a square is attacked at all is not known.
    pub fn by_lesser_pieces(self) -> Self {
        Self { by_any: Bitboard::EMPTY, ..self }
    }

    /// Whether the squares a move goes from and to are attacked.
    #[inline]
    pub fn meet(&self, mv: Move) -> (bool, bool) {
        (self.by_any.contains(mv.from()), self.by_any.contains(mv.to()))
    }

    /// Whether a piece is attacked on a square by pieces worth less than itself.
    #[inline]
    pub fn endanger(&self, piece: Piece, square: Square) -> bool {
        let by_lesser = match piece {
            Piece::Pawn | Piece::King => Bitboard::EMPTY,
            Piece::Knight | Piece::Bishop => self.by_pawns,
            Piece::Rook => self.by_minors,
            Piece::Queen => self.by_rooks,
        };
        by_lesser.contains(square)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rukh_chess::MoveKind;
    use rukh_chess::random::SplitMix64;
    use rukh_chess::types::ByPiece;

    /// Square by square, by the pieces that attack it.
    #[test]
    fn threats_are_what_attackers_say() {
        const WORTH: ByPiece<i32> = ByPiece([1, 3, 3, 5, 9, 99]);
        let mut random = SplitMix64::new(11);
        for _ in 0..50 {
            let mut position = Position::default();
            for _ in 0..60 {
                let threats = Threats::of(&position);
                let them = position.color(!position.side_to_move());
                for square in Square::ALL {
                    let attackers = position.attackers_to(square, position.occupied()) & them;
                    let king = position.king(position.side_to_move());
                    if square != king {
                        let attacked = (!attackers.is_empty(), position.is_check());
                        assert_eq!(threats.meet(Move::new(square, king, MoveKind::Quiet)), attacked);
                    }
                    for piece in [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen] {
                        let is_lesser = |attacker: Square| {
                            position.piece_on(attacker).is_some_and(|attacker| WORTH[attacker] < WORTH[piece])
                        };
                        assert_eq!(threats.endanger(piece, square), attackers.into_iter().any(is_lesser));
                    }
                    assert!(!threats.endanger(Piece::Pawn, square) && !threats.endanger(Piece::King, square));
                }
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position = position.after(moves[random.next() as usize % moves.len()]);
            }
        }
    }
}
