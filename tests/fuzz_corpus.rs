//! The seeds of the fuzz targets, and damaged copies of them, through the properties that the targets check.

#[path = "../fuzz/properties/mod.rs"]
mod properties;

use std::fs;
use std::path::Path;

use rukh_chess::random::SplitMix64;

/// The seeds of a target.
fn seeds(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(target);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("it can be read").path()).collect();
    paths.retain(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("seed-")));
    paths.sort();
    assert!(!paths.is_empty(), "{target} has no seeds");
    paths.iter().map(|path| fs::read(path).expect("it can be read")).collect()
}

/// A copy with some bytes changed, removed, doubled or taken from elsewhere.
fn damaged(bytes: &[u8], random: &mut SplitMix64) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=random.below(3) {
        if bytes.is_empty() {
            break;
        }
        let at = random.below(bytes.len() as u64) as usize;
        let other = random.below(bytes.len() as u64) as usize;
        match random.below(5) {
            0 => bytes[at] = random.next() as u8,
            1 => bytes[at] ^= 1 << random.below(8),
            2 => bytes.truncate(at),
            3 => drop(bytes.drain(at.min(other)..at.max(other))),
            _ => {
                let part = bytes[at.min(other)..at.max(other)].to_vec();
                bytes.splice(at..at, part);
            }
        }
    }
    bytes
}

/// Checks a property on all seeds and `count` damaged copies.
fn check(target: &str, count: u64, property: fn(&[u8])) {
    let seeds = seeds(target);
    seeds.iter().for_each(|seed| property(seed));
    let mut random = SplitMix64::new(31);
    for _ in 0..count {
        let seed = &seeds[random.below(seeds.len() as u64) as usize];
        property(&damaged(seed, &mut random));
    }
}

#[test]
fn uci_sessions() {
    check("session_uci", 60, properties::session_uci);
}

#[test]
fn xboard_sessions() {
    check("session_xboard", 60, properties::session_xboard);
}

#[test]
fn networks() {
    check("network", 150, properties::network);
    check("network", 4, properties::built_in_network);
}

#[test]
fn books() {
    check("book", 3_000, properties::book);
}

#[test]
fn states() {
    check("state", 300, properties::state);
}

#[test]
fn stored_games() {
    check("games", 3_000, properties::games);
}

#[test]
fn reviews() {
    check("review", 300, properties::review);
}
