//! Serialisation of reviews with serde (feature `serde`). Moves are SAN and UCI text, scores are from White's point of view.

use rukh_chess::Color;
use rukh_engine::serialize::uci_text;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::accuracy::{ExpectedScore, MoveJudgement};
use crate::review::{Review, ReviewedMove};
use crate::variation;
use crate::white_score::WhiteScore;

/// A map of one entry: `{"cp": 31}` in centipawns, `{"mate": -2}` in full moves (0 after checkmate), `{"tablebase_win": 12}` or
/// `{"tablebase_loss": 12}` in plies. Positive and win are good for White.
impl Serialize for WhiteScore {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (kind, value) = match *self {
            Self::Centipawns(centipawns) => ("cp", centipawns.value()),
            Self::Mate(Color::White, moves) => ("mate", moves),
            Self::Mate(Color::Black, moves) => ("mate", -moves),
            Self::Tablebase(Color::White, plies) => ("tablebase_win", plies),
            Self::Tablebase(Color::Black, plies) => ("tablebase_loss", plies),
        };
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry(kind, &value)?;
        map.end()
    }
}

#[derive(Serialize)]
struct MoveFields {
    /// In SAN.
    r#move: String,
    uci: String,
    number: u32,
    side: String,
    /// The score after the move as text.
    eval: String,
    score: WhiteScore,
    /// Expected scores of the side that moved.
    expected_before: ExpectedScore,
    expected_after: ExpectedScore,
    loss: f64,
    judgement: Option<MoveJudgement>,
    /// In SAN with move numbers.
    best_line: String,
}

impl Serialize for ReviewedMove<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let [expected_before, expected_after] = self.expected_scores();
        let fields = MoveFields {
            r#move: self.position.san(self.mv),
            uci: uci_text(self.mv),
            number: self.position.fullmove_number(),
            side: self.mover().to_string().to_lowercase(),
            eval: self.white_score().to_string(),
            score: self.white_score(),
            expected_before,
            expected_after,
            loss: self.loss(),
            judgement: self.judgement(),
            best_line: variation::to_san(self.position, self.best_line()),
        };
        fields.serialize(serializer)
    }
}

#[derive(Serialize)]
struct SideFields {
    accuracy: Option<f64>,
    inaccuracies: usize,
    mistakes: usize,
    blunders: usize,
}

impl SideFields {
    fn new(review: &Review, side: Color) -> Self {
        Self {
            accuracy: review.accuracy(side),
            inaccuracies: review.count(side, MoveJudgement::Inaccuracy),
            mistakes: review.count(side, MoveJudgement::Mistake),
            blunders: review.count(side, MoveJudgement::Blunder),
        }
    }
}

#[derive(Serialize)]
struct ReviewFields<'r> {
    /// The start position as FEN.
    start: String,
    white: SideFields,
    black: SideFields,
    moves: Vec<ReviewedMove<'r>>,
}

impl Serialize for Review {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = ReviewFields {
            start: self.game().start().to_string(),
            white: SideFields::new(self, Color::White),
            black: SideFields::new(self, Color::Black),
            moves: self.moves().collect(),
        };
        fields.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use rukh_eval::{Score, wdl};
    use serde_json::{Value, json};

    use super::*;
    use crate::review::PositionAnalysis;
    use crate::tests::{game_of, reviewed};

    fn to_json(value: &impl Serialize) -> Value {
        serde_json::to_value(value).expect("all keys are text")
    }

    #[test]
    fn a_review_has_its_sides_and_its_moves() {
        let review = reviewed(&game_of("f3 e5 g4 Qh4#"));
        let json = to_json(&review);
        assert_eq!(json["start"], "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        assert_eq!((&json["white"]["blunders"], &json["black"]["blunders"]), (&json!(1), &json!(0)));
        assert_eq!(json["black"]["accuracy"], json!(100.0));
        let blunder = &json["moves"][2];
        let expected = json!({
            "move": "g4", "uci": "g2g4", "number": 2, "side": "white", "eval": "#-1", "score": { "mate": -1 },
            "expected_before": 0.5, "expected_after": 0.0, "loss": 0.5, "judgement": "blunder",
            "best_line": blunder["best_line"],
        });
        assert_eq!(*blunder, expected);
        assert!(blunder["best_line"].as_str().is_some_and(|line| line.starts_with("2. ")), "{blunder}");
        let mate = &json["moves"][3];
        assert_eq!((&mate["judgement"], &mate["score"]), (&Value::Null, &json!({ "mate": 0 })));
    }

    #[test]
    fn scores_are_from_whites_point_of_view() {
        let score = |score, side| to_json(&WhiteScore::new(score, side));
        assert_eq!(score(Score::DRAW, Color::Black), json!({ "cp": 0 }));
        assert_eq!(score(Score::mate_at(3), Color::Black), json!({ "mate": -2 }));
        assert_eq!(score(Score::tablebase_win_at(4), Color::White), json!({ "tablebase_win": 4 }));
        assert_eq!(score(Score::tablebase_win_at(4), Color::Black), json!({ "tablebase_loss": 4 }));
    }

    #[test]
    fn an_analysis_has_score_wdl_and_pv() {
        let game = game_of("e4");
        let analysis =
            PositionAnalysis { score: Score::DRAW, wdl: wdl(Score::DRAW, 32), pv: game.moves().to_vec() };
        let wdl = analysis.wdl;
        assert_eq!(to_json(&analysis), json!({ "score": { "cp": 0 }, "wdl": wdl, "pv": ["e2e4"] }));
    }
}
