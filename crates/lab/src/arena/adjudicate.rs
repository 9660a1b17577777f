//! Adjudication: games end early when both engines report the same result for a while.

use rukh_chess::Color;
use rukh_chess::game::Outcome;
use rukh_engine::draw_policy::DrawPolicy;
use rukh_eval::Centipawns;
use serde_json::{Value as Json, json};

use super::player::Value;

/// The game is drawn when both sides would accept a draw for some moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DrawRule {
    /// When a side accepts, by the scores that both engines report.
    pub policy: DrawPolicy,
    /// Moves of each side for which both must accept.
    pub moves: u32,
}

/// Resign adjudication: a side whose score stays low for a number of moves loses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResignRule {
    /// Moves of each side for which it must hold.
    pub moves: u32,
    /// The scores are at least so far from zero.
    pub score: Centipawns,
    /// Whether the score of the winner must agree.
    pub is_two_sided: bool,
}

/// When games end early.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Adjudication {
    /// By a draw.
    pub draw: Option<DrawRule>,
    /// By resignation.
    pub resign: Option<ResignRule>,
    /// At this move, by a draw.
    pub max_moves: Option<u32>,
}

impl Adjudication {
    /// All rules, for the header of a state file.
    pub fn to_json(&self) -> Json {
        let Self { draw, resign, max_moves } = self;
        let draw = draw.map(|DrawRule { policy: DrawPolicy { from_move, margin }, moves }| {
            json!({ "from_move": from_move, "margin": margin.value(), "moves": moves })
        });
        let resign = resign.map(|ResignRule { moves, score, is_two_sided }| {
            json!({ "moves": moves, "score": score.value(), "two_sided": is_two_sided })
        });
        json!({ "draw": draw, "resign": resign, "max_moves": max_moves })
    }
}

/// Why a game was ended early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Agreement {
    /// Nothing happens any more.
    Draw,
    /// One side is lost.
    Resignation,
    /// It has taken too long.
    TooLong,
}

/// The scores that both players have reported in a game so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Record {
    /// Scores for White, one for each move; none where the engine reported none.
    scores: Vec<Option<Value>>,
}

impl Record {
    /// Adds the score of a move, for the side that made it.
    pub(crate) fn note(&mut self, side: Color, score: Option<Value>) {
        self.scores.push(score.map(|value| match (side, value) {
            (Color::White, value) => value,
            (Color::Black, Value::Centipawns(centipawns)) => Value::Centipawns(-centipawns),
            (Color::Black, Value::Mate(moves)) => Value::Mate(moves.saturating_neg()),
        }));
    }

    /// The result, if it is plain. `first_mover` began the game, and the move number is `number`.
    pub(crate) fn agree(
        &self,
        rules: &Adjudication,
        first_mover: Color,
        number: u32,
    ) -> Option<(Outcome, Agreement)> {
        if let Some(rule) = rules.resign
            && let Some(winner) = self.winner(&rule, first_mover)
        {
            return Some((Outcome::Win(winner), Agreement::Resignation));
        }
        let is_drawn = rules.draw.is_some_and(|rule| rule.policy.is_due(number) && self.is_level(&rule));
        if is_drawn {
            return Some((Outcome::Draw, Agreement::Draw));
        }
        (rules.max_moves.is_some_and(|most| number > most)).then_some((Outcome::Draw, Agreement::TooLong))
    }

    /// The last scores of `moves` moves of each side, newest first; none if there are not as many.
    fn last(&self, moves: u32) -> Option<&[Option<Value>]> {
        self.scores.len().checked_sub(2 * moves as usize).map(|start| &self.scores[start..])
    }

    fn is_level(&self, rule: &DrawRule) -> bool {
        let is_level = |score: &Option<Value>| match score {
            Some(Value::Centipawns(centipawns)) => rule.policy.is_level(*centipawns),
            Some(Value::Mate(_)) | None => false,
        };
        rule.moves > 0 && self.last(rule.moves).is_some_and(|scores| scores.iter().all(is_level))
    }

    fn winner(&self, rule: &ResignRule, first_mover: Color) -> Option<Color> {
        let wins = |winner: Color, score: &Option<Value>| {
            let is_white = winner == Color::White;
            match *score {
                Some(Value::Centipawns(centipawns)) => {
                    (if is_white { centipawns } else { -centipawns }) >= rule.score
                }
                Some(Value::Mate(moves)) => (if is_white { moves } else { moves.saturating_neg() }) > 0,
                None => false,
            }
        };
        let scores = self.last(rule.moves).filter(|_| rule.moves > 0)?;
        let start = self.scores.len() - scores.len();
        [Color::White, Color::Black].into_iter().find(|&winner| {
            scores.iter().enumerate().all(|(at, score)| {
                let mover = if (start + at).is_multiple_of(2) { first_mover } else { !first_mover };
                wins(winner, score) || (mover == winner && !rule.is_two_sided)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game with White to move first, with these scores of each side for itself.
    fn record(scores: &[i32]) -> Record {
        let mut record = Record::default();
        for (at, &score) in scores.iter().enumerate() {
            let side = if at % 2 == 0 { Color::White } else { Color::Black };
            record.note(side, Some(Value::Centipawns(Centipawns(score))));
        }
        record
    }

    #[test]
    fn level_games_are_drawn_in_time() {
        let rules = Adjudication {
            draw: Some(DrawRule { policy: DrawPolicy { from_move: 40, margin: Centipawns(5) }, moves: 2 }),
            ..Adjudication::default()
        };
        let drawn = Some((Outcome::Draw, Agreement::Draw));
        assert_eq!(record(&[90, 5, -5, 0, 1]).agree(&rules, Color::White, 40), drawn);
        assert_eq!(record(&[90, 5, -5, 0, 1]).agree(&rules, Color::White, 39), None, "too early");
        assert_eq!(record(&[5, -6, 0, 1]).agree(&rules, Color::White, 40), None, "one sees more");
        assert_eq!(record(&[5, 0, 1]).agree(&rules, Color::White, 40), None, "too few moves");
        let mut silent = record(&[0, 0, 0]);
        silent.note(Color::Black, None);
        assert_eq!(silent.agree(&rules, Color::White, 40), None, "one says nothing");
    }

    #[test]
    fn lost_games_are_given_up() {
        let rule = ResignRule { moves: 2, score: Centipawns(500), is_two_sided: true };
        let rules = Adjudication { resign: Some(rule), ..Adjudication::default() };
        let won = |winner| Some((Outcome::Win(winner), Agreement::Resignation));
        assert_eq!(record(&[600, -500, 700, -900]).agree(&rules, Color::White, 9), won(Color::White));
        assert_eq!(record(&[-600, 500, -700, 900]).agree(&rules, Color::White, 9), won(Color::Black));
        assert_eq!(record(&[600, -499, 700, -900]).agree(&rules, Color::White, 9), None);
        assert_eq!(record(&[0, -600, 0, -600]).agree(&rules, Color::White, 9), None, "the winner doubts");
        let one_sided = Adjudication { resign: Some(ResignRule { is_two_sided: false, ..rule }), ..rules };
        assert_eq!(record(&[0, -600, 0, -600]).agree(&one_sided, Color::White, 9), won(Color::White));
        let mut mated = record(&[600, -600]);
        mated.note(Color::White, Some(Value::Mate(3)));
        mated.note(Color::Black, Some(Value::Mate(-2)));
        assert_eq!(mated.agree(&rules, Color::White, 9), won(Color::White));
    }

    #[test]
    fn endless_games_end() {
        let rules = Adjudication { max_moves: Some(200), ..Adjudication::default() };
        assert_eq!(record(&[0]).agree(&rules, Color::White, 200), None);
        assert_eq!(record(&[0]).agree(&rules, Color::White, 201), Some((Outcome::Draw, Agreement::TooLong)));
    }
}
