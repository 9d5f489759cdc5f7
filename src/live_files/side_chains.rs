//! What devices listen to: another track, by the number that the file knows it by, joined once all tracks are read.

use super::references::Source;
use super::walk::Walk;
use crate::set::document::Track;
use crate::set::document::device_tree::Device;
use crate::set::document::ids::Serial;
use crate::set::model::routing_ids;
use std::collections::HashMap;
use std::sync::Arc;

/// The classes that have a place for what they listen to; the engine plays them by it.
const LISTENERS: [&str; 3] = ["Compressor2", "Gate", "GlueCompressor"];

/// Where another track is listened to, in the order of the channels: in front of its devices, behind them, behind its
/// fader. Live 8 and 9 name the last one so, too.
const TAPS: [&str; 3] = ["PreFxOut", "PostFxOut", "TrackOut"];
const POST_FX: usize = 1;

/// Whether a routing is none: a device that has a side chain always writes one.
pub fn is_none(target: &str) -> bool {
    target.is_empty() || target.ends_with("/None") || target == "None"
}

/// Has the devices of the tracks listen to the tracks they name. `tracks` are those of the Set by the numbers that the
/// file knows them by.
pub fn join<'a>(walk: &mut Walk, on: impl Iterator<Item = &'a mut Track>, tracks: &HashMap<i64, Serial>) {
    let mut sources: HashMap<Serial, Source> = HashMap::new();
    for source in std::mem::take(&mut walk.sources) {
        if LISTENERS.contains(&source.class.as_str()) {
            sources.insert(source.device, source);
        } else {
            walk.report.count_left_out(&format!("sources of the side chain of {}", source.class), 1);
        }
    }
    if sources.is_empty() {
        return;
    }
    for track in on {
        track.devices.iter_mut().for_each(|device| listen(walk, device, &sources, tracks));
    }
}

/// Of a preset, whose tracks are elsewhere.
pub fn count_unjoined(walk: &mut Walk) {
    for source in std::mem::take(&mut walk.sources) {
        walk.report.count_left_out(&format!("sources of the side chain of {}", source.class), 1);
    }
}

fn listen(walk: &mut Walk, device: &mut Arc<Device>, sources: &HashMap<Serial, Source>, tracks: &HashMap<i64, Serial>) {
    if device.rack.is_none() && !sources.contains_key(&device.serial) {
        return;
    }
    let device = Arc::make_mut(device);
    if let Some(source) = sources.get(&device.serial) {
        take(walk, device, &source.target, tracks);
    }
    if let Some(rack) = &mut device.rack {
        let rack = Arc::make_mut(rack);
        for chain in rack.chains.iter_mut().chain(&mut rack.return_chains) {
            let chain = Arc::make_mut(chain);
            chain.devices.iter_mut().for_each(|inner| listen(walk, inner, sources, tracks));
        }
    }
}

fn take(walk: &mut Walk, device: &mut Device, target: &str, tracks: &HashMap<i64, Serial>) {
    let mut words = target.split('/').skip(1);
    let named =
        words.next().and_then(|place| place.strip_prefix("Track.")?.parse().ok()).and_then(|id| tracks.get(&id));
    let Some(track) = named else {
        return walk.report.count_left_out(&format!("sources of the side chain of {}", device.class_name), 1);
    };
    device.stored.insert("input_routing_type".to_owned(), routing_ids::of_track(*track).into());
    let channel = words.next().and_then(|tap| TAPS.iter().position(|known| *known == tap));
    // Inside of a track's devices there is no place to listen at.
    walk.report
        .count_left_out("side chains from inside a track's devices, read as behind them", channel.is_none().into());
    device.stored.insert("input_routing_channel".to_owned(), channel.unwrap_or(POST_FX).into());
    walk.report.count_read("sources of side chains");
}
