//! Castling, promotions, en-passant captures and double checks in the lines of the detectors: what must be found, what
//! must not. The verifier confirms what is found.

use crate::examples::{Nobody, line};
use rukh_explain::claims::claim::{Claim, Evidence};
use rukh_explain::claims::kind::ClaimKind;
use rukh_explain::claims::motifs::detect;
use rukh_explain::claims::verify::{Outcome, verify};

/// Kind, FEN, the opponent's move before, the line.
type Example = (ClaimKind, &'static str, &'static str, &'static str);

const CASTLING: &[Example] = &[
    (ClaimKind::Fork, "3n3k/8/8/8/8/8/8/R3K1b1 w Q - 0 1", "", "O-O-O Kg7 Rxg1+"),
    (ClaimKind::Pin, "5k2/8/5n2/8/8/8/8/4K2R w K - 0 1", "", "O-O"),
    (ClaimKind::RelativePin, "5qk1/8/5n2/4P3/8/8/8/4K2R w K - 0 1", "", "O-O Kh7 exf6"),
    (ClaimKind::Skewer, "5r2/8/8/8/5k2/8/8/4K2R w K - 0 1", "", "O-O+ Ke5 Rxf8"),
    (ClaimKind::DefensiveMove, "8/k7/8/8/8/8/8/4K2R w K - 0 1", "", "O-O"),
    (ClaimKind::MateIn, "2rkr3/2p1p3/8/8/8/8/8/R3K3 w Q - 0 1", "", "O-O-O#"),
    // Chess960: the king stands on b1 or on g1 already, the rook jumps over it.
    (ClaimKind::MateIn, "2rkr3/2p1p3/8/8/8/8/8/RK6 w A - 0 1", "", "O-O-O#"),
    (ClaimKind::Skewer, "5r2/8/8/8/5k2/8/8/6KR w H - 0 1", "", "O-O+ Ke5 Rxf8"),
];

const CASTLING_NOT: &[Example] = &[
    // The rook has moved: neither its check nor its attack is discovered.
    (ClaimKind::DiscoveredCheck, "5r2/8/8/8/5k2/8/8/4K2R w K - 0 1", "", "O-O+ Ke5 Rxf8"),
    (ClaimKind::DiscoveredAttack, "5r2/8/8/8/5k2/8/8/4K2R w K - 0 1", "", "O-O+ Ke5 Rxf8"),
    (ClaimKind::DiscoveredAttack, "1k6/5n2/8/8/8/8/8/4K2R w K - 0 1", "", "O-O Kc7 Rxf7+"),
    (ClaimKind::DiscoveredCheck, "5r2/8/8/8/5k2/8/8/6KR w H - 0 1", "", "O-O+ Ke5 Rxf8"),
    (ClaimKind::DoubleCheck, "5r2/8/8/8/5k2/8/8/4K2R w K - 0 1", "", "O-O+"),
    // The rook goes where the king stood.
    (ClaimKind::Clearance, "8/3k4/8/8/8/8/8/4K2R w K - 0 1", "", "O-O Kd8 Re1"),
    // The rook attacks a knight.
    (ClaimKind::DefensiveMove, "5n2/k7/8/8/8/8/8/4K2R w K - 0 1", "", "O-O"),
    (ClaimKind::QuietMove, "8/k7/8/8/8/8/8/4K2R w K - 0 1", "", "O-O Kb7 Rf7+"),
    // The knight on h1 hangs, and castling takes nothing.
    (ClaimKind::HangingPiece, "8/1k6/8/8/8/8/8/R3K2n w Q - 0 1", "", "O-O-O"),
];

const PROMOTIONS: &[Example] = &[
    (ClaimKind::Fork, "5k2/1P6/8/4r3/8/8/8/6K1 w - - 0 1", "", "b8=Q+ Kf7 Qxe5"),
    (ClaimKind::Pin, "2n1k3/P7/8/8/8/8/8/6K1 w - - 0 1", "", "a8=Q"),
    (ClaimKind::RelativePin, "3n1r2/1P5k/8/8/8/8/8/6K1 w - - 0 1", "", "b8=Q Nc6 Qxf8"),
    (ClaimKind::Skewer, "3k3r/P7/8/8/8/8/8/6K1 w - - 0 1", "", "a8=Q+ Kd7 Qxh8"),
    (ClaimKind::DoubleCheck, "3kr3/3P4/8/8/8/8/8/3R2K1 w - - 0 1", "", "dxe8=Q+"),
    (ClaimKind::DiscoveredCheck, "3kr3/3P4/8/8/8/8/8/3R2K1 w - - 0 1", "", "dxe8=N+"),
    (ClaimKind::HangingPiece, "1n5k/P7/8/8/8/8/8/6K1 w - - 0 1", "", "axb8=Q+"),
    (ClaimKind::Deflection, "7k/1P6/3b4/8/8/8/8/4R1K1 w - - 0 1", "", "Re8+ Bf8 b8=Q"),
    (ClaimKind::Attraction, "8/1Pk5/8/8/3N4/8/8/6K1 w - - 0 1", "", "b8=Q+ Kxb8 Nc6+"),
    (ClaimKind::Interference, "r3n2k/1P6/8/8/8/8/8/4R1K1 w - - 0 1", "", "b8=N Kg7 Rxe8"),
    (ClaimKind::XRay, "1n5k/P7/8/1r6/8/8/8/1R4K1 w - - 0 1", "", "axb8=Q+ Rxb8 Rxb8+"),
    (ClaimKind::BackRankMate, "6k1/1P3ppp/8/8/8/8/8/6K1 w - - 0 1", "", "b8=Q#"),
    (ClaimKind::AdvancedPawn, "8/1P6/8/8/8/8/k7/6K1 w - - 0 1", "", "b8=R"),
];

const PROMOTIONS_NOT: &[Example] = &[
    // The new queen can be taken; a pawn that promotes only leaves its square.
    (ClaimKind::Fork, "1r3k2/P7/2n5/4r3/8/8/8/6K1 w - - 0 1", "", "axb8=Q+ Nxb8 Kf2"),
    (ClaimKind::Clearance, "7k/1P6/8/8/8/8/8/1R4K1 w - - 0 1", "", "b8=N Kg7 Rb7+"),
    // What the opponent's new queen is worth was not given.
    (ClaimKind::Sacrifice, "6k1/8/8/8/8/8/p7/4K2R w - - 0 1", "", "Kd2 a1=Q Ke2"),
    (ClaimKind::Underpromotion, "8/8/8/8/8/8/p7/1k4K1 w - - 0 1", "", "Kf2 a1=N Ke3"),
    (ClaimKind::UnstoppablePawn, "8/P7/8/8/8/8/7p/K6k w - - 0 1", "", "Kb1 Kg2 a8=Q+"),
];

const EN_PASSANT: &[Example] = &[
    (ClaimKind::Fork, "4k3/2r1r3/8/3pP3/8/8/8/6K1 w - d6 0 1", "", "exd6 Kf7 dxc7"),
    (ClaimKind::DiscoveredAttack, "6k1/8/8/R2pP2q/8/8/8/6K1 w - d6 0 1", "", "exd6 Kf8 Rxh5"),
    (ClaimKind::DiscoveredCheck, "8/8/8/R2Pp2k/8/8/8/K7 w - e6 0 1", "", "dxe6+ Kg4"),
    (ClaimKind::DoubleCheck, "8/4k3/8/3pP3/8/8/8/4R1K1 w - d6 0 1", "", "exd6+"),
    (ClaimKind::Overload, "4k3/2p5/1n6/3pP3/8/8/8/1R4K1 w - d6 0 1", "", "exd6 cxd6 Rxb6"),
    (ClaimKind::CapturesDefender, "4k3/8/8/3pP3/2n5/8/8/2R3K1 w - d6 0 1", "", "exd6 Kd7 Rxc4"),
    (ClaimKind::TrappedPiece, "4R3/b7/8/Pp6/8/7k/8/1R5K w - b6 0 1", "", "axb6 Kg3 bxa7"),
    (ClaimKind::Intermezzo, "4k3/8/8/8/3Pp3/8/8/3QK2R b - d3 0 1", "exd3", "Rh8+ Ke7 Qxd3"),
    (ClaimKind::UnstoppablePawn, "8/8/8/6k1/Pp6/8/6p1/6K1 b - a3 0 1", "", "bxa3 Kxg2 a2"),
    (ClaimKind::EnPassant, "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "", "exd6"),
];

const EN_PASSANT_NOT: &[Example] = &[
    // A pawn is no hanging piece, and the square of the move was empty.
    (ClaimKind::HangingPiece, "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "", "exd6"),
    // The opening capture gains a pawn and stands safe: no offer, no clearance.
    (ClaimKind::Clearance, "7k/p7/8/3pP3/8/8/8/4R1K1 w - d6 0 1", "", "exd6 a6 Re7"),
    // The pawn that took en passant is retaken at once.
    (ClaimKind::Intermezzo, "4k3/8/8/8/3Pp3/8/8/3QK2R b - d3 0 1", "exd3", "Qxd3 Ke7 Rh7+"),
    (ClaimKind::QuietMove, "4k3/8/8/3pP3/8/8/8/4K2R w - d6 0 1", "", "exd6 Kd7 Rh7+"),
    (ClaimKind::XRay, "4k3/2p5/8/3pP3/8/8/8/3R2K1 w - d6 0 1", "", "exd6 cxd6 Rxd6"),
];

const DOUBLE_CHECKS: &[Example] = &[
    (
        ClaimKind::DoubleCheck,
        "rnb1kb1r/pp3ppp/2p5/4q3/4n3/3Q4/PPPB1PPP/2KR1BNR w kq - 0 1",
        "",
        "Qd8+ Kxd8 Bg5+ Kc7 Bd8#",
    ),
    (
        ClaimKind::Attraction,
        "rnb1kb1r/pp3ppp/2p5/4q3/4n3/3Q4/PPPB1PPP/2KR1BNR w kq - 0 1",
        "",
        "Qd8+ Kxd8 Bg5+ Kc7 Bd8#",
    ),
    (
        ClaimKind::SmotheredMate,
        "r4rk1/p4Npp/1q6/2bQ4/1p3n2/1B6/PPP2PPP/R4K2 w - - 3 20",
        "",
        "Nh6+ Kh8 Qg8+ Rxg8 Nf7#",
    ),
    (ClaimKind::DiscoveredCheck, "4k3/8/8/8/4N3/8/8/4R1K1 w - - 0 1", "", "Nf6+"),
];

const DOUBLE_CHECKS_NOT: &[Example] = &[
    // The moved piece checks too: not only the piece behind it attacks the king.
    (ClaimKind::DiscoveredAttack, "4k3/8/8/8/4N3/8/8/4R1K1 w - - 0 1", "", "Nf6+"),
    // The queen cannot answer a double check: it is not trapped, it may not move.
    (ClaimKind::TrappedPiece, "4k3/q7/8/8/4N3/8/5B2/4R1K1 w - - 0 1", "", "Nf6+ Kf7 Bxa7"),
];

#[test]
fn special_moves_are_found_and_confirmed() {
    for &(kind, fen, previous, moves) in
        [CASTLING, PROMOTIONS, EN_PASSANT, DOUBLE_CHECKS].into_iter().flatten()
    {
        let (start, list, line) = line(fen, previous, moves);
        let found = detect(&line).into_iter().find(|finding| finding.kind == kind);
        let found = found.unwrap_or_else(|| panic!("{kind}: {fen}, {moves}"));
        let has_facts = !found.facts.is_empty();
        let claim = Claim::from_finding(found, &start, &list, Evidence::Rules);
        let check = verify(&claim, &mut Nobody);
        let expected = if has_facts { Outcome::Confirmed } else { Outcome::Undecided };
        assert_eq!(check.outcome, expected, "{kind}: {fen}, {moves}: {:?}", check.reason);
    }
}

#[test]
fn special_moves_fool_no_detector() {
    for &(kind, fen, previous, moves) in
        [CASTLING_NOT, PROMOTIONS_NOT, EN_PASSANT_NOT, DOUBLE_CHECKS_NOT].into_iter().flatten()
    {
        let (_, _, line) = line(fen, previous, moves);
        let found = detect(&line).into_iter().find(|finding| finding.kind == kind);
        assert_eq!(found, None, "{kind}: {fen}, {moves}");
    }
}
