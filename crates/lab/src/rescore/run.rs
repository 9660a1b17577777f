//! Many games at once, told in blocks in the order of their numbers.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread;

use rukh_engine::spawn_search;

use super::settings::Rescore;
use super::source::{GamesFile, SourceError};
use crate::labels::{Block, LabelledPosition};

/// Why a rescoring cannot go on.
#[derive(Debug)]
pub enum RescoreError {
    /// A game cannot be read.
    Source(SourceError),
    /// Of a source more games have been labelled than it has: its number.
    Shrunk(usize),
}

impl fmt::Display for RescoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Source(error) => error.fmt(f),
            Self::Shrunk(source) => {
                write!(f, "source {} has fewer games than were labelled of it before", source + 1)
            }
        }
    }
}

impl std::error::Error for RescoreError {}

/// What there is to do: games of each source from a number on.
struct Work<'s> {
    sources: &'s [GamesFile],
    first_games: &'s [u64],
}

/// The labels of a game.
type Labelled = Result<Vec<LabelledPosition>, SourceError>;

impl Work<'_> {
    /// Source and number of the game at this place of the work; none at the end.
    fn game_at(&self, mut place: u64) -> Option<(usize, u64)> {
        for (source, (file, first)) in self.sources.iter().zip(self.first_games).enumerate() {
            let left = file.count() - first;
            if place < left {
                return Some((source, first + place));
            }
            place -= left;
        }
        None
    }
}

impl Rescore {
    /// Labels games of `sources`, of each from the number in `first_games` on, and tells of them in blocks, in order, until
    /// there are no more, `is_over` is set from outside, or it is told to break off.
    pub fn run(
        &self,
        sources: &[GamesFile],
        first_games: &[u64],
        threads: usize,
        is_over: &AtomicBool,
        on_block: impl FnMut(Block) -> ControlFlow<()>,
    ) -> Result<(), RescoreError> {
        let mut pairs = sources.iter().zip(first_games);
        if let Some(shrunk) = pairs.position(|(file, &first)| file.count() < first) {
            return Err(RescoreError::Shrunk(shrunk));
        }
        let work = &Work { sources, first_games };
        let next = &AtomicU64::new(0);
        let (sender, finished) = mpsc::channel();
        thread::scope(|scope| {
            for _ in 0..threads.max(1) {
                let sender = sender.clone();
                spawn_search(scope, move || {
                    let mut labeller = self.labeller();
                    while !is_over.load(Ordering::Relaxed) {
                        let place = next.fetch_add(1, Ordering::Relaxed);
                        let Some((source, number)) = work.game_at(place) else { break };
                        let game = work.sources[source].game(number);
                        let labels = game.map(|game| self.label(&game, source, number, &mut labeller));
                        if sender.send((place, labels)).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            let told = self.tell(work, &finished, on_block);
            is_over.store(true, Ordering::Relaxed);
            told
        })
    }

    /// Puts what the threads have finished in order and into blocks.
    fn tell(
        &self,
        work: &Work<'_>,
        finished: &Receiver<(u64, Labelled)>,
        mut on_block: impl FnMut(Block) -> ControlFlow<()>,
    ) -> Result<(), RescoreError> {
        let mut waiting = BTreeMap::new();
        let (mut due, mut games, mut positions) = (0, 0, Vec::new());
        for (place, labels) in finished {
            waiting.insert(place, labels);
            while let Some(labels) = waiting.remove(&due) {
                positions.extend(labels.map_err(RescoreError::Source)?);
                games += 1;
                let (source, number) = work.game_at(due).expect("it was labelled");
                due += 1;
                let next_game = number + 1;
                let is_full = next_game % self.games_per_block() == 0;
                if is_full || next_game == work.sources[source].count() {
                    let positions = std::mem::take(&mut positions);
                    let block = Block { source, games: std::mem::take(&mut games), next_game, positions };
                    if on_block(block).is_break() {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }
}
