//! Tests of the quiescence search.

use rukh_chess::{Move, MoveKind, Position, Square};
use rukh_eval::Score;

use super::super::node::Window;
use super::super::quiesce::QuiescenceDepth;
use super::super::worker::{PvNode, ScoutNode};
use super::fixture::{CALM, PLY, TestWorker, all, assert_switch, cp, known, mv, off, on, position, worker};
use crate::api::Bound;
use crate::histories::Context;
use crate::params;
use crate::technique::Technique;

/// White can win one undefended pawn.
const LOOSE_PAWN: &str = "4k3/5ppp/8/3p4/8/2N5/5PPP/4K3 w - - 0 1";
/// The only capture is a defended pawn by the queen.
const GUARDED_PAWN: &str = "4k3/5pp1/4p2p/3p4/8/3Q4/5PPP/4K3 w - - 0 1";

/// The score and the nodes.
fn quiesce(worker: &mut TestWorker, position: &Position, window: Window) -> (Score, u64) {
    let score = worker
        .quiesce::<ScoutNode>(position, PLY, window, QuiescenceDepth::CAPTURES_ONLY)
        .expect("the search is not stopped");
    (score, worker.nodes)
}

#[test]
fn stand_pat_at_or_above_beta_needs_one_node() {
    let calm = position(CALM);
    assert_eq!(quiesce(&mut worker(&calm, all()), &calm, Window::above(cp(50))), (cp(0), 1));
    // A pawn could be won, but the evaluation already reaches beta.
    let loose = position(LOOSE_PAWN);
    let balance = cp(200);
    let mut worker = worker(&loose, all());
    assert_eq!(quiesce(&mut worker, &loose, Window::above(balance - 1)), (balance, 1));
    let found = worker.shared.table.probe(loose.key()).expect("it is stored");
    assert_eq!((found.score(PLY), found.bound, found.depth), (balance, Bound::Lower, 0));
}

#[test]
fn in_check_evasions_are_searched_and_none_is_mate() {
    let mated = position("4k3/8/8/8/8/8/5PPP/r5K1 w - - 0 1");
    let wide = Window::new(Score::MIN, Score::MAX);
    assert_eq!(quiesce(&mut worker(&mated, all()), &mated, wide), (Score::mated_at(PLY), 1));
    // The evaluation is above beta, but there is no stand pat in check.
    let check = position("4k3/8/8/8/8/8/QQ3PP1/r5K1 w - - 0 1");
    let (_, nodes) = quiesce(&mut worker(&check, all()), &check, Window::above(cp(0)));
    assert!(nodes > 1);
}

#[test]
fn after_an_evasion_that_avoids_mate_quiet_evasions_are_skipped() {
    let check = position("4r1k1/8/8/8/4K3/8/8/7R w - - 0 1");
    let (score, nodes) = quiesce(&mut worker(&check, all()), &check, Window::above(cp(100)));
    assert_eq!(score, cp(0));
    assert!(nodes < check.count_legal_moves(), "{nodes}");
    // In the corner the king is mated by a capture: other evasions are still searched, even if this one is ordered first.
    let check = position("6k1/8/8/2b5/6nq/8/6PP/6K1 w - - 0 1");
    let mut worker = worker(&check, all());
    let corner = mv(&check, "Kh1");
    worker.histories.learn_quiet(&check, corner, &Context::default(), params::history_bonus_max());
    let after = worker.quiesce::<ScoutNode>(
        &check.after(corner),
        PLY + 1,
        Window::new(Score::MIN, Score::MAX),
        QuiescenceDepth::CAPTURES_ONLY,
    );
    assert_eq!(after, Ok(Score::mate_at(PLY + 2)));
    let (score, _) = quiesce(&mut worker, &check, Window::above(cp(-3000)));
    assert!(!score.is_loss(), "{score}");
}

#[test]
fn delta_pruning_skips_captures_that_cannot_reach_alpha() {
    let loose = position(LOOSE_PAWN);
    let limit = cp(200 + params::see_pawn() + params::delta_margin());
    let out_of_reach = Window::above(limit);
    let within_reach = Window::above(limit - 1);
    let nodes = |worker: &mut TestWorker| quiesce(worker, &loose, out_of_reach).1;
    assert_switch(Technique::DeltaPruning, &loose, nodes, 1, 2);
    assert_eq!(
        quiesce(&mut worker(&loose, all()), &loose, out_of_reach).0,
        limit,
        "the score is the upper bound"
    );
    assert_eq!(quiesce(&mut worker(&loose, all()), &loose, within_reach).1, 2);
}

#[test]
fn checks_promotions_and_evasions_are_exempt_from_delta_pruning() {
    let high = Window::above(cp(9000));
    let searched = |fen: &str| {
        let position = position(fen);
        quiesce(&mut worker(&position, all()), &position, high).1 > 1
    };
    assert!(!searched(LOOSE_PAWN));
    assert!(searched("8/2k2ppp/8/3p4/8/2N5/5PPP/4K3 w - - 0 1"), "the capture gives check");
    assert!(searched("8/P3k3/8/8/8/8/8/4K3 w - - 0 1"), "a promotion");
    assert!(searched("4k3/8/8/8/8/8/8/r3K3 w - - 0 1"), "in check");
}

#[test]
fn captures_that_lose_material_are_pruned() {
    let guarded = position(GUARDED_PAWN);
    let nodes = |worker: &mut TestWorker| quiesce(worker, &guarded, Window::above(cp(810))).1;
    let off =
        quiesce(&mut worker(&guarded, off(Technique::QuiescenceExchange)), &guarded, Window::above(cp(810)));
    assert!(off.1 > 1);
    assert_switch(Technique::QuiescenceExchange, &guarded, nodes, 1, off.1);
    // In check the losing capture is the only legal move and is searched.
    let forced = position("7k/8/8/8/8/7p/6pP/5QNK w - - 0 1");
    let (score, nodes) = quiesce(&mut worker(&forced, all()), &forced, Window::above(cp(-3000)));
    assert!(nodes > 1 && !score.is_loss());
}

#[test]
fn quiet_checks_are_searched_at_the_first_ply() {
    // A quiet back-rank mate; there are no captures.
    let mate = position("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1");
    let window = Window::above(cp(800));
    let finds_mate = |worker: &mut TestWorker, reach| {
        worker.quiesce::<ScoutNode>(&mate, PLY, window, reach) == Ok(Score::mate_at(PLY + 1))
    };
    assert_switch(
        Technique::QuiescenceChecks,
        &mate,
        |worker| finds_mate(worker, QuiescenceDepth::WITH_CHECKS),
        true,
        false,
    );
    assert!(!finds_mate(&mut worker(&mate, all()), QuiescenceDepth::CAPTURES_ONLY), "at later plies");
    // The check loses the rook.
    let guarded = position("1r4k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1");
    let mut worker = worker(&guarded, all());
    assert!(worker.quiesce::<ScoutNode>(&guarded, PLY, window, QuiescenceDepth::WITH_CHECKS).is_ok());
    assert_eq!(worker.nodes, 1);
}

#[test]
fn underpromotions_are_skipped() {
    let promotion = position("8/P3k3/8/8/8/8/8/4K3 w - - 0 1");
    assert_eq!(quiesce(&mut worker(&promotion, all()), &promotion, Window::above(cp(9000))).1, 2);
}

#[test]
fn entries_cut_off_in_quiescence() {
    let loose = position(LOOSE_PAWN);
    let window = Window::above(cp(9000));
    let score_with = |techniques, entry, is_pv: bool| {
        let mut worker = worker(&loose, techniques);
        worker.shared.table.store(loose.key(), entry);
        match is_pv {
            true => worker
                .quiesce::<PvNode>(&loose, PLY, window, QuiescenceDepth::CAPTURES_ONLY)
                .expect("the search is not stopped"),
            false => worker
                .quiesce::<ScoutNode>(&loose, PLY, window, QuiescenceDepth::CAPTURES_ONLY)
                .expect("the search is not stopped"),
        }
    };
    let mate = Score::mate_at(PLY + 5);
    let lower = known(mate, 0, Bound::Lower);
    assert_eq!(score_with(all(), lower, false), mate);
    assert_ne!(score_with(off(Technique::TableCutoff), lower, false), mate);
    assert_ne!(score_with(all(), lower, true), mate, "in a PV node");
    assert_ne!(score_with(all(), known(mate, 0, Bound::Upper), false), mate, "the bound is not sufficient");
}

#[test]
fn no_table_cutoff_near_the_fifty_move_rule() {
    let at_clock = |clock| {
        let position = position(&LOOSE_PAWN.replace(" 0 1", &format!(" {clock} 80")));
        let mut worker = worker(&position, all());
        let mate = Score::mate_at(PLY + 5);
        worker.shared.table.store(position.key(), known(mate, 9, Bound::Exact));
        quiesce(&mut worker, &position, Window::above(cp(9000))).0 == mate
    };
    assert!(at_clock(50));
    assert!(!at_clock(95));
}

#[test]
fn draws_by_rule_come_first() {
    let fifty = position("4k3/5ppp/8/3p4/8/2N5/5PPP/4K3 w - - 100 90");
    let (score, nodes) = quiesce(&mut worker(&fifty, all()), &fifty, Window::above(cp(0)));
    assert!(score.value().abs() <= 1 && nodes == 1, "{score}");
    let bare = position("4k3/8/8/8/8/2N5/8/4K3 w - - 0 1");
    assert!(quiesce(&mut worker(&bare, all()), &bare, Window::above(cp(0))).0.value().abs() <= 1);
}

/// Five undefended pawns, each attacked by a piece.
#[test]
fn after_the_move_limit_only_forcing_moves_are_searched() {
    let loose = position("7k/8/8/ppppp3/6N1/8/6B1/RRQ4K w - - 0 1");
    let searched_moves = |worker: &mut TestWorker| {
        let window = Window::new(Score::MIN, Score::MAX);
        worker
            .quiesce::<PvNode>(&loose, PLY, window, QuiescenceDepth::CAPTURES_ONLY)
            .expect("the search is not stopped");
        worker.nodes - 1
    };
    let limit = params::quiescence_moves() as u64;
    assert_switch(Technique::QuiescenceLimit, &loose, searched_moves, limit, 5);
    // A recapture is searched beyond the limit, whatever its place in the order.
    let after_step = |to: Square| {
        let mut worker = worker(&loose, all());
        worker.frame(PLY - 1).mv = Some(Move::new(Square::H7, to, MoveKind::Quiet));
        searched_moves(&mut worker)
    };
    let pawns = [Square::A5, Square::B5, Square::C5, Square::D5, Square::E5];
    assert_eq!(pawns.map(after_step).into_iter().max(), Some(limit + 1));
}

/// After many plies only recaptures on the square of the last move are searched.
#[test]
fn after_the_recapture_limit_only_recaptures_are_searched() {
    let late = (1..params::recapture_limit()).fold(QuiescenceDepth::CAPTURES_ONLY, |reach, _| reach.next());
    let before = position("4k3/5ppp/8/r2p4/8/1N6/2N2PPP/4K3 b - - 0 1");
    let taken = position("4k3/5ppp/8/r2N4/8/2N5/5PPP/4K3 b - - 0 1");
    let best_move = |worker: &mut TestWorker, position: &Position, last: &str, reach| {
        let child = worker.make(position, mv(position, last), PLY - 1);
        let window = Window::new(Score::MIN, Score::MAX);
        worker.quiesce::<PvNode>(&child, PLY, window, reach).expect("the search is not stopped");
        worker.pv[PLY].first().map(|&mv| child.san(mv).to_string())
    };
    // White can capture the rook, but that is no recapture.
    let act = |worker: &mut TestWorker| best_move(worker, &before, "g6", late).is_some();
    assert_switch(Technique::RecaptureLimit, &before, act, false, true);
    let mut worker = worker(&before, on(Technique::RecaptureLimit));
    assert_eq!(
        best_move(&mut worker, &before, "g6", QuiescenceDepth::CAPTURES_ONLY).as_deref(),
        Some("Nxa5"),
        "not late yet"
    );
    assert_eq!(best_move(&mut worker, &taken, "Rxd5", late).as_deref(), Some("Nxd5"), "a recapture");
}
