//! Teaching versions: textbook searches, quiescence, parallel search, a mailbox move generator, UCT, an evaluation that can
//! leave out a term, and short games that compare them, each in a few lines.
//!
//! The engine uses none of them. They introduce the real code, and the tests check them against it.

pub mod games;
pub mod mailbox;
pub mod parallel;
pub mod quiescence;
pub mod searches;
pub mod smp;
pub mod terms;
pub mod uct;

pub use searches::{Counted, Order, alpha_beta, minimax, negamax, principal_variation};
