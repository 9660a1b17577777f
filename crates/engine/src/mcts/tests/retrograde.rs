//! Retrograde analysis of king and queen or rook against king, as a reference for proofs.

use rukh_chess::{Bitboard, Color, Piece, Square, attacks};

/// Distances to mate of king and a piece against king, with White as the strong side.
pub(super) struct Table {
    piece: Piece,
    /// By side to move, white king, piece and black king: plies to mate, or `None` for draws and illegal positions.
    plies: Vec<Option<u8>>,
}

const SIZE: usize = Square::COUNT;

fn index(side: Color, king: Square, piece: Square, enemy: Square) -> usize {
    ((side.index() * SIZE + king.index()) * SIZE + piece.index()) * SIZE + enemy.index()
}

impl Table {
    pub(super) fn new(piece: Piece) -> Self {
        let mut table = Self { piece, plies: vec![None; 2 * SIZE * SIZE * SIZE] };
        for depth in 0.. {
            let mut has_changed = false;
            let side = if depth % 2 == 0 { Color::Black } else { Color::White };
            for king in Square::ALL {
                for square in Square::ALL.into_iter().filter(|&square| square != king) {
                    for enemy in Square::ALL {
                        let at = index(side, king, square, enemy);
                        if table.plies[at].is_none()
                            && table.is_legal(side, king, square, enemy)
                            && table.is_decided(side, king, square, enemy, depth)
                        {
                            table.plies[at] = Some(depth);
                            has_changed = true;
                        }
                    }
                }
            }
            if !has_changed && depth > 1 {
                return table;
            }
        }
        table
    }

    fn attacks(&self, king: Square, piece: Square, without: Square) -> Bitboard {
        let occupied = (Bitboard::of(king) | Bitboard::of(piece)) & !Bitboard::of(without);
        attacks::king(king) | attacks::of_piece(Color::White, self.piece, piece, occupied)
    }

    /// The pieces stand apart, and the side that has moved is not in check.
    fn is_legal(&self, side: Color, king: Square, piece: Square, enemy: Square) -> bool {
        let apart = enemy != king && enemy != piece && !attacks::king(king).contains(enemy);
        apart && (side == Color::Black || !self.attacks(king, piece, enemy).contains(enemy))
    }

    /// Whether White mates (White to move) or Black is mated (Black to move) in exactly `depth` plies, where all shorter
    /// mates are known.
    fn is_decided(&self, side: Color, king: Square, piece: Square, enemy: Square, depth: u8) -> bool {
        let known = |side, king, piece, enemy| self.plies[index(side, king, piece, enemy)];
        if side == Color::White {
            let mut moves = attacks::king(king)
                .into_iter()
                .filter(|&to| to != piece && self.is_legal(Color::Black, to, piece, enemy))
                .map(|to| (to, piece))
                .collect::<Vec<_>>();
            let occupied = Bitboard::of(king) | Bitboard::of(enemy);
            let targets = attacks::of_piece(Color::White, self.piece, piece, occupied) & !occupied;
            moves.extend(targets.into_iter().map(|to| (king, to)));
            return moves
                .iter()
                .any(|&(king, piece)| known(Color::Black, king, piece, enemy) == Some(depth - 1));
        }
        let attacked = self.attacks(king, piece, enemy);
        let steps = attacks::king(enemy).into_iter().filter(|&to| match to == piece {
            true => !attacks::king(king).contains(to),
            false => to != king && !attacked.contains(to),
        });
        let steps: Vec<Square> = steps.collect();
        if steps.is_empty() {
            return depth == 0 && attacked.contains(enemy);
        }
        steps
            .iter()
            .all(|&to| to != piece && known(Color::White, king, piece, to).is_some_and(|plies| plies < depth))
    }

    /// Plies to mate for a legal position; `None` for a draw.
    pub(super) fn probe(&self, side: Color, king: Square, piece: Square, enemy: Square) -> Option<u8> {
        self.plies[index(side, king, piece, enemy)]
    }

    pub(super) fn longest(&self) -> Option<u8> {
        self.plies.iter().copied().flatten().max()
    }
}

#[test]
fn the_longest_mates_are_the_known_ones() {
    assert_eq!(Table::new(Piece::Queen).longest(), Some(20), "mate in ten moves");
    assert_eq!(Table::new(Piece::Rook).longest(), Some(32), "mate in sixteen moves");
}
