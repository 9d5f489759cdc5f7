//! What a path names in a Set: take lanes, clips on the timeline, devices, chains and pads, and moments of the song.

use crate::music::text::counted;
use crate::music::{Beats, SAME_POSITION_BEATS, locator_names, position};
use crate::object_model::limits::ARRANGEMENT_END_BEATS;
use crate::object_model::{ModelError, ObjectId, Session};
use crate::tools::address::model_read::{self, class, count_if_any, int, number, text};
use crate::tools::address::path::{DevicePath, LanePath, Moment, Segment};
use crate::tools::address::path_format::{drum_note, tool_path};
use crate::tools::error::ToolError;

/// What a device path names.
#[derive(Clone, Debug, PartialEq)]
pub enum ResolvedPath {
    Object(ObjectId),
    /// A pad without an object of its own: it stands in a Drum Rack inside another rack. Its chains, at least one.
    Pad(Vec<ObjectId>),
}

/// The quarter beats of a moment on the song's timeline.
pub fn resolve_moment(session: &dyn Session, at: &Moment) -> Result<Beats, ToolError> {
    let song = model_read::song(session)?;
    match at {
        Moment::Position(text) => song_position(text, model_read::meter(session, song)?),
        Moment::Locator(name) => {
            let locator = locator(session, name)?.ok_or_else(|| {
                ToolError::new(format!(
                    "no locator has the id or name \"{name}\"; svc-read-live-set with include locators lists them"
                ))
            })?;
            Ok(number(session, locator, "time")?)
        }
    }
}

/// A bar|beat on the song's timeline, in quarter beats.
pub fn song_position(text: &str, meter: crate::music::Meter) -> Result<Beats, ToolError> {
    let beats = position::parse(text, meter).map_err(|e| ToolError::new(e.to_string()))?.beats;
    if beats < 0.0 {
        return Err(ToolError::new(format!("{text} lies before 1|1, where the song begins")));
    }
    if beats > ARRANGEMENT_END_BEATS {
        return Err(ToolError::new(format!(
            "{text} lies past the end of the Arrangement, {ARRANGEMENT_END_BEATS} quarter beats"
        )));
    }
    Ok(beats)
}

/// The song's locators, by time.
pub fn locators(session: &dyn Session) -> Result<Vec<ObjectId>, ToolError> {
    let song = model_read::song(session)?;
    Ok(model_read::children(session, song, "cue_points")?)
}

/// The locators that [a text](locator_names::called) names.
pub fn locators_called(session: &dyn Session, name: &str) -> Result<Vec<ObjectId>, ToolError> {
    let all = locators(session)?;
    let names = all.iter().map(|id| text(session, *id, "name")).collect::<Result<Vec<_>, _>>()?;
    let called = locator_names::called(names.iter().map(AsRef::as_ref), name);
    Ok(called.into_iter().filter_map(|at| all.get(at).copied()).collect())
}

/// The locator of that name, else the one of that id. A name that several have is refused with the ids and positions
/// that tell them apart.
pub fn locator(session: &dyn Session, name_or_id: &str) -> Result<Option<ObjectId>, ToolError> {
    let found = locators_called(session, name_or_id)?;
    if found.is_empty()
        && let Some(id) = name_or_id.trim().parse().ok().map(ObjectId)
        && class(session, id)? == Some("CuePoint")
    {
        return Ok(Some(id));
    }
    if found.len() < 2 {
        return Ok(found.first().copied());
    }
    let meter = model_read::meter(session, model_read::song(session)?)?;
    let mut first = Vec::new();
    for id in found.iter().take(locator_names::MOST_NAMESAKES) {
        first.push((id.to_string(), number(session, *id, "time")?));
    }
    Err(ToolError::new(locator_names::ambiguous(name_or_id, found.len(), &first, meter)))
}

/// The locator that stands at that moment.
pub fn locator_at(session: &dyn Session, beats: Beats) -> Result<Option<ObjectId>, ToolError> {
    let here = |id| number(session, id, "time").map(|time| (time - beats).abs() <= SAME_POSITION_BEATS);
    Ok(model_read::find(locators(session)?, here)?)
}

/// The object whose clips lie on the lane: the track, or the take lane.
pub fn lane(session: &dyn Session, lane: LanePath) -> Result<ObjectId, ToolError> {
    let track = model_read::track(session, crate::tools::address::path::TrackPath::Regular(lane.track))?;
    let Some(at) = lane.take_lane else { return Ok(track) };
    if let Some(found) = session.child_at(track, "take_lanes", at)? {
        return Ok(found);
    }
    let lanes = counted(count_if_any(session, track, "take_lanes")?, "take lane");
    Err(ToolError::not_found(format!("{lane}: t{} has {lanes}, counted from 0", lane.track)))
}

/// The clip of a lane that covers the moment, even if it began earlier.
pub fn clip_covering(session: &dyn Session, on: LanePath, at: &Moment) -> Result<ObjectId, ToolError> {
    let lane = lane(session, on)?;
    let beats = resolve_moment(session, at)?;
    // Clips of a lane are sorted and do not overlap: the last that begins by then is the only one that can.
    let (mut low, mut high) = (0, count_if_any(session, lane, "arrangement_clips")?);
    while low < high {
        let middle = low + (high - low) / 2;
        let clip = session.child_at(lane, "arrangement_clips", middle)?;
        let start = clip.map_or(Ok(f64::INFINITY), |clip| number(session, clip, "start_time"))?;
        if start <= beats + SAME_POSITION_BEATS { low = middle + 1 } else { high = middle }
    }
    if let Some(at) = low.checked_sub(1)
        && let Some(clip) = session.child_at(lane, "arrangement_clips", at)?
        && (number(session, clip, "end_time")? > beats + SAME_POSITION_BEATS
            // A clip may be shorter than two positions have to be apart.
            || number(session, clip, "start_time")? >= beats - SAME_POSITION_BEATS)
    {
        return Ok(clip);
    }
    Err(ToolError::new(format!("{on}[{at}]: no clip of {on} covers that moment")))
}

/// Walks a device path. The second value is a warning, where the path was spelled in a way that answers do not.
pub fn device(session: &dyn Session, path: &DevicePath) -> Result<(ResolvedPath, Option<String>), ToolError> {
    let mut at = ResolvedPath::Object(model_read::track(session, path.track)?);
    let mut warning = None;
    let mut way = path.track.to_string();
    for segment in &path.segments {
        let here = std::mem::take(&mut way);
        let (found, remark) = step(session, &here, at, *segment)?;
        at = found;
        warning = warning.or(remark);
        way = format!("{here}/{segment}");
    }
    Ok((at, warning))
}

fn step(
    session: &dyn Session,
    here: &str,
    at: ResolvedPath,
    segment: Segment,
) -> Result<(ResolvedPath, Option<String>), ToolError> {
    let miss = |why: String| Err(ToolError::new(format!("{here}/{segment}: {why}")));
    let plain = |id| Ok((ResolvedPath::Object(id), None));
    let (id, layers) = match at {
        ResolvedPath::Object(id) if class(session, id)? == Some("DrumPad") => {
            (id, Some(model_read::children(session, id, "chains")?))
        }
        ResolvedPath::Object(id) => (id, None),
        ResolvedPath::Pad(layers) => (layers.first().copied().unwrap_or(ObjectId(0)), Some(layers)),
    };
    match (segment, layers) {
        (Segment::Chain(index), Some(layers)) => match layers.get(index) {
            Some(chain) => plain(*chain),
            None => miss(format!("{here} has {} layers, counted from 0", layers.len())),
        },
        // A device straight behind a pad is in its first layer.
        (segment, Some(layers)) => match layers.first() {
            Some(chain) => step(session, here, ResolvedPath::Object(*chain), segment),
            None => miss(format!("{here} is empty")),
        },
        (Segment::Chain(index), None) => match session.child_at(id, "chains", index)? {
            Some(chain) => Ok((ResolvedPath::Object(chain), rack_relative(session, here, segment, chain)?)),
            None => {
                miss(format!("{here} has {}, counted from 0", counted(count_if_any(session, id, "chains")?, "chain")))
            }
        },
        (Segment::ReturnChain(index), None) => match session.child_at(id, "return_chains", index)? {
            Some(chain) => plain(chain),
            None => miss(format!(
                "{here} has {}, counted from 0",
                counted(count_if_any(session, id, "return_chains")?, "return chain")
            )),
        },
        (Segment::Pad(note), None) => pad(session, here, segment, id, i64::from(note)),
        (Segment::CatchAll, None) => pad(session, here, segment, id, -1),
        (Segment::Device(index), None) => match session.child_at(id, "devices", index)? {
            Some(device) => plain(device),
            None => Err(ToolError::new(match count_if_any(session, id, "devices")? {
                0 => format!("{here} has no devices"),
                1 => format!("{here} has 1 device (d0)"),
                n => format!("{here} has {n} devices (d0-d{})", n.saturating_sub(1)),
            })),
        },
        (Segment::Instrument, None) => match typed(session, id, 1)?.first() {
            Some(device) => plain(*device),
            None => miss(format!("{here} holds no instrument")),
        },
        (Segment::MidiEffect(index), None) => match typed(session, id, 4)?.get(index) {
            Some(device) => plain(*device),
            None => miss(format!("{here} has {} MIDI effects, counted from 0", typed(session, id, 4)?.len())),
        },
        (Segment::AudioEffect(index), None) => match typed(session, id, 2)?.get(index) {
            Some(device) => plain(*device),
            None => miss(format!("{here} has {} audio effects, counted from 0", typed(session, id, 2)?.len())),
        },
        (Segment::NewDevice | Segment::NewChain, None) => {
            miss("this tool makes no devices and chains; svc-create-device does".to_owned())
        }
    }
}

/// The devices of one type straight on a track or chain; a rack is one of its own kind, and nothing in it counts.
fn typed(session: &dyn Session, container: ObjectId, kind: i64) -> Result<Vec<ObjectId>, ModelError> {
    let devices = model_read::children_if_any(session, container, "devices")?;
    model_read::filter(devices, |device| Ok(int(session, device, "type")? == kind))
}

/// The spelling that answers use, where a drum chain was named by its place in the rack.
fn rack_relative(
    session: &dyn Session,
    here: &str,
    segment: Segment,
    chain: ObjectId,
) -> Result<Option<String>, ModelError> {
    if drum_note(session, chain)?.is_none() {
        return Ok(None);
    }
    let path = tool_path(session, chain)?;
    Ok(path.map(|path| format!("{here}/{segment} counts the chains of the whole Drum Rack; answers write it {path}")))
}

fn pad(
    session: &dyn Session,
    here: &str,
    segment: Segment,
    rack: ObjectId,
    note: i64,
) -> Result<(ResolvedPath, Option<String>), ToolError> {
    let miss = |why: String| Err(ToolError::new(format!("{here}/{segment}: {why}")));
    if !is_drum_rack(session, rack)? {
        let inner = match drum_rack(session, rack, 0)? {
            Some(inner) => tool_path(session, inner)?,
            None => None,
        };
        return match inner {
            Some(inner) => {
                miss(format!("{here} is no Drum Rack; the one inside it is {inner}, so write {inner}/{segment}"))
            }
            None => miss(format!("{here} is no Drum Rack, and only those have pads")),
        };
    }
    if let Ok(note) = usize::try_from(note)
        && let Some(pad) = session.child_at(rack, "drum_pads", note)?
    {
        return Ok((ResolvedPath::Object(pad), None));
    }
    let chains = model_read::children(session, rack, "chains")?;
    let chains = model_read::filter(chains, |chain| Ok::<_, ModelError>(drum_note(session, chain)? == Some(note)))?;
    if chains.is_empty() {
        return miss(match u8::try_from(note) {
            Ok(note) => format!("no chain of {here} answers {}", session.spelling().name(note)),
            Err(_) => format!("no chain of {here} answers all notes"),
        });
    }
    Ok((ResolvedPath::Pad(chains), None))
}

/// Racks in racks are no deeper than this in any Set that a person made.
const MAX_DEPTH: usize = 32;

fn is_drum_rack(session: &dyn Session, device: ObjectId) -> Result<bool, ModelError> {
    let class = model_read::if_any(text(session, device, "class_name"))?;
    Ok(class.as_deref() == Some("DrumGroupDevice"))
}

/// The first Drum Rack inside a device, at any depth, the device itself included.
pub fn drum_rack(session: &dyn Session, device: ObjectId, depth: usize) -> Result<Option<ObjectId>, ModelError> {
    if is_drum_rack(session, device)? {
        return Ok(Some(device));
    }
    if depth >= MAX_DEPTH || !model_read::flag_if_any(session, device, "can_have_chains")? {
        return Ok(None);
    }
    for chain in model_read::children(session, device, "chains")? {
        if let Some(rack) = first_drum_rack(session, chain, depth + 1)? {
            return Ok(Some(rack));
        }
    }
    Ok(None)
}

/// The first Drum Rack on a track or chain, at any depth.
pub fn first_drum_rack(
    session: &dyn Session,
    container: ObjectId,
    depth: usize,
) -> Result<Option<ObjectId>, ModelError> {
    for device in model_read::children_if_any(session, container, "devices")? {
        if let Some(rack) = drum_rack(session, device, depth)? {
            return Ok(Some(rack));
        }
    }
    Ok(None)
}
