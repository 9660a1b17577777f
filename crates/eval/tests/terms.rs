//! Each term counts where it should and only there.

use crate::common::position;
use rukh_chess::Color;
use rukh_eval::hce::weights::*;
use rukh_eval::hce::{Term, Trace, WeightIndex, evaluate, trace};

/// Sums the counts of one weight for White and for Black.
struct Counter {
    weight: WeightIndex,
    counts: [i32; 2],
}

impl Trace for Counter {
    fn weight(&mut self, side: Color, weight: WeightIndex, count: i32) {
        if weight == self.weight {
            self.counts[side.index()] += count;
        }
    }

    fn part(&mut self, _: Term, side: Color, weight: WeightIndex, count: i32) {
        self.weight(side, weight, count);
    }
}

#[track_caller]
fn expect(weight: WeightIndex, fen: &str, counts: [i32; 2]) {
    let mut counter = Counter { weight, counts: [0; 2] };
    evaluate(&position(fen), &mut counter);
    assert_eq!(counter.counts, counts, "{} in {fen}", weight.name());
}

#[test]
fn imbalances() {
    expect(BISHOP_PAIR.one(), "4k3/pp6/8/8/8/8/PP6/2B1KB2 w - - 0 1", [1, 0]);
    expect(BISHOP_PAIR.one(), "2b1k3/pp6/8/8/8/8/PP6/2B1K1B1 w - - 0 1", [0, 0]);
    expect(KNIGHT_PER_PAWN.one(), "4k3/pp6/8/8/8/8/PPPPPPP1/1N2K3 w - - 0 1", [2, 0]);
    expect(ROOK_PAIR.one(), "r3k2r/pp6/8/8/8/8/PP6/4K2R w - - 0 1", [0, 1]);
}

#[test]
fn pawn_structure() {
    let fen = "4k3/p4p2/p7/3p4/8/1P6/1P3PP1/4K3 w - - 0 1";
    expect(DOUBLED.one(), fen, [1, 1]);
    expect(ISOLATED.one(), fen, [2, 4]);
    expect(PHALANX.at(1), fen, [2, 0]);
    let chain = "4k3/8/3p4/4p3/8/3P4/2P1P3/4K3 w - - 0 1";
    expect(SUPPORTED.at(2), chain, [1, 0]);
    expect(SUPPORTED.at(3), chain, [0, 1]);
    // The neighbour of the pawn on d3 is in front of it, and the pawn on e5 controls its stop square.
    expect(BACKWARD.one(), "4k3/8/8/4p3/2P5/3P4/8/4K3 w - - 0 1", [1, 0]);
    expect(BACKWARD.one(), "4k3/8/8/4p3/8/2PP4/8/4K3 w - - 0 1", [0, 0]);
    expect(CANDIDATE.at(3), "4k3/8/p7/8/1P6/2P5/8/4K3 w - - 0 1", [1, 0]);
}

#[test]
fn passed_pawns() {
    let fen = "4k3/8/8/1P6/8/8/5ppp/4K3 w - - 0 1";
    expect(PASSED.at(4), fen, [1, 0]);
    expect(PASSED.at(6), fen, [0, 3]);
    expect(PASSED_FREE_PATH.at(4), fen, [1, 0]);
    expect(PASSED_FREE_PATH.at(4), "1r2k3/8/8/1P6/8/8/7p/4K3 w - - 0 1", [0, 0]);
    expect(PASSED_BLOCKED.at(4), "4k3/8/1n6/1P6/8/8/7p/4K3 w - - 0 1", [1, 0]);
    expect(PASSED_ROOK_BEHIND.one(), "4k3/8/1n6/1P6/8/8/1R5p/4K3 w - - 0 1", [1, 0]);
    expect(PASSED_SUPPORTED.at(4), "4k3/8/8/1P6/P7/8/7p/4K3 w - - 0 1", [1, 0]);
    expect(PASSED_UNSTOPPABLE.one(), "7k/6p1/8/P7/8/8/8/K7 w - - 0 1", [1, 0]);
    expect(PASSED_UNSTOPPABLE.one(), "3k4/6p1/8/P7/8/8/8/K7 w - - 0 1", [0, 0]);
    expect(PASSED_UNSTOPPABLE.one(), "6bk/6p1/8/P7/8/8/8/K7 w - - 0 1", [0, 0]);
}

#[test]
fn minor_pieces() {
    let fen = "4k3/p4pp1/8/3N4/4P3/8/5PP1/4K3 w - - 0 1";
    expect(KNIGHT_OUTPOST.one(), fen, [1, 0]);
    expect(KNIGHT_OUTPOST.one(), &fen.replace("p4pp1", "p1p2pp1"), [0, 0]);
    expect(KNIGHT_REACHES_OUTPOST.one(), "4k3/p4pp1/8/8/4P3/2N5/5PP1/4K3 w - - 0 1", [1, 0]);
    expect(BISHOP_OUTPOST.one(), &fen.replace('N', "B"), [1, 0]);
    expect(BISHOP_TRAPPED.one(), "4k3/B1p5/1p6/8/8/8/5PP1/4K3 w - - 0 1", [1, 0]);
    expect(BISHOP_TRAPPED.one(), "4k3/B7/1p6/8/8/8/5PP1/4K3 w - - 0 1", [0, 0]);
    expect(BISHOP_PAWNS.one(), "4k3/pp6/8/8/4P3/5P2/8/2B1K3 w - - 0 1", [0, 0]);
    expect(BISHOP_PAWNS.one(), "4k3/pp6/8/4p3/4P3/5P2/8/3BK3 w - - 0 1", [4, 0]);
    expect(BISHOP_LONG_DIAGONAL.one(), "4k3/pp6/8/8/8/6P1/5PB1/4K3 w - - 0 1", [1, 0]);
}

#[test]
fn mobility() {
    expect(KNIGHT_MOBILITY.at(2), "4k3/pp6/8/8/8/8/6PP/N3K3 w - - 0 1", [1, 0]);
    // The pawn controls one of the squares.
    expect(KNIGHT_MOBILITY.at(1), "4k3/pp6/8/8/2p5/8/6PP/N3K3 w - - 0 1", [1, 0]);
    expect(ROOK_MOBILITY.at(14), "4k3/pp6/8/8/R7/8/6PP/4K3 w - - 0 1", [0, 0]);
    expect(ROOK_MOBILITY.at(12), "4k3/1p6/8/8/8/P1R5/6PP/4K3 w - - 0 1", [1, 0]);
}

#[test]
fn rooks_and_queens() {
    let fen = "4k3/1p6/8/8/8/8/6PP/RR1RK3 w - - 0 1";
    expect(ROOK_OPEN_FILE.one(), fen, [2, 0]);
    expect(ROOK_HALF_OPEN_FILE.one(), fen, [1, 0]);
    expect(ROOK_SEVENTH.one(), "4k3/pR6/8/8/8/8/6PP/4K3 w - - 0 1", [1, 0]);
    expect(ROOK_SEVENTH.one(), "8/1R6/8/4k3/8/p7/6PP/4K3 w - - 0 1", [0, 0]);
    expect(ROOK_TRAPPED.one(), "4k3/p7/8/8/8/8/5PPP/6KR w - - 0 1", [1, 0]);
    expect(ROOK_TRAPPED.one(), "4k3/p7/8/8/8/8/5PPP/4K2R w K - 0 1", [0, 0]);
    expect(QUEEN_EXPOSED.one(), "4k3/p7/8/2b5/8/4P3/5Q2/4K3 w - - 0 1", [1, 0]);
    expect(QUEEN_EXPOSED.one(), "4k3/p7/8/8/8/4P3/5Q2/4K3 w - - 0 1", [0, 0]);
}

#[test]
fn threats() {
    expect(THREAT_BY_PAWN.at(1), "4k3/p7/8/3n4/4P3/8/8/4K3 w - - 0 1", [1, 0]);
    expect(PAWN_PUSH_THREAT.one(), "4k3/p7/3n4/8/4P3/8/8/4K3 w - - 0 1", [1, 0]);
    expect(HANGING.one(), "4k3/8/p2n4/8/8/3R4/7P/4K3 w - - 0 1", [1, 0]);
    expect(HANGING.one(), "4k3/2p5/p2n4/8/8/3R4/7P/4K3 w - - 0 1", [0, 0]);
    expect(THREAT_BY_ROOK.at(1), "4k3/8/p2n4/8/8/3R4/7P/4K3 w - - 0 1", [1, 0]);
    expect(THREAT_BY_MINOR.at(3), "4k3/8/p2r4/8/4N3/8/7P/4K3 w - - 0 1", [1, 0]);
    expect(THREAT_BY_KING.one(), "8/8/8/8/3pK3/8/7P/k7 w - - 0 1", [1, 0]);
}

#[test]
fn the_attack_on_the_king() {
    let attack = "r1b2rk1/pp3p1p/1qn2np1/6N1/3Q4/3B4/PPP2PPP/R4RK1 w - - 0 1";
    let raging = "r1b2rk1/pp3p1p/1qn3pQ/6N1/8/3B2R1/PPP2PPP/5RK1 w - - 0 1";
    let danger = |fen: &str| {
        trace(&position(fen)).terms[Term::KingDanger.index()].0.map(rukh_eval::hce::Tapered::midgame)
    };
    let (some, much) = (danger(attack), danger(raging));
    assert!(much[1] < -100, "{much:?}");
    assert!(much[1] < some[1] && much[0] > much[1], "{some:?} {much:?}");
    expect(DANGER_SAFE_CHECK.at(4), "6k1/5ppp/8/8/8/8/5PPP/3Q2K1 w - - 0 1", [0, 0]);
    let shelter = |fen: &str| trace(&position(fen)).difference(Term::Shelter).midgame();
    let whole = shelter("r4rk1/ppp2ppp/8/8/8/8/PPP2PPP/R4RK1 w - - 0 1");
    let torn = shelter("r4rk1/ppp2ppp/8/8/8/8/PPPPP2P/R4RK1 w - - 0 1");
    let stormed = shelter("r4rk1/ppp5/8/8/8/6pp/PPP2PPP/R4RK1 w - - 0 1");
    assert!(whole == 0 && torn < -30, "{torn}");
    let blocked = "r4rk1/ppp2ppp/8/8/8/8/PPP2PPP/R4RK1 w - - 0 1".replace("ppp2ppp/8", "ppp2p1p/6p1");
    assert!(stormed < shelter(&blocked), "{stormed}");
}

#[test]
fn space_tempo_and_initiative() {
    let space = |fen: &str| trace(&position(fen)).difference(Term::Space).midgame();
    assert!(space("rnbqkbnr/ppp2ppp/3pp3/8/3PP3/8/PPP2PPP/RNBQKBNR w KQkq - 0 1") > 0);
    expect(TEMPO.one(), "4k3/p7/8/8/8/8/P7/4K3 b - - 0 1", [0, 1]);
    let initiative = |fen: &str| trace(&position(fen)).difference(Term::Initiative).endgame();
    let one_wing = initiative("4k3/5ppp/8/8/8/8/4PPPP/2B1K3 w - - 0 1");
    let both_wings = initiative("4k3/p4pp1/8/8/8/8/PP3PP1/2B1K3 w - - 0 1");
    assert!(both_wings > one_wing, "{both_wings} {one_wing}");
}
