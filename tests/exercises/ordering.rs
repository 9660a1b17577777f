//! Static exchange evaluation, histories, killers, extensions.

use std::thread;

use rukh_chess::types::ByPiece;
use rukh_chess::{Move, Position};
use rukh_engine::api::{Bound, Limits, Request};
use rukh_engine::technique::TechniqueOverrides;
use rukh_engine::witness::{Purpose, Reason, SkipReason};
use rukh_engine::{SyncSearcher, spawn_search};
use rukh_eval::Evaluation;

use super::common::{MIDDLEGAME, is_near, position, search, tree, walk};

const VALUES: ByPiece<i32> = ByPiece([100, 300, 300, 500, 900, 0]);

fn san(position: &Position, text: &str) -> Move {
    position.parse_san(text).expect("the move is legal")
}

#[test]
fn see_1_a_knight_takes_a_protected_pawn() {
    let start = position("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1");
    let capture = san(&start, "Nxe5");
    assert!(start.see_at_least(capture, -200, &VALUES));
    assert!(!start.see_at_least(capture, -199, &VALUES));
}

#[test]
fn see_2_a_rook_behind_a_rook() {
    let doubled = position("4r1k1/8/8/4p3/8/8/4R3/4R1K1 w - - 0 1");
    let single = position("4r1k1/8/8/4p3/8/8/4R3/6K1 w - - 0 1");
    let is_worth = |start: &Position, value| start.see_at_least(san(start, "Rxe5"), value, &VALUES);
    assert!(is_worth(&doubled, 100) && !is_worth(&doubled, 101), "the second rook recaptures");
    assert!(is_worth(&single, -400) && !is_worth(&single, -399));
}

/// Gravity: the nearer an entry is to its limit, the less a bonus moves it.
fn gravity(value: f64, bonus: f64) -> f64 {
    const MAX: f64 = 8192.0;
    value + bonus - value * bonus.abs() / MAX
}

#[test]
fn histories_1_where_gravity_converges() {
    let mut value = 0.0;
    (0..1_000).for_each(|_| value = gravity(value, 500.0));
    assert!(is_near(value, 8192.0, 1.0), "{value}");
    let mut value = 0.0;
    for _ in 0..1_000 {
        value = gravity(gravity(value, 500.0), -500.0);
    }
    assert!(value.abs() < 500.0, "{value}");
}

/// Nodes of a search to depth 10 two plies later in a game; `clears` says whether what was learnt before is cleared.
fn nodes_of_the_next_move(clears: bool) -> u64 {
    let request = |position: Position| {
        Request::from_position(position, Limits { depth: Some(10), ..Limits::default() })
    };
    let work = || {
        let mut searcher = SyncSearcher::new(TechniqueOverrides::default(), &Evaluation::Classical, 16)
            .expect("there is memory for a small table");
        let start = position(MIDDLEGAME);
        searcher.search(request(start.clone()));
        if clears {
            searcher.clear();
        }
        let next = start.after(san(&start, "Bxe6"));
        let next = next.after(san(&next, "fxe6"));
        searcher.search(request(next)).nodes
    };
    thread::scope(|scope| spawn_search(scope, work).expect("there is a thread").join().expect("it ends"))
}

#[test]
fn histories_2_what_was_learnt_helps_the_next_move() {
    let (kept, cleared) = (nodes_of_the_next_move(false), nodes_of_the_next_move(true));
    assert!(kept < cleared, "{kept} nodes with it, {cleared} without");
    assert_eq!(cleared, nodes_of_the_next_move(true), "cleared searches repeat");
}

/// The share of the cut-offs by a move at which the first searched move was enough.
fn first_move_share(switched: &str) -> f64 {
    let (mut first, mut all) = (0.0, 0.0);
    let recorded = tree(MIDDLEGAME, 9, switched);
    walk(&recorded, &mut |_, node| {
        let is_of_moves = |purpose: Purpose| !purpose.is_same_position() && purpose != Purpose::NullMove;
        let is_tried = |purpose: Purpose| is_of_moves(purpose) && !purpose.name().starts_with("probcut");
        let mut tried = node.children.iter().filter(|child| is_tried(child.purpose));
        if node.reason == Reason::BetaCutoff && node.best.is_some() {
            all += 1.0;
            first += f64::from(u8::from(tried.next().is_some_and(|child| child.mv == node.best)));
        }
    });
    first / all
}

#[test]
fn killers_1_the_first_move_is_nearly_always_enough() {
    let share = first_move_share("");
    assert!(share > 0.8, "{share}");
    let without_order = first_move_share("killer,quiet-history,continuation-history,pawn-history,table-move");
    assert!(without_order < share, "{without_order} without the order, {share} with it");
}

#[test]
fn killers_2_nodes_without_killers() {
    let (with, without) = (search(MIDDLEGAME, 12, "").nodes, search(MIDDLEGAME, 12, "killer").nodes);
    assert_ne!(with, without, "the killer is used");
}

#[test]
fn extensions_1_a_singular_move_has_a_lower_bound() {
    let recorded = tree(MIDDLEGAME, 11, "");
    let mut count = 0;
    walk(&recorded, &mut |parent, node| {
        if node.purpose == Purpose::Singular {
            count += 1;
            let entry = parent.table.expect("the test needs an entry");
            assert_ne!(entry.bound, Bound::Upper);
            assert!(
                node.beta.is_some_and(|beta| beta < entry.score),
                "the bound is below the score of the move"
            );
        }
    });
    assert!(count > 10, "{count}");
}

#[test]
fn extensions_2_the_excluded_move_is_not_searched() {
    let recorded = tree(MIDDLEGAME, 11, "");
    let mut count = 0;
    walk(&recorded, &mut |parent, node| {
        if node.purpose == Purpose::Singular {
            let excluded = node.skipped.iter().find(|skip| skip.reason == SkipReason::Excluded);
            let Some(excluded) = excluded else { return };
            count += 1;
            assert_eq!(Some(excluded.mv), parent.table.and_then(|entry| entry.mv));
            assert!(node.children.iter().all(|child| child.mv != Some(excluded.mv)));
        }
    });
    assert!(count > 10, "{count}");
}
