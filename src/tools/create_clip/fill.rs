//! What is written into a clip that was just made.

use super::content::{Content, Kind};
use super::plan::Plan;
use crate::music::{Beats, Random, duration};
use crate::notation::transforms::ClipContext;
use crate::object_model::{ObjectId, Session, Value as Model};
use crate::tools::address::model_read;
use crate::tools::clip::region::{self, Region};
use crate::tools::clip::transforms::{self, ClipOrdinal as Turn};
use crate::tools::clip::{audio_clip, notes};
use crate::tools::error::ToolError;
use crate::tools::report::target_result::add_detail;
use crate::tools::report::write_log::WriteLog;
use crate::tools::timeline::place::ClipPlace;
use serde_json::json;

impl Plan {
    /// The notes of a clip after the transforms, where the content is MIDI.
    pub fn planned_notes(
        &self,
        session: &dyn Session,
        content: &Content,
        place: &ClipPlace,
        turn: Turn,
        random: &mut Random,
    ) -> Result<Option<notes::Planned>, ToolError> {
        let Content::Midi { meter, parsed, start, end, first_start } = content else { return Ok(None) };
        let context = ClipContext {
            arrangement_position: match place {
                ClipPlace::Timeline { at, .. } => Some(*at),
                ClipPlace::Slot { .. } => None,
            },
            start_marker: first_start.filter(|_| self.loops()).unwrap_or(*start),
            end: Some(*end),
            ..transforms::new_clip(session, *meter, end - start, turn)?
        };
        notes::plan(parsed, self.transforms.as_ref(), &context, random).map(Some)
    }

    /// What its clip will not play of the pickups that were written.
    pub fn unheard(&self, content: &Content) -> Vec<String> {
        let Content::Midi { meter, parsed, start, first_start, .. } = content else { return Vec::new() };
        let first = first_start.filter(|_| self.loops()).unwrap_or(*start);
        parsed.unheard(first.min(*start), *meter)
    }

    fn loops(&self) -> bool {
        matches!(&self.kind, Kind::Midi(midi) if midi.looping == Some(true))
    }

    #[allow(clippy::too_many_arguments, reason = "one clip's turn: its content, its part in the call")]
    pub fn fill(
        &self,
        session: &mut dyn Session,
        clip: ObjectId,
        at: usize,
        content: &Content,
        planned: Option<notes::Planned>,
        turn: Turn,
        random: &mut Random,
        steps: &mut WriteLog,
    ) -> Result<(), ToolError> {
        let meter = content.meter();
        session.set(clip, "signature_numerator", Model::Int(meter.numerator().into()))?;
        let signed = session.set(clip, "signature_denominator", Model::Int(meter.denominator().into()));
        steps.record("timeSignature", signed)?;
        let kept = model_read::meter(session, clip)?;
        if kept != meter {
            steps.record_kept("timeSignature", kept.to_string());
        }
        if let Some(names) = &self.names {
            steps.record("name", session.set(clip, "name", names.at(at).into()))?;
        }
        if let Some(color) = self.colors.as_ref().and_then(|colors| colors.get(at)) {
            steps.color(session, clip, *color)?;
        }
        match content {
            Content::Midi { start, end, first_start, .. } => {
                self.write_region(session, clip, (*start, *end), *first_start, steps)?;
                if let Some(planned) = planned {
                    self.write_notes(session, clip, planned, steps)?;
                }
                if matches!(&self.kind, Kind::Midi(midi) if midi.lengths.is_none()) {
                    steps.entry.insert("length".to_owned(), json!(duration::format(end - start, meter)));
                }
            }
            Content::Audio { .. } => self.write_audio(session, clip, turn, random, steps)?,
        }
        Ok(())
    }

    fn write_region(
        &self,
        session: &mut dyn Session,
        clip: ObjectId,
        (start, end): (Beats, Beats),
        first_start: Option<Beats>,
        steps: &mut WriteLog,
    ) -> Result<(), ToolError> {
        let Kind::Midi(midi) = &self.kind else { return Ok(()) };
        if first_start.is_some() && !self.loops() {
            add_detail(&mut steps.entry, "firstStart ignored: it needs looping: true");
        }
        let landed = region::read(session, clip)?;
        let looping = midi.looping.unwrap_or(landed.looping);
        let wanted = Region { start, end, looping, first_start: first_start.filter(|_| self.loops()).unwrap_or(start) };
        if wanted != landed {
            steps.record("start, length, looping", region::write(session, clip, wanted))?;
        }
        let landed = region::read(session, clip)?;
        for (field, value) in region::kept(wanted, landed, model_read::meter(session, clip)?) {
            steps.record_kept(field, value);
        }
        Ok(())
    }

    fn write_notes(
        &self,
        session: &mut dyn Session,
        clip: ObjectId,
        planned: notes::Planned,
        steps: &mut WriteLog,
    ) -> Result<(), ToolError> {
        if !planned.notes.is_empty() {
            steps.record("notes", session.replace_notes(clip, planned.notes))?;
        }
        if !self.kind.has_notes() && self.transforms.is_none() {
            return Ok(());
        }
        let heard = notes::heard(session, clip)?;
        steps.entry.insert("noteCount".to_owned(), json!(heard.shown));
        if let Some(applied) = &planned.applied {
            transforms::tell(applied, &mut steps.entry);
        }
        transforms::tell_dropped(planned.dropped, &mut steps.entry);
        for detail in heard.silent(model_read::meter(session, clip)?, planned.applied.is_some()) {
            add_detail(&mut steps.entry, detail);
        }
        self.chance.tell(&mut steps.entry);
        Ok(())
    }

    fn write_audio(
        &self,
        session: &mut dyn Session,
        clip: ObjectId,
        turn: Turn,
        random: &mut Random,
        steps: &mut WriteLog,
    ) -> Result<(), ToolError> {
        let Kind::Audio(audio) = &self.kind else { return Ok(()) };
        audio.values.write_warping(session, clip, steps)?;
        audio.values.write(session, clip, steps)?;
        let meter = model_read::meter(session, clip)?;
        if let Some(transforms) = &self.transforms {
            let context = transforms::clip(session, clip, meter, turn)?;
            if audio_clip::transform(transforms, &context, random, session, clip, steps)? {
                self.chance.tell(&mut steps.entry);
            }
        }
        let region = region::read(session, clip)?;
        steps.entry.insert("length".to_owned(), json!(duration::format(region.end - region.start, meter)));
        if audio.values.warping.is_none() {
            steps.entry.insert("warping".to_owned(), json!(model_read::flag(session, clip, "warping")));
        }
        Ok(())
    }
}
