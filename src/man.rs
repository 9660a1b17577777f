//! `rukh man`: manual pages, generated from the help texts.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use crate::finish::Finish;
use crate::output::{NewFile, print, print_line};

/// Print the manual page of rukh, or write the pages of all subcommands
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Write a page for rukh and one for each subcommand into this folder
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

const EXAMPLES: &str = "\
`make install` installs the pages where `man` finds them.

Examples:
  rukh man | man -l -
  rukh man --out ~/.local/share/man/man1";

/// Runs the subcommand; `command` describes the whole program.
pub(crate) fn run(args: &Args, command: clap::Command) -> Finish {
    // The subcommand `help` needs no page.
    let mut command = command.disable_help_subcommand(true);
    command.build();
    let Some(folder) = &args.out else {
        print(&page(command)?)?;
        return Ok(ExitCode::SUCCESS);
    };
    fs::create_dir_all(folder).map_err(|error| format!("cannot create {}: {error}", folder.display()))?;
    let commands = with_subcommands(&command);
    for command in &commands {
        let name = format!("{}.1", command.get_display_name().unwrap_or_else(|| command.get_name()));
        NewFile::replace(&folder.join(name), &page((*command).clone())?)?;
    }
    print_line(&format!("{} pages in {}", commands.len(), folder.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// A command and all its subcommands.
fn with_subcommands(command: &clap::Command) -> Vec<&clap::Command> {
    let below = command.get_subcommands().flat_map(with_subcommands);
    std::iter::once(command).chain(below).collect()
}

/// The page of a command.
fn page(command: clap::Command) -> Result<String, String> {
    let closing = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let has_subcommands = command.has_subcommands();
    let man = Man::new(command).source(concat!("rukh ", env!("CARGO_PKG_VERSION"))).manual("Rukh");
    let mut bytes = Vec::new();
    let mut render = || -> io::Result<()> {
        man.render_title(&mut bytes)?;
        man.render_name_section(&mut bytes)?;
        man.render_synopsis_section(&mut bytes)?;
        man.render_description_section(&mut bytes)?;
        man.render_options_section(&mut bytes)?;
        if has_subcommands {
            man.render_subcommands_section(&mut bytes)?;
        }
        Ok(())
    };
    render().map_err(|error| format!("the manual page cannot be made: {error}"))?;
    let page = String::from_utf8(bytes).expect("a page is text");
    Ok(page + &closing_sections(&closing))
}

/// The text after the options: notes are filled, examples and other indented lines are kept as they are.
fn closing_sections(text: &str) -> String {
    let mut roff = Roff::new();
    let (mut has_heading, mut is_verbatim) = (false, false);
    for line in text.lines() {
        let is_indented = line.starts_with(' ');
        if is_indented != is_verbatim {
            roff.control(if is_indented { "nf" } else { "fi" }, []);
            is_verbatim = is_indented;
        }
        match line {
            "Examples:" => {
                roff.control("SH", ["EXAMPLES"]);
            }
            "" => {
                roff.control("PP", []);
            }
            line => {
                if !has_heading {
                    roff.control("SH", ["NOTES"]);
                }
                roff.text([roman(line)]);
            }
        }
        has_heading = true;
    }
    if is_verbatim {
        roff.control("fi", []);
    }
    roff.to_roff()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_filled_and_examples_are_verbatim() {
        let text = "A note\nof two lines.\n\nExamples:\n  rukh one\n  rukh two   with words";
        let expected = ".SH NOTES\nA note\nof two lines.\n.PP\n.SH EXAMPLES\n.nf\n  rukh one\n  rukh two   with words\n.fi\n";
        assert_eq!(closing_sections(text), expected);
        assert_eq!(closing_sections("Examples:\n  rukh"), ".SH EXAMPLES\n.nf\n  rukh\n.fi\n");
        assert_eq!(closing_sections(""), "");
    }
}
