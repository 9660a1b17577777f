//! Scores to be measured: of a static evaluation, of a search, of another engine. Targets are not known here.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use rukh_chess::Position;
use rukh_engine::SyncSearcher;
use rukh_engine::api::{Limits, Request};
use rukh_engine::technique::TechniqueOverrides;
use rukh_engine::threads::{NoThread, spawn_workers};
use rukh_eval::{AnyEvaluator, Evaluation, Evaluator};

use crate::arena::{EngineEvaluator, Entrant, NoEvaluation};
use crate::rescore::table_mebibytes;

/// The scores of a static evaluation, in internal units for the side to move.
pub fn by_evaluation<'p>(
    evaluation: &Evaluation,
    positions: impl Iterator<Item = &'p Position>,
) -> Vec<Option<f64>> {
    let mut evaluator = AnyEvaluator::new(evaluation);
    let scores = positions.map(|position| {
        evaluator.reset(position);
        Some(f64::from(evaluator.evaluate(position).value()))
    });
    scores.collect()
}

/// The scores of searches of so many nodes, each with an empty transposition table; none if it was interrupted by `is_over`.
/// Where there is no legal move, there is no score. `on_position` receives the number of finished positions.
pub fn by_search(
    evaluation: &Evaluation,
    nodes: u64,
    positions: &[&Position],
    threads: usize,
    is_over: &AtomicBool,
    mut on_position: impl FnMut(usize),
) -> Result<Option<Vec<Option<f64>>>, NoThread> {
    let next = &AtomicUsize::new(0);
    let (sender, finished) = mpsc::channel();
    let mut scores = vec![None; positions.len()];
    let mut done = 0;
    thread::scope(|scope| {
        let work = move || {
            let search = SyncSearcher::new(TechniqueOverrides::default(), evaluation, table_mebibytes(nodes));
            let mut search = search.expect("a machine that plays chess has a few mebibytes");
            while !is_over.load(Ordering::Relaxed) {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(&position) = positions.get(at) else { break };
                search.clear();
                let limits = Limits { nodes: Some(nodes), ..Limits::default() };
                let found = search.search(Request::from_position(position.clone(), limits));
                let score = found.score.map(|score| f64::from(score.value()));
                if sender.send((at, score)).is_err() {
                    break;
                }
            }
        };
        spawn_workers(scope, threads, work)?;
        for (at, score) in finished {
            scores[at] = score;
            done += 1;
            on_position(done);
        }
        Ok((done == positions.len()).then_some(scores))
    })
}

/// The static evaluations of another engine by its command `eval`.
pub fn by_engine<'p>(
    entrant: &Entrant,
    positions: impl Iterator<Item = &'p Position>,
) -> Result<Vec<Option<f64>>, NoEvaluation> {
    let mut engine = EngineEvaluator::start(entrant)?;
    positions.map(|position| engine.evaluate(position)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn positions() -> Vec<Position> {
        let fens = [
            "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1",
            "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1",
            "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
        ];
        fens.map(|fen| fen.parse().expect("it is a position")).to_vec()
    }

    #[test]
    fn scores_are_of_the_side_to_move() {
        let positions = positions();
        let scores = by_evaluation(&Evaluation::Classical, positions[..2].iter());
        assert!(scores[0] > Some(300.0) && scores[1] < Some(-300.0), "{scores:?}");
        let refs: Vec<&Position> = positions.iter().collect();
        let is_over = AtomicBool::new(false);
        let search = |threads| {
            let mut count = 0;
            let scores =
                by_search(&Evaluation::Classical, 500, &refs, threads, &is_over, |done| count = done);
            assert_eq!(count, 4);
            scores.expect("a thread is given").expect("it is not interrupted")
        };
        let scores = search(1);
        assert!(scores[0] > Some(300.0) && scores[1] < Some(-300.0), "{scores:?}");
        assert!(scores[2] > Some(31_900.0) && scores[3].is_none(), "mate in one, and stalemate: {scores:?}");
        assert_eq!(search(3), scores);
        is_over.store(true, Ordering::Relaxed);
        assert_eq!(by_search(&Evaluation::Classical, 500, &refs, 1, &is_over, |_| ()), Ok(None));
    }
}
