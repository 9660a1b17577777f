//! The view of the tree.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use rukh_chess::Move;

use super::super::view::{MctsNode, MctsTree};
use super::fixture::{Bench, game};
use crate::api::Limits;

const MIDDLEGAME: &str = "r2q1rk1/ppp2ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPP2PPP/R2Q1RK1 w - - 4 8";

/// Reads all visited nodes below `line`.
fn read_all(view: &MctsTree, line: &mut Vec<Move>, check: &mut impl FnMut(&MctsNode)) {
    let node = view.node(line).expect("the tree contains it");
    check(&node);
    for info in node.moves.iter().filter(|info| info.visits > 0) {
        line.push(info.mv);
        read_all(view, line, check);
        line.pop();
    }
}

#[test]
fn visits_of_the_children_sum_to_those_of_the_parent_less_one() {
    let mut bench = Bench::new(64);
    bench.nodes(MIDDLEGAME, 3_000).expect("there are moves");
    let view = MctsTree::new(&bench.tree);
    let (mut nodes, mut expanded) = (0, 0);
    read_all(&view, &mut Vec::new(), &mut |node| {
        nodes += 1;
        if node.moves.is_empty() {
            return;
        }
        expanded += 1;
        assert_eq!(node.moves.len() as u64, node.position.count_legal_moves());
        assert_eq!(node.moves.iter().map(|info| info.visits).sum::<u32>(), node.visits - 1);
        assert!(node.moves.iter().all(|info| info.wdl.iter().sum::<u32>() == 1_000));
    });
    assert!(nodes > 1_000 && expanded > 200, "{nodes} {expanded}");
}

#[test]
fn a_view_ends_with_its_tree_and_knows_no_other_moves() {
    let mut bench = Bench::new(8);
    let view = MctsTree::new(&bench.tree);
    assert_eq!(view.node(&[]), None, "nothing has been searched");
    let found = bench.nodes(MIDDLEGAME, 500).expect("there are moves");
    let after = view.node(&found.pv[..1]).expect("the best move is in the tree");
    assert_eq!(after.position, game(MIDDLEGAME).position().after(found.pv[0]));
    assert_eq!(view.node(&[found.pv[0], found.pv[0]]), None);
    drop(bench);
    assert_eq!(view.node(&[]), None);
}

/// In one MiB blocks are overwritten all the time.
#[test]
fn a_tree_can_be_read_while_it_is_searched() {
    let mut bench = Bench::new(1);
    bench.nodes(MIDDLEGAME, 100).expect("there are moves");
    let view = MctsTree::new(&bench.tree);
    let is_over = AtomicBool::new(false);
    let read = thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let mut read = 0_u64;
            while !is_over.load(Ordering::Relaxed) {
                let mut line = Vec::new();
                while let Some(node) = view.node(&line)
                    && let Some(best) = node.moves.first()
                {
                    assert!(node.position.is_legal(best.mv));
                    line.push(best.mv);
                    read += 1;
                }
            }
            read
        });
        bench.search(&game(MIDDLEGAME), Limits { nodes: Some(20_000), ..Limits::default() });
        is_over.store(true, Ordering::Relaxed);
        reader.join().expect("reading does not panic")
    });
    assert!(read > 100 && bench.tree.arena.evicted() > 0, "{read}");
}
