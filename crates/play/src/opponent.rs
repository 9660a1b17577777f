//! Opponent: chooses the moves of a side that no person plays. The engine is one; a test or another program can be another.

use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use rukh_chess::game::Game;
use rukh_chess::random::SplitMix64;
use rukh_chess::types::ByColor;
use rukh_chess::{Color, Move};
use rukh_engine::api::{Algorithm, Clock, Limits, Request, Settings};
use rukh_knowledge::polyglot::Book;

use crate::background::BackgroundSearch;
use crate::skill::Skill;
use crate::table::GameTable;

/// What an opponent knows of its turn.
#[derive(Clone, Debug)]
pub struct Turn<'t> {
    /// The game so far; the opponent moves in its present position.
    pub game: &'t Game,
    /// The clocks of both sides, if there are clocks.
    pub clocks: Option<ByColor<Clock>>,
    /// The strength to play at.
    pub skill: Skill,
}

impl<'t> Turn<'t> {
    /// The present turn of a table.
    pub fn of(table: &'t GameTable, skill: Skill) -> Self {
        let clocks = table.control().map(|control| {
            let clock = |side| Clock {
                remaining: table.remaining(side).unwrap_or(control.base),
                increment: control.increment,
            };
            ByColor(Color::ALL.map(clock))
        });
        Self { game: table.game(), clocks, skill }
    }
}

/// Chooses moves without blocking.
pub trait Opponent: Send {
    /// Starts to think about a turn; the thought before is dropped.
    fn start(&mut self, turn: &Turn<'_>);

    /// Waits at most `patience` for the move; `Ready(None)` if it finds none.
    fn poll(&mut self, patience: Duration) -> Poll<Option<Move>>;

    /// Moves as soon as possible.
    fn move_now(&mut self);

    /// Drops the thought.
    fn cancel(&mut self);
}

/// Rukh as an opponent: the book first, then a search at the strength of the turn.
#[derive(Debug)]
pub struct EngineOpponent {
    search: BackgroundSearch,
    /// The time for a move where there are no clocks.
    move_time: Duration,
    book: Option<Arc<Book>>,
    /// The move of the book for the present turn.
    book_move: Option<Move>,
    random: SplitMix64,
    /// The seed of its errors at limited strength.
    seed: u64,
    algorithm: Algorithm,
}

impl EngineOpponent {
    /// An engine that thinks for `move_time` per move where there are no clocks. Its choice of book moves and, at limited
    /// strength, its errors depend on `seed`.
    pub fn new(move_time: Duration, book: Option<Arc<Book>>, seed: u64) -> Self {
        let search = BackgroundSearch::default();
        let (random, algorithm) = (SplitMix64::new(seed), Algorithm::default());
        Self { search, move_time, book, book_move: None, random, seed, algorithm }
    }

    /// The same engine with another search.
    #[must_use]
    pub fn with_algorithm(self, algorithm: Algorithm) -> Self {
        Self { algorithm, ..self }
    }

    fn limits(&self, turn: &Turn<'_>) -> Limits {
        match turn.clocks {
            None => Limits { movetime: Some(self.move_time), ..Limits::default() },
            Some(ByColor(clocks)) => Limits { clocks: ByColor(clocks.map(Some)), ..Limits::default() },
        }
    }
}

impl Opponent for EngineOpponent {
    fn start(&mut self, turn: &Turn<'_>) {
        /// Book moves are chosen with the probability of their weight: 100 % variety.
        const VARIETY: u32 = 100;
        self.cancel();
        let random = self.random.share();
        let book = self.book.as_ref();
        self.book_move = book.and_then(|book| book.choose(turn.game.position(), VARIETY, random));
        if self.book_move.is_none() {
            let strength = turn.skill.strength().map(|strength| strength.seeded(self.seed));
            let settings = Settings { algorithm: self.algorithm, strength, ..Settings::default() };
            let request = Request { game: turn.game.clone(), limits: self.limits(turn) };
            self.search.start(settings, request);
        }
    }

    fn poll(&mut self, patience: Duration) -> Poll<Option<Move>> {
        match self.book_move.take() {
            Some(mv) => Poll::Ready(Some(mv)),
            None => self.search.poll(patience, drop),
        }
    }

    fn move_now(&mut self) {
        self.search.stop();
    }

    fn cancel(&mut self) {
        self.book_move = None;
        self.search.cancel();
    }
}

#[cfg(test)]
mod tests {
    use rukh_chess::Position;
    use rukh_chess::game::Outcome;
    use rukh_knowledge::polyglot::Maker;

    use super::*;

    const PATIENCE: Duration = Duration::from_secs(60);

    fn turn(game: &Game, skill: Skill) -> Turn<'_> {
        Turn { game, clocks: None, skill }
    }

    fn chosen(opponent: &mut EngineOpponent, game: &Game, skill: Skill) -> String {
        opponent.start(&turn(game, skill));
        match opponent.poll(PATIENCE) {
            Poll::Ready(Some(mv)) => game.position().san(mv),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn it_gives_mate_when_it_can() {
        let mut opponent = EngineOpponent::new(Duration::from_millis(50), None, 1);
        let position = "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1".parse().expect("the position is valid");
        assert_eq!(chosen(&mut opponent, &Game::new(position), Skill::Full), "Rd8#");
    }

    #[test]
    fn it_moves_at_once_when_told_to() {
        let mut opponent = EngineOpponent::new(Duration::from_secs(600), None, 1);
        opponent.start(&turn(&Game::default(), Skill::Full));
        assert_eq!(opponent.poll(Duration::from_millis(5)), Poll::Pending);
        opponent.move_now();
        assert!(matches!(opponent.poll(PATIENCE), Poll::Ready(Some(_))));
    }

    #[test]
    fn it_uses_its_clock() {
        let mut opponent = EngineOpponent::new(Duration::from_secs(600), None, 1);
        let clock = Clock { remaining: Duration::from_secs(1), increment: Duration::ZERO };
        let game = Game::default();
        opponent.start(&Turn { game: &game, clocks: Some(ByColor([clock; 2])), skill: Skill::Full });
        assert!(matches!(opponent.poll(PATIENCE), Poll::Ready(Some(_))), "600 seconds are not waited for");
    }

    #[test]
    fn the_book_comes_first() {
        let start = Position::default();
        let mv = start.parse_san("a3").expect("it is legal");
        let mut maker = Maker::default();
        maker.add(&start, &[mv], 1, Outcome::Win(Color::White));
        let book = Some(Arc::new(maker.finish(1)));
        let mut opponent = EngineOpponent::new(Duration::from_millis(50), book, 1);
        assert_eq!(chosen(&mut opponent, &Game::new(start), Skill::Level(0)), "a3");
    }
}
