//! Search limits from the parameters of `go` and the position.
//!
//! Every `go` is answered with a move, whatever is wrong with its parameters.

use std::time::Duration;

use rukh_chess::{Color, Move, Position};
use rukh_engine::api::{Clock, Limits};
use rukh_eval::MAX_PLY;

use crate::command::Go;

/// The time per move when no limit could be decoded.
pub const FALLBACK_TIME: Duration = Duration::from_millis(100);
/// The greatest time accepted, some 35 years: larger values would overflow when added to an instant.
pub const MAX_TIME: Duration = Duration::from_millis(1 << 40);

/// The limits for a search of `position`, and what cannot be done as requested, a clause each.
///
/// Numbers are clamped to what a search can use: depths start at 1 and end at the maximum ply.
pub fn resolve(go: &Go, position: &Position) -> (Limits, Vec<String>) {
    let mut errors = Vec::new();
    let mut limits = Limits {
        depth: go.depth.map(|depth| depth.clamp(1, MAX_PLY as u32)),
        nodes: go.nodes.map(|nodes| nodes.max(1)),
        mate: go.mate.map(|mate| mate.clamp(1, MAX_PLY as u32 / 2) as i32),
        movetime: go.movetime.map(|time| time.min(MAX_TIME)),
        // Some GUIs send zero for the rest of the game.
        moves_to_go: go.moves_to_go.filter(|&moves| moves > 0),
        is_infinite: go.is_infinite,
        is_ponder: go.is_ponder,
        search_moves: legal_search_moves(go, position, &mut errors),
        ..Limits::default()
    };
    for color in Color::ALL {
        let increment = go.increment[color].unwrap_or_default().min(MAX_TIME);
        limits.clocks[color] =
            go.remaining[color].map(|time| Clock { remaining: time.min(MAX_TIME), increment });
    }
    ensure_termination(go, position.side_to_move(), &mut limits, &mut errors);
    (limits, errors)
}

/// Makes a search end that was given some kind of limit, even if none of them applies to the side to move.
fn ensure_termination(go: &Go, us: Color, limits: &mut Limits, errors: &mut Vec<String>) {
    if limits.is_infinite || has_limit(limits, us) {
        return;
    }
    if let Some(clock) = limits.clocks[!us] {
        limits.clocks[us] = Some(clock);
        return;
    }
    let has_increment = go.increment.0.iter().any(Option::is_some);
    if go.has_unreadable_limit || has_increment || limits.moves_to_go.is_some() {
        limits.movetime = Some(FALLBACK_TIME);
        errors.push(format!("no usable limit was given; the search takes {} ms", FALLBACK_TIME.as_millis()));
    }
}

/// Whether something other than `stop` ends this search for the side to move, once it is not pondering.
pub fn has_limit(limits: &Limits, side_to_move: Color) -> bool {
    limits.depth.is_some()
        || limits.nodes.is_some()
        || limits.mate.is_some()
        || limits.movetime.is_some()
        || limits.clocks[side_to_move].is_some()
}

/// The legal moves among the `searchmoves`; if there are none, all moves are searched.
fn legal_search_moves(go: &Go, position: &Position, errors: &mut Vec<String>) -> Vec<Move> {
    let mut moves = Vec::new();
    for text in &go.search_moves {
        match position.parse_uci(text) {
            Ok(mv) if moves.contains(&mv) => {}
            Ok(mv) => moves.push(mv),
            Err(error) => errors.push(error.to_string()),
        }
    }
    moves
}
