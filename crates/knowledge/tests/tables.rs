//! Real tables where they are at hand, and files that are none.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use rukh_chess::game::{Ending, Game};
use rukh_chess::{Color, Piece, Position};
use rukh_engine::Engine;
use rukh_engine::api::{Event, Limits, Request};
use rukh_engine::tablebase::{Tablebase, Wdl};
use rukh_knowledge::Syzygy;

/// The complete tables of three and four men, if they are there.
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
    assert_eq!(tables.max_men(), 4);
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

fn best_move(engine: &mut Engine, game: &Game, nodes: u64) -> rukh_chess::Move {
    let found = Arc::new(Mutex::new(None));
    let heard = found.clone();
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    engine.start(
        Request { game: game.clone(), limits },
        Arc::new(move |event| {
            if let Event::Done { best, .. } = event {
                *heard.lock().expect("nobody panics") = best;
            }
        }),
    );
    engine.wait();
    let best = *found.lock().expect("nobody panics");
    best.expect("there is a move")
}

/// Won endings are won before the fifty moves are over, against a defender who knows the tables as well.
#[test]
fn won_endings_are_won() {
    let Some(shared) = shared() else { return };
    for (file, every) in [("KBNvK_1000.epd", 125), ("KQvKR_1000.epd", 125), ("KRvK_1000.epd", 250)] {
        let text = fs::read_to_string(shared.join("mates").join(file)).expect("it is there");
        let mut engine = Engine::new();
        engine.set_tablebase(Some(Arc::new(tables(&shared.join("syzygy/3-4")).0)));
        for line in text.lines().step_by(every) {
            let fen = line.split(" dm ").next().unwrap_or_default().trim();
            let mut game = Game::new(position(&format!("{fen} 0 1")));
            let men = |color: Color| game.position().color(color).count();
            let has_queen =
                |color: Color| game.position().color(color).intersects(game.position().pieces(Piece::Queen));
            let is_white = men(Color::White) > men(Color::Black) || has_queen(Color::White);
            let winner = if is_white { Color::White } else { Color::Black };
            engine.clear();
            while game.ending().is_none() {
                let mv = best_move(&mut engine, &game, 1_500);
                game.play(mv).expect("the engine plays legal moves");
            }
            assert!(
                matches!(game.ending(), Some(Ending::Checkmate { winner: who }) if who == winner),
                "{file}: {fen} ended with {:?} after {} moves",
                game.ending(),
                game.moves().len()
            );
        }
    }
}

/// What the tables say of many positions by lot is what a search with them says.
#[test]
fn a_search_says_what_the_tables_say() {
    let Some(shared) = shared() else { return };
    let path = shared.join("syzygy/3-4");
    let (tables, _) = tables(&path);
    let mut engine = Engine::new();
    engine.set_tablebase(Some(Arc::new(self::tables(&path).0)));
    let mut random = rukh_chess::random::SplitMix64::new(8);
    let mut checked = 0;
    while checked < 200 {
        let mut board = [b'1'; 64];
        let mut lot = |count: usize| random.below(count as u64) as usize;
        for man in [b'K', b'k', b"PNBRQpnbrq"[lot(10)], b"PNBRQpnbrq"[lot(10)]] {
            board[lot(64)] = man;
        }
        let rows: Vec<_> = board.chunks(8).map(|row| String::from_utf8_lossy(row).into_owned()).collect();
        let fen = format!("{} {} - - 0 1", rows.join("/"), if lot(2) == 0 { "w" } else { "b" });
        let Ok(position) = fen.parse::<Position>() else { continue };
        if position.ending().is_some() {
            continue;
        }
        let Some(wdl) = tables.wdl(&position) else { continue };
        let told = Arc::new(Mutex::new(None));
        let heard = told.clone();
        let limits = Limits { nodes: Some(300), ..Limits::default() };
        engine.start(
            Request::from_position(position.clone(), limits),
            Arc::new(move |event| {
                if let Event::Line(line, _) = event {
                    *heard.lock().expect("nobody panics") = Some(line.score);
                }
            }),
        );
        engine.wait();
        let score = told.lock().expect("nobody panics").expect("a line is told");
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
    assert_eq!((tables.count(), tables.max_men()), (1, 3));
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
