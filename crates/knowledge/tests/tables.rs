//! Syzygy tablebases in a folder beside the project, and damaged files. Without the folder only the latter are tested.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use rukh_chess::game::{Ending, Game};
use rukh_chess::random::SplitMix64;
use rukh_chess::{Color, Move, Piece, Position};
use rukh_engine::Engine;
use rukh_engine::api::{Event, Limits, LineInfo, Request, Settings};
use rukh_engine::tablebase::{Tablebase, Wdl};
use rukh_eval::Score;
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

/// Tablebases without their DTZ files.
#[derive(Debug)]
struct WdlOnly(Syzygy);

impl Tablebase for WdlOnly {
    fn max_pieces(&self) -> u32 {
        self.0.max_pieces()
    }

    fn wdl(&self, position: &Position) -> Option<Wdl> {
        self.0.wdl(position)
    }

    fn dtz(&self, _: &Position) -> Option<i32> {
        None
    }
}

/// The last lines of a search, by rank.
fn last_lines(engine: &mut Engine, game: &Game, nodes: u64) -> Vec<LineInfo> {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let mut lines = Vec::new();
    for event in engine.search(Request { game: game.clone(), limits }) {
        if let Event::Line(line, _) = event {
            lines.truncate(line.multipv - 1);
            lines.push(line);
        }
    }
    lines
}

/// The result that the tablebases give to a move; cursed wins and blessed losses are draws.
fn result_of(tables: &Syzygy, position: &Position, mv: Move) -> Option<Wdl> {
    let after = position.after(mv);
    Some(match after.ending() {
        Some(Ending::Checkmate { .. }) => Wdl::Win,
        Some(_) => Wdl::Draw,
        None => plain(tables.wdl(&after)?.flipped()),
    })
}

fn plain(wdl: Wdl) -> Wdl {
    if matches!(wdl, Wdl::CursedWin | Wdl::BlessedLoss) { Wdl::Draw } else { wdl }
}

fn of_score(score: Score) -> Wdl {
    match score {
        score if score.is_win() => Wdl::Win,
        score if score.is_loss() => Wdl::Loss,
        _ => Wdl::Draw,
    }
}

/// Whether every line has the result of its first move, and the first line that of the position.
fn is_right(tables: &Syzygy, position: &Position, lines: &[LineInfo]) -> bool {
    let is_true = |line: &LineInfo| result_of(tables, position, line.pv[0]) == Some(of_score(line.score));
    let is_sorted = lines.is_sorted_by_key(|line| std::cmp::Reverse(line.score));
    is_sorted
        && lines.iter().all(is_true)
        && lines.first().map(|line| of_score(line.score)) == tables.wdl(position).map(plain)
}

/// Random positions of at most four pieces, with one line, two lines, and without DTZ: score and move are right in all.
#[test]
fn root_moves_are_ranked_in_every_mode() {
    let Some(shared) = shared() else { return };
    const POSITIONS: usize = 497;
    let open = || tables(&shared.join("syzygy/3-4")).0;
    let tables = open();
    for (name, multipv, has_dtz) in [("one line", 1, true), ("two lines", 2, true), ("WDL only", 1, false)] {
        let mut engine = Engine::new();
        engine.set_tablebase(Some(if has_dtz { Arc::new(open()) } else { Arc::new(WdlOnly(open())) }));
        engine.set(Settings { multipv, ..Settings::default() });
        let (mut checked, mut right) = (0, 0);
        let mut random = SplitMix64::new(497);
        while checked < POSITIONS {
            let mut piece = || b"PNBRQpnbrq"[random.below(10) as usize] as char;
            let pieces = format!("Kk{}{}", piece(), piece());
            let Some(position) = random_position(&pieces, &mut random) else { continue };
            if tables.wdl(&position).is_none() {
                // A check that no move can give.
                continue;
            }
            let lines = last_lines(&mut engine, &Game::new(position.clone()), 1_000);
            checked += 1;
            match is_right(&tables, &position, &lines) {
                true => right += 1,
                false => println!("{name}: {position}: {lines:?}"),
            }
        }
        println!("{name}: {right} of {checked} are right");
        assert_eq!(right, checked, "{name}");
    }
}

/// A table of five pieces whose DTZ file is missing.
#[test]
fn a_missing_dtz_file_leaves_the_wdl_ranking() {
    let Some(shared) = shared() else { return };
    let folders = ["3-4", "5"];
    let tables = tables(&joined(&shared, &folders)).0;
    for fen in ["8/6Kn/8/4k3/8/4B3/2N5/8 b - - 0 1", "8/8/3k4/2r5/8/5Q2/8/4K3 w - - 0 1"] {
        for multipv in [1, 3] {
            let mut engine = engine_with(&shared, &folders);
            engine.set(Settings { multipv, ..Settings::default() });
            let lines = last_lines(&mut engine, &Game::new(position(fen)), 20_000);
            assert!(is_right(&tables, &position(fen), &lines), "{fen}: {lines:?}");
        }
    }
}

/// Lines from roots outside the tablebases never leave the result with which they enter them.
#[test]
fn lines_that_enter_the_tablebases_keep_the_result() {
    let Some(shared) = shared() else { return };
    let tables = tables(&shared.join("syzygy/3-4")).0;
    let mut random = SplitMix64::new(31);
    let mut entered = 0;
    let known = ["1R6/8/8/8/3K4/1k2r1P1/8/8 b - - 0 1".to_owned()].into_iter();
    let drawn = std::iter::from_fn(|| {
        Some(loop {
            let kinds = ["KRPkr", "KQkrp", "KPPkp", "KQPkq", "KBPkn", "KNPPk"];
            let pieces = kinds[random.below(kinds.len() as u64) as usize];
            if let Some(position) = random_position(pieces, &mut random) {
                break position.to_string();
            }
        })
    });
    for fen in known.chain(drawn.take(60)) {
        let mut engine = engine_with(&shared, &["3-4"]);
        let root = position(&fen);
        // The line of the known position that ended in stalemate came after 20,650 nodes.
        let nodes = if entered == 0 { 60_000 } else { 20_000 };
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        for event in engine.search(Request::from_position(root.clone(), limits)) {
            let Event::Line(line, _) = event else { continue };
            if line.score.is_mate() {
                continue;
            }
            let mut here = root.clone();
            let mut expected = line.score.is_decisive().then(|| of_score(line.score));
            for (ply, &mv) in line.pv.iter().enumerate() {
                here = here.after(mv);
                let is_covered = ply > 0 && here.occupied().count() <= tables.max_pieces();
                let Some(wdl) = tables.wdl(&here).filter(|_| is_covered) else { continue };
                let wdl = match here.ending() {
                    Some(Ending::Checkmate { .. }) => Wdl::Loss,
                    Some(_) => Wdl::Draw,
                    None => plain(wdl),
                };
                let is_root_side = here.side_to_move() == root.side_to_move();
                let wdl = if is_root_side { wdl } else { wdl.flipped() };
                entered += 1;
                assert_eq!(wdl, *expected.get_or_insert(wdl), "{fen}: ply {ply}: {line:?}");
            }
        }
    }
    assert!(entered > 500, "{entered}");
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
