//! Tokens: random texts that another page or user of the machine cannot guess.

use std::hash::{BuildHasher, RandomState};

/// A random token of 128 bits as hexadecimal digits.
///
/// The keys of [`RandomState`] come from the random numbers of the system.
pub(crate) fn random() -> String {
    let part = |number: u8| format!("{:016x}", RandomState::new().hash_one((number, std::process::id())));
    part(0) + &part(1)
}

/// A random number, for what may differ from game to game.
pub(crate) fn seed() -> u64 {
    RandomState::new().hash_one(())
}

/// Whether two tokens are equal. The time does not depend on where they differ.
pub(crate) fn is_equal(one: &str, other: &str) -> bool {
    let differences = one.bytes().zip(other.bytes()).fold(0, |bits, (one, other)| bits | (one ^ other));
    one.len() == other.len() && differences == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_differ_and_are_compared_whole() {
        let (one, other) = (random(), random());
        assert_eq!((one.len(), other.len()), (32, 32));
        assert_ne!(one, other);
        assert!(is_equal(&one, &one.clone()) && !is_equal(&one, &other));
        assert!(!is_equal(&one, &one[..31]) && !is_equal("", &one) && !is_equal(&one, ""));
    }
}
