//! Quiescence.

use rukh_chess::{Move, MoveKind, Position, Square};
use rukh_eval::Score;

use super::super::node::Window;
use super::super::quiesce::Reach;
use super::super::worker::{PvNode, ScoutNode};
use super::fixture::{CALM, PLY, TestWorker, all, assert_switch, cp, known, mv, off, on, position, worker};
use crate::api::Bound;
use crate::histories::Context;
use crate::params;
use crate::technique::Technique;

/// White can take one pawn, and nothing takes back.
const LOOSE_PAWN: &str = "4k3/5ppp/8/3p4/8/2N5/5PPP/4K3 w - - 0 1";
/// White's queen can take a pawn that another guards; nothing else can be taken.
const GUARDED_PAWN: &str = "4k3/5pp1/4p2p/3p4/8/3Q4/5PPP/4K3 w - - 0 1";

/// The score and the nodes it took.
fn quiesce(worker: &mut TestWorker, position: &Position, window: Window) -> (Score, u64) {
    let score = worker.quiesce::<ScoutNode>(position, PLY, window, Reach::CAPTURES).expect("nobody stops it");
    (score, worker.nodes)
}

#[test]
fn nobody_has_to_capture() {
    let calm = position(CALM);
    assert_eq!(quiesce(&mut worker(&calm, all()), &calm, Window::above(cp(50))), (cp(0), 1));
    // A pawn could be won, but it is not needed.
    let loose = position(LOOSE_PAWN);
    let balance = cp(200);
    let mut worker = worker(&loose, all());
    assert_eq!(quiesce(&mut worker, &loose, Window::above(balance - 1)), (balance, 1));
    let found = worker.shared.table.probe(loose.key()).expect("it is remembered");
    assert_eq!((found.score(PLY), found.bound, found.depth), (balance, Bound::Lower, 0));
}

#[test]
fn in_check_every_evasion_counts_and_none_is_mate() {
    let mated = position("4k3/8/8/8/8/8/5PPP/r5K1 w - - 0 1");
    let wide = Window::new(Score::MIN, Score::MAX);
    assert_eq!(quiesce(&mut worker(&mated, all()), &mated, wide), (Score::mated_at(PLY), 1));
    // The evaluation stands above beta, but it may not be taken for granted.
    let check = position("4k3/8/8/8/8/8/QQ3PP1/r5K1 w - - 0 1");
    let (_, nodes) = quiesce(&mut worker(&check, all()), &check, Window::above(cp(0)));
    assert!(nodes > 1);
}

#[test]
fn one_evasion_that_is_not_mated_speaks_for_the_other_quiet_ones() {
    let check = position("4r1k1/8/8/8/4K3/8/8/7R w - - 0 1");
    let (score, nodes) = quiesce(&mut worker(&check, all()), &check, Window::above(cp(100)));
    assert_eq!(score, cp(0));
    assert!(nodes < check.count_legal_moves(), "{nodes}");
    // To the corner the king is mated by a capture: that speaks for nothing, however good it was elsewhere.
    let check = position("6k1/8/8/2b5/6nq/8/6PP/6K1 w - - 0 1");
    let mut worker = worker(&check, all());
    let corner = mv(&check, "Kh1");
    worker.histories.learn_quiet(&check, corner, &Context::default(), params::history_bonus_max());
    let after = worker.quiesce::<ScoutNode>(
        &check.after(corner),
        PLY + 1,
        Window::new(Score::MIN, Score::MAX),
        Reach::CAPTURES,
    );
    assert_eq!(after, Ok(Score::mate_at(PLY + 2)));
    let (score, _) = quiesce(&mut worker, &check, Window::above(cp(-3000)));
    assert!(!score.is_loss(), "{score}");
}

#[test]
fn captures_that_cannot_reach_alpha_are_left_out() {
    let loose = position(LOOSE_PAWN);
    let reach = cp(200 + params::see_pawn() + params::delta_margin());
    let out_of_reach = Window::above(reach);
    let within_reach = Window::above(reach - 1);
    let nodes = |worker: &mut TestWorker| quiesce(worker, &loose, out_of_reach).1;
    assert_switch(Technique::DeltaPruning, &loose, nodes, 1, 2);
    assert_eq!(
        quiesce(&mut worker(&loose, all()), &loose, out_of_reach).0,
        reach,
        "it is a bound all the same"
    );
    assert_eq!(quiesce(&mut worker(&loose, all()), &loose, within_reach).1, 2);
}

#[test]
fn checks_promotions_and_evasions_are_not_out_of_reach() {
    let hopeless = Window::above(cp(9000));
    let searched = |fen: &str| {
        let position = position(fen);
        quiesce(&mut worker(&position, all()), &position, hopeless).1 > 1
    };
    assert!(!searched(LOOSE_PAWN));
    assert!(searched("8/2k2ppp/8/3p4/8/2N5/5PPP/4K3 w - - 0 1"), "the capture gives check");
    assert!(searched("8/P3k3/8/8/8/8/8/4K3 w - - 0 1"), "a promotion");
    assert!(searched("4k3/8/8/8/8/8/8/r3K3 w - - 0 1"), "in check");
}

#[test]
fn captures_that_lose_material_are_left_out() {
    let guarded = position(GUARDED_PAWN);
    let nodes = |worker: &mut TestWorker| quiesce(worker, &guarded, Window::above(cp(810))).1;
    let off =
        quiesce(&mut worker(&guarded, off(Technique::QuiescenceExchange)), &guarded, Window::above(cp(810)));
    assert!(off.1 > 1);
    assert_switch(Technique::QuiescenceExchange, &guarded, nodes, 1, off.1);
    // In check the losing capture is the only move, and better than none.
    let forced = position("7k/8/8/8/8/7p/6pP/5QNK w - - 0 1");
    let (score, nodes) = quiesce(&mut worker(&forced, all()), &forced, Window::above(cp(-3000)));
    assert!(nodes > 1 && !score.is_loss());
}

#[test]
fn quiet_checks_are_tried_at_the_first_ply() {
    // The rook mates on the last rank, and there is nothing to take.
    let mate = position("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1");
    let window = Window::above(cp(800));
    let finds_mate = |worker: &mut TestWorker, reach| {
        worker.quiesce::<ScoutNode>(&mate, PLY, window, reach) == Ok(Score::mate_at(PLY + 1))
    };
    assert_switch(
        Technique::QuiescenceChecks,
        &mate,
        |worker| finds_mate(worker, Reach::CHECKS),
        true,
        false,
    );
    assert!(!finds_mate(&mut worker(&mate, all()), Reach::CAPTURES), "at further plies");
    // The check loses the rook.
    let guarded = position("1r4k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1");
    let mut worker = worker(&guarded, all());
    assert!(worker.quiesce::<ScoutNode>(&guarded, PLY, window, Reach::CHECKS).is_ok());
    assert_eq!(worker.nodes, 1);
}

#[test]
fn a_pawn_becomes_a_queen_or_nothing() {
    let promotion = position("8/P3k3/8/8/8/8/8/4K3 w - - 0 1");
    assert_eq!(quiesce(&mut worker(&promotion, all()), &promotion, Window::above(cp(9000))).1, 2);
}

#[test]
fn the_table_answers_for_quiescence_too() {
    let loose = position(LOOSE_PAWN);
    let window = Window::above(cp(9000));
    let ask = |techniques, entry, is_pv: bool| {
        let mut worker = worker(&loose, techniques);
        worker.shared.table.store(loose.key(), entry);
        match is_pv {
            true => worker.quiesce::<PvNode>(&loose, PLY, window, Reach::CAPTURES).expect("nobody stops it"),
            false => {
                worker.quiesce::<ScoutNode>(&loose, PLY, window, Reach::CAPTURES).expect("nobody stops it")
            }
        }
    };
    let mate = Score::mate_at(PLY + 5);
    let lower = known(mate, 0, Bound::Lower);
    assert_eq!(ask(all(), lower, false), mate);
    assert_ne!(ask(off(Technique::TableCutoff), lower, false), mate);
    assert_ne!(ask(all(), lower, true), mate, "in a principal variation");
    assert_ne!(ask(all(), known(mate, 0, Bound::Upper), false), mate, "the bound says nothing");
}

#[test]
fn the_table_is_not_believed_near_the_fifty_moves() {
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
fn draws_by_rule_are_seen_before_anything_else() {
    let fifty = position("4k3/5ppp/8/3p4/8/2N5/5PPP/4K3 w - - 100 90");
    let (score, nodes) = quiesce(&mut worker(&fifty, all()), &fifty, Window::above(cp(0)));
    assert!(score.value().abs() <= 1 && nodes == 1, "{score}");
    let bare = position("4k3/8/8/8/8/2N5/8/4K3 w - - 0 1");
    assert!(quiesce(&mut worker(&bare, all()), &bare, Window::above(cp(0))).0.value().abs() <= 1);
}

/// Five loose pawns, a piece to take each, and nobody to take back.
#[test]
fn after_some_moves_only_what_forces_is_looked_at() {
    let loose = position("7k/8/8/ppppp3/6N1/8/6B1/RRQ4K w - - 0 1");
    let looked_at = |worker: &mut TestWorker| {
        let window = Window::new(Score::MIN, Score::MAX);
        worker.quiesce::<PvNode>(&loose, PLY, window, Reach::CAPTURES).expect("nobody stops it");
        worker.nodes - 1
    };
    let limit = params::quiescence_moves() as u64;
    assert_switch(Technique::QuiescenceLimit, &loose, looked_at, limit, 5);
    // The pawn that has just come is taken, wherever it stands in the order.
    let after_step = |to: Square| {
        let mut worker = worker(&loose, all());
        worker.frame(PLY - 1).mv = Some(Move::new(Square::H7, to, MoveKind::Quiet));
        looked_at(&mut worker)
    };
    let pawns = [Square::A5, Square::B5, Square::C5, Square::D5, Square::E5];
    assert_eq!(pawns.map(after_step).into_iter().max(), Some(limit + 1));
}

/// After many plies of captures a loose pawn elsewhere is not worth a look, but what has begun is ended.
#[test]
fn late_in_quiescence_only_recaptures_are_looked_at() {
    let late = (1..params::recapture_limit()).fold(Reach::CAPTURES, |reach, _| reach.further());
    let before = position("4k3/5ppp/8/r2p4/8/1N6/2N2PPP/4K3 b - - 0 1");
    let taken = position("4k3/5ppp/8/r2N4/8/2N5/5PPP/4K3 b - - 0 1");
    let looks = |worker: &mut TestWorker, position: &Position, last: &str, reach| {
        let child = worker.make(position, mv(position, last), PLY - 1);
        let window = Window::new(Score::MIN, Score::MAX);
        worker.quiesce::<PvNode>(&child, PLY, window, reach).expect("nobody stops it");
        worker.pv[PLY].first().map(|&mv| child.san(mv).to_string())
    };
    // White can take the rook, but nothing was taken on its square.
    let act = |worker: &mut TestWorker| looks(worker, &before, "g6", late).is_some();
    assert_switch(Technique::RecaptureLimit, &before, act, false, true);
    let mut worker = worker(&before, on(Technique::RecaptureLimit));
    assert_eq!(looks(&mut worker, &before, "g6", Reach::CAPTURES).as_deref(), Some("Nxa5"), "not late yet");
    assert_eq!(looks(&mut worker, &taken, "Rxd5", late).as_deref(), Some("Nxd5"), "a recapture");
}
