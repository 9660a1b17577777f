//! `rukh workshop`: many candidates of one engine at once, on all cores, within a budget of time.

mod contestants;
mod report;
mod screen;
mod session;
mod speed;
mod sprt;

use crate::finish::Finish;

/// Test many candidates at once within a budget of time, by an SPRT each or by a screening design; compare their speed
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    task: Task,
}

const EXAMPLES: &str = "\
Examples:
  rukh workshop sprt --candidate name=new,cmd=./new --candidate name=keen,option.Contempt=20 --nodes 8000 --minutes 10
  rukh workshop screen --switch Techniques=razoring,probcut,countermove --nodes 8000 --minutes 10 --state screen.state
  rukh workshop speed --base cmd=./old --candidate cmd=./new";

#[derive(clap::Subcommand)]
enum Task {
    Sprt(sprt::Args),
    Screen(screen::Args),
    Speed(speed::Args),
}

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> Finish {
    match &args.task {
        Task::Sprt(args) => sprt::run(args),
        Task::Screen(args) => screen::run(args),
        Task::Speed(args) => speed::run(args),
    }
}
