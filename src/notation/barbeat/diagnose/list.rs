//! What is wrong in a list of positions: `1|1, 2+n/8, 3|1x4@n/8`.
//!
//! The list is taken as a whole first, with the blanks that do not belong in it, so that each wrong entry is reported
//! by itself and the right ones around it stay as they are. Reading goes on behind the whole list.

use super::list_entry::entry_problem;
use super::list_span::{ListEntry, list_entries};
use super::readable::{LONGEST_FIX_BYTES, count_items, is_one_item, is_readable};
use super::words::{PreviousItem, word_at};
use crate::music::Meter;
use crate::music::position::BadPosition;
use crate::music::text::{Cursor, slice};
use crate::notation::barbeat::grammar::read_item;
use crate::notation::barbeat::item::{Item, SpannedItem};
use crate::notation::barbeat::problem::{Finding, Problem};
use crate::notation::error::{MAX_MISTAKES, ascii_lookalikes, describe_odd_character};

/// No number that is a bar is longer.
const LONGEST_BAR: usize = 10;

/// Everything wrong in the list that begins at `start`, or that the item before `start` began. Nothing if there is
/// none, or nothing wrong in it. `item_end`: an item could be read there, but something touches its end.
pub(super) fn list_findings(
    text: &str,
    start: usize,
    item_end: Option<usize>,
    previous: Option<PreviousItem>,
    meter: Meter,
) -> Vec<Finding> {
    let rest = slice(text, start..);
    if begins_list(rest, item_end, previous.is_some_and(|before| before.is_place(text))) {
        return PositionList::read(text, start, start, meter).findings();
    }
    let Some(before) = previous.filter(|before| before.reads && before.is_position(text)) else { return Vec::new() };
    let between = slice(text, before.end..start);
    let said = slice(text, before.start..before.end);
    let open = said.trim_end_matches([' ', '\t']).ends_with(',');
    let goes_on = rest.starts_with(',') || open && rest.starts_with(|c: char| c.is_ascii_digit());
    if between.contains(['\r', '\n']) {
        return if goes_on { continued_on_next_line(text, said, start, meter) } else { Vec::new() };
    }
    if goes_on || rest.starts_with(['x', '@', '+', '-', '|', 'd', 't']) {
        return PositionList::read(text, before.start, start, meter).findings();
    }
    Vec::new()
}

/// Whether a text starts like a position, be it a wrong one. Behind a place a number with a point is more likely a
/// beat.
fn begins_list(rest: &str, item_end: Option<usize>, after_place: bool) -> bool {
    let word = rest.split([' ', '\t', '\r', '\n', ',', '#', '[', '(']).next().unwrap_or("");
    if item_end.is_none() && word.contains('|') && !word.starts_with([']', ')']) {
        return true;
    }
    if !word.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '|' | '-' | '.')) {
        return false;
    }
    let digits = word.bytes().all(|b| b.is_ascii_digit());
    let behind = slice(rest, word.len()..).trim_start_matches([' ', '\t']);
    let split = word.split(['.', ':']).collect::<Vec<_>>();
    let no_pipe = matches!(split.as_slice(), [bar, beat] if [bar, beat].iter().all(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit())));
    ascii_lookalikes(word).contains('|') || digits && behind.starts_with('|') || no_pipe && !after_place
}

/// A list that goes on in the next line.
fn continued_on_next_line(text: &str, said: &str, start: usize, meter: Meter) -> Vec<Finding> {
    let (parts, end) = list_entries(text, start, meter);
    let beats: Vec<&str> = parts.iter().map(|entry| entry.text.as_str()).filter(|entry| !entry.is_empty()).collect();
    let said = said.trim_end_matches([' ', '\t', ',']);
    let joined = format!("{said},{}", beats.join(","));
    if !is_one_item(&joined, meter) {
        return Vec::new();
    }
    let found = slice(text, start..end).to_owned();
    vec![Finding { at: start, found, problem: Problem::BrokenList, fix: Some(joined), resume: end }]
}

/// What becomes of an entry in the corrected list.
enum EntryFix {
    /// It is right.
    Unchanged,
    /// The entry is written so.
    Replaced(String),
    /// It is an item of its own, without the comma.
    Separate(String),
    /// Nothing stands here.
    Removed,
    Unknown,
}

struct PositionList<'a> {
    text: &'a str,
    /// Where reading failed; what ends before is right.
    failed_at: usize,
    entries: Vec<ListEntry>,
    end: usize,
    meter: Meter,
}

impl<'a> PositionList<'a> {
    fn read(text: &'a str, start: usize, failed_at: usize, meter: Meter) -> PositionList<'a> {
        let (entries, end) = list_entries(text, start, meter);
        PositionList { text, failed_at, entries, end, meter }
    }

    fn findings(self) -> Vec<Finding> {
        let mut bar = "1";
        let mut found: Vec<(usize, Finding)> = Vec::new();
        let mut entry_fixes: Vec<EntryFix> = Vec::new();
        for (index, entry) in self.entries.iter().enumerate() {
            let whole = if index == 0 || entry.text.contains('|') {
                entry.text.clone()
            } else {
                format!("{bar}|{}", entry.text)
            };
            let after_double = index > 0 && self.entries.get(index - 1).is_some_and(|before| before.text.is_empty());
            if let Some((named, _)) = entry.text.split_once('|') {
                // A wrong bar is reported once, not again for every entry.
                let counts = named.len() <= LONGEST_BAR && named.starts_with(|c| matches!(c, '1'..='9'));
                bar = if counts && named.bytes().all(|b| b.is_ascii_digit()) { named } else { "1" };
            }
            if found.len() > MAX_MISTAKES {
                entry_fixes.push(EntryFix::Unknown);
                continue;
            }
            let (problem, entry_fix) = self.check_entry(entry, &whole, index == 0);
            // Of several commas in a row one is reported.
            if let Some(problem) = problem.filter(|_| !(entry.text.is_empty() && after_double)) {
                let at = entry.at.max(self.failed_at);
                let shown = if entry.text.is_empty() { "," } else { slice(self.text, at..entry.end) };
                let (at, shown) = match &problem {
                    Problem::OddCharacter(_) => entry.odd_character_in(self.text).unwrap_or((at, shown)),
                    _ => (at, shown),
                };
                let finding = Finding { at, found: shown.to_owned(), problem, fix: None, resume: self.end };
                found.push((index, finding));
            }
            entry_fixes.push(entry_fix);
        }
        if found.is_empty() {
            return self.closer_behind();
        }
        let whole = self.fixed_list(&entry_fixes).filter(|fix| is_readable(fix, self.meter));
        for (index, finding) in &mut found {
            let alone = || match entry_fixes.get(*index) {
                Some(EntryFix::Replaced(fix)) if is_one_item(fix, self.meter) => Some(fix.clone()),
                _ => None,
            };
            finding.fix = whole.clone().or_else(alone);
        }
        found.into_iter().map(|(_, finding)| finding).collect()
    }

    /// What is wrong with an entry, and what was meant. `whole`: the entry with its bar.
    fn check_entry(&self, entry: &ListEntry, whole: &str, is_first: bool) -> (Option<Problem>, EntryFix) {
        if entry.text.is_empty() {
            return (Some(Problem::DoubleComma).filter(|_| !is_first), EntryFix::Removed);
        }
        let so = |fix: String| {
            let names_bar = is_first || entry.text.contains('|');
            let beat = fix.split_once('|').map(|(_, beat)| beat.to_owned());
            EntryFix::Replaced(beat.filter(|_| !names_bar).unwrap_or(fix))
        };
        if let Some((_, odd)) = entry.odd_character_in(self.text) {
            let odd = odd.chars().next().and_then(describe_odd_character).unwrap_or_default();
            let plain = ascii_lookalikes(whole);
            let fix = if is_one_item(&plain, self.meter) { so(plain) } else { EntryFix::Unknown };
            return (Some(Problem::OddCharacter(odd)), fix);
        }
        let mut items: Vec<SpannedItem> = Vec::new();
        let mut cursor = Cursor::new(whole);
        let reads = read_item(&mut cursor, self.meter, &mut items).is_some();
        let is_position = matches!(items.as_slice(), [SpannedItem { item: Item::Position(_), .. }]);
        if reads && is_position && cursor.is_at_end() {
            if let Some(problem) = items.first().and_then(|written| written.semantic_problem(whole)) {
                return (Some(Problem::from_semantic(problem)), EntryFix::Unknown);
            }
            if entry.end <= self.failed_at {
                return (None, EntryFix::Unchanged);
            }
            return match (entry.blank_at_pipe, entry.has_blanks, entry.after_comment) {
                (true, ..) => (Some(Problem::Position(BadPosition::Blanks)), EntryFix::Replaced(entry.text.clone())),
                (_, true, _) => (Some(Problem::Blank), EntryFix::Replaced(entry.text.clone())),
                (.., true) => (Some(Problem::CommentInList), EntryFix::Unchanged),
                _ => (None, EntryFix::Unchanged),
            };
        }
        if !is_first && count_items(&entry.text, self.meter).is_some() {
            return (Some(Problem::NotABeat), EntryFix::Separate(entry.text.clone()));
        }
        let tail = cursor.rest();
        // `n/8` behind a position may be a length, or an offset without its sign.
        if reads
            && is_position
            && tail.starts_with(|c: char| c.is_ascii_alphabetic() && c != 'n')
            && is_readable(tail, self.meter)
        {
            let head = entry.text.strip_suffix(tail).unwrap_or(&entry.text);
            return (Some(Problem::NoSpace), EntryFix::Replaced(format!("{head} {tail}")));
        }
        let lower = whole.to_ascii_lowercase();
        if lower != whole && is_one_item(&lower, self.meter) {
            return (Some(Problem::Case), so(lower));
        }
        if entry.text.starts_with('x') && !is_first {
            return (Some(Problem::NoListedBeat), EntryFix::Unknown);
        }
        let (problem, fix) = entry_problem(whole, self.meter);
        (Some(problem), fix.map_or(EntryFix::Unknown, so))
    }

    /// The corrected list, if what was meant is clear for every entry.
    fn fixed_list(&self, entry_fixes: &[EntryFix]) -> Option<String> {
        let mut fixed = String::new();
        for (entry, entry_fix) in self.entries.iter().zip(entry_fixes) {
            let (comma, part) = match entry_fix {
                EntryFix::Unchanged => (",", &entry.text),
                EntryFix::Replaced(part) => (",", part),
                EntryFix::Separate(part) => (" ", part),
                EntryFix::Removed => continue,
                EntryFix::Unknown => return None,
            };
            if !fixed.is_empty() {
                fixed.push_str(comma);
            }
            fixed.push_str(part);
            if fixed.len() > LONGEST_FIX_BYTES {
                return None;
            }
        }
        Some(fixed)
    }

    /// A list that is right, and what touches its end.
    fn closer_behind(&self) -> Vec<Finding> {
        let tail = slice(self.text, self.end..);
        let (problem, length) = match tail.chars().next() {
            Some(closer @ (')' | ']')) => (Problem::NotOpen(closer), 1),
            Some('(') => (Problem::NoSpace, 0),
            _ => return Vec::new(),
        };
        let found = if length > 0 { slice(tail, ..length) } else { word_at(self.text, self.end) };
        vec![Finding { at: self.end, found: found.to_owned(), problem, fix: None, resume: self.end + length }]
    }
}
