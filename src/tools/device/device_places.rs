//! Places that devices go to: a track or chain, and where among its devices. Chains that are missing on the way are
//! made.

use crate::object_model::native_devices::DeviceCategory;
use crate::object_model::{ModelError, ObjectId, Session, Value};
use crate::tools::address::model_read::{self, class, count};
use crate::tools::address::path::{DevicePath, Path, Segment};
use crate::tools::address::path_format::created_range;
use crate::tools::address::path_format::drum_note;
use crate::tools::address::path_format::path_and_id;
use crate::tools::address::path_parse;
use crate::tools::address::path_resolve::{self, ResolvedPath};
use crate::tools::arguments::lists::{self, ListEntry};
use crate::tools::error::ToolError;
use crate::tools::report::target_result::STANDS_AT_END;
use crate::tools::report::target_result::or_detail;

/// Chains that one path makes at most.
pub const MAX_NEW_CHAINS: usize = 16;

/// A place as the caller named it.
#[derive(Clone, Debug, PartialEq)]
pub struct DevicePlace {
    pub spelling: String,
    /// The way to the track, chain or pad.
    container: DevicePath,
    /// `None` is the end.
    at: Option<usize>,
}

/// A place in the Set.
#[derive(Clone, Debug, PartialEq)]
pub struct InsertPoint {
    /// A Track or Chain.
    pub container: ObjectId,
    pub at: Option<usize>,
    /// The place that was asked for, where it is past the end.
    past_end: Option<usize>,
    /// Chains made on the way, such as `c2-c3`.
    pub created: Option<String>,
}

impl InsertPoint {
    /// Says that a device went to the end, as the place that was asked for is past it.
    pub fn past_end_detail(&self, landed: usize) -> Option<String> {
        let asked = self.past_end?;
        Some(format!("d{asked} is past the end{STANDS_AT_END}d{landed}"))
    }
}

impl DevicePlace {
    pub fn read(parameter: &str, spelling: &str) -> Result<DevicePlace, ToolError> {
        let refuse = |why: &str| Err(ToolError::about(parameter, format!("{spelling}: {why}")));
        let (container, at) = match path_parse::parse(spelling).map_err(|e| ToolError::about(parameter, e))? {
            Path::Track(track) => (DevicePath { track, segments: Vec::new() }, None),
            Path::Device(mut path) => match path.segments.last().copied() {
                Some(Segment::NewDevice) => {
                    path.segments.pop();
                    (path, None)
                }
                Some(Segment::Device(at)) => {
                    path.segments.pop();
                    (path, Some(at))
                }
                Some(segment) if segment.is_device() => {
                    return refuse("a place among the devices is written d<n>, or d+ for the end");
                }
                _ => (path, None),
            },
            _ => return refuse("devices go to a track or chain, such as t1, t1/d+, t1/d0 or t1/d0/c0"),
        };
        Ok(DevicePlace { spelling: spelling.to_owned(), container, at })
    }

    /// Reads a list of places; see [`lists::read_each`]. An insert renumbers its container, so of several places in one
    /// only the end is clear, and anything else refuses the call.
    pub fn read_list(parameter: &str, spellings: Vec<String>) -> Result<Vec<ListEntry<DevicePlace>>, ToolError> {
        let places = lists::read_each(spellings, |spelling| DevicePlace::read(parameter, spelling))?;
        DevicePlace::refuse_ambiguous(parameter, &places)?;
        Ok(places)
    }

    fn refuse_ambiguous(parameter: &str, places: &[ListEntry<DevicePlace>]) -> Result<(), ToolError> {
        let read = || places.iter().filter_map(|place| place.read.as_ref().ok());
        for (at, place) in read().enumerate() {
            let clash = read()
                .take(at)
                .find(|other| other.container == place.container && (other.at.is_some() || place.at.is_some()));
            if let Some(other) = clash {
                return Err(ToolError::about(
                    parameter,
                    format!(
                        "{} and {} are in one container, which the first insert renumbers; use d+, or one call each",
                        other.spelling, place.spelling
                    ),
                ));
            }
        }
        Ok(())
    }

    /// Why no device can be put there, found out before anything is made.
    pub fn check(&self, session: &dyn Session) -> Result<(), ToolError> {
        self.resolve(session)?.check(session)
    }

    /// The container, its missing chains made.
    pub fn make(&self, session: &mut dyn Session) -> Result<InsertPoint, ToolError> {
        self.resolve(session)?.make(session)
    }

    /// The way to the track, chain or pad.
    pub fn container(&self) -> &DevicePath {
        &self.container
    }

    /// The place among the container's devices that was asked for; `None` is the end.
    pub fn index(&self) -> Option<usize> {
        self.at
    }

    /// A warning, where a drum chain on the way is spelled by its place in the rack, as answers do not.
    pub fn spelling_warning(&self, session: &dyn Session) -> Result<Option<String>, ToolError> {
        let mut way = DevicePath { track: self.container.track, segments: Vec::new() };
        for segment in &self.container.segments {
            way.segments.push(*segment);
            if let Ok((_, Some(warning))) = or_detail(path_resolve::device(session, &way))? {
                return Ok(Some(warning));
            }
        }
        Ok(None)
    }

    /// Walks the way to the place, so that what a call shifts before it comes there no longer matters.
    pub fn resolve(&self, session: &dyn Session) -> Result<ResolvedPlace, ToolError> {
        let mut so_far = DevicePath { track: self.container.track, segments: Vec::new() };
        let (mut here, _) = path_resolve::device(session, &so_far)?;
        let mut missing = None;
        for segment in &self.container.segments {
            let parent = so_far.clone();
            so_far.segments.push(*segment);
            let error = match (segment, path_resolve::device(session, &so_far)) {
                (_, Err(error)) if error.kind.ends_call() => return Err(error),
                (Segment::NewChain, _) => None,
                (_, Ok((found, _))) => {
                    here = found;
                    continue;
                }
                (Segment::Chain(_) | Segment::Pad(_), Err(error)) => Some(error),
                (_, Err(error)) => return Err(error),
            };
            if so_far.segments.len() < self.container.segments.len() {
                return Err(error.unwrap_or_else(|| ToolError::new(format!("nothing follows {so_far}"))));
            }
            missing = Some((parent, *segment, error));
        }
        let resolved = ResolvedPlace { spelling: self.spelling.clone(), here, missing, at: self.at };
        resolved.container_state(session)?;
        Ok(resolved)
    }
}

/// A place whose way was walked.
#[derive(Clone, Debug)]
pub struct ResolvedPlace {
    spelling: String,
    /// The container, or the rack or pad that lacks a chain.
    here: ResolvedPath,
    /// What is lacking: the way to `here`, the chain or pad in it, and why it was not found.
    missing: Option<(DevicePath, Segment, Option<ToolError>)>,
    at: Option<usize>,
}

impl ResolvedPlace {
    /// Why no device can be put there.
    pub fn check(&self, session: &dyn Session) -> Result<(), ToolError> {
        self.container_state(session).map(drop)
    }

    /// The rack in which chains would be made on the way; `None` where the container is there.
    pub fn rack_of_new_chain(&self, session: &dyn Session) -> Result<Option<ObjectId>, ToolError> {
        Ok(match self.container_state(session)? {
            ContainerState::Found(_) => None,
            ContainerState::Missing(missing) => Some(missing.rack),
        })
    }

    /// The container, its missing chains made.
    pub fn make(&self, session: &mut dyn Session) -> Result<InsertPoint, ToolError> {
        let (container, created) = match self.container_state(session)? {
            ContainerState::Found(container) => (container, None),
            ContainerState::Missing(missing) => missing.make(session)?,
        };
        // At the end of what is there it is an append, which hosts take also where nothing stands.
        let devices = count(session, container, "devices")?;
        let past_end = self.at.filter(|at| *at > devices);
        Ok(InsertPoint { container, at: self.at.filter(|at| *at < devices), past_end, created })
    }

    /// The place among the container's devices that was asked for; `None` is the end.
    pub fn index(&self) -> Option<usize> {
        self.at
    }

    /// The container; while a chain is missing, the rack or pad that lacks it.
    pub fn holder(&self) -> Option<ObjectId> {
        match &self.here {
            ResolvedPath::Object(id) => Some(*id),
            ResolvedPath::Pad(layers) => layers.first().copied(),
        }
    }

    /// The track or chain that receives the device, if it exists already.
    pub fn existing_container(&self, session: &dyn Session) -> Result<Option<ObjectId>, ToolError> {
        Ok(match self.container_state(session)? {
            ContainerState::Found(container) => Some(container),
            _ => None,
        })
    }

    fn container_state(&self, session: &dyn Session) -> Result<ContainerState, ToolError> {
        if let Some((path, segment, error)) = &self.missing {
            // An earlier target may have made it.
            if let (Segment::Chain(at), Some(rack)) = (segment, self.rack(session)?)
                && let Some(chain) = session.child_at(rack, "chains", *at)?
            {
                return Ok(ContainerState::Found(chain));
            }
            return MissingChains::find(session, &self.here, path, *segment, error.clone())
                .map(ContainerState::Missing);
        }
        match &self.here {
            ResolvedPath::Object(id) if class(session, *id)? == Some("DrumPad") => {
                match session.child_at(*id, "chains", 0)? {
                    Some(layer) => Ok(ContainerState::Found(layer)),
                    None => {
                        let rack = model_read::child(session, *id, "canonical_parent")?;
                        let rack = rack.ok_or_else(|| ToolError::new("the pad has no rack"))?;
                        let note = model_read::int(session, *id, "note")?;
                        Ok(ContainerState::Missing(MissingChains { rack, note: Some(note), before: 0, last: 0 }))
                    }
                }
            }
            ResolvedPath::Object(id) if matches!(class(session, *id)?, Some("Track" | "Chain" | "DrumChain")) => {
                Ok(ContainerState::Found(*id))
            }
            ResolvedPath::Object(id) if session.class_of(*id)?.is_none() => {
                Err(ToolError::new(format!("{}: an earlier target of this call took it away", self.spelling)))
            }
            ResolvedPath::Object(id) => Err(ToolError::new(format!(
                "{}: {} is a device; name a place beside it (d+) or a chain in it (c0)",
                self.spelling,
                path_and_id(session, *id)?
            ))),
            ResolvedPath::Pad(layers) => {
                let first = layers.first().copied();
                first.map(ContainerState::Found).ok_or_else(|| ToolError::new(format!("{} is empty", self.spelling)))
            }
        }
    }

    /// The rack whose chains count from 0; those of a Drum Rack are counted on their pads.
    fn rack(&self, session: &dyn Session) -> Result<Option<ObjectId>, ModelError> {
        Ok(match &self.here {
            ResolvedPath::Object(id) if model_read::flag_if_any(session, *id, "can_have_chains")? => {
                let drums = model_read::text(session, *id, "class_name")? == "DrumGroupDevice";
                (!drums).then_some(*id)
            }
            // The layers of a pad.
            ResolvedPath::Object(id) if class(session, *id)? == Some("DrumPad") => Some(*id),
            _ => None,
        })
    }
}

/// Where a device or chain stands in its list.
pub fn index_of(session: &dyn Session, id: ObjectId) -> Result<Option<usize>, ModelError> {
    Ok(session.path_of(id)?.and_then(|path| path.rsplit(' ').next()?.parse().ok()))
}

/// Why a track or chain does not take a device: with the place, and the device that is in the way.
pub fn refused_at(session: &dyn Session, container: ObjectId, why: ModelError) -> ToolError {
    let said = || -> Result<String, ModelError> {
        let place = path_and_id(session, container)?;
        Ok(match &why {
            ModelError::InstrumentAlready(there) => {
                format!("{place}: there is an instrument already, {}", path_and_id(session, *there)?)
            }
            why => format!("{place}: {why}"),
        })
    };
    match said() {
        Ok(text) => ToolError { text, ..ToolError::from(why) },
        Err(error) => error.into(),
    }
}

/// Refuses a kind of device that a new chain of a rack would not take, before the chain is made.
pub fn refuse_in_new_chain(session: &dyn Session, rack: ObjectId, kind: DeviceCategory) -> Result<(), ToolError> {
    let why = match (model_read::text(session, rack, "class_name")?.as_str(), kind) {
        ("AudioEffectGroupDevice", DeviceCategory::AudioEffect)
        | ("MidiEffectGroupDevice", DeviceCategory::MidiEffect) => {
            return Ok(());
        }
        ("AudioEffectGroupDevice", _) => "the chains of an Audio Effect Rack take audio effects only",
        ("MidiEffectGroupDevice", _) => "the chains of a MIDI Effect Rack take MIDI effects only",
        _ => return Ok(()),
    };
    Err(ToolError::new(format!("{}: {why}", path_and_id(session, rack)?)))
}

enum ContainerState {
    Found(ObjectId),
    Missing(MissingChains),
}

/// Chains that are still to be made.
struct MissingChains {
    rack: ObjectId,
    /// Of a Drum Rack: the pad's note.
    note: Option<i64>,
    /// How many there are, and the place of the last that is wanted.
    before: usize,
    last: usize,
}

impl MissingChains {
    /// What `segment` needs that `parent` does not have.
    fn find(
        session: &dyn Session,
        parent: &ResolvedPath,
        path: &DevicePath,
        segment: Segment,
        error: Option<ToolError>,
    ) -> Result<MissingChains, ToolError> {
        let refuse = |why: String| Err(ToolError::new(format!("{path}/{segment}: {why}")));
        let (rack, note, before) = match parent {
            ResolvedPath::Pad(layers) => {
                let rack =
                    layers.first().map(|layer| model_read::child(session, *layer, "canonical_parent")).transpose()?;
                let note = layers.first().map(|layer| drum_note(session, *layer)).transpose()?.flatten();
                (rack.flatten(), note, layers.len())
            }
            ResolvedPath::Object(id) if class(session, *id)? == Some("DrumPad") => {
                let note = model_read::int(session, *id, "note")?;
                (model_read::child(session, *id, "canonical_parent")?, Some(note), count(session, *id, "chains")?)
            }
            ResolvedPath::Object(id) => {
                let class_name = model_read::if_any(model_read::text(session, *id, "class_name"))?;
                let drums = class_name.as_deref() == Some("DrumGroupDevice");
                match segment {
                    // A pad of a Drum Rack in another rack is there once it has a chain.
                    Segment::Pad(note) if drums => (Some(*id), Some(i64::from(note)), 0),
                    Segment::Pad(_) => return Err(error.unwrap_or_else(|| ToolError::new("no pad"))),
                    _ if drums => {
                        return refuse(format!("a chain of a Drum Rack belongs to a pad; write {path}/pC1/c+"));
                    }
                    _ if !model_read::flag_if_any(session, *id, "can_have_chains")? => {
                        return refuse(format!("{path} is no rack and has no chains"));
                    }
                    _ => (Some(*id), None, count(session, *id, "chains")?),
                }
            }
        };
        let rack = rack.ok_or_else(|| ToolError::new(format!("{path}: there is no rack")))?;
        let last = match segment {
            Segment::Chain(at) => at,
            _ => before,
        };
        let new = last.saturating_add(1).saturating_sub(before);
        if new > MAX_NEW_CHAINS {
            return refuse(format!("that would make {new} chains; one path makes at most {MAX_NEW_CHAINS}"));
        }
        Ok(MissingChains { rack, note, before, last })
    }

    fn make(&self, session: &mut dyn Session) -> Result<(ObjectId, Option<String>), ToolError> {
        let mut newest = None;
        for _ in self.before..=self.last {
            let chain = session.call(self.rack, "insert_chain", &[])?.as_object();
            let chain = chain.ok_or_else(|| ToolError::new("no chain was made"))?;
            if let Some(note) = self.note {
                session.set(chain, "in_note", Value::Int(note))?;
            }
            newest = Some(chain);
        }
        let newest = newest.ok_or_else(|| ToolError::new("no chain was made"))?;
        Ok((newest, created_range('c', self.before, self.last)))
    }
}
