//! Endgames: the KPK bitbase in full, the known endgames, and endgame scaling.

use crate::common::{flipped, position};
use rukh_chess::{Color, Piece, Position, Setup, Square};
use rukh_eval::Score;
use rukh_eval::hce::trace;
use rukh_eval::knowledge::KnownEndgame;
use rukh_eval::knowledge::kpk::is_won;
use rukh_eval::knowledge::scale::SCALE_NORMAL;

/// King and white pawn against king.
fn trio(king: Square, pawn: Square, enemy: Square, side_to_move: Color) -> Option<Position> {
    if king == pawn || king == enemy || pawn == enemy {
        return None;
    }
    let mut setup = Setup::EMPTY;
    setup.board[king.index()] = Some((Color::White, Piece::King));
    setup.board[pawn.index()] = Some((Color::White, Piece::Pawn));
    setup.board[enemy.index()] = Some((Color::Black, Piece::King));
    setup.side_to_move = side_to_move;
    setup.validate().ok()
}

fn all_trios(mut visit: impl FnMut(&Position, bool)) {
    for pawn in Square::ALL {
        for king in Square::ALL {
            for enemy in Square::ALL {
                for side in Color::ALL {
                    if let Some(position) = trio(king, pawn, enemy, side) {
                        visit(&position, is_won(Color::White, king, pawn, enemy, side));
                    }
                }
            }
        }
    }
}

/// Whether a position after a move of KPK is won; a promoted piece wins unless it is captured or stalemates.
fn is_won_later(position: &Position) -> bool {
    let pieces = |piece| position.colored_pieces(Color::White, piece);
    let king = position.king(Color::White);
    match pieces(Piece::Pawn).first() {
        Some(pawn) => is_won(Color::White, king, pawn, position.king(Color::Black), position.side_to_move()),
        None => {
            let has_heavy_piece = !(pieces(Piece::Queen) | pieces(Piece::Rook)).is_empty();
            let can_reply = position.count_legal_moves() > 0;
            let can_take = position.legal_moves().iter().any(|mv| mv.is_capture());
            has_heavy_piece && !can_take && (can_reply || position.is_check())
        }
    }
}

#[test]
fn the_kpk_bitbase_is_exact() {
    let mut counts = [[0; 2]; 2];
    all_trios(|position, is_won| {
        counts[position.side_to_move().index()][usize::from(is_won)] += 1;
        // Every entry must follow from those after each legal move.
        let moves = position.legal_moves();
        let expected = match position.side_to_move() {
            Color::White => moves.iter().any(|&mv| is_won_later(&position.after(mv))),
            Color::Black if moves.is_empty() => position.is_check(),
            Color::Black => moves.iter().all(|&mv| is_won_later(&position.after(mv))),
        };
        assert_eq!(is_won, expected, "{position}");
    });
    // The counts of endgame tablebases: a fixed point that is too large would show here.
    assert_eq!(counts[0], [163_328 - 124_960, 124_960]);
    assert_eq!(counts[1], [168_024 - 97_604, 97_604]);
}

#[test]
fn kpk_scores_follow_the_bitbase() {
    let won = position("8/8/8/4k3/8/4K3/4P3/8 b - - 0 1");
    let drawn = position("8/8/8/4k3/8/4K3/4P3/8 w - - 0 1");
    let (won, drawn) = (trace(&won), trace(&drawn));
    assert_eq!(won.summary.endgame, Some(KnownEndgame::PawnAgainstKing));
    assert_eq!((won.score < Score::new(-300), drawn.score), (true, Score::DRAW));
}

#[test]
fn bishop_and_knight_drive_to_the_right_corner() {
    // A dark-squared bishop mates on a1 and h8, not on a8 and h1.
    let score = |fen: &str| {
        let traced = trace(&position(fen));
        assert_eq!(traced.summary.endgame, Some(KnownEndgame::BishopAndKnight), "{fen}");
        traced.score
    };
    let right = score("7k/8/5K2/8/8/8/8/2B1N3 w - - 0 1");
    let wrong = score("k7/8/2K5/8/8/8/8/2B1N3 w - - 0 1");
    let center = score("8/8/8/4k3/8/4K3/8/2B1N3 w - - 0 1");
    assert!(right > wrong && wrong > Score::DRAW && right > center, "{right} {wrong} {center}");
}

#[test]
fn lone_kings_are_driven_to_the_edge() {
    for pieces in ["Q7", "R7", "RR6", "BB6"] {
        let score = |king: &str| trace(&position(&format!("{king}/8/8/3K4/8/8/{pieces} w - - 0 1"))).score;
        let (edge, center) = (score("7k/8"), score("8/3k4"));
        assert!(edge > center, "{pieces}: {edge} {center}");
        assert!(center > Score::new(1_000), "{pieces}: {center}");
    }
}

#[test]
fn endgames_that_cannot_be_won_are_even() {
    for fen in [
        "4k3/8/8/8/8/8/8/3NK3 w - - 0 1",
        "4k3/8/8/8/8/8/8/3BK3 w - - 0 1",
        "4k3/8/8/8/8/8/8/2NNK3 w - - 0 1",
        "3bk3/8/8/8/8/8/8/2NNK3 w - - 0 1",
        // Wrong rook pawn: the bishop does not control the promotion square.
        "k7/8/1K6/P7/8/8/8/2B5 w - - 0 1",
        "7k/8/6K1/7P/8/8/8/5B2 w - - 0 1",
    ] {
        let position = position(fen);
        for position in [flipped(&position), position] {
            let score = trace(&position).score.value();
            assert!(score.abs() <= 20, "{fen}: {score}");
        }
    }
}

#[test]
fn endgames_that_are_hard_to_win_are_scaled_down() {
    let scale = |fen: &str| trace(&position(fen)).summary.scale;
    let normal = scale("4k3/pp3ppp/4b3/8/8/3B4/PPP2PPP/4K3 w - - 0 1");
    assert_eq!(normal, SCALE_NORMAL);
    for fen in [
        // Opposite-coloured bishops.
        "4k3/pp3ppp/3b4/8/8/3B4/PPP2PPP/4K3 w - - 0 1",
        // Rook against bishop, against knight, and against a far advanced pawn.
        "4k3/3b4/8/8/8/8/8/3RK3 w - - 0 1",
        "4k3/3n4/8/8/8/8/8/3RK3 w - - 0 1",
        "8/8/8/8/1K6/8/5kp1/R7 b - - 0 1",
        // Rooks, four pawns against three on one wing.
        "6k1/5ppp/8/8/8/4P3/r4PPP/3R2K1 w - - 0 1",
    ] {
        assert!(scale(fen) < normal, "{fen}: {}", scale(fen));
    }
}

#[test]
fn the_right_bishop_still_wins() {
    assert!(trace(&position("k7/8/1K6/P7/8/8/8/5B2 w - - 0 1")).score > Score::new(200));
}
