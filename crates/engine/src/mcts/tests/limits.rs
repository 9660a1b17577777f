//! Limits of a tree search and what it reports.

use std::time::{Duration, Instant};

use rukh_eval::Score;

use super::super::control::{Control, Counters};
use super::super::proof::Outcome;
use super::super::slot::Slot;
use super::super::tree::ranked;
use super::fixture::{Bench, game};
use crate::api::Limits;
use crate::clock::TimePlan;
use crate::params;
use crate::search::{Job, Searcher, SharedState};
use crate::technique::{Technique, TechniqueOverrides};

const MIDDLEGAME: &str = "r2q1rk1/ppp2ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPP2PPP/R2Q1RK1 w - - 4 8";

#[test]
fn a_mate_is_proven_and_reported_with_its_distance() {
    for (fen, plies) in [
        ("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", 1),
        ("7k/8/R7/1R6/8/8/8/K7 w - - 0 1", 3),
        ("2r3k1/5ppp/8/8/8/8/4RPPP/4R1K1 w - - 0 1", 3),
    ] {
        let mut bench = Bench::new(16);
        let found = bench.nodes(fen, 40_000).expect("there are moves");
        // The first mate that is proven need not be the shortest.
        let distance = found.score.mate_plies().filter(|_| found.score.is_win()).expect("a mate is found");
        assert!((plies..=plies + 4).contains(&distance), "{fen}: {}", found.score);
        assert_eq!(found.pv.len(), distance, "{fen}: the line is whole");
    }
    let mated = Bench::new(16).nodes("7k/1R6/R7/8/8/8/8/K7 b - - 0 1", 10_000).expect("there are moves");
    assert_eq!(mated.score, Score::mated_at(2));
}

/// Mates that are too long prove nothing, and the search goes on.
#[test]
fn go_mate_finds_a_mate_that_is_short_enough_or_goes_on() {
    let rook_ladder = "7k/8/R7/1R6/8/8/8/K7 w - - 0 1";
    let searched = |fen, mate, nodes| {
        let mut bench = Bench::new(16);
        let limits = Limits { mate: Some(mate), nodes: Some(nodes), ..Limits::default() };
        let found = bench.search(&game(fen), limits).expect("there are moves");
        (found.score.mate_plies(), bench.tree.slot(0).visits())
    };
    let (plies, visits) = searched(rook_ladder, 2, 40_000);
    assert_eq!(plies, Some(3));
    assert!(visits < 40_000, "{visits}");
    let (plies, visits) = searched(rook_ladder, 1, 3_000);
    assert!(plies.is_none() && visits >= 3_000, "{plies:?} {visits}: there is no mate in one");
    let (plies, visits) = searched("7k/1R6/R7/8/8/8/8/K7 b - - 0 1", -1, 40_000);
    assert!(plies == Some(2) && visits < 40_000, "{plies:?} {visits}: Black is mated in one");
}

/// A search for several lines goes on after the first win.
#[test]
fn every_line_that_is_asked_for_is_proven() {
    let fen = "6k1/5ppp/8/8/8/8/8/KR1R4 w - - 0 1";
    let mut bench = Bench::new(16);
    let proven = |bench: &mut Bench, multipv| {
        let job = bench.prepared(&game(fen), Limits { nodes: Some(40_000), ..Limits::default() }, None);
        bench.searcher.search(&Job { multipv, ..job }, 0).expect("there are moves");
        let children = bench.tree.root_children();
        let order = ranked(children);
        let wins = order.iter().take_while(|&&index| children[index].bounds().is(Outcome::Win)).count();
        let all = children.iter().filter(|child| child.bounds().is(Outcome::Win)).count();
        assert_eq!(wins, all, "proven wins come first");
        wins
    };
    assert_eq!(proven(&mut bench, 1), 1);
    assert!(proven(&mut bench, 2) >= 2, "both rooks mate");
}

#[test]
fn a_single_legal_move_is_played_at_once() {
    let plan = TimePlan { soft: Duration::from_secs(60), hard: Duration::from_secs(600), is_fixed: false };
    let begun = Instant::now();
    let only = game("k7/8/8/8/8/8/1r6/K7 w - - 0 1");
    let found = Bench::new(8).search_by(&only, Limits::default(), Some(plan)).expect("there is a move");
    assert_eq!(found.pv[0], only.position().parse_san("Kxb2").expect("it is legal"));
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
}

/// Ten of twelve seconds are gone, and so many visits are left that only a close second can overtake the best move.
#[test]
fn a_search_ends_when_the_best_move_can_no_longer_be_overtaken() {
    let is_over = |fen| {
        let mut bench = Bench::new(8);
        bench.nodes(fen, 2_000).expect("there are moves");
        let plan =
            TimePlan { soft: Duration::from_secs(12), hard: Duration::from_secs(600), is_fixed: false };
        let start =
            Instant::now().checked_sub(Duration::from_secs(10)).expect("the machine has run for longer");
        let shared = SharedState::single_threaded(bench.table.clone(), Limits::default());
        let shared = SharedState { plan: Some(plan), start, ..shared };
        let control =
            Control { tree: &bench.tree, shared: &shared, visits_before: 0, is_forced: false, lines: 1 };
        control.is_over(&Counters::default())
    };
    assert!(is_over("6k1/5ppp/8/8/3q4/4Q3/5PPP/6K1 w - - 0 1"), "a queen is taken, or lost");
    assert!(!is_over(MIDDLEGAME));
}

#[test]
fn search_moves_restrict_the_root() {
    let game = game(MIDDLEGAME);
    let wanted = ["a2a3", "h2h3"].map(|text| game.position().parse_uci(text).expect("it is legal"));
    let mut bench = Bench::new(8);
    let limits = Limits { nodes: Some(500), search_moves: wanted.to_vec(), ..Limits::default() };
    let found = bench.search(&game, limits).expect("there are moves");
    assert!(wanted.contains(&found.pv[0]));
    assert_eq!(bench.tree.root_children().len(), 2);
    let all = bench.search(&game, Limits { nodes: Some(500), ..Limits::default() }).expect("there are moves");
    assert!(!wanted.contains(&all.pv[0]), "the next search has all moves again");
}

#[test]
fn depth_is_the_mean_depth_of_the_leaves() {
    let depth = |depth| {
        let mut bench = Bench::new(16);
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let found = bench.search(&game(MIDDLEGAME), limits).expect("there are moves");
        (found.depth, bench.tree.slot(0).visits())
    };
    let ((three, few), (four, more)) = (depth(3), depth(4));
    assert!(three >= 3 && four >= 4 && more > few, "{three} {four} {few} {more}");
}

#[test]
fn sequential_halving_visits_candidates_alike() {
    let mut bench = Bench::new(8);
    bench.overrides = TechniqueOverrides::these([Technique::LeafSearch, Technique::GumbelRoot]);
    let found = bench.nodes(MIDDLEGAME, 640).expect("there are moves");
    let children = bench.tree.root_children();
    let visited = children.iter().filter(|child| child.visits() > 0).count();
    assert_eq!(visited, 16, "as many as the first stage has");
    let most = children.iter().map(Slot::visits).max();
    let best = children.iter().find(|child| child.mv() == Some(found.pv[0])).expect("it is a child");
    assert!(Some(best.visits() + 1) >= most, "the best candidate has survived all stages");
}

/// A leaf is searched within the soft limit of the move, whatever the hard limit is: behind it leaves are evaluated
/// statically, and the transposition table stays empty.
#[test]
fn leaves_are_searched_within_the_soft_limit() {
    let game = game(MIDDLEGAME);
    let searched = |soft, limits| {
        let mut bench = Bench::new(8);
        bench.overrides = TechniqueOverrides::default();
        let plan = TimePlan { soft, hard: Duration::from_secs(600), is_fixed: false };
        let found = bench.search_by(&game, limits, Some(plan)).expect("there are moves");
        assert!(!found.pv.is_empty());
        bench.table.probe(game.position().key()).is_some()
    };
    assert!(!searched(Duration::ZERO, Limits::default()), "the soft limit has passed");
    assert!(searched(Duration::from_secs(60), Limits { nodes: Some(2), ..Limits::default() }));
}

/// The first search of a tree search with leaf searches is that of the root: it takes a share of the time.
#[test]
fn the_root_is_searched_as_deep_as_the_clock_allows() {
    let game = game(MIDDLEGAME);
    let depth = |milliseconds, limits| {
        let mut bench = Bench::new(8);
        bench.overrides = TechniqueOverrides::default();
        let soft = Duration::from_millis(milliseconds);
        let plan = TimePlan { soft, hard: Duration::from_secs(600), is_fixed: false };
        bench.search_by(&game, limits, Some(plan)).expect("there are moves");
        bench.table.probe(game.position().key()).map_or(0, |entry| entry.depth)
    };
    let (little, much) = (depth(4, Limits::default()), depth(1_000, Limits::default()));
    assert!(little < much, "depth {little} and {much}");
    let nodes = Limits { nodes: Some(2), ..Limits::default() };
    assert_eq!(depth(60_000, nodes), params::mcts_root_depth(), "a node limit is no limit of time");
}

#[test]
fn without_legal_moves_there_is_no_result() {
    assert!(Bench::new(1).nodes("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 10).is_none());
}
