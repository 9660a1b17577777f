//! A search that gains one technique after another: nodes to the same depth.

use std::process::ExitCode;

use rukh_engine::api::{Limits, Request};
use rukh_engine::search_once;
use rukh_engine::technique::{Technique, TechniqueOverrides};
use rukh_eval::Evaluation;
use serde_json::json;

use super::middlegame::MIDDLEGAME;
use crate::finish::Finish;
use crate::output::print_line;
use crate::start::position;

/// Search with no technique, then add ten of them one by one
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The position, as FEN
    #[arg(long, default_value = MIDDLEGAME)]
    fen: String,

    /// Depth in plies
    #[arg(long, default_value = "6", value_parser = clap::value_parser!(u32).range(1..=30))]
    depth: u32,

    /// Stop a search after so many nodes
    #[arg(long, default_value = "20000000")]
    limit: u64,

    /// Print a JSON object for each row
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
The search begins as principal variation search with quiescence and captures ordered by victim. The evaluation is the
classical one.

Examples:
  rukh teach techniques
  rukh teach techniques --depth 9 --fen startpos";

/// The techniques in the order in which they are added.
const STEPS: [Technique; 10] = [
    Technique::QuiescenceExchange,
    Technique::DeltaPruning,
    Technique::TableMove,
    Technique::TableCutoff,
    Technique::Killer,
    Technique::QuietHistory,
    Technique::NullMove,
    Technique::ReverseFutility,
    Technique::LateMovePruning,
    Technique::LateMoveReductions,
];

pub(super) fn run(args: &Args) -> Finish {
    let position = position(&args.fen)?;
    if !args.json {
        print_line("techniques                   nodes   move    score")?;
    }
    for count in 0..=STEPS.len() {
        let name = if count == 0 { "none".to_owned() } else { format!("+ {}", STEPS[count - 1]) };
        let limits = Limits { depth: Some(args.depth), nodes: Some(args.limit), ..Limits::default() };
        let request = Request::from_position(position.clone(), limits);
        let overrides = TechniqueOverrides::only(&STEPS[..count]);
        let found =
            search_once(overrides, &Evaluation::Classical, request, 16).map_err(|error| error.to_string())?;
        let best = found.best.map(|mv| position.san(mv));
        let score = found.score.map(|score| score.to_centipawns().value());
        let is_limited = found.nodes >= args.limit;
        print_line(&match args.json {
            true => json!({
                "techniques": STEPS[..count].iter().map(|step| step.name()).collect::<Vec<_>>(),
                "nodes": found.nodes,
                "limited": is_limited,
                "move": best,
                "centipawns": score,
            })
            .to_string(),
            false => {
                let nodes = if is_limited { format!(">{}", args.limit) } else { found.nodes.to_string() };
                let (best, score) = (best.unwrap_or_else(|| "none".to_owned()), score.unwrap_or(0));
                format!("{name:<23} {nodes:>10}   {best:<6} {score:>6}")
            }
        })?;
    }
    Ok(ExitCode::SUCCESS)
}
