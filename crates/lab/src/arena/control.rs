//! Time controls and clocks.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde_json::{Value as Json, json};

/// The limits of a search for one move. At least one is set.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Control {
    /// A clock for the game.
    pub clock: Option<ClockRule>,
    /// A time for each move.
    pub move_time: Option<Duration>,
    /// Nodes for each move.
    pub nodes: Option<u64>,
    /// Plies for each move.
    pub depth: Option<u32>,
    /// How much later than allowed an answer may come.
    pub margin: Duration,
}

impl Control {
    /// Whether anything ends a search.
    pub fn is_limited(&self) -> bool {
        self.clock.is_some() || self.move_time.is_some() || self.nodes.is_some() || self.depth.is_some()
    }

    /// All limits, for the header of a state file.
    pub fn to_json(&self) -> Json {
        let Self { clock, move_time, nodes, depth, margin } = self;
        json!({
            "clock": clock.map(|clock| clock.to_string()),
            "move_time": move_time.map(|time| time.as_secs_f64()),
            "nodes": nodes,
            "depth": depth,
            "margin": margin.as_secs_f64(),
        })
    }

    /// A clock before the first move.
    pub(crate) fn start(&self) -> Clock {
        Clock { remaining: self.clock.map(|rule| rule.time), moves: 0 }
    }
}

impl fmt::Display for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        parts.extend(self.clock.map(|clock| clock.to_string()));
        parts.extend(self.move_time.map(|time| format!("{} s a move", time.as_secs_f64())));
        parts.extend(self.nodes.map(|nodes| format!("{nodes} nodes")));
        parts.extend(self.depth.map(|depth| format!("depth {depth}")));
        f.write_str(&parts.join(", "))
    }
}

/// The rule of a clock: time for so many moves, or for all, and more with every move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockRule {
    /// Moves for which the time is given again and again; none: for all.
    pub moves: Option<u32>,
    /// The time.
    pub time: Duration,
    /// What every move adds.
    pub increment: Duration,
}

impl fmt::Display for ClockRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.time.as_secs_f64())?;
        if !self.increment.is_zero() {
            write!(f, "+{}", self.increment.as_secs_f64())?;
        }
        Ok(())
    }
}

/// A time control that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadControl(String);

impl fmt::Display for BadControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:?} is no time control; examples are 10+0.1 (seconds and increment), 60, 1:30+1 (minutes), 40/60 (moves in seconds)",
            self.0
        )
    }
}

impl std::error::Error for BadControl {}

impl FromStr for ClockRule {
    type Err = BadControl;

    /// Reads `[MOVES/][MINUTES:]SECONDS[+INCREMENT]`.
    fn from_str(text: &str) -> Result<Self, BadControl> {
        let bad = || BadControl(text.to_owned());
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => {
                (Some(moves.parse().ok().filter(|&moves| moves > 0).ok_or_else(bad)?), rest)
            }
            None => (None, text),
        };
        let (time, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let (minutes, seconds) = time.split_once(':').unwrap_or(("0", time));
        let minutes: u32 = minutes.parse().map_err(|_| bad())?;
        let time = read_seconds(seconds).ok_or_else(bad)? + Duration::from_secs(60 * u64::from(minutes));
        let increment = read_seconds(increment).ok_or_else(bad)?;
        if time.is_zero() && increment.is_zero() {
            return Err(bad());
        }
        Ok(Self { moves, time, increment })
    }
}

/// Seconds with a fraction, of no more than a million.
fn read_seconds(text: &str) -> Option<Duration> {
    const MOST: f64 = 1e6;
    let is_plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let seconds: f64 = is_plain.then(|| text.parse().ok())??;
    (seconds <= MOST).then(|| Duration::from_secs_f64(seconds))
}

/// The clock of one player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Clock {
    /// The time left, if there is a clock.
    pub remaining: Option<Duration>,
    /// Moves made.
    moves: u32,
}

/// A player has not moved in time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct OutOfTime {
    /// By how much the answer was late.
    pub late: Duration,
}

impl Clock {
    /// Moves until more time is given, if that ever happens.
    pub(crate) fn moves_to_go(&self, control: &Control) -> Option<u32> {
        let moves = control.clock?.moves?;
        Some(moves - self.moves % moves)
    }

    /// The longest that may pass before a move is late, margin included; none without a limit in time.
    pub(crate) fn patience(&self, control: &Control) -> Option<Duration> {
        let time = match (self.remaining, control.move_time) {
            (Some(clock), Some(time)) => Some(clock.min(time)),
            (clock, time) => clock.or(time),
        };
        time.map(|time| time + control.margin)
    }

    /// A move took this long.
    pub(crate) fn spend(&mut self, control: &Control, taken: Duration) -> Result<(), OutOfTime> {
        if let Some(patience) = self.patience(control)
            && taken > patience
        {
            return Err(OutOfTime { late: taken - (patience - control.margin) });
        }
        self.moves += 1;
        if let (Some(remaining), Some(rule)) = (self.remaining, control.clock) {
            let is_control = rule.moves.is_some_and(|moves| self.moves.is_multiple_of(moves));
            let more = if is_control { rule.time } else { Duration::ZERO };
            self.remaining = Some(remaining.saturating_sub(taken) + rule.increment + more);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(text: &str) -> ClockRule {
        text.parse().unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn controls_are_read_and_written() {
        assert_eq!(rule("2+0.02").to_string(), "2+0.02");
        assert_eq!(rule("40/60").to_string(), "40/60");
        assert_eq!(rule("40/1:30+0.5").to_string(), "40/90+0.5");
        assert_eq!(rule("8.5").time, Duration::from_millis(8_500));
        for bad in [
            "", "x", "0", "0+0", "-1", "1+-1", "0/60", "/60", "40/", "1e3", "nan", "inf", "9999999", "1:",
            ":1",
        ] {
            let error = bad.parse::<ClockRule>().expect_err(bad).to_string();
            assert!(error.contains("is no time control"), "{error}");
        }
    }

    #[test]
    fn time_is_spent_and_won() {
        let control = Control { clock: Some(rule("2/10+1")), ..Control::default() };
        let mut clock = control.start();
        let after = |clock: &mut Clock, seconds| {
            clock.spend(&control, Duration::from_secs(seconds)).expect("in time");
            (clock.remaining.map(|time| time.as_secs()), clock.moves_to_go(&control))
        };
        assert_eq!(clock.moves_to_go(&control), Some(2));
        assert_eq!(after(&mut clock, 4), (Some(7), Some(1)));
        assert_eq!(after(&mut clock, 7), (Some(11), Some(2)));
        let late = clock.spend(&control, Duration::from_secs(12)).expect_err("it is late");
        assert_eq!(late.late, Duration::from_secs(1));
    }

    #[test]
    fn a_margin_forgives_but_gives_no_time() {
        let margin = Duration::from_millis(50);
        let control = Control { clock: Some(rule("1")), margin, ..Control::default() };
        let mut clock = control.start();
        assert_eq!(clock.patience(&control), Some(Duration::from_millis(1_050)));
        assert_eq!(clock.spend(&control, Duration::from_millis(1_040)), Ok(()));
        assert_eq!(clock.remaining, Some(Duration::ZERO));
        let fixed = Control { nodes: Some(100), ..Control::default() };
        assert_eq!(fixed.start().patience(&fixed), None);
        assert!(fixed.is_limited() && !Control::default().is_limited());
    }
}
