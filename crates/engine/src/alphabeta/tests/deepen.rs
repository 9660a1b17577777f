//! Aspiration windows.

use rukh_chess::Position;
use rukh_eval::Score;

use super::super::stability::Stability;
use super::fixture::{CALM, TestWorker, cp, only, position, worker};
use crate::api::{Bound, Limits, Request};
use crate::params;
use crate::search::Job;
use crate::technique::{Technique, TechniqueOverrides};

/// One line of an iteration in which every move is expected to score `expected`: what it scores, and the nodes.
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
fn a_narrow_window_is_tried_first_and_opened_where_it_fails() {
    let calm = position(CALM);
    let depth = params::aspiration_min_depth();
    let nothing = || TechniqueOverrides::only(&[]);
    let with =
        |depth, expected| iterate(&mut worker(&calm, only(Technique::Aspiration)), &calm, depth, expected);
    let off = |depth, expected| iterate(&mut worker(&calm, nothing()), &calm, depth, expected);
    for wrong in [cp(500), cp(-500), cp(9000), cp(-9000)] {
        let (narrow, wide) = (with(depth, wrong), off(depth, wrong));
        assert_eq!((narrow.0, wide.0), (Some(cp(0)), Some(cp(0))), "a wrong expectation changes no score");
        assert_ne!(narrow.1, wide.1, "but it is looked for elsewhere first");
    }
    assert_eq!(with(depth - 1, cp(500)), off(depth - 1, cp(500)), "too shallow");
    let mate = Score::mate_at(9);
    assert_eq!(with(depth, mate), off(depth, mate), "a mate is no middle of a window");
}
