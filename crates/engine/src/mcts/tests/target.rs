//! Root targets: the improved policy against a hand-computed case, proven moves, and the noise of self-play.

use rukh_chess::Position;

use super::super::proof::{Bounds, Outcome};
use super::super::slot::{Slot, Visit};
use super::super::target::{RootPolicy, RootTarget, root_target};
use super::super::thread::Mcts;
use super::super::wdl::WinDrawLoss;
use super::fixture::{Bench, game};
use crate::api::{Limits, Request};
use crate::noise::{Dirichlet, RootNoise};
use crate::search::{Job, Searcher, SharedState, ThreadResult};
use crate::technique::{Technique, TechniqueOverrides};

const POLICIES: [RootPolicy; 2] = [RootPolicy::Visits, RootPolicy::Improved];
const GUMBEL: RootNoise = RootNoise { seed: 1, gumbel_scale: 1.0, dirichlet: None };

/// A root that was evaluated as `own` and visited its children with these values; its children with these priors.
fn bandits(own: f64, arms: &[(f32, &[f64])]) -> (Slot, Vec<Slot>) {
    let (root, children) = (Slot::default(), arms.iter().map(|_| Slot::default()).collect::<Vec<_>>());
    let legal = Position::default().legal_moves();
    root.reset(None, 1.0);
    root.add(Visit { value: -own, draw: 0.0 });
    for ((child, &(prior, values)), &mv) in children.iter().zip(arms).zip(&legal) {
        child.reset(Some(mv), prior);
        for &value in values {
            child.add(Visit { value, draw: 0.0 });
            root.add(Visit { value: -value, draw: 0.0 });
        }
    }
    (root, children)
}

fn shares((root, children): &(Slot, Vec<Slot>), policy: RootPolicy) -> Vec<f64> {
    let target = RootTarget::new(root, children, policy).expect("children are visited");
    target.moves.iter().map(|mv| mv.target).collect()
}

/// By hand: the mean of the visited moves by their priors is (0.5 · 0.01 + 0.3 · (-0.03)) / 0.8 = -0.005, the mixed value
/// (0.015 - 3 · 0.005) / 4 = 0, and a value counts (50 + 2) / 2 = 26 times.
#[test]
fn the_improved_policy_is_that_of_completed_values() {
    let bandits = bandits(0.015, &[(0.5, &[0.02, 0.0]), (0.3, &[-0.03]), (0.2, &[])]);
    let weights = [0.5 * 0.26_f64.exp(), 0.3 * (-0.78_f64).exp(), 0.2];
    let sum: f64 = weights.iter().sum();
    for (found, weight) in shares(&bandits, RootPolicy::Improved).into_iter().zip(weights) {
        assert!((found - weight / sum).abs() < 2e-5, "{found} and {}", weight / sum);
    }
    assert_eq!(shares(&bandits, RootPolicy::Visits), [2.0 / 3.0, 1.0 / 3.0, 0.0]);
}

/// With equal values the improved policy is the policy; with the same priors the better value has more.
#[test]
fn the_improved_policy_improves() {
    let same = bandits(0.1, &[(0.6, &[0.1]), (0.3, &[0.1, 0.1]), (0.1, &[])]);
    for (found, prior) in shares(&same, RootPolicy::Improved).into_iter().zip([0.6, 0.3, 0.1]) {
        assert!((found - prior).abs() < 1e-4, "{found} and {prior}");
    }
    let better = shares(&bandits(0.0, &[(0.5, &[0.0]), (0.5, &[0.05])]), RootPolicy::Improved);
    assert!(better[1] > 0.7 && better[0] > 0.1, "{better:?}");
}

#[test]
fn proven_moves_have_all_or_nothing() {
    let arms: &[(f32, &[f64])] = &[(0.6, &[0.3, 0.2]), (0.3, &[0.1]), (0.1, &[])];
    for policy in POLICIES {
        let with = |bounds: &[(usize, Bounds)]| {
            let bandits = bandits(0.2, arms);
            bounds.iter().for_each(|&(at, bounds)| bandits.1[at].set_bounds(bounds));
            shares(&bandits, policy)
        };
        let (win, loss) =
            (|plies| Bounds::exact(Outcome::Win, plies), |plies| Bounds::exact(Outcome::Loss, plies));
        assert_eq!(with(&[(1, win(5)), (2, win(3))]), [0.0, 0.0, 1.0], "the shorter win");
        let left = with(&[(0, loss(4))]);
        assert!(left[0] == 0.0 && (left.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{left:?}");
        assert_eq!(with(&[(0, loss(4)), (1, loss(2))]), [0.0, 0.0, 1.0], "what is not lost");
        assert_eq!(with(&[(0, loss(4)), (1, loss(8)), (2, loss(6))]), [0.0, 1.0, 0.0], "the longest loss");
    }
}

/// A proven draw counts as one, however it looked before.
#[test]
fn a_proven_draw_has_the_value_of_a_draw() {
    let bandits = bandits(0.0, &[(0.5, &[0.8]), (0.5, &[0.0])]);
    bandits.1[0].set_bounds(Bounds::DRAW);
    let found = shares(&bandits, RootPolicy::Improved);
    assert!((found[0] - 0.5).abs() < 1e-4, "{found:?}");
    let target = RootTarget::new(&bandits.0, &bandits.1, RootPolicy::Improved).expect("visited");
    assert!((target.wdl[1] - 0.5).abs() < 1e-4, "{:?}", target.wdl);
}

/// Searches with noise and gives what it found and taught.
fn noisy(
    bench: &mut Bench,
    fen: &str,
    nodes: u64,
    noise: RootNoise,
    policy: RootPolicy,
) -> (ThreadResult, RootTarget) {
    let request = Request { game: game(fen), limits: Limits { nodes: Some(nodes), ..Limits::default() } };
    let shared = SharedState::single_threaded(bench.table.clone(), request.limits.clone());
    let gumbel =
        TechniqueOverrides::these([Technique::LeafSearch, Technique::TreeReuse, Technique::GumbelRoot]);
    let overrides =
        if policy == RootPolicy::Improved { gumbel } else { gumbel.switched(Technique::GumbelRoot) };
    let job = Job { noise: Some(noise), ..Job::silent(shared.into(), request, overrides) };
    Mcts::prepare(&bench.tree, &job, true);
    let found = bench.searcher.search(&job, 0).expect("there is a move");
    (found, root_target(&bench.tree, policy).expect("moves were visited"))
}

const POSITIONS: [&str; 4] = [
    "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "7k/8/8/8/8/8/5Q2/K7 b - - 0 1",
];

#[test]
fn targets_of_searches_are_distributions_over_the_legal_moves() {
    let mut bench = Bench::with_policy(4);
    for fen in POSITIONS {
        let legal = game(fen).position().legal_moves();
        for policy in POLICIES {
            let (found, target) = noisy(&mut bench, fen, 100, GUMBEL, policy);
            let moves: Vec<_> = target.moves.iter().map(|mv| mv.mv).collect();
            assert!(moves.len() == legal.len() && moves.iter().all(|mv| legal.contains(mv)), "{fen}");
            let sum: f64 = target.moves.iter().map(|mv| mv.target).sum();
            assert!(
                (sum - 1.0).abs() < 1e-9 && target.moves.iter().all(|mv| mv.target >= 0.0),
                "{fen} {sum}"
            );
            assert!((target.wdl.iter().sum::<f64>() - 1.0).abs() < 1e-6, "{fen} {:?}", target.wdl);
            assert!(target.moves.iter().any(|mv| mv.mv == found.pv[0] && mv.target > 0.0), "{fen}");
        }
    }
    let (_, mate) = noisy(&mut bench, POSITIONS[0], 400, GUMBEL, RootPolicy::Improved);
    assert!(mate.is_proven && mate.wdl == [1.0, 0.0, 0.0]);
    assert_eq!(mate.moves.iter().filter(|mv| mv.target > 0.0).count(), 1, "Qxf7 alone");
}

fn draws(_: &Position) -> WinDrawLoss {
    WinDrawLoss::DRAW
}

/// Where nothing is better than anything else, Gumbel noise plays each of three moves in a third of the searches, and none of
/// it always the same.
#[test]
fn gumbel_noise_chooses_by_the_policy() {
    const THREE: &str = "k7/8/8/8/8/8/8/K7 w - - 0 1";
    const COUNT: u64 = 900;
    let mut bench = Bench::with_values(1, draws);
    let mut best = |seed, gumbel_scale| {
        let noise = RootNoise { seed, gumbel_scale, dirichlet: None };
        noisy(&mut bench, THREE, 6, noise, RootPolicy::Improved).0.pv[0]
    };
    let legal = game(THREE).position().legal_moves();
    let chosen: Vec<_> = (0..COUNT).map(|seed| best(seed, 1.0)).collect();
    for &mv in &legal {
        let share = chosen.iter().filter(|&&other| other == mv).count() as f64 / COUNT as f64;
        assert!((share - 1.0 / 3.0).abs() < 0.06, "{share}");
    }
    assert!((0..20).all(|seed| best(seed, 1.0) == chosen[seed as usize]), "the seed decides");
    assert!((0..20).all(|seed| best(seed, 0.0) == best(0, 0.0)), "nothing is left to chance");
}

#[test]
fn dirichlet_noise_changes_the_priors_of_the_root() {
    let mut bench = Bench::with_policy(4);
    let mut priors = |seed, share| {
        let dirichlet = Some(Dirichlet { alpha: 0.3, share });
        let noise = RootNoise { seed, dirichlet, ..GUMBEL };
        let (_, target) = noisy(&mut bench, POSITIONS[2], 50, noise, RootPolicy::Visits);
        let mut priors: Vec<_> = target.moves.iter().map(|mv| (mv.mv.bits(), mv.prior)).collect();
        priors.sort_by_key(|&(bits, _)| bits);
        priors.into_iter().map(|(_, prior)| prior).collect::<Vec<_>>()
    };
    let plain = priors(1, 0.0);
    assert_eq!(priors(2, 0.0), plain);
    assert_eq!(priors(1, 0.25), priors(1, 0.25));
    assert_ne!(priors(1, 0.25), priors(2, 0.25));
    for (noisy, plain) in priors(1, 0.25).into_iter().zip(plain) {
        assert!(noisy >= 0.75 * plain - 1e-4, "{noisy} {plain}");
    }
}
