//! What was probably meant by something that cannot be read.
//!
//! Nothing here changes what is accepted, and a fix is only offered if it can be read. The work is linear in what is
//! looked at, and at most ten mistakes are looked at in a text.

use super::bracket::bracket;
use super::item::{Item, Unfit, Written, item};
use super::list::list;
use super::problem::{Finding, Problem};
use super::read::count_items;
use crate::music::text::Cursor;
use crate::music::{Meter, pitch};
use crate::notation::error::{odd_character, plain_characters};

/// Fixes for longer texts than this are not tried.
pub(super) const LONGEST_FIX_BYTES: usize = 200;

/// The mistakes of an item that follows the grammar, if it has any.
pub(super) fn unfit(text: &str, written: &Written, meter: Meter) -> Vec<Finding> {
    let Some(unfit) = written.unfit(text) else { return Vec::new() };
    if let Item::Pattern(_) = written.item {
        let findings = bracket(text, written.start, meter);
        if !findings.is_empty() {
            return findings;
        }
    }
    vec![unfit_finding(text, written, unfit, meter)]
}

pub(super) fn unfit_finding(text: &str, written: &Written, unfit: Unfit, meter: Meter) -> Finding {
    let found = text.get(written.start..written.end).unwrap_or("");
    let fix = match unfit {
        Unfit::RangeFromZero => Some(match largest_number(found) {
            0 => "v0".to_owned(),
            most => format!("v1-{most}"),
        }),
        _ => None,
    };
    let fix = fix.filter(|fix| is_one(fix, meter));
    Finding { at: written.start, found: found.to_owned(), problem: Problem::of(unfit), fix, resume: written.end }
}

fn largest_number(text: &str) -> u8 {
    text.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse::<u32>().ok()).max().unwrap_or(1).min(127) as u8
}

/// A note number below this (C0) is rarely meant where a beat or a bar could stand as well.
const LEAST_LIKELY_NOTE: u8 = 24;

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

/// The word at a place: up to a blank, a comment or a `[`. A `(` that is closed in the word is part of it.
pub(super) fn word_at(text: &str, start: usize) -> &str {
    let rest = text.get(start..).unwrap_or("");
    let mut before = 'C';
    let mut open = None;
    for (at, c) in rest.char_indices() {
        let comment = match c {
            '/' => rest.get(at + 1..).is_some_and(|after| after.starts_with(['/', '*'])),
            // A sharp, or too many of them.
            '#' => at > 0 && !before.is_alphabetic() && before != '#',
            _ => false,
        };
        if comment || matches!(c, ' ' | '\t' | '\r' | '\n') || c == '[' && at > 0 {
            return rest.get(..open.unwrap_or(at)).unwrap_or("");
        }
        match c {
            '(' if at > 0 => open = open.or(Some(at)),
            ')' => open = None,
            _ => {}
        }
        before = c;
    }
    rest.get(..open.unwrap_or(rest.len())).unwrap_or("")
}

/// The next word on the same line.
fn next_word(text: &str, from: usize) -> Option<(usize, &str)> {
    let rest = text.get(from..)?;
    let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    let word = word_at(text, from + blanks);
    (blanks > 0 && !word.is_empty()).then_some((from + blanks, word))
}

/// What stands before a mistake.
#[derive(Clone, Copy)]
pub(super) struct Before {
    pub start: usize,
    pub end: usize,
    /// It could be read.
    pub reads: bool,
}

impl Before {
    fn text(self, text: &str) -> &str {
        text.get(self.start..self.end).unwrap_or("")
    }

    pub fn is_position(self, text: &str) -> bool {
        self.text(text).contains('|')
    }

    /// A position or a copy of bars.
    pub fn is_place(self, text: &str) -> bool {
        self.is_position(text) || self.text(text).starts_with('@')
    }
}

/// Everything that is wrong at `start`. `item_end`: an item could be read there, but something touches its end.
pub(super) fn diagnose(
    text: &str,
    start: usize,
    item_end: Option<usize>,
    previous: Option<Before>,
    meter: Meter,
) -> Vec<Finding> {
    let rest = text.get(start..).unwrap_or("");
    if rest.starts_with("/*") {
        let found = "/*".to_owned();
        return vec![Finding { at: start, found, problem: Problem::Comment, fix: None, resume: text.len() }];
    }
    if item_end.is_none() && rest.starts_with(['[', '(']) {
        return bracket(text, start, meter);
    }
    let in_list = list(text, start, item_end, previous, meter);
    if !in_list.is_empty() {
        return in_list;
    }
    let word = if rest.starts_with(['[', '(']) {
        // The bracket itself was read; what touches its end was not.
        let end = item_end.unwrap_or(start);
        text.get(start..end + word_at(text, end).len()).unwrap_or("")
    } else {
        word_at(text, start)
    };
    let context = Word { text, word, start, item_end, previous, meter };
    vec![context.diagnose()]
}

/// A word that cannot be read, where it stands.
pub(super) struct Word<'a> {
    pub text: &'a str,
    pub word: &'a str,
    pub start: usize,
    /// Where an item that could be read ends, if something touches its end.
    pub item_end: Option<usize>,
    /// The item read just before.
    pub previous: Option<Before>,
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
            return Finding { at, found: c.to_string(), ..self.whole(problem, Some(plain_characters(self.word))) };
        }
        if let Some(finding) = self.blank_before().or_else(|| self.bare_number()).or_else(|| self.blank_behind()) {
            return finding;
        }
        let first = self.word.chars().next().unwrap_or(' ');
        if matches!(first, ']' | ')') {
            let mut finding = self.whole(Problem::NotOpen(first), None);
            finding.found = first.to_string();
            finding.resume = self.start + 1;
            return finding;
        }
        if self.word.starts_with("*/") {
            let finding = self.whole(Problem::NoCommentOpen, None);
            return Finding { found: "*/".to_owned(), resume: self.start + 2, ..finding };
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

    /// `64`: a note number, or a number torn from its `bar`. Behind a place a small one may be a beat or a count, and what was
    /// meant is not sure; several of them are one mistake.
    fn bare_number(&self) -> Option<Finding> {
        let is_number = |word: &str| {
            word.starts_with(|c: char| c.is_ascii_digit())
                && word.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b','))
        };
        let end = self.start + self.word.len();
        let whole = self.word.bytes().all(|b| b.is_ascii_digit());
        if whole
            && let Some((at, word)) =
                next_word(self.text, end).filter(|(_, w)| w.to_ascii_lowercase().starts_with("bar"))
        {
            let joined = format!("{}{word}", self.word);
            if self.is_one(&joined) {
                return Some(self.up_to(at + word.len(), joined));
            }
        }
        let number = self.word.parse::<u8>().ok().filter(|n| *n <= 127);
        let behind_place = self.previous.is_some_and(|before| before.is_place(self.text));
        if behind_place && is_number(self.word) && number.is_none_or(|n| n < LEAST_LIKELY_NOTE) {
            let mut finding = self.whole(Problem::BareNumber, None);
            while let Some((at, word)) = next_word(self.text, finding.resume).filter(|(_, word)| is_number(word)) {
                finding.resume = at + word.len();
            }
            finding.found = self.text.get(self.start..finding.resume).unwrap_or("").to_owned();
            return Some(finding);
        }
        whole.then(|| self.whole(Problem::NoteNumber, number.map(pitch::name)))
    }

    /// Words from here to `end` that should have been one.
    fn up_to(&self, end: usize, joined: String) -> Finding {
        let mut finding = self.whole(Problem::Blank, Some(joined));
        finding.found = self.text.get(self.start..end).unwrap_or("").to_owned();
        finding.resume = end;
        finding
    }

    /// `n/8 t`, `@2= 1`: the word belongs to the item before it. A list of positions looks after itself.
    fn blank_before(&self) -> Option<Finding> {
        let before = self.previous.filter(|before| before.reads && !before.is_position(self.text))?;
        let between = self.text.get(before.end..self.start)?;
        if !between.bytes().all(|b| matches!(b, b' ' | b'\t')) {
            return None;
        }
        let joined = format!("{}{}", self.text.get(before.start..before.end)?, self.word);
        let opens = self.word.starts_with(|c: char| c.is_ascii_digit()) && !joined.starts_with('@');
        (!opens && self.is_one(&joined)).then(|| self.whole(Problem::Blank, Some(joined)))
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
        if tail.starts_with(',') {
            let (spaced, resume) = self.chain();
            return Some(tail_finding(Problem::Comma, Some(spaced), resume));
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

    /// The words from here on that commas join, with spaces instead, and where they end. Only as far as all of it can be read.
    pub(super) fn chain(&self) -> (String, usize) {
        let mut end = self.start + self.word.len();
        let mut spaced = self.word.replace(',', " ").trim().to_owned();
        while let Some((at, word)) = next_word(self.text, end) {
            let joined = self.text.get(..end).is_some_and(|before| before.ends_with(',')) || word.starts_with(',');
            let longer = format!("{spaced} {}", word.replace(',', " ").trim());
            if !joined || !is_text(&longer, self.meter) {
                break;
            }
            (spaced, end) = (longer.trim().to_owned(), at + word.len());
        }
        (spaced, end)
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
