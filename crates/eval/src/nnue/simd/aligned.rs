//! Aligned storage for rows of weights and activations.

/// The 16-bit numbers of a row, beginning on a cache line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub struct AlignedRow<const WIDTH: usize>(pub [i16; WIDTH]);

/// Bytes, signed or not, beginning on a cache line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub struct AlignedBytes<T, const WIDTH: usize>(pub [T; WIDTH]);

/// The widest hidden layer.
pub const HIDDEN_MAX: usize = 64;
/// Neurons of a tile.
pub const GROUP: usize = 16;
/// Inputs of a tile of bytes: where all four are zero the tile is not read.
pub const BLOCK: usize = 4;
/// Inputs of a tile of 16-bit numbers.
pub const PAIR: usize = 2;

/// The weights of a block of inputs for a group of neurons, neuron by neuron: one cache line.
pub type BlockTile = AlignedBytes<i8, { GROUP * BLOCK }>;
/// The weights of a pair of inputs for a group of neurons, neuron by neuron: one cache line.
pub type PairTile = AlignedRow<{ GROUP * PAIR }>;
/// The activations of a hidden layer, with room for the widest.
pub type HiddenRow = AlignedRow<HIDDEN_MAX>;
