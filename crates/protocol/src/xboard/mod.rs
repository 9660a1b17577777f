//! The protocol of XBoard and WinBoard, version 2 (CECP).
//!
//! The engine conducts its game itself: it is told the moves of the other side and knows when it is its turn. From below:
//! `edit` (the old way to set up a position), `features` (what the engine can do), `read`, `write`, `codec`.

mod codec;
mod edit;
mod features;
mod read;
mod write;

pub use codec::Xboard;
