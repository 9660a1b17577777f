//! Chess knowledge that holds for every evaluation: known endgames, endgame scaling, fifty-move damping.
//!
//! It knows neither the classical evaluation nor the network; both use it. The files, each using only those before it:
//! [`fifty_moves`], [`kpk`], `endgame`, [`scale`].

pub(crate) mod endgame;
pub mod fifty_moves;
pub mod kpk;
pub mod scale;

pub use endgame::KnownEndgame;
