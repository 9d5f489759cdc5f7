//! The routings that a track could have, as answers list them. In a Set of n tracks each track names nearly all the
//! others: what they share is read once in a call, and its text is made once and copied.

use crate::object_model::routing_choices::{RoutedTracks, RoutingChoice, RoutingChoices};
use crate::object_model::{ModelError, ObjectId, Session};
use crate::tools::answer_text::{Format, TextWriter};
use serde_json::Value;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

/// One list.
#[derive(Debug)]
pub struct RoutingList {
    /// What an entry calls its identifier, such as `inputId`.
    id: &'static str,
    before: Vec<RoutingChoice>,
    tracks: Option<(Arc<TrackEntries>, Option<usize>)>,
    after: Vec<RoutingChoice>,
}

/// Entries of tracks, that the lists of a call share.
#[derive(Debug)]
struct TrackEntries {
    entries: Vec<RoutingChoice>,
    /// Where the entry of a track stands.
    places: HashMap<ObjectId, usize>,
    /// In the format of the call.
    text: OnceLock<EntriesText>,
}

#[derive(Debug)]
struct EntriesText {
    /// With commas between them.
    text: String,
    /// Where each entry begins in it; behind the last, where a further one would.
    begins: Vec<usize>,
}

/// The entries of tracks that a call has read so far.
#[derive(Default)]
pub struct SharedEntries(RefCell<HashMap<(RoutedTracks, &'static str), Arc<TrackEntries>>>);

impl SharedEntries {
    /// The list of `track`, whose entries call their identifier `id`.
    pub fn list(
        &self,
        session: &dyn Session,
        track: ObjectId,
        id: &'static str,
        choices: RoutingChoices,
    ) -> Result<RoutingList, ModelError> {
        let RoutingChoices { before, tracks, after } = choices;
        let tracks = match tracks {
            Some(of) => {
                let entries = self.entries(session, of, id)?;
                let own = entries.places.get(&track).copied();
                Some((entries, own))
            }
            None => None,
        };
        Ok(RoutingList { id, before, tracks, after })
    }

    fn entries(
        &self,
        session: &dyn Session,
        of: RoutedTracks,
        id: &'static str,
    ) -> Result<Arc<TrackEntries>, ModelError> {
        if let Some(read) = self.0.borrow().get(&(of, id)) {
            return Ok(read.clone());
        }
        let (ids, entries): (Vec<ObjectId>, Vec<RoutingChoice>) = session.tracks_to_route(of)?.into_iter().unzip();
        let places = ids.into_iter().enumerate().map(|(at, track)| (track, at)).collect();
        let read = Arc::new(TrackEntries { entries, places, text: OnceLock::new() });
        self.0.borrow_mut().insert((of, id), read.clone());
        Ok(read)
    }
}

impl RoutingList {
    /// `[{name, inputId}, ...]`: either of the two can be written back.
    pub fn write(&self, writer: &mut TextWriter) {
        let write = |entry: &RoutingChoice, writer: &mut TextWriter| {
            writer.begin_object();
            writer.key("name");
            writer.string(&entry.name);
            writer.key(self.id);
            writer.string(&entry.identifier);
            writer.end_object();
        };
        writer.begin_list();
        self.before.iter().for_each(|entry| write(entry, writer));
        if let Some((tracks, own)) = &self.tracks {
            let text = tracks.text.get_or_init(|| EntriesText::of(&tracks.entries, writer.format(), write));
            text.parts_without(*own).into_iter().filter(|part| !part.is_empty()).for_each(|part| writer.plain(part));
        }
        self.after.iter().for_each(|entry| write(entry, writer));
        writer.end_list();
    }

    /// The same as a value.
    pub fn to_value(&self) -> Value {
        let tracks = self.tracks.iter().flat_map(|(tracks, own)| {
            let others = tracks.entries.iter().enumerate().filter(move |(at, _)| Some(*at) != *own);
            others.map(|(_, entry)| entry)
        });
        let entry = |entry: &RoutingChoice| {
            let pair = [("name", &entry.name), (self.id, &entry.identifier)];
            Value::Object(pair.map(|(name, text)| (name.to_owned(), Value::from(text.as_str()))).into_iter().collect())
        };
        self.before.iter().chain(tracks).chain(&self.after).map(entry).collect()
    }
}

impl EntriesText {
    fn of(entries: &[RoutingChoice], format: Format, write: impl Fn(&RoutingChoice, &mut TextWriter)) -> EntriesText {
        let mut writer = TextWriter::new(format);
        let mut begins = Vec::with_capacity(entries.len() + 1);
        for entry in entries {
            // The comma in front of an entry is counted to the one before.
            begins.push(if begins.is_empty() { 0 } else { writer.bytes() + 1 });
            write(entry, &mut writer);
        }
        begins.push(writer.bytes() + 1);
        EntriesText { text: writer.finish(), begins }
    }

    /// The text of all entries but one: what stands before it, and what stands behind it.
    fn parts_without(&self, left_out: Option<usize>) -> [&str; 2] {
        let begin = |at: usize| self.begins.get(at).copied().unwrap_or_default();
        match left_out {
            Some(at) => {
                let before = self.text.get(..begin(at).saturating_sub(1)).unwrap_or_default();
                [before, self.text.get(begin(at + 1)..).unwrap_or_default()]
            }
            None => [&self.text, ""],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::answer_text::text_of;

    #[test]
    fn a_list_is_written_as_its_value_is() {
        let choice = |n: usize| RoutingChoice { name: format!("{n}-\"MIDI\""), identifier: n.to_string() };
        for count in 0..4 {
            let ids = || (0..count).map(|n| ObjectId(n as u64));
            for format in [Format::Json, Format::Compact] {
                let entries = Arc::new(TrackEntries {
                    entries: (0..count).map(choice).collect(),
                    places: ids().zip(0..).collect(),
                    text: OnceLock::new(),
                });
                for own in ids().zip(0..).map(|(_, at)| Some(at)).chain([None]) {
                    for around in 0..3 {
                        let list = RoutingList {
                            id: "inputId",
                            before: (10..10 + around).map(choice).collect(),
                            tracks: Some((entries.clone(), own)),
                            after: (20..20 + around).map(choice).collect(),
                        };
                        let mut writer = TextWriter::new(format);
                        list.write(&mut writer);
                        let value = list.to_value();
                        let names = value.as_array().map_or(0, Vec::len);
                        assert_eq!(names, 2 * around + count - usize::from(own.is_some()));
                        assert_eq!(writer.finish(), text_of(&value, format), "{own:?} of {count}");
                    }
                }
            }
        }
    }
}
