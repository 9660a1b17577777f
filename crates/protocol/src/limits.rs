//! What was asked for meets the position: limits that a search can keep.
//!
//! A program that says `go` waits for a move. Whatever was wrong with its words, it gets one.

use std::time::Duration;

use rukh_chess::{Color, Move, Position};
use rukh_engine::api::{Clock, Limits};
use rukh_eval::MAX_PLY;

use crate::command::Go;

/// The time for an answer when no limit could be read.
pub const ANSWER_TIME: Duration = Duration::from_millis(100);
/// No search takes longer than some thirty years; larger numbers could not be added to a time of day.
pub const MAX_TIME: Duration = Duration::from_millis(1 << 40);

/// Limits for a search of `position`, and what cannot be done as it was asked, a clause each.
///
/// Numbers are brought into the range a search can use: no depth of zero, none beyond its longest line.
pub fn resolve(go: &Go, position: &Position) -> (Limits, Vec<String>) {
    let mut complaints = Vec::new();
    let mut limits = Limits {
        depth: go.depth.map(|depth| depth.clamp(1, MAX_PLY as u32)),
        nodes: go.nodes.map(|nodes| nodes.max(1)),
        mate: go.mate.map(|mate| mate.clamp(1, MAX_PLY as u32 / 2) as i32),
        movetime: go.movetime.map(|time| time.min(MAX_TIME)),
        // Some programs send zero for the rest of the game.
        moves_to_go: go.moves_to_go.filter(|&moves| moves > 0),
        is_infinite: go.is_infinite,
        is_ponder: go.is_ponder,
        search_moves: read_moves(go, position, &mut complaints),
        ..Limits::default()
    };
    for color in Color::ALL {
        let increment = go.increment[color].unwrap_or_default().min(MAX_TIME);
        limits.clocks[color] =
            go.remaining[color].map(|time| Clock { remaining: time.min(MAX_TIME), increment });
    }
    give_an_end(go, position.side_to_move(), &mut limits, &mut complaints);
    (limits, complaints)
}

/// A search that was given a limit of some kind ends, even if that limit says nothing about the side to move.
fn give_an_end(go: &Go, us: Color, limits: &mut Limits, complaints: &mut Vec<String>) {
    if limits.is_infinite || has_limit(limits, us) {
        return;
    }
    if let Some(clock) = limits.clocks[!us] {
        limits.clocks[us] = Some(clock);
        return;
    }
    let has_increment = go.increment.0.iter().any(Option::is_some);
    if go.has_lost_limit || has_increment || limits.moves_to_go.is_some() {
        limits.movetime = Some(ANSWER_TIME);
        complaints
            .push(format!("there is no limit to go by, so the search takes {} ms", ANSWER_TIME.as_millis()));
    }
}

/// Whether something other than a `stop` ends this search for the side to move, guessed move or not.
pub fn has_limit(limits: &Limits, side_to_move: Color) -> bool {
    limits.depth.is_some()
        || limits.nodes.is_some()
        || limits.mate.is_some()
        || limits.movetime.is_some()
        || limits.clocks[side_to_move].is_some()
}

/// The legal ones among the moves to be searched; if none is, all moves are searched.
fn read_moves(go: &Go, position: &Position, complaints: &mut Vec<String>) -> Vec<Move> {
    let mut moves = Vec::new();
    for text in &go.search_moves {
        match position.parse_uci(text) {
            Ok(mv) if moves.contains(&mv) => {}
            Ok(mv) => moves.push(mv),
            Err(error) => complaints.push(error.to_string()),
        }
    }
    moves
}
