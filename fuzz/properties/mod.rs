//! Properties of everything beyond the rules that reads foreign input: sessions, networks, books, states, games, reviews.
//!
//! Both the fuzz targets and `tests/fuzz_corpus.rs` use them. A property panics if it does not hold.

#![allow(dead_code, unused_imports, reason = "a fuzz target uses one of them")]

mod networks;

use std::convert::Infallible;
use std::io::{self, Cursor, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};

use rukh_chess::Position;
use rukh_chess::notation::pgn::{Games, decode};
use rukh_engine::Engine;
use rukh_eval::{AnyEvaluator, Evaluation, Evaluator, Score, wdl};
use rukh_explain::annotate::annotate;
use rukh_explain::page::page;
use rukh_explain::review::{PositionAnalysis, Review};
use rukh_explain::text;
use rukh_knowledge::polyglot::Book;
use rukh_lab::ledger::Ledger;
use rukh_lab::packed::{self, PackedGame};
use rukh_protocol::{Hooks, Session, Uci};
use serde_json::{Value, json};

pub(crate) use networks::{built_in_network, network};

/// Output that can be read afterwards.
#[derive(Clone, Default)]
struct Screen(Arc<Mutex<Vec<u8>>>);

impl Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no writer panics").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A session of UCI with searches ends well, and every line of it is text.
pub(crate) fn session_uci(input: &[u8]) {
    session("setoption name Evaluation value classical\nsetoption name Hash value 1\n", "", input);
}

/// A session of XBoard with searches ends well, and every line of it is text.
pub(crate) fn session_xboard(input: &[u8]) {
    session("option Evaluation=classical\nmemory 1\n", "xboard\nprotover 2\n", input);
}

/// Runs a session of the lines `begin` and the input. Three of four inputs come after the lines `quick`: a search with the
/// classical evaluation is several times faster where every comparison is traced.
fn session(quick: &str, begin: &str, input: &[u8]) {
    let mut lines = begin.to_owned();
    if !input.len().is_multiple_of(4) {
        lines += quick;
    }
    for line in String::from_utf8_lossy(input).lines().filter(|line| is_harmless(line)) {
        lines += &bounded(line);
        lines.push('\n');
    }
    // A search in progress is stopped, whatever its limits.
    lines += "quit\n";
    let screen = Screen::default();
    let mut session = Session::with_engine(Uci, screen.clone(), Hooks::default(), Engine::new());
    session.run(Cursor::new(lines.into_bytes())).expect("input and output work");
    let said = screen.0.lock().expect("no writer panics").clone();
    let said = String::from_utf8(said).expect("what is said is text");
    assert!(said.is_empty() || said.ends_with('\n'), "the last line is whole");
}

/// Whether a line names no file and starts no long work.
fn is_harmless(line: &str) -> bool {
    let line = line.to_lowercase();
    !["file", "path", "perft", "bench", "genfens"].iter().any(|word| line.contains(word))
}

/// The line with numbers of at most two digits, so that no search is long and no table large.
fn bounded(line: &str) -> String {
    let mut digits = 0;
    let mut keep = |letter: &char| {
        digits = if letter.is_ascii_digit() { digits + 1 } else { 0 };
        digits <= 2
    };
    line.chars().filter(|letter| keep(letter)).collect()
}

fn static_score(evaluation: &Evaluation, position: &Position) -> Score {
    let mut evaluator = AnyEvaluator::new(evaluation);
    evaluator.reset(position);
    evaluator.evaluate(position)
}

/// A book is refused or gives legal moves, and is written as it was read.
pub(crate) fn book(input: &[u8]) {
    let Ok(book) = Book::read(input) else { return };
    let position = Position::default();
    assert!(book.moves(&position).iter().all(|(mv, _)| position.is_legal(*mv)));
    assert!(book.choose(&position, 50, 0.5).is_none_or(|mv| position.is_legal(mv)));
    let again = Book::read(&book.to_bytes()).expect("a written book can be read");
    assert_eq!(again.to_bytes(), book.to_bytes());
}

/// A state file is refused and unchanged, or gives its parts again, and a part that is added after them. Whatever is cut off
/// its end, the parts before are there.
pub(crate) fn state(input: &[u8]) {
    let header = json!({ "kind": "fuzz", "number": 1 });
    let folder = Path::new("/dev/shm");
    let folder = if folder.is_dir() { folder.to_owned() } else { std::env::temp_dir() };
    let path = folder.join(format!("rukh-state-{}-{:?}", std::process::id(), std::thread::current().id()));
    let (kind, rest) = input.split_first().unwrap_or((&0, &[]));
    match kind % 3 {
        0 => any_state(&path, &header, rest),
        1 => any_state(&path, &header, &[format!("{header}\n").as_bytes(), rest].concat()),
        _ => cut_state(&path, &header, rest),
    }
    std::fs::remove_file(&path).expect("it is there");
}

/// Opens a state file with these bytes.
fn any_state(path: &Path, header: &Value, bytes: &[u8]) {
    std::fs::write(path, bytes).expect("there is room for a state");
    match Ledger::open(path, header) {
        Err(error) => {
            assert_eq!(error.to_string().lines().count(), 1);
            assert_eq!(std::fs::read(path).expect("it is there"), bytes, "a refused file is unchanged");
        }
        Ok((mut ledger, mut done)) => {
            ledger.add("one more").expect("there is room");
            drop(ledger);
            done.push("one more".to_owned());
            let (_, again) = Ledger::open(path, header).expect("it was right before");
            assert_eq!(again, done);
        }
    }
}

/// Writes a state file with the lines of the input, cuts it off and opens it again.
fn cut_state(path: &Path, header: &Value, input: &[u8]) {
    let text = String::from_utf8_lossy(input).replace('\r', "");
    let lines: Vec<&str> = text.lines().take(20).collect();
    let _ = std::fs::remove_file(path);
    let (mut ledger, _) = Ledger::open(path, header).expect("a new file is accepted");
    lines.iter().for_each(|line| ledger.add(line).expect("there is room"));
    drop(ledger);
    let bytes = std::fs::read(path).expect("it is there");
    let length = bytes.len() * usize::from(input.first().copied().unwrap_or(0)) / 255;
    std::fs::write(path, &bytes[..length]).expect("there is room for a state");
    let (_, done) = Ledger::open(path, header).expect("an end that is cut off is no fault");
    assert!(done.len() <= lines.len() && done.iter().zip(&lines).all(|(done, line)| done == line));
}

/// Stored games are refused, or replayed by legal moves and written as they were read.
pub(crate) fn games(input: &[u8]) {
    let mut rest = input;
    while let Ok(Some(game)) = PackedGame::read(&mut rest) {
        for (position, mv, _) in game.positions() {
            assert!(position.is_legal(mv));
        }
        let mut bytes = Vec::new();
        game.write(&mut bytes).expect("there is room");
        let again = PackedGame::read(&mut bytes.as_slice()).expect("it can be read").expect("it is there");
        assert_eq!(again, game);
    }
    let whole: Vec<u8> = packed::split(input).flatten().copied().collect();
    assert!(input.starts_with(&whole), "the parts follow each other");
}

/// The games of a PGN file are reviewed: the text, the page and the annotated game, which can be read again.
pub(crate) fn review(input: &[u8]) {
    const PLIES: usize = 40;
    let analyse = |game: &rukh_chess::game::Game| {
        let position = game.position();
        let score = static_score(&Evaluation::Classical, position);
        let pv = position.legal_moves().iter().copied().take(1).collect();
        Ok::<_, Infallible>(PositionAnalysis { score, wdl: wdl(score, position.fullmove_number()), pv })
    };
    let decoded = decode(input);
    for (number, game) in Games::new(&decoded).flatten().take(3).enumerate() {
        if game.moves().count() > PLIES {
            continue;
        }
        let Ok(review) = Review::new(&game.game(), analyse);
        assert!(!text::report(number, &game, &review).is_empty());
        assert!(!text::summary(number, &game, &review).is_empty());
        let mut annotated = game.clone();
        annotate(&mut annotated, &review, "fuzz");
        let written = annotated.to_string();
        let again = Games::new(&written).next().expect("there is a game").expect("it can be read again");
        assert_eq!(again.game().moves(), game.game().moves());
        assert!(page("fuzz", &[(game, review)]).contains("</html>"));
    }
}
