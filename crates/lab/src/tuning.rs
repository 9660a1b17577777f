//! SPSA with games: many pairs at once, each between two opposite settings of one engine.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use rukh_engine::threads::spawn_workers;

use crate::arena::{Book, Duels, Unfit};
use crate::stats::{Parameter, Perturbation, Spsa, Tally};

/// How parameters are tuned.
#[derive(Clone, Debug)]
pub struct Tuning {
    /// The engine and the settings of its games.
    pub duels: Duels,
    /// Where games begin.
    pub book: Book,
    /// Pairs of games at once.
    pub concurrency: usize,
}

/// An iteration that is over.
#[derive(Clone, PartialEq, Debug)]
pub struct Iteration {
    /// How the plus side did.
    pub tally: Tally,
    /// What went wrong in its games.
    pub faults: Vec<String>,
}

impl Tuning {
    /// Resumes `spsa` until all iterations are done, `is_over` is set, or `on_iteration` breaks. Each iteration is reported
    /// after its step of the parameters. An engine that cannot be started ends the tuning.
    ///
    /// One pair at a time, an iteration is perturbed from the values that all earlier ones have led to: engines that repeat
    /// their games repeat the tuning, interrupted or not.
    pub fn run(
        &self,
        spsa: &mut Spsa,
        is_over: &AtomicBool,
        mut on_iteration: impl FnMut(&Spsa, &Iteration) -> ControlFlow<()>,
    ) -> Result<(), Unfit> {
        let next = AtomicU64::new(spsa.iteration);
        let shared = Mutex::new(spsa);
        let (sender, finished) = mpsc::channel();
        thread::scope(|scope| {
            let (next, shared) = (&next, &shared);
            spawn_workers(scope, self.concurrency, move || self.work(shared, next, is_over, &sender))
                .map_err(|error| Unfit { name: "no iteration".to_owned(), why: error.to_string() })?;
            for Played { result, learnt } in finished {
                let (perturbation, iteration) =
                    result.inspect_err(|_| is_over.store(true, Ordering::Relaxed))?;
                let mut spsa = lock(shared);
                spsa.learn(&perturbation, iteration.tally.wins as f64 - iteration.tally.losses as f64);
                if on_iteration(&spsa, &iteration).is_break() {
                    is_over.store(true, Ordering::Relaxed);
                    break;
                }
                drop(learnt);
            }
            Ok(())
        })
    }

    /// Plays one iteration after another, each after the step of the one before.
    fn work(
        &self,
        spsa: &Mutex<&mut Spsa>,
        next: &AtomicU64,
        is_over: &AtomicBool,
        finished: &Sender<Played>,
    ) {
        let mut duel = self.duels.begin();
        while !is_over.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let (perturbation, plus, minus) = {
                let spsa = lock(spsa);
                if number >= spsa.iterations {
                    break;
                }
                let perturbation = spsa.perturb(number);
                let options = |values: &[f64]| as_options(&spsa.parameters, values);
                let (plus, minus) = (options(&perturbation.plus), options(&perturbation.minus));
                (perturbation, plus, minus)
            };
            let played = duel.play_pair(self.book.of_round(number as usize), [&plus, &minus], is_over);
            let Some(played) = played.transpose() else { break };
            let result = played.map(|(tally, faults)| (perturbation, Iteration { tally, faults }));
            let (learnt, is_learnt) = mpsc::channel();
            if finished.send(Played { result, learnt }).is_err() {
                break;
            }
            // Nothing is ever sent: the wait ends when the other end is dropped.
            let _ = is_learnt.recv();
        }
    }
}

/// The games of an iteration are over.
struct Played {
    result: Result<(Perturbation, Iteration), Unfit>,
    /// Dropped after the step of the parameters.
    learnt: Sender<()>,
}

fn lock<'l, T>(shared: &'l Mutex<T>) -> MutexGuard<'l, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Parameters as options of an engine.
pub fn as_options(parameters: &[Parameter], values: &[f64]) -> Vec<(String, String)> {
    let option = |(parameter, value): (&Parameter, &f64)| (parameter.name.clone(), value.to_string());
    parameters.iter().zip(values).map(option).collect()
}
