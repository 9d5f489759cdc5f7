//! What is written into a clip that was just made.

use super::content::{ClipContent, Contents};
use super::task::{ClipTask, ClipWriter};
use crate::music::{Beats, duration};
use crate::notation::transforms::ClipContext;
use crate::object_model::{ObjectId, Session, Value as Model};
use crate::tools::address::model_read;
use crate::tools::clip::region::{self, Region};
use crate::tools::clip::time;
use crate::tools::clip::transforms;
use crate::tools::clip::{audio_clip, notes, source_tempo};
use crate::tools::error::ToolError;
use crate::tools::report::target_result::add_detail;
use crate::tools::report::write_log::WriteLog;
use crate::tools::timeline::place::{self, ClipPlace};
use serde_json::json;

impl ClipWriter<'_> {
    /// The notes of a clip after the transforms, where the content is MIDI.
    pub fn planned_notes(
        &mut self,
        session: &dyn Session,
        task: &ClipTask,
    ) -> Result<Option<notes::PlannedNotes>, ToolError> {
        let ClipContent::Midi { meter, parsed, start, end, first_start } = task.content else { return Ok(None) };
        let context = ClipContext {
            arrangement_position: match task.place {
                ClipPlace::Timeline { at, .. } => Some(*at),
                ClipPlace::Slot { .. } => None,
            },
            start_marker: first_start.filter(|_| self.plan.loops(task.ordinal.index)).unwrap_or(*start),
            start: *start,
            end: Some(*end),
            ..transforms::context_of_new(session, *meter, end - start, task.ordinal)?
        };
        notes::plan_notes(parsed, self.plan.transforms.as_ref(), &context, &mut self.random).map(Some)
    }

    /// Writes the new clip whole.
    pub fn fill(
        &mut self,
        session: &mut dyn Session,
        clip: ObjectId,
        task: &ClipTask,
        planned: Option<notes::PlannedNotes>,
        log: &mut WriteLog,
    ) -> Result<(), ToolError> {
        let (at, meter) = (task.ordinal.index, task.content.meter());
        session.set(clip, "signature_numerator", Model::Int(meter.numerator().into()))?;
        let signed = session.set(clip, "signature_denominator", Model::Int(meter.denominator().into()));
        log.record("timeSignature", signed)?;
        let kept = model_read::meter(session, clip)?;
        if kept != meter {
            log.record_kept("timeSignature", kept.to_string());
        }
        if let Some(names) = &self.plan.names {
            log.name(session, clip, names.at(at))?;
        }
        if let Some(color) = self.plan.colors.as_ref().and_then(|colors| colors.get(at)) {
            log.color(session, clip, *color)?;
        }
        match task.content {
            ClipContent::Midi { start, end, first_start, .. } => {
                let loops = self.plan.looping(at);
                self.write_region(session, clip, loops, (*start, *end, *first_start), log)?;
                if let Some(planned) = planned {
                    self.write_notes(session, clip, planned, log)?;
                }
                if matches!(&self.plan.contents, Contents::Midi(midi) if midi.lengths.is_none()) {
                    log.entry.insert("length".to_owned(), json!(duration::format(end - start, meter)));
                }
            }
            ClipContent::Audio { .. } => self.write_audio(session, clip, task, log)?,
        }
        Ok(())
    }

    fn write_region(
        &self,
        session: &mut dyn Session,
        clip: ObjectId,
        asked_looping: Option<bool>,
        (start, end, first_start): (Beats, Beats, Option<Beats>),
        log: &mut WriteLog,
    ) -> Result<(), ToolError> {
        let first = first_start.filter(|_| asked_looping == Some(true));
        if first_start.is_some() && first.is_none() {
            add_detail(&mut log.entry, "firstStart ignored: it needs looping: true");
        }
        let landed = region::read(session, clip)?;
        let looping = asked_looping.unwrap_or(landed.looping);
        let wanted = Region { start, end, looping, first_start: first.unwrap_or(start) };
        if wanted != landed {
            log.record("start, length, looping", region::write(session, clip, wanted))?;
        }
        let landed = region::read(session, clip)?;
        for (field, value) in region::kept(wanted, landed, model_read::meter(session, clip)?) {
            log.record_kept(field, value);
        }
        Ok(())
    }

    fn write_notes(
        &self,
        session: &mut dyn Session,
        clip: ObjectId,
        planned: notes::PlannedNotes,
        log: &mut WriteLog,
    ) -> Result<(), ToolError> {
        if !planned.notes.is_empty() {
            let shortened = log.record("notes", notes::replace(session, clip, planned.notes))?;
            notes::report_shortened(&shortened, &mut log.entry);
        }
        let heard = notes::count_notes(session, clip)?;
        log.entry.insert("noteCount".to_owned(), json!(heard.shown));
        if !self.plan.contents.has_notes() && self.plan.transforms.is_none() {
            return Ok(());
        }
        if let Some(applied) = &planned.applied {
            transforms::report_applied(applied, &mut log.entry);
        }
        transforms::report_dropped(planned.dropped, &mut log.entry);
        for detail in heard.unheard_details(model_read::meter(session, clip)?, planned.applied.is_some()) {
            add_detail(&mut log.entry, detail);
        }
        self.plan.seed.report(&mut log.entry);
        Ok(())
    }

    fn write_audio(
        &mut self,
        session: &mut dyn Session,
        clip: ObjectId,
        task: &ClipTask,
        log: &mut WriteLog,
    ) -> Result<(), ToolError> {
        let Contents::Audio(audio) = &self.plan.contents else { return Ok(()) };
        audio.values.write_warping(session, clip, task.ordinal.index, log)?;
        audio.values.write(session, clip, task.ordinal.index, log)?;
        self.write_source_tempo(session, clip, log)?;
        let meter = model_read::meter(session, clip)?;
        if let Some(transforms) = &self.plan.transforms {
            let length = place::content_length(session, clip)?;
            let context = transforms::context_of(session, clip, meter, length, task.ordinal)?;
            if audio_clip::transform(transforms, &context, &mut self.random, session, clip, log)? {
                self.plan.seed.report(&mut log.entry);
            }
        }
        let region = region::read(session, clip)?;
        // Shown as a read shows it: what is not warped never goes past the file's end.
        let format = if time::is_unwarped(session, clip)? { duration::format_within } else { duration::format };
        let length = format(region.end - region.start, meter);
        log.entry.insert("length".to_owned(), json!(length));
        if audio.values.warping.is_none() {
            log.entry.insert("warping".to_owned(), json!(model_read::flag(session, clip, "warping")?));
        }
        Ok(())
    }

    /// A host may have taken the file to go at another tempo than was asked for.
    fn write_source_tempo(
        &self,
        session: &mut dyn Session,
        clip: ObjectId,
        log: &mut WriteLog,
    ) -> Result<(), ToolError> {
        let Contents::Audio(audio) = &self.plan.contents else { return Ok(()) };
        match audio.values.source_tempo {
            Some(_) if !model_read::flag(session, clip, "warping")? => {
                add_detail(&mut log.entry, "sourceTempo ignored: with warping off the file plays as it is");
            }
            Some(bpm) => drop(log.record("sourceTempo", source_tempo::write(session, clip, bpm))?),
            None => {}
        }
        if let Some(bpm) = source_tempo::read(session, clip)? {
            log.entry.insert("sourceTempo".to_owned(), model_read::rounded(bpm));
        }
        Ok(())
    }
}
