//! The rules of chess and Chess960: positions, legal moves, notations, games, perft.
//!
//! Input is checked at the border: text becomes a [`setup::Setup`], which may be anything, and that becomes a
//! [`Position`], which is always valid. TreeSample, positions are trusted.
//!
//! ```
//! use rukh_chess::{Position, game::Game};
//!
//! let mut game = Game::default();
//! for text in ["f3", "e5", "g4", "Qh4#"] {
//!     let mv = game.position().parse_san(text)?;
//!     game.play(mv)?;
//! }
//! let ending = game.ending().expect("this is mate");
//! assert_eq!(ending.to_string(), "Black wins by checkmate");
//!
//! let endgame: Position = "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1".parse()?;
//! assert!(endgame.ending().is_some_and(|ending| ending.to_string().contains("stalemate")));
//!
//! let error = "8/8/8/8/8/4k3/4p3/8 w - - 0 1".parse::<Position>().expect_err("there is one king");
//! assert_eq!(error.to_string(), "White has no king");
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! The modules, each using only those before it: [`random`], [`types`], [`attacks`], [`position`], [`movegen`],
//! [`setup`], [`history`], [`game`], [`notation`], [`perft`].

#![no_std]
#![forbid(unsafe_code)]
// The attack tables are built by the compiler, which takes it two seconds.
#![allow(long_running_const_eval)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

pub mod attacks;
pub mod game;
pub mod history;
pub mod movegen;
pub mod notation;
pub mod perft;
pub mod position;
pub mod random;
pub mod setup;
pub mod types;

pub use position::Position;
pub use setup::Setup;
pub use types::{Bitboard, Color, Move, MoveKind, Piece, Square};
