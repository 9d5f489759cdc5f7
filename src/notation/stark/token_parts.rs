//! What tokens and headers are made of: names, lengths, letters, marks.
//!
//! A reader here that gives `None` has moved nothing where it is an alternative to another.

use super::score::LineKind;
use super::vocabulary::{DRUMS, Level, Ticks, quality_intervals};
use crate::music::text::{Cursor, LARGEST_OCTAVE};
use std::ops::Range;

pub(super) const BLANKS: &[u8] = b" \t";

/// The start of a line, up to and with its colon.
pub(super) struct Header {
    pub kind: LineKind,
    pub word: Range<usize>,
    pub length: Ticks,
}

/// A header, if one stands here; the cursor is behind its colon then.
pub(super) fn read_header(cursor: &mut Cursor<'_>) -> Option<Header> {
    cursor.attempt(|c| {
        let start = c.pos();
        let kind = header_kind(c)?;
        let word = start..c.pos();
        c.eat_while(BLANKS);
        let length = if c.peek() == Some(b'/') { length(c)? } else { kind.default_length() };
        c.eat_while(BLANKS);
        c.eat(":").then_some(Header { kind, word, length })
    })
}

/// The word a line starts with.
pub(super) fn header_kind(cursor: &mut Cursor<'_>) -> Option<LineKind> {
    let starts_with = |name: &str| {
        let ahead = cursor.rest().as_bytes().get(..name.len());
        ahead.is_some_and(|ahead| ahead.eq_ignore_ascii_case(name.as_bytes()))
    };
    let drum = DRUMS
        .iter()
        .flat_map(|(long, short, pitch)| [(*long, *pitch), (*short, *pitch)])
        .filter(|(name, _)| starts_with(name))
        .max_by_key(|(name, _)| name.len());
    let named = drum.map(|(name, pitch)| (name.len(), LineKind::Drum(i32::from(pitch)))).or_else(|| {
        let lines = [("melody", LineKind::Pitched(60)), ("bass", LineKind::Pitched(36)), ("chords", LineKind::Chords)];
        lines.into_iter().find(|(name, _)| starts_with(name)).map(|(name, kind)| (name.len(), kind))
    });
    if let Some((length, kind)) = named {
        cursor.seek(cursor.pos() + length);
        return Some(kind);
    }
    cursor.attempt(|c| {
        let class = pitch_class(c)?;
        Some(LineKind::Drum(class + 12 * (octave(c)? + 2)))
    })
}

/// A letter with its accidental, in semitones above C. Unlike elsewhere a capital B is no flat.
#[inline]
pub(super) fn pitch_class(cursor: &mut Cursor<'_>) -> Option<i32> {
    let class = cursor.pitch_letter()?;
    if cursor.eat("#") || cursor.eat("\u{266f}") {
        Some(class + 1)
    } else if cursor.eat("b") || cursor.eat("\u{266d}") {
        Some(class - 1)
    } else {
        Some(class)
    }
}

#[inline]
fn octave(cursor: &mut Cursor<'_>) -> Option<i32> {
    cursor.attempt(|c| {
        let negative = c.eat("-");
        let octave = c.integer()?.min(f64::from(LARGEST_OCTAVE)) as i32;
        Some(if negative { -octave } else { octave })
    })
}

/// A length with its slash.
#[inline]
pub(super) fn length(cursor: &mut Cursor<'_>) -> Option<Ticks> {
    cursor.attempt(|c| {
        c.eat("/").then_some(())?;
        let (_, plain) = [("16", 6), ("1", 96), ("2", 48), ("4", 24), ("8", 12)].into_iter().find(|(n, _)| c.eat(n))?;
        Some(if c.eat(".") {
            plain / 2 * 3
        } else if c.eat("t") {
            plain / 3 * 2
        } else {
            plain
        })
    })
}

/// `*N`; 1 where there is none.
#[inline]
pub(super) fn repeat_count(cursor: &mut Cursor<'_>) -> u64 {
    let count = cursor.attempt(|c| if c.eat("*") { c.positive_integer() } else { None });
    // A count that does not fit is refused later, as too many notes.
    count.map_or(1, |count| count as u64)
}

/// What is written behind a note, in any order; of two of a kind the last wins.
#[derive(Default)]
pub(super) struct Suffixes {
    pub octaves: i32,
    pub length: Option<Ticks>,
    pub level: Option<Level>,
}

#[inline]
pub(super) fn suffixes(cursor: &mut Cursor<'_>, with_octaves: bool) -> Suffixes {
    let mut suffixes = Suffixes::default();
    loop {
        match cursor.peek() {
            Some(b'\'') if with_octaves => suffixes.octaves = suffixes.octaves.saturating_add(1),
            Some(b',') if with_octaves => suffixes.octaves = suffixes.octaves.saturating_sub(1),
            Some(b'!') => suffixes.level = Some(Level::Accent),
            Some(b'?') => suffixes.level = Some(Level::Soft),
            Some(b'/') => match length(cursor) {
                Some(length) => {
                    suffixes.length = Some(length);
                    continue;
                }
                None => return suffixes,
            },
            _ => return suffixes,
        }
        cursor.skip_char();
    }
}

/// The letter of a note, before its octave marks.
pub(super) struct NoteName {
    pub number: i32,
    /// With an octave of its own, it is not moved into the range.
    pub has_octave: bool,
}

#[inline]
pub(super) fn note_name(cursor: &mut Cursor<'_>, register: i32) -> Option<NoteName> {
    let class = pitch_class(cursor)?;
    Some(match octave(cursor) {
        Some(octave) => NoteName { number: class + 12 * (octave + 2), has_octave: true },
        None => NoteName { number: register + class, has_octave: false },
    })
}

/// Reads the name of a chord's quality; gives its semitones above the root.
pub(super) fn chord_quality(cursor: &mut Cursor<'_>) -> Option<&'static [u8]> {
    let start = cursor.pos();
    let mut signs = false;
    while let Some(c) = cursor.peek_char() {
        signs |= matches!(c, '\u{266f}' | '\u{266d}');
        if !(c.is_ascii_alphanumeric() || matches!(c, '#' | '+' | '\u{266f}' | '\u{266d}')) {
            break;
        }
        cursor.skip_char();
    }
    let written = cursor.since(start);
    if signs && written.len() <= 16 {
        return quality_intervals(&written.replace('\u{266f}', "#").replace('\u{266d}', "b"));
    }
    quality_intervals(written)
}
