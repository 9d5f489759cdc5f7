//! Track routing: what could be chosen, what is chosen. Entries are `{display_name, identifier}`; the identifier is
//! enough to write one, and one that is not available is refused.

use crate::object_model::routing_choices::{RoutedTracks, RoutingChoice, RoutingChoices};
use crate::object_model::{ModelError, ObjectId, Value};
use crate::set::document::default_names::numbered_name;
use crate::set::document::ids::Serial;
use crate::set::document::{Track, TrackKind};
use crate::set::model::object_ref::ObjectRef;
use crate::set::model::routing_ids::{self, TRACKS_FROM};
use crate::set::model::set_state::SetState;
use serde_json::{Value as Json, json};
use std::borrow::Cow;

const ALL_INS: (i64, &str) = (1, "All Ins");
const EXT_IN: (i64, &str) = (2, "Ext. In");
const RESAMPLING: (i64, &str) = (routing_ids::RESAMPLING, "Resampling");
const NO_INPUT: (i64, &str) = (routing_ids::NO_INPUT, "No Input");
const MAIN: (i64, &str) = (routing_ids::MAIN, "Main");
const SENDS_ONLY: (i64, &str) = (routing_ids::SENDS_ONLY, "Sends Only");
const EXT_OUT: (i64, &str) = (routing_ids::EXT_OUT, "Ext. Out");
const NO_OUTPUT: (i64, &str) = (8, "No Output");

const AVAILABLE: [&str; 4] = [
    "available_input_routing_types",
    "available_input_routing_channels",
    "available_output_routing_types",
    "available_output_routing_channels",
];

/// A choice of routing.
type RoutingEntry = (i64, Cow<'static, str>);

/// The entries of a list in order: fixed ones, other tracks of the kinds that fit, fixed ones.
struct RoutingParts {
    before: Vec<RoutingEntry>,
    tracks: Option<RoutedTracks>,
    after: Vec<RoutingEntry>,
}

fn fits(tracks: RoutedTracks, kind: TrackKind) -> bool {
    match tracks {
        RoutedTracks::Regular => true,
        RoutedTracks::Midi => kind == TrackKind::Midi,
        RoutedTracks::Audio => kind == TrackKind::Audio,
    }
}

impl SetState {
    /// The four lists and the four choices; `None` for other members.
    pub(in crate::set::model) fn read_routing(&self, track: &Track, member: &str) -> Option<Value> {
        let dict = |key: &str, value: Json| Some(Value::Struct(json!({ key: value })));
        match member {
            _ if AVAILABLE.contains(&member) => {
                let list: Vec<Json> =
                    self.routing_entries(track, member.trim_start_matches("available_")).iter().map(entry).collect();
                dict(member, Json::Array(list))
            }
            "input_routing_type" | "input_routing_channel" | "output_routing_type" | "output_routing_channel" => {
                dict(member, entry(&self.routing(track, member)))
            }
            "current_input_routing" => Some(self.routing(track, "input_routing_type").1.into_owned().into()),
            "current_input_sub_routing" => Some(self.routing(track, "input_routing_channel").1.into_owned().into()),
            "current_output_routing" => Some(self.routing(track, "output_routing_type").1.into_owned().into()),
            "current_output_sub_routing" => Some(self.routing(track, "output_routing_channel").1.into_owned().into()),
            "input_routings" => Some(self.routing_names(track, "input_routing_types")),
            "input_sub_routings" => Some(self.routing_names(track, "input_routing_channels")),
            "output_routings" => Some(self.routing_names(track, "output_routing_types")),
            "output_sub_routings" => Some(self.routing_names(track, "output_routing_channels")),
            _ => None,
        }
    }

    fn routing_names(&self, track: &Track, list: &str) -> Value {
        Value::Texts(self.routing_entries(track, list).into_iter().map(|(_, name)| name.into_owned()).collect())
    }

    /// What is chosen: the stored identifier while it is available, else the first of the list.
    fn routing(&self, track: &Track, member: &str) -> RoutingEntry {
        let choices = self.choices(track, &format!("{member}s"));
        let chosen = track.stored.get(member).and_then(Json::as_i64);
        let found = chosen.and_then(|id| self.choice(track, &choices, id));
        found.or_else(|| choices.before.into_iter().next()).unwrap_or((0, Cow::Borrowed("")))
    }

    fn routing_entries(&self, track: &Track, list: &str) -> Vec<RoutingEntry> {
        let RoutingParts { before: mut all, tracks, after } = self.choices(track, list);
        if let Some(wanted) = tracks {
            let others = self.entries_of_tracks(wanted).filter(|(serial, _)| *serial != track.serial);
            all.extend(others.map(|(_, entry)| entry));
        }
        all.extend(after);
        all
    }

    fn entries_of_tracks(&self, wanted: RoutedTracks) -> impl Iterator<Item = (Serial, RoutingEntry)> {
        let all = self.document.tracks.iter().enumerate().filter(move |(_, track)| fits(wanted, track.kind));
        all.map(|(at, track)| (track.serial, (TRACKS_FROM + i64::from(track.serial), numbered_name(track, at).into())))
    }

    /// The tracks that lists of routings name, with their entries.
    pub(in crate::set::model) fn routed(&self, of: RoutedTracks) -> Vec<(ObjectId, RoutingChoice)> {
        self.entries_of_tracks(of).map(|(serial, entry)| (ObjectRef::Track(serial).id(), choice_of(entry))).collect()
    }

    /// What a list of routings is made of; `None` for other members.
    pub(in crate::set::model) fn routing_parts(&self, track: &Track, member: &str) -> Option<RoutingChoices> {
        let list = member.strip_prefix("available_").filter(|_| AVAILABLE.contains(&member))?;
        let RoutingParts { before, tracks, after } = self.choices(track, list);
        let choices = |entries: Vec<RoutingEntry>| entries.into_iter().map(choice_of).collect();
        Some(RoutingChoices { before: choices(before), tracks, after: choices(after) })
    }

    /// The entry of an identifier, if it is available. Looks at no track but that one.
    fn choice(&self, track: &Track, choices: &RoutingParts, id: i64) -> Option<RoutingEntry> {
        let fixed = choices.before.iter().chain(&choices.after).find(|(choice, _)| *choice == id);
        let other = || {
            let serial = Serial::try_from(id.checked_sub(TRACKS_FROM)?).ok()?;
            let other = self.document.tracks.find(serial).filter(|t| t.serial != track.serial)?;
            choices.tracks.is_some_and(|wanted| fits(wanted, other.kind)).then(|| self.track_entry(other))
        };
        fixed.cloned().or_else(other)
    }

    fn choices(&self, track: &Track, list: &str) -> RoutingParts {
        let fixed = |(id, name): (i64, &'static str)| (id, Cow::Borrowed(name));
        let midi = track.kind == TrackKind::Midi;
        let no_tracks = |before| RoutingParts { before, tracks: None, after: Vec::new() };
        match list {
            "input_routing_types" if midi => RoutingParts {
                before: vec![fixed(ALL_INS)],
                tracks: Some(RoutedTracks::Midi),
                after: vec![fixed(NO_INPUT)],
            },
            "input_routing_types" => RoutingParts {
                before: vec![fixed(EXT_IN), fixed(RESAMPLING)],
                tracks: Some(RoutedTracks::Regular),
                after: vec![fixed(NO_INPUT)],
            },
            "output_routing_types" if midi && !Self::has_instrument(track) => {
                RoutingParts { before: vec![fixed(NO_OUTPUT)], tracks: Some(RoutedTracks::Midi), after: Vec::new() }
            }
            "output_routing_types" => {
                let group = track.group.and_then(|group| self.document.track(group));
                let group = group.map(|group| (TRACKS_FROM + i64::from(group.serial), Cow::Borrowed("Group")));
                RoutingParts {
                    before: group.into_iter().chain([MAIN, SENDS_ONLY, EXT_OUT].map(fixed)).collect(),
                    tracks: Some(RoutedTracks::Audio),
                    after: Vec::new(),
                }
            }
            "input_routing_channels" => {
                let (source, _) = self.routing(track, "input_routing_type");
                no_tracks(channels(source, midi))
            }
            _ => {
                let (target, _) = self.routing(track, "output_routing_type");
                no_tracks(match target {
                    7 => numbered(&["1/2", "1", "2"]),
                    to if to > TRACKS_FROM => numbered(&["Track In"]),
                    _ => numbered(&[""]),
                })
            }
        }
    }

    fn track_entry(&self, track: &Track) -> RoutingEntry {
        (TRACKS_FROM + i64::from(track.serial), self.document.track_name(track).into())
    }

    /// Writing a type puts the channel back to the type's first. The old members take the name that is shown.
    pub(in crate::set::model) fn write_routing(
        &mut self,
        serial: Serial,
        member: &str,
        value: &Value,
    ) -> Option<Result<(), ModelError>> {
        let new_member = match member {
            "current_input_routing" => "input_routing_type",
            "current_input_sub_routing" => "input_routing_channel",
            "current_output_routing" => "output_routing_type",
            "current_output_sub_routing" => "output_routing_channel",
            "input_routing_type" | "input_routing_channel" | "output_routing_type" | "output_routing_channel" => member,
            _ => return None,
        };
        let track = self.document.track(serial)?.clone();
        let choices = self.choices(&track, &format!("{new_member}s"));
        let chosen = match value {
            Value::Struct(dict) => {
                let id = dict.get(new_member).unwrap_or(dict).get("identifier").and_then(Json::as_i64);
                id.and_then(|id| self.choice(&track, &choices, id))
            }
            Value::Text(name) => {
                let all = self.routing_entries(&track, &format!("{new_member}s"));
                all.into_iter().find(|(_, choice)| choice == name)
            }
            _ => None,
        };
        let member = new_member;
        let Some((id, _)) = chosen else {
            return Some(Err(ModelError::refused(format!("{member}: that entry is not in available_{member}s"))));
        };
        let edited = self.document.edit_track(serial, |track| {
            track.stored.insert(member.to_owned(), json!(id));
            if let Some(direction) = member.strip_suffix("_type") {
                track.stored.remove(&format!("{direction}_channel"));
            }
        });
        Some(edited.ok_or(ModelError::NoObject))
    }
}

fn choice_of((id, name): RoutingEntry) -> RoutingChoice {
    RoutingChoice { name: name.into_owned(), identifier: id.to_string() }
}

fn entry((id, name): &RoutingEntry) -> Json {
    json!({ "display_name": name, "identifier": id })
}

fn numbered(names: &[&'static str]) -> Vec<RoutingEntry> {
    (0..).zip(names).map(|(id, name)| (id, Cow::Borrowed(*name))).collect()
}

/// What a MIDI track can hear of an input.
const MIDI_CHANNELS: [&str; 17] = [
    "All Channels",
    "Ch. 1",
    "Ch. 2",
    "Ch. 3",
    "Ch. 4",
    "Ch. 5",
    "Ch. 6",
    "Ch. 7",
    "Ch. 8",
    "Ch. 9",
    "Ch. 10",
    "Ch. 11",
    "Ch. 12",
    "Ch. 13",
    "Ch. 14",
    "Ch. 15",
    "Ch. 16",
];

fn channels(source: i64, midi: bool) -> Vec<RoutingEntry> {
    match source {
        4 => numbered(&[""]),
        from if from > TRACKS_FROM => numbered(&["Pre FX", "Post FX", "Post Mixer"]),
        _ if midi => numbered(&MIDI_CHANNELS),
        3 => numbered(&[""]),
        _ => numbered(&["1/2", "1", "2"]),
    }
}
