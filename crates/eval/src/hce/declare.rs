//! How weights are declared: once, with a sentence, and yet as one flat list that a tuner can walk.
//!
//! It knows neither the weights nor who counts them.

use std::fmt;

/// A named part of the evaluation: one row of the table that explains it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Term {
    /// The pieces on the board.
    Material,
    /// Where they stand.
    Squares,
    /// What pieces are worth beside each other.
    Imbalance,
    /// The structure of the pawns.
    Pawns,
    /// Pawns that no pawn can stop.
    PassedPawns,
    /// How many squares the pieces can go to.
    Mobility,
    /// What is special about knights and bishops.
    Minors,
    /// What is special about rooks.
    Rooks,
    /// What is special about queens.
    Queens,
    /// The pawns before the king, of both sides.
    Shelter,
    /// The attack on the king.
    KingDanger,
    /// Men that are or can be attacked to their harm.
    Threats,
    /// Room behind the own pawns.
    Space,
    /// Whether the better side has something to win with.
    Initiative,
    /// The right to move.
    Tempo,
}

impl Term {
    /// Every term, in the order of the table.
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

    /// The place of this term in [`Self::ALL`].
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

/// The place of one weight in the flat list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct WeightIndex(pub(super) usize);

impl WeightIndex {
    /// The place as a number.
    #[inline]
    pub const fn get(self) -> usize {
        self.0
    }
}

/// `N` weights that were declared together, such as one for each rank.
#[derive(Clone, Copy, Debug)]
pub struct Group<const N: usize> {
    start: usize,
}

impl<const N: usize> Group<N> {
    /// The group that begins at `start`.
    pub(super) const fn starting_at(start: usize) -> Self {
        Self { start }
    }

    /// The weight number `i` of the group; beyond the end, the last one.
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

/// What a tuner or a reader of a table wants to know about a group.
#[derive(Clone, Copy, Debug)]
pub struct GroupInfo {
    /// The name in the source.
    pub name: &'static str,
    /// The row of the table it belongs to.
    pub term: Term,
    /// What it means.
    pub sentence: &'static str,
    /// The place of its first weight in the flat list.
    pub start: usize,
    /// How many weights it has.
    pub len: usize,
}

/// The sum of the first `count` lengths: where the group after them starts.
pub(super) const fn start_of(lengths: &[usize], count: usize) -> usize {
    let mut start = 0;
    let mut i = 0;
    while i < count {
        start += lengths[i];
        i += 1;
    }
    start
}

/// Declares groups of weights: a sentence, a name, the term, and the pairs of middlegame and endgame.
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

        /// The weights of play: the flat list.
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
