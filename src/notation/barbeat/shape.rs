//! What is wrong with a word that shows what it was to be: a number, a position, a velocity, a length, a pitch.

use super::diagnose::{Word, is_one, is_text};
use super::problem::{Finding, Problem};
use crate::music::Meter;
use crate::music::duration::{dotted, usual_note_value};
use crate::music::position::{self, BadPosition};
use crate::music::text::{Cursor, decimal_text, divides_by_zero, from_one};

impl Word<'_> {
    pub(super) fn number(&self) -> Finding {
        let word = self.word;
        if word.contains("bar") {
            let counted = from_one(word);
            if counted != word && self.is_one(&counted) {
                return self.whole(Problem::LeadingZero, Some(counted));
            }
            let fix = word.trim_start_matches('0');
            let fix = if fix.starts_with("bar") { "1bar" } else { fix };
            let problem = if divides_by_zero(word) { Problem::ZeroDenominator } else { Problem::Duration };
            return self.whole(problem, self.is_one(fix).then(|| fix.to_owned()));
        }
        let with_n = format!("n{word}");
        if word.contains('/') && self.is_one(&with_n) {
            return self.whole(Problem::NoteValueWithoutN, Some(with_n));
        }
        if divides_by_zero(word) {
            return self.whole(Problem::ZeroDenominator, None);
        }
        self.anything()
    }

    pub(super) fn copy(&self) -> Finding {
        let word = self.word;
        let bars = || word.trim_start_matches('@').split(['=', '-']);
        let Some(wrong) = bars().find(|bar| bar.starts_with('0')) else { return self.whole(Problem::Copy, None) };
        // No bar 0 is written to that could be meant as bar 1, which nothing stands before.
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
        self.whole(Problem::CopyBar(wrong.to_owned()), fix)
    }

    pub(super) fn velocity(&self) -> Finding {
        let number = self.word.get(1..).and_then(|n| n.parse::<f64>().ok()).filter(|n| (0.0..=127.0).contains(n));
        let fix = number.filter(|n| n.round() >= 1.0).map(|n| format!("v{}", n.round()));
        // Both ends of a range with a v.
        let once = Some(self.word.replacen("-v", "-", 1)).filter(|once| once != self.word && self.is_one(once));
        self.whole(Problem::Velocity, fix.or(once))
    }

    pub(super) fn probability(&self) -> Finding {
        let ratio = self.word.get(1..).and_then(|n| n.split_once('/')).and_then(|(above, below)| {
            let ratio = above.parse::<f64>().ok()? / below.parse::<f64>().ok()?;
            (0.0..=1.0).contains(&ratio).then(|| format!("p{}", decimal_text(ratio, 3)))
        });
        let percent = self.word.get(1..).and_then(|n| n.strip_suffix('%')).and_then(|n| n.parse::<f64>().ok());
        let percent = percent.filter(|n| (0.0..=100.0).contains(n)).map(|n| format!("p{}", decimal_text(n / 100.0, 3)));
        self.whole(Problem::Probability, ratio.or(percent))
    }

    pub(super) fn note_value(&self) -> Finding {
        let word = self.word;
        if let Some(problem) = duration_problem(word) {
            return self.whole(problem, None);
        }
        let number = word.get(1..).unwrap_or("");
        if !word.contains('/') && number.parse::<f64>().is_ok() || word.contains('+') && !word.contains("bar") {
            // n4 was meant as n/4; what n3 or n0.5 meant is not sure.
            return self.whole(Problem::NoDenominator, usual_note_value(number));
        }
        if let Some(fix) = Some(from_one(word)).filter(|fix| fix != word && self.is_one(fix)) {
            return self.whole(Problem::LeadingZero, Some(fix));
        }
        if let Some(fix) = dotted(word).filter(|fix| self.is_one(fix)) {
            return self.whole(Problem::Duration, Some(fix));
        }
        let fix = word.split_once('/').map(|(above, below)| {
            let above = if above == "n." || above.starts_with("n.") {
                above.replacen("n.", "n0.", 1)
            } else {
                above.to_owned()
            };
            format!("{above}/{}", below.trim_start_matches('0'))
        });
        self.whole(Problem::Duration, fix.filter(|fix| fix != word && self.is_one(fix)))
    }

    pub(super) fn pitch(&self) -> Finding {
        let mut cursor = Cursor::new(self.word);
        let has_octave = cursor.pitch().is_some();
        if !has_octave {
            cursor.pitch_class();
        }
        let tail = cursor.rest();
        if !has_octave && tail.is_empty() {
            return self.whole(Problem::NoOctave, Some(format!("{}3", self.word)));
        }
        if self.word.contains(',') {
            return self.anything();
        }
        let notes: Vec<&str> = self.word.split(['+', '/', '&']).collect();
        let is_note = |note: &&str| {
            let mut cursor = Cursor::new(note);
            cursor.pitch().is_some() && cursor.is_done()
        };
        if notes.len() > 1 && notes.iter().all(is_note) {
            return self.whole(Problem::JoinedNotes, Some(notes.join(" ")));
        }
        if is_chord_tail(tail) {
            return self.whole(Problem::ChordName, None);
        }
        // The accidental behind the octave.
        let flat = self.word.strip_suffix('b').and_then(|note| Some(format!("{}b{}", note.get(..1)?, note.get(1..)?)));
        self.whole(Problem::Pitch, flat.filter(|fix| has_octave && self.is_one(fix)))
    }

    pub(super) fn anything(&self) -> Finding {
        if self.word.contains(',') {
            let (spaced, resume) = self.chain();
            if is_text(&spaced, self.meter) {
                return Finding { resume, ..self.whole(Problem::Comma, Some(spaced)) };
            }
            if self.word.starts_with(',') || !self.word.contains('|') {
                return self.whole(Problem::Comma, None);
            }
        }
        // The German name of B, and other letters in the place of a note's.
        let note = self.word.starts_with(['H', 'h'])
            && self.word.get(1..).is_some_and(|tail| is_one(&format!("C{tail}"), self.meter));
        self.whole(if note { Problem::Pitch } else { Problem::Unknown }, None)
    }
}

/// What is wrong with one entry of a list of positions, which names its bar.
pub(super) fn entry(entry: &str, meter: Meter) -> (Problem, Option<String>) {
    let Some((point, repeat)) = entry.split_once('x') else {
        let (problem, fix) = position::diagnose(entry, meter);
        let problem = if problem == BadPosition::ListOrRepeat { BadPosition::Unreadable } else { problem };
        return (Problem::Position(problem), fix);
    };
    if !is_one(point, meter) {
        let (problem, fix) = position::diagnose(point, meter);
        return (Problem::Position(problem), fix.map(|fix| format!("{fix}x{repeat}")).filter(|fix| is_one(fix, meter)));
    }
    let mut cursor = Cursor::new(repeat);
    if cursor.counting().is_none() {
        let stripped = repeat.trim_start_matches('0');
        let fix = (stripped != repeat).then(|| format!("{point}x{stripped}"));
        return (Problem::Repeat, fix.filter(|fix| is_one(fix, meter)));
    }
    let head = format!("{point}x{}", cursor.since(0));
    if !cursor.eat("@") {
        return (Problem::Repeat, None);
    }
    let step = cursor.rest();
    if step.is_empty() {
        return (Problem::Repeat, Some(head));
    }
    if let Some(problem) = duration_problem(step) {
        return (problem, None);
    }
    let counted = format!("{head}@{}", from_one(step));
    if counted != entry && is_one(&counted, meter) {
        return (Problem::LeadingZero, Some(counted));
    }
    let fix = match step.strip_prefix('n') {
        Some(number) => usual_note_value(number).or_else(|| dotted(step)),
        None => position::value_without_n(step, meter),
    };
    let fix = fix.map(|step| format!("{head}@{step}")).filter(|fix| fix != entry && is_one(fix, meter));
    (Problem::BareStep, fix)
}

/// Whether what follows a note's letter (or a note with its octave) makes it the name of a chord: `m7`, `maj9`, `7sus4`, `/B`.
fn is_chord_tail(tail: &str) -> bool {
    const PARTS: [&str; 22] = [
        "maj", "min", "dim", "aug", "add", "sus", "m", "M", "13", "11", "9", "7", "6", "5", "4", "2", "b", "#", "+",
        "o7", "(", ")",
    ];
    let (name, bass) = tail.split_once('/').map_or((tail, None), |(name, bass)| (name, Some(bass)));
    let mut rest = name;
    while let Some(part) = PARTS.iter().find(|part| rest.starts_with(**part)) {
        rest = rest.get(part.len()..).unwrap_or("");
    }
    let bass = bass.is_none_or(|bass| {
        let mut cursor = Cursor::new(bass);
        cursor.pitch_class().is_some() && cursor.is_done()
            || !bass.is_empty() && bass.bytes().all(|b| b.is_ascii_digit())
    });
    !tail.is_empty() && rest.is_empty() && bass && !name.starts_with(['b', '#', ')', '4', '2'])
}

/// What is wrong with a length, where it is clear.
fn duration_problem(text: &str) -> Option<Problem> {
    if divides_by_zero(text) {
        return Some(Problem::ZeroDenominator);
    }
    let mixed = text.split(['+', '-']).any(|part| part.contains('/') && part.contains("bar"));
    mixed.then_some(Problem::MixedDuration)
}
