//! The explanation of one move.

use std::path::Path;
use std::process::ExitCode;

use rukh_chess::game::Game;
use rukh_chess::notation::pgn::{Games, decode};
use rukh_chess::{Color, Move, Position};
use rukh_explain::claims::explain::explain;
use rukh_explain::claims::question::Question;

use super::args::{Args, NODES};
use super::print;
use crate::finish::Finish;
use crate::output::print_line;
use crate::text::read_bytes;

/// A position of a game with its last move, and the move to explain.
struct Asked {
    game: Game,
    mv: Option<Move>,
}

/// Explains a move.
pub(super) fn run(args: &Args) -> Finish {
    let asked = asked(args)?;
    let position = asked.game.position();
    if position.legal_moves().is_empty() {
        return Err("there is no legal move in this position".to_owned().into());
    }
    let against = args.against.as_ref().map(|text| read_move(position, text)).transpose()?;
    let mut analyst = args.analyst(args.nodes.unwrap_or(NODES))?;
    let question = Question { position, previous: previous(&asked.game), mv: asked.mv, against };
    let answer = explain(&question, &mut analyst).ok_or_else(|| "the search found no line".to_owned())?;
    print_line(&if args.json {
        print::as_json(&answer, args).to_string()
    } else {
        print::as_text(&answer, args)
    })?;
    Ok(ExitCode::SUCCESS)
}

/// The last move of a game, with the position before it.
pub(super) fn previous(game: &Game) -> Option<(&Position, Move)> {
    let at = game.moves().len().checked_sub(1)?;
    Some((&game.positions()[at], game.moves()[at]))
}

/// A move in SAN or UCI.
pub(super) fn read_move(position: &Position, text: &str) -> Result<Move, String> {
    position.parse_san(text).or_else(|error| position.parse_uci(text).map_err(|_| error.to_string()))
}

fn asked(args: &Args) -> Result<Asked, String> {
    match &args.pgn {
        Some(file) => asked_in_game(file, args),
        None => {
            let position = match &args.fen {
                Some(fen) => fen.parse::<Position>().map_err(|error| error.to_string())?,
                None => Position::default(),
            };
            if args.moves.len() > 1 {
                return Err("one move can be explained at a time; --against names another".to_owned());
            }
            let mv = args.moves.first().map(|text| read_move(&position, text)).transpose()?;
            Ok(Asked { game: Game::new(position), mv })
        }
    }
}

/// A move of a game: the one with the number, or another one in its place.
fn asked_in_game(file: &Path, args: &Args) -> Result<Asked, String> {
    let game = read_game(file, args.game)?;
    let (numbers, moves): (Vec<_>, Vec<_>) = args.moves.iter().partition(|text| move_number(text).is_some());
    let ([number], [] | [_]) = (numbers.as_slice(), moves.as_slice()) else {
        return Err("with --pgn name the number of one move, such as --move 12 or --move 12...".to_owned());
    };
    let (number, side) = move_number(number).expect("it was parsed before");
    let at = game
        .positions()
        .iter()
        .position(|position| (position.fullmove_number(), position.side_to_move()) == (number, side));
    let at = at.filter(|&at| at < game.moves().len()).ok_or_else(|| {
        let dots = if side == Color::White { "." } else { "..." };
        format!("the game has no move {number}{dots}; it has {} half-moves", game.moves().len())
    })?;
    let mut here = Game::new(game.start().clone());
    for &mv in &game.moves()[..at] {
        here.play(mv).map_err(|error| error.to_string())?;
    }
    let mv = match moves.first() {
        Some(text) => read_move(here.position(), text)?,
        None => game.moves()[at],
    };
    Ok(Asked { game: here, mv: Some(mv) })
}

/// The number of a move: `12` and `12.` for White, `12...` for Black.
fn move_number(text: &str) -> Option<(u32, Color)> {
    let number = text.trim_end_matches('.');
    let side = match text.len() - number.len() {
        0 | 1 => Color::White,
        3 => Color::Black,
        _ => return None,
    };
    number.parse().ok().map(|number| (number, side))
}

/// The game with this number in a file.
fn read_game(file: &Path, number: usize) -> Result<Game, String> {
    let bytes = read_bytes(file)?;
    let text = decode(&bytes);
    let game = number.checked_sub(1).and_then(|at| Games::new(&text).nth(at));
    let game = game.ok_or_else(|| format!("there is no game {number} in {}", file.display()))?;
    Ok(game.map_err(|error| error.to_string())?.game())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_moves_name_a_side() {
        assert_eq!(move_number("12"), Some((12, Color::White)));
        assert_eq!(move_number("12."), Some((12, Color::White)));
        assert_eq!(move_number("12..."), Some((12, Color::Black)));
        for text in ["", "Nf3", "12..", "O-O", "0-0", "-1"] {
            assert_eq!(move_number(text), None, "{text}");
        }
    }
}
