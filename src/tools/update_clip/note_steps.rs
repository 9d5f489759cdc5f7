//! The notes of a MIDI clip: the work on them around a doubled loop, and quantizing at the end.

use super::plan::Plan;
use super::quantize::add_muted_detail;
use crate::music::{Beats, Meter, Note, Random, SAME_POSITION_BEATS, duration};
use crate::notation::transforms::LineCounts;
use crate::object_model::{ObjectId, Session};
use crate::tools::address::model_read::{flag, number};
use crate::tools::call::CallContext;
use crate::tools::clip::notes::{self, MergeCounts, Shortened};
use crate::tools::clip::region;
use crate::tools::clip::transforms::{self, ClipOrdinal};
use crate::tools::error::ToolError;
use crate::tools::report::target_result::add_detail;
use crate::tools::report::write_log::WriteLog;
use crate::tools::timeline::lane::{self, ClipSpan};
use crate::tools::timeline::lane_changes::{LaneBefore, LaneChanges};
use crate::tools::timeline::place;
use serde_json::{Map, Value, json};

/// Writes the notes of one MIDI clip.
#[derive(Clone, Copy)]
pub struct NoteWriter<'a> {
    pub plan: &'a Plan,
    pub clip: ObjectId,
    /// Its place in the call.
    pub at: usize,
    /// Its place among the clips that the call writes.
    pub ordinal: ClipOrdinal,
    pub meter: Meter,
    /// Where it is on the timeline to transforms, while it waits elsewhere.
    pub position: Option<Beats>,
    /// How much of the timeline it is to cover in the end.
    pub most: Option<Beats>,
}

/// What an entry says of the notes of its clip: looked up when the call is done, as later steps move the clip's end.
#[derive(Clone, Copy)]
pub struct NoteLook {
    meter: Meter,
    /// Transforms may have moved notes before the clip's start.
    moved: bool,
    tells_unheard: bool,
}

impl NoteLook {
    /// Says now which notes will not play, and not again later.
    pub fn report_unheard(
        &mut self,
        session: &dyn Session,
        clip: ObjectId,
        entry: &mut Map<String, Value>,
    ) -> Result<(), ToolError> {
        let told = std::mem::replace(&mut self.tells_unheard, false);
        if told {
            let heard = notes::count_notes(session, clip)?;
            heard.unheard_details(self.meter, self.moved).iter().for_each(|said| add_detail(entry, said));
        }
        Ok(())
    }

    /// Says how many notes there are, and which of them will not play.
    pub fn report(
        mut self,
        session: &dyn Session,
        clip: ObjectId,
        entry: &mut Map<String, Value>,
    ) -> Result<(), ToolError> {
        entry.insert("noteCount".to_owned(), json!(notes::count_notes(session, clip)?.shown));
        let muted = session.notes(clip)?.iter().filter(|note| note.mute).count();
        if muted > 0 {
            entry.insert("mutedNotes".to_owned(), json!(muted));
        }
        self.report_unheard(session, clip, entry)
    }
}

/// What the passes over the notes came to.
#[derive(Default)]
struct NoteOutcome {
    /// Transformed, deleted.
    counts: Option<(usize, usize)>,
    line_counts: Vec<LineCounts>,
    warnings: Vec<String>,
    dropped: usize,
    /// What `notes` did to those that were there.
    merged: Option<MergeCounts>,
    shortened: Shortened,
    muted_overwritten: usize,
}

impl NoteWriter<'_> {
    /// Everything that is done to the notes. Gives what is to be said of them once the call is done, also where it
    /// failed half-way.
    pub fn write(
        &self,
        session: &mut dyn Session,
        call: &mut CallContext,
        random: &mut Random,
        lanes: &mut LaneChanges,
        log: &mut WriteLog,
    ) -> Result<(Option<NoteLook>, Result<(), ToolError>), ToolError> {
        let NoteWriter { plan, meter, .. } = *self;
        if !plan.has_note_work() && plan.quantize.is_none() && !plan.duplicate_loop {
            return Ok((None, Ok(())));
        }
        let mut outcome = NoteOutcome::default();
        let result = self.change(session, call, random, (lanes, log), &mut outcome);
        if let Some((transformed, deleted)) = outcome.counts {
            log.entry.insert("transformed".to_owned(), json!(transformed));
            if deleted > 0 {
                log.entry.insert("deletedNotes".to_owned(), json!(deleted));
            }
        }
        transforms::report_line_counts(&outcome.line_counts, &mut log.entry);
        if let Some(merged) = &outcome.merged {
            merged.report(&mut log.entry);
        }
        notes::report_shortened(&outcome.shortened, &mut log.entry);
        notes::report_muted_overwritten(outcome.muted_overwritten, &mut log.entry);
        outcome.warnings.iter().for_each(|warning| add_detail(&mut log.entry, warning));
        transforms::report_dropped(outcome.dropped, &mut log.entry);
        if plan.has_note_work() {
            plan.seed.report(&mut log.entry);
        }
        Ok((Some(NoteLook { meter, moved: outcome.counts.is_some(), tells_unheard: true }), result))
    }

    fn change(
        &self,
        session: &mut dyn Session,
        call: &mut CallContext,
        random: &mut Random,
        (lanes, log): (&mut LaneChanges, &mut WriteLog),
        outcome: &mut NoteOutcome,
    ) -> Result<(), ToolError> {
        for (work, is_last) in [(&self.plan.first_notes, false), (&self.plan.later_notes, true)] {
            if is_last && self.plan.duplicate_loop {
                self.double(session, lanes, log)?;
            }
            if work.is_empty() {
                continue;
            }
            let length = place::content_length(session, self.clip)?;
            let mut context = transforms::context_of(session, self.clip, self.meter, length, self.ordinal)?;
            context.arrangement_position = self.position.or(context.arrangement_position);
            let written = work.write(session, self.clip, &context, random)?;
            for warning in written.warnings {
                call.warn_once(warning);
            }
            outcome.dropped += written.dropped;
            outcome.shortened += written.shortened;
            outcome.muted_overwritten += written.muted_overwritten;
            outcome.merged = outcome.merged.take().or(written.merged);
            outcome.warnings.extend(written.cleared);
            let mut landed = true;
            if let Some(applied) = written.applied {
                let counts = outcome.counts.get_or_insert((0, 0));
                counts.0 += applied.transformed;
                counts.1 += applied.deleted;
                outcome.warnings.extend(applied.warnings);
                outcome.line_counts.extend(applied.line_counts);
                // Lines for audio clips alone are nothing to a MIDI clip.
                landed = !applied.all_ignored || work.notes.is_some();
            }
            if landed && written.is_unchanged {
                log.record_unchanged("no note was changed");
            } else if landed {
                log.record(work.arguments().first().copied().unwrap_or("notes"), Ok::<_, ToolError>(()))?;
            }
        }
        match &self.plan.quantize {
            Some(quantize) => {
                quantize.run(session, self.clip, self.at, log)?;
                outcome.shortened.retain_those_of(session.notes(self.clip)?);
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Doubles the region with its notes and envelopes.
    fn double(&self, session: &mut dyn Session, lanes: &mut LaneChanges, log: &mut WriteLog) -> Result<(), ToolError> {
        let clip = self.clip;
        let member = |session: &dyn Session, name| number(session, clip, name);
        let (start, end) = (member(session, "loop_start")?, member(session, "loop_end")?);
        let muted = |note: &Note| note.mute && note.start >= start && note.start < end;
        let doubled = session.notes(clip)?.iter().filter(|note| muted(note)).count();
        let before = match lane::of_clip(session, clip)? {
            Some(on) if !flag(session, clip, "looping")? => {
                let placed = ClipSpan::read(session, clip)?;
                Some(LaneBefore::read(session, on, placed.end, placed.end + (end - start))?)
            }
            _ => None,
        };
        // A clip that loops keeps its length: one that is to be shorter than the doubled region goes over nothing then.
        let spares = before.is_some() && self.most.is_some_and(|most| most < 2.0 * (end - start) - SAME_POSITION_BEATS);
        if spares {
            session.set(clip, "looping", true.into())?;
            region::write_active(session, clip, start, end)?;
        }
        log.record("duplicateLoop", session.call(clip, "duplicate_loop", &[]))?;
        if spares {
            session.set(clip, "looping", false.into())?;
            let end = start + self.most.map_or(end - start, |most| most.max(end - start));
            region::write_active(session, clip, start, end)?;
        }
        let length = member(session, "loop_end")? - member(session, "loop_start")?;
        log.entry.insert("length".to_owned(), json!(duration::format(length, self.meter)));
        add_muted_detail(doubled, "doubled too", log);
        if let Some(before) = before {
            lanes.record(session, &before, &[clip])?;
        }
        Ok(())
    }
}
