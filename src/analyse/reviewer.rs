//! Reviewer: reviews games with the engine, shows progress and saves finished reviews.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use rukh_chess::game::Game;
use rukh_chess::notation::pgn::PgnGame;
use rukh_engine::Engine;
use rukh_engine::api::{Event, Limits, Request};
use rukh_explain::review::{PositionAnalysis, Review};
use rukh_explain::variation::move_number;

use super::finished::{self, Finished};
use crate::interrupt;
use crate::progress::Long;
use crate::searching::start;

/// How often the search looks for an interrupt.
const POLL: Duration = Duration::from_millis(50);

/// An engine with limits and the file of finished reviews.
pub(super) struct Reviewer {
    engine: Engine,
    limits: Limits,
    is_over: Arc<AtomicBool>,
    finished: Option<Finished>,
    progress: Progress,
}

/// Ctrl-C was pressed.
struct Interrupted;

impl Reviewer {
    /// A reviewer of `games` that saves finished reviews in `finished`.
    pub(super) fn new(
        engine: Engine,
        limits: Limits,
        finished: Option<Finished>,
        games: &[(usize, PgnGame)],
    ) -> Self {
        Self { engine, limits, is_over: interrupt::flag(), finished, progress: Progress::over(games) }
    }

    /// The review of a game; `None` if interrupted.
    pub(super) fn review(&mut self, game: &PgnGame) -> Result<Option<Review>, String> {
        let game = game.game();
        self.progress.begin_game();
        if let Some(review) = self.finished.as_ref().and_then(|finished| finished.review(&game)) {
            self.progress.skip_game(&game);
            return Ok(Some(review));
        }
        // With an empty transposition table a resumed run gives the same reviews.
        self.engine.clear();
        let mut analyses = Vec::new();
        let review = Review::new(&game, |game| {
            self.progress.next_position(game);
            let analysis = self.analyse(game)?;
            analyses.push(finished::write(&analysis, game.position()));
            Ok::<_, Interrupted>(analysis)
        });
        let Ok(review) = review else { return Ok(None) };
        if let Some(finished) = &mut self.finished {
            finished.add(&game, &analyses)?;
        }
        Ok(Some(review))
    }

    /// Runs something that prints, with the bar hidden.
    pub(super) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.progress.bar.suspend(print)
    }

    /// Ends the work and returns the file of finished reviews.
    pub(super) fn finish(self) -> Option<Finished> {
        self.finished
    }

    /// The engine's analysis of the present position.
    fn analyse(&mut self, game: &Game) -> Result<PositionAnalysis, Interrupted> {
        let request = Request { game: game.clone(), limits: self.limits.clone() };
        let events = start(&mut self.engine, request);
        let mut last = None;
        loop {
            if self.is_over.load(Ordering::Relaxed) {
                self.engine.stop();
                return Err(Interrupted);
            }
            match events.recv_timeout(POLL) {
                Ok(Event::Line(line, _)) => last = Some(line),
                Ok(Event::CurrentMove { .. } | Event::Root(_)) | Err(RecvTimeoutError::Timeout) => {}
                Ok(Event::Done { .. }) | Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        let line = last.expect("with a legal move a search reports a line");
        Ok(PositionAnalysis { score: line.score, wdl: line.wdl, pv: line.pv })
    }
}

/// Progress in positions.
struct Progress {
    bar: Long,
    games: usize,
    game: usize,
    done: u64,
}

impl Progress {
    fn over(games: &[(usize, PgnGame)]) -> Self {
        let positions: usize = games.iter().map(|(_, game)| game.moves().count() + 1).sum();
        let bar = Long::new(
            positions as u64,
            "{elapsed_precise} [{bar:30}] {pos}/{len} positions, {eta} left, {msg}",
        );
        Self { bar, games: games.len(), game: 0, done: 0 }
    }

    fn begin_game(&mut self) {
        self.game += 1;
    }

    /// Counts a game of an earlier run.
    fn skip_game(&mut self, game: &Game) {
        self.done += game.positions().len() as u64;
        self.bar.begin_at(self.done);
    }

    /// Counts the next position.
    fn next_position(&mut self, game: &Game) {
        let Self { game: at, games, .. } = *self;
        self.bar.set(self.done, || format!("game {at} of {games}, move {}", move_number(game.position())));
        self.done += 1;
    }
}
