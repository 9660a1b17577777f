//! A match: concurrent games between engines.

use std::collections::HashSet;
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
        self.replies_to_options().map(drop)
    }

    /// Checks every engine as [`Self::check_engines`] does. Returns what each has said to its options: an engine that refuses a
    /// value says so and plays on without it.
    pub fn replies_to_options(&self) -> Result<Vec<Vec<String>>, Unfit> {
        let check = |entrant: &Entrant| {
            let unfit = |fault| Unfit::of(entrant, fault);
            let mut player = start(entrant).map_err(unfit)?;
            let said = player.said().to_vec();
            player.begin(&self.book.of_round(0).game()).map_err(unfit)?;
            player.end();
            Ok(said)
        };
        self.entrants.iter().map(check).collect()
    }

    /// Plays all games except those that are `done`, and reports each one to `on_game`, until `is_over` is set or `on_game`
    /// breaks.
    ///
    /// Interrupted games are not reported. When this returns, all engines have quit.
    pub fn run(
        &self,
        done: &HashSet<usize>,
        is_over: &AtomicBool,
        on_game: impl FnMut(Finished) -> ControlFlow<()>,
    ) -> Result<(), NoThread> {
        self.run_wanted(&|fixture| !done.contains(&fixture.index), is_over, on_game)
    }

    /// Plays all games that `is_wanted` accepts when their turn comes, as [`Self::run`] does.
    pub(crate) fn run_wanted(
        &self,
        is_wanted: &(impl Fn(&Fixture) -> bool + Sync),
        is_over: &AtomicBool,
        mut on_game: impl FnMut(Finished) -> ControlFlow<()>,
    ) -> Result<(), NoThread> {
        let next = AtomicUsize::new(0);
        let is_enough = AtomicBool::new(false);
        let is_over = [is_over, &is_enough];
        let (sender, finished) = mpsc::channel();
        thread::scope(|scope| {
            let (next, is_over) = (&next, &is_over);
            spawn_workers(scope, self.concurrency, move || self.work(is_wanted, next, is_over, &sender))?;
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
        is_wanted: &impl Fn(&Fixture) -> bool,
        next: &AtomicUsize,
        is_over: &[&AtomicBool],
        finished: &Sender<Finished>,
    ) {
        let mut bench = Bench { entrants: &self.entrants, players: Vec::new() };
        while !is_over.iter().any(|flag| flag.load(Ordering::Relaxed)) {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= self.schedule.len() {
                break;
            }
            let fixture = self.schedule.fixture(index);
            if !is_wanted(&fixture) {
                continue;
            }
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
                bench.players.push((fixture.players[Color::White], white));
                return Some(Played::unplayed(game, Color::Black, fault));
            }
        };
        let played = game::play(&mut ByColor([white.as_mut(), black.as_mut()]), game, &rules);
        for (side, mut player) in [(Color::White, white), (Color::Black, black)] {
            let is_broken = played.as_ref().is_some_and(|played| is_broken(&played.reason, side));
            if !is_broken && player.reset() {
                bench.players.push((fixture.players[side], player));
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

/// The engines that one thread has started, each with the entrant that it plays for.
struct Bench<'m> {
    entrants: &'m [Entrant],
    players: Vec<(usize, Box<dyn Player>)>,
}

impl Bench<'_> {
    /// A player for that entrant: its own, one of an entrant that differs in the values of options alone, or a new one.
    fn take(&mut self, entrant: usize) -> Result<Box<dyn Player>, PlayerFault> {
        let wanted = &self.entrants[entrant];
        let own = self.players.iter().position(|&(whose, _)| whose == entrant);
        let other =
            || self.players.iter().position(|&(whose, _)| differs_in_values(&self.entrants[whose], wanted));
        let Some(place) = own.or_else(other) else { return start(wanted) };
        let (whose, mut player) = self.players.swap_remove(place);
        let pairs = self.entrants[whose].options.iter().zip(&wanted.options);
        let changes: Vec<_> = pairs.filter(|(old, new)| old != new).map(|(_, new)| new.clone()).collect();
        player.set(&changes)?;
        Ok(player)
    }

    fn close(self) {
        self.players.into_iter().for_each(|(_, mut player)| player.end());
    }
}

/// Whether a player of one entrant becomes one of the other when options are set.
fn differs_in_values(one: &Entrant, other: &Entrant) -> bool {
    let names = one.options.iter().map(|(name, _)| name);
    let same_names = names.eq(other.options.iter().map(|(name, _)| name));
    let alike = Entrant { name: other.name.clone(), options: other.options.clone(), ..one.clone() };
    same_names && alike == *other
}
