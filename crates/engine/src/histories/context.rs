//! History context: the previous moves (for continuation history) and the attacked squares (for threat history).

use rukh_chess::{Bitboard, Move, Piece, Position, Square, attacks};

use super::piece_to::PieceTo;

/// The moves one, two and four plies ago, by which continuation history is indexed; `None` for a null move.
pub(crate) type ContinuationContext = [Option<PieceTo>; 3];

/// What the histories of a position are indexed by, apart from the move.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Context {
    /// The previous moves.
    pub(crate) continuation: ContinuationContext,
    /// The squares attacked by the side not to move.
    pub(crate) threats: Threats,
}

impl From<ContinuationContext> for Context {
    fn from(continuation: ContinuationContext) -> Self {
        Self { continuation, threats: Threats::default() }
    }
}

/// The squares attacked by the side not to move; by default none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Threats {
    by_pawns: Bitboard,
    /// By minor pieces and pawns.
    by_minors: Bitboard,
    /// By rooks, minor pieces and pawns.
    by_rooks: Bitboard,
    by_any: Bitboard,
}

impl Threats {
    /// The threats of a position.
    pub(crate) fn of(position: &Position) -> Self {
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

    /// Only the attacks by less valuable pieces; [`Self::flags`] then returns false.
    pub(crate) fn by_lesser_pieces(self) -> Self {
        Self { by_any: Bitboard::EMPTY, ..self }
    }

    /// Threat flags: whether the from-square and the to-square of a move are attacked.
    #[inline]
    pub(crate) fn flags(&self, mv: Move) -> (bool, bool) {
        (self.by_any.contains(mv.from()), self.by_any.contains(mv.to()))
    }

    /// Whether a piece on a square is attacked by less valuable pieces.
    #[inline]
    pub(crate) fn is_attacked_by_lesser(&self, piece: Piece, square: Square) -> bool {
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

    /// Compares every square with the attackers of the position.
    #[test]
    fn threats_agree_with_the_attackers_of_each_square() {
        const VALUES: ByPiece<i32> = ByPiece([1, 3, 3, 5, 9, 99]);
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
                        assert_eq!(threats.flags(Move::new(square, king, MoveKind::Quiet)), attacked);
                    }
                    for piece in [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen] {
                        let is_lesser = |attacker: Square| {
                            position
                                .piece_on(attacker)
                                .is_some_and(|attacker| VALUES[attacker] < VALUES[piece])
                        };
                        assert_eq!(
                            threats.is_attacked_by_lesser(piece, square),
                            attackers.into_iter().any(is_lesser)
                        );
                    }
                    assert!(
                        !threats.is_attacked_by_lesser(Piece::Pawn, square)
                            && !threats.is_attacked_by_lesser(Piece::King, square)
                    );
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
