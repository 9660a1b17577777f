//! Late move reduction table: the part of the reduction that depends on depth and move number.

use crate::params::{self, ONE, PLY};

const SIZE: usize = 64;

/// `base + ln(depth) * ln(number) / divisor`, in 1024ths of a ply.
#[derive(Debug)]
pub(super) struct ReductionTable(Box<[[i32; SIZE]; SIZE]>);

impl ReductionTable {
    // ANCHOR: table
    pub(super) fn new() -> Self {
        let mut table = Box::new([[0; SIZE]; SIZE]);
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (number, entry) in row.iter_mut().enumerate().skip(1) {
                let logarithms = (depth as f64).ln() * (number as f64).ln();
                let divisor = f64::from(params::lmr_divisor_weight()) / f64::from(ONE);
                *entry = params::lmr_base_weight() + (logarithms / divisor * f64::from(PLY)) as i32;
            }
        }
        Self(table)
    }
    // ANCHOR_END: table

    #[inline]
    pub(super) fn weight(&self, depth: i32, number: usize) -> i32 {
        self.0[(depth.max(0) as usize).min(SIZE - 1)][number.min(SIZE - 1)]
    }

    /// The reduction in whole plies.
    #[inline]
    pub(super) fn plies(&self, depth: i32, number: usize) -> i32 {
        self.weight(depth, number) / PLY
    }
}
