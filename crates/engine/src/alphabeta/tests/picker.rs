//! The order of the moves.

use rukh_chess::{Color, Move, Piece, Position, Square};

use super::super::buffer::Buffer;
use super::super::node::Window;
use super::super::picker::{Picker, Refutations, quiet_score};
use super::super::worker::ScoutNode;
use super::fixture::{CALM, PLY, TestWorker, all, assert_switch, cp, mv, off, on, only, position, worker};
use crate::histories::{Before, Context, Histories, PieceTo, Threats};
use crate::params::exchange_values;
use crate::technique::{Technique, TechniqueOverrides};

const NOTHING: Before = [None; 3];
const BONUS: i32 = 1000;
/// A rook can be taken by a pawn, a pawn for nothing by the queen, and another that is guarded; there are quiet moves.
const CAPTURES: &str = "4k3/2p2ppp/1pp5/r2p4/1P6/3Q4/5PPP/4K3 w - - 0 1";

/// Moves of which the first has refuted something at the same ply.
fn killers(killer: Option<Move>) -> Refutations {
    Refutations { killer, countermove: None }
}

fn order(
    position: &Position,
    histories: &Histories,
    techniques: &TechniqueOverrides,
    mut picker: Picker,
) -> Vec<Move> {
    std::iter::from_fn(|| picker.next(position, histories, &NOTHING.into(), techniques)).collect()
}

#[test]
fn the_order_is_table_move_captures_killer_quiet_moves_losing_captures() {
    let board = position(CAPTURES);
    let (table_move, killer) = (mv(&board, "Qf3"), mv(&board, "h4"));
    let picker = Picker::all(Buffer::default(), Some(table_move), killers(Some(killer)));
    let order = order(&board, &Histories::default(), &all(), picker);
    let captures = ["bxa5", "Qxh7"].map(|san| mv(&board, san));
    assert_eq!(order[..4], [table_move, captures[0], captures[1], killer]);
    assert_eq!(order.last(), Some(&mv(&board, "Qxd5")));
    assert!(order[4..order.len() - 1].iter().all(|mv| !mv.is_noisy()));
}

#[test]
fn every_move_comes_once() {
    let board = position(CAPTURES);
    let legal = board.legal_moves();
    for table_move in legal.iter().copied() {
        let killer = legal.iter().copied().find(|mv| !mv.is_noisy());
        let picker = Picker::all(Buffer::default(), Some(table_move), killers(killer));
        let order = order(&board, &Histories::default(), &all(), picker);
        assert_eq!(order.first(), Some(&table_move));
        assert_eq!(order.len(), legal.len());
        assert!(legal.iter().all(|mv| order.contains(mv)));
    }
}

#[test]
fn moves_of_other_positions_are_not_handed_out() {
    let calm = position(CALM);
    let foreign = mv(&position(CAPTURES), "Qxd5");
    let quiet = mv(&position(CAPTURES), "Qd4");
    let picker = Picker::all(Buffer::default(), Some(foreign), killers(Some(quiet)));
    let order = order(&calm, &Histories::default(), &all(), picker);
    assert!(!order.contains(&foreign) && !order.contains(&quiet));
    assert_eq!(order.len(), calm.count_legal_moves() as usize);
}

#[test]
fn quiet_moves_can_be_left_out_at_any_time() {
    let board = position(CAPTURES);
    let histories = Histories::default();
    let mut picker = Picker::all(Buffer::default(), None, killers(Some(mv(&board, "h4"))));
    picker.skip_quiet();
    assert!(order(&board, &histories, &all(), picker).iter().all(|mv| mv.is_noisy()));
    let winning = Picker::noisy(
        Buffer::default(),
        None,
        exchange_values()[Piece::Rook] - exchange_values()[Piece::Pawn],
    );
    assert_eq!(order(&board, &histories, &all(), winning), [mv(&board, "bxa5")]);
    let quiet_table_move = Picker::noisy(Buffer::default(), Some(mv(&board, "h4")), 0);
    assert!(order(&board, &histories, &all(), quiet_table_move).iter().all(|mv| mv.is_noisy()));
}

/// What is known of a quiet move, with and without a history.
fn assert_history_counts(technique: Technique, position: &Position, histories: &Histories, before: &Before) {
    let quiet = mv(position, "Nb3");
    let known = |techniques: &TechniqueOverrides| {
        quiet_score(quiet, &histories.quiet(position, &(*before).into()), techniques)
    };
    assert!(known(&all()) > 0, "{technique} knows it");
    assert_eq!(known(&off(technique)), 0, "only {technique} does");
    let picker = Picker::all(Buffer::default(), None, Refutations::default());
    if before == &NOTHING {
        assert_eq!(order(position, histories, &all(), picker).first(), Some(&quiet));
        let picker = Picker::all(Buffer::default(), None, Refutations::default());
        assert_ne!(order(position, histories, &off(technique), picker).first(), Some(&quiet));
    }
}

#[test]
fn quiet_moves_are_ordered_by_where_they_go() {
    // With other pawns only the squares are the same.
    let calm = position(CALM);
    let other_pawns = position("4k3/pp1n1ppp/4p3/8/8/4P3/PP1N1PPP/4K3 w - - 0 1");
    let mut histories = Histories::default();
    histories.learn_quiet(&other_pawns, mv(&other_pawns, "Nb3"), &NOTHING.into(), BONUS);
    assert_history_counts(Technique::QuietHistory, &calm, &histories, &NOTHING);
}

#[test]
fn quiet_moves_are_ordered_by_what_suits_the_pawns() {
    // With the same pawns another knight went to the square.
    let calm = position(CALM);
    let other_square = position("4k3/pppn1ppp/4p3/8/3N4/4P3/PPP2PPP/4K3 w - - 0 1");
    let mut histories = Histories::default();
    histories.learn_quiet(&other_square, mv(&other_square, "Nb3"), &NOTHING.into(), BONUS);
    assert_history_counts(Technique::PawnHistory, &calm, &histories, &NOTHING);
}

#[test]
fn quiet_moves_are_ordered_by_the_moves_before() {
    let calm = position(CALM);
    let elsewhere = position("4k3/pp1n1ppp/4p3/8/3N4/4P3/PP3PPP/4K3 w - - 0 1");
    let moved = PieceTo::new(Color::Black, Piece::Knight, Square::D7);
    for place in 0..NOTHING.len() {
        let mut before = NOTHING;
        before[place] = Some(moved);
        let mut histories = Histories::default();
        histories.learn_quiet(&elsewhere, mv(&elsewhere, "Nb3"), &before.into(), BONUS);
        assert_history_counts(Technique::ContinuationHistory, &calm, &histories, &before);
        // After a passed turn nothing is known.
        assert_eq!(quiet_score(mv(&calm, "Nb3"), &histories.quiet(&calm, &NOTHING.into()), &all()), 0);
    }
}

#[test]
fn captures_are_ordered_by_history() {
    // Two rooks can be taken by pieces of the same kind; generation alone decides until one has done well.
    let board = position("4k3/5ppp/8/r6r/8/1N4N1/5PPP/4K3 w - - 0 1");
    let captures = ["Nxa5", "Nxh5"].map(|san| mv(&board, san));
    for favourite in captures {
        let mut histories = Histories::default();
        histories.learn_capture(&board, favourite, BONUS);
        let first = |techniques: &TechniqueOverrides| {
            let picker = Picker::all(Buffer::default(), None, Refutations::default());
            order(&board, &histories, techniques, picker).first().copied()
        };
        assert_eq!(first(&all()), Some(favourite));
        let plain = first(&off(Technique::CaptureHistory));
        assert_eq!(plain, Some(captures[0]));
    }
}

#[test]
fn the_killer_is_tried_before_other_quiet_moves() {
    // A quiet mate that nothing but the killer points to.
    let board = position("6k1/5ppp/8/8/8/P7/1P6/1KR5 w - - 0 1");
    let act = |worker: &mut TestWorker| {
        worker.frame(PLY).killer = Some(mv(&board, "Rc8"));
        let window = Window::above(cp(450));
        worker.search::<ScoutNode>(&board, PLY, window, 2, true).expect("nobody stops it");
        worker.nodes
    };
    assert_eq!(act(&mut worker(&board, only(Technique::Killer))), 2);
    assert!(act(&mut worker(&board, TechniqueOverrides::only(&[]))) > 2);
}

#[test]
fn the_countermove_is_tried_before_other_quiet_moves() {
    let board = position("6k1/5ppp/8/8/8/P7/1P6/1KR5 w - - 0 1");
    let last = PieceTo::new(Color::Black, Piece::King, Square::G8);
    let act = |worker: &mut TestWorker| {
        worker.frame(PLY - 1).moved = Some(last);
        worker.histories.learn_countermove(Some(last), mv(&board, "Rc8"));
        let window = Window::above(cp(450));
        worker.search::<ScoutNode>(&board, PLY, window, 2, true).expect("nobody stops it");
        worker.nodes
    };
    assert_eq!(act(&mut worker(&board, only(Technique::Countermove))), 2);
    assert!(act(&mut worker(&board, TechniqueOverrides::only(&[]))) > 2);
}

#[test]
fn a_move_that_is_killer_and_countermove_comes_once() {
    let board = position(CAPTURES);
    let quiet = Some(mv(&board, "h4"));
    let picker = Picker::all(Buffer::default(), None, Refutations { killer: quiet, countermove: quiet });
    let order = order(&board, &Histories::default(), &all(), picker);
    assert_eq!(order.iter().filter(|&&mv| Some(mv) == quiet).count(), 1);
    assert_eq!(order.len(), board.count_legal_moves() as usize);
}

/// What was good while a square was attacked says nothing of it when it is not.
#[test]
fn histories_know_whether_squares_are_attacked() {
    let safe = position(CALM);
    let quiet = mv(&safe, "Nb3");
    for attacked in [
        "4k3/pppn1ppp/4p3/8/P7/4P3/1PPN1PPP/2n1K3 w - - 0 1",
        "4k3/ppp2ppp/4p3/b7/8/4P3/PPPN1PPP/4K3 w - - 0 1",
    ] {
        let act = |worker: &mut TestWorker| {
            let context = worker.context(&position(attacked), PLY);
            worker.histories.learn_quiet(&safe, quiet, &context, BONUS);
            let context = worker.context(&safe, PLY);
            worker.histories.quiet(&safe, &context).butterfly(quiet) > 0
        };
        assert_switch(Technique::ThreatHistory, &safe, act, false, true);
    }
}

#[test]
fn pieces_attacked_by_lesser_pieces_are_moved_first_and_not_into_such_attacks() {
    // The pawn attacks the rook; on the fourth rank it would be taken by another, at c2 by the bishop.
    let board = position("4k3/8/8/8/p7/1p6/8/R3K2b w - - 0 1");
    let attacked = position("4k3/8/8/6p1/p7/1p6/R7/4K2b w - - 0 1");
    let techniques = on(Technique::DefensiveBonus);
    let ordering_score = |position: &Position, san, techniques: &TechniqueOverrides| {
        let context = Context { before: NOTHING, threats: Threats::of(position) };
        quiet_score(mv(position, san), &Histories::default().quiet(position, &context), techniques)
    };
    assert!(ordering_score(&attacked, "Rf2", &techniques) > 0);
    assert_eq!(ordering_score(&attacked, "Rc2", &techniques), 0, "it is attacked there too");
    assert_eq!(ordering_score(&board, "Rb1", &techniques), 0);
    assert!(ordering_score(&board, "Ra2", &techniques) < 0);
    assert_eq!(ordering_score(&board, "Kd2", &techniques), 0, "a king is never left in attack");
    let without = off(Technique::DefensiveBonus);
    assert_eq!(ordering_score(&attacked, "Rf2", &without), 0);
}

#[test]
fn checks_that_lose_nothing_are_looked_at_early() {
    let ordering_score = |fen: &str, san, techniques: &TechniqueOverrides| {
        let board = position(fen);
        quiet_score(mv(&board, san), &Histories::default().quiet(&board, &NOTHING.into()), techniques)
    };
    let direct = "6k1/5ppp/8/8/8/P7/1P6/1KR5 w - - 0 1";
    let uncovered = "3k4/8/8/8/3N4/8/8/1K1R4 w - - 0 1";
    let techniques = on(Technique::CheckBonus);
    for (fen, check, other) in [(direct, "Rc8", "Rc7"), (uncovered, "Nb3", "Rd2")] {
        assert!(ordering_score(fen, check, &techniques) > 0);
        assert_eq!(ordering_score(fen, check, &off(Technique::CheckBonus)), 0);
        assert_eq!(ordering_score(fen, other, &techniques), 0);
    }
    let guarded = "1r4k1/5ppp/8/8/8/P7/1P6/1KR5 w - - 0 1";
    assert_eq!(ordering_score(guarded, "Rc8", &techniques), 0, "the rook is lost there");
}
