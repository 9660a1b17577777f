//! What is summed up.

use super::super::arch::{HIDDEN, PRODUCTS, SECOND};

/// The first layer of one view, on a line of the cache of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub struct Lane(pub [i16; HIDDEN]);

impl Lane {
    /// All zero.
    pub const ZERO: Self = Self([0; HIDDEN]);
}

impl Default for Lane {
    fn default() -> Self {
        Self::ZERO
    }
}

/// The products of both views, the side to move first.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub struct Products(pub [[u8; PRODUCTS]; 2]);

/// What goes through a register at once: for each number of the second layer the weights of four products.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub struct Group(pub [[i8; 4]; SECOND]);

/// Groups of the second layer.
pub const GROUPS: usize = 2 * PRODUCTS / 4;

/// The greatest weight of the second layer, in either direction.
pub const WEIGHT_MAX: i16 = 127;
