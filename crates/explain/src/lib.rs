#![doc = include_str!("../README.md")]
//!
//! Explanations are in [`claims`]; all other modules are for game reviews: accuracy, inaccuracies, mistakes and blunders
//! with better moves, as PGN, text or HTML.
//!
//! Nothing here prints or reads files, and nothing but [`claims::engine_analyst`] knows where an analysis comes from.
//! The modules, each using only those before it: [`accuracy`], [`piece_text`], [`variation`], [`white_score`], [`review`],
//! [`claims`], [`standing`], [`text`], [`annotate`], [`page`].

#![forbid(unsafe_code)]

pub mod accuracy;
pub mod annotate;
pub mod claims;
pub mod page;
pub mod piece_text;
pub mod review;
#[cfg(feature = "serde")]
mod serialize;
pub mod standing;
pub mod text;
pub mod variation;
pub mod white_score;

#[cfg(test)]
mod tests {
    //! An analysis for the tests: material after a search of two plies.

    use std::convert::Infallible;

    use rukh_chess::game::Game;
    use rukh_chess::{Move, Piece, Position};
    use rukh_eval::{Score, wdl};

    use crate::review::{PositionAnalysis, Review};

    /// The game of these moves.
    pub(crate) fn game_of(moves: &str) -> Game {
        let mut game = Game::default();
        for text in moves.split(' ') {
            let mv = game.position().parse_san(text).expect("the move is legal");
            game.play(mv).expect("the move is legal");
        }
        game
    }

    /// The review of the game by a search of two plies.
    pub(crate) fn reviewed(game: &Game) -> Review {
        let Ok(review) = Review::new(game, |game| {
            const DEPTH: usize = 2;
            let (score, pv) = search(game.position(), 0, DEPTH);
            let wdl = wdl(score, game.position().fullmove_number());
            Ok::<_, Infallible>(PositionAnalysis { score, wdl, pv })
        });
        review
    }

    fn search(position: &Position, ply: usize, depth: usize) -> (Score, Vec<Move>) {
        if position.is_checkmate() {
            return (Score::mated_at(ply), Vec::new());
        }
        if ply == depth {
            return (material(position), Vec::new());
        }
        let mut best = (Score::MIN, Vec::new());
        for &mv in &position.legal_moves() {
            let (score, pv) = search(&position.after(mv), ply + 1, depth);
            if -score > best.0 {
                best = (-score, [vec![mv], pv].concat());
            }
        }
        best
    }

    fn material(position: &Position) -> Score {
        const PIECE_VALUES: [(Piece, i32); 5] =
            [(Piece::Pawn, 1), (Piece::Knight, 3), (Piece::Bishop, 3), (Piece::Rook, 5), (Piece::Queen, 9)];
        let side = position.side_to_move();
        let material = |color| {
            PIECE_VALUES
                .iter()
                .map(|&(piece, value)| value * position.colored_pieces(color, piece).count() as i32)
                .sum::<i32>()
        };
        Score::new(100 * (material(side) - material(!side)))
    }
}
