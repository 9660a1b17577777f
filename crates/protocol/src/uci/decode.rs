//! UCI lines to commands.
//!
//! Decoding never fails: bad input becomes errors beside the part of the command that could be decoded.

use rukh_chess::notation::Quoted;

use super::go;
use crate::codec::DecodedLine;
use crate::command::{Command, StartPosition};
use crate::tokens::Tokens;

/// The commands of UCI. Unknown words before a command are skipped, as UCI requires.
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
/// Extensions for people. They are accepted only at the start of a line: as words they are too common.
const EXTENSIONS: [&str; 9] = ["d", "eval", "explain", "flip", "perft", "bench", "genfens", "spsa", "help"];

/// Whether this word is a command.
pub fn is_command(word: &str) -> bool {
    COMMANDS.contains(&word) || EXTENSIONS.contains(&word)
}

/// Decodes a line.
pub(super) fn decode(line: &str) -> DecodedLine {
    let mut tokens = Tokens::new(line);
    let whole = tokens.rest();
    // A comment in a script.
    if whole.is_empty() || whole.starts_with('#') {
        return DecodedLine::default();
    }
    if let Some(extension) = tokens.peek().filter(|first| EXTENSIONS.contains(first)) {
        tokens.next();
        return decode_extension(extension, tokens);
    }
    let mut before = whole;
    while let Some(word) = tokens.next() {
        if COMMANDS.contains(&word) {
            let mut decoded = decode_command(word, tokens);
            if before != whole {
                let skipped = whole[..whole.len() - before.len()].trim();
                decoded.errors.insert(0, format!("{} was skipped", Quoted::new(skipped)));
            }
            return decoded;
        }
        before = tokens.rest();
    }
    error(format!("{} is not a command; help lists them all", Quoted::new(whole)))
}

fn command(command: Command) -> DecodedLine {
    DecodedLine { commands: vec![command], errors: Vec::new() }
}

fn error(clause: String) -> DecodedLine {
    DecodedLine { commands: Vec::new(), errors: vec![clause] }
}

fn decode_command(name: &str, tokens: Tokens<'_>) -> DecodedLine {
    match name {
        "uci" => command(Command::Identify),
        "xboard" => command(Command::SwitchToXboard),
        "debug" => decode_debug(tokens),
        "isready" => command(Command::IsReady),
        "setoption" => decode_option(tokens),
        "ucinewgame" => command(Command::NewGame),
        "position" => decode_position(tokens),
        "go" => go::decode(tokens),
        "stop" => command(Command::Stop),
        "ponderhit" => command(Command::PonderHit),
        "quit" => command(Command::Quit),
        // `register`: the engine needs no registration.
        _ => DecodedLine::default(),
    }
}

fn decode_extension(name: &str, tokens: Tokens<'_>) -> DecodedLine {
    match name {
        "d" => command(Command::Display),
        "eval" => command(Command::Eval),
        "explain" => command(Command::Explain { arguments: tokens.map(str::to_owned).collect() }),
        "flip" => command(Command::Flip),
        "perft" => go::decode_perft(tokens),
        "bench" => command(Command::Bench { arguments: tokens.map(str::to_owned).collect() }),
        "genfens" => command(Command::Openings { arguments: tokens.map(str::to_owned).collect() }),
        "spsa" => command(Command::Tunables),
        _ => command(Command::Help),
    }
}

fn decode_debug(mut tokens: Tokens<'_>) -> DecodedLine {
    match tokens.next() {
        Some("on") => command(Command::Debug(true)),
        Some("off") => command(Command::Debug(false)),
        _ => error("debug is on or off".to_owned()),
    }
}

/// `setoption name NAME [value VALUE]`, where both may have spaces.
fn decode_option(mut tokens: Tokens<'_>) -> DecodedLine {
    if tokens.next() != Some("name") {
        return error("an option is set by: setoption name NAME value VALUE".to_owned());
    }
    let mut name = Vec::new();
    let mut value = None;
    while let Some(word) = tokens.next() {
        if word == "value" {
            value = Some(tokens.rest().to_owned()).filter(|value| !value.is_empty());
            break;
        }
        name.push(word);
    }
    if name.is_empty() {
        return error("the option to be set has no name".to_owned());
    }
    command(Command::SetOption { name: name.join(" "), value })
}

/// `position startpos|fen FEN [moves ...]`. The position is set as a whole or not at all.
fn decode_position(mut tokens: Tokens<'_>) -> DecodedLine {
    let start = match tokens.next() {
        Some("startpos") => match tokens.next() {
            None | Some("moves") => StartPosition::Standard,
            Some(word) => {
                return error(format!(
                    "the position is unchanged: startpos is followed by moves, not {}",
                    Quoted::new(word)
                ));
            }
        },
        Some("fen") => {
            let fields = tokens.by_ref().take_while(|&word| word != "moves").collect::<Vec<_>>();
            StartPosition::Fen(fields.join(" "))
        }
        _ => return error("the position is unchanged: it is given by startpos or fen".to_owned()),
    };
    command(Command::Position { start, moves: tokens.map(str::to_owned).collect() })
}
