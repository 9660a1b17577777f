//! Minimax, alpha-beta and principal variation search: leaves at equal depth in one table.

use std::process::ExitCode;

use rukh_chess::Position;
use rukh_engine::teaching::quiescence::Quiesced;
use rukh_engine::teaching::{Counted, Order, alpha_beta, negamax, principal_variation};
use rukh_eval::{Evaluator, Material, Score};
use serde_json::json;

use super::middlegame::MIDDLEGAME;
use crate::finish::Finish;
use crate::output::print_line;
use crate::start::position;

/// Count the leaves that textbook searches visit to the same depth
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The position, as FEN
    #[arg(long, default_value = MIDDLEGAME)]
    fen: String,

    /// Greatest depth in plies
    #[arg(long, default_value = "3", value_parser = clap::value_parser!(u32).range(1..=6))]
    depth: u32,

    /// Evaluate leaves by a quiescence search
    #[arg(long)]
    quiescence: bool,

    /// Print a JSON object for each row
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
The evaluation is a count of material. All searches find the same value.

Examples:
  rukh teach searches
  rukh teach searches --depth 4 --fen startpos
  rukh teach searches --quiescence --fen \"4k3/8/2p5/3p4/8/3Q4/8/4K3 w - - 0 1\"
  rukh teach searches --json";

const WIDE: (Score, Score) = (Score::MIN, Score::MAX);

pub(super) fn run(args: &Args) -> Finish {
    let position = position(&args.fen)?;
    if !args.json {
        print_line("depth  value        minimax     alpha-beta     ... ordered   PVS, ordered")?;
    }
    for depth in 1..=args.depth {
        let row = match args.quiescence {
            true => row(&position, depth, Quiesced::<Material>::default),
            false => row(&position, depth, Material::default),
        };
        print_line(&if args.json { row.json() } else { row.text() })?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The value at a depth and the leaves of each search.
struct Row {
    depth: u32,
    value: Score,
    minimax: u64,
    alpha_beta: u64,
    ordered: u64,
    principal_variation: u64,
}

/// Searches with all algorithms.
fn row<E: Evaluator>(position: &Position, depth: u32, evaluator: fn() -> E) -> Row {
    let counted = || Counted { evaluator: evaluator(), count: 0 };
    let mut all = counted();
    let value = negamax(position, 0, depth, &mut all);
    let leaves = |order: Order| {
        let mut leaves = counted();
        let found = alpha_beta(position, 0, depth, WIDE, order, &mut leaves);
        assert_eq!(found, value, "alpha-beta finds the value of minimax");
        leaves.count
    };
    let mut variation = counted();
    let found = principal_variation(position, 0, depth, WIDE, Order::CapturesFirst, &mut variation);
    assert_eq!(found, value, "principal variation search finds the value of minimax");
    Row {
        depth,
        value,
        minimax: all.count,
        alpha_beta: leaves(Order::Generated),
        ordered: leaves(Order::CapturesFirst),
        principal_variation: variation.count,
    }
}

impl Row {
    fn text(&self) -> String {
        let counts = [self.minimax, self.alpha_beta, self.ordered, self.principal_variation];
        let counts: Vec<_> = counts.iter().map(|count| format!("{count:>12}")).collect();
        format!("{:>5} {:>6}   {}", self.depth, self.value.value(), counts.join("   "))
    }

    fn json(&self) -> String {
        json!({
            "depth": self.depth,
            "value": self.value.value(),
            "leaves": {
                "minimax": self.minimax,
                "alpha-beta": self.alpha_beta,
                "alpha-beta ordered": self.ordered,
                "principal variation search ordered": self.principal_variation,
            },
        })
        .to_string()
    }
}
