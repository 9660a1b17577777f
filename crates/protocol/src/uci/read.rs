//! Lines to commands.
//!
//! Bad input gives a complaint and as much of a command as can be meant; nothing here can fail.

use rukh_chess::notation::Quoted;

use super::go;
use crate::codec::Reading;
use crate::command::{Command, Start};
use crate::words::Words;

/// The commands of UCI. Unknown words before one of them are passed over, as UCI demands.
const COMMANDS: [&str; 12] = [
    "uci",
    "xboard",
    "debug",
    "isready",
    "setoption",
    "register",
    "ucinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "quit",
];
/// Commands for people. They are heard only at the beginning of a line: as words they are too common.
const EXTRAS: [&str; 8] = ["d", "eval", "flip", "perft", "bench", "genfens", "spsa", "help"];

/// Whether a line may begin with this word.
pub fn is_command(word: &str) -> bool {
    COMMANDS.contains(&word) || EXTRAS.contains(&word)
}

/// Understands a line.
pub(super) fn read(line: &str) -> Reading {
    let mut words = Words::new(line);
    let whole = words.rest();
    // A comment, in a script.
    if whole.is_empty() || whole.starts_with('#') {
        return Reading::default();
    }
    if let Some(extra) = words.peek().filter(|first| EXTRAS.contains(first)) {
        words.next();
        return read_extra(extra, words);
    }
    let mut before = whole;
    while let Some(word) = words.next() {
        if COMMANDS.contains(&word) {
            let mut reading = read_command(word, words);
            if before != whole {
                let skipped = whole[..whole.len() - before.len()].trim();
                reading.complaints.insert(0, format!("{} was passed over", Quoted::new(skipped)));
            }
            return reading;
        }
        before = words.rest();
    }
    complaint(format!("{} is not a command; help lists them all", Quoted::new(whole)))
}

fn command(command: Command) -> Reading {
    Reading { commands: vec![command], complaints: Vec::new() }
}

fn complaint(clause: String) -> Reading {
    Reading { commands: Vec::new(), complaints: vec![clause] }
}

fn read_command(name: &str, words: Words<'_>) -> Reading {
    match name {
        "uci" => command(Command::Identify),
        "xboard" => command(Command::SpeakXboard),
        "debug" => read_debug(words),
        "isready" => command(Command::IsReady),
        "setoption" => read_option(words),
        "ucinewgame" => command(Command::NewGame),
        "position" => read_position(words),
        "go" => go::read(words),
        "stop" => command(Command::Stop),
        "ponderhit" => command(Command::PonderHit),
        "quit" => command(Command::Quit),
        // There is nothing to register.
        _ => Reading::default(),
    }
}

fn read_extra(name: &str, words: Words<'_>) -> Reading {
    match name {
        "d" => command(Command::Display),
        "eval" => command(Command::Eval),
        "flip" => command(Command::Flip),
        "perft" => go::read_perft(words),
        "bench" => command(Command::Bench { arguments: words.map(str::to_owned).collect() }),
        "genfens" => command(Command::Openings { arguments: words.map(str::to_owned).collect() }),
        "spsa" => command(Command::Tunables),
        _ => command(Command::Help),
    }
}

fn read_debug(mut words: Words<'_>) -> Reading {
    match words.next() {
        Some("on") => command(Command::Debug(true)),
        Some("off") => command(Command::Debug(false)),
        _ => complaint("debug is on or off".to_owned()),
    }
}

/// `setoption name NAME [value VALUE]`, where both may have spaces.
fn read_option(mut words: Words<'_>) -> Reading {
    if words.next() != Some("name") {
        return complaint("an option is set by: setoption name NAME value VALUE".to_owned());
    }
    let mut name = Vec::new();
    let mut value = None;
    while let Some(word) = words.next() {
        if word == "value" {
            value = Some(words.rest().to_owned()).filter(|value| !value.is_empty());
            break;
        }
        name.push(word);
    }
    if name.is_empty() {
        return complaint("the option to be set has no name".to_owned());
    }
    command(Command::SetOption { name: name.join(" "), value })
}

/// `position startpos|fen FEN [moves ...]`. A position is taken as a whole or not at all.
fn read_position(mut words: Words<'_>) -> Reading {
    let start = match words.next() {
        Some("startpos") => match words.next() {
            None | Some("moves") => Start::Standard,
            Some(word) => {
                return complaint(format!(
                    "the position stays: startpos is followed by moves, not {}",
                    Quoted::new(word)
                ));
            }
        },
        Some("fen") => {
            let fields = words.by_ref().take_while(|&word| word != "moves").collect::<Vec<_>>();
            Start::Fen(fields.join(" "))
        }
        _ => return complaint("the position stays: it is given by startpos or fen".to_owned()),
    };
    command(Command::Position { start, moves: words.map(str::to_owned).collect() })
}
