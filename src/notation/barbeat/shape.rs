//! What is wrong with a word that shows what it was to be: a number, a position, a velocity, a length, a pitch.

use super::diagnose::{Word, is_one, is_text};
use super::problem::{Finding, Problem};
use crate::music::position::{self, BadPosition};
use crate::music::text::{Cursor, decimal_text};

impl Word<'_> {
    pub(super) fn number(&self) -> Finding {
        let word = self.word;
        if word.contains('|') || !word.contains('/') && word.contains(['.', ':']) && !word.contains("bar") {
            return self.position();
        }
        if word.contains("bar") {
            let fix = word.trim_start_matches('0');
            let fix = if fix.starts_with("bar") { "1bar" } else { fix };
            let problem = if word.contains("/0") { Problem::ZeroDenominator } else { Problem::Duration };
            return self.whole(problem, self.is_one(fix).then(|| fix.to_owned()));
        }
        let with_n = format!("n{word}");
        if word.contains('/') && self.is_one(&with_n) {
            return self.whole(Problem::NoteValueWithoutN, Some(with_n));
        }
        if word.ends_with("/0") {
            return self.whole(Problem::ZeroDenominator, None);
        }
        self.anything()
    }

    /// A list of positions: the first entry that cannot be read is the mistake.
    pub(super) fn position(&self) -> Finding {
        let mut bar = "1";
        let mut at = 0;
        let entries: Vec<&str> = self.word.split(',').collect();
        for (index, entry) in entries.iter().enumerate() {
            let has_bar = entry.contains('|');
            let whole = if has_bar || index == 0 { (*entry).to_owned() } else { format!("{bar}|{entry}") };
            let last = index + 1 == entries.len();
            let trailing_comma = last && index > 0 && entry.is_empty();
            if entry.is_empty() && index > 0 && !last {
                let list = entries.iter().filter(|entry| !entry.is_empty()).copied().collect::<Vec<_>>().join(",");
                let mut finding = self.whole(Problem::DoubleComma, Some(list));
                finding.at = self.start + at;
                finding.found = ",".to_owned();
                return finding;
            }
            if !trailing_comma && !self.is_one(&whole) {
                let (problem, fix) = self.entry(if has_bar || index == 0 { entry } else { &whole });
                // The fix goes back to its place in the list, if the list can be read then.
                let fix = fix.and_then(|fix| {
                    let fix = if has_bar || index == 0 {
                        fix
                    } else {
                        fix.split_once('|').map_or(fix.clone(), |(_, beat)| beat.to_owned())
                    };
                    let mut fixed: Vec<&str> = entries.clone();
                    if let Some(slot) = fixed.get_mut(index) {
                        *slot = &fix;
                    }
                    let list = fixed.join(",");
                    if self.is_one(&list) { Some(list) } else { is_one(&fix, self.meter).then_some(fix) }
                });
                let mut finding = self.whole(problem, fix);
                finding.at = self.start + at;
                finding.found = if entry.is_empty() { ",".to_owned() } else { (*entry).to_owned() };
                return finding;
            }
            if let Some((named, _)) = entry.split_once('|') {
                bar = named;
            }
            at += entry.len() + 1;
        }
        self.anything()
    }

    /// What is wrong with one entry of a list of positions.
    pub(super) fn entry(&self, entry: &str) -> (Problem, Option<String>) {
        let Some((point, repeat)) = entry.split_once('x') else {
            let (problem, fix) = position::diagnose(entry, self.meter);
            let problem = if problem == BadPosition::ListOrRepeat { BadPosition::Unreadable } else { problem };
            return (Problem::Position(problem), fix);
        };
        if !self.is_one(point) {
            let (problem, fix) = position::diagnose(point, self.meter);
            return (Problem::Position(problem), fix.map(|fix| format!("{fix}x{repeat}")));
        }
        let mut cursor = Cursor::new(repeat);
        if cursor.counting().is_none() {
            let stripped = repeat.trim_start_matches('0');
            return (Problem::Repeat, (stripped != repeat).then(|| format!("{point}x{stripped}")));
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
        let with_n = format!("{head}@n{step}");
        if step.starts_with('/') || step.contains('/') && self.is_one(&with_n) {
            return (Problem::BareStep, Some(with_n));
        }
        // A bare number used to count beats.
        let beats = step.parse::<f64>().ok().filter(|beats| *beats > 0.0);
        let fix = beats.map(|b| format!("{head}@{}", crate::music::duration::note_value(b * self.meter.beat_length())));
        (Problem::BareStep, fix)
    }

    pub(super) fn copy(&self) -> Finding {
        let zero = self.word.trim_start_matches('@').split(['=', '-']).any(|bar| bar.starts_with('0'));
        self.whole(if zero { Problem::CopyBar } else { Problem::Copy }, None)
    }

    pub(super) fn velocity(&self) -> Finding {
        let number = self.word.get(1..).and_then(|n| n.parse::<f64>().ok()).filter(|n| (0.0..=127.0).contains(n));
        let fix = number.filter(|n| n.round() >= 1.0).map(|n| format!("v{}", n.round()));
        self.whole(Problem::Velocity, fix)
    }

    pub(super) fn probability(&self) -> Finding {
        let ratio = self.word.get(1..).and_then(|n| n.split_once('/')).and_then(|(above, below)| {
            let ratio = above.parse::<f64>().ok()? / below.parse::<f64>().ok()?;
            (0.0..=1.0).contains(&ratio).then(|| format!("p{}", decimal_text(ratio, 3)))
        });
        self.whole(Problem::Probability, ratio)
    }

    pub(super) fn note_value(&self) -> Finding {
        let word = self.word;
        if let Some(problem) = duration_problem(word) {
            return self.whole(problem, None);
        }
        let number = word.get(1..).unwrap_or("");
        if !word.contains('/') && number.parse::<f64>().is_ok() || word.contains('+') && !word.contains("bar") {
            // n4 was meant as n/4; what n3 or n0.5 meant is not sure.
            let usual = matches!(number, "1" | "2" | "4" | "8" | "16" | "32" | "64");
            return self.whole(Problem::NoDenominator, usual.then(|| format!("n/{number}")));
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
        let chordish = ["m", "M", "dim", "aug", "add", "sus", "+", "/", "5", "6", "7", "9", "11", "13", "o", "("];
        if chordish.iter().any(|start| tail.starts_with(start)) {
            return self.whole(Problem::ChordName, None);
        }
        self.whole(Problem::Pitch, None)
    }

    pub(super) fn anything(&self) -> Finding {
        let spaced = self.word.replace(',', " ");
        if spaced != self.word && (is_text(&spaced, self.meter) || self.word.starts_with(',')) {
            return self.whole(Problem::Comma, Some(spaced.trim().to_owned()));
        }
        if self.word.contains(',') && !self.word.contains('|') {
            return self.whole(Problem::Comma, None);
        }
        self.whole(Problem::Unknown, None)
    }
}

/// What is wrong with a length, where it is clear.
fn duration_problem(text: &str) -> Option<Problem> {
    if text.contains("/0") && text.split("/0").skip(1).all(|after| !after.starts_with(|c: char| c.is_ascii_digit())) {
        return Some(Problem::ZeroDenominator);
    }
    let mixed = text.split(['+', '-']).any(|part| part.contains('/') && part.contains("bar"));
    mixed.then_some(Problem::MixedDuration)
}
