//! Minimax, alpha-beta, iterative deepening, principal variation search, quiescence.

use std::cmp::Reverse;

use rukh_chess::{Move, Position};
use rukh_engine::teaching::quiescence::Quiesced;
use rukh_engine::teaching::{Counted, Order, alpha_beta, negamax, principal_variation};
use rukh_eval::{Evaluator, Material, Score};

use super::common::{KIWIPETE, MIDDLEGAME, TREBUCHET, is_near, nodes_of_three, position, search};

const OPEN: (Score, Score) = (Score::MIN, Score::MAX);

/// A tree of a game of three: a leaf has a value for each player.
enum Tree {
    Leaf([i32; 3]),
    Node(Vec<Tree>),
}

/// Max-n: the player to move takes the child that is best for that player.
fn max_n(tree: &Tree, player: usize) -> [i32; 3] {
    match tree {
        Tree::Leaf(values) => *values,
        Tree::Node(children) => {
            let values = children.iter().map(|child| max_n(child, (player + 1) % 3));
            values.max_by_key(|values| values[player]).expect("a node has children")
        }
    }
}

/// Negamax applied to the same tree, which is wrong: the value of the next player is not minus that of this one.
fn negated(tree: &Tree, player: usize) -> i32 {
    match tree {
        Tree::Leaf(values) => values[player],
        Tree::Node(children) => {
            children.iter().map(|child| -negated(child, (player + 1) % 3)).max().expect("a node has children")
        }
    }
}

#[test]
fn minimax_1_three_players() {
    let pair = |a, b| Tree::Node(vec![Tree::Leaf(a), Tree::Leaf(b)]);
    // The second player likes what is good for the first one too.
    let tree = Tree::Node(vec![pair([5, 4, 0], [1, 3, 9]), pair([4, 1, 1], [2, 2, 2])]);
    assert_eq!(max_n(&tree, 0), [5, 4, 0]);
    assert_ne!(negated(&tree, 0), 5);
}

/// Negamax in which every mate counts the same.
fn without_distance(position: &Position, depth: u32) -> i32 {
    if position.count_legal_moves() == 0 {
        return if position.is_check() { -10_000 } else { 0 };
    }
    if depth == 0 {
        return Material.evaluate(position).value();
    }
    let moves = position.legal_moves();
    moves.iter().map(|&mv| -without_distance(&position.after(mv), depth - 1)).max().expect("there are moves")
}

#[test]
fn minimax_2_a_mate_without_distance_is_postponed() {
    // King and rook against king, with a mate in one.
    let start = position("7k/8/6K1/8/8/8/8/R7 w - - 0 1");
    let moves = start.legal_moves();
    let best = |value: &dyn Fn(&Position) -> i32| {
        let values: Vec<i32> = moves.iter().map(|&mv| -value(&start.after(mv))).collect();
        let greatest = *values.iter().max().expect("there are moves");
        values.iter().filter(|&&value| value == greatest).count()
    };
    assert_eq!(best(&|after| negamax(after, 1, 2, &mut Material).value()), 1, "only the mate in one");
    assert!(best(&|after| without_distance(after, 2)) > 1, "other moves keep a mate and count the same");
}

/// Alpha-beta on a tree whose leaves are all equal: the order is perfect. Returns the leaves.
fn leaves_of_equals(width: u32, depth: u32, alpha: i32, beta: i32) -> (i32, u64) {
    if depth == 0 {
        return (0, 1);
    }
    let (mut best, mut alpha, mut leaves) = (i32::MIN + 1, alpha, 0);
    for _ in 0..width {
        let (value, more) = leaves_of_equals(width, depth - 1, -beta, -alpha);
        leaves += more;
        best = best.max(-value);
        alpha = alpha.max(-value);
        if alpha >= beta {
            break;
        }
    }
    (best, leaves)
}

#[test]
fn alpha_beta_1_leaves_of_a_perfect_order() {
    let leaves = |width, depth| leaves_of_equals(width, depth, -1_000, 1_000).1;
    assert_eq!(leaves(30, 4), 30_u64.pow(2) + 30_u64.pow(2) - 1);
    assert_eq!(leaves(30, 4), 1_799);
    assert_eq!(leaves(5, 5), 5_u64.pow(3) + 5_u64.pow(2) - 1, "an odd depth");
}

/// Alpha-beta with any order; returns the value and the leaves.
fn ordered(
    position: &Position,
    depth: u32,
    (mut alpha, beta): (Score, Score),
    order: fn(&Position) -> Vec<Move>,
) -> (Score, u64) {
    let moves = order(position);
    if moves.is_empty() {
        return (if position.is_check() { Score::mated_at(9) } else { Score::DRAW }, 1);
    }
    if depth == 0 {
        return (Material.evaluate(position), 1);
    }
    let (mut best, mut leaves) = (Score::MIN, 0);
    for mv in moves {
        let (value, more) = ordered(&position.after(mv), depth - 1, (-beta, -alpha), order);
        leaves += more;
        best = best.max(-value);
        alpha = alpha.max(-value);
        if alpha >= beta {
            break;
        }
    }
    (best, leaves)
}

#[test]
fn alpha_beta_2_captures_last_cost_most() {
    let generated = |position: &Position| position.legal_moves().to_vec();
    let captures_last = |position: &Position| {
        let mut moves = position.legal_moves().to_vec();
        moves.sort_by_key(|&mv| (mv.is_noisy(), Reverse(position.captured_by(mv))));
        moves
    };
    let captures_first = |position: &Position| Order::CapturesFirst.moves(position);
    let start = position(KIWIPETE);
    let [(first, few), (middle, some), (last, many)] =
        [captures_first, generated, captures_last].map(|order| ordered(&start, 3, OPEN, order));
    assert!(first == middle && middle == last, "the value does not depend on the order");
    assert!(few < some && some < many, "{few}, {some}, {many} leaves");
}

#[test]
fn iterative_deepening_1_the_share_of_earlier_iterations() {
    let share = |factor: f64| {
        let iterations: Vec<f64> = (0..60).map(|depth| factor.powi(depth)).collect();
        let (last, earlier) = iterations.split_last().expect("there are iterations");
        earlier.iter().sum::<f64>() / (earlier.iter().sum::<f64>() + last)
    };
    assert!(is_near(share(2.0), 1.0 / 2.0, 1e-6) && is_near(share(1.5), 2.0 / 3.0, 1e-6));
    // In the engine: the nodes before the last iteration are those of the search that ends one ply earlier.
    let nodes = |depth| search(MIDDLEGAME, depth, "").nodes as f64;
    let (before, all) = (nodes(11), nodes(12));
    assert!((0.4..0.9).contains(&(before / all)), "{before} of {all} nodes");
}

#[test]
fn iterative_deepening_2_without_aspiration_windows() {
    let study = "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1";
    let nodes = |fen, switched| search(fen, 12, switched).nodes;
    for fen in [MIDDLEGAME, study] {
        assert_ne!(nodes(fen, "aspiration"), nodes(fen, ""), "{fen}: the window changes the tree");
    }
}

#[test]
fn pvs_1_an_empty_window_asks_nothing() {
    let start = position(KIWIPETE);
    let leaves = |window| {
        let mut counted = Counted::<Material>::default();
        alpha_beta(&start, 0, 3, window, Order::CapturesFirst, &mut counted);
        counted.count
    };
    assert_eq!(leaves((Score::DRAW, Score::DRAW)), 1, "the first line and nothing else");
    assert!(leaves((Score::DRAW, Score::DRAW + 1)) > 1);
}

#[test]
fn pvs_2_scout_nodes_search_nothing_twice() {
    let start = position(KIWIPETE);
    for alpha in [-500, -1, 0, 250, 900].map(Score::new) {
        let window = (alpha, alpha + 1);
        let (mut scout, mut plain) = (Counted::<Material>::default(), Counted::<Material>::default());
        principal_variation(&start, 0, 3, window, Order::CapturesFirst, &mut scout);
        alpha_beta(&start, 0, 3, window, Order::CapturesFirst, &mut plain);
        assert_eq!(scout.count, plain.count, "{alpha}");
    }
}

#[test]
fn quiescence_1_standing_pat_is_wrong_in_zugzwang() {
    let trebuchet = position(TREBUCHET);
    assert_eq!(Quiesced(Material).evaluate(&trebuchet), Score::DRAW, "nothing can be captured");
    // Every move gives up the pawn.
    assert_eq!(negamax(&trebuchet, 0, 2, &mut Material), Score::new(-100));
}

#[test]
fn quiescence_2_without_the_exchange_test() {
    let (with, without) = (nodes_of_three(""), nodes_of_three("quiescence-exchange"));
    assert!(without > with, "{without} and {with} nodes");
}
