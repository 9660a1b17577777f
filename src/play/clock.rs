//! Time for a game between people.

use std::fmt;
use std::time::Duration;

use rukh_lab::arena::ClockRule;

/// The time each side has: for all moves, and more with every move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Control {
    pub(super) time: Duration,
    pub(super) increment: Duration,
}

impl Control {
    /// Reads `MINUTES[:SECONDS][+SECONDS]`: people count minutes where engines count seconds.
    pub(super) fn of_people(text: &str) -> Result<Self, String> {
        let (time, increment) = text.split_once('+').unwrap_or((text, "0"));
        let in_seconds =
            if time.contains(':') { format!("{time}+{increment}") } else { format!("{time}:00+{increment}") };
        Self::read(&in_seconds).ok_or_else(|| {
            format!(
                "{text:?} is no time control; examples are 5+3 (five minutes, three seconds more with every move), 90, 0:30"
            )
        })
    }

    /// Reads what PGN says, in seconds.
    pub(super) fn of_tag(text: &str) -> Option<Self> {
        Self::read(text)
    }

    fn read(text: &str) -> Option<Self> {
        let ClockRule { moves, time, increment } = text.parse().ok()?;
        (moves.is_none() && !time.is_zero()).then_some(Self { time, increment })
    }
}

/// As PGN writes it, in seconds.
impl fmt::Display for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{}", self.time.as_secs_f64(), self.increment.as_secs_f64())
    }
}

/// The time on a clock, for people: `1:02:03`, `4:31`, and with tenths when it is short.
pub(super) fn show(time: Duration) -> String {
    const SHORT: u64 = 20;
    let seconds = time.as_secs();
    let (hours, minutes, rest) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    match (hours, minutes) {
        (0, 0) if seconds < SHORT => format!("0:{rest:02}.{}", time.subsec_millis() / 100),
        (0, _) => format!("{minutes}:{rest:02}"),
        _ => format!("{hours}:{minutes:02}:{rest:02}"),
    }
}

/// The time on a clock, as comments in PGN have it: `0:04:31.250`.
pub(super) fn comment(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, rest) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    format!("[%clk {hours}:{minutes:02}:{rest:02}.{:03}]", time.subsec_millis())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn control(seconds: f64, increment: f64) -> Control {
        Control { time: Duration::from_secs_f64(seconds), increment: Duration::from_secs_f64(increment) }
    }

    #[test]
    fn people_count_minutes() {
        assert_eq!(Control::of_people("5+3"), Ok(control(300.0, 3.0)));
        assert_eq!(Control::of_people("90"), Ok(control(5_400.0, 0.0)));
        assert_eq!(Control::of_people("0:30+0.5"), Ok(control(30.0, 0.5)));
        for bad in ["", "five", "0", "-1", "40/90", "5+", "+3", "1:2:3"] {
            let error = Control::of_people(bad).expect_err("it is no time control");
            assert!(error.contains("is no time control"), "{bad}: {error}");
        }
    }

    #[test]
    fn pgn_counts_seconds() {
        for control in [control(300.0, 3.0), control(30.0, 0.5)] {
            assert_eq!(Control::of_tag(&control.to_string()), Some(control));
        }
        assert_eq!(Control::of_tag("-"), None);
    }

    #[test]
    fn clocks_are_readable() {
        let shown = [3_723.0, 271.9, 60.0, 20.0, 19.96, 0.0].map(|time| show(Duration::from_secs_f64(time)));
        assert_eq!(shown, ["1:02:03", "4:31", "1:00", "0:20", "0:19.9", "0:00.0"]);
        assert_eq!(comment(Duration::from_millis(3_723_250)), "[%clk 1:02:03.250]");
    }
}
