//! Small games for the tests.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use rukh_engine::RootPolicy;

use super::super::game::VisitGame;
use super::super::settings::VisitPlay;
use crate::selfplay::SelfPlay;

/// Short games of few evaluations, in both kinds of chess.
pub(super) fn settings(root: RootPolicy) -> VisitPlay {
    let default = VisitPlay::default();
    let games = SelfPlay { nodes: 24, chess960: 0.3, seed: 11, ..default.games.clone() };
    VisitPlay { games, root, max_plies: 60, play_on_share: 0.5, ..default }
}

pub(super) fn play(settings: &VisitPlay, numbers: std::ops::Range<u64>, threads: usize) -> Vec<VisitGame> {
    let mut games = Vec::new();
    let take = |game| {
        games.push(game);
        ControlFlow::Continue(())
    };
    settings.run(numbers, threads, &AtomicBool::new(false), take).expect("a thread is given");
    games
}
