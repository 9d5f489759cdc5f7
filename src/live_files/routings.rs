//! Where a track's input comes from and its output goes: one of a few places, or another track.

use super::walk::Walk;
use crate::set::document::Track;
use crate::set::document::ids::Serial;
use crate::set::model::routing_ids;
use std::collections::HashMap;

/// Where a new track's input and output go.
const USUAL: [&str; 7] = [
    "AudioIn/External/S0",
    "MidiIn/External.All/-1",
    "AudioOut/Main",
    "AudioOut/Master",
    "AudioOut/GroupTrack",
    "AudioOut/External/S0",
    "MidiOut/None",
];

/// Where another track's signal or notes are taken, in the order of the channels: in front of its devices, behind them,
/// behind its fader.
const TAPS: [&str; 3] = ["PreFxOut", "PostFxOut", "TrackOut"];

/// Keeps what a routing says in its track; one that has no place is counted. `tracks` are those of the Set by the
/// numbers that the file knows them by.
pub fn take(walk: &mut Walk, track: &mut Track, target: &str, tracks: &HashMap<i64, Serial>) {
    if USUAL.contains(&target) {
        return;
    }
    let mut words = target.split('/');
    let (Some(way), Some(place)) = (words.next(), words.next()) else {
        return walk.report.count_left_out("routings", 1);
    };
    let is_input = way.ends_with("In");
    let named = place.strip_prefix("Track.").and_then(|id| id.parse().ok()).and_then(|id| tracks.get(&id));
    let chosen = match (is_input, place, named) {
        (_, _, Some(serial)) => Some(routing_ids::of_track(*serial)),
        (true, "None", _) => Some(routing_ids::NO_INPUT),
        (true, "Main" | "Master", _) => Some(routing_ids::RESAMPLING),
        (false, "None", _) => Some(routing_ids::SENDS_ONLY),
        _ => None,
    };
    match chosen {
        Some(chosen) => {
            let member = if is_input { "input_routing_type" } else { "output_routing_type" };
            track.stored.insert(member.to_owned(), chosen.into());
            let tap = words.next().filter(|_| is_input && named.is_some());
            if let Some(channel) = tap.and_then(|tap| TAPS.iter().position(|known| *known == tap)) {
                track.stored.insert("input_routing_channel".to_owned(), channel.into());
            }
        }
        None => walk.report.count_left_out("routings", 1),
    }
}
