//! The content of a label record. It does not know how it is stored or which search made it.

use std::fmt;

use rukh_chess::game::Outcome;
use rukh_chess::notation::CastlingNotation;
use rukh_chess::{Move, Position};
use rukh_eval::{Score, wdl};

use crate::labelled::{LabelledPosition, SampleKind, board_of, result_name};

/// A position with the complete result of a deep search. The game is not over there, and the side to move is not in check.
///
/// A [`LabelledPosition`] has the same facts where some are unknown; a record has all of them, so that it can always be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LabelRecord {
    /// The position.
    pub position: Position,
    /// The score of the search for the side to move; a proven win or loss is kept as it is.
    pub score: Score,
    /// The probability that the side to move wins, in 255ths.
    pub win: u8,
    /// The probability that the side to move loses, in 255ths.
    pub loss: u8,
    /// The best move.
    pub best: Move,
    /// The best of the other moves with its score from a shallower search; none where there is one legal move only.
    pub second: Option<(Move, Score)>,
    /// Where the position comes from.
    pub kind: SampleKind,
    /// How the game ended; none if a random move came later in the game. Only a played position is of this game: the other
    /// kinds are of another line.
    pub outcome: Option<Outcome>,
}

/// What 1 is among probabilities that are stored in a byte.
pub(crate) const CERTAIN: u8 = u8::MAX;

impl LabelRecord {
    /// A label whose probabilities follow from the score by the engine's WDL model.
    pub fn new(
        position: Position,
        (best, score): (Move, Score),
        second: Option<(Move, Score)>,
        kind: SampleKind,
        outcome: Option<Outcome>,
    ) -> Self {
        let [win, _, loss] = wdl(score, position.fullmove_number()).map(as_byte);
        // Rounding must not make more than 1 of both.
        let loss = loss.min(CERTAIN - win);
        Self { position, score, win, loss, best, second, kind, outcome }
    }

    /// The expected score of the side to move, from 0 to 1: the probability to win and half of that to draw.
    pub fn expected_score(&self) -> f64 {
        let certain = f64::from(CERTAIN);
        0.5 + (f64::from(self.win) - f64::from(self.loss)) / (2.0 * certain)
    }
}

impl From<LabelRecord> for LabelledPosition {
    fn from(record: LabelRecord) -> Self {
        Self {
            score: Some(record.score),
            best: Some(record.best),
            expected: Some(record.expected_score()),
            outcome: record.outcome,
            kind: Some(record.kind),
            position: record.position,
        }
    }
}

fn as_byte(thousandths: u32) -> u8 {
    ((thousandths * u32::from(CERTAIN) + 500) / 1000) as u8
}

/// As a line of EPD: `bm` the best move, `ce` the score for the side to move, `c0` the kind, `c1` win and loss in 255ths, `c2`
/// the second best move and its score, `c9` the result of the game.
impl fmt::Display for LabelRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = &self.position;
        write!(
            f,
            "{} bm {}; ce {}; c0 \"{}\";",
            board_of(position),
            position.san(self.best),
            self.score.value(),
            self.kind.name()
        )?;
        write!(f, " c1 \"{} {}\";", self.win, self.loss)?;
        if let Some((mv, score)) = self.second {
            let mv = position.uci(mv, CastlingNotation::of(position));
            write!(f, " c2 \"{mv} {}\";", score.value())?;
        }
        if let Some(outcome) = self.outcome {
            let result = result_name(outcome);
            write!(f, " c9 \"{result}\";")?;
        }
        write!(f, " hmvc {}; fmvn {};", position.halfmove_clock(), position.fullmove_number())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(score: Score) -> LabelRecord {
        let position = Position::default();
        let best = position.parse_uci("e2e4").expect("it is legal");
        LabelRecord::new(position, (best, score), None, SampleKind::Played, Some(Outcome::Draw))
    }

    #[test]
    fn probabilities_are_bytes_that_never_exceed_one() {
        let mut last = -1.0;
        for value in -4_000..=4_000 {
            let label = label(Score::new(value));
            assert!(u16::from(label.win) + u16::from(label.loss) <= u16::from(CERTAIN), "{value}");
            assert!(label.expected_score() >= last, "{value}");
            last = label.expected_score();
        }
        assert_eq!(
            (label(Score::DRAW).expected_score(), label(Score::mate_at(3)).expected_score()),
            (0.5, 1.0)
        );
        assert_eq!(label(Score::mated_at(4)).expected_score(), 0.0);
    }

    #[test]
    fn a_label_is_a_line_of_epd() {
        let mut label = label(Score::new(-31));
        label.second = Some((label.position.parse_uci("d2d4").expect("it is legal"), Score::new(-40)));
        let line = label.to_string();
        let (win, loss) = (label.win, label.loss);
        assert_eq!(
            line,
            format!(
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4; ce -31; c0 \"played\"; c1 \"{win} {loss}\"; \
                 c2 \"d2d4 -40\"; c9 \"1/2-1/2\"; hmvc 0; fmvn 1;"
            )
        );
        line.parse::<rukh_chess::notation::Epd>().expect("it is EPD");
    }
}
