//! Moments as answers tell them: the time of day in UTC, and how long ago it was.

use crate::music::text::counted;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const DAY_SECONDS: u64 = 24 * 60 * 60;

/// `2026-11-23T03:39:32Z`.
pub fn iso(at: SystemTime) -> String {
    let seconds = at.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let (days, of_day) = (seconds / DAY_SECONDS, seconds % DAY_SECONDS);
    let (year, month, day) = date(days);
    let (hours, minutes, seconds) = (of_day / 3600, of_day / 60 % 60, of_day % 60);
    format!("{year:04}-{month:02}-{day:02}T{hours:02}:{minutes:02}:{seconds:02}Z")
}

/// `2026-11-23T03:39:32.125Z`.
pub fn iso_with_ms(at: SystemTime) -> String {
    let ms = at.duration_since(UNIX_EPOCH).unwrap_or_default().subsec_millis();
    let whole = iso(at);
    format!("{}.{ms:03}Z", whole.trim_end_matches('Z'))
}

/// `12 s`, `5 min`, `3 h`, `2 days`.
pub fn age(age: Duration) -> String {
    let seconds = age.as_secs();
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3_600 => format!("{} min", seconds / 60),
        3_600..DAY_SECONDS => format!("{} h", seconds / 3_600),
        _ => counted(usize::try_from(seconds / DAY_SECONDS).unwrap_or(usize::MAX), "day"),
    }
}

/// Year, month and day of a day counted from 1970-01-01. Years begin in March here, so that a leap day is a year's
/// last.
fn date(days: u64) -> (u64, u64, u64) {
    const OF_FOUR_CENTURIES: u64 = 146_097;
    // Days from 0000-03-01 to 1970-01-01.
    let days = days + 719_468;
    let (era, day) = (days / OF_FOUR_CENTURIES, days % OF_FOUR_CENTURIES);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year + year / 4 - year / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    (era * 400 + year + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_told_as_people_write_them() {
        for (seconds, want) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_210_096, "2024-02-29T12:34:56Z"),
            (1_798_761_599, "2026-12-31T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(iso(UNIX_EPOCH + Duration::from_secs(seconds)), want);
        }
        for (seconds, want) in [(0, "0 s"), (59, "59 s"), (60, "1 min"), (7_300, "2 h"), (86_400, "1 day")] {
            assert_eq!(age(Duration::from_secs(seconds)), want);
        }
    }
}
