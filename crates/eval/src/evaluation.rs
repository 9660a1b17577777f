//! The choice of an evaluation at run time.
//!
//! It knows both evaluations and nothing of search.

use std::sync::{Arc, LazyLock};

use rukh_chess::position::ChangeObserver;
use rukh_chess::{Color, Piece, Position, Square};

use crate::checksum::fnv1a;
use crate::evaluator::Evaluator;
use crate::hce::Classical;
use crate::nnue::{Network, NnueEvaluator};
use crate::score::Score;

/// Which evaluation to use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Evaluation {
    /// The classical evaluation.
    Classical,
    /// The evaluation by a network.
    Network(Arc<Network>),
}

/// The built-in network.
impl Default for Evaluation {
    fn default() -> Self {
        Self::Network(Network::built_in())
    }
}

impl Evaluation {
    /// What identifies it in the files of a laboratory: the checksum of the network's bytes, `classical` without one.
    pub fn fingerprint(&self) -> String {
        match self {
            Self::Classical => "classical".to_owned(),
            Self::Network(network) => format!("{:016x}", fnv1a(&network.to_bytes())),
        }
    }
}

impl Network {
    /// The built-in network; one of zero weights if the program was built with `EVALFILE=none`.
    pub fn built_in() -> Arc<Self> {
        const BYTES: &[u8] = include_bytes!(env!("RUKH_NETWORK"));
        // `EVALFILE=none` builds an empty file in.
        const {
            let is_usable = BYTES.is_empty() || Network::has_header(BYTES);
            assert!(is_usable, "the file to build in is no network of the architecture in nnue/arch.rs");
        };
        static NETWORK: LazyLock<Arc<Network>> = LazyLock::new(|| {
            if BYTES.is_empty() {
                return Arc::new(Network::zero());
            }
            match Network::read(BYTES) {
                Ok(network) => Arc::new(network),
                Err(error) => panic!("the built-in network cannot be used: {error}"),
            }
        });
        NETWORK.clone()
    }
}

/// The evaluator of an [`Evaluation`]: one for each thread of a search.
#[derive(Clone, Debug)]
pub enum AnyEvaluator {
    /// The classical evaluator.
    Classical(Box<Classical>),
    /// The evaluator of a network.
    Network(Box<NnueEvaluator>),
}

impl AnyEvaluator {
    /// An evaluator that has not been given a position yet.
    pub fn new(evaluation: &Evaluation) -> Self {
        match evaluation {
            Evaluation::Classical => Self::Classical(Box::default()),
            Evaluation::Network(network) => Self::Network(Box::new(NnueEvaluator::new(network.clone()))),
        }
    }
}

impl Evaluator for AnyEvaluator {
    fn reset(&mut self, position: &Position) {
        match self {
            Self::Classical(classical) => classical.reset(position),
            Self::Network(nnue) => nnue.reset(position),
        }
    }

    #[inline]
    fn push(&mut self) -> impl ChangeObserver + '_ {
        match self {
            Self::Classical(classical) => Either::Classical(classical.push()),
            Self::Network(nnue) => Either::Network(nnue.push()),
        }
    }

    #[inline]
    fn pop(&mut self) {
        match self {
            Self::Classical(classical) => classical.pop(),
            Self::Network(nnue) => nnue.pop(),
        }
    }

    #[inline]
    fn evaluate(&mut self, position: &Position) -> Score {
        match self {
            Self::Classical(classical) => classical.evaluate(position),
            Self::Network(nnue) => nnue.evaluate(position),
        }
    }
}

/// The observer of either evaluator.
enum Either<C, N> {
    Classical(C),
    Network(N),
}

impl<C: ChangeObserver, N: ChangeObserver> ChangeObserver for Either<C, N> {
    #[inline]
    fn placed(&mut self, color: Color, piece: Piece, square: Square) {
        match self {
            Self::Classical(observer) => observer.placed(color, piece, square),
            Self::Network(observer) => observer.placed(color, piece, square),
        }
    }

    #[inline]
    fn removed(&mut self, color: Color, piece: Piece, square: Square) {
        match self {
            Self::Classical(observer) => observer.removed(color, piece, square),
            Self::Network(observer) => observer.removed(color, piece, square),
        }
    }

    #[inline]
    fn moved(&mut self, color: Color, piece: Piece, from: Square, to: Square) {
        match self {
            Self::Classical(observer) => observer.moved(color, piece, from, to),
            Self::Network(observer) => observer.moved(color, piece, from, to),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The built-in network can be read, values a queen, and has a description.
    #[test]
    fn the_built_in_network_can_be_used() {
        let score = |fen: &str, evaluation: &Evaluation| {
            let position: Position = fen.parse().expect("it is valid");
            let mut evaluator = AnyEvaluator::new(evaluation);
            evaluator.reset(&position);
            evaluator.evaluate(&position)
        };
        for evaluation in [Evaluation::default(), Evaluation::Classical] {
            let ahead = score("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", &evaluation);
            let behind = score("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1", &evaluation);
            assert!(ahead > Score::new(400) && behind < Score::new(-400), "{ahead} {behind}");
        }
        assert!(!Network::built_in().description().is_empty());
    }
}
