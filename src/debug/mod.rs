//! `rukh debug`: views of the inside of the engine for engine programmers.

mod text;
mod tree;
mod visits;

use crate::finish::Finish;

/// Show the inside of the engine: the tree of a search, node by node, with the reason of each cut-off
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    task: DebugCommand,
}

#[derive(clap::Subcommand)]
enum DebugCommand {
    Tree(tree::Args),
}

const EXAMPLES: &str = "\
Examples:
  rukh debug tree --depth 8
  rukh debug tree --depth 10 --moves \"e4 e5\"";

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> Finish {
    match &args.task {
        DebugCommand::Tree(args) => tree::run(args),
    }
}
