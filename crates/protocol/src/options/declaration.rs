//! What can be set: its name, what values it takes, and what they do.

use super::target::Target;

/// One thing that can be set.
#[derive(Clone, Copy, Debug)]
pub struct Declaration {
    /// Its name. Case does not matter when it is looked up.
    pub name: &'static str,
    /// Another name that some programs use for it.
    pub alias: Option<&'static str>,
    /// What values it takes and what they do.
    pub kind: Kind,
    /// Whether the engine must be at rest. If it is not, the change is kept until its search has ended: a
    /// search is never stopped by an option, as the one who started it does not expect a move before its
    /// time.
    pub needs_rest: bool,
}

/// What values an option takes, and what is done with them.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A whole number in a range. All ranges fit in 32 bits, because other programs read them so.
    Spin {
        /// The value at the beginning.
        default: i32,
        /// The least.
        min: i32,
        /// The greatest.
        max: i32,
        /// Sets it, or says why that is not possible.
        apply: Setter,
    },
    /// Yes or no.
    Check {
        /// The value at the beginning.
        default: bool,
        /// Sets it.
        apply: fn(&mut Target<'_>, bool),
    },
    /// One of a few words.
    Choice {
        /// The words, of which the first is the value at the beginning.
        words: &'static [&'static str],
        /// Sets the word of this number.
        apply: fn(&mut Target<'_>, usize),
    },
    /// Any text; empty at the beginning.
    Text {
        /// Sets it, or says why that is not possible.
        apply: fn(&mut Target<'_>, &str) -> Result<(), String>,
    },
    /// Something to be done.
    Button {
        /// Does it.
        apply: fn(&mut Target<'_>),
    },
}

/// How a number is set.
#[derive(Clone, Copy, Debug)]
pub enum Setter {
    /// Somewhere in the session or its engine.
    There(fn(&mut Target<'_>, i32) -> Result<(), String>),
    /// For all engines: a tunable of the search.
    Everywhere(fn(i32)),
}
