//! The review of a game: what was expected before and after each of its moves.
//!
//! It asks a judge and does not know who that is: an engine, a file, or a test.

use rukh_chess::game::{Ending, Game};
use rukh_chess::{Color, Move, Position};
use rukh_eval::Score;

use crate::accuracy::{self, Expectation, Fault};
use crate::verdict::WhiteVerdict;

/// What a judge says of a position, for the side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Judgement {
    /// How good it is.
    pub score: Score,
    /// Chances to win, draw and lose in thousandths.
    pub wdl: [u32; 3],
    /// The best moves of both sides; none where the game is over.
    pub line: Vec<Move>,
}

impl Judgement {
    /// What the rules say of a position in which the game is over.
    fn of_rules(ending: Ending) -> Self {
        let (score, wdl) = match ending {
            Ending::Checkmate { .. } => (Score::MIN, [0, 0, 1000]),
            _ => (Score::DRAW, [0, 1000, 0]),
        };
        Self { score, wdl, line: Vec::new() }
    }

    /// What the side to move can expect.
    pub fn expectation(&self) -> Expectation {
        Expectation::of_wdl(self.wdl)
    }
}

/// A game with a judgement of each of its positions.
#[derive(Clone, Debug)]
pub struct Review {
    game: Game,
    /// One for each position, the first and the last included.
    judgements: Vec<Judgement>,
}

impl Review {
    /// Reviews a game. The judge is asked once for each position in which there is something to decide.
    ///
    /// It is asked from the end of the game to its beginning: what it has found out about a position is then known in
    /// those before, so that a refutation some moves later counts against the move that allowed it.
    pub fn of<E>(game: &Game, mut judge: impl FnMut(&Game) -> Result<Judgement, E>) -> Result<Self, E> {
        let mut here = game.clone();
        let mut judgements = Vec::with_capacity(game.positions().len());
        loop {
            let is_last = judgements.is_empty();
            judgements.push(match ending(&here, is_last) {
                Some(ending) => Judgement::of_rules(ending),
                None => judge(&here)?,
            });
            if here.take_back().is_none() {
                break;
            }
        }
        judgements.reverse();
        Ok(Self { game: game.clone(), judgements })
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The moves with what was expected before and after them.
    pub fn moves(&self) -> impl Iterator<Item = ReviewedMove<'_>> {
        let around = self.game.positions().iter().zip(self.judgements.windows(2));
        self.game.moves().iter().zip(around).map(|(&mv, (position, judgements))| ReviewedMove {
            position,
            mv,
            before: &judgements[0],
            after: &judgements[1],
        })
    }

    /// What White could expect in each position.
    pub fn expectations_of_white(&self) -> impl Iterator<Item = Expectation> {
        let sides = self.game.positions().iter().map(Position::side_to_move);
        self.judgements.iter().zip(sides).map(|(judgement, side)| match side {
            Color::White => judgement.expectation(),
            Color::Black => judgement.expectation().of_other_side(),
        })
    }

    /// How well a side played, from 0 to 100; none if it made no move.
    pub fn accuracy(&self, side: Color) -> Option<f64> {
        accuracy::of_side(self.moves().filter(|played| played.mover() == side).map(|played| played.loss()))
    }

    /// How many moves of a side have this fault.
    pub fn count(&self, side: Color, fault: Fault) -> usize {
        self.moves().filter(|played| played.mover() == side && played.fault() == Some(fault)).count()
    }
}

/// How the game is over here, if it is. A draw that has to be claimed ends a game only where the players ended it.
fn ending(game: &Game, is_last: bool) -> Option<Ending> {
    game.ending().filter(|ending| match ending {
        Ending::FiftyMoves | Ending::ThreefoldRepetition => is_last,
        Ending::Checkmate { .. } | Ending::Stalemate | Ending::InsufficientMaterial => true,
    })
}

/// A move of a game with what was expected before and after it.
#[derive(Clone, Copy, Debug)]
pub struct ReviewedMove<'r> {
    /// The position before it.
    pub position: &'r Position,
    /// The move.
    pub mv: Move,
    /// The judgement of the position before it, for the side that moved.
    pub before: &'r Judgement,
    /// The judgement of the position after it, for the other side.
    pub after: &'r Judgement,
}

impl<'r> ReviewedMove<'r> {
    /// Who moved.
    pub fn mover(&self) -> Color {
        self.position.side_to_move()
    }

    /// What the side that moved could expect before and after.
    pub fn expectations(&self) -> [Expectation; 2] {
        [self.before.expectation(), self.after.expectation().of_other_side()]
    }

    /// What the move cost of the expectation. The move that the judge would have played costs nothing, whatever is found
    /// out about it later.
    pub fn loss(&self) -> f64 {
        let [before, after] = self.expectations();
        let is_best = self.before.line.first() == Some(&self.mv);
        if is_best { 0.0 } else { before.loss_to(after) }
    }

    /// How bad the move was, if it was bad.
    pub fn fault(&self) -> Option<Fault> {
        Fault::of_loss(self.loss())
    }

    /// How the game stands after the move.
    pub fn verdict(&self) -> WhiteVerdict {
        WhiteVerdict::new(self.after.score, !self.mover())
    }

    /// What should have been played, and what might follow; cut where nobody reads on.
    pub fn best_line(&self) -> &'r [Move] {
        /// Moves of either side.
        const LONGEST: usize = 10;
        &self.before.line[..self.before.line.len().min(LONGEST)]
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use rukh_eval::wdl;

    use super::*;
    use crate::tests::{game_of, judged};

    #[test]
    fn a_lost_queen_is_a_blunder_and_the_best_move_costs_nothing() {
        let game = game_of("e4 e5 Qh5 Nc6 Qxf7 Kxf7");
        let review = judged(&game);
        let faults: Vec<_> = review.moves().map(|played| played.fault()).collect();
        assert_eq!(faults, [None, None, None, None, Some(Fault::Blunder), None]);
        assert_eq!(
            (review.count(Color::White, Fault::Blunder), review.count(Color::Black, Fault::Blunder)),
            (1, 0)
        );
        let blunder = review.moves().nth(4).expect("there are six moves");
        assert!(blunder.loss() > 0.3 && blunder.verdict().to_string().starts_with('-'), "{blunder:?}");
        assert_ne!(blunder.best_line().first(), Some(&blunder.mv));
        let [white, black] =
            [Color::White, Color::Black].map(|side| review.accuracy(side).expect("it moved"));
        assert!(white < 75.0 && black > 99.0, "{white} {black}");
    }

    #[test]
    fn the_judge_is_asked_once_from_the_end_to_the_beginning_with_the_whole_game() {
        let game = game_of("e4 e5 Nf3 Nc6");
        let mut lengths = Vec::new();
        let review = Review::of(&game, |game| {
            lengths.push(game.moves().len());
            Ok::<_, Infallible>(Judgement { score: Score::DRAW, wdl: [0, 1000, 0], line: Vec::new() })
        });
        assert_eq!(lengths, [4, 3, 2, 1, 0]);
        let Ok(review) = review;
        assert!(review.moves().all(|played| played.loss() == 0.0));
        assert_eq!(review.expectations_of_white().count(), 5);
    }

    #[test]
    fn the_move_of_the_judge_costs_nothing_whatever_comes_to_light_later() {
        let game = game_of("e4 e5");
        let play = |advice: &str| {
            let advice = Position::default().parse_san(advice).expect("the move is legal");
            let Ok(review) = Review::of(&game, |game| {
                // Whoever is to move is winning: each move seems to throw everything away.
                let line = if game.moves().is_empty() { vec![advice] } else { Vec::new() };
                Ok::<_, Infallible>(Judgement { score: Score::centipawns(900), wdl: [1000, 0, 0], line })
            });
            review.moves().map(|played| played.loss()).collect::<Vec<_>>()
        };
        assert_eq!((play("e4"), play("d4")), (vec![0.0, 1.0], vec![1.0, 1.0]));
    }

    #[test]
    fn a_judge_that_gives_up_ends_the_review() {
        let mut asked = 0;
        let review = Review::of(&game_of("e4 e5"), |_| {
            asked += 1;
            Err::<Judgement, _>("enough")
        });
        assert_eq!((review.err(), asked), (Some("enough"), 1));
    }

    #[test]
    fn what_the_rules_decide_is_not_asked() {
        let mated = game_of("f3 e5 g4 Qh4#");
        let mut asked = 0;
        let Ok(review) = Review::of(&mated, |game| {
            asked += 1;
            let wdl = wdl(Score::DRAW, game.position().fullmove_number());
            Ok::<_, Infallible>(Judgement { score: Score::DRAW, wdl, line: Vec::new() })
        });
        assert_eq!(asked, 4, "five positions, the last of them mate");
        let last = review.moves().last().expect("there are moves");
        assert_eq!((last.verdict(), last.fault()), (WhiteVerdict::Mate(Color::Black, 0), None));
        assert_eq!(last.expectations()[1], Expectation::WIN);
        let blunder = review.moves().nth(2).expect("there are moves");
        assert_eq!(blunder.fault(), None, "this judge believes it level");
        assert_eq!(review.expectations_of_white().last(), Some(Expectation::LOSS));
    }

    #[test]
    fn a_repetition_is_a_draw_only_where_the_game_ends_with_it() {
        let there_and_back = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8";
        for (moves, expected) in [(there_and_back.to_owned(), 8), (format!("{there_and_back} e4"), 10)] {
            let mut asked = 0;
            let Ok(_) = Review::of(&game_of(&moves), |_| {
                asked += 1;
                Ok::<_, Infallible>(Judgement { score: Score::DRAW, wdl: [0, 1000, 0], line: Vec::new() })
            });
            assert_eq!(asked, expected, "{moves}");
        }
    }

    #[test]
    fn a_game_without_moves_has_no_accuracy() {
        let review = judged(&Game::default());
        assert_eq!((review.moves().count(), review.accuracy(Color::White)), (0, None));
        assert_eq!(review.expectations_of_white().count(), 1);
    }
}
