//! A track's strip, and what only the main track's has: tempo, time signature, crossfader.

use super::error::ReadError;
use super::limits::{LAST_SIGNATURE, TEMPOS};
use super::settings::Controllable;
use super::walk::{Walk, gain_db};
use super::xml_reader::Element;
use crate::object_model::faders::{send_raw, volume_raw};

/// Parameters of a strip that automation may name, in the order of their ids: volume, pan, switch, both sides of a
/// split pan, cue volume, crossfader.
const STRIP_PARAMETERS: usize = 7;
/// A gain of 6 dB, and a little for how it is rounded.
const MOST_GAIN: f64 = 2.0;
/// The groove amount of a new Set, in percent.
pub const USUAL_GROOVE_AMOUNT: f64 = 100.0;
/// The most that Live shows, in percent.
const MOST_GROOVE_AMOUNT: f64 = 131.25;

/// What says nothing of the music, beside what every device has.
const PASSED_OVER: [&str; 6] = [
    "ViewStateSessionTrackWidth",
    "ViewStateSesstionTrackWidth",
    "SendsListWrapper",
    "TempoAutomationViewBottom",
    "TempoAutomationViewTop",
    "OverwriteProtectionNumber",
];

/// A strip as the document has it, and what belongs elsewhere.
pub struct MixerParts {
    pub volume: f64,
    pub panning: f64,
    pub split_stereo: bool,
    pub left_split: f64,
    pub right_split: f64,
    pub crossfade_assign: u8,
    pub crossfader: f64,
    pub sends: Vec<f64>,
    pub mute: bool,
    pub solo: bool,
    pub tempo: Option<Controllable>,
    pub signature: Option<Controllable>,
    /// What automation names the strip's parameters by, in the order of its parameters.
    pub automation_targets: [Option<i64>; STRIP_PARAMETERS],
    /// And each send.
    pub send_targets: Vec<Option<i64>>,
    /// Percent; main track only.
    pub groove_amount: f64,
}

impl Default for MixerParts {
    fn default() -> MixerParts {
        MixerParts {
            volume: volume_raw(0.0),
            panning: 0.0,
            split_stereo: false,
            left_split: -1.0,
            right_split: 1.0,
            crossfade_assign: 1,
            crossfader: 0.0,
            sends: Vec::new(),
            mute: false,
            solo: false,
            tempo: None,
            signature: None,
            automation_targets: [None; STRIP_PARAMETERS],
            send_targets: Vec::new(),
            groove_amount: USUAL_GROOVE_AMOUNT,
        }
    }
}

pub fn read_mixer(walk: &mut Walk, element: &Element) -> Result<MixerParts, ReadError> {
    let mut parts = MixerParts::default();
    while let Some(child) = walk.next_child(element)? {
        match child.name() {
            "Volume" => {
                let volume = walk.controllable(&child)?;
                parts.volume = volume_raw(gain_db(walk.as_number("Volume", &volume.value, 0.0..=MOST_GAIN)?));
                parts.automation_targets[0] = volume.automation_target;
            }
            "Pan" => (parts.panning, parts.automation_targets[1]) = read_pan(walk, &child)?,
            "PanMode" => parts.split_stereo = walk.small(&child, 1)? == 1,
            "SplitStereoPanL" => (parts.left_split, parts.automation_targets[3]) = read_pan(walk, &child)?,
            "SplitStereoPanR" => (parts.right_split, parts.automation_targets[4]) = read_pan(walk, &child)?,
            "CrossFadeState" => {
                let state = walk.controllable(&child)?.value;
                parts.crossfade_assign = walk.as_small("CrossFadeState", &state, 2)?;
            }
            "CrossFade" => (parts.crossfader, parts.automation_targets[6]) = read_pan(walk, &child)?,
            "Speaker" => {
                let on = walk.controllable(&child)?;
                parts.mute = !walk.as_boolean("Speaker", &on.value)?;
                parts.automation_targets[2] = on.automation_target;
            }
            "SoloSink" => parts.solo = walk.boolean(&child)?,
            "Sends" => read_sends(walk, &child, &mut parts)?,
            // Here it is known where a value stands that cannot be.
            "Tempo" => {
                let mut tempo = walk.controllable(&child)?;
                tempo.value = walk.as_number("Tempo", &tempo.value, TEMPOS)?.to_string();
                parts.tempo = Some(tempo);
            }
            "TimeSignature" => {
                let mut signature = walk.controllable(&child)?;
                signature.value = walk.as_whole("TimeSignature", &signature.value, 0..=LAST_SIGNATURE)?.to_string();
                parts.signature = Some(signature);
            }
            "GlobalGrooveAmount" => {
                parts.groove_amount = walk.controlled_number(&child, 0.0..=MOST_GROOVE_AMOUNT)?;
            }
            "UserTempoAutomation" => {
                while let Some(value) = walk.next_child(&child)? {
                    let is_set = walk.next_child(&value)?.is_some();
                    walk.report.count_left_out("tempos that were set in place of what is drawn", is_set.into());
                }
            }
            _ => walk.pass_over_of_device("Mixer", &child, &PASSED_OVER)?,
        }
    }
    Ok(parts)
}

/// From -1 to 1, and what automation names it by.
fn read_pan(walk: &mut Walk, element: &Element) -> Result<(f64, Option<i64>), ReadError> {
    let pan = walk.controllable(element)?;
    Ok((walk.as_number(element.name(), &pan.value, -1.0..=1.0)?, pan.automation_target))
}

/// One for each return track, in order.
fn read_sends(walk: &mut Walk, element: &Element, parts: &mut MixerParts) -> Result<(), ReadError> {
    while let Some(holder) = walk.next_child(element)? {
        let (mut level, mut target, mut on) = (None, None, true);
        while let Some(child) = walk.next_child(&holder)? {
            match child.name() {
                "Send" => {
                    let send = walk.controllable(&child)?;
                    level = Some(send_level(walk.as_number("Send", &send.value, 0.0..=MOST_GAIN)?));
                    target = send.automation_target;
                }
                "EnabledByUser" | "Active" => on = walk.boolean(&child)?,
                name => walk.report.count_unknown("TrackSendHolder", name),
            }
        }
        let level = level.unwrap_or_else(|| {
            walk.mend("Send", None, "turned down");
            0.0
        });
        // Those of returns are off from the start, and silent.
        let is_silenced = !on && level > 0.0;
        walk.report.count_left_out("levels of sends that are switched off, read as turned down", is_silenced.into());
        parts.sends.push(if is_silenced { 0.0 } else { level });
        parts.send_targets.push(target);
    }
    Ok(())
}

/// Raw, of an amplitude.
pub fn send_level(gain: f64) -> f64 {
    send_raw(gain_db(gain))
}
