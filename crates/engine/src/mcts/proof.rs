//! MCTS-solver: proven results as bounds that travel up the tree.
//!
//! Every child has a lower and an upper bound of its game-theoretic value. It knows results and distances, not positions
//! and not the layout of the tree.

/// A game-theoretic value for one side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Outcome {
    /// A loss.
    Loss,
    /// A draw.
    Draw,
    /// A win.
    Win,
}

impl Outcome {
    /// The value for the other side.
    pub(super) const fn flipped(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }

    const fn from_bits(bits: u16) -> Self {
        match bits & 3 {
            0 => Self::Loss,
            1 => Self::Draw,
            _ => Self::Win,
        }
    }
}

/// The bounds of a game-theoretic value for one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bounds {
    pub(super) lower: Outcome,
    pub(super) upper: Outcome,
    /// Plies from the position to the mate or, with [`Self::is_tablebase`], to the tablebase position; 0 while open.
    pub(super) plies: u16,
    /// Whether a decisive value comes from a tablebase and not from a mate.
    pub(super) is_tablebase: bool,
}

const UPPER_SHIFT: u32 = 2;
const TABLEBASE_BIT: u16 = 1 << 4;
/// The bits above belong to the distance.
const PLIES_SHIFT: u32 = 5;
/// The greatest distance that is stored; longer ones are stored as this.
const MAX_PLIES: u16 = (1 << 10) - 1;

impl Bounds {
    /// Nothing is known.
    pub(super) const OPEN: Self =
        Self { lower: Outcome::Loss, upper: Outcome::Win, plies: 0, is_tablebase: false };
    /// A draw.
    pub(super) const DRAW: Self = Self::exact(Outcome::Draw, 0);

    /// A proven value; a decisive one is a mate in `plies`.
    pub(super) const fn exact(value: Outcome, plies: u16) -> Self {
        Self { lower: value, upper: value, plies, is_tablebase: false }
    }

    /// A value proven by a tablebase.
    pub(super) const fn tablebase(value: Outcome) -> Self {
        Self { is_tablebase: !matches!(value, Outcome::Draw), ..Self::exact(value, 0) }
    }

    /// The value, if it is proven.
    pub(super) fn proven(self) -> Option<Outcome> {
        (self.lower == self.upper).then_some(self.lower)
    }

    /// Whether the value is proven to be `value`.
    pub(super) fn is(self, value: Outcome) -> bool {
        self.proven() == Some(value)
    }

    /// The bounds for the other side.
    pub(super) const fn flipped(self) -> Self {
        Self { lower: self.upper.flipped(), upper: self.lower.flipped(), ..self }
    }

    /// The bounds of a node for its side to move, from those of all its children for the same side. The side to move has
    /// the best of them: it wins by the shortest mate, and loses by the longest.
    pub(super) fn of_children(children: impl Iterator<Item = Self>) -> Self {
        let mut best = Self::exact(Outcome::Loss, 0);
        let (mut win, mut loss): (Option<Self>, Option<Self>) = (None, None);
        for child in children {
            best.lower = best.lower.max(child.lower);
            best.upper = best.upper.max(child.upper);
            if child.is(Outcome::Win) && win.is_none_or(|win| child.win_order() < win.win_order()) {
                win = Some(child);
            }
            if child.is(Outcome::Loss) && loss.is_none_or(|loss| child.win_order() > loss.win_order()) {
                loss = Some(child);
            }
        }
        let decisive = match best.proven() {
            Some(Outcome::Win) => win,
            Some(Outcome::Loss) => loss,
            _ => None,
        };
        let (plies, is_tablebase) =
            decisive.map_or((0, false), |child| (child.plies + 1, child.is_tablebase));
        Self { plies: plies.min(MAX_PLIES), is_tablebase, ..best }
    }

    /// Orders wins, the best first: mates before tablebase wins, then the shorter.
    const fn win_order(self) -> (bool, u16) {
        (self.is_tablebase, self.plies)
    }

    /// The bounds in 15 bits.
    pub(super) const fn to_bits(self) -> u16 {
        let tablebase = if self.is_tablebase { TABLEBASE_BIT } else { 0 };
        self.lower as u16 | (self.upper as u16) << UPPER_SHIFT | tablebase | self.plies << PLIES_SHIFT
    }

    /// Reads what [`Self::to_bits`] wrote.
    pub(super) const fn from_bits(bits: u16) -> Self {
        Self {
            lower: Outcome::from_bits(bits),
            upper: Outcome::from_bits(bits >> UPPER_SHIFT),
            plies: bits >> PLIES_SHIFT & MAX_PLIES,
            is_tablebase: bits & TABLEBASE_BIT != 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIN: Bounds = Bounds::exact(Outcome::Win, 4);
    const LOSS: Bounds = Bounds::exact(Outcome::Loss, 7);

    #[test]
    fn bounds_are_stored_unchanged() {
        let half = Bounds { upper: Outcome::Win, ..Bounds::DRAW };
        for bounds in [Bounds::OPEN, Bounds::DRAW, WIN, LOSS, half, Bounds::tablebase(Outcome::Win)] {
            assert_eq!(Bounds::from_bits(bounds.to_bits()), bounds);
            assert_eq!(bounds.flipped().flipped(), bounds);
            assert!(bounds.to_bits() < 1 << 15);
        }
    }

    #[test]
    fn the_side_to_move_has_the_best_child() {
        let of = |children: &[Bounds]| Bounds::of_children(children.iter().copied());
        assert_eq!(of(&[Bounds::OPEN, WIN]).proven(), Some(Outcome::Win));
        assert_eq!(of(&[LOSS, Bounds::DRAW]).proven(), Some(Outcome::Draw));
        assert_eq!(of(&[LOSS, LOSS]).proven(), Some(Outcome::Loss));
        let open = of(&[LOSS, Bounds::DRAW, Bounds::OPEN]);
        assert_eq!((open.lower, open.upper, open.proven()), (Outcome::Draw, Outcome::Win, None));
    }

    #[test]
    fn wins_are_short_and_losses_long() {
        let of = |children: &[Bounds]| Bounds::of_children(children.iter().copied());
        assert_eq!(of(&[WIN, Bounds::exact(Outcome::Win, 2), Bounds::exact(Outcome::Win, 6)]).plies, 3);
        assert_eq!(of(&[LOSS, Bounds::exact(Outcome::Loss, 9), LOSS]).plies, 10);
        let table = Bounds::tablebase(Outcome::Win);
        assert_eq!(
            of(&[table, WIN]),
            Bounds::exact(Outcome::Win, 5),
            "a mate is better than a tablebase win"
        );
        assert!(of(&[table, Bounds::OPEN]).is_tablebase);
    }
}
