//! Encoding: a position as the numbers that the network sees, and its moves as outputs of the policy head.
//!
//! It is that of `scripts/teacher`: the side to move sees the board from its side, Black's board is turned upside down. It knows
//! nothing of how the network is evaluated.

use rukh_chess::types::Wing;
use rukh_chess::{Color, Move, Piece, Position, Square};

/// Planes of the input: the pieces of both sides, the en-passant square, four castling rights and the halfmove clock.
pub(crate) const PLANES: usize = 2 * Piece::COUNT + 6;
/// The first of these planes have one 1 at most on each square, the others are the same number on all squares.
pub(crate) const ONE_HOT_PLANES: usize = 2 * Piece::COUNT + 1;
/// Planes that are the same on all squares.
pub(crate) const UNIFORM_PLANES: usize = PLANES - ONE_HOT_PLANES;
/// Squares of a plane.
pub(crate) const SQUARES: usize = 64;
/// Outputs of the policy head: pairs of squares.
pub(crate) const PAIRS: usize = SQUARES * SQUARES;

/// The network does not tell promotions apart; one to a lesser piece has the logit of the queen less this.
pub const LESSER_PROMOTION: f32 = 5.0;
/// The halfmove clock that is 1 in the input.
const FULL_CLOCK: f32 = 100.0;

/// A position as the network sees it.
#[derive(Clone, PartialEq, Debug)]
pub struct Encoded {
    /// The plane of the piece on each square; `None` for an empty square. The pieces of the side to move come first.
    pub pieces: [Option<u8>; SQUARES],
    /// The en-passant square.
    pub en_passant: Option<u8>,
    /// Castling rights: kingside and queenside of the side to move, then of the opponent.
    pub castling: [bool; 4],
    /// The halfmove clock.
    pub clock: f32,
    /// The output of each legal move.
    pub outputs: Vec<u16>,
    /// Which of the moves promote to another piece than a queen.
    pub lesser: Vec<bool>,
}

impl Encoded {
    /// Encodes a position and its legal moves.
    pub fn new(position: &Position, moves: &[Move]) -> Self {
        let side = position.side_to_move();
        let mut pieces = [None; SQUARES];
        for square in Square::ALL {
            if let Some((piece, color)) = position.piece_on(square).zip(position.color_on(square)) {
                let plane = piece.index() + if color == side { 0 } else { Piece::COUNT };
                pieces[seen(square, side)] = Some(plane as u8);
            }
        }
        let right =
            |color: Color, wing| position.castling().rook(color, wing, position.king(color)).is_some();
        let [king_side, queen_side] = Wing::ALL;
        Self {
            pieces,
            en_passant: position.en_passant().map(|square| seen(square, side) as u8),
            castling: [
                right(side, king_side),
                right(side, queen_side),
                right(!side, king_side),
                right(!side, queen_side),
            ],
            // A label stores it in a byte.
            clock: f32::from(position.halfmove_clock().min(u16::from(u8::MAX))) / FULL_CLOCK,
            outputs: moves.iter().map(|&mv| output(mv, side)).collect(),
            lesser: moves
                .iter()
                .map(|mv| mv.promotion().is_some_and(|piece| piece != Piece::Queen))
                .collect(),
        }
    }

    /// For each square which of the one-hot planes is 1 there, if any. The en-passant square is empty, so there is one at most.
    pub fn one_hot(&self) -> [Option<u8>; SQUARES] {
        let mut planes = self.pieces;
        if let Some(square) = self.en_passant {
            planes[usize::from(square)] = Some(ONE_HOT_PLANES as u8 - 1);
        }
        planes
    }

    /// The numbers of the uniform planes.
    pub fn uniform(&self) -> [f32; UNIFORM_PLANES] {
        let [a, b, c, d] = self.castling.map(|has_right| if has_right { 1.0 } else { 0.0 });
        [a, b, c, d, self.clock]
    }

    /// The planes as numbers, one after the other.
    pub fn planes(&self) -> [f32; PLANES * SQUARES] {
        let mut planes = [0.0; PLANES * SQUARES];
        let (one_hot, uniform) = planes.split_at_mut(ONE_HOT_PLANES * SQUARES);
        for (square, plane) in self.one_hot().into_iter().enumerate() {
            if let Some(plane) = plane {
                one_hot[usize::from(plane) * SQUARES + square] = 1.0;
            }
        }
        let numbers = self.uniform();
        uniform.chunks_exact_mut(SQUARES).zip(numbers).for_each(|(plane, number)| plane.fill(number));
        planes
    }
}

/// The index of a square as this side sees it.
fn seen(square: Square, side: Color) -> usize {
    match side {
        Color::White => square.index(),
        Color::Black => square.flip_rank().index(),
    }
}

/// The output of a move; castling goes to the square of the rook.
fn output(mv: Move, side: Color) -> u16 {
    (seen(mv.from(), side) * SQUARES + seen(mv.to(), side)) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(fen: &str) -> Encoded {
        let position: Position = fen.parse().expect("it is a position");
        Encoded::new(&position, &position.legal_moves())
    }

    fn square(name: &str) -> usize {
        name.parse::<Square>().expect("it is a square").index()
    }

    #[test]
    fn the_board_is_seen_by_the_side_to_move() {
        let white = encoded("r3k2r/p7/8/8/8/8/7P/R3K3 w Qkq - 37 60");
        assert_eq!(white.pieces[square("e1")], Some(5));
        assert_eq!(white.pieces[square("e8")], Some(11));
        assert_eq!(white.pieces[square("h2")], Some(0));
        assert_eq!(white.pieces[square("a7")], Some(6));
        assert_eq!(white.castling, [false, true, true, true]);
        assert_eq!((white.en_passant, white.clock), (None, 0.37));
        let black = encoded("r3k2r/p7/8/8/8/8/7P/R3K3 b Qkq - 37 60");
        assert_eq!(black.pieces[square("e1")], Some(5), "Black's king is its own");
        assert_eq!(black.pieces[square("a2")], Some(0));
        assert_eq!(black.pieces[square("h7")], Some(6));
        assert_eq!(black.castling, [true, true, false, true]);
    }

    #[test]
    fn colours_exchanged_are_the_same_inputs() {
        for (white, black) in [
            ("rn2k2r/P6p/8/3pP3/8/8/7P/R3K3 w Qkq d6 0 30", "r3k3/7p/8/8/3Pp3/8/p6P/RN2K2R b KQq d3 0 30"),
            ("4k3/8/8/8/8/2N5/8/4K3 w - - 12 9", "4k3/8/2n5/8/8/8/8/4K3 b - - 12 9"),
        ] {
            let (mut white, mut black) = (encoded(white), encoded(black));
            [&mut white, &mut black].into_iter().for_each(|encoded| encoded.outputs.sort_unstable());
            [&mut white, &mut black].into_iter().for_each(|encoded| encoded.lesser.sort_unstable());
            assert_eq!(white, black);
        }
    }

    #[test]
    fn en_passant_and_castling_are_moves_as_in_the_labels() {
        let fen = "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 30";
        let position: Position = fen.parse().expect("it is a position");
        let of = |name: &str| {
            let mv = position.parse_uci(name).expect("it is legal");
            usize::from(Encoded::new(&position, &[mv]).outputs[0])
        };
        assert_eq!(encoded(fen).en_passant, Some(square("d6") as u8));
        assert_eq!(of("e5d6"), square("e5") * 64 + square("d6"));
        assert_eq!(of("e1g1"), square("e1") * 64 + square("h1"));
        assert_eq!(of("e1c1"), square("e1") * 64 + square("a1"));
        let no_capture = encoded("rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq e6 0 2");
        assert_eq!(no_capture.en_passant, None, "nothing can be taken there");
    }

    #[test]
    fn planes_hold_what_the_fields_say() {
        let encoded = encoded("r3k2r/8/8/3pP3/8/8/8/R3K2R w Kq d6 0 30");
        let planes = encoded.planes();
        let plane = |number: usize| &planes[number * SQUARES..(number + 1) * SQUARES];
        assert_eq!(planes.len(), 18 * 64);
        assert_eq!(plane(0)[square("e5")], 1.0);
        assert_eq!(plane(6)[square("d5")], 1.0);
        assert_eq!((0..12).map(|number| plane(number).iter().sum::<f32>()).sum::<f32>(), 8.0);
        assert_eq!(plane(12).iter().sum::<f32>(), 1.0);
        assert_eq!(plane(12)[square("d6")], 1.0);
        assert_eq!([13, 14, 15, 16, 17].map(|number| plane(number)[0]), [1.0, 0.0, 0.0, 1.0, 0.0]);
    }

    #[test]
    fn only_lesser_promotions_are_marked() {
        let encoded = encoded("8/P6k/8/8/8/8/8/K7 w - - 0 1");
        assert_eq!(encoded.lesser.iter().filter(|lesser| **lesser).count(), 3);
        assert!(encoded.outputs.iter().filter(|output| usize::from(**output) == 48 * 64 + 56).count() == 4);
    }
}
