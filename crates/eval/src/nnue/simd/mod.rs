//! SIMD kernels: the vector arithmetic of the network, one file for each instruction family.
//!
//! Every family gives the same results to the bit; a test compares all families that the machine has. The family is
//! chosen at run time, when a network is loaded. This folder is one of the three places with unsafe code. It knows rows of
//! numbers, not chess. The files, each using only those before it: `aligned`, `scalar`, `update`, `avx2`, `avx512`, `neon`,
//! `instructions`, `row`.

#![allow(unsafe_code)]

mod aligned;
mod instructions;
mod row;
mod scalar;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(target_arch = "x86_64")]
mod update;

pub use aligned::{AlignedBytes, AlignedRow, BLOCK, BlockTile, GROUP, HIDDEN_MAX, HiddenRow, PAIR, PairTile};
pub use instructions::Instructions;
pub use row::Row;
pub use scalar::SCRELU_WEIGHT_MAX;
