//! Pairs of games of one engine against itself, with other options for each pair.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use rukh_chess::Color;
use rukh_chess::game::Outcome;
use rukh_chess::types::ByColor;

use super::adjudicate::Adjudication;
use super::game::{self, GameRules, Reason};
use super::openings::Opening;
use super::player::{Entrant, Player};
use super::tournament::{Unfit, start};
use crate::stats::Tally;

/// The settings of duels.
#[derive(Clone, Debug)]
pub struct Duels {
    /// The program.
    pub entrant: Entrant,
    /// When games end early.
    pub adjudication: Adjudication,
    /// The time limit of a move for an engine without a clock.
    pub patience: Duration,
}

/// Options to play with.
type Options = [(String, String)];

impl Duels {
    /// Starts the program once, to report errors before the first game.
    pub fn check_engines(&self) -> Result<(), Unfit> {
        let mut duel = self.begin();
        duel.players[0] = Some(duel.ready(0, &[])?);
        Ok(())
    }

    /// A duel whose engine processes are reused for all games.
    pub(crate) fn begin(&self) -> Duel<'_> {
        Duel { rules: self, players: [None, None] }
    }
}

/// Two copies of a program.
pub(crate) struct Duel<'d> {
    rules: &'d Duels,
    players: [Option<Box<dyn Player>>; 2],
}

impl Duel<'_> {
    /// Plays an opening with both colours: the results of the first copy, and the faults. None if it was interrupted.
    pub(crate) fn play_pair(
        &mut self,
        opening: &Opening,
        options: [&Options; 2],
        is_over: &AtomicBool,
    ) -> Result<Option<(Tally, Vec<String>)>, Unfit> {
        let mut tally = Tally::default();
        let mut faults = Vec::new();
        for first in [Color::White, Color::Black] {
            let Some((outcome, fault)) = self.play(opening, options, first, is_over)? else {
                return Ok(None);
            };
            faults.extend(fault);
            match outcome {
                Outcome::Draw => tally.draws += 1,
                Outcome::Win(winner) if winner == first => tally.wins += 1,
                Outcome::Win(_) => tally.losses += 1,
            }
        }
        Ok(Some((tally, faults)))
    }

    /// One game, the first copy having the colour `first`.
    fn play(
        &mut self,
        opening: &Opening,
        options: [&Options; 2],
        first: Color,
        is_over: &AtomicBool,
    ) -> Result<Option<(Outcome, Option<String>)>, Unfit> {
        let control = &self.rules.entrant.control;
        let rules = GameRules {
            controls: ByColor([control, control]),
            adjudication: &self.rules.adjudication,
            patience: self.rules.patience,
            is_over: &[is_over],
        };
        let (mut one, mut other) = (self.ready(0, options[0])?, self.ready(1, options[1])?);
        let game = opening.game();
        let played = match first {
            Color::White => game::play(&mut ByColor([one.as_mut(), other.as_mut()]), game, &rules),
            Color::Black => game::play(&mut ByColor([other.as_mut(), one.as_mut()]), game, &rules),
        };
        let fault = played.as_ref().and_then(|played| match &played.reason {
            Reason::Fault(..) => Some(played.reason.to_string()),
            _ => None,
        });
        // After a fault both are restarted, whichever caused it.
        if fault.is_none() {
            self.players = [one, other].map(|mut player| player.reset().then_some(player));
        }
        Ok(played.map(|played| (played.outcome, fault)))
    }

    /// A copy with these options, started if it is not there.
    fn ready(&mut self, place: usize, options: &Options) -> Result<Box<dyn Player>, Unfit> {
        let unfit = |fault| Unfit::of(&self.rules.entrant, fault);
        let mut player = match self.players[place].take() {
            Some(player) => player,
            None => start(&self.rules.entrant).map_err(unfit)?,
        };
        player.set(options).map_err(unfit)?;
        Ok(player)
    }
}

/// No engine is left behind.
impl Drop for Duel<'_> {
    fn drop(&mut self) {
        self.players.iter_mut().flatten().for_each(|player| player.end());
    }
}
