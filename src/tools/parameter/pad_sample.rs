//! Samples: into a Simpler, and onto the pads of a Drum Rack, where chain and Simpler are made as needed.

use crate::object_model::audio::AudioFiles;
use crate::object_model::path::Root;
use crate::object_model::{Capability, ModelError, ObjectId, Session, Value as Model};
use crate::tools::address::model_read::{self, children, class, count, flag, flag_if_any, int, number, text};
use crate::tools::address::path::{DevicePath, Path, Segment};
use crate::tools::address::path_format::{path_and_id, tool_path};
use crate::tools::address::path_parse;
use crate::tools::address::path_resolve::{self, ResolvedPath};
use crate::tools::device::device_places::DevicePlace;
use crate::tools::error::ToolError;
use crate::tools::report::target_result::or_detail;
use serde_json::{Map, Value, json};

/// The name of the parameter.
pub const SAMPLE: &str = "sample";

/// Whether a name is that of a sample, of the device itself or behind a path.
pub fn is_sample_name(name: &str) -> bool {
    name.trim().rsplit('/').next().is_some_and(|last| last.eq_ignore_ascii_case(SAMPLE))
}

/// Where a sample goes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SamplePlace {
    Simpler(ObjectId),
    /// Into a Simpler still to be made, in the chain there.
    Chain(ObjectId),
    /// In place of the instrument there, which only force allows.
    Instead(ObjectId),
    /// Into a Simpler still to be made, in a chain still to be made. By the canonical path.
    NewChain(String),
}

/// The sample of a Simpler.
pub fn sample_of(session: &dyn Session, device: ObjectId) -> Result<Option<ObjectId>, ModelError> {
    if class(session, device)? != Some("SimplerDevice") {
        return Ok(None);
    }
    session.child_at(device, "sample", 0)
}

/// Beats that a Simpler's sample is taken to last at the Set's tempo: the power of two that is nearest as a factor.
pub fn estimated_beats(session: &dyn Session, device: ObjectId) -> Result<Option<f64>, ModelError> {
    let (Some(sample), Some(song)) = (sample_of(session, device)?, session.root(Root::LiveSet)?) else {
        return Ok(None);
    };
    let read = |member| number(session, sample, member);
    let frames = read("end_marker")? - read("start_marker")?;
    let beats = frames / read("sample_rate")? * number(session, song, "tempo")? / 60.0;
    Ok(Some(2f64.powf(beats.max(f64::MIN_POSITIVE).log2().round())))
}

/// Why a device takes no sample.
pub fn why_none(session: &dyn Session, device: ObjectId) -> Result<String, ModelError> {
    Ok(match text(session, device, "class_name")?.as_str() {
        "DrumGroupDevice" => "a Drum Rack holds samples on its pads; name one, such as \"pC1/sample\"".to_owned(),
        "DrumCell" | "MultiSampler" | "InstrumentImpulse" => {
            let what = text(session, device, "class_display_name")?;
            format!("samples are loaded into a Simpler, which Live's object model allows; into {what} it does not")
        }
        _ if flag_if_any(session, device, "can_have_chains")? => {
            "a rack has no sample itself; name the Simpler in it, such as \"c0/d0/sample\"".to_owned()
        }
        _ => "only a Simpler and the pads of a Drum Rack take a sample".to_owned(),
    })
}

/// The path of what a prefix names inside a device, if it is a path.
pub fn path_inside(session: &dyn Session, device: ObjectId, prefix: &str) -> Result<Option<String>, ModelError> {
    let Some(path) = tool_path(session, device)? else { return Ok(None) };
    let whole = format!("{path}/{}", prefix.trim().trim_matches('/'));
    Ok(path_parse::parse(&whole).is_ok().then_some(whole))
}

/// The path before a name and the name behind it, at the last slash that leaves a path inside the device: names of
/// parameters have slashes too.
pub fn split<'a>(
    session: &dyn Session,
    device: ObjectId,
    name: &'a str,
) -> Result<Option<(&'a str, &'a str)>, ModelError> {
    for (at, slash) in name.rmatch_indices('/') {
        if let (Some(prefix), Some(last)) = (name.get(..at), name.get(at + slash.len()..))
            && path_inside(session, device, prefix)?.is_some()
        {
            return Ok(Some((prefix, last.trim())));
        }
    }
    Ok(None)
}

/// Where the sample for `prefix` of `device` goes, or why nowhere.
pub fn find_place(
    session: &dyn Session,
    device: ObjectId,
    prefix: Option<&str>,
    force: bool,
) -> Result<SamplePlace, ToolError> {
    let Some(prefix) = prefix else { return simpler(session, device, force, None) };
    let Some(whole) = path_inside(session, device, prefix)? else {
        return Err(ToolError::new(format!(
            "\"{prefix}\" is no path inside the device; a pad is written pC1, a layer pC1/c0"
        )));
    };
    let Ok(Path::Device(way)) = path_parse::parse(&whole) else {
        return Err(ToolError::new(format!(
            "\"{prefix}\" is no path inside the device; a pad is written pC1, a layer pC1/c0"
        )));
    };
    let way = without_missing_device(session, way)?;
    let is_new = matches!(way.segments.last(), Some(Segment::NewChain));
    let found = match or_detail(path_resolve::device(session, &way))? {
        Ok((found, _)) => Some(found),
        Err(why) if !is_new && !may_be_made(session, &way)? => return Err(ToolError::new(why)),
        Err(_) => None,
    };
    let chain = match found {
        None => return Ok(SamplePlace::NewChain(way.to_string())),
        Some(ResolvedPath::Object(id)) => match class(session, id)? {
            Some("DrumPad") => {
                let layers = children(session, id, "chains")?;
                match only_layer(session, prefix, &layers)? {
                    Some(layer) => layer,
                    None => return Ok(SamplePlace::NewChain(way.to_string())),
                }
            }
            Some("Chain" | "DrumChain") => id,
            _ => return simpler(session, id, force, None),
        },
        Some(ResolvedPath::Pad(layers)) => match only_layer(session, prefix, &layers)? {
            Some(layer) => layer,
            None => return Ok(SamplePlace::NewChain(way.to_string())),
        },
    };
    on_chain(session, chain, force)
}

/// The way to the pad or chain, where the device at its end is the first one, or the instrument, and is still to be
/// made: `pC1/d0` of an empty pad.
fn without_missing_device(session: &dyn Session, way: DevicePath) -> Result<DevicePath, ToolError> {
    let mut container = way.clone();
    let is_first = matches!(container.segments.pop(), Some(Segment::Device(0) | Segment::Instrument));
    let in_rack = matches!(container.segments.last(), Some(Segment::Pad(_) | Segment::Chain(_)));
    if !is_first || !in_rack || or_detail(path_resolve::device(session, &way))?.is_ok() {
        return Ok(way);
    }
    let is_there = or_detail(path_resolve::device(session, &container))?.is_ok();
    Ok(if is_there || may_be_made(session, &container)? { container } else { way })
}

/// A pad, or a layer behind those that are there, comes to be by being written.
fn may_be_made(session: &dyn Session, way: &DevicePath) -> Result<bool, ToolError> {
    let mut parent = way.clone();
    let last = parent.segments.pop();
    Ok(matches!(last, Some(Segment::Pad(_) | Segment::Chain(_)))
        && or_detail(path_resolve::device(session, &parent))?.is_ok())
}

pub(super) fn only_layer(
    session: &dyn Session,
    prefix: &str,
    layers: &[ObjectId],
) -> Result<Option<ObjectId>, ToolError> {
    match layers {
        [] => Ok(None),
        [one] => Ok(Some(*one)),
        several => {
            let names = several.iter().enumerate().map(|(at, layer)| {
                let name = text(session, *layer, "name")?;
                Ok(format!("{prefix}/c{at} ({name})"))
            });
            let names = names.collect::<Result<Vec<_>, ModelError>>()?.join(", ");
            Err(ToolError::new(format!("the pad has {} layers; name one of {names}", several.len())))
        }
    }
}

/// The instruments of a chain, also those inside racks.
pub(super) fn instruments(
    session: &dyn Session,
    container: ObjectId,
    out: &mut Vec<ObjectId>,
) -> Result<(), ModelError> {
    for device in children(session, container, "devices")? {
        if int(session, device, "type")? != 1 {
            continue;
        }
        let chains = if flag_if_any(session, device, "can_have_chains")? {
            children(session, device, "chains")?
        } else {
            vec![]
        };
        let before = out.len();
        for chain in chains {
            instruments(session, chain, out)?;
        }
        // A rack without an instrument inside is what stands there.
        if out.len() == before {
            out.push(device);
        }
    }
    Ok(())
}

fn on_chain(session: &dyn Session, chain: ObjectId, force: bool) -> Result<SamplePlace, ToolError> {
    let mut found = Vec::new();
    instruments(session, chain, &mut found)?;
    match found.as_slice() {
        [] => Ok(SamplePlace::Chain(chain)),
        [one] => simpler(session, *one, force, Some(chain)),
        several => {
            let named = several.iter().map(|id| path_and_id(session, *id)).collect::<Result<Vec<_>, _>>()?;
            Err(ToolError::new(format!(
                "{} instruments stand there; name the Simpler that is meant: {}",
                several.len(),
                named.join(", ")
            )))
        }
    }
}

/// A Simpler that takes the sample, or whatever stands in its place in a chain.
fn simpler(
    session: &dyn Session,
    device: ObjectId,
    force: bool,
    chain: Option<ObjectId>,
) -> Result<SamplePlace, ToolError> {
    let is_simpler = class(session, device)? == Some("SimplerDevice");
    if is_simpler && !flag(session, device, "multi_sample_mode")? {
        return Ok(SamplePlace::Simpler(device));
    }
    let what = text(session, device, "class_display_name")?;
    match chain {
        Some(_) if force => Ok(SamplePlace::Instead(device)),
        Some(_) if is_simpler => Err(ToolError::new(format!(
            "the Simpler at {} is in multi-sample mode; force: true throws it away for one with this sample",
            path_and_id(session, device)?
        ))),
        Some(_) => Err(ToolError::new(format!(
            "the pad's instrument is {what} at {}; force: true throws it away for a Simpler with this sample",
            path_and_id(session, device)?
        ))),
        None if is_simpler => Err(ToolError::new("it is in multi-sample mode, which takes no single sample")),
        None => Err(ToolError::new(why_none(session, device)?)),
    }
}

/// Loads a sample. Gives what the entry says besides the name; `Err` says why it was not loaded, and what was made on
/// the way.
pub fn load(
    session: &mut dyn Session,
    device: ObjectId,
    prefix: Option<&str>,
    file: &str,
    files: &AudioFiles,
    force: bool,
) -> Result<Map<String, Value>, ToolError> {
    // Before anything is made or thrown away for it.
    session.capability(Capability::Samples)?;
    match files.get(file) {
        Some(Err(why)) => return Err(ToolError::new(format!("{file}: {why}"))),
        Some(Ok(_)) => {}
        None if session.kind() == "embedded" => {
            return Err(ToolError::new(format!("{file}: nobody has looked at that file")));
        }
        None => {}
    }
    let mut entry = Map::new();
    let mut made = Vec::new();
    let mut new_chain = None;
    let simpler = match find_place(session, device, prefix, force)? {
        SamplePlace::Simpler(simpler) => simpler,
        SamplePlace::Chain(chain) => {
            let simpler = insert(session, chain, None)?;
            made.push("an empty Simpler");
            simpler
        }
        SamplePlace::Instead(old) => {
            let chain = model_read::child(session, old, "canonical_parent")?;
            let chain = chain.ok_or("the instrument stands nowhere")?;
            let at = children(session, chain, "devices")?.iter().position(|id| *id == old);
            let at = at.ok_or("the instrument stands nowhere")?;
            let what = text(session, old, "class_display_name")?;
            let index = Model::Int(i64::try_from(at).unwrap_or_default());
            session.call(chain, "delete_device", &[index])?;
            let simpler = insert(session, chain, Some(at))?;
            entry.insert("detail".to_owned(), json!(format!("the {what} there was thrown away")));
            simpler
        }
        SamplePlace::NewChain(way) => {
            // A pad that is named alone says by itself what was made.
            let by_pad = way.rsplit('/').next().is_some_and(|last| last.starts_with('p'));
            let place = DevicePlace::read("params", &way)?;
            let room = place.make(session)?;
            new_chain = Some(room.container);
            if let Some(created) = room.created.filter(|_| !by_pad) {
                entry.insert("created".to_owned(), json!(created));
            }
            let simpler = insert(session, room.container, None).map_err(|why| why.and("an empty chain was made"))?;
            made.push("a chain with an empty Simpler");
            simpler
        }
    };
    let loaded = session.call(simpler, "replace_sample", &[Model::Text(file.to_owned())]);
    match loaded {
        Ok(_) => {
            // A new chain is called as its sound is, which is what a drum map shows.
            let sound = std::path::Path::new(file).file_stem().and_then(|stem| stem.to_str());
            if let Some((chain, sound)) = new_chain.zip(sound) {
                session.set(chain, "name", sound.into())?;
            }
            Ok(entry)
        }
        Err(error) if made.is_empty() => Err(error.into()),
        Err(error) => Err(ToolError::from(error).and(format!("{} was left there", made.join(" and ")))),
    }
}

/// The spelling that answers use, where the prefix names a drum chain by its place in the rack.
pub fn spelling_warning(session: &dyn Session, device: ObjectId, prefix: &str) -> Result<Option<String>, ToolError> {
    let inside = path_inside(session, device, prefix)?;
    let Some(Ok(Path::Device(way))) = inside.map(|inside| path_parse::parse(&inside)) else { return Ok(None) };
    Ok(or_detail(path_resolve::device(session, &way))?.ok().and_then(|(_, warning)| warning))
}

/// Simpler's mode in which a note plays the whole sample.
const ONE_SHOT: i64 = 1;

/// A new Simpler, at a place or at the end of the instruments; on a pad in one-shot, as Live makes it there.
fn insert(session: &mut dyn Session, chain: ObjectId, at: Option<usize>) -> Result<ObjectId, ToolError> {
    let mut args = vec![Model::Text("Simpler".to_owned())];
    // Where nothing stands hosts take no index.
    if let Some(at) = at
        && count(session, chain, "devices")? > 0
    {
        args.push(Model::Int(i64::try_from(at).unwrap_or_default()));
    }
    let made = session.call(chain, "insert_device", &args)?;
    let simpler = made.as_object().ok_or_else(|| ToolError::new("no Simpler was made"))?;
    if class(session, chain)? == Some("DrumChain") {
        session.set(simpler, "playback_mode", Model::Int(ONE_SHOT))?;
    }
    Ok(simpler)
}
