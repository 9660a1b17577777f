//! Checksums of files. They find damage, they are no protection against forgery.

const OFFSET_BASIS: u64 = 0xCBF2_9CE4_8422_2325;
const PRIME: u64 = 0x0100_0000_01B3;

/// The 64-bit FNV-1a checksum.
pub fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(OFFSET_BASIS, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(PRIME))
}

/// The checksum of network files, which changes with every bit: FNV-1a over words of eight bytes.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    bytes.chunks(8).fold(OFFSET_BASIS, |sum, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        (sum ^ u64::from_le_bytes(word)).wrapping_mul(PRIME).rotate_left(29)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The published values of the function.
    #[test]
    fn known_values() {
        assert_eq!(fnv1a(b""), 0xCBF2_9CE4_8422_2325);
        assert_eq!(fnv1a(b"a"), 0xAF63_DC4C_8601_EC8C);
        assert_eq!(fnv1a(b"foobar"), 0x8594_4171_F739_67E8);
    }
}
