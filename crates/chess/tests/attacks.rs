//! Attack tables against slow reference definitions.

use rukh_chess::attacks::{self, Slider, magics};
use rukh_chess::random::SplitMix64;
use rukh_chess::{Bitboard, Color, Square};

#[test]
fn magic_lookups_equal_ray_walks() {
    let mut random = SplitMix64::new(1);
    for square in Square::ALL {
        for _ in 0..2_000 {
            // Occupancies of all densities.
            let occupied = Bitboard(match random.below(3) {
                0 => random.next(),
                1 => random.next() & random.next(),
                _ => random.next() & random.next() & random.next(),
            });
            let (bishop, rook) = (Slider::Bishop.walk(square, occupied), Slider::Rook.walk(square, occupied));
            assert_eq!(attacks::bishop(square, occupied), bishop, "bishop on {square}");
            assert_eq!(attacks::rook(square, occupied), rook, "rook on {square}");
            assert_eq!(attacks::queen(square, occupied), bishop | rook, "queen on {square}");
        }
        assert_eq!(attacks::bishop_rays(square), Slider::Bishop.walk(square, Bitboard::EMPTY));
        assert_eq!(attacks::rook_rays(square), Slider::Rook.walk(square, Bitboard::EMPTY));
    }
}

#[test]
fn every_occupancy_of_the_relevant_squares_gives_the_right_attacks() {
    for square in Square::ALL {
        for slider in [Slider::Bishop, Slider::Rook] {
            let mask = slider.relevant_squares(square).0;
            let mut subset = 0_u64;
            loop {
                let found = match slider {
                    Slider::Bishop => attacks::bishop(square, Bitboard(subset)),
                    Slider::Rook => attacks::rook(square, Bitboard(subset)),
                };
                assert_eq!(found, slider.walk(square, Bitboard(subset)), "{slider:?} on {square}");
                subset = subset.wrapping_sub(mask) & mask;
                if subset == 0 {
                    break;
                }
            }
        }
    }
}

#[test]
fn the_magic_search_reproduces_the_numbers_in_the_source() {
    let rook = magics::find(Slider::Rook, magics::SEED);
    let bishop = magics::find(Slider::Bishop, magics::SEED);
    assert_eq!(magics::source(&rook, &bishop), include_str!("../src/attacks/factors.rs"));
    assert_ne!(magics::find(Slider::Bishop, magics::SEED + 1), bishop, "the seed matters");
}

#[test]
fn leaper_attacks_follow_from_the_distance_of_squares() {
    let distances = |a: Square, b: Square| {
        (a.file().index().abs_diff(b.file().index()), a.rank().index().abs_diff(b.rank().index()))
    };
    for from in Square::ALL {
        for to in Square::ALL {
            let (files, ranks) = distances(from, to);
            assert_eq!(attacks::knight(from).contains(to), files.min(ranks) == 1 && files.max(ranks) == 2);
            assert_eq!(attacks::king(from).contains(to), files.max(ranks) == 1);
            let is_above = to.rank() > from.rank();
            assert_eq!(attacks::pawn(Color::White, from).contains(to), (files, ranks) == (1, 1) && is_above);
            assert_eq!(attacks::pawn(Color::Black, from).contains(to), (files, ranks) == (1, 1) && !is_above);
        }
        let one = Bitboard::of(from);
        assert_eq!(one.knight_attacks(), attacks::knight(from));
        for color in Color::ALL {
            assert_eq!(one.pawn_attacks(color), attacks::pawn(color, from));
        }
    }
}

#[test]
fn lines_have_the_squares_between_and_beyond() {
    for a in Square::ALL {
        for b in Square::ALL {
            let expected = [Slider::Bishop, Slider::Rook]
                .into_iter()
                .find(|slider| slider.walk(a, Bitboard::EMPTY).contains(b));
            let (between, line) = match expected {
                None => (Bitboard::EMPTY, Bitboard::EMPTY),
                Some(slider) => (
                    slider.walk(a, Bitboard::of(b)) & slider.walk(b, Bitboard::of(a)),
                    slider.walk(a, Bitboard::EMPTY) & slider.walk(b, Bitboard::EMPTY)
                        | Bitboard::of(a)
                        | Bitboard::of(b),
                ),
            };
            assert_eq!(attacks::between(a, b), between, "between {a} and {b}");
            assert_eq!(attacks::line(a, b), line, "through {a} and {b}");
        }
    }
}
