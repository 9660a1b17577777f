//! Static evaluation as JSON: what `eval` prints, and the value of each piece.

use rukh_chess::types::ByColor;
use rukh_chess::{Color, Position};
use rukh_eval::hce::{self, Tapered, Term};
use rukh_eval::{Evaluation, Score, nnue};
use rukh_explain::white_score::WhiteScore;
use serde_json::{Value, json};

use crate::rules::side_name;

/// The static evaluation of a position; an error in check.
pub(crate) fn evaluation_json(evaluation: &Evaluation, position: &Position) -> Result<Value, String> {
    if position.is_check() {
        return Err("the side to move is in check: there is no static evaluation".to_owned());
    }
    let (text, score, pieces, terms) = match evaluation {
        Evaluation::Classical => {
            let trace = hce::trace(position);
            let sides = |ByColor([white, black]): ByColor<Tapered>| {
                [white, black].map(|side| [side.midgame(), side.endgame()])
            };
            let term = |term: Term| {
                let [white, black] = sides(trace.terms[term.index()]);
                json!({ "name": term.to_string(), "white": white, "black": black })
            };
            (trace.to_string(), trace.score, Vec::new(), Term::ALL.into_iter().map(term).collect())
        }
        Evaluation::Network(network) => {
            let trace = nnue::trace(network, position);
            let pieces = trace.pieces.iter().map(|(placed, value)| {
                json!({
                    "square": placed.square.to_string(),
                    "color": side_name(placed.color),
                    "piece": placed.piece.letter().to_string(),
                    "value": value.map(|value| WhiteScore::new(Score::new(value), Color::White)),
                })
            });
            (trace.to_string(), trace.score, pieces.collect(), Vec::new())
        }
    };
    let white = WhiteScore::new(score, position.side_to_move());
    Ok(json!({ "text": text, "score": white, "white": white.to_string(), "pieces": pieces, "terms": terms }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_and_terms_are_listed() {
        let position = "4k3/8/8/8/8/8/4P3/4K2R b K - 0 1".parse().expect("valid");
        let network = evaluation_json(&Evaluation::default(), &position).expect("no check");
        let pieces = network["pieces"].as_array().expect("a list");
        assert_eq!(pieces.len(), 4);
        let value =
            |square: &str| &pieces.iter().find(|piece| piece["square"] == square).expect("there")["value"];
        assert!(value("h1")["cp"].as_i64() > Some(0) && value("e1").is_null(), "{network}");
        let classical = evaluation_json(&Evaluation::Classical, &position).expect("no check");
        assert_eq!(classical["terms"][0]["name"], Term::Material.to_string());
        assert!(classical["score"]["cp"].as_i64() > Some(0), "White is better whoever is to move");
        let check = "4k3/8/8/8/8/8/4r3/4K2R w K - 0 1".parse().expect("valid");
        assert!(evaluation_json(&Evaluation::Classical, &check).is_err());
    }
}
