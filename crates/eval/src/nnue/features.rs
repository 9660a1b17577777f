//! What the first layer sees of a position.

use rukh_chess::{Color, Piece, Position, Square};

use super::arch::INPUTS;

/// A man on a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Man {
    /// Whose it is.
    pub color: Color,
    /// What it is.
    pub piece: Piece,
    /// Where it stands.
    pub square: Square,
}

impl Man {
    /// All men of a position, by their squares.
    pub fn all_of(position: &Position) -> impl Iterator<Item = Self> + '_ {
        position.occupied().into_iter().filter_map(|square| {
            let (color, piece) = position.color_on(square).zip(position.piece_on(square))?;
            Some(Self { color, piece, square })
        })
    }
}

/// How a side looks at the board: from its own side, and mirrored if its king is on the king's wing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct View {
    /// What squares are changed by.
    flip: u8,
}

impl View {
    /// How many views a side can have.
    pub const COUNT: usize = 2;
    const MIRROR: u8 = 7;
    const TURN: u8 = 56;

    /// The view of a side with its king there.
    #[inline]
    pub const fn of(side: Color, king: Square) -> Self {
        let turn = match side {
            Color::White => 0,
            Color::Black => Self::TURN,
        };
        let mirror = if king.index() % 8 >= 4 { Self::MIRROR } else { 0 };
        Self { flip: turn | mirror }
    }

    /// Which of the views of a side it is.
    #[inline]
    pub const fn number(self) -> usize {
        (self.flip & 1) as usize
    }

    /// The input that a man is, for `side`, whose view it is.
    #[inline]
    pub const fn feature(self, side: Color, man: Man) -> usize {
        const MEN: usize = 6;
        const SQUARES: usize = 64;
        let theirs = (side.index() != man.color.index()) as usize;
        let feature =
            (theirs * MEN + man.piece.index()) * SQUARES + (man.square.index() ^ self.flip as usize);
        debug_assert!(feature < INPUTS);
        feature
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rukh_chess::types::ByColor;
    use std::collections::HashSet;

    fn square(name: &str) -> Square {
        name.parse().expect("it is a square")
    }

    #[test]
    fn men_have_inputs_of_their_own() {
        for side in [Color::White, Color::Black] {
            let view = View::of(side, square("g1"));
            let all = [Color::White, Color::Black].into_iter().flat_map(|color| {
                Piece::ALL.into_iter().flat_map(move |piece| {
                    Square::ALL
                        .into_iter()
                        .map(move |square| view.feature(side, Man { color, piece, square }))
                })
            });
            assert_eq!(all.collect::<HashSet<_>>().len(), INPUTS);
        }
    }

    /// What White sees with its king on g1 is what Black sees of the mirrored board, and what both see with a king on b.
    #[test]
    fn views_are_mirror_images() {
        let knight = |color, name| Man { color, piece: Piece::Knight, square: square(name) };
        let views = ByColor([View::of(Color::White, square("g1")), View::of(Color::Black, square("b8"))]);
        let white = views[Color::White].feature(Color::White, knight(Color::Black, "f6"));
        let black = views[Color::Black].feature(Color::Black, knight(Color::White, "c3"));
        assert_eq!(white, black);
        assert_eq!(
            (View::of(Color::White, square("d4")).number(), View::of(Color::Black, square("e4")).number()),
            (0, 1)
        );
    }
}
