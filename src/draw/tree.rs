//! The picture of an alpha-beta tree: nodes with their values, branches, and how many moves each cut-off spared.

use std::fmt::Write;
use std::path::PathBuf;

use rukh_chess::Position;
use rukh_engine::teaching::Order;
use rukh_eval::{Evaluator, Material, Score};

use super::parts::head;
use crate::start::position;

/// Draw the tree of a small alpha-beta search, with its cut-offs
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The position, as FEN; it should have few moves
    #[arg(long)]
    fen: String,

    /// Depth in plies
    #[arg(long, default_value = "3", value_parser = clap::value_parser!(u32).range(1..=6))]
    depth: u32,

    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Values count material, in pawns for the side to move at the node. A dashed stub is a cut-off, with the number of moves that it
spared. `rukh draw search` draws the tree of the real search.

Examples:
  rukh draw tree --fen \"8/8/8/8/8/1k6/1p6/1K1R4 w - - 0 1\"
  rukh draw tree --depth 2 --fen \"8/8/8/8/8/1k6/1p6/1K1R4 w - - 0 1\" --out tree.svg";

/// A wider tree is not readable.
const MAX_COLUMNS: usize = 80;
const COLUMN: f64 = 34.0;
const ROW: f64 = 78.0;
const TOP: f64 = 30.0;

struct Branch {
    name: String,
    value: Score,
    children: Vec<Self>,
    /// Moves that were not searched because of a cut-off.
    spared: usize,
}

impl Branch {
    /// The columns of the picture below this node; a cut-off takes one.
    fn columns(&self) -> usize {
        let stub = usize::from(self.spared > 0);
        (self.children.iter().map(Self::columns).sum::<usize>() + stub).max(1)
    }
}

/// The picture.
pub(super) fn draw(args: &Args) -> Result<String, String> {
    let position = position(&args.fen)?;
    let root = search(&position, String::new(), 0, args.depth, (Score::MIN, Score::MAX));
    let columns = root.columns();
    if columns > MAX_COLUMNS {
        return Err(format!("the tree has {columns} columns, at most {MAX_COLUMNS} can be drawn"));
    }
    let (width, height) = (columns as f64 * COLUMN + COLUMN, f64::from(args.depth) * ROW + 2.0 * TOP);
    let mut svg = head(width as usize, height as usize, "Search tree");
    let middle = add(&mut svg, &root, 0.0, 0);
    label(&mut svg, &root, middle, 0);
    svg.push_str("</svg>\n");
    Ok(svg)
}

/// Alpha-beta that remembers its tree.
fn search(position: &Position, name: String, ply: usize, depth: u32, window: (Score, Score)) -> Branch {
    let (mut alpha, beta) = window;
    let mut branch = Branch { name, value: Score::MIN, children: Vec::new(), spared: 0 };
    let moves = Order::CapturesFirst.moves(position);
    if moves.is_empty() {
        branch.value = if position.is_check() { Score::mated_at(ply) } else { Score::DRAW };
    } else if depth == 0 {
        branch.value = Material.evaluate(position);
    } else {
        for mv in moves {
            if alpha >= beta {
                branch.spared += 1;
                continue;
            }
            let child = search(&position.after(mv), position.san(mv), ply + 1, depth - 1, (-beta, -alpha));
            branch.value = branch.value.max(-child.value);
            alpha = alpha.max(-child.value);
            branch.children.push(child);
        }
    }
    branch
}

/// Adds the branches below a node that begins at `left`; returns the middle of the node.
fn add(svg: &mut String, branch: &Branch, left: f64, ply: usize) -> f64 {
    let middle = COLUMN + left * COLUMN + (branch.columns() as f64 - 1.0) * COLUMN / 2.0;
    let mut start = left;
    let y = TOP + ply as f64 * ROW;
    for child in &branch.children {
        let x = add(svg, child, start, ply + 1);
        start += child.columns() as f64;
        let below = y + ROW;
        let _ = writeln!(
            svg,
            "<line class=\"line\" x1=\"{middle:.1}\" y1=\"{y:.1}\" x2=\"{x:.1}\" y2=\"{below:.1}\"/>"
        );
        label(svg, child, x, ply + 1);
    }
    if branch.spared > 0 {
        add_cut(svg, middle, COLUMN + start * COLUMN, y, branch.spared);
    }
    middle
}

/// A stub towards the column at `x`, and the number of moves that the cut-off spared.
fn add_cut(svg: &mut String, middle: f64, x: f64, y: f64, spared: usize) {
    /// Of the way to the next row.
    const PART: f64 = 0.5;
    let (x2, y2) = (middle + (x - middle) * PART, y + ROW * PART);
    let _ = writeln!(
        svg,
        "<line class=\"cut\" x1=\"{middle:.1}\" y1=\"{y:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>\
         <text class=\"spared\" text-anchor=\"middle\" x=\"{x2:.1}\" y=\"{:.1}\">{spared}</text>",
        y2 + 11.0
    );
}

fn label(svg: &mut String, branch: &Branch, x: f64, ply: usize) {
    let y = TOP + ply as f64 * ROW;
    let value = match branch.value {
        score if score.is_win() => "win".to_owned(),
        score if score.is_loss() => "mated".to_owned(),
        score => format!("{}", score.value() / 100),
    };
    let _ = writeln!(
        svg,
        "<circle class=\"node\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"/>\
         <text class=\"text\" text-anchor=\"middle\" x=\"{x:.1}\" y=\"{:.1}\">{}</text>\
         <text class=\"text\" text-anchor=\"middle\" x=\"{x:.1}\" y=\"{:.1}\">{value}</text>",
        y - 8.0,
        branch.name,
        y + 16.0
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEN: &str = "8/8/8/8/8/1k6/1p6/1K1R4 w - - 0 1";

    fn args(fen: &str, depth: u32) -> Args {
        Args { fen: fen.to_owned(), depth, out: None }
    }

    #[test]
    fn a_tree_shows_values_and_cut_offs() {
        let svg = draw(&args(FEN, 2)).expect("it can be drawn");
        assert!(svg.matches("class=\"cut\"").count() > 3, "{svg}");
        assert!(svg.matches("class=\"node\"").count() > 10);
        // The root is a rook against a pawn.
        assert!(svg.trim_end().ends_with(">4</text>\n</svg>"), "{svg}");
    }

    #[test]
    fn a_wide_tree_is_refused() {
        let error = draw(&args("startpos", 4)).expect_err("it is too wide");
        assert!(error.contains("at most 80"), "{error}");
    }
}
