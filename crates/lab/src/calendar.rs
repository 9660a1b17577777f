//! Dates for PGN.

use std::time::{SystemTime, UNIX_EPOCH};

/// The day in the calendar of PGN, by universal time.
pub fn date(time: SystemTime) -> String {
    const DAY: u64 = 86_400;
    let days = (time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()) / DAY) as i64;
    // Years begin in March, so that a leap day is their last; eras have 400 years.
    const ERA_DAYS: i64 = 146_097;
    const TO_MARCH_OF_YEAR_0: i64 = 719_468;
    let days = days + TO_MARCH_OF_YEAR_0;
    let (era, day_of_era) = (days.div_euclid(ERA_DAYS), days.rem_euclid(ERA_DAYS));
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = 400 * era + year_of_era + i64::from(month <= 2);
    format!("{year:04}.{month:02}.{day:02}")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn days_are_counted_right() {
        for (day, written) in [
            (0, "1970.01.01"),
            (31 + 28, "1970.03.01"),
            (11_016, "2000.02.29"),
            (11_017, "2000.03.01"),
            (20_772, "2026.11.15"),
            (47_541, "2100.03.01"),
        ] {
            assert_eq!(date(UNIX_EPOCH + Duration::from_secs(86_400 * day + 4_000)), written);
        }
    }
}
