//! A track's strip, and what only the main track's has: tempo, time signature, crossfader.

use super::error::ReadError;
use super::walk::{Controllable, Walk, gain_db};
use super::xml_reader::Element;
use crate::object_model::faders::{send_raw, volume_raw};

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
    /// What automation names the volume, the panning and the activator by.
    pub automation_targets: [Option<i64>; 3],
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
            automation_targets: [None; 3],
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
            "Pan" => {
                let pan = walk.controllable(&child)?;
                parts.panning = walk.as_number("Pan", &pan.value, -1.0..=1.0)?;
                parts.automation_targets[1] = pan.automation_target;
            }
            "PanMode" => parts.split_stereo = walk.small(&child, 1)? == 1,
            "SplitStereoPanL" => parts.left_split = walk.controlled_number(&child, -1.0..=1.0)?,
            "SplitStereoPanR" => parts.right_split = walk.controlled_number(&child, -1.0..=1.0)?,
            "CrossFadeState" => {
                let state = walk.controllable(&child)?.value;
                parts.crossfade_assign = walk.as_small("CrossFadeState", &state, 2)?;
            }
            "CrossFade" => parts.crossfader = walk.controlled_number(&child, -1.0..=1.0)?,
            "Speaker" => {
                let on = walk.controllable(&child)?;
                parts.mute = !walk.as_boolean("Speaker", &on.value)?;
                parts.automation_targets[2] = on.automation_target;
            }
            "SoloSink" => parts.solo = walk.boolean(&child)?,
            "Sends" => parts.sends = read_sends(walk, &child)?,
            "Tempo" => parts.tempo = Some(walk.controllable(&child)?),
            "TimeSignature" => parts.signature = Some(walk.controllable(&child)?),
            "GlobalGrooveAmount" => {
                parts.groove_amount = walk.controlled_number(&child, 0.0..=MOST_GROOVE_AMOUNT)?;
            }
            _ => walk.pass_over_of_device("Mixer", &child, &PASSED_OVER)?,
        }
    }
    Ok(parts)
}

/// One for each return track, in order.
fn read_sends(walk: &mut Walk, element: &Element) -> Result<Vec<f64>, ReadError> {
    let mut sends = Vec::new();
    while let Some(holder) = walk.next_child(element)? {
        let (mut level, mut on) = (None, true);
        while let Some(child) = walk.next_child(&holder)? {
            match child.name() {
                "Send" => level = Some(send_raw(gain_db(walk.controlled_number(&child, 0.0..=MOST_GAIN)?))),
                "EnabledByUser" | "Active" => on = walk.boolean(&child)?,
                name => walk.report.count_unknown("TrackSendHolder", name),
            }
        }
        let level = level.ok_or_else(|| walk.xml.damaged("a send has no Send"))?;
        // Those of returns are off from the start, and silent.
        walk.report.count_left_out("sends that are switched off", u64::from(!on && level > 0.0));
        sends.push(level);
    }
    Ok(sends)
}
