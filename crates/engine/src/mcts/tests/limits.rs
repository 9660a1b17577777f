//! Limits of a tree search and what it reports.

use std::time::Duration;

use rukh_eval::Score;

use super::super::slot::Slot;
use super::fixture::{Bench, game};
use crate::api::Limits;
use crate::clock::TimePlan;
use crate::params;
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
