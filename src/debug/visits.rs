//! Visits of a move: how the search treated one move, each time it visited the position before it.

use std::fmt::Write as _;

use rukh_chess::{Move, Position};
use rukh_engine::search_tree::{Iterations, TreeNode};

use super::text::{count, describe};

/// Each visit of the position before the last move of `path`, and what became of that move there.
pub(super) fn text(root: &Position, roots: &[TreeNode], path: &[Move], iterations: Iterations) -> String {
    let Some((&last, before)) = path.split_last() else { return String::new() };
    let parent = before.iter().fold(root.clone(), |position, &mv| position.after(mv));
    let name = parent.san(last);
    let mut visits = Vec::new();
    let newest = roots.last().map_or(0, |root| root.iteration);
    let is_recorded = |root: &&TreeNode| match iterations {
        Iterations::All => true,
        Iterations::Last => root.iteration >= newest - 1,
        Iterations::Only(wanted) => i64::from(root.iteration) == i64::from(wanted),
    };
    for root in roots.iter().filter(is_recorded) {
        collect(root, before, &mut visits);
    }
    let mut text =
        format!("\n{name} in {} of the position before it\n", count(visits.len() as u64, "visit", "visits"));
    for node in visits {
        let head = format!("iteration {}, {} depth {}", node.iteration, node.kind.name(), node.depth);
        for line in fate(&parent, node, last) {
            let _ = writeln!(text, "  {head}: {line}");
        }
    }
    text
}

/// The nodes that `path` leads to.
fn collect<'t>(node: &'t TreeNode, path: &[Move], into: &mut Vec<&'t TreeNode>) {
    match path.split_first() {
        None => into.push(node),
        Some((&mv, rest)) => {
            for child in node.children.iter().filter(|child| child.mv == Some(mv)) {
                collect(child, rest, into);
            }
        }
    }
}

/// What became of `mv` in one visit: each search of it, or why there was none.
fn fate(parent: &Position, node: &TreeNode, mv: Move) -> Vec<String> {
    let child = parent.after(mv);
    let searches = node.children.iter().filter(|child| child.mv == Some(mv));
    let lines: Vec<String> =
        searches.map(|search| format!("searched as {}", describe(&child, search))).collect();
    if !lines.is_empty() {
        return lines;
    }
    let skipped = node.skipped.iter().find(|skipped| skipped.mv == mv);
    vec![match skipped {
        Some(skipped) => format!("skipped by {}", skipped.reason.name()),
        None => {
            let best = node.best.map_or_else(String::new, |best| format!(" {}", parent.san(best)));
            format!("not tried: the node was decided by {}{best}", node.reason.name())
        }
    }]
}
