//! Detectors: positions where a motif must be found, positions where it must not, and agreement with the verifier on
//! random games.

use crate::examples::{FOUND, Nobody, line};
use rukh_chess::random::SplitMix64;
use rukh_chess::{Move, Position, Setup};
use rukh_explain::claims::claim::{Claim, Evidence, Finding};
use rukh_explain::claims::kind::ClaimKind;
use rukh_explain::claims::motifs::{MotifLine, detect};
use rukh_explain::claims::verify::{Outcome, verify};
use rukh_explain::variation;

fn finding(fen: &str, previous: &str, moves: &str, kind: ClaimKind) -> Option<Finding> {
    detect(&line(fen, previous, moves).2).into_iter().find(|finding| finding.kind == kind)
}

#[test]
fn motifs_are_found() {
    for &(kind, fen, previous, moves) in FOUND {
        let found = finding(fen, previous, moves, kind);
        let found = found.unwrap_or_else(|| panic!("{kind}: {fen}, {moves}"));
        assert!(!found.pieces.is_empty(), "{kind}: {fen}");
        assert!(found.plies >= 1 && found.plies <= moves.split(' ').count(), "{kind}: {fen}");
    }
}

/// The same as above, with a detail that makes the motif vanish.
const NOT_FOUND: &[(ClaimKind, &str, &str, &str)] = &[
    // The forking knight can be taken; the last move of a line has no use that is seen; a king does not fork.
    (ClaimKind::Fork, "r2bk3/8/8/3N4/8/8/8/4K3 w - - 0 1", "", "Nc7+ Kd7 Nxa8"),
    (ClaimKind::Fork, "r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1", "", "Nc7+"),
    (ClaimKind::Fork, "8/8/8/8/1n1n4/8/1K6/7k w - - 0 1", "", "Kc3 Kg2 Kxb4"),
    // A protected knight holds a pin by a rook; it has no piece to take.
    (ClaimKind::Pin, "4k3/3p4/4n3/8/8/8/8/R5K1 w - - 0 1", "", "Re1"),
    // The piece behind is worth no more than the pinned one; the knight takes the pinning bishop; a pin to the king is not
    // relative.
    (ClaimKind::RelativePin, "3nk3/8/5n2/8/8/8/8/2B3K1 w - - 0 1", "", "Bg5 Nd5 Bxd8"),
    (ClaimKind::RelativePin, "3qk3/7n/5n2/8/8/8/8/2B3K1 w - - 0 1", "", "Bg5 Nxg5 Kg2"),
    (ClaimKind::RelativePin, "4k3/8/4n3/8/8/8/8/R5K1 w - - 0 1", "", "Re1 Kd7 Rxe6"),
    // The king is in the square of the pawn; a knight stops it; a pawn promotes first; a pawn checks the king.
    (ClaimKind::UnstoppablePawn, "8/8/8/P2k4/8/8/8/K7 w - - 0 1", "", "a6 Kc6 a7"),
    (ClaimKind::UnstoppablePawn, "8/8/8/P6k/8/8/8/K5n1 w - - 0 1", "", "a6 Nf3 a7"),
    (ClaimKind::UnstoppablePawn, "8/8/8/P6k/8/8/7p/K7 w - - 0 1", "", "a6 h1=Q+"),
    (ClaimKind::UnstoppablePawn, "8/8/8/P6k/6p1/8/5K2/8 w - - 0 1", "", "a6 g3+ Kg2"),
    // The piece behind is worth more, and is protected.
    (ClaimKind::Skewer, "3kq3/8/8/4r3/8/8/8/R5K1 w - - 0 1", "", "Re1 Rd5 Rxe8+"),
    (ClaimKind::DiscoveredCheck, "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "", "Rh8+"),
    (ClaimKind::DoubleCheck, "4k3/8/8/8/4N3/8/8/4R1K1 w - - 0 1", "", "Nc5+"),
    // Castling brings a rook out: that is no discovered attack.
    (ClaimKind::DiscoveredAttack, "1k6/5n2/8/8/8/8/8/4K2R w K - 0 1", "", "O-O Kc7 Rxf7+"),
    // The queen still guards the rook after she has taken.
    (ClaimKind::Deflection, "7k/6q1/8/8/3r4/8/8/1K1QR3 w - - 0 1", "", "Re5 Qxe5 Qxd4 Kg8"),
    // The second piece has another protector.
    (ClaimKind::Overload, "3q2k1/8/4p3/3n4/7n/8/8/3R2KR w - - 0 1", "", "Rxh4 Qxh4 Rxd5"),
    (ClaimKind::Interference, "6k1/6p1/6p1/r6n/8/3N4/8/1K5R w - - 0 1", "", "Ne5 Kh7 Rxh5+"),
    (ClaimKind::Intermezzo, "3qk3/8/8/8/3N4/8/8/3QK2R b - - 0 1", "Qxd4", "Qxd4 Ke7 Qd5"),
    (ClaimKind::TrappedPiece, "4k3/8/8/8/8/8/6Pb/7K w - - 0 1", "", "g4 Kd7 Kxh2"),
    (ClaimKind::HangingPiece, "4k3/8/4p3/3n4/8/8/8/3R2K1 w - - 0 1", "", "Rxd5 exd5"),
    // An even exchange on the square of the last capture.
    (ClaimKind::HangingPiece, "4k3/8/8/8/3r4/8/3R4/3RK3 b - - 0 1", "Rxd2", "Rxd2"),
    (ClaimKind::Sacrifice, "4k3/8/8/3n4/8/8/8/3R2K1 w - - 0 1", "", "Rxd5 Ke7 Rd1"),
    (ClaimKind::QuietMove, "7k/8/8/8/8/8/R7/K7 w - - 0 1", "", "Ra8+ Kg7 Ra7+"),
    (ClaimKind::BackRankMate, "6k1/5p1p/6p1/8/8/2B5/8/R5K1 w - - 0 1", "", "Ra8#"),
    (ClaimKind::Underpromotion, "8/1P6/8/8/8/8/k7/6K1 w - - 0 1", "", "b8=Q"),
    // A knight alone mates.
    (
        ClaimKind::LegalMate,
        "r4rk1/p4Npp/1q6/2bQ4/1p3n2/1B6/PPP2PPP/R4K2 w - - 3 20",
        "",
        "Nh6+ Kh8 Qg8+ Rxg8 Nf7#",
    ),
];

#[test]
fn a_detail_makes_a_motif_vanish() {
    for &(kind, fen, previous, moves) in NOT_FOUND {
        assert_eq!(finding(fen, previous, moves, kind), None, "{kind}: {fen}, {moves}");
    }
}

/// Random games of Chess960: castling, promotions, en-passant captures and checks of all kinds. What the detectors find
/// the verifier, which shares no code with them, must confirm.
#[test]
fn the_verifier_confirms_the_detectors_on_random_games() {
    const GAMES: u64 = 300;
    const WINDOW: usize = 5;
    let mut random = SplitMix64::new(1);
    let mut found = 0;
    for _ in 0..GAMES {
        let number = (random.next() % 960) as u16;
        let mut here = Setup::chess960(number, number).validate().expect("a start position is valid");
        let mut played: Vec<(Position, Move)> = Vec::new();
        for _ in 0..120 {
            let moves = here.legal_moves();
            if moves.is_empty() {
                break;
            }
            // Captures and checks make motifs.
            let lively: Vec<_> =
                moves.iter().copied().filter(|&mv| mv.is_noisy() || here.gives_check(mv)).collect();
            let pool =
                if lively.is_empty() || random.next().is_multiple_of(3) { moves.to_vec() } else { lively };
            let mv = pool[(random.next() % pool.len() as u64) as usize];
            played.push((here.clone(), mv));
            here = here.after(mv);
        }
        for at in 1..played.len().saturating_sub(WINDOW) {
            let moves: Vec<_> = played[at..at + WINDOW].iter().map(|(_, mv)| *mv).collect();
            let start = &played[at].0;
            for finding in detect(&MotifLine::new(Some(played[at - 1].clone()), start, &moves)) {
                let claim = Claim::from_finding(finding, start, &moves, Evidence::Rules);
                if claim.facts.is_empty() {
                    continue;
                }
                found += 1;
                let check = verify(&claim, &mut Nobody);
                let line = variation::to_san(start, &moves);
                assert_eq!(
                    check.outcome,
                    Outcome::Confirmed,
                    "{}: {start}, {line}: {:?}",
                    claim.kind,
                    check.reason
                );
            }
        }
    }
    assert!(found > 1_000, "{found} findings");
}
