//! What the network thinks, for people: what each piece is worth to it where it stands.

use std::fmt;

use rukh_chess::types::{File, Rank};
use rukh_chess::{Color, Piece, Position, Square};

use super::arch::{OUTPUT_BUCKETS, output_bucket};
use super::features::PlacedPiece;
use super::network::Network;
use super::neural::{known, weigh};
use crate::knowledge::fifty_moves::damp;
use crate::score::Score;
use crate::wdl::wdl;

/// The network's perspective of one position, in centipawns for White.
#[derive(Clone, Debug)]
pub struct NetworkTrace {
    /// What the board is worth more with each piece than without it; kings cannot be taken away.
    pub pieces: Vec<(PlacedPiece, Option<i32>)>,
    /// The output that judges the position, from 0.
    pub output: usize,
    /// What the network says.
    pub network: i32,
    /// What a search makes of that with the pieces that are left.
    pub weighed: i32,
    /// What is known of the ending without it.
    pub ending: Option<i32>,
    /// Moves of either side since the last capture or pawn move.
    pub halfmove_clock: u16,
    /// The score for the side to move.
    pub score: Score,
    side_to_move: Color,
    fullmove_number: u32,
}

/// Judges a position with all its pieces, and with each of them taken away.
pub fn trace(network: &Network, position: &Position) -> NetworkTrace {
    let side_to_move = position.side_to_move();
    let for_white = |worth: i32| if side_to_move == Color::White { worth } else { -worth };
    let all: Vec<PlacedPiece> = PlacedPiece::all_of(position).collect();
    let output = output_bucket(all.len() as u32);
    let worth = network.judge_by(output, side_to_move, &all);
    let pieces = all.iter().map(|placed| {
        let others: Vec<PlacedPiece> = all.iter().copied().filter(|other| other != placed).collect();
        let difference = || worth - network.judge_by(output, side_to_move, &others);
        (*placed, (placed.piece != Piece::King).then(|| for_white(difference())))
    });
    let ending = known(position);
    let weighed = weigh(worth, position);
    NetworkTrace {
        pieces: pieces.collect(),
        output,
        network: for_white(worth),
        weighed: for_white(weighed),
        ending: ending.map(for_white),
        halfmove_clock: position.halfmove_clock(),
        score: Score::centipawns(damp(ending.unwrap_or(weighed), position.halfmove_clock())),
        side_to_move,
        fullmove_number: position.fullmove_number(),
    }
}

impl NetworkTrace {
    /// What stands on a square, and what it is worth there.
    fn cell(&self, square: Square) -> [String; 2] {
        match self.pieces.iter().find(|(placed, _)| placed.square == square) {
            None => [String::new(), String::new()],
            Some((placed, worth)) => {
                let letter = placed.piece.letter_of(placed.color).to_string();
                [letter, worth.map_or_else(String::new, pawns)]
            }
        }
    }
}

fn pawns(centipawns: i32) -> String {
    format!("{:+.2}", f64::from(centipawns) / 100.0)
}

/// A board with the pieces and what each is worth, then how the score comes about. All but the score is White's gain, in pawns.
impl fmt::Display for NetworkTrace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rule = "+-------".repeat(8);
        for rank in Rank::ALL.into_iter().rev() {
            writeln!(f, " {rule}+")?;
            let cells = File::ALL.map(|file| self.cell(Square::new(file, rank)));
            for row in 0..2 {
                f.write_str(" ")?;
                cells.iter().try_for_each(|cell| write!(f, "|{:^7}", cell[row]))?;
                writeln!(f, "|{}", if row == 0 { format!(" {}", rank.digit()) } else { String::new() })?;
            }
        }
        writeln!(f, " {rule}+")?;
        writeln!(f, " {}", File::ALL.map(|file| format!("{:^8}", file.letter())).concat().trim_end())?;
        writeln!(f)?;
        let pieces: i32 = self.pieces.iter().filter_map(|(_, worth)| *worth).sum();
        let mut row =
            |name: &str, what: &str, worth: i32| writeln!(f, "{name:<14} {what:<44} {:>7}", pawns(worth));
        row("Men", "each against the board without it", pieces)?;
        row("Together", "what they are worth only with each other", self.network - pieces)?;
        let output =
            format!("by output {} of {OUTPUT_BUCKETS}, for {} pieces", self.output + 1, self.pieces.len());
        row("Network", &output, self.network)?;
        row("Pieces left", "the fewer, the less the network's word weighs", self.weighed)?;
        if let Some(ending) = self.ending {
            row("Ending", "known without the network", ending)?;
        }
        let clock = format!("{} moves without progress", self.halfmove_clock);
        let score = match self.side_to_move {
            Color::White => self.score,
            Color::Black => -self.score,
        };
        writeln!(f, "{:<14} {clock:<44} {:>7}", "Fifty moves", score.to_string())?;
        let [wins, draws, losses] =
            wdl(self.score, self.fullmove_number).map(|chance| f64::from(chance) / 10.0);
        writeln!(
            f,
            "{:<14} {} for {}: {wins}% won, {draws}% drawn, {losses}% lost",
            "Score", self.score, self.side_to_move
        )
    }
}

#[cfg(test)]
mod tests {
    use super::super::network::tests::random;
    use super::super::neural::NnueEvaluator;
    use super::*;
    use crate::evaluator::Evaluator;
    use std::sync::Arc;

    #[test]
    fn the_score_is_that_of_the_search() {
        let network = Arc::new(random(4));
        for fen in [
            "r1bqk2r/ppp2ppp/2n5/3p4/3Pn3/2PB1N2/P1P2PPP/R1BQ1RK1 b kq - 31 18",
            "8/8/4k3/8/8/2P5/8/1K6 w - - 0 1",
        ] {
            let position: Position = fen.parse().expect("it is valid");
            let told = trace(&network, &position);
            let mut neural = NnueEvaluator::new(network.clone());
            neural.reset(&position);
            assert_eq!(told.score, neural.evaluate(&position));
            assert_eq!(told.pieces.len() as u32, position.occupied().count());
            let text = told.to_string();
            assert!(text.lines().take(24).all(|line| line.trim_end().len() <= 68), "{text}");
            assert!(text.contains(&format!("for {} pieces", told.pieces.len())), "{text}");
        }
    }

    /// A piece's worth is what is lost with it, by the same output.
    #[test]
    fn a_piece_is_worth_what_is_lost_with_it() {
        let network = random(6);
        let position: Position = "8/8/4k3/2n5/8/2P5/8/1K6 b - - 0 1".parse().expect("it is valid");
        let told = trace(&network, &position);
        let knight =
            told.pieces.iter().find(|(placed, _)| placed.piece == Piece::Knight).expect("it is there");
        let others: Vec<PlacedPiece> =
            told.pieces.iter().map(|(placed, _)| *placed).filter(|placed| *placed != knight.0).collect();
        let without = network.judge_by(told.output, Color::Black, &others);
        assert_eq!(knight.1, Some(told.network + without));
    }
}
