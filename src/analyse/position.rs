//! Analysis of a position: the best lines.

use std::process::ExitCode;
use std::time::Duration;

use rukh_chess::Position;
use rukh_engine::api::{Bound, Event, LineInfo, Progress, Request, TreeMoveInfo};
use rukh_explain::variation::to_san;
use serde_json::json;

use crate::finish::{Failure, Finish};
use crate::output::print_line;
use crate::searching::{SearchArgs, start};

/// Options of the analysis of a position.
#[derive(clap::Args)]
pub(super) struct PositionArgs {
    /// The position as FEN, X-FEN or Shredder-FEN
    #[arg(long, default_value = "startpos")]
    fen: String,

    /// Number of best lines
    #[arg(long, default_value = "1", value_parser = clap::value_parser!(u16).range(1..=256))]
    multipv: u16,
}

/// The time without a limit.
const DEFAULT_TIME: Duration = Duration::from_secs(5);

/// Analyses a position.
pub(super) fn run(args: &PositionArgs, search: &SearchArgs, is_json: bool) -> Finish {
    let position = match args.fen.as_str() {
        "startpos" => Position::default(),
        fen => fen.parse::<Position>().map_err(|error| error.to_string())?,
    };
    if let Some(ending) = position.ending() {
        let ending = ending.to_string();
        print_line(&if is_json { json!({ "ending": ending }).to_string() } else { ending })?;
        if position.count_legal_moves() == 0 {
            return Ok(ExitCode::SUCCESS);
        }
    }
    let mut engine = search.engine(usize::from(args.multipv))?;
    if !is_json {
        let head = format!(
            "{:>5} {:>8} {:>16} {:>12} {:>7}  line",
            "depth", "score", "win draw loss", "nodes", "time"
        );
        print_line(&head)?;
    }
    let request = Request::from_position(position.clone(), search.limits(DEFAULT_TIME));
    for event in start(&mut engine, request) {
        match event {
            Event::Line(line, progress) if is_json => {
                print_line(&as_json(&position, &line, &progress).to_string())?;
            }
            Event::Line(line, progress) => print_line(&as_text(&position, &line, &progress))?,
            Event::CurrentMove { .. } => {}
            Event::Root(moves) => print_root(&position, &moves, is_json)?,
            Event::Done { best, .. } => {
                let name = best.map_or_else(|| "none".to_owned(), |best| position.san(best));
                let text = format!("best move: {name}");
                print_line(&if is_json { json!({ "best": name }).to_string() } else { text })?;
                break;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints the root moves of a tree search.
fn print_root(position: &Position, moves: &[TreeMoveInfo], is_json: bool) -> Result<(), Failure> {
    if is_json {
        let row = |info: &TreeMoveInfo| {
            json!({
                "move": position.san(info.mv),
                "visits": info.visits,
                "prior": f64::from(info.prior) / 1e4,
                "value": info.value.map(|value| f64::from(value) / 1e4),
                "wdl": info.wdl,
                "bounds": info.bounds,
            })
        };
        return print_line(&json!({ "root": moves.iter().map(row).collect::<Vec<_>>() }).to_string());
    }
    print_line(&format!(
        "\n{:<8} {:>9} {:>7} {:>8} {:>16}  bounds",
        "move", "visits", "prior", "value", "win draw loss"
    ))?;
    for info in moves {
        let [win, draw, loss] = info.wdl.map(|permille| format!("{:.0}%", f64::from(permille) / 10.0));
        let value = info.value.map_or_else(String::new, |value| format!("{:+.4}", f64::from(value) / 1e4));
        print_line(&format!(
            "{:<8} {:>9} {:>6.2}% {:>8} {:>16}  {}",
            position.san(info.mv),
            info.visits,
            f64::from(info.prior) / 100.0,
            value,
            format!("{win} {draw} {loss}"),
            bounds_text(info.bounds),
        ))?;
    }
    print_line("")
}

/// The proven bounds of a move in words.
fn bounds_text(bounds: [i8; 2]) -> &'static str {
    match bounds {
        [1, 1] => "won",
        [0, 0] => "drawn",
        [-1, -1] => "lost",
        [0, 1] => "at least a draw",
        [-1, 0] => "at most a draw",
        _ => "",
    }
}

fn as_text(position: &Position, line: &LineInfo, progress: &Progress) -> String {
    let bound = match line.bound {
        Bound::Exact => "",
        Bound::Lower => ">=",
        Bound::Upper => "<=",
    };
    let [win, draw, loss] = line.wdl.map(|thousandths| format!("{:.0}%", f64::from(thousandths) / 10.0));
    format!(
        "{:>5} {:>8} {:>16} {:>12} {:>6.1}s  {}",
        line.depth,
        format!("{bound}{}", line.score),
        format!("{win} {draw} {loss}"),
        progress.nodes,
        progress.time.as_secs_f64(),
        to_san(position, &line.pv),
    )
}

fn as_json(position: &Position, line: &LineInfo, progress: &Progress) -> serde_json::Value {
    json!({
        "depth": line.depth,
        "seldepth": line.seldepth,
        "multipv": line.multipv,
        "score": line.score.to_string(),
        "bound": line.bound,
        "wdl": line.wdl,
        "nodes": progress.nodes,
        "seconds": progress.time.as_secs_f64(),
        "line": to_san(position, &line.pv),
    })
}
