//! From a score to the chances of winning, drawing and losing.
//!
//! `rukh data chances` fits the numbers below to games of self-play; docs/chances.md shows how well they fit.

use crate::score::{PAWN, Score, Verdict};

/// The score at which half the games are won, as a polynomial over the number of the move divided by 32, the cube first.
const HALF: [f64; 4] = [-15.912, 58.721, -29.982, 78.764];
/// How fast chances change around it, likewise.
const SPREAD: [f64; 4] = [5.387, -8.417, -28.778, 87.936];

const _: () = assert!((HALF[0] + HALF[1] + HALF[2] + HALF[3]).round() as i32 == PAWN);

/// Chances to win, draw and lose for the side to move, in thousandths; they add up to a thousand.
///
/// A logistic curve for winning and its mirror image for losing; what is left is drawn.
pub fn wdl(score: Score, fullmove_number: u32) -> [u32; 3] {
    let x = f64::from(fullmove_number.clamp(8, 64)) / 32.0;
    let [half, spread] = [HALF, SPREAD].map(|[a, b, c, d]| ((a * x + b) * x + c) * x + d);
    let chance = |centipawns: f64| 1000.0 / (1.0 + ((half - centipawns) / spread).exp());
    match score.verdict() {
        Verdict::Centipawns(_) => {
            let win = chance(f64::from(score.value())).round() as u32;
            let loss = chance(f64::from(-score.value())).round() as u32;
            [win, 1000 - win - loss, loss]
        }
        _ if score.is_win() => [1000, 0, 0],
        _ => [0, 0, 1000],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_add_up_and_grow_with_the_score() {
        for number in [1, 20, 32, 80, 300] {
            let mut last = 0;
            for value in (-3_000..3_000).step_by(7) {
                let [win, draw, loss] = wdl(Score::centipawns(value), number);
                assert_eq!(win + draw + loss, 1000);
                assert!(win >= last);
                last = win;
                let mirrored = wdl(Score::centipawns(-value), number);
                assert_eq!([loss, draw, win], mirrored);
            }
        }
        assert_eq!(wdl(Score::mate_at(5), 32), [1000, 0, 0]);
        assert_eq!(wdl(Score::mated_at(4), 32), [0, 0, 1000]);
    }

    /// One pawn, as it is shown, wins half the games at move 32.
    #[test]
    fn a_pawn_is_half_a_chance() {
        let pawn = Score::centipawns(PAWN);
        assert_eq!(pawn.verdict(), Verdict::Centipawns(100));
        assert!(wdl(pawn, 32)[0].abs_diff(500) <= 5);
    }
}
