//! A match: concurrent games between engines.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::Duration;

use rukh_chess::Color;
use rukh_chess::types::ByColor;
use rukh_engine::threads::{NoThread, spawn_workers};

use super::adjudicate::Adjudication;
use super::game::{self, Fault, GameRules, Played, Reason};
use super::openings::Book;
use super::player::{Entrant, Player, PlayerFault, Protocol};
use super::record;
use super::schedule::{Fixture, Schedule};
use super::standings::{Encounter, Result as GameResult, Standings};
use super::uci::UciPlayer;
use super::xboard::XboardPlayer;

/// The settings of a match.
#[derive(Clone, Debug)]
pub struct Match {
    /// The name of the event.
    pub event: String,
    /// The engines.
    pub entrants: Vec<Entrant>,
    /// The schedule.
    pub schedule: Schedule,
    /// The opening book.
    pub book: Book,
    /// The adjudication rules.
    pub adjudication: Adjudication,
    /// The time limit of a move for an engine without a clock.
    pub patience: Duration,
    /// The number of concurrent games.
    pub concurrency: usize,
}

/// A game that is over, in all its forms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finished {
    /// The result.
    pub result: GameResult,
    /// Why it ended.
    pub reason: String,
    /// The game.
    pub pgn: String,
}

/// An entrant that cannot take part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unfit {
    /// Its name.
    pub name: String,
    /// What is wrong with it.
    pub why: String,
}

impl Unfit {
    /// An entrant with a fault before the first game.
    pub(super) fn of(entrant: &Entrant, fault: PlayerFault) -> Self {
        Self { name: entrant.name.clone(), why: send(fault) }
    }
}

impl std::fmt::Display for Unfit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.name, self.why)
    }
}

impl std::error::Error for Unfit {}

impl Match {
    /// Starts and quits every engine once, to report errors before the first game.
    pub fn check_engines(&self) -> Result<(), Unfit> {
        for entrant in &self.entrants {
            let unfit = |fault| Unfit::of(entrant, fault);
            let mut player = start(entrant).map_err(unfit)?;
            player.begin(&self.book.of_round(0).game()).map_err(unfit)?;
            player.end();
        }
        Ok(())
    }

    /// Plays all games except those that are `done`, and reports each one to `on_game`, until `is_over` is set or `on_game`
    /// breaks.
    ///
    /// Interrupted games are not reported. When this returns, all engines have quit.
    pub fn run(
        &self,
        done: &HashSet<usize>,
        is_over: &AtomicBool,
        mut on_game: impl FnMut(Finished) -> ControlFlow<()>,
    ) -> Result<(), NoThread> {
        let next = AtomicUsize::new(0);
        let is_enough = AtomicBool::new(false);
        let is_over = [is_over, &is_enough];
        let (sender, finished) = mpsc::channel();
        thread::scope(|scope| {
            let (next, is_over) = (&next, &is_over);
            spawn_workers(scope, self.concurrency, move || self.work(done, next, is_over, &sender))?;
            for game in finished {
                if on_game(game).is_break() {
                    is_enough.store(true, Ordering::Relaxed);
                    break;
                }
            }
            Ok(())
        })
    }

    /// Plays all games of two entrants, and reports the standing of the first and any fault after each one, until `on_game`
    /// breaks. The final standing of the first, or none if `is_over` was set.
    pub fn encounter(
        &self,
        is_over: &AtomicBool,
        mut on_game: impl FnMut(&Encounter, Option<&str>) -> ControlFlow<()>,
    ) -> Result<Option<Encounter>, NoThread> {
        let mut standings = Standings::new(&self.schedule, self.entrants.len());
        self.run(&HashSet::new(), is_over, |game| {
            standings.add(&game.result);
            let fault = game.result.fault.map(|_| game.reason.as_str());
            on_game(&standings.encounters()[0], fault)
        })?;
        Ok((!is_over.load(Ordering::Relaxed)).then(|| standings.encounters()[0]))
    }

    /// Plays one game after another.
    fn work(
        &self,
        done: &HashSet<usize>,
        next: &AtomicUsize,
        is_over: &[&AtomicBool],
        finished: &Sender<Finished>,
    ) {
        let mut bench = Bench { entrants: &self.entrants, players: HashMap::new() };
        while !is_over.iter().any(|flag| flag.load(Ordering::Relaxed)) {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= self.schedule.len() {
                break;
            }
            if done.contains(&index) {
                continue;
            }
            let fixture = self.schedule.fixture(index);
            let Some(played) = self.play(&mut bench, &fixture, is_over) else { break };
            let opening = self.book.of_round(fixture.round);
            let game = Finished {
                result: GameResult::of(fixture, &played),
                reason: played.reason.to_string(),
                pgn: record::to_pgn(&self.event, &self.entrants, &fixture, opening, &played),
            };
            if finished.send(game).is_err() {
                break;
            }
        }
        bench.close();
    }

    /// Plays one game; none if it was interrupted.
    fn play(&self, bench: &mut Bench<'_>, fixture: &Fixture, is_over: &[&AtomicBool]) -> Option<Played> {
        let game = self.book.of_round(fixture.round).game();
        let rules = GameRules {
            controls: ByColor(
                [Color::White, Color::Black].map(|side| &self.entrants[fixture.players[side]].control),
            ),
            adjudication: &self.adjudication,
            patience: self.patience,
            is_over,
        };
        let mut white = match bench.take(fixture.players[Color::White]) {
            Ok(player) => player,
            Err(fault) => return Some(Played::unplayed(game, Color::White, fault)),
        };
        let mut black = match bench.take(fixture.players[Color::Black]) {
            Ok(player) => player,
            Err(fault) => {
                bench.players.insert(fixture.players[Color::White], white);
                return Some(Played::unplayed(game, Color::Black, fault));
            }
        };
        let played = game::play(&mut ByColor([white.as_mut(), black.as_mut()]), game, &rules);
        for (side, mut player) in [(Color::White, white), (Color::Black, black)] {
            let is_broken = played.as_ref().is_some_and(|played| is_broken(&played.reason, side));
            if !is_broken && player.reset() {
                bench.players.insert(fixture.players[side], player);
            }
        }
        played
    }
}

/// Whether the engine of a side must be restarted after a game.
fn is_broken(reason: &Reason, side: Color) -> bool {
    matches!(reason, Reason::Fault(faulty, Fault::Crash(_) | Fault::Time(_)) if *faulty == side)
}

/// The message for a fault before the first game.
fn send(fault: PlayerFault) -> String {
    match fault {
        PlayerFault::Crash(why) => why,
        PlayerFault::Late(_) => "it does not answer".to_owned(),
        PlayerFault::Illegal(text) | PlayerFault::Claim(text) => text,
    }
}

/// Starts an engine and makes it ready to play.
pub(super) fn start(entrant: &Entrant) -> Result<Box<dyn Player>, PlayerFault> {
    Ok(match entrant.protocol {
        Protocol::Uci => Box::new(UciPlayer::start(entrant)?),
        Protocol::Xboard => Box::new(XboardPlayer::start(entrant)?),
    })
}

/// The engines that one thread has started.
struct Bench<'m> {
    entrants: &'m [Entrant],
    players: HashMap<usize, Box<dyn Player>>,
}

impl Bench<'_> {
    /// A player for that entrant, started if none is there.
    fn take(&mut self, entrant: usize) -> Result<Box<dyn Player>, PlayerFault> {
        match self.players.remove(&entrant) {
            Some(player) => Ok(player),
            None => start(&self.entrants[entrant]),
        }
    }

    fn close(self) {
        self.players.into_values().for_each(|mut player| player.end());
    }
}
