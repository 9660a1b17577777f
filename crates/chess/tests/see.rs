//! Static exchange evaluation against an exhaustive search of the captures.

use crate::common::{position, random_games};
use rukh_chess::movegen::{MoveList, Noisy};
use rukh_chess::types::ByPiece;
use rukh_chess::{Bitboard, Move, MoveKind, Piece, Position, Square};

const VALUES: ByPiece<i32> = ByPiece([100, 300, 300, 500, 900, 20_000]);

/// The best result of legal captures on `square`, or of none.
fn best_of_captures(position: &Position, square: Square) -> i32 {
    let mut moves = MoveList::new();
    position.generate::<Noisy>(&mut moves);
    let captures = moves.iter().filter(|mv| mv.to() == square && mv.is_capture() && !mv.is_promotion());
    captures.map(|&mv| played_out(position, mv)).max().unwrap_or(0).max(0)
}

fn played_out(position: &Position, mv: Move) -> i32 {
    let won = position.captured_by(mv).map_or(0, |piece| VALUES[piece]);
    won - best_of_captures(&position.after(mv), mv.to())
}

/// The exchange value without pins: each side captures with its least valuable piece, or stops.
fn value_without_pins(position: &Position, mv: Move) -> i32 {
    let (target, us) = (mv.to(), position.side_to_move());
    let mut occupied = position.occupied() ^ Bitboard::of(mv.from()) | Bitboard::of(target);
    if mv.kind() == MoveKind::EnPassant {
        occupied ^= Bitboard::of(Square::new(target.file(), mv.from().rank()));
    }
    let mut on_target = position.piece_on(mv.from()).expect("a legal move starts on a piece");
    let mut gains = vec![position.captured_by(mv).map_or(0, |piece| VALUES[piece])];
    let mut side = !us;
    loop {
        let attackers = position.attackers_to(target, occupied) & occupied;
        let least =
            Piece::ALL.into_iter().find(|&piece| attackers.intersects(position.colored_pieces(side, piece)));
        let Some(piece) = least else { break };
        if piece == Piece::King && attackers.intersects(position.color(!side)) {
            break;
        }
        gains.push(VALUES[on_target]);
        on_target = piece;
        let capturer =
            (attackers & position.colored_pieces(side, piece)).first().expect("the piece is an attacker");
        occupied ^= Bitboard::of(capturer);
        side = !side;
    }
    let first = gains.remove(0);
    first - gains.into_iter().rev().fold(0, |rest, gain| (gain - rest).max(0))
}

/// The largest threshold that the exchange reaches, by bisection.
fn value(position: &Position, mv: Move) -> i32 {
    let (mut low, mut high) = (-2_000, 2_000);
    while low < high {
        let middle = (low + high + 1) / 2;
        if position.see_at_least(mv, middle, &VALUES) { low = middle } else { high = middle - 1 }
    }
    low
}

#[test]
fn see_agrees_with_a_search_of_the_captures() {
    let (mut cases, mut wrong, mut wrong_without_pins) = (0, 0, 0);
    random_games(21, 600, 90, |position| {
        // Every eighth position is enough: successive positions are similar.
        if position.key() % 8 != 0 {
            return;
        }
        for &mv in position.legal_moves().iter().filter(|mv| !mv.is_promotion() && !mv.is_castling()) {
            cases += 1;
            let right = played_out(position, mv);
            wrong += usize::from(value(position, mv) != right);
            wrong_without_pins += usize::from(value_without_pins(position, mv) != right);
        }
    });
    // The rest are checks, pins that arise or end during the exchange, and recaptures with promotion.
    println!("{wrong} of {cases} differ, {wrong_without_pins} without pins");
    assert!(cases > 50_000, "only {cases}");
    assert!(wrong * 1_000 < cases * 3, "{wrong} of {cases} differ");
    assert!(wrong * 2 < wrong_without_pins, "only {wrong_without_pins} differ without pins");
}

#[test]
fn known_exchanges() {
    let cases = [
        // A protected pawn.
        ("4k3/2p5/3p4/8/4N3/8/8/4K3 w - - 0 1", "e4d6", -200),
        // Two attackers, one defender, the least valuable first.
        ("4k3/2p5/3p4/8/4N3/6B1/8/4K3 w - - 0 1", "e4d6", -100),
        // X-ray: the rook behind the rook recaptures.
        ("3rk3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", -400),
        ("4k3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100),
        // The king cannot capture a protected piece.
        ("8/4k3/3p4/8/8/3R4/3R4/4K3 w - - 0 1", "d3d6", 100),
        // The defender is pinned, so the pawn is undefended.
        ("4k3/4n3/2p5/8/8/2R5/8/3KR3 w - - 0 1", "c3c6", 100),
        // Without the pinning rook it is defended.
        ("4k3/4n3/2p5/8/8/2R5/8/3K4 w - - 0 1", "c3c6", -400),
        // En passant, protected.
        ("4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 0),
        // Promotion on a protected square loses the pawn; on an unprotected one it gains a queen for a pawn.
        ("3r3k/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", -100),
        ("7k/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", 800),
        // Quiet moves, the second to a square attacked by a pawn.
        ("4k3/8/2p5/8/4N3/8/8/4K3 w - - 0 1", "e4d6", 0),
        ("4k3/2p5/8/8/4N3/8/8/4K3 w - - 0 1", "e4d6", -300),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", 0),
    ];
    for (fen, mv, expected) in cases {
        let position = position(fen);
        let mv = position.parse_uci(mv).expect("the test has legal moves");
        assert_eq!(value(&position, mv), expected, "{fen} {mv:?}");
    }
    let position = position("4k3/2p5/3p4/8/4N3/8/8/4K3 w - - 0 1");
    let mv = position.parse_uci("e4d6").expect("a legal move");
    assert!(position.see_at_least(mv, i32::MIN, &VALUES) && !position.see_at_least(mv, i32::MAX, &VALUES));
}
