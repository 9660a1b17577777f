//! Tests of iterative deepening and aspiration windows.

use std::sync::Arc;

use rukh_chess::Position;
use rukh_eval::{Material, Score};

use super::super::stability::Stability;
use super::super::worker::Worker;
use super::fixture::{CALM, TestWorker, cp, only, position, worker};
use crate::api::{Bound, Limits, Request};
use crate::params;
use crate::search::{Job, SharedState};
use crate::technique::{DefaultTechniques, Technique, TechniqueOverrides, TechniqueSet};
use crate::transposition::TranspositionTable;

/// The score and nodes of one line of an iteration in which every root move has the previous score `expected`.
fn iterate(
    worker: &mut TestWorker,
    position: &Position,
    depth: i32,
    expected: Score,
) -> (Option<Score>, u64) {
    let request = Request::from_position(position.clone(), Limits::default());
    let shared = worker.shared.clone();
    let job = Job::silent(shared, request, TechniqueOverrides::default());
    for &mv in &position.legal_moves() {
        worker.root.record(mv, 0, Some((expected, Bound::Exact, &Vec::new())));
    }
    worker.root.begin_iteration(depth);
    let searched = worker.search_line(&job, position, depth, 0, &Stability::default());
    assert_eq!(searched, Ok(()));
    (worker.root.moves()[0].score, worker.nodes)
}

#[test]
fn an_aspiration_window_is_widened_until_the_score_is_inside() {
    let calm = position(CALM);
    let depth = params::aspiration_min_depth();
    let nothing = || TechniqueOverrides::only(&[]);
    let with =
        |depth, expected| iterate(&mut worker(&calm, only(Technique::Aspiration)), &calm, depth, expected);
    let off = |depth, expected| iterate(&mut worker(&calm, nothing()), &calm, depth, expected);
    for wrong in [cp(500), cp(-500), cp(9000), cp(-9000)] {
        let (narrow, wide) = (with(depth, wrong), off(depth, wrong));
        assert_eq!(
            (narrow.0, wide.0),
            (Some(cp(0)), Some(cp(0))),
            "a wrong expectation does not change the score"
        );
        assert_ne!(narrow.1, wide.1, "another window is searched first");
    }
    assert_eq!(with(depth - 1, cp(500)), off(depth - 1, cp(500)), "too shallow");
    let mate = Score::mate_at(9);
    assert_eq!(with(depth, mate), off(depth, mate), "no aspiration window around a mate score");
}

/// The search with compile-time techniques and the search with run-time techniques are the same search.
#[test]
fn the_default_search_is_the_same_by_type_and_by_value() {
    fn nodes<T: TechniqueSet>(techniques: T) -> u64 {
        let position = position("r2q1rk1/ppp2ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPP2PPP/R2Q1RK1 w - - 4 8");
        let limits = Limits { depth: Some(7), ..Limits::default() };
        let table = Arc::new(TranspositionTable::new(1, 1).expect("a mebibyte is available"));
        let shared = Arc::new(SharedState::single_threaded(table, limits.clone()));
        let request = Request::from_position(position, limits);
        let job = Job::silent(shared.clone(), request, TechniqueOverrides::default());
        Worker::new(shared.clone(), Material, techniques).run(&job, 0);
        shared.all_nodes()
    }
    assert_eq!(nodes(DefaultTechniques), nodes(TechniqueOverrides::default()));
    assert_ne!(nodes(DefaultTechniques), nodes(only(Technique::Killer)));
}
