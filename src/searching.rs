//! What the commands that search have in common: limits, and waiting for the answer.

use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rukh_chess::game::Game;
use rukh_chess::{Move, Position};
use rukh_engine::Engine;
use rukh_engine::api::{Event, Limits, LineInfo, Request, Settings};

use crate::evaluation::EvaluationArgs;

/// How long to search.
#[derive(clap::Args, Clone)]
#[group(multiple = true)]
pub(crate) struct SearchArgs {
    /// Milliseconds for each position
    #[arg(long, value_name = "MS")]
    movetime: Option<u64>,

    /// Iterations for each position
    #[arg(long)]
    depth: Option<u32>,

    /// Positions visited for each position
    #[arg(long)]
    nodes: Option<u64>,

    /// Threads to search with
    #[arg(long, default_value = "1", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,

    /// Mebibytes for the table of positions
    #[arg(long, value_name = "MB", default_value = "64")]
    hash: usize,

    #[command(flatten)]
    evaluation: EvaluationArgs,
}

impl SearchArgs {
    /// The limits, or, if none is given, `default_time`.
    pub(crate) fn limits(&self, default_time: Duration) -> Limits {
        let is_limited = self.movetime.is_some() || self.depth.is_some() || self.nodes.is_some();
        let movetime = self.movetime.map(Duration::from_millis);
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            movetime: movetime.or((!is_limited).then_some(default_time)),
            ..Limits::default()
        }
    }

    /// An engine with these threads and this table.
    pub(crate) fn engine(&self, multipv: usize) -> Result<Engine, String> {
        let mut engine = Engine::new();
        let overhead = Duration::ZERO;
        engine.set(Settings {
            threads: usize::from(self.threads),
            multipv,
            move_overhead: overhead,
            ..Settings::default()
        });
        engine.resize_hash(self.hash).map_err(|error| error.to_string())?;
        engine.set_evaluation(self.evaluation.evaluation()?);
        Ok(engine)
    }
}

/// Begins a search of a position without a past, whose events can be waited for.
pub(crate) fn start(engine: &mut Engine, position: &Position, limits: &Limits) -> Receiver<Event> {
    start_game(engine, &Game::new(position.clone()), limits)
}

/// Begins a search of the present position of a game, whose events can be waited for.
pub(crate) fn start_game(engine: &mut Engine, game: &Game, limits: &Limits) -> Receiver<Event> {
    let (sender, receiver) = channel();
    let sender = Mutex::new(sender);
    let listener = move |event| {
        // Whoever no longer listens does not miss it.
        let _ = sender.lock().unwrap_or_else(PoisonError::into_inner).send(event);
    };
    engine.start(Request { game: game.clone(), limits: limits.clone() }, Arc::new(listener));
    receiver
}

/// Searches to the end: the best move, and every line that was told.
pub(crate) fn search(
    engine: &mut Engine,
    position: &Position,
    limits: &Limits,
) -> (Option<Move>, Vec<LineInfo>) {
    let mut lines = Vec::new();
    for event in start(engine, position, limits) {
        match event {
            Event::Line(line, _) => lines.push(line),
            Event::CurrentMove { .. } => {}
            Event::Done { best, .. } => return (best, lines),
        }
    }
    (None, lines)
}

/// A line of moves in algebraic notation, with the numbers of the moves.
pub(crate) fn line_in_san(position: &Position, moves: &[Move]) -> String {
    use rukh_chess::Color;
    let mut here = position.clone();
    let mut words = Vec::new();
    for (i, &mv) in moves.iter().enumerate() {
        match here.side_to_move() {
            Color::White => words.push(format!("{}.", here.fullmove_number())),
            Color::Black if i == 0 => words.push(format!("{}...", here.fullmove_number())),
            Color::Black => {}
        }
        words.push(here.san(mv));
        here.make(mv, &mut ());
    }
    words.join(" ")
}
