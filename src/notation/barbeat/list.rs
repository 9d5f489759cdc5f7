//! What is wrong in a list of positions: `1|1, 2+n/8, 3|1x4@n/8`.
//!
//! The list is taken as a whole first, with the blanks that do not belong in it, so that each wrong entry is told of by itself
//! and the right ones around it are left in peace. Reading goes on behind the whole list.

use super::diagnose::{Before, is_one, is_text};
use super::item::{Item, Unfit, Written, item};
use super::problem::{Finding, Problem};
use super::read::count_items;
use super::span::{Entry, entries};
use crate::music::Meter;
use crate::music::position::BadPosition;
use crate::music::text::Cursor;
use crate::notation::error::{MAX_MISTAKES, odd_character, plain_characters};

/// No number that is a bar is longer.
const LONGEST_BAR: usize = 10;

/// Everything wrong in the list that begins at `start`, or that the item before `start` began. Nothing if there is none, or
/// nothing wrong in it. `item_end`: an item could be read there, but something touches its end.
pub(super) fn list(
    text: &str,
    start: usize,
    item_end: Option<usize>,
    previous: Option<Before>,
    meter: Meter,
) -> Vec<Finding> {
    let rest = text.get(start..).unwrap_or("");
    if begins_list(rest, item_end, previous.is_some_and(|before| before.is_place(text))) {
        return List::at(text, start, start, meter).findings();
    }
    let Some(before) = previous.filter(|before| before.reads && before.is_position(text)) else { return Vec::new() };
    let between = text.get(before.end..start).unwrap_or("");
    let said = text.get(before.start..before.end).unwrap_or("");
    let open = said.trim_end_matches([' ', '\t']).ends_with(',');
    let goes_on = rest.starts_with(',') || open && rest.starts_with(|c: char| c.is_ascii_digit());
    if between.contains(['\r', '\n']) {
        return if goes_on { broken(text, said, start, meter) } else { Vec::new() };
    }
    if goes_on || rest.starts_with(['x', '@', '+', '-', '|', 'd', 't']) {
        return List::at(text, before.start, start, meter).findings();
    }
    Vec::new()
}

/// Whether a text starts like a position, be it a wrong one. Behind a place a number with a point is more likely a beat.
fn begins_list(rest: &str, item_end: Option<usize>, after_place: bool) -> bool {
    let word = rest.split([' ', '\t', '\r', '\n', ',', '#', '[', '(']).next().unwrap_or("");
    if item_end.is_none() && word.contains('|') && !word.starts_with([']', ')']) {
        return true;
    }
    if !word.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '|' | '-' | '.')) {
        return false;
    }
    let digits = word.bytes().all(|b| b.is_ascii_digit());
    let behind = rest.get(word.len()..).unwrap_or("").trim_start_matches([' ', '\t']);
    let split = word.split(['.', ':']).collect::<Vec<_>>();
    let no_pipe = matches!(split.as_slice(), [bar, beat] if [bar, beat].iter().all(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit())));
    plain_characters(word).contains('|') || digits && behind.starts_with('|') || no_pipe && !after_place
}

/// A list that goes on in the next line.
fn broken(text: &str, said: &str, start: usize, meter: Meter) -> Vec<Finding> {
    let (parts, end) = entries(text, start, meter);
    let beats: Vec<&str> = parts.iter().map(|entry| entry.text.as_str()).filter(|entry| !entry.is_empty()).collect();
    let said = said.trim_end_matches([' ', '\t', ',']);
    let joined = format!("{said},{}", beats.join(","));
    if !is_one(&joined, meter) {
        return Vec::new();
    }
    let found = text.get(start..end).unwrap_or("").to_owned();
    vec![Finding { at: start, found, problem: Problem::BrokenList, fix: Some(joined), resume: end }]
}

/// What stands for an entry in the list as it was meant.
enum Meant {
    /// It is right.
    Same,
    /// The entry is written so.
    So(String),
    /// It is an item of its own, without the comma.
    Apart(String),
    /// Nothing stands here.
    Nothing,
    Unknown,
}

struct List<'a> {
    text: &'a str,
    /// Where reading failed; what ends before is right.
    failed: usize,
    entries: Vec<Entry>,
    end: usize,
    meter: Meter,
}

impl<'a> List<'a> {
    fn at(text: &'a str, start: usize, failed: usize, meter: Meter) -> List<'a> {
        let (entries, end) = entries(text, start, meter);
        List { text, failed, entries, end, meter }
    }

    fn findings(self) -> Vec<Finding> {
        let mut bar = "1";
        let mut found: Vec<(usize, Finding)> = Vec::new();
        let mut meant: Vec<Meant> = Vec::new();
        for (index, entry) in self.entries.iter().enumerate() {
            let whole = if index == 0 || entry.text.contains('|') {
                entry.text.clone()
            } else {
                format!("{bar}|{}", entry.text)
            };
            let after_double = index > 0 && self.entries.get(index - 1).is_some_and(|before| before.text.is_empty());
            if let Some((named, _)) = entry.text.split_once('|') {
                // One that is wrong is told of once, and not repeated for every entry.
                let counts = named.len() <= LONGEST_BAR && named.starts_with(|c| matches!(c, '1'..='9'));
                bar = if counts && named.bytes().all(|b| b.is_ascii_digit()) { named } else { "1" };
            }
            if found.len() > MAX_MISTAKES {
                meant.push(Meant::Unknown);
                continue;
            }
            let (problem, entry_meant) = self.entry(entry, &whole, index == 0);
            // Of several commas in a row one is told of.
            if let Some(problem) = problem.filter(|_| !(entry.text.is_empty() && after_double)) {
                let at = entry.at.max(self.failed);
                let shown = if entry.text.is_empty() { "," } else { self.text.get(at..entry.end).unwrap_or("") };
                let (at, shown) = match &problem {
                    Problem::Odd(_) => entry.odd(self.text).unwrap_or((at, shown)),
                    _ => (at, shown),
                };
                let finding = Finding { at, found: shown.to_owned(), problem, fix: None, resume: self.end };
                found.push((index, finding));
            }
            meant.push(entry_meant);
        }
        if found.is_empty() {
            return self.touching();
        }
        let whole = self.fixed(&meant).filter(|fix| is_text(fix, self.meter));
        for (index, finding) in &mut found {
            let alone = || match meant.get(*index) {
                Some(Meant::So(fix)) if is_one(fix, self.meter) => Some(fix.clone()),
                _ => None,
            };
            finding.fix = whole.clone().or_else(alone);
        }
        found.into_iter().map(|(_, finding)| finding).collect()
    }

    /// What is wrong with an entry, and what was meant. `whole`: the entry with its bar.
    fn entry(&self, entry: &Entry, whole: &str, is_first: bool) -> (Option<Problem>, Meant) {
        if entry.text.is_empty() {
            return (Some(Problem::DoubleComma).filter(|_| !is_first), Meant::Nothing);
        }
        let so = |fix: String| {
            let names_bar = is_first || entry.text.contains('|');
            let beat = fix.split_once('|').map(|(_, beat)| beat.to_owned());
            Meant::So(beat.filter(|_| !names_bar).unwrap_or(fix))
        };
        if let Some((_, odd)) = entry.odd(self.text) {
            let odd = odd.chars().next().and_then(odd_character).unwrap_or_default();
            let plain = plain_characters(whole);
            let fix = if is_one(&plain, self.meter) { so(plain) } else { Meant::Unknown };
            return (Some(Problem::Odd(odd)), fix);
        }
        let mut items: Vec<Written> = Vec::new();
        let mut cursor = Cursor::new(whole);
        let reads = item(&mut cursor, self.meter, &mut items).is_some();
        let is_position = matches!(items.as_slice(), [Written { item: Item::Spot(_), .. }]);
        if reads && is_position && cursor.is_done() {
            if let Some(unfit) = items.first().and_then(|written| written.unfit(whole)) {
                return (Some(Problem::of(unfit)), Meant::Unknown);
            }
            if entry.end <= self.failed {
                return (None, Meant::Same);
            }
            return match (entry.blank_at_pipe, entry.torn, entry.comment) {
                (true, ..) => (Some(Problem::Position(BadPosition::Blanks)), Meant::So(entry.text.clone())),
                (_, true, _) => (Some(Problem::Blank), Meant::So(entry.text.clone())),
                (.., true) => (Some(Problem::CommentInList), Meant::Same),
                _ => (None, Meant::Same),
            };
        }
        if !is_first && count_items(&entry.text, self.meter).is_some() {
            return (Some(Problem::NotABeat), Meant::Apart(entry.text.clone()));
        }
        let tail = cursor.rest();
        // `n/8` behind a position may be a length, or an offset without its sign.
        if reads
            && is_position
            && tail.starts_with(|c: char| c.is_ascii_alphabetic() && c != 'n')
            && is_text(tail, self.meter)
        {
            let head = entry.text.strip_suffix(tail).unwrap_or(&entry.text);
            return (Some(Problem::NoSpace), Meant::So(format!("{head} {tail}")));
        }
        let lower = whole.to_ascii_lowercase();
        if lower != whole && is_one(&lower, self.meter) {
            return (Some(Problem::Case), so(lower));
        }
        if entry.text.starts_with('x') && !is_first {
            return (Some(Problem::NoListedBeat), Meant::Unknown);
        }
        let (problem, fix) = super::shape::entry(whole, self.meter);
        (Some(problem), fix.map_or(Meant::Unknown, so))
    }

    /// The list as it was meant, if all of it is clear.
    fn fixed(&self, meant: &[Meant]) -> Option<String> {
        let mut fixed = String::new();
        for (entry, meant) in self.entries.iter().zip(meant) {
            let (comma, part) = match meant {
                Meant::Same => (",", &entry.text),
                Meant::So(part) => (",", part),
                Meant::Apart(part) => (" ", part),
                Meant::Nothing => continue,
                Meant::Unknown => return None,
            };
            if !fixed.is_empty() {
                fixed.push_str(comma);
            }
            fixed.push_str(part);
            if fixed.len() > super::diagnose::LONGEST_FIX_BYTES {
                return None;
            }
        }
        Some(fixed)
    }

    /// A list that is right, and what touches its end.
    fn touching(&self) -> Vec<Finding> {
        let tail = self.text.get(self.end..).unwrap_or("");
        let (problem, length) = match tail.chars().next() {
            Some(closer @ (')' | ']')) => (Problem::NotOpen(closer), 1),
            Some('(') => (Problem::NoSpace, 0),
            _ => return Vec::new(),
        };
        let found =
            if length > 0 { tail.get(..length).unwrap_or("") } else { super::diagnose::word_at(self.text, self.end) };
        vec![Finding { at: self.end, found: found.to_owned(), problem, fix: None, resume: self.end + length }]
    }
}

impl Problem {
    pub(super) fn of(unfit: Unfit) -> Problem {
        match unfit {
            Unfit::RangeFromZero => Problem::RangeFromZero,
            Unfit::MixedPattern => Problem::MixedPattern,
            Unfit::StepNotAboveZero => Problem::StepNotAboveZero,
            Unfit::TooLarge => Problem::TooLarge,
            Unfit::TooFar => Problem::TooFar,
            Unfit::TooLong => Problem::TooLong,
        }
    }
}
