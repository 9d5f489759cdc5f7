//! What of a file was read, and what did not come along: by kind and count, never silently.

use super::limits::{MAX_KINDS, MAX_MISSING_NAMED};
use serde::Serialize;
use std::collections::BTreeMap;

/// Characters of a report in one line.
const MAX_REMARK_CHARS: usize = 2_000;
/// Kinds beyond those that are named.
const OTHERS: &str = "others";

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Objects that are in the document, by kind.
    pub read: BTreeMap<&'static str, u64>,
    /// What is known and has no place in the document yet, by kind. Of what holds others (a rack), only itself.
    pub left_out: BTreeMap<String, u64>,
    /// What is in the document and is not heard, by kind.
    pub kept: BTreeMap<String, u64>,
    /// Elements that are not known, by the element around them and their name; what is inside is not counted.
    pub unknown: BTreeMap<String, u64>,
    /// Samples that are not where the file says, once each.
    pub missing_samples: Vec<String>,
    /// Missing samples beyond those that are named.
    pub more_missing_samples: u64,
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
        if self.missing_samples.iter().any(|named| named == path) {
            return;
        }
        if self.missing_samples.len() < MAX_MISSING_NAMED {
            self.missing_samples.push(path.to_owned());
        } else {
            self.more_missing_samples += 1;
        }
    }

    pub fn objects_read(&self) -> u64 {
        self.read.values().sum()
    }

    /// What did not come along, in one line; `None` where all did.
    pub fn remark(&self) -> Option<String> {
        let is_whole = self.left_out.is_empty() && self.unknown.is_empty() && self.missing_samples.is_empty();
        // The second line is what was read.
        let lines = self.lines().into_iter().enumerate().filter(|(at, _)| *at != 1).map(|(_, line)| line);
        (!is_whole).then(|| lines.collect::<Vec<_>>().join("; ").chars().take(MAX_REMARK_CHARS).collect())
    }

    /// The whole as lines, the first of which is the sum: `47 objects read, 3 left out, 1 of unknown kinds`.
    pub fn lines(&self) -> Vec<String> {
        let sum = |counts: &BTreeMap<String, u64>| counts.values().sum::<u64>();
        let (left_out, unknown) = (sum(&self.left_out), sum(&self.unknown));
        let read = self.objects_read();
        let mut lines = vec![format!("{read} objects read, {left_out} left out, {unknown} of unknown kinds")];
        let read: Vec<String> = self.read.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        lines.push(format!("read: {}", read.join(", ")));
        let others = [("kept and not heard", &self.kept), ("left out", &self.left_out), ("unknown", &self.unknown)];
        for (what, counts) in others {
            if !counts.is_empty() {
                let counts: Vec<String> = counts.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
                lines.push(format!("{what}: {}", counts.join(", ")));
            }
        }
        lines.extend(self.missing_samples.iter().map(|path| format!("missing sample: {path}")));
        if self.more_missing_samples > 0 {
            lines.push(format!("missing samples that are not named: {}", self.more_missing_samples));
        }
        lines
    }
}

fn add(counts: &mut BTreeMap<String, u64>, kind: &str, count: u64) {
    let kind = if counts.len() < MAX_KINDS || counts.contains_key(kind) { kind } else { OTHERS };
    *counts.entry(kind.to_owned()).or_default() += count;
}
