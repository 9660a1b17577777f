//! How a match stands.

use std::collections::HashMap;
use std::time::Duration;

use rukh_chess::Color;
use rukh_chess::game::Outcome;

use super::game::{FaultKind, Played, Reason};
use super::schedule::{Fixture, Schedule};
use crate::stats::{Pairs, Tally};

/// A game as the tables count it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Result {
    /// Which game.
    pub fixture: Fixture,
    /// The result.
    pub outcome: Outcome,
    /// The side that broke down, and how.
    pub fault: Option<(Color, FaultKind)>,
    /// What the sides spent, by colour: White, Black.
    pub effort: [Effort; 2],
}

/// What one side spent on a game or on all.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effort {
    /// Moves with a reported depth.
    pub moves: u64,
    /// The sum of the reported depths.
    pub depths: u64,
    /// Nodes.
    pub nodes: u64,
    /// Time.
    pub time: Duration,
}

impl Effort {
    /// The average depth.
    pub fn depth(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.depths as f64 / self.moves as f64)
    }

    /// Nodes a second.
    pub fn speed(&self) -> Option<f64> {
        (self.nodes > 0 && !self.time.is_zero()).then(|| self.nodes as f64 / self.time.as_secs_f64())
    }

    fn add(&mut self, other: Self) {
        self.moves += other.moves;
        self.depths += other.depths;
        self.nodes += other.nodes;
        self.time += other.time;
    }
}

impl Result {
    /// What counts of a game.
    pub fn of(fixture: Fixture, played: &Played) -> Self {
        let mut effort = [Effort::default(); 2];
        let first = played.game.positions()[played.book_moves].side_to_move();
        for (at, remark) in played.remarks.iter().enumerate() {
            let side = if at % 2 == 0 { first } else { !first };
            effort[side.index()].add(Effort {
                moves: u64::from(remark.info.depth.is_some()),
                depths: u64::from(remark.info.depth.unwrap_or(0)),
                nodes: remark.info.nodes.unwrap_or(0),
                time: remark.taken,
            });
        }
        let fault = match &played.reason {
            Reason::Fault(side, fault) => Some((*side, fault.kind())),
            Reason::Rules(_) | Reason::Agreed(_) => None,
        };
        Self { fixture, outcome: played.outcome, fault, effort }
    }
}

/// How one entrant stands against another.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Encounter {
    /// Games as the first of the two sees them.
    pub tally: Tally,
    /// Pairs of games that are complete.
    pub pairs: Pairs,
}

/// What one entrant has spent, and where it broke down.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Conduct {
    /// All its games.
    pub tally: Tally,
    /// What it spent.
    pub effort: Effort,
    /// Crashes.
    pub crashes: u64,
    /// Losses on time.
    pub times: u64,
    /// Illegal moves and false claims.
    pub illegals: u64,
}

/// How a match stands.
#[derive(Clone, Debug)]
pub struct Standings {
    encounters: Vec<Encounter>,
    conducts: Vec<Conduct>,
    /// Half points of the first entrant in pairs of which one game is over.
    halves: HashMap<usize, u64>,
}

impl Standings {
    /// Before the first game.
    pub fn new(schedule: &Schedule, entrants: usize) -> Self {
        Self {
            encounters: vec![Encounter::default(); schedule.encounters().len()],
            conducts: vec![Conduct::default(); entrants],
            halves: HashMap::new(),
        }
    }

    /// A game is over.
    pub fn add(&mut self, result: &Result) {
        let Fixture { index, encounter, pair, players, .. } = result.fixture;
        for side in [Color::White, Color::Black] {
            let conduct = &mut self.conducts[players[side]];
            conduct.tally += tally_for(side, result.outcome);
            conduct.effort.add(result.effort[side.index()]);
            match result.fault {
                Some((faulty, FaultKind::Crash)) if faulty == side => conduct.crashes += 1,
                Some((faulty, FaultKind::Time)) if faulty == side => conduct.times += 1,
                Some((faulty, FaultKind::Illegal | FaultKind::Claim)) if faulty == side => {
                    conduct.illegals += 1;
                }
                _ => {}
            }
        }
        // The first entrant of an encounter has White in its even games.
        let first = if index.is_multiple_of(2) { Color::White } else { Color::Black };
        let tally = tally_for(first, result.outcome);
        let encounter = &mut self.encounters[encounter];
        encounter.tally += tally;
        match self.halves.remove(&pair) {
            Some(other) => encounter.pairs.add((other + tally.half_points()) as usize),
            None => {
                self.halves.insert(pair, tally.half_points());
            }
        }
    }

    /// Each encounter.
    pub fn encounters(&self) -> &[Encounter] {
        &self.encounters
    }

    /// Each entrant.
    pub fn conducts(&self) -> &[Conduct] {
        &self.conducts
    }

    /// Games that are over.
    pub fn games(&self) -> u64 {
        self.encounters.iter().map(|encounter| encounter.tally.games()).sum()
    }
}

/// One game as `side` sees it.
fn tally_for(side: Color, outcome: Outcome) -> Tally {
    match outcome {
        Outcome::Draw => Tally { draws: 1, ..Tally::default() },
        Outcome::Win(winner) if winner == side => Tally { wins: 1, ..Tally::default() },
        Outcome::Win(_) => Tally { losses: 1, ..Tally::default() },
    }
}

#[cfg(test)]
mod tests {
    use super::super::schedule::Format;
    use super::*;

    #[test]
    fn pairs_are_counted_when_both_games_are_over_in_whatever_order() {
        let schedule = Schedule::new(Format::RoundRobin, 2, 4);
        let mut standings = Standings::new(&schedule, 2);
        let mut end = |index, outcome, fault| {
            let fixture = schedule.fixture(index);
            standings.add(&Result { fixture, outcome, fault, effort: [Effort::default(); 2] });
            standings.encounters()[0]
        };
        assert_eq!(end(3, Outcome::Win(Color::Black), None).pairs.count(), 0);
        assert_eq!(end(0, Outcome::Draw, None).pairs.count(), 0);
        // The second entrant had White in game 3, so the first has won it, and wins game 2 as well.
        assert_eq!(end(2, Outcome::Win(Color::White), None).pairs, Pairs([0, 0, 0, 0, 1]));
        let fault = Some((Color::Black, FaultKind::Time));
        let last = end(1, Outcome::Win(Color::White), fault);
        assert_eq!(last.pairs, Pairs([0, 1, 0, 0, 1]));
        assert_eq!(last.tally, Tally { wins: 2, draws: 1, losses: 1 });
        assert_eq!(standings.games(), 4);
        assert_eq!(standings.conducts()[1].tally, last.tally.flipped());
        assert_eq!((standings.conducts()[0].times, standings.conducts()[1].times), (1, 0));
    }
}
