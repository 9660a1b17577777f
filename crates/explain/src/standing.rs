//! Standing: who is better in a position, in words with score and WDL.

use rukh_chess::Color;
use rukh_eval::{Score, ScoreKind};

use crate::accuracy::ExpectedScore;
use crate::review::PositionAnalysis;

/// The analysis of a position in words, for `viewer`, who need not be the side to move:
/// `White is better (+1.00 for White: 50% win, 40% draw, 10% loss)`.
pub fn describe(analysis: &PositionAnalysis, side_to_move: Color, viewer: Color) -> String {
    let [win, draw, loss] = analysis.wdl;
    let (score, wdl) = match viewer == side_to_move {
        true => (analysis.score, [win, draw, loss]),
        false => (-analysis.score, [loss, draw, win]),
    };
    let [win, draw, loss] = wdl.map(|thousandths| format!("{:.0}%", f64::from(thousandths) / 10.0));
    let words = standing(score, ExpectedScore::from_wdl(wdl), viewer);
    format!("{words} ({score} for {viewer}: {win} win, {draw} draw, {loss} loss)")
}

fn standing(score: Score, expected: ExpectedScore, viewer: Color) -> String {
    if let ScoreKind::Mate(moves) = score.kind() {
        let winner = if moves > 0 { viewer } else { !viewer };
        return format!("{winner} gives mate in {}", moves.abs());
    }
    /// The smallest expected score of the better side for each phrase.
    const PHRASES: [(f64, &str); 4] =
        [(0.95, "is winning"), (0.75, "is much better"), (0.60, "is better"), (0.54, "is slightly better")];
    let (leader, value) = match expected >= ExpectedScore::DRAW {
        true => (viewer, expected.value()),
        false => (!viewer, expected.of_opponent().value()),
    };
    let phrase = PHRASES.iter().find(|(least, _)| value >= *least);
    phrase.map_or_else(|| "the game is level".to_owned(), |(_, phrase)| format!("{leader} {phrase}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn described(score: Score, wdl: [u32; 3], viewer: Color) -> String {
        describe(&PositionAnalysis { score, wdl, pv: Vec::new() }, Color::White, viewer)
    }

    #[test]
    fn score_and_wdl_are_those_of_the_viewer() {
        let better = Score::new(rukh_eval::score::PAWN);
        let white = described(better, [500, 400, 100], Color::White);
        assert_eq!(white, "White is better (+1.00 for White: 50% win, 40% draw, 10% loss)");
        let black = described(better, [500, 400, 100], Color::Black);
        assert_eq!(black, "White is better (-1.00 for Black: 10% win, 40% draw, 50% loss)");
        assert!(described(Score::DRAW, [300, 400, 300], Color::White).starts_with("the game is level ("));
    }

    #[test]
    fn mates_are_counted() {
        let mated = Score::mated_at(4);
        assert!(described(mated, [0, 0, 1000], Color::White).starts_with("Black gives mate in 2 ("));
        let black = described(mated, [0, 0, 1000], Color::Black);
        assert!(black.starts_with("Black gives mate in 2 (#2 for Black"), "{black}");
    }
}
