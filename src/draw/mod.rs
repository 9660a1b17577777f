//! `rukh draw`: pictures of boards and search trees as SVG, in one style for light and dark screens.

mod board;
mod tree;

use std::path::Path;
use std::process::ExitCode;

use rukh_chess::Position;

use crate::finish::Finish;
use crate::output::{NewFile, print};

/// Draw a board or a search tree as SVG
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    picture: Picture,
}

const EXAMPLES: &str = "\
The colours follow the light or dark setting of the reader.

Examples:
  rukh draw board --attacks d4 --fen \"4k3/8/3p4/8/1p1R2P1/8/8/4K3 w - - 0 1\" > attacks.svg
  rukh draw tree --depth 3 --fen \"8/8/8/8/8/k7/p7/K7 w - - 0 1\" --out tree.svg";

#[derive(clap::Subcommand)]
enum Picture {
    Board(board::Args),
    Tree(tree::Args),
}

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> Finish {
    let (svg, out) = match &args.picture {
        Picture::Board(args) => (board::draw(args)?, &args.out),
        Picture::Tree(args) => (tree::draw(args)?, &args.out),
    };
    write(&svg, out.as_deref())
}

fn write(svg: &str, out: Option<&Path>) -> Finish {
    match out {
        None => print(svg)?,
        Some(path) => NewFile::replace(path, svg)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Parses a position; `startpos` is the start position.
fn position(fen: &str) -> Result<Position, String> {
    match fen {
        "startpos" => Ok(Position::default()),
        fen => fen.parse::<Position>().map_err(|error| error.to_string()),
    }
}

/// The head of a picture: its size, its title for screen readers, and the colours of both settings.
fn head(width: usize, height: usize, title: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         role=\"img\" aria-label=\"{title}\">\n<style>\n{STYLE}</style>\n"
    )
}

const STYLE: &str = "\
svg { background: #ffffff; font-family: sans-serif; }
.light { fill: #f0ead6; } .dark { fill: #b9a27f; } .mark { fill: #2f7fb5; opacity: 0.55; } .from { fill: #d7a021; opacity: 0.6; }
.white { fill: #ffffff; stroke: #222222; } .black { fill: #222222; stroke: #222222; }
.name { fill: #333333; font-size: 11px; } .arrow { stroke: #b3412f; fill: #b3412f; opacity: 0.85; }
.line { stroke: #777777; fill: none; } .cut { stroke: #b3412f; fill: none; stroke-dasharray: 3 3; }
.node { fill: #2f7fb5; } .text { fill: #222222; font-size: 11px; }
@media (prefers-color-scheme: dark) {
svg { background: #1d1f21; }
.light { fill: #8d8776; } .dark { fill: #5b5142; } .name, .text { fill: #dddddd; }
.line { stroke: #999999; } .arrow { stroke: #e07a5f; fill: #e07a5f; } .cut { stroke: #e07a5f; }
}
";
