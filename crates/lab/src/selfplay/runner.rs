//! Concurrent self-play games, reported in the order of their numbers.

use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

use rukh_engine::threads::{NoThread, spawn_workers};

use super::game::{Played, Searcher, SelfPlay};

/// Plays the games of these numbers, on threads that each have a searcher, and reports each in the order of their numbers, until
/// `is_over` is set or the callback breaks.
pub(crate) fn run_numbered<S, G: Send>(
    numbers: std::ops::Range<u64>,
    threads: usize,
    is_over: &AtomicBool,
    searcher: impl Fn() -> S + Sync,
    play: impl Fn(u64, &mut S) -> Option<G> + Sync,
    mut on_game: impl FnMut(G) -> ControlFlow<()>,
) -> Result<(), NoThread> {
    let next = AtomicU64::new(numbers.start);
    let (sender, finished) = mpsc::channel();
    thread::scope(|scope| {
        let (next, searcher, play) = (&next, &searcher, &play);
        let work = move || {
            let mut searcher = searcher();
            while !is_over.load(Ordering::Relaxed) {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(game) = (number < numbers.end).then(|| play(number, &mut searcher)).flatten() else {
                    break;
                };
                if sender.send((number, game)).is_err() {
                    break;
                }
            }
        };
        spawn_workers(scope, threads, work)?;
        let mut waiting = BTreeMap::new();
        let mut due = numbers.start;
        for (number, game) in finished {
            waiting.insert(number, game);
            while let Some(game) = waiting.remove(&due) {
                due += 1;
                if on_game(game).is_break() {
                    is_over.store(true, Ordering::Relaxed);
                    return Ok(());
                }
            }
        }
        Ok(())
    })
}

impl SelfPlay {
    /// Plays the games from number `first` on and reports each, in the order of their numbers, until `is_over` is set or
    /// the callback breaks.
    pub fn run(
        &self,
        first: u64,
        threads: usize,
        is_over: &AtomicBool,
        on_game: impl FnMut(Played) -> ControlFlow<()>,
    ) -> Result<(), NoThread> {
        let play = |number, searcher: &mut Searcher| self.play(number, searcher, is_over);
        run_numbered(first..u64::MAX, threads, is_over, || self.searcher(), play, on_game)
    }

    /// The games of these numbers, however long that takes.
    pub(super) fn games(&self, numbers: std::ops::Range<u64>) -> io::Result<Vec<Played>> {
        let mut games = Vec::new();
        let wanted = (numbers.end - numbers.start) as usize;
        if wanted > 0 {
            self.run(numbers.start, 1, &AtomicBool::new(false), |game| {
                games.push(game);
                if games.len() == wanted { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })?;
        }
        Ok(games)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packed::{NO_SCORE, PackedGame};

    #[test]
    fn games_are_the_same_whoever_plays_them() {
        let settings =
            SelfPlay { nodes: 200, chess960: 0.5, tree_sample_depth: Some(3), ..SelfPlay::default() };
        let alone = settings.games(0..6).expect("a thread is given");
        assert_eq!(
            alone[4..],
            settings.games(4..6).expect("a thread is given"),
            "a game does not depend on those before"
        );
        let mut together = Vec::new();
        settings
            .run(0, 3, &AtomicBool::new(false), |game| {
                together.push(game);
                if together.len() == 6 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })
            .expect("a thread is given");
        assert_eq!(alone, together);
        assert_ne!(alone, SelfPlay { seed: 2, ..settings.clone() }.games(0..6).expect("a thread is given"));
        assert!(alone.iter().all(|played| played.game.moves.len() > 10));
        assert!(alone.iter().any(|played| !played.tree_samples.is_empty()));
        let without =
            SelfPlay { tree_sample_depth: None, ..settings }.games(0..6).expect("a thread is given");
        assert!(without.iter().all(|played| played.tree_samples.is_empty()));
        assert!(without.iter().zip(&alone).all(|(without, with)| without.game == with.game));
    }

    /// Positions of bad moves are searched too: their scores are farther from zero.
    #[test]
    fn tree_samples_are_searched_beside_the_game() {
        let settings = SelfPlay {
            nodes: 100,
            tree_sample_depth: Some(100),
            searched_tree_samples: 0.5,
            ..SelfPlay::default()
        };
        let played = settings.games(0..6).expect("a thread is given");
        assert_eq!(
            played[3..],
            settings.games(3..6).expect("a thread is given"),
            "random numbers depend on the seed and the number"
        );
        let moves = |game: &PackedGame| game.moves.len();
        let searched = played.iter().map(|played| moves(&played.game)).sum::<usize>();
        let samples: Vec<_> = played.iter().flat_map(|played| &played.tree_samples).collect();
        assert!((searched / 8..searched / 2).contains(&samples.len()), "{} beside {searched}", samples.len());
        let mean = |games: &mut dyn Iterator<Item = &PackedGame>| {
            let mut scores: Vec<_> =
                games.flat_map(|game| &game.moves).map(|mv| mv.1.unsigned_abs()).collect();
            scores.sort_unstable();
            scores[scores.len() / 2]
        };
        let of_games = mean(&mut played.iter().map(|played| &played.game));
        assert!(mean(&mut samples.into_iter()) > of_games);
    }

    #[test]
    fn random_moves_have_no_score() {
        let settings = SelfPlay { nodes: 100, random_move_rate: 0.2, ..SelfPlay::default() };
        let scores: Vec<i16> = settings
            .games(0..8)
            .expect("a thread is given")
            .iter()
            .flat_map(|played| played.game.moves.clone())
            .map(|(_, score)| score)
            .collect();
        let by_lot = scores.iter().filter(|score| **score == NO_SCORE).count();
        let share = by_lot as f64 / scores.len() as f64;
        assert!((0.1..0.3).contains(&share), "{share}");
    }
}
