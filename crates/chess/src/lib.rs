#![doc = include_str!("../README.md")]
//!
//! # From text to positions
//!
//! Text becomes a [`Setup`], which may contradict itself. [`Setup::validate`] turns it into a [`Position`], which is
//! always legal, or reports every fault in words. All other code relies on valid positions and checks nothing again.
//!
//! # Modules
//!
//! Each module uses only those above it.
//!
//! | module | contents |
//! |---|---|
//! | [`random`] | the pseudorandom number generator SplitMix64 |
//! | [`types`] | colours, pieces, squares, bitboards, moves, castling rights |
//! | [`attacks`] | attack tables: leapers, magic bitboards for sliders, lines between squares |
//! | [`position`] | positions: state, Zobrist keys, checkers and pins, make, static exchange evaluation |
//! | [`movegen`] | legal moves: all, noisy or quiet; the legality test of a single move |
//! | [`setup`] | positions that need not be legal, and their validation |
//! | [`history`] | Zobrist keys of earlier positions, for repetitions |
//! | [`game`] | games: positions, moves, results |
//! | [`notation`] | FEN, EPD, SAN, UCI moves and PGN |
//! | [`perft`] | counts of move sequences, the test of a move generator |

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
