//! Single positions, each as a game of one move: quiet and perturbed positions for the teacher.

use rukh_chess::Position;
use rukh_chess::random::SplitMix64;
use rukh_engine::params::exchange_values;

use crate::labelled::LabelledPosition;
use crate::packed::{NO_SCORE, PackedGame};

/// The quiet positions of a game whose result is known, with their scores.
pub fn quiet(game: &PackedGame) -> impl Iterator<Item = PackedGame> + '_ {
    LabelledPosition::quiet_of(game).filter_map(|(ply, quiet)| {
        let outcome = quiet.outcome?;
        Some(PackedGame { start: quiet.position, outcome, moves: vec![game.moves[ply]] })
    })
}

/// Quiet positions a move or two at random away from those of a game, at most `each` for every one. They have no score.
pub fn perturbed(game: &PackedGame, each: u64, random: &mut SplitMix64) -> Vec<PackedGame> {
    let mut found = Vec::new();
    for (position, ..) in game.positions() {
        for number in 0..each {
            let perturbed = perturb(&position, 1 + number % 2, random).filter(is_quiet);
            let single = perturbed.and_then(|start| {
                let quiet = start.legal_moves().iter().copied().find(|mv| !mv.is_noisy())?;
                Some(PackedGame { start, outcome: game.outcome, moves: vec![(quiet, NO_SCORE)] })
            });
            found.extend(single);
        }
    }
    found
}

/// The position after so many random moves, if there are any.
pub fn perturb(position: &Position, moves: u64, random: &mut SplitMix64) -> Option<Position> {
    (0..moves).try_fold(position.clone(), |position, _| {
        let legal = position.legal_moves();
        let mv = legal.get(random.below(legal.len().max(1) as u64) as usize)?;
        Some(position.after(*mv))
    })
}

/// Whether there is no check and the side to move wins nothing by an exchange: there a search would not capture first.
fn is_quiet(position: &Position) -> bool {
    /// Less than a pawn: bishops are not taken for knights.
    const WON: i32 = 80;
    let wins = |mv: &_| position.see_at_least(*mv, WON, &exchange_values());
    !position.is_check() && !position.legal_moves().iter().any(|mv| mv.is_noisy() && wins(mv))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rukh_chess::game::Outcome;
    use rukh_chess::{Color, Move};

    fn game(fen: &str, moves: &[(&str, i16)]) -> PackedGame {
        let start: Position = fen.parse().expect("it is a position");
        let mut position = start.clone();
        let mut play = |&(name, score): &(&str, i16)| -> (Move, i16) {
            let mv = position.parse_uci(name).expect("it is legal");
            position = position.after(mv);
            (mv, score)
        };
        let moves = moves.iter().map(&mut play).collect();
        PackedGame { start, outcome: Outcome::Win(Color::White), moves }
    }

    /// The pawn is taken at once, and after a random move the result is that of another game.
    #[test]
    fn quiet_positions_keep_score_and_result() {
        let moves =
            [("g1f3", 20), ("a7a6", NO_SCORE), ("e2e4", 35), ("d7d5", 40), ("e4d5", 90), ("g8f6", 80)];
        let game = game("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", &moves);
        let singles: Vec<_> = quiet(&game).collect();
        let scores: Vec<_> = singles.iter().map(|single| single.moves[0].1).collect();
        assert_eq!(scores, [35, 40, 80]);
        let expected: Vec<_> = game.positions().map(|(position, ..)| position).collect();
        let starts: Vec<_> = singles.iter().map(|single| single.start.clone()).collect();
        assert_eq!(starts, [&expected[2], &expected[3], &expected[5]].map(Clone::clone));
        assert!(singles.iter().all(|single| single.outcome == game.outcome && single.moves.len() == 1));
    }

    /// The rook is hanging, so many perturbed positions are not quiet; none has a check.
    #[test]
    fn perturbed_positions_are_quiet_and_have_no_score() {
        let game = game("4k3/8/8/3r4/4N3/2P5/8/4K3 w - - 0 1", &[("e1e2", 0), ("e8e7", 0)]);
        let found = perturbed(&game, 200, &mut SplitMix64::new(3));
        assert!((100..400).contains(&found.len()), "{}", found.len());
        for perturbed in &found {
            let position = &perturbed.start;
            assert!(!position.is_check() && perturbed.moves[0].1 == NO_SCORE);
            let takes = |mv: &&Move| mv.is_noisy();
            assert!(position.legal_moves().iter().filter(takes).all(|mv| !is_free(position, *mv)));
        }
        assert!(found.iter().any(|perturbed| perturbed.start.side_to_move() == Color::White));
        assert!(found.iter().any(|perturbed| perturbed.start.side_to_move() == Color::Black));
        assert_eq!(found, perturbed(&game, 200, &mut SplitMix64::new(3)));
        assert_eq!(perturbed(&game, 0, &mut SplitMix64::new(3)), []);
    }

    /// Whether what is taken is not guarded.
    fn is_free(position: &Position, mv: Move) -> bool {
        let after = position.after(mv);
        after.legal_moves().iter().all(|answer| answer.to() != mv.to())
    }
}
