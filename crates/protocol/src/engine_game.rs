//! The game state of an engine that conducts its own game (XBoard): mode, clocks, pondering.

use std::time::{Duration, Instant};

use rukh_chess::{Color, Move};

use crate::command::Go;

/// What the engine does in the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// Force mode: it accepts moves and plays none.
    Force,
    /// It plays this side.
    Play(Color),
    /// Analyse mode: it searches every position until the next one is set.
    Analyse,
}

/// A time control: base time for a number of moves or for the game, and an increment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct XboardTimeControl {
    /// Moves per time control; `None` for the whole game.
    pub(crate) moves: Option<u32>,
    /// Time for them.
    pub(crate) base: Duration,
    /// Increment per move.
    pub(crate) increment: Duration,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum TimeLimit {
    Control(XboardTimeControl),
    PerMove(Duration),
}

/// The state of the engine's game, beside the position.
#[derive(Clone, Debug)]
pub(crate) struct EngineGame {
    pub(crate) mode: Mode,
    pub(crate) ponders: bool,
    pub(crate) shows_thinking: bool,
    pub(crate) is_paused: bool,
    /// Maximum depth.
    pub(crate) depth: Option<u32>,
    /// Nodes that count as one second.
    pub(crate) node_rate: Option<u64>,
    /// Time left on the engine's clock.
    pub(crate) engine_time: Duration,
    /// Time left on the opponent's clock.
    pub(crate) opponent_time: Duration,
    /// Moves excluded from the analysis.
    pub(crate) excluded: Vec<Move>,
    /// The expected reply of the opponent; during pondering, the ponder move.
    pub(crate) ponder_move: Option<Move>,
    /// Pings to be answered after the engine's move.
    pub(crate) pings: Vec<u64>,
    time_limit: TimeLimit,
    clock_started: Option<Instant>,
}

/// The time control before one is set: five minutes, XBoard's default.
const DEFAULT_CONTROL: XboardTimeControl =
    XboardTimeControl { moves: None, base: Duration::from_secs(5 * 60), increment: Duration::ZERO };

impl Default for EngineGame {
    fn default() -> Self {
        Self {
            mode: Mode::Play(Color::Black),
            ponders: false,
            shows_thinking: false,
            is_paused: false,
            depth: None,
            node_rate: None,
            engine_time: DEFAULT_CONTROL.base,
            opponent_time: DEFAULT_CONTROL.base,
            excluded: Vec::new(),
            ponder_move: None,
            pings: Vec::new(),
            time_limit: TimeLimit::Control(DEFAULT_CONTROL),
            clock_started: None,
        }
    }
}

impl EngineGame {
    /// Sets the time control and both clocks.
    pub(crate) fn set_time_control(&mut self, control: XboardTimeControl) {
        self.time_limit = TimeLimit::Control(control);
        (self.engine_time, self.opponent_time) = (control.base, control.base);
    }

    /// Sets a fixed time per move.
    pub(crate) fn set_move_time(&mut self, time: Duration) {
        self.time_limit = TimeLimit::PerMove(time);
    }

    /// The search parameters for `color`, which has made `moves` moves. Starts the engine's clock.
    pub(crate) fn go(&mut self, color: Color, moves: u32) -> Go {
        self.clock_started = Some(Instant::now());
        let mut go = Go { depth: self.depth, ..Go::default() };
        match (self.time_limit, self.node_rate) {
            (_, Some(rate)) => go.nodes = Some(self.nodes(rate)),
            (TimeLimit::PerMove(time), None) => go.movetime = Some(time),
            (TimeLimit::Control(control), None) => {
                go.remaining[color] = Some(self.engine_time);
                go.remaining[!color] = Some(self.opponent_time);
                go.increment[color] = Some(control.increment);
                go.increment[!color] = Some(control.increment);
                go.moves_to_go = control.moves.map(|all| all - moves % all);
            }
        }
        go
    }

    /// The nodes for one move, at `rate` nodes per second.
    fn nodes(&self, rate: u64) -> u64 {
        /// The number of moves for which the remaining time must last.
        const MOVES_LEFT: u32 = 30;
        let time = match self.time_limit {
            TimeLimit::PerMove(time) => time,
            TimeLimit::Control(control) => self.engine_time / MOVES_LEFT + control.increment,
        };
        (time.as_secs_f64() * rate as f64).max(1.0) as u64
    }

    /// The engine has moved: its clock stops. GUIs send the time before each move, but a person at a terminal does not.
    pub(crate) fn stop_clock(&mut self) {
        if let (Some(start), TimeLimit::Control(control)) = (self.clock_started.take(), self.time_limit) {
            self.engine_time = self.engine_time.saturating_sub(start.elapsed()) + control.increment;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn search_parameters_follow_the_time_control() {
        let mut game = EngineGame::default();
        let seconds = Duration::from_secs;
        game.set_time_control(XboardTimeControl {
            moves: Some(40),
            base: seconds(300),
            increment: seconds(2),
        });
        (game.engine_time, game.opponent_time) = (seconds(100), seconds(90));
        let go = game.go(Color::Black, 45);
        assert_eq!(
            (go.remaining[Color::Black], go.remaining[Color::White]),
            (Some(seconds(100)), Some(seconds(90)))
        );
        assert_eq!((go.increment[Color::Black], go.moves_to_go), (Some(seconds(2)), Some(35)));
        game.stop_clock();
        assert!(game.engine_time > seconds(101) && game.engine_time <= seconds(102));
        game.set_move_time(seconds(3));
        game.depth = Some(7);
        let go = game.go(Color::White, 0);
        assert_eq!((go.movetime, go.depth, go.remaining[Color::White]), (Some(seconds(3)), Some(7), None));
        game.node_rate = Some(1_000);
        assert_eq!(game.go(Color::White, 0).nodes, Some(3_000));
    }
}
