//! Tunables: numbers that are declared once with description, value, range and SPSA step.
//!
//! [`tunables!`](crate::tunables) declares them. A value is a constant; in builds with the feature `tune` it can be set at run
//! time.

use std::fmt;

/// A tunable, as tuners and the documentation read it.
#[derive(Clone, Copy, Debug)]
pub struct Tunable {
    /// The name.
    pub name: &'static str,
    /// The description.
    pub sentence: &'static str,
    /// The default value.
    pub value: i32,
    /// The least allowed value.
    pub min: i32,
    /// The greatest allowed value.
    pub max: i32,
    /// The SPSA step at the end of tuning (`c_end`).
    pub step: i32,
    /// Sets the value for all engines of the process; `None` in builds where it is a constant. Tables computed from it are
    /// updated when an engine is cleared.
    pub set: Option<fn(i32)>,
}

/// The OpenBench SPSA format: name, type, value, min, max, `c_end`, `r_end`.
impl fmt::Display for Tunable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const RATE: f64 = 0.002;
        let Self { name, value, min, max, step, .. } = self;
        write!(f, "{name}, int, {value}, {min}, {max}, {step}, {RATE}")
    }
}

/// Declares the tunables: a function for each, and the list of all.
#[macro_export]
macro_rules! tunables {
    ($($(#[doc = $sentence:literal])+ $name:ident = $value:literal in $min:literal..=$max:literal step $step:literal;)+) => {
        $(
            $(#[doc = $sentence])+
            #[cfg(not(feature = "tune"))]
            #[inline]
            pub(crate) const fn $name() -> i32 {
                const { assert!($min <= $value && $value <= $max) };
                $value
            }

            $(#[doc = $sentence])+
            #[cfg(feature = "tune")]
            #[inline]
            pub(crate) fn $name() -> i32 {
                live::$name.load(std::sync::atomic::Ordering::Relaxed)
            }
        )+

        #[cfg(feature = "tune")]
        #[allow(non_upper_case_globals)]
        mod live {
            use std::sync::atomic::AtomicI32;
            $(pub(super) static $name: AtomicI32 = AtomicI32::new($value);)+
        }

        /// The tunables declared here, in the order of their declaration.
        pub const TUNABLES: &[$crate::tunable::Tunable] = &[$($crate::tunable::Tunable {
            name: stringify!($name),
            sentence: concat!($($sentence),+),
            value: $value,
            min: $min,
            max: $max,
            step: $step,
            #[cfg(not(feature = "tune"))]
            set: None,
            #[cfg(feature = "tune")]
            set: Some(|value| live::$name.store(value, std::sync::atomic::Ordering::Relaxed)),
        }),+];
    };
}
