//! The syntax of `midi-json`: text or JSON values to the plain numbers of each note.

use super::super::error::{MAX_MISTAKES, odd_character, shown};
use super::super::{MAX_NOTES, Mistake, NotationErrors, Place};
use crate::music::text::Cursor;
use serde_json::{Map, Value};

const NAME: &str = "midi-json";
const BLANKS: &[u8] = b" \t\r\n";

/// The numbers of one note as they were written. `None`: not there.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fields {
    pub pitch: Option<f64>,
    pub start: Option<f64>,
    pub duration: Option<f64>,
    pub velocity: Option<f64>,
    pub deviation: Option<f64>,
    pub probability: Option<f64>,
    /// How strong the name was that gave each number: a short name beats a long one, and between equals the last wins.
    ranks: [u8; 6],
}

impl Fields {
    /// Takes a member; unknown names are ignored.
    fn set(&mut self, key: &str, value: f64) {
        let (index, rank) = match key {
            "p" => (0, 3),
            "pitch" => (0, 2),
            "t" => (1, 3),
            "start" => (1, 2),
            "d" => (2, 3),
            "duration" => (2, 2),
            "v" => (3, 3),
            "velocity" => (3, 2),
            "vd" => (4, 3),
            "velocityDeviation" => (4, 2),
            "deviation" => (4, 1),
            "c" => (5, 3),
            "probability" => (5, 2),
            _ => return,
        };
        let slots = [
            &mut self.pitch,
            &mut self.start,
            &mut self.duration,
            &mut self.velocity,
            &mut self.deviation,
            &mut self.probability,
        ];
        if let (Some(known), Some(slot)) = (self.ranks.get_mut(index), slots.into_iter().nth(index))
            && rank >= *known
        {
            *known = rank;
            *slot = Some(value);
        }
    }
}

/// What is wrong with a text or array.
#[derive(Clone, Debug, thiserror::Error)]
enum Problem {
    #[error("expected [ and then notes, as in [{{p:60,t:0,d:1,v:100}}]")]
    NoArray,
    #[error("expected a note in braces, such as {{p:60,t:0,d:1,v:100}}")]
    NoNote,
    #[error("expected , or ] after a note")]
    AfterNote,
    #[error("expected no comma before {0}")]
    TrailingComma(char),
    #[error("expected the end of the text after the closing ]")]
    AfterEnd,
    #[error("expected the name of a member (p, t, d, v, vd or c), bare or in quotes")]
    NoKey,
    #[error("expected : after \"{0}\"")]
    NoColon(String),
    #[error("expected a number or a ratio for \"{0}\", such as 60, 0.5, .5 or 2/3")]
    NoNumber(String),
    #[error("expected a number for \"{key}\": a pitch is given by its MIDI number, C3 is 60")]
    PitchName { key: String },
    #[error("expected , or }} after a member")]
    AfterMember,
    #[error("comments are no part of this notation")]
    Comment,
    #[error("{0}")]
    Odd(String),
}

/// `[-] digits [. digits] [e digits] [/ digits]`; also `.5`. Not finite when divided by zero.
fn number(cursor: &mut Cursor<'_>) -> Option<f64> {
    cursor.attempt(|c| {
        let start = c.at();
        c.eat("-");
        let whole = !c.digits().is_empty();
        if c.peek() == Some(b'.') && c.peek_ahead(1).is_some_and(|b| b.is_ascii_digit()) {
            c.eat(".");
            c.digits();
        } else if !whole {
            return None;
        }
        c.attempt(|c| {
            (c.eat("e") || c.eat("E")).then_some(())?;
            let _sign = c.eat("-") || c.eat("+");
            (!c.digits().is_empty()).then_some(())
        });
        let value: f64 = c.since(start).parse().ok()?;
        let ratio = c.attempt(|c| if c.eat("/") { c.whole() } else { None });
        Some(ratio.map_or(value, |below| value / below))
    })
}

struct Reader<'a> {
    cursor: Cursor<'a>,
    text: &'a str,
    notes: Vec<Fields>,
    mistakes: Vec<Mistake>,
}

/// Reads a whole text.
pub(super) fn text(text: &str) -> Result<Vec<Fields>, NotationErrors> {
    let mut reader = Reader { cursor: Cursor::new(text), text, notes: Vec::new(), mistakes: Vec::new() };
    reader.blanks();
    if !reader.cursor.is_done() {
        if reader.cursor.eat("[") {
            reader.notes()?;
        } else {
            reader.mistake(Problem::NoArray, None);
        }
    }
    if reader.mistakes.is_empty() { Ok(reader.notes) } else { Err(NotationErrors::stopped(NAME, reader.mistakes)) }
}

impl Reader<'_> {
    fn blanks(&mut self) {
        self.cursor.eat_while(BLANKS);
    }

    fn next_is(&self, byte: u8) -> bool {
        self.cursor.peek() == Some(byte)
    }

    /// Notes a mistake here.
    fn mistake(&mut self, problem: Problem, fix: Option<String>) {
        if self.is_full() {
            return;
        }
        let rest = self.cursor.rest();
        let odd = rest.chars().next().and_then(odd_character);
        let problem = match odd {
            Some(odd) => Problem::Odd(odd),
            None if rest.starts_with("//") || rest.starts_with("/*") || rest.starts_with('#') => Problem::Comment,
            None => problem,
        };
        let width = rest
            .char_indices()
            .find(|(at, c)| *at > 0 && (c.is_ascii_whitespace() || matches!(c, ',' | ']' | '}' | ':' | '{')))
            .map_or(rest.len(), |(at, _)| at);
        let found = rest.get(..width).unwrap_or("");
        self.mistakes.push(Mistake::in_text(self.text, self.cursor.at(), found, problem.to_string(), fix));
    }

    fn is_full(&self) -> bool {
        self.mistakes.len() >= MAX_MISTAKES
    }

    /// After the opening bracket.
    fn notes(&mut self) -> Result<(), NotationErrors> {
        self.blanks();
        let mut first = true;
        while !self.is_full() {
            if self.next_is(b']') {
                if !first {
                    self.mistake(Problem::TrailingComma(']'), None);
                }
                break;
            }
            if self.cursor.eat("{") {
                if self.notes.len() >= MAX_NOTES {
                    return Err(NotationErrors::TooManyNotes);
                }
                self.note();
            } else {
                self.mistake(Problem::NoNote, None);
                if self.cursor.is_done() {
                    return Ok(());
                }
                self.skip_past(b",]");
            }
            self.blanks();
            first = false;
            if self.cursor.eat(",") {
                self.blanks();
            } else if self.next_is(b']') {
                break;
            } else if self.cursor.is_done() || !self.next_is(b'{') {
                self.mistake(Problem::AfterNote, None);
                self.skip_past(b",]");
                if self.cursor.is_done() {
                    return Ok(());
                }
                if self.cursor.eat(",") {
                    self.blanks();
                }
            } else {
                self.mistake(Problem::AfterNote, None);
            }
        }
        if !self.is_full() && self.cursor.eat("]") {
            self.blanks();
            if !self.cursor.is_done() {
                self.mistake(Problem::AfterEnd, None);
            }
        }
        Ok(())
    }

    /// Goes to the next of `stops`, past what cannot be made sense of; always at least to it or to the end.
    fn skip_past(&mut self, stops: &[u8]) {
        let rest = self.cursor.rest();
        let ahead = rest.bytes().position(|b| stops.contains(&b)).unwrap_or(rest.len());
        self.cursor.go(self.cursor.at() + ahead);
    }

    /// After a note's opening brace; ends after its closing one.
    fn note(&mut self) {
        let mut fields = Fields::default();
        self.blanks();
        let mut open = !self.cursor.eat("}");
        while open {
            if self.is_full() {
                return;
            }
            if let Err((problem, fix)) = self.member(&mut fields) {
                self.mistake(problem, fix);
                self.skip_past(b",}");
            } else if !self.next_is(b',') && !self.next_is(b'}') {
                self.mistake(Problem::AfterMember, None);
                self.skip_past(b",}");
            }
            if self.cursor.eat("}") {
                open = false;
            } else if self.cursor.eat(",") {
                self.blanks();
                if self.next_is(b'}') {
                    self.mistake(Problem::TrailingComma('}'), None);
                    open = !self.cursor.eat("}");
                } else if self.next_is(b'{') {
                    // A brace that was never closed: what follows is the next note.
                    self.mistake(Problem::NoKey, None);
                    open = false;
                }
            } else {
                return;
            }
        }
        self.notes.push(fields);
    }

    /// One member with the blanks behind it; on a mistake the cursor stands at it.
    fn member(&mut self, fields: &mut Fields) -> Result<(), (Problem, Option<String>)> {
        let start = self.cursor.at();
        let quote = ["\"", "'"].into_iter().find(|quote| self.cursor.eat(quote));
        let key_start = self.cursor.at();
        if self.cursor.peek().is_some_and(|b| b.is_ascii_alphabetic()) {
            while self.cursor.peek().is_some_and(|b| b.is_ascii_alphanumeric()) {
                self.cursor.skip_char();
            }
        }
        let key = self.cursor.since(key_start);
        if key.is_empty() || quote.is_some_and(|quote| !self.cursor.eat(quote)) {
            self.cursor.go(start);
            return Err((Problem::NoKey, None));
        }
        self.blanks();
        if !self.cursor.eat(":") {
            return Err((Problem::NoColon(key.to_owned()), None));
        }
        self.blanks();
        let value_start = self.cursor.at();
        let value = number(&mut self.cursor);
        let ends =
            matches!(self.cursor.peek(), None | Some(b',' | b'}' | b']' | b' ' | b'\t' | b'\r' | b'\n' | b'"' | b'\''));
        match value {
            Some(value) if ends => fields.set(key, value),
            _ => {
                self.cursor.go(value_start);
                return Err(bad_number(key, self.cursor.rest()));
            }
        }
        self.blanks();
        Ok(())
    }
}

/// What is wrong with a member's value, and the number that was probably meant.
fn bad_number(key: &str, rest: &str) -> (Problem, Option<String>) {
    let value: String = rest.chars().take(64).take_while(|c| !matches!(c, ',' | '}' | ']')).collect();
    let value = value.trim().trim_matches(['"', '\'']);
    let mut pitch = Cursor::new(value);
    if matches!(key, "p" | "pitch")
        && let Some(midi) = pitch.pitch()
        && pitch.is_done()
        && (0..=127).contains(&midi)
    {
        return (Problem::PitchName { key: key.to_owned() }, Some(midi.to_string()));
    }
    let squeezed: String = value.chars().filter(|c| !c.is_whitespace()).collect();
    let candidate = squeezed.strip_prefix('+').unwrap_or(&squeezed).trim_end_matches('.');
    let mut cursor = Cursor::new(candidate);
    let fits = number(&mut cursor).is_some() && cursor.is_done();
    (Problem::NoNumber(key.to_owned()), fits.then(|| candidate.to_owned()))
}

/// Reads the values of a real JSON array.
pub(super) fn array(values: &[Value]) -> Result<Vec<Fields>, NotationErrors> {
    let mut notes = Vec::with_capacity(values.len());
    let mut mistakes = Vec::new();
    for (index, value) in values.iter().enumerate() {
        let mut fields = Fields::default();
        match value {
            Value::Object(object) => members(index, object, &mut fields, &mut mistakes),
            other => mistakes.push(Mistake {
                place: Place::Element { index, member: None },
                found: shown(&other.to_string()),
                problem: Problem::NoNote.to_string(),
                fix: None,
            }),
        }
        if mistakes.len() >= MAX_MISTAKES {
            mistakes.truncate(MAX_MISTAKES);
            break;
        }
        notes.push(fields);
    }
    if mistakes.is_empty() { Ok(notes) } else { Err(NotationErrors::stopped(NAME, mistakes)) }
}

fn members(index: usize, object: &Map<String, Value>, fields: &mut Fields, mistakes: &mut Vec<Mistake>) {
    for (key, value) in object {
        let read = match value {
            Value::Number(number) => number.as_f64(),
            Value::String(text) => {
                let mut cursor = Cursor::new(text);
                number(&mut cursor).filter(|_| cursor.is_done())
            }
            _ => None,
        };
        match read {
            Some(number) => fields.set(key, number),
            None => {
                let found = match value {
                    Value::String(text) => text.clone(),
                    other => other.to_string(),
                };
                let (problem, fix) = bad_number(key, &found);
                mistakes.push(Mistake {
                    place: Place::Element { index, member: Some(key.clone()) },
                    found: shown(&found),
                    problem: problem.to_string(),
                    fix,
                });
            }
        }
    }
}
