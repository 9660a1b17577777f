//! Which positions of a game are labelled. Nothing is searched here.

use rukh_chess::Position;
use rukh_chess::random::SplitMix64;

use super::settings::Rescore;
use crate::labelled::{LabelledPosition, SampleKind};
use crate::packed::{NO_SCORE, PackedGame};
use crate::singles::perturb;

/// What is taken from a game.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Selection {
    /// Quiet positions of the game.
    pub(super) played: Vec<LabelledPosition>,
    /// Positions one or two random moves away from one of the game.
    pub(super) perturbed: Vec<LabelledPosition>,
    /// For each position that is drawn from a search tree, the root of that search: its number among `played`.
    pub(super) roots: Vec<usize>,
    /// The root of all of them if none is in `played`: a quiet position of the game that is not labelled itself.
    pub(super) other_root: Option<LabelledPosition>,
}

/// How often something random is tried before the game goes without it.
const TRIES: usize = 8;
/// The most random moves that a perturbed position is away from a played one.
const MAX_RANDOM_MOVES: u64 = 2;

/// The generator of random numbers of a game.
pub(super) fn random_of(seed: u64, source: usize, number: u64) -> SplitMix64 {
    let source = SplitMix64::new(seed ^ SplitMix64::new(source as u64).next()).next();
    SplitMix64::new(SplitMix64::new(source ^ number).next())
}

/// Whether a position can have a label: there is no check, and the game is not over.
pub(super) fn can_be_labelled(position: &Position) -> bool {
    !position.is_check() && position.ending().is_none()
}

impl Rescore {
    /// What is taken from `game`.
    pub(super) fn select(&self, game: &PackedGame, random: &mut SplitMix64) -> Selection {
        let [played, perturbed, tree] =
            [self.played, self.perturbed, self.tree].map(|mean| count_of(mean, random));
        let played = self::played(game, played, random);
        let perturbed = (0..perturbed).filter_map(|_| self::perturbed(game, random)).collect();
        let (mut roots, mut other_root) = (Vec::new(), None);
        if !played.is_empty() {
            roots.extend((0..tree).map(|_| random.below(played.len() as u64) as usize));
        } else if tree > 0 {
            other_root = self::played(game, 1, random).pop();
            roots.resize(tree, 0);
        }
        Selection { played, perturbed, roots, other_root }
    }
}

/// So many in the mean: a fraction is the probability of one more.
fn count_of(mean: f64, random: &mut SplitMix64) -> usize {
    mean as usize + usize::from(random.share() < mean.fract())
}

/// A random quiet position from each of `count` equal parts of the game; none from a part that has none.
fn played(game: &PackedGame, count: usize, random: &mut SplitMix64) -> Vec<LabelledPosition> {
    let plies = game.moves.len();
    let mut parts = vec![Vec::new(); count];
    if count > 0 {
        for (ply, quiet) in LabelledPosition::quiet_of(game) {
            parts[ply * count / plies].push(quiet);
        }
    }
    let draw = |mut part: Vec<LabelledPosition>| {
        part.retain(|sample| can_be_labelled(&sample.position));
        (!part.is_empty()).then(|| part.swap_remove(random.below(part.len() as u64) as usize))
    };
    parts.into_iter().filter_map(draw).collect()
}

/// A position one or two random moves away from a random one of the game. Pieces may hang there, as they do inside a search.
fn perturbed(game: &PackedGame, random: &mut SplitMix64) -> Option<LabelledPosition> {
    let last_random = game.moves.iter().rposition(|&(_, score)| score == NO_SCORE);
    let is_single = game.moves.len() == 1;
    (0..TRIES).find_map(|_| {
        let ply = random.below(game.moves.len().max(1) as u64) as usize;
        let moves = 1 + random.below(MAX_RANDOM_MOVES);
        let (base, ..) = game.positions().nth(ply)?;
        let position = perturb(&base, moves, random).filter(can_be_labelled)?;
        let has_result = !is_single && last_random.is_none_or(|last| ply > last);
        let outcome = has_result.then_some(game.outcome);
        Some(LabelledPosition { outcome, kind: Some(SampleKind::Perturbed), ..position.into() })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selfplay::SelfPlay;

    fn games() -> Vec<PackedGame> {
        let settings = SelfPlay { nodes: 60, chess960: 0.3, ..SelfPlay::default() };
        let mut games = Vec::new();
        settings
            .run(0, 1, &std::sync::atomic::AtomicBool::new(false), |played| {
                games.push(played.game);
                if games.len() == 12 {
                    std::ops::ControlFlow::Break(())
                } else {
                    std::ops::ControlFlow::Continue(())
                }
            })
            .expect("a thread is given");
        games
    }

    #[test]
    fn played_positions_are_quiet_and_from_all_parts_of_the_game() {
        let games = games();
        for (number, game) in games.iter().enumerate() {
            let positions: Vec<Position> = game.positions().map(|(position, ..)| position).collect();
            let quiet: Vec<Position> =
                LabelledPosition::quiet_of(game).map(|(_, quiet)| quiet.position).collect();
            let samples = played(game, 4, &mut random_of(1, 0, number as u64));
            assert!(samples.len() >= 3, "{}", samples.len());
            let mut last_part = None;
            for sample in &samples {
                assert!(quiet.contains(&sample.position) && can_be_labelled(&sample.position));
                let ply = positions
                    .iter()
                    .position(|position| *position == sample.position)
                    .expect("it was played");
                let part = ply * 4 / positions.len();
                assert!(last_part < Some(part), "one from each part");
                last_part = Some(part);
                assert_eq!(sample.outcome, Some(game.outcome));
            }
        }
    }

    #[test]
    fn perturbed_positions_are_near_and_open() {
        let mut hanging = 0;
        for (number, game) in games().iter().enumerate() {
            let mut near: Vec<u64> = Vec::new();
            for (position, ..) in game.positions() {
                let once: Vec<Position> =
                    position.legal_moves().iter().map(|&mv| position.after(mv)).collect();
                let twice = |child: &Position| {
                    child.legal_moves().iter().map(|&mv| child.after(mv).key()).collect::<Vec<_>>()
                };
                near.extend(once.iter().map(Position::key));
                near.extend(once.iter().flat_map(twice));
            }
            near.sort_unstable();
            let mut random = random_of(1, 0, number as u64);
            for _ in 0..20 {
                let sample = perturbed(game, &mut random).expect("a game has some");
                assert!(can_be_labelled(&sample.position));
                assert!(near.binary_search(&sample.position.key()).is_ok());
                let values = rukh_engine::params::exchange_values();
                let wins = |mv: &&rukh_chess::Move| {
                    mv.is_capture() && sample.position.see_at_least(**mv, 200, &values)
                };
                hanging += usize::from(sample.position.legal_moves().iter().any(|mv| wins(&mv)));
            }
        }
        assert!((24..216).contains(&hanging), "{hanging} of 240 have a hanging piece");
    }

    #[test]
    fn a_fraction_is_a_probability() {
        let mut random = SplitMix64::new(4);
        let mut total = |mean| (0..10_000).map(|_| count_of(mean, &mut random)).sum::<usize>();
        assert_eq!((total(0.0), total(2.0)), (0, 20_000));
        assert!((4_700..5_300).contains(&total(0.5)));
        assert!((12_200..12_800).contains(&total(1.25)));
    }

    #[test]
    fn a_selection_follows_from_seed_source_and_number() {
        let settings = Rescore::default();
        let games = games();
        let select = |seed, source, number| settings.select(&games[3], &mut random_of(seed, source, number));
        let selection = select(1, 0, 3);
        assert_eq!(selection, select(1, 0, 3));
        assert_eq!((selection.played.len(), selection.perturbed.len(), selection.roots.len()), (2, 1, 1));
        for other in [select(2, 0, 3), select(1, 1, 3), select(1, 0, 4)] {
            assert_ne!(selection, other);
        }
        let tree = Rescore { played: 0.0, perturbed: 0.0, ..settings.clone() };
        let selection = tree.select(&games[3], &mut random_of(1, 0, 3));
        assert!(selection.played.is_empty() && selection.perturbed.is_empty());
        assert!(selection.roots == [0] && selection.other_root.is_some());
    }

    /// A random move later in the game: the result says nothing about positions before it.
    #[test]
    fn positions_before_a_random_move_have_no_result() {
        let mut game = games().swap_remove(0);
        game.moves[20].1 = NO_SCORE;
        let samples = played(&game, game.moves.len(), &mut SplitMix64::new(1));
        let with_result = samples.iter().filter(|sample| sample.outcome.is_some()).count();
        assert!(with_result > 0 && with_result < samples.len());
        assert!(samples[0].outcome.is_none() && samples[samples.len() - 1].outcome.is_some());
    }
}
