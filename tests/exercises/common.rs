//! Positions and searches that several solutions use.

use rukh_chess::Position;
use rukh_engine::api::{Limits, Request};
use rukh_engine::search_tree::{Iterations, SearchTree, StopHandle, TreeLimits, TreeNode, record_tree};
use rukh_engine::{SearchResult, search_once};
use rukh_eval::{Evaluation, Network};

/// An open middlegame, "Kiwipete" of the perft tables.
pub(crate) const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
/// The middlegame of the chapters on the search.
pub(crate) const MIDDLEGAME: &str = "r2q1rk1/ppp2ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPP2PPP/R2Q1RK1 w - - 4 8";
/// The trébuchet: whoever is to move loses.
pub(crate) const TREBUCHET: &str = "8/8/8/3pK3/2kP4/8/8/8 w - - 0 1";

pub(crate) fn position(fen: &str) -> Position {
    fen.parse().expect("the position is valid")
}

fn request(fen: &str, depth: u32) -> Request {
    Request::from_position(position(fen), Limits { depth: Some(depth), ..Limits::default() })
}

/// The engine's search to a depth with techniques switched against their default, by their names.
pub(crate) fn search(fen: &str, depth: u32, switched: &str) -> SearchResult {
    let overrides = switched.parse().expect("the techniques exist");
    let evaluation = Evaluation::Network(Network::built_in());
    search_once(overrides, &evaluation, request(fen, depth), 16).expect("there is memory for a small table")
}

/// The nodes of three positions together to depth 11: one position alone says little.
pub(crate) fn nodes_of_three(switched: &str) -> u64 {
    const OPENING: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
    [KIWIPETE, MIDDLEGAME, OPENING].iter().map(|fen| search(fen, 11, switched).nodes).sum()
}

/// The whole tree of the last iterations of the engine's search.
pub(crate) fn tree(fen: &str, depth: u32, switched: &str) -> SearchTree {
    let overrides = switched.parse().expect("the techniques exist");
    let evaluation = Evaluation::Network(Network::built_in());
    let limits = TreeLimits { max_nodes: usize::MAX, iterations: Iterations::All, ..TreeLimits::default() };
    record_tree(overrides, &evaluation, request(fen, depth), 16, limits, &StopHandle::default())
        .expect("there is memory for a small table")
}

/// Calls `visit` with each recorded node and its parent.
pub(crate) fn walk<'t>(tree: &'t SearchTree, visit: &mut impl FnMut(&'t TreeNode, &'t TreeNode)) {
    fn below<'t>(node: &'t TreeNode, visit: &mut impl FnMut(&'t TreeNode, &'t TreeNode)) {
        for child in &node.children {
            visit(node, child);
            below(child, visit);
        }
    }
    tree.roots.iter().for_each(|root| below(root, visit));
}

/// Whether two numbers are equal to so many digits after the point.
pub(crate) fn is_near(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance
}
