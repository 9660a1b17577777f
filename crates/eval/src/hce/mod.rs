//! The classical evaluation: terms a person can name, each with its weights, over one picture of the attacks.
//!
//! It knows nothing of search. The files, each using only those before it: [`tapered`], [`declare`], [`weights`],
//! [`mod@trace`], `geometry`, [`base`], [`pawns`], `context`, then the terms (`balance`, `pieces`, `king`, `passed`,
//! `threats`), [`kpk`], [`endgame`], [`whole`], and its two users: [`classical`] for play, [`report`] for people.

mod balance;
pub mod base;
pub mod classical;
mod context;
pub mod declare;
pub mod endgame;
mod geometry;
pub mod king;
pub mod kpk;
mod passed;
pub mod pawns;
mod pieces;
pub mod report;
pub mod tapered;
mod threats;
pub mod trace;
pub mod weights;
pub mod whole;

pub use classical::Classical;
pub use declare::{Group, GroupInfo, Term, WeightIndex};
pub use endgame::Ending;
pub use report::{EvalTrace, trace};
pub use tapered::Tapered;
pub use trace::{Ledger, Trace};
pub use whole::{Summary, judge};
