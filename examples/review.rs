//! The review of a game: searches every position and prints the mistakes with the better moves.
//!
//! ```text
//! cargo run --release --example review -- games.pgn
//! ```

use std::error::Error;

use rukh_chess::game::Game;
use rukh_chess::notation::pgn::{Games, decode};
use rukh_engine::Engine;
use rukh_engine::api::{Event, Limits, Request};
use rukh_explain::review::{PositionAnalysis, Review};
use rukh_explain::text;

/// The game that is reviewed if no file is named.
const GAME: &str = "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0";

fn main() -> Result<(), Box<dyn Error>> {
    let source = match std::env::args().nth(1) {
        Some(path) => decode(&std::fs::read(path)?).into_owned(),
        None => GAME.to_owned(),
    };
    let mut engine = Engine::new();
    for (index, pgn) in Games::new(&source).enumerate() {
        let pgn = pgn?;
        let review = Review::new(&pgn.game(), |game| analyse(&mut engine, game))?;
        println!("{}", text::report(index + 1, &pgn, &review));
    }
    Ok(())
}

/// The score and the best line of the present position.
fn analyse(engine: &mut Engine, game: &Game) -> Result<PositionAnalysis, &'static str> {
    let limits = Limits { depth: Some(10), ..Limits::default() };
    let events = engine.search(Request { game: game.clone(), limits });
    let lines = events.filter_map(|event| match event {
        Event::Line(line, _) => Some(line),
        _ => None,
    });
    let line = lines.last().ok_or("the search found no line")?;
    Ok(PositionAnalysis { score: line.score, wdl: line.wdl, pv: line.pv })
}
