//! Measurements on the page `docs/measurements.md`: what each benchmark printed, with the commit, the day and the
//! machine.
//!
//! A benchmark's place is between `<!-- bench:NAME -->` and `<!-- /bench:NAME -->`, each on a line of its own.

use crate::shell::{Outcome, Problem, capture};
use crate::workspace::{MEASUREMENTS, Workspace};
use std::ops::Range;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

const FENCE: &str = "```";

/// Of what, when and where something is measured: the first line of each block.
pub struct Record(String);

impl Record {
    /// Of the commit in the project's folder, now, on this machine.
    pub fn of_now(workspace: &Workspace) -> Outcome<Record> {
        let git = |arguments: &[&str]| capture(Command::new("git").args(arguments).current_dir(&workspace.root));
        // The page itself changes with every record.
        let page = format!(":(exclude){MEASUREMENTS}");
        let (Some(commit), Some(changes)) =
            (git(&["rev-parse", "--short=12", "HEAD"]), git(&["status", "--porcelain", "--", ".", &page]))
        else {
            return Err(Problem::new("git does not tell the commit, and a measurement without one says nothing"));
        };
        let dirty = if changes.trim().is_empty() { "" } else { "-dirty" };
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        Ok(Record(format!("commit {}{dirty}, {}, {}", commit.trim(), date(now), machine())))
    }

    /// The page with what this benchmark printed in its place.
    pub fn put_into(&self, page: &str, name: &str, printed: &str) -> Outcome<String> {
        let place = place(page, name)?;
        let (Some(before), Some(after)) = (page.get(..place.start), page.get(place.end..)) else {
            return Err(Problem::new(format!("{MEASUREMENTS}: the place of `{name}` can't be cut out")));
        };
        if printed.lines().any(|line| line.starts_with(FENCE)) {
            return Err(Problem::new(format!("the benchmark `{name}` printed a line that would end its block")));
        }
        let lines = printed.trim_matches('\n').lines().map(|line| format!("{}\n", line.trim_end())).collect::<String>();
        Ok(format!("{before}\n{FENCE}text\n{}\n{lines}{FENCE}\n{after}", self.0))
    }
}

/// What lies between the markers of this benchmark: from the end of the first one's line to the beginning of the
/// second.
pub fn place(page: &str, name: &str) -> Outcome<Range<usize>> {
    let (begin, end) = (format!("<!-- bench:{name} -->"), format!("<!-- /bench:{name} -->"));
    let at = |marker: &str| {
        let mut places = page.match_indices(marker).map(|(at, _)| at);
        match (places.next(), places.next()) {
            (Some(at), None) => Ok(at),
            (None, _) => Err(Problem::new(format!("{MEASUREMENTS} lacks the line `{marker}`"))),
            (Some(_), Some(_)) => Err(Problem::new(format!("{MEASUREMENTS} has `{marker}` more than once"))),
        }
    };
    let (start, end) = (at(&begin)? + begin.len(), at(&end)?);
    if start > end {
        return Err(Problem::new(format!("{MEASUREMENTS}: the place of `{name}` ends before it begins")));
    }
    Ok(start..end)
}

/// The day, in UTC, as `2026-01-31`, of a time in seconds since the beginning of 1970.
fn date(seconds: u64) -> String {
    let days_in = |year: u64| {
        if year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400) { 366 } else { 365 }
    };
    let (mut day, mut year) = (seconds / 86_400, 1970);
    while day >= days_in(year) {
        day -= days_in(year);
        year += 1;
    }
    let february = if days_in(year) == 366 { 29 } else { 28 };
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if day < length {
            break;
        }
        day -= length;
        month += 1;
    }
    format!("{year}-{month:02}-{:02}", day + 1)
}

/// Its processor, how many cores may be used, and its kernel, as far as the system tells.
fn machine() -> String {
    let said = |program: &str, arguments: &[&str]| capture(Command::new(program).args(arguments));
    let processor = std::fs::read_to_string("/proc/cpuinfo")
        .ok()
        .and_then(|text| model_name(&text).map(str::to_owned))
        .or_else(|| said("sysctl", &["-n", "machdep.cpu.brand_string"]))
        .or_else(|| std::env::var("PROCESSOR_IDENTIFIER").ok())
        .unwrap_or_else(|| format!("unknown {}", std::env::consts::ARCH));
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let kernel = said("uname", &["-sr"]).unwrap_or_else(|| std::env::consts::OS.to_owned());
    format!("{}, {cores} cores, {}", processor.trim(), kernel.trim())
}

/// The first processor's name in Linux's list of them.
fn model_name(cpuinfo: &str) -> Option<&str> {
    cpuinfo.lines().find_map(|line| Some(line.strip_prefix("model name")?.trim_start().strip_prefix(':')?.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_takes_the_place_of_the_one_before() {
        let page = "# A\n<!-- bench:a -->\nold\n<!-- /bench:a -->\n<!-- bench:b -->\n<!-- /bench:b -->\nz";
        let record = |text: &str| Record(text.to_owned());
        let once = record("commit 1").put_into(page, "a", "\nx  1  \n\n y 2\n\n").expect("it has a place");
        assert_eq!(
            once,
            "# A\n<!-- bench:a -->\n```text\ncommit 1\nx  1\n\n y 2\n```\n<!-- /bench:a -->\n<!-- bench:b -->\n<!-- /bench:b -->\nz"
        );
        let both = record("commit 2").put_into(&once, "b", "w\n").expect("it has a place");
        assert!(both.ends_with("<!-- bench:b -->\n```text\ncommit 2\nw\n```\n<!-- /bench:b -->\nz"), "{both}");
        let again = record("commit 1").put_into(&both, "a", "x  1\n\n y 2").expect("it has a place");
        assert_eq!(again, both);
    }

    #[test]
    fn a_place_that_is_not_one_is_refused() {
        for (page, reason) in [
            ("", "lacks the line `<!-- bench:a -->`"),
            ("<!-- bench:ab --><!-- /bench:ab -->", "lacks the line `<!-- bench:a -->`"),
            ("<!-- bench:a -->", "lacks the line `<!-- /bench:a -->`"),
            ("<!-- /bench:a -->\n<!-- bench:a -->", "ends before it begins"),
            ("<!-- bench:a -->\n<!-- bench:a -->\n<!-- /bench:a -->", "more than once"),
        ] {
            let refusal = Record(String::new()).put_into(page, "a", "x").expect_err(page).to_string();
            assert!(refusal.contains(reason), "{page}: {refusal}");
        }
        let page = "<!-- bench:a -->\n<!-- /bench:a -->";
        assert!(Record(String::new()).put_into(page, "a", "x\n```\ny").is_err());
    }

    #[test]
    fn days_have_their_dates() {
        for (seconds, expected) in [
            (0, "1970-01-01"),
            (86_399, "1970-01-01"),
            (951_782_400, "2000-02-29"),
            (951_868_800, "2000-03-01"),
            (1_798_761_599, "2026-12-31"),
            (1_798_761_600, "2027-01-01"),
            (4_107_542_400, "2100-03-01"),
        ] {
            assert_eq!(date(seconds), expected);
        }
    }

    #[test]
    fn the_first_processor_is_named() {
        assert_eq!(model_name("processor\t: 0\nmodel name\t: A 5\nmodel name\t: B"), Some("A 5"));
        assert_eq!(model_name("model\t: 3"), None);
    }
}
