//! The Set as text: one versioned JSON document, as it lies in a DAW's project or a file. It is read straight into the
//! document, with no tree of JSON values between, so that a large Set takes little more memory than it needs
//! afterwards.

use crate::metered_json::{Meter, Metered};
use crate::set::document::device_tree::Rack;
use crate::set::document::{Document, Track};
use crate::set::edit::validate::validate;
use serde::de::{DeserializeSeed, Error as _, IgnoredAny, MapAccess, Visitor};
use serde::{Deserializer, Serialize};
use serde_json::{Map, Value as Json};
use std::cell::Cell;
use std::fmt;
use std::io::{self, BufReader, Read};
use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::Arc;

/// The format this version writes, and the newest it reads. 2 brought Arrangement clips, take lanes, locators, grooves,
/// audio and what racks hold; a version that knows only 1 would lose them unsaid. 3 brought devices that are kept by
/// their names, which a version that knows only 2 takes for damage. 4 brought zones of chains, samples of Samplers,
/// automation of the Arrangement, which values of a device a file did not tell, and the default sounds that tracks
/// keep. 5 brought the samples of Impulses, which a version that knows only 4 takes for damage, and track delays.
/// 6 brought tempos and time signatures of the Arrangement, fades, expression of notes, follow actions and the notes of
/// grooves.
pub const FORMAT: u32 = 6;

#[derive(Serialize)]
struct FileOut<'a> {
    format: u32,
    set: &'a Document,
}

/// Why a text is no Set.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LoadError {
    #[error(
        "the Set was saved by a newer version of SVC Device (format {found}; this version reads up to {FORMAT}); update to open it"
    )]
    Newer { found: u64 },
    #[error("the saved Set is damaged: {0}")]
    Damaged(String),
    #[error("it is no Set: an .als of Ableton Live is one, or an .svcset or .json of SVC Device")]
    NoSet,
    /// The disk failed, or the file is longer than what is read of one.
    #[error("the saved Set could not be read: {0}")]
    Disk(String),
}

const COUNTED_AT_ONCE: usize = 64 << 10;
/// Bytes of memory that all members beside the Set may take.
const OTHERS_BYTES: u64 = 8 << 20;

/// The members beside the Set that are kept; others mean nothing.
const KEPT: [&str; 5] = ["settings", "id", "revision", "log", "endedLog"];

/// A document, and the members that stand beside it in the text.
#[derive(Debug)]
pub struct SavedSet {
    pub document: Document,
    pub others: Map<String, Json>,
}

/// The document as text.
pub fn save(document: &Document) -> String {
    // Every field is a plain value with text keys, and serde_json writes a non-finite number as null: this cannot fail.
    serde_json::to_string(&FileOut { format: FORMAT, set: document }).unwrap_or_default()
}

/// Reads a document. What is loaded obeys every rule that edits keep, or it is refused as damaged.
pub fn load(text: &str) -> Result<SavedSet, LoadError> {
    take_in(&mut serde_json::Deserializer::from_str(text), Rc::new(Cell::new(text.len() as u64)))
}

/// As [`load`], from what gives the text piece by piece; it is best buffered.
pub fn read(text: impl Read) -> Result<SavedSet, LoadError> {
    let count = Rc::new(Cell::new(0));
    let counted = BufReader::with_capacity(COUNTED_AT_ONCE, Counted { text, count: count.clone() });
    take_in(&mut serde_json::Deserializer::from_reader(counted), count)
}

/// Counts what was read of a text.
struct Counted<R> {
    text: R,
    count: Rc<Cell<u64>>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.text.read(out)?;
        self.count.set(self.count.get().saturating_add(count as u64));
        Ok(count)
    }
}

fn take_in<'de, R: serde_json::de::Read<'de>>(
    deserializer: &mut serde_json::Deserializer<R>,
    bytes_read: Rc<Cell<u64>>,
) -> Result<SavedSet, LoadError> {
    let mut members = Members { meter_of_others: Meter::of(OTHERS_BYTES), format: None, set: None, others: Map::new() };
    let meter = Meter::growing_with(bytes_read);
    let seed = MembersSeed(&mut members);
    let read = seed.deserialize(Metered::new(&mut *deserializer, &meter)).and_then(|()| deserializer.end());
    // A newer version may have changed whatever comes after its number.
    if let Some(found) = members.newer_format() {
        return Err(LoadError::Newer { found });
    }
    read.map_err(|e| if e.is_io() { LoadError::Disk(e.to_string()) } else { LoadError::Damaged(e.to_string()) })?;
    let damaged = |why: &str| LoadError::Damaged(why.to_owned());
    let format = members.format.filter(|format| *format > 0).ok_or_else(|| damaged("it has no format number"))?;
    let mut document = members.set.ok_or_else(|| damaged("missing field `set`"))?;
    if format == 1 {
        give_racks_their_place(&mut document);
    }
    document.rebuild_index();
    validate(&document).map_err(LoadError::Damaged)?;
    Ok(SavedSet { document, others: members.others })
}

/// What was read so far; what comes before an error stays.
struct Members {
    meter_of_others: Meter,
    format: Option<u64>,
    set: Option<Document>,
    others: Map<String, Json>,
}

impl Members {
    fn newer_format(&self) -> Option<u64> {
        self.format.filter(|format| *format > u64::from(FORMAT))
    }
}

struct MembersSeed<'a>(&'a mut Members);

impl<'de> DeserializeSeed<'de> for MembersSeed<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for MembersSeed<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a saved Set")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(name) = map.next_key::<String>()? {
            match name.as_str() {
                _ if self.0.newer_format().is_some() => drop(map.next_value::<IgnoredAny>()?),
                "format" => self.0.format = map.next_value::<Json>()?.as_u64(),
                "set" if self.0.set.is_some() => return Err(A::Error::duplicate_field("set")),
                "set" => self.0.set = Some(map.next_value()?),
                other if KEPT.contains(&other) => {
                    let seed = Metered::new(PhantomData::<Json>, &self.0.meter_of_others);
                    let value = map.next_value_seed(seed)?;
                    self.0.others.insert(name, value);
                }
                // What nobody asks for is passed over, and takes no memory.
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}

/// Format 1 knew racks as devices without chains.
fn give_racks_their_place(document: &mut Document) {
    fn fill(track: &mut Track) {
        for device in &mut track.devices {
            if device.table_class() == "RackDevice" && device.rack.is_none() {
                Arc::make_mut(device).rack = Some(Arc::new(Rack { visible_macros: 8, ..Rack::default() }));
            }
        }
    }
    document.tracks.edit_all(fill);
    document.returns.edit_all(fill);
    fill(Arc::make_mut(&mut document.main));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_comes_back_as_it_was() {
        let set = Document::new_set();
        assert_eq!(load(&save(&set)).unwrap().document, set);
        assert_eq!(read(save(&set).as_bytes()).unwrap().document, set);
    }

    #[test]
    fn what_is_not_a_set_is_refused() {
        let good = save(&Document::new_set());
        let mut json: Json = serde_json::from_str(&good).unwrap();
        json["set"]["song"]["tempo_bpm"] = 5.into();
        let slow = json.to_string();
        for (text, want) in [
            ("", "damaged"),
            ("{}", "no format number"),
            (r#"{"format":7,"set":{"anything":[]}}"#, "newer version"),
            (r#"{"format":1}"#, "damaged"),
            (r#"{"format":7,"set":"#, "newer version"),
            (r#"{"format":2,"set":[]}"#, "damaged"),
            (&format!("{good}x"), "damaged"),
            ("[]", "damaged"),
            (&good[..good.len() / 2], "damaged"),
            (&slow, "tempo"),
        ] {
            for error in [load(text).unwrap_err(), read(text.as_bytes()).unwrap_err()] {
                assert!(error.to_string().contains(want), "{text:.40}: {error}");
            }
        }
    }
}
