//! A recorded search tree as indented text, and the totals by technique.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use rukh_chess::{Move, Position};
use rukh_engine::api::Bound;
use rukh_engine::search_tree::{DepthChange, Savings, SearchTree, TreeNode};
use rukh_engine::technique::Technique;
use rukh_engine::witness::{Purpose, SkipReason};
use rukh_eval::Score;

/// The roots of the tree with what is recorded below them.
pub(super) fn roots(position: &Position, roots: &[TreeNode]) -> String {
    let mut text = String::new();
    for root in roots {
        add_node(&mut text, position, root, &format!("iteration {}", root.iteration), 0);
    }
    text
}

/// Adds a node and what is recorded below it.
fn add_node(text: &mut String, position: &Position, node: &TreeNode, name: &str, level: usize) {
    let indent = "  ".repeat(level);
    let _ = writeln!(text, "{indent}{name}: {}", describe(position, node));
    for (reason, moves) in skipped(node) {
        let names: Vec<String> = moves.iter().map(|&mv| position.san(mv)).collect();
        let _ = writeln!(text, "{indent}  skipped by {}: {}", reason.name(), names.join(" "));
    }
    for child in &node.children {
        let (name, after) = child_of(position, child);
        add_node(text, &after, child, &name, level + 1);
    }
    if node.collapsed.children > 0 && !node.children.is_empty() {
        let searches = count(node.collapsed.children, "other search", "other searches");
        let _ = writeln!(text, "{indent}  {searches} of {}", count(node.collapsed.nodes, "node", "nodes"));
    }
}

/// The name of a child node and its position.
fn child_of(position: &Position, child: &TreeNode) -> (String, Position) {
    match child.mv {
        Some(mv) => (position.san(mv), position.after(mv)),
        None if child.purpose == Purpose::NullMove => {
            let mut after = position.clone();
            after.make_null();
            ("null move".to_owned(), after)
        }
        None => ("same position".to_owned(), position.clone()),
    }
}

/// A node in one line: purpose, type, depth, window, score, reason, nodes, static evaluation and hash entry.
pub(super) fn describe(position: &Position, node: &TreeNode) -> String {
    let window = |end: Option<Score>, open: &str| end.map_or_else(|| open.to_owned(), |end| end.to_string());
    let result = match node.score {
        Some(score) => format!("{}{score} by {}", sign(node.bound), node.reason.name()),
        None => node.reason.name().to_owned(),
    };
    let best = node.best.map_or_else(String::new, |mv| format!(" {}", position.san(mv)));
    let purpose = match node.purpose.name() == node.kind.name() {
        true => node.purpose.name().to_owned(),
        false => format!("{} {}", node.purpose.name(), node.kind.name()),
    };
    let mut text = format!(
        "{purpose}, depth {}{}, window {} to {}, {result}{best}, {}",
        node.depth,
        depth_changes(node),
        window(node.alpha, "-inf"),
        window(node.beta, "inf"),
        count(node.nodes, "node", "nodes"),
    );
    if let Some(eval) = node.static_eval {
        let _ = write!(text, ", eval {eval}");
    }
    if let Some(hit) = node.table {
        let _ = write!(text, ", table {}{} depth {}", sign(hit.bound), hit.score, hit.depth);
    }
    text
}

/// Why the depth is not one less than that of the parent: `(extension +1, late-move-reductions -3)`.
fn depth_changes(node: &TreeNode) -> String {
    let mut changes = Vec::new();
    if node.extension != 0 {
        changes.push(format!("extension {:+}", node.extension));
    }
    if node.reduction != 0 {
        changes.push(format!("late-move-reductions {:+}", -node.reduction));
    }
    changes.extend(node.depth_changes.iter().map(|(technique, plies)| format!("{technique} {plies:+}")));
    if changes.is_empty() { String::new() } else { format!(" ({})", changes.join(", ")) }
}

fn sign(bound: Bound) -> &'static str {
    match bound {
        Bound::Exact => "",
        Bound::Lower => ">=",
        Bound::Upper => "<=",
    }
}

/// A number with its noun.
pub(super) fn count(number: u64, one: &str, more: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { more })
}

/// The skipped moves of a node by reason.
fn skipped(node: &TreeNode) -> BTreeMap<SkipReason, Vec<Move>> {
    let mut by_reason: BTreeMap<SkipReason, Vec<Move>> = BTreeMap::new();
    for skipped in &node.skipped {
        by_reason.entry(skipped.reason).or_default().push(skipped.mv);
    }
    by_reason
}

/// What each technique did in all nodes of the search.
pub(super) fn totals(tree: &SearchTree) -> String {
    let totals = &tree.totals;
    let nodes = tree.nodes.max(1) as f64;
    let mut text = format!("\n{}, by the reason of their score\n", count(tree.nodes, "node", "nodes"));
    let table = |text: &mut String, rows: &mut Vec<(&str, u64)>| {
        rows.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        for (name, count) in rows {
            let _ = writeln!(text, "  {name:<22} {count:>12} {:>6.1}%", *count as f64 * 100.0 / nodes);
        }
    };
    table(&mut text, &mut totals.decided.iter().map(|(reason, &count)| (reason.name(), count)).collect());
    text += "nodes by purpose\n";
    table(&mut text, &mut totals.searched.iter().map(|(purpose, &count)| (purpose.name(), count)).collect());
    text += "skipped moves, as a share of the nodes\n";
    table(&mut text, &mut totals.skipped.iter().map(|(reason, &count)| (reason.name(), count)).collect());
    text += "changes of depth, and their sum in plies\n";
    let mut change = |name: &str, change: DepthChange| {
        let _ = writeln!(text, "  {name:<22} {:>12} {:>+7}", change.count, change.plies);
    };
    for (technique, &by) in &totals.depth_changes {
        change(technique.name(), by);
    }
    change("extensions", totals.extensions);
    change("negative extensions", totals.negative_extensions);
    let _ = writeln!(text, "{} with a transposition table entry", count(totals.table_hits, "node", "nodes"));
    text
}

/// What each technique saved at a sample of the nodes at which it was used.
pub(super) fn savings(rows: &[(Technique, Savings)]) -> String {
    let mut text = format!(
        "\nnodes of a sample, searched again with and without a technique\n  {:<22} {:>12} {:>7} {:>9} {:>9} {:>7} {:>8}\n",
        "technique", "uses", "sample", "with", "without", "factor", "changed"
    );
    for (technique, savings) in rows {
        let Savings { uses, sampled, with, without, changed, limited } = savings;
        let factor = *without as f64 / (*with).max(1) as f64;
        let at_least = if *limited > 0 { ">" } else { " " };
        let name = technique.name();
        let _ = writeln!(
            text,
            "  {name:<22} {uses:>12} {sampled:>7} {with:>9} {without:>9} {at_least}{factor:>6.1} {changed:>8}"
        );
    }
    text
}
