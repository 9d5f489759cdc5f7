//! Tracks of every kind, with their strips, clips and devices.

use super::automation::{Envelopes, read_envelopes};
use super::clips::{is_clip, read_clip, read_placed_clip};
use super::device_values::Reading;
use super::devices::read_devices;
use super::error::ReadError;
use super::limits::Countable;
use super::mixer::{MixerParts, read_mixer};
use super::take_lanes::{LaneParts, read_take_lanes};
use super::walk::{Walk, gain_db};
use super::xml_reader::Element;
use crate::object_model::faders::volume_raw;
use crate::set::document::ids::{IdParts, Serial};
use crate::set::document::{Clip, FROZEN_IN_FILE, PlacedClip, Track, TrackDelay, TrackKind};

/// What says nothing of the music.
const OF_TRACKS: [&str; 24] = [
    "LomId",
    "LomIdView",
    "IsContentSelectedInDocument",
    "PreferredContentViewMode",
    "DevicesListWrapper",
    "ClipSlotsListWrapper",
    "ArrangementClipsListWrapper",
    "TakeLanesListWrapper",
    "ViewData",
    "SavedPlayingSlot",
    "SavedPlayingOffset",
    "NeedArrangerRefreeze",
    "PostProcessFreezeClips",
    "ReWireDeviceMidiTargetId",
    "ReWireSlaveMidiTargetId",
    "PitchbendRange",
    "IsTuned",
    "ControllerLayoutRemoteable",
    "ControllerLayoutCustomization",
    "MidiFoldIn",
    "MidiFoldMode",
    "MidiPrelisten",
    "PitchbendRangeMpe",
    "Slots",
];

/// The same inside a track's `DeviceChain`; a frozen track's clips are those of its sequencer, again as audio.
const OF_CHAINS: [&str; 4] =
    ["AutomationLanes", "ClipEnvelopeChooserViewState", "FreezeSequencer", "SignalModulations"];

/// The same inside `MainSequencer`, beside what every device has.
const OF_SEQUENCERS: [&str; 5] = [
    "KeepRecordMonitoringLatency",
    "MidiControllers",
    "VolumeModulationTarget",
    "TranspositionModulationTarget",
    "GrainSizeModulationTarget",
];

/// A track before it is known what stands around it.
pub struct TrackParts {
    /// The number that the file knows it by, and that of its group.
    pub id: Option<i64>,
    pub group_id: Option<i64>,
    pub user_name: String,
    pub shown_name: String,
    pub track: Track,
    pub mixer: MixerParts,
    /// Session clips by the scene's position.
    pub clips: Vec<(usize, Clip)>,
    /// Positions of scenes whose slot has no stop button.
    pub no_stop: Vec<usize>,
    pub arrangement: Vec<PlacedClip>,
    pub take_lanes: Vec<LaneParts>,
    /// Where its input comes from and its output goes, as the file has it.
    pub routings: Vec<String>,
    pub envelopes: Envelopes,
}

impl TrackParts {
    /// A track of which nothing was read.
    pub fn new(serial: Serial, kind: TrackKind) -> TrackParts {
        TrackParts {
            id: None,
            group_id: None,
            user_name: String::new(),
            shown_name: String::new(),
            track: Track::new(serial, kind, 0, 0),
            mixer: MixerParts::default(),
            clips: Vec::new(),
            no_stop: Vec::new(),
            arrangement: Vec::new(),
            take_lanes: Vec::new(),
            routings: Vec::new(),
            envelopes: Envelopes::default(),
        }
    }
}

pub fn read_track(walk: &mut Walk, element: &Element, kind: TrackKind) -> Result<TrackParts, ReadError> {
    walk.count(Countable::Tracks)?;
    let mut parts = TrackParts::new(walk.serial(), kind);
    parts.id = walk.attribute(element, "Id")?.map(|id| walk.as_id("Id", &id));
    while let Some(child) = walk.next_child(element)? {
        read_part(walk, &child, &mut parts)?;
    }
    parts.envelopes.take_kept(walk);
    Ok(parts)
}

fn read_part(walk: &mut Walk, child: &Element, parts: &mut TrackParts) -> Result<(), ReadError> {
    match child.name() {
        "Name" => {
            while let Some(name) = walk.next_child(child)? {
                match name.name() {
                    "EffectiveName" => parts.shown_name = walk.text(&name)?,
                    "UserName" => parts.user_name = walk.text(&name)?,
                    _ => walk.pass_over("Name", &name, &["MemorizedFirstClipName"])?,
                }
            }
        }
        "Color" | "ColorIndex" => parts.track.color = walk.color(child)?.unwrap_or_default(),
        "TrackGroupId" => parts.group_id = Some(walk.whole(child, -1..=i64::MAX)?).filter(|id| *id >= 0),
        "TrackUnfolded" => {
            if parts.track.kind == TrackKind::Group && !walk.boolean(child)? {
                parts.track.stored.insert("fold_state".to_owned(), 1.into());
            }
        }
        "AutomationEnvelopes" => parts.envelopes = read_envelopes(walk, child)?,
        "TrackDelay" => parts.track.delay = read_delay(walk, child)?,
        "TakeLanes" => parts.take_lanes = read_take_lanes(walk, child, parts.track.kind)?,
        "Freeze" if walk.boolean(child)? => {
            parts.track.stored.insert(FROZEN_IN_FILE.to_owned(), true.into());
            walk.report.count_kept("frozen tracks, whose devices play", 1);
        }
        "LinkedTrackGroupId" if walk.whole(child, -1..=i64::MAX)? >= 0 => {
            walk.report.count_left_out("links between tracks", 1);
        }
        "Freeze" | "LinkedTrackGroupId" => {}
        // Live 8 calls the main track's so.
        "DeviceChain" | "MasterChain" => read_chain(walk, child, parts)?,
        _ => walk.pass_over("track", child, &OF_TRACKS)?,
    }
    Ok(())
}

/// `None` where there is none, or one that is longer than any of Live's, which is counted.
fn read_delay(walk: &mut Walk, element: &Element) -> Result<Option<TrackDelay>, ReadError> {
    let (mut value, mut in_samples) = (0.0, false);
    while let Some(child) = walk.next_child(element)? {
        match child.name() {
            "Value" => value = walk.number(&child, -1e9..=1e9)?,
            "IsValueSampleBased" => in_samples = walk.boolean(&child)?,
            name => walk.report.count_unknown(element.name(), name),
        }
    }
    let delay = match in_samples {
        true => TrackDelay::Samples(value.round() as i64),
        false => TrackDelay::Milliseconds(value),
    };
    let is_there = delay.is_sound();
    walk.report.count_left_out("track delays that cannot be", u64::from(value != 0.0 && !is_there));
    if is_there {
        walk.report.count_read("track delays");
    }
    Ok(is_there.then_some(delay))
}

fn read_chain(walk: &mut Walk, element: &Element, parts: &mut TrackParts) -> Result<(), ReadError> {
    while let Some(child) = walk.next_child(element)? {
        match child.name() {
            "Mixer" => {
                parts.mixer = read_mixer(walk, &child)?;
                name_automated(walk, parts);
            }
            "MainSequencer" => read_sequencer(walk, &child, parts)?,
            "DeviceChain" => {
                while let Some(inner) = walk.next_child(&child)? {
                    match inner.name() {
                        "Devices" => parts.track.devices = read_devices(walk, &inner, 0)?,
                        _ => walk.pass_over("DeviceChain", &inner, &OF_CHAINS)?,
                    }
                }
            }
            "Devices" => parts.track.devices = read_devices(walk, &child, 0)?,
            "AudioInputRouting" | "MidiInputRouting" | "AudioOutputRouting" | "MidiOutputRouting" => {
                let is_used = match (child.name(), parts.track.kind) {
                    ("MidiInputRouting", kind) => kind == TrackKind::Midi,
                    ("AudioInputRouting", kind) => kind == TrackKind::Audio,
                    _ => true,
                };
                while let Some(target) = walk.next_child(&child)? {
                    if target.name() == "Target" && is_used {
                        parts.routings.push(walk.text(&target)?);
                    }
                }
            }
            _ => walk.pass_over("DeviceChain", &child, &OF_CHAINS)?,
        }
    }
    Ok(())
}

/// What clips may automate of the strip.
fn name_automated(walk: &mut Walk, parts: &TrackParts) {
    for (target, index) in parts.mixer.automation_targets.iter().zip(0..) {
        if let Some(target) = target {
            // Pans, the switch and the crossfader count as Live does.
            let raw: fn(f64) -> f64 = if index == 0 { |gain| volume_raw(gain_db(gain)) } else { |raw| raw };
            let id = IdParts::MixerParameter { track: parts.track.serial, index }.id();
            walk.automated.insert(*target, (id, Reading::By(raw)));
        }
    }
}

fn read_sequencer(walk: &mut Walk, element: &Element, parts: &mut TrackParts) -> Result<(), ReadError> {
    while let Some(child) = walk.next_child(element)? {
        match child.name() {
            "ClipSlotList" => read_slots(walk, &child, parts)?,
            "MonitoringEnum" => {
                let state = walk.small(&child, 2)?;
                if state != 1 && matches!(parts.track.kind, TrackKind::Midi | TrackKind::Audio) {
                    parts.track.stored.insert("current_monitoring_state".to_owned(), state.into());
                }
            }
            "Recorder" => {
                while let Some(part) = walk.next_child(&child)? {
                    if part.name() == "IsArmed" {
                        parts.track.arm = walk.boolean(&part)?;
                    }
                }
            }
            // Of MIDI tracks, and of audio tracks.
            "ClipTimeable" | "Sample" => read_arrangement(walk, &child, parts)?,
            name if name.ends_with("ModulationTarget") => {}
            _ => walk.pass_over_of_device("MainSequencer", &child, &OF_SEQUENCERS)?,
        }
    }
    Ok(())
}

/// Goes into lists of one purpose to what they hold: `ClipSlot` in `ClipSlot`, `Value` in that.
fn read_slots(walk: &mut Walk, element: &Element, parts: &mut TrackParts) -> Result<(), ReadError> {
    let mut position = 0;
    while let Some(slot) = walk.next_child(element)? {
        while let Some(child) = walk.next_child(&slot)? {
            match child.name() {
                "ClipSlot" => {
                    while let Some(value) = walk.next_child(&child)? {
                        while let Some(clip) = walk.next_child(&value)? {
                            read_slot_clip(walk, &clip, position, parts)?;
                        }
                    }
                }
                "HasStop" if !walk.boolean(&child)? => parts.no_stop.push(position),
                "HasStop" => {}
                _ => walk.pass_over("ClipSlot", &child, &["LomId", "NeedRefreeze"])?,
            }
        }
        position += 1;
    }
    Ok(())
}

fn read_slot_clip(
    walk: &mut Walk,
    element: &Element,
    position: usize,
    parts: &mut TrackParts,
) -> Result<(), ReadError> {
    if !is_clip(walk, element, parts.track.kind)? {
        return Ok(());
    }
    if let Some(clip) = read_clip(walk, element)? {
        parts.clips.push((position, clip));
    }
    Ok(())
}

fn read_arrangement(walk: &mut Walk, element: &Element, parts: &mut TrackParts) -> Result<(), ReadError> {
    while let Some(automation) = walk.next_child(element)? {
        if automation.name() != "ArrangerAutomation" {
            walk.pass_over_of_device("MainSequencer", &automation, &OF_SEQUENCERS)?;
            continue;
        }
        while let Some(child) = walk.next_child(&automation)? {
            if child.name() != "Events" {
                walk.pass_over("ArrangerAutomation", &child, &["AutomationTransformViewState"])?;
                continue;
            }
            while let Some(clip) = walk.next_child(&child)? {
                if is_clip(walk, &clip, parts.track.kind)?
                    && let Some(placed) = read_placed_clip(walk, &clip)?
                {
                    parts.arrangement.push(placed);
                }
            }
        }
    }
    Ok(())
}
