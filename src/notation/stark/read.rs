//! The grammar: a text as sections of tokens, or everything that is wrong with it.

use super::diagnose::{self, Finding, Spot};
use super::pieces::{BLANKS, Header, Letter, class, header, letter, quality_at, repeat, suffixes, value};
use super::play::out_of_range;
use super::vocabulary::{Level, QUARTER, Ticks, WHOLE};
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
    pub fn default_length(self) -> Ticks {
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
        let mut from = reader.cursor.at();
        while let Some(at) = reader.content(&header) {
            let tokens = reader.score.tokens.get(first..).unwrap_or(&[]);
            let previous = tokens.last().map(|token| token.at).filter(|previous| *previous >= from);
            let finding = diagnose::content(text, Spot { from, previous, at, kind: header.kind });
            let resume = finding.resume;
            reader.cursor.go(resume);
            if resume <= at {
                // Never twice in one place.
                reader.cursor.go(at);
                reader.cursor.skip_char();
            }
            from = reader.cursor.at();
            if !tell(finding) {
                return reader.score;
            }
        }
        let tokens = first..reader.score.tokens.len();
        reader.score.sections.push(Section { kind: header.kind, header: header.word, tokens });
    }
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
            return if super::pieces::header(&mut ahead).is_some() { None } else { Some(at) };
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
