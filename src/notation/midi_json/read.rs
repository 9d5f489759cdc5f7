//! The syntax of `midi-json`: a text to the plain numbers of each note.
//!
//! After a mistake reading goes on behind the whole of what could not be read (a string, a list, an object), so that
//! one mistake is reported once and the next note is read as a note. Each mistake costs at most a walk over the rest of
//! the text.

use super::members::{NoteList, NoteMembers};
use super::number::read_number;
use super::problem::{NAME, Problem, diagnose_number};
use super::skip::skip_to;
use crate::music::text::{Cursor, slice};
use crate::notation::error::{MAX_MISTAKES, describe_odd_character};
use crate::notation::error::{Mistake, NotationError};
use crate::notation::limits::MAX_NOTES;

const BLANKS: &[u8] = b" \t\r\n";
/// A longer object is not tried as a note that lacks its list.
const LONGEST_FIX_BYTES: usize = 400;

struct ListReader<'a> {
    cursor: Cursor<'a>,
    text: &'a str,
    read: NoteList,
    mistakes: Vec<Mistake>,
    /// The byte place of the last mistake; there is one in a place.
    last_mistake: Option<usize>,
}

/// What may come next in the list.
#[derive(Clone, Copy, PartialEq)]
enum Expected {
    /// A note, or the end where there was none yet.
    Note,
    /// A comma or the end.
    Comma,
    /// Any of them: what comes is behind a mistake.
    Any,
}

/// Reads a whole text.
pub(super) fn read_text(text: &str) -> Result<NoteList, NotationError> {
    let mut reader = ListReader::new(text);
    reader.blanks();
    if !reader.cursor.is_at_end() {
        if reader.cursor.eat("[") {
            reader.list()?;
        } else {
            let (problem, fix) = diagnose_start(reader.cursor.rest());
            reader.add_mistake(problem, fix);
        }
    }
    if reader.mistakes.is_empty() { Ok(reader.read) } else { Err(NotationError::from_mistakes(NAME, reader.mistakes)) }
}

/// What a text is that does not start as a list.
fn diagnose_start(rest: &str) -> (Problem, Option<String>) {
    if rest.starts_with("```") {
        return (Problem::Fence, None);
    }
    let Some(inside) = rest.strip_prefix('{') else { return (Problem::NoArray, None) };
    let key = inside.trim_start().trim_start_matches(['"', '\'']);
    if key.starts_with("notes") {
        return (Problem::Wrapped, None);
    }
    let listed = format!("[{}]", rest.trim_end());
    let mut reader = ListReader::new(&listed);
    let reads = listed.len() <= LONGEST_FIX_BYTES
        && reader.cursor.eat("[")
        && reader.list().is_ok()
        && reader.mistakes.is_empty();
    (Problem::NoArray, reads.then_some(listed))
}

impl<'a> ListReader<'a> {
    fn new(text: &'a str) -> ListReader<'a> {
        let read = NoteList::default();
        ListReader { cursor: Cursor::new(text), text, read, mistakes: Vec::new(), last_mistake: None }
    }
}

impl ListReader<'_> {
    fn blanks(&mut self) {
        self.cursor.eat_while(BLANKS);
    }

    fn next_is(&self, byte: u8) -> bool {
        self.cursor.peek() == Some(byte)
    }

    /// Notes a mistake here, unless one is noted here already.
    fn add_mistake(&mut self, problem: Problem, fix: Option<String>) {
        let at = self.cursor.pos();
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
        let problem = match first.and_then(describe_odd_character) {
            Some(odd) => Problem::OddCharacter(odd),
            None if rest.starts_with("//") || rest.starts_with("/*") || rest.starts_with('#') => Problem::Comment,
            None => problem,
        };
        let width = rest
            .char_indices()
            .find(|(at, c)| *at > 0 && (c.is_ascii_whitespace() || matches!(c, ',' | ']' | '}' | ':' | '{')))
            .map_or(rest.len(), |(at, _)| at);
        let found = slice(rest, ..width);
        self.mistakes.push(Mistake::in_text(self.text, at, found, problem.to_string(), fix));
    }

    /// Notes that the comma at a byte place is one too many.
    fn trailing_comma(&mut self, comma: Option<usize>, before: char) {
        let Some(comma) = comma else { return };
        let here = self.cursor;
        self.cursor.seek(comma);
        self.add_mistake(Problem::TrailingComma(before), None);
        self.cursor = here;
    }

    fn is_full(&self) -> bool {
        self.mistakes.len() >= MAX_MISTAKES
    }

    /// After the opening bracket.
    fn list(&mut self) -> Result<(), NotationError> {
        let mut next = Expected::Note;
        let mut comma = None;
        while !self.is_full() {
            self.blanks();
            match self.cursor.peek() {
                Some(b']') => {
                    self.trailing_comma(comma, ']');
                    self.cursor.skip_char();
                    self.blanks();
                    if !self.cursor.is_at_end() {
                        self.add_mistake(Problem::AfterEnd, None);
                    }
                    return Ok(());
                }
                Some(b',') if next != Expected::Note => {
                    comma = Some(self.cursor.pos());
                    self.cursor.skip_char();
                    next = Expected::Note;
                }
                Some(b'{') => {
                    if next == Expected::Comma {
                        self.add_mistake(Problem::AfterNote, None);
                    }
                    self.cursor.skip_char();
                    if self.read.notes.len() >= MAX_NOTES {
                        return Err(NotationError::TooManyNotes);
                    }
                    next = if self.note() { Expected::Comma } else { Expected::Any };
                    comma = None;
                }
                other => {
                    let problem = match next {
                        Expected::Comma => Problem::AfterNote,
                        Expected::Any if other.is_none() => Problem::AfterNote,
                        _ if other == Some(b'[') => Problem::Nested,
                        _ => Problem::NoNote,
                    };
                    self.add_mistake(problem, None);
                    if other.is_none() {
                        return Ok(());
                    }
                    // A comma in a note's place is one step on.
                    if self.next_is(b',') {
                        self.cursor.skip_char();
                    } else {
                        skip_to(&mut self.cursor, b",]{");
                    }
                    (next, comma) = (Expected::Any, None);
                }
            }
        }
        Ok(())
    }

    /// After a note's opening brace; ends after its closing one, or where it lacks one. Whether it was closed.
    fn note(&mut self) -> bool {
        let mut fields = NoteMembers::default();
        let closed = self.members(&mut fields);
        self.read.notes.push(fields);
        closed
    }

    fn members(&mut self, fields: &mut NoteMembers) -> bool {
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
                    self.add_mistake(Problem::NoKey, None);
                    return false;
                }
                _ => {}
            }
            if let Err((problem, fix)) = self.member(fields) {
                self.add_mistake(problem, fix);
                skip_to(&mut self.cursor, b",}]");
            } else if !matches!(self.cursor.peek(), Some(b',' | b'}')) {
                self.add_mistake(Problem::AfterMember, None);
                if self.next_is(b'{') {
                    return false;
                }
                skip_to(&mut self.cursor, b",}]");
            }
            if self.cursor.eat("}") {
                return true;
            }
            comma = Some(self.cursor.pos());
            if !self.cursor.eat(",") {
                self.add_mistake(Problem::AfterMember, None);
                return false;
            }
        }
        false
    }

    /// One member with the blanks behind it; on a mistake the cursor stands at it.
    fn member(&mut self, fields: &mut NoteMembers) -> Result<(), (Problem, Option<String>)> {
        let start = self.cursor.pos();
        let quote = ["\"", "'"].into_iter().find(|quote| self.cursor.eat(quote));
        let key_start = self.cursor.pos();
        if self.cursor.peek().is_some_and(|b| b.is_ascii_alphabetic()) {
            while self.cursor.peek().is_some_and(|b| b.is_ascii_alphanumeric()) {
                self.cursor.skip_char();
            }
        }
        let key = self.cursor.since(key_start);
        if key.is_empty() || quote.is_some_and(|quote| !self.cursor.eat(quote)) {
            self.cursor.seek(start);
            return Err((Problem::NoKey, None));
        }
        self.blanks();
        if !self.cursor.eat(":") {
            return Err((Problem::NoColon(key.to_owned()), None));
        }
        self.blanks();
        let value_start = self.cursor.pos();
        let value = read_number(&mut self.cursor);
        let ends =
            matches!(self.cursor.peek(), None | Some(b',' | b'}' | b']' | b' ' | b'\t' | b'\r' | b'\n' | b'"' | b'\''));
        match value {
            Some(value) if ends => fields.set(key, value, &mut self.read.unknown),
            _ => {
                self.cursor.seek(value_start);
                return Err(diagnose_number(key, self.cursor.rest()));
            }
        }
        self.blanks();
        Ok(())
    }
}
