//! Where a game is seen: what the terminal can show, and from which side.

use std::env;
use std::io::{self, IsTerminal};

use rukh_chess::Color;
use terminal_size::{Width, terminal_size};

use super::board::Style;
use crate::finish::Failure;
use crate::output::print;

/// What can be shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct Screen {
    has_colours: bool,
    /// A line can be written over.
    pub(super) is_live: bool,
    /// The side that sits at the bottom.
    pub(super) bottom: Color,
}

impl Screen {
    /// Standard output as it is, with letters if the person prefers them.
    pub(super) fn new(is_ascii: bool, bottom: Color) -> Self {
        let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
        let is_live = io::stdout().is_terminal() && !is_dumb;
        Self { has_colours: is_live && !is_ascii && !is_set("NO_COLOR") && has_figures(), is_live, bottom }
    }

    /// How wide it is now: a window may have changed its size.
    pub(super) fn columns(self) -> usize {
        const USUAL: usize = 80;
        terminal_size().map_or(USUAL, |(Width(columns), _)| usize::from(columns))
    }

    /// How a board is drawn now.
    pub(super) fn style(self) -> Style {
        match self.has_colours {
            true => Style::Colour,
            false if self.columns() < Style::Ascii.width() => Style::Narrow,
            false => Style::Ascii,
        }
    }

    /// Shows what is going on, until [`Self::clear_status`].
    pub(super) fn status(self, text: &str) -> Result<(), Failure> {
        // A longer one would not fit on the line that is cleared.
        let shown: String = text.chars().take(self.columns().saturating_sub(1)).collect();
        if self.is_live { print(&shown) } else { Ok(()) }
    }

    /// Takes away what was shown last.
    pub(super) fn clear_status(self) -> Result<(), Failure> {
        if self.is_live { print("\r\x1b[K") } else { Ok(()) }
    }
}

/// Whether the language of the terminal has more than the letters of ASCII; only one that says otherwise has not.
fn has_figures() -> bool {
    let mut settings = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(env::var_os);
    let language = settings.find(|value| !value.is_empty());
    language.is_none_or(|language| !["C", "POSIX"].iter().any(|plain| language == *plain))
}
