//! Teaching versions: textbook searches, a mailbox move generator and UCT, each in a few lines.
//!
//! The engine uses none of them. They introduce the real code, and the tests check them against it.

pub mod mailbox;
pub mod searches;
pub mod uct;

pub use searches::{Counted, Order, alpha_beta, minimax, negamax, principal_variation};
