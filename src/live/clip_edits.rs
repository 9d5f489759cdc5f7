//! What tools do with clips as a whole, by the functions that Live has: moving an end, cutting, building one anew.
//!
//! No function of Live trims an Arrangement clip. A clip that is laid over an end of another shortens that one; so an
//! empty MIDI clip is laid there and deleted again. Of audio there is no such clip to lay.

use super::refusals::LOOPED_GROWTH;
use super::session::LiveSession;
use crate::music::{Beats, LONGEST_CLIP_BEATS, SAME_POSITION_BEATS};
use crate::object_model::limits::ARRANGEMENT_END_BEATS;
use crate::object_model::{ModelError, ObjectId, ObjectModel, Value};

/// A clip of the Arrangement.
struct Placed {
    start: Beats,
    end: Beats,
    looping: bool,
    midi: bool,
}

/// What of a clip is the same wherever it stands.
const KEPT: [&str; 3] = ["name", "color", "muted"];
/// Of audio clips too.
const KEPT_OF_AUDIO: [&str; 4] = ["warp_mode", "gain", "pitch_coarse", "pitch_fine"];
/// Where its region and its loop are, in an order that Live takes: ends before what begins before them.
const REGION: [&str; 4] = ["loop_end", "loop_start", "end_marker", "start_marker"];

impl LiveSession {
    fn number(&self, id: ObjectId, member: &str) -> Result<f64, ModelError> {
        self.get(id, member)?.as_f64().ok_or_else(|| ModelError::refused(format!("Live gives no {member}")))
    }

    fn flag(&self, id: ObjectId, member: &str) -> Result<bool, ModelError> {
        Ok(self.get(id, member)?.as_bool().unwrap_or_default())
    }

    fn child(&self, id: ObjectId, member: &str) -> Result<ObjectId, ModelError> {
        self.get(id, member)?.as_object().ok_or(ModelError::NoObject)
    }

    fn placed(&self, clip: ObjectId) -> Result<Placed, ModelError> {
        if !self.flag(clip, "is_arrangement_clip")? {
            return Err(ModelError::refused("the clip is not on the timeline"));
        }
        Ok(Placed {
            start: self.number(clip, "start_time")?,
            end: self.number(clip, "end_time")?,
            looping: self.flag(clip, "looping")?,
            midi: self.flag(clip, "is_midi_clip")?,
        })
    }

    fn made(&mut self, of: ObjectId, function: &str, args: &[Value]) -> Result<ObjectId, ModelError> {
        self.call(of, function, args)?
            .as_object()
            .ok_or_else(|| ModelError::refused(format!("{function} made nothing")))
    }

    /// A length on the timeline as the clip counts: seconds of unwarped audio, else beats.
    fn own_time(&self, clip: ObjectId, beats: Beats) -> Result<f64, ModelError> {
        let is_unwarped = self.flag(clip, "is_audio_clip")? && !self.flag(clip, "warping")?;
        if !is_unwarped {
            return Ok(beats);
        }
        let song = self.resolve("live_set")?.ok_or(ModelError::NoObject)?;
        Ok(beats * 60.0 / self.number(song, "tempo")?)
    }

    /// Trims what MIDI clips of a track reach into a span.
    fn clear_span(&mut self, track: ObjectId, from: Beats, to: Beats) -> Result<(), ModelError> {
        let over = self.made(track, "create_midi_clip", &[from.into(), (to - from).into()])?;
        self.call(track, "delete_clip", &[over.into()])?;
        Ok(())
    }

    pub(super) fn move_clip_end(&mut self, clip: ObjectId, at: Beats) -> Result<(), ModelError> {
        let Placed { start, end, looping, midi } = self.placed(clip)?;
        let length = at - start;
        if !(length > SAME_POSITION_BEATS && length <= LONGEST_CLIP_BEATS) {
            let range = format!("after its start, and at most {LONGEST_CLIP_BEATS} beats later");
            return Err(ModelError::OutOfRange { member: "the end of a clip".to_owned(), range });
        }
        if (at - end).abs() <= SAME_POSITION_BEATS {
            return Ok(());
        }
        if !looping {
            let region_start = self.number(clip, "loop_start")?;
            let own = self.own_time(clip, length)?;
            return self.set(clip, "loop_end", (region_start + own).into());
        }
        if at > end {
            return Err(ModelError::Unable(LOOPED_GROWTH.to_owned()));
        }
        if !midi {
            return Err(ModelError::Unable(
                "no function of Live shortens a looped audio clip in the Arrangement; turn its loop off first \
                 (looping: false), or drag its end in Live"
                    .to_owned(),
            ));
        }
        let track = self.child(clip, "canonical_parent")?;
        self.clear_span(track, at, end)
    }

    pub(super) fn cut_clip(&mut self, clip: ObjectId, at: Beats) -> Result<ObjectId, ModelError> {
        let Placed { start, end, looping, midi } = self.placed(clip)?;
        if !(at - start > SAME_POSITION_BEATS && end - at > SAME_POSITION_BEATS) {
            return Err(ModelError::refused("a clip is cut at a moment inside it"));
        }
        if !midi {
            return Err(ModelError::Unable(
                "no function of Live cuts a clip, and an audio clip cannot be trimmed at its start; split it in Live"
                    .to_owned(),
            ));
        }
        let song = self.resolve("live_set")?.ok_or(ModelError::NoObject)?;
        // Behind everything that is there, on a whole beat.
        let free = self.number(song, "last_event_time")?.max(end).ceil() + 4.0;
        if free + (end - start) > ARRANGEMENT_END_BEATS {
            return Err(ModelError::refused(
                "there is no free room behind the last clip to lay the second piece aside",
            ));
        }
        let content = self.content_at(clip, at - start)?;
        let track = self.child(clip, "canonical_parent")?;
        let aside = self.made(track, "duplicate_clip_to_arrangement", &[clip.into(), free.into()])?;
        self.clear_span(track, free, free + (at - start))?;
        self.move_clip_end(clip, at)?;
        let tail = self.made(track, "duplicate_clip_to_arrangement", &[aside.into(), at.into()])?;
        self.call(track, "delete_clip", &[aside.into()])?;
        if looping && (self.number(tail, "start_marker")? - content).abs() > SAME_POSITION_BEATS {
            self.set(tail, "start_marker", content.into())?;
        }
        Ok(tail)
    }

    /// Where in its content a clip is, so many beats after it began.
    fn content_at(&self, clip: ObjectId, after: Beats) -> Result<f64, ModelError> {
        let (from, to) = (self.number(clip, "loop_start")?, self.number(clip, "loop_end")?);
        let first = self.number(clip, "start_marker")?;
        let at = first + after;
        let turns = self.flag(clip, "looping")? && first < to && at >= to;
        Ok(if turns { from + (at - to).rem_euclid(to - from) } else { at })
    }

    pub(super) fn build_clip(&mut self, clip: ObjectId, onto: ObjectId, at: Beats) -> Result<ObjectId, ModelError> {
        let in_slot = self.class_of(onto)?.is_some_and(|class| class.name == "ClipSlot");
        let looping = self.flag(clip, "looping")?;
        // The new one may be laid over the clip itself, and cut it.
        let region = REGION.map(|member| self.get(clip, member).map(|value| (member, value)));
        let made = if self.flag(clip, "is_midi_clip")? {
            self.build_midi_clip(clip, onto, (!in_slot).then_some(at))?
        } else if in_slot {
            let file = self.get(clip, "file_path")?;
            self.empty_slot(onto)?;
            let made = self.made(onto, "create_audio_clip", &[file])?;
            self.copy_members(clip, made, &["warping"])?;
            // What follows is in beats or in seconds by it, and it lands late.
            self.number(made, "loop_end")?;
            self.copy_members(clip, made, &KEPT_OF_AUDIO)?;
            made
        } else {
            return Err(ModelError::Unable(
                "Live lays an audio file onto a timeline as long as the file is, and has no function that gives it the \
                 region of another clip; copy it in Live"
                    .to_owned(),
            ));
        };
        self.copy_members(clip, made, &KEPT)?;
        // A new clip in a slot loops, and one on the timeline covers what it covers: its region is set while it loops.
        self.set(made, "looping", true.into())?;
        for told in region {
            let (member, value) = told?;
            self.set(made, member, value)?;
        }
        if !looping {
            self.set(made, "looping", false.into())?;
        }
        self.copy_members(clip, made, &["signature_numerator", "signature_denominator"])?;
        Ok(made)
    }

    /// In a slot, or at a moment on a timeline.
    fn build_midi_clip(&mut self, clip: ObjectId, onto: ObjectId, at: Option<Beats>) -> Result<ObjectId, ModelError> {
        let region = self.number(clip, "loop_end")? - self.number(clip, "loop_start")?;
        let length = match self.flag(clip, "is_arrangement_clip")? {
            true => self.number(clip, "end_time")? - self.number(clip, "start_time")?,
            false => region,
        };
        let notes = self.notes(clip)?;
        let made = match at {
            Some(at) => self.made(onto, "create_midi_clip", &[at.into(), length.into()])?,
            None => {
                self.empty_slot(onto)?;
                self.made(onto, "create_clip", &[region.into()])?
            }
        };
        self.replace_notes(made, notes)?;
        Ok(made)
    }

    fn empty_slot(&mut self, slot: ObjectId) -> Result<(), ModelError> {
        if self.flag(slot, "has_clip")? {
            self.call(slot, "delete_clip", &[])?;
        }
        Ok(())
    }

    pub(super) fn copy_members(&mut self, from: ObjectId, to: ObjectId, members: &[&str]) -> Result<(), ModelError> {
        for member in members {
            let value = self.get(from, member)?;
            self.set(to, member, value)?;
        }
        Ok(())
    }
}
