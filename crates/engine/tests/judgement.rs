//! Soundness: positions in which a technique could go wrong, and whole searches that must still be right.

use std::sync::{Arc, Mutex};

use rukh_chess::{Position, Square};
use rukh_engine::api::{Event, Limits, Request};
use rukh_engine::technique::{Technique, TechniqueOverrides};
use rukh_engine::{Engine, SearchResult, search_once};
use rukh_eval::{Evaluation, Score, ScoreKind};

fn request(fen: &str, depth: u32) -> Request {
    let position: Position = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
    Request::from_position(position, Limits { depth: Some(depth), ..Limits::default() })
}

fn search(fen: &str, depth: u32) -> SearchResult {
    search_once(TechniqueOverrides::default(), &Evaluation::Classical, request(fen, depth), 4)
        .expect("there is memory")
}

fn score(fen: &str, depth: u32) -> Score {
    search(fen, depth).score.expect("there are moves")
}

/// The score and the best move in SAN.
fn verdict(fen: &str, depth: u32) -> (ScoreKind, String) {
    let found = search(fen, depth);
    let position: Position = fen.parse().expect("it has just been searched");
    let best = found.best.expect("there are moves");
    (found.score.expect("there are moves").kind(), position.san(best).to_string())
}

fn assert_draw(fen: &str, depth: u32) {
    let score = score(fen, depth);
    assert!(score.value().abs() <= 1, "{fen}: {score}");
}

/// Mutual zugzwang: the side to move must give up its pawn, and the other pawn promotes. Material and null move suggest
/// otherwise: White is ahead in the second and third position, but its pieces are locked in.
#[test]
fn zugzwang_is_not_overlooked() {
    for (board, depth) in [
        ("8/8/8/4pK2/3kP3/8/8/8", 14),
        ("8/8/8/4pK2/3kP3/1p6/1P6/B7", 14),
        ("8/8/8/6pK/1p3kP1/pPp5/P1P5/RB6", 18),
    ] {
        for side in ["w", "b"] {
            let fen = format!("{board} {side} - - 0 1");
            let score = score(&fen, depth);
            assert!(score < Score::new(-200), "{fen}: {score}");
        }
    }
}

#[test]
fn the_weaker_side_finds_stalemate_and_the_stronger_avoids_it() {
    // The rook checks until it is captured with stalemate, or wins the queen.
    assert_draw("1R6/8/7k/8/8/6q1/8/7K w - - 0 1", 10);
    // The natural king move is stalemate.
    let (verdict, best) = verdict("k7/2Q5/8/2K5/8/8/8/8 w - - 0 1", 8);
    assert!(matches!(verdict, ScoreKind::Mate(1..)), "{verdict:?}");
    assert_ne!(best, "Kb6");
}

#[test]
fn a_win_after_the_fifty_move_rule_is_a_draw() {
    let rook = "8/8/8/3k4/8/8/8/R3K3 w - -";
    assert!(score(&format!("{rook} 0 90"), 10) > Score::new(300));
    assert_draw(&format!("{rook} 95 90"), 10);
    // Mate on the last possible move, and one move too late.
    assert_eq!(verdict("k7/8/2K5/8/8/8/8/7R w - - 97 90", 8), (ScoreKind::Mate(2), "Kb6".to_owned()));
    assert_draw("k7/8/2K5/8/8/8/8/7R w - - 98 90", 8);
    // Only the capture resets the halfmove clock.
    let fen = "8/8/8/8/8/2k4n/8/K2R3R w - - 97 90";
    assert!(verdict(fen, 8).1.starts_with("Rxh3"));
    assert!(score(fen, 8) > Score::new(300));
}

/// Black needs four more plies for the draw, but the transposition table has all waiting moves as lost, from a search with a
/// low halfmove clock. The pawn move, which resets the clock, must not be preferred.
#[test]
fn the_table_does_not_hide_the_fifty_move_rule() {
    let mut engine = Engine::new();
    engine.resize_hash(4).expect("there is memory");
    let mut last_line = |clock: u32, depth| {
        let fen = format!("8/6k1/6p1/8/8/8/8/KR6 b - - {clock} 120");
        let last = Arc::new(Mutex::new(None));
        let received = last.clone();
        engine.start(
            request(&fen, depth),
            Arc::new(move |event| {
                if let Event::Line(line, _) = event {
                    *received.lock().expect("no listener panics") = Some(line);
                }
            }),
        );
        engine.wait();
        last.lock().expect("no listener panics").take().expect("there is a line")
    };
    assert!(last_line(0, 10).score < Score::new(-200));
    let line = last_line(96, 8);
    assert!(line.score.value().abs() <= 1, "{line:?}");
    assert_ne!(line.pv[0].from(), Square::G6, "the pawn does not move");
}

#[test]
fn an_underpromotion_that_mates_is_found() {
    assert_eq!(verdict("6bn/5Prk/7p/8/8/8/8/K7 w - - 0 1", 4), (ScoreKind::Mate(1), "f8=N#".to_owned()));
}

/// White has a queen against two rooks and two knights, and no check or capture helps: a quiet queen move next to the king
/// mates.
#[test]
fn a_quiet_move_that_mates_is_found_by_the_side_that_is_behind() {
    let fen = "rr4k1/p4p2/nn3Pp1/8/8/6P1/3Q1PKP/8 w - - 0 1";
    assert_eq!(verdict(fen, 4), (ScoreKind::Mate(2), "Qh6".to_owned()));
    // The same one ply later, from the other side.
    assert_eq!(score("rr4k1/p4p2/nn3PpQ/8/8/6P1/5PKP/8 b - - 0 1", 3).kind(), ScoreKind::Mate(-1));
}

/// The mate is found with each technique switched against its default.
#[test]
fn mates_are_found_without_any_technique_too() {
    for &technique in Technique::ALL {
        let fen = "rr4k1/p4p2/nn3Pp1/8/8/6P1/3Q1PKP/8 w - - 0 1";
        let found =
            search_once(TechniqueOverrides::these([technique]), &Evaluation::Classical, request(fen, 4), 1)
                .expect("there is memory");
        assert_eq!(found.score.map(Score::kind), Some(ScoreKind::Mate(2)), "with {technique} switched");
    }
    let found = search_once(
        TechniqueOverrides::only(&[]),
        &Evaluation::Classical,
        request("6bn/5Prk/7p/8/8/8/8/K7 w - - 0 1", 3),
        1,
    );
    assert_eq!(found.expect("there is memory").score.map(Score::kind), Some(ScoreKind::Mate(1)));
}
