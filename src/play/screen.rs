//! The terminal: its colours, its width, and a status line.

use std::env;
use std::io::{self, IsTerminal};

use rukh_chess::Color;
use terminal_size::{Width, terminal_size};

use super::board::Style;
use crate::finish::Failure;
use crate::output::print;

/// What the terminal can show, and the orientation of the board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Screen {
    has_colours: bool,
    /// Whether a line can be overwritten.
    pub(super) is_live: bool,
    /// The side at the bottom of the board.
    pub(super) bottom: Color,
}

impl Screen {
    /// Detects what standard output can show; `is_ascii` asks for letters without colours.
    pub(super) fn new(is_ascii: bool, bottom: Color) -> Self {
        let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
        let is_live = io::stdout().is_terminal() && !is_dumb;
        Self { has_colours: is_live && !is_ascii && !is_set("NO_COLOR") && has_unicode(), is_live, bottom }
    }

    /// The present width: a window may change its size.
    pub(super) fn columns(self) -> usize {
        const DEFAULT: usize = 80;
        terminal_size().map_or(DEFAULT, |(Width(columns), _)| usize::from(columns))
    }

    /// The drawing style for the present width.
    pub(super) fn style(self) -> Style {
        match self.has_colours {
            true => Style::Colour,
            false if self.columns() < Style::Ascii.width() => Style::Narrow,
            false => Style::Ascii,
        }
    }

    /// Shows a status line, until [`Self::clear_status`].
    pub(super) fn status(self, text: &str) -> Result<(), Failure> {
        // Only one line is cleared later.
        let shown: String = text.chars().take(self.columns().saturating_sub(1)).collect();
        if self.is_live { print(&shown) } else { Ok(()) }
    }

    /// Removes the status line.
    pub(super) fn clear_status(self) -> Result<(), Failure> {
        if self.is_live { print("\r\x1b[K") } else { Ok(()) }
    }
}

/// Whether the locale has more than ASCII. An unset locale is taken to be Unicode.
fn has_unicode() -> bool {
    let mut settings = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(env::var_os);
    let language = settings.find(|value| !value.is_empty());
    language.is_none_or(|language| !["C", "POSIX"].iter().any(|plain| language == *plain))
}
