//! `rukh analyse`: the best lines in a position, for people.

use std::process::ExitCode;
use std::time::Duration;

use rukh_chess::Position;
use rukh_engine::api::{Bound, Event, LineInfo, Progress};
use serde_json::json;

use crate::finish::Finish;
use crate::output::print_line;
use crate::searching::{SearchArgs, line_in_san, start};

/// Show the best lines in a position
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The position, as FEN, X-FEN or Shredder-FEN
    #[arg(long, default_value = "startpos")]
    fen: String,

    /// How many lines
    #[arg(long, default_value = "1", value_parser = clap::value_parser!(u16).range(1..=256))]
    multipv: u16,

    #[command(flatten)]
    search: SearchArgs,

    /// Print JSON, one object for each line
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Without a limit it thinks for five seconds.

Examples:
  rukh analyse --movetime 10000
  rukh analyse --multipv 3 --depth 20 --fen \"r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3\"";

/// Time to think if no limit is given.
const DEFAULT_TIME: Duration = Duration::from_secs(5);

pub(crate) fn run(args: &Args) -> Finish {
    let position = match args.fen.as_str() {
        "startpos" => Position::default(),
        fen => fen.parse::<Position>().map_err(|error| error.to_string())?,
    };
    if let Some(ending) = position.ending() {
        let ending = ending.to_string();
        print_line(&if args.json { json!({ "ending": ending }).to_string() } else { ending })?;
        if position.count_legal_moves() == 0 {
            return Ok(ExitCode::SUCCESS);
        }
    }
    let mut engine = args.search.engine(usize::from(args.multipv))?;
    if !args.json {
        let head = format!(
            "{:>5} {:>8} {:>16} {:>12} {:>7}  line",
            "depth", "score", "win draw loss", "nodes", "time"
        );
        print_line(&head)?;
    }
    for event in start(&mut engine, &position, &args.search.limits(DEFAULT_TIME)) {
        match event {
            Event::Line(line, progress) if args.json => {
                print_line(&as_json(&position, &line, &progress).to_string())?;
            }
            Event::Line(line, progress) => print_line(&as_text(&position, &line, &progress))?,
            Event::CurrentMove { .. } => {}
            Event::Done { best, .. } => {
                let name = best.map_or_else(|| "none".to_owned(), |best| position.san(best));
                let text = format!("best move: {name}");
                print_line(&if args.json { json!({ "best": name }).to_string() } else { text })?;
                break;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn as_text(position: &Position, line: &LineInfo, progress: &Progress) -> String {
    let bound = match line.bound {
        Bound::Exact => "",
        Bound::Lower => ">=",
        Bound::Upper => "<=",
    };
    let [win, draw, loss] = line.wdl.map(|chance| format!("{:.0}%", f64::from(chance) / 10.0));
    format!(
        "{:>5} {:>8} {:>16} {:>12} {:>6.1}s  {}",
        line.depth,
        format!("{bound}{}", line.score),
        format!("{win} {draw} {loss}"),
        progress.nodes,
        progress.time.as_secs_f64(),
        line_in_san(position, &line.pv),
    )
}

fn as_json(position: &Position, line: &LineInfo, progress: &Progress) -> serde_json::Value {
    json!({
        "depth": line.depth,
        "seldepth": line.seldepth,
        "multipv": line.multipv,
        "score": line.score.to_string(),
        "bound": format!("{:?}", line.bound).to_lowercase(),
        "wdl": line.wdl,
        "nodes": progress.nodes,
        "seconds": progress.time.as_secs_f64(),
        "line": line_in_san(position, &line.pv),
    })
}
