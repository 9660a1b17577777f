//! Tests of move pruning: late move, futility, history and SEE pruning.

use rukh_chess::{Color, Move, Piece, Position, Square};
use rukh_eval::Score;

use super::super::buffer::Buffer;
use super::super::node::Node;
use super::super::picker::{Picker, Refutations};
use super::fixture::{
    CALM, IN_CHECK, PAWNS_ALONE, PLY, TestWorker, all, candidate, cp, mv, off, position, scout, worker,
};
use crate::histories::PieceTo;
use crate::params;
use crate::technique::Technique;

/// A move, its number, and the state of the move loop when it is reached.
#[derive(Clone, Copy)]
struct Case<'p> {
    mv: Move,
    number: usize,
    best: Score,
    alpha: Score,
    node: &'p Node<'p>,
}

/// A node in which the second move is not late for late move pruning.
fn quiet_node(position: &Position) -> Node<'_> {
    Node { is_improving: true, ..scout(position) }
}

impl<'p> Case<'p> {
    /// The second move; the first scored alpha.
    fn second(node: &'p Node<'p>, san: &str) -> Self {
        let alpha = node.window.alpha;
        Self { mv: mv(node.position, san), number: 2, best: alpha, alpha, node }
    }

    fn prunes_move(&self, worker: &mut TestWorker) -> bool {
        let mut picker = Picker::all(Buffer::default(), None, Refutations::default());
        let candidate = candidate(self.mv, self.number);
        worker.prunes_move(self.node, &mut picker, &candidate, self.best, self.alpha).is_some()
    }

    /// With the default techniques and empty histories.
    fn is_pruned(&self) -> bool {
        self.prunes_move(&mut worker(self.node.position, all()))
    }

    fn is_pruned_without(&self, technique: Technique) -> bool {
        self.prunes_move(&mut worker(self.node.position, off(technique)))
    }
}

/// The number of the first move that is late.
fn first_late(node: &Node<'_>) -> usize {
    let move_limit = (params::lmp_base() + node.depth * node.depth) / if node.is_improving { 1 } else { 2 };
    move_limit as usize + 1
}

#[test]
fn late_quiet_moves_are_pruned() {
    let calm = position(CALM);
    let node = Node { depth: params::lmp_max_depth(), ..scout(&calm) };
    let number = first_late(&node);
    let late = Case { number, ..Case::second(&node, "a3") };
    assert!(late.is_pruned());
    assert!(!late.is_pruned_without(Technique::LateMovePruning));

    assert!(!Case { number: number - 1, ..late }.is_pruned(), "not late yet");
    assert!(!Case { best: Score::mated_at(9), ..late }.is_pruned(), "only a mate against is known");
    let improving = Node { is_improving: true, ..node };
    assert!(!Case { node: &improving, ..late }.is_pruned(), "the limit is higher when improving");
    assert!(Case { node: &improving, number: first_late(&improving), ..late }.is_pruned());
    let pv = Node { is_pv: true, ..node };
    assert!(!Case { node: &pv, ..late }.is_pruned(), "in a PV node");
    let deep = Node { depth: node.depth + 1, ..node };
    assert!(!Case { node: &deep, number: first_late(&deep), ..late }.is_pruned(), "too deep");
    let pawns = position(PAWNS_ALONE);
    let zugzwang = Node { depth: node.depth, ..scout(&pawns) };
    assert!(!Case { node: &zugzwang, ..late }.is_pruned(), "pawn endgame");
    let check = position(IN_CHECK);
    let in_check = Node { depth: 1, ..quiet_node(&check) };
    let evasion = Case { number: 99, ..Case::second(&in_check, "Ke2") };
    assert!(!evasion.is_pruned(), "in check");
}

#[test]
fn late_move_pruning_skips_the_remaining_quiet_moves() {
    let calm = position(CALM);
    let node = quiet_node(&calm);
    let mut worker = worker(&calm, all());
    let mut picker = Picker::all(Buffer::default(), None, Refutations::default());
    let late =
        picker.next(&calm, &worker.histories, &node.context, &worker.techniques).expect("there are moves");
    let pruned = worker.prunes_move(&node, &mut picker, &candidate(late, 99), cp(0), cp(0));
    assert_eq!(pruned, Some(Technique::LateMovePruning));
    assert_eq!(picker.next(&calm, &worker.histories, &node.context, &worker.techniques), None);
}

#[test]
fn quiet_checks_are_exempt_from_late_move_and_futility_pruning() {
    let beside = position("6k1/ppp2ppp/4p3/8/8/4P3/PPP2PPP/R3K3 w - - 0 1");
    let in_line = position("3k4/ppp2ppp/4p3/8/8/4P3/PPP2PPP/R3K3 w - - 0 1");
    for number in [2, 99] {
        for (position, is_pruned) in [(&beside, true), (&in_line, false)] {
            let node = Node { eval: cp(-9000), ..quiet_node(position) };
            assert_eq!(Case { number, ..Case::second(&node, "Rd1") }.is_pruned(), is_pruned);
        }
    }
}

/// The least distance of the evaluation below alpha, in internal units, at which a quiet move is pruned.
fn least_gap(position: &Position, san: &str, depth: i32) -> i32 {
    let mut worker = worker(position, all());
    let is_futile = |gap: &i32| {
        let node = Node { depth, eval: cp(-1 - gap), ..quiet_node(position) };
        Case::second(&node, san).prunes_move(&mut worker)
    };
    (0..5000).find(is_futile).expect("far below alpha quiet moves are pruned")
}

#[test]
fn futile_quiet_moves_are_pruned() {
    let calm = position(CALM);
    let node = Node { eval: cp(-9000), ..quiet_node(&calm) };
    let futile = Case::second(&node, "a3");
    assert!(futile.is_pruned());
    assert!(!futile.is_pruned_without(Technique::Futility));

    let fine = Node { eval: cp(0), ..node };
    assert!(!Case { node: &fine, ..futile }.is_pruned(), "not below alpha");
    assert!(!Case { best: Score::mated_at(9), ..futile }.is_pruned(), "only a mate against is known");
    assert!(!Case { alpha: Score::mate_at(9), ..futile }.is_pruned(), "alpha is a mate score");
    assert!(!Case { alpha: Score::mated_at(9), ..futile }.is_pruned(), "alpha is a mated score");
    let deep = Node { depth: 2 * params::futility_max_depth() + 1, ..node };
    assert!(!Case { node: &deep, ..futile }.is_pruned(), "too deep");
    let pawns = position(PAWNS_ALONE);
    let zugzwang = Node { eval: cp(-9000), ..quiet_node(&pawns) };
    assert!(!Case { node: &zugzwang, ..futile }.is_pruned(), "pawn endgame");
    let check = position(IN_CHECK);
    let in_check = Node { eval: cp(-9000), ..quiet_node(&check) };
    assert!(!Case::second(&in_check, "Ke2").is_pruned(), "in check");
    let captures = position("4k3/ppp2ppp/4p3/3n4/8/2N1P3/PPP2PPP/4K3 w - - 0 1");
    let node = Node { eval: cp(-9000), ..quiet_node(&captures) };
    assert!(!Case::second(&node, "Nxd5").is_pruned(), "a capture is not quiet");
}

#[test]
fn the_futility_margin_grows_with_depth_and_with_pieces() {
    let full = position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let bare = position(CALM);
    let base = params::futility_base_margin();
    assert!(least_gap(&full, "a3", 1) >= base);
    assert!(least_gap(&full, "a3", 4) > least_gap(&full, "a3", 1));
    assert!(least_gap(&bare, "a3", 1) <= least_gap(&full, "a3", 1));
}

#[test]
fn moves_with_bad_history_are_pruned() {
    let calm = position(CALM);
    let node = quiet_node(&calm);
    let bad = Case::second(&node, "a3");
    let is_pruned = |case: &Case<'_>, techniques| {
        let mut worker = worker(case.node.position, techniques);
        for back in [1, 2, 4] {
            worker.frame(PLY - back).moved = Some(PieceTo::new(Color::Black, Piece::Knight, Square::D7));
        }
        let context = worker.context(case.node.position, PLY);
        for _ in 0..100 {
            worker.histories.learn_quiet(case.node.position, case.mv, &context, -params::history_bonus_max());
        }
        Case { node: &Node { context, ..*case.node }, ..*case }.prunes_move(&mut worker)
    };
    assert!(is_pruned(&bad, all()));
    assert!(!is_pruned(&bad, off(Technique::HistoryPruning)));

    assert!(!bad.is_pruned(), "no history");
    assert!(!is_pruned(&Case { best: Score::mated_at(9), ..bad }, all()), "only a mate against is known");
    let reductions = worker(&calm, all()).reductions;
    let is_too_deep =
        |depth: &i32| depth - reductions.plies(*depth, bad.number) > params::history_pruning_max_depth();
    let depth = (1..).find(is_too_deep).expect("depths have no end");
    let deep = Node { depth, ..quiet_node(&calm) };
    assert!(!is_pruned(&Case { node: &deep, ..bad }, all()), "too deep");
    let pawns = position(PAWNS_ALONE);
    assert!(!is_pruned(&Case { node: &quiet_node(&pawns), ..bad }, all()), "pawn endgame");
    let check = position(IN_CHECK);
    assert!(!is_pruned(&Case::second(&quiet_node(&check), "Ke2"), all()), "in check");
    let board = position("3k4/ppp2ppp/4p3/8/8/4P3/PPP2PPP/R3K3 w - - 0 1");
    assert!(!is_pruned(&Case::second(&quiet_node(&board), "Rd1"), all()), "a check");
}

#[test]
fn moves_that_lose_material_are_pruned() {
    let guarded = position("4k3/1pp2ppp/4p3/3p4/8/3QP3/PPP2PPP/4K3 w - - 0 1");
    let node = quiet_node(&guarded);
    for losing in ["Qxd5", "Qc4", "Qe4"] {
        let losing = Case::second(&node, losing);
        assert!(losing.is_pruned());
        assert!(!losing.is_pruned_without(Technique::ExchangePruning));
        assert!(!Case { best: Score::mated_at(9), ..losing }.is_pruned(), "only a mate against is known");
    }
    assert!(!Case::second(&node, "Qd4").is_pruned(), "a safe square");
    let pawns = position("4k3/1pp2ppp/4p3/3p4/2P5/4P3/PP3PPP/4K3 w - - 0 1");
    assert!(!Case::second(&quiet_node(&pawns), "e4").is_pruned(), "pawn endgame");
}

#[test]
fn the_see_margin_grows_with_depth() {
    let is_pruned = |fen: &str, san: &str, depth: i32| {
        let position = position(fen);
        let node = Node { depth, ..quiet_node(&position) };
        Case::second(&node, san).is_pruned()
    };
    let capture = "4k3/1pp2ppp/4p3/3p4/8/2N1P3/PPP2PPP/4K3 w - - 0 1";
    let enough = (params::see_knight() - params::see_pawn()) / params::see_noisy_margin() + 1;
    assert!(is_pruned(capture, "Nxd5", 1) && !is_pruned(capture, "Nxd5", enough));
    let quiet = "4k3/1pp2ppp/4p3/3p4/8/4P3/PPP2PPP/4K1N1 w - - 0 1";
    assert!(is_pruned(quiet, "c4", 1) && !is_pruned(quiet, "c4", params::see_pruning_max_depth()));
}

#[test]
fn see_pruning_has_a_maximum_depth() {
    let guarded = position("4k3/1pp2ppp/4p3/3p4/8/3QP3/PPP2PPP/4K3 w - - 0 1");
    let mut worker = worker(&guarded, off(Technique::LateMovePruning));
    // So late that the depth after reduction is small.
    let number = 63;
    for (depth, is_pruned) in
        [(params::see_pruning_max_depth() / 2, true), (params::see_pruning_max_depth() + 1, false)]
    {
        let node = Node { depth, ..quiet_node(&guarded) };
        assert_eq!(Case { number, ..Case::second(&node, "Qc4") }.prunes_move(&mut worker), is_pruned);
    }
}

#[test]
fn in_check_only_captures_are_pruned_by_see() {
    let check = position("4k3/5ppp/8/8/4p3/3n4/PP2QPPP/4K3 w - - 0 1");
    assert!(Case::second(&quiet_node(&check), "Qxd3").is_pruned());
    // The evasion loses the queen too, but quiet evasions are never pruned.
    let check = position("4r1k1/5ppp/8/3p4/8/3Q4/PPP2PPP/3BKB2 w - - 0 1");
    assert!(!Case::second(&quiet_node(&check), "Qe4").is_pruned());
}

#[test]
fn a_quiet_move_that_attacks_the_king_zone_is_not_futile() {
    let castled = position("5rk1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");
    let node = Node { eval: cp(-3000), ..quiet_node(&castled) };
    let attacking = Case::second(&node, "Rd7");
    assert!(!attacking.is_pruned());
    assert!(attacking.is_pruned_without(Technique::KingAttack));
    assert!(Case::second(&node, "Ra1").is_pruned(), "it does not attack the king zone");
    assert!(Case::second(&node, "Kf1").is_pruned(), "king moves do not count");
}
