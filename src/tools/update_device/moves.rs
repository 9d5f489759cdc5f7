//! Moves: a device to a place on a track, chain or pad; a pad, or one of its layers, to another pad of its rack.

use crate::music::text::counted;
use crate::object_model::faders;
use crate::object_model::native_devices::DeviceCategory;
use crate::object_model::{ModelError, ObjectId, Session, Value as Model};
use crate::tools::address::device_targets::{DevicePart, is_return_chain, layers, pad_name};
use crate::tools::address::model_read::{self, child, child_if_any, count, int, number};
use crate::tools::address::path::{DevicePath, Segment};
use crate::tools::address::path_format::drum_note;
use crate::tools::address::path_format::{path_and_id, tool_path};
use crate::tools::address::path_resolve::{self, ResolvedPath};
use crate::tools::device::device_places::{DevicePlace, ResolvedPlace, refuse_in_new_chain};
use crate::tools::error::ToolError;
use crate::tools::report::moved_paths::ListBefore;
use crate::tools::report::target_result::add_detail;
use crate::tools::report::write_log::WriteLog;
use serde_json::json;

/// Where a target goes, looked up before the first write.
pub enum Move {
    Device {
        spelling: String,
        to: ResolvedPlace,
    },
    /// A pad or a layer to the pad of that note.
    ToPad {
        note: i64,
        /// What the target held before the call: two pads that change places are not put together on the way.
        moving: Vec<ObjectId>,
    },
}

impl Move {
    /// The place for a target, or why it cannot go there.
    pub fn find(session: &dyn Session, part: DevicePart, place: &DevicePlace) -> Result<Move, ToolError> {
        let (rack, from, moving) = match part {
            DevicePart::Device(device) => {
                let to = place.resolve(session)?;
                to.check(session)?;
                if let Some(holder) = to.holder()
                    && stands_in(session, holder, device)?
                {
                    return Err(ToolError::new(format!("{}: a rack cannot be moved into itself", place.spelling)));
                }
                let kinds = [DeviceCategory::Instrument, DeviceCategory::AudioEffect, DeviceCategory::MidiEffect];
                let kind = int(session, device, "type")?;
                if let Some(rack) = to.rack_of_new_chain(session)?
                    && let Some(kind) = kinds.into_iter().find(|category| category.number() == kind)
                {
                    refuse_in_new_chain(session, rack, kind)
                        .map_err(|why| ToolError::new(format!("{}: {why}", place.spelling)))?;
                }
                return Ok(Move::Device { spelling: place.spelling.clone(), to });
            }
            DevicePart::Pad { rack, note } => (rack, pad_name(session, note), layers(session, rack, note)?),
            DevicePart::Chain(chain) => {
                if is_return_chain(session, chain)? || drum_note(session, chain)?.is_none() {
                    return Err(ToolError::new(format!(
                        "{} keeps its place: only layers of drum pads move; svc-duplicate copies chains",
                        path_and_id(session, chain)?
                    )));
                }
                let rack = child(session, chain, "canonical_parent")?;
                (rack.ok_or_else(|| ToolError::new("the chain has no rack"))?, "a layer".to_owned(), vec![chain])
            }
        };
        let own = tool_path(session, rack)?.unwrap_or_default();
        let refuse = |why: &str| Err(ToolError::new(format!("{}: {why}, such as {own}/pD1", place.spelling)));
        let mut way = place.container().segments.clone();
        let layered = way.last() == Some(&Segment::NewChain);
        if layered {
            way.pop();
        }
        let note = match way.pop() {
            Some(Segment::Pad(note)) if place.index().is_none() => i64::from(note),
            Some(Segment::CatchAll) if place.index().is_none() => {
                return refuse("no path makes a chain for all notes; name a pad");
            }
            Some(Segment::Chain(_)) if matches!(way.last(), Some(Segment::Pad(_))) => {
                return refuse("a layer goes behind those that are there; name the pad alone");
            }
            _ => return refuse(&format!("{from} moves to a pad")),
        };
        let to = DevicePath { track: place.container().track, segments: way };
        if path_resolve::device(session, &to)?.0 != ResolvedPath::Object(rack) {
            return refuse("pads and layers move within their own rack");
        }
        Ok(Move::ToPad { note, moving })
    }

    /// The chains that leave the pad of that note by this move.
    pub fn takes_from(&self, note: i64) -> &[ObjectId] {
        match self {
            Move::ToPad { note: to, moving } if *to != note => moving,
            _ => &[],
        }
    }

    /// Moves the target, and gives what it is then. `later` are the moves of the call that are still to come; `before`
    /// gets the lists of devices that change.
    pub fn carry_out(
        &self,
        session: &mut dyn Session,
        part: DevicePart,
        later: &[&Move],
        before: &mut Vec<ListBefore>,
        log: &mut WriteLog,
    ) -> Result<DevicePart, ToolError> {
        match (self, part) {
            (Move::Device { spelling, to }, DevicePart::Device(device)) => {
                move_device(session, device, (spelling, to), before, log)?;
                Ok(part)
            }
            (Move::ToPad { note, moving }, DevicePart::Pad { rack, .. }) => {
                put_on_pad(session, rack, moving, *note, (later, before), log)?;
                Ok(DevicePart::Pad { rack, note: *note })
            }
            (Move::ToPad { note, moving }, DevicePart::Chain(chain)) => {
                let rack = child(session, chain, "canonical_parent")?;
                let rack = rack.ok_or_else(|| ToolError::new("the chain has no rack"))?;
                put_on_pad(session, rack, moving, *note, (later, before), log)?;
                Ok(part)
            }
            _ => Ok(part),
        }
    }
}

/// Where a device goes in a track or chain. At the end it is put behind those of its kind; a place that its kind cannot
/// have is refused.
pub fn place_in(
    session: &mut dyn Session,
    device: ObjectId,
    container: ObjectId,
    at: Option<usize>,
) -> Result<Model, ToolError> {
    let song = model_read::song(session)?;
    let end = i64::try_from(count(session, container, "devices")?).unwrap_or(i64::MAX);
    let asked = at.and_then(|at| i64::try_from(at).ok());
    let arguments = [reference(device), reference(container), Model::Int(asked.unwrap_or(end))];
    let nearest = session.call(song, "find_device_position", &arguments)?.as_i64().unwrap_or(end);
    match asked {
        Some(asked) if asked != nearest => Err(ToolError::new(format!(
            "it cannot stand at d{asked} there, the nearest place is d{nearest}: MIDI effects come first, then the instrument, \
             then audio effects"
        ))),
        _ => Ok(Model::Int(nearest)),
    }
}

/// Whether an object is or stands in a device.
pub fn stands_in(session: &dyn Session, id: ObjectId, device: ObjectId) -> Result<bool, ModelError> {
    let mut at = Some(id);
    while let Some(here) = at {
        if here == device {
            return Ok(true);
        }
        at = model_read::child_if_any(session, here, "canonical_parent")?;
    }
    Ok(false)
}

fn put_on_pad(
    session: &mut dyn Session,
    rack: ObjectId,
    moving: &[ObjectId],
    note: i64,
    (later, before): (&[&Move], &mut Vec<ListBefore>),
    log: &mut WriteLog,
) -> Result<(), ToolError> {
    ListBefore::remember(before, session, rack, "chains")?;
    let leaves = |layer: &ObjectId| later.iter().any(|other| other.takes_from(note).contains(layer));
    let held = layers(session, rack, note)?.iter().filter(|layer| !moving.contains(layer) && !leaves(layer)).count();
    for layer in moving {
        session.set(*layer, "in_note", Model::Int(note))?;
    }
    log.record("toPath", Ok::<_, ToolError>(()))?;
    if held > 0 {
        let chains = counted(held, "chain");
        add_detail(&mut log.entry, format!("{} held {chains}; it is layered on it", pad_name(session, note)));
    }
    Ok(())
}

fn move_device(
    session: &mut dyn Session,
    device: ObjectId,
    (spelling, to): (&str, &ResolvedPlace),
    before: &mut Vec<ListBefore>,
    log: &mut WriteLog,
) -> Result<(), ToolError> {
    let from =
        child(session, device, "canonical_parent")?.ok_or_else(|| ToolError::new("the device stands nowhere"))?;
    ListBefore::remember(before, session, from, "devices")?;
    let trim = Trim::read(session, from)?;
    let room = to.make(session).map_err(|error| ToolError::about("toPath", error))?;
    let container = room.container;
    ListBefore::remember(before, session, container, "devices")?;
    let fresh = count(session, container, "devices")? == 0 && Trim::read(session, container)?.is_default();
    let with_made = |why: String| match &room.created {
        Some(chains) => ToolError::about("toPath", format!("{spelling}: {why}; made on the way: {chains}")),
        None => ToolError::about("toPath", format!("{spelling}: {why}")),
    };
    let at = place_in(session, device, container, room.at).map_err(|error| with_made(error.text))?;
    let song = model_read::song(session)?;
    let moved = session.call(song, "move_device", &[reference(device), reference(container), at]);
    log.record("toPath", moved.map_err(|error| with_made(error.to_string())))?;
    let devices = model_read::children(session, container, "devices")?;
    let landed = devices.iter().position(|there| *there == device).unwrap_or(0);
    if let Some(said) = room.past_end_detail(landed) {
        add_detail(&mut log.entry, said);
    } else if let Some(asked) = to.index().filter(|asked| *asked > landed)
        && landed.saturating_add(1) < count(session, container, "devices")?
    {
        add_detail(&mut log.entry, format!("not at d{asked} but where its kind goes"));
    }
    if let Some(created) = room.created {
        log.entry.insert("created".to_owned(), json!(created));
    }
    if container == from || trim.is_default() {
        return Ok(());
    }
    // What was set for the device alone goes along where nothing is set yet.
    let rack = |chain| child(session, chain, "canonical_parent");
    let said = format!("the trim of {}, {}", path_and_id(session, from)?, trim.describe());
    if fresh && count(session, from, "devices")? == 0 && rack(from)? == rack(container)? {
        trim.write(session, container)?;
        Trim::DEFAULT.write(session, from)?;
        add_detail(&mut log.entry, format!("{said}, went along"));
    } else {
        add_detail(&mut log.entry, format!("{said}, was left there"));
    }
    Ok(())
}

/// An object as an argument.
pub fn reference(id: ObjectId) -> Model {
    Model::Text(format!("id {id}"))
}

/// The fader and panning of a chain, raw.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Trim {
    volume: f64,
    panning: f64,
}

impl Trim {
    const DEFAULT: Trim = Trim { volume: 0.85, panning: 0.0 };

    /// What is on a track is set there for all of it, so a track has none.
    fn read(session: &dyn Session, container: ObjectId) -> Result<Trim, ToolError> {
        if !matches!(model_read::class(session, container)?, Some("Chain" | "DrumChain")) {
            return Ok(Trim::DEFAULT);
        }
        let Some(mixer) = child(session, container, "mixer_device")? else { return Ok(Trim::DEFAULT) };
        let value = |member: &str, default: f64| -> Result<f64, ToolError> {
            let parameter = child_if_any(session, mixer, member)?;
            parameter.map_or(Ok(default), |parameter| Ok(number(session, parameter, "value")?))
        };
        Ok(Trim { volume: value("volume", 0.85)?, panning: value("panning", 0.0)? })
    }

    fn is_default(self) -> bool {
        let near = |a: f64, b: f64| (a - b).abs() < 1e-6;
        near(self.volume, Trim::DEFAULT.volume) && near(self.panning, Trim::DEFAULT.panning)
    }

    fn describe(self) -> String {
        let db =
            faders::volume_db(self.volume).map_or_else(|| "-inf".to_owned(), |db| model_read::rounded(db).to_string());
        format!("{db} dB, pan {}", model_read::rounded(self.panning))
    }

    fn write(self, session: &mut dyn Session, chain: ObjectId) -> Result<(), ToolError> {
        let Some(mixer) = child(session, chain, "mixer_device")? else { return Ok(()) };
        for (member, value) in [("volume", self.volume), ("panning", self.panning)] {
            if let Some(parameter) = child_if_any(session, mixer, member)? {
                session.set(parameter, "value", value.into())?;
            }
        }
        Ok(())
    }
}
