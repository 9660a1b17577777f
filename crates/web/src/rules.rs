//! Rules for the page: positions, legal moves, endings, openings and tablebase results as JSON. It keeps nothing.

use rukh_chess::game::{Ending, Game};
use rukh_chess::notation::{CastlingNotation, Quoted};
use rukh_chess::{Color, Move, Position, Setup};
use rukh_engine::serialize::uci_text;
use rukh_engine::tablebase::{Tablebase, Wdl};
use rukh_knowledge::openings::{Opening, Openings};
use serde_json::{Value, json};

/// The most moves of a request.
const MAX_MOVES: usize = 2_000;

/// The position of a FEN; absent and `startpos` are the start position.
pub(crate) fn position(fen: Option<&str>) -> Result<Position, String> {
    match fen.map(str::trim) {
        None | Some("startpos") => Ok(Position::default()),
        Some(fen) => fen.parse::<Position>().map_err(|error| error.to_string()),
    }
}

/// A start position of Chess960.
pub(crate) fn chess960(number: u16) -> Result<Position, String> {
    if number >= 960 {
        return Err(format!("{number} is no start position of Chess960; they have the numbers 0 to 959"));
    }
    Ok(Setup::chess960(number, number).validate().expect("every Chess960 start position is valid"))
}

/// The game of a start position and moves in SAN or UCI notation.
pub(crate) fn game(fen: Option<&str>, moves: &[String]) -> Result<Game, String> {
    if moves.len() > MAX_MOVES {
        return Err(format!("a request has at most {MAX_MOVES} moves"));
    }
    let mut game = Game::new(position(fen)?);
    for text in moves {
        let mv = parse_move(game.position(), text)?;
        game.play(mv).expect("a parsed move is legal");
    }
    Ok(game)
}

/// A legal move in UCI or SAN notation.
pub(crate) fn parse_move(position: &Position, text: &str) -> Result<Move, String> {
    let mv = position.parse_uci(text).ok().or_else(|| position.parse_san(text).ok());
    mv.ok_or_else(|| format!("{} is no legal move in {position}", Quoted::new(text)))
}

/// A move for the page.
pub(crate) fn move_json(position: &Position, mv: Move) -> Value {
    json!({ "uci": uci_text(mv), "san": position.san(mv) })
}

/// The moves of a line for the page.
pub(crate) fn line_json(start: &Position, line: &[Move]) -> Value {
    rukh_explain::variation::positions(start, line).map(|(position, mv)| move_json(&position, mv)).collect()
}

/// The legal moves with the positions they lead to.
pub(crate) fn legal_json(position: &Position) -> Value {
    let legal = |&mv: &Move| {
        let uci = uci_text(mv);
        let mut value = json!({
            "san": position.san(mv),
            "from": uci[..2],
            "to": uci[2..4],
            "fen": position.after(mv).to_string(),
        });
        if let Some(piece) = mv.promotion() {
            value["promotion"] = json!(piece.letter().to_string());
        }
        value["uci"] = json!(uci);
        value
    };
    position.legal_moves().iter().map(legal).collect()
}

/// How a game is over, if it is.
pub(crate) fn ending_json(game: &Game) -> Value {
    let Some(ending) = game.ending() else { return Value::Null };
    let is_claimed = matches!(ending, Ending::FiftyMoves | Ending::ThreefoldRepetition);
    json!({ "text": ending.to_string(), "result": ending.outcome().to_string(), "is_final": !is_claimed })
}

/// An opening for the page.
pub(crate) fn opening_json(opening: Option<Opening>) -> Value {
    opening.map_or(Value::Null, |Opening { code, name }| json!({ "code": code, "name": name }))
}

/// The side as text.
pub(crate) fn side_name(side: Color) -> &'static str {
    match side {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// Everything about the present position of a game.
pub(crate) fn position_json(game: &Game, openings: &Openings, tables: Option<&dyn Tablebase>) -> Value {
    let position = game.position();
    let side = position.side_to_move();
    let path: Vec<Value> = game
        .moves()
        .iter()
        .zip(game.positions())
        .map(|(&mv, before)| {
            let mut value = move_json(before, mv);
            value["fen"] = json!(before.after(mv).to_string());
            value
        })
        .collect();
    json!({
        "fen": position.to_string(),
        "side": side_name(side),
        "is_chess960": CastlingNotation::of(position) == CastlingNotation::RookSquare,
        "check": position.is_check().then(|| position.king(side).to_string()),
        "ending": ending_json(game),
        "path": path,
        "legal": legal_json(position),
        "opening": opening_json(openings.of_game(game)),
        "tablebase": tables.map_or(Value::Null, |tables| tablebase_json(position, tables)),
    })
}

fn tablebase_json(position: &Position, tables: &dyn Tablebase) -> Value {
    let is_small =
        position.occupied().count() <= tables.max_pieces() && position.castling().rooks().is_empty();
    let Some(wdl) = is_small.then(|| tables.wdl(position)).flatten() else { return Value::Null };
    let side = position.side_to_move();
    let (result, text) = match wdl {
        Wdl::Win => ("win", format!("{side} wins")),
        Wdl::CursedWin => ("cursed-win", format!("drawn by the fifty-move rule; {side} wins without it")),
        Wdl::Draw => ("draw", "drawn".to_owned()),
        Wdl::BlessedLoss => {
            ("blessed-loss", format!("drawn by the fifty-move rule; {} wins without it", !side))
        }
        Wdl::Loss => ("loss", format!("{} wins", !side)),
    };
    json!({ "result": result, "dtz": tables.dtz(position), "text": text })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn described(fen: &str, moves: &[&str]) -> Value {
        let moves: Vec<String> = moves.iter().map(|&text| text.to_owned()).collect();
        position_json(&game(Some(fen), &moves).expect("legal"), &Openings::new(), None)
    }

    #[test]
    fn a_position_has_its_moves_and_its_opening() {
        let json = described("startpos", &["e4", "c7c5"]);
        assert_eq!((&json["side"], &json["path"][1]["san"]), (&json!("white"), &json!("c5")));
        assert_eq!(json["opening"]["code"], "B20");
        assert_eq!(json["legal"].as_array().map(Vec::len), Some(30));
        let knight = json["legal"].as_array().and_then(|legal| legal.iter().find(|mv| mv["san"] == "Nf3"));
        assert_eq!(knight.map(|mv| (&mv["from"], &mv["to"])), Some((&json!("g1"), &json!("f3"))));
    }

    #[test]
    fn mate_and_promotion_are_described() {
        let json = described("startpos", &["f3", "e5", "g4", "Qh4"]);
        assert_eq!((&json["check"], &json["ending"]["result"]), (&json!("e1"), &json!("0-1")));
        let json = described("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", &[]);
        let queen = json["legal"].as_array().and_then(|legal| legal.iter().find(|mv| mv["san"] == "e8=Q"));
        assert_eq!(queen.map(|mv| &mv["promotion"]), Some(&json!("q")));
    }

    #[test]
    fn castling_is_a_move_of_the_king_or_onto_the_rook() {
        let json = described("4k3/8/8/8/8/8/8/4K2R w K - 0 1", &[]);
        let castling = |json: &Value| {
            let legal = json["legal"].as_array().cloned().unwrap_or_default();
            legal.into_iter().find(|mv| mv["san"] == "O-O").map(|mv| mv["uci"].clone())
        };
        assert_eq!(castling(&json), Some(json!("e1g1")));
        let json = described("4k3/8/8/8/8/8/8/1K3R2 w F - 0 1", &[]);
        assert_eq!((castling(&json), &json["is_chess960"]), (Some(json!("b1f1")), &json!(true)));
        assert!(chess960(960).is_err() && chess960(959).is_ok());
    }

    #[test]
    fn an_illegal_move_is_named() {
        let error = game(None, &["e4".to_owned(), "e4".to_owned()]).expect_err("illegal");
        assert!(error.starts_with("\"e4\" is no legal move in rnbqkbnr/"), "{error}");
        assert!(game(None, &vec!["e4".to_owned(); 2_001]).is_err());
    }
}
