//! From a score to the chances of winning, drawing and losing.

use crate::score::{Score, Verdict};

/// The evaluation at which half the games are won.
const HALF_WON: f64 = 100.0;
/// How fast chances change around it, in centipawns.
const SPREAD: f64 = 45.0;

/// Chances to win, draw and lose for the side to move, in thousandths; they add up to a thousand.
///
/// A logistic curve for winning and its mirror image for losing; what is left is drawn. It is a sound guess until it is
/// fitted to our own games.
pub fn wdl(score: Score) -> [u32; 3] {
    let chance = |centipawns: f64| 1000.0 / (1.0 + ((HALF_WON - centipawns) / SPREAD).exp());
    match score.verdict() {
        Verdict::Centipawns(value) => {
            let win = chance(f64::from(value)).round() as u32;
            let loss = chance(f64::from(-value)).round() as u32;
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
        let mut last = 0;
        for value in (-3_000..3_000).step_by(7) {
            let [win, draw, loss] = wdl(Score::centipawns(value));
            assert_eq!(win + draw + loss, 1000);
            assert!(win >= last);
            last = win;
            let mirrored = wdl(Score::centipawns(-value));
            assert_eq!([loss, draw, win], mirrored);
        }
        assert_eq!(wdl(Score::centipawns(100))[0], 500);
        assert_eq!(wdl(Score::mate_at(5)), [1000, 0, 0]);
        assert_eq!(wdl(Score::mated_at(4)), [0, 0, 1000]);
    }
}
