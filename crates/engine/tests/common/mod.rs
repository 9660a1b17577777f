//! Searches through the public interface, with checks that every search must pass.

use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};

use rukh_chess::game::{Ending, Game};
use rukh_chess::{Move, Position};
use rukh_engine::Engine;
use rukh_engine::api::{Bound, Event, Limits, LineInfo, Progress, Request};
use rukh_eval::ScoreKind;

pub(crate) fn position(fen: &str) -> Position {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

pub(crate) fn to_depth(fen: &str, depth: u32) -> Request {
    Request::from_position(position(fen), Limits { depth: Some(depth), ..Limits::default() })
}

pub(crate) fn start(engine: &mut Engine, request: Request) -> Receiver<Event> {
    let (sender, receiver) = channel();
    let sender = Mutex::new(sender);
    engine.start(
        request,
        Arc::new(move |event| {
            let _ = sender.lock().expect("no sender panics").send(event);
        }),
    );
    receiver
}

/// The events of a finished search.
pub(crate) struct SearchLog {
    pub(crate) lines: Vec<(LineInfo, Progress)>,
    pub(crate) best: Option<Move>,
}

impl SearchLog {
    /// The last line.
    pub(crate) fn last(&self) -> &LineInfo {
        &self.lines.last().expect("there is a line").0
    }
}

/// Searches to the end and checks all reported lines and the order of events.
pub(crate) fn search(engine: &mut Engine, request: Request) -> SearchLog {
    let game = request.game.clone();
    let events = start(engine, request);
    engine.wait();
    let mut reported = SearchLog { lines: Vec::new(), best: None };
    let mut is_done = false;
    for event in events.try_iter() {
        assert!(!is_done, "no event follows the end");
        match event {
            Event::Line(line, progress) => {
                check_line(&game, &line);
                reported.lines.push((line, progress));
            }
            Event::CurrentMove { .. } | Event::Root(_) => {}
            Event::Done { best, ponder } => {
                is_done = true;
                reported.best = best;
                let last = reported.lines.iter().rev().find(|(line, _)| line.multipv == 1);
                if let Some((line, _)) = last {
                    assert_ne!(line.bound, Bound::Upper);
                    assert_eq!(line.pv.first().copied(), best);
                    assert_eq!(line.pv.get(1).copied(), ponder);
                }
            }
        }
    }
    assert!(is_done, "the last event is the end of the search");
    reported
}

/// Checks that a line is legal and ends with the game, and that a mate line is complete, bound or not.
fn check_line(game: &Game, line: &LineInfo) {
    let mut game = game.clone();
    let played = game.moves().len();
    let root = game.position().clone();
    let mut seen = Vec::new();
    for &mv in &line.pv {
        let is_first = game.moves().len() == played;
        assert!(is_first || game.ending().is_none(), "{root}: past the end: {line:?}");
        assert!(!seen.contains(&game.position().key()), "{root}: past a repetition: {line:?}");
        seen.push(game.position().key());
        game.play(mv).unwrap_or_else(|error| panic!("{root}: {error}: {line:?}"));
    }
    if let ScoreKind::Mate(moves) = line.score.kind() {
        let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
        assert_eq!(line.pv.len(), plies as usize, "{root}: {line:?}");
        assert!(matches!(game.ending(), Some(Ending::Checkmate { .. })), "{root}: {line:?}");
    }
}
