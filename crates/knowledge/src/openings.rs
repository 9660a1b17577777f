//! Names of openings by position.
//!
//! They belong to positions, not to moves: who comes to a position by another order of moves is told its name too.

use std::collections::HashMap;

use rukh_chess::Position;
use rukh_chess::game::Game;

/// A list of our own: a code, a name and moves on each line.
const LIST: &str = include_str!("openings.txt");

/// An opening that has a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Opening {
    /// Its place in the classification that chess players use, such as `C50`.
    pub code: &'static str,
    /// Its name, a variation after a colon.
    pub name: &'static str,
}

/// The openings that have names, by position.
#[derive(Clone, Debug)]
pub struct Openings {
    by_key: HashMap<u64, Opening>,
}

impl Openings {
    /// All that are known.
    pub fn new() -> Self {
        let by_key = lines().map(|(opening, moves)| (position_after(moves).key(), opening)).collect();
        Self { by_key }
    }

    /// The opening that a position is the mark of.
    pub fn of_position(&self, position: &Position) -> Option<Opening> {
        self.by_key.get(&position.key()).copied()
    }

    /// The opening of a game: that of the last position that has a name.
    pub fn of_game(&self, game: &Game) -> Option<Opening> {
        game.positions().iter().rev().find_map(|position| self.of_position(position))
    }
}

impl Default for Openings {
    fn default() -> Self {
        Self::new()
    }
}

/// Every opening of the list with its moves.
fn lines() -> impl Iterator<Item = (Opening, &'static str)> {
    LIST.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let mut parts = line.split(" | ");
        let mut part = || parts.next().expect("a line of our list has three parts");
        (Opening { code: part(), name: part() }, part())
    })
}

fn position_after(moves: &str) -> Position {
    let mut position = Position::default();
    for text in moves.split(' ') {
        let mv = position.parse_san(text).expect("the moves of our list are legal");
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
    fn every_line_is_legal_and_says_something_of_its_own() {
        let (mut names, mut keys) = (HashSet::new(), HashSet::new());
        for (opening, moves) in lines() {
            let mut position = Position::default();
            for text in moves.split(' ') {
                let mv = position.parse_san(text).unwrap_or_else(|error| panic!("{}: {error}", opening.name));
                assert_eq!(position.san(mv), text, "{} is written as others write it", opening.name);
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
    fn the_order_of_moves_does_not_matter() {
        let openings = Openings::new();
        let name = |moves: &str| openings.of_game(&game(moves)).map(|opening| opening.name);
        assert_eq!(name("d4 Nf6 c4 e6 Nc3 d5"), name("d4 d5 c4 e6 Nc3 Nf6"));
        assert_eq!(name("e4 e5 Nf3 Nc6 Bb5"), Some("Ruy Lopez"));
    }

    #[test]
    fn a_game_keeps_the_name_it_had_last() {
        let openings = Openings::new();
        let known = openings.of_game(&game("e4 e5 Nf3 Nc6 Bc4 Bc5")).expect("everyone knows it");
        let later = game("e4 e5 Nf3 Nc6 Bc4 Bc5 h3 h6 a3 a6");
        assert_eq!((known.code, known.name), ("C50", "Italian Game: Giuoco Piano"));
        assert_eq!(openings.of_game(&later), Some(known));
        assert_eq!(openings.of_position(later.position()), None);
        assert_eq!(openings.of_game(&Game::default()), None);
    }
}
