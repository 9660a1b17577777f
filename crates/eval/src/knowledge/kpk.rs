//! The KPK bitbase: king and pawn against king, solved by retrograde analysis at first use.
//!
//! For each square of the strong king and the pawn, the squares of the lone king that lose are one bitboard, so 64
//! positions are solved at a time. It knows the moves of kings and pawns by itself and nothing of evaluation.

use std::sync::LazyLock;

use rukh_chess::types::{File, Rank};
use rukh_chess::{Bitboard, Color, Square, attacks};

/// Pawns are on the files a to d, the other files being their mirror image, and on the ranks two to seven.
const PAWN_FILES: usize = File::COUNT / 2;
const PAWN_SQUARES: usize = PAWN_FILES * (Rank::COUNT - 2);

/// For each side to move, king and pawn: the squares on which the lone king loses.
struct Bitbase(Box<[Bitboard]>);

static BITBASE: LazyLock<Bitbase> = LazyLock::new(Bitbase::solve);

/// The white king and pawn.
#[derive(Clone, Copy)]
struct Pair {
    king: Square,
    pawn: Square,
}

impl Pair {
    /// The index in the bitbase; the pawn is on the files a to d.
    const fn index(self, to_move: Color) -> usize {
        let pawn = (self.pawn.rank().index() - 1) * PAWN_FILES + self.pawn.file().index();
        (to_move.index() * PAWN_SQUARES + pawn) * Square::COUNT + self.king.index()
    }

    fn pawn_attacks(self) -> Bitboard {
        attacks::pawn(Color::White, self.pawn)
    }

    /// The legal squares of the lone king.
    fn legal(self, to_move: Color) -> Bitboard {
        let pieces = Bitboard::of(self.king) | Bitboard::of(self.pawn);
        let check = if to_move == Color::White { self.pawn_attacks() } else { Bitboard::EMPTY };
        !(pieces | attacks::king(self.king) | check)
    }

    /// The squares on which the lone king loses with White to move: some white move leads to a loss with Black to move.
    fn won_moving(self, table: &Bitbase) -> Bitboard {
        let lost = |pair: Self| table.0[pair.index(Color::Black)];
        let steps = attacks::king(self.king) & !Bitboard::of(self.pawn);
        let by_king = steps.into_iter().fold(Bitboard::EMPTY, |won, king| won | lost(Self { king, ..self }));
        let stop = self.pawn.offset(0, 1).expect("a pawn stands below the last rank");
        let by_pawn = if stop == self.king {
            Bitboard::EMPTY
        } else if stop.rank() == Rank::Eighth {
            // A promotion wins unless the lone king captures the new piece.
            let takes = attacks::king(stop);
            let guarded = attacks::king(self.king).contains(stop);
            !(if guarded { Bitboard::EMPTY } else { takes } | Bitboard::of(stop))
        } else {
            let once = lost(Self { pawn: stop, ..self });
            let further =
                stop.offset(0, 1).filter(|&square| self.pawn.rank() == Rank::Second && square != self.king);
            let twice = further.map_or(Bitboard::EMPTY, |pawn| lost(Self { pawn, ..self }));
            (once | twice) & !Bitboard::of(stop)
        };
        (by_king | by_pawn) & self.legal(Color::White)
    }

    // ANCHOR: won_waiting
    /// The squares on which the lone king loses with Black to move: it is not stalemate, the pawn cannot be captured, and
    /// every move leads to a loss.
    fn won_waiting(self, table: &Bitbase) -> Bitboard {
        let guarded = attacks::king(self.king);
        let free = !(guarded | self.pawn_attacks() | Bitboard::of(self.pawn));
        let escapes = neighbours(free & !table.0[self.index(Color::White)]);
        let takes = if guarded.contains(self.pawn) { Bitboard::EMPTY } else { attacks::king(self.pawn) };
        let stalemates = !neighbours(free) & !self.pawn_attacks();
        self.legal(Color::Black) & !(escapes | takes | stalemates)
    }
    // ANCHOR_END: won_waiting
}

/// The squares a king move away from one of the set.
fn neighbours(squares: Bitboard) -> Bitboard {
    let beside = squares.shifted(1) | squares.shifted(-1);
    let row = squares | beside;
    beside | row.shifted(8) | row.shifted(-8)
}

impl Bitbase {
    /// Iterates over all squares of king and pawn until nothing changes.
    fn solve() -> Self {
        let mut table = Self(vec![Bitboard::EMPTY; Color::COUNT * PAWN_SQUARES * Square::COUNT].into());
        let ranks = Rank::ALL[1..Rank::COUNT - 1].iter().rev();
        let pawns: Vec<_> = ranks
            .flat_map(|&rank| File::ALL[..PAWN_FILES].iter().map(move |&file| Square::new(file, rank)))
            .collect();
        let mut has_changed = true;
        while has_changed {
            has_changed = false;
            for &pawn in &pawns {
                for king in Square::ALL.into_iter().filter(|&king| king != pawn) {
                    let pair = Pair { king, pawn };
                    for (to_move, won) in
                        [(Color::White, pair.won_moving(&table)), (Color::Black, pair.won_waiting(&table))]
                    {
                        let known = &mut table.0[pair.index(to_move)];
                        has_changed |= *known != won;
                        *known = won;
                    }
                }
            }
        }
        table
    }
}

/// Solves the bitbase now if it is not solved yet, so that no search waits for it.
pub fn prepare() {
    LazyLock::force(&BITBASE);
}

/// Whether `strong`, with king and pawn against the king on `enemy`, wins; the position must be legal.
pub fn is_won(strong: Color, king: Square, pawn: Square, enemy: Square, side_to_move: Color) -> bool {
    let (squares, to_move) = match strong {
        Color::White => ([king, pawn, enemy], side_to_move),
        Color::Black => ([king, pawn, enemy].map(Square::flip_rank), !side_to_move),
    };
    let is_mirrored = squares[1].file().index() >= PAWN_FILES;
    let [king, pawn, enemy] = if is_mirrored { squares.map(Square::flip_file) } else { squares };
    BITBASE.0[Pair { king, pawn }.index(to_move)].contains(enemy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_king_moves() {
        for squares in [0, 1, 1 << 63, 0x8100_0000_0000_0081, 0x0012_3400_8001_0ff0, u64::MAX] {
            let squares = Bitboard(squares);
            let steps = squares.into_iter().fold(Bitboard::EMPTY, |all, square| all | attacks::king(square));
            assert_eq!(neighbours(squares), steps);
        }
    }
}
