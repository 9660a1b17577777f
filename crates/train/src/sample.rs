//! A position to learn from, in 32 bytes.

use rukh_chess::{Bitboard, Color, Piece, Position};
use rukh_eval::Network;
use rukh_eval::nnue::arch::{MEN_MAX, output_of};
use rukh_eval::nnue::features::{Man, View};

/// A position, what a search thought of it, and how its game ended, as the side to move sees them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    occupied: u64,
    /// The men on the occupied squares in their order, four bits each: kind, and 8 for those of the side to move.
    men: [u8; 16],
    /// Centipawns.
    pub score: i16,
    /// 0 is lost, 1 drawn, 2 won; or [`NO_RESULT`].
    pub result: u8,
    side: u8,
}

/// Stands for an input where there is no man.
pub const NOBODY: i32 = -1;

/// The result of a position that was not played.
pub const NO_RESULT: u8 = 3;

const OWN: u8 = 8;

impl Sample {
    /// A position with a score and a result for the side to move.
    pub fn new(position: &Position, score: i16, result: u8) -> Self {
        let side = position.side_to_move();
        let mut men = [0; 16];
        for (at, man) in Man::all_of(position).enumerate() {
            let own = if man.color == side { OWN } else { 0 };
            men[at / 2] |= (man.piece.index() as u8 | own) << (4 * (at % 2));
        }
        Self { occupied: position.occupied().0, men, score, result, side: side.index() as u8 }
    }

    fn men(&self) -> impl Iterator<Item = Man> + '_ {
        let side = self.side();
        Bitboard(self.occupied).into_iter().enumerate().map(move |(at, square)| {
            let code = self.men[at / 2] >> (4 * (at % 2)) & 15;
            let color = if code & OWN == 0 { !side } else { side };
            Man { color, piece: Piece::ALL[usize::from(code & (OWN - 1))], square }
        })
    }

    fn side(&self) -> Color {
        if self.side == 0 { Color::White } else { Color::Black }
    }

    /// The output that judges it.
    pub fn output(&self) -> usize {
        output_of(self.occupied.count_ones())
    }

    /// The inputs that are on, for the side to move and for the other; nobody where there are fewer.
    pub fn places(&self) -> [[i32; MEN_MAX]; 2] {
        let side = self.side();
        let mut views = [View::default(); 2];
        for man in self.men().filter(|man| man.piece == Piece::King) {
            views[usize::from(man.color != side)] = View::of(man.color, man.square);
        }
        let mut places = [[NOBODY; MEN_MAX]; 2];
        for (at, man) in self.men().enumerate() {
            places[0][at] = views[0].feature(side, man) as i32;
            places[1][at] = views[1].feature(!side, man) as i32;
        }
        places
    }

    /// What a network in whole numbers thinks of it, in centipawns for the side to move.
    pub fn judge(&self, network: &Network) -> i32 {
        network.judge(self.side(), &self.men().collect::<Vec<_>>())
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
            let view = View::of(side, position.king(side));
            let expected = Man::all_of(&position).map(|man| view.feature(side, man) as i32);
            let expected: Vec<i32> = expected.chain([NOBODY; 4]).collect();
            assert_eq!(places.as_slice(), expected);
        }
        assert_eq!(sample.output(), output_of(28));
    }
}
