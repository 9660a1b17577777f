//! Search techniques by name: each can be switched on or off for ablation, at no cost in the default search.

use std::fmt;
use std::str::FromStr;

use crate::algorithm::Algorithm;

/// Declares the techniques with their names, and whether they are on by default.
macro_rules! techniques {
    ($($(#[doc = $sentence:literal])+ $value:ident = $name:literal $state:ident $($gain:literal)? $($family:ident)?,)+) => {
        /// A technique that can be switched on or off.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Technique { $($(#[doc = $sentence])+ $value),+ }

        impl Technique {
            /// All techniques.
            pub const ALL: &[Self] = &[$(Self::$value),+];

            /// Whether it is on by default: measured in games as a gain, or not measured as a loss.
            #[inline(always)]
            pub const fn is_in_play(self) -> bool {
                match self { $(Self::$value => state!($state)),+ }
            }

            /// The name for options and command lines.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$value => $name),+ }
            }

            /// What a candidate gave other engines; `None` if it is no candidate. Candidates are off until games decide them.
            pub const fn candidate(self) -> Option<&'static str> {
                match self { $(Self::$value => gain!($($gain)?)),+ }
            }

            /// The search that it belongs to.
            pub const fn algorithm(self) -> Algorithm {
                match self { $(Self::$value => family!($($family)?)),+ }
            }

            /// The description.
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
    (candidate) => {
        false
    };
}

macro_rules! gain {
    () => {
        None
    };
    ($gain:literal) => {
        Some($gain)
    };
}

macro_rules! family {
    () => {
        Algorithm::AlphaBeta
    };
    (mcts) => {
        Algorithm::Mcts
    };
}

techniques! {
    /// Aspiration windows: each iteration starts with a narrow window around the last score.
    Aspiration = "aspiration" on,
    /// Transposition table cut-offs: a deep enough entry ends the node.
    TableCutoff = "table-cutoff" on,
    /// Hash move: the move of the transposition table is searched first.
    TableMove = "table-move" on,
    /// Mate distance pruning: no line is searched that cannot lead to a shorter mate than one already found.
    MateDistance = "mate-distance" on,
    /// Razoring: far below alpha at low depth, the quiescence search decides.
    Razoring = "razoring" on,
    /// Reverse futility pruning: a static evaluation far above beta at low depth ends the node.
    ReverseFutility = "reverse-futility" on,
    /// Null move pruning: if passing the turn still fails high, the node is cut off.
    NullMove = "null-move" on,
    /// ProbCut: a capture far above beta in a reduced search ends the node.
    Probcut = "probcut" on,
    /// Hindsight reduction: a reduced move that lost by the static evaluation is reduced by one more ply.
    Hindsight = "hindsight" on,
    /// Internal iterative reduction: a node without a hash move is searched one ply less deep.
    InternalReduction = "internal-reduction" on,
    /// Late move pruning: after a number of moves the remaining quiet moves are pruned.
    LateMovePruning = "late-move-pruning" on,
    /// Futility pruning: a quiet move is pruned if static evaluation and margin do not exceed alpha.
    Futility = "futility" on,
    /// History pruning: a quiet move with a bad history is pruned.
    HistoryPruning = "history-pruning" on,
    /// SEE pruning: a move that loses too much by static exchange evaluation is pruned.
    ExchangePruning = "exchange-pruning" on,
    /// Singular extensions, with double extensions, negative extensions and multicut.
    Singular = "singular" on,
    /// Check extension: checks in PV nodes that do not lose material are extended.
    CheckExtension = "check-extension" on,
    /// Recapture extension: recaptures in PV nodes are extended.
    RecaptureExtension = "recapture-extension" off,
    /// Passed pawn extension: pawn moves to the seventh rank in PV nodes are extended.
    PassedPawnExtension = "passed-pawn-extension" off,
    /// Fractional extensions: fractions of a ply add up along the line.
    FractionalExtensions = "fractional-extensions" off,
    /// Late move reductions: late moves are searched less deep first.
    LateMoveReductions = "late-move-reductions" on,
    /// Butterfly history: quiet moves are ordered by side, from-square and to-square.
    QuietHistory = "quiet-history" on,
    /// Continuation history: quiet moves are ordered by the moves one, two and four plies earlier.
    ContinuationHistory = "continuation-history" on,
    /// Pawn history: quiet moves are ordered by the pawn structure.
    PawnHistory = "pawn-history" on,
    /// Capture history: captures are ordered by piece, to-square and captured piece.
    CaptureHistory = "capture-history" on,
    /// Killer move: the last quiet move that caused a cut-off at the same ply is searched early.
    Killer = "killer" on,
    /// Countermove: the quiet move that last refuted the same previous move is searched early.
    Countermove = "countermove" off,
    /// Threat history: butterfly history distinguishes attacked from-squares and to-squares.
    ThreatHistory = "threat-history" on,
    /// Defensive bonus: quiet moves out of attacks by less valuable pieces are ordered earlier, moves into them later.
    DefensiveBonus = "defensive-bonus" on,
    /// Check bonus: quiet checks that do not lose material are ordered earlier.
    CheckBonus = "check-bonus" on,
    /// Correction history: the static evaluation is corrected by the results of earlier searches.
    Correction = "correction" on,
    /// Fail-low bonus: a quiet move is rewarded if all replies fail low.
    FailLowBonus = "fail-low-bonus" on,
    /// Evaluation bonus: a quiet move is rewarded by the static evaluation it gains.
    EvaluationBonus = "evaluation-bonus" on,
    /// Delta pruning: in quiescence a capture is pruned if the captured piece and a margin do not reach alpha.
    DeltaPruning = "delta-pruning" on,
    /// SEE pruning in quiescence: captures that lose material are pruned.
    QuiescenceExchange = "quiescence-exchange" on,
    /// Quiescence checks: the first ply of quiescence also searches quiet checks.
    QuiescenceChecks = "quiescence-checks" off,
    /// Quiescence move limit: after some moves only recaptures, promotions and checks are searched.
    QuiescenceLimit = "quiescence-limit" on,
    /// Recapture limit: after some plies of quiescence only recaptures are searched.
    RecaptureLimit = "recapture-limit" off,
    /// King-attack guard: moves that attack the king zone are exempt from futility pruning and its reverse.
    KingAttack = "king-attack" on,
    /// Tree reuse: the subtree of the move played and its reply is kept for the next search.
    TreeReuse = "tree-reuse" on mcts,
    /// MCTS-solver: proven wins, losses and draws travel up the tree.
    Solver = "solver" on mcts,
    /// Evaluation cache: a position reached by several orders of moves is evaluated once.
    EvaluationCache = "evaluation-cache" on mcts,
    /// Exploration growth: the exploration constant of PUCT grows with the visits of a node.
    ExplorationGrowth = "exploration-growth" on mcts,
    /// Value spread: the exploration constant of PUCT grows with the spread of the values below a node.
    ValueSpread = "value-spread" on mcts,
    /// First-play urgency: an unvisited move counts less than its node, the less the more policy is visited.
    FirstPlayUrgency = "first-play-urgency" on mcts,
    /// Policy temperature: the priors are the softmax of the logits divided by a temperature.
    PolicyTemperature = "policy-temperature" on mcts,
    /// Policy network: a small network gives the priors; without it the handcrafted prior does.
    PolicyNetwork = "policy-network" on mcts,
    /// Handcrafted prior: without a policy network moves have different priors; without both all have the same.
    HandcraftedPrior = "handcrafted-prior" on mcts,
    /// Lookahead prior: the static evaluation after each move is part of its prior.
    LookaheadPrior = "lookahead-prior" off mcts,
    /// Leaf search: a short alpha-beta search evaluates a leaf in place of the static evaluation.
    LeafSearch = "leaf-search" on mcts,
    /// Gumbel root: sequential halving chooses among the root moves in place of PUCT.
    GumbelRoot = "gumbel-root" off mcts,

    /// Fading malus: the malus of quiet moves before a cut-off fades with their move number.
    FadingMalus = "fading-malus" candidate "not stated",
    /// Prior capture bonus: a capture is rewarded if all replies fail low.
    PriorCaptureBonus = "prior-capture-bonus" candidate "part of +3.9",
    /// Root node order: root moves that do not raise alpha are ordered by the nodes of the last iteration.
    RootNodeOrder = "root-node-order" candidate "+10.4",
    /// Null move reduction: the search after a null move is reduced more.
    NullReduction = "null-reduction" candidate "+6.7",
    /// ProbCut guard: ProbCut is tried only with a table score at its goal or an evaluation of at least beta.
    ProbcutGuard = "probcut-guard" candidate "+6.4",
    /// ProbCut depth: the search of ProbCut is reduced more, the further the evaluation is above beta.
    ProbcutDepth = "probcut-depth" candidate "+5.1",
    /// History futility: the margin of futility pruning depends on history.
    HistoryFutility = "history-futility" candidate "+3.6",
    /// Fifty-move key: positions with different halfmove clocks have different entries.
    FiftyMoveKey = "fifty-move-key" candidate "+4.6",
    /// Time by move number: the share of the clock for a move grows with the move number.
    TimeMoveNumber = "time-move-number" candidate "+5.2",
    /// Time trend: a score below that of the last search takes more time, a higher one less.
    TimeTrend = "time-trend" candidate "+4.3",
    /// Time by best-move changes: changes of the best move within iterations take more time.
    TimeMoveChanges = "time-move-changes" candidate "+4.0",
}

impl fmt::Display for Technique {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The error for an unknown technique name.
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

/// The techniques a search uses. The search is compiled for each implementation: with [`DefaultTechniques`] every test is
/// resolved at compile time.
pub trait TechniqueSet: Clone + Send + 'static {
    /// Whether a technique is on.
    fn has(&self, technique: Technique) -> bool;
}

/// The default techniques.
#[derive(Clone, Copy, Debug, Default)]
pub struct DefaultTechniques;

impl TechniqueSet for DefaultTechniques {
    #[inline(always)]
    fn has(&self, technique: Technique) -> bool {
        technique.is_in_play()
    }
}

/// The default techniques with some of them switched against the default, for ablation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TechniqueOverrides {
    /// A bit for each technique that is switched against the default.
    bits: u128,
}

const _: () = assert!(Technique::ALL.len() <= u128::BITS as usize);

impl TechniqueOverrides {
    /// These techniques are switched against the default.
    pub fn these(techniques: impl IntoIterator<Item = Technique>) -> Self {
        Self { bits: techniques.into_iter().fold(0, |bits, technique| bits | 1 << technique as u32) }
    }

    /// These techniques are on, all others off.
    pub fn only(techniques: &[Technique]) -> Self {
        let is_switched = |technique: &Technique| technique.is_in_play() != techniques.contains(technique);
        Self::these(Technique::ALL.iter().copied().filter(is_switched))
    }

    /// The same with one technique switched once more.
    #[must_use]
    pub fn switched(self, technique: Technique) -> Self {
        Self { bits: self.bits ^ 1 << technique as u32 }
    }

    /// Whether all techniques are at their default.
    pub fn is_none(self) -> bool {
        self.bits == 0
    }
}

/// The names of the switched techniques, separated by commas.
impl fmt::Display for TechniqueOverrides {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let switched =
            Technique::ALL.iter().filter(|&&technique| self.has(technique) != technique.is_in_play());
        f.write_str(&switched.map(|technique| technique.name()).collect::<Vec<_>>().join(","))
    }
}

/// Parses a comma-separated list of technique names, which may be empty.
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

    /// [`DefaultTechniques`] has no state, so its answers are compile-time constants.
    #[test]
    fn default_techniques_are_compile_time_constants() {
        const { assert!(size_of::<DefaultTechniques>() == 0) };
        const { assert!(Technique::NullMove.is_in_play() && !Technique::Countermove.is_in_play()) };
    }

    #[test]
    fn overrides_switch_exactly_the_named_techniques() {
        for &switched in Technique::ALL {
            let techniques = TechniqueOverrides::these([switched]);
            for &technique in Technique::ALL {
                let is_default = techniques.has(technique) == DefaultTechniques.has(technique);
                assert_eq!(is_default, technique != switched);
                assert_eq!(TechniqueOverrides::only(&[switched]).has(technique), technique == switched);
            }
            assert_eq!(switched.name().parse(), Ok(techniques));
            assert_eq!(TechniqueOverrides::default().switched(switched), techniques);
            assert!(techniques.switched(switched).is_none());
        }
    }

    #[test]
    fn techniques_are_switched_by_name() {
        let two = TechniqueOverrides::these([Technique::NullMove, Technique::Countermove]);
        assert_eq!(" null-move, countermove".parse(), Ok(two));
        assert_eq!(two.to_string().parse(), Ok(two));
        assert!("".parse::<TechniqueOverrides>().is_ok_and(TechniqueOverrides::is_none));
        let error =
            "null-move,hope".parse::<TechniqueOverrides>().expect_err("the name is unknown").to_string();
        assert!(error.contains("no technique \"hope\"") && error.contains("razoring"), "{error}");
    }
}
