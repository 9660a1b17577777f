//! Test fixture: a worker for a position, hand-made nodes, and positions with a known score.
//!
//! The worker evaluates by material alone: scores are known without the real evaluation and do not change when it is tuned.

use std::sync::Arc;

use rukh_chess::history::KeyHistory;
use rukh_chess::{Move, Position};
use rukh_eval::{Material, Score};

use super::super::node::{Candidate, Node, Window};
use super::super::worker::Worker;
use crate::api::{Bound, Limits};
use crate::histories::Context;
use crate::search::SharedState;
use crate::technique::{Technique, TechniqueOverrides};
use crate::transposition::{Entry, NewEntry, TranspositionTable};

/// Equal material, no captures, nothing hangs: the score is zero at low depth.
pub(super) const CALM: &str = "4k3/pppn1ppp/4p3/8/8/4P3/PPPN1PPP/4K3 w - - 0 1";
/// The same without knights: a pawn endgame.
pub(super) const PAWNS_ALONE: &str = "4k3/ppp2ppp/4p3/8/8/4P3/PPP2PPP/4K3 w - - 0 1";
/// The knight gives check, and the king can move away.
pub(super) const IN_CHECK: &str = "4k3/ppp2ppp/4p3/8/8/3nP3/PP1N1PPP/4K3 w - - 0 1";

/// The ply of the test nodes, far enough from the root that earlier frames exist.
pub(super) const PLY: usize = 4;
/// The iteration, deep enough that extensions are allowed.
const ITERATION: i32 = 20;

pub(super) type TestWorker = Worker<Material, TechniqueOverrides>;

pub(super) fn position(fen: &str) -> Position {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// A legal move by its SAN.
pub(super) fn mv(position: &Position, san: &str) -> Move {
    position.parse_san(san).unwrap_or_else(|error| panic!("{san}: {error}"))
}

pub(super) fn cp(value: i32) -> Score {
    Score::new(value)
}

/// The default techniques.
pub(super) fn all() -> TechniqueOverrides {
    TechniqueOverrides::default()
}

/// The default techniques and this one.
pub(super) fn on(technique: Technique) -> TechniqueOverrides {
    TechniqueOverrides::these((!technique.is_in_play()).then_some(technique))
}

/// The default techniques without this one.
pub(super) fn off(technique: Technique) -> TechniqueOverrides {
    TechniqueOverrides::these(technique.is_in_play().then_some(technique))
}

/// This technique alone.
pub(super) fn only(technique: Technique) -> TechniqueOverrides {
    TechniqueOverrides::only(&[technique])
}

/// A worker for `position` with its own transposition table.
pub(super) fn worker(position: &Position, techniques: TechniqueOverrides) -> TestWorker {
    let shared = Arc::new(SharedState::single_threaded(
        Arc::new(TranspositionTable::new(1, 1).expect("a mebibyte is available")),
        Limits::default(),
    ));
    let mut worker = Worker::new(shared.clone(), Material, techniques);
    worker.begin(shared, 0, position, &KeyHistory::new());
    worker.root.begin(position, &[], None);
    worker.root.begin_iteration(ITERATION);
    worker
}

/// A non-PV node with a zero window around zero and a static evaluation of zero.
pub(super) fn scout(position: &Position) -> Node<'_> {
    Node {
        position,
        ply: PLY,
        depth: 1,
        window: Window::above(cp(-1)),
        is_pv: false,
        is_cut: false,
        excluded: None,
        entry: None,
        table_move: None,
        raw_eval: Some(cp(0)),
        eval: cp(0),
        static_eval: Some(cp(0)),
        is_improving: false,
        was_pv: false,
        floor: Score::mated_at(PLY),
        ceiling: Score::MAX,
        context: Context::default(),
    }
}

/// A move with this number in the move order.
pub(super) fn candidate(mv: Move, number: usize) -> Candidate {
    Candidate { mv, number, ordering_score: None }
}

/// A transposition table entry to be stored at [`PLY`].
pub(super) fn known(score: Score, depth: i32, bound: Bound) -> NewEntry {
    NewEntry { mv: None, score, ply: PLY, eval: None, depth, bound, was_pv: false }
}

/// The same entry as it is probed.
pub(super) fn entry(score: Score, depth: i32, bound: Bound) -> Entry {
    let table = TranspositionTable::new(1, 1).expect("a mebibyte is available");
    table.store(1, known(score, depth, bound));
    table.probe(1).expect("it was stored")
}

/// Asserts that `act` returns `with` when the technique is on and `without` when it is off.
pub(super) fn assert_switch<R: Copy + PartialEq + std::fmt::Debug>(
    technique: Technique,
    position: &Position,
    act: impl Fn(&mut TestWorker) -> R,
    with: R,
    without: R,
) {
    assert_eq!(act(&mut worker(position, on(technique))), with, "with {technique}");
    assert_eq!(act(&mut worker(position, off(technique))), without, "without {technique}");
}
