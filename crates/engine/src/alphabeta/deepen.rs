//! Iterative deepening: from one ply to as many as time allows.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use rukh_chess::{Move, Position};
use rukh_eval::{Evaluator, MAX_PLY, Score, Verdict, wdl};

use super::node::Window;
use super::stability::Stability;
use super::worker::{RootNode, Searched, Shared, Stopped, Worker};
use crate::api::{Bound, Event, LineInfo, Listener, Progress, Request};
use crate::params;
use crate::technique::{Technique, Toolbox};

/// What a thread is to search.
#[derive(Clone)]
pub(crate) struct Job {
    pub(crate) shared: Arc<Shared>,
    pub(crate) request: Arc<Request>,
    pub(crate) multipv: usize,
    /// Hears of progress; only the first thread has one.
    pub(crate) listener: Option<Arc<dyn Listener>>,
}

/// What a thread found.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    /// The iteration that was completed.
    pub(crate) depth: i32,
    pub(crate) seldepth: usize,
    pub(crate) score: Score,
    pub(crate) pv: Vec<Move>,
    /// Whether the line has been told as it stands here.
    pub(crate) is_reported: bool,
}

/// Bounds are only worth a line once a search has taken this long.
const PATIENCE: Duration = Duration::from_secs(3);

impl<E: Evaluator, T: Toolbox> Worker<E, T> {
    /// Searches until a limit is reached or it is stopped; none if there is no legal move.
    pub(crate) fn run(&mut self, job: &Job, index: usize) -> Option<Found> {
        let game = &job.request.game;
        let position = game.position();
        self.begin(job.shared.clone(), index, position, game.history());
        self.root.begin(position, &job.shared.limits.search_moves);
        if self.root.moves().is_empty() {
            return None;
        }
        let lines = job.multipv.clamp(1, self.root.moves().len());
        let max_depth =
            job.shared.limits.depth.map_or(MAX_PLY, |depth| depth.max(1) as usize).min(MAX_PLY - 1);
        let mut stability = Stability::default();
        let mut found = None;
        for depth in 1..=max_depth as i32 {
            self.root.begin_iteration(depth);
            let result =
                (0..lines).try_for_each(|line| self.search_line(job, position, depth, line, &stability));
            if result.is_err() {
                found = self.unfinished(depth).or(found);
                break;
            }
            self.root.complete_iteration();
            let best = &self.root.moves()[0];
            let score = best.score.unwrap_or(Score::DRAW);
            stability.note(best.mv, score);
            let is_reported = job.listener.is_some();
            found = Some(Found { depth, seldepth: self.seldepth, score, pv: best.pv.clone(), is_reported });
            self.report_lines(job, depth, lines);
            if index == 0 && self.is_enough(score, &stability) {
                break;
            }
        }
        self.shared.nodes[index].store(self.nodes, Ordering::Relaxed);
        found.or_else(|| self.first_guess())
    }

    /// The best move of an iteration that was cut short, if it has been shown better than the window began with: it is at
    /// least as good as the best of the last iteration.
    fn unfinished(&self, depth: i32) -> Option<Found> {
        let best = self.root.moves().first().filter(|_| self.root.is_first_line())?;
        Some(Found {
            depth,
            seldepth: self.seldepth,
            score: best.score?,
            pv: best.pv.clone(),
            is_reported: false,
        })
    }

    /// Even the first iteration was cut short: whatever move stands first.
    fn first_guess(&self) -> Option<Found> {
        let best = self.root.moves().first()?;
        let score = best.score.unwrap_or(Score::DRAW);
        Some(Found { depth: 1, seldepth: self.seldepth, score, pv: best.pv.clone(), is_reported: false })
    }

    /// One line of an iteration, with aspiration windows: a narrow window around the expected score, wider the more the score
    /// has moved lately, opened on the side on which it fails, and fully after some failures.
    pub(super) fn search_line(
        &mut self,
        job: &Job,
        position: &Position,
        depth: i32,
        line: usize,
        stability: &Stability,
    ) -> Result<(), Stopped> {
        self.root.begin_line(line);
        self.seldepth = 0;
        let expected = self.root.expected_score();
        let is_narrow = self.has(Technique::Aspiration)
            && depth >= params::aspiration_min_depth()
            && !expected.is_decisive();
        let volatility = stability.volatility() * params::aspiration_volatility_weight() / 1024;
        let mut width = params::aspiration_base() + volatility;
        let mut window = match is_narrow {
            true => Window::new(expected - width, expected + width),
            false => Window::new(Score::MIN, Score::MAX),
        };
        let mut failures = 0;
        // After a fail-high the move is known to be good: a shallower look confirms it sooner.
        let mut reduction = 0;
        loop {
            let searched: Searched =
                self.search::<RootNode>(position, 0, window, (depth - reduction).max(1), false);
            self.root.sort();
            let score = searched?;
            if score <= window.alpha && window.alpha > Score::MIN {
                self.report_bound(job, depth, line, score, Bound::Upper);
                window.beta = window.alpha + (window.beta - window.alpha) / 2;
                window.alpha = score - width;
                reduction = 0;
            } else if score >= window.beta && window.beta < Score::MAX {
                self.report_bound(job, depth, line, score, Bound::Lower);
                window.beta = score + width;
                reduction = (reduction + 1).min(3);
            } else {
                return Ok(());
            }
            failures += 1;
            width += width / 2 + params::aspiration_base();
            if failures >= params::aspiration_max_failures() || score.is_decisive() {
                window = Window::new(Score::MIN, Score::MAX);
                reduction = 0;
            }
        }
    }

    /// Whether nothing more needs to be found out, or the time for another iteration is not there.
    fn is_enough(&self, score: Score, stability: &Stability) -> bool {
        let limits = &self.shared.limits;
        let mate_in = match score.verdict() {
            Verdict::Mate(moves) if moves > 0 => Some(moves as u32),
            _ => None,
        };
        if limits.mate.is_some_and(|wanted| mate_in.is_some_and(|moves| moves <= wanted)) {
            return true;
        }
        let Some(plan) = self.shared.plan else { return false };
        if self.shared.is_pondering.load(Ordering::Relaxed) || limits.is_infinite {
            return false;
        }
        let is_forced = self.root.moves().len() == 1 && !plan.is_fixed;
        let factor = stability.time_factor(self.root.effort_on_best());
        is_forced || self.shared.elapsed() >= plan.soft_scaled(factor)
    }

    fn report_lines(&self, job: &Job, depth: i32, lines: usize) {
        for (rank, root_move) in self.root.moves().iter().take(lines).enumerate() {
            let score = root_move.score.unwrap_or(Score::DRAW);
            self.report(job, depth, rank, score, Bound::Exact, &root_move.pv);
        }
    }

    fn report_bound(&self, job: &Job, depth: i32, line: usize, score: Score, bound: Bound) {
        if self.shared.elapsed() >= PATIENCE {
            let root_move = &self.root.moves()[line];
            self.report(job, depth, line, score, bound, &root_move.pv);
        }
    }

    fn report(&self, job: &Job, depth: i32, rank: usize, score: Score, bound: Bound, pv: &[Move]) {
        let Some(listener) = &job.listener else { return };
        self.shared.nodes[self.index].store(self.nodes, Ordering::Relaxed);
        let line = LineInfo {
            depth: depth as u32,
            seldepth: self.seldepth as u32,
            multipv: rank + 1,
            score,
            bound,
            wdl: wdl(score),
            pv: pv.to_vec(),
        };
        listener.on_event(Event::Line(line, progress(&self.shared)));
    }
}

/// How far all threads have come.
pub(crate) fn progress(shared: &Shared) -> Progress {
    Progress {
        nodes: shared.all_nodes(),
        tablebase_hits: 0,
        hashfull: shared.table.hashfull(),
        time: shared.elapsed(),
    }
}
