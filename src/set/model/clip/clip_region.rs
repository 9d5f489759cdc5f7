//! Clip: the two regions, what switching `looping` and `warping` does to them, and how they bear on the timeline.
//!
//! Markers and loop live side by side. While looping is off, `loop_start` and `loop_end` read and write the markers,
//! and a write to `start_marker` is ignored, as in Live. An unlooped clip on the timeline is as long as its region:
//! `loop_end` moves its right edge, `loop_start` moves what sounds under it and keeps its length.

use crate::object_model::ModelError;
use crate::set::document::ids::Serial;
use crate::set::document::warp_markers;
use crate::set::document::{AudioContent, Content, Fade};
use crate::set::model::set_state::SetState;
use std::sync::Arc;

impl AudioContent {
    /// The whole file.
    pub fn seconds(&self) -> f64 {
        self.sample_length as f64 / self.sample_rate_hz
    }
}

impl SetState {
    pub(in crate::set::model) fn write_region(
        &mut self,
        serial: Serial,
        member: &str,
        time: f64,
    ) -> Result<(), ModelError> {
        let clip = self.document.clip(serial).ok_or(ModelError::NoObject)?;
        let limit = crate::music::LONGEST_CLIP_BEATS;
        if time.abs() > limit {
            return Err(ModelError::OutOfRange {
                member: member.to_owned(),
                range: format!("from -{limit} to {limit}"),
            });
        }
        let (start, end) = clip.region();
        let (looping, unwarped) = (clip.looping, clip.is_unwarped());
        let unlooped_on_timeline = !looping && self.document.placed(serial).is_some();
        let length = end - start;
        let (from, to) = match member {
            "loop_start" if time >= end => (time, end),
            "loop_start" if unlooped_on_timeline => (time, time + length),
            "loop_start" => (time, end),
            "loop_end" => (start, time),
            "position" => (time, time + length),
            "start_marker" if !looping => return Ok(()),
            "start_marker" => (time, clip.end_marker),
            // What is left of it on an unwarped clip bounds nothing.
            "end_marker" if unwarped => (f64::NEG_INFINITY, time),
            _ => (clip.start_marker, time),
        };
        if from >= to {
            return Err(ModelError::refused("a region must start before it ends"));
        }
        if let Some(audio) = clip.audio().filter(|_| unwarped && member != "end_marker")
            && (from < 0.0 || to > audio.seconds() + 1e-9)
        {
            return Err(ModelError::OutOfRange {
                member: member.to_owned(),
                range: format!("inside the file: from 0 to {} seconds", audio.seconds()),
            });
        }
        let edited = self.document.edit_clip(serial, |clip| {
            if unwarped && member == "end_marker" {
                clip.end_marker = to;
            } else if unwarped {
                (clip.loop_start, clip.loop_end, clip.start_marker) = (from, to, from);
            } else if !looping || member.ends_with("marker") {
                (clip.start_marker, clip.end_marker) = (from, to);
            } else {
                (clip.loop_start, clip.loop_end) = (from, to);
            }
        });
        edited.ok_or(ModelError::NoObject)?;
        self.fit_right_edge(serial)
    }

    /// Switching copies nothing, but on the timeline the region that sounds from now on is what is there of the clip.
    pub(in crate::set::model) fn write_looping(&mut self, serial: Serial, on: bool) -> Result<(), ModelError> {
        let clip = self.document.clip(serial).ok_or(ModelError::NoObject)?;
        if clip.looping == on {
            return Ok(());
        }
        if on && clip.is_unwarped() {
            // Only what is counted in beats loops.
            self.write_warping(serial, true)?;
        }
        let length = self.document.placed(serial).map(|placed| placed.end - placed.start);
        let edited = self.document.edit_clip(serial, |clip| {
            clip.looping = on;
            if let Some(length) = length.filter(|_| !on) {
                clip.end_after(length);
            }
        });
        edited.ok_or(ModelError::NoObject)
    }

    /// Off: the start and the loop become seconds, the end marker keeps its number of beats, and the clip no longer
    /// loops. On: what had become seconds becomes beats again.
    pub(in crate::set::model) fn write_warping(&mut self, serial: Serial, on: bool) -> Result<(), ModelError> {
        let placed = self.document.placed(serial).map(|placed| placed.end - placed.start);
        let tempo = self.document.song.tempo_bpm;
        let edited = self.document.edit_clip(serial, |clip| {
            let Content::Audio(audio) = &mut clip.content else { return };
            if audio.warping == on {
                return;
            }
            let audio = Arc::make_mut(audio);
            audio.warping = on;
            if let Some(fades) = &mut audio.fades {
                let beats = tempo / 60.0;
                let factor = if on { beats } else { 1.0 / beats };
                for fade in [&mut fades.fade_in, &mut fades.fade_out] {
                    fade.length = (fade.length * factor).min(Fade::LONGEST);
                }
            }
            let (markers, seconds) = (&audio.warp_markers, audio.seconds());
            if on {
                for time in [&mut clip.start_marker, &mut clip.loop_start, &mut clip.loop_end] {
                    *time = warp_markers::beat_at(markers, *time);
                }
                // The end marker never left its beats, and may lie before what is the start now.
                if clip.end_marker <= clip.start_marker {
                    clip.end_marker = clip.loop_end.max(clip.start_marker + (clip.loop_end - clip.loop_start));
                }
                if let Some(beats) = placed {
                    clip.end_after(beats);
                }
            } else {
                if !clip.looping {
                    (clip.loop_start, clip.loop_end) = (clip.start_marker, clip.end_marker);
                }
                for time in [&mut clip.start_marker, &mut clip.loop_start, &mut clip.loop_end] {
                    *time = warp_markers::seconds_at(markers, *time).clamp(0.0, seconds);
                }
                if clip.loop_start >= clip.loop_end {
                    // Nothing of the file was in the region: the whole of it is.
                    (clip.start_marker, clip.loop_start, clip.loop_end) = (0.0, 0.0, seconds);
                }
                clip.looping = false;
            }
        });
        edited.ok_or(ModelError::NoObject)?;
        // What the file has no sound for is no part of an unwarped clip.
        match self.document.placed(serial).filter(|_| !on) {
            Some(placed) => {
                let (from, to) = placed.clip.region();
                let end = placed.start + placed.clip.timeline_beats(to - from, tempo);
                let end = end.min(placed.end);
                self.document.move_right_edge(serial, end)
            }
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::set::document::{Clip, Signature};

    /// A clip of four seconds of sound, warped at 120 BPM.
    fn clip() -> (SetState, Serial) {
        let mut set = SetState::alone();
        let facts = crate::object_model::audio::AudioFacts {
            frames: 32_000,
            sample_rate_hz: 8_000.0,
            channels: 1,
            tempo_bpm: None,
        };
        let serial = set.document.fresh_serial().unwrap();
        let signature = Signature { numerator: 4, denominator: 4 };
        let clip = Clip::of_file(serial, "/a/tone.wav", &facts, 0, signature, 120.0);
        let (track, scene) = (set.document.tracks.get(2).unwrap().serial, set.document.scenes.first().unwrap().serial);
        set.document.put_clip(track, scene, clip);
        (set, serial)
    }

    fn times(set: &SetState, serial: Serial) -> [f64; 4] {
        let clip = set.document.clip(serial).unwrap();
        [clip.start_marker, clip.end_marker, clip.loop_start, clip.loop_end]
    }

    #[test]
    fn switching_warping_off_and_on_again() {
        let (mut set, serial) = clip();
        assert_eq!(times(&set, serial), [0.0, 8.0, 0.0, 8.0]);
        set.write_looping(serial, true).unwrap();
        set.write_region(serial, "loop_start", 2.0).unwrap();
        set.write_warping(serial, false).unwrap();
        assert_eq!(times(&set, serial), [0.0, 8.0, 1.0, 4.0], "the end marker keeps its beats");
        assert!(!set.document.clip(serial).unwrap().looping);
        set.write_region(serial, "loop_start", 0.5).unwrap();
        assert_eq!(times(&set, serial)[0], 0.5, "the start marker follows");
        assert!(set.write_region(serial, "loop_end", 4.5).is_err(), "the file ends");
        assert!(set.write_region(serial, "loop_start", -1.0).is_err());
        set.write_looping(serial, true).unwrap();
        let clip = set.document.clip(serial).unwrap();
        assert!(clip.looping && !clip.is_unwarped(), "looping turns warping on");
        assert_eq!(times(&set, serial), [1.0, 8.0, 1.0, 8.0]);
        for _ in 0..3 {
            set.write_warping(serial, false).unwrap();
            set.write_warping(serial, true).unwrap();
            assert_eq!(times(&set, serial), [1.0, 8.0, 1.0, 8.0], "there and back is where it was");
        }
    }
}
