//! What is wrong with a word that shows what it was to be: a number, a position, a velocity, a length, a pitch.

use super::broken_word::BrokenWord;
use super::lengths::duration_problem;
use super::readable::{is_one_item, is_readable};
use crate::music::duration::{dotted_note_value, note_value_of_denominator};
use crate::music::text::{Cursor, decimal_text, has_zero_denominator, slice, without_zeros_in_denominators};
use crate::notation::barbeat::problem::{Finding, Problem};

impl BrokenWord<'_> {
    pub(super) fn number_finding(&self) -> Finding {
        let word = self.word;
        if word.contains("bar") {
            let counted = without_zeros_in_denominators(word);
            if counted != word && self.is_one_item(&counted) {
                return self.finding(Problem::LeadingZero, Some(counted));
            }
            let fix = word.trim_start_matches('0');
            let fix = if fix.starts_with("bar") { "1bar" } else { fix };
            let problem = if has_zero_denominator(word) { Problem::ZeroDenominator } else { Problem::Duration };
            return self.finding(problem, self.is_one_item(fix).then(|| fix.to_owned()));
        }
        let with_n = format!("n{word}");
        if word.contains('/') && self.is_one_item(&with_n) {
            return self.finding(Problem::NoteValueWithoutN, Some(with_n));
        }
        if has_zero_denominator(word) {
            return self.finding(Problem::ZeroDenominator, None);
        }
        self.unknown_finding()
    }

    pub(super) fn copy_finding(&self) -> Finding {
        let word = self.word;
        let bars = || word.trim_start_matches('@').split(['=', '-']);
        let Some(wrong) = bars().find(|bar| bar.starts_with('0')) else { return self.finding(Problem::Copy, None) };
        // `@0=` is not corrected to `@1=`: nothing stands before bar 1 that could be copied.
        let fixed = |bar: &str, least: &str| match bar.trim_start_matches('0') {
            "" if bar.is_empty() => String::new(),
            "" => least.to_owned(),
            counted => counted.to_owned(),
        };
        let range =
            |bars: &str, least: &str| bars.split('-').map(|bar| fixed(bar, least)).collect::<Vec<_>>().join("-");
        let fix = word
            .trim_start_matches('@')
            .split_once('=')
            .map(|(into, from)| format!("@{}={}", range(into, "0"), range(from, "1")));
        self.finding(Problem::CopyBar(wrong.to_owned()), fix)
    }

    pub(super) fn velocity_finding(&self) -> Finding {
        let number = self.word.get(1..).and_then(|n| n.parse::<f64>().ok()).filter(|n| (0.0..=127.0).contains(n));
        let fix = number.filter(|n| n.round() >= 1.0).map(|n| format!("v{}", n.round()));
        // Both ends of a range with a v.
        let once = Some(self.word.replacen("-v", "-", 1)).filter(|once| once != self.word && self.is_one_item(once));
        self.finding(Problem::Velocity, fix.or(once))
    }

    pub(super) fn probability_finding(&self) -> Finding {
        let ratio = self.word.get(1..).and_then(|n| n.split_once('/')).and_then(|(above, below)| {
            let ratio = above.parse::<f64>().ok()? / below.parse::<f64>().ok()?;
            (0.0..=1.0).contains(&ratio).then(|| format!("p{}", decimal_text(ratio, 3)))
        });
        let percent = self.word.get(1..).and_then(|n| n.strip_suffix('%')).and_then(|n| n.parse::<f64>().ok());
        let percent = percent.filter(|n| (0.0..=100.0).contains(n)).map(|n| format!("p{}", decimal_text(n / 100.0, 3)));
        self.finding(Problem::Probability, ratio.or(percent))
    }

    pub(super) fn note_value_finding(&self) -> Finding {
        let word = self.word;
        if let Some(problem) = duration_problem(word) {
            return self.finding(problem, None);
        }
        let number = slice(word, 1..);
        if !word.contains('/') && number.parse::<f64>().is_ok() || word.contains('+') && !word.contains("bar") {
            // n4 was meant as n/4; what n3 or n0.5 meant is not sure.
            return self.finding(Problem::NoDenominator, note_value_of_denominator(number));
        }
        if let Some(fix) = Some(without_zeros_in_denominators(word)).filter(|fix| fix != word && self.is_one_item(fix))
        {
            return self.finding(Problem::LeadingZero, Some(fix));
        }
        if let Some(fix) = dotted_note_value(word).filter(|fix| self.is_one_item(fix)) {
            return self.finding(Problem::Duration, Some(fix));
        }
        let fix = word.split_once('/').map(|(above, below)| {
            let above = if above == "n." || above.starts_with("n.") {
                above.replacen("n.", "n0.", 1)
            } else {
                above.to_owned()
            };
            format!("{above}/{}", below.trim_start_matches('0'))
        });
        self.finding(Problem::Duration, fix.filter(|fix| fix != word && self.is_one_item(fix)))
    }

    pub(super) fn pitch_finding(&self) -> Finding {
        let mut cursor = Cursor::new(self.word);
        let has_octave = cursor.pitch().is_some();
        if !has_octave {
            cursor.pitch_class();
        }
        let tail = cursor.rest();
        if !has_octave && tail.is_empty() {
            return self.finding(Problem::NoOctave, Some(format!("{}3", self.word)));
        }
        if self.word.contains(',') {
            return self.unknown_finding();
        }
        let notes: Vec<&str> = self.word.split(['+', '/', '&']).collect();
        let is_note = |note: &&str| {
            let mut cursor = Cursor::new(note);
            cursor.pitch().is_some() && cursor.is_at_end()
        };
        if notes.len() > 1 && notes.iter().all(is_note) {
            return self.finding(Problem::JoinedNotes, Some(notes.join(" ")));
        }
        if is_chord_tail(tail) {
            return self.finding(Problem::ChordName, None);
        }
        // The accidental behind the octave.
        let flat = self.word.strip_suffix('b').and_then(|note| Some(format!("{}b{}", note.get(..1)?, note.get(1..)?)));
        self.finding(Problem::Pitch, flat.filter(|fix| has_octave && self.is_one_item(fix)))
    }

    pub(super) fn unknown_finding(&self) -> Finding {
        if self.word.contains(',') {
            let (spaced, resume) = self.comma_chain();
            if is_readable(&spaced, self.meter) {
                return Finding { resume, ..self.finding(Problem::Comma, Some(spaced)) };
            }
            if self.word.starts_with(',') || !self.word.contains('|') {
                return self.finding(Problem::Comma, None);
            }
        }
        // The German name of B, and other letters in the place of a note's.
        let note = self.word.starts_with(['H', 'h'])
            && self.word.get(1..).is_some_and(|tail| is_one_item(&format!("C{tail}"), self.meter));
        self.finding(if note { Problem::Pitch } else { Problem::Unknown }, None)
    }
}

/// Whether what follows a note's letter (or a note with its octave) makes it the name of a chord: `m7`, `maj9`,
/// `7sus4`, `/B`.
fn is_chord_tail(tail: &str) -> bool {
    const PARTS: [&str; 22] = [
        "maj", "min", "dim", "aug", "add", "sus", "m", "M", "13", "11", "9", "7", "6", "5", "4", "2", "b", "#", "+",
        "o7", "(", ")",
    ];
    let (name, bass) = tail.split_once('/').map_or((tail, None), |(name, bass)| (name, Some(bass)));
    let mut rest = name;
    while let Some(part) = PARTS.iter().find(|part| rest.starts_with(**part)) {
        rest = slice(rest, part.len()..);
    }
    let bass = bass.is_none_or(|bass| {
        let mut cursor = Cursor::new(bass);
        cursor.pitch_class().is_some() && cursor.is_at_end()
            || !bass.is_empty() && bass.bytes().all(|b| b.is_ascii_digit())
    });
    !tail.is_empty() && rest.is_empty() && bass && !name.starts_with(['b', '#', ')', '4', '2'])
}
