//! `rukh completions`: lets a shell finish what is half typed.

use std::process::ExitCode;

use clap_complete::{Shell, generate};

use crate::finish::Finish;
use crate::output::print;

/// Print a script that lets a shell complete commands and options of rukh
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The shell
    shell: Shell,
}

const EXAMPLES: &str = "\
`make install` puts those of bash, zsh and fish where the shells look for them.

Examples:
  rukh completions bash > ~/.local/share/bash-completion/completions/rukh
  rukh completions zsh > ~/.zfunc/_rukh
  rukh completions fish > ~/.config/fish/completions/rukh.fish";

/// Runs the command; `command` is that of the whole program.
pub(crate) fn run(args: &Args, command: &mut clap::Command) -> Finish {
    let mut script = Vec::new();
    generate(args.shell, command, "rukh", &mut script);
    print(&String::from_utf8(script).expect("a script is text"))?;
    Ok(ExitCode::SUCCESS)
}
