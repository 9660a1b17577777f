//! Game tree as JSON: tags, moves, comments, NAGs and variations of a PGN game, in both directions.

use rukh_chess::Color;
use rukh_chess::Position;
use rukh_chess::game::Outcome;
use rukh_chess::notation::pgn::{PgnGame, PgnMove, Variation};
use rukh_engine::serialize::uci_text;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::rules;

/// The most moves of a game tree.
const MAX_MOVES: usize = 20_000;
/// The texts of a null move.
const NULL_MOVES: [&str; 4] = ["0000", "--", "Z0", "null"];

/// A game tree in a request.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct GameIn {
    #[serde(default)]
    tags: Vec<(String, String)>,
    start: Option<String>,
    result: Option<String>,
    #[serde(default)]
    comments: Vec<String>,
    #[serde(default)]
    moves: Vec<MoveIn>,
}

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
struct MoveIn {
    uci: Option<String>,
    san: Option<String>,
    /// Positions follow from the moves.
    #[serde(default, rename = "fen")]
    _fen: Option<String>,
    #[serde(default)]
    nags: Vec<u8>,
    #[serde(default)]
    comments: Vec<String>,
    #[serde(default)]
    variations: Vec<VariationIn>,
}

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
struct VariationIn {
    #[serde(default)]
    comments: Vec<String>,
    #[serde(default)]
    moves: Vec<MoveIn>,
}

impl GameIn {
    /// The game, if all its moves are legal.
    pub(crate) fn read(self) -> Result<PgnGame, String> {
        let start = rules::position(self.start.as_deref())?;
        let outcome = match self.result.as_deref() {
            None | Some("*") => None,
            Some("1-0") => Some(Outcome::Win(Color::White)),
            Some("0-1") => Some(Outcome::Win(Color::Black)),
            Some("1/2-1/2") => Some(Outcome::Draw),
            Some(other) => return Err(format!("{other:?} is no result; there are 1-0, 0-1, 1/2-1/2 and *")),
        };
        if let Some((name, _)) = self.tags.iter().find(|(name, _)| !is_tag_name(name)) {
            return Err(format!("{name:?} is no name of a tag: letters, digits and _ only"));
        }
        // The start position has its own field.
        let mut tags = self.tags;
        tags.retain(|(name, _)| !name.eq_ignore_ascii_case("FEN") && !name.eq_ignore_ascii_case("SetUp"));
        if start != Position::default() {
            tags.push(("SetUp".to_owned(), "1".to_owned()));
            tags.push(("FEN".to_owned(), start.to_string()));
        }
        let result = outcome.map_or_else(|| "*".to_owned(), |outcome| outcome.to_string());
        for (name, value) in &mut tags {
            if name.eq_ignore_ascii_case("Result") {
                value.clone_from(&result);
            }
        }
        let mut left = MAX_MOVES;
        let main_line =
            Variation { comments: self.comments, moves: read_moves(&start, self.moves, &mut left)? };
        Ok(PgnGame { tags, start, main_line, outcome })
    }
}

fn is_tag_name(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= 255
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn read_moves(start: &Position, moves: Vec<MoveIn>, left: &mut usize) -> Result<Vec<PgnMove>, String> {
    let mut position = start.clone();
    let mut read = Vec::with_capacity(moves.len());
    for written in moves {
        *left = left.checked_sub(1).ok_or_else(|| format!("a game tree has at most {MAX_MOVES} moves"))?;
        let text = written.uci.or(written.san).ok_or("a move of a game tree needs uci or san")?;
        let is_null = NULL_MOVES.contains(&text.as_str());
        if is_null && position.is_check() {
            return Err(format!("a null move is not possible in check: {position}"));
        }
        let mv = if is_null { None } else { Some(rules::parse_move(&position, &text)?) };
        let mut variations = Vec::with_capacity(written.variations.len());
        for VariationIn { comments, moves } in written.variations {
            variations.push(Variation { comments, moves: read_moves(&position, moves, left)? });
        }
        match mv {
            Some(mv) => position = position.after(mv),
            None => position.make_null(),
        }
        read.push(PgnMove { mv, nags: written.nags, comments: written.comments, variations });
    }
    Ok(read)
}

/// A game for the page.
pub(crate) fn game_json(game: &PgnGame) -> Value {
    json!({
        "tags": game.tags,
        "start": game.start.to_string(),
        "result": game.outcome.map_or_else(|| "*".to_owned(), |outcome| outcome.to_string()),
        "comments": game.main_line.comments,
        "moves": moves_json(&game.start, &game.main_line.moves),
    })
}

fn moves_json(start: &Position, moves: &[PgnMove]) -> Vec<Value> {
    let mut position = start.clone();
    let mut values = Vec::with_capacity(moves.len());
    for written in moves {
        let variation = |variation: &Variation| json!({ "comments": variation.comments, "moves": moves_json(&position, &variation.moves) });
        let variations: Vec<Value> = written.variations.iter().map(variation).collect();
        let (uci, san) = match written.mv {
            Some(mv) => (uci_text(mv), position.san(mv)),
            None => ("0000".to_owned(), "--".to_owned()),
        };
        match written.mv {
            Some(mv) => position = position.after(mv),
            None => position.make_null(),
        }
        values.push(json!({
            "uci": uci,
            "san": san,
            "fen": position.to_string(),
            "nags": written.nags,
            "comments": written.comments,
            "variations": variations,
        }));
    }
    values
}

#[cfg(test)]
mod tests {
    use rukh_chess::notation::pgn::Games;

    use super::*;

    fn read(json: Value) -> Result<PgnGame, String> {
        serde_json::from_value::<GameIn>(json).expect("the shape is right").read()
    }

    #[test]
    fn a_tree_is_written_and_read() {
        let pgn = "[Event \"x\"]\n[Result \"1-0\"]\n\n{first} 1. e4 $1 {good [%cal Gd2d4]} (1. d4 d5 (1... Nf6)) \
                   1... e5 2. -- d5 1-0\n";
        let game = Games::new(pgn).next().expect("a game").expect("readable");
        let json = game_json(&game);
        assert_eq!(json["moves"][0]["variations"][0]["moves"][1]["variations"][0]["moves"][0]["san"], "Nf6");
        assert_eq!((&json["moves"][2]["uci"], &json["moves"][0]["nags"][0]), (&json!("0000"), &json!(1)));
        assert_eq!(read(json).expect("legal"), game);
    }

    #[test]
    fn a_start_position_goes_into_the_tags() {
        let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        let game = read(json!({ "start": fen, "moves": [{ "san": "O-O" }] })).expect("legal");
        let text = game.to_string();
        assert!(text.contains(&format!("[FEN \"{fen}\"]")) && text.contains("1. O-O"), "{text}");
    }

    #[test]
    fn faults_are_named() {
        let error = |json| read(json).expect_err("faulty");
        assert!(error(json!({ "moves": [{ "san": "e5" }] })).contains("\"e5\" is no legal move"));
        assert!(error(json!({ "result": "2-0" })).contains("is no result"));
        assert!(error(json!({ "moves": [{}] })).contains("needs uci or san"));
        assert!(error(json!({ "tags": [["a\"b", "x"]] })).contains("is no name of a tag"));
        assert!(error(json!({ "start": "8/8/8/8/8/8/8/8 w - - 0 1" })).contains("king"));
        let check = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
        assert!(error(json!({ "start": check, "moves": [{ "uci": "0000" }] })).contains("in check"));
    }
}
