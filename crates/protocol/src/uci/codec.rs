//! UCI as a codec.

use super::read;
use super::write;
use crate::codec::{Codec, OutputFormat, Reading, Reply};

/// The Universal Chess Interface.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Uci;

impl Codec for Uci {
    fn read(&self, line: &str) -> Reading {
        read::read(line)
    }

    fn write(&self, reply: &Reply, view: &OutputFormat) -> Option<String> {
        write::write(reply, view)
    }
}
