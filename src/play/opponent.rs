//! The engine as an opponent.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use rukh_chess::random::SplitMix64;
use rukh_chess::types::ByColor;
use rukh_chess::{Color, Move};
use rukh_engine::Engine;
use rukh_engine::api::{Clock, Event, Limits, Request, Settings};
use rukh_knowledge::polyglot::Book;

use super::skill::Skill;
use super::table::GameTable;
use crate::searching::start;

/// An engine that plays a side, or both.
pub(super) struct Opponent {
    /// Made when it is first needed.
    engine: Option<Engine>,
    /// How long it thinks where there are no clocks.
    thought: Duration,
    book: Option<Arc<Book>>,
    lots: SplitMix64,
    /// What its errors depend on, where it is weak.
    seed: u64,
}

impl Opponent {
    /// An engine that has just sat down.
    pub(super) fn new(thought: Duration, book: Option<Arc<Book>>, seed: u64) -> Self {
        Self { engine: None, thought, book, lots: SplitMix64::new(seed), seed }
    }

    /// Chooses a move; once `is_hurried` says so, it moves at once.
    pub(super) fn choose(
        &mut self,
        table: &GameTable,
        skill: Skill,
        is_hurried: impl FnMut() -> bool,
    ) -> Option<Move> {
        self.ask_book(table).or_else(|| self.search(table, skill, is_hurried))
    }

    /// The move of the book, if there is a book and it knows the position.
    fn ask_book(&mut self, table: &GameTable) -> Option<Move> {
        /// Moves are chosen as often as they weigh: people like variety.
        const VARIETY: u32 = 100;
        let lot = self.lots.share();
        self.book.as_ref()?.choose(table.position(), VARIETY, lot)
    }

    fn search(&mut self, table: &GameTable, skill: Skill, is_hurried: impl FnMut() -> bool) -> Option<Move> {
        let limits = match table.control() {
            None => Limits { movetime: Some(self.thought), ..Limits::default() },
            Some(control) => {
                let clock = |side: Color| {
                    table.remaining(side).map(|remaining| Clock { remaining, increment: control.increment })
                };
                Limits { clocks: ByColor(Color::ALL.map(clock)), ..Limits::default() }
            }
        };
        let strength = skill.strength().map(|strength| strength.seeded(self.seed));
        let engine = self.engine.get_or_insert_with(Engine::new);
        engine.set(Settings { strength, ..Settings::default() });
        let events = start(engine, Request { game: table.game().clone(), limits });
        wait_for_move(engine, &events, is_hurried)
    }
}

fn wait_for_move(
    engine: &mut Engine,
    events: &Receiver<Event>,
    mut is_hurried: impl FnMut() -> bool,
) -> Option<Move> {
    const GLANCE: Duration = Duration::from_millis(20);
    loop {
        match events.recv_timeout(GLANCE) {
            Ok(Event::Done { best, .. }) => return best,
            Ok(_) => {}
            Err(RecvTimeoutError::Timeout) if is_hurried() => engine.stop(),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use rukh_chess::Position;
    use rukh_chess::game::Outcome;
    use rukh_knowledge::polyglot::Maker;

    use super::super::table::Player;
    use super::*;

    fn table(fen: &str) -> GameTable {
        let start = fen.parse().expect("the position is valid");
        GameTable::new(start, ByColor([Player::Engine; 2]), None)
    }

    fn chosen(opponent: &mut Opponent, table: &GameTable, skill: Skill) -> String {
        let mv = opponent.choose(table, skill, || false).expect("there is a move");
        table.position().san(mv)
    }

    #[test]
    fn it_gives_mate_when_it_can() {
        let mut opponent = Opponent::new(Duration::from_millis(50), None, 1);
        let table = table("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1");
        assert_eq!(chosen(&mut opponent, &table, Skill::Full), "Rd8#");
    }

    #[test]
    fn it_can_be_hurried() {
        let mut opponent = Opponent::new(Duration::from_secs(600), None, 1);
        let start = GameTable::new(Position::default(), ByColor([Player::Engine; 2]), None);
        assert!(opponent.choose(&start, Skill::Full, || true).is_some());
    }

    #[test]
    fn the_book_comes_first() {
        let start = Position::default();
        let mv = start.parse_san("a3").expect("it is legal");
        let mut maker = Maker::default();
        maker.add(&start, &[mv], 1, Outcome::Win(Color::White));
        let mut opponent = Opponent::new(Duration::from_millis(50), Some(Arc::new(maker.finish(1))), 1);
        let table = GameTable::new(start, ByColor([Player::Engine; 2]), None);
        assert_eq!(chosen(&mut opponent, &table, Skill::Level(0)), "a3");
    }
}
