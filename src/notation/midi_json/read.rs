//! The syntax of `midi-json`: a text to the plain numbers of each note.
//!
//! After a mistake reading goes on behind the whole of what could not be read (a string, a list, an object), so that one
//! fault is told once and the next note is read as one. Each mistake costs at most a walk over the rest of the text.

use super::fields::{Fields, Unknown};
use super::problem::{Problem, bad_number};
use crate::music::text::Cursor;
use crate::notation::error::{MAX_MISTAKES, odd_character};
use crate::notation::{MAX_NOTES, Mistake, NotationErrors};

pub(super) const NAME: &str = "midi-json";
const BLANKS: &[u8] = b" \t\r\n";
/// A longer object is not tried as a note that lacks its list.
const LONGEST_FIX_BYTES: usize = 400;

/// What a list says, note by note.
#[derive(Debug, Default)]
pub(super) struct Read {
    pub notes: Vec<Fields>,
    pub unknown: Unknown,
}

/// `[-] digits [. digits] [e digits] [/ digits]`; also `.5`. Not finite when divided by zero.
pub(super) fn number(cursor: &mut Cursor<'_>) -> Option<f64> {
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
    read: Read,
    mistakes: Vec<Mistake>,
    /// The byte place of the last mistake; there is one in a place.
    last_mistake: Option<usize>,
}

/// What may come next in the list.
#[derive(Clone, Copy, PartialEq)]
enum Next {
    /// A note, or the end where there was none yet.
    Note,
    /// A comma or the end.
    Comma,
    /// Any of them: what comes is behind a mistake.
    Any,
}

/// Reads a whole text.
pub(super) fn text(text: &str) -> Result<Read, NotationErrors> {
    let mut reader = Reader::new(text);
    reader.blanks();
    if !reader.cursor.is_done() {
        if reader.cursor.eat("[") {
            reader.list()?;
        } else {
            let (problem, fix) = no_array(reader.cursor.rest());
            reader.mistake(problem, fix);
        }
    }
    if reader.mistakes.is_empty() { Ok(reader.read) } else { Err(NotationErrors::stopped(NAME, reader.mistakes)) }
}

/// What a text is that does not start as a list.
fn no_array(rest: &str) -> (Problem, Option<String>) {
    if rest.starts_with("```") {
        return (Problem::Fence, None);
    }
    let Some(inside) = rest.strip_prefix('{') else { return (Problem::NoArray, None) };
    let key = inside.trim_start().trim_start_matches(['"', '\'']);
    if key.starts_with("notes") {
        return (Problem::Wrapped, None);
    }
    let listed = format!("[{}]", rest.trim_end());
    let mut reader = Reader::new(&listed);
    let reads = listed.len() <= LONGEST_FIX_BYTES
        && reader.cursor.eat("[")
        && reader.list().is_ok()
        && reader.mistakes.is_empty();
    (Problem::NoArray, reads.then_some(listed))
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Reader<'a> {
        let read = Read::default();
        Reader { cursor: Cursor::new(text), text, read, mistakes: Vec::new(), last_mistake: None }
    }
}

impl Reader<'_> {
    fn blanks(&mut self) {
        self.cursor.eat_while(BLANKS);
    }

    fn next_is(&self, byte: u8) -> bool {
        self.cursor.peek() == Some(byte)
    }

    /// Notes a mistake here, unless one is noted here already.
    fn mistake(&mut self, problem: Problem, fix: Option<String>) {
        let at = self.cursor.at();
        if self.is_full() || self.last_mistake == Some(at) {
            return;
        }
        self.last_mistake = Some(at);
        let rest = self.cursor.rest();
        let first = rest.chars().next();
        let curly = match first {
            Some('\u{201c}' | '\u{201d}' | '\u{201e}') => Some("\""),
            Some('\u{2018}' | '\u{2019}') => Some("'"),
            _ => None,
        };
        let fix = curly.map(str::to_owned).or(fix);
        let problem = match first.and_then(odd_character) {
            Some(odd) => Problem::Odd(odd),
            None if rest.starts_with("//") || rest.starts_with("/*") || rest.starts_with('#') => Problem::Comment,
            None => problem,
        };
        let width = rest
            .char_indices()
            .find(|(at, c)| *at > 0 && (c.is_ascii_whitespace() || matches!(c, ',' | ']' | '}' | ':' | '{')))
            .map_or(rest.len(), |(at, _)| at);
        let found = rest.get(..width).unwrap_or("");
        self.mistakes.push(Mistake::in_text(self.text, at, found, problem.to_string(), fix));
    }

    /// Notes that the comma at a byte place is one too many.
    fn trailing_comma(&mut self, comma: Option<usize>, before: char) {
        let Some(comma) = comma else { return };
        let here = self.cursor;
        self.cursor.go(comma);
        self.mistake(Problem::TrailingComma(before), None);
        self.cursor = here;
    }

    fn is_full(&self) -> bool {
        self.mistakes.len() >= MAX_MISTAKES
    }

    /// After the opening bracket.
    fn list(&mut self) -> Result<(), NotationErrors> {
        let mut next = Next::Note;
        let mut comma = None;
        while !self.is_full() {
            self.blanks();
            match self.cursor.peek() {
                Some(b']') => {
                    self.trailing_comma(comma, ']');
                    self.cursor.skip_char();
                    self.blanks();
                    if !self.cursor.is_done() {
                        self.mistake(Problem::AfterEnd, None);
                    }
                    return Ok(());
                }
                Some(b',') if next != Next::Note => {
                    comma = Some(self.cursor.at());
                    self.cursor.skip_char();
                    next = Next::Note;
                }
                Some(b'{') => {
                    if next == Next::Comma {
                        self.mistake(Problem::AfterNote, None);
                    }
                    self.cursor.skip_char();
                    if self.read.notes.len() >= MAX_NOTES {
                        return Err(NotationErrors::TooManyNotes);
                    }
                    next = if self.note() { Next::Comma } else { Next::Any };
                    comma = None;
                }
                other => {
                    let problem = match next {
                        Next::Comma => Problem::AfterNote,
                        Next::Any if other.is_none() => Problem::AfterNote,
                        _ if other == Some(b'[') => Problem::Nested,
                        _ => Problem::NoNote,
                    };
                    self.mistake(problem, None);
                    if other.is_none() {
                        return Ok(());
                    }
                    // A comma in a note's place is one step on.
                    if self.next_is(b',') {
                        self.cursor.skip_char();
                    } else {
                        self.skip_to(b",]{");
                    }
                    (next, comma) = (Next::Any, None);
                }
            }
        }
        Ok(())
    }

    /// Goes to the next of `stops` that is not inside of a string, list or object that starts on the way; else to the end.
    fn skip_to(&mut self, stops: &[u8]) {
        let mut pairs = true;
        let mut before = b' ';
        while let Some(byte) = self.cursor.peek().filter(|byte| !stops.contains(byte)) {
            // No string starts inside of a word.
            let begins = pairs && !(before.is_ascii_alphanumeric() && b"\"'".contains(&byte));
            before = byte;
            let whole = if begins { self.whole_value(byte) } else { None };
            match whole {
                Some(end) => self.cursor.go(end),
                None => {
                    // What is never closed is not looked for again.
                    pairs &= !(begins && b"[{\"'".contains(&byte));
                    self.cursor.skip_char();
                }
            }
        }
    }

    /// The end of the string, list or object that starts here with `byte`.
    fn whole_value(&self, byte: u8) -> Option<usize> {
        let rest = self.cursor.rest().as_bytes();
        let mut quote = None;
        let mut depth = 0_usize;
        if !b"[{\"'".contains(&byte) {
            return None;
        }
        for (ahead, byte) in rest.iter().enumerate() {
            match (quote, byte) {
                // No string goes over a line's end.
                (Some(_), b'\n' | b'\r') => return None,
                (Some(open), byte) if byte == open => quote = None,
                (Some(_), _) => continue,
                (None, b'"' | b'\'') => quote = Some(byte),
                (None, b'[' | b'{') => depth += 1,
                (None, b']' | b'}') => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 && quote.is_none() {
                return Some(self.cursor.at() + ahead + 1);
            }
        }
        None
    }

    /// After a note's opening brace; ends after its closing one, or where it lacks one. Whether it was closed.
    fn note(&mut self) -> bool {
        let mut fields = Fields::default();
        let closed = self.members(&mut fields);
        self.read.notes.push(fields);
        closed
    }

    fn members(&mut self, fields: &mut Fields) -> bool {
        self.blanks();
        if self.cursor.eat("}") {
            return true;
        }
        let mut comma = None;
        while !self.is_full() {
            self.blanks();
            match self.cursor.peek() {
                Some(b'}') => {
                    self.trailing_comma(comma, '}');
                    self.cursor.skip_char();
                    return true;
                }
                // A brace that was never closed: what follows is the next note, or none.
                None | Some(b'{' | b']') => {
                    self.mistake(Problem::NoKey, None);
                    return false;
                }
                _ => {}
            }
            if let Err((problem, fix)) = self.member(fields) {
                self.mistake(problem, fix);
                self.skip_to(b",}]");
            } else if !matches!(self.cursor.peek(), Some(b',' | b'}')) {
                self.mistake(Problem::AfterMember, None);
                if self.next_is(b'{') {
                    return false;
                }
                self.skip_to(b",}]");
            }
            if self.cursor.eat("}") {
                return true;
            }
            comma = Some(self.cursor.at());
            if !self.cursor.eat(",") {
                self.mistake(Problem::AfterMember, None);
                return false;
            }
        }
        false
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
            Some(value) if ends => fields.set(key, value, &mut self.read.unknown),
            _ => {
                self.cursor.go(value_start);
                return Err(bad_number(key, self.cursor.rest()));
            }
        }
        self.blanks();
        Ok(())
    }
}
