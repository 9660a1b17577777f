//! The picture of an alpha-beta tree: nodes with their values, branches, and the moves that a cut-off spared.

use std::fmt::Write;
use std::path::PathBuf;

use rukh_chess::{Move, Position};
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
Values count material, in pawns for the side to move at the node; a dashed stub is a move that a cut-off spared.

Examples:
  rukh draw tree --fen \"8/8/8/8/8/1k6/1p6/1K1R4 w - - 0 1\"
  rukh draw tree --depth 2 --fen \"8/8/8/8/8/1k6/1p6/1K1R4 w - - 0 1\" --out tree.svg";

/// A wider tree is not readable.
const MAX_LEAVES: usize = 80;
const COLUMN: f64 = 34.0;
const ROW: f64 = 78.0;
const TOP: f64 = 30.0;

struct Branch {
    name: String,
    value: Option<Score>,
    children: Vec<Self>,
}

impl Branch {
    fn leaves(&self) -> usize {
        self.children.iter().map(Self::leaves).sum::<usize>().max(1)
    }
}

/// The picture.
pub(super) fn draw(args: &Args) -> Result<String, String> {
    let position = position(&args.fen)?;
    let root = search(&position, String::new(), 0, args.depth, (Score::MIN, Score::MAX));
    let leaves = root.leaves();
    if leaves > MAX_LEAVES {
        return Err(format!("the tree has {leaves} leaves, at most {MAX_LEAVES} can be drawn"));
    }
    let (width, height) = (leaves as f64 * COLUMN + COLUMN, f64::from(args.depth) * ROW + 2.0 * TOP);
    let mut svg = head(width as usize, height as usize, "Search tree");
    let middle = add(&mut svg, &root, 0.0, 0);
    label(&mut svg, &root, middle, 0);
    svg.push_str("</svg>\n");
    Ok(svg)
}

/// Alpha-beta that remembers its tree.
fn search(position: &Position, name: String, ply: usize, depth: u32, window: (Score, Score)) -> Branch {
    let (mut alpha, beta) = window;
    let mut branch = Branch { name, value: Some(Score::MIN), children: Vec::new() };
    let moves = Order::CapturesFirst.moves(position);
    if moves.is_empty() {
        branch.value = Some(if position.is_check() { Score::mated_at(ply) } else { Score::DRAW });
    } else if depth == 0 {
        branch.value = Some(Material.evaluate(position));
    } else {
        for mv in moves {
            let name = san(position, mv);
            if alpha >= beta {
                branch.children.push(Branch { name, value: None, children: Vec::new() });
                continue;
            }
            let child = search(&position.after(mv), name, ply + 1, depth - 1, (-beta, -alpha));
            let value = child.value.map(|value| -value);
            branch.children.push(child);
            branch.value = branch.value.max(value);
            alpha = alpha.max(value.unwrap_or(alpha));
        }
    }
    branch
}

fn san(position: &Position, mv: Move) -> String {
    position.san(mv)
}

/// Adds the branches below a node that begins at `left`; returns the middle of the node.
fn add(svg: &mut String, branch: &Branch, left: f64, ply: usize) -> f64 {
    let middle = COLUMN + left * COLUMN + (branch.leaves() as f64 - 1.0) * COLUMN / 2.0;
    let mut start = left;
    let y = TOP + ply as f64 * ROW;
    for child in &branch.children {
        let x = add(svg, child, start, ply + 1);
        start += child.leaves() as f64;
        let is_cut = child.value.is_none();
        let part = if is_cut { 0.45 } else { 1.0 };
        let class = if is_cut { "cut" } else { "line" };
        let (x2, y2) = (middle + (x - middle) * part, y + ROW * part);
        let _ = writeln!(
            svg,
            "<line class=\"{class}\" x1=\"{middle:.1}\" y1=\"{y:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>"
        );
        if !is_cut {
            label(svg, child, x, ply + 1);
        }
    }
    middle
}

fn label(svg: &mut String, branch: &Branch, x: f64, ply: usize) {
    let y = TOP + ply as f64 * ROW;
    let value = match branch.value {
        Some(score) if score.is_win() => "win".to_owned(),
        Some(score) if score.is_loss() => "mated".to_owned(),
        Some(score) => format!("{}", score.value() / 100),
        None => String::new(),
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
        assert!(svg.matches("class=\"cut\"").count() > 5, "{svg}");
        assert!(svg.matches("class=\"node\"").count() > 10);
        // The root is a rook against a pawn.
        assert!(svg.trim_end().ends_with(">4</text>\n</svg>"), "{svg}");
    }

    #[test]
    fn a_wide_tree_is_refused() {
        let error = draw(&args("startpos", 3)).expect_err("it is too wide");
        assert!(error.contains("at most 80"), "{error}");
    }
}
