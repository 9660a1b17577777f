//! Lines to commands.
//!
//! Bad input gives a complaint and no command; nothing here can fail.

use std::time::Duration;

use crate::codec::Reading;
use crate::command::{Command, Conduct, Selection};
use crate::options::{Declaration, Kind};
use crate::words::Words;

/// What changes nothing for this engine: courtesies, and answers to features.
const NOTHING: [&str; 14] = [
    "xboard", "accepted", "rejected", "random", "computer", "name", "rating", "ics", "white", "black",
    "hover", "lift", "put", "bkgd",
];

/// Understands a line.
pub(super) fn read(line: &str) -> Reading {
    let mut words = Words::new(line);
    let Some(word) = words.next() else { return Reading::default() };
    if NOTHING.contains(&word) || word.starts_with('#') {
        return Reading::default();
    }
    match read_plain(word).or_else(|| read_with_value(word, words)) {
        Some(command) => Reading { commands: vec![command], complaints: Vec::new() },
        None => {
            let clause = if is_known(word) { "its values make no sense" } else { "unknown command" };
            Reading { commands: Vec::new(), complaints: vec![clause.to_owned()] }
        }
    }
}

fn game(conduct: Conduct) -> Option<Command> {
    Some(Command::Game(conduct))
}

/// Commands of one word; also a move without `usermove` before it.
fn read_plain(word: &str) -> Option<Command> {
    match word {
        "quit" => Some(Command::Quit),
        "new" => game(Conduct::New),
        "force" => game(Conduct::Force),
        "go" => game(Conduct::Go),
        "playother" => game(Conduct::PlayOther),
        "analyze" | "analyse" => game(Conduct::Analyse),
        "exit" => game(Conduct::EndAnalysis),
        "." => game(Conduct::Status),
        "?" => game(Conduct::MoveNow),
        "undo" => game(Conduct::TakeBack(1)),
        "remove" => game(Conduct::TakeBack(2)),
        "draw" => game(Conduct::OfferDraw),
        "hint" => game(Conduct::Hint),
        "bk" => game(Conduct::Book),
        "hard" => game(Conduct::Ponder(true)),
        "easy" => game(Conduct::Ponder(false)),
        "post" => game(Conduct::Post(true)),
        "nopost" => game(Conduct::Post(false)),
        "pause" => game(Conduct::Pause),
        "resume" => game(Conduct::Resume),
        "result" => game(Conduct::End),
        word if looks_like_move(word) => game(Conduct::Move(word.to_owned())),
        _ => None,
    }
}

/// Commands that need a value.
const WITH_VALUE: [&str; 17] = [
    "protover", "usermove", "setboard", "variant", "level", "st", "sd", "nps", "time", "otim", "ping",
    "include", "exclude", "memory", "cores", "egtpath", "option",
];

fn is_known(word: &str) -> bool {
    WITH_VALUE.contains(&word)
}

fn read_with_value(word: &str, mut words: Words<'_>) -> Option<Command> {
    let rest = words.rest();
    let first = words.next()?;
    match word {
        "protover" => Some(Command::Identify),
        "usermove" => game(Conduct::Move(first.to_owned())),
        "setboard" => game(Conduct::SetUp(rest.to_owned())),
        "variant" => game(Conduct::Variant(first.to_owned())),
        "level" => read_level(first, words),
        "st" => game(Conduct::MoveTime(minutes_or_seconds(first, Duration::from_secs(1))?)),
        "sd" => game(Conduct::Depth(first.parse().ok().map(|depth: u32| (depth > 0).then_some(depth))?)),
        "nps" => game(Conduct::NodeRate(first.parse().ok().map(|rate: u64| (rate > 0).then_some(rate))?)),
        "time" => game(Conduct::OwnTime(hundredths(first)?)),
        "otim" => game(Conduct::TheirTime(hundredths(first)?)),
        "ping" => game(Conduct::Ping(first.parse().ok()?)),
        "include" | "exclude" => {
            let moves = match first {
                "all" => Selection::All,
                "best" => Selection::Best,
                mv => Selection::One(mv.to_owned()),
            };
            game(Conduct::Consider { moves, is_in: word == "include" })
        }
        "memory" => Some(set("Hash", first)),
        "cores" => Some(set("Threads", first)),
        "egtpath" if first == "syzygy" => Some(set("SyzygyPath", words.rest())),
        "option" => Some(read_option(rest)),
        _ => None,
    }
}

fn set(name: &str, value: &str) -> Command {
    Command::SetOption { name: name.to_owned(), value: Some(value.to_owned()) }
}

/// `NAME=VALUE`, or `NAME` for a button; yes and no are 1 and 0.
fn read_option(text: &str) -> Command {
    let Some((name, value)) = text.split_once('=') else {
        return Command::SetOption { name: text.to_owned(), value: None };
    };
    let is_check = Declaration::find(name).is_some_and(|option| matches!(option.kind, Kind::Check { .. }));
    match value.trim() {
        "1" if is_check => set(name, "true"),
        "0" if is_check => set(name, "false"),
        value => set(name, value),
    }
}

/// `level MOVES BASE INCREMENT`: minutes or minutes:seconds, and seconds.
fn read_level(moves: &str, mut words: Words<'_>) -> Option<Command> {
    let moves: u32 = moves.parse().ok()?;
    let base = minutes_or_seconds(words.next()?, Duration::from_secs(60))?;
    let increment = minutes_or_seconds(words.next()?, Duration::from_secs(1))?;
    game(Conduct::Level { moves: (moves > 0).then_some(moves), base, increment })
}

/// A number of `unit`s, or minutes:seconds.
fn minutes_or_seconds(text: &str, unit: Duration) -> Option<Duration> {
    let number = |text: &str| text.parse::<f64>().ok().filter(|number| (0.0..1e9).contains(number));
    match text.split_once(':') {
        Some((minutes, seconds)) => Some(Duration::from_secs_f64(60.0 * number(minutes)? + number(seconds)?)),
        None => Some(unit.mul_f64(number(text)?)),
    }
}

/// Hundredths of a second; a clock that has run out may be below zero.
fn hundredths(text: &str) -> Option<Duration> {
    let number: i64 = text.parse().ok()?;
    Some(Duration::from_millis(10 * number.clamp(0, i64::from(u32::MAX)) as u64))
}

/// Whether a word can only be meant as a move.
fn looks_like_move(word: &str) -> bool {
    let bytes = word.as_bytes();
    let is_square = |at: usize| (b'a'..=b'h').contains(&bytes[at]) && (b'1'..=b'8').contains(&bytes[at + 1]);
    word.starts_with("O-O") || (matches!(bytes.len(), 4 | 5) && is_square(0) && is_square(2))
}
