//! The grammar of a line: its tokens one after the other.

use super::score::{LineKind, Score, Token};
use super::token_parts::{
    BLANKS, Header, NoteName, chord_quality, length, note_name, pitch_class, read_header, repeat_count, suffixes,
};
use super::vocabulary::{Level, Ticks};
use crate::music::pitch;
use crate::music::text::Cursor;
use crate::notation::error::shortened;

/// What may stand between lines.
pub(super) const LINE_BLANKS: &[u8] = b" \t\r\n";

/// Whether a text can be read.
pub(super) fn is_readable(text: &str) -> bool {
    let mut reader = TokenReader::new(text);
    loop {
        reader.cursor.eat_while(LINE_BLANKS);
        if reader.cursor.is_at_end() {
            return true;
        }
        let Some(header) = read_header(&mut reader.cursor) else { return false };
        if reader.tokens(&header).is_some() {
            return false;
        }
    }
}

pub(super) struct TokenReader<'a> {
    pub cursor: Cursor<'a>,
    pub score: Score,
}

impl<'a> TokenReader<'a> {
    pub fn new(text: &'a str) -> TokenReader<'a> {
        TokenReader { cursor: Cursor::new(text), score: Score::default() }
    }
}

impl TokenReader<'_> {
    /// Tokens up to the end of the line or to the next header; gives the place where neither stands.
    pub fn tokens(&mut self, header: &Header) -> Option<usize> {
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
            let at = self.cursor.pos();
            let pitches = self.score.pitches.len();
            if self.token(header).is_some() {
                continue;
            }
            self.cursor.seek(at);
            self.score.pitches.truncate(pitches);
            let mut ahead = self.cursor;
            // On a chords line these letters always are a chord.
            let is_chord =
                header.kind == LineKind::Chords && ahead.peek().is_some_and(|b| b"ABCDEFGabcdefg".contains(&b));
            if is_chord {
                return Some(at);
            }
            return if read_header(&mut ahead).is_some() { None } else { Some(at) };
        }
    }

    /// One token. `None` may leave the cursor and the pitches anywhere.
    fn token(&mut self, header: &Header) -> Option<()> {
        let (at, pitches) = (self.cursor.pos(), self.score.pitches.len());
        let first = self.cursor.peek()?;
        match (first, header.kind) {
            (b'z' | b'Z', _) => {
                self.cursor.skip_char();
                let length = length(&mut self.cursor);
                self.push_token(at, pitches, Level::Normal, length, header);
                Some(())
            }
            (b'x' | b'X' | b'^', LineKind::Drum(_)) => {
                self.cursor.skip_char();
                let level = match first {
                    b'x' => Level::Soft,
                    b'X' => Level::Normal,
                    _ => Level::Accent,
                };
                let length = length(&mut self.cursor);
                self.push_token(at, pitches, level, length, header);
                if let Some(token) = self.score.tokens.last_mut() {
                    token.sounds = true;
                }
                Some(())
            }
            (b'[', LineKind::Pitched(_) | LineKind::Chords) => self.stack(header),
            (_, LineKind::Pitched(register)) => self.note(header, register),
            (_, LineKind::Chords) => self.chord(header),
            (_, LineKind::Drum(_)) => None,
        }
    }

    /// Adds a token that started at byte `at` and with pitch number `pitches`, and ends here, with the repeat that
    /// follows.
    fn push_token(&mut self, at: usize, pitches: usize, level: Level, length: Option<Ticks>, header: &Header) {
        let count = repeat_count(&mut self.cursor);
        let pitches = pitches..self.score.pitches.len();
        let length = length.unwrap_or(header.length);
        self.score.tokens.push(Token { at, sounds: false, pitches, length, level, count });
    }

    /// Adds a pitch to the token being read, unless it does not exist.
    fn push_pitch(&mut self, letter: &NoteName, octaves: i32, start: usize, end: usize) {
        let number = letter.number.saturating_add(octaves.saturating_mul(12));
        if letter.has_octave && !(0..=127).contains(&number) {
            let name = self.cursor.since(start);
            let name = name.get(..end.saturating_sub(start)).unwrap_or(name);
            self.score.warnings.add(|| out_of_range_text(name, number));
            return;
        }
        self.score.pitches.push(number.clamp(0, 127) as u8);
    }

    fn note(&mut self, header: &Header, register: i32) -> Option<()> {
        let start = self.cursor.pos();
        let pitches = self.score.pitches.len();
        let letter = note_name(&mut self.cursor, register)?;
        let end = self.cursor.pos();
        let suffixes = suffixes(&mut self.cursor, true);
        self.push_pitch(&letter, suffixes.octaves, start, end);
        self.push_token(start, pitches, suffixes.level.unwrap_or(Level::Normal), suffixes.length, header);
        Some(())
    }

    fn stack(&mut self, header: &Header) -> Option<()> {
        let (at, pitches) = (self.cursor.pos(), self.score.pitches.len());
        self.cursor.eat("[").then_some(())?;
        self.cursor.eat_while(BLANKS);
        let mut empty = true;
        while !self.cursor.eat("]") {
            let start = self.cursor.pos();
            let letter = note_name(&mut self.cursor, header.kind.register())?;
            let end = self.cursor.pos();
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
            self.push_pitch(&letter, octaves, start, end);
            empty = false;
        }
        if empty {
            return None;
        }
        let suffixes = suffixes(&mut self.cursor, false);
        self.push_token(at, pitches, suffixes.level.unwrap_or(Level::Normal), suffixes.length, header);
        Some(())
    }

    fn chord(&mut self, header: &Header) -> Option<()> {
        let (at, pitches) = (self.cursor.pos(), self.score.pitches.len());
        let root = pitch_class(&mut self.cursor)?.rem_euclid(12);
        let tones = chord_quality(&mut self.cursor)?;
        let bass = self.cursor.attempt(|c| if c.eat("/") { pitch_class(c) } else { None });
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
        self.push_token(at, pitches, suffixes.level.unwrap_or(Level::Normal), suffixes.length, header);
        // Symbols need something between them.
        matches!(self.cursor.peek(), None | Some(b' ' | b'\t' | b'\r' | b'\n' | b'|')).then_some(()).or_else(|| {
            self.score.tokens.pop();
            None
        })
    }
}

/// The warning about a note that names an octave which does not exist.
fn out_of_range_text(name: &str, number: i32) -> String {
    let name = shortened(name).unwrap_or_default();
    let (low, high, number) = (pitch::name(0), pitch::name(127), pitch::number_text(number));
    format!("{name} is pitch {number}; pitches run from {low} (0) to {high} (127), so the note is skipped")
}
