//! What the engine thinks of a game, as facts that others show.
//!
//! Nothing here prints, and nothing knows a file. The modules, each using only those before it: [`accuracy`], [`mod@line`],
//! [`verdict`], [`review`], [`standing`], [`words`], [`annotate`], [`page`].

#![forbid(unsafe_code)]

pub mod accuracy;
pub mod annotate;
pub mod line;
pub mod page;
pub mod review;
pub mod standing;
pub mod verdict;
pub mod words;

#[cfg(test)]
mod tests {
    //! A judge for the tests: it counts pieces two moves deep.

    use std::convert::Infallible;

    use rukh_chess::game::Game;
    use rukh_chess::{Move, Piece, Position};
    use rukh_eval::{Score, wdl};

    use crate::review::{Judgement, Review};

    /// The game of these moves.
    pub(crate) fn game_of(moves: &str) -> Game {
        let mut game = Game::default();
        for text in moves.split(' ') {
            let mv = game.position().parse_san(text).expect("the move is legal");
            game.play(mv).expect("the move is legal");
        }
        game
    }

    /// The game as the judge sees it.
    pub(crate) fn judged(game: &Game) -> Review {
        let Ok(review) = Review::of(game, |game| {
            const DEPTH: usize = 2;
            let (score, line) = search(game.position(), 0, DEPTH);
            let wdl = wdl(score, game.position().fullmove_number());
            Ok::<_, Infallible>(Judgement { score, wdl, line })
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
            let (score, line) = search(&position.after(mv), ply + 1, depth);
            if -score > best.0 {
                best = (-score, [vec![mv], line].concat());
            }
        }
        best
    }

    fn material(position: &Position) -> Score {
        const WORTH: [(Piece, i32); 5] =
            [(Piece::Pawn, 1), (Piece::Knight, 3), (Piece::Bishop, 3), (Piece::Rook, 5), (Piece::Queen, 9)];
        let side = position.side_to_move();
        let worth = |color| {
            WORTH
                .iter()
                .map(|&(piece, worth)| worth * position.colored_pieces(color, piece).count() as i32)
                .sum::<i32>()
        };
        Score::centipawns(100 * (worth(side) - worth(!side)))
    }
}
