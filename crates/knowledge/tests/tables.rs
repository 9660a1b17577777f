//! Syzygy tablebases in a folder beside the project, and damaged files. Without the folder only the latter are tested.

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

/// The folder of test data with the complete tablebases of 3 and 4 pieces, if it exists.
fn shared() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    path.join("syzygy/3-4/KBNvK.rtbz").exists().then_some(path)
}

fn tables(path: &Path) -> (Syzygy, Arc<Mutex<Vec<String>>>) {
    let reports = Arc::new(Mutex::new(Vec::new()));
    let sink = reports.clone();
    let report = move |sentence: &str| sink.lock().expect("no thread panics").push(sentence.to_owned());
    (Syzygy::open(path.to_str().expect("the path is UTF-8"), report).expect("there are tables"), reports)
}

fn position(fen: &str) -> Position {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

#[test]
fn published_values_are_found() {
    let Some(shared) = shared() else { return };
    let (tables, _) = tables(&shared.join("syzygy/3-4"));
    assert_eq!(tables.max_pieces(), 4);
    let text = fs::read_to_string(shared.join("syzygy/published_wdl_dtz.tsv")).expect("the file exists");
    let mut checked = 0;
    for line in text.lines().skip(1) {
        let fields: Vec<_> = line.split('\t').collect();
        let position = position(fields[0]);
        let Some(wdl) = tables.wdl(&position) else { continue };
        let expected = [Wdl::Loss, Wdl::BlessedLoss, Wdl::Draw, Wdl::CursedWin, Wdl::Win]
            [(fields[1].parse::<i32>().expect("a number") + 2) as usize];
        assert_eq!(wdl, expected, "{line}");
        if let Ok(dtz) = fields[2].parse::<i32>() {
            let found = tables.dtz(&position).expect("WDL and DTZ tables exist");
            assert!((found - dtz).abs() <= 1 && found.signum() == dtz.signum(), "{line}: {found}");
        }
        checked += 1;
    }
    assert!(checked > 150, "{checked}");
}

/// The best move and the last line of a search.
fn search(engine: &mut Engine, game: &Game, nodes: u64) -> (Option<Move>, Option<LineInfo>) {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let (mut best_move, mut last_line) = (None, None);
    for event in engine.search(Request { game: game.clone(), limits }) {
        match event {
            Event::Line(line, _) => last_line = Some(line),
            Event::Done { best, .. } => best_move = best,
            Event::CurrentMove { .. } | Event::Root(_) => {}
        }
    }
    (best_move, last_line)
}

/// Plays a won endgame with tablebases on both sides. It must be won before the fifty-move rule applies.
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

/// Folders of tablebases as one path.
fn joined(shared: &Path, folders: &[&str]) -> PathBuf {
    let paths = folders.iter().map(|folder| shared.join("syzygy").join(folder));
    std::env::join_paths(paths).expect("the paths have no separators").into()
}

/// An engine with the tablebases of these folders.
fn engine_with(shared: &Path, folders: &[&str]) -> Engine {
    let mut engine = Engine::new();
    engine.set_tablebase(Some(Arc::new(tables(&joined(shared, folders)).0)));
    engine
}

/// Whether to play all endgames, which takes minutes, instead of a few of each.
fn are_all_wanted() -> bool {
    std::env::var_os("RUKH_ENDINGS").is_some_and(|wanted| wanted == "all")
}

#[test]
fn won_endings_are_won() {
    let Some(shared) = shared() else { return };
    for (file, some) in [("KBNvK_1000.epd", 125), ("KQvKR_1000.epd", 125), ("KRvK_1000.epd", 250)] {
        let every = if are_all_wanted() { 1 } else { some };
        let text = fs::read_to_string(shared.join("mates").join(file)).expect("the file exists");
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

/// A random position with these pieces; `None` if it is not legal or the game is over.
fn random_position(pieces: &str, random: &mut SplitMix64) -> Option<Position> {
    let mut board = [b'1'; 64];
    for piece in pieces.bytes() {
        board[random.below(64) as usize] = piece;
    }
    let rows: Vec<_> = board.chunks(8).map(|row| String::from_utf8_lossy(row).into_owned()).collect();
    let side = if random.below(2) == 0 { "w" } else { "b" };
    let position: Position = format!("{} {side} - - 0 1", rows.join("/")).parse().ok()?;
    let is_complete = position.occupied().count() as usize == pieces.len() && position.ending().is_none();
    is_complete.then_some(position)
}

/// Endgames without a file of test positions.
#[test]
fn random_won_endings_are_won() {
    let Some(shared) = shared() else { return };
    let count = if are_all_wanted() { 100 } else { 2 };
    let folders = ["3-4", "5"];
    let tables = tables(&joined(&shared, &folders)).0;
    let mut random = SplitMix64::new(12);
    for pieces in ["KRPkr", "KRPPk", "KPPPk", "KQkp", "KRkp", "KRkn", "KRkb", "KPkp", "KBPk", "KNPk"] {
        let mut engine = engine_with(&shared, &folders);
        let mut won = 0;
        while won < count {
            let Some(start) = random_position(pieces, &mut random) else { continue };
            let is_won = match tables.wdl(&start) {
                Some(wdl) if start.side_to_move() == Color::White => wdl == Wdl::Win,
                Some(wdl) => wdl == Wdl::Loss,
                // There is no table of rook and pawn against rook: a longer search with the smaller tables decides.
                None => {
                    engine.clear();
                    let (_, line) = search(&mut engine, &Game::new(start.clone()), 100_000);
                    start.side_to_move() == Color::White
                        && line.expect("the search reports a line").score.is_win()
                }
            };
            if is_won {
                win(&mut engine, &start, Color::White);
                won += 1;
            }
        }
    }
}

/// A search with tablebases has the score of the tablebases, in random positions.
#[test]
fn a_search_agrees_with_the_tablebases() {
    let Some(shared) = shared() else { return };
    let (tables, _) = tables(&shared.join("syzygy/3-4"));
    let mut engine = engine_with(&shared, &["3-4"]);
    let mut random = SplitMix64::new(8);
    let mut checked = 0;
    while checked < 200 {
        let mut piece = || b"PNBRQpnbrq"[random.below(10) as usize] as char;
        let pieces = format!("Kk{}{}", piece(), piece());
        let Some(position) = random_position(&pieces, &mut random) else { continue };
        let Some(wdl) = tables.wdl(&position) else { continue };
        let (_, line) = search(&mut engine, &Game::new(position.clone()), 300);
        let score = line.expect("the search reports a line").score;
        let found = match () {
            () if score.is_win() => Wdl::Win,
            () if score.is_loss() => Wdl::Loss,
            () => Wdl::Draw,
        };
        let known = if matches!(wdl, Wdl::CursedWin | Wdl::BlessedLoss) { Wdl::Draw } else { wdl };
        assert_eq!(found, known, "{position}: {score}");
        checked += 1;
    }
}

/// A damaged or missing table is reported once and not used.
#[test]
fn damaged_and_missing_tables_are_reported_once() {
    let folder = std::env::temp_dir().join(format!("rukh tables {}", std::process::id()));
    fs::create_dir_all(&folder).expect("the folder can be created");
    fs::write(folder.join("KRvK.rtbw"), b"this is no table").expect("the file can be written");
    fs::write(folder.join("KQvK.rtbw"), b"too short").expect("the file can be written");
    fs::write(folder.join("notes.txt"), b"no table at all").expect("the file can be written");
    let (tables, reports) = tables(&folder);
    assert_eq!((tables.count(), tables.max_pieces()), (1, 3));
    for _ in 0..3 {
        assert_eq!(tables.wdl(&position("8/8/8/3k4/8/8/2K5/7R w - - 0 1")), None);
        assert_eq!(tables.wdl(&position("8/8/8/3k4/8/8/2K5/6Q1 w - - 0 1")), None);
    }
    let reports = reports.lock().expect("no thread panics").clone();
    assert_eq!(reports.len(), 3, "{reports:?}");
    assert!(reports[0].contains("KQvK.rtbw is not used"), "{reports:?}");
    assert!(reports[1].contains("KRvK") && reports[1].contains("cannot be read"), "{reports:?}");
    assert!(reports[2].contains("KQvK") && reports[2].contains("missing"), "{reports:?}");
    fs::remove_dir_all(&folder).expect("the file exists");
    let nothing = Syzygy::open(folder.to_str().expect("the path is UTF-8"), |_| {});
    assert!(nothing.is_err_and(|sentence| sentence.contains("cannot be read")));
}
