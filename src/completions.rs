//! `rukh completions`: completion scripts for shells.

use std::process::ExitCode;

use clap_complete::{Shell, generate};

use crate::finish::Finish;
use crate::output::print;

/// Print a completion script for a shell
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The shell
    shell: Shell,
}

const EXAMPLES: &str = "\
`make install` installs the scripts for bash, zsh and fish.

Examples:
  rukh completions bash > ~/.local/share/bash-completion/completions/rukh
  rukh completions zsh > ~/.zfunc/_rukh
  rukh completions fish > ~/.config/fish/completions/rukh.fish";

/// Runs the subcommand; `command` describes the whole program.
pub(crate) fn run(args: &Args, command: &mut clap::Command) -> Finish {
    let mut script = Vec::new();
    generate(args.shell, command, "rukh", &mut script);
    print(&String::from_utf8(script).expect("a script is text"))?;
    Ok(ExitCode::SUCCESS)
}
