//! Tests of the move picker and of move ordering.

use rukh_chess::{Color, Move, Piece, Position, Square};

use super::super::buffer::Buffer;
use super::super::node::Window;
use super::super::picker::{Picker, Refutations, quiet_score};
use super::super::worker::ScoutNode;
use super::fixture::{CALM, PLY, TestWorker, all, assert_switch, cp, mv, off, on, only, position, worker};
use crate::histories::{Context, ContinuationContext, Histories, PieceTo, Threats};
use crate::params::exchange_values;
use crate::technique::{Technique, TechniqueOverrides};

const NO_MOVES: ContinuationContext = [None; 3];
const BONUS: i32 = 1000;
/// A pawn can capture a rook, and the queen an undefended and a defended pawn; there are quiet moves.
const CAPTURES: &str = "4k3/2p2ppp/1pp5/r2p4/1P6/3Q4/5PPP/4K3 w - - 0 1";

/// A killer without a countermove.
fn killers(killer: Option<Move>) -> Refutations {
    Refutations { killer, countermove: None }
}

fn order(
    position: &Position,
    histories: &Histories,
    techniques: &TechniqueOverrides,
    mut picker: Picker,
) -> Vec<Move> {
    std::iter::from_fn(|| picker.next(position, histories, &NO_MOVES.into(), techniques)).collect()
}

#[test]
fn the_order_is_hash_move_good_captures_killer_quiet_moves_bad_captures() {
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
fn every_legal_move_is_returned_once() {
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
fn illegal_hash_moves_and_killers_are_not_returned() {
    let calm = position(CALM);
    let illegal = mv(&position(CAPTURES), "Qxd5");
    let quiet = mv(&position(CAPTURES), "Qd4");
    let picker = Picker::all(Buffer::default(), Some(illegal), killers(Some(quiet)));
    let order = order(&calm, &Histories::default(), &all(), picker);
    assert!(!order.contains(&illegal) && !order.contains(&quiet));
    assert_eq!(order.len(), calm.count_legal_moves() as usize);
}

#[test]
fn quiet_moves_can_be_skipped() {
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

/// Asserts that a quiet move has an ordering score with the technique and none without it.
fn assert_history_counts(
    technique: Technique,
    position: &Position,
    histories: &Histories,
    previous: &ContinuationContext,
) {
    let quiet = mv(position, "Nb3");
    let known = |techniques: &TechniqueOverrides| {
        quiet_score(quiet, &histories.quiet(position, &(*previous).into()), techniques)
    };
    assert!(known(&all()) > 0, "with {technique}");
    assert_eq!(known(&off(technique)), 0, "without {technique}");
    let picker = Picker::all(Buffer::default(), None, Refutations::default());
    if previous == &NO_MOVES {
        assert_eq!(order(position, histories, &all(), picker).first(), Some(&quiet));
        let picker = Picker::all(Buffer::default(), None, Refutations::default());
        assert_ne!(order(position, histories, &off(technique), picker).first(), Some(&quiet));
    }
}

#[test]
fn quiet_moves_are_ordered_by_butterfly_history() {
    // With another pawn structure only butterfly history applies.
    let calm = position(CALM);
    let other_pawns = position("4k3/pp1n1ppp/4p3/8/8/4P3/PP1N1PPP/4K3 w - - 0 1");
    let mut histories = Histories::default();
    histories.learn_quiet(&other_pawns, mv(&other_pawns, "Nb3"), &NO_MOVES.into(), BONUS);
    assert_history_counts(Technique::QuietHistory, &calm, &histories, &NO_MOVES);
}

#[test]
fn quiet_moves_are_ordered_by_pawn_history() {
    // The same pawn structure, but a knight from another square: only pawn history applies.
    let calm = position(CALM);
    let other_square = position("4k3/pppn1ppp/4p3/8/3N4/4P3/PPP2PPP/4K3 w - - 0 1");
    let mut histories = Histories::default();
    histories.learn_quiet(&other_square, mv(&other_square, "Nb3"), &NO_MOVES.into(), BONUS);
    assert_history_counts(Technique::PawnHistory, &calm, &histories, &NO_MOVES);
}

#[test]
fn quiet_moves_are_ordered_by_continuation_history() {
    let calm = position(CALM);
    let elsewhere = position("4k3/pp1n1ppp/4p3/8/3N4/4P3/PP3PPP/4K3 w - - 0 1");
    let moved = PieceTo::new(Color::Black, Piece::Knight, Square::D7);
    for place in 0..NO_MOVES.len() {
        let mut previous = NO_MOVES;
        previous[place] = Some(moved);
        let mut histories = Histories::default();
        histories.learn_quiet(&elsewhere, mv(&elsewhere, "Nb3"), &previous.into(), BONUS);
        assert_history_counts(Technique::ContinuationHistory, &calm, &histories, &previous);
        // Without previous moves continuation history is zero.
        assert_eq!(quiet_score(mv(&calm, "Nb3"), &histories.quiet(&calm, &NO_MOVES.into()), &all()), 0);
    }
}

#[test]
fn captures_are_ordered_by_capture_history() {
    // Two equal captures: without capture history the order of generation decides.
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
fn the_killer_comes_before_other_quiet_moves() {
    // A quiet mate that only the killer orders first.
    let board = position("6k1/5ppp/8/8/8/P7/1P6/1KR5 w - - 0 1");
    let act = |worker: &mut TestWorker| {
        worker.frame(PLY).killer = Some(mv(&board, "Rc8"));
        let window = Window::above(cp(450));
        worker.search::<ScoutNode>(&board, PLY, window, 2, true).expect("the search is not stopped");
        worker.nodes
    };
    assert_eq!(act(&mut worker(&board, only(Technique::Killer))), 2);
    assert!(act(&mut worker(&board, TechniqueOverrides::only(&[]))) > 2);
}

#[test]
fn the_countermove_comes_before_other_quiet_moves() {
    let board = position("6k1/5ppp/8/8/8/P7/1P6/1KR5 w - - 0 1");
    let last = PieceTo::new(Color::Black, Piece::King, Square::G8);
    let act = |worker: &mut TestWorker| {
        worker.frame(PLY - 1).moved = Some(last);
        worker.histories.learn_countermove(Some(last), mv(&board, "Rc8"));
        let window = Window::above(cp(450));
        worker.search::<ScoutNode>(&board, PLY, window, 2, true).expect("the search is not stopped");
        worker.nodes
    };
    assert_eq!(act(&mut worker(&board, only(Technique::Countermove))), 2);
    assert!(act(&mut worker(&board, TechniqueOverrides::only(&[]))) > 2);
}

#[test]
fn a_move_that_is_killer_and_countermove_is_returned_once() {
    let board = position(CAPTURES);
    let quiet = Some(mv(&board, "h4"));
    let picker = Picker::all(Buffer::default(), None, Refutations { killer: quiet, countermove: quiet });
    let order = order(&board, &Histories::default(), &all(), picker);
    assert_eq!(order.iter().filter(|&&mv| Some(mv) == quiet).count(), 1);
    assert_eq!(order.len(), board.count_legal_moves() as usize);
}

/// History of a move with attacked squares does not count when they are not attacked.
#[test]
fn butterfly_history_distinguishes_attacked_squares() {
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
fn moves_out_of_attacks_by_lesser_pieces_come_first_and_moves_into_them_last() {
    // The b-pawn attacks a2 and c2.
    let board = position("4k3/8/8/8/p7/1p6/8/R3K2b w - - 0 1");
    let attacked = position("4k3/8/8/6p1/p7/1p6/R7/4K2b w - - 0 1");
    let techniques = on(Technique::DefensiveBonus);
    let ordering_score = |position: &Position, san, techniques: &TechniqueOverrides| {
        let context = Context { threats: Threats::of(position), ..Context::default() };
        quiet_score(mv(position, san), &Histories::default().quiet(position, &context), techniques)
    };
    assert!(ordering_score(&attacked, "Rf2", &techniques) > 0);
    assert_eq!(ordering_score(&attacked, "Rc2", &techniques), 0, "attacked on the to-square too");
    assert_eq!(ordering_score(&board, "Rb1", &techniques), 0);
    assert!(ordering_score(&board, "Ra2", &techniques) < 0);
    assert_eq!(ordering_score(&board, "Kd2", &techniques), 0, "kings get no bonus");
    let without = off(Technique::DefensiveBonus);
    assert_eq!(ordering_score(&attacked, "Rf2", &without), 0);
}

#[test]
fn checks_that_do_not_lose_material_come_early() {
    let ordering_score = |fen: &str, san, techniques: &TechniqueOverrides| {
        let board = position(fen);
        quiet_score(mv(&board, san), &Histories::default().quiet(&board, &NO_MOVES.into()), techniques)
    };
    let direct = "6k1/5ppp/8/8/8/P7/1P6/1KR5 w - - 0 1";
    let discovered = "3k4/8/8/8/3N4/8/8/1K1R4 w - - 0 1";
    let techniques = on(Technique::CheckBonus);
    for (fen, check, other) in [(direct, "Rc8", "Rc7"), (discovered, "Nb3", "Rd2")] {
        assert!(ordering_score(fen, check, &techniques) > 0);
        assert_eq!(ordering_score(fen, check, &off(Technique::CheckBonus)), 0);
        assert_eq!(ordering_score(fen, other, &techniques), 0);
    }
    let guarded = "1r4k1/5ppp/8/8/8/P7/1P6/1KR5 w - - 0 1";
    assert_eq!(ordering_score(guarded, "Rc8", &techniques), 0, "the check loses the rook");
}
