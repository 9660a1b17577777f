//! Runs games and collects their faults.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;

use rukh_chess::game::Game;
use rukh_engine::threads::{NoThread, spawn_workers};
use rukh_knowledge::Syzygy;

use super::conversation::Conversation;
use super::facts::{Counts, Facts};
use super::scenario::Scenario;
use super::settings::Soak;
use super::uci::UciGame;
use super::xboard::XboardGame;

/// A game that was played.
#[derive(Clone, Debug)]
pub struct Played {
    /// Its number.
    pub number: u64,
    /// What was checked in it.
    pub counts: Counts,
    /// What is wrong.
    pub fault: Option<Fault>,
}

/// A fault.
#[derive(Clone, Debug)]
pub struct Fault {
    /// What is wrong, in one sentence.
    pub complaint: String,
    /// All lines until then, with `>` before those to the session.
    pub transcript: Vec<String>,
}

/// Why no game can be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SoakError {
    /// The tablebases cannot be opened.
    Tables(String),
    /// No thread is given.
    Thread(NoThread),
}

impl fmt::Display for SoakError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tables(reason) => reason.fmt(f),
            Self::Thread(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SoakError {}

impl Soak {
    /// Plays the games of these numbers, several at a time, and reports each when it has ended, until `on_game` breaks.
    /// `on_start` receives the number of each game before it starts.
    pub fn run(
        &self,
        numbers: impl Iterator<Item = u64> + Send,
        concurrency: usize,
        is_over: &AtomicBool,
        on_start: impl Fn(u64) + Sync,
        mut on_game: impl FnMut(Played) -> ControlFlow<()>,
    ) -> Result<(), SoakError> {
        let tables = self.tables.as_deref().map(|path| Syzygy::open(path, |_| ())).transpose();
        let tables = &tables.map_err(SoakError::Tables)?;
        let numbers = &Mutex::new(numbers);
        let next = move || numbers.lock().unwrap_or_else(PoisonError::into_inner).next();
        let is_enough = &AtomicBool::new(false);
        let (sender, finished) = mpsc::channel();
        let on_start = &on_start;
        thread::scope(|scope| {
            let work = move || {
                while !is_over.load(Ordering::Relaxed) && !is_enough.load(Ordering::Relaxed) {
                    let Some(number) = next() else { break };
                    on_start(number);
                    if sender.send(self.play(number, tables.as_ref())).is_err() {
                        break;
                    }
                }
            };
            spawn_workers(scope, concurrency, work).map_err(SoakError::Thread)?;
            for played in finished {
                if on_game(played).is_break() {
                    is_enough.store(true, Ordering::Relaxed);
                    break;
                }
            }
            Ok(())
        })
    }

    /// Plays one game.
    fn play(&self, number: u64, tables: Option<&Syzygy>) -> Played {
        let mut random = Scenario::random(self.seed, number);
        let scenario = Scenario::draw(&mut random, self);
        let tree_games = u64::from(scenario.is_tree_search());
        let mut counts = Counts { games: 1, tree_games, ..Counts::default() };
        let mut talk = match Conversation::start(self.patience) {
            Ok(talk) => talk,
            Err(complaint) => {
                let fault = Some(Fault { complaint, transcript: Vec::new() });
                return Played { number, counts, fault };
            }
        };
        let (facts, game) = (Facts { tables }, Game::new(scenario.start.clone()));
        let (scenario, counted) = (&scenario, &mut counts);
        let played = match scenario.is_xboard {
            true => XboardGame::new(self, scenario, &mut talk, random, facts, counted).play(),
            false => {
                UciGame { soak: self, scenario, talk: &mut talk, random, facts, counts: counted, game }.play()
            }
        };
        let fault = played
            .err()
            .map(|complaint| Fault { complaint, transcript: std::mem::take(&mut talk.transcript) });
        Played { number, counts, fault }
    }
}
