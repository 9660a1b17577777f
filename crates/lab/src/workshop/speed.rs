//! Speed: programs search the same positions by turns, so that all of them meet the same disturbances of the machine.
//!
//! A run of one program after the other measures the machine as much as the programs. Here each position is searched by all
//! programs within a moment, in random order, and only their ratios count.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use rukh_chess::Position;
use rukh_chess::random::SplitMix64;

use crate::arena::{EngineAnalyser, Entrant, NoEvaluation};

/// Searches to be timed: each program searches every position in every round.
#[derive(Debug)]
pub struct SpeedTrial<'t> {
    /// The programs; the others are compared with the first.
    pub entrants: &'t [Entrant],
    /// The positions; the side to move has a legal move.
    pub positions: &'t [Position],
    /// Nodes of one search.
    pub nodes: u64,
    /// How often each position is searched.
    pub rounds: usize,
    /// The seed of the order of programs.
    pub seed: u64,
}

/// The measured speeds of all programs.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Speeds {
    /// For each search the index of its position and the nodes a second of each program.
    searches: Vec<(usize, Vec<f64>)>,
}

/// How much faster a program is than the first.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SpeedRatio {
    /// The geometric mean of the ratios of single searches, without the tenth at either end.
    pub ratio: f64,
    /// Its 95% interval is this much to either side.
    pub error: f64,
    /// The ratio of the times for all positions, each by its fastest search.
    pub of_fastest: f64,
}

impl SpeedTrial<'_> {
    /// Runs the searches until they are done or `is_over`; `on_search` receives the number of positions searched.
    pub fn run(&self, is_over: &AtomicBool, on_search: impl Fn(usize)) -> Result<Speeds, NoEvaluation> {
        let engines = self.entrants.iter().map(EngineAnalyser::start);
        let mut engines = engines.collect::<Result<Vec<_>, _>>()?;
        let mut random = SplitMix64::new(self.seed);
        let mut speeds = Speeds::default();
        for number in 0..self.rounds * self.positions.len() {
            if is_over.load(Ordering::Relaxed) {
                break;
            }
            on_search(number);
            let at = number % self.positions.len();
            let mut found = vec![0.0; engines.len()];
            for program in shuffled(engines.len(), &mut random) {
                let engine = &mut engines[program];
                engine.clear()?;
                let start = Instant::now();
                let nodes = engine.analyse(&self.positions[at], &[], self.nodes)?.nodes;
                let nodes =
                    nodes.ok_or_else(|| NoEvaluation::new("the engine reports no nodes".to_owned()))?;
                found[program] = nodes as f64 / start.elapsed().as_secs_f64();
            }
            speeds.searches.push((at, found));
        }
        Ok(speeds)
    }
}

/// The numbers below `count` in random order.
fn shuffled(count: usize, random: &mut SplitMix64) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..count).collect();
    for left in (1..count).rev() {
        numbers.swap(left, random.below(left as u64 + 1) as usize);
    }
    numbers
}

impl Speeds {
    /// The positions searched, counted in every round.
    pub fn count(&self) -> usize {
        self.searches.len()
    }

    /// The mean nodes a second of a program.
    pub fn nodes_per_second(&self, program: usize) -> f64 {
        self.searches.iter().map(|(_, found)| found[program]).sum::<f64>() / self.count() as f64
    }

    /// How much faster a program is than the first; `None` with too few searches for an error.
    pub fn ratio(&self, program: usize) -> Option<SpeedRatio> {
        /// At least so many searches are left for the error.
        const LEAST: usize = 8;
        let mut logs: Vec<f64> =
            self.searches.iter().map(|(_, found)| (found[program] / found[0]).ln()).collect();
        logs.sort_by(f64::total_cmp);
        let cut = logs.len() / 10;
        let kept = &logs[cut..logs.len() - cut];
        if kept.len() < LEAST {
            return None;
        }
        let count = kept.len() as f64;
        let mean = kept.iter().sum::<f64>() / count;
        let variance = kept.iter().map(|log| (log - mean).powi(2)).sum::<f64>() / (count - 1.0);
        let (ratio, error) = (mean.exp(), 1.96 * (variance / count).sqrt());
        Some(SpeedRatio {
            ratio,
            error: ratio * error,
            of_fastest: self.time_of_fastest(0) / self.time_of_fastest(program),
        })
    }

    /// The time for a node of each position, by the fastest search of a program.
    fn time_of_fastest(&self, program: usize) -> f64 {
        let positions = self.searches.iter().map(|&(at, _)| at + 1).max().unwrap_or(0);
        let mut fastest = vec![0.0_f64; positions];
        for (at, found) in &self.searches {
            fastest[*at] = fastest[*at].max(found[program]);
        }
        fastest.into_iter().filter(|&speed| speed > 0.0).map(f64::recip).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Searches of three programs on a machine whose speed changes by up to three times: the second is a tenth faster than the
    /// first, the third the same. Now and then one search is disturbed.
    fn speeds(rounds: usize) -> Speeds {
        let mut random = SplitMix64::new(3);
        let mut unit = move || random.below(1 << 20) as f64 / f64::from(1 << 20);
        let search = |number: usize| {
            let machine = 400_000.0 * (1.0 + 2.0 * unit());
            let mut speed = |factor: f64| {
                let disturbed = if unit() < 0.05 { 0.5 } else { 1.0 };
                machine * factor * disturbed * (0.98 + 0.04 * unit())
            };
            (number % 50, vec![speed(1.0), speed(1.1), speed(1.0)])
        };
        Speeds { searches: (0..rounds * 50).map(search).collect() }
    }

    #[test]
    fn ratios_are_found_on_a_machine_that_changes() {
        let speeds = speeds(6);
        for (program, expected) in [(0, 1.0), (1, 1.1), (2, 1.0)] {
            let found = speeds.ratio(program).expect("there are enough searches");
            assert!((found.ratio - expected).abs() < 0.004, "{found:?}");
            assert!(found.error < 0.004, "{found:?}");
            assert!((found.of_fastest - expected).abs() < 0.05, "{found:?}");
        }
        assert!((400_000.0..1_200_000.0).contains(&speeds.nodes_per_second(0)));
    }

    #[test]
    fn few_searches_have_no_ratio() {
        let mut speeds = speeds(1);
        assert!(speeds.ratio(1).is_some());
        speeds.searches.truncate(7);
        assert_eq!((speeds.ratio(1), Speeds::default().ratio(0)), (None, None));
    }

    #[test]
    fn every_program_comes_once_and_in_every_place() {
        let mut random = SplitMix64::new(1);
        let mut firsts = [0; 3];
        for _ in 0..300 {
            let order = shuffled(3, &mut random);
            assert_eq!(
                (0..3).map(|program| order.iter().filter(|&&at| at == program).count()).max(),
                Some(1)
            );
            firsts[order[0]] += 1;
        }
        assert!(firsts.iter().all(|&count| count > 70), "{firsts:?}");
    }
}
