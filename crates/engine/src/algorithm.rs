//! Search algorithms by name.
//!
//! The searches themselves are unknown here.

use std::fmt;
use std::str::FromStr;

/// A search algorithm.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Algorithm {
    /// Principal variation search with iterative deepening.
    #[default]
    AlphaBeta,
    /// Monte Carlo tree search with a policy and an evaluation (PUCT).
    Mcts,
    /// Monte Carlo tree search with random playouts (UCT).
    Uct,
}

impl Algorithm {
    /// All algorithms, the default first.
    pub const ALL: [Self; 3] = [Self::AlphaBeta, Self::Mcts, Self::Uct];

    /// The name for options and command lines.
    pub const fn name(self) -> &'static str {
        match self {
            Self::AlphaBeta => "alphabeta",
            Self::Mcts => "mcts",
            Self::Uct => "uct",
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The error for an unknown name of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownAlgorithm(String);

impl fmt::Display for UnknownAlgorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Algorithm::ALL.map(Algorithm::name).join(", ");
        write!(f, "there is no search {:?}; there are {names}", self.0)
    }
}

impl std::error::Error for UnknownAlgorithm {}

impl FromStr for Algorithm {
    type Err = UnknownAlgorithm;

    fn from_str(name: &str) -> Result<Self, UnknownAlgorithm> {
        let found = Self::ALL.into_iter().find(|algorithm| algorithm.name().eq_ignore_ascii_case(name));
        found.ok_or_else(|| UnknownAlgorithm(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_algorithm_has_its_name() {
        for algorithm in Algorithm::ALL {
            assert_eq!(algorithm.name().parse(), Ok(algorithm));
        }
        let error = "minimax".parse::<Algorithm>().expect_err("there is no such search").to_string();
        assert!(error.contains("minimax") && error.contains("alphabeta, mcts, uct"), "{error}");
    }
}
