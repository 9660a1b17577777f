//! The WDL model: from a score to the probabilities of win, draw and loss.
//!
//! `rukh data wdl` fits the constants to games of self-play. It knows the score and the move number alone.

use crate::score::{PAWN, Score, ScoreKind};

/// The score at which half of the games are won: a polynomial of the move number divided by 32, highest power first.
const HALF: [f64; 4] = [-15.912, 58.721, -29.982, 78.764];
/// The scale of the logistic curve around that score, likewise.
const SPREAD: [f64; 4] = [5.387, -8.417, -28.778, 87.936];

const _: () = assert!((HALF[0] + HALF[1] + HALF[2] + HALF[3]).round() as i32 == PAWN);

/// The probabilities of win, draw and loss for the side to move, in thousandths that add up to a thousand.
///
/// A win follows a logistic curve of the score, a loss its mirror image; the rest is the draw.
pub fn wdl(score: Score, fullmove_number: u32) -> [u32; 3] {
    let [half, spread] = parameters(fullmove_number);
    let probability = |value: f64| 1000.0 / (1.0 + ((half - value) / spread).exp());
    match score.kind() {
        ScoreKind::Centipawns(_) => {
            let win = probability(f64::from(score.value())).round() as u32;
            let loss = probability(f64::from(-score.value())).round() as u32;
            [win, 1000 - win - loss, loss]
        }
        _ if score.is_win() => [1000, 0, 0],
        _ => [0, 0, 1000],
    }
}

/// The same probabilities as fractions that are not rounded; they add up to 1.
pub fn win_draw_loss(score: Score, fullmove_number: u32) -> [f64; 3] {
    let [half, spread] = parameters(fullmove_number);
    let probability = |value: f64| 1.0 / (1.0 + ((half - value) / spread).exp());
    match score.kind() {
        ScoreKind::Centipawns(_) => {
            let [win, loss] = [score.value(), -score.value()].map(|value| probability(f64::from(value)));
            [win, 1.0 - win - loss, loss]
        }
        _ if score.is_win() => [1.0, 0.0, 0.0],
        _ => [0.0, 0.0, 1.0],
    }
}

/// Half point and spread of the curve at a move number.
fn parameters(fullmove_number: u32) -> [f64; 2] {
    let x = f64::from(fullmove_number.clamp(8, 64)) / 32.0;
    [HALF, SPREAD].map(|[a, b, c, d]| ((a * x + b) * x + c) * x + d)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::centipawns::Centipawns;

    #[test]
    fn probabilities_add_up_and_grow_with_the_score() {
        for number in [1, 20, 32, 80, 300] {
            let mut last = 0;
            for value in (-3_000..3_000).step_by(7) {
                let [win, draw, loss] = wdl(Score::new(value), number);
                assert_eq!(win + draw + loss, 1000);
                assert!(win >= last);
                last = win;
                let mirrored = wdl(Score::new(-value), number);
                assert_eq!([loss, draw, win], mirrored);
                let exact = win_draw_loss(Score::new(value), number);
                let rounded = exact.map(|share| (1000.0 * share).round() as u32);
                assert!([win, loss].iter().zip([rounded[0], rounded[2]]).all(|(&a, b)| a.abs_diff(b) <= 1));
            }
        }
        assert_eq!(wdl(Score::mate_at(5), 32), [1000, 0, 0]);
        assert_eq!(wdl(Score::mated_at(4), 32), [0, 0, 1000]);
    }

    /// An advantage that is shown as one pawn wins half of the games at move 32.
    #[test]
    fn a_pawn_wins_half_of_the_games() {
        let pawn = Score::new(PAWN);
        assert_eq!(pawn.to_centipawns(), Centipawns(100));
        assert!(wdl(pawn, 32)[0].abs_diff(500) <= 5);
    }
}
