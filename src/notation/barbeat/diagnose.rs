//! What was probably meant by something that cannot be read.
//!
//! Nothing here changes what is accepted, and a fix is only offered if it can be read. The work is linear in what is
//! looked at, and at most ten mistakes are looked at in a text.

use super::bracket::bracket;
use super::item::{Unfit, Written, item};
use super::problem::{Finding, Problem};
use super::read::count_items;
use crate::music::position::{self, BadPosition};
use crate::music::text::Cursor;
use crate::music::{Meter, pitch};
use crate::notation::error::odd_character;

/// Fixes for longer texts than this are not tried.
const LONGEST_FIX_BYTES: usize = 200;

/// The mistake of an item that follows the grammar, if it has one.
pub(super) fn unfit(text: &str, written: &Written, meter: Meter) -> Option<Finding> {
    let found = text.get(written.start..written.end).unwrap_or("");
    let (problem, fix) = match written.unfit(text)? {
        Unfit::RangeFromZero => {
            (Problem::RangeFromZero, found.starts_with('v').then(|| format!("v1-{}", largest_number(found).max(1))))
        }
        Unfit::MixedPattern => (Problem::MixedPattern, None),
        Unfit::StepNotAboveZero => (Problem::StepNotAboveZero, None),
        Unfit::TooLarge => (Problem::TooLarge, None),
        Unfit::TooFar => (Problem::TooFar, None),
        Unfit::TooLong => (Problem::TooLong, None),
    };
    let fix = fix.filter(|fix| is_one(fix, meter));
    Some(Finding { at: written.start, found: found.to_owned(), problem, fix, resume: written.end })
}

fn largest_number(text: &str) -> u8 {
    text.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse::<u32>().ok()).max().unwrap_or(1).min(127) as u8
}

/// Whether a text is exactly one item.
pub(super) fn is_one(candidate: &str, meter: Meter) -> bool {
    candidate.len() <= LONGEST_FIX_BYTES
        && count_items(candidate, meter) == Some(1)
        && !candidate.starts_with([' ', '\t'])
}

/// Whether a text can be read and says something.
pub(super) fn is_text(candidate: &str, meter: Meter) -> bool {
    candidate.len() <= LONGEST_FIX_BYTES && count_items(candidate, meter).is_some_and(|count| count > 0)
}

/// The word at a place: up to a blank or a comment.
pub(super) fn word_at(text: &str, start: usize) -> &str {
    let rest = text.get(start..).unwrap_or("");
    let blank = |c: char| matches!(c, ' ' | '\t' | '\r' | '\n');
    let end = rest
        .char_indices()
        .find(|(at, c)| blank(*c) || *c == '/' && rest.get(at + 1..).is_some_and(|after| after.starts_with(['/', '*'])))
        .map_or(rest.len(), |(at, _)| at);
    rest.get(..end).unwrap_or("")
}

/// The next word on the same line.
fn next_word(text: &str, from: usize) -> Option<(usize, &str)> {
    let rest = text.get(from..)?;
    let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    let word = word_at(text, from + blanks);
    (blanks > 0 && !word.is_empty()).then_some((from + blanks, word))
}

/// What is wrong at `start`. `item_end`: an item could be read there, but something touches its end. `previous`: the item
/// read just before.
pub(super) fn diagnose(
    text: &str,
    start: usize,
    item_end: Option<usize>,
    previous: Option<(usize, usize)>,
    meter: Meter,
) -> Finding {
    let rest = text.get(start..).unwrap_or("");
    if rest.starts_with("/*") {
        return Finding { at: start, found: "/*".to_owned(), problem: Problem::Comment, fix: None, resume: text.len() };
    }
    if item_end.is_none() && rest.starts_with(['[', '(']) {
        return bracket(text, start, meter);
    }
    let word = if rest.starts_with(['[', '(']) {
        // The bracket itself was read; what touches its end was not.
        let end = item_end.unwrap_or(start);
        text.get(start..end + word_at(text, end).len()).unwrap_or("")
    } else {
        word_at(text, start)
    };
    let context = Word { text, word, start, item_end, previous, meter };
    context.diagnose()
}

/// A word that cannot be read, where it stands.
pub(super) struct Word<'a> {
    pub text: &'a str,
    pub word: &'a str,
    pub start: usize,
    /// Where an item that could be read ends, if something touches its end.
    pub item_end: Option<usize>,
    /// The item read just before.
    pub previous: Option<(usize, usize)>,
    pub meter: Meter,
}

impl Word<'_> {
    /// A finding about the whole word.
    pub(super) fn whole(&self, problem: Problem, fix: Option<String>) -> Finding {
        let fix = fix.filter(|fix| is_text(fix, self.meter));
        Finding { at: self.start, found: self.word.to_owned(), problem, fix, resume: self.start + self.word.len() }
    }

    pub(super) fn is_one(&self, candidate: &str) -> bool {
        is_one(candidate, self.meter)
    }

    pub fn diagnose(&self) -> Finding {
        let odd = self
            .word
            .char_indices()
            .find(|(_, c)| !matches!(c, '\u{266f}' | '\u{266d}') && odd_character(*c).is_some());
        if let Some((at, c)) = odd {
            let at = self.start + at;
            let problem = Problem::Odd(odd_character(c).unwrap_or_default());
            return Finding { at, found: c.to_string(), problem, fix: None, resume: self.start + self.word.len() };
        }
        if let Some(finding) = self.broken_list() {
            return finding;
        }
        if let Some(finding) = self.bare_number().or_else(|| self.blank_before()).or_else(|| self.blank_behind()) {
            return finding;
        }
        let first = self.word.chars().next().unwrap_or(' ');
        if matches!(first, ']' | ')') {
            let mut finding = self.whole(Problem::NotOpen(first), None);
            finding.found = first.to_string();
            finding.resume = self.start + 1;
            return finding;
        }
        let lower = self.word.to_lowercase();
        if lower != self.word && self.is_one(&lower) {
            return self.whole(Problem::Case, Some(lower));
        }
        if let Some(end) = self.item_end
            && let Some(finding) = self.touching(end)
        {
            return finding;
        }
        match first {
            '0'..='9' | '-' | '.' | '|' => self.number(),
            '@' => self.copy(),
            'v' => self.velocity(),
            'p' => self.probability(),
            'n' => self.note_value(),
            'A'..='G' | 'a'..='g' => self.pitch(),
            _ => self.anything(),
        }
    }

    /// `64`: a note number, or a number torn from its pipe or its `bar`.
    fn bare_number(&self) -> Option<Finding> {
        if !self.word.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let mut joined = self.word.to_owned();
        let mut end = self.start + self.word.len();
        for _ in 0..2 {
            let Some((at, word)) = next_word(self.text, end) else { break };
            if joined == self.word && !word.starts_with('|') && !word.to_ascii_lowercase().starts_with("bar") {
                break;
            }
            joined.push_str(word);
            end = at + word.len();
            if self.is_one(&joined) {
                return Some(self.up_to(end, joined));
            }
            if joined.contains('|') && !joined.ends_with('|') {
                // `2 | 0`: no reading in one piece, but a position all the same.
                let (problem, fix) = position::diagnose(&joined, self.meter);
                let mut finding = self.whole(Problem::Position(problem), fix);
                finding.found = self.text.get(self.start..end).unwrap_or("").to_owned();
                finding.resume = end;
                return Some(finding);
            }
        }
        let number = self.word.parse::<u8>().ok().filter(|n| *n <= 127);
        Some(self.whole(Problem::NoteNumber, number.map(pitch::name)))
    }

    /// A list of beats that goes on in the next line: `1|1,` and then `3`, or `1|1` and then `,3`.
    fn broken_list(&self) -> Option<Finding> {
        let (from, to) = self.previous?;
        let list = self.text.get(from..to).filter(|list| list.contains('|'))?;
        let comma = list.trim_end_matches([' ', '\t']).ends_with(',') != self.word.starts_with(',');
        let between = self.text.get(to..self.start)?;
        let joined = format!("{list}{}", self.word);
        let fits = comma && between.contains(['\r', '\n']) && self.is_one(&joined);
        fits.then(|| self.whole(Problem::BrokenList, Some(joined)))
    }

    /// Words from here to `end` that should have been one.
    fn up_to(&self, end: usize, joined: String) -> Finding {
        let problem = if joined.contains('|') { Problem::Position(BadPosition::Blanks) } else { Problem::Blank };
        let mut finding = self.whole(problem, Some(joined));
        finding.found = self.text.get(self.start..end).unwrap_or("").to_owned();
        finding.resume = end;
        finding
    }

    /// `n/8 t`: the word belongs to the item before it.
    fn blank_before(&self) -> Option<Finding> {
        let (from, to) = self.previous?;
        let between = self.text.get(to..self.start)?;
        if !between.bytes().all(|b| matches!(b, b' ' | b'\t')) {
            return None;
        }
        let joined = format!("{}{}", self.text.get(from..to)?, self.word);
        self.is_one(&joined).then(|| self.whole(Problem::Blank, Some(joined)))
    }

    /// `v 90`, `@2 = 1`: the next words belong to this one.
    fn blank_behind(&self) -> Option<Finding> {
        let mut joined = self.word.to_owned();
        let mut end = self.start + self.word.len();
        let mut found = None;
        for _ in 0..2 {
            let Some((at, word)) = next_word(self.text, end) else { break };
            joined.push_str(word);
            end = at + word.len();
            if self.is_one(&joined) {
                // `@2 =` already reads; with the word behind it may say more.
                found = Some((end, joined.clone()));
            }
            if joined.len() > LONGEST_FIX_BYTES || !joined.starts_with('@') && found.is_some() {
                break;
            }
        }
        found.map(|(end, joined)| self.up_to(end, joined))
    }

    /// An item was read up to `end`, and what touches it would be another.
    fn touching(&self, end: usize) -> Option<Finding> {
        let head = self.text.get(self.start..end)?;
        let tail = word_at(self.text, end);
        let tail_finding = |problem, fix: Option<String>, resume| Finding {
            at: end,
            found: tail.to_owned(),
            problem,
            fix: fix.filter(|fix| is_text(fix, self.meter)),
            resume,
        };
        if tail.starts_with(',') && !head.contains('|') {
            return Some(tail_finding(Problem::Comma, Some(self.word.replace(',', " ")), end + tail.len()));
        }
        if tail.starts_with([')', ']']) {
            let closer = tail.chars().next().unwrap_or(')');
            return Some(Finding {
                found: closer.to_string(),
                ..tail_finding(Problem::NotOpen(closer), None, end + 1)
            });
        }
        let spaced = format!("{head} {tail}");
        // `F24|1` could be cut in many places; only a cut between letters and such is sure.
        if is_text(&spaced, self.meter) || head.ends_with([']', ')']) {
            return Some(tail_finding(Problem::NoSpace, Some(spaced), end));
        }
        let apart = self.apart()?;
        Some(tail_finding(Problem::NoSpace, Some(apart), self.start + self.word.len()))
    }

    /// `C3D3E3` with spaces where one item ends and a letter starts the next.
    fn apart(&self) -> Option<String> {
        if self.word.len() > LONGEST_FIX_BYTES {
            return None;
        }
        let mut cursor = Cursor::new(self.word);
        let (mut apart, mut items) = (String::new(), Vec::new());
        while !cursor.is_done() {
            let start = cursor.at();
            if start > 0 {
                cursor.peek().filter(u8::is_ascii_alphabetic)?;
                apart.push(' ');
            }
            item(&mut cursor, self.meter, &mut items)?;
            apart.push_str(cursor.since(start));
        }
        Some(apart)
    }
}
