//! What is wrong with a word, and what was meant by it.

use super::broken_word::BrokenWord;
use super::readable::{LONGEST_FIX_BYTES, is_readable};
use super::words::{next_word, word_at};
use crate::music::pitch;
use crate::music::text::{Cursor, slice};
use crate::notation::barbeat::grammar::read_item;
use crate::notation::barbeat::problem::{Finding, Problem};
use crate::notation::error::{ascii_lookalikes, describe_odd_character};

/// A note number below this (C0) is rarely meant where a beat or a bar could stand as well.
const LEAST_LIKELY_NOTE: u8 = 24;

fn is_named_note(word: &str) -> bool {
    let mut cursor = Cursor::new(word);
    cursor.pitch().is_some() && cursor.is_at_end()
}

impl BrokenWord<'_> {
    pub fn diagnose(&self) -> Finding {
        let odd = self
            .word
            .char_indices()
            .find(|(_, c)| !matches!(c, '\u{266f}' | '\u{266d}') && describe_odd_character(*c).is_some());
        if let Some((at, c)) = odd {
            let at = self.start + at;
            let problem = Problem::OddCharacter(describe_odd_character(c).unwrap_or_default());
            return Finding { at, found: c.to_string(), ..self.finding(problem, Some(ascii_lookalikes(self.word))) };
        }
        if let Some(finding) = self.blank_before().or_else(|| self.bare_number()).or_else(|| self.blank_behind()) {
            return finding;
        }
        let first = self.word.chars().next().unwrap_or(' ');
        if matches!(first, ']' | ')') {
            let mut finding = self.finding(Problem::NotOpen(first), None);
            finding.found = first.to_string();
            finding.resume = self.start + 1;
            return finding;
        }
        if self.word.starts_with("*/") {
            let finding = self.finding(Problem::NoCommentOpen, None);
            return Finding { found: "*/".to_owned(), resume: self.start + 2, ..finding };
        }
        let lower = self.word.to_lowercase();
        if lower != self.word && self.is_one_item(&lower) {
            return self.finding(Problem::Case, Some(lower));
        }
        if let Some(end) = self.item_end
            && let Some(finding) = self.touching_item(end)
        {
            return finding;
        }
        match first {
            '0'..='9' | '-' | '.' | '|' => self.number_finding(),
            '@' => self.copy_finding(),
            'v' => self.velocity_finding(),
            'p' => self.probability_finding(),
            'n' => self.note_value_finding(),
            'A'..='G' | 'a'..='g' => self.pitch_finding(),
            _ => self.unknown_finding(),
        }
    }

    /// `64`: a note number. Behind a place a small one may be a beat or a count, and what was meant is not sure;
    /// several of them are one mistake.
    fn bare_number(&self) -> Option<Finding> {
        let is_number = |word: &str| {
            word.starts_with(|c: char| c.is_ascii_digit())
                && word.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b','))
        };
        let number = self.word.parse::<u8>().ok().filter(|n| *n <= 127);
        let behind_place = self.previous.is_some_and(|before| before.is_place(self.text));
        if behind_place && is_number(self.word) && number.is_none_or(|n| n < LEAST_LIKELY_NOTE) {
            let mut finding = self.finding(Problem::BareNumber, None);
            while let Some((at, word)) = next_word(self.text, finding.resume).filter(|(_, word)| is_number(word)) {
                finding.resume = at + word.len();
            }
            finding.found = slice(self.text, self.start..finding.resume).to_owned();
            return Some(finding);
        }
        let whole = self.word.bytes().all(|b| b.is_ascii_digit());
        // Behind a note it is rather a length or a velocity.
        let behind_note = self.previous.is_some_and(|before| before.reads && before.is_note(self.text));
        // Before one too.
        let next = next_word(self.text, self.start + self.word.len());
        if whole && (behind_note || next.is_some_and(|(_, word)| is_named_note(word))) {
            return Some(self.finding(Problem::BareNumber, None));
        }
        whole.then(|| self.finding(Problem::NoteNumber, number.map(pitch::name)))
    }

    /// Words from here to `end` that should have been one.
    fn joined_up_to(&self, end: usize, joined: String) -> Finding {
        let mut finding = self.finding(Problem::Blank, Some(joined));
        finding.found = slice(self.text, self.start..end).to_owned();
        finding.resume = end;
        finding
    }

    /// `n/8 t`, `@2= 1`: the word belongs to the item before it. Lists of positions are diagnosed by `list`.
    fn blank_before(&self) -> Option<Finding> {
        let before = self.previous.filter(|before| before.reads && !before.is_position(self.text))?;
        let between = self.text.get(before.end..self.start)?;
        if !between.bytes().all(|b| matches!(b, b' ' | b'\t')) {
            return None;
        }
        let joined = format!("{}{}", self.text.get(before.start..before.end)?, self.word);
        let opens = self.word.starts_with(|c: char| c.is_ascii_digit()) && !joined.starts_with('@');
        (!opens && self.is_one_item(&joined)).then(|| self.finding(Problem::Blank, Some(joined)))
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
            if self.is_one_item(&joined) {
                // `@2 =` already reads; with the word behind it may say more.
                found = Some((end, joined.clone()));
            }
            if joined.len() > LONGEST_FIX_BYTES || !joined.starts_with('@') && found.is_some() {
                break;
            }
        }
        found.map(|(end, joined)| self.joined_up_to(end, joined))
    }

    /// An item was read up to `end`, and what touches it would be another.
    fn touching_item(&self, end: usize) -> Option<Finding> {
        let head = self.text.get(self.start..end)?;
        let tail = word_at(self.text, end);
        let tail_finding = |problem, fix: Option<String>, resume| Finding {
            at: end,
            found: tail.to_owned(),
            problem,
            fix: fix.filter(|fix| is_readable(fix, self.meter)),
            resume,
        };
        if tail.starts_with(',') {
            let (spaced, resume) = self.comma_chain();
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
        if is_readable(&spaced, self.meter) || head.ends_with([']', ')']) {
            return Some(tail_finding(Problem::NoSpace, Some(spaced), end));
        }
        let apart = self.split_items()?;
        Some(tail_finding(Problem::NoSpace, Some(apart), self.start + self.word.len()))
    }

    /// `C3D3E3` with spaces where one item ends and a letter starts the next.
    fn split_items(&self) -> Option<String> {
        if self.word.len() > LONGEST_FIX_BYTES {
            return None;
        }
        let mut cursor = Cursor::new(self.word);
        let (mut apart, mut items) = (String::new(), Vec::new());
        while !cursor.is_at_end() {
            let start = cursor.pos();
            if start > 0 {
                cursor.peek().filter(u8::is_ascii_alphabetic)?;
                apart.push(' ');
            }
            read_item(&mut cursor, self.meter, &mut items)?;
            apart.push_str(cursor.since(start));
        }
        Some(apart)
    }
}
