//! A worker in a position, a node made by hand, and positions whose worth is plain.
//!
//! The worker counts material: what a position is worth is known without a look at the evaluation, and tuning that
//! changes nothing here.

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

/// Nothing can be taken, nothing hangs, and both sides have the same pieces: the score is a round zero to some depth.
pub(super) const CALM: &str = "4k3/pppn1ppp/4p3/8/8/4P3/PPPN1PPP/4K3 w - - 0 1";
/// The same without the knights: pawns alone.
pub(super) const PAWNS_ALONE: &str = "4k3/ppp2ppp/4p3/8/8/4P3/PPP2PPP/4K3 w - - 0 1";
/// The knight gives check, and the king can step aside.
pub(super) const IN_CHECK: &str = "4k3/ppp2ppp/4p3/8/8/3nP3/PP1N1PPP/4K3 w - - 0 1";

/// Far enough from the root that frames before are there.
pub(super) const PLY: usize = 4;
/// The iteration, deep enough that it forbids no extension.
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
    Score::centipawns(value)
}

/// The techniques in play.
pub(super) fn all() -> TechniqueOverrides {
    TechniqueOverrides::default()
}

/// The techniques in play, and this one.
pub(super) fn on(technique: Technique) -> TechniqueOverrides {
    TechniqueOverrides::these((!technique.is_in_play()).then_some(technique))
}

/// The techniques in play, but for this one.
pub(super) fn off(technique: Technique) -> TechniqueOverrides {
    TechniqueOverrides::these(technique.is_in_play().then_some(technique))
}

/// No technique but one.
pub(super) fn only(technique: Technique) -> TechniqueOverrides {
    TechniqueOverrides::only(&[technique])
}

/// A worker that stands in `position`, with a table of its own.
pub(super) fn worker(position: &Position, techniques: TechniqueOverrides) -> TestWorker {
    let shared = Arc::new(SharedState::single_threaded(
        Arc::new(TranspositionTable::new(1, 1).expect("a mebibyte can be had")),
        Limits::default(),
    ));
    let mut worker = Worker::new(shared.clone(), Material, techniques);
    worker.begin(shared, 0, position, &KeyHistory::new());
    worker.root.begin(position, &[]);
    worker.root.begin_iteration(ITERATION);
    worker
}

/// A node searched with an empty window around zero, in which nothing is known but an evaluation of zero.
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

/// A move whose turn comes at this place.
pub(super) fn turn(mv: Move, number: usize) -> Candidate {
    Candidate { mv, number, ordering_score: None }
}

/// What a table says of a position at [`PLY`].
pub(super) fn known(score: Score, depth: i32, bound: Bound) -> NewEntry {
    NewEntry { mv: None, score, ply: PLY, eval: None, depth, bound, was_pv: false }
}

/// The same as one reads it there.
pub(super) fn entry(score: Score, depth: i32, bound: Bound) -> Entry {
    let table = TranspositionTable::new(1, 1).expect("a mebibyte can be had");
    table.store(1, known(score, depth, bound));
    table.probe(1).expect("it has just been put in")
}

/// A technique makes the difference: `act` comes out as `with` when it is in use and as `without` when it is not.
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
