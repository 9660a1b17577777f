//! The trace of the network evaluation for people: the value of each piece where it stands, and the steps to the score.
//!
//! It evaluates boards with pieces removed and knows nothing of layers.

use std::fmt;

use rukh_chess::types::{File, Rank};
use rukh_chess::{Color, Piece, Position, Square};

use super::arch::Current;
use super::description::NetworkKind;
use super::evaluator::{known, scale_by_material};
use super::features::PlacedPiece;
use super::network::QuantisedNetwork;
use crate::knowledge::fifty_moves::damp;
use crate::score::Score;
use crate::wdl::wdl;

const OUTPUT_BUCKETS: usize = Current::ARCHITECTURE.output_buckets;

/// The network evaluation of one position, in internal units for White.
#[derive(Clone, Debug)]
pub struct NetworkTrace {
    /// The output of the network less its output without the piece; a king cannot be removed.
    pub pieces: Vec<(PlacedPiece, Option<i32>)>,
    /// The output bucket, from 0.
    pub output_bucket: usize,
    /// The output of the network.
    pub network: i32,
    /// The output after material scaling.
    pub scaled: i32,
    /// The value of a known endgame, which takes the place of the network.
    pub endgame: Option<i32>,
    /// Plies since the last capture or pawn move.
    pub halfmove_clock: u16,
    /// The score for the side to move.
    pub score: Score,
    side_to_move: Color,
    fullmove_number: u32,
}

/// Evaluates a position with all its pieces, and with each of them removed.
pub fn trace(network: &QuantisedNetwork<Current>, position: &Position) -> NetworkTrace {
    let side_to_move = position.side_to_move();
    let for_white = |value: i32| if side_to_move == Color::White { value } else { -value };
    let all: Vec<PlacedPiece> = PlacedPiece::all_of(position).collect();
    let output_bucket = Current::ARCHITECTURE.output_bucket(all.len() as u32);
    let value = network.evaluate_in(output_bucket, side_to_move, &all);
    let pieces = all.iter().map(|placed| {
        let others: Vec<PlacedPiece> = all.iter().copied().filter(|other| other != placed).collect();
        let difference = || value - network.evaluate_in(output_bucket, side_to_move, &others);
        (*placed, (placed.piece != Piece::King).then(|| for_white(difference())))
    });
    let endgame = known(position);
    let scaled = scale_by_material(value, position);
    NetworkTrace {
        pieces: pieces.collect(),
        output_bucket,
        network: for_white(value),
        scaled: for_white(scaled),
        endgame: endgame.map(for_white),
        halfmove_clock: position.halfmove_clock(),
        score: Score::new(damp(endgame.unwrap_or(scaled), position.halfmove_clock())),
        side_to_move,
        fullmove_number: position.fullmove_number(),
    }
}

impl NetworkTrace {
    /// The piece on a square, and its value.
    fn cell(&self, square: Square) -> [String; 2] {
        match self.pieces.iter().find(|(placed, _)| placed.square == square) {
            None => [String::new(), String::new()],
            Some((placed, value)) => {
                let letter = placed.piece.letter_of(placed.color).to_string();
                [letter, value.map_or_else(String::new, pawns)]
            }
        }
    }
}

/// Internal units as pawns, as they are shown to people.
fn pawns(units: i32) -> String {
    Score::new(units).to_centipawns().to_string()
}

/// A board with the value of each piece, then the steps to the score. All values are for White, in pawns.
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
        let pieces: i32 = self.pieces.iter().filter_map(|(_, value)| *value).sum();
        let mut row =
            |name: &str, what: &str, value: i32| writeln!(f, "{name:<14} {what:<44} {:>7}", pawns(value));
        row("Pieces", "the sum of their values", pieces)?;
        row("Interaction", "what single pieces do not account for", self.network - pieces)?;
        let bucket = format!(
            "output bucket {} of {OUTPUT_BUCKETS}, for {} pieces",
            self.output_bucket + 1,
            self.pieces.len()
        );
        row("Network", &bucket, self.network)?;
        row("Material", "scaled by the pieces that are left", self.scaled)?;
        if let Some(endgame) = self.endgame {
            row("Endgame", "known, in place of the network", endgame)?;
        }
        let clock = format!("damped by {} plies without progress", self.halfmove_clock);
        let score = match self.side_to_move {
            Color::White => self.score,
            Color::Black => -self.score,
        };
        writeln!(f, "{:<14} {clock:<44} {:>7}", "Fifty moves", score.to_string())?;
        let [wins, draws, losses] =
            wdl(self.score, self.fullmove_number).map(|thousandths| f64::from(thousandths) / 10.0);
        writeln!(
            f,
            "{:<14} {} for {}: {wins}% won, {draws}% drawn, {losses}% lost",
            "Score", self.score, self.side_to_move
        )
    }
}

#[cfg(test)]
mod tests {
    use super::super::evaluator::Nnue;
    use super::super::network::tests::random;
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
            let traced = trace(&network, &position);
            let mut nnue = Nnue::new(network.clone());
            nnue.reset(&position);
            assert_eq!(traced.score, nnue.evaluate(&position));
            assert_eq!(traced.pieces.len() as u32, position.occupied().count());
            let text = traced.to_string();
            assert!(text.lines().take(24).all(|line| line.trim_end().len() <= 68), "{text}");
            assert!(text.contains(&format!("for {} pieces", traced.pieces.len())), "{text}");
        }
    }

    #[test]
    fn the_value_of_a_piece_is_what_is_lost_without_it() {
        let network = random(6);
        let position: Position = "8/8/4k3/2n5/8/2P5/8/1K6 b - - 0 1".parse().expect("it is valid");
        let traced = trace(&network, &position);
        let knight =
            traced.pieces.iter().find(|(placed, _)| placed.piece == Piece::Knight).expect("it is there");
        let others: Vec<PlacedPiece> =
            traced.pieces.iter().map(|(placed, _)| *placed).filter(|placed| *placed != knight.0).collect();
        let without = network.evaluate_in(traced.output_bucket, Color::Black, &others);
        assert_eq!(knight.1, Some(traced.network + without));
    }
}
