//! Gain, pitch and warping of an audio clip as tools count them: decibels, semitones, names of modes.

use crate::music::{Beats, Random};
use crate::notation::transforms::{AudioParameters, ClipContext};
use crate::object_model::faders::clip_gain_db;
use crate::object_model::{ObjectId, Session, Value};
use crate::tools::address::model_read::{flag, int, number, rounded};
use crate::tools::arguments::one_or_each::{self, Levels, Switch};
use crate::tools::clip::region;
use crate::tools::clip::time::{is_unwarped, own_units_per_beat};
use crate::tools::clip::transforms::Transforms;
use crate::tools::error::ToolError;
use crate::tools::mixer::mixer_strip::{record_kept_db, shown_db};
use crate::tools::report::target_result::add_detail;
use crate::tools::report::write_log::WriteLog;
use serde::Deserialize;

/// Live's warp modes, by number.
pub const WARP_MODES: [&str; 7] = ["beats", "tones", "texture", "repitch", "complex", "rex", "pro"];

/// The warp modes that can be chosen.
pub const CHOSEN_WARP_MODES: [&str; 6] = ["beats", "tones", "texture", "repitch", "complex", "pro"];

/// What can be asked of an audio clip; but for the switch and the gain, one value for all the clips of a call.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AudioValues {
    pub gain_db: Option<Levels>,
    pub pitch_shift: Option<f64>,
    pub warp_mode: Option<String>,
    pub warping: Option<Switch>,
    pub source_tempo: Option<f64>,
}

impl AudioValues {
    /// Refuses a switch or a gain that does not pair with `count` clips.
    pub fn spread(self, count: usize) -> Result<AudioValues, ToolError> {
        let gain_db = one_or_each::spread("gainDb", self.gain_db, count)?;
        Ok(AudioValues { warping: one_or_each::spread("warping", self.warping, count)?, gain_db, ..self })
    }

    /// The parameters that were sent.
    pub fn sent(&self) -> Vec<&'static str> {
        let sent = [
            (self.gain_db.is_some(), "gainDb"),
            (self.pitch_shift.is_some(), "pitchShift"),
            (self.warp_mode.is_some(), "warpMode"),
            (self.warping.is_some(), "warping"),
            (self.source_tempo.is_some(), "sourceTempo"),
        ];
        sent.into_iter().filter(|(sent, _)| *sent).map(|(_, name)| name).collect()
    }

    /// Writes warping alone, of a clip that was just made: of an older one it is part of its region.
    pub fn write_warping(
        &self,
        session: &mut dyn Session,
        clip: ObjectId,
        at: usize,
        log: &mut WriteLog,
    ) -> Result<(), ToolError> {
        if let Some(on) = self.warping.as_ref().map(|switch| switch.at(at)) {
            log.record("warping", session.set(clip, "warping", on.into()))?;
            if flag(session, clip, "warping")? != on {
                log.record_kept("warping", !on);
            }
        }
        Ok(())
    }

    /// Writes warp mode, gain and pitch to the audio clip at that position, and says what the host kept otherwise.
    pub fn write(
        &self,
        session: &mut dyn Session,
        clip: ObjectId,
        at: usize,
        log: &mut WriteLog,
    ) -> Result<(), ToolError> {
        if let Some(mode) = &self.warp_mode {
            let number = WARP_MODES.iter().position(|name| name == mode).and_then(|at| i64::try_from(at).ok());
            log.record("warpMode", session.set(clip, "warp_mode", Value::Int(number.unwrap_or_default())))?;
            let kept = warp_mode(session, clip)?;
            if kept != mode {
                log.record_kept("warpMode", kept);
            }
        }
        let before = read(session, clip)?;
        let wanted = AudioParameters {
            gain_db: self.gain_db.as_ref().map_or(before.gain_db, |gain| gain.at(at)),
            pitch_shift_semitones: self.pitch_shift.unwrap_or(before.pitch_shift_semitones),
        };
        if self.gain_db.is_some() || self.pitch_shift.is_some() {
            log.record(
                if self.gain_db.is_some() { "gainDb" } else { "pitchShift" },
                write(session, clip, before, wanted),
            )?;
            let after = read(session, clip)?;
            if self.gain_db.is_some() {
                record_kept_db(&mut log.entry, clip_gain_db(number(session, clip, "gain")?), wanted.gain_db);
            }
            if let Some(asked) = self.pitch_shift {
                log.record_number("pitchShift", after.pitch_shift_semitones, asked);
                if asked != 0.0 && flag(session, clip, "warping")? && warp_mode(session, clip)? == "repitch" {
                    add_detail(&mut log.entry, "pitchShift is not heard while warpMode is repitch");
                }
            }
        }
        Ok(())
    }
}

/// Plays the whole file as it is, unlooped; of a clip that is to cover no more than `most` of the timeline, as much of
/// it.
pub fn unwarp(session: &mut dyn Session, clip: ObjectId, most: Option<Beats>) -> Result<(), ToolError> {
    session.set(clip, "warping", false.into())?;
    let seconds = file_seconds(session, clip)?;
    let end = match most {
        Some(most) => seconds.min(most * own_units_per_beat(session, clip)?),
        None => seconds,
    };
    session.set(clip, "loop_start", 0.0.into())?;
    session.set(clip, "loop_end", end.into())?;
    Ok(())
}

/// Has an unwarped clip play on the grid of the Set. In a slot it sounds as much of the file as before; on the timeline
/// the host keeps what it covers.
pub fn warp(session: &mut dyn Session, clip: ObjectId) -> Result<(), ToolError> {
    if !is_unwarped(session, clip)? {
        return Ok(session.set(clip, "warping", true.into())?);
    }
    let rate = number(session, clip, "sample_rate")?;
    let sounding = [number(session, clip, "loop_start")?, number(session, clip, "loop_end")?];
    session.set(clip, "warping", true.into())?;
    if flag(session, clip, "is_arrangement_clip")? {
        return Ok(());
    }
    let mut beats = [0.0; 2];
    for (beat, seconds) in beats.iter_mut().zip(sounding) {
        let answer = session.call(clip, "sample_to_beat_time", &[(seconds * rate).into()])?;
        *beat = answer.as_f64().ok_or_else(|| ToolError::new("the host did not tell at which beat the clip ends"))?;
    }
    let [start, end] = beats;
    region::write_active(session, clip, start, end)
}

pub fn file_seconds(session: &dyn Session, clip: ObjectId) -> Result<f64, ToolError> {
    Ok(number(session, clip, "sample_length")? / number(session, clip, "sample_rate")?)
}

/// Runs transforms on a clip's gain and pitch, and says in its entry where they are now; it has no notes. Gives whether
/// any line was for audio.
pub fn transform(
    transforms: &Transforms,
    context: &ClipContext,
    random: &mut Random,
    session: &mut dyn Session,
    clip: ObjectId,
    log: &mut WriteLog,
) -> Result<bool, ToolError> {
    let before = read(session, clip)?;
    let applied = transforms.run_on_audio(before, context, random);
    applied.warnings.iter().for_each(|warning| add_detail(&mut log.entry, warning));
    if applied.all_ignored {
        return Ok(false);
    }
    log.record("transforms", write(session, clip, before, applied.parameters))?;
    let after = read(session, clip)?;
    log.entry.insert("gainDb".to_owned(), shown_db(clip_gain_db(number(session, clip, "gain")?)));
    log.entry.insert("pitchShift".to_owned(), rounded(after.pitch_shift_semitones));
    Ok(true)
}

/// The name of a clip's warp mode.
pub fn warp_mode(session: &dyn Session, clip: ObjectId) -> Result<&'static str, ToolError> {
    let mode = usize::try_from(int(session, clip, "warp_mode")?).unwrap_or_default();
    Ok(WARP_MODES.get(mode).copied().unwrap_or_default())
}

/// What a clip that is turned all the way down counts as, and the least that can be asked for.
const LOWEST_DB: f64 = -70.0;
const HIGHEST_PITCH_SEMITONES: f64 = 48.0;

pub fn read(session: &dyn Session, clip: ObjectId) -> Result<AudioParameters, ToolError> {
    let gain_db = clip_gain_db(number(session, clip, "gain")?).unwrap_or(LOWEST_DB).max(LOWEST_DB);
    let pitch = int(session, clip, "pitch_coarse")? as f64 + number(session, clip, "pitch_fine")? / 100.0;
    Ok(AudioParameters { gain_db, pitch_shift_semitones: pitch })
}

/// Writes what is new.
pub fn write(
    session: &mut dyn Session,
    clip: ObjectId,
    before: AudioParameters,
    after: AudioParameters,
) -> Result<(), ToolError> {
    if after.gain_db != before.gain_db {
        session.set(clip, "gain", Value::Float(raw_gain(after.gain_db)))?;
    }
    if after.pitch_shift_semitones != before.pitch_shift_semitones {
        let pitch = after.pitch_shift_semitones.clamp(-HIGHEST_PITCH_SEMITONES, HIGHEST_PITCH_SEMITONES);
        // Cents run from -50 to 49, so a half belongs to the semitone above it.
        let coarse = (pitch + 0.5).floor().min(HIGHEST_PITCH_SEMITONES);
        session.set(clip, "pitch_coarse", Value::Int(coarse as i64))?;
        session.set(clip, "pitch_fine", Value::Float(((pitch - coarse) * 100.0).clamp(-50.0, 49.0)))?;
    }
    Ok(())
}

/// The raw gain 0..=1 of so many decibels.
pub fn raw_gain(db: f64) -> f64 {
    if db <= LOWEST_DB {
        return 0.0;
    }
    // The curve rises all the way; 50 halvings are finer than any ear or file.
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..50 {
        let middle = (low + high) / 2.0;
        if clip_gain_db(middle).unwrap_or(f64::NEG_INFINITY) < db { low = middle } else { high = middle }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decibels_there_and_back() {
        for db in [24.0, 20.0, 6.5, 0.33, 0.0, -0.5, -2.87, -14.0, -31.3, -42.0, -60.0, -69.0] {
            let back = clip_gain_db(raw_gain(db)).unwrap();
            assert!((back - db).abs() < 1e-6, "{db} {back}");
        }
        assert_eq!(raw_gain(-70.0), 0.0);
    }
}
