//! Memory of the transposition table: allocation, huge pages and prefetch. The only unsafe code of the crate.

#![allow(unsafe_code)]

use crate::threads::share;

/// A vector of `count` default values, initialised by `threads` threads so that pages are placed near the cores that use
/// them (first touch); `None` if the allocation fails. Huge pages are requested where the system has them.
pub(crate) fn defaults<T: Default + Send>(count: usize, threads: usize) -> Option<Vec<T>> {
    let mut values: Vec<T> = Vec::new();
    values.try_reserve_exact(count).ok()?;
    let spare = &mut values.spare_capacity_mut()[..count];
    advise_huge_pages(spare.as_mut_ptr().cast(), size_of_val(spare));
    let parts = spare.chunks_mut(count.div_ceil(threads.max(1)).max(1));
    share(threads, parts, |part| {
        for value in part {
            value.write(T::default());
        }
    });
    // SAFETY: the capacity is at least `count`, and `share` has given every part to a thread, which has written all its
    // values.
    unsafe { values.set_len(count) };
    Some(values)
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
        // SAFETY: the range lies inside one allocation, starts at a page boundary, and the advice changes no content. It does
        // not matter whether the system follows it.
        let _ = unsafe { madvise(start.add(skipped), bytes - skipped, MADV_HUGEPAGE) };
    }
}

#[cfg(not(target_os = "linux"))]
fn advise_huge_pages(_start: *mut u8, _bytes: usize) {}

/// Prefetches a value into the CPU caches.
#[inline]
pub(crate) fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch has no visible effect, and the address is that of a live reference.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}
