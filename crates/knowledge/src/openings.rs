//! Names of openings, with ECO codes.
//!
//! A name belongs to a position, not to a move order, so transpositions are recognised.

use std::collections::HashMap;

use rukh_chess::Position;
use rukh_chess::game::Game;

/// The list: ECO code, name and moves on each line.
const LIST: &str = include_str!("openings.txt");

/// An opening.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Opening {
    /// The ECO code, such as `C50`.
    pub code: &'static str,
    /// The name, with a variation after a colon.
    pub name: &'static str,
}

/// The openings by position.
#[derive(Clone, Debug)]
pub struct Openings {
    by_key: HashMap<u64, Opening>,
}

impl Openings {
    /// The openings of the built-in list.
    pub fn new() -> Self {
        let by_key = lines().map(|(opening, moves)| (position_after(moves).key(), opening)).collect();
        Self { by_key }
    }

    /// The opening whose moves lead to this position.
    pub fn of_position(&self, position: &Position) -> Option<Opening> {
        self.by_key.get(&position.key()).copied()
    }

    /// The opening of a game: that of its last named position.
    pub fn of_game(&self, game: &Game) -> Option<Opening> {
        game.positions().iter().rev().find_map(|position| self.of_position(position))
    }
}

impl Default for Openings {
    fn default() -> Self {
        Self::new()
    }
}

/// The openings of the list with their moves.
fn lines() -> impl Iterator<Item = (Opening, &'static str)> {
    LIST.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let mut parts = line.split(" | ");
        let mut part = || parts.next().expect("a line of the list has three parts");
        (Opening { code: part(), name: part() }, part())
    })
}

fn position_after(moves: &str) -> Position {
    let mut position = Position::default();
    for text in moves.split(' ') {
        let mv = position.parse_san(text).expect("the moves of the list are legal");
        position.make(mv, &mut ());
    }
    position
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn game(moves: &str) -> Game {
        let mut game = Game::default();
        for text in moves.split(' ') {
            let mv = game.position().parse_san(text).expect("the test has legal moves");
            game.play(mv).expect("it was read as a legal move");
        }
        game
    }

    #[test]
    fn every_line_is_legal_and_has_its_own_name_and_position() {
        let (mut names, mut keys) = (HashSet::new(), HashSet::new());
        for (opening, moves) in lines() {
            let mut position = Position::default();
            for text in moves.split(' ') {
                let mv = position.parse_san(text).unwrap_or_else(|error| panic!("{}: {error}", opening.name));
                assert_eq!(position.san(mv), text, "{} has moves in standard notation", opening.name);
                position.make(mv, &mut ());
            }
            let (volume, number) = opening.code.split_at(1);
            assert!(("A"..="E").contains(&volume) && number.len() == 2, "{opening:?}");
            assert!(number.bytes().all(|digit| digit.is_ascii_digit()), "{opening:?}");
            assert!(names.insert(opening.name), "{} has two lines", opening.name);
            assert!(keys.insert(position.key()), "{} has the position of another one", opening.name);
        }
        assert!(names.len() >= 200, "there are only {}", names.len());
    }

    #[test]
    fn transpositions_have_the_same_name() {
        let openings = Openings::new();
        let name = |moves: &str| openings.of_game(&game(moves)).map(|opening| opening.name);
        assert_eq!(name("d4 Nf6 c4 e6 Nc3 d5"), name("d4 d5 c4 e6 Nc3 Nf6"));
        assert_eq!(name("e4 e5 Nf3 Nc6 Bb5"), Some("Ruy Lopez"));
    }

    #[test]
    fn a_game_has_the_name_of_its_last_named_position() {
        let openings = Openings::new();
        let known = openings.of_game(&game("e4 e5 Nf3 Nc6 Bc4 Bc5")).expect("the opening has a name");
        let later = game("e4 e5 Nf3 Nc6 Bc4 Bc5 h3 h6 a3 a6");
        assert_eq!((known.code, known.name), ("C50", "Italian Game: Giuoco Piano"));
        assert_eq!(openings.of_game(&later), Some(known));
        assert_eq!(openings.of_position(later.position()), None);
        assert_eq!(openings.of_game(&Game::default()), None);
    }
}
