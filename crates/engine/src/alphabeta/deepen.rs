//! Iterative deepening with aspiration windows, MultiPV and the decision to stop.

use std::sync::atomic::Ordering;

use rukh_chess::Position;
use rukh_eval::{Evaluator, MAX_PLY, Score, ScoreKind};

use super::node::Window;
use super::root::RootMove;
use super::stability::Stability;
use super::worker::{RootNode, Searched, Stopped, Worker};
use crate::api::Bound;
use crate::params::{self, ONE};
use crate::search::{Job, ThreadResult};
use crate::technique::{Technique, TechniqueSet};
use crate::witness::{Purpose, Witness};

impl<E: Evaluator, T: TechniqueSet, W: Witness> Worker<E, T, W> {
    /// Searches until a limit is reached or the search is stopped; `None` if there is no legal move.
    pub(crate) fn run(&mut self, job: &Job, index: usize) -> Option<ThreadResult> {
        let game = &job.request.game;
        let position = game.position();
        self.begin(job.shared.clone(), index, position, game.history());
        self.root.begin(position, &job.shared.limits.search_moves, job.shared.root_ranking.as_ref());
        if self.root.moves().is_empty() {
            return None;
        }
        self.root.order_by_nodes(self.has(Technique::RootNodeOrder));
        self.listener = job.listener.clone().map(|listener| (listener, job.report_delay));
        let lines = job.multipv.clamp(1, self.root.moves().len());
        let max_depth =
            job.shared.limits.depth.map_or(MAX_PLY, |depth| depth.max(1) as usize).min(MAX_PLY - 1);
        let mut stability = Stability::default();
        let mut found: Option<ThreadResult> = None;
        for depth in 1..=max_depth as i32 {
            self.root.begin_iteration(depth);
            let result =
                (0..lines).try_for_each(|line| self.search_line(job, position, depth, line, &stability));
            if result.is_err() {
                // Bounds may have been reported since: the last reported line must be that of the move played.
                let finished = found.map(|found| ThreadResult { is_reported: false, ..found });
                found = self.interrupted_result(depth, finished.as_ref()).or(finished);
                break;
            }
            self.root.complete_iteration();
            self.report_lines(job, depth, lines);
            let best = self.thread_result(depth, &self.root.moves()[0], Bound::Exact, job.listener.is_some());
            stability.note(self.root.moves()[0].mv, best.score);
            stability.note_changes(self.root.changes());
            let should_stop = index == 0 && self.should_stop(best.score, &stability, lines);
            found = Some(best);
            if should_stop {
                break;
            }
        }
        self.shared.nodes[index].store(self.nodes, Ordering::Relaxed);
        self.listener = None;
        self.last_score = found.as_ref().map(|found| (position.side_to_move(), found.score));
        // Only thread 0 must have a result.
        found.or_else(|| self.fallback_result().filter(|_| index == 0))
    }

    /// The result for a root move.
    fn thread_result(
        &self,
        depth: i32,
        root_move: &RootMove,
        bound: Bound,
        is_reported: bool,
    ) -> ThreadResult {
        ThreadResult {
            depth,
            seldepth: self.seldepth,
            score: root_move.score.unwrap_or(Score::DRAW),
            bound,
            pv: root_move.pv.clone(),
            is_reported,
        }
    }

    /// The best move of an interrupted iteration, if it raised alpha: it is at least as good as the best move of the last
    /// iteration. After a fail-high its score is only a lower bound, and so is a mate against the root side while other moves
    /// are not searched. If the finished iteration has an exact score of the same move, that result is better than a bound.
    fn interrupted_result(&self, depth: i32, finished: Option<&ThreadResult>) -> Option<ThreadResult> {
        let best = self.root.moves().first().filter(|_| self.root.is_first_line())?;
        let bound = if best.score?.is_loss() { Bound::Lower } else { best.bound };
        let is_known_better =
            bound == Bound::Lower && finished.is_some_and(|finished| finished.pv.first() == Some(&best.mv));
        (!is_known_better).then(|| self.thread_result(depth, best, bound, false))
    }

    /// The first root move, if even the first iteration was interrupted.
    fn fallback_result(&self) -> Option<ThreadResult> {
        self.root.moves().first().map(|first| self.thread_result(1, first, Bound::Lower, false))
    }

    // ANCHOR: search_line
    /// Searches one line of an iteration with aspiration windows: a narrow window around the expected score, wider if recent
    /// scores were volatile. It is widened on the side on which it fails, and fully opened after some failures.
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
        if line == 0 && self.finds_requested_mate(position, depth)? {
            return Ok(());
        }
        let expected = self.root.expected_score();
        let is_narrow = self.has(Technique::Aspiration)
            && depth >= params::aspiration_min_depth()
            && !expected.is_decisive();
        let volatility = stability.volatility() * params::aspiration_volatility_weight() / ONE;
        let mut width = params::aspiration_base() + volatility;
        let mut window = match is_narrow {
            true => Window::new(expected - width, expected + width),
            false => Window::new(Score::MIN, Score::MAX),
        };
        let mut failures = 0;
        // After a fail-high a shallower search confirms the move sooner.
        let mut reduction = 0;
        loop {
            self.witness.intend(Purpose::Iteration.into());
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
    // ANCHOR_END: search_line

    /// The factor on the soft time limit by the candidates of time management.
    pub(super) fn further_time_factor(&self, stability: &Stability) -> f64 {
        let by_changes = match self.has(Technique::TimeMoveChanges) {
            true => stability.changes_factor(),
            false => 1.0,
        };
        let side = self.side_at_root;
        let last = self.last_score.filter(|&(last, _)| last == side && self.has(Technique::TimeTrend));
        by_changes * last.map_or(1.0, |(_, score)| stability.trend_factor(score))
    }

    /// Searches for the requested mate (`go mate`) before the normal search of the iteration. The window contains only mates
    /// that are short enough: mate distance pruning ends longer lines, and hardly any other pruning applies.
    fn finds_requested_mate(&mut self, position: &Position, depth: i32) -> Result<bool, Stopped> {
        let Some(moves) = self.shared.limits.mate else { return Ok(false) };
        let plies = (2 * moves.unsigned_abs() as usize).clamp(1, MAX_PLY - 1);
        let window = match moves > 0 {
            true => Window::new(Score::mate_at(plies), Score::MAX),
            false => Window::new(Score::MIN, Score::mated_at(plies + 1)),
        };
        self.witness.intend(Purpose::MateSearch.into());
        let searched = self.search::<RootNode>(position, 0, window, depth, false);
        self.root.sort();
        let score = searched?;
        let is_found = window.alpha < score && score < window.beta;
        if !is_found {
            self.root.clear_scores();
        }
        Ok(is_found)
    }

    /// Whether the search ends after this iteration: the requested mate is found, or the soft node or time limit is reached.
    fn should_stop(&self, score: Score, stability: &Stability, lines: usize) -> bool {
        let limits = &self.shared.limits;
        let mate_in = match score.kind() {
            ScoreKind::Mate(moves) => Some(moves.unsigned_abs()),
            _ => None,
        };
        if limits.mate.is_some_and(|wanted| mate_in.is_some_and(|moves| moves <= wanted.unsigned_abs())) {
            return true;
        }
        let nodes = self.nodes.max(self.shared.all_nodes());
        if limits.soft_nodes.is_some_and(|enough| nodes >= enough) {
            return true;
        }
        let Some(plan) = self.shared.plan else { return false };
        if self.shared.signals.is_pondering() || limits.is_infinite {
            return false;
        }
        let is_forced = self.root.is_forced(lines) && !plan.is_fixed;
        let factor = stability.time_factor(self.root.effort_on_best()) * self.further_time_factor(stability);
        is_forced || self.shared.elapsed() >= plan.soft_scaled(factor)
    }

    fn report_lines(&self, job: &Job, depth: i32, lines: usize) {
        for (rank, root_move) in self.root.moves().iter().take(lines).enumerate() {
            self.report(job, rank, &self.thread_result(depth, root_move, Bound::Exact, true));
        }
    }

    fn report_bound(&self, job: &Job, depth: i32, line: usize, score: Score, bound: Bound) {
        if self.shared.elapsed() >= job.report_delay {
            let found = self.thread_result(depth, &self.root.moves()[line], bound, true);
            self.report(job, line, &ThreadResult { score, ..found });
        }
    }

    fn report(&self, job: &Job, rank: usize, found: &ThreadResult) {
        if job.listener.is_some() {
            self.shared.nodes[self.index].store(self.nodes, Ordering::Relaxed);
            job.report(rank, found);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};
    use std::time::Duration;

    use rukh_chess::game::Game;
    use rukh_eval::Material;

    use super::*;
    use crate::api::{Event, Limits, Request};
    use crate::search::SharedState;
    use crate::technique::{DefaultTechniques, TechniqueOverrides};
    use crate::transposition::TranspositionTable;

    /// Searches with a small transposition table; the events and the table.
    fn searched(
        fen: &str,
        limits: Limits,
        multipv: usize,
        report_delay: Duration,
    ) -> (Vec<Event>, Arc<TranspositionTable>) {
        let table = Arc::new(TranspositionTable::new(1, 1).expect("a mebibyte is available"));
        let shared = Arc::new(SharedState::single_threaded(table.clone(), limits.clone()));
        let reported = Arc::new(Mutex::new(Vec::new()));
        let received = reported.clone();
        let listener = move |event| received.lock().expect("no listener panics").push(event);
        let game = Game::new(fen.parse().expect("the positions are valid"));
        let job = Job {
            shared: shared.clone(),
            request: Arc::new(Request { game, limits }),
            multipv,
            overrides: TechniqueOverrides::default(),
            noise: None,
            listener: Some(Arc::new(listener)),
            report_delay,
        };
        Worker::new(shared, Material, DefaultTechniques).run(&job, 0);
        let reported = reported.lock().expect("no listener panics");
        (reported.clone(), table)
    }

    fn to_depth(depth: u32) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    const ENDING: &str = "8/8/8/3k4/8/2P5/2K5/8 w - - 0 1";

    #[test]
    fn a_long_search_reports_the_current_move() {
        let (events, _) = searched(ENDING, to_depth(2), 2, Duration::ZERO);
        let current = events.iter().filter_map(|event| match event {
            Event::CurrentMove { depth: 2, number, .. } => Some(*number),
            _ => None,
        });
        // Eight moves are searched for the first line, the seven others for the second.
        assert_eq!(current.collect::<Vec<_>>(), (1..=8).chain(2..=8).collect::<Vec<_>>());
    }

    #[test]
    fn a_short_search_reports_only_exact_lines() {
        let (events, _) = searched(ENDING, to_depth(6), 1, Duration::from_secs(3_600));
        let is_exact = |event: &Event| matches!(event, Event::Line(line, _) if line.bound == Bound::Exact);
        assert!(events.len() == 6 && events.iter().all(is_exact), "{events:?}");
    }

    #[test]
    fn a_search_of_some_moves_is_not_stored_for_the_root() {
        let position: Position = ENDING.parse().expect("the position is valid");
        let some = vec![position.parse_uci("c3c4").expect("legal")];
        for (search_moves, is_stored) in [(Vec::new(), true), (some, false)] {
            let limits = Limits { search_moves, ..to_depth(6) };
            let (_, table) = searched(ENDING, limits, 1, Duration::from_secs(3_600));
            assert_eq!(table.probe(position.key()).is_some(), is_stored);
        }
    }
}
