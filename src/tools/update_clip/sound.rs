//! Gain, pitch and warping of an audio clip.

use crate::object_model::{ObjectId, Session, Value as Model};
use crate::tools::ToolError;
use crate::tools::shared::audio_clip;
use crate::tools::shared::objects::{self, flag, number};
use crate::tools::shared::read_clip::WARP_MODES;
use crate::tools::shared::steps::Steps;
use crate::tools::shared::values::same;

/// What is asked of how an audio clip sounds.
#[derive(Debug)]
pub struct Sound {
    pub gain_db: Option<f64>,
    pub pitch_shift: Option<f64>,
    pub warp_mode: Option<String>,
    pub warping: Option<bool>,
}

impl Sound {
    /// Gain, pitch and warp mode; what the host kept otherwise is said.
    pub fn write(&self, session: &mut dyn Session, clip: ObjectId, steps: &mut Steps) -> Result<(), ToolError> {
        if self.gain_db.is_some() || self.pitch_shift.is_some() {
            let before = audio_clip::read(session, clip)?;
            let mut wanted = before;
            wanted.gain_db = self.gain_db.unwrap_or(before.gain_db);
            wanted.pitch_shift_semitones = self.pitch_shift.unwrap_or(before.pitch_shift_semitones);
            let phrase = if self.gain_db.is_some() { "gainDb" } else { "pitchShift" };
            steps.did(phrase, audio_clip::write(session, clip, before, wanted))?;
            let after = audio_clip::read(session, clip)?;
            let kept = [
                ("gainDb", self.gain_db, after.gain_db),
                ("pitchShift", self.pitch_shift, after.pitch_shift_semitones),
            ];
            for (field, wanted, is) in kept {
                if wanted.is_some_and(|wanted| !same(wanted, is)) {
                    steps.kept(field, objects::rounded(is));
                }
            }
        }
        if let Some(mode) = &self.warp_mode {
            let number = WARP_MODES.iter().position(|name| name == mode).and_then(|at| i64::try_from(at).ok());
            steps.did("warpMode", session.set(clip, "warp_mode", Model::Int(number.unwrap_or_default())))?;
        }
        Ok(())
    }
}

/// Plays the whole file as it is, unlooped.
pub fn unwarp(session: &mut dyn Session, clip: ObjectId) -> Result<(), ToolError> {
    session.set(clip, "warping", false.into())?;
    let seconds = file_seconds(session, clip)?;
    session.set(clip, "loop_start", 0.0.into())?;
    session.set(clip, "loop_end", seconds.into())?;
    Ok(())
}

pub fn file_seconds(session: &dyn Session, clip: ObjectId) -> Result<f64, ToolError> {
    Ok(number(session, clip, "sample_length")? / number(session, clip, "sample_rate")?)
}

/// An audio clip that counts seconds.
pub fn is_unwarped(session: &dyn Session, clip: ObjectId) -> bool {
    flag(session, clip, "is_audio_clip") && !flag(session, clip, "warping")
}
