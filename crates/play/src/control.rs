//! Time control: the time each side has for the game and the increment per move.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A base time for the whole game and an increment added after every move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeControl {
    /// The time at the start of the game; never zero.
    pub base: Duration,
    /// What every move adds.
    pub increment: Duration,
}

impl TimeControl {
    /// Parses `MINUTES[:SECONDS][+INCREMENT]`, as people write it: `5+3` is five minutes and three seconds per move.
    pub fn from_minutes(text: &str) -> Result<Self, String> {
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        let (minutes, seconds) = base.split_once(':').unwrap_or((base, "0"));
        let parsed = minutes.parse::<u32>().ok().zip(read_seconds(seconds)).zip(read_seconds(increment));
        let control = parsed.map(|((minutes, seconds), increment)| Self {
            base: Duration::from_secs(60 * u64::from(minutes)) + seconds,
            increment,
        });
        control.filter(|control| !control.base.is_zero()).ok_or_else(|| {
            format!(
                "{text:?} is not a time control; examples: 5+3 (five minutes and three seconds per move), 90 (minutes), \
                 0:30 (thirty seconds)"
            )
        })
    }
}

/// Parses the PGN tag `TimeControl` in seconds: `300+3`. Controls with several periods are not supported.
impl FromStr for TimeControl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        let parsed = read_seconds(base).filter(|base| !base.is_zero()).zip(read_seconds(increment));
        let control = parsed.map(|(base, increment)| Self { base, increment });
        control.ok_or_else(|| format!("{text:?} is not a time control in seconds such as 300+3"))
    }
}

/// Writes the PGN tag `TimeControl`, in seconds.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{}", self.base.as_secs_f64(), self.increment.as_secs_f64())
    }
}

/// Seconds with a fraction, at most a million.
fn read_seconds(text: &str) -> Option<Duration> {
    const MAX: f64 = 1e6;
    let is_plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let seconds: f64 = text.parse().ok().filter(|_| is_plain)?;
    (seconds <= MAX).then(|| Duration::from_secs_f64(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn control(base: f64, increment: f64) -> TimeControl {
        TimeControl { base: Duration::from_secs_f64(base), increment: Duration::from_secs_f64(increment) }
    }

    #[test]
    fn people_count_minutes() {
        assert_eq!(TimeControl::from_minutes("5+3"), Ok(control(300.0, 3.0)));
        assert_eq!(TimeControl::from_minutes("90"), Ok(control(5_400.0, 0.0)));
        assert_eq!(TimeControl::from_minutes("0:30+0.5"), Ok(control(30.0, 0.5)));
        for bad in ["", "five", "0", "-1", "40/90", "5+", "+3", "1:2:3", "nan", "5+1e3", "9999999999"] {
            let error = TimeControl::from_minutes(bad).expect_err(bad);
            assert!(error.contains("is not a time control"), "{bad}: {error}");
        }
    }

    #[test]
    fn pgn_counts_seconds() {
        for control in [control(300.0, 3.0), control(30.0, 0.5)] {
            assert_eq!(control.to_string().parse(), Ok(control));
        }
        assert_eq!("60".parse(), Ok(control(60.0, 0.0)));
        for bad in ["-", "?", "40/9000:1800", "0", "1:30", "9999999"] {
            assert!(bad.parse::<TimeControl>().is_err(), "{bad}");
        }
    }
}
