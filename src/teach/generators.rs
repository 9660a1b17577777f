//! A mailbox move generator against bitboards: the same counts, at different speed.

use std::process::ExitCode;
use std::time::Instant;

use rukh_chess::notation::CastlingNotation;
use rukh_chess::perft;
use rukh_engine::teaching::mailbox::Mailbox;
use serde_json::json;

use super::middlegame::MIDDLEGAME;
use crate::finish::Finish;
use crate::output::print_line;
use crate::start::position;
use crate::text::speed;

/// Count leaf nodes with a mailbox board and with bitboards
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The position, as FEN; standard chess only
    #[arg(long, default_value = MIDDLEGAME)]
    fen: String,

    /// Depth in plies
    #[arg(long, default_value = "4", value_parser = clap::value_parser!(u32).range(1..=8))]
    depth: u32,

    /// Print a JSON object for each row
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  rukh teach generators
  rukh teach generators --depth 5 --fen startpos";

pub(super) fn run(args: &Args) -> Finish {
    let position = position(&args.fen)?;
    if CastlingNotation::of(&position) != CastlingNotation::KingTarget {
        return Err("the mailbox board castles only in standard chess".to_owned().into());
    }
    let board = Mailbox::new(&position);
    let timed = |name: &str, count: &dyn Fn() -> u64| {
        let start = Instant::now();
        let nodes = count();
        let time = start.elapsed();
        print_line(&match args.json {
            true => json!({ "generator": name, "nodes": nodes, "seconds": time.as_secs_f64() }).to_string(),
            false => format!("{name:<22} {nodes:>12}   {}", speed(nodes, time)),
        })
    };
    timed("mailbox", &|| board.perft(args.depth))?;
    timed("bitboards, every move", &|| perft::perft_listing(&position, args.depth))?;
    timed("bitboards, counting", &|| perft::perft(&position, args.depth))?;
    Ok(ExitCode::SUCCESS)
}
