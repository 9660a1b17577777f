//! Game reviews: an analysis of each position, and what each move lost.
//!
//! Where an analysis comes from is unknown here: an engine, a file, or a test.

use rukh_chess::game::{Ending, Game};
use rukh_chess::{Color, Move, Position};
use rukh_eval::Score;

use crate::accuracy::{self, ExpectedScore, MoveJudgement};
use crate::white_score::WhiteScore;

/// The analysis of a position, for the side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PositionAnalysis {
    /// The score.
    #[cfg_attr(feature = "serde", serde(serialize_with = "rukh_engine::serialize::score"))]
    pub score: Score,
    /// Wins, draws and losses in thousandths (WDL).
    pub wdl: [u32; 3],
    /// The principal variation; empty where the game is over.
    #[cfg_attr(feature = "serde", serde(serialize_with = "rukh_engine::serialize::uci_list"))]
    pub pv: Vec<Move>,
}

impl PositionAnalysis {
    /// The analysis of a position in which the game is over.
    fn from_ending(ending: Ending) -> Self {
        let (score, wdl) = match ending {
            Ending::Checkmate { .. } => (Score::MIN, [0, 0, 1000]),
            _ => (Score::DRAW, [0, 1000, 0]),
        };
        Self { score, wdl, pv: Vec::new() }
    }

    /// The expected score of the side to move.
    pub fn expected_score(&self) -> ExpectedScore {
        ExpectedScore::from_wdl(self.wdl)
    }
}

/// A game with an analysis of each of its positions.
#[derive(Clone, Debug)]
pub struct Review {
    game: Game,
    /// One for each position, including the first and the last.
    analyses: Vec<PositionAnalysis>,
}

impl Review {
    /// Reviews a game. `analyse` is called once for each position in which the game is not over.
    ///
    /// The calls go from the end of the game to its start: an engine then has later positions in its transposition
    /// table, so that a refutation some moves later counts against the move that allowed it.
    pub fn new<E>(
        game: &Game,
        mut analyse: impl FnMut(&Game) -> Result<PositionAnalysis, E>,
    ) -> Result<Self, E> {
        let mut here = game.clone();
        let mut analyses = Vec::with_capacity(game.positions().len());
        loop {
            let is_last = analyses.is_empty();
            analyses.push(match ending(&here, is_last) {
                Some(ending) => PositionAnalysis::from_ending(ending),
                None => analyse(&here)?,
            });
            if here.take_back().is_none() {
                break;
            }
        }
        analyses.reverse();
        Ok(Self { game: game.clone(), analyses })
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The moves with the analyses before and after them.
    pub fn moves(&self) -> impl Iterator<Item = ReviewedMove<'_>> {
        let around = self.game.positions().iter().zip(self.analyses.windows(2));
        self.game.moves().iter().zip(around).map(|(&mv, (position, analyses))| ReviewedMove {
            position,
            mv,
            before: &analyses[0],
            after: &analyses[1],
        })
    }

    /// The expected score of White in each position.
    pub(crate) fn white_expected_scores(&self) -> impl Iterator<Item = ExpectedScore> {
        let sides = self.game.positions().iter().map(Position::side_to_move);
        self.analyses.iter().zip(sides).map(|(analysis, side)| match side {
            Color::White => analysis.expected_score(),
            Color::Black => analysis.expected_score().of_opponent(),
        })
    }

    /// The accuracy of a side, from 0 to 100; `None` if it made no move.
    pub fn accuracy(&self, side: Color) -> Option<f64> {
        accuracy::of_side(self.moves().filter(|played| played.mover() == side).map(|played| played.loss()))
    }

    /// The number of moves of a side with this judgement.
    pub fn count(&self, side: Color, judgement: MoveJudgement) -> usize {
        self.moves().filter(|played| played.mover() == side && played.judgement() == Some(judgement)).count()
    }
}

/// How the game is over here, if it is. A draw that must be claimed counts only in the last position.
fn ending(game: &Game, is_last: bool) -> Option<Ending> {
    game.ending().filter(|ending| match ending {
        Ending::FiftyMoves | Ending::ThreefoldRepetition => is_last,
        Ending::Checkmate { .. } | Ending::Stalemate | Ending::InsufficientMaterial => true,
    })
}

/// A move of a reviewed game.
#[derive(Clone, Copy, Debug)]
pub struct ReviewedMove<'r> {
    /// The position before the move.
    pub position: &'r Position,
    /// The move.
    pub mv: Move,
    /// The analysis before the move, for the side that moved.
    pub before: &'r PositionAnalysis,
    /// The analysis after the move, for the opponent.
    pub after: &'r PositionAnalysis,
}

impl<'r> ReviewedMove<'r> {
    /// The side that moved.
    pub fn mover(&self) -> Color {
        self.position.side_to_move()
    }

    /// The expected scores of the side that moved, before and after the move.
    pub fn expected_scores(&self) -> [ExpectedScore; 2] {
        [self.before.expected_score(), self.after.expected_score().of_opponent()]
    }

    /// The expected score that the move lost. The first move of the principal variation loses nothing, whatever the
    /// analysis after it says.
    pub fn loss(&self) -> f64 {
        let [before, after] = self.expected_scores();
        let is_best = self.before.pv.first() == Some(&self.mv);
        if is_best { 0.0 } else { before.loss_to(after) }
    }

    /// The judgement of the move, if it was bad.
    pub fn judgement(&self) -> Option<MoveJudgement> {
        MoveJudgement::from_loss(self.loss())
    }

    /// The score after the move, from White's point of view.
    pub fn white_score(&self) -> WhiteScore {
        WhiteScore::new(self.after.score, !self.mover())
    }

    /// The principal variation before the move, of at most ten plies.
    pub fn best_line(&self) -> &'r [Move] {
        const MAX_PLIES: usize = 10;
        &self.before.pv[..self.before.pv.len().min(MAX_PLIES)]
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use rukh_eval::wdl;

    use super::*;
    use crate::tests::{game_of, reviewed};

    #[test]
    fn losing_the_queen_is_a_blunder_and_the_best_move_loses_nothing() {
        let game = game_of("e4 e5 Qh5 Nc6 Qxf7 Kxf7");
        let review = reviewed(&game);
        let judgements: Vec<_> = review.moves().map(|played| played.judgement()).collect();
        assert_eq!(judgements, [None, None, None, None, Some(MoveJudgement::Blunder), None]);
        assert_eq!(
            (
                review.count(Color::White, MoveJudgement::Blunder),
                review.count(Color::Black, MoveJudgement::Blunder)
            ),
            (1, 0)
        );
        let blunder = review.moves().nth(4).expect("there are six moves");
        assert!(blunder.loss() > 0.3 && blunder.white_score().to_string().starts_with('-'), "{blunder:?}");
        assert_ne!(blunder.best_line().first(), Some(&blunder.mv));
        let [white, black] =
            [Color::White, Color::Black].map(|side| review.accuracy(side).expect("it moved"));
        assert!(white < 75.0 && black > 99.0, "{white} {black}");
    }

    #[test]
    fn positions_are_analysed_once_from_the_end_to_the_start() {
        let game = game_of("e4 e5 Nf3 Nc6");
        let mut lengths = Vec::new();
        let review = Review::new(&game, |game| {
            lengths.push(game.moves().len());
            Ok::<_, Infallible>(PositionAnalysis { score: Score::DRAW, wdl: [0, 1000, 0], pv: Vec::new() })
        });
        assert_eq!(lengths, [4, 3, 2, 1, 0]);
        let Ok(review) = review;
        assert!(review.moves().all(|played| played.loss() == 0.0));
        assert_eq!(review.white_expected_scores().count(), 5);
    }

    #[test]
    fn the_first_move_of_the_pv_loses_nothing() {
        let game = game_of("e4 e5");
        let play = |advice: &str| {
            let advice = Position::default().parse_san(advice).expect("the move is legal");
            let Ok(review) = Review::new(&game, |game| {
                // The side to move is always winning, so that every other move loses everything.
                let pv = if game.moves().is_empty() { vec![advice] } else { Vec::new() };
                Ok::<_, Infallible>(PositionAnalysis { score: Score::new(900), wdl: [1000, 0, 0], pv })
            });
            review.moves().map(|played| played.loss()).collect::<Vec<_>>()
        };
        assert_eq!((play("e4"), play("d4")), (vec![0.0, 1.0], vec![1.0, 1.0]));
    }

    #[test]
    fn an_error_of_the_analysis_ends_the_review() {
        let mut calls = 0;
        let review = Review::new(&game_of("e4 e5"), |_| {
            calls += 1;
            Err::<PositionAnalysis, _>("enough")
        });
        assert_eq!((review.err(), calls), (Some("enough"), 1));
    }

    #[test]
    fn positions_in_which_the_game_is_over_are_not_analysed() {
        let mated = game_of("f3 e5 g4 Qh4#");
        let mut calls = 0;
        let Ok(review) = Review::new(&mated, |game| {
            calls += 1;
            let wdl = wdl(Score::DRAW, game.position().fullmove_number());
            Ok::<_, Infallible>(PositionAnalysis { score: Score::DRAW, wdl, pv: Vec::new() })
        });
        assert_eq!(calls, 4, "five positions, the last of them mate");
        let last = review.moves().last().expect("there are moves");
        assert_eq!((last.white_score(), last.judgement()), (WhiteScore::Mate(Color::Black, 0), None));
        assert_eq!(last.expected_scores()[1], ExpectedScore::WIN);
        let blunder = review.moves().nth(2).expect("there are moves");
        assert_eq!(blunder.judgement(), None, "this analysis sees a level position");
        assert_eq!(review.white_expected_scores().last(), Some(ExpectedScore::LOSS));
    }

    #[test]
    fn a_repetition_is_a_draw_only_where_the_game_ends_with_it() {
        let there_and_back = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8";
        for (moves, expected) in [(there_and_back.to_owned(), 8), (format!("{there_and_back} e4"), 10)] {
            let mut calls = 0;
            let Ok(_) = Review::new(&game_of(&moves), |_| {
                calls += 1;
                Ok::<_, Infallible>(PositionAnalysis {
                    score: Score::DRAW,
                    wdl: [0, 1000, 0],
                    pv: Vec::new(),
                })
            });
            assert_eq!(calls, expected, "{moves}");
        }
    }

    #[test]
    fn a_game_without_moves_has_no_accuracy() {
        let review = reviewed(&Game::default());
        assert_eq!((review.moves().count(), review.accuracy(Color::White)), (0, None));
        assert_eq!(review.white_expected_scores().count(), 1);
    }
}
