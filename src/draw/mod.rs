//! `rukh draw`: pictures as SVG, in one style for light and dark screens: boards, magic lookups, search trees, the network,
//! training losses, sequential tests, ladders of strength and rounds of expert iteration.

mod board;
mod ladder;
mod loss;
mod magic;
mod network;
mod parts;
mod rounds;
mod search;
mod sprt;
mod tree;

use std::path::Path;
use std::process::ExitCode;

use crate::finish::Finish;
use crate::output::{NewFile, print};

/// Draw a board, a magic lookup, a search tree, the network or a measured curve as SVG
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
  rukh draw magic rook:d4 --out magic.svg
  rukh draw tree --depth 3 --fen \"k7/p7/P7/8/8/8/6p1/6K1 w - - 0 1\" --out tree.svg
  rukh draw search --depth 8 --max-nodes 24 --out search.svg
  rukh draw network --out network.svg
  rukh draw loss train.log --out loss.svg
  rukh draw sprt test.state --elo0 0 --elo1 5 --out test.svg
  rukh draw ladder levels.jsonl --out levels.svg
  rukh draw rounds data/expert/rounds.jsonl --out rounds.svg";

#[derive(clap::Subcommand)]
enum Picture {
    Board(board::Args),
    Magic(magic::Args),
    Tree(tree::Args),
    Search(search::Args),
    Network(network::Args),
    Loss(loss::Args),
    Sprt(sprt::Args),
    Ladder(ladder::Args),
    Rounds(rounds::Args),
}

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> Finish {
    let (svg, out) = match &args.picture {
        Picture::Board(args) => (board::draw(args)?, &args.out),
        Picture::Magic(args) => (magic::draw(args)?, &args.out),
        Picture::Tree(args) => (tree::draw(args)?, &args.out),
        Picture::Search(args) => (search::draw(args)?, &args.out),
        Picture::Network(args) => (network::draw(args)?, &args.out),
        Picture::Loss(args) => (loss::draw(args)?, &args.out),
        Picture::Sprt(args) => (sprt::draw(args)?, &args.out),
        Picture::Ladder(args) => (ladder::draw(args)?, &args.out),
        Picture::Rounds(args) => (rounds::draw(args)?, &args.out),
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
