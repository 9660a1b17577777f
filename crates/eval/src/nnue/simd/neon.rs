//! CPUs of ARM64, which all have NEON.

use super::super::stack::Stack;
use super::lane::Lane;
use super::scalar;

/// See [`super::Instructions::judge`].
///
/// # Safety
///
/// The CPU must have NEON, as all of this architecture do.
#[target_feature(enable = "neon")]
pub unsafe fn judge(own: &Lane, theirs: &Lane, stack: &Stack) -> f32 {
    scalar::judge(own, theirs, stack)
}

/// See [`super::Instructions::change`].
///
/// # Safety
///
/// The CPU must have NEON, as all of this architecture do.
#[target_feature(enable = "neon")]
pub unsafe fn change(to: &mut Lane, from: &Lane, added: &[&Lane], removed: &[&Lane]) {
    scalar::change(to, from, added, removed);
}
