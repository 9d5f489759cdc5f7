//! A line that is wholly in another notation: lists of events with place, pitch, length and velocity, as trackers and
//! MIDI lists have them. It is written right as a whole; what each word of it could be by itself would mislead.

use super::readable::is_readable;
use crate::music::text::{Cursor, decimal_text, slice};
use crate::music::{Beats, Meter, pitch, position};
use crate::notation::comments::skip_blanks_and_comments;

/// Longer lines are not looked at.
const LONGEST_LINE_BYTES: usize = 200;
/// A lone number beside a pitch that is above this is a velocity, else a length in beats.
const LONGEST_LIKELY_BEATS: f64 = 16.0;
/// Numbers from here on are more likely pitches than beats.
const LEAST_LIKELY_PITCH: f64 = 24.0;
/// Separators between the words of an event, beside blanks.
const SEPARATORS: [char; 4] = [',', ';', '(', ')'];
/// The shortest length that is written.
const SHORTEST_BEATS: f64 = 0.001;

/// The line in this notation, and where its last word ends, if every word of it is in another one. Comments are left
/// out.
pub(super) fn rewritten(line: &str, meter: Meter) -> Option<(String, usize)> {
    if line.len() > LONGEST_LINE_BYTES {
        return None;
    }
    let (apart, end) = words(line)?;
    let count = |sign: char| apart.iter().map(|word| word.matches(sign).count()).sum::<usize>();
    if count('(') != count(')') {
        return None;
    }
    // Commas are of lists of beats, but for those between pitches and of a line that has them all over.
    let is_listed = apart.split_last().is_some_and(|(_, before)| before.iter().all(|word| word.ends_with([',', ';'])));
    let listed: Vec<&str> = apart.iter().flat_map(|word| word.split([',', ';'])).filter(|w| !w.is_empty()).collect();
    let mut events: Vec<&str> = Vec::new();
    for word in &apart {
        let all: Vec<&str> = word.split(SEPARATORS).filter(|part| !part.is_empty()).collect();
        if is_listed || all.iter().all(|part| is_pitch(part)) { events.extend(all) } else { events.push(word) }
    }
    let written = numbers(&listed, meter)
        .or_else(|| placed_first(&events, meter))
        .or_else(|| placed_last(&events, meter))
        .or_else(|| from_beat(&events, meter))
        .or_else(|| in_a_row(&events, meter))
        .or_else(|| lettered(&listed, meter))?;
    is_readable(&written, meter).then_some((written, end))
}

/// The words of a line without its comments, and where the last of them ends.
fn words(line: &str) -> Option<(Vec<&str>, usize)> {
    let mut cursor = Cursor::new(line);
    let (mut words, mut end) = (Vec::new(), 0);
    loop {
        skip_blanks_and_comments(&mut cursor);
        if cursor.is_at_end() {
            return Some((words, end));
        }
        let rest = cursor.rest();
        let length = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let length = ["//", "/*"].iter().filter_map(|opens| rest.find(opens)).fold(length, usize::min);
        if length == 0 {
            // A comment that is not closed on this line.
            return None;
        }
        words.push(slice(rest, ..length));
        end = cursor.pos() + length;
        cursor.seek(end);
    }
}

/// One event while its words are read, in any order.
#[derive(Default)]
struct Event {
    velocity: Option<String>,
    length: Option<String>,
    pitches: Vec<String>,
    place: Option<String>,
    /// Lone numbers, in order.
    numbers: Vec<f64>,
    /// How many of them stand behind the place.
    behind: usize,
    /// A length is not written as this notation has it.
    is_foreign: bool,
}

impl Event {
    fn read(words: &[&str], meter: Meter) -> Option<Event> {
        let mut event = Event::default();
        let mut pitches_end = None;
        for (at, word) in words.iter().enumerate() {
            if is_pitch(word) {
                if pitches_end.is_some_and(|end| end != at) {
                    return None;
                }
                pitches_end = Some(at + 1);
                event.pitches.push((*word).to_owned());
            } else if event.place.is_none() && is_dotted(word, meter) {
                event.place = dotted_place(word, meter);
            } else if let Some(number) = number(word) {
                event.numbers.push(number);
                event.behind += usize::from(event.place.is_some());
            } else if let Some((length, is_foreign)) = length_word(word).filter(|_| event.length.is_none()) {
                event.length = Some(length);
                event.is_foreign |= is_foreign;
            } else if is_velocity_word(word) && event.velocity.is_none() {
                event.velocity = Some((*word).to_owned());
            } else {
                return None;
            }
        }
        Some(event)
    }

    /// Takes the lone numbers as a length, a velocity or both.
    fn take_numbers(&mut self) -> Option<()> {
        let (length, loudness) = match *self.numbers.as_slice() {
            [] => (None, None),
            [one] if self.length.is_some() || one > LONGEST_LIKELY_BEATS => (None, Some(one)),
            [one] => (Some(one), None),
            [length, loudness] if length <= LONGEST_LIKELY_BEATS => (Some(length), Some(loudness)),
            _ => return None,
        };
        if length.is_some() && self.length.is_some() || loudness.is_some() && self.velocity.is_some() {
            return None;
        }
        // This notation has its own default for a note without a length.
        self.length = self.length.take().or(length.filter(|length| *length > 0.0).map(beats));
        if let Some(loudness) = loudness {
            self.velocity = Some(velocity(loudness)?);
        }
        Some(())
    }

    fn written(self) -> Option<String> {
        let place = self.place.filter(|_| !self.pitches.is_empty())?;
        Some(
            [self.velocity.into_iter().chain(self.length).chain(self.pitches).collect::<Vec<_>>().join(" "), place]
                .join(" "),
        )
    }
}

/// `60 0 1 100`: pitch, start and length in beats, velocity, which may be left out.
fn numbers(words: &[&str], meter: Meter) -> Option<String> {
    let numbers = words.iter().map(|word| number(word)).collect::<Option<Vec<f64>>>()?;
    let of = |count: usize| {
        let events = numbers.chunks(count).map(|event| numbered(event, meter));
        events.collect::<Option<Vec<_>>>().filter(|events| !events.is_empty())
    };
    of(4).or_else(|| of(3)).map(|events| events.join(" "))
}

fn numbered(event: &[f64], meter: Meter) -> Option<String> {
    let (note, start, length, loudness) = match *event {
        [note, start, length, loudness] => (note, start, length, Some(loudness)),
        [note, start, length] if note >= LEAST_LIKELY_PITCH => (note, start, length, None),
        _ => return None,
    };
    // Four pitches are no event.
    if start >= LEAST_LIKELY_PITCH && length >= LEAST_LIKELY_PITCH {
        return None;
    }
    let event = Event {
        velocity: match loudness {
            Some(loudness) => Some(velocity(loudness)?),
            None => None,
        },
        length: (length > 0.0).then(|| beats(length)),
        pitches: vec![numbered_pitch(note)?],
        place: Some(position::format(start, meter)),
        ..Event::default()
    };
    event.written()
}

/// `1.1 C3 4 100 2.1 D3 4 90`: each event begins with its place; then pitches, by names or one by its number, length in
/// beats, velocity.
fn placed_first(words: &[&str], meter: Meter) -> Option<String> {
    let has_names = words.iter().any(|word| is_pitch(word));
    // A length may look like a place.
    let begins = |at: &usize| {
        let is_place = words.get(*at).is_some_and(|word| is_dotted(word, meter));
        is_place && (*at == 0 || !has_names || words.get(at + 1).is_some_and(|next| is_pitch(next)))
    };
    let starts: Vec<usize> = (0..words.len()).filter(begins).collect();
    if starts.first() != Some(&0) {
        return None;
    }
    begun_at(words, &starts, meter).or_else(|| begun_at(words, &[0], meter))
}

fn begun_at(words: &[&str], starts: &[usize], meter: Meter) -> Option<String> {
    let ends = starts.iter().copied().skip(1).chain([words.len()]);
    let mut written = Vec::new();
    for (from, to) in starts.iter().copied().zip(ends) {
        let mut event = Event::read(words.get(from..to)?, meter)?;
        if event.pitches.is_empty() {
            let (note, others) = event.numbers.split_first()?;
            if others.is_empty() || *note < LEAST_LIKELY_PITCH && others.len() < 2 {
                return None;
            }
            event.pitches.push(numbered_pitch(*note)?);
            event.numbers.remove(0);
        }
        event.take_numbers()?;
        written.push(event.written()?);
    }
    Some(written.join(" "))
}

/// `100 C3 1|1`, `C3 2 90 1|1`, `C3 1|1 2 90`: each event has its place behind its pitches.
fn placed_last(words: &[&str], meter: Meter) -> Option<String> {
    let places: Vec<usize> =
        (0..words.len()).filter(|at| words.get(*at).is_some_and(|word| is_dotted(word, meter))).collect();
    let mut written = Vec::new();
    let mut is_foreign = false;
    let mut from = 0;
    for (nth, place) in places.iter().enumerate() {
        let to = if places.len() == 1 { words.len() } else { place + 1 };
        let mut event = Event::read(words.get(from..to)?, meter)?;
        // Numbers behind a place may be beats of its list.
        let is_beat = words.get(from).and_then(|word| number(word)).is_some_and(|n| n <= LONGEST_LIKELY_BEATS);
        let is_loud = event.numbers.last().is_some_and(|last| *last > LONGEST_LIKELY_BEATS);
        if nth > 0 && is_beat || event.behind > 0 && (event.numbers.len() != 2 || !is_loud) {
            return None;
        }
        is_foreign |= event.is_foreign || !event.numbers.is_empty();
        event.take_numbers()?;
        written.push(event.written()?);
        from = to;
    }
    (is_foreign && from == words.len()).then(|| written.join(" "))
}

/// `0 C3 1 100`: start in beats, pitches, length, velocity.
fn from_beat(words: &[&str], meter: Meter) -> Option<String> {
    let mut written = Vec::new();
    let mut rest = words;
    while let Some((first, more)) = rest.split_first() {
        let start = number(first).filter(|start| *start < LEAST_LIKELY_PITCH || rest.len() < words.len())?;
        let pitches = more.iter().take_while(|word| is_pitch(word)).count();
        let count = more.iter().skip(pitches).take_while(|word| !is_pitch(word)).count();
        let behind = pitches + count;
        // The last word before the next pitch is the start of that event.
        let length = if behind < more.len() { behind.checked_sub(1)? } else { behind };
        let (own, next) = more.split_at_checked(length)?;
        let mut event = Event::read_unplaced(own)?;
        if event.numbers.is_empty() && event.length.is_none() {
            return None;
        }
        event.place = Some(position::format(start, meter));
        event.take_numbers()?;
        written.push(event.written()?);
        rest = next;
    }
    (!written.is_empty()).then(|| written.join(" "))
}

/// `C3 1 100`, `C4 1 D4 2`: pitches with length and velocity, one event behind the other.
fn in_a_row(words: &[&str], meter: Meter) -> Option<String> {
    // A place is no length.
    if words.iter().any(|word| is_dotted(word, meter)) {
        return None;
    }
    let (mut written, mut at) = (Vec::new(), 0.0);
    let mut rest = words;
    let mut is_sure = false;
    while !rest.is_empty() {
        let pitches = rest.iter().take_while(|word| is_pitch(word)).count();
        let numbers = rest.iter().skip(pitches).take_while(|word| !is_pitch(word)).count();
        let (own, next) = rest.split_at_checked(pitches + numbers).filter(|_| pitches > 0 && numbers > 0)?;
        let mut event = Event::read_unplaced(own)?;
        let length = *event.numbers.first().filter(|_| event.length.is_none() && !event.is_foreign)?;
        if length > LONGEST_LIKELY_BEATS || length <= 0.0 {
            return None;
        }
        is_sure |= event.numbers.len() == 2;
        event.place = Some(position::format(at, meter));
        event.take_numbers()?;
        written.push(event.written()?);
        at += length;
        rest = next;
    }
    // A pitch and a number alone may be anything.
    (is_sure || written.len() > 1).then(|| written.join(" "))
}

/// `C4 q D4 e`: each pitch with the letter of its length, one behind the other.
fn lettered(words: &[&str], meter: Meter) -> Option<String> {
    let (mut written, mut at) = (Vec::new(), 0.0);
    let mut words = words.iter();
    while let Some(first) = words.next() {
        let second = words.next()?;
        let (pitch, length) = if is_pitch(first) { (first, second) } else { (second, first) };
        let length = letter_beats(length).filter(|_| is_pitch(pitch))?;
        written.push(format!("{} {pitch} {}", beats(length), position::format(at, meter)));
        at += length;
    }
    (!written.is_empty()).then(|| written.join(" "))
}

impl Event {
    /// Reads words that hold no position, so a word with a point is a number.
    fn read_unplaced(words: &[&str]) -> Option<Event> {
        let mut event = Event::default();
        for word in words {
            if is_pitch(word) {
                event.pitches.push((*word).to_owned());
            } else if let Some(number) = number(word) {
                event.numbers.push(number);
            } else {
                event.length = Some(length_word(word).filter(|_| event.length.is_none())?.0);
                event.is_foreign = true;
            }
        }
        Some(event)
    }
}

/// A length in quarter beats.
fn beats(length: Beats) -> String {
    for denominator in [1_u32, 2, 4, 8, 16, 32] {
        if (length * f64::from(denominator) - 4.0).abs() < 1e-9 {
            return format!("n/{denominator}");
        }
    }
    format!("n{}/4", decimal_text(length.max(SHORTEST_BEATS), 3))
}

/// From 1 to 127, or a part of all there is.
fn velocity(loudness: f64) -> Option<String> {
    let whole = if loudness > 0.0 && loudness < 1.0 { (loudness * 127.0).round().max(1.0) } else { loudness };
    (whole.fract() == 0.0 && (1.0..=127.0).contains(&whole)).then(|| format!("v{whole}"))
}

fn numbered_pitch(note: f64) -> Option<String> {
    (note.fract() == 0.0 && (0.0..=127.0).contains(&note)).then(|| pitch::name(note as u8))
}

fn number(word: &str) -> Option<f64> {
    let is_plain = word.bytes().all(|b| b.is_ascii_digit() || b == b'.') && !word.starts_with('.');
    word.parse().ok().filter(|_| is_plain)
}

fn is_pitch(word: &str) -> bool {
    let mut cursor = Cursor::new(word);
    cursor.pitch().is_some() && cursor.is_at_end()
}

/// `v100`
fn is_velocity_word(word: &str) -> bool {
    word.strip_prefix('v').is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
}

/// `1/4` or `q` as a length of this notation, and whether it was none: `n/4` is.
fn length_word(word: &str) -> Option<(String, bool)> {
    if let Some(beats_of_letter) = letter_beats(word) {
        return Some((beats(beats_of_letter), true));
    }
    let (value, is_foreign) = word.strip_prefix('n').map_or((word, true), |value| (value, false));
    let (count, denominator) = value.split_once('/')?;
    let is_count = |text: &str| text.bytes().all(|b| b.is_ascii_digit()) && text.parse() != Ok(0u32);
    if !is_count(count) || denominator.is_empty() || !is_count(denominator) || is_foreign && count.is_empty() {
        return None;
    }
    Some((format!("n{}/{denominator}", if count == "1" { "" } else { count }), is_foreign))
}

fn is_dotted(word: &str, meter: Meter) -> bool {
    dotted_place(word, meter).is_some()
}

/// `1.1`, `1:1` or `1.1.3`: bar, beat and sixteenth; `1|1` too.
fn dotted_place(word: &str, meter: Meter) -> Option<String> {
    if word.contains('|') {
        return position::parse(word, meter).ok().map(|_| word.to_owned());
    }
    let parts = word.split(['.', ':']).map(|part| part.parse::<u32>().ok().filter(|n| *n > 0));
    match parts.collect::<Option<Vec<u32>>>()?.as_slice() {
        [bar, beat] => Some(format!("{bar}|{beat}")),
        [bar, beat, sixteenth @ 1..=4] => {
            let (bars, beat) = (f64::from(bar - 1) * meter.bar_length(), f64::from(beat - 1) * meter.beat_length());
            Some(position::format(bars + beat + f64::from(sixteenth - 1) / 4.0, meter))
        }
        _ => None,
    }
}

/// `q` is a quarter, `q.` a dotted one.
fn letter_beats(word: &str) -> Option<f64> {
    let (letter, dotted) = word.strip_suffix('.').map_or((word, false), |letter| (letter, true));
    let beats = match letter {
        "w" | "W" => 4.0,
        "h" | "H" => 2.0,
        "q" | "Q" => 1.0,
        "e" => 0.5,
        "s" | "S" => 0.25,
        _ => return None,
    };
    Some(if dotted { beats * 1.5 } else { beats })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_other_notations_are_rewritten() {
        for (line, written) in [
            ("1.1 C3 4 100", Some("v100 n/1 C3 1|1")),
            ("2:3 C3 E3 G3 0.5 90", Some("v90 n/8 C3 E3 G3 2|3")),
            ("1.2.3 C3", Some("C3 1|2.5")),
            ("C3 1.1 100", None),
            ("C3 1.3, 4", None),
            ("F2 2.3", None),
            ("1.1 C3 100", Some("v100 C3 1|1")),
            ("C3 1|1 2", None),
            ("C3 1|1 64", None),
            ("C3 1|1 2 3", None),
            ("C3 1|1 2 90", Some("v90 n/2 C3 1|1")),
            ("C3 2 90 1|1", Some("v90 n/2 C3 1|1")),
            ("C3 0.5 90 2.3", Some("v90 n/8 C3 2|3")),
            ("1|3 F#2 3", Some("n3/4 F#2 1|3")),
            ("C3 1 100", Some("v100 n/4 C3 1|1")),
            ("C4 q", Some("n/4 C4 1|1")),
            ("C4 q D4 e. E4 h", Some("n/4 C4 1|1 n0.75/4 D4 1|2 n/2 E4 1|2.75")),
            ("q C4", Some("n/4 C4 1|1")),
            ("60 0 1 100", Some("v100 n/4 C3 1|1")),
            ("60, 4.5, 0.25, 64", Some("v64 n/16 C3 2|1.5")),
            ("1.1 C3 4 100 // kick", Some("v100 n/1 C3 1|1")),
            ("/* kick */ 1.1 C3 4 100 # and more", Some("v100 n/1 C3 1|1")),
            ("60 0 1 100 // kick", Some("v100 n/4 C3 1|1")),
            ("C4 q // x", Some("n/4 C4 1|1")),
            ("1.1 C3 4 100 2.1 D3 4 90", Some("v100 n/1 C3 1|1 v90 n/1 D3 2|1")),
            ("60 0 1 100 62 1 1 90", Some("v100 n/4 C3 1|1 v90 n/4 D3 1|2")),
            ("1.1 60 4 100", Some("v100 n/1 C3 1|1")),
            ("1.1 60 1.5 100", Some("v100 n1.5/4 C3 1|1")),
            ("1.1 C3 1.5 100", Some("v100 n1.5/4 C3 1|1")),
            ("1.1 60 4 100 2.1 62 4 90", Some("v100 n/1 C3 1|1 v90 n/1 D3 2|1")),
            ("1.1.1 C3 1/4 100", Some("v100 n/4 C3 1|1")),
            ("0 C3 1 100", Some("v100 n/4 C3 1|1")),
            ("0 C3 1 100 4.5 D3 1 90", Some("v100 n/4 C3 1|1 v90 n/4 D3 2|1.5")),
            ("0, C3, 1, 100", Some("v100 n/4 C3 1|1")),
            ("4 C3 1|1", Some("n/1 C3 1|1")),
            ("100 C3 1|1", Some("v100 C3 1|1")),
            ("C3 1|1 100 D3 1|2", Some("C3 1|1 v100 D3 1|2")),
            ("C3 1|1 4 D3 1|2", None),
            ("1|1 100 n/4 C3", Some("v100 n/4 C3 1|1")),
            ("1.1 (C3 E3) 4 100", Some("v100 n/1 C3 E3 1|1")),
            ("1.1 C3,E3 4 100", Some("v100 n/1 C3 E3 1|1")),
            ("1.1 (C3 E3 4 100", None),
            ("60 0 1", Some("n/4 C3 1|1")),
            ("60 0 1 0.8", Some("v102 n/4 C3 1|1")),
            ("C4 1 D4 2", Some("n/4 C4 1|1 n/2 D4 1|2")),
            ("5.1 C3 0 100", Some("v100 C3 5|1")),
            ("1.1 C3 4 200", None),
            // Four pitches, a lone number, a list of positions, something else.
            ("60 64 67 72", None),
            ("C3 4", None),
            ("C3 60", None),
            ("1.1", None),
            ("1|1 2 3", None),
            ("v100 C3 1.1", None),
            ("Cm7 q", None),
            ("", None),
        ] {
            let read = rewritten(line, Meter::COMMON).map(|(written, _)| written);
            assert_eq!(read.as_deref(), written, "{line}");
        }
    }

    #[test]
    fn third_numbers_of_places_are_sixteenths() {
        for (numerator, denominator, written) in [(4, 4, "1|1.5"), (2, 2, "1|1.25"), (6, 8, "1|2"), (7, 16, "1|3")] {
            let meter = Meter::new(numerator, denominator).unwrap();
            let read = rewritten("1.1.3 C3 1 100", meter).map(|(written, _)| written);
            assert_eq!(read, Some(format!("v100 n/4 C3 {written}")), "{numerator}/{denominator}");
        }
    }
}
