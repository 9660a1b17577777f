//! XBoard lines to commands.
//!
//! Decoding never fails: bad input becomes an error and no command.

use std::time::Duration;

use crate::codec::DecodedLine;
use crate::command::{Command, GameCommand, MoveSelection};
use crate::options::{Declaration, OptionKind};
use crate::tokens::Tokens;

/// Commands that this engine ignores: information about the opponent, and answers to features.
const IGNORED_COMMANDS: [&str; 14] = [
    "xboard", "accepted", "rejected", "random", "computer", "name", "rating", "ics", "white", "black",
    "hover", "lift", "put", "bkgd",
];

/// Decodes a line.
pub(super) fn decode(line: &str) -> DecodedLine {
    let mut tokens = Tokens::new(line);
    let Some(word) = tokens.next() else { return DecodedLine::default() };
    if IGNORED_COMMANDS.contains(&word) || word.starts_with('#') {
        return DecodedLine::default();
    }
    match decode_single_word(word).or_else(|| decode_with_value(word, tokens)) {
        Some(command) => DecodedLine { commands: vec![command], errors: Vec::new() },
        None => {
            let clause = if needs_value(word) { "invalid value" } else { "unknown command" };
            DecodedLine { commands: Vec::new(), errors: vec![clause.to_owned()] }
        }
    }
}

fn game(command: GameCommand) -> Option<Command> {
    Some(Command::Game(command))
}

/// Commands of one word, and moves without `usermove`.
fn decode_single_word(word: &str) -> Option<Command> {
    match word {
        "quit" => Some(Command::Quit),
        "new" => game(GameCommand::New),
        "force" => game(GameCommand::Force),
        "go" => game(GameCommand::Go),
        "playother" => game(GameCommand::PlayOther),
        "analyze" | "analyse" => game(GameCommand::Analyse),
        "exit" => game(GameCommand::EndAnalysis),
        "." => game(GameCommand::Status),
        "?" => game(GameCommand::MoveNow),
        "undo" => game(GameCommand::TakeBack(1)),
        "remove" => game(GameCommand::TakeBack(2)),
        "draw" => game(GameCommand::OfferDraw),
        "hint" => game(GameCommand::Hint),
        "bk" => game(GameCommand::Book),
        "hard" => game(GameCommand::Ponder(true)),
        "easy" => game(GameCommand::Ponder(false)),
        "post" => game(GameCommand::Post(true)),
        "nopost" => game(GameCommand::Post(false)),
        "pause" => game(GameCommand::Pause),
        "resume" => game(GameCommand::Resume),
        "result" => game(GameCommand::GameOver),
        word if looks_like_move(word) => game(GameCommand::Move(word.to_owned())),
        _ => None,
    }
}

/// Commands that need a value.
const WITH_VALUE: [&str; 17] = [
    "protover", "usermove", "setboard", "variant", "level", "st", "sd", "nps", "time", "otim", "ping",
    "include", "exclude", "memory", "cores", "egtpath", "option",
];

fn needs_value(word: &str) -> bool {
    WITH_VALUE.contains(&word)
}

fn decode_with_value(word: &str, mut tokens: Tokens<'_>) -> Option<Command> {
    let rest = tokens.rest();
    let first = tokens.next()?;
    match word {
        "protover" => Some(Command::Identify),
        "usermove" => game(GameCommand::Move(first.to_owned())),
        "setboard" => game(GameCommand::SetBoard(rest.to_owned())),
        "variant" => game(GameCommand::Variant(first.to_owned())),
        "level" => decode_level(first, tokens),
        "st" => game(GameCommand::MoveTime(parse_time(first, Duration::from_secs(1))?)),
        "sd" => game(GameCommand::Depth(first.parse().ok().map(|depth: u32| (depth > 0).then_some(depth))?)),
        "nps" => game(GameCommand::NodeRate(first.parse().ok().map(|rate: u64| (rate > 0).then_some(rate))?)),
        "time" => game(GameCommand::EngineTime(parse_centiseconds(first)?)),
        "otim" => game(GameCommand::OpponentTime(parse_centiseconds(first)?)),
        "ping" => game(GameCommand::Ping(first.parse().ok()?)),
        "include" | "exclude" => {
            let moves = match first {
                "all" => MoveSelection::All,
                "best" => MoveSelection::Best,
                mv => MoveSelection::One(mv.to_owned()),
            };
            game(GameCommand::Exclude { moves, is_excluded: word == "exclude" })
        }
        "memory" => Some(set("Hash", first)),
        "cores" => Some(set("Threads", first)),
        "egtpath" if first == "syzygy" => Some(set("SyzygyPath", tokens.rest())),
        "option" => Some(decode_option(rest)),
        _ => None,
    }
}

fn set(name: &str, value: &str) -> Command {
    Command::SetOption { name: name.to_owned(), value: Some(value.to_owned()) }
}

/// `NAME=VALUE`, or `NAME` for a button. Booleans are 1 and 0.
fn decode_option(text: &str) -> Command {
    let Some((name, value)) = text.split_once('=') else {
        return Command::SetOption { name: text.to_owned(), value: None };
    };
    let is_check =
        Declaration::find(name).is_some_and(|option| matches!(option.kind, OptionKind::Check { .. }));
    match value.trim() {
        "1" if is_check => set(name, "true"),
        "0" if is_check => set(name, "false"),
        value => set(name, value),
    }
}

/// `level MOVES BASE INCREMENT`: minutes or minutes:seconds, and seconds.
fn decode_level(moves: &str, mut tokens: Tokens<'_>) -> Option<Command> {
    let moves: u32 = moves.parse().ok()?;
    let base = parse_time(tokens.next()?, Duration::from_secs(60))?;
    let increment = parse_time(tokens.next()?, Duration::from_secs(1))?;
    game(GameCommand::Level { moves: (moves > 0).then_some(moves), base, increment })
}

/// Parses a number of `unit`s, or minutes:seconds.
fn parse_time(text: &str, unit: Duration) -> Option<Duration> {
    let number = |text: &str| text.parse::<f64>().ok().filter(|number| (0.0..1e9).contains(number));
    match text.split_once(':') {
        Some((minutes, seconds)) => Some(Duration::from_secs_f64(60.0 * number(minutes)? + number(seconds)?)),
        None => Some(unit.mul_f64(number(text)?)),
    }
}

/// Parses centiseconds; a clock after the flag has fallen may be negative.
fn parse_centiseconds(text: &str) -> Option<Duration> {
    let number: i64 = text.parse().ok()?;
    Some(Duration::from_millis(10 * number.clamp(0, i64::from(u32::MAX)) as u64))
}

/// Whether a word has the form of a move.
fn looks_like_move(word: &str) -> bool {
    let bytes = word.as_bytes();
    let is_square = |at: usize| (b'a'..=b'h').contains(&bytes[at]) && (b'1'..=b'8').contains(&bytes[at + 1]);
    word.starts_with("O-O") || (matches!(bytes.len(), 4 | 5) && is_square(0) && is_square(2))
}
