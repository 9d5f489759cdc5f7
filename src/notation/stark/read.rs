//! The grammar: a text as sections of tokens, or everything that is wrong with it.

use super::diagnose::{self, Finding};
use super::play::out_of_range;
use super::vocabulary::{DRUMS, Level, QUARTER, Ticks, WHOLE, quality};
use crate::music::text::Cursor;
use crate::notation::error::MAX_MISTAKES;
use crate::notation::{Mistake, NotationErrors, Warnings};
use std::ops::Range;

/// What a line holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Hits of one pitch; the number may lie outside 0..=127.
    Drum(i32),
    /// Notes; the pitch of a bare C.
    Line(i32),
    Chords,
}

impl Kind {
    fn default_length(self) -> Ticks {
        if self == Kind::Chords { WHOLE } else { QUARTER }
    }

    fn register(self) -> i32 {
        match self {
            Kind::Line(register) => register,
            Kind::Drum(_) | Kind::Chords => 48,
        }
    }
}

/// A voice; it starts at 0, like every other one.
#[derive(Clone, Debug)]
pub(super) struct Section {
    pub kind: Kind,
    /// The bytes of the header's word.
    pub header: Range<usize>,
    /// Which of [`Score::tokens`] are its own.
    pub tokens: Range<usize>,
}

#[derive(Clone, Debug)]
pub(super) struct Token {
    /// The byte it starts at.
    pub at: usize,
    /// A hit, whose pitch the section knows.
    pub sounds: bool,
    /// Which of [`Score::pitches`] sound together.
    pub pitches: Range<usize>,
    pub length: Ticks,
    pub level: Level,
    /// How many times in a row, from 1.
    pub count: u64,
}

/// A text that can be read.
#[derive(Default)]
pub(super) struct Score {
    pub sections: Vec<Section>,
    pub tokens: Vec<Token>,
    pub pitches: Vec<u8>,
    pub warnings: Warnings,
}

/// The start of a line, up to and with its colon.
pub(super) struct Header {
    pub kind: Kind,
    pub word: Range<usize>,
    length: Ticks,
}

pub(super) const BLANKS: &[u8] = b" \t";
const LINE_BLANKS: &[u8] = b" \t\r\n";

/// Reads a whole text. After a mistake reading goes on behind what could not be read, so that independent mistakes are found
/// in one go.
pub(super) fn read(text: &str) -> Result<Score, NotationErrors> {
    let mut mistakes: Vec<Mistake> = Vec::new();
    let score = scan(text, |finding: Finding| {
        mistakes.push(finding.mistake(text));
        mistakes.len() < MAX_MISTAKES
    });
    if mistakes.is_empty() { Ok(score) } else { Err(NotationErrors::stopped("stark", mistakes)) }
}

/// Whether a text can be read.
pub(super) fn is_readable(text: &str) -> bool {
    let mut reader = Reader { cursor: Cursor::new(text), score: Score::default() };
    loop {
        reader.cursor.eat_while(LINE_BLANKS);
        if reader.cursor.is_done() {
            return true;
        }
        let Some(header) = header(&mut reader.cursor) else { return false };
        if reader.content(&header).is_some() {
            return false;
        }
    }
}

/// Reads a text and tells of each mistake; stops when `tell` says so.
fn scan(text: &str, mut tell: impl FnMut(Finding) -> bool) -> Score {
    let mut reader = Reader { cursor: Cursor::new(text), score: Score::default() };
    loop {
        reader.cursor.eat_while(LINE_BLANKS);
        if reader.cursor.is_done() {
            return reader.score;
        }
        let start = reader.cursor.at();
        let Some(header) = header(&mut reader.cursor) else {
            let finding = diagnose::header(text, start);
            reader.cursor.go(finding.resume.max(start + 1));
            if !tell(finding) {
                return reader.score;
            }
            continue;
        };
        let first = reader.score.tokens.len();
        let content_start = reader.cursor.at();
        while let Some(at) = reader.content(&header) {
            let finding = diagnose::content(text, content_start, at, header.kind);
            let resume = finding.resume;
            reader.cursor.go(resume);
            if resume <= at {
                // Never twice in one place.
                reader.cursor.go(at);
                reader.cursor.skip_char();
            }
            if !tell(finding) {
                return reader.score;
            }
        }
        let tokens = first..reader.score.tokens.len();
        reader.score.sections.push(Section { kind: header.kind, header: header.word, tokens });
    }
}

/// A header, if one stands here; the cursor is behind its colon then.
pub(super) fn header(cursor: &mut Cursor<'_>) -> Option<Header> {
    cursor.attempt(|c| {
        let start = c.at();
        let kind = header_word(c)?;
        let word = start..c.at();
        c.eat_while(BLANKS);
        let length = if c.peek() == Some(b'/') { value(c)? } else { kind.default_length() };
        c.eat_while(BLANKS);
        c.eat(":").then_some(Header { kind, word, length })
    })
}

/// The word a line starts with.
pub(super) fn header_word(cursor: &mut Cursor<'_>) -> Option<Kind> {
    let starts_with = |name: &str| {
        let ahead = cursor.rest().as_bytes().get(..name.len());
        ahead.is_some_and(|ahead| ahead.eq_ignore_ascii_case(name.as_bytes()))
    };
    let drum = DRUMS
        .iter()
        .flat_map(|(long, short, pitch)| [(*long, *pitch), (*short, *pitch)])
        .filter(|(name, _)| starts_with(name))
        .max_by_key(|(name, _)| name.len());
    let named = drum.map(|(name, pitch)| (name.len(), Kind::Drum(i32::from(pitch)))).or_else(|| {
        let lines = [("melody", Kind::Line(60)), ("bass", Kind::Line(36)), ("chords", Kind::Chords)];
        lines.into_iter().find(|(name, _)| starts_with(name)).map(|(name, kind)| (name.len(), kind))
    });
    if let Some((length, kind)) = named {
        cursor.go(cursor.at() + length);
        return Some(kind);
    }
    cursor.attempt(|c| {
        let class = class(c)?;
        Some(Kind::Drum(class + 12 * (octave(c)? + 2)))
    })
}

/// A letter with its accidental, in semitones above C. Unlike elsewhere a capital B is no flat.
pub(super) fn class(cursor: &mut Cursor<'_>) -> Option<i32> {
    let class = match cursor.peek()?.to_ascii_uppercase() {
        b'C' => 0,
        b'D' => 2,
        b'E' => 4,
        b'F' => 5,
        b'G' => 7,
        b'A' => 9,
        b'B' => 11,
        _ => return None,
    };
    cursor.skip_char();
    if cursor.eat("#") || cursor.eat("\u{266f}") {
        Some(class + 1)
    } else if cursor.eat("b") || cursor.eat("\u{266d}") {
        Some(class - 1)
    } else {
        Some(class)
    }
}

fn octave(cursor: &mut Cursor<'_>) -> Option<i32> {
    cursor.attempt(|c| {
        let negative = c.eat("-");
        // Beyond any octave that exists; keeps the arithmetic small.
        let octave = c.whole()?.min(1000.0) as i32;
        Some(if negative { -octave } else { octave })
    })
}

/// A length with its slash.
pub(super) fn value(cursor: &mut Cursor<'_>) -> Option<Ticks> {
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
fn repeat(cursor: &mut Cursor<'_>) -> u64 {
    let count = cursor.attempt(|c| if c.eat("*") { c.counting() } else { None });
    // What is too much to count is too much to write; that is found out later.
    count.map_or(1, |count| count as u64)
}

/// What is written behind a note, in any order; of two that say the same thing the last wins.
#[derive(Default)]
struct Suffixes {
    octaves: i32,
    length: Option<Ticks>,
    level: Option<Level>,
}

fn suffixes(cursor: &mut Cursor<'_>, with_octaves: bool) -> Suffixes {
    let mut suffixes = Suffixes::default();
    loop {
        match cursor.peek() {
            Some(b'\'') if with_octaves => suffixes.octaves = suffixes.octaves.saturating_add(1),
            Some(b',') if with_octaves => suffixes.octaves = suffixes.octaves.saturating_sub(1),
            Some(b'!') => suffixes.level = Some(Level::Accent),
            Some(b'?') => suffixes.level = Some(Level::Soft),
            Some(b'/') => match value(cursor) {
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
struct Letter {
    number: i32,
    /// With an octave of its own, it is not moved into the range.
    absolute: bool,
}

fn letter(cursor: &mut Cursor<'_>, register: i32) -> Option<Letter> {
    let class = class(cursor)?;
    Some(match octave(cursor) {
        Some(octave) => Letter { number: class + 12 * (octave + 2), absolute: true },
        None => Letter { number: register + class, absolute: false },
    })
}

struct Reader<'a> {
    cursor: Cursor<'a>,
    score: Score,
}

impl Reader<'_> {
    /// Tokens up to the end of the line or to the next header; gives the place where neither stands.
    fn content(&mut self, header: &Header) -> Option<usize> {
        loop {
            self.cursor.eat_while(BLANKS);
            match self.cursor.peek() {
                None | Some(b'\r' | b'\n') => return None,
                Some(b'|') => {
                    self.cursor.skip_char();
                    continue;
                }
                _ => {}
            }
            let at = self.cursor.at();
            let pitches = self.score.pitches.len();
            if self.token(header).is_some() {
                continue;
            }
            self.cursor.go(at);
            self.score.pitches.truncate(pitches);
            let mut ahead = self.cursor;
            // On a chords line these letters always are a chord.
            let is_chord = header.kind == Kind::Chords && ahead.peek().is_some_and(|b| b"ABCDEFGabcdefg".contains(&b));
            if is_chord {
                return Some(at);
            }
            return if self::header(&mut ahead).is_some() { None } else { Some(at) };
        }
    }

    /// One token. `None` may leave the cursor and the pitches anywhere.
    fn token(&mut self, header: &Header) -> Option<()> {
        let (at, pitches) = (self.cursor.at(), self.score.pitches.len());
        let first = self.cursor.peek()?;
        match (first, header.kind) {
            (b'z' | b'Z', _) => {
                self.cursor.skip_char();
                let length = value(&mut self.cursor);
                self.push(at, pitches, Level::Normal, length, header);
                Some(())
            }
            (b'x' | b'X' | b'^', Kind::Drum(_)) => {
                self.cursor.skip_char();
                let level = match first {
                    b'x' => Level::Soft,
                    b'X' => Level::Normal,
                    _ => Level::Accent,
                };
                let length = value(&mut self.cursor);
                self.push(at, pitches, level, length, header);
                if let Some(token) = self.score.tokens.last_mut() {
                    token.sounds = true;
                }
                Some(())
            }
            (b'[', Kind::Line(_) | Kind::Chords) => self.stack(header),
            (_, Kind::Line(register)) => self.note(header, register),
            (_, Kind::Chords) => self.symbol(header),
            (_, Kind::Drum(_)) => None,
        }
    }

    /// Adds a token that started at byte `at` and with pitch number `pitches`, and ends here, with the repeat that follows.
    fn push(&mut self, at: usize, pitches: usize, level: Level, length: Option<Ticks>, header: &Header) {
        let count = repeat(&mut self.cursor);
        let pitches = pitches..self.score.pitches.len();
        let length = length.unwrap_or(header.length);
        self.score.tokens.push(Token { at, sounds: false, pitches, length, level, count });
    }

    /// Adds a pitch to the token being read, unless it does not exist.
    fn pitch(&mut self, letter: &Letter, octaves: i32, start: usize, end: usize) {
        let number = letter.number.saturating_add(octaves.saturating_mul(12));
        if letter.absolute && !(0..=127).contains(&number) {
            let name = self.cursor.since(start);
            let name = name.get(..end.saturating_sub(start)).unwrap_or(name);
            self.score.warnings.add(|| out_of_range(name, number));
            return;
        }
        self.score.pitches.push(number.clamp(0, 127) as u8);
    }

    fn note(&mut self, header: &Header, register: i32) -> Option<()> {
        let start = self.cursor.at();
        let pitches = self.score.pitches.len();
        let letter = letter(&mut self.cursor, register)?;
        let end = self.cursor.at();
        let suffixes = suffixes(&mut self.cursor, true);
        self.pitch(&letter, suffixes.octaves, start, end);
        self.push(start, pitches, suffixes.level.unwrap_or(Level::Normal), suffixes.length, header);
        Some(())
    }

    fn stack(&mut self, header: &Header) -> Option<()> {
        let (at, pitches) = (self.cursor.at(), self.score.pitches.len());
        self.cursor.eat("[").then_some(())?;
        self.cursor.eat_while(BLANKS);
        let mut empty = true;
        while !self.cursor.eat("]") {
            let start = self.cursor.at();
            let letter = letter(&mut self.cursor, header.kind.register())?;
            let end = self.cursor.at();
            let mut octaves = 0_i32;
            loop {
                if self.cursor.eat("'") {
                    octaves = octaves.saturating_add(1);
                } else if self.cursor.eat(",") {
                    octaves = octaves.saturating_sub(1);
                } else {
                    break;
                }
            }
            self.cursor.eat_while(BLANKS);
            self.pitch(&letter, octaves, start, end);
            empty = false;
        }
        if empty {
            return None;
        }
        let suffixes = suffixes(&mut self.cursor, false);
        self.push(at, pitches, suffixes.level.unwrap_or(Level::Normal), suffixes.length, header);
        Some(())
    }

    fn symbol(&mut self, header: &Header) -> Option<()> {
        let (at, pitches) = (self.cursor.at(), self.score.pitches.len());
        let root = class(&mut self.cursor)?.rem_euclid(12);
        let tones = quality_at(&mut self.cursor)?;
        let bass = self.cursor.attempt(|c| if c.eat("/") { class(c) } else { None });
        let suffixes = suffixes(&mut self.cursor, true);
        let shift = suffixes.octaves.saturating_mul(12).saturating_add(48);
        if let Some(bass) = bass {
            // The highest octave below the root: 1 to 12 semitones down.
            let below = (root - bass - 1).rem_euclid(12) + 1;
            self.score.pitches.push(shift.saturating_add(root - below).clamp(0, 127) as u8);
        }
        for tone in tones {
            let pitch = shift.saturating_add(root + i32::from(*tone)).clamp(0, 127) as u8;
            if self.score.pitches.get(pitches..).is_some_and(|sounding| !sounding.contains(&pitch)) {
                self.score.pitches.push(pitch);
            }
        }
        self.push(at, pitches, suffixes.level.unwrap_or(Level::Normal), suffixes.length, header);
        // Symbols need something between them.
        matches!(self.cursor.peek(), None | Some(b' ' | b'\t' | b'\r' | b'\n' | b'|')).then_some(()).or_else(|| {
            self.score.tokens.pop();
            None
        })
    }
}

/// The characters of a chord's quality, and what they mean.
fn quality_at(cursor: &mut Cursor<'_>) -> Option<&'static [u8]> {
    let start = cursor.at();
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
        return quality(&written.replace('\u{266f}', "#").replace('\u{266d}', "b"));
    }
    quality(written)
}
