//! Tapering and endgames; what engines cannot do.

use rukh_eval::hce::evaluate::MIDGAME_FULL;
use rukh_eval::hce::{self, Tapered};

use super::common::{position, search};

#[test]
fn tapering_1_two_values_in_one_integer() {
    let packed: i32 = -3 * 65_536 + 5;
    assert_eq!(packed, -196_603);
    let doubled = 2 * packed;
    assert_eq!(doubled, -393_206);
    assert_eq!((i32::from(doubled as i16), (doubled + 32_768) >> 16), (10, -6));
    let same = Tapered::new(5, -3) * 2;
    assert_eq!((same.midgame(), same.endgame()), (10, -6));
}

#[test]
fn tapering_2_the_phase_is_clamped_at_both_ends() {
    let share = |fen: &str| hce::trace(&position(fen)).summary.midgame_share;
    let knights_exchanged = "r1bqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1";
    assert_eq!(share(knights_exchanged), MIDGAME_FULL, "a pair of knights less is still the middlegame");
    let rook_each = "4k2r/pp3ppp/8/8/8/8/PP3PPP/4K2R w Kk - 0 1";
    assert_eq!(share(rook_each), 0, "a rook each is the endgame");
    let between = "r3k2r/pp3ppp/2n5/8/8/2N5/PP3PPP/R3K2R w KQkq - 0 1";
    assert!((1..MIDGAME_FULL).contains(&share(between)));
}

/// The scores of searches to growing depths, for the side to move.
fn scores(fen: &str, depths: [u32; 3]) -> [i32; 3] {
    depths.map(|depth| search(fen, depth, "").score.expect("there is a move").value())
}

#[test]
fn limits_1_the_score_of_a_fortress_does_not_grow() {
    let [first, middle, last] =
        scores("8/1p1q1k2/1Pp5/p1Pp4/P2Pp1p1/4PpPp/1N3P1P/3B2K1 w - - 0 1", [8, 12, 16]);
    assert!(first < -200, "it looks lost: {first}");
    assert!(
        (first - last).abs() < 40 && (middle - last).abs() < 40,
        "and stays there: {first}, {middle}, {last}"
    );
    // A won ending makes progress.
    let [first, middle, last] = scores("8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1", [8, 14, 22]);
    assert!(last > first + 40, "{first}, {middle}, {last}");
}

#[test]
fn limits_2_without_the_pawn_the_fortress_falls() {
    let [held, _, still_held] = scores("8/8/8/3q4/3k4/2R5/1P6/1K6 w - - 0 1", [10, 12, 16]);
    let [fallen, _, lost] = scores("8/8/8/3q4/3k4/2R5/8/1K6 w - - 0 1", [10, 12, 16]);
    assert!((held - still_held).abs() < 40, "{held} and {still_held}");
    assert!(lost < fallen - 40 && lost < still_held - 100, "{fallen} and {lost}");
}
