//! Random openings of self-play games in which neither side is lost.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;

use rukh_chess::Position;
use rukh_chess::game::Game;
use rukh_chess::random::SplitMix64;
use rukh_chess::setup::Setup;
use rukh_engine::threads::{NoThread, spawn_search};

use super::game::{Searcher, SelfPlay};

/// The search of an opening has this many times the nodes of a move.
const VERIFY_FACTOR: u64 = 4;
/// The number of openings that are prepared ahead.
const AHEAD: usize = 16;
/// Starts of Chess960.
const CHESS960_STARTS: u64 = 960;
/// What a share is measured by.
const WHOLE: u64 = 1 << 32;

impl SelfPlay {
    /// A random opening; none if the random moves end the game.
    pub(super) fn draw_opening(&self, random: &mut SplitMix64) -> Option<Game> {
        let is_chess960 = random.below(WHOLE) < (self.chess960 * WHOLE as f64) as u64;
        let mut game = match &self.book {
            _ if is_chess960 => {
                let number = random.below(CHESS960_STARTS) as u16;
                Game::new(Setup::chess960(number, number).validate().expect("every start is a position"))
            }
            Some(book) => book.of_round(random.below(book.count() as u64) as usize).game(),
            None => Game::default(),
        };
        let (least, most) = (*self.random_plies.start(), *self.random_plies.end());
        for _ in 0..u64::from(least) + random.below(u64::from(most.saturating_sub(least)) + 1) {
            let moves = game.position().legal_moves();
            let at = (!moves.is_empty()).then(|| random.below(moves.len() as u64) as usize)?;
            game.play(moves[at]).expect("it was among the legal moves");
        }
        game.ending().is_none().then(|| Game::new(game.position().clone()))
    }

    /// An opening in which a search finds neither side lost; none if `is_over` was set.
    pub(crate) fn find_opening(
        &self,
        random: &mut SplitMix64,
        searcher: &mut Searcher,
        is_over: &AtomicBool,
    ) -> Option<Game> {
        while !is_over.load(Ordering::Relaxed) {
            let game = self.draw_opening(random).filter(|game| self.is_level(game, searcher));
            if game.is_some() {
                return game;
            }
        }
        None
    }

    /// Sends openings, one after the other, until the channel is closed or `is_over` is set.
    pub fn openings(
        &self,
        is_over: &AtomicBool,
        mut on_position: impl FnMut(Position) -> ControlFlow<()>,
    ) -> Result<(), NoThread> {
        let is_enough = AtomicBool::new(false);
        let (sender, drawn) = mpsc::sync_channel(AHEAD);
        thread::scope(|scope| {
            let work = || {
                let (mut random, mut searcher) = (SplitMix64::new(self.seed), self.searcher());
                // The receiver is gone.
                while let Some(game) = self.find_opening(&mut random, &mut searcher, is_over)
                    && !is_enough.load(Ordering::Relaxed)
                    && sender.send(game.position().clone()).is_ok()
                {}
                drop(sender);
            };
            spawn_search(scope, work)?;
            for position in drawn {
                if on_position(position).is_break() {
                    is_enough.store(true, Ordering::Relaxed);
                    break;
                }
            }
            Ok(())
        })
    }

    /// Whether openings can be found: false if all of a number of random ones are lost for one side or end the game.
    pub fn has_openings(&self) -> Result<bool, NoThread> {
        self.has_openings_with(|| self.searcher())
    }

    /// The same with another searcher.
    pub(crate) fn has_openings_with(
        &self,
        searcher: impl FnOnce() -> Searcher + Send,
    ) -> Result<bool, NoThread> {
        const TRIES: usize = 500;
        let try_all = || {
            let (mut random, mut searcher) = (SplitMix64::new(self.seed), searcher());
            (0..TRIES).any(|_| {
                let game = self.draw_opening(&mut random);
                game.is_some_and(|game| self.is_level(&game, &mut searcher))
            })
        };
        thread::scope(|scope| Ok(spawn_search(scope, try_all)?.join().expect("a search does not panic")))
    }

    /// Whether a search finds neither side lost.
    fn is_level(&self, game: &Game, searcher: &mut Searcher) -> bool {
        searcher.clear();
        let (_, score) = self.think(searcher, game, VERIFY_FACTOR);
        score.to_centipawns().abs() <= self.max_opening_score
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_follow_the_settings() {
        let mut random = SplitMix64::new(1);
        let settings = SelfPlay { random_plies: 5..=8, chess960: 0.25, ..SelfPlay::default() };
        let games: Vec<Game> = (0..400).filter_map(|_| settings.draw_opening(&mut random)).collect();
        let plies = |game: &Game| {
            let position = game.position();
            2 * (position.fullmove_number() - 1) + position.side_to_move().index() as u32
        };
        assert!(games.iter().all(|game| (5..=8).contains(&plies(game))));
        assert!((5..=8).all(|wanted| games.iter().any(|game| plies(game) == wanted)));
        let standard = Game::default();
        let has_standard_king = |game: &&Game| {
            let king = |game: &Game| game.position().castling().rooks();
            king(game).is_subset_of(king(&standard))
        };
        let share = games.iter().filter(has_standard_king).count() as f64 / games.len() as f64;
        assert!((0.65..0.95).contains(&share), "{share}");
    }
}
