//! The engine at its best, for who asks: hints, evaluations, offers of draws, the summary.

use std::time::Duration;

use rukh_chess::Move;
use rukh_chess::game::Game;
use rukh_engine::Engine;
use rukh_engine::api::{Bound, Event, Limits, Request};
use rukh_eval::Score;

use crate::searching::start;

/// An engine of its own: what it learns does not make the opponent stronger.
#[derive(Default)]
pub(super) struct Advisor {
    /// Made when it is first asked.
    engine: Option<Engine>,
}

/// What it thinks of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Opinion {
    /// The score for the side to move.
    pub(super) score: Score,
    /// Chances of the side to move to win, draw and lose in thousandths.
    pub(super) wdl: [u32; 3],
    /// The best moves of both sides; never empty.
    pub(super) line: Vec<Move>,
}

impl Advisor {
    /// Thinks about the present position of a game; no opinion where there is no move.
    pub(super) fn judge(&mut self, game: &Game, time: Duration) -> Option<Opinion> {
        let limits = Limits { movetime: Some(time), ..Limits::default() };
        let engine = self.engine.get_or_insert_with(Engine::new);
        let mut opinion = None;
        for event in start(engine, Request { game: game.clone(), limits }) {
            match event {
                Event::Line(line, _) if line.bound == Bound::Exact && !line.pv.is_empty() => {
                    opinion = Some(Opinion { score: line.score, wdl: line.wdl, line: line.pv });
                }
                Event::Line(..) | Event::CurrentMove { .. } => {}
                Event::Done { .. } => break,
            }
        }
        opinion
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_sees_a_mate() {
        let position = "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1".parse().expect("the position is valid");
        let opinion = Advisor::default().judge(&Game::new(position), Duration::from_millis(50));
        let opinion = opinion.expect("there is a move");
        assert_eq!((opinion.score, opinion.line.len()), (Score::mate_at(1), 1));
        let over = "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1".parse().expect("the position is valid");
        assert_eq!(Advisor::default().judge(&Game::new(over), Duration::from_millis(50)), None);
    }
}
