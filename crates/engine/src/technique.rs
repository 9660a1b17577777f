//! The techniques of the search by name, and which of them are in use.

use std::fmt;
use std::str::FromStr;

/// Declares the techniques with their names, and whether they are in play.
macro_rules! techniques {
    ($($(#[doc = $sentence:literal])+ $value:ident = $name:literal $state:ident,)+) => {
        /// A technique that can be switched on or off.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Technique { $($(#[doc = $sentence])+ $value),+ }

        impl Technique {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$value),+];

            /// Whether it is used in play: it has shown in games that it pays, or is not known not to.
            #[inline(always)]
            pub const fn is_in_play(self) -> bool {
                match self { $(Self::$value => state!($state)),+ }
            }

            /// The name by which it is switched.
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

macro_rules! state {
    (on) => {
        true
    };
    (off) => {
        false
    };
}

techniques! {
    /// Aspiration windows around the score of the last iteration.
    Aspiration = "aspiration" on,
    /// Cut-offs from the table of positions.
    TableCutoff = "table-cutoff" on,
    /// The move of the table is looked at first.
    TableMove = "table-move" on,
    /// Mate distance pruning.
    MateDistance = "mate-distance" on,
    /// Razoring.
    Razoring = "razoring" on,
    /// Reverse futility pruning.
    ReverseFutility = "reverse-futility" on,
    /// Null move pruning.
    NullMove = "null-move" on,
    /// Probcut.
    Probcut = "probcut" on,
    /// A reduced move that lost by the evaluation is reduced further.
    Hindsight = "hindsight" on,
    /// Internal iterative reduction.
    InternalReduction = "internal-reduction" on,
    /// Late move pruning.
    LateMovePruning = "late-move-pruning" on,
    /// Futility pruning.
    Futility = "futility" on,
    /// History pruning.
    HistoryPruning = "history-pruning" on,
    /// Pruning of moves that lose an exchange.
    ExchangePruning = "exchange-pruning" on,
    /// Singular extensions, with double and negative ones and multicut.
    Singular = "singular" on,
    /// Check extension.
    CheckExtension = "check-extension" on,
    /// Recaptures are extended.
    RecaptureExtension = "recapture-extension" off,
    /// Moves of pawns to the seventh rank are extended.
    PassedPawnExtension = "passed-pawn-extension" off,
    /// What is left of extensions by less than a ply is kept for later moves of the line.
    FractionalExtensions = "fractional-extensions" off,
    /// Late move reductions.
    LateMoveReductions = "late-move-reductions" on,
    /// Quiet moves are ordered by history.
    QuietHistory = "quiet-history" on,
    /// Histories of moves that follow other moves.
    ContinuationHistory = "continuation-history" on,
    /// History of quiet moves by pawn structure.
    PawnHistory = "pawn-history" on,
    /// Captures are ordered by history.
    CaptureHistory = "capture-history" on,
    /// Killer moves.
    Killer = "killer" on,
    /// The quiet move that refuted the last move elsewhere comes early.
    Countermove = "countermove" off,
    /// Quiet histories know whether the squares of a move are attacked.
    ThreatHistory = "threat-history" on,
    /// Quiet moves that leave or enter an attack by lesser pieces are ordered by that.
    DefensiveBonus = "defensive-bonus" on,
    /// Quiet moves that give check are ordered by that.
    CheckBonus = "check-bonus" on,
    /// Correction of the evaluation by what searches found.
    Correction = "correction" on,
    /// A quiet move after which no answer helps is rewarded.
    FailLowBonus = "fail-low-bonus" on,
    /// A quiet move is rewarded by what the evaluation gains through it.
    EvaluationBonus = "evaluation-bonus" on,
    /// Delta pruning in quiescence.
    DeltaPruning = "delta-pruning" on,
    /// Pruning of losing captures in quiescence.
    QuiescenceExchange = "quiescence-exchange" on,
    /// Quiet checks at the first ply of quiescence.
    QuiescenceChecks = "quiescence-checks" on,
    /// After some moves of quiescence only recaptures, promotions and checks are looked at.
    QuiescenceLimit = "quiescence-limit" on,
    /// Late in quiescence only captures of the piece that moved last are looked at.
    RecaptureLimit = "recapture-limit" off,
    /// Moves that press the king are spared by futility prunings.
    KingAttack = "king-attack" on,
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
pub trait TechniqueSet: Clone + Send + 'static {
    /// Whether a technique is in use.
    fn has(&self, technique: Technique) -> bool;
}

/// How the engine plays.
#[derive(Clone, Copy, Debug, Default)]
pub struct DefaultTechniques;

impl TechniqueSet for DefaultTechniques {
    #[inline(always)]
    fn has(&self, technique: Technique) -> bool {
        technique.is_in_play()
    }
}

/// How the engine plays, but with some techniques the other way round, for the laboratory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TechniqueOverrides {
    /// A bit for each technique that is the other way round.
    bits: u64,
}

const _: () = assert!(Technique::ALL.len() <= u64::BITS as usize);

impl TechniqueOverrides {
    /// These are the other way round.
    pub fn these(techniques: impl IntoIterator<Item = Technique>) -> Self {
        Self { bits: techniques.into_iter().fold(0, |bits, technique| bits | 1 << technique as u32) }
    }

    /// These are in use and no others.
    pub fn only(techniques: &[Technique]) -> Self {
        let is_switched = |technique: &Technique| technique.is_in_play() != techniques.contains(technique);
        Self::these(Technique::ALL.iter().copied().filter(is_switched))
    }

    /// Whether everything is as in play.
    pub fn is_none(self) -> bool {
        self.bits == 0
    }
}

/// Names with commas between them; none is fine.
impl FromStr for TechniqueOverrides {
    type Err = UnknownTechnique;

    fn from_str(names: &str) -> Result<Self, UnknownTechnique> {
        let names = names.split(',').map(str::trim).filter(|name| !name.is_empty());
        Ok(Self::these(names.map(str::parse).collect::<Result<Vec<_>, _>>()?))
    }
}

impl TechniqueSet for TechniqueOverrides {
    #[inline]
    fn has(&self, technique: Technique) -> bool {
        technique.is_in_play() != (self.bits >> technique as u32 & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The answer in play cannot depend on anything known only at run time: there is nothing to ask.
    #[test]
    fn how_the_engine_plays_is_known_before_it_runs() {
        const { assert!(size_of::<DefaultTechniques>() == 0) };
        const { assert!(Technique::NullMove.is_in_play() && !Technique::Countermove.is_in_play()) };
    }

    #[test]
    fn what_is_switched_is_the_other_way_round_and_nothing_else() {
        for &switched in Technique::ALL {
            let techniques = TechniqueOverrides::these([switched]);
            for &technique in Technique::ALL {
                let is_as_in_play = techniques.has(technique) == DefaultTechniques.has(technique);
                assert_eq!(is_as_in_play, technique != switched);
                assert_eq!(TechniqueOverrides::only(&[switched]).has(technique), technique == switched);
            }
            assert_eq!(switched.name().parse(), Ok(techniques));
        }
    }

    #[test]
    fn techniques_are_switched_by_name() {
        let two = TechniqueOverrides::these([Technique::NullMove, Technique::Countermove]);
        assert_eq!(" null-move, countermove".parse(), Ok(two));
        assert!("".parse::<TechniqueOverrides>().is_ok_and(TechniqueOverrides::is_none));
        let error =
            "null-move,hope".parse::<TechniqueOverrides>().expect_err("hope is no technique").to_string();
        assert!(error.contains("no technique \"hope\"") && error.contains("razoring"), "{error}");
    }
}
