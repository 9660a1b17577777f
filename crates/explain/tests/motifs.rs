//! Detectors: positions where a motif must be found, positions where it must not, and agreement with the verifier on
//! random games.

use rukh_chess::notation::CastlingNotation;
use rukh_chess::random::SplitMix64;
use rukh_chess::{Move, Piece, Position, Setup};
use rukh_explain::claims::analyst::Analyst;
use rukh_explain::claims::claim::{Claim, Evidence, Finding};
use rukh_explain::claims::kind::ClaimKind;
use rukh_explain::claims::motifs::{Line, detect};
use rukh_explain::claims::verify::{Outcome, verify};
use rukh_explain::review::PositionAnalysis;
use rukh_explain::variation;

/// A line that begins with the opponent's move if `previous` is not empty.
fn line(fen: &str, previous: &str, moves: &str) -> (Position, Vec<Move>, Line) {
    let mut start: Position = fen.parse().expect("the FEN is valid");
    let mut before = None;
    if !previous.is_empty() {
        let mv = start.parse_san(previous).expect("the move is legal");
        before = Some((start.clone(), mv));
        start = start.after(mv);
    }
    let mut here = start.clone();
    let mut list = Vec::new();
    for word in moves.split(' ') {
        let mv = here.parse_san(word).unwrap_or_else(|error| panic!("{fen}, {word}: {error}"));
        here = here.after(mv);
        list.push(mv);
    }
    let line = Line::new(before, &start, &list);
    (start, list, line)
}

fn finding(fen: &str, previous: &str, moves: &str, kind: ClaimKind) -> Option<Finding> {
    detect(&line(fen, previous, moves).2).into_iter().find(|finding| finding.kind == kind)
}

/// Kind, FEN, the opponent's move before, the line.
const FOUND: &[(ClaimKind, &str, &str, &str)] = &[
    (ClaimKind::Fork, "r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1", "", "Nc7+ Kd8 Nxa8"),
    (ClaimKind::Fork, "5k2/1P6/8/4r3/8/8/8/6K1 w - - 0 1", "", "b8=Q+ Kf7 Qxe5"),
    (ClaimKind::Pin, "4k3/8/4n3/8/8/8/8/R5K1 w - - 0 1", "", "Re1"),
    // A pawn wins the pinned knight; the knight leaves and the queen is lost; it cannot take the pawn on e4.
    (ClaimKind::RelativePin, "3qk3/8/5n2/6B1/4P3/8/8/6K1 w - - 0 1", "", "e5 Kd7 exf6"),
    (ClaimKind::RelativePin, "3qk3/8/5n2/8/8/8/8/2B3K1 w - - 0 1", "", "Bg5 Nd5 Bxd8"),
    (ClaimKind::RelativePin, "3qk3/8/5n2/8/4P3/8/8/2B3K1 w - - 0 1", "", "Bg5"),
    // A promoted queen pins.
    (ClaimKind::RelativePin, "3n1r2/1P5k/8/8/8/8/8/6K1 w - - 0 1", "", "b8=Q Nc6 Qxf8"),
    // Castling brings the pinning rook to f1.
    (ClaimKind::RelativePin, "5qk1/8/5n2/4P3/8/8/8/4K2R w K - 0 1", "", "O-O Kh7 exf6"),
    (ClaimKind::Skewer, "4q3/8/8/4k3/8/8/8/R5K1 w - - 0 1", "", "Re1+ Kd6 Rxe8"),
    (ClaimKind::DiscoveredCheck, "4k3/8/8/8/4N3/8/8/4R1K1 w - - 0 1", "", "Nc5+"),
    (ClaimKind::DiscoveredAttack, "3qk3/8/8/8/3B4/8/8/3R2K1 w - - 0 1", "", "Ba7 Kf7 Rxd8"),
    (ClaimKind::DoubleCheck, "4k3/8/8/8/4N3/8/8/4R1K1 w - - 0 1", "", "Nf6+"),
    (ClaimKind::DiscoveredCheck, "8/8/8/R2Pp2k/8/8/8/K7 w - e6 0 1", "", "dxe6+ Kg4"),
    (ClaimKind::Deflection, "3q3k/8/8/8/3r4/8/8/3QR1K1 w - - 0 1", "", "Re8+ Qxe8 Qxd4+"),
    (ClaimKind::Attraction, "6k1/8/8/8/8/8/8/K4R1Q w - - 0 1", "", "Qh8+ Kxh8 Rh1+"),
    (ClaimKind::Overload, "3q2k1/8/8/3n4/7n/8/8/3R2KR w - - 0 1", "", "Rxh4 Qxh4 Rxd5"),
    (ClaimKind::Sacrifice, "6k1/8/8/8/8/8/8/K4R1Q w - - 0 1", "", "Qh8+ Kxh8 Rh1+"),
    (ClaimKind::Interference, "6k1/8/8/r6n/8/3N4/8/1K5R w - - 0 1", "", "Ne5 Kg7 Rxh5"),
    (ClaimKind::Clearance, "6k1/8/8/8/8/8/6B1/K6Q w - - 0 1", "", "Bf1 Kf7 Qa8"),
    (ClaimKind::Intermezzo, "3qk3/8/8/8/3N4/8/8/3QK2R b - - 0 1", "Qxd4", "Rh8+ Ke7 Qxd4"),
    (ClaimKind::XRay, "4k3/8/2p5/8/4q3/8/6B1/2R3K1 w - - 0 1", "", "Rxc6 Qxc6 Bxc6+"),
    (ClaimKind::TrappedPiece, "4k3/8/8/8/8/8/5PPb/7K w - - 0 1", "", "g3 Kd7 Kxh2"),
    (ClaimKind::HangingPiece, "4k3/8/8/3n4/8/8/8/3R2K1 w - - 0 1", "", "Rxd5"),
    (ClaimKind::CapturesDefender, "4k3/8/5n2/3r4/7B/8/8/3R2K1 w - - 0 1", "", "Bxf6 Kf7 Rxd5"),
    (ClaimKind::Promotion, "8/1P6/8/8/8/8/k7/6K1 w - - 0 1", "", "b8=Q"),
    (ClaimKind::Underpromotion, "8/1P6/8/8/8/8/k7/6K1 w - - 0 1", "", "b8=N"),
    (ClaimKind::AdvancedPawn, "8/8/1P6/8/8/8/k7/6K1 w - - 0 1", "", "b7"),
    (ClaimKind::UnstoppablePawn, "8/8/8/P6k/8/8/8/K7 w - - 0 1", "", "a6 Kg6 a7"),
    (ClaimKind::UnstoppablePawn, "8/8/8/6k1/Pp6/8/6p1/6K1 b - a3 0 1", "", "bxa3 Kxg2 a2"),
    (ClaimKind::EnPassant, "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "", "exd6"),
    (ClaimKind::QuietMove, "7k/8/8/8/8/8/R7/K7 w - - 0 1", "", "Ra3 Kg7 Ra7+"),
    (ClaimKind::DefensiveMove, "7k/8/8/8/8/8/R7/K7 w - - 0 1", "", "Ra3"),
    (ClaimKind::MateIn, "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "", "Ra8#"),
    (ClaimKind::BackRankMate, "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "", "Ra8#"),
    (ClaimKind::SmotheredMate, "6rk/6pp/7N/8/8/8/8/6K1 w - - 0 1", "", "Nf7#"),
    (ClaimKind::ArabianMate, "7k/1R6/5N2/8/8/8/8/6K1 w - - 0 1", "", "Rh7#"),
    (ClaimKind::AnastasiaMate, "8/4N1pk/8/8/8/8/R7/6K1 w - - 0 1", "", "Rh2#"),
    (ClaimKind::EpauletteMate, "3rkr2/8/7Q/8/8/8/8/6K1 w - - 0 1", "", "Qe6#"),
    (ClaimKind::OperaMate, "1n2kb1r/p4ppp/4q3/4p1B1/4P3/8/PPP2PPP/2KR4 w k - 0 17", "", "Rd8#"),
    (
        ClaimKind::LegalMate,
        "rn1qkbnr/ppp2p1p/3p2p1/4p3/2B1P1b1/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 0 5",
        "",
        "Nxe5 Bxd1 Bxf7+ Ke7 Nd5#",
    ),
];

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

/// The position without the piece on a square, if it is valid and the line is still legal.
fn without(position: &Position, square: rukh_chess::Square, moves: &[Move]) -> Option<(Position, Vec<Move>)> {
    let mut setup = Setup::from(position);
    setup.board[square.index()] = None;
    let start = setup.validate().ok()?;
    let mut here = start.clone();
    let mut list = Vec::new();
    let mut original = position.clone();
    for &mv in moves {
        let text = original.uci(mv, CastlingNotation::RookSquare);
        original = original.after(mv);
        let own = here.parse_uci(&text).ok()?;
        here = here.after(own);
        list.push(own);
    }
    Some((start, list))
}

/// Mutation: without a named piece of the opponent the claim is gone.
#[test]
fn removing_a_named_piece_removes_the_claim() {
    let mut tried = 0;
    for &(kind, fen, previous, moves) in FOUND {
        let (start, list, line) = line(fen, previous, moves);
        let Some(found) = detect(&line).into_iter().find(|finding| finding.kind == kind) else { continue };
        let victims = found
            .pieces
            .iter()
            .filter(|named| named.color != start.side_to_move() && named.piece != Piece::King);
        for named in victims {
            // The piece must stand there from the start.
            if start.piece_on(named.square) != Some(named.piece) {
                continue;
            }
            let Some((mutated, list)) = without(&start, named.square, &list) else { continue };
            tried += 1;
            let kinds: Vec<_> =
                detect(&Line::new(None, &mutated, &list)).into_iter().map(|finding| finding.kind).collect();
            assert!(!kinds.contains(&kind), "{kind} without the piece on {}: {mutated}", named.square);
        }
    }
    assert!(tried >= 8, "{tried} mutations");
}

/// No search.
struct Nobody;

impl Analyst for Nobody {
    fn analyse(&mut self, _: &Position, _: &[Move], _: f64) -> Option<PositionAnalysis> {
        None
    }

    fn nodes(&self, _: f64) -> Option<u64> {
        None
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
            for finding in detect(&Line::new(Some(played[at - 1].clone()), start, &moves)) {
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
