//! Tree nodes as JSON: one node without what is below it, its children on demand, and a flame graph of bounded depth.

use rukh_chess::{Move, Position};
use rukh_engine::search_tree::{SearchTree, TreeNode};
use rukh_engine::serialize::{score, uci_text};
use rukh_engine::witness::Purpose;
use rukh_eval::Score;
use serde_json::{Value, json};

/// A score for the side to move at its node; null if there is none.
pub(crate) fn score_json(value: Option<Score>) -> Value {
    let written = value.map(|value| score(&value, serde_json::value::Serializer));
    written.and_then(Result::ok).unwrap_or_default()
}

/// The SAN of the moves of a line.
pub(crate) fn moves_after(start: &Position, line: &[Move]) -> Vec<String> {
    rukh_explain::variation::positions(start, line).map(|(position, mv)| position.san(mv)).collect()
}

/// The name of a child node and its position.
fn child(position: &Position, node: &TreeNode) -> (String, Position) {
    match node.mv {
        Some(mv) => (position.san(mv), position.after(mv)),
        None if node.purpose == Purpose::NullMove => {
            let mut after = position.clone();
            after.make_null();
            ("null move".to_owned(), after)
        }
        None => ("same position".to_owned(), position.clone()),
    }
}

fn root_name(node: &TreeNode) -> String {
    format!("iteration {}", node.iteration)
}

/// The roots and the totals.
pub(crate) fn summary_json(number: u64, position: &Position, tree: &SearchTree) -> Value {
    let root = |(at, root): (usize, &TreeNode)| node_json(position, root, &at.to_string(), &root_name(root));
    let roots: Vec<Value> = tree.roots.iter().enumerate().map(root).collect();
    json!({ "tree": number, "nodes": tree.nodes, "totals": tree.totals, "roots": roots })
}

/// A node that was found by its place.
struct Found<'t> {
    node: &'t TreeNode,
    position: Position,
    name: String,
}

/// The node at a place: the index of the root, then of the child at each step.
fn find<'t>(start: &Position, tree: &'t SearchTree, at: &str) -> Option<Found<'t>> {
    let mut steps = at.split('.').map(|step| step.parse::<usize>().ok());
    let node = tree.roots.get(steps.next()??)?;
    let mut found = Found { node, position: start.clone(), name: root_name(node) };
    for step in steps {
        let node = found.node.children.get(step?)?;
        let (name, position) = child(&found.position, node);
        found = Found { node, position, name };
    }
    Some(found)
}

/// The node at a place with its children; `None` if there is no such node.
pub(crate) fn children_json(start: &Position, tree: &SearchTree, at: &str) -> Option<Value> {
    let Found { node, position, name } = find(start, tree, at)?;
    let mut json = node_json(&position, node, at, &name);
    let children = node.children.iter().enumerate().map(|(index, below)| {
        let (name, after) = child(&position, below);
        node_json(&after, below, &format!("{at}.{index}"), &name)
    });
    json["children"] = children.collect();
    Some(json)
}

/// The subtree of a place down to so many plies, with what a flame graph shows.
pub(crate) fn flame_json(start: &Position, tree: &SearchTree, at: &str, plies: usize) -> Option<Value> {
    let Found { node, position, name } = find(start, tree, at)?;
    Some(flame(&position, node, at, &name, plies))
}

fn flame(position: &Position, node: &TreeNode, at: &str, name: &str, plies: usize) -> Value {
    let children: Vec<Value> = match plies {
        0 => Vec::new(),
        _ => {
            let below = node.children.iter().enumerate().map(|(index, below)| {
                let (name, after) = child(position, below);
                flame(&after, below, &format!("{at}.{index}"), &name, plies - 1)
            });
            below.collect()
        }
    };
    json!({
        "at": at,
        "san": name,
        "reason": node.reason,
        "kind": node.kind,
        "purpose": node.purpose,
        "depth": node.depth,
        "nodes": node.nodes,
        "text": node.score.map(|score| score.to_string()),
        "collapsed_nodes": node.collapsed.nodes,
        "children": children,
    })
}

/// A node without its children. `position` is that of the node.
fn node_json(position: &Position, node: &TreeNode, at: &str, name: &str) -> Value {
    let san = |mv: Option<Move>| mv.map(|mv| position.san(mv));
    let table = node.table.map(|hit| {
        json!({
            "depth": hit.depth,
            "bound": hit.bound,
            "score": score_json(Some(hit.score)),
            "move": hit.mv.map(uci_text),
            // Another position may have the same key.
            "san": san(hit.mv.filter(|mv| position.legal_moves().contains(mv))),
        })
    });
    let skipped = node.skipped.iter().map(|skipped| {
        json!({ "move": uci_text(skipped.mv), "san": position.san(skipped.mv), "reason": skipped.reason })
    });
    json!({
        "at": at,
        "san": name,
        "move": node.mv.map(uci_text),
        "fen": position.to_string(),
        "purpose": node.purpose,
        "kind": node.kind,
        "ply": node.ply,
        "iteration": node.iteration,
        "depth": node.depth,
        "extension": node.extension,
        "reduction": node.reduction,
        "depth_changes": node.depth_changes,
        "alpha": score_json(node.alpha),
        "beta": score_json(node.beta),
        "table": table,
        "static_eval": score_json(node.static_eval),
        "score": score_json(node.score),
        "text": node.score.map(|score| score.to_string()),
        "bound": node.bound,
        "reason": node.reason,
        "best": node.best.map(uci_text),
        "best_san": san(node.best),
        "nodes": node.nodes,
        "skipped": skipped.collect::<Vec<_>>(),
        "collapsed": node.collapsed,
        "child_count": node.children.len(),
    })
}
