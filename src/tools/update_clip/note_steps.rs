//! The notes of a MIDI clip: the work on them around a doubled loop, and quantizing.

use super::plan::Plan;
use crate::music::{Meter, Note, Random, duration, pitch};
use crate::object_model::{ObjectId, Session, Value as Model};
use crate::tools::address::model_read::{flag, number};
use crate::tools::arguments::values;
use crate::tools::call::CallContext;
use crate::tools::clip::notes;
use crate::tools::clip::transforms::{self, ClipOrdinal};
use crate::tools::error::ToolError;
use crate::tools::report::target_result::add_detail;
use crate::tools::report::write_log::WriteLog;
use crate::tools::timeline::lane::{self, ClipSpan, LaneBefore};
use serde_json::json;

/// Words for a grid; the second half are other names for some of the first.
pub const GRIDS: &[&str] = &[
    "1/4",
    "1/8",
    "1/8T",
    "1/8+1/8T",
    "1/16",
    "1/16T",
    "1/16+1/16T",
    "1/32",
    "n/4",
    "n/8",
    "n/12",
    "n/16",
    "n/24",
    "n/32",
];

/// Notes brought nearer to a grid.
#[derive(Debug)]
pub struct Quantize {
    /// A number of Live's `midi_recording_quantization`.
    grid: i64,
    strength: f64,
    /// Only notes of this pitch, one for each target.
    pitches: Option<Vec<u8>>,
}

impl Quantize {
    pub fn read(
        strength: Option<f64>,
        grid: Option<&str>,
        pitches: Option<&String>,
        count: usize,
    ) -> Result<Option<Quantize>, ToolError> {
        let pitches = values::spread("quantizePitch", pitches, count)?
            .map(|values| (0..count).map(|at| pitch::parse(values.at(at))).collect::<Result<Vec<u8>, _>>())
            .transpose()
            .map_err(|e| ToolError::about("quantizePitch", e))?;
        if strength.is_none() && grid.is_none() {
            return match pitches {
                Some(_) => Err(ToolError::new("quantizePitch says which notes; send quantize or quantizeGrid with it")),
                None => Ok(None),
            };
        }
        let grid = match grid.unwrap_or("1/16") {
            "1/4" | "n/4" => 1,
            "1/8" | "n/8" => 2,
            "1/8T" | "n/12" => 3,
            "1/8+1/8T" => 4,
            "1/16T" | "n/24" => 6,
            "1/16+1/16T" => 7,
            "1/32" | "n/32" => 8,
            _ => 5,
        };
        Ok(Some(Quantize { grid, strength: strength.unwrap_or(1.0), pitches }))
    }

    fn run(&self, session: &mut dyn Session, clip: ObjectId, at: usize, steps: &mut WriteLog) -> Result<(), ToolError> {
        let muted = |session: &dyn Session| -> Result<Vec<Note>, ToolError> {
            Ok(session.notes(clip)?.into_iter().filter(|note| note.mute).collect())
        };
        let before = muted(session)?;
        let (grid, strength) = (Model::Int(self.grid), Model::Float(self.strength));
        let done = match self.pitches.as_ref().and_then(|pitches| pitches.get(at)) {
            Some(pitch) => session.call(clip, "quantize_pitch", &[Model::Int(i64::from(*pitch)), grid, strength]),
            None => session.call(clip, "quantize", &[grid, strength]),
        };
        steps.record("quantize", done)?;
        let after = muted(session)?;
        let stayed = before.iter().filter(|note| after.contains(note)).count();
        told_of_muted(before.len().saturating_sub(stayed), "moved too", steps);
        Ok(())
    }
}

fn told_of_muted(count: usize, what: &str, steps: &mut WriteLog) {
    match count {
        0 => {}
        1 => add_detail(&mut steps.entry, format!("1 muted note {what}")),
        many => add_detail(&mut steps.entry, format!("{many} muted notes {what}")),
    }
}

/// One MIDI clip in its turn.
#[derive(Clone, Copy)]
pub struct Turn<'a> {
    pub plan: &'a Plan,
    pub clip: ObjectId,
    /// Its place in the call.
    pub at: usize,
    /// Its place among the clips that the call writes.
    pub place: ClipOrdinal,
    pub meter: Meter,
    /// Clips that the call wrote before.
    pub own: &'a [ObjectId],
}

/// What the passes over the notes came to.
#[derive(Default)]
struct Told {
    /// Transformed, deleted.
    counts: Option<(usize, usize)>,
    warnings: Vec<String>,
    dropped: usize,
}

impl Turn<'_> {
    /// Everything that is done to the notes.
    pub fn write(
        &self,
        session: &mut dyn Session,
        call: &mut CallContext,
        random: &mut Random,
        steps: &mut WriteLog,
    ) -> Result<(), ToolError> {
        let Turn { plan, clip, meter, .. } = *self;
        if !plan.has_note_work() && plan.quantize.is_none() && !plan.duplicate_loop {
            return Ok(());
        }
        let mut told = Told::default();
        let outcome = self.change(session, call, random, steps, &mut told);
        let heard = notes::heard(session, clip)?;
        steps.entry.insert("noteCount".to_owned(), json!(heard.shown));
        if let Some((transformed, deleted)) = told.counts {
            steps.entry.insert("transformed".to_owned(), json!(transformed));
            if deleted > 0 {
                steps.entry.insert("deletedNotes".to_owned(), json!(deleted));
            }
        }
        let muted = session.notes(clip)?.iter().filter(|note| note.mute).count();
        if muted > 0 {
            steps.entry.insert("mutedNotes".to_owned(), json!(muted));
        }
        told.warnings.iter().for_each(|warning| add_detail(&mut steps.entry, warning));
        transforms::tell_dropped(told.dropped, &mut steps.entry);
        for detail in heard.silent(meter, told.counts.is_some()) {
            add_detail(&mut steps.entry, detail);
        }
        if plan.has_note_work() {
            plan.chance.tell(&mut steps.entry);
        }
        outcome
    }

    fn change(
        &self,
        session: &mut dyn Session,
        call: &mut CallContext,
        random: &mut Random,
        steps: &mut WriteLog,
        told: &mut Told,
    ) -> Result<(), ToolError> {
        for (work, is_last) in [(&self.plan.first_notes, false), (&self.plan.later_notes, true)] {
            if is_last && self.plan.duplicate_loop {
                self.double(session, steps)?;
            }
            if work.is_empty() {
                continue;
            }
            let context = transforms::clip(session, self.clip, self.meter, self.place)?;
            let written = work.write(session, self.clip, &context, random)?;
            for warning in written.warnings {
                call.warn_once(warning);
            }
            told.dropped += written.dropped;
            told.warnings.extend(written.cleared);
            let mut landed = true;
            if let Some(applied) = written.applied {
                let counts = told.counts.get_or_insert((0, 0));
                counts.0 += applied.transformed;
                counts.1 += applied.deleted;
                told.warnings.extend(applied.warnings);
                // Lines for audio clips alone are nothing to a MIDI clip.
                landed = !applied.all_ignored || work.notes.is_some();
            }
            if landed {
                steps.record(work.arguments().first().copied().unwrap_or("notes"), Ok::<_, ToolError>(()))?;
            }
        }
        match &self.plan.quantize {
            Some(quantize) => quantize.run(session, self.clip, self.at, steps),
            None => Ok(()),
        }
    }

    /// Doubles the region with its notes and envelopes.
    fn double(&self, session: &mut dyn Session, steps: &mut WriteLog) -> Result<(), ToolError> {
        let clip = self.clip;
        let member = |session: &dyn Session, name| number(session, clip, name);
        let (start, end) = (member(session, "loop_start")?, member(session, "loop_end")?);
        let muted = |note: &Note| note.mute && note.start >= start && note.start < end;
        let doubled = session.notes(clip)?.iter().filter(|note| muted(note)).count();
        let before = match lane::of_clip(session, clip)? {
            Some(on) if !flag(session, clip, "looping")? => {
                let placed = ClipSpan::read(session, clip)?;
                Some(LaneBefore::look(session, on, placed.end, placed.end + (end - start))?)
            }
            _ => None,
        };
        steps.record("duplicateLoop", session.call(clip, "duplicate_loop", &[]))?;
        let length = member(session, "loop_end")? - member(session, "loop_start")?;
        steps.entry.insert("length".to_owned(), json!(duration::format(length, self.meter)));
        told_of_muted(doubled, "doubled too", steps);
        if let Some(before) = before {
            let ours: Vec<ObjectId> = self.own.iter().copied().chain([clip]).collect();
            before.account(session, &ours)?.into_iter().for_each(|said| add_detail(&mut steps.entry, said));
        }
        Ok(())
    }
}
