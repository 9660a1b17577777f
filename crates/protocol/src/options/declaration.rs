//! Option declarations: the name, the meaning, the values and the setter of an option.

use super::target::OptionTarget;

/// The declaration of an option.
#[derive(Clone, Copy, Debug)]
pub struct Declaration {
    /// The name. Lookup ignores case.
    pub name: &'static str,
    /// The meaning in one sentence, for the documentation.
    pub meaning: &'static str,
    /// Another name that some GUIs use.
    pub alias: Option<&'static str>,
    /// The values and the setter.
    pub kind: OptionKind,
    /// Whether the engine must be idle. During a search the change is postponed to its end: an option never stops a
    /// search, because the GUI does not expect a best move then.
    pub needs_idle_engine: bool,
}

/// The kind of an option: its values and its setter.
#[derive(Clone, Copy, Debug)]
pub enum OptionKind {
    /// An integer in a range. All ranges fit in 32 bits, because GUIs read them so.
    Spin {
        /// The default value.
        default: i32,
        /// The minimum.
        min: i32,
        /// The maximum.
        max: i32,
        /// Sets the value.
        apply: Setter,
    },
    /// A boolean.
    Check {
        /// The default value.
        default: bool,
        /// Sets the value.
        apply: fn(&mut OptionTarget<'_>, bool),
    },
    /// One of several words.
    Combo {
        /// The words; the first is the default.
        values: &'static [&'static str],
        /// Sets the word of this index.
        apply: fn(&mut OptionTarget<'_>, usize),
    },
    /// Any text; the default is empty.
    String {
        /// Sets the text, or returns the reason why it cannot.
        apply: fn(&mut OptionTarget<'_>, &str) -> Result<(), String>,
    },
    /// An action.
    Button {
        /// Executes it.
        apply: fn(&mut OptionTarget<'_>),
    },
}

/// How an integer option is set.
#[derive(Clone, Copy, Debug)]
pub enum Setter {
    /// In the session or its engine. An error is the reason why it cannot be set.
    Session(fn(&mut OptionTarget<'_>, i32) -> Result<(), String>),
    /// For all engines of the process: a tunable of the search.
    Global(fn(i32)),
}
