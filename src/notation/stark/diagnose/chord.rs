//! A word of a chords line that is no chord: its name, or what stands behind the name.

use super::line_text::{LONGEST_FIX_BYTES, is_readable_line, odd_character_at};
use super::token::ends_with_length;
use crate::music::text::{Cursor, slice};
use crate::notation::stark::problem::{Finding, Problem};
use crate::notation::stark::token_parts::{chord_quality, pitch_class, suffixes};

/// What is wrong with the word at `at`; it is named whole.
pub(super) fn diagnose_chord(text: &str, at: usize, word: &str) -> Finding {
    let finding =
        |problem, fix: Option<String>| Finding { at, found: word.to_owned(), problem, fix, resume: at + word.len() };
    let mut cursor = Cursor::new(word);
    if pitch_class(&mut cursor).is_none() || word.len() > LONGEST_FIX_BYTES {
        return finding(Problem::ChordToken, None);
    }
    let root = cursor.since(0);
    let is_chord = chord_quality(&mut cursor).is_some();
    let name = cursor.since(0);
    let rest = cursor.rest();
    let renamed = renamed_chord(root, slice(word, root.len()..)).filter(|fix| fix != word);
    if renamed.is_some() || !is_chord {
        return finding(Problem::Chord, renamed);
    }
    // The name is right.
    let _bass = cursor.attempt(|c| if c.eat("/") { pitch_class(c) } else { None });
    suffixes(&mut cursor, true);
    let (head, left) = (cursor.since(0), cursor.rest());
    let reads = |fix: String| Some(fix).filter(|fix| is_readable_line(&format!("chords: {fix}")));
    let first = left.chars().next();
    let touches = |resume| Finding { resume, ..finding(Problem::ChordsTouch, reads(format!("{head} {left}"))) };
    match first {
        // The word ends at something that looks like a blank, or like nothing.
        None => odd_character_at(text, at + word.len()).unwrap_or_else(|| finding(Problem::ChordToken, None)),
        // What stands in brackets is read on its own.
        Some('[') => touches(at + head.len()),
        Some('*') => {
            let digits = left.bytes().skip(1).take_while(u8::is_ascii_digit).count();
            let counted = !left.starts_with("*0") && digits > 0;
            match left.get(1 + digits..).and_then(|behind| behind.chars().next()) {
                // The repeat is right, and another chord begins.
                Some(c) if counted && (c == '[' || c.is_ascii_alphabetic()) => {
                    let (head, left) = word.split_at_checked(head.len() + 1 + digits).unwrap_or((word, ""));
                    let resume = if c == '[' { at + head.len() } else { at + word.len() };
                    Finding { resume, ..finding(Problem::ChordsTouch, reads(format!("{head} {left}"))) }
                }
                _ => finding(Problem::Repeat, repeat_last(head, left).and_then(reads)),
            }
        }
        Some('.' | 't') if ends_with_length(head) => finding(Problem::SecondModifier, None),
        Some('.') => finding(Problem::LoneDot, None),
        Some('0'..='9') if ends_with_length(head) => finding(Problem::ChordSlash, None),
        Some('/') => {
            let mut ahead = Cursor::new(slice(left, 1..));
            match pitch_class(&mut ahead) {
                // A bass behind a bass has no place to go to.
                Some(_) if !rest.starts_with('/') || rest.get(1..).is_some_and(|r| r.starts_with(char::is_numeric)) => {
                    let (bass, after) = left.split_at_checked(1 + ahead.pos()).unwrap_or((left, ""));
                    let marks = slice(head, name.len()..);
                    finding(Problem::LateBass, reads(format!("{name}{bass}{marks}{after}")))
                }
                _ => finding(Problem::ChordSlash, None),
            }
        }
        Some(c) if c.is_ascii_alphanumeric() => touches(at + word.len()),
        Some('(') if head == name => finding(Problem::Chord, None),
        Some(_) => odd_character_at(text, at + head.len()).unwrap_or_else(|| finding(Problem::ChordToken, None)),
    }
}

/// `C*2/8` with its repeat at the end.
fn repeat_last(head: &str, left: &str) -> Option<String> {
    let digits = left.get(1..)?.bytes().take_while(u8::is_ascii_digit).count();
    let (repeat, behind) = left.split_at_checked(1 + digits)?;
    let two = head.contains('/') && behind.contains('/');
    (digits > 0 && !behind.is_empty() && !two).then(|| format!("{head}{behind}{repeat}"))
}

/// A chord as it is called here, where others call it otherwise.
fn renamed_chord(root: &str, quality: &str) -> Option<String> {
    let spelled = quality
        .replace(['(', ')'], "")
        .replace("major", "maj")
        .replace("Major", "maj")
        .replace("MAJ", "maj")
        .replace("Maj", "maj")
        .replace("minor", "m")
        .replace("Minor", "m")
        .replace("MIN", "m")
        .replace("Min", "m")
        .replace("DIM", "dim")
        .replace("6/9", "69")
        .replace('\u{b0}', "dim")
        .replace("\u{f8}7", "m7b5")
        .replace('\u{f8}', "m7b5")
        .replace("\u{394}7", "maj7")
        .replace("\u{25b3}7", "maj7")
        .replace(['\u{394}', '\u{25b3}'], "maj7");
    let minor = spelled.replacen('-', "m", 1);
    let both = minor.replacen("min", "m", 1).replacen("mmaj7", "mMaj7", 1).replacen("mM7", "mMaj7", 1);
    let candidates = [minor, spelled.replacen("min", "m", 1), both];
    let lines = candidates.into_iter().map(|quality| format!("{root}{quality}"));
    // A name that is right already is not spelled anew.
    let reads = |line: &String| is_readable_line(&format!("chords: {line}"));
    lines.into_iter().find(reads)
}
