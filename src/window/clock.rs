//! Moments of the device, which are in UTC, as the user's own clock shows them.

use chrono::{DateTime, Local, TimeZone};

/// `17:40:00` of `2026-11-23T16:40:00.125Z`, in the zone that the system is set to; what is no moment as it is.
pub fn time_of_day(at: &str) -> String {
    time_of_day_in(&Local, at)
}

fn time_of_day_in(zone: &impl TimeZone, at: &str) -> String {
    match DateTime::parse_from_rfc3339(at) {
        // The zone's offset at that moment: of a call before the clocks were changed, the one of then.
        Ok(moment) => moment.with_timezone(zone).naive_local().format("%H:%M:%S").to_string(),
        Err(_) => at.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::FixedOffset;

    #[test]
    fn a_moment_is_told_by_the_clock_of_its_zone() {
        for (at, seconds_east, want) in [
            ("2026-11-23T17:40:00.123Z", 0, "17:40:00"),
            ("2026-11-23T17:40:59.999Z", 5 * 3_600 + 1_800, "23:10:59"),
            ("2026-11-23T17:40:00Z", 9 * 3_600, "02:40:00"),
            ("2026-11-23T03:40:00.000Z", -8 * 3_600, "19:40:00"),
            ("soon", 3_600, "soon"),
        ] {
            let zone = FixedOffset::east_opt(seconds_east).expect("less than a day");
            assert_eq!(time_of_day_in(&zone, at), want, "{at} {seconds_east}");
        }
    }

    /// The zone is the whole process's, so the test runs itself in one of its own.
    #[cfg(unix)]
    #[test]
    fn the_zone_is_the_users() {
        const ZONE: &str = "IST-5:30";
        if std::env::var("TZ").as_deref() == Ok(ZONE) {
            assert_eq!(time_of_day("2026-11-23T17:40:00.123Z"), "23:10:00");
            return;
        }
        let this = std::env::current_exe().expect("the tests' program");
        let name = "window::clock::tests::the_zone_is_the_users";
        let ran = std::process::Command::new(this).args(["--exact", name]).env("TZ", ZONE).output().expect("it runs");
        let said = String::from_utf8_lossy(&ran.stdout);
        assert!(ran.status.success() && said.contains("1 passed"), "{said}");
    }
}
