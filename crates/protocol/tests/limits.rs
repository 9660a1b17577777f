//! The words of `go` meet the position.
#![allow(clippy::unwrap_used, reason = "a test may fail by it, helpers included")]

use std::time::Duration;

use rukh_chess::{Color, Position};
use rukh_engine::api::{Clock, Limits};
use rukh_eval::MAX_PLY;
use rukh_protocol::Uci;
use rukh_protocol::codec::Codec;
use rukh_protocol::command::Command;
use rukh_protocol::limits::{ANSWER_TIME, MAX_TIME, has_limit, resolve};

/// The limits for White at the start of a game, and the number of complaints.
fn limits(words: &str) -> (Limits, usize) {
    let reading = Uci.read(&format!("go {words}"));
    let Some(Command::Go(go)) = reading.commands.first() else { panic!("{words}") };
    let (limits, complaints) = resolve(go, &Position::default());
    (limits, complaints.len())
}

fn clock(remaining: u64, increment: u64) -> Option<Clock> {
    Some(Clock { remaining: Duration::from_millis(remaining), increment: Duration::from_millis(increment) })
}

#[test]
fn clocks() {
    let (both, complaints) = limits("winc 10 btime 2000 binc 20 wtime 1000 movestogo 7");
    assert_eq!(both.clocks.0, [clock(1000, 10), clock(2000, 20)]);
    assert_eq!((both.moves_to_go, complaints), (Some(7), 0));
    assert_eq!(limits("wtime 100 movestogo 0").0.moves_to_go, None);
    let (own, _) = limits("wtime 100");
    assert_eq!(own.clocks.0, [clock(100, 0), None]);
}

#[test]
fn a_missing_clock_is_like_the_other() {
    let (limits, complaints) = limits("btime 100 binc 5");
    assert_eq!(limits.clocks[Color::White], clock(100, 5));
    assert_eq!(complaints, 0);
}

#[test]
fn another_limit_needs_no_clock() {
    assert_eq!(limits("btime 100 depth 5").0.clocks[Color::White], None);
    assert_eq!(limits("btime 100 infinite").0.clocks[Color::White], None);
}

#[test]
fn a_limit_that_is_lost_still_gives_an_end() {
    for words in ["depth", "wtime x", "winc 10 binc 10", "movestogo 30", "nodes -1", "ponder wtime x"] {
        let (limits, complaints) = limits(words);
        assert_eq!((limits.movetime, complaints), (Some(ANSWER_TIME), 1), "{words}");
    }
    for words in ["", "infinite", "ponder", "infinite depth"] {
        let (limits, complaints) = limits(words);
        assert!(!has_limit(&limits, Color::White) && complaints == 0, "{words}");
    }
}

#[test]
fn numbers_are_brought_into_range() {
    let (least, _) = limits("depth 0 nodes 0 mate 0 movetime 0");
    let one = (Some(1), Some(1), Some(1), Some(Duration::ZERO));
    assert_eq!((least.depth, least.nodes, least.mate, least.movetime), one);
    let (most, _) = limits(
        "depth 4000000000 mate 4000000000 movetime 9223372036854775807 wtime 9e9 btime 9223372036854775807",
    );
    assert_eq!((most.depth, most.mate), (Some(MAX_PLY as u32), Some(MAX_PLY as i32 / 2)));
    assert_eq!(most.movetime, Some(MAX_TIME));
    assert_eq!(most.clocks[Color::Black].unwrap().remaining, MAX_TIME);
}

#[test]
fn only_legal_moves_are_searched() {
    let (limits, complaints) = limits("searchmoves e2e4 e2e4 e2e5 z9z9 g1f3");
    let moves = limits.search_moves.iter().map(|mv| mv.to().to_string()).collect::<Vec<_>>();
    assert_eq!((moves, complaints), (vec!["e4".to_owned(), "f3".to_owned()], 2));
}
