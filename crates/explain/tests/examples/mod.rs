//! Examples of every motif, for the tests of the detectors and for the mutations.

use rukh_chess::{Move, Position};
use rukh_explain::claims::analyst::Analyst;
use rukh_explain::claims::kind::ClaimKind;
use rukh_explain::claims::motifs::MotifLine;
use rukh_explain::review::PositionAnalysis;

/// An analyst without a search, for claims that the rules decide.
pub(crate) struct Nobody;

impl Analyst for Nobody {
    fn analyse(&mut self, _: &Position, _: &[Move], _: f64) -> Option<PositionAnalysis> {
        None
    }

    fn nodes(&self, _: f64) -> Option<u64> {
        None
    }
}

/// A line that begins with the opponent's move if `previous` is not empty.
pub(crate) fn line(fen: &str, previous: &str, moves: &str) -> (Position, Vec<Move>, MotifLine) {
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
    let line = MotifLine::new(before, &start, &list);
    (start, list, line)
}

/// Kind, FEN, the opponent's move before, the line.
pub(crate) const FOUND: &[(ClaimKind, &str, &str, &str)] = &[
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
    (ClaimKind::HookMate, "1kr5/Np6/1P6/1K6/2R5/8/8/8 w - - 0 1", "", "Rxc8#"),
    (ClaimKind::DovetailMate, "8/1Q6/2KP1kb1/5pp1/8/8/8/8 w - - 0 1", "", "Qe7#"),
    (ClaimKind::BodenMate, "2kr4/3p4/8/8/5B2/8/8/K4B2 w - - 0 1", "", "Ba6#"),
    (ClaimKind::DoubleBishopMate, "7k/4B2p/1K2B3/8/8/8/8/8 w - - 0 1", "", "Bf6#"),
    (ClaimKind::PillsburyMate, "k5K1/p7/B2R4/8/8/8/8/8 w - - 0 1", "", "Rd8#"),
    (ClaimKind::MorphyMate, "8/6BK/8/7p/6pk/5R2/8/8 w - - 0 1", "", "Bf6#"),
    (ClaimKind::CornerMate, "7k/7p/8/6N1/8/8/8/K5R1 w - - 0 1", "", "Nf7#"),
    (ClaimKind::TriangleMate, "8/8/8/6Q1/8/4K1rn/7k/6R1 w - - 0 1", "", "Qxg3#"),
    (ClaimKind::KillBoxMate, "3R4/8/3r4/2pk4/5Q2/5K2/8/8 w - - 0 1", "", "Rxd6#"),
    (ClaimKind::VukovicMate, "4k3/R7/3PN3/8/8/8/8/K7 w - - 0 1", "", "Re7#"),
    (ClaimKind::BlindSwineMate, "8/8/3K4/R7/8/8/rR6/k7 w - - 0 1", "", "Raxa2#"),
    (ClaimKind::BalestraMate, "7k/K4Qbp/5B2/8/8/8/8/8 w - - 0 1", "", "Bxg7#"),
    (
        ClaimKind::LegalMate,
        "rn1qkbnr/ppp2p1p/3p2p1/4p3/2B1P1b1/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 0 5",
        "",
        "Nxe5 Bxd1 Bxf7+ Ke7 Nd5#",
    ),
];
