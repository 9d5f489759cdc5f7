//! What a rack holds, as every read shows it: its chains, and the pads of a Drum Rack.

use crate::notation::{self, Notation};
use crate::object_model::faders;
use crate::object_model::scope::Shape;
use crate::object_model::{ModelError, ObjectId, Session};
use crate::tools::address::device_targets;
use crate::tools::address::model_read::{self, children, class, count, find, flag, flag_if_any, int, number, text};
use crate::tools::address::path_format;
use crate::tools::address::path_format::drum_note;
use crate::tools::error::ToolError;
use crate::tools::mixer::mixer_strip::shown_db;
use crate::tools::parameter::pad_sample;
use crate::tools::read::device_summary::{DeviceInclude, summary};
use crate::tools::read::gathered::Gathered;
use crate::tools::read::mute_state::{state, state_word};

use serde_json::{Map, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What the search for a Drum Rack reads of a device, and its drum map of the rack that it finds.
pub fn drums_within() -> Shape {
    let device_alone = || Shape::of(&["class_name", "can_have_chains"]).below("sample", Shape::of(&["file_path"]));
    let mut device = device_alone();
    for _ in 0..MAX_DEPTH {
        let chain = Shape::of(&["in_note", "name", "choke_group"]).below("devices", device);
        device = device_alone().below("chains", chain).below("drum_pads", Shape::of(&["name"]));
    }
    device
}

/// What the search for a Drum Rack alone reads of a device.
pub fn racks_within() -> Shape {
    let device = || Shape::of(&["class_name", "can_have_chains"]);
    (0..MAX_DEPTH).fold(device(), |inner, _| device().below("chains", Shape::default().below("devices", inner)))
}

/// What is read of a device that lists show.
pub fn shown_shape() -> Shape {
    Shape::of(&["name", "class_display_name", "class_name", "type", "is_active", "can_have_chains"])
}

/// What is read of a rack, whose chains are opened `depth` levels down.
pub fn rack_shape(include: &DeviceInclude, depth: usize) -> Shape {
    // Whether a pad holds an instrument is looked up at any depth.
    let levels = if include.drum_pads || include.chains { MAX_DEPTH } else { depth.min(MAX_DEPTH) };
    (0..levels).fold(shown_shape(), |inner, _| {
        let chain = Arc::new(chain_shape(inner));
        let mut rack = shown_shape().below("chains", chain.clone()).below("drum_pads", Shape::of(&["name"]));
        if include.return_chains {
            rack = rack.below("return_chains", chain);
        }
        rack
    })
}

/// What is read of a chain with such devices.
pub fn chain_shape(device: Shape) -> Shape {
    let level = || Shape::of(&["value"]);
    let mixer =
        ["volume", "panning", "sends"].into_iter().fold(Shape::default(), |mixer, fader| mixer.below(fader, level()));
    Shape::of(&["name", "color", "is_auto_colored", "in_note", "out_note", "choke_group"])
        .with(&["mute", "solo", "muted_via_solo"])
        .counting(&["devices"])
        .below("mixer_device", mixer)
        .below("canonical_parent", Shape::default().below("return_chains", Shape::of(&["name"])))
        .below("devices", device)
}

/// Puts what a rack holds into its entry.
pub fn rack(
    session: &dyn Session,
    rack: ObjectId,
    include: &DeviceInclude,
    out: &mut Gathered,
) -> Result<(), ToolError> {
    let chains = children(session, rack, "chains")?;
    let soloed = find(chains.iter().copied(), |chain| flag(session, chain, "solo"))?;
    out.set_if(soloed.is_some(), "hasSoloedChain");
    let drums = text(session, rack, "class_name")? == "DrumGroupDevice";
    let within = if include.max_depth == 0 { Inside::Count } else { Inside::Devices };
    if drums && (include.chains || include.drum_pads) {
        out.lists.push(("drumPads", pads(session, rack, &chains, include)?));
    } else if include.chains {
        let list = chains.iter().map(|id| chain(session, *id, &include.inside(), within));
        out.lists.push(("chains", list.collect::<Result<_, _>>()?));
    }
    if include.return_chains {
        let list = children(session, rack, "return_chains")?.into_iter();
        let list = list.map(|id| chain(session, id, &include.inside(), within));
        out.lists.push(("returnChains", list.collect::<Result<_, _>>()?));
    }
    Ok(())
}

/// What kind of chain it is, as `type` says it.
pub fn chain_type(session: &dyn Session, chain: ObjectId) -> Result<&'static str, ModelError> {
    Ok(if class(session, chain)? == Some("DrumChain") { "drum-chain" } else { "chain" })
}

/// The pads that hold anything, by note; the one that takes all other notes comes last.
fn pads(
    session: &dyn Session,
    rack: ObjectId,
    chains: &[ObjectId],
    include: &DeviceInclude,
) -> Result<Vec<Gathered>, ToolError> {
    let note_of = |chain: &ObjectId| drum_note(session, *chain).map(|note| note.unwrap_or(-1));
    let of_chains = chains.iter().map(note_of).collect::<Result<Vec<i64>, _>>()?;
    let mut notes = of_chains.clone();
    // -1 behind all the others.
    notes.sort_by_key(|note| if *note < 0 { i64::MAX } else { *note });
    notes.dedup();
    let list = notes.into_iter().map(|note| {
        let layers = chains.iter().zip(&of_chains).filter(|(_, of)| **of == note).map(|(chain, _)| *chain);
        let layers: Vec<ObjectId> = layers.collect();
        let object = device_targets::pad_object(session, rack, note)?;
        let inside = DeviceInclude { max_depth: include.max_depth, ..include.inside() };
        pad(session, rack, note, object, &layers, &inside)
    });
    list.collect()
}

pub fn pad(
    session: &dyn Session,
    rack: ObjectId,
    note: i64,
    object: Option<ObjectId>,
    layers: &[ObjectId],
    include: &DeviceInclude,
) -> Result<Gathered, ToolError> {
    let mut out = Gathered::default();
    if let Some(id) = object {
        out.set("id", id.to_string());
    }
    let name = u8::try_from(note).map_or_else(|_| "*".to_owned(), |note| session.spelling().name(note));
    out.set("path", format!("{}/p{name}", path_format::tool_path(session, rack)?.unwrap_or_default()));
    out.set("note", note);
    out.set("pitch", name.clone());
    let called = match (object, layers) {
        (Some(pad), _) => text(session, pad, "name")?,
        (None, [one]) => text(session, *one, "name")?,
        (None, _) => "Multi".to_owned(),
    };
    out.set("name", called);
    let all = |member: &str| -> Result<bool, ModelError> {
        let without = find(layers.iter().copied(), |layer| flag(session, layer, member).map(|on| !on))?;
        Ok(!layers.is_empty() && without.is_none())
    };
    if let Some(state) = state_word(all("mute")?, all("solo")?, all("muted_via_solo")?) {
        out.set("state", state);
    }
    let playing = find(layers.iter().copied(), |layer| holds_instrument(session, layer, 0))?;
    if !layers.is_empty() && playing.is_none() {
        out.set("hasInstrument", false);
    }
    if include.chains {
        let within = if include.max_depth == 0 { Inside::Count } else { Inside::Devices };
        let list = layers.iter().map(|layer| chain(session, *layer, &include.inside(), within));
        out.lists.push(("chains", list.collect::<Result<_, _>>()?));
    } else {
        out.set("chainCount", layers.len());
    }
    Ok(out)
}

/// Racks in racks are no deeper than this in any Set.
const MAX_DEPTH: usize = 32;

fn holds_instrument(session: &dyn Session, chain: ObjectId, depth: usize) -> Result<bool, ModelError> {
    let found = find(children(session, chain, "devices")?, |device| {
        if depth < MAX_DEPTH && flag_if_any(session, device, "can_have_chains")? {
            let chains = children(session, device, "chains")?;
            return Ok(find(chains, |chain| holds_instrument(session, chain, depth + 1))?.is_some());
        }
        Ok::<_, ModelError>(int(session, device, "type")? == 1)
    })?;
    Ok(found.is_some())
}

/// How much of a chain is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inside {
    Devices,
    Count,
}

pub fn chain(
    session: &dyn Session,
    chain: ObjectId,
    include: &DeviceInclude,
    inside: Inside,
) -> Result<Gathered, ToolError> {
    let mut out = Gathered::default();
    let is_drum = class(session, chain)? == Some("DrumChain");
    out.set("id", chain.to_string());
    out.set("path", path_format::tool_path(session, chain)?.unwrap_or_default());
    out.set("type", chain_type(session, chain)?);
    out.set("name", text(session, chain, "name")?);
    if !flag(session, chain, "is_auto_colored")?
        && let Some(color) = model_read::color(session, chain)?
    {
        out.set("color", color);
    }
    if is_drum {
        if let Ok(note) = u8::try_from(int(session, chain, "out_note")?) {
            out.set("mappedPitch", session.spelling().name(note));
        }
        let choke = int(session, chain, "choke_group")?;
        if choke > 0 {
            out.set("chokeGroup", choke);
        }
    }
    if let Some(state) = state(session, chain)? {
        out.set("state", state);
    }
    mixer(session, chain, &mut out)?;
    if let Some(remark) = session.remark(chain)? {
        out.set("detail", remark);
    }
    match inside {
        Inside::Count => out.set("deviceCount", count(session, chain, "devices")?),
        Inside::Devices => {
            let list = children(session, chain, "devices")?.into_iter();
            let list = list.map(|id| {
                let mut out = summary(session, id)?;
                if include.max_depth > 0 && flag_if_any(session, id, "can_have_chains")? {
                    rack(session, id, include, &mut out)?;
                }
                Ok::<_, ToolError>(out)
            });
            out.lists.push(("devices", list.collect::<Result<_, _>>()?));
        }
    }
    Ok(out)
}

/// Gain, pan and sends where they are not as a new chain has them.
fn mixer(session: &dyn Session, chain: ObjectId, out: &mut Gathered) -> Result<(), ToolError> {
    let Some(mixer) = model_read::child(session, chain, "mixer_device")? else { return Ok(()) };
    let value = |name: &str| -> Result<Option<f64>, ToolError> {
        // A chain of a MIDI Effect Rack has only its switch.
        let parameter = model_read::child_if_any(session, mixer, name)?;
        Ok(parameter.map(|parameter| number(session, parameter, "value")).transpose()?)
    };
    if let Some(volume) = value("volume")? {
        let gain = shown_db(faders::volume_db(volume));
        if gain != json!(0) {
            out.set("gainDb", gain);
        }
    }
    if let Some(pan) = value("panning")?.filter(|pan| model_read::rounded(*pan) != json!(0)) {
        out.set("pan", model_read::rounded(pan));
        out.set("panLabel", faders::pan_text(pan));
    }
    let rack = model_read::child(session, chain, "canonical_parent")?;
    let returns = match rack {
        Some(rack) => children(session, rack, "return_chains")?,
        None => Vec::new(),
    };
    let mut sends = Vec::new();
    for (send, to) in model_read::children_if_any(session, mixer, "sends")?.into_iter().zip(returns) {
        let level = number(session, send, "value")?;
        if level > 0.0 {
            sends.push(json!({
                "gainDb": shown_db(faders::send_db(level)),
                "return": text(session, to, "name")?,
                "returnId": to.to_string(),
            }));
        }
    }
    if !sends.is_empty() {
        out.set("sends", sends);
    }
    Ok(())
}

/// The pads of a Drum Rack that hold anything: their notes, chains and names, by note.
pub fn pad_names(session: &dyn Session, rack: ObjectId) -> Result<Vec<(u8, Vec<ObjectId>, String)>, ModelError> {
    let mut layers: BTreeMap<u8, Vec<ObjectId>> = BTreeMap::new();
    for chain in children(session, rack, "chains")? {
        if let Some(note) = path_format::drum_note(session, chain)?.and_then(|note| u8::try_from(note).ok()) {
            layers.entry(note).or_default().push(chain);
        }
    }
    let mut pads = Vec::new();
    for (note, chains) in layers {
        let pad = session.child_at(rack, "drum_pads", usize::from(note))?;
        // Only pads of a Drum Rack in no other rack are objects; elsewhere a pad is called as its first layer.
        if let Some(named) = pad.or(chains.first().copied()) {
            pads.push((note, chains, text(session, named, "name")?));
        }
    }
    Ok(pads)
}

/// Which pad of a Drum Rack plays what: names, the files of samples, and choke groups, by the names of the pads.
pub fn drum_map_of(
    session: &dyn Session,
    rack: ObjectId,
    notation: Notation,
    out: &mut Gathered,
) -> Result<(), ToolError> {
    let (mut map, mut samples, mut chokes) = (Map::new(), Map::new(), Map::new());
    for (note, chains, name) in pad_names(session, rack)? {
        let key = notation::drum_map_key(notation, note, session.spelling());
        let mut files = Vec::new();
        for chain in chains {
            for device in children(session, chain, "devices")? {
                if let Some(sample) = pad_sample::sample_of(session, device)? {
                    files.push(json!(text(session, sample, "file_path")?));
                }
            }
            let choke = int(session, chain, "choke_group")?;
            if choke > 0 {
                chokes.insert(key.clone(), json!(choke));
            }
        }
        match files.len() {
            0 => {}
            1 => samples.extend(files.pop().map(|file| (key.clone(), file))),
            _ => drop(samples.insert(key.clone(), files.into())),
        }
        map.insert(key, json!(name));
    }
    out.set("drumMap", map);
    for (field, of) in [("drumSamples", samples), ("chokeGroups", chokes)] {
        if !of.is_empty() {
            out.set(field, of);
        }
    }
    out.set("drumRackPath", path_format::tool_path(session, rack)?.unwrap_or_default());
    Ok(())
}
