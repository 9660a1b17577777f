//! `rukh debug tree`: records the tree of a search and prints it as text or JSON.

use std::process::ExitCode;

use rukh_chess::game::Game;
use rukh_chess::{Move, Position};
use rukh_engine::api::{Limits, Request};
use rukh_engine::search_tree::{Iterations, Savings, SearchTree, StopHandle, TreeLimits, record_tree};
use rukh_engine::serialize::uci_text;
use rukh_engine::technique::{Technique, TechniqueOverrides};
use rukh_eval::Evaluation;
use serde_json::json;

use super::text;
use super::visits;
use crate::evaluation::EvaluationArgs;
use crate::finish::Finish;
use crate::output::{print, print_line};

/// Record an alpha-beta search node by node and print its tree, with the reason of each result
///
/// The search runs on one thread with an empty transposition table: the same arguments give the same tree. All scores are for
/// the side to move at the node.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The position, as FEN, X-FEN or Shredder-FEN
    #[arg(long, default_value = "startpos")]
    fen: String,

    /// Search depth [default: 8, if there is no other limit]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=200))]
    depth: Option<u32>,

    /// Number of nodes
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Record only below the position after these moves, in SAN or UCI notation, and print each visit of the position before
    /// the last of them
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,

    /// The iterations to record: a number, last (the last two) or all
    #[arg(long, value_name = "N", default_value = "last", value_parser = iterations)]
    iteration: Iterations,

    /// Greatest number of nodes to record; the others are counted in their parents
    #[arg(long, value_name = "N", default_value_t = 200)]
    max_nodes: usize,

    /// Nodes within so many plies are kept before heavier ones further below
    #[arg(long, value_name = "N", default_value_t = 1)]
    near_plies: usize,

    /// Techniques to switch against their default, separated by commas
    #[arg(long, value_name = "TECHNIQUES", default_value = "")]
    switch: TechniqueOverrides,

    /// Size of the transposition table in MiB
    #[arg(long, value_name = "MB", default_value_t = 16)]
    hash: usize,

    /// Measure what each technique saved: search a sample of the nodes at which it was used again, with it and without it
    #[arg(long)]
    savings: bool,

    #[command(flatten)]
    evaluation: EvaluationArgs,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
A line of the tree: the move, why it was searched, node type, depth with its changes, window, score, reason and nodes. The end
counts what each technique did in all nodes. docs/search-tree.md explains it with an example.

Examples:
  rukh debug tree --depth 8
  rukh debug tree --depth 10 --moves \"e4 e5 Nf3\" --max-nodes 40
  rukh debug tree --nodes 100000 --iteration all --json > tree.json
  rukh debug tree --depth 9 --switch null-move,futility
  rukh debug tree --depth 10 --max-nodes 0 --savings";

/// The depth without a limit.
const DEFAULT_DEPTH: u32 = 8;

fn iterations(text: &str) -> Result<Iterations, String> {
    match text {
        "last" => Ok(Iterations::Last),
        "all" => Ok(Iterations::All),
        number => number
            .parse()
            .ok()
            .filter(|&number| number > 0)
            .map(Iterations::Only)
            .ok_or_else(|| format!("{number:?} is no iteration: give a number from 1, last or all")),
    }
}

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> Finish {
    let position = match args.fen.as_str() {
        "startpos" => Position::default(),
        fen => fen.parse::<Position>().map_err(|error| error.to_string())?,
    };
    if position.count_legal_moves() == 0 {
        return Err("there is no legal move to search".to_owned().into());
    }
    let path = args.moves.as_deref().map_or(Ok(Vec::new()), |moves| path(&position, moves))?;
    let is_limited = args.depth.is_some() || args.nodes.is_some();
    let limits = Limits {
        depth: args.depth.or((!is_limited).then_some(DEFAULT_DEPTH)),
        nodes: args.nodes,
        ..Limits::default()
    };
    let bounds = TreeLimits {
        max_nodes: args.max_nodes,
        near_plies: args.near_plies,
        path: path.clone(),
        iterations: args.iteration,
    };
    let request = Request::from_position(position.clone(), limits);
    let (evaluation, stop) = (args.evaluation.evaluation()?, StopHandle::default());
    let tree = record_tree(args.switch, &evaluation, request, args.hash, bounds, &stop)
        .map_err(|error| error.to_string())?;
    let savings = args.savings.then(|| savings(&tree, args.switch, &evaluation, &position)).transpose()?;
    if args.json {
        let mut report = serde_json::to_value(&tree).map_err(|error| error.to_string())?;
        report["fen"] = json!(position.to_string());
        report["path"] = json!(path.iter().map(|&mv| uci_text(mv)).collect::<Vec<_>>());
        if let Some(savings) = savings {
            report["savings"] = savings.iter().map(|(technique, it)| (technique.name(), json!(it))).collect();
        }
        print_line(&report.to_string())?;
    } else {
        print(&text::roots(&position, &tree.roots))?;
        if !path.is_empty() {
            print(&visits::text(&position, &tree.roots, &path, args.iteration))?;
        }
        print(&text::totals(&tree))?;
        if let Some(savings) = savings {
            print(&text::savings(&savings))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// What each technique that was used saved.
fn savings(
    tree: &SearchTree,
    switched: TechniqueOverrides,
    evaluation: &Evaluation,
    position: &Position,
) -> Result<Vec<(Technique, Savings)>, String> {
    let (game, stop) = (Game::new(position.clone()), StopHandle::default());
    let measured = tree.uses().filter_map(|(technique, _)| {
        let savings = tree.measure_savings(technique, switched, evaluation, &game, &stop).transpose()?;
        Some(savings.map(|savings| (technique, savings)).map_err(|error| error.to_string()))
    });
    measured.collect()
}

/// The moves of a line in SAN or UCI notation; move numbers are ignored.
fn path(start: &Position, text: &str) -> Result<Vec<Move>, String> {
    let mut position = start.clone();
    let mut moves = Vec::new();
    let words = text.split([' ', ',']).map(|word| word.trim_start_matches(|c: char| c.is_ascii_digit()));
    for word in words.map(|word| word.trim_start_matches('.')).filter(|word| !word.is_empty()) {
        let mv = position.parse_san(word).ok().or_else(|| position.parse_uci(word).ok());
        let mv = mv.ok_or_else(|| format!("{word:?} is no legal move in {position}"))?;
        position = position.after(mv);
        moves.push(mv);
    }
    Ok(moves)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_read_in_san_or_uci() {
        let start = Position::default();
        let moves = path(&start, "1. e4 e7e5 2.Nf3").expect("legal");
        assert_eq!(moves.iter().map(|&mv| uci_text(mv)).collect::<Vec<_>>(), ["e2e4", "e7e5", "g1f3"]);
        let error = path(&start, "e4 e4").expect_err("illegal");
        assert!(error.starts_with("\"e4\" is no legal move in"), "{error}");
    }

    #[test]
    fn iterations_are_a_number_last_or_all() {
        assert_eq!(iterations("7"), Ok(Iterations::Only(7)));
        assert_eq!(iterations("all"), Ok(Iterations::All));
        assert!(iterations("0").is_err() && iterations("none").is_err());
    }
}
