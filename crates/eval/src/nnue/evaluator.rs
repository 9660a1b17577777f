//! The NNUE evaluator: the network with its accumulator, as a search uses it.
//!
//! It knows nothing of search.

use std::sync::Arc;

use rukh_chess::position::ChangeObserver;
use rukh_chess::{Color, Piece, Position};

use super::accumulator::Accumulator;
use super::description::NetworkKind;
use super::features::PlacedPiece;
use super::network::QuantisedNetwork;
use crate::evaluator::Evaluator;
use crate::knowledge::endgame;
use crate::knowledge::fifty_moves::damp;
use crate::params::{self, ONE};
use crate::score::Score;

/// Evaluates positions by a network, which several evaluators can share.
#[derive(Clone, Debug)]
pub struct Nnue<K: NetworkKind> {
    network: Arc<QuantisedNetwork<K>>,
    accumulator: Accumulator<K>,
}

impl<K: NetworkKind> Nnue<K> {
    /// An evaluator by `network` that has not been given a position yet.
    pub fn new(network: Arc<QuantisedNetwork<K>>) -> Self {
        Self { accumulator: Accumulator::new(&network), network }
    }

    /// The output of the network for the current position, in internal units for the side to move.
    #[inline]
    pub(crate) fn raw(&mut self, position: &Position) -> i32 {
        let side = position.side_to_move();
        let rows = self.accumulator.rows(position, &self.network);
        let bucket = K::ARCHITECTURE.output_bucket(position.occupied().count());
        let value = self.network.forward([&rows[side], &rows[!side]], bucket);
        debug_assert!(
            !is_checked(position)
                || value == self.network.evaluate(side, &PlacedPiece::all_of(position).collect::<Vec<_>>()),
            "the position is not the one that the moves led to"
        );
        value
    }
}

impl<K: NetworkKind> Evaluator for Nnue<K> {
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
        let value = known(position).unwrap_or_else(|| scale_by_material(self.raw(position), position));
        Score::new(damp(value, position.halfmove_clock()))
    }
}

/// Whether debug builds recompute the network for a position: one in sixteen, for a recomputation takes as long as many
/// evaluations.
fn is_checked(position: &Position) -> bool {
    position.key().is_multiple_of(16)
}

/// Material scaling: the output of the network counts less the fewer pieces are left.
#[inline]
pub(super) fn scale_by_material(value: i32, position: &Position) -> i32 {
    /// Points of the pieces of the start position: two queens, four rooks, eight minor pieces.
    const START: i32 = 62;
    let count = |piece| position.pieces(piece).count() as i32;
    let minors = count(Piece::Knight) + count(Piece::Bishop);
    let points = (3 * minors + 5 * count(Piece::Rook) + 9 * count(Piece::Queen)).min(START);
    let (pawns, pieces) = (params::network_pawns_weight(), params::network_pieces_weight());
    value * (pawns + (pieces - pawns) * points / START) / ONE
}

/// The value of a known endgame, in internal units for the side to move; it takes the place of the network.
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
    use super::super::arch::Current;
    use super::super::description::tests::{Small, Stacked};
    use super::super::network::tests::random;
    use super::*;
    use rukh_chess::random::SplitMix64;
    use rukh_chess::setup::Setup;

    /// A line of random moves, null moves and moves taken back, evaluated now and then: always as from scratch.
    fn accumulator_equals_recomputation<K: NetworkKind>(games: u16) {
        let network = Arc::new(random::<K>(3));
        let mut random = SplitMix64::new(17);
        for game in 0..games {
            let start = match game % 2 {
                0 => Position::default(),
                _ => Setup::chess960(game * 23, game * 23).validate().expect("it is a start position"),
            };
            let mut nnue = Nnue::new(network.clone());
            nnue.reset(&start);
            let mut line = vec![start];
            for _ in 0..300 {
                let position = line.last().expect("the start position is never popped").clone();
                let moves = position.legal_moves();
                if random.below(3) == 0 {
                    let mut fresh = Nnue::new(network.clone());
                    fresh.reset(&position);
                    let pieces: Vec<PlacedPiece> = PlacedPiece::all_of(&position).collect();
                    let value = nnue.raw(&position);
                    assert_eq!(value, fresh.raw(&position), "{position}");
                    assert_eq!(value, network.evaluate(position.side_to_move(), &pieces), "{position}");
                }
                let is_back = moves.is_empty() || line.len() > 100 || random.below(4) == 0;
                if is_back && line.len() > 1 {
                    line.pop();
                    nnue.pop();
                } else if random.below(20) == 0 && !position.is_check() {
                    let mut child = position.clone();
                    child.make_null();
                    drop(nnue.push());
                    line.push(child);
                } else if !moves.is_empty() {
                    let mv = moves[random.below(moves.len() as u64) as usize];
                    let mut child = position.clone();
                    child.make(mv, &mut nnue.push());
                    line.push(child);
                }
            }
        }
    }

    #[test]
    fn accumulators_equal_recomputation() {
        accumulator_equals_recomputation::<Current>(40);
        accumulator_equals_recomputation::<Small>(40);
        accumulator_equals_recomputation::<Stacked>(10);
    }

    fn is_symmetric<K: NetworkKind>() {
        let network = Arc::new(random::<K>(5));
        let value = |fen: &str| {
            let position: Position = fen.parse().expect("the positions are valid");
            let mut nnue = Nnue::new(network.clone());
            nnue.reset(&position);
            nnue.raw(&position)
        };
        let here = value("6k1/5pp1/4p2p/8/3N4/1P2P3/5PPP/6K1 w - - 0 1");
        assert_eq!(here, value("6k1/5ppp/1p2p3/3n4/8/4P2P/5PP1/6K1 b - - 0 1"), "colours swapped");
        assert_eq!(here, value("1k6/1pp5/p2p4/8/4N3/3P2P1/PPP5/1K6 w - - 0 1"), "wings swapped");
        assert_ne!(here, value("6k1/5pp1/4p2p/8/3N4/1P2P3/5PPP/6K1 b - - 0 1"), "the other side to move");
    }

    #[test]
    fn colours_and_wings_do_not_matter() {
        is_symmetric::<Current>();
        is_symmetric::<Small>();
        is_symmetric::<Stacked>();
    }

    #[test]
    fn the_output_counts_less_with_fewer_pieces() {
        let scaled = |fen: &str| scale_by_material(1_000, &fen.parse().expect("it is valid"));
        let all = scaled("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        let rooks = scaled("r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1");
        let pawns = scaled("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1");
        assert!(all > 1_000 && all > rooks && rooks > pawns && pawns < 1_000, "{all} {rooks} {pawns}");
        assert_eq!(scale_by_material(-1_000, &Position::default()), -all);
    }
}
