//! Advisor: the evaluation of positions at full strength, for hints, evaluations, draw offers and the review.

use std::task::Poll;
use std::time::Duration;

use rukh_chess::game::Game;
use rukh_engine::api::{Bound, Limits, Request, Settings};
use rukh_explain::review::PositionAnalysis;

use crate::background::BackgroundSearch;

/// Evaluates positions without blocking.
pub trait Advisor: Send {
    /// Starts to evaluate the present position of `game` for `time`; the question before is dropped.
    fn start(&mut self, game: &Game, time: Duration);

    /// Waits at most `patience` for the analysis; `Ready(None)` where there is none, such as without a legal move.
    fn poll(&mut self, patience: Duration) -> Poll<Option<PositionAnalysis>>;

    /// Drops the question.
    fn cancel(&mut self);

    /// Evaluates a position and waits for the analysis.
    fn analyse(&mut self, game: &Game, time: Duration) -> Option<PositionAnalysis> {
        self.start(game, time);
        loop {
            if let Poll::Ready(analysis) = self.poll(time) {
                return analysis;
            }
        }
    }
}

/// Rukh as an advisor. It is an engine of its own: what it learns does not make the opponent stronger.
#[derive(Debug, Default)]
pub struct EngineAdvisor {
    search: BackgroundSearch,
    analysis: Option<PositionAnalysis>,
}

impl Advisor for EngineAdvisor {
    fn start(&mut self, game: &Game, time: Duration) {
        self.analysis = None;
        let limits = Limits { movetime: Some(time), ..Limits::default() };
        self.search.start(Settings::default(), Request { game: game.clone(), limits });
    }

    fn poll(&mut self, patience: Duration) -> Poll<Option<PositionAnalysis>> {
        let last = &mut self.analysis;
        let end = self.search.poll(patience, |line| {
            if line.bound == Bound::Exact && !line.pv.is_empty() {
                *last = Some(PositionAnalysis { score: line.score, wdl: line.wdl, pv: line.pv });
            }
        });
        end.map(|_| self.analysis.take())
    }

    fn cancel(&mut self) {
        self.analysis = None;
        self.search.cancel();
    }
}

#[cfg(test)]
mod tests {
    use rukh_eval::Score;

    use super::*;

    #[test]
    fn it_sees_a_mate() {
        let position = "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1".parse().expect("the position is valid");
        let mut advisor = EngineAdvisor::default();
        let analysis = advisor.analyse(&Game::new(position), Duration::from_millis(50));
        let analysis = analysis.expect("there is a move");
        assert_eq!((analysis.score, analysis.pv.len()), (Score::mate_at(1), 1));
        let over = "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1".parse().expect("the position is valid");
        assert_eq!(advisor.analyse(&Game::new(over), Duration::from_millis(50)), None);
    }

    #[test]
    fn a_cancelled_question_has_no_answer() {
        let mut advisor = EngineAdvisor::default();
        advisor.start(&Game::default(), Duration::from_secs(600));
        advisor.cancel();
        assert_eq!(advisor.poll(Duration::ZERO), Poll::Ready(None));
    }
}
