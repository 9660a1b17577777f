//! Real tables where they are at hand, and files that are none.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use rukh_chess::game::{Ending, Game};
use rukh_chess::random::SplitMix64;
use rukh_chess::{Color, Move, Piece, Position};
use rukh_engine::Engine;
use rukh_engine::api::{Event, Limits, LineInfo, Request};
use rukh_engine::tablebase::{Tablebase, Wdl};
use rukh_knowledge::Syzygy;

/// The complete tables of three and four pieces, if they are there.
fn shared() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    path.join("syzygy/3-4/KBNvK.rtbz").exists().then_some(path)
}

fn tables(path: &Path) -> (Syzygy, Arc<Mutex<Vec<String>>>) {
    let told = Arc::new(Mutex::new(Vec::new()));
    let heard = told.clone();
    let tell = move |sentence: &str| heard.lock().expect("nobody panics").push(sentence.to_owned());
    (Syzygy::open(path.to_str().expect("a plain path"), tell).expect("there are tables"), told)
}

fn position(fen: &str) -> Position {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

#[test]
fn published_values_are_found() {
    let Some(shared) = shared() else { return };
    let (tables, _) = tables(&shared.join("syzygy/3-4"));
    assert_eq!(tables.max_pieces(), 4);
    let text = fs::read_to_string(shared.join("syzygy/published_wdl_dtz.tsv")).expect("it is there");
    let mut checked = 0;
    for line in text.lines().skip(1) {
        let fields: Vec<_> = line.split('\t').collect();
        let position = position(fields[0]);
        let Some(wdl) = tables.wdl(&position) else { continue };
        let expected = [Wdl::Loss, Wdl::BlessedLoss, Wdl::Draw, Wdl::CursedWin, Wdl::Win]
            [(fields[1].parse::<i32>().expect("a number") + 2) as usize];
        assert_eq!(wdl, expected, "{line}");
        if let Ok(dtz) = fields[2].parse::<i32>() {
            let told = tables.dtz(&position).expect("both kinds of tables are there");
            assert!((told - dtz).abs() <= 1 && told.signum() == dtz.signum(), "{line}: {told}");
        }
        checked += 1;
    }
    assert!(checked > 150, "{checked}");
}

/// The best move, and the last line that was told.
fn search(engine: &mut Engine, game: &Game, nodes: u64) -> (Option<Move>, Option<LineInfo>) {
    let found = Arc::new(Mutex::new((None, None)));
    let heard = found.clone();
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    engine.start(
        Request { game: game.clone(), limits },
        Arc::new(move |event| {
            let mut heard = heard.lock().expect("nobody panics");
            match event {
                Event::Line(line, _) => heard.1 = Some(line),
                Event::Done { best, .. } => heard.0 = best,
                _ => {}
            }
        }),
    );
    engine.wait();
    found.lock().expect("nobody panics").clone()
}

/// Plays a won ending out, against a defender who knows as much: it must be won before the fifty moves are over.
fn win(engine: &mut Engine, start: &Position, winner: Color) {
    let mut game = Game::new(start.clone());
    engine.clear();
    while game.ending().is_none() {
        let best = search(engine, &game, 1_500).0.expect("there is a move");
        game.play(best).expect("the engine plays legal moves");
    }
    assert!(
        matches!(game.ending(), Some(Ending::Checkmate { winner: who }) if who == winner),
        "{start} ended with {:?} after {} moves",
        game.ending(),
        game.moves().len()
    );
}

/// Folders of tables one after the other.
fn joined(shared: &Path, folders: &[&str]) -> PathBuf {
    let paths = folders.iter().map(|folder| shared.join("syzygy").join(folder));
    std::env::join_paths(paths).expect("plain paths").into()
}

/// An engine that knows the tables of these folders.
fn engine_with(shared: &Path, folders: &[&str]) -> Engine {
    let mut engine = Engine::new();
    engine.set_tablebase(Some(Arc::new(tables(&joined(shared, folders)).0)));
    engine
}

/// Whether all endings are to be won, which takes minutes, and not a few of each.
fn are_all_wanted() -> bool {
    std::env::var_os("RUKH_ENDINGS").is_some_and(|wanted| wanted == "all")
}

#[test]
fn won_endings_are_won() {
    let Some(shared) = shared() else { return };
    for (file, some) in [("KBNvK_1000.epd", 125), ("KQvKR_1000.epd", 125), ("KRvK_1000.epd", 250)] {
        let every = if are_all_wanted() { 1 } else { some };
        let text = fs::read_to_string(shared.join("mates").join(file)).expect("it is there");
        let mut engine = engine_with(&shared, &["3-4"]);
        for line in text.lines().step_by(every) {
            let fen = line.split(" dm ").next().unwrap_or_default().trim();
            let start = position(&format!("{fen} 0 1"));
            let pieces = |color: Color| start.color(color).count();
            let has_queen = |color: Color| start.color(color).intersects(start.pieces(Piece::Queen));
            let is_white = pieces(Color::White) > pieces(Color::Black) || has_queen(Color::White);
            win(&mut engine, &start, if is_white { Color::White } else { Color::Black });
        }
    }
}

/// A position with these pieces and a side to random move.
fn random_tree_position(pieces: &str, random: &mut SplitMix64) -> Option<Position> {
    let mut board = [b'1'; 64];
    for piece in pieces.bytes() {
        board[random.below(64) as usize] = piece;
    }
    let rows: Vec<_> = board.chunks(8).map(|row| String::from_utf8_lossy(row).into_owned()).collect();
    let side = if random.below(2) == 0 { "w" } else { "b" };
    let position: Position = format!("{} {side} - - 0 1", rows.join("/")).parse().ok()?;
    let is_whole = position.occupied().count() as usize == pieces.len() && position.ending().is_none();
    is_whole.then_some(position)
}

/// Endings of which there are no samples.
#[test]
fn won_endings_by_lot_are_won() {
    let Some(shared) = shared() else { return };
    let count = if are_all_wanted() { 100 } else { 2 };
    let folders = ["3-4", "5"];
    let tables = tables(&joined(&shared, &folders)).0;
    let mut random = SplitMix64::new(12);
    for pieces in ["KRPkr", "KRPPk", "KPPPk", "KQkp", "KRkp", "KRkn", "KRkb", "KPkp", "KBPk", "KNPk"] {
        let mut engine = engine_with(&shared, &folders);
        let mut won = 0;
        while won < count {
            let Some(start) = random_tree_position(pieces, &mut random) else { continue };
            let is_won = match tables.wdl(&start) {
                Some(wdl) if start.side_to_move() == Color::White => wdl == Wdl::Win,
                Some(wdl) => wdl == Wdl::Loss,
                // Of rook and pawn against rook there is no table: what a longer search proves with the smaller ones is taken.
                None => {
                    engine.clear();
                    let (_, line) = search(&mut engine, &Game::new(start.clone()), 100_000);
                    start.side_to_move() == Color::White && line.expect("a line is told").score.is_win()
                }
            };
            if is_won {
                win(&mut engine, &start, Color::White);
                won += 1;
            }
        }
    }
}

/// What the tables say of many random positions is what a search with them says.
#[test]
fn a_search_says_what_the_tables_say() {
    let Some(shared) = shared() else { return };
    let (tables, _) = tables(&shared.join("syzygy/3-4"));
    let mut engine = engine_with(&shared, &["3-4"]);
    let mut random = SplitMix64::new(8);
    let mut checked = 0;
    while checked < 200 {
        let mut lot = || b"PNBRQpnbrq"[random.below(10) as usize] as char;
        let pieces = format!("Kk{}{}", lot(), lot());
        let Some(position) = random_tree_position(&pieces, &mut random) else { continue };
        let Some(wdl) = tables.wdl(&position) else { continue };
        let (_, line) = search(&mut engine, &Game::new(position.clone()), 300);
        let score = line.expect("a line is told").score;
        let said = match () {
            () if score.is_win() => Wdl::Win,
            () if score.is_loss() => Wdl::Loss,
            () => Wdl::Draw,
        };
        let known = if matches!(wdl, Wdl::CursedWin | Wdl::BlessedLoss) { Wdl::Draw } else { wdl };
        assert_eq!(said, known, "{position}: {score}");
        checked += 1;
    }
}

/// A file that is no table is named once, and everything goes on without it.
#[test]
fn broken_and_missing_tables_are_named_once() {
    let folder = std::env::temp_dir().join(format!("rukh tables {}", std::process::id()));
    fs::create_dir_all(&folder).expect("it can be made");
    fs::write(folder.join("KRvK.rtbw"), b"this is no table").expect("it can be written");
    fs::write(folder.join("KQvK.rtbw"), b"too short").expect("it can be written");
    fs::write(folder.join("notes.txt"), b"no table at all").expect("it can be written");
    let (tables, told) = tables(&folder);
    assert_eq!((tables.count(), tables.max_pieces()), (1, 3));
    for _ in 0..3 {
        assert_eq!(tables.wdl(&position("8/8/8/3k4/8/8/2K5/7R w - - 0 1")), None);
        assert_eq!(tables.wdl(&position("8/8/8/3k4/8/8/2K5/6Q1 w - - 0 1")), None);
    }
    let told = told.lock().expect("nobody panics").clone();
    assert_eq!(told.len(), 3, "{told:?}");
    assert!(told[0].contains("KQvK.rtbw is not used"), "{told:?}");
    assert!(told[1].contains("KRvK") && told[1].contains("cannot be read"), "{told:?}");
    assert!(told[2].contains("KQvK") && told[2].contains("missing"), "{told:?}");
    fs::remove_dir_all(&folder).expect("it is there");
    let nothing = Syzygy::open(folder.to_str().expect("a plain path"), |_| {});
    assert!(nothing.is_err_and(|sentence| sentence.contains("cannot be read")));
}
