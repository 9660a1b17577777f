//! What a score means, in words.

use rukh_chess::Color;
use rukh_eval::Score;
use rukh_eval::score::Verdict;
use rukh_explain::accuracy::ExpectedScore;
use rukh_explain::review::PositionAnalysis;

/// Who stands better, for `viewer`, who may not be the side to move.
pub(super) fn describe(opinion: &PositionAnalysis, side_to_move: Color, viewer: Color) -> String {
    let [win, draw, loss] = opinion.wdl;
    let (score, wdl) = match viewer == side_to_move {
        true => (opinion.score, [win, draw, loss]),
        false => (-opinion.score, [loss, draw, win]),
    };
    let [win, draw, loss] = wdl.map(|chance| format!("{:.0}%", f64::from(chance) / 10.0));
    let words = standing(score, ExpectedScore::from_wdl(wdl), viewer);
    format!("{words} ({score} for {viewer}: {win} to win, {draw} to draw, {loss} to lose)")
}

fn standing(score: Score, expectation: ExpectedScore, viewer: Color) -> String {
    if let Verdict::Mate(moves) = score.verdict() {
        let winner = if moves > 0 { viewer } else { !viewer };
        return format!("{winner} gives mate in {}", moves.abs());
    }
    const WORDS: [(f64, &str); 4] =
        [(0.95, "is winning"), (0.75, "is much better"), (0.60, "is better"), (0.54, "is a little better")];
    let is_ours = expectation >= ExpectedScore::DRAW;
    let (leader, value) = match is_ours {
        true => (viewer, expectation.value()),
        false => (!viewer, expectation.of_opponent().value()),
    };
    let words = WORDS.iter().find(|(least, _)| value >= *least);
    words.map_or_else(|| "the game is level".to_owned(), |(_, words)| format!("{leader} {words}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(score: Score, wdl: [u32; 3], viewer: Color) -> String {
        describe(&PositionAnalysis { score, wdl, pv: Vec::new() }, Color::White, viewer)
    }

    #[test]
    fn the_viewer_is_told_its_own_chances() {
        let better = Score::centipawns(rukh_eval::score::PAWN);
        let white = told(better, [500, 400, 100], Color::White);
        assert_eq!(white, "White is better (+1.00 for White: 50% to win, 40% to draw, 10% to lose)");
        let black = told(better, [500, 400, 100], Color::Black);
        assert_eq!(black, "White is better (-1.00 for Black: 10% to win, 40% to draw, 50% to lose)");
        assert!(told(Score::DRAW, [300, 400, 300], Color::White).starts_with("the game is level ("));
    }

    #[test]
    fn mates_are_counted() {
        let mated = Score::mated_at(4);
        assert!(told(mated, [0, 0, 1000], Color::White).starts_with("Black gives mate in 2 ("));
        assert!(told(mated, [0, 0, 1000], Color::Black).starts_with("Black gives mate in 2 (#2 for Black"));
    }
}
