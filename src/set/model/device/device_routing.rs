//! Routing into and out of devices: the Compressor's side-chain, the inputs and outputs of Max devices.
//!
//! Entries are `{display_name, identifier}` as for tracks; the identifier is enough to write one, and one that is not
//! available is refused. A choice whose source is gone reads as none.

use crate::object_model::{ModelError, ObjectId, Value};
use crate::set::document::TrackKind;
use crate::set::document::device_tree::Device;
use crate::set::document::ids::Serial;
use crate::set::model::member_answer::MemberAnswer;
use crate::set::model::object_ref::ObjectRef;
use crate::set::model::object_ref::{DEVICE_IO, DEVICE_IO_SPAN};
use crate::set::model::routing_ids::{TRACKS_FROM, of_track, track_of};
use crate::set::model::set_state::SetState;
use serde_json::{Value as Json, json};

const NO_INPUT: (i64, &str) = (4, "No Input");
const EXT_IN: (i64, &str) = (2, "Ext. In");

type RoutingEntry = (i64, String);

fn entry((id, name): &RoutingEntry) -> Json {
    json!({ "display_name": name, "identifier": id })
}

fn numbered(names: &[&str]) -> Vec<RoutingEntry> {
    (0..).zip(names).map(|(id, name)| (id, (*name).to_owned())).collect()
}

/// What is chosen: the kept identifier while it is available, else the first of the list.
fn chosen(choices: Vec<RoutingEntry>, kept: Option<&Json>) -> RoutingEntry {
    let wanted = kept.and_then(Json::as_i64);
    let found = choices.iter().find(|(id, _)| Some(*id) == wanted).or(choices.first());
    found.cloned().unwrap_or_else(|| (0, String::new()))
}

impl SetState {
    /// Where a device can listen: outside, and to every track that makes sound. A track of notes alone is among them
    /// where it is the one that a file says.
    fn sources(&self, kept: Option<&Json>) -> Vec<RoutingEntry> {
        let kept = kept.and_then(Json::as_i64);
        let fixed = |(id, name): (i64, &str)| (id, name.to_owned());
        let doc = &self.document;
        let sounds = |kind: TrackKind, has_instrument: bool| kind != TrackKind::Midi || has_instrument;
        let tracks = doc.every_track().map(|(track, _)| track);
        let tracks = tracks
            .filter(|t| t.kind != TrackKind::Main)
            .filter(|t| sounds(t.kind, Self::has_instrument(t)) || kept == Some(of_track(t.serial)))
            .map(|t| (of_track(t.serial), doc.track_name(t)));
        [fixed(NO_INPUT), fixed(EXT_IN)].into_iter().chain(tracks).collect()
    }

    /// HostFacts::routed_track.
    pub(in crate::set::model) fn track_of_source(&self, identifier: i64) -> Option<ObjectId> {
        self.document.track(track_of(identifier)?).map(|track| ObjectRef::Track(track.serial).id())
    }

    fn source_channels(source: i64) -> Vec<RoutingEntry> {
        match source {
            from if from > TRACKS_FROM => numbered(&["Pre FX", "Post FX", "Post Mixer"]),
            2 => numbered(&["1/2", "1", "2"]),
            _ => numbered(&[""]),
        }
    }

    /// The choices of a routing member, kept in `device` under names that begin with `prefix`.
    fn device_choices(&self, device: &Device, prefix: &str, member: &str) -> Vec<RoutingEntry> {
        let kept = device.stored.get(&format!("{prefix}{}", member.replace("channel", "type")));
        if member.ends_with("type") {
            return self.sources(kept);
        }
        Self::source_channels(chosen(self.sources(kept), kept).0)
    }

    fn read_routing_of(&self, device: &Device, prefix: &str, member: &str) -> Option<Value> {
        let value = match member.strip_prefix("available_").and_then(|m| m.strip_suffix('s')) {
            Some(single) => self.device_choices(device, prefix, single).iter().map(entry).collect(),
            None if member.contains("routing_type") || member.ends_with("routing_channel") => {
                let kept = device.stored.get(&format!("{prefix}{member}"));
                entry(&chosen(self.device_choices(device, prefix, member), kept))
            }
            None => return None,
        };
        Some(Value::Struct(json!({ member: value })))
    }

    fn write_routing_of(&mut self, device: &Device, prefix: &str, member: &str, value: &Value) -> MemberAnswer<()> {
        if !member.ends_with("routing_type") && !member.ends_with("routing_channel") {
            return None;
        }
        let Value::Struct(dict) = value else { return Some(Err(ModelError::NoObject)) };
        let id = dict.get(member).unwrap_or(dict).get("identifier").and_then(Json::as_i64);
        let choices = self.device_choices(device, prefix, member);
        let Some((id, _)) = choices.into_iter().find(|(choice, _)| Some(*choice) == id) else {
            return Some(Err(ModelError::refused(format!("{member}: that entry is not in available_{member}s"))));
        };
        let edited = self.edit_device(device.serial, |device| {
            device.stored.insert(format!("{prefix}{member}"), json!(id));
            if member.ends_with("type") {
                device.stored.remove(&format!("{prefix}{}", member.replace("type", "channel")));
            }
        });
        Some(edited.ok_or(ModelError::NoObject))
    }

    pub(in crate::set::model) fn read_side_chain(&self, device: &Device, member: &str) -> MemberAnswer<Value> {
        self.read_routing_of(device, "", member).map(Ok)
    }

    pub(in crate::set::model) fn write_side_chain(
        &mut self,
        device: &Device,
        member: &str,
        value: &Value,
    ) -> MemberAnswer<()> {
        self.write_routing_of(device, "", member, value)
    }

    /// The members of one input or output of a Max device are kept in the device.
    pub(in crate::set::model) fn io_prefix(index: u16) -> String {
        let list = DEVICE_IO.get(usize::from(index / DEVICE_IO_SPAN)).copied().unwrap_or_default();
        format!("{list}.{}.", index % DEVICE_IO_SPAN)
    }

    pub(in crate::set::model) fn read_io(&self, device: Serial, index: u16, member: &str) -> MemberAnswer<Value> {
        self.read_routing_of(self.device(device)?, &Self::io_prefix(index), member).map(Ok)
    }

    pub(in crate::set::model) fn write_io(
        &mut self,
        device: Serial,
        index: u16,
        member: &str,
        value: &Value,
    ) -> MemberAnswer<()> {
        let device = self.device(device)?.clone();
        self.write_routing_of(&device, &Self::io_prefix(index), member, value)
    }
}
