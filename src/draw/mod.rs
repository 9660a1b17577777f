//! `rukh draw`: pictures of boards and search trees as SVG, in one style for light and dark screens.

mod board;
mod parts;
mod tree;

use std::path::Path;
use std::process::ExitCode;

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
