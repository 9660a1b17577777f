//! Memory for the table: one of the two rooms with unsafe code.

#![allow(unsafe_code)]

use std::thread;

use crate::table::Cluster;

/// A vector of `count` empty clusters, written by `threads` threads, so that pages lie near the cores that use them;
/// none if the system refuses. The system is advised to use huge pages where it has them.
pub(crate) fn zeroed_clusters(count: usize, threads: usize) -> Option<Vec<Cluster>> {
    let mut clusters: Vec<Cluster> = Vec::new();
    clusters.try_reserve_exact(count).ok()?;
    let room = &mut clusters.spare_capacity_mut()[..count];
    advise_huge_pages(room.as_mut_ptr().cast(), size_of_val(room));
    let share = count.div_ceil(threads.max(1));
    thread::scope(|scope| {
        for part in room.chunks_mut(share) {
            scope.spawn(move || {
                for cluster in part {
                    cluster.write(Cluster::default());
                }
            });
        }
    });
    // SAFETY: the capacity is at least `count`, and the threads, which have ended, have written every one of the first
    // `count` clusters.
    unsafe { clusters.set_len(count) };
    Some(clusters)
}

#[cfg(target_os = "linux")]
fn advise_huge_pages(start: *mut u8, bytes: usize) {
    unsafe extern "C" {
        fn madvise(address: *mut u8, length: usize, advice: i32) -> i32;
    }
    const MADV_HUGEPAGE: i32 = 14;
    const PAGE: usize = 4096;
    let skipped = start.align_offset(PAGE);
    if bytes > skipped {
        // SAFETY: the range lies inside one allocation, begins at a page, and the advice changes no content. Whether it is
        // followed does not matter.
        let _ = unsafe { madvise(start.add(skipped), bytes - skipped, MADV_HUGEPAGE) };
    }
}

#[cfg(not(target_os = "linux"))]
fn advise_huge_pages(_start: *mut u8, _bytes: usize) {}

/// Asks the processor to fetch a cluster into its caches.
#[inline]
pub(crate) fn prefetch(cluster: &Cluster) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: prefetching reads nothing that the program sees, and the address is that of a live reference.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(cluster).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = cluster;
}
