//! Public Polyglot books and keys, in a folder beside the project. Without it these tests do nothing.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use rukh_chess::Position;
use rukh_chess::notation::CastlingNotation;
use rukh_knowledge::polyglot::{Book, key};

fn shared() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/polyglot");
    path.join("keys.tsv").exists().then_some(path)
}

#[test]
fn keys_equal_those_of_another_implementation() {
    let Some(shared) = shared() else { return };
    let text = fs::read_to_string(shared.join("keys.tsv")).expect("the file exists");
    let mut checked = 0;
    for line in text.lines().skip(1) {
        let fields: Vec<_> = line.split('\t').collect();
        let expected = u64::from_str_radix(fields[0], 16).expect("a key");
        let position: Position = fields[1].parse().unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(key(&position), expected, "{line}");
        checked += 1;
    }
    assert!(checked > 700, "{checked}");
}

#[test]
fn book_moves_equal_those_of_another_implementation() {
    let Some(shared) = shared() else { return };
    let text = fs::read_to_string(shared.join("expected_probes.tsv")).expect("the file exists");
    let mut expected: BTreeMap<(&str, &str), Vec<(String, u16)>> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let fields: Vec<_> = line.split('\t').collect();
        let moves = expected.entry((fields[0], fields[1])).or_default();
        if fields[2] != "-" {
            moves.push((fields[2].to_owned(), fields[3].parse().expect("a weight")));
        }
    }
    let mut checked = 0;
    for ((name, fen), mut moves) in expected {
        // The file also lists a book that is not included.
        let Ok(bytes) = fs::read(shared.join(format!("{name}.bin"))) else { continue };
        let book = Book::read(&bytes).expect("a book");
        let position: Position = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
        let found = book.moves(&position).into_iter();
        let mut found: Vec<_> = found
            .map(|(mv, weight)| (position.uci(mv, CastlingNotation::KingTarget).to_string(), weight))
            .collect();
        found.sort();
        moves.sort();
        assert_eq!(found, moves, "{name}: {fen}");
        checked += 1;
    }
    assert!(checked > 100, "{checked}");
}
