//! The classical evaluation (HCE, hand-crafted evaluation): a tapered sum of named terms with tuned weights.
//!
//! It knows nothing of search. The files, each using only those before it: [`tapered`], [`declare`], [`weights`],
//! [`mod@trace`], [`psqt`], `pawns`, `context`, then the terms (`balance`, `pieces`, `king`, `passed`, `threats`),
//! [`mod@evaluate`], and its two users: `classical` for search, `report` for people.

mod balance;
mod classical;
mod context;
pub mod declare;
pub mod evaluate;
pub mod king;
mod passed;
mod pawns;
mod pieces;
pub mod psqt;
mod report;
pub mod tapered;
mod threats;
pub mod trace;
pub mod weights;

pub use classical::Classical;
pub use declare::{Group, GroupInfo, Term, WeightIndex};
pub use evaluate::{Summary, evaluate};
pub use report::{EvalTrace, trace};
pub use tapered::Tapered;
pub use trace::{Ledger, Trace};
