//! A position to learn from, in 32 bytes.

use rukh_chess::{Bitboard, Color, Piece, Position};
use rukh_eval::Network;
use rukh_eval::nnue::arch::{MAX_PIECES, output_bucket};
use rukh_eval::nnue::features::{Perspective, PlacedPiece};

/// A packed training row: pieces, score and result for the side to move. Millions of them are held in memory, so it is not a
/// [`rukh_lab::labelled::LabelledPosition`], which it is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    occupied: u64,
    /// The pieces on the occupied squares in their order, four bits each: kind, and 8 for those of the side to move.
    pieces: [u8; 16],
    /// Centipawns.
    pub score: i16,
    /// 0 is lost, 1 drawn, 2 won; or [`NO_RESULT`].
    pub result: u8,
    side: u8,
}

/// Stands for an input where there is no piece.
pub const NOBODY: i32 = -1;

/// The result of a position that was not played.
pub const NO_RESULT: u8 = 3;

const OWN: u8 = 8;

impl Sample {
    /// A position with a score and a result for the side to move.
    pub fn new(position: &Position, score: i16, result: u8) -> Self {
        let side = position.side_to_move();
        let mut pieces = [0; 16];
        for (at, placed) in PlacedPiece::all_of(position).enumerate() {
            let own = if placed.color == side { OWN } else { 0 };
            pieces[at / 2] |= (placed.piece.index() as u8 | own) << (4 * (at % 2));
        }
        Self { occupied: position.occupied().0, pieces, score, result, side: side.index() as u8 }
    }

    fn pieces(&self) -> impl Iterator<Item = PlacedPiece> + '_ {
        let side = self.side();
        Bitboard(self.occupied).into_iter().enumerate().map(move |(at, square)| {
            let code = self.pieces[at / 2] >> (4 * (at % 2)) & 15;
            let color = if code & OWN == 0 { !side } else { side };
            PlacedPiece { color, piece: Piece::ALL[usize::from(code & (OWN - 1))], square }
        })
    }

    fn side(&self) -> Color {
        if self.side == 0 { Color::White } else { Color::Black }
    }

    /// The output that judges it.
    pub fn output(&self) -> usize {
        output_bucket(self.occupied.count_ones())
    }

    /// The inputs that are on, for the side to move and for the other; nobody where there are fewer.
    pub fn places(&self) -> [[i32; MAX_PIECES]; 2] {
        let side = self.side();
        let mut perspectives = [Perspective::default(); 2];
        for placed in self.pieces().filter(|placed| placed.piece == Piece::King) {
            perspectives[usize::from(placed.color != side)] = Perspective::of(placed.color, placed.square);
        }
        let mut places = [[NOBODY; MAX_PIECES]; 2];
        for (at, placed) in self.pieces().enumerate() {
            places[0][at] = perspectives[0].feature(side, placed) as i32;
            places[1][at] = perspectives[1].feature(!side, placed) as i32;
        }
        places
    }

    /// What a network in whole numbers thinks of it, in centipawns for the side to move.
    pub fn judge(&self, network: &Network) -> i32 {
        network.judge(self.side(), &self.pieces().collect::<Vec<_>>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_small_and_has_every_man() {
        const { assert!(size_of::<Sample>() == 32) };
        let position: Position =
            "r1bqk2r/ppp2ppp/2n5/3p4/3Pn3/2PB1N2/P1P2PPP/R1BQ1RK1 b kq - 1 8".parse().expect("it is valid");
        let sample = Sample::new(&position, -35, 2);
        for (places, side) in sample.places().into_iter().zip([Color::Black, Color::White]) {
            let perspective = Perspective::of(side, position.king(side));
            let expected =
                PlacedPiece::all_of(&position).map(|placed| perspective.feature(side, placed) as i32);
            let expected: Vec<i32> = expected.chain([NOBODY; 4]).collect();
            assert_eq!(places.as_slice(), expected);
        }
        assert_eq!(sample.output(), output_bucket(28));
    }
}
