//! A match between two UCI engines: prints every result, then the Elo difference.
//!
//! ```text
//! cargo run --release --example match -- target/release/rukh stockfish
//! ```

use std::collections::HashSet;
use std::error::Error;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use rukh_lab::arena::{Adjudication, Book, Control, Entrant, Format, Match, Protocol, Schedule, Standings};
use rukh_lab::stats::Estimate;

const GAMES: usize = 10;
const NODES: u64 = 5_000;

/// One opening for each pair of games.
const OPENINGS: &str = "\
rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2
rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2
rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2
rnbqkb1r/pppppppp/5n2/8/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 1 2
rnbqkbnr/pppp1ppp/8/4p3/2P5/8/PP1PPPPP/RNBQKBNR w KQkq - 0 2
";

fn main() -> Result<(), Box<dyn Error>> {
    let commands: Vec<String> = std::env::args().skip(1).collect();
    let [first, second] = commands.as_slice() else { return Err("name two engines".into()) };
    let contest = Match {
        event: "example".to_owned(),
        entrants: vec![entrant(first), entrant(second)],
        schedule: Schedule::new(Format::RoundRobin, 2, GAMES),
        book: Book::from_epd(OPENINGS)?,
        adjudication: Adjudication::default(),
        patience: Duration::from_secs(60),
        concurrency: 1,
    };
    contest.check_engines()?;
    let mut standings = Standings::new(&contest.schedule, contest.entrants.len());
    contest.run(&HashSet::new(), &AtomicBool::new(false), |game| {
        standings.add(&game.result);
        println!("{} {}", game.result.outcome, game.reason);
        ControlFlow::Continue(())
    })?;
    if let Some(estimate) = Estimate::of(&standings.encounters()[0].pairs) {
        println!("{first}: {} Elo, 95% from {} to {}", estimate.elo, estimate.low, estimate.high);
    }
    Ok(())
}

/// A UCI engine with a fixed number of nodes per move.
fn entrant(command: &str) -> Entrant {
    Entrant {
        name: command.to_owned(),
        command: command.into(),
        args: Vec::new(),
        directory: None,
        protocol: Protocol::Uci,
        options: Vec::new(),
        control: Control { nodes: Some(NODES), ..Control::default() },
        ponders: false,
    }
}
