//! The file: round trip, every cut, every damage, every sentence.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use rukh_chess::Color;
use rukh_chess::game::Outcome;
use rukh_engine::RootPolicy;
use serde_json::json;

use super::super::error::VisitError;
use super::super::game::{End, VisitGame};
use super::super::layout::{GAMES_PER_BLOCK, block, header};
use super::super::manifest::VisitManifest;
use super::super::reader::VisitReader;
use super::super::writer::{VisitWriter, Written};
use super::fixture::{play, settings};

/// More than a block of games: short ones, so that every byte can be damaged.
static GAMES: LazyLock<Vec<VisitGame>> = LazyLock::new(|| {
    let mut settings = settings(RootPolicy::Improved);
    settings.max_plies = 3;
    settings.games.nodes = 8;
    play(&settings, 0..GAMES_PER_BLOCK as u64 + 5, 2)
});

static MANIFEST: LazyLock<VisitManifest> = LazyLock::new(|| settings(RootPolicy::Improved).manifest());

fn path(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("rukh-visits-{name}-{}.rkv", std::process::id()))
}

fn write(path: &Path, games: &[VisitGame]) -> Written {
    let (mut writer, mut written) = VisitWriter::open(path, &MANIFEST).expect("it can be written");
    for game in games {
        writer.add(game.clone()).expect("it can be written");
        written.add(game);
    }
    writer.flush().expect("it can be written");
    written
}

/// The bytes of a file of all games.
fn whole(path: &Path) -> Vec<u8> {
    let _ = fs::remove_file(path);
    write(path, &GAMES);
    fs::read(path).expect("it exists")
}

fn read(bytes: &[u8]) -> Result<Vec<VisitGame>, VisitError> {
    VisitReader::new(bytes)?.collect()
}

#[test]
fn what_was_written_is_read() {
    let path = path("read");
    let bytes = whole(&path);
    assert_eq!(read(&bytes).expect("it is whole"), *GAMES);
    assert_eq!(VisitReader::open(&path).expect("it is whole").manifest(), &*MANIFEST);
    let long = play(&settings(RootPolicy::Visits), 0..4, 2);
    let (bytes, positions) = (block(0, &long), long.iter().map(|game| game.plies.len()).sum::<usize>());
    assert_eq!(read(&[header(&MANIFEST), bytes.clone()].concat()).expect("it is whole"), long);
    assert!(bytes.len() < 12 * positions, "{} bytes for {positions} positions", bytes.len());
    fs::remove_file(&path).expect("it exists");
}

/// Interrupted after some number of games and killed at some byte, the file becomes the same file.
#[test]
fn a_file_that_is_cut_anywhere_is_resumed() {
    let path = path("cut");
    let bytes = whole(&path);
    for games in (0..GAMES.len()).step_by(29) {
        fs::remove_file(&path).expect("it exists");
        write(&path, &GAMES[..games]);
        let stored = VisitWriter::open(&path, &MANIFEST).expect("it is resumed").1;
        assert_eq!(stored.games, games as u64);
        assert_eq!(write(&path, &GAMES[games..]).games, GAMES.len() as u64);
        assert_eq!(fs::read(&path).expect("it exists"), bytes, "after {games} games");
    }
    for cut in (0..bytes.len()).step_by(1_201).chain([bytes.len() - 1]) {
        fs::write(&path, &bytes[..cut]).expect("it can be written");
        let kept = VisitWriter::open(&path, &MANIFEST).expect("it is resumed").1.games as usize;
        assert!(kept == 0 || kept == GAMES_PER_BLOCK, "cut at {cut}: {kept}");
        write(&path, &GAMES[kept..]);
        assert_eq!(fs::read(&path).expect("it exists"), bytes, "cut at {cut}");
    }
    fs::remove_file(&path).expect("it exists");
}

/// A damaged byte of the header, or of a sample of the blocks, is found, and a damaged file is left as it is.
#[test]
fn damaged_bytes_are_found() {
    let path = path("damaged");
    let bytes = whole(&path);
    let start = header(&MANIFEST).len();
    for at in (0..start).chain((start..bytes.len()).step_by(499)) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        read(&damaged).expect_err("it is damaged");
        if at % 5 == 0 {
            fs::write(&path, &damaged).expect("it can be written");
            VisitWriter::open(&path, &MANIFEST).expect_err("it is damaged");
            assert_eq!(fs::read(&path).expect("it exists"), damaged, "byte {at}");
        }
    }
    fs::remove_file(&path).expect("it exists");
}

#[test]
fn each_fault_has_its_sentence() {
    let path = path("faults");
    let bytes = whole(&path);
    let start = header(&MANIFEST).len();
    let refused = |bytes: &[u8]| read(bytes).expect_err("it is wrong").to_string();
    assert_eq!(refused(b""), "it is no file of visit distributions");
    assert_eq!(refused(b"hello, this is text"), "it is no file of visit distributions");
    let mut newer = bytes.clone();
    newer[8] = 9;
    assert_eq!(
        refused(&newer),
        "it is a file of visit distributions of version 9; this program reads version 1"
    );
    assert_eq!(refused(&bytes[..start - 1]), "it ends within the header");
    assert!(refused(&bytes[..start + 1]).starts_with("it ends within block 1;"));
    let twice = [&bytes[..], &bytes[start..]].concat();
    assert!(refused(&twice).ends_with("it does not follow the blocks before it"), "{}", refused(&twice));
    let mixed = [&bytes[..], &bytes[..]].concat();
    assert!(refused(&mixed).starts_with("block 3 is damaged"), "{}", refused(&mixed));
    let other = VisitManifest::new(json!({ "seed": 1 }));
    let sentence = VisitWriter::open(&path, &other).expect_err("it is of other games").to_string();
    assert!(
        sentence.starts_with("its games have another setting \"Chess960 share\" (0.3, not )"),
        "{sentence}"
    );
    let held = VisitWriter::open(&path, &MANIFEST).expect("it is free");
    assert!(matches!(VisitWriter::open(&path, &MANIFEST), Err(VisitError::Busy)));
    drop(held);
    fs::write(&path, "something else").expect("it can be written");
    assert!(matches!(VisitWriter::open(&path, &MANIFEST), Err(VisitError::Foreign)));
    fs::remove_file(&path).expect("it exists");
    let nowhere = Path::new("/nowhere/games.rkv");
    assert!(matches!(VisitWriter::open(nowhere, &MANIFEST), Err(VisitError::Io(_))));
}

/// A file may have right checksums and games that are none.
#[test]
fn games_that_are_none_are_refused() {
    let refused = |change: &dyn Fn(&mut VisitGame)| {
        let mut game = GAMES[0].clone();
        change(&mut game);
        let file = [header(&MANIFEST), block(0, &[game])].concat();
        read(&file).expect_err("it is wrong").to_string()
    };
    assert!(refused(&|game| game.outcome = Outcome::Win(Color::White)).contains("its result is not"));
    assert!(refused(&|game| game.end = End::Rules).contains("its result is not"));
    assert!(refused(&|game| game.plies.clear()).contains("its result is not"));
    assert!(refused(&|game| (game.plies[1].win, game.plies[1].loss) = (200, 200)).contains("ply 2"));
}
