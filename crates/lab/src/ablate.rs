//! Ablation: the gain of each search technique, in nodes to a fixed depth and in Elo.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use rukh_chess::Position;
use rukh_engine::SyncSearcher;
use rukh_engine::api::{Algorithm, Limits, Request};
use rukh_engine::bench::POSITIONS;
use rukh_engine::technique::{Technique, TechniqueOverrides, TechniqueSet};
use rukh_engine::threads::{NoThread, spawn_workers};
use rukh_eval::Evaluation;

use crate::arena::{Adjudication, Book, Control, Encounter, Entrant, Format, Match, Protocol, Schedule};
use crate::stats::{Sprt, Verdict};

/// The search with a technique, and without it.
pub fn with_and_without(technique: Technique) -> [TechniqueOverrides; 2] {
    let (as_in_play, other) = (TechniqueOverrides::default(), TechniqueOverrides::these([technique]));
    if as_in_play.has(technique) { [as_in_play, other] } else { [other, as_in_play] }
}

/// Nodes that the positions of the bench take to `depth`; none if it was broken off.
pub fn nodes(
    algorithm: Algorithm,
    tools: TechniqueOverrides,
    depth: u32,
    threads: usize,
    is_over: &AtomicBool,
) -> Result<Option<u64>, NoThread> {
    const HASH: usize = 16;
    let next = AtomicUsize::new(0);
    let work = || {
        let mut solo = SyncSearcher::with_algorithm(algorithm, tools, &Evaluation::default(), HASH)
            .expect("a machine that plays chess has a few mebibytes");
        let mut nodes = 0;
        while !is_over.load(Ordering::Relaxed) {
            let Some(fen) = POSITIONS.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
            let position: Position = fen.parse().expect("the positions of the bench are valid");
            let limits = Limits { depth: Some(depth), ..Limits::default() };
            solo.clear();
            nodes += solo.search(Request::from_position(position, limits)).nodes;
        }
        nodes
    };
    let nodes = thread::scope(|scope| {
        let workers = spawn_workers(scope, threads, work)?.into_iter();
        Ok::<u64, NoThread>(workers.map(|worker| worker.join().expect("a search does not panic")).sum())
    })?;
    Ok((!is_over.load(Ordering::Relaxed)).then_some(nodes))
}

/// Games of the search with a technique against the search without it.
#[derive(Clone, Debug)]
pub struct Trial {
    /// This program.
    pub program: PathBuf,
    /// The search of both sides.
    pub algorithm: Algorithm,
    /// Games.
    pub games: usize,
    /// Nodes for a move.
    pub nodes: u64,
    /// Where games begin.
    pub book: Book,
    /// When games end early.
    pub adjudication: Adjudication,
    /// Games at once.
    pub concurrency: usize,
    /// Ends the games as soon as it is decided.
    pub sprt: Option<Sprt>,
}

impl Trial {
    /// The engine with its default techniques.
    pub fn engine(&self) -> Entrant {
        Entrant {
            name: "default".to_owned(),
            command: self.program.clone(),
            args: Vec::new(),
            directory: None,
            protocol: Protocol::Uci,
            options: Vec::from_iter(
                (self.algorithm != Algorithm::default())
                    .then(|| ("Search".to_owned(), self.algorithm.name().to_owned())),
            ),
            control: Control { nodes: Some(self.nodes), ..Control::default() },
            ponders: false,
        }
    }

    /// What games say.
    pub fn verdict(&self, encounter: &Encounter) -> Verdict {
        self.sprt.map_or(Verdict::Open, |sprt| sprt.verdict(&encounter.pairs))
    }

    /// Plays the games and tells how many are over, each time one is; none if it was broken off. A side that breaks down ends
    /// it: its games say nothing about the technique.
    pub fn run(
        &self,
        technique: Technique,
        is_over: &AtomicBool,
        mut on_game: impl FnMut(u64),
    ) -> Result<Option<Encounter>, String> {
        let entrant = |name: &str, is_switched: bool| Entrant {
            name: name.to_owned(),
            options: {
                let switched = is_switched.then(|| ("Techniques".to_owned(), technique.name().to_owned()));
                self.engine().options.into_iter().chain(switched).collect()
            },
            ..self.engine()
        };
        let [with, without] = with_and_without(technique);
        let of = Match {
            event: format!("With and without {technique}"),
            entrants: vec![entrant("with", !with.is_none()), entrant("without", !without.is_none())],
            schedule: Schedule::new(Format::RoundRobin, 2, self.games),
            book: self.book.clone(),
            adjudication: self.adjudication,
            patience: Duration::from_secs(60),
            concurrency: self.concurrency,
        };
        let mut fault = None;
        let encounter = of.encounter(is_over, |encounter, wrong| {
            on_game(encounter.tally.games());
            fault = wrong.map(str::to_owned);
            match self.verdict(encounter) {
                Verdict::Open if fault.is_none() => ControlFlow::Continue(()),
                _ => ControlFlow::Break(()),
            }
        })?;
        match fault {
            Some(fault) => Err(format!("{technique}: {fault}")),
            None => Ok(encounter),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_has_the_technique_and_the_second_has_not() {
        for &technique in Technique::ALL {
            let [with, without] = with_and_without(technique);
            assert!(with.has(technique) && !without.has(technique));
            let others = Technique::ALL.iter().filter(|&&other| other != technique);
            others.for_each(|&other| assert_eq!(with.has(other), without.has(other)));
        }
    }

    #[test]
    fn nodes_do_not_depend_on_the_threads() {
        let never = AtomicBool::new(false);
        let as_in_play = TechniqueOverrides::default();
        let count =
            |techniques, threads, is_over| nodes(Algorithm::AlphaBeta, techniques, 3, threads, is_over);
        let one = count(as_in_play, 1, &never);
        assert_eq!(one, count(as_in_play, 2, &never));
        assert_ne!(one, count(TechniqueOverrides::these([Technique::TableMove]), 2, &never));
        assert_eq!(count(as_in_play, 2, &AtomicBool::new(true)), Ok(None));
    }
}
