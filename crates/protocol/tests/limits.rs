//! Search limits from the parameters of `go`.

use std::time::Duration;

use rukh_chess::{Color, Position};
use rukh_engine::api::{Clock, Limits};
use rukh_eval::MAX_PLY;
use rukh_protocol::Uci;
use rukh_protocol::codec::Codec;
use rukh_protocol::command::Command;
use rukh_protocol::limits::{FALLBACK_TIME, MAX_TIME, has_limit, resolve};

/// The limits for White at the start position, and the number of errors.
fn limits(words: &str) -> (Limits, usize) {
    let decoded = Uci.decode(&format!("go {words}"));
    let Some(Command::Go(go)) = decoded.commands.first() else { panic!("{words}") };
    let (limits, errors) = resolve(go, &Position::default());
    (limits, errors.len())
}

fn clock(remaining: u64, increment: u64) -> Option<Clock> {
    Some(Clock { remaining: Duration::from_millis(remaining), increment: Duration::from_millis(increment) })
}

#[test]
fn clocks_become_limits() {
    let (both, errors) = limits("winc 10 btime 2000 binc 20 wtime 1000 movestogo 7");
    assert_eq!(both.clocks.0, [clock(1000, 10), clock(2000, 20)]);
    assert_eq!((both.moves_to_go, errors), (Some(7), 0));
    assert_eq!(limits("wtime 100 movestogo 0").0.moves_to_go, None);
    let (own, _) = limits("wtime 100");
    assert_eq!(own.clocks.0, [clock(100, 0), None]);
}

#[test]
fn a_missing_clock_is_copied_from_the_opponent() {
    let (limits, errors) = limits("btime 100 binc 5");
    assert_eq!(limits.clocks[Color::White], clock(100, 5));
    assert_eq!(errors, 0);
}

#[test]
fn a_missing_clock_is_not_copied_beside_another_limit() {
    assert_eq!(limits("btime 100 depth 5").0.clocks[Color::White], None);
    assert_eq!(limits("btime 100 infinite").0.clocks[Color::White], None);
}

#[test]
fn an_unreadable_limit_still_ends_the_search() {
    for words in ["depth", "wtime x", "winc 10 binc 10", "movestogo 30", "nodes -1", "ponder wtime x"] {
        let (limits, errors) = limits(words);
        assert_eq!((limits.movetime, errors), (Some(FALLBACK_TIME), 1), "{words}");
    }
    for words in ["", "infinite", "ponder", "infinite depth"] {
        let (limits, errors) = limits(words);
        assert!(!has_limit(&limits, Color::White) && errors == 0, "{words}");
    }
}

#[test]
fn numbers_are_clamped_to_the_valid_range() {
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
    let (limits, errors) = limits("searchmoves e2e4 e2e4 e2e5 z9z9 g1f3");
    let moves = limits.search_moves.iter().map(|mv| mv.to().to_string()).collect::<Vec<_>>();
    assert_eq!((moves, errors), (vec!["e4".to_owned(), "f3".to_owned()], 2));
}
