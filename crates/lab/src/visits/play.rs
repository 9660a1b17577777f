//! One game of self-play with visit distributions, and many on threads.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering};

use rukh_chess::game::{Game, Outcome};
use rukh_chess::random::SplitMix64;
use rukh_engine::api::{Limits, Request};
use rukh_engine::threads::NoThread;
use rukh_engine::{RootNoise, RootPolicy, RootTarget, SyncSearcher};

use super::game::{End, UNITS, VisitGame, VisitPly, in_parts};
use super::settings::VisitPlay;
use crate::selfplay::run_numbered;

impl VisitPlay {
    /// Plays the games of these numbers and reports each, in the order of their numbers, until `is_over` is set or the callback
    /// breaks.
    pub fn run(
        &self,
        numbers: Range<u64>,
        threads: usize,
        is_over: &AtomicBool,
        on_game: impl FnMut(VisitGame) -> ControlFlow<()>,
    ) -> Result<(), NoThread> {
        let play = |number, searcher: &mut SyncSearcher| self.play(number, searcher, is_over);
        run_numbered(numbers, threads, is_over, || self.searcher(), play, on_game)
    }

    /// The game of this number; none if `is_over` was set.
    fn play(&self, number: u64, searcher: &mut SyncSearcher, is_over: &AtomicBool) -> Option<VisitGame> {
        let mut random = SplitMix64::new(SplitMix64::new(self.games.seed).next() ^ number);
        let mut game = self.games.find_opening(&mut random, searcher, is_over)?;
        searcher.clear();
        let mut played = VisitGame {
            start: game.position().clone(),
            outcome: Outcome::Draw,
            end: End::Length,
            plays_on: random.share() < self.play_on_share,
            plies: Vec::new(),
        };
        while !is_over.load(Ordering::Relaxed) {
            if let Some((outcome, end)) = self.end_of(&game, &played) {
                return Some(VisitGame { outcome, end, ..played });
            }
            let ply = self.think(&game, played.plies.len(), searcher, &mut random);
            game.play(ply.mv).expect("searched moves are legal");
            played.plies.push(ply);
        }
        None
    }

    /// Whether the game has ended, and how. It goes on for at least one move.
    fn end_of(&self, game: &Game, played: &VisitGame) -> Option<(Outcome, End)> {
        if let Some(ending) = game.ending() {
            return Some((ending.outcome(), End::Rules));
        }
        let resigner = self.resignation.filter(|_| !played.plays_on).and_then(|rule| played.resigner(rule));
        if let Some((loser, _)) = resigner {
            return Some((Outcome::Win(!loser), End::Resignation));
        }
        let is_long = played.plies.len() >= self.max_plies.max(1) as usize;
        is_long.then_some((Outcome::Draw, End::Length))
    }

    /// Searches a position and chooses its move.
    fn think(
        &self,
        game: &Game,
        ply: usize,
        searcher: &mut SyncSearcher,
        random: &mut SplitMix64,
    ) -> VisitPly {
        let limits = Limits { nodes: Some(self.games.nodes), ..Limits::default() };
        let dirichlet = (self.root == RootPolicy::Visits).then_some(self.dirichlet);
        let noise = RootNoise { seed: random.next(), gumbel_scale: self.gumbel_scale, dirichlet };
        let (found, target) = searcher.search_root(Request { game: game.clone(), limits }, noise, self.root);
        let (best, target) = found.best.zip(target).expect("where the game is not over there is a move");
        let draw = random.share();
        let is_sampled = ply < self.temperature_plies as usize;
        let mv = if is_sampled { target.moves[sample(&target, self.temperature, draw)].mv } else { best };
        let legal = game.position().legal_moves();
        let share = |mv| target.moves.iter().find(|found| found.mv == mv).map_or(0.0, |found| found.target);
        let parts = in_parts(&legal.iter().map(|&mv| share(mv)).collect::<Vec<_>>());
        let policy = legal.iter().copied().zip(parts).filter(|&(_, part)| part > 0).collect();
        let [win, _, loss] = target.wdl.map(|share| (share * f64::from(UNITS)).round() as u8);
        let is_proven = target.is_proven;
        VisitPly { mv, policy, win, loss: loss.min(UNITS - win), is_sampled, is_proven }
    }
}

/// The move that a uniform number `draw` from 0 to 1 chooses: its chance is its part of the target to the power of the inverse
/// of the temperature.
pub(super) fn sample(target: &RootTarget, temperature: f64, draw: f64) -> usize {
    let greatest = target.moves.iter().map(|mv| mv.target).fold(0.0, f64::max);
    let weight = |share: f64| match temperature > 0.0 {
        true => (share / greatest).powf(1.0 / temperature),
        false => f64::from(u8::from(share == greatest)),
    };
    let weights: Vec<f64> = target.moves.iter().map(|mv| weight(mv.target)).collect();
    let mut left = draw * weights.iter().sum::<f64>();
    let chosen = weights.iter().position(|weight| {
        left -= weight;
        left < 0.0
    });
    // Rounding may leave a little at the end.
    chosen.or_else(|| weights.iter().rposition(|&weight| weight > 0.0)).unwrap_or(0)
}
