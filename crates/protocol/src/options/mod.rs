//! Everything that can be set, each declared once: name, kind, range, and what setting it does.
//!
//! The list a protocol shows, the check of a value and the change itself are all made from the declaration. How a protocol
//! writes the list is unknown here. From below: `target` (what an option can reach, and what is done there), `declaration`,
//! `list` (all of them), `change` (a value that fits).

mod change;
mod declaration;
mod list;
mod meaning;
mod target;

pub use change::Change;
pub use declaration::{Declaration, Kind, Setter};
pub use target::{Preferences, Target};
