//! The rules of a document that its types cannot state.

use crate::music::Beats;
use crate::music::excerpt::excerpt;
use crate::set::document::attributes::{MAX_STORED_VALUES, can_be_stored};
use crate::set::document::device_tree::{Device, MAX_CLASS_NAME, MAX_MACRO_NAME, MAX_RACK_DEPTH, MacroMapping};
use crate::set::document::ids::{SERIAL_END, Serial};
use crate::set::document::object_index::Location;
use crate::set::document::simpler_sample::Sample;
use crate::set::document::timeline_lane::Lane;
use crate::set::document::warp_markers;
use crate::set::document::{
    AudioContent, Clip, Document, Envelope, Fades, SessionClip, Song, StoredMembers, Track, TrackDelay, TrackKind,
};
use std::collections::HashSet;
use std::sync::Arc;

/// The rules of a document that its types cannot state.
pub fn validate(document: &Document) -> Result<(), String> {
    let mut seen: HashSet<Serial> = HashSet::new();
    let mut once = |serial: Serial, what: &str| {
        if serial == 0 || serial >= document.next_serial || serial >= SERIAL_END || !seen.insert(serial) {
            return Err(format!("{what} has the id {serial}, which is taken or was never given out"));
        }
        Ok(())
    };
    if document.scenes.is_empty() || document.tracks.is_empty() {
        return Err("a Set has at least one track and one scene".to_owned());
    }
    for scene in document.scenes.iter() {
        once(scene.serial, "a scene")?;
        if scene.tempo_bpm.is_some_and(|bpm| !(20.0..=999.0).contains(&bpm)) {
            return Err("a scene's tempo is outside 20..999".to_owned());
        }
        check_stored(&scene.stored)?;
    }
    check_groups(document)?;
    let scenes: HashSet<Serial> = document.scenes.iter().map(|s| s.serial).collect();
    for (track, location) in document.every_track() {
        once(track.serial, "a track")?;
        let sends = if location == Location::Main { 0 } else { document.returns.len() };
        check_strip(track, sends)?;
        check_contents(track, location, &scenes, &mut once)?;
    }
    let mut last = -1.0;
    for cue in document.cue_points.iter() {
        once(cue.serial, "a locator")?;
        if !cue.time.is_finite() || cue.time < 0.0 || cue.time <= last {
            return Err("the locators are out of order".to_owned());
        }
        last = cue.time;
    }
    for groove in document.grooves.iter() {
        once(groove.serial, "a groove")?;
        check_stored(&groove.stored)?;
    }
    check_song(&document.song)
}

fn check_stored(members: &StoredMembers) -> Result<(), String> {
    match members.iter().find(|(_, value)| !can_be_stored(value)) {
        Some((member, _)) => Err(format!("its stored {} holds more than {MAX_STORED_VALUES} values", excerpt(member))),
        None => Ok(()),
    }
}

fn check_song(song: &Song) -> Result<(), String> {
    check_stored(&song.stored)?;
    if !(20.0..=999.0).contains(&song.tempo_bpm) || song.launch_quantization > 13 || song.root_note > 11 {
        return Err("the song's tempo, launch quantization or root note is out of range".to_owned());
    }
    if !(song.loop_start >= 0.0
        && song.loop_length > 0.0
        && song.loop_start.is_finite()
        && song.loop_length.is_finite())
    {
        return Err("the song's loop is out of range".to_owned());
    }
    let tempos = song.tempo_points.iter().all(|at| (20.0..=999.0).contains(&at.bpm) && is_place(at.time));
    if !tempos || !song.tempo_points.is_sorted_by(|a, b| a.time <= b.time) {
        return Err("the Arrangement's tempos are out of range or out of order".to_owned());
    }
    let meters = song.meter_changes.iter().all(|at| is_place(at.time));
    if !meters || !song.meter_changes.is_sorted_by(|a, b| a.time <= b.time) {
        return Err("the Arrangement's time signatures are out of order".to_owned());
    }
    Ok(())
}

/// Of the Arrangement.
fn is_place(beats: Beats) -> bool {
    beats >= 0.0 && beats.is_finite()
}

/// A track's colour, channel and mixer, which has as many sends as the Set has return tracks.
fn check_strip(track: &Track, sends: usize) -> Result<(), String> {
    let m = &track.mixer;
    if m.sends.len() != sends {
        return Err(format!("a track has {} sends for {sends} returns", m.sends.len()));
    }
    if track.color >= 70 || track.midi_channel.is_some_and(|c| c > 15) {
        return Err("a track's colour or MIDI channel is out of range".to_owned());
    }
    let unit = |v: f64| (0.0..=1.0).contains(&v);
    let pan = |v: f64| (-1.0..=1.0).contains(&v);
    let strip = unit(m.volume) && unit(m.cue_volume) && pan(m.panning) && pan(m.left_split) && pan(m.right_split);
    if !(strip && pan(m.crossfader) && m.sends.iter().copied().all(unit) && m.crossfade_assign <= 2) {
        return Err("a mixer value is out of range".to_owned());
    }
    Ok(())
}

/// A track's devices and clips; `scenes` are those that have slots.
fn check_contents(
    track: &Track,
    location: Location,
    scenes: &HashSet<Serial>,
    once: &mut impl FnMut(Serial, &str) -> Result<(), String>,
) -> Result<(), String> {
    check_stored(&track.stored)?;
    for device in &track.devices {
        check_device(device, 0, once)?;
    }
    if location != Location::Track && !(track.arrangement.is_empty() && track.take_lanes.is_empty()) {
        return Err("a return or main track holds Arrangement clips".to_owned());
    }
    check_envelopes(&track.automation, "a track")?;
    if !track.delay.is_none_or(TrackDelay::is_sound) {
        return Err("a track's delay cannot be".to_owned());
    }
    check_lane(&track.arrangement, track.kind, once)?;
    for lane in &track.take_lanes {
        once(lane.serial, "a take lane")?;
        check_lane(&lane.clips, track.kind, once)?;
    }
    let mut last = 0;
    for SessionClip { scene, clip } in &track.session {
        once(clip.serial, "a clip")?;
        if *scene <= last || !scenes.contains(scene) {
            return Err("a clip lies in a slot that does not exist".to_owned());
        }
        last = *scene;
        check_clip(clip)?;
    }
    Ok(())
}

/// A group's members follow it, those of groups inside it included.
fn check_groups(document: &Document) -> Result<(), String> {
    let mut open: Vec<Serial> = Vec::new();
    for track in &document.tracks {
        while track.group != open.last().copied() {
            open.pop().ok_or("a track is in a group that does not stand before it")?;
        }
        if track.kind == TrackKind::Group {
            open.push(track.serial);
        }
    }
    Ok(())
}

/// A group has no lanes; a clip is of its track's kind.
fn check_lane(
    lane: &Lane,
    kind: TrackKind,
    once: &mut impl FnMut(Serial, &str) -> Result<(), String>,
) -> Result<(), String> {
    let mut last = 0.0;
    for placed in lane {
        once(placed.clip.serial, "an Arrangement clip")?;
        if !(placed.start >= last && placed.start < placed.end && placed.end.is_finite()) {
            return Err("Arrangement clips overlap or are out of order".to_owned());
        }
        last = placed.end;
        let fits = if placed.clip.notes().is_some() { TrackKind::Midi } else { TrackKind::Audio };
        if kind != fits {
            return Err("an Arrangement clip is on a track of another kind".to_owned());
        }
        check_clip(&placed.clip)?;
    }
    Ok(())
}

/// The rules of a device that comes from outside any Set; its ids are not given out yet, but each is its own.
pub fn validate_saved_device(device: &Device) -> Result<(), String> {
    let mut seen: HashSet<Serial> = HashSet::new();
    check_device(device, 0, &mut |serial, what| {
        if seen.insert(serial) { Ok(()) } else { Err(format!("{what} has the id {serial}, which is taken")) }
    })
}

fn check_device(
    device: &Device,
    depth: usize,
    once: &mut impl FnMut(Serial, &str) -> Result<(), String>,
) -> Result<(), String> {
    once(device.serial, "a device")?;
    check_stored(&device.stored)?;
    let samples = device.sample.iter().map(|sample| &**sample);
    let samples = samples.chain(device.sample_zones.iter().map(|zone| &zone.sample));
    samples.map(|sample| &sample.stored).try_for_each(check_stored)?;
    let specs = device.specs();
    // Max devices and plug-ins have no table of parameters; a document of a host that has them may carry them.
    let outside = matches!(device.table_class(), "MaxDevice" | "PluginDevice");
    let opaque = device.is_opaque && !device.class_name.is_empty() && device.class_name.len() <= MAX_CLASS_NAME;
    let known = if specs.is_empty() { outside || opaque } else { !device.is_opaque };
    let ok = known
        && device.values.len() == specs.len()
        && device.values.iter().zip(specs).all(|(value, spec)| (spec.min..=spec.max).contains(value));
    if !ok {
        return Err(format!("a device of class {:?} has unknown or wrong parameters", device.class_name));
    }
    if (device.table_class() == "RackDevice") != device.rack.is_some() {
        return Err("a device has chains and is no rack, or is a rack without any place for them".to_owned());
    }
    let fits = |sample: &Arc<Sample>| device.table_class() == "SimplerDevice" && sample.is_sound();
    if !device.sample.iter().all(fits) {
        return Err("a device's sample cannot be".to_owned());
    }
    let has_zones = match device.class_name.as_str() {
        "MultiSampler" | "DrumCell" => true,
        // Several, the first of which is its own.
        "OriginalSimpler" => device.sample.is_some(),
        // Each in a slot of its own, in order.
        "InstrumentImpulse" => {
            let slots: Vec<Option<usize>> = device.sample_zones.iter().map(|zone| zone.slot()).collect();
            slots.iter().all(Option::is_some) && slots.is_sorted_by(|a, b| a < b)
        }
        _ => false,
    };
    if !device.sample_zones.iter().all(|zone| has_zones && zone.is_sound()) {
        return Err("a device's samples cannot be".to_owned());
    }
    if !device.unread.is_sorted_by(|a, b| a < b)
        || device.unread.last().is_some_and(|at| usize::from(*at) >= specs.len())
    {
        return Err("a device names parameters that it does not have".to_owned());
    }
    let Some(rack) = &device.rack else { return Ok(()) };
    if depth >= MAX_RACK_DEPTH {
        return Err(format!("racks stand more than {MAX_RACK_DEPTH} deep in one another"));
    }
    let macros = |values: &Vec<f64>| values.len() == 16 && values.iter().all(|v| (0.0..=127.0).contains(v));
    if !(1..=16).contains(&rack.visible_macros) || !rack.variations.iter().all(macros) {
        return Err("a rack's macros are out of range".to_owned());
    }
    let there = |at: Option<u16>| at.is_none_or(|at| usize::from(at) < rack.variations.len());
    if !there(rack.selected_variation) || !there(rack.last_variation) {
        return Err("a rack has a variation selected that is not there".to_owned());
    }
    let mapped = |m: &MacroMapping| m.macro_index < 16 && m.at_0.is_finite() && m.at_127.is_finite();
    if !rack.mappings.iter().all(mapped) {
        return Err("a rack's macros are mapped to what cannot be".to_owned());
    }
    let named = |(index, name): (&u8, &String)| *index < 16 && !name.trim().is_empty() && name.len() <= MAX_MACRO_NAME;
    if !rack.macro_names.iter().all(named) {
        return Err("a rack's macros are named as they cannot be".to_owned());
    }
    for chain in rack.every_chain() {
        once(chain.serial, "a chain")?;
        check_stored(&chain.stored)?;
        let unit = |v: f64| (0.0..=1.0).contains(&v);
        let ok = chain.color < 70
            && unit(chain.volume)
            && (-1.0..=1.0).contains(&chain.panning)
            && chain.sends.iter().copied().all(unit)
            && chain.sends.len() == rack.return_chains.len()
            && chain.in_note.is_none_or(|note| note <= 127)
            && chain.out_note <= 127
            && chain.choke_group <= 16
            && chain.zones.are_sound();
        if !ok {
            return Err("a chain's settings are out of range".to_owned());
        }
        for device in &chain.devices {
            check_device(device, depth + 1, once)?;
        }
    }
    Ok(())
}

fn check_audio(audio: &AudioContent, looping: bool) -> Result<(), String> {
    let ok = audio.sample_length > 0
        && audio.sample_rate_hz.is_finite()
        && audio.sample_rate_hz > 0.0
        && audio.channels > 0
        && (0.0..=1.0).contains(&audio.gain)
        && (-48..=48).contains(&audio.pitch_coarse)
        && (-50.0..=49.0).contains(&audio.pitch_fine)
        && audio.warp_mode <= 6;
    if !ok {
        return Err("an audio clip's sample or settings are out of range".to_owned());
    }
    if !warp_markers::are_sound(&audio.warp_markers) {
        return Err("an audio clip's warp markers are out of order, or too few".to_owned());
    }
    if !audio.fades.iter().all(Fades::are_sound) {
        return Err("an audio clip's fades are out of range".to_owned());
    }
    if looping && !audio.warping {
        return Err("an unwarped audio clip loops".to_owned());
    }
    Ok(())
}

fn check_envelopes(envelopes: &[Arc<Envelope>], of: &str) -> Result<(), String> {
    for envelope in envelopes {
        let sorted = envelope.points.is_sorted_by(|a, b| a.time <= b.time);
        if !sorted || envelope.points.iter().any(|point| !point.time.is_finite() || !point.value.is_finite()) {
            return Err(format!("an envelope of {of} has points out of order"));
        }
    }
    let parameters: HashSet<u64> = envelopes.iter().map(|envelope| envelope.parameter).collect();
    if parameters.len() != envelopes.len() {
        return Err(format!("{of} has two envelopes for one parameter"));
    }
    Ok(())
}

fn check_clip(clip: &Clip) -> Result<(), String> {
    let times = [clip.loop_start, clip.loop_end, clip.start_marker, clip.end_marker];
    // What is left of an unwarped clip's end marker bounds nothing.
    let crossed = clip.start_marker >= clip.end_marker && !clip.is_unwarped();
    if !times.iter().all(|t| t.is_finite()) || clip.loop_start >= clip.loop_end || crossed {
        return Err("a clip's region ends before it starts".to_owned());
    }
    if clip.color >= 70 || clip.launch_mode > 3 || clip.launch_quantization > 14 {
        return Err("a clip's colour or launch setting is out of range".to_owned());
    }
    check_stored(&clip.stored)?;
    check_envelopes(&clip.envelopes, "a clip")?;
    if let Some(audio) = clip.audio() {
        return check_audio(audio, clip.looping);
    }
    let points = clip.expression.iter().flat_map(|of| &of.points);
    if !points.map(|point| (point.offset, point.value)).all(|(at, value)| at.is_finite() && value.is_finite()) {
        return Err("the expression of a clip's notes is out of range".to_owned());
    }
    let Some(notes) = clip.notes() else { return Ok(()) };
    let mut ids = HashSet::new();
    for stored in &notes.list {
        let n = &stored.note;
        let ok = n.pitch <= 127
            && n.start.is_finite()
            && n.duration > 0.0
            && n.duration.is_finite()
            && (1.0..=127.0).contains(&n.velocity)
            && (-127.0..=127.0).contains(&n.velocity_deviation)
            && (0.0..=1.0).contains(&n.probability)
            && (0.0..=127.0).contains(&n.release_velocity)
            && stored.id < notes.next_id
            && ids.insert(stored.id);
        if !ok {
            return Err(format!("a clip holds an impossible note: {n:?}"));
        }
    }
    notes
        .list
        .is_sorted_by(crate::set::document::note_list::in_order)
        .then_some(())
        .ok_or_else(|| "a clip's notes are out of order".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn a_groups_members_follow_it() {
        // Serial, whether it is a group, the group it is in.
        type Tracks = &'static [(Serial, bool, Option<Serial>)];
        let table: [(Tracks, bool); 6] = [
            (&[(90, true, None), (91, false, Some(90)), (92, false, None)], true),
            (&[(90, true, None), (91, true, Some(90)), (92, false, Some(91)), (93, false, Some(90))], true),
            (&[(90, false, Some(91)), (91, true, None)], false),
            (&[(90, true, None), (91, false, None), (92, false, Some(90))], false),
            (&[(90, false, None), (91, false, Some(90))], false),
            (&[(90, false, Some(90))], false),
        ];
        for (tracks, right) in table {
            let mut set = Document::new_set();
            let made = tracks.iter().map(|&(serial, is_group, group)| {
                let kind = if is_group { TrackKind::Group } else { TrackKind::Audio };
                Arc::new(Track { group, ..Track::new(serial, kind, 0, 2) })
            });
            set.tracks = made.collect();
            assert_eq!(check_groups(&set).is_ok(), right, "{tracks:?}");
        }
    }
}
