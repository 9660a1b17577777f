//! The engine's seat in a game that it conducts itself: which side it plays, and how long it may think.

use std::time::{Duration, Instant};

use rukh_chess::{Color, Move};

use crate::command::Go;

/// What the engine does in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// It hears moves and plays none.
    Onlooker,
    /// It plays a side.
    Player(Color),
    /// It thinks about every position until the next.
    Analyst,
}

/// Time for a number of moves or for the game, and for each move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Level {
    /// Moves to the next time control; none for the whole game.
    pub(crate) moves: Option<u32>,
    /// Time for them.
    pub(crate) base: Duration,
    /// Time for each move.
    pub(crate) increment: Duration,
}

/// How time is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Time {
    Level(Level),
    EachMove(Duration),
}

/// The engine's seat.
#[derive(Clone, Debug)]
pub(crate) struct Seat {
    pub(crate) role: Role,
    pub(crate) ponders: bool,
    pub(crate) posts: bool,
    pub(crate) is_paused: bool,
    /// No more iterations than these.
    pub(crate) depth: Option<u32>,
    /// Positions for a second of time.
    pub(crate) node_rate: Option<u64>,
    /// What is left on the engine's clock.
    pub(crate) own: Duration,
    /// What is left on the other one.
    pub(crate) theirs: Duration,
    /// Moves that an analysis leaves out.
    pub(crate) excluded: Vec<Move>,
    /// The move that is expected of the other side; while the engine ponders, that on which it does.
    pub(crate) guess: Option<Move>,
    /// Questions whether we are there, which wait for our move.
    pub(crate) pings: Vec<u64>,
    time: Time,
    thinks_since: Option<Instant>,
}

/// Where nothing was said of time: five minutes, as XBoard has it.
const LEVEL: Level = Level { moves: None, base: Duration::from_secs(5 * 60), increment: Duration::ZERO };

impl Default for Seat {
    fn default() -> Self {
        Self {
            role: Role::Player(Color::Black),
            ponders: false,
            posts: false,
            is_paused: false,
            depth: None,
            node_rate: None,
            own: LEVEL.base,
            theirs: LEVEL.base,
            excluded: Vec::new(),
            guess: None,
            pings: Vec::new(),
            time: Time::Level(LEVEL),
            thinks_since: None,
        }
    }
}

impl Seat {
    /// Plays by clocks from now on.
    pub(crate) fn set_level(&mut self, level: Level) {
        self.time = Time::Level(level);
        (self.own, self.theirs) = (level.base, level.base);
    }

    /// Has so much time for each move from now on.
    pub(crate) fn set_move_time(&mut self, time: Duration) {
        self.time = Time::EachMove(time);
    }

    /// What is asked of a search for `color`, which has made `moves` moves; its own clock runs from now on.
    pub(crate) fn go(&mut self, color: Color, moves: u32) -> Go {
        self.thinks_since = Some(Instant::now());
        let mut go = Go { depth: self.depth, ..Go::default() };
        match (self.time, self.node_rate) {
            (time, Some(rate)) => go.nodes = Some(self.nodes(time, rate)),
            (Time::EachMove(time), None) => go.movetime = Some(time),
            (Time::Level(level), None) => {
                go.remaining[color] = Some(self.own);
                go.remaining[!color] = Some(self.theirs);
                go.increment[color] = Some(level.increment);
                go.increment[!color] = Some(level.increment);
                go.moves_to_go = level.moves.map(|all| all - moves % all);
            }
        }
        go
    }

    /// The positions that stand for the time of a move.
    fn nodes(&self, time: Time, rate: u64) -> u64 {
        /// A game is thought to last so many moves more.
        const MOVES_LEFT: u32 = 30;
        let time = match time {
            Time::EachMove(time) => time,
            Time::Level(level) => self.own / MOVES_LEFT + level.increment,
        };
        (time.as_secs_f64() * rate as f64).max(1.0) as u64
    }

    /// The engine has moved: its clock stops. The other program will tell the time, but a person may not.
    pub(crate) fn has_moved(&mut self) {
        if let (Some(since), Time::Level(level)) = (self.thinks_since.take(), self.time) {
            self.own = self.own.saturating_sub(since.elapsed()) + level.increment;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_and_moves_to_the_next_control() {
        let mut seat = Seat::default();
        let seconds = Duration::from_secs;
        seat.set_level(Level { moves: Some(40), base: seconds(300), increment: seconds(2) });
        (seat.own, seat.theirs) = (seconds(100), seconds(90));
        let go = seat.go(Color::Black, 45);
        assert_eq!(
            (go.remaining[Color::Black], go.remaining[Color::White]),
            (Some(seconds(100)), Some(seconds(90)))
        );
        assert_eq!((go.increment[Color::Black], go.moves_to_go), (Some(seconds(2)), Some(35)));
        seat.has_moved();
        assert!(seat.own > seconds(101) && seat.own <= seconds(102));
        seat.set_move_time(seconds(3));
        seat.depth = Some(7);
        let go = seat.go(Color::White, 0);
        assert_eq!((go.movetime, go.depth, go.remaining[Color::White]), (Some(seconds(3)), Some(7), None));
        seat.node_rate = Some(1_000);
        assert_eq!(seat.go(Color::White, 0).nodes, Some(3_000));
    }
}
