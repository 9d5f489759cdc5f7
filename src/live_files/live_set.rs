//! A Set's outermost elements: tracks, scenes, locators, the transport and the scale.

use super::error::ReadError;
use super::grooves::read_pool;
use super::limits::Countable;
use super::scenes::read_scenes;
use super::tracks::{TrackParts, read_track};
use super::walk::Walk;
use super::xml_reader::Element;
use crate::music::LONGEST_CLIP_BEATS;
use crate::music::scale::{SCALES, kind_named};
use crate::object_model::limits::ARRANGEMENT_END_BEATS;
use crate::set::document::{CuePoint, Groove, Scene, Song, TrackKind};
use std::collections::BTreeMap;

/// What says nothing of the music: state of views, editors and browsers, and what only a running Live uses.
const PASSED_OVER: [&str; 65] = [
    "NextPointeeId",
    "OverwriteProtectionNumber",
    "LomId",
    "LomIdView",
    "SessionScrollPos",
    "SelectedBreakpointValue",
    "SignalModulations",
    "AutoQuantisation",
    "Grid",
    "SmpteFormat",
    "TimeSelection",
    "SequencerNavigator",
    "IsContentSplitterOpen",
    "IsExpressionSplitterOpen",
    "ExpressionLanes",
    "ContentLanes",
    "ViewStateFxSlotCount",
    "ViewStateSessionMixerVolumeSectionHeight",
    "ViewStateArrangerMixerVolumeSectionHeight",
    "ViewStateSessionMixerHeight",
    "ShouldSceneTempoAndTimeSignatureBeVisible",
    "WaveformVerticalZoomFactor",
    "IsWaveformVerticalZoomActive",
    "DetailClipKeyMidis",
    "TracksListWrapper",
    "VisibleTracksListWrapper",
    "ReturnTracksListWrapper",
    "ScenesListWrapper",
    "CuePointsListWrapper",
    "SelectedDocumentViewInMainWindow",
    "ChooserBar",
    "SoloOrPflSavedValue",
    "SoloInPlace",
    "CrossfadeCurve",
    "LatencyCompensation",
    "HighlightedTrackIndex",
    "AutomationMode",
    "SnapAutomationToGrid",
    "ArrangementOverdub",
    "ColorSequenceIndex",
    "AutoColorPickerForPlayerAndGroupTracks",
    "AutoColorPickerForReturnAndMainTracks",
    "AutoColorPickerForReturnAndMasterTracks",
    "ViewData",
    "ResetNonautomatedMidiControllersOnClipStarts",
    "MidiFoldIn",
    "MidiFoldMode",
    "MultiClipFocusMode",
    "MultiClipLoopBarHeight",
    "MidiPrelisten",
    "LinkedTrackGroups",
    "NoteSpellingPreference",
    "AccidentalSpellingPreference",
    "PreferFlatRootNote",
    "UseWarperLegacyHiQMode",
    "VideoWindowRect",
    "ShowVideoWindow",
    "TrackHeaderWidth",
    "ViewStates",
    "NoteAlgorithms",
    "ViewStateArrangerHasDetail",
    "ViewStateSessionHasDetail",
    "ViewStateDetailIsSample",
    "ViewStateLaunchPanel",
    "PunchIn",
];

/// Everything that was read, before it is put together.
pub struct SetParts {
    pub song: Song,
    pub tracks: Vec<TrackParts>,
    pub returns: Vec<TrackParts>,
    /// Of each return, whether what goes there is taken in front of the fader.
    pub sends_pre: Vec<bool>,
    pub main: Option<TrackParts>,
    pub cue_volume: Option<f64>,
    pub scenes: Vec<Scene>,
    pub locators: Vec<CuePoint>,
    /// By the numbers that clips name them by.
    pub grooves: BTreeMap<i64, Groove>,
}

pub fn read_live_set(walk: &mut Walk, element: &Element) -> Result<SetParts, ReadError> {
    let mut parts = SetParts {
        song: Song::default(),
        tracks: Vec::new(),
        returns: Vec::new(),
        sends_pre: Vec::new(),
        main: None,
        cue_volume: None,
        scenes: Vec::new(),
        locators: Vec::new(),
        grooves: BTreeMap::new(),
    };
    while let Some(child) = walk.next_child(element)? {
        read_part(walk, &child, &mut parts)?;
    }
    Ok(parts)
}

fn read_part(walk: &mut Walk, child: &Element, parts: &mut SetParts) -> Result<(), ReadError> {
    match child.name() {
        "Tracks" => read_tracks(walk, child, parts)?,
        // Called so up to Live 11.
        "MainTrack" | "MasterTrack" => parts.main = Some(read_track(walk, child, TrackKind::Main)?),
        "PreHearTrack" => read_cue(walk, child, parts)?,
        "Scenes" | "SceneNames" => parts.scenes.append(&mut read_scenes(walk, child)?),
        "Transport" => read_transport(walk, child, &mut parts.song)?,
        "GlobalQuantisation" => parts.song.launch_quantization = walk.small(child, 13)?,
        "ScaleInformation" => read_scale(walk, child, &mut parts.song)?,
        "SendsPre" => {
            while let Some(is_pre) = walk.next_child(child)? {
                parts.sends_pre.push(walk.boolean(&is_pre)?);
            }
        }
        "InKey" => parts.song.scale_mode = walk.boolean(child)?,
        "Locators" => {
            while let Some(list) = walk.next_child(child)? {
                while let Some(locator) = walk.next_child(&list)? {
                    match locator.name() {
                        "Locator" => parts.locators.extend(read_locator(walk, &locator)?),
                        name => walk.report.count_unknown("Locators", name),
                    }
                }
            }
        }
        "GroovePool" => parts.grooves = read_pool(walk, child)?,
        "TuningSystems" => {
            while walk.next_child(child)?.is_some() {
                walk.report.count_left_out("tuning systems", 1);
            }
        }
        // As up to Live 9; from Live 10 on it is of the Arrangement alone.
        "Overdub" => {}
        name if name.starts_with("ViewStateMainWindow") || name.starts_with("ViewStateSecondWindow") => {}
        _ => walk.pass_over("LiveSet", child, &PASSED_OVER)?,
    }
    Ok(())
}

fn read_tracks(walk: &mut Walk, element: &Element, parts: &mut SetParts) -> Result<(), ReadError> {
    while let Some(track) = walk.next_child(element)? {
        let kind = match track.name() {
            "MidiTrack" => TrackKind::Midi,
            "AudioTrack" => TrackKind::Audio,
            "GroupTrack" => TrackKind::Group,
            "ReturnTrack" => TrackKind::Return,
            name => {
                walk.report.count_unknown("Tracks", name);
                continue;
            }
        };
        let read = read_track(walk, &track, kind)?;
        if kind == TrackKind::Return { parts.returns.push(read) } else { parts.tracks.push(read) }
    }
    Ok(())
}

/// Of the track that cues are heard on, its volume.
fn read_cue(walk: &mut Walk, element: &Element, parts: &mut SetParts) -> Result<(), ReadError> {
    while let Some(chain) = walk.next_child(element)? {
        while let Some(mixer) = walk.next_child(&chain)? {
            if matches!(chain.name(), "DeviceChain" | "MasterChain") && mixer.name() == "Mixer" {
                parts.cue_volume = Some(super::mixer::read_mixer(walk, &mixer)?.volume);
            }
        }
    }
    let moved = std::mem::take(&mut walk.kept).len() as u64;
    walk.report.count_left_out("automation of the Arrangement of parameters that are not read", moved);
    Ok(())
}

fn read_transport(walk: &mut Walk, element: &Element, song: &mut Song) -> Result<(), ReadError> {
    const PASSED_OVER: [&str; 7] = [
        "PhaseNudgeTempo",
        "LoopIsSongStart",
        "CurrentTime",
        "PunchIn",
        "PunchOut",
        "MetronomeTickDuration",
        "DrawMode",
    ];
    while let Some(child) = walk.next_child(element)? {
        match child.name() {
            "LoopOn" => song.loop_on = walk.boolean(&child)?,
            "LoopStart" => song.loop_start = walk.number(&child, 0.0..=ARRANGEMENT_END_BEATS)?,
            "LoopLength" => {
                let length = walk.number(&child, -ARRANGEMENT_END_BEATS..=ARRANGEMENT_END_BEATS)?;
                if length > 0.0 {
                    song.loop_length = length;
                } else {
                    walk.mend("LoopLength", Some(&length.to_string()), &song.loop_length.to_string());
                }
            }
            _ => walk.pass_over("Transport", &child, &PASSED_OVER)?,
        }
    }
    Ok(())
}

/// The scale by its place in Live's list, or by its name, as before Live 12.
fn read_scale(walk: &mut Walk, element: &Element, song: &mut Song) -> Result<(), ReadError> {
    while let Some(child) = walk.next_child(element)? {
        match child.name() {
            "Root" | "RootNote" => song.root_note = walk.small(&child, 11)?,
            "Name" => {
                let name = walk.text(&child)?;
                let listed = name.parse().ok().and_then(|at: usize| SCALES.get(at));
                match listed.or_else(|| kind_named(&name)) {
                    Some(kind) => song.scale_name = kind.name.to_owned(),
                    // Live 9 and 10 write an empty name where there is none.
                    None if name.is_empty() => {}
                    None => walk.report.count_left_out("scales that are not known", 1),
                }
            }
            name => walk.report.count_unknown("ScaleInformation", name),
        }
    }
    Ok(())
}

fn read_locator(walk: &mut Walk, element: &Element) -> Result<Option<CuePoint>, ReadError> {
    walk.count(Countable::Locators)?;
    let (mut name, mut time) = (String::new(), None);
    while let Some(child) = walk.next_child(element)? {
        match child.name() {
            "Time" => time = Some(walk.number(&child, 0.0..=2.0 * LONGEST_CLIP_BEATS)?),
            "Name" => name = walk.text(&child)?,
            "IsSongStart" if walk.boolean(&child)? => walk.report.count_left_out("starts of the song at a locator", 1),
            "IsSongStart" => {}
            "Mapping" => walk.report.count_left_out("key and MIDI mappings", 1),
            _ => walk.pass_over("Locator", &child, &["LomId"])?,
        }
    }
    let Some(time) = time else {
        walk.report.count_left_out("locators without a time", 1);
        return Ok(None);
    };
    Ok(Some(CuePoint { serial: walk.serial(), name, time }))
}
