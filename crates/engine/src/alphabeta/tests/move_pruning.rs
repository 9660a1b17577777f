//! Prunings among the moves.

use rukh_chess::{Color, Move, Piece, Position, Square};
use rukh_eval::Score;

use super::super::buffer::Buffer;
use super::super::node::Node;
use super::super::picker::{Picker, Refutations};
use super::fixture::{
    CALM, IN_CHECK, PAWNS_ALONE, PLY, TestWorker, all, cp, mv, off, position, scout, turn, worker,
};
use crate::histories::PieceTo;
use crate::params;
use crate::technique::Technique;

/// A move with its place among the moves, and what is known when its turn comes.
#[derive(Clone, Copy)]
struct Turn<'p> {
    mv: Move,
    number: usize,
    best: Score,
    alpha: Score,
    node: &'p Node<'p>,
}

/// A node in which the second move is not late, however little patience there is.
fn quiet_node(position: &Position) -> Node<'_> {
    Node { is_improving: true, ..scout(position) }
}

impl<'p> Turn<'p> {
    /// The second move, the first having been no better than alpha.
    fn second(node: &'p Node<'p>, san: &str) -> Self {
        let alpha = node.window.alpha;
        Self { mv: mv(node.position, san), number: 2, best: alpha, alpha, node }
    }

    fn prunes_move(&self, worker: &mut TestWorker) -> bool {
        let mut picker = Picker::all(Buffer::default(), None, Refutations::default());
        worker.prunes_move(self.node, &mut picker, &turn(self.mv, self.number), self.best, self.alpha)
    }

    /// With every technique and a worker that has learnt nothing.
    fn is_left_out(&self) -> bool {
        self.prunes_move(&mut worker(self.node.position, all()))
    }

    fn is_left_out_without(&self, technique: Technique) -> bool {
        self.prunes_move(&mut worker(self.node.position, off(technique)))
    }
}

/// The number of the first move that is late.
fn first_late(node: &Node<'_>) -> usize {
    let patience = (params::lmp_base() + node.depth * node.depth) / if node.is_improving { 1 } else { 2 };
    patience as usize + 1
}

#[test]
fn late_quiet_moves_are_left_out() {
    let calm = position(CALM);
    let node = Node { depth: params::lmp_max_depth(), ..scout(&calm) };
    let number = first_late(&node);
    let late = Turn { number, ..Turn::second(&node, "a3") };
    assert!(late.is_left_out());
    assert!(!late.is_left_out_without(Technique::LateMovePruning));

    assert!(!Turn { number: number - 1, ..late }.is_left_out(), "not late yet");
    assert!(!Turn { best: Score::mated_at(9), ..late }.is_left_out(), "nothing but a mate is known");
    let improving = Node { is_improving: true, ..node };
    assert!(!Turn { node: &improving, ..late }.is_left_out(), "patience is greater when improving");
    assert!(Turn { node: &improving, number: first_late(&improving), ..late }.is_left_out());
    let pv = Node { is_pv: true, ..node };
    assert!(!Turn { node: &pv, ..late }.is_left_out(), "in a principal variation");
    let deep = Node { depth: node.depth + 1, ..node };
    assert!(!Turn { node: &deep, number: first_late(&deep), ..late }.is_left_out(), "too deep");
    let pawns = position(PAWNS_ALONE);
    let zugzwang = Node { depth: node.depth, ..scout(&pawns) };
    assert!(!Turn { node: &zugzwang, ..late }.is_left_out(), "pawns alone");
    let check = position(IN_CHECK);
    let in_check = Node { depth: 1, ..quiet_node(&check) };
    let evasion = Turn { number: 99, ..Turn::second(&in_check, "Ke2") };
    assert!(!evasion.is_left_out(), "in check");
}

#[test]
fn after_a_late_move_no_quiet_one_is_asked_for() {
    let calm = position(CALM);
    let node = quiet_node(&calm);
    let mut worker = worker(&calm, all());
    let mut picker = Picker::all(Buffer::default(), None, Refutations::default());
    let late =
        picker.next(&calm, &worker.histories, &node.context, &worker.techniques).expect("there are moves");
    assert!(worker.prunes_move(&node, &mut picker, &turn(late, 99), cp(0), cp(0)));
    assert_eq!(picker.next(&calm, &worker.histories, &node.context, &worker.techniques), None);
}

#[test]
fn a_quiet_check_is_looked_at_however_late_and_futile() {
    let beside = position("6k1/ppp2ppp/4p3/8/8/4P3/PPP2PPP/R3K3 w - - 0 1");
    let in_line = position("3k4/ppp2ppp/4p3/8/8/4P3/PPP2PPP/R3K3 w - - 0 1");
    for number in [2, 99] {
        for (position, is_left_out) in [(&beside, true), (&in_line, false)] {
            let node = Node { eval: cp(-9000), ..quiet_node(position) };
            assert_eq!(Turn { number, ..Turn::second(&node, "Rd1") }.is_left_out(), is_left_out);
        }
    }
}

/// How many centipawns below alpha the evaluation must be for a quiet move to be futile.
fn least_gap(position: &Position, san: &str, depth: i32) -> i32 {
    let mut worker = worker(position, all());
    let is_futile = |gap: &i32| {
        let node = Node { depth, eval: cp(-1 - gap), ..quiet_node(position) };
        Turn::second(&node, san).prunes_move(&mut worker)
    };
    (0..5000).find(is_futile).expect("far enough below every quiet move is futile")
}

#[test]
fn futile_quiet_moves_are_left_out() {
    let calm = position(CALM);
    let node = Node { eval: cp(-9000), ..quiet_node(&calm) };
    let futile = Turn::second(&node, "a3");
    assert!(futile.is_left_out());
    assert!(!futile.is_left_out_without(Technique::Futility));

    let fine = Node { eval: cp(0), ..node };
    assert!(!Turn { node: &fine, ..futile }.is_left_out(), "not below alpha");
    assert!(!Turn { best: Score::mated_at(9), ..futile }.is_left_out(), "nothing but a mate is known");
    assert!(!Turn { alpha: Score::mate_at(9), ..futile }.is_left_out(), "a mate is looked for");
    assert!(!Turn { alpha: Score::mated_at(9), ..futile }.is_left_out(), "a mate is to be avoided");
    let deep = Node { depth: 2 * params::futility_max_depth() + 1, ..node };
    assert!(!Turn { node: &deep, ..futile }.is_left_out(), "too deep");
    let pawns = position(PAWNS_ALONE);
    let zugzwang = Node { eval: cp(-9000), ..quiet_node(&pawns) };
    assert!(!Turn { node: &zugzwang, ..futile }.is_left_out(), "pawns alone");
    let check = position(IN_CHECK);
    let in_check = Node { eval: cp(-9000), ..quiet_node(&check) };
    assert!(!Turn::second(&in_check, "Ke2").is_left_out(), "in check");
    let captures = position("4k3/ppp2ppp/4p3/3n4/8/2N1P3/PPP2PPP/4K3 w - - 0 1");
    let node = Node { eval: cp(-9000), ..quiet_node(&captures) };
    assert!(!Turn::second(&node, "Nxd5").is_left_out(), "a capture is not quiet");
}

#[test]
fn futility_asks_for_more_with_depth_and_with_pieces() {
    let full = position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let bare = position(CALM);
    let base = params::futility_base_margin();
    assert!(least_gap(&full, "a3", 1) >= base);
    assert!(least_gap(&full, "a3", 4) > least_gap(&full, "a3", 1));
    assert!(least_gap(&bare, "a3", 1) <= least_gap(&full, "a3", 1));
}

#[test]
fn moves_that_were_bad_everywhere_are_left_out() {
    let calm = position(CALM);
    let node = quiet_node(&calm);
    let disliked = Turn::second(&node, "a3");
    let judge = |turn: &Turn<'_>, techniques| {
        let mut worker = worker(turn.node.position, techniques);
        for back in [1, 2, 4] {
            worker.frame(PLY - back).moved = Some(PieceTo::new(Color::Black, Piece::Knight, Square::D7));
        }
        let context = worker.context(turn.node.position, PLY);
        for _ in 0..100 {
            worker.histories.learn_quiet(turn.node.position, turn.mv, &context, -params::history_bonus_max());
        }
        Turn { node: &Node { context, ..*turn.node }, ..*turn }.prunes_move(&mut worker)
    };
    assert!(judge(&disliked, all()));
    assert!(!judge(&disliked, off(Technique::HistoryPruning)));

    assert!(!disliked.is_left_out(), "nothing is known of it");
    assert!(!judge(&Turn { best: Score::mated_at(9), ..disliked }, all()), "nothing but a mate is known");
    let reductions = worker(&calm, all()).reductions;
    let is_too_deep =
        |depth: &i32| depth - reductions.plies(*depth, disliked.number) > params::history_pruning_max_depth();
    let depth = (1..).find(is_too_deep).expect("depths have no end");
    let deep = Node { depth, ..quiet_node(&calm) };
    assert!(!judge(&Turn { node: &deep, ..disliked }, all()), "too deep");
    let pawns = position(PAWNS_ALONE);
    assert!(!judge(&Turn { node: &quiet_node(&pawns), ..disliked }, all()), "pawns alone");
    let check = position(IN_CHECK);
    assert!(!judge(&Turn::second(&quiet_node(&check), "Ke2"), all()), "in check");
    let board = position("3k4/ppp2ppp/4p3/8/8/4P3/PPP2PPP/R3K3 w - - 0 1");
    assert!(!judge(&Turn::second(&quiet_node(&board), "Rd1"), all()), "a check");
}

#[test]
fn moves_that_lose_the_piece_are_left_out() {
    let guarded = position("4k3/1pp2ppp/4p3/3p4/8/3QP3/PPP2PPP/4K3 w - - 0 1");
    let node = quiet_node(&guarded);
    for losing in ["Qxd5", "Qc4", "Qe4"] {
        let losing = Turn::second(&node, losing);
        assert!(losing.is_left_out());
        assert!(!losing.is_left_out_without(Technique::ExchangePruning));
        assert!(!Turn { best: Score::mated_at(9), ..losing }.is_left_out(), "nothing but a mate is known");
    }
    assert!(!Turn::second(&node, "Qd4").is_left_out(), "nothing is lost there");
    let pawns = position("4k3/1pp2ppp/4p3/3p4/2P5/4P3/PP3PPP/4K3 w - - 0 1");
    assert!(!Turn::second(&quiet_node(&pawns), "e4").is_left_out(), "pawns alone");
}

#[test]
fn the_deeper_the_search_the_more_may_be_lost() {
    let judge = |fen: &str, san: &str, depth: i32| {
        let position = position(fen);
        let node = Node { depth, ..quiet_node(&position) };
        Turn::second(&node, san).is_left_out()
    };
    let capture = "4k3/1pp2ppp/4p3/3p4/8/2N1P3/PPP2PPP/4K3 w - - 0 1";
    let enough = (params::see_knight() - params::see_pawn()) / params::see_noisy_margin() + 1;
    assert!(judge(capture, "Nxd5", 1) && !judge(capture, "Nxd5", enough));
    let quiet = "4k3/1pp2ppp/4p3/3p4/8/4P3/PPP2PPP/4K1N1 w - - 0 1";
    assert!(judge(quiet, "c4", 1) && !judge(quiet, "c4", params::see_pruning_max_depth()));
}

#[test]
fn from_some_depth_on_anything_may_be_lost() {
    let guarded = position("4k3/1pp2ppp/4p3/3p4/8/3QP3/PPP2PPP/4K3 w - - 0 1");
    let mut worker = worker(&guarded, off(Technique::LateMovePruning));
    // So late that hardly anything is left after the reduction.
    let number = 63;
    for (depth, is_left_out) in
        [(params::see_pruning_max_depth() / 2, true), (params::see_pruning_max_depth() + 1, false)]
    {
        let node = Node { depth, ..quiet_node(&guarded) };
        assert_eq!(Turn { number, ..Turn::second(&node, "Qc4") }.prunes_move(&mut worker), is_left_out);
    }
}

#[test]
fn in_check_only_captures_are_weighed() {
    let check = position("4k3/5ppp/8/8/4p3/3n4/PP2QPPP/4K3 w - - 0 1");
    assert!(Turn::second(&quiet_node(&check), "Qxd3").is_left_out());
    // The queen is lost there as well, but a quiet evasion may be the only one.
    let check = position("4r1k1/5ppp/8/3p4/8/3Q4/PPP2PPP/3BKB2 w - - 0 1");
    assert!(!Turn::second(&quiet_node(&check), "Qe4").is_left_out());
}

#[test]
fn a_quiet_move_that_presses_the_king_is_not_futile() {
    let castled = position("5rk1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");
    let node = Node { eval: cp(-3000), ..quiet_node(&castled) };
    let pressing = Turn::second(&node, "Rd7");
    assert!(!pressing.is_left_out());
    assert!(pressing.is_left_out_without(Technique::KingAttack));
    assert!(Turn::second(&node, "Ra1").is_left_out(), "it attacks nothing beside the king");
    assert!(Turn::second(&node, "Kf1").is_left_out(), "a king presses nobody");
}
