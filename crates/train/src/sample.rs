//! A labelled position in 32 bytes, as the trainer keeps it in memory.
//!
//! It knows the input features, not the network.

use rukh_chess::{Bitboard, Color, Piece, Position};
use rukh_eval::nnue::features::{InputSet, MAX_PIECES, Perspective, PlacedPiece};
use rukh_eval::nnue::{Architecture, NetworkKind, QuantisedNetwork};

/// A packed training row: pieces, score and result for the side to move. Millions of them are held in memory, so it is not a
/// [`rukh_lab::labelled::LabelledPosition`], which it is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    occupied: u64,
    /// The pieces on the occupied squares in their order, four bits each: the kind, and 8 if the side to move owns it.
    pieces: [u8; 16],
    /// Internal units.
    pub score: i16,
    /// 0 for a loss, 1 for a draw, 2 for a win; or [`NO_RESULT`].
    pub result: u8,
    side: u8,
}

/// Stands in lists of active features where there is no piece.
pub const NO_FEATURE: i32 = -1;

/// The result of a position whose game was not played on from it.
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

    /// Its output bucket.
    pub fn output_bucket(&self, architecture: &Architecture) -> usize {
        architecture.output_bucket(self.occupied.count_ones())
    }

    /// The active features of the side to move and of the other side, filled up with [`NO_FEATURE`].
    pub fn features(&self, inputs: &InputSet) -> [[i32; MAX_PIECES]; 2] {
        let side = self.side();
        let mut perspectives = [Perspective::default(); 2];
        for placed in self.pieces().filter(|placed| placed.piece == Piece::King) {
            perspectives[usize::from(placed.color != side)] = inputs.perspective(placed.color, placed.square);
        }
        let mut features = [[NO_FEATURE; MAX_PIECES]; 2];
        for (at, placed) in self.pieces().enumerate() {
            features[0][at] = perspectives[0].feature(side, placed) as i32;
            features[1][at] = perspectives[1].feature(!side, placed) as i32;
        }
        features
    }

    /// The evaluation by a quantised network, in internal units for the side to move.
    pub fn evaluate<K: NetworkKind>(&self, network: &QuantisedNetwork<K>) -> i32 {
        network.evaluate(self.side(), &self.pieces().collect::<Vec<_>>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rukh_eval::nnue::Current;

    #[test]
    fn a_sample_is_small_and_has_every_piece() {
        const { assert!(size_of::<Sample>() == 32) };
        let position: Position =
            "r1bqk2r/ppp2ppp/2n5/3p4/3Pn3/2PB1N2/P1P2PPP/R1BQ1RK1 b kq - 1 8".parse().expect("it is valid");
        let sample = Sample::new(&position, -35, 2);
        let architecture = Current::ARCHITECTURE;
        let inputs = architecture.inputs;
        for (features, side) in sample.features(&inputs).into_iter().zip([Color::Black, Color::White]) {
            let perspective = inputs.perspective(side, position.king(side));
            let expected =
                PlacedPiece::all_of(&position).map(|placed| perspective.feature(side, placed) as i32);
            let expected: Vec<i32> = expected.chain([NO_FEATURE; 4]).collect();
            assert_eq!(features.as_slice(), expected);
        }
        assert_eq!(sample.output_bucket(&architecture), architecture.output_bucket(28));
    }
}
