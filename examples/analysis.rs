//! Analysis with the engine as a library: searches a position and prints every line.
//!
//! ```text
//! cargo run --release --example analysis -- 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1'
//! ```

use std::error::Error;

use rukh_chess::Position;
use rukh_engine::Engine;
use rukh_engine::api::{Event, Limits, Request};
use rukh_explain::variation::to_san;

fn main() -> Result<(), Box<dyn Error>> {
    let position: Position = std::env::args().nth(1).map_or(Ok(Position::default()), |fen| fen.parse())?;
    let limits = Limits { depth: Some(12), ..Limits::default() };
    for event in Engine::new().search(Request::from_position(position.clone(), limits)) {
        if let Event::Line(line, progress) = event {
            let moves = to_san(&position, &line.pv);
            println!("depth {:2}  {}  {:8} nodes  {moves}", line.depth, line.score, progress.nodes);
        }
    }
    Ok(())
}
