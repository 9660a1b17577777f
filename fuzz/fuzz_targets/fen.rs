#![no_main]

#[path = "../../crates/chess/tests/properties/mod.rs"]
mod properties;

libfuzzer_sys::fuzz_target!(|input: &str| properties::fen(input));
