//! Macros for enums that are also array indices.

/// Declares an enum without fields, with the list of its values and the conversion from an index.
///
/// An enum of 64 values makes `table[square.index()]` free of bounds checks without unsafe code: the
/// compiler knows the range of the discriminant.
macro_rules! index_enum {
    ($(#[$meta:meta])* pub enum $name:ident { $($(#[$vmeta:meta])* $value:ident),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum $name { $($(#[$vmeta])* $value),+ }

        impl $name {
            /// Every value, in order.
            pub const ALL: [Self; Self::COUNT] = [$(Self::$value),+];
            /// How many values there are.
            pub const COUNT: usize = [$(stringify!($value)),+].len();

            /// The index of this value in [`Self::ALL`].
            #[inline]
            pub const fn index(self) -> usize {
                self as usize
            }

            /// The value at `index`, if there is one.
            #[inline]
            #[allow(non_upper_case_globals)]
            pub const fn from_index(index: usize) -> Option<Self> {
                $(const $value: usize = $name::$value as usize;)+
                match index {
                    $($value => Some(Self::$value),)+
                    _ => None,
                }
            }
        }
    };
}

/// Adds `from_low_bits` to an enum whose number of values is a power of two.
///
/// The index is masked, so the `match` is total. It compiles to the mask alone.
macro_rules! from_low_bits {
    ($name:ident) => {
        impl $name {
            /// The value with the low bits of `index` as its index. Higher bits are ignored.
            #[inline]
            pub const fn from_low_bits(index: u8) -> Self {
                const { assert!(Self::COUNT.is_power_of_two()) };
                match Self::from_index(index as usize & (Self::COUNT - 1)) {
                    Some(value) => value,
                    None => unreachable!(),
                }
            }
        }
    };
}

pub(crate) use {from_low_bits, index_enum};
