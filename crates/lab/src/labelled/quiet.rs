//! The quiet positions of a game with their labels. They follow from the stored scores; nothing is searched here.

use rukh_chess::{Color, Move, Position};
use rukh_eval::Score;

use super::position::{LabelledPosition, SampleKind};
use crate::packed::{NO_SCORE, PackedGame};

impl LabelledPosition {
    /// The quiet positions of a game, each with its ply from the start of the game: the side to move is not in check, and the
    /// best move of the search neither captures nor promotes.
    pub fn quiet_of(game: &PackedGame) -> impl Iterator<Item = (usize, Self)> + '_ {
        let last_random = game.moves.iter().rposition(|&(_, score)| score == NO_SCORE);
        // A game of one move is a tree sample: it was not played to the end.
        let is_single = game.moves.len() == 1;
        let has_result = move |ply: usize| !is_single && last_random.is_none_or(|last| ply > last);
        let is_quiet = |(_, (position, mv, score)): &(usize, (Position, Move, i16))| {
            *score != NO_SCORE && !mv.is_noisy() && !position.is_check()
        };
        game.positions().enumerate().filter(is_quiet).map(move |(ply, (position, best, score))| {
            let sign = if position.side_to_move() == Color::White { 1 } else { -1 };
            let labelled = Self {
                score: Some(Score::from_value(sign * i32::from(score))),
                best: Some(best),
                outcome: has_result(ply).then_some(game.outcome),
                kind: Some(SampleKind::Played),
                ..position.into()
            };
            (ply, labelled)
        })
    }

    /// The quiet positions of a game whose result is known and whose score is not a proven win or loss.
    pub fn with_result_of(game: &PackedGame) -> impl Iterator<Item = Self> + '_ {
        let quiet = Self::quiet_of(game).map(|(_, quiet)| quiet);
        quiet.filter(|quiet| quiet.outcome.is_some() && quiet.score.is_some_and(|score| !score.is_decisive()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rukh_chess::game::Outcome;

    #[test]
    fn only_quiet_positions_are_taken() {
        let start = Position::default();
        let mut position = start.clone();
        let mut moves = Vec::new();
        for (text, score) in [
            ("e2e4", 30),
            ("d7d5", -20),
            ("e4d5", 50),
            ("d8d5", 0),
            ("f1b5", 31_995),
            ("c7c6", -19),
            ("b5a4", 7),
        ] {
            let mv = position.parse_uci(text).expect("it is legal");
            moves.push((mv, score));
            position = position.after(mv);
        }
        let game = PackedGame { start, outcome: Outcome::Win(Color::Black), moves };
        let quiet: Vec<LabelledPosition> = LabelledPosition::with_result_of(&game).collect();
        let scores: Vec<_> = quiet.iter().filter_map(LabelledPosition::white_score).collect();
        assert_eq!(scores, [30, -20, 7], "captures, a proven win and an answer to check are left out");
        assert!(quiet.iter().all(|labelled| labelled.result_for(Color::White) == Some(0.0)));
    }
}
