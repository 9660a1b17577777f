//! `rukh data architecture`: the architecture of the network, for trainers.

use std::process::ExitCode;

use rukh_eval::nnue::{Current, NetworkKind};
use rukh_lab::architecture::described;

use crate::finish::Finish;
use crate::output::print_line;

/// Print the architecture that this program is built with as JSON, for scripts/pupil
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {}

const EXAMPLES: &str = "\
Layers are listed from below: neurons, inputs of each, activation, and how weights and biases are stored. The integer `one`
stands for 1, no magnitude is greater than `max`. The hash is in the header of each network file of this architecture.

Examples:
  rukh data architecture > architecture.json";

/// Runs the command.
pub(super) fn run() -> Finish {
    print_line(&format!("{:#}", described(&Current::ARCHITECTURE)))?;
    Ok(ExitCode::SUCCESS)
}
