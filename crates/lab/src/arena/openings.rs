//! Where games begin.

use std::fmt;

use rukh_chess::game::Game;
use rukh_chess::notation::{Epd, pgn};
use rukh_chess::random::SplitMix64;
use rukh_chess::{Move, Position};

/// An opening: a start position and moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    /// How it is called, if it has a name.
    pub name: Option<String>,
    /// The position before its moves, as FEN: a book holds many.
    start: String,
    moves: Vec<Move>,
}

impl Opening {
    /// The start of standard chess.
    pub fn standard() -> Self {
        Self { name: None, start: Position::default().to_string(), moves: Vec::new() }
    }

    /// A game that stands where the opening ends.
    pub fn game(&self) -> Game {
        let start = self.start.parse().expect("it was read when the book was");
        let mut game = Game::new(start);
        for &mv in &self.moves {
            game.play(mv).expect("the moves were legal when the book was read");
        }
        game
    }

    /// Mixes the opening into the checksum of a book.
    fn mix_into(&self, hash: u64) -> u64 {
        let moves = self.moves.iter().flat_map(|mv| mv.bits().to_le_bytes());
        self.start
            .bytes()
            .chain(moves)
            .fold(hash, |hash, byte| SplitMix64::new(hash ^ u64::from(byte)).next())
    }
}

/// A book of openings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Book(Vec<Opening>);

/// A book that cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadBook(String);

impl fmt::Display for BadBook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadBook {}

impl Book {
    /// The start of standard chess and nothing else.
    pub fn standard() -> Self {
        Self(vec![Opening::standard()])
    }

    /// Positions, one in each line: EPD or FEN.
    pub fn from_epd(text: &str) -> Result<Self, BadBook> {
        let mut openings = Vec::new();
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
            let bad = |error: &dyn fmt::Display| BadBook(format!("line {number}: {error}"));
            let epd: Epd = line.parse().map_err(|error| bad(&error))?;
            let position = epd.setup.validate().map_err(|error| bad(&error))?;
            let name = epd.operand("id").map(str::to_owned);
            openings.push(Opening { name, start: position.to_string(), moves: Vec::new() });
        }
        Self(openings).checked()
    }

    /// Games whose moves, `plies` of them at most, are the opening.
    pub fn from_pgn(text: &str, plies: Option<usize>) -> Result<Self, BadBook> {
        let mut openings = Vec::new();
        for (number, game) in (1..).zip(pgn::Games::new(text)) {
            let game = game.map_err(|error| BadBook(format!("game {number}: {error}")))?;
            let tags = ["ECO", "Opening", "Variation"].iter().filter_map(|tag| game.tag(tag));
            let name = tags.filter(|tag| !tag.is_empty() && *tag != "?").collect::<Vec<_>>().join(" ");
            openings.push(Opening {
                name: Some(name).filter(|name| !name.is_empty()),
                start: game.start.to_string(),
                moves: game.moves().take(plies.unwrap_or(usize::MAX)).collect(),
            });
        }
        Self(openings).checked()
    }

    /// These positions, of which there is at least one, and in none of which the game is over.
    pub fn of_positions(positions: &[Position]) -> Self {
        let opening =
            |position: &Position| Opening { name: None, start: position.to_string(), moves: Vec::new() };
        Self(positions.iter().map(opening).collect())
    }

    /// At least one opening, and none in which the game is over.
    fn checked(self) -> Result<Self, BadBook> {
        if self.0.is_empty() {
            return Err(BadBook("there is no opening in it".to_owned()));
        }
        let over = self.0.iter().zip(1..).find(|(opening, _)| opening.game().ending().is_some());
        match over {
            Some((_, number)) => Err(BadBook(format!("opening {number} is over already"))),
            None => Ok(self),
        }
    }

    /// In an order that depends on `seed` alone.
    pub fn shuffled(mut self, seed: u64) -> Self {
        SplitMix64::new(seed).shuffle(&mut self.0);
        self
    }

    /// The opening of a round; after the last the first comes again.
    pub(crate) fn of_round(&self, round: usize) -> &Opening {
        &self.0[round % self.0.len()]
    }

    /// The identity of the book: the number of openings and a checksum over all of them.
    pub fn fingerprint(&self) -> [u64; 2] {
        [self.0.len() as u64, self.0.iter().fold(0, |hash, opening| opening.mix_into(hash))]
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_and_games_are_openings() {
        let book = Book::from_epd(
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n\n\
             rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - id \"queen's pawn\";\n",
        )
        .expect("it is a book");
        assert_eq!(book.count(), 2);
        assert_eq!(book.of_round(3).name.as_deref(), Some("queen's pawn"));
        let book = Book::from_pgn("[Event \"x\"]\n[ECO \"C20\"]\n\n1. e4 e5 2. Nf3 *\n", Some(2))
            .expect("it is a book");
        assert_eq!(book.of_round(0).game().moves().len(), 2);
        assert_eq!(book.of_round(0).name.as_deref(), Some("C20"));
    }

    #[test]
    fn books_that_cannot_be_used_are_refused() {
        for (text, complaint) in [
            ("", "no opening"),
            ("\n \n", "no opening"),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\nhello", "line 2"),
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "over already"),
        ] {
            let error = Book::from_epd(text).expect_err(text).to_string();
            assert!(error.contains(complaint), "{text:?}: {error}");
        }
        assert!(Book::from_pgn("", None).is_err());
    }

    #[test]
    fn the_order_depends_on_the_seed() {
        let text: String =
            (0..50).map(|at| format!("k7/8/8/8/8/8/{}K{}/7R w - - 0 1\n", at % 4 + 2, 5 - at % 4)).collect();
        let book = Book::from_epd(&text).expect("it is a book");
        assert_eq!(book.clone().shuffled(7), book.clone().shuffled(7));
        assert_ne!(book.clone().shuffled(7), book.clone().shuffled(8));
    }
}
