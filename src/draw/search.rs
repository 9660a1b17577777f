//! The picture of a recorded search: one row for each search of a node, with the reason of its score and its share of the nodes.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

use rukh_chess::Position;
use rukh_engine::api::{Bound, Limits, Request};
use rukh_engine::search_tree::{Iterations, StopHandle, TreeLimits, TreeNode, record_tree};
use rukh_engine::technique::TechniqueOverrides;
use rukh_engine::witness::{Purpose, Reason};
use rukh_lab::plot::escaped;

use super::parts::head;
use crate::evaluation::EvaluationArgs;
use crate::start::position;

/// Draw the tree of a real search with its cut-offs, reductions and pruned moves
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The position, as FEN
    #[arg(long, default_value = "startpos")]
    fen: String,

    /// Search depth; the last iteration is drawn
    #[arg(long, default_value = "6", value_parser = clap::value_parser!(u32).range(1..=30))]
    depth: u32,

    /// Greatest number of nodes to draw; the others are counted in their parents
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=200))]
    max_nodes: u64,

    /// Techniques to switch against their default, separated by commas
    #[arg(long, value_name = "TECHNIQUES", default_value = "")]
    switch: TechniqueOverrides,

    #[command(flatten)]
    evaluation: EvaluationArgs,

    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
}

const EXAMPLES: &str = "\
A row is one search of one node: its move, depth, score and reason. The bar is its share of the nodes of the root. Blue bars are
nodes that were searched to the end, red ones were cut off by a move, green ones without searching any move, grey ones failed
low. Dashed rows are moves that were not searched. `rukh debug tree` prints the same tree as text.

Examples:
  rukh draw search --depth 8 --out search.svg
  rukh draw search --depth 8 --switch late-move-reductions --max-nodes 60";

/// Megabytes of the transposition table: enough for the depths that can be drawn.
const HASH: usize = 16;
const ROW: usize = 19;
const INDENT: usize = 18;
const LEFT: usize = 12;
const TEXT: usize = 380;
const BAR: f64 = 200.0;

/// A row of the picture.
struct Row {
    level: usize,
    text: String,
    /// The class of the bar and the nodes; `None` for moves that were not searched.
    bar: Option<(&'static str, u64)>,
}

/// The picture.
pub(super) fn draw(args: &Args) -> Result<String, String> {
    let position = position(&args.fen)?;
    if position.count_legal_moves() == 0 {
        return Err("there is no legal move to search".to_owned());
    }
    let limits = Limits { depth: Some(args.depth), ..Limits::default() };
    let bounds = TreeLimits {
        max_nodes: usize::try_from(args.max_nodes).map_err(|error| error.to_string())?,
        near_plies: 0,
        iterations: Iterations::Last,
        path: Vec::new(),
    };
    let request = Request::from_position(position.clone(), limits);
    let (evaluation, stop) = (args.evaluation.evaluation()?, StopHandle::default());
    let tree = record_tree(args.switch, &evaluation, request, HASH, bounds, &stop)
        .map_err(|error| error.to_string())?;
    let root = tree.roots.last().ok_or("nothing was searched")?;
    let mut rows = Vec::new();
    add_rows(&mut rows, &position, root, &format!("iteration {}", root.iteration), 0);
    Ok(picture(&rows, root.nodes))
}

/// Adds the row of a node and those below it.
fn add_rows(rows: &mut Vec<Row>, position: &Position, node: &TreeNode, name: &str, level: usize) {
    let text = format!("{name}: {}", describe(position, node));
    rows.push(Row { level, text, bar: Some((class(node.reason), node.nodes)) });
    for child in &node.children {
        let (name, after) = match child.mv {
            Some(mv) => (position.san(mv), position.after(mv)),
            None if child.purpose == Purpose::NullMove => {
                let mut after = position.clone();
                after.make_null();
                ("null move".to_owned(), after)
            }
            None => (child.purpose.name().to_owned(), position.clone()),
        };
        add_rows(rows, &after, child, &name, level + 1);
    }
    let mut skipped: BTreeMap<&str, usize> = BTreeMap::new();
    for skip in &node.skipped {
        *skipped.entry(skip.reason.name()).or_default() += 1;
    }
    let is_open = !node.children.is_empty();
    for (reason, count) in skipped.iter().filter(|_| is_open) {
        let text = format!("{} skipped by {reason}", counted(*count as u64, "move", "moves"));
        rows.push(Row { level: level + 1, text, bar: None });
    }
    if is_open && node.collapsed.children > 0 {
        let searches = counted(node.collapsed.children, "other search", "other searches");
        let text = format!("{searches} of {}", counted(node.collapsed.nodes, "node", "nodes"));
        rows.push(Row { level: level + 1, text, bar: Some(("low", node.collapsed.nodes)) });
    }
}

/// A number with its noun.
fn counted(number: u64, one: &str, more: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { more })
}

/// Depth, score and reason of a node.
fn describe(position: &Position, node: &TreeNode) -> String {
    let sign = match node.bound {
        Bound::Exact => "",
        Bound::Lower => "≥ ",
        Bound::Upper => "≤ ",
    };
    let score = node.score.map_or_else(String::new, |score| format!(", {sign}{score}"));
    let best = node.best.map_or_else(String::new, |mv| format!(" {}", position.san(mv)));
    let reduced =
        if node.reduction > 0 { format!(" (reduced by {})", node.reduction) } else { String::new() };
    format!("depth {}{reduced}{score}, {}{best}", node.depth, node.reason.name())
}

/// The class of a node by its reason.
const fn class(reason: Reason) -> &'static str {
    match reason {
        Reason::BetaCutoff => "spared",
        Reason::RaisedAlpha => "node",
        Reason::FailedLow | Reason::Stopped => "low",
        _ => "fast",
    }
}

fn picture(rows: &[Row], nodes: u64) -> String {
    let deepest = rows.iter().map(|row| row.level).max().unwrap_or(0);
    let bar_left = LEFT + deepest * INDENT + TEXT;
    let width = bar_left + BAR as usize + 70;
    let mut svg = head(width, rows.len() * ROW + 2 * LEFT, "Recorded search");
    for (at, row) in rows.iter().enumerate() {
        let (x, y) = (LEFT + row.level * INDENT, LEFT + at * ROW + ROW / 2);
        add_branch(&mut svg, rows, at);
        let _ = writeln!(
            svg,
            "<text class=\"{}\" x=\"{}\" y=\"{}\">{}</text>",
            if row.bar.is_some() { "text" } else { "spared" },
            x + 8,
            y + 4,
            escaped(&row.text)
        );
        let Some((class, count)) = row.bar else { continue };
        let length = (BAR * count as f64 / nodes.max(1) as f64).max(1.0);
        let _ = writeln!(
            svg,
            "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"4\"/>\
             <rect class=\"{class}\" x=\"{bar_left}\" y=\"{}\" width=\"{length:.1}\" height=\"9\"/>\
             <text class=\"name\" x=\"{:.1}\" y=\"{}\">{count}</text>",
            y - 4,
            bar_left as f64 + length + 5.0,
            y + 4
        );
    }
    svg.push_str("</svg>\n");
    svg
}

/// The line from the parent of a row down to it.
fn add_branch(svg: &mut String, rows: &[Row], at: usize) {
    let row = &rows[at];
    let Some(parent) = rows[..at].iter().rposition(|other| other.level + 1 == row.level) else { return };
    let middle = |row: usize| LEFT + row * ROW + ROW / 2;
    let class = if row.bar.is_some() { "line" } else { "cut" };
    let (left, right) = (LEFT + (row.level - 1) * INDENT, LEFT + row.level * INDENT);
    let _ = writeln!(
        svg,
        "<path class=\"{class}\" d=\"M{left} {}V{}H{right}\"/>",
        middle(parent) + 4,
        middle(at)
    );
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: Args,
    }

    fn svg(words: &[&str]) -> Result<String, String> {
        let line = Line::try_parse_from([&["search", "--classical"], words].concat());
        draw(&line.map_err(|error| error.to_string())?.args)
    }

    #[test]
    fn a_recorded_search_has_bars_and_skipped_moves() {
        let drawn = svg(&["--depth", "9", "--max-nodes", "40"]).expect("it can be drawn");
        assert!(drawn.contains("iteration 9: depth 9"), "{drawn}");
        assert!(drawn.matches("<rect").count() > 20 && drawn.contains("skipped by"), "{drawn}");
        assert!(drawn.contains("class=\"cut\"") && drawn.contains("other searches of"), "{drawn}");
        assert_eq!(
            drawn,
            svg(&["--depth", "9", "--max-nodes", "40"]).expect("it can be drawn"),
            "it repeats"
        );
    }

    #[test]
    fn a_finished_game_is_refused() {
        let error = svg(&["--fen", "7k/6Q1/5K2/8/8/8/8/8 b - - 0 1"]).expect_err("it is mate");
        assert_eq!(error, "there is no legal move to search");
    }
}
