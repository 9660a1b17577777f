//! Policy inputs: each piece on its square, by whether either side attacks the square.
//!
//! It knows positions, not weights.
//!
//! An input has the number 768 × case + the number of the [piece-square feature](crate::nnue::features), seen by the side to
//! move and mirrored so that its king is on the files a to d. The case is 1 if the opponent attacks the square, plus 2 if the
//! side to move does: attacked and defended pieces of either side differ.

use rukh_chess::{Bitboard, Color, Piece, Position, attacks};

use crate::nnue::features::{InputSet, PIECE_SQUARES, Perspective, PlacedPiece};

/// Attacked by the opponent or not, by the side to move or not.
const CASES: usize = 4;
/// The number of inputs.
pub const INPUTS: usize = CASES * PIECE_SQUARES;
/// Greatest number of active inputs: the pieces of a position.
pub const ACTIVE_MAX: usize = 32;

/// How the side to move sees the board.
pub fn perspective(position: &Position) -> Perspective {
    let side = position.side_to_move();
    InputSet::ONE_BUCKET.perspective(side, position.king(side))
}

/// The active inputs of a position.
#[inline]
pub fn active(position: &Position, perspective: Perspective) -> impl Iterator<Item = usize> + '_ {
    let side = position.side_to_move();
    let (by_us, by_them) = (attacked_by(position, side), attacked_by(position, !side));
    PlacedPiece::all_of(position).map(move |placed| {
        let case =
            usize::from(by_them.contains(placed.square)) + 2 * usize::from(by_us.contains(placed.square));
        case * PIECE_SQUARES + perspective.feature(side, placed)
    })
}

/// The squares that a side attacks; pieces of its own on them are defended.
fn attacked_by(position: &Position, color: Color) -> Bitboard {
    let occupied = position.occupied();
    let pieces = |piece| position.colored_pieces(color, piece);
    let mut attacked = pieces(Piece::Pawn).pawn_attacks(color) | pieces(Piece::Knight).knight_attacks();
    for square in position.diagonal_sliders(color) {
        attacked |= attacks::bishop(square, occupied);
    }
    for square in position.orthogonal_sliders(color) {
        attacked |= attacks::rook(square, occupied);
    }
    attacked | attacks::king(position.king(color))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inputs(fen: &str) -> Vec<usize> {
        let position: Position = fen.parse().expect("it is valid");
        let mut all: Vec<usize> = active(&position, perspective(&position)).collect();
        all.sort_unstable();
        all
    }

    #[test]
    fn pieces_differ_by_attackers_and_defenders() {
        // The rook on d4 attacks the pawn on d6, which the pawn on c7 defends.
        let all = inputs("6k1/2p5/3p4/8/3R4/8/8/1K6 w - - 0 1");
        let feature = |piece: usize, square: usize| piece * 64 + square;
        let rook = feature(3, 27);
        let (attacked_pawn, other_pawn) = (2 * 768 + 768 + feature(6, 43), feature(6, 50));
        let kings = [feature(5, 1), feature(11, 62)];
        let mut expected = vec![rook, attacked_pawn, other_pawn, kings[0], kings[1]];
        expected.sort_unstable();
        assert_eq!(all, expected);
    }

    /// All attacks agree with those of each piece.
    #[test]
    fn attacks_are_those_of_the_pieces() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        ] {
            let position: Position = fen.parse().expect("it is valid");
            for color in Color::ALL {
                let mut expected = Bitboard::EMPTY;
                for square in position.color(color) {
                    let piece = position.piece_on(square).expect("a piece stands there");
                    expected |= attacks::of_piece(color, piece, square, position.occupied());
                }
                assert_eq!(attacked_by(&position, color), expected, "{fen}");
            }
        }
    }

    #[test]
    fn colours_and_wings_do_not_matter() {
        let here = inputs("6k1/P4pp1/4p2p/8/3N4/1P2P3/5PPP/6K1 w - - 0 1");
        assert_eq!(here, inputs("6k1/5ppp/1p2p3/3n4/8/4P2P/p4PP1/6K1 b - - 0 1"), "colours swapped");
        assert_eq!(here, inputs("1k6/1pp4P/p2p4/8/4N3/3P2P1/PPP5/1K6 w - - 0 1"), "wings swapped");
    }
}
