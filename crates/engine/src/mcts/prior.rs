//! Handcrafted prior: a logit for each legal move from static exchange evaluation, piece-square differences, checks,
//! promotions and threats.
//!
//! It is what a policy network would give, from knowledge that the engine has already. It knows one position, not the tree.

use rukh_chess::position::ChangeObserver;
use rukh_chess::{Color, Move, Piece, Position};
use rukh_eval::hce::psqt::Psqt;

use crate::histories::Threats;
use crate::params::{self, exchange_values, fraction};

/// The phase with all pieces on the board.
const FULL_PHASE: i32 = 24;
/// The unit of exchange values and square values in a logit, in internal units.
const PAWN: f32 = 100.0;

/// Writes a logit for each of `moves`, which are legal in `position`. `table_move` is the best move of an earlier search.
pub(super) fn logits(position: &Position, moves: &[Move], table_move: Option<Move>, logits: &mut Vec<f32>) {
    let threats = Threats::of(position);
    let phase = phase(position);
    let sum = |mv| {
        let mut logit =
            exchange(position, mv) + square_gain(position, mv, phase) + safety(position, mv, &threats);
        if position.gives_check(mv) {
            logit += weight(params::prior_check_weight());
        }
        if Some(mv) == table_move {
            logit += weight(params::prior_table_move_weight());
        }
        logit
    };
    logits.clear();
    logits.extend(moves.iter().map(|&mv| sum(mv)));
}

fn weight(weight: i32) -> f32 {
    fraction(weight) as f32
}

/// The phase of the game: 24 with all pieces, 0 with kings and pawns alone.
fn phase(position: &Position) -> i32 {
    let count = |piece| position.pieces(piece).count() as i32;
    let points =
        count(Piece::Knight) + count(Piece::Bishop) + 2 * count(Piece::Rook) + 4 * count(Piece::Queen);
    points.min(FULL_PHASE)
}

/// Captures and promotions by the material they win; every move that loses material by static exchange is unlikely.
fn exchange(position: &Position, mv: Move) -> f32 {
    let values = exchange_values();
    if !position.see_at_least(mv, 0, &values) {
        return -weight(params::prior_losing_weight());
    }
    // Promotions to other pieces than the queen are hardly ever best.
    if mv.promotion().is_some_and(|piece| piece != Piece::Queen) {
        return -weight(params::prior_losing_weight());
    }
    if !mv.is_noisy() {
        return 0.0;
    }
    let captured = position.captured_by(mv).map_or(0, |piece| values[piece]);
    let promoted = mv.promotion().map_or(0, |piece| values[piece] - values[Piece::Pawn]);
    let attacker = position.piece_on(mv.from()).map_or(0, |piece| values[piece]);
    // MVV-LVA: of equal victims the least valuable attacker is preferred.
    let gain = (captured + promoted) as f32 / PAWN - (attacker as f32 / PAWN) / 2.0;
    weight(params::prior_good_capture_weight()) + gain * weight(params::prior_victim_weight())
}

/// The change of the piece-square value by a move that is not castling, in pawns times the weight.
fn square_gain(position: &Position, mv: Move, phase: i32) -> f32 {
    let Some(piece) = position.piece_on(mv.from()).filter(|_| !mv.is_castling()) else {
        return weight(params::prior_square_weight()) / 2.0;
    };
    let side = position.side_to_move();
    let mut change = Psqt::default();
    change.moved(side, piece, mv.from(), mv.to());
    let tapered = change.sum.midgame() * phase + change.sum.endgame() * (FULL_PHASE - phase);
    let gain = if side == Color::White { tapered } else { -tapered };
    (gain as f32 / (FULL_PHASE as f32 * PAWN)).clamp(-1.0, 1.0) * weight(params::prior_square_weight())
}

/// A piece that a lesser piece attacks wants to move.
fn safety(position: &Position, mv: Move, threats: &Threats) -> f32 {
    let is_escape =
        position.piece_on(mv.from()).is_some_and(|piece| threats.is_attacked_by_lesser(piece, mv.from()));
    if is_escape { weight(params::prior_escape_weight()) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn logit_of(fen: &str, text: &str) -> f32 {
        let position: Position = fen.parse().expect("it is valid");
        let moves = position.legal_moves();
        let mut all = Vec::new();
        logits(&position, &moves, None, &mut all);
        let mv = position.parse_uci(text).expect("it is legal");
        all[moves.iter().position(|&other| other == mv).expect("it is in the list")]
    }

    #[test]
    fn good_captures_come_first_and_bad_ones_last() {
        let fen = "6k1/8/3p4/2p1q3/3P4/8/4R3/6K1 w - - 0 1";
        assert!(logit_of(fen, "d4e5") > logit_of(fen, "e2e5"), "by the least valuable attacker");
        assert!(logit_of(fen, "d4e5") > logit_of(fen, "d4c5"), "the most valuable victim");
        assert!(logit_of(fen, "d4c5") > logit_of(fen, "e2a2"));
        assert!(logit_of("4k3/3p4/2p5/8/8/8/2R5/4K3 w - - 0 1", "c2c6") < 0.0, "the rook is lost");
    }

    #[test]
    fn promotions_checks_and_escapes_are_likely() {
        let promotion = "7k/P7/8/8/8/8/8/K7 w - - 0 1";
        assert!(logit_of(promotion, "a7a8q") > logit_of(promotion, "a1b2") + 1.0);
        assert!(logit_of(promotion, "a7a8n") < logit_of(promotion, "a1b2"));
        let escape = "4k3/8/8/2p5/3N4/8/8/4K3 w - - 0 1";
        assert!(logit_of(escape, "d4f3") > logit_of(escape, "e1e2"));
    }

    #[test]
    fn mirrored_positions_have_mirrored_logits() {
        let fen = "r1bqk2r/ppp2ppp/2n2n2/3pp3/1b2P3/2NP1N2/PPP1BPPP/R1BQK2R w KQkq - 0 6";
        let mirrored = "r1bqk2r/ppp1bppp/2np1n2/1B2p3/3PP3/2N2N2/PPP2PPP/R1BQK2R b KQkq - 0 6";
        for (one, other) in [("e4d5", "e5d4"), ("e1g1", "e8g8"), ("f3e5", "f6e4"), ("a2a3", "a7a6")] {
            assert_eq!(logit_of(fen, one), logit_of(mirrored, other), "{one} {other}");
        }
    }
}
