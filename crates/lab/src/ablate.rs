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

/// The search with a technique, and without it; all other techniques are those of `base`.
pub fn with_and_without(technique: Technique, base: TechniqueOverrides) -> [TechniqueOverrides; 2] {
    let other = base.switched(technique);
    if base.has(technique) { [base, other] } else { [other, base] }
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
        let mut searcher = SyncSearcher::with_algorithm(algorithm, tools, &Evaluation::default(), HASH)
            .expect("a machine that plays chess has a few mebibytes");
        let mut nodes = 0;
        while !is_over.load(Ordering::Relaxed) {
            let Some(fen) = POSITIONS.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
            let position: Position = fen.parse().expect("the positions of the bench are valid");
            let limits = Limits { depth: Some(depth), ..Limits::default() };
            searcher.clear();
            nodes += searcher.search(Request::from_position(position, limits)).nodes;
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
    /// The techniques of both sides, but for the one that is measured.
    pub base: TechniqueOverrides,
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
    /// The engine with these techniques.
    fn entrant(&self, name: &str, techniques: TechniqueOverrides) -> Entrant {
        let search = (self.algorithm != Algorithm::default())
            .then(|| ("Search".to_owned(), self.algorithm.name().to_owned()));
        let techniques = (!techniques.is_none()).then(|| ("Techniques".to_owned(), techniques.to_string()));
        Entrant {
            name: name.to_owned(),
            command: self.program.clone(),
            args: Vec::new(),
            directory: None,
            protocol: Protocol::Uci,
            options: search.into_iter().chain(techniques).collect(),
            control: Control { nodes: Some(self.nodes), ..Control::default() },
            ponders: false,
        }
    }

    /// The engine with the techniques of the base.
    pub fn engine(&self) -> Entrant {
        self.entrant("default", self.base)
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
        let [with, without] = with_and_without(technique, self.base);
        let of = Match {
            event: format!("With and without {technique}"),
            entrants: vec![self.entrant("with", with), self.entrant("without", without)],
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
        let base = TechniqueOverrides::these([Technique::LeafSearch]);
        for &technique in Technique::ALL {
            let [with, without] = with_and_without(technique, base);
            assert!(with.has(technique) && !without.has(technique));
            for &other in Technique::ALL.iter().filter(|&&other| other != technique) {
                assert_eq!([with.has(other), without.has(other)], [base.has(other); 2]);
            }
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
