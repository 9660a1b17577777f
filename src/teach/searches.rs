//! Minimax, alpha-beta and principal variation search: leaves at equal depth in one table.

use std::process::ExitCode;

use rukh_engine::teaching::{Counted, Order, alpha_beta, negamax, principal_variation};
use rukh_eval::{Material, Score};

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
}

const EXAMPLES: &str = "\
The evaluation is a count of material. All searches find the same value.

Examples:
  rukh teach searches
  rukh teach searches --depth 4 --fen startpos";

const WIDE: (Score, Score) = (Score::MIN, Score::MAX);

pub(super) fn run(args: &Args) -> Finish {
    let position = position(&args.fen)?;
    print_line("depth  value        minimax     alpha-beta     ... ordered   PVS, ordered")?;
    for depth in 1..=args.depth {
        let mut all = Counted::<Material>::default();
        let value = negamax(&position, 0, depth, &mut all);
        let mut row = vec![all.count];
        for order in [Order::Generated, Order::CapturesFirst] {
            let mut leaves = Counted::<Material>::default();
            let found = alpha_beta(&position, 0, depth, WIDE, order, &mut leaves);
            assert_eq!(found, value, "alpha-beta finds the value of minimax");
            row.push(leaves.count);
        }
        let mut leaves = Counted::<Material>::default();
        let found = principal_variation(&position, 0, depth, WIDE, Order::CapturesFirst, &mut leaves);
        assert_eq!(found, value, "principal variation search finds the value of minimax");
        row.push(leaves.count);
        let counts: Vec<_> = row.iter().map(|count| format!("{count:>12}")).collect();
        let value = value.value();
        print_line(&format!("{depth:>5} {value:>6}   {}", counts.join("   ")))?;
    }
    Ok(ExitCode::SUCCESS)
}
