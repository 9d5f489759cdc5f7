//! Copies of devices, of chains of racks, and of drum pads.

use super::{Made, Plan};
use crate::music::text::counted;
use crate::object_model::{ModelError, ObjectId, Session, Value as Model};
use crate::tools::address::device_targets;
use crate::tools::address::model_read::{self, child, class, count, flag, int};
use crate::tools::address::path::{DevicePath, Path, Segment};
use crate::tools::address::path_format;
use crate::tools::address::path_format::drum_note;
use crate::tools::address::path_format::path_and_id;
use crate::tools::address::path_parse;
use crate::tools::address::path_resolve::{self, ResolvedPath};
use crate::tools::address::targets::{Target, TargetKind, TargetName};
use crate::tools::call::CallContext;
use crate::tools::device::device_places::DevicePlace;
use crate::tools::error::ToolError;
use crate::tools::report::target_result::{TargetResult, add_detail};
use crate::tools::report::write_log::WriteLog;
use serde_json::json;

pub struct Devices {
    to: Vec<DevicePlace>,
}

impl Devices {
    pub fn read(places: Vec<String>) -> Result<Devices, ToolError> {
        let to = places.into_iter().map(|place| DevicePlace::read("toPath", place)).collect::<Result<Vec<_>, _>>()?;
        DevicePlace::refuse_ambiguous("toPath", &to)?;
        Ok(Devices { to })
    }

    /// A warning, where a place is spelled as answers do not.
    pub fn told(&self, session: &dyn Session) -> Result<Option<String>, ToolError> {
        for place in &self.to {
            if let Some(told) = place.told(session)? {
                return Ok(Some(told));
            }
        }
        Ok(None)
    }

    pub fn run(
        &self,
        session: &mut dyn Session,
        call: &mut CallContext,
        plan: &Plan,
        found: &[Result<ObjectId, String>],
    ) -> Result<Vec<Made>, ToolError> {
        // An index past the end is wrong with the call.
        if let Some(error) = self.to.iter().find_map(|to| to.check(session).err())
            && self.to.len() == 1
        {
            return Err(error);
        }
        let spelling = |at: usize| self.to.get(at).map(|to| to.spelling.clone());
        Ok(plan.each(session, call, found, spelling, |session, at, device, to| {
            let mut created = None;
            let copy = match to.and_then(|to| self.to.get(to)) {
                None => {
                    let holder = child(session, device, "canonical_parent")?;
                    let holder = holder.ok_or_else(|| ToolError::new("the device stands nowhere"))?;
                    let own = index_of(session, device)?;
                    session.copy_device(device, holder, own.map(|own| own + 1))?
                }
                Some(to) => {
                    let room = to.make(session)?;
                    let copied = session.copy_device(device, room.container, room.at);
                    created = room.created;
                    copied.map_err(|error| match &created {
                        Some(chains) => ToolError::new(format!("{error}; made on the way: {chains}")),
                        None => error.into(),
                    })?
                }
            };
            let mut steps = WriteLog::on(session, copy)?;
            steps.record("copy", Ok::<_, ToolError>(()))?;
            if let Some(created) = created {
                steps.entry.insert("created".to_owned(), json!(created));
            }
            if let Err(error) = plan.dress.write_name(session, copy, at, &mut steps) {
                steps.refuse(format!("name: {error}"));
            }
            if plan.dress.colors.is_some() {
                steps.refuse("color ignored: a device has no colour");
            }
            Ok(TargetResult::Written(steps.end(Ok(()))?))
        })?)
    }
}

/// Where a device or chain stands in its list.
fn index_of(session: &dyn Session, id: ObjectId) -> Result<Option<usize>, ModelError> {
    Ok(session.path_of(id)?.and_then(|path| path.rsplit(' ').next()?.parse().ok()))
}

/// A rack that chains go to, as the caller named it.
struct RackPlace {
    spelling: String,
    rack: DevicePath,
    /// The pad of a Drum Rack.
    pad: Option<Segment>,
    at: Option<usize>,
}

pub struct Chains {
    to: Vec<RackPlace>,
}

impl Chains {
    pub fn read(places: Vec<String>) -> Result<Chains, ToolError> {
        let mut to: Vec<RackPlace> = Vec::new();
        for spelling in places {
            let refuse = || {
                ToolError::about(
                    "toPath",
                    format!(
                        "{spelling}: a chain goes to a rack of the same kind, such as t1/d0, t1/d0/c+ or, on a Drum Rack, \
                     t1/d0/pC1/c+"
                    ),
                )
            };
            let Path::Device(mut rack) = path_parse::parse(&spelling).map_err(|e| ToolError::about("toPath", e))?
            else {
                return Err(refuse());
            };
            let mut at = None;
            match rack.segments.last() {
                Some(Segment::NewChain) => drop(rack.segments.pop()),
                Some(Segment::Chain(index)) => {
                    at = Some(*index);
                    rack.segments.pop();
                }
                _ => {}
            }
            let pad = rack.segments.last().copied().filter(|last| matches!(last, Segment::Pad(_) | Segment::CatchAll));
            if pad.is_some() {
                rack.segments.pop();
            }
            if !rack.segments.last().is_some_and(|last| last.is_device()) {
                return Err(refuse());
            }
            if let Some(other) = to.iter().find(|other| other.rack == rack && (other.at.is_some() || at.is_some())) {
                return Err(ToolError::about(
                    "toPath",
                    format!(
                        "{} and {spelling} are in one rack, which the first insert renumbers; use c+, or one call each",
                        other.spelling
                    ),
                ));
            }
            to.push(RackPlace { spelling, rack, pad, at });
        }
        Ok(Chains { to })
    }

    pub fn run(
        &self,
        session: &mut dyn Session,
        call: &mut CallContext,
        plan: &Plan,
        found: &[Result<ObjectId, String>],
    ) -> Result<Vec<Made>, ToolError> {
        let spelling = |at: usize| self.to.get(at).map(|to| to.spelling.clone());
        Ok(plan.each(session, call, found, spelling, |session, at, chain, to| {
            let own =
                child(session, chain, "canonical_parent")?.ok_or_else(|| ToolError::new("the chain has no rack"))?;
            if device_targets::is_return_chain(session, chain)? {
                return Err(ToolError::new(format!(
                    "{}: return chains cannot be copied",
                    path_and_id(session, chain)?
                )));
            }
            let (copy, rack) = match to.and_then(|to| self.to.get(to)) {
                None => {
                    let behind = index_of(session, chain)?.map(|own| own + 1);
                    (session.copy_chain(chain, own, behind)?, own)
                }
                Some(to) => {
                    let rack = to.find(session, chain, own)?;
                    let note = to.note()?;
                    let place = match (to.at, to.pad) {
                        (Some(index), None) => Some(index),
                        _ => None,
                    };
                    let copy = session.copy_chain(chain, rack, place)?;
                    if let Some(note) = note {
                        session.set(copy, "in_note", Model::Int(note))?;
                    }
                    (copy, rack)
                }
            };
            let mut steps = WriteLog::on(session, copy)?;
            steps.record("copy", Ok::<_, ToolError>(()))?;
            for detail in left_behind(session, chain, own, rack)? {
                add_detail(&mut steps.entry, detail);
            }
            if let Err(error) = plan.dress.write(session, copy, at, &mut steps) {
                steps.refuse(error.text);
            }
            Ok(TargetResult::Written(steps.end(Ok(()))?))
        })?)
    }
}

impl RackPlace {
    /// The rack, if it takes that chain.
    fn find(&self, session: &dyn Session, chain: ObjectId, own: ObjectId) -> Result<ObjectId, ToolError> {
        let (found, _) = path_resolve::device(session, &self.rack)?;
        let ResolvedPath::Object(rack) = found else {
            return Err(ToolError::new(format!("{} is no rack", self.rack)));
        };
        if !flag(session, rack, "can_have_chains")? {
            return Err(ToolError::new(format!("{} is no rack", path_and_id(session, rack)?)));
        }
        let kind = |device| model_read::text(session, device, "class_display_name");
        let (from, into) = (kind(own)?, kind(rack)?);
        if model_read::text(session, own, "class_name")? != model_read::text(session, rack, "class_name")? {
            return Err(ToolError::new(format!(
                "{} is an {into}; the chain is one of an {from}",
                path_and_id(session, rack)?
            )));
        }
        let is_drums = drum_note(session, chain)?.is_some();
        if self.pad.is_some() && !is_drums {
            return Err(ToolError::new(format!("{} has no pads", path_and_id(session, rack)?)));
        }
        let chains = count(session, rack, "chains")?;
        if let Some(at) = self.at
            && self.pad.is_none()
        {
            if is_drums {
                return Err(ToolError::new(format!(
                    "{}: a chain of a Drum Rack belongs to a pad; write {}/pC1/c+, or {} to keep its pad",
                    self.spelling, self.rack, self.rack
                )));
            }
            if at > chains {
                return Err(ToolError::new(format!(
                    "{}: the rack holds {}; c+ is the end",
                    self.spelling,
                    counted(chains, "chain")
                )));
            }
        }
        Ok(rack)
    }

    /// The note of the pad that it names.
    fn note(&self) -> Result<Option<i64>, ToolError> {
        match self.pad {
            Some(Segment::Pad(note)) => Ok(Some(i64::from(note))),
            Some(_) => Err(ToolError::new(format!("{}: a chain for all notes is not made by a path", self.spelling))),
            None => Ok(None),
        }
    }
}

/// What of a chain does not come along.
fn left_behind(
    session: &dyn Session,
    chain: ObjectId,
    own: ObjectId,
    rack: ObjectId,
) -> Result<Vec<String>, ToolError> {
    let mut said = Vec::new();
    let names = |rack: ObjectId| -> Result<Vec<String>, ToolError> {
        let returns = model_read::children(session, rack, "return_chains")?.into_iter();
        returns.map(|chain| Ok(model_read::text(session, chain, "name")?)).collect()
    };
    if own != rack {
        let there = names(rack)?;
        let mixer = child(session, chain, "mixer_device")?;
        let mut lost = Vec::new();
        for (at, name) in names(own)?.into_iter().enumerate() {
            let send = mixer.map(|mixer| session.child_at(mixer, "sends", at)).transpose()?.flatten();
            let level = send.map(|send| model_read::number(session, send, "value")).transpose()?;
            let sends = level.is_some_and(|level| level > 0.0);
            if sends && !there.contains(&name) {
                lost.push(name);
            }
        }
        if !lost.is_empty() {
            said.push(format!("its sends to {} stay behind: the rack has no such return chains", lost.join(", ")));
        }
    }
    if flag(session, own, "has_macro_mappings")? {
        said.push("macro mappings did not come along".to_owned());
    }
    Ok(said)
}

/// A pad is known by its rack and note; where it is no object, by its first chain.
pub fn find_pad(session: &dyn Session, target: &Target) -> Result<ObjectId, ToolError> {
    match &target.named {
        TargetName::Path(Path::Device(path)) if target.unsupported_reason(TargetKind::DrumPad).is_none() => {
            match path_resolve::device(session, path)?.0 {
                ResolvedPath::Object(id) if class(session, id)? == Some("DrumPad") => Ok(id),
                ResolvedPath::Object(_) => Err(ToolError::new(format!("{} is no drum pad", target.spelling))),
                ResolvedPath::Pad(chains) => {
                    chains.first().copied().ok_or_else(|| ToolError::new(format!("{} is empty", target.spelling)))
                }
            }
        }
        _ => target.find(session, TargetKind::DrumPad),
    }
}

pub struct Pads {
    /// As spelled, the rack, and the note.
    to: Vec<(String, DevicePath, u8)>,
}

impl Pads {
    pub fn read(places: Vec<String>) -> Result<Pads, ToolError> {
        if places.is_empty() {
            return Err(ToolError::new("toPath says which pads of the same rack get the copies, such as t0/d0/pD1"));
        }
        let mut to = Vec::new();
        for spelling in places {
            let refuse = |why: &str| ToolError::about("toPath", format!("{spelling}: {why}"));
            let Path::Device(mut rack) = path_parse::parse(&spelling).map_err(|e| ToolError::about("toPath", e))?
            else {
                return Err(refuse("a pad is copied to a pad, such as t0/d0/pD1"));
            };
            match rack.segments.pop() {
                Some(Segment::Pad(note)) => to.push((spelling, rack, note)),
                Some(Segment::CatchAll) => return Err(refuse("chains for all notes are not made by a path")),
                _ => return Err(refuse("a pad is copied to a pad, such as t0/d0/pD1")),
            }
        }
        Ok(Pads { to })
    }

    pub fn run(
        &self,
        session: &mut dyn Session,
        call: &mut CallContext,
        plan: &Plan,
        found: &[Result<ObjectId, String>],
    ) -> Result<Vec<Made>, ToolError> {
        let spelling = |at: usize| self.to.get(at).map(|(spelling, ..)| spelling.clone());
        Ok(plan.each(session, call, found, spelling, |session, at, source, to| {
            let (spelling, rack, note) =
                to.and_then(|to| self.to.get(to)).ok_or_else(|| ToolError::new("toPath names no pad for this copy"))?;
            let note = i64::from(*note);
            let own =
                child(session, source, "canonical_parent")?.ok_or_else(|| ToolError::new("the pad has no rack"))?;
            if path_resolve::device(session, rack)?.0 != ResolvedPath::Object(own) {
                return Err(ToolError::new(format!(
                    "{spelling}: a pad is copied within its own rack, {}",
                    path_and_id(session, own)?
                )));
            }
            let from = match class(session, source)? {
                Some("DrumPad") => int(session, source, "note")?,
                _ => drum_note(session, source)?.unwrap_or(-1),
            };
            let layers = device_targets::layers(session, own, from)?;
            if layers.is_empty() {
                return Err(ToolError::new(format!(
                    "the pad {} is empty; there is nothing to copy",
                    device_targets::pad_name(from)
                )));
            }
            if from == note {
                return Err(ToolError::new(format!("{spelling}: a pad is not copied onto itself")));
            }
            let held = device_targets::layers(session, own, note)?.len();
            let mut steps = WriteLog::default();
            let mut first = None;
            for layer in layers {
                let copy = steps.record("some layers", session.copy_chain(layer, own, None))?;
                session.set(copy, "in_note", Model::Int(note))?;
                plan.dress.write(session, copy, at, &mut steps)?;
                first.get_or_insert(copy);
            }
            let pad = device_targets::pad_object(session, own, note)?;
            let path =
                path_format::tool_path(session, own)?.map(|own| format!("{own}/{}", device_targets::pad_name(note)));
            let entry = &mut steps.entry;
            if let Some(id) = pad {
                entry.insert("id".to_owned(), json!(id.to_string()));
            }
            entry.insert("path".to_owned(), json!(path));
            if held > 0 {
                let chains = counted(held, "chain");
                add_detail(entry, format!("the pad held {chains}; the copy is layered on it"));
            }
            if flag(session, own, "has_macro_mappings")? {
                add_detail(entry, "macro mappings did not come along");
            }
            Ok(TargetResult::Written(steps.end(Ok(()))?))
        })?)
    }
}
