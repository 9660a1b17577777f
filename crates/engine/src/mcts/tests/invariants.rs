//! Invariants of the tree: visits, means, virtual visits, memory, reuse, symmetry.

use std::sync::Arc;
use std::thread;

use rukh_chess::game::Game;
use rukh_chess::{Move, Position};
use rukh_eval::Evaluation;

use super::super::arena::ROOT;
use super::super::proof::Outcome;
use super::super::slot::Slot;
use super::super::thread::Mcts;
use super::super::tree::Tree;
use super::super::wdl::WinDrawLoss;
use super::fixture::{Bench, game, walk, without_leaf_search};
use crate::api::{Limits, Request};
use crate::search::{Job, Searcher, SharedState};
use crate::technique::{Technique, TechniqueOverrides};
use crate::transposition::TranspositionTable;

const MIDDLEGAME: &str = "r2q1rk1/ppp2ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPP2PPP/R2Q1RK1 w - - 4 8";

#[test]
fn visits_add_up_and_values_are_means() {
    for mut bench in [Bench::new(64), Bench::with_policy(64)] {
        bench.nodes(MIDDLEGAME, 6_000).expect("there are moves");
        assert_statistics(&bench.tree);
    }
}

/// Values that differ from position to position.
fn by_key(position: &Position) -> WinDrawLoss {
    let shares = [0, 20, 40].map(|shift| 1.0 + (position.key() >> shift & 0xFFFF) as f32);
    let sum: f32 = shares.iter().sum();
    WinDrawLoss { win: shares[0] / sum, draw: shares[1] / sum, loss: shares[2] / sum }
}

/// What a node has beyond its children is the leaf value of its own position.
fn assert_means(tree: &Tree, game: &Game) {
    let mut checked = 0;
    walk(tree, game.position(), &mut |position, slot, children| {
        let Some(children) = children.filter(|_| slot.bounds().proven().is_none()) else { return };
        let leaf = by_key(position);
        let visits: u32 = children.iter().map(Slot::visits).sum();
        assert_eq!(visits + 1, slot.visits());
        let own = -slot.value_sum() - children.iter().map(Slot::value_sum).sum::<f64>();
        assert!((own - leaf.value()).abs() < 1e-5, "{position}: {own}, not {}", leaf.value());
        let draws: f64 = children.iter().map(|child| child.all_visits().draws).sum();
        let own = slot.all_visits().draws - draws;
        let error = f64::from(slot.visits()) * 1e-5;
        assert!((own - f64::from(leaf.draw)).abs() < 1e-3 + error, "{position}: {own}, not {}", leaf.draw);
        checked += 1;
    });
    assert!(checked > 100, "{checked}");
}

#[test]
fn values_are_means_of_the_values_of_leaves() {
    for batch in [1, 64] {
        let mut bench = Bench::with_batches(64, by_key, batch);
        bench.nodes(MIDDLEGAME, 6_000).expect("there are moves");
        assert_means(&bench.tree, &game(MIDDLEGAME));
        // The descents of a batch that met another one have left nothing behind.
        walk(&bench.tree, game(MIDDLEGAME).position(), &mut |_, slot, _| assert_eq!(slot.in_flight(), 0));
    }
}

fn assert_statistics(tree: &Tree) {
    let (mut nodes, mut deepest) = (0_u32, 0);
    walk(tree, game(MIDDLEGAME).position(), &mut |_, slot, children| {
        assert_eq!(slot.in_flight(), 0);
        let mean = slot.mean().expect("it was visited");
        assert!((-1.0..=1.0).contains(&mean));
        nodes += 1;
        let Some(children) = children else { return };
        deepest += 1;
        let visits: u32 = children.iter().map(Slot::visits).sum();
        assert_eq!(visits, slot.visits() - 1, "the first visit evaluates the node itself");
        // The sum of a node is that of its children for the other side and its own first evaluation.
        let own = -slot.value_sum() - children.iter().map(Slot::value_sum).sum::<f64>();
        assert!((-1.0..=1.0).contains(&own), "{own}");
        let priors: f32 = children.iter().map(Slot::prior).sum();
        assert!((priors - 1.0).abs() < 0.01, "{priors}");
        assert!(children.is_sorted_by(|one, other| one.prior() >= other.prior()));
    });
    assert!(nodes > 3_000 && deepest > 500, "{nodes} {deepest}");
}

#[test]
fn a_search_is_deterministic() {
    let result = |overrides, nodes| {
        let mut bench = Bench::new(8);
        bench.overrides = overrides;
        let found = bench.nodes(MIDDLEGAME, nodes).expect("there are moves");
        let visits: Vec<u32> = bench.tree.root_children().iter().map(Slot::visits).collect();
        (found.pv, found.score, visits)
    };
    for (overrides, nodes) in [(without_leaf_search(), 1_500), (TechniqueOverrides::default(), 300)] {
        assert_eq!(result(overrides, nodes), result(overrides, nodes));
    }
}

/// Threads leave nothing in flight, and every leaf that one of them evaluated is counted in the tree.
#[test]
fn nothing_is_in_flight_after_several_threads_have_stopped() {
    for (mebibytes, segments) in [(1, 1), (1, 4), (64, 1), (64, 4)] {
        let tree = Arc::new(Tree::new(mebibytes << 20, segments).expect("there is memory"));
        let table = Arc::new(TranspositionTable::new(1, 1).expect("a mebibyte is available"));
        let limits = Limits { nodes: Some(30_000), ..Limits::default() };
        let mut shared = SharedState::single_threaded(table, limits.clone());
        shared.nodes = (0..4).map(|_| Default::default()).collect();
        let shared = Arc::new(shared);
        let request = Request { game: game(MIDDLEGAME), limits };
        let job = Job::silent(shared.clone(), request, without_leaf_search());
        Mcts::prepare(&tree, &job, true);
        thread::scope(|scope| {
            for index in 0..4 {
                let (job, tree) = (job.clone(), tree.clone());
                scope.spawn(move || {
                    Mcts::new(tree, &Evaluation::Classical, None).search(&job, index);
                    job.shared.signals.stop();
                });
            }
        });
        let root = tree.slot(ROOT);
        assert_eq!(root.in_flight(), 0);
        assert!(u64::from(root.visits()) >= shared.all_nodes(), "{} {}", root.visits(), shared.all_nodes());
        walk(&tree, game(MIDDLEGAME).position(), &mut |_, slot, _| assert_eq!(slot.in_flight(), 0));
        assert_eq!(tree.arena.evicted() > 0, mebibytes == 1, "{}", tree.arena.evicted());
    }
}

/// With leaf searches the first thread alone grows the tree. The others search the root until it has ended.
#[test]
fn threads_assist_leaf_searches_by_the_transposition_table() {
    let mut bench = Bench::new(1);
    let shared = Arc::new(SharedState::single_threaded(bench.table.clone(), Limits::default()));
    let request = Request { game: game(MIDDLEGAME), limits: Limits::default() };
    let job = Job::silent(shared.clone(), request, TechniqueOverrides::default());
    Mcts::prepare(&bench.tree, &job, false);
    let key = game(MIDDLEGAME).position().key();
    thread::scope(|scope| {
        let assistant = scope.spawn(|| bench.searcher.search(&job, 1));
        while bench.table.probe(key).is_none_or(|entry| entry.depth < 4) {
            assert!(!assistant.is_finished(), "it ended before the search");
            thread::yield_now();
        }
        shared.signals.finish();
        assert!(assistant.join().is_ok_and(|result| result.is_none()));
    });
    assert_eq!((bench.tree.slot(ROOT).visits(), shared.all_nodes()), (0, 0));
}

/// 64 MiB hold everything that is searched here, as a gibibyte would; in one MiB most of it is overwritten.
#[test]
fn a_small_tree_chooses_like_a_large_one() {
    // A piece is to be won or saved: one move is clearly best.
    let positions = [
        "r1bqkb1r/pppp1ppp/2n2n2/4N3/2B1P3/8/PPPP1PPP/RNBQK2R b KQkq - 0 4",
        "r2q1rk1/ppp2ppp/2npbn2/4p3/1bB1P3/P1NPBN2/1PP2PPP/R2Q1RK1 b - - 0 8",
        "rnbqkbnr/ppp2ppp/8/3pp2Q/4P3/8/PPPP1PPP/RNB1KBNR w KQkq - 0 3",
    ];
    for fen in positions {
        let found = [1, 64].map(|mebibytes| {
            let mut bench = Bench::new(mebibytes);
            let found = bench.nodes(fen, 6_000).expect("there are moves");
            (found.pv[0], found.score.value(), bench.tree.arena.evicted())
        });
        let [(small, small_score, evicted), (large, large_score, kept)] = found;
        assert_eq!(small, large, "{fen}");
        assert!((small_score - large_score).abs() < 60, "{fen}: {small_score} {large_score}");
        assert_eq!(kept, 0);
        assert!(evicted > 50, "{fen}: {evicted}");
    }
}

#[test]
fn the_subtree_of_a_move_and_its_reply_is_kept() {
    let mut bench = Bench::new(32);
    let mut game = game(MIDDLEGAME);
    let limits = Limits { nodes: Some(3_000), ..Limits::default() };
    let pv = bench.search(&game, limits.clone()).expect("there are moves").pv;
    game.play(pv[0]).expect("it is legal");
    game.play(pv[1]).expect("it is legal");
    let (visits, repetitions) = visits_below(&bench.tree, &pv[..2]);
    let expected = visits - repetitions;
    assert!(expected > 100, "{expected}");
    bench.search(&game, Limits { nodes: Some(1), ..Limits::default() });
    let kept = bench.tree.slot(ROOT).visits();
    assert!((expected..expected + 20).contains(&kept), "{kept} of {expected}");
    bench.overrides = TechniqueOverrides::these([Technique::LeafSearch, Technique::TreeReuse]);
    bench.search(&game, Limits { nodes: Some(1), ..Limits::default() });
    assert!(bench.tree.slot(ROOT).visits() < 20, "without tree reuse it starts anew");
}

/// The visits of the slot at the end of a line, and those of the draws by repetition below it.
fn visits_below(tree: &Tree, line: &[Move]) -> (u32, u32) {
    fn repetitions(tree: &Tree, at: u32) -> u32 {
        if tree.slot(at).is_repetition() {
            return tree.slot(at).visits();
        }
        let Some((first, children)) = tree.arena.children_of(at) else { return 0 };
        (first..first + children.len() as u32).map(|child| repetitions(tree, child)).sum()
    }
    let child = |at: u32, mv: &Move| {
        let (first, children) = tree.arena.children_of(at).expect("the node is expanded");
        first + children.iter().position(|child| child.mv() == Some(*mv)).expect("it is a move") as u32
    };
    let end = line.iter().fold(ROOT, child);
    (tree.slot(end).visits(), repetitions(tree, end))
}

/// A draw by repetition counts against the root of its search. After two more moves it may be none.
#[test]
fn a_repetition_of_an_earlier_search_is_forgotten() {
    let mut bench = Bench::with_values(16, by_key);
    let mut game = game("8/2k5/p1p5/P1P5/8/8/2K5/8 w - - 0 1");
    let limits = Limits { nodes: Some(4_000), ..Limits::default() };
    let pv = bench.search(&game, limits.clone()).expect("there are moves").pv;
    let count = |tree: &Tree, game: &Game| {
        let (mut marked, mut stale) = (0, 0);
        check_repetitions(
            tree,
            game,
            ROOT,
            game.position(),
            &mut game.history().clone(),
            &mut |is_marked, is_draw| {
                marked += u32::from(is_marked);
                stale += u32::from(is_marked && !is_draw);
            },
        );
        (marked, stale)
    };
    let (marked, stale) = count(&bench.tree, &game);
    assert!(marked > 0 && stale == 0, "{marked} {stale}");
    game.play(pv[0]).expect("it is legal");
    game.play(pv[1]).expect("it is legal");
    let (visits, repetitions) = visits_below(&bench.tree, &pv[..2]);
    assert!(repetitions > 0);
    bench.prepared(&game, limits.clone(), None);
    assert_eq!(bench.tree.slot(ROOT).visits(), visits - repetitions, "the rest of the tree is kept");
    assert_eq!(count(&bench.tree, &game), (0, 0));
    assert_means(&bench.tree, &game);
    bench.search(&game, limits);
    let (marked, stale) = count(&bench.tree, &game);
    assert!(marked > 0 && stale == 0, "{marked} {stale}");
}

/// Calls `found` for every visited slot: whether it is marked as a repetition, and whether it is one.
fn check_repetitions(
    tree: &Tree,
    game: &Game,
    at: u32,
    position: &Position,
    keys: &mut rukh_chess::history::KeyHistory,
    found: &mut impl FnMut(bool, bool),
) {
    let is_draw = at != ROOT && keys.is_draw_in_search(position, game.history().len());
    found(tree.slot(at).is_repetition(), is_draw);
    let Some((first, children)) = tree.arena.children_of(at) else { return };
    keys.push(position);
    for (index, child) in children.iter().enumerate().filter(|(_, child)| child.visits() > 0) {
        let after = position.after(child.mv().expect("a child has a move"));
        check_repetitions(tree, game, first + index as u32, &after, keys, found);
    }
    keys.pop();
}

fn flipped(mv: Move) -> (rukh_chess::Square, rukh_chess::Square) {
    (mv.from().flip_rank(), mv.to().flip_rank())
}

#[test]
fn mirrored_positions_get_mirrored_policies_and_values() {
    let mirrored = "r2q1rk1/ppp2ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPP2PPP/R2Q1RK1 b - - 4 8";
    let root = |fen: &str, has_policy: bool| {
        let mut bench = if has_policy { Bench::with_policy(16) } else { Bench::new(16) };
        bench.nodes(fen, 800).expect("there are moves");
        let mut rows: Vec<_> = bench
            .tree
            .root_children()
            .iter()
            .map(|child| {
                (child.mv().expect("a child has a move"), child.prior(), child.visits(), child.value_sum())
            })
            .collect();
        if fen == mirrored {
            rows.iter_mut().for_each(|row| {
                let (from, to) = flipped(row.0);
                row.0 = Move::new(from, to, row.0.kind());
            });
        }
        rows.sort_by_key(|row| row.0.bits());
        rows
    };
    for has_policy in [false, true] {
        for (one, other) in root(MIDDLEGAME, has_policy).into_iter().zip(root(mirrored, has_policy)) {
            assert_eq!((one.0, one.1), (other.0, other.1), "moves and priors are mirrored");
        }
    }
}

#[test]
fn proven_results_agree_above_and_below() {
    let mut bench = Bench::new(32);
    bench.nodes("7k/8/5K2/8/8/8/8/5Q2 w - - 0 1", 4_000).expect("there are moves");
    let mut proven = 0;
    walk(&bench.tree, game("7k/8/5K2/8/8/8/8/5Q2 w - - 0 1").position(), &mut |position, slot, children| {
        let bounds = slot.bounds();
        assert!(bounds.lower <= bounds.upper);
        proven += u32::from(bounds.proven().is_some());
        let Some(children) = children.filter(|_| bounds.proven().is_some()) else { return };
        // The bounds of the slot are for the side that moved to it.
        let best = children.iter().map(|child| child.bounds().lower).max().expect("there are children");
        assert_eq!(best.flipped(), bounds.lower, "{position}");
        if bounds.is(Outcome::Loss) {
            let shortest = children.iter().filter(|child| child.bounds().is(Outcome::Win));
            assert_eq!(
                shortest.map(|child| child.bounds().plies).min().map(|plies| plies + 1),
                Some(bounds.plies)
            );
        }
    });
    assert!(proven > 10, "{proven}");
}
