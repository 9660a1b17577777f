//! Single positions, each as a game of one move: played, perturbed and visited positions for the teacher.

use rukh_chess::random::SplitMix64;
use rukh_chess::{Color, Position};
use rukh_engine::SyncSearcher;
use rukh_engine::api::{Limits, Request};
use rukh_engine::params::exchange_values;
use rukh_eval::{AnyEvaluator, Evaluator};

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
            found.extend(perturbed.and_then(|start| without_score(start, game)));
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

/// Quiet positions that searches of positions of a game visit: where a search evaluates. They have no score. `searches` random
/// positions of the game are searched with `nodes` nodes, and at most `each` positions are taken from each of these.
pub fn visited(
    game: &PackedGame,
    settings: &Visited,
    searcher: &mut SyncSearcher,
    random: &mut SplitMix64,
) -> Vec<PackedGame> {
    let mut roots: Vec<Position> = game.positions().map(|(position, ..)| position).collect();
    let mut found = Vec::new();
    searcher.clear();
    for root in random.partial_shuffle(&mut roots, settings.searches) {
        let limits = Limits {
            soft_nodes: Some(settings.nodes),
            nodes: Some(HARD_FACTOR * settings.nodes),
            ..Limits::default()
        };
        searcher.search(Request::from_position(root.clone(), limits));
        let mut visited = searcher.visited_positions(root);
        visited.retain(is_quiet);
        let drawn = random.partial_shuffle(&mut visited, settings.each).iter();
        found.extend(drawn.filter_map(|start| without_score(start.clone(), game)));
    }
    found
}

/// How [`visited`] draws positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Visited {
    /// Searches for each game.
    pub searches: usize,
    /// Nodes of each search, after which no other iteration starts.
    pub nodes: u64,
    /// The most positions from each search.
    pub each: usize,
}

/// The hard node limit of a search, as a multiple of the soft one.
const HARD_FACTOR: u64 = 2;

/// A position as a game of one quiet move without a score, if there is such a move.
fn without_score(start: Position, game: &PackedGame) -> Option<PackedGame> {
    let quiet = start.legal_moves().iter().copied().find(|mv| !mv.is_noisy())?;
    Some(PackedGame { start, outcome: game.outcome, moves: vec![(quiet, NO_SCORE)] })
}

/// Gives single positions without a score their static evaluation. A proven win keeps none.
pub fn evaluate(singles: &mut [PackedGame], evaluator: &mut AnyEvaluator) {
    for single in singles {
        evaluator.reset(&single.start);
        let score = evaluator.evaluate(&single.start);
        if !score.is_decisive() {
            let is_white = single.start.side_to_move() == Color::White;
            single.moves[0].1 = if is_white { score.value() } else { -score.value() } as i16;
        }
    }
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
    use rukh_chess::Move;
    use rukh_chess::game::Outcome;
    use rukh_engine::spawn_search;
    use rukh_eval::Evaluation;
    use std::collections::HashSet;

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

    /// Searches visit positions after other moves than the played ones; those drawn are quiet and have no score.
    #[test]
    fn visited_positions_are_quiet_and_follow_from_the_seed() {
        let moves = [("e2e4", 30), ("e7e5", 20), ("g1f3", 25), ("b8c6", 24), ("f1b5", 20), ("a7a6", 30)];
        let game = game("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", &moves);
        let settings = Visited { searches: 3, nodes: 300, each: 25 };
        let draw = |seed| {
            let work = || {
                let searcher = SyncSearcher::new(Default::default(), &Evaluation::default(), 2);
                let mut searcher = searcher.expect("a few mebibytes are available");
                visited(&game, &settings, &mut searcher, &mut SplitMix64::new(seed))
            };
            std::thread::scope(|scope| {
                let searcher = spawn_search(scope, work).expect("a thread is given");
                searcher.join().expect("a search does not panic")
            })
        };
        let found = draw(1);
        assert!((40..=75).contains(&found.len()), "{}", found.len());
        assert!(found.iter().all(|single| is_quiet(&single.start) && single.moves[0].1 == NO_SCORE));
        let keys: HashSet<u64> = found.iter().map(|single| single.start.key()).collect();
        assert!(keys.len() > found.len() / 2, "{} different ones", keys.len());
        assert_eq!(found, draw(1));
        assert_ne!(found, draw(2));
    }

    /// The same pawn more, seen by either side to move: scores are White's.
    #[test]
    fn static_evaluations_are_for_white() {
        let base = game("4k3/pppp4/8/8/8/8/PPPPP3/4K3 w - - 0 1", &[("e1f1", 0), ("e8f8", 0)]);
        let mut singles = perturbed(&base, 4, &mut SplitMix64::new(5));
        let evaluation = Evaluation::Classical;
        let mut evaluator = AnyEvaluator::new(&evaluation);
        evaluate(&mut singles, &mut evaluator);
        for side in [Color::White, Color::Black] {
            let scores: Vec<i16> = singles
                .iter()
                .filter(|single| single.start.side_to_move() == side)
                .map(|single| single.moves[0].1)
                .collect();
            assert!(
                !scores.is_empty() && scores.iter().all(|&score| score > 0 && score != NO_SCORE),
                "{scores:?}"
            );
        }
    }

    /// Whether what is taken is not guarded.
    fn is_free(position: &Position, mv: Move) -> bool {
        let after = position.after(mv);
        after.legal_moves().iter().all(|answer| answer.to() != mv.to())
    }
}
