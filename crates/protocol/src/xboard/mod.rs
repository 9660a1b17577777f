//! The protocol of XBoard and WinBoard: CECP, version 2.
//!
//! The engine conducts the game: it receives the opponent's moves and keeps whose turn it is. From below: `edit_mode` (the
//! old way to set up a position), `features` (what the engine supports), `decode`, `encode`, `codec`.

mod codec;
mod decode;
mod edit_mode;
mod encode;
mod features;

pub use codec::Xboard;
