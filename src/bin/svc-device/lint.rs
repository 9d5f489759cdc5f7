//! `svc-device lint`: what in a file with a Set is missing, of no use, or not heard. Exit codes are those of linters: 0
//! nothing was found, 1 something was, 2 the file cannot be read.

use crate::console::{log, print};
use serde_json::json;
use std::path::Path;
use std::process::ExitCode;
use svc_device::device::linted_set::{FoundInFile, lint_file};
use svc_device::music::shown_text::shown_line;

const FOUND: u8 = 1;
const UNREADABLE: u8 = 2;
/// Lines of one kind that are printed; the rest is counted.
const MOST_LINES: usize = 20;

/// Kinds as headings.
const HEADINGS: [(&str, &str); 10] = [
    ("missing-sample", "Missing samples"),
    ("unplayable-sample", "Samples that cannot be played"),
    ("muted-track", "Muted tracks"),
    ("empty-track", "Empty tracks"),
    ("track-to-nowhere", "Tracks that go nowhere"),
    ("clip-behind-the-end", "Clips behind the end"),
    ("send-to-nowhere", "Sends to nowhere"),
    ("unused-return", "Unused returns"),
    ("device-without-sound", "Devices without their own sound here"),
    ("frozen-tracks", "Frozen tracks"),
];

/// Reads the file and prints what was found.
pub fn run(file: &Path, json: bool) -> ExitCode {
    let found = match lint_file(file) {
        Ok(found) => found,
        Err(why) => {
            log(&shown_line(&why));
            return ExitCode::from(UNREADABLE);
        }
    };
    let named = file.display().to_string();
    if json {
        print(&json!({ "file": named, "findings": found }).to_string());
    } else {
        as_lines(&named, &found).iter().for_each(|line| print(&shown_line(line)));
    }
    if found.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(FOUND) }
}

fn as_lines(file: &str, found: &[FoundInFile]) -> Vec<String> {
    if found.is_empty() {
        return vec![format!("{file}: nothing was found")];
    }
    let mut lines = vec![format!("{file}: {} found", found.len())];
    for (kind, heading) in HEADINGS {
        let of_kind: Vec<&FoundInFile> = found.iter().filter(|one| one.kind == kind).collect();
        if of_kind.is_empty() {
            continue;
        }
        lines.push(format!("{heading} ({})", of_kind.len()));
        lines.extend(of_kind.iter().take(MOST_LINES).map(|one| line(one)));
        if let Some(more) = of_kind.len().checked_sub(MOST_LINES).filter(|more| *more > 0) {
            lines.push(format!("  and {more} more; --json has all"));
        }
    }
    lines
}

/// `  t3 Pad: it is muted`.
fn line(one: &FoundInFile) -> String {
    let parts: Vec<&str> =
        [one.path.as_deref().unwrap_or_default(), &one.name].into_iter().filter(|p| !p.is_empty()).collect();
    let about = parts.join(" ");
    if about.is_empty() { format!("  {}", one.why) } else { format!("  {about}: {}", one.why) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_are_grouped_and_cut() {
        let one = |kind, path: &str, why: &str| FoundInFile {
            kind,
            path: Some(path.to_owned()),
            name: "A".to_owned(),
            why: why.to_owned(),
        };
        let mut found = vec![one("muted-track", "t1", "it is muted")];
        found.extend((0..22).map(|at| one("empty-track", &format!("t{at}"), "it has no clip")));
        let lines = as_lines("song.als", &found);
        assert_eq!(lines[..4], ["song.als: 23 found", "Muted tracks (1)", "  t1 A: it is muted", "Empty tracks (22)"]);
        assert_eq!(lines.last().map(String::as_str), Some("  and 2 more; --json has all"));
        assert_eq!(as_lines("a", &[]), ["a: nothing was found"]);
    }
}
