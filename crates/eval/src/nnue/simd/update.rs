//! The update of an accumulator in written-out vector code: the frame that AVX2 and AVX-512 share.
//!
//! Compilers vectorise the plain loop of `scalar.rs` only where they optimise most.

/// The kernel of [`super::Instructions::update`] for a family of instructions, with what is done with its registers.
macro_rules! vector_update {
    ($features:literal, $zero:ident, $load:ident, $store:ident, $add:ident, $sub:ident) => {
        /// See [`super::Instructions::update`].
        ///
        /// # Safety
        ///
        /// The CPU must have the instructions of this file.
        #[target_feature(enable = $features)]
        pub(super) unsafe fn update<const N: usize>(
            to: &mut AlignedRow<N>,
            from: &AlignedRow<N>,
            added: &[&AlignedRow<N>],
            removed: &[&AlignedRow<N>],
        ) {
            // The numbers of rows of quiet moves and captures are constants in their loops.
            match (added, removed) {
                (&[placed], &[removed]) => update_rows(to, from, &[placed], &[removed]),
                (&[placed], &[removed, taken]) => update_rows(to, from, &[placed], &[removed, taken]),
                _ => update_rows(to, from, added, removed),
            }
        }

        #[target_feature(enable = $features)]
        #[inline]
        fn update_rows<const N: usize>(
            to: &mut AlignedRow<N>,
            from: &AlignedRow<N>,
            added: &[&AlignedRow<N>],
            removed: &[&AlignedRow<N>],
        ) {
            /// So many sums stay in registers while all rows pass.
            const TILE: usize = 8;
            if const { N.is_multiple_of(TILE * LANES) } {
                update_in_tiles::<N, TILE>(to, from, added, removed);
            } else {
                update_in_tiles::<N, 1>(to, from, added, removed);
            }
        }

        #[target_feature(enable = $features)]
        #[inline]
        fn update_in_tiles<const N: usize, const REGISTERS: usize>(
            to: &mut AlignedRow<N>,
            from: &AlignedRow<N>,
            added: &[&AlignedRow<N>],
            removed: &[&AlignedRow<N>],
        ) {
            assert!(N.is_multiple_of(REGISTERS * LANES), "a row is a whole number of tiles");
            for start in (0..N).step_by(REGISTERS * LANES) {
                // SAFETY: a row is aligned to 64 bytes, and the number of the register is that of one within the tile.
                let part = |row: &AlignedRow<N>, register: usize| unsafe {
                    $load(row.0.as_ptr().add(start + register * LANES).cast())
                };
                let mut sums = [$zero(); REGISTERS];
                for (register, sum) in sums.iter_mut().enumerate() {
                    *sum = part(from, register);
                }
                for row in added {
                    for (register, sum) in sums.iter_mut().enumerate() {
                        *sum = $add(*sum, part(row, register));
                    }
                }
                for row in removed {
                    for (register, sum) in sums.iter_mut().enumerate() {
                        *sum = $sub(*sum, part(row, register));
                    }
                }
                for (register, sum) in sums.into_iter().enumerate() {
                    // SAFETY: as above.
                    unsafe { $store(to.0.as_mut_ptr().add(start + register * LANES).cast(), sum) };
                }
            }
        }
    };
}

pub(super) use vector_update;
