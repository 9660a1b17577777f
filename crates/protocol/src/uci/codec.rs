//! The UCI codec.

use super::decode;
use super::encode;
use crate::codec::{Codec, DecodedLine, OutputFormat, Reply};

/// The Universal Chess Interface.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Uci;

impl Codec for Uci {
    fn decode(&self, line: &str) -> DecodedLine {
        decode::decode(line)
    }

    fn encode(&self, reply: &Reply, format: &OutputFormat) -> Option<String> {
        encode::encode(reply, format)
    }
}
