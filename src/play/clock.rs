//! Clocks as text for people.

use std::time::Duration;

/// The time on a clock: `1:02:03`, `4:31`, with tenths below twenty seconds.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_readable() {
        let shown = [3_723.0, 271.9, 60.0, 20.0, 19.96, 0.0].map(|time| show(Duration::from_secs_f64(time)));
        assert_eq!(shown, ["1:02:03", "4:31", "1:00", "0:20", "0:19.9", "0:00.0"]);
    }
}
