//! What of a file was read, and what did not come along: by kind and count, never silently.

use super::limits::{MAX_KINDS, MAX_MISSING_NAMED};
use super::sample_search::FoundSample;
use serde::Serialize;
use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Characters of a report in one line.
const MAX_REMARK_CHARS: usize = 2_000;
/// Kinds, samples and values that the lines of a report name; the whole has all.
const MAX_NAMED: usize = 12;
/// Missing samples that an answer names.
const MAX_ANSWERED: usize = 50;
/// Kinds beyond those that are named.
const OTHERS: &str = "others";
/// Values that cannot be are counted by their element behind this.
pub const MENDED: &str = "values that cannot be, read as the nearest that can";

/// Kinds that sound the same without, by how they begin. Of what is not here it is said that it will sound different.
const SILENT: [&str; 13] = [
    "colours outside of the palette",
    "info texts",
    "key and MIDI mappings",
    "links between tracks",
    "lists of parameters of plug-ins and Max devices",
    "locators",
    "names of macro variations",
    "scales of clips",
    "scales that are not known",
    "starts of the song at a locator",
    "take lanes that are listened to",
    "time signature, which the file does not say",
    "clips below the last scene",
];

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Where the file is damaged, of one that was read up to there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cut_off: Option<String>,
    /// Objects that are in the document, by kind.
    pub read: BTreeMap<&'static str, u64>,
    /// What is known and has no place in the document yet, by kind. Of what holds others (a rack), only itself.
    pub left_out: BTreeMap<String, u64>,
    /// What is in the document and is not heard, by kind.
    pub kept: BTreeMap<String, u64>,
    /// Elements that are not known, by the element around them and their name; what is inside is not counted.
    pub unknown: BTreeMap<String, u64>,
    /// Of each kind of value that cannot be the first, with its place and what was read instead.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bad_values: Vec<String>,
    /// Samples that are not where the file says, once each.
    pub missing_samples: Vec<String>,
    /// Missing samples beyond those that are named.
    pub more_missing_samples: u64,
    /// Samples that are there and cannot be played, with the reason.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub unplayable_samples: BTreeMap<String, String>,
    /// Missing samples by the hashes of their paths: each counts once, however often it is named.
    #[serde(skip)]
    missing: HashSet<u64>,
}

impl Report {
    pub fn count_read(&mut self, kind: &'static str) {
        *self.read.entry(kind).or_default() += 1;
    }

    pub fn count_left_out(&mut self, kind: &str, count: u64) {
        if count > 0 {
            add(&mut self.left_out, kind, count);
        }
    }

    /// Counts what is in the document and is not heard.
    pub fn count_kept(&mut self, kind: &str, count: u64) {
        if count > 0 {
            add(&mut self.kept, kind, count);
        }
    }

    pub fn count_unknown(&mut self, around: &str, name: &str) {
        add(&mut self.unknown, &format!("{around}/{name}"), 1);
    }

    pub fn name_missing(&mut self, path: &str) {
        let mut hasher = DefaultHasher::new();
        path.hash(&mut hasher);
        if !self.missing.insert(hasher.finish()) {
            return;
        }
        if self.missing_samples.len() < MAX_MISSING_NAMED {
            self.missing_samples.push(path.to_owned());
        } else {
            self.more_missing_samples += 1;
        }
    }

    /// Names a sample that was looked for where it is missing, or cannot be played.
    pub fn note_sample(&mut self, found: &FoundSample) {
        let fault = found.fault.clone().or_else(|| found.facts?.fault());
        match (&found.facts, fault) {
            (_, Some(why)) => self.name_unplayable(&found.path, &why),
            (None, None) => self.name_missing(&found.path),
            (Some(_), None) => {}
        }
    }

    pub fn name_unplayable(&mut self, path: &str, why: &str) {
        if self.unplayable_samples.len() < MAX_MISSING_NAMED {
            self.unplayable_samples.insert(path.to_owned(), why.to_owned());
        }
    }

    pub fn objects_read(&self) -> u64 {
        self.read.values().sum()
    }

    /// Whether all of the file came along.
    fn is_whole(&self) -> bool {
        let is_read = self.left_out.is_empty() && self.kept.is_empty() && self.unknown.is_empty();
        let has_samples = self.missing_samples.is_empty() && self.unplayable_samples.is_empty();
        is_read && has_samples && self.cut_off.is_none()
    }

    /// What did not come along, in one line; `None` where all did.
    pub fn remark(&self) -> Option<String> {
        let mut lines = vec![self.sum()];
        lines.extend(self.heard());
        lines.extend(self.unheard());
        (!self.is_whole()).then(|| lines.join("; ").chars().take(MAX_REMARK_CHARS).collect())
    }

    /// The report in short: the sum, such as `47 objects read, 3 left out, 1 of unknown kinds`, then what will sound
    /// different, then the rest by kind. Of what is long the most frequent; [`Report`] itself has all.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec![self.sum()];
        lines.extend(self.heard());
        let read: Vec<String> = self.read.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        lines.push(format!("read: {}", read.join(", ")));
        lines.extend(self.unheard());
        lines
    }

    fn sum(&self) -> String {
        let sum = |counts: &BTreeMap<String, u64>| counts.values().sum::<u64>();
        let (left_out, unknown) = (sum(&self.left_out), sum(&self.unknown));
        format!("{} objects read, {left_out} left out, {unknown} of unknown kinds", self.objects_read())
    }

    /// The report as an answer has it: of long lists the first, and how many more there are.
    pub fn in_short(&self) -> Report {
        let mut short = self.clone();
        short.more_missing_samples += short.missing_samples.len().saturating_sub(MAX_ANSWERED) as u64;
        short.missing_samples.truncate(MAX_ANSWERED);
        while short.unplayable_samples.len() > MAX_ANSWERED {
            short.unplayable_samples.pop_last();
        }
        short.bad_values.truncate(MAX_NAMED);
        short
    }

    /// What will sound different, and what is not all there, in short.
    pub fn heard(&self) -> Vec<String> {
        let mut lines: Vec<String> = self.cut_off.iter().map(|why| format!("cut off: {why}")).collect();
        let of = |counts: &BTreeMap<String, u64>| -> Vec<(String, u64)> {
            counts.iter().filter(|(kind, _)| !is_silent(kind)).map(|(kind, count)| (kind.clone(), *count)).collect()
        };
        let devices = self.unknown.iter().filter_map(|(kind, count)| Some((kind.strip_prefix("device/")?, *count)));
        let mut different = of(&self.left_out);
        different.extend(devices.map(|(class, count)| (format!("{class}, which is kept by name alone"), count)));
        lines.extend(listed("will sound different", different));
        let kept = self.kept.iter().map(|(kind, count)| (kind.clone(), *count)).collect();
        lines.extend(listed("kept and not heard", kept));
        let missing = self.missing_samples.len() as u64 + self.more_missing_samples;
        if missing > 0 {
            let named: Vec<&str> = self.missing_samples.iter().take(MAX_NAMED).map(String::as_str).collect();
            lines.push(format!("missing samples: {}{}", named.join(", "), more(missing, named.len())));
        }
        let unplayable = &self.unplayable_samples;
        if !unplayable.is_empty() {
            let named = unplayable.iter().take(MAX_NAMED).map(|(path, why)| format!("{path}: {why}"));
            let named: Vec<String> = named.collect();
            let more = more(unplayable.len() as u64, named.len());
            lines.push(format!("samples that cannot be played: {}{more}", named.join(", ")));
        }
        lines
    }

    fn unheard(&self) -> Vec<String> {
        let silent = self.left_out.iter().filter(|(kind, _)| is_silent(kind));
        let silent = silent.map(|(kind, count)| (kind.clone(), *count)).collect();
        let unknown = self.unknown.iter().filter(|(kind, _)| !kind.starts_with("device/"));
        let unknown = unknown.map(|(kind, count)| (kind.clone(), *count)).collect();
        let mut lines: Vec<String> = listed("left out and not heard", silent).into_iter().collect();
        lines.extend(listed("unknown", unknown));
        if !self.bad_values.is_empty() {
            let named: Vec<&str> = self.bad_values.iter().take(MAX_NAMED).map(String::as_str).collect();
            lines.push(format!("bad values: {}{}", named.join("; "), more(self.bad_values.len() as u64, named.len())));
        }
        lines
    }
}

/// Whether a Set sounds the same without what is counted as this.
fn is_silent(kind: &str) -> bool {
    SILENT.iter().any(|silent| kind.starts_with(silent))
}

/// Kinds with their counts in one line, the most frequent first; `None` where there are none.
fn listed(what: &str, mut kinds: Vec<(String, u64)>) -> Option<String> {
    kinds.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let named: Vec<String> = kinds.iter().take(MAX_NAMED).map(|(kind, count)| format!("{count} {kind}")).collect();
    let more = more(kinds.len() as u64, named.len());
    (!kinds.is_empty()).then(|| format!("{what}: {}{more}", named.join(", ")))
}

/// What a line says of those that it does not name.
fn more(all: u64, named: usize) -> String {
    match all.saturating_sub(named as u64) {
        0 => String::new(),
        more => format!(" and {more} more: svc-device info FILE --json has all"),
    }
}

fn add(counts: &mut BTreeMap<String, u64>, kind: &str, count: u64) {
    if let Some(counted) = counts.get_mut(kind) {
        *counted += count;
        return;
    }
    let kind = if counts.len() < MAX_KINDS { kind } else { OTHERS };
    *counts.entry(kind.to_owned()).or_default() += count;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_samples_count_once() {
        let mut report = Report::default();
        for _ in 0..2 {
            (0..MAX_MISSING_NAMED + 5).for_each(|at| report.name_missing(&format!("/nowhere/{at}.wav")));
        }
        assert_eq!((report.missing_samples.len(), report.more_missing_samples), (MAX_MISSING_NAMED, 5));
        let short = report.in_short();
        assert_eq!((short.missing_samples.len(), short.more_missing_samples), (50, 955));
        assert!(report.lines().iter().any(|line| line.ends_with("and 993 more: svc-device info FILE --json has all")));
    }
}
