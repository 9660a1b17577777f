//! Labels: single positions with the result of a deep search, in a dense file that can be appended to.
//!
//! All numbers are little-endian. Checksums are 64-bit FNV-1a. A file is a header and any number of blocks.
//!
//! Header: the magic `RUKH rkl`, the version (u32), the length of the manifest (u32), the manifest (JSON), the checksum of all
//! before it. The manifest says how the labels were made; it never changes.
//!
//! Block: a head of 24 bytes (length of the payload u32, number of records u32, number of the source u32, number of games
//! processed u32, number of the next game of that source u64), the checksum of the head, the payload, the checksum of the
//! payload. A block is written at once. What a kill or a full disk leaves of the last one is removed by the next
//! [`LabelWriter`]; anything else that does not fit is damage and refused.
//!
//! Record (about 32 bytes): the occupied squares (u64), four bits for each piece on them from a1 on (0 to 5 pawn to king, 6 a
//! rook that may castle, 8 added for Black; the low half first), the side to move in the highest bit and the en-passant
//! square below it (64 for none), the halfmove clock (u8), the fullmove number (LEB128), kind and outcome and whether there
//! is a second move (one byte), the score (i16), probabilities to win and to lose in 255ths (two bytes), the best move (u16),
//! and if there is one the second best move (u16) with its score (i16). Scores, win and loss are those of the side to move,
//! in the engine's internal units. Moves are those of [`rukh_chess::Move::bits`].
//!
//! Nothing is searched here; [`crate::rescore`] makes the labels.

mod error;
mod layout;
mod manifest;
mod position;
mod raw;
mod reader;
mod record;
mod writer;

pub use crate::labelled::SampleKind;
pub use error::LabelError;
pub use layout::Block;
pub use manifest::{Manifest, Source};
pub use position::LabelRecord;
pub use raw::raw_record;
pub use reader::LabelReader;
pub use writer::{LabelWriter, Written};
