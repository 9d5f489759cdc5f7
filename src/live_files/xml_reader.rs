//! XML as it streams by: whoever reads asks for the children of an element, one after another, and goes into those it
//! wants. What it does not go into is passed over without being kept, so that the memory does not grow with the file.
//!
//! Entities beyond the five of XML are refused, and with them everything a document type can do.

use super::bounded_input::BoundedInput;
use super::error::ReadError;
use super::limits::{MAX_DEPTH, MAX_ELEMENTS, MAX_NAME_BYTES, MAX_TAG_BYTES, MAX_TEXT_BYTES};
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Error, Reader, XmlVersion};
use std::io::{ErrorKind, Read};

/// Room that the buffer keeps between two pieces.
const KEPT_BUFFER: usize = 1 << 20;

/// An element's tag. Its children are asked of the reader while it is open.
#[derive(Clone, Debug)]
pub struct Element {
    tag: String,
    name_bytes: usize,
    depth: usize,
}

impl Element {
    pub fn name(&self) -> &str {
        self.tag.get(..self.name_bytes).unwrap_or_default()
    }
}

/// What an attribute says.
pub enum Attribute {
    Text(String),
    None,
    /// It is no text that XML allows, or too long: what could be read of it.
    Bad(String),
}

/// What becomes of a file that is damaged at one place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Damage {
    /// It is refused.
    #[default]
    Refused,
    /// What stands in front of that place is read, and what is open there ends.
    CutOff,
}

/// See the [module](self).
pub struct XmlReader<'a> {
    xml: Reader<BoundedInput<'a>>,
    buffer: Vec<u8>,
    /// The elements that are open, `/` before each.
    place: String,
    /// Where in `place` each begins.
    open: Vec<usize>,
    /// Whether the last of them is an empty element, which ends with the next piece.
    is_empty: bool,
    elements: u64,
    damage: Damage,
    /// Where the file was cut off.
    cut: Option<ReadError>,
}

/// What came by.
enum Piece {
    /// A start tag, kept where it was asked for.
    Start(Option<Element>),
    End,
    /// Text and what else stands between tags.
    Between,
    EndOfFile,
}

impl<'a> XmlReader<'a> {
    pub fn new(file: impl Read + 'a, damage: Damage) -> Result<XmlReader<'a>, ReadError> {
        let xml = Reader::from_reader(BoundedInput::new(file)?);
        let (buffer, place, open) = (Vec::new(), String::new(), Vec::new());
        Ok(XmlReader { xml, buffer, place, open, is_empty: false, elements: 0, damage, cut: None })
    }

    /// The outermost element.
    pub fn root(&mut self) -> Result<Element, ReadError> {
        loop {
            match self.next_piece(1)? {
                Piece::Start(Some(element)) => return Ok(element),
                Piece::EndOfFile => {
                    let damage = self.cut.take();
                    return Err(damage.unwrap_or_else(|| ReadError::NotASet("it holds no XML".to_owned())));
                }
                _ => {}
            }
        }
    }

    /// The next child of an element that is open; `None` at its end. What was not read of the child before is passed
    /// over.
    pub fn next_child(&mut self, parent: &Element) -> Result<Option<Element>, ReadError> {
        while self.open.len() >= parent.depth {
            match self.next_piece(parent.depth + 1)? {
                Piece::Start(Some(child)) => return Ok(Some(child)),
                Piece::EndOfFile => return Ok(None),
                _ => {}
            }
        }
        Ok(None)
    }

    /// Reads to the end of the file, whose checksum stands there.
    pub fn finish(&mut self) -> Result<(), ReadError> {
        loop {
            match self.next_piece(0)? {
                Piece::EndOfFile => return Ok(()),
                Piece::Start(_) if self.open.len() == 1 => return Err(self.damaged("a second root element")),
                _ => {}
            }
        }
    }

    /// An attribute of an element.
    pub fn attribute(&self, element: &Element, name: &str) -> Attribute {
        match plain_attribute(element.tag.get(element.name_bytes..).unwrap_or_default(), name) {
            Some(Some(value)) if value.len() <= MAX_TEXT_BYTES => return Attribute::Text(value.to_owned()),
            Some(None) => return Attribute::None,
            _ => {}
        }
        let tag = BytesStart::from_content(element.tag.as_str(), element.name_bytes);
        let attribute = match tag.try_get_attribute(name) {
            Ok(Some(attribute)) => attribute,
            Ok(None) => return Attribute::None,
            Err(_) => return Attribute::Bad(String::new()),
        };
        match attribute.normalized_value(XmlVersion::Implicit1_0) {
            Ok(value) if value.len() <= MAX_TEXT_BYTES => Attribute::Text(value.into_owned()),
            Ok(value) => Attribute::Bad(start_of(&value)),
            Err(_) => Attribute::Bad(start_of(&attribute.value)),
        }
    }

    /// Whether an element has no attribute of that name.
    pub fn attribute_is_absent(&self, element: &Element, name: &str) -> bool {
        matches!(self.attribute(element, name), Attribute::None)
    }

    /// The elements around what is being read, and how many bytes of XML stand in front.
    pub fn place(&self) -> String {
        let place = if self.place.is_empty() { "its root" } else { &self.place };
        format!("{place} (byte {} of its XML)", self.xml.buffer_position())
    }

    /// Where the file is damaged, of one that was read up to there.
    pub fn into_damage(self) -> Option<ReadError> {
        self.cut
    }

    /// That the file is damaged where it is being read.
    pub fn damaged(&self, why: &str) -> ReadError {
        let place = if self.place.is_empty() { "its root".to_owned() } else { self.place.clone() };
        ReadError::Damaged { place, at: self.xml.buffer_position(), why: why.to_owned() }
    }

    fn next_piece(&mut self, wanted_depth: usize) -> Result<Piece, ReadError> {
        if self.cut.is_some() {
            return Ok(Piece::EndOfFile);
        }
        match self.read_piece(wanted_depth) {
            Err(damaged @ ReadError::Damaged { .. }) if self.damage == Damage::CutOff => {
                self.cut = Some(damaged);
                Ok(Piece::EndOfFile)
            }
            piece => piece,
        }
    }

    fn read_piece(&mut self, wanted_depth: usize) -> Result<Piece, ReadError> {
        if std::mem::take(&mut self.is_empty) {
            self.leave();
            return Ok(Piece::End);
        }
        self.buffer.clear();
        if self.buffer.capacity() > KEPT_BUFFER {
            self.buffer.shrink_to(KEPT_BUFFER);
        }
        if self.elements >= MAX_ELEMENTS {
            return Err(ReadError::TooLarge { what: "elements of XML", limit: MAX_ELEMENTS });
        }
        self.xml.get_mut().begin_piece();
        let event = match self.xml.read_event_into(&mut self.buffer) {
            Ok(event) => event,
            Err(error) => return Err(self.failed(&error)),
        };
        let (tag, is_empty) = match event {
            Event::Start(tag) => (tag, false),
            Event::Empty(tag) => (tag, true),
            Event::End(_) => {
                self.leave();
                return Ok(Piece::End);
            }
            Event::Eof if self.open.is_empty() => return Ok(Piece::EndOfFile),
            Event::Eof => return Err(self.damaged("it ends here, with elements that are open")),
            Event::DocType(_) => return Err(self.damaged("a document type, which is not read")),
            Event::GeneralRef(name) if !is_plain(&name) => {
                let why = format!("the entity &{:.40};, which is not read", &*name);
                return Err(self.damaged(&why));
            }
            _ => return Ok(Piece::Between),
        };
        self.elements += 1;
        let depth = self.open.len() + 1;
        // Most elements are empty, and most of what is passed over.
        if is_empty && depth > wanted_depth && depth > 1 {
            if let Err(why) = check(&tag, depth) {
                return Err(self.damaged(&why));
            }
            return Ok(Piece::Between);
        }
        if let Err(why) = enter(&tag, &mut self.open, &mut self.place) {
            return Err(self.damaged(&why));
        }
        self.is_empty = is_empty;
        let (name_bytes, kept) = (tag.name().0.len(), depth == wanted_depth);
        Ok(Piece::Start(kept.then(|| Element { tag: tag.to_string(), name_bytes, depth })))
    }

    /// The element that was entered last is at its end.
    fn leave(&mut self) {
        if let Some(at) = self.open.pop() {
            self.place.truncate(at);
        }
    }

    fn failed(&self, error: &Error) -> ReadError {
        if let Some(limit) = self.xml.get_ref().exceeded() {
            return limit.clone();
        }
        match error {
            Error::Io(error) => match error.kind() {
                ErrorKind::UnexpectedEof => self.damaged("the file ends here"),
                ErrorKind::InvalidInput | ErrorKind::InvalidData => {
                    self.damaged(&format!("it cannot be inflated: {error}"))
                }
                _ => ReadError::Disk(error.to_string()),
            },
            error => self.damaged(&error.to_string()),
        }
    }
}

/// Keeps where an element begins, unless it is one that no Set has.
fn enter(tag: &BytesStart, open: &mut Vec<usize>, place: &mut String) -> Result<(), String> {
    check(tag, open.len() + 1)?;
    open.push(place.len());
    place.push('/');
    place.push_str(tag.name().0);
    Ok(())
}

/// Whether an element is one that a Set may have.
fn check(tag: &BytesStart, depth: usize) -> Result<(), String> {
    let name = tag.name().0;
    if depth > MAX_DEPTH {
        return Err(format!("elements stand more than {MAX_DEPTH} deep in one another"));
    }
    if name.len() > MAX_NAME_BYTES || tag.len() > MAX_TAG_BYTES {
        return Err(format!("a tag of {} bytes, with a name of {}", tag.len(), name.len()));
    }
    Ok(())
}

/// An attribute as Live writes it: in double quotes, with nothing to be unescaped. `None` where anything stands there
/// that is written in another way, which is then read by all rules of XML.
fn plain_attribute<'t>(mut rest: &'t str, name: &str) -> Option<Option<&'t str>> {
    loop {
        rest = rest.trim_ascii_start();
        if rest.is_empty() {
            return Some(None);
        }
        let (key, after) = rest.split_once('=')?;
        let (value, next) = after.strip_prefix('"')?.split_once('"')?;
        if key.contains(|letter: char| letter.is_ascii_whitespace()) {
            return None;
        }
        if key == name {
            let is_plain = !value.bytes().any(|byte| matches!(byte, b'&' | b'<' | b'\t' | b'\n' | b'\r'));
            return is_plain.then_some(Some(value));
        }
        rest = next;
    }
}

/// As much of a text as is read of one.
fn start_of(text: &str) -> String {
    text.get(..text.floor_char_boundary(MAX_TEXT_BYTES)).unwrap_or_default().to_owned()
}

/// A character by its number, or one of the five that XML itself knows.
fn is_plain(entity: &str) -> bool {
    entity.starts_with('#') || matches!(entity, "amp" | "lt" | "gt" | "quot" | "apos")
}
