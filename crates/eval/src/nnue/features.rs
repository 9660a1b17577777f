//! Input features: pieces on squares as each side sees them, mirrored, in king buckets.
//!
//! It knows the board, not the layers above.

use rukh_chess::{Color, Piece, Position, Square};

/// The most pieces of a position: so many features are active at once.
pub const MAX_PIECES: usize = 32;
/// Features of one king bucket: own and enemy pieces of six kinds on 64 squares.
pub const PIECE_SQUARES: usize = 2 * Piece::COUNT * Square::COUNT;

/// A piece on a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlacedPiece {
    /// Its colour.
    pub color: Color,
    /// Its kind.
    pub piece: Piece,
    /// Its square.
    pub square: Square,
}

impl PlacedPiece {
    /// All pieces of a position, in the order of their squares.
    pub fn all_of(position: &Position) -> impl Iterator<Item = Self> + '_ {
        position.occupied().into_iter().filter_map(|square| {
            let (color, piece) = position.color_on(square).zip(position.piece_on(square))?;
            Some(Self { color, piece, square })
        })
    }
}

/// The input feature set: piece-square features (768), horizontally mirrored, with weights of their own for each bucket
/// of the own king's square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InputSet {
    /// The bucket of each square of the own king: rank by rank from its own first rank, files a to d. The files e to h
    /// are their mirror images.
    pub king_buckets: [u8; Self::KING_SQUARES],
}

impl InputSet {
    /// Squares of the own king after mirroring.
    pub const KING_SQUARES: usize = 32;
    /// One bucket for all squares of the king.
    pub(crate) const ONE_BUCKET: Self = Self { king_buckets: [0; Self::KING_SQUARES] };

    /// The number of king buckets.
    pub const fn buckets(&self) -> usize {
        let (mut most, mut at) = (0, 0);
        while at < Self::KING_SQUARES {
            if self.king_buckets[at] > most {
                most = self.king_buckets[at];
            }
            at += 1;
        }
        most as usize + 1
    }

    /// The number of features.
    pub const fn features(&self) -> usize {
        self.buckets() * PIECE_SQUARES
    }

    /// The perspective of a side with its king on `king`.
    #[inline]
    pub const fn perspective(&self, side: Color, king: Square) -> Perspective {
        let turn = match side {
            Color::White => 0,
            Color::Black => Perspective::TURN,
        };
        let mirror = if king.index() % 8 >= 4 { Perspective::MIRROR } else { 0 };
        let flip = turn | mirror;
        let seen = king.index() ^ flip as usize;
        Perspective { flip, bucket: self.king_buckets[seen / 8 * 4 + seen % 8] }
    }
}

/// How a side sees the board: from its own side, mirrored so that its king is on the files a to d, in a king bucket.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Perspective {
    /// Square indices are changed by exclusive or with this.
    flip: u8,
    bucket: u8,
}

impl Perspective {
    const MIRROR: u8 = 7;
    const TURN: u8 = 56;

    /// The number of perspectives that a side can have with so many king buckets.
    pub const fn count(buckets: usize) -> usize {
        2 * buckets
    }

    /// Its index among the perspectives of a side.
    #[inline]
    pub const fn index(self) -> usize {
        2 * self.bucket as usize + (self.flip & 1) as usize
    }

    /// Whether left and right are swapped.
    pub const fn is_mirrored(self) -> bool {
        self.flip & Self::MIRROR != 0
    }

    /// The index of a square as it is seen.
    #[inline]
    pub(crate) const fn square(self, square: Square) -> usize {
        square.index() ^ self.flip as usize
    }

    /// The index of the feature that a piece activates for `side`, whose perspective this is.
    #[inline]
    pub const fn feature(self, side: Color, placed: PlacedPiece) -> usize {
        let is_theirs = (side.index() != placed.color.index()) as usize;
        let piece = is_theirs * Piece::COUNT + placed.piece.index();
        let square = placed.square.index() ^ self.flip as usize;
        self.bucket as usize * PIECE_SQUARES + piece * Square::COUNT + square
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rukh_chess::types::ByColor;
    use std::collections::HashSet;

    /// Ranks one and two are the second bucket.
    const TWO_BUCKETS: InputSet = {
        let mut king_buckets = [0; InputSet::KING_SQUARES];
        let mut at = 0;
        while at < 8 {
            king_buckets[at] = 1;
            at += 1;
        }
        InputSet { king_buckets }
    };

    fn square(name: &str) -> Square {
        name.parse().expect("it is a square")
    }

    #[test]
    fn every_piece_on_every_square_has_a_feature_of_its_own() {
        assert_eq!((InputSet::ONE_BUCKET.features(), TWO_BUCKETS.features()), (768, 1_536));
        for side in [Color::White, Color::Black] {
            let all = ["g1", "g8"].into_iter().flat_map(|king| {
                let perspective = TWO_BUCKETS.perspective(side, square(king));
                [Color::White, Color::Black].into_iter().flat_map(move |color| {
                    Piece::ALL.into_iter().flat_map(move |piece| {
                        Square::ALL.into_iter().map(move |square| {
                            perspective.feature(side, PlacedPiece { color, piece, square })
                        })
                    })
                })
            });
            assert_eq!(all.collect::<HashSet<_>>(), (0..1_536).collect());
        }
    }

    /// White with its king on g1 sees what Black sees of the mirrored board, and what either sees with the king on b.
    #[test]
    fn perspectives_are_mirror_images() {
        for inputs in [InputSet::ONE_BUCKET, TWO_BUCKETS] {
            let knight = |color, name| PlacedPiece { color, piece: Piece::Knight, square: square(name) };
            let perspectives = ByColor([
                inputs.perspective(Color::White, square("g1")),
                inputs.perspective(Color::Black, square("b8")),
            ]);
            let white = perspectives[Color::White].feature(Color::White, knight(Color::Black, "f6"));
            let black = perspectives[Color::Black].feature(Color::Black, knight(Color::White, "c3"));
            assert_eq!(white, black);
        }
        let index = |side, king| TWO_BUCKETS.perspective(side, square(king)).index();
        assert_eq!((index(Color::White, "d4"), index(Color::Black, "e4")), (0, 1));
        assert_eq!((index(Color::White, "d1"), index(Color::Black, "e8")), (2, 3));
        assert_eq!(Perspective::count(TWO_BUCKETS.buckets()), 4);
    }
}
