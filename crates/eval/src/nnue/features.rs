//! What the first layer sees of a position.

use rukh_chess::{Color, Piece, Position, Square};

use super::arch::INPUTS;

/// A piece on a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlacedPiece {
    /// Whose it is.
    pub color: Color,
    /// What it is.
    pub piece: Piece,
    /// Where it stands.
    pub square: Square,
}

impl PlacedPiece {
    /// All pieces of a position, by their squares.
    pub fn all_of(position: &Position) -> impl Iterator<Item = Self> + '_ {
        position.occupied().into_iter().filter_map(|square| {
            let (color, piece) = position.color_on(square).zip(position.piece_on(square))?;
            Some(Self { color, piece, square })
        })
    }
}

/// How a side looks at the board: from its own side, and mirrored if its king is on the king's wing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Perspective {
    /// What squares are changed by.
    flip: u8,
}

impl Perspective {
    /// How many perspectives a side can have.
    pub const COUNT: usize = 2;
    const MIRROR: u8 = 7;
    const TURN: u8 = 56;

    /// The perspective of a side with its king there.
    #[inline]
    pub const fn of(side: Color, king: Square) -> Self {
        let turn = match side {
            Color::White => 0,
            Color::Black => Self::TURN,
        };
        let mirror = if king.index() % 8 >= 4 { Self::MIRROR } else { 0 };
        Self { flip: turn | mirror }
    }

    /// Which of the perspectives of a side it is.
    #[inline]
    pub const fn number(self) -> usize {
        (self.flip & 1) as usize
    }

    /// The input that a piece is, for `side`, whose perspective it is.
    #[inline]
    pub const fn feature(self, side: Color, placed: PlacedPiece) -> usize {
        const MEN: usize = 6;
        const SQUARES: usize = 64;
        let theirs = (side.index() != placed.color.index()) as usize;
        let feature =
            (theirs * MEN + placed.piece.index()) * SQUARES + (placed.square.index() ^ self.flip as usize);
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
    fn pieces_have_inputs_of_their_own() {
        for side in [Color::White, Color::Black] {
            let perspective = Perspective::of(side, square("g1"));
            let all = [Color::White, Color::Black].into_iter().flat_map(|color| {
                Piece::ALL.into_iter().flat_map(move |piece| {
                    Square::ALL
                        .into_iter()
                        .map(move |square| perspective.feature(side, PlacedPiece { color, piece, square }))
                })
            });
            assert_eq!(all.collect::<HashSet<_>>().len(), INPUTS);
        }
    }

    /// What White sees with its king on g1 is what Black sees of the mirrored board, and what both see with a king on b.
    #[test]
    fn views_are_mirror_images() {
        let knight = |color, name| PlacedPiece { color, piece: Piece::Knight, square: square(name) };
        let perspectives = ByColor([
            Perspective::of(Color::White, square("g1")),
            Perspective::of(Color::Black, square("b8")),
        ]);
        let white = perspectives[Color::White].feature(Color::White, knight(Color::Black, "f6"));
        let black = perspectives[Color::Black].feature(Color::Black, knight(Color::White, "c3"));
        assert_eq!(white, black);
        assert_eq!(
            (
                Perspective::of(Color::White, square("d4")).number(),
                Perspective::of(Color::Black, square("e4")).number()
            ),
            (0, 1)
        );
    }
}
