//! Typed commands: their words, help text and parser.

use std::path::PathBuf;

use rukh_chess::{Move, Position, Square};
use rukh_play::skill::{Skill, read_elo, read_level};

use super::moves;

/// A command as typed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum TypedCommand {
    /// A legal move.
    Move(Move),
    /// Draws the board.
    Board,
    /// Lists the commands.
    Help,
    /// Asks for a good move.
    Hint,
    /// Asks who stands better.
    Eval,
    /// Explains a move of the present position; `None` for the last move of the game.
    Explain(Option<Move>),
    /// Lists all legal moves, or those of the piece on a square.
    Moves(Option<Square>),
    /// Takes back a move.
    TakeBack,
    /// Offers or accepts a draw.
    Draw,
    /// Resigns.
    Resign,
    /// Turns the board.
    Flip,
    /// Prints the position.
    Fen,
    /// Prints the game.
    Pgn,
    /// Writes the game to a file.
    Save(PathBuf),
    /// Resumes the last game of a file.
    Load(PathBuf),
    /// Sets the strength; `None` prints it.
    Strength(Option<Skill>),
    /// Starts another game.
    New,
    /// Leaves.
    Quit,
}

/// A command word with its argument and description, for help, completion and suggestions.
struct Word {
    name: &'static str,
    argument: &'static str,
    does: &'static str,
}

const fn word(name: &'static str, argument: &'static str, does: &'static str) -> Word {
    Word { name, argument, does }
}

const GROUPS: [(&str, &[Word]); 4] = [
    (
        "View",
        &[
            word("board", "", "draw the board; so does Enter"),
            word("moves", "[SQUARE]", "list the legal moves, or those of one piece: moves e2"),
            word("flip", "", "turn the board"),
        ],
    ),
    (
        "Ask",
        &[
            word("hint", "", "a good move, and what may follow"),
            word("eval", "", "who stands better"),
            word("explain", "[MOVE]", "why the last move was played, or what a move does"),
            word("level", "[0..20]", "show or set the strength of the engine"),
            word("elo", "[RATING]", "the same as an Elo rating"),
        ],
    ),
    (
        "Play",
        &[
            word("takeback", "", "take back your last move; so does undo"),
            word("draw", "", "offer a draw, or accept an offer"),
            word("resign", "", "resign the game"),
            word("new", "", "start another game with the same settings"),
        ],
    ),
    (
        "Save",
        &[
            word("fen", "", "print the position as FEN"),
            word("pgn", "", "print the game as PGN"),
            word("save", "FILE", "write the game to a new PGN file"),
            word("load", "FILE", "resume the last game of a PGN file"),
            word("quit", "", "leave; the game is saved, rukh play --resume resumes it"),
        ],
    ),
];

/// Aliases.
const ALIASES: [(&str, &str); 8] = [
    ("why", "explain"),
    ("undo", "takeback"),
    ("back", "takeback"),
    ("exit", "quit"),
    ("q", "quit"),
    ("?", "help"),
    ("show", "board"),
    ("evaluate", "eval"),
];

fn words() -> impl Iterator<Item = &'static Word> {
    GROUPS.iter().flat_map(|(_, words)| words.iter())
}

/// The command words.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    words().map(|word| word.name).chain(["help"])
}

/// The help text: all commands in groups.
pub(super) fn help() -> String {
    const COLUMN: usize = 19;
    let mut text = "A move: e4, Nf3, exd5, O-O, e8=Q, or its two squares: e2e4. Tab completes.\n".to_owned();
    for (title, words) in GROUPS {
        for (place, word) in words.iter().enumerate() {
            let title = if place == 0 { title } else { "" };
            let call = format!("{} {}", word.name, word.argument);
            text.push_str(&format!("{title:<5} {call:<COLUMN$}{}\n", word.does));
        }
    }
    text + "Ctrl-C while the engine thinks makes it move at once."
}

/// Parses a line, or explains what is wrong with it.
pub(super) fn read(line: &str, position: &Position) -> Result<TypedCommand, String> {
    let line = line.trim();
    let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let lower = first.to_lowercase();
    let name = ALIASES.iter().find(|(alias, _)| *alias == lower).map_or(lower.as_str(), |(_, name)| name);
    let needs_none = |command| match rest {
        "" => Ok(command),
        _ => Err(format!("{name} takes no argument, but there is {rest:?}")),
    };
    let path = || match rest {
        "" => Err(format!("{name} needs a file name: {name} game.pgn")),
        path => Ok(PathBuf::from(path)),
    };
    let strength = |read: fn(&str) -> Result<Skill, String>| {
        Ok(TypedCommand::Strength((!rest.is_empty()).then(|| read(rest)).transpose()?))
    };
    match name {
        "" | "board" => needs_none(TypedCommand::Board),
        "help" => needs_none(TypedCommand::Help),
        "hint" => needs_none(TypedCommand::Hint),
        "eval" => needs_none(TypedCommand::Eval),
        "explain" if rest.is_empty() => Ok(TypedCommand::Explain(None)),
        "explain" => moves::read(position, rest).map(|mv| TypedCommand::Explain(Some(mv))),
        "moves" if rest.is_empty() => Ok(TypedCommand::Moves(None)),
        "moves" => match rest.to_lowercase().parse() {
            Ok(square) => Ok(TypedCommand::Moves(Some(square))),
            Err(_) => Err(format!("{rest:?} is not a square such as e2")),
        },
        "takeback" => needs_none(TypedCommand::TakeBack),
        "draw" => needs_none(TypedCommand::Draw),
        "resign" => needs_none(TypedCommand::Resign),
        "flip" => needs_none(TypedCommand::Flip),
        "fen" => needs_none(TypedCommand::Fen),
        "pgn" => needs_none(TypedCommand::Pgn),
        "save" => path().map(TypedCommand::Save),
        "load" => path().map(TypedCommand::Load),
        "level" => strength(read_level),
        "elo" => strength(read_elo),
        "new" => needs_none(TypedCommand::New),
        "quit" => needs_none(TypedCommand::Quit),
        _ => read_move(line, first, position),
    }
}

fn read_move(line: &str, first: &str, position: &Position) -> Result<TypedCommand, String> {
    // A move copied from a score sheet has its number.
    let bare = line.trim_start_matches(|sign: char| sign.is_ascii_digit() && !line.starts_with("0-0"));
    let bare = if bare.starts_with('.') { bare.trim_start_matches('.').trim_start() } else { line };
    if moves::is_like_a_move(position, bare) {
        return moves::read(position, bare).map(TypedCommand::Move);
    }
    Err(match nearest(&first.to_lowercase()) {
        Some(near) => format!("{first:?} is neither a move nor a command; did you mean {near}?"),
        None => format!("{line:?} is neither a move such as e4 or Nf3 nor a command; type help for a list"),
    })
}

/// The command that is nearest to a misspelt word.
fn nearest(typed: &str) -> Option<&'static str> {
    const MIN_PREFIX: usize = 2;
    let begins = |name: &&str| typed.len() >= MIN_PREFIX && name.starts_with(typed);
    names().find(begins).or_else(|| {
        let (distance, name) = names().map(|name| (distance(typed, name), name)).min()?;
        // At most a third of the letters may be wrong.
        (3 * distance <= name.len()).then_some(name)
    })
}

/// The edit distance with transpositions (Damerau-Levenshtein) of two words.
fn distance(first: &str, second: &str) -> usize {
    let (first, second): (Vec<_>, Vec<_>) = (first.chars().collect(), second.chars().collect());
    let mut table = vec![vec![0; second.len() + 1]; first.len() + 1];
    for i in 0..=first.len() {
        for j in 0..=second.len() {
            if i == 0 || j == 0 {
                table[i][j] = i + j;
                continue;
            }
            let changed = table[i - 1][j - 1] + usize::from(first[i - 1] != second[j - 1]);
            table[i][j] = changed.min(table[i - 1][j] + 1).min(table[i][j - 1] + 1);
            let is_swapped = i > 1 && j > 1 && first[i - 1] == second[j - 2] && first[i - 2] == second[j - 1];
            if is_swapped {
                table[i][j] = table[i][j].min(table[i - 2][j - 2] + 1);
            }
        }
    }
    table[first.len()][second.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(line: &str) -> Result<TypedCommand, String> {
        read(line, &Position::default())
    }

    #[test]
    fn every_word_of_the_help_is_parsed() {
        for name in names() {
            let argument = match name {
                "save" | "load" => " game.pgn",
                _ => "",
            };
            let read = command(&format!("{name}{argument}"));
            assert!(
                matches!(&read, Ok(command) if !matches!(command, TypedCommand::Move(_))),
                "{name}: {read:?}"
            );
            assert!(name == "help" || help().contains(&format!(" {name} ")), "{name} is not in the help");
        }
        for (alias, name) in ALIASES {
            assert_eq!(command(alias), command(name), "{alias}");
        }
    }

    #[test]
    fn commands_take_arguments() {
        assert_eq!(command("moves E2"), Ok(TypedCommand::Moves(Some(Square::E2))));
        assert_eq!(command("level 5"), Ok(TypedCommand::Strength(Some(Skill::Level(5)))));
        assert_eq!(command("elo 1500"), Ok(TypedCommand::Strength(Some(Skill::Elo(1_500)))));
        assert_eq!(command("save my game.pgn"), Ok(TypedCommand::Save("my game.pgn".into())));
        assert_eq!(command(""), Ok(TypedCommand::Board));
        assert_eq!(command("  HINT "), Ok(TypedCommand::Hint));
        for (line, sentence) in [
            ("moves z9", "\"z9\" is not a square such as e2"),
            ("level 99", "\"99\" is not a level from 0 to 20"),
            ("save", "save needs a file name: save game.pgn"),
            ("resign now", "resign takes no argument, but there is \"now\""),
        ] {
            assert_eq!(command(line), Err(sentence.to_owned()));
        }
    }

    #[test]
    fn moves_may_have_their_number() {
        let e4 = command("e4");
        assert!(matches!(e4, Ok(TypedCommand::Move(_))));
        assert_eq!(command("1. e4"), e4);
        assert_eq!(command("1.e4"), e4);
        assert!(command("0-0").is_err_and(|error| error.contains("castling")));
    }

    #[test]
    fn a_misspelt_command_gets_a_suggestion() {
        for (typed, near) in
            [("hnit", "hint"), ("resing", "resign"), ("tak", "takeback"), ("qiut", "quit"), ("hlep", "help")]
        {
            let sentence = format!("{typed:?} is neither a move nor a command; did you mean {near}?");
            assert_eq!(command(typed), Err(sentence));
        }
        assert!(command("xyzzy").is_err_and(|error| error.contains("type help for a list")));
    }

    #[test]
    fn edit_distances() {
        assert_eq!(distance("hint", "hint"), 0);
        assert_eq!(distance("hnit", "hint"), 1);
        assert_eq!(distance("", "fen"), 3);
        assert_eq!(distance("board", "bord"), 1);
    }
}
