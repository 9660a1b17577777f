//! The techniques of the search by name, and which of them are in use.

use std::fmt;
use std::str::FromStr;

/// Declares the techniques with their names.
macro_rules! techniques {
    ($($(#[doc = $sentence:literal])+ $value:ident = $name:literal,)+) => {
        /// A technique that can be switched off.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Technique { $($(#[doc = $sentence])+ $value),+ }

        impl Technique {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$value),+];

            /// The name by which it is switched off.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$value => $name),+ }
            }

            /// What it is, in a sentence.
            pub const fn sentence(self) -> &'static str {
                match self { $(Self::$value => concat!($($sentence),+)),+ }
            }
        }
    };
}

techniques! {
    /// Aspiration windows around the score of the last iteration.
    Aspiration = "aspiration",
    /// Cut-offs from the table of positions.
    TableCutoff = "table-cutoff",
    /// The move of the table is looked at first.
    TableMove = "table-move",
    /// Mate distance pruning.
    MateDistance = "mate-distance",
    /// Razoring.
    Razoring = "razoring",
    /// Reverse futility pruning.
    ReverseFutility = "reverse-futility",
    /// Null move pruning.
    NullMove = "null-move",
    /// Probcut.
    Probcut = "probcut",
    /// Internal iterative reduction.
    InternalReduction = "internal-reduction",
    /// Late move pruning.
    LateMovePruning = "late-move-pruning",
    /// Futility pruning.
    Futility = "futility",
    /// History pruning.
    HistoryPruning = "history-pruning",
    /// Pruning of moves that lose an exchange.
    ExchangePruning = "exchange-pruning",
    /// Singular extensions, with double and negative ones and multicut.
    Singular = "singular",
    /// Check extension.
    CheckExtension = "check-extension",
    /// Late move reductions.
    LateMoveReductions = "late-move-reductions",
    /// Quiet moves are ordered by history.
    QuietHistory = "quiet-history",
    /// Histories of moves that follow other moves.
    ContinuationHistory = "continuation-history",
    /// History of quiet moves by pawn structure.
    PawnHistory = "pawn-history",
    /// Captures are ordered by history.
    CaptureHistory = "capture-history",
    /// Killer moves.
    Killer = "killer",
    /// Correction of the evaluation by what searches found.
    Correction = "correction",
    /// Delta pruning in quiescence.
    DeltaPruning = "delta-pruning",
    /// Pruning of losing captures in quiescence.
    QuiescenceExchange = "quiescence-exchange",
    /// Quiet checks at the first ply of quiescence.
    QuiescenceChecks = "quiescence-checks",
    /// Moves that press the king are spared by futility prunings.
    KingPressure = "king-pressure",
}

impl fmt::Display for Technique {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// There is no technique of that name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownTechnique(String);

impl fmt::Display for UnknownTechnique {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Technique::ALL.iter().map(|technique| technique.name()).collect::<Vec<_>>();
        write!(f, "there is no technique {:?}; there are {}", self.0, names.join(", "))
    }
}

impl std::error::Error for UnknownTechnique {}

impl FromStr for Technique {
    type Err = UnknownTechnique;

    fn from_str(name: &str) -> Result<Self, UnknownTechnique> {
        Self::ALL
            .iter()
            .copied()
            .find(|technique| technique.name() == name)
            .ok_or_else(|| UnknownTechnique(name.to_owned()))
    }
}

/// Which techniques a search uses. The search is compiled for each kind of answer: in play all questions are answered at
/// compile time.
pub trait Toolbox: Clone + Send + 'static {
    /// Whether a technique is in use.
    fn has(&self, technique: Technique) -> bool;
}

/// Everything: how the engine plays.
#[derive(Clone, Copy, Debug, Default)]
pub struct Everything;

impl Toolbox for Everything {
    #[inline(always)]
    fn has(&self, _technique: Technique) -> bool {
        true
    }
}

/// Everything but some, for the laboratory.
#[derive(Clone, Debug, Default)]
pub struct Without(pub Vec<Technique>);

impl Toolbox for Without {
    fn has(&self, technique: Technique) -> bool {
        !self.0.contains(&technique)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The answer in play cannot hang on anything known only at run time: there is nothing to ask.
    #[test]
    fn everything_holds_nothing_and_has_all() {
        const { assert!(size_of::<Everything>() == 0) };
        assert!(Technique::ALL.iter().all(|&technique| Everything.has(technique)));
    }

    #[test]
    fn what_is_left_out_is_missing_and_nothing_else() {
        for &left_out in Technique::ALL {
            let tools = Without(vec![left_out]);
            assert!(Technique::ALL.iter().all(|&technique| tools.has(technique) == (technique != left_out)));
        }
    }
}
