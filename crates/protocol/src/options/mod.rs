//! Engine options, each declared once: name, meaning, kind, range, setter.
//!
//! The option list of a protocol, the validation of a value and the change itself all come from the declaration. How a
//! protocol writes the list is unknown here. From below: `target` (what an option can change), `declaration`, `list`
//! (all options), `change` (a validated value).

mod change;
mod declaration;
mod list;
mod target;

pub use change::OptionChange;
pub use declaration::{Declaration, OptionKind, Setter};
pub use target::OptionTarget;
pub(crate) use target::Preferences;
