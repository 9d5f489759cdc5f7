//! The smallest written pieces that positions, durations, pitches and notations share: numbers, note values, pitch
//! names, and a cursor over them.
//!
//! Invariant: a method of [`Cursor`] that gives `None` has moved nothing, so alternatives may be tried in order.
//! Nothing here recurses, and nothing here judges ranges: a number too large for its place is the caller's matter.
//! See D1 in `docs/decisions.md`.

use super::meter::Meter;
use super::time::Beats;
use std::slice::SliceIndex;

/// Numbers in positions, lengths and counts may not be above this, nor may the times they come to (in quarter beats).
pub const LARGEST_NUMBER: f64 = 1e9;

/// Octaves past this are read as this one: their pitches' numbers would not fit, see [`super::pitch::number_text`].
pub const LARGEST_OCTAVE: u32 = 100_000_000;

/// A text that begins a sentence; where it begins with another script than ours, it stays.
pub fn capitalized(text: &str) -> String {
    let mut text = text.to_owned();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}

/// A text as a sentence: it begins as one, and ends with a full stop where it has no end of its own.
pub fn sentence(text: &str) -> String {
    let mut text = capitalized(text.trim());
    if !text.ends_with(['.', '!', '?']) {
        text.push('.');
    }
    text
}

/// A number of things in words: `1 clip`, `3 clips`. The word takes an `s` and no more.
pub fn counted(count: usize, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}

/// Whether a note value of a text that cannot be read has 0 for its denominator (`n/0`, not `n/04`).
pub fn has_zero_denominator(text: &str) -> bool {
    text.split('/').skip(1).any(|below| {
        let digits = below.len() - below.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        digits > 0 && below.bytes().take(digits).all(|b| b == b'0')
    })
}

/// A text with the leading zeros of its denominators left out: `n/04` as `n/4`.
pub fn without_zeros_in_denominators(text: &str) -> String {
    let mut parts = text.split('/');
    let mut fixed = parts.next().unwrap_or("").to_owned();
    for below in parts {
        fixed.push('/');
        fixed.push_str(below.trim_start_matches('0'));
    }
    fixed
}

/// A part of a text, given by byte places that a [`Cursor`] or a search in the same text gave out. Those lie in the
/// text and on the first byte of a character, so the part is always there; this is the one place that relies on it, and
/// a place that is none would give the empty text instead of a panic.
#[inline]
pub fn slice(text: &str, range: impl SliceIndex<str, Output = str>) -> &str {
    text.get(range).unwrap_or("")
}

/// A position in a text that moves forward as something is read.
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub fn new(text: &'a str) -> Cursor<'a> {
        Cursor { text, at: 0 }
    }

    /// The place, in bytes from the start of the text. Always on a character's first byte.
    #[inline]
    pub fn pos(&self) -> usize {
        self.at
    }

    /// Goes to a byte place. One that is inside a character or past the end goes to the end.
    #[inline]
    pub fn seek(&mut self, at: usize) {
        self.at = if self.text.is_char_boundary(at) { at } else { self.text.len() };
    }

    #[inline]
    pub fn rest(&self) -> &'a str {
        slice(self.text, self.at..)
    }

    /// The text from a byte place up to here.
    #[inline]
    pub fn since(&self, start: usize) -> &'a str {
        slice(self.text, start..self.at)
    }

    #[inline]
    pub fn is_at_end(&self) -> bool {
        self.at >= self.text.len()
    }

    #[inline]
    pub fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// The byte `ahead` bytes further on.
    #[inline]
    pub fn peek_ahead(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at.saturating_add(ahead)).copied()
    }

    #[inline]
    pub fn peek_char(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Steps over one character, whatever it is.
    #[inline]
    pub fn skip_char(&mut self) {
        self.at += self.peek_char().map_or(0, char::len_utf8);
    }

    /// Steps over `piece` if the text goes on with it, and gives whether it did.
    #[inline]
    pub fn eat(&mut self, piece: &str) -> bool {
        let found = self.rest().starts_with(piece);
        if found {
            self.at += piece.len();
        }
        found
    }

    /// Steps over bytes while they are among `bytes` (all ASCII).
    #[inline]
    pub fn eat_while(&mut self, bytes: &[u8]) {
        while self.peek().is_some_and(|b| bytes.contains(&b)) {
            self.at += 1;
        }
    }

    /// Tries a reader; goes back to the start if it gives `None`.
    pub fn attempt<T>(&mut self, reader: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let start = self.at;
        let read = reader(self);
        if read.is_none() {
            self.at = start;
        }
        read
    }

    /// Digits, perhaps none.
    #[inline]
    pub fn digits(&mut self) -> &'a str {
        let start = self.at;
        while self.peek().is_some_and(|b| b.is_ascii_digit()) {
            self.at += 1;
        }
        self.since(start)
    }

    /// A whole number; leading zeros are fine.
    #[inline]
    pub fn integer(&mut self) -> Option<f64> {
        let digits = self.digits();
        if digits.is_empty() { None } else { digits.parse().ok() }
    }

    /// A whole number from 1 without a leading zero.
    #[inline]
    pub fn positive_integer(&mut self) -> Option<f64> {
        if matches!(self.peek(), Some(b'1'..=b'9')) { self.integer() } else { None }
    }

    /// A number that starts with a digit 1 to 9; `2.` is 2.
    pub fn decimal_from_one(&mut self) -> Option<f64> {
        if matches!(self.peek(), Some(b'1'..=b'9')) { self.decimal() } else { None }
    }

    /// A number that starts with a digit; `2.` is 2.
    pub fn decimal(&mut self) -> Option<f64> {
        self.attempt(|c| {
            let start = c.at;
            if c.digits().is_empty() {
                return None;
            }
            if c.eat(".") {
                c.digits();
            }
            c.since(start).parse().ok()
        })
    }

    /// A note value without its `n`: `/8`, `3/16`, `1.5/4`, with a `d` or `t` behind it. In quarter beats.
    pub fn note_fraction(&mut self) -> Option<Beats> {
        self.attempt(|c| {
            let numerator = c.decimal().unwrap_or(1.0);
            if !c.eat("/") {
                return None;
            }
            let denominator = c.positive_integer()?;
            let quarters = 4.0 * numerator / denominator;
            Some(if c.eat("d") {
                quarters * 1.5
            } else if c.eat("t") {
                // One division, so that n/8t and n/12 are the same number.
                8.0 * numerator / (3.0 * denominator)
            } else {
                quarters
            })
        })
    }

    /// `+n<fraction>` or `-n<fraction>`, in quarter beats.
    pub fn offset(&mut self) -> Option<Beats> {
        self.attempt(|c| {
            let sign = match c.peek()? {
                b'+' => 1.0,
                b'-' => -1.0,
                _ => return None,
            };
            c.at += 1;
            if !c.eat("n") {
                return None;
            }
            Some(sign * c.note_fraction()?)
        })
    }

    /// The word `bar` or `bars`, which blanks may part from its number.
    pub fn bar_word(&mut self) -> bool {
        let found = self.attempt(|c| {
            c.eat_while(b" \t");
            (c.eat("bars") || c.eat("bar")).then_some(())
        });
        found.is_some()
    }

    /// A length: `n/8`, `4bar`, `1bar-n/8`, `n2bar`; in quarter beats. May come to 0 or less.
    pub fn length(&mut self, meter: Meter) -> Option<Beats> {
        self.attempt(|c| {
            if c.eat("n") {
                let bars = c.attempt(|c| {
                    let bars = c.positive_integer()?;
                    c.bar_word().then_some(bars * meter.bar_length())
                });
                return bars.or_else(|| c.note_fraction());
            }
            let bars = c.positive_integer()?;
            if !c.bar_word() {
                return None;
            }
            Some(bars * meter.bar_length() + c.offset().unwrap_or(0.0))
        })
    }

    /// A beat with its offset, `2`, `2.5`, `1+n/12`: quarter beats from the start of the bar.
    pub fn beat(&mut self, meter: Meter) -> Option<Beats> {
        let beat = self.decimal_from_one()?;
        Some((beat - 1.0) * meter.beat_length() + self.offset().unwrap_or(0.0))
    }

    /// A bar and its pipe, `4|`: the bar's number.
    pub fn bar(&mut self) -> Option<f64> {
        self.attempt(|c| {
            let bar = c.positive_integer()?;
            c.eat("|").then_some(bar)
        })
    }

    /// A pitch name with its octave: `C3`, `f#-1`, `Bb2`. C3 = 60; the number may lie outside 0..=127.
    pub fn pitch(&mut self) -> Option<i32> {
        self.attempt(|c| {
            let class = c.pitch_class()?;
            let negative = c.eat("-");
            let octave = c.integer()?.min(f64::from(LARGEST_OCTAVE)) as i32;
            Some(class + 12 * (2 + if negative { -octave } else { octave }))
        })
    }

    /// A pitch letter in any case, in semitones above C.
    #[inline]
    pub fn pitch_letter(&mut self) -> Option<i32> {
        let class = match self.peek()?.to_ascii_uppercase() {
            b'C' => 0,
            b'D' => 2,
            b'E' => 4,
            b'F' => 5,
            b'G' => 7,
            b'A' => 9,
            b'B' => 11,
            _ => return None,
        };
        self.at += 1;
        Some(class)
    }

    /// A pitch letter with its accidental, in semitones above C: -1 (`Cb`) to 12 (`B#`).
    pub fn pitch_class(&mut self) -> Option<i32> {
        let class = self.pitch_letter()?;
        let sharp = self.eat("#") || self.eat("\u{266f}");
        let flat = !sharp && (self.eat("b") || self.eat("B") || self.eat("\u{266d}"));
        Some(class + i32::from(sharp) - i32::from(flat))
    }
}

/// Writes a whole number to the end of a text. A long text has a hundred thousand of them, for which the formatter of
/// the standard library takes several times as long.
pub fn push_whole(text: &mut String, number: i64) {
    if let 0..=9 = number {
        text.push(char::from(b'0' + number as u8));
        return;
    }
    if number < 0 {
        text.push('-');
    }
    let mut left = number.unsigned_abs();
    let mut digits = [0; 20];
    let mut from = digits.len();
    for digit in digits.iter_mut().rev() {
        *digit = b'0' + (left % 10) as u8;
        left /= 10;
        from -= 1;
        if left == 0 {
            break;
        }
    }
    // Digits are text.
    text.push_str(std::str::from_utf8(digits.get(from..).unwrap_or_default()).unwrap_or_default());
}

/// A number with at most `places` decimals and no trailing zeros.
pub fn decimal_text(value: f64, places: usize) -> String {
    if value.fract() == 0.0 && value.abs() < 1e15 {
        return (value as i64).to_string();
    }
    let text = format!("{value:.places$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_written_as_the_formatter_writes_them() {
        for number in [0, 1, -1, 9, 10, 99, 100, -120, 123_456, i64::MAX, i64::MIN] {
            let mut text = String::from("v");
            push_whole(&mut text, number);
            assert_eq!(text, format!("v{number}"));
        }
    }
}
