//! The network as a search uses it.

use std::sync::Arc;

use rukh_chess::position::ChangeObserver;
use rukh_chess::{Color, Piece, Position};

use super::accumulator::Accumulator;
use super::arch::output_bucket;
use super::features::PlacedPiece;
use super::network::Network;
use crate::evaluator::Evaluator;
use crate::knowledge::endgame;
use crate::knowledge::fifty_moves::damp;
use crate::score::Score;

/// Judges positions by a network.
#[derive(Clone, Debug)]
pub struct NnueEvaluator {
    network: Arc<Network>,
    accumulator: Accumulator,
}

impl NnueEvaluator {
    /// An evaluation by `network` that has seen nothing yet.
    pub fn new(network: Arc<Network>) -> Self {
        Self { accumulator: Accumulator::new(&network), network }
    }

    /// What the network itself says of the position reached, in centipawns for the side to move.
    #[inline]
    pub fn raw(&mut self, position: &Position) -> i32 {
        let side = position.side_to_move();
        let rows = self.accumulator.rows(position, &self.network);
        let worth =
            self.network.forward(&rows[side], &rows[!side], output_bucket(position.occupied().count()));
        debug_assert_eq!(
            worth,
            self.network.judge(side, &PlacedPiece::all_of(position).collect::<Vec<_>>()),
            "the evaluation was told of another position"
        );
        worth
    }
}

impl Evaluator for NnueEvaluator {
    fn reset(&mut self, position: &Position) {
        self.accumulator.reset(position);
    }

    #[inline]
    fn push(&mut self) -> impl ChangeObserver + '_ {
        self.accumulator.push()
    }

    #[inline]
    fn pop(&mut self) {
        self.accumulator.pop();
    }

    #[inline]
    fn evaluate(&mut self, position: &Position) -> Score {
        let worth = known(position).unwrap_or_else(|| weigh(self.raw(position), position));
        Score::centipawns(damp(worth, position.halfmove_clock()))
    }
}

/// What a search makes of the network's word: it weighs less the fewer pieces are left, in which less can happen.
#[inline]
pub(super) fn weigh(worth: i32, position: &Position) -> i32 {
    /// 1024ths with pawns alone, and with the pieces of the start.
    const NONE: i32 = 820;
    const ALL: i32 = 1170;
    /// Pieces in pawns: two queens, four rooks, eight minor pieces.
    const START: i32 = 62;
    let count = |piece| position.pieces(piece).count() as i32;
    let minors = count(Piece::Knight) + count(Piece::Bishop);
    let pieces = (3 * minors + 5 * count(Piece::Rook) + 9 * count(Piece::Queen)).min(START);
    worth * (NONE + (ALL - NONE) * pieces / START) / 1024
}

/// What is known for certain of endings with few pieces, in centipawns for the side to move: there no network is asked.
#[inline]
pub(super) fn known(position: &Position) -> Option<i32> {
    const KNOWN_PIECES: u32 = 6;
    if position.occupied().count() > KNOWN_PIECES {
        return None;
    }
    let (_, for_white) = endgame::known(position)?;
    Some(if position.side_to_move() == Color::White { for_white } else { -for_white })
}

#[cfg(test)]
mod tests {
    use super::super::network::tests::random;
    use super::*;
    use rukh_chess::random::SplitMix64;
    use rukh_chess::setup::Setup;

    /// A line of random moves, with steps back and null moves, judged now and then: always as if seen for the first time.
    #[test]
    fn what_is_kept_is_what_is_computed_anew() {
        let network = Arc::new(random(3));
        let mut lots = SplitMix64::new(17);
        for game in 0..40 {
            let start = match game % 2 {
                0 => Position::default(),
                _ => Setup::chess960(game * 23, game * 23).validate().expect("it is a start"),
            };
            let mut neural = NnueEvaluator::new(network.clone());
            neural.reset(&start);
            let mut line = vec![start];
            for _ in 0..300 {
                let position = line.last().expect("the start is never taken away").clone();
                let moves = position.legal_moves();
                if lots.below(3) == 0 {
                    let mut fresh = NnueEvaluator::new(network.clone());
                    fresh.reset(&position);
                    let pieces: Vec<PlacedPiece> = PlacedPiece::all_of(&position).collect();
                    let told = neural.raw(&position);
                    assert_eq!(told, fresh.raw(&position), "{position}");
                    assert_eq!(told, network.judge(position.side_to_move(), &pieces), "{position}");
                }
                let is_back = moves.is_empty() || line.len() > 100 || lots.below(4) == 0;
                if is_back && line.len() > 1 {
                    line.pop();
                    neural.pop();
                } else if lots.below(20) == 0 && !position.is_check() {
                    let mut child = position.clone();
                    child.make_null();
                    drop(neural.push());
                    line.push(child);
                } else if !moves.is_empty() {
                    let mv = moves[lots.below(moves.len() as u64) as usize];
                    let mut child = position.clone();
                    child.make(mv, &mut neural.push());
                    line.push(child);
                }
            }
        }
    }

    #[test]
    fn colours_and_wings_do_not_matter() {
        let network = Arc::new(random(5));
        let judge = |fen: &str| {
            let position: Position = fen.parse().expect("the positions are valid");
            let mut neural = NnueEvaluator::new(network.clone());
            neural.reset(&position);
            neural.raw(&position)
        };
        let here = judge("6k1/5pp1/4p2p/8/3N4/1P2P3/5PPP/6K1 w - - 0 1");
        assert_eq!(here, judge("6k1/5ppp/1p2p3/3n4/8/4P2P/5PP1/6K1 b - - 0 1"), "colours swapped");
        assert_eq!(here, judge("1k6/1pp5/p2p4/8/4N3/3P2P1/PPP5/1K6 w - - 0 1"), "wings swapped");
        assert_ne!(here, judge("6k1/5pp1/4p2p/8/3N4/1P2P3/5PPP/6K1 b - - 0 1"), "the other side to move");
    }

    #[test]
    fn the_fewer_pieces_the_less_weighs_a_word() {
        let weighed = |fen: &str| weigh(1_000, &fen.parse().expect("it is valid"));
        let all = weighed("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        let rooks = weighed("r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1");
        let pawns = weighed("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1");
        assert!(all > 1_000 && all > rooks && rooks > pawns && pawns < 1_000, "{all} {rooks} {pawns}");
        assert_eq!(weigh(-1_000, &Position::default()), -all);
    }

    /// The layers themselves, by hand, for a board with three pieces.
    #[test]
    fn the_sum_is_that_of_its_parts() {
        use super::super::arch::{HIDDEN, QA, QB, SCALE};
        use super::super::features::Perspective;
        let network = random(7);
        let position: Position = "8/8/4k3/8/8/2P5/8/1K6 b - - 0 1".parse().expect("it is valid");
        let pieces: Vec<PlacedPiece> = PlacedPiece::all_of(&position).collect();
        let layer = |side: Color| {
            let perspective = Perspective::of(side, position.king(side));
            let mut sums = network.bias().0.map(i64::from);
            for &placed in &pieces {
                let vector = network.feature(perspective.feature(side, placed));
                sums.iter_mut().zip(vector.0).for_each(|(sum, weight)| *sum += i64::from(weight));
            }
            sums
        };
        let squared = |number: i64| number.clamp(0, i64::from(QA)).pow(2);
        let (own, theirs) = (layer(Color::Black), layer(Color::White));
        let [own_weights, their_weights] = network.output(output_bucket(3));
        let sum: i64 = (0..HIDDEN)
            .map(|at| {
                squared(own[at]) * i64::from(own_weights.0[at])
                    + squared(theirs[at]) * i64::from(their_weights.0[at])
            })
            .sum();
        let expected = (sum / i64::from(QA) + i64::from(network.output_bias(output_bucket(3))))
            * i64::from(SCALE)
            / i64::from(QA * QB);
        let mut neural = NnueEvaluator::new(Arc::new(network.clone()));
        neural.reset(&position);
        assert_eq!(i64::from(neural.raw(&position)), expected);
        assert_eq!(i64::from(network.judge(Color::Black, &pieces)), expected);
    }
}
