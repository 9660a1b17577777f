//! Declaration of weights: each group once, with a sentence, in one flat list that a tuner can iterate.
//!
//! It knows neither the weights nor the terms that use them.

use std::fmt;

/// A term: a named part of the evaluation, one row of the trace.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Term {
    /// Material.
    Material,
    /// Piece-square values.
    Squares,
    /// Material imbalance.
    Imbalance,
    /// Pawn structure.
    Pawns,
    /// Passed pawns.
    PassedPawns,
    /// Mobility.
    Mobility,
    /// Knights and bishops, without mobility.
    Minors,
    /// Rooks, without mobility.
    Rooks,
    /// Queens, without mobility.
    Queens,
    /// Pawn shelter and pawn storm.
    Shelter,
    /// King danger.
    KingDanger,
    /// Threats.
    Threats,
    /// Space.
    Space,
    /// Initiative.
    Initiative,
    /// The side to move.
    Tempo,
}

impl Term {
    /// Every term, in the order of the trace.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Material,
        Self::Squares,
        Self::Imbalance,
        Self::Pawns,
        Self::PassedPawns,
        Self::Mobility,
        Self::Minors,
        Self::Rooks,
        Self::Queens,
        Self::Shelter,
        Self::KingDanger,
        Self::Threats,
        Self::Space,
        Self::Initiative,
        Self::Tempo,
    ];
    /// How many terms there are.
    pub const COUNT: usize = Self::Tempo as usize + 1;

    /// The index of this term in [`Self::ALL`].
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Material => "Material",
            Self::Squares => "Squares",
            Self::Imbalance => "Imbalance",
            Self::Pawns => "Pawns",
            Self::PassedPawns => "Passed pawns",
            Self::Mobility => "Mobility",
            Self::Minors => "Minor pieces",
            Self::Rooks => "Rooks",
            Self::Queens => "Queens",
            Self::Shelter => "King shelter",
            Self::KingDanger => "King danger",
            Self::Threats => "Threats",
            Self::Space => "Space",
            Self::Initiative => "Initiative",
            Self::Tempo => "Tempo",
        })
    }
}

/// The index of a weight in the flat list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct WeightIndex(pub(super) usize);

impl WeightIndex {
    /// The index as a number.
    #[inline]
    pub const fn get(self) -> usize {
        self.0
    }
}

/// `N` weights that are declared together, such as one for each rank.
#[derive(Clone, Copy, Debug)]
pub struct Group<const N: usize> {
    start: usize,
}

impl<const N: usize> Group<N> {
    /// The group that starts at `start`.
    pub(super) const fn starting_at(start: usize) -> Self {
        Self { start }
    }

    /// Weight `i` of the group; beyond the end the last one.
    #[inline]
    pub const fn at(self, i: usize) -> WeightIndex {
        WeightIndex(self.start + if i < N { i } else { N - 1 })
    }
}

impl Group<1> {
    /// The only weight of the group.
    #[inline]
    pub const fn one(self) -> WeightIndex {
        WeightIndex(self.start)
    }
}

/// The description of a group, for tuners and reports.
#[derive(Clone, Copy, Debug)]
pub struct GroupInfo {
    /// The name in the source.
    pub name: &'static str,
    /// Its term.
    pub term: Term,
    /// Its sentence.
    pub sentence: &'static str,
    /// The index of its first weight in the flat list.
    pub start: usize,
    /// How many weights it has.
    pub len: usize,
}

/// The sum of the first `count` lengths: the start of the next group.
pub(super) const fn start_of(lengths: &[usize], count: usize) -> usize {
    let mut start = 0;
    let mut i = 0;
    while i < count {
        start += lengths[i];
        i += 1;
    }
    start
}

/// Declares groups of weights: a sentence, a name, the term, and pairs of middlegame and endgame values.
///
/// Each name becomes a [`Group`]; together they are the flat list `DEFAULT`, described by `GROUPS`.
macro_rules! weights {
    ($($(#[doc = $sentence:literal])+ $name:ident in $term:ident = [$($pair:expr),+ $(,)?];)+) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        #[derive(Clone, Copy)]
        enum Slot { $($name),+ }

        const LENGTHS: [usize; [$(stringify!($name)),+].len()] = [$([$($pair),+].len()),+];

        $(
            $(#[doc = $sentence])+
            pub const $name: Group<{ [$($pair),+].len() }> =
                Group::starting_at(start_of(&LENGTHS, Slot::$name as usize));
        )+

        /// How many weights there are.
        pub const COUNT: usize = start_of(&LENGTHS, LENGTHS.len());

        /// All groups, in the order of the flat list.
        pub static GROUPS: [GroupInfo; LENGTHS.len()] = [$(GroupInfo {
            name: stringify!($name),
            term: Term::$term,
            sentence: concat!($($sentence),+),
            start: start_of(&LENGTHS, Slot::$name as usize),
            len: LENGTHS[Slot::$name as usize],
        }),+];

        /// The flat list of weights.
        pub static DEFAULT: [Tapered; COUNT] = PAIRS;

        const PAIRS: [Tapered; COUNT] = {
            let mut list = [Tapered::ZERO; COUNT];
            let mut next = 0;
            $($({
                let (midgame, endgame) = $pair;
                list[next] = Tapered::new(midgame, endgame);
                next += 1;
            })+)+
            assert!(next == COUNT);
            list
        };
    };
}

pub(super) use weights;
