//! Histories: move ordering statistics learnt during the search. One update rule ([`gravity::Gravity`]) for all tables.
//!
//! Quiet moves: butterfly, continuation and pawn history, and countermoves. Captures: capture history. Static evaluation:
//! correction history. Each thread has its own.

mod context;
mod correction;
mod gravity;
mod piece_to;
mod tables;

pub(crate) use context::{Context, ContinuationContext, Threats};
pub(crate) use piece_to::PieceTo;
pub(crate) use tables::{Histories, PriorQuietMove, QuietHistories};
