//! Policy outputs: the number of the output that each move has. The trainer reads these numbers from the records of
//! `rukh data policy`; `square_pairs` is the one table that it makes again.
//!
//! It knows moves and static exchange, neither weights nor search.
//!
//! Squares are those that the side to move sees, mirrored as its [inputs](super::inputs). Outputs, in this order:
//!
//! | outputs | moves |
//! |---|---|
//! | 0 to 1,791 | from one square to another that a queen or a knight reaches on an empty board: by the first square, then by the second; castling goes from the king's to the rook's square |
//! | 1,792 to 1,879 | promotions: 4 × (2 × file of the pawn + file of the target) + piece, from 0 for a knight to 3 for a queen |
//! | 1,880 to 3,759 | the same again, for moves that lose material by static exchange |

use rukh_chess::types::ByPiece;
use rukh_chess::{Move, Piece, Position, Square};

use crate::nnue::features::Perspective;

/// Pairs of squares that a queen or a knight can move between.
const PAIRS: usize = 1_792;
/// Promotions: 22 pairs of files, four pieces.
const PROMOTIONS: usize = 22 * 4;
/// Moves without regard to exchanges.
const MOVES: usize = PAIRS + PROMOTIONS;
/// The number of outputs.
pub const OUTPUTS: usize = 2 * MOVES;

/// The values of static exchange evaluation. They are a part of the format: other values need another network.
const EXCHANGE_VALUES: ByPiece<i32> = ByPiece([100, 300, 300, 500, 900, 0]);

/// The number of each pair of squares; that of a pair without one is never used.
const PAIR_NUMBERS: [[u16; Square::COUNT]; Square::COUNT] = square_pairs();

/// Numbers the pairs of squares.
const fn square_pairs() -> [[u16; Square::COUNT]; Square::COUNT] {
    let mut numbers = [[0; Square::COUNT]; Square::COUNT];
    let (mut number, mut pair) = (0, 0);
    while pair < Square::COUNT * Square::COUNT {
        let (from, to) = (pair / Square::COUNT, pair % Square::COUNT);
        let files = (from % 8).abs_diff(to % 8);
        let ranks = (from / 8).abs_diff(to / 8);
        let is_line = from != to && (files == 0 || ranks == 0 || files == ranks);
        if is_line || files * ranks == 2 {
            numbers[from][to] = number;
            number += 1;
        }
        pair += 1;
    }
    assert!(number as usize == PAIRS);
    numbers
}

/// The output of a legal move, for a side to move with this perspective.
#[inline]
pub fn output_of(position: &Position, perspective: Perspective, mv: Move) -> usize {
    let (from, to) = (perspective.square(mv.from()), perspective.square(mv.to()));
    let number = match mv.promotion() {
        None => usize::from(PAIR_NUMBERS[from][to]),
        Some(piece) => PAIRS + 4 * (2 * (from % 8) + to % 8) + (piece.index() - Piece::Knight.index()),
    };
    if position.see_at_least(mv, 0, &EXCHANGE_VALUES) { number } else { MOVES + number }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::features::InputSet;
    use std::collections::HashSet;

    fn outputs(fen: &str) -> Vec<(String, usize)> {
        let position: Position = fen.parse().expect("it is valid");
        let side = position.side_to_move();
        let perspective = InputSet::ONE_BUCKET.perspective(side, position.king(side));
        let output =
            |&mv: &Move| (position.uci(mv, Default::default()), output_of(&position, perspective, mv));
        position.legal_moves().iter().map(output).collect()
    }

    fn output(fen: &str, name: &str) -> usize {
        outputs(fen).into_iter().find(|(mv, _)| mv == name).expect("it is legal").1
    }

    #[test]
    fn moves_of_a_position_have_different_outputs() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "8/1Q1Q1Q2/8/3Q2Q1/8/1K1Q4/8/4k3 w - - 0 1",
        ] {
            let all = outputs(fen);
            let different: HashSet<usize> = all.iter().map(|&(_, output)| output).collect();
            assert_eq!(different.len(), all.len(), "{fen}");
            assert!(different.iter().all(|&output| output < OUTPUTS));
        }
    }

    #[test]
    fn outputs_are_as_described() {
        // The king is on e1 and is seen on d1: the wings are swapped.
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(output(start, "h2h3"), usize::from(PAIR_NUMBERS[8][16]));
        assert_eq!((PAIR_NUMBERS[0][1], PAIR_NUMBERS[0][8], PAIR_NUMBERS[63][62]), (0, 7, 1_791));
        let promotion = "8/P7/8/8/8/8/8/1K3k2 w - - 0 1";
        assert_eq!(output(promotion, "a7a8n"), 1_792);
        assert_eq!(output(promotion, "a7a8q"), 1_795);
        let last = "8/7P/8/8/8/8/8/1K3k2 w - - 0 1";
        assert_eq!(output(last, "h7h8q"), 1_879);
        let losing = "7k/8/2p5/3p4/8/8/3R4/1K6 w - - 0 1";
        assert_eq!(output(losing, "d2d5"), MOVES + usize::from(PAIR_NUMBERS[11][35]));
    }

    #[test]
    fn colours_and_wings_do_not_matter() {
        let sorted = |fen: &str| {
            let mut all: Vec<usize> = outputs(fen).into_iter().map(|(_, output)| output).collect();
            all.sort_unstable();
            all
        };
        let here = sorted("6k1/P4pp1/4p2p/8/3N4/1P2P3/5PPP/6K1 w - - 0 1");
        assert_eq!(here, sorted("6k1/5ppp/1p2p3/3n4/8/4P2P/p4PP1/6K1 b - - 0 1"), "colours swapped");
        assert_eq!(here, sorted("1k6/1pp4P/p2p4/8/4N3/3P2P1/PPP5/1K6 w - - 0 1"), "wings swapped");
    }
}
