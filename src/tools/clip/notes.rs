//! The `notes` argument (text in the active notation, or a JSON array in `midi-json`), and the notes of a clip under
//! all that one call does to them.

use crate::music::LONGEST_CLIP_BEATS;
use crate::music::text::counted;
use crate::music::{Beats, Meter, Note, Random, SAME_POSITION_BEATS, note, position};
use crate::notation::transforms::{ClipContext, ClipKind, TransformRun, TransformedNotes, UntouchedNotes};
use crate::notation::{self, Notation, NotationError, ParseContext, Parsed};
use crate::object_model::{ModelError, ObjectId, Session};
use crate::tools::address::model_read;
use crate::tools::clip::region::{self, Region};
use crate::tools::clip::time::note_window;
use crate::tools::clip::transforms::{self, RandomSeed, TextErrors, Transforms};
use crate::tools::error::ToolError;
use crate::tools::report::target_result::add_detail;
use crate::tools::request::RequestContext;
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::ops::AddAssign;

/// What to write into `notes`, by notation.
pub fn notes_about(view: &RequestContext) -> Cow<'static, str> {
    Cow::Borrowed(match view.notation {
        Notation::Barbeat => {
            "notes as: v100 (velocity) n/4 (length) C3 E3 (pitches; C3 = 60) 1|1,3 (bar|beat positions). Settings stay until \
             changed. \"v90 n/16 C1 1|1x4@n/4\""
        }
        Notation::MidiJson => {
            "[{p:60,t:0,d:1,v:100}]: pitch (60 = C3), start and duration in beats of the clip's meter, velocity; vd deviation, \
             c chance. A text or a JSON array"
        }
        Notation::Stark => {
            "one line a part: a header, a colon, tokens in a row. \"kick: X z X z\" (X hit, ^ loud, x soft, z rest), \
             \"bass /8: C z Eb G\", \"melody: C E/2 [C E G]\", \"chords: Cm7 F7\". /4 a quarter, /8. dotted, /8t triplet"
        }
    })
}

/// What `notes` says for the tool that adds to those of a clip: small models may see no other.
pub fn more_notes_about(view: &RequestContext) -> Cow<'static, str> {
    match view.small_model_mode {
        true => notes_about(view),
        false => Cow::Borrowed("as for svc-create-clip"),
    }
}

/// What `notes` says for the tool that takes different ones for each of its targets.
pub fn each_notes_about(view: &RequestContext) -> Cow<'static, str> {
    let about = notes_about(view);
    match (view.small_model_mode, view.notation) {
        (true, _) => about,
        (false, Notation::MidiJson) => {
            Cow::Owned(format!("{about}. Several places: [[...], [...]], one array each, or one for all"))
        }
        (false, _) => Cow::Owned(format!("{about}. Several places: an array, a text each")),
    }
}

/// Notes as the caller sent them.
#[derive(Clone, Debug)]
pub struct NotesArgument {
    /// As errors name it.
    argument: Cow<'static, str>,
    sent: Value,
    notation: Notation,
    seed: RandomSeed,
}

impl NotesArgument {
    /// What the notes leave open is drawn from `seed`.
    pub fn new(sent: Value, notation: Notation, seed: RandomSeed) -> NotesArgument {
        NotesArgument { argument: Cow::Borrowed("notes"), sent, notation, seed }
    }

    /// The notes of `count` targets: one argument for all of them, or one for each. In `midi-json` an array of notes is
    /// one argument, and an array of texts or arrays is one for each.
    pub fn read_each(
        sent: Value,
        notation: Notation,
        seed: &RandomSeed,
        count: usize,
    ) -> Result<Vec<NotesArgument>, ToolError> {
        let is_one = |item: &Value| matches!(item, Value::String(_) | Value::Array(_));
        let items = match sent {
            Value::Array(items) if items.iter().any(is_one) => items,
            one => return Ok(vec![NotesArgument::new(one, notation, seed.clone())]),
        };
        if let Some(at) = items.iter().position(|item| !is_one(item)) {
            return Err(ToolError::new(format!(
                "notes is a list with the notes of each place, but notes.{at} is {}; send lists of notes, or one list of \
                 notes for all places",
                if items.get(at).is_some_and(Value::is_object) { "a single note" } else { "no list of notes" }
            )));
        }
        if items.len() != 1 && items.len() != count {
            return Err(ToolError::new(format!(
                "notes has {} for {}; send one for all, or one for each",
                counted(items.len(), "item"),
                counted(count, "place")
            )));
        }
        let each = items.into_iter().enumerate().map(|(at, sent)| NotesArgument {
            argument: Cow::Owned(format!("notes.{at}")),
            sent,
            notation,
            seed: seed.of_item(at),
        });
        Ok(each.collect())
    }

    /// Whether it says that there are no notes: a blank text, or an empty array. In an update that clears the clip, as
    /// a blank clears a name; a text of comments alone merges nothing.
    fn clears(&self) -> bool {
        match &self.sent {
            Value::Array(items) => items.is_empty(),
            Value::String(text) if self.notation == Notation::MidiJson => {
                let mut signs = text.chars().filter(|c| !c.is_whitespace());
                matches!((signs.next(), signs.next(), signs.next()), (None, ..) | (Some('['), Some(']'), None))
            }
            Value::String(text) => text.trim().is_empty(),
            _ => false,
        }
    }

    /// The notes (each time the same ones), read for a clip's meter; `existing` are those of the clip that an update
    /// merges into.
    pub fn read(&self, meter: Meter, existing: &[Note]) -> Result<Parsed, ToolError> {
        self.parse(meter, existing).map_err(|e| ToolError::about(&self.argument, e))
    }

    /// As errors name it.
    pub fn argument(&self) -> Cow<'static, str> {
        self.argument.clone()
    }

    /// What is wrong with the notes in every one of these meters.
    pub fn unreadable(&self, meters: &[Meter]) -> Option<NotationError> {
        let mut errors = meters.iter().map(|meter| self.parse(*meter, &[]).err()).collect::<Option<Vec<_>>>()?;
        if errors.is_empty() { None } else { Some(errors.swap_remove(0)) }
    }

    fn parse(&self, meter: Meter, existing: &[Note]) -> Result<Parsed, NotationError> {
        match &self.sent {
            Value::Array(items) => notation::parse_array(items, meter, existing),
            other => {
                let random = &mut self.seed.notes();
                let text = other.as_str().unwrap_or_default();
                notation::parse(self.notation, text, ParseContext { meter, existing, random })
            }
        }
    }
}

impl TextErrors {
    /// Looks for arguments that are wrong in every meter for one of these clips, by what kind of clip it is.
    pub fn check_for(
        &mut self,
        session: &dyn Session,
        clips: impl Iterator<Item = ObjectId>,
        all: &[&NoteWork],
    ) -> Result<(), ModelError> {
        let kinds = clips.map(|clip| transforms::clip_kind(session, clip)).collect::<Result<Vec<_>, _>>()?;
        let mut there = [ClipKind::Midi, ClipKind::Audio].into_iter().filter(|kind| kinds.contains(kind));
        // One kind's faults are enough: most would be repeated for the other.
        there.any(|kind| {
            let found = self.count();
            all.iter().for_each(|work| self.check(work.transforms_for(kind), kind));
            self.count() > found
        });
        Ok(())
    }
}

/// All that a call does to the notes of each of its clips: `preTransforms` on those that are there, `notes` merged into
/// them, `transforms` on all.
#[derive(Debug)]
pub struct NoteWork {
    pub before: Option<Transforms>,
    pub notes: Option<NotesArgument>,
    pub after: Option<Transforms>,
}

/// What came of it in one clip.
#[derive(Debug, Default)]
pub struct NoteChanges {
    /// What the reader of the notes had to say.
    pub warnings: Vec<String>,
    /// Only when transforms ran.
    pub applied: Option<TransformedNotes>,
    /// Notes that were left out because a later one has their pitch and start.
    pub dropped: usize,
    /// What a blank `notes` took away, if anything.
    pub cleared: Option<String>,
    /// What `notes` did to those that were there.
    pub merged: Option<MergeCounts>,
    /// Notes that the host shortened, as others of their pitch start inside them.
    pub shortened: Shortened,
    /// Muted notes that gave way to one of their pitch and start.
    pub muted_overwritten: usize,
    /// The clip has the notes that it had, so nothing was written.
    pub is_unchanged: bool,
}

/// What merging written notes into a clip's own came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MergeCounts {
    /// Notes that the text wrote, those that replaced one included.
    written: usize,
    /// Of the clip's notes, those that gave way to a written one of their pitch and start.
    replaced: usize,
    /// Of the clip's notes, those that the text took away.
    deleted: usize,
}

impl MergeCounts {
    /// From the notes before and after, both sorted by start and pitch.
    fn between(before: &[Note], after: &[Note]) -> MergeCounts {
        let mut counts = MergeCounts::default();
        for note in after {
            match in_slot(before, note).next() {
                Some(same) if same == note => {}
                Some(_) => {
                    counts.written += 1;
                    counts.replaced += 1;
                }
                None => counts.written += 1,
            }
        }
        counts.deleted = before.iter().filter(|note| in_slot(after, note).next().is_none()).count();
        counts
    }

    pub fn report(&self, entry: &mut Map<String, Value>) {
        entry.insert("notesWritten".to_owned(), json!(self.written));
        for (field, count) in [("notesReplaced", self.replaced), ("notesDeleted", self.deleted)] {
            if count > 0 {
                entry.insert(field.to_owned(), json!(count));
            }
        }
    }
}

/// The notes that a host shortened, as others of their pitch start inside them; as they are then.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shortened(Vec<Note>);

impl AddAssign for Shortened {
    fn add_assign(&mut self, more: Shortened) {
        self.0.extend(more.0);
    }
}

impl Shortened {
    /// Keeps the notes that the clip still has after later steps moved or deleted some.
    pub fn retain_those_of(&mut self, mut now: Vec<Note>) {
        self.0.retain(|note| {
            let is_it = |other: &Note| {
                other.duration <= note.duration
                    && Note { start: note.start, duration: note.duration, ..*other } == *note
            };
            let at = now.iter().position(is_it);
            at.map(|at| now.swap_remove(at)).is_some()
        });
    }
}

/// Says in a clip's entry how many notes the host shortened.
pub fn report_shortened(shortened: &Shortened, entry: &mut Map<String, Value>) {
    let muted = match shortened.0.iter().filter(|note| note.mute).count() {
        0 => String::new(),
        all if all == shortened.0.len() => " (muted)".to_owned(),
        some => format!(" ({some} muted)"),
    };
    let notes = match shortened.0.len() {
        0 => return,
        1 => format!("1 note{muted} was shortened: another of its pitch starts inside it"),
        many => format!("{many} notes{muted} were shortened: others of their pitch start inside them"),
    };
    add_detail(entry, notes);
}

/// Says in a clip's entry how many muted notes were overwritten.
pub fn report_muted_overwritten(muted: usize, entry: &mut Map<String, Value>) {
    let notes = match muted {
        0 => return,
        1 => "1 muted note was overwritten: a note was put on its pitch and start".to_owned(),
        many => format!("{many} muted notes were overwritten: notes were put on their pitches and starts"),
    };
    add_detail(entry, notes);
}

/// Writes a clip's notes, sorted by start; gives those that the host shortened.
pub fn replace(session: &mut dyn Session, clip: ObjectId, wanted: Vec<Note>) -> Result<Shortened, ToolError> {
    if !note::any_meet(&wanted) {
        session.replace_notes(clip, wanted)?;
        return Ok(Shortened::default());
    }
    session.replace_notes(clip, wanted.clone())?;
    let landed = session.notes(clip)?;
    let shorter = |wanted: &Note| {
        in_slot(&landed, wanted).find(|landed| landed.duration < wanted.duration - SAME_POSITION_BEATS).copied()
    };
    Ok(Shortened(wanted.iter().filter_map(shorter).collect()))
}

impl NoteWork {
    pub fn is_empty(&self) -> bool {
        self.before.is_none() && self.notes.is_none() && self.after.is_none()
    }

    /// The names of the arguments that were sent.
    pub fn arguments(&self) -> Vec<&'static str> {
        let transforms = |of: &Option<Transforms>| of.as_ref().map(|transforms| transforms.argument);
        [self.notes.as_ref().map(|_| "notes"), transforms(&self.before), transforms(&self.after)]
            .into_iter()
            .flatten()
            .collect()
    }

    /// What is wrong with the notes as if for an empty clip in this meter, so that what can be read in no meter is
    /// found before anything is changed. What one bar more or less would mend is left to the clips' own meters.
    pub fn unreadable(&self, meter: Meter) -> Option<NotationError> {
        let meters: Vec<Meter> = std::iter::once(meter).chain(Meter::new(99, 1)).collect();
        self.notes.as_ref()?.unreadable(&meters)
    }

    /// The transforms that run on this kind of clip: what comes before the notes is for clips that have some.
    pub fn transforms_for(&self, kind: ClipKind) -> impl Iterator<Item = &Transforms> {
        self.before.iter().filter(move |_| kind == ClipKind::Midi).chain(&self.after)
    }

    /// Does the work in one MIDI clip, or nothing if any of it is refused. It is for every note, also those that lie
    /// far outside the region; but muted ones, which no notation can spell, stay. A note written where a muted one is
    /// takes its place.
    pub fn write(
        &self,
        session: &mut dyn Session,
        clip: ObjectId,
        context: &ClipContext,
        random: &mut Random,
    ) -> Result<NoteChanges, ToolError> {
        let (all, mut written) = self.work_out(session, clip, context, random)?;
        if !written.is_unchanged {
            written.shortened = replace(session, clip, all)?;
        }
        Ok(written)
    }

    /// All the notes that one MIDI clip would have after the work, sorted by start and pitch. Nothing is written.
    pub fn work_out(
        &self,
        session: &dyn Session,
        clip: ObjectId,
        context: &ClipContext,
        random: &mut Random,
    ) -> Result<(Vec<Note>, NoteChanges), ToolError> {
        let mut faults = TextErrors::default();
        faults.check_in(self.transforms_for(ClipKind::Midi), context.meter, ClipKind::Midi);
        faults.refuse()?;
        let before = session.notes(clip)?;
        let (existing, muted): (Vec<Note>, Vec<Note>) = before.iter().copied().partition(|note| !note.mute);
        let beside = UntouchedNotes { muted: muted.len() };
        let Region { start, first_start, .. } = region::read(session, clip)?;
        let (notes, mut written) = self.carry_out(existing, beside, start.min(first_start), context, random)?;
        let mut all = notes.clone();
        let kept = muted.iter().filter(|muted| in_slot(&notes, muted).next().is_none());
        all.extend(kept);
        written.muted_overwritten = (notes.len() + muted.len()) - all.len();
        sort_for_comparison(&mut all);
        written.is_unchanged = all == before;
        Ok((all, written))
    }

    /// The notes that become of these, sorted by start and pitch. `begins` is where the clip plays first.
    fn carry_out(
        &self,
        existing: Vec<Note>,
        beside: UntouchedNotes,
        begins: Beats,
        context: &ClipContext,
        random: &mut Random,
    ) -> Result<(Vec<Note>, NoteChanges), ToolError> {
        let mut written = NoteChanges::default();
        let mut read = |existing: &[Note]| -> Result<Option<Parsed>, ToolError> {
            let Some(argument) = &self.notes else { return Ok(None) };
            if argument.clears() {
                written.cleared = cleared(existing.len());
                return Ok(Some(Parsed::default()));
            }
            let mut parsed = argument.read(context.meter, existing)?;
            written.warnings = std::mem::take(&mut parsed.warnings);
            written.warnings.extend(parsed.pickup_warnings(begins, context.meter));
            written.merged = Some(MergeCounts::between(existing, &parsed.notes));
            Ok(Some(parsed))
        };
        if self.before.is_none() && self.after.is_none() {
            let Some(parsed) = read(&existing)? else { return Ok((existing, written)) };
            written.dropped = parsed.duplicates;
            return Ok((parsed.notes, written));
        }
        let mut run = TransformRun::new(existing).with_untouched(beside);
        if let Some(before) = &self.before {
            before.run(&mut run, context, random)?;
        }
        if let Some(merged) = read(&run.notes())? {
            run.rewrite(merged.with_duplicates());
        }
        if let Some(after) = &self.after {
            after.run(&mut run, context, random)?;
        }
        let mut applied = run.finish();
        written.dropped = applied.duplicates;
        let notes = std::mem::take(&mut applied.notes);
        written.applied = Some(applied);
        Ok((notes, written))
    }
}

/// Those of the notes, sorted by start, that have the pitch and start of another.
fn in_slot<'a>(notes: &'a [Note], note: &Note) -> impl Iterator<Item = &'a Note> + use<'a> {
    let Note { start, pitch, .. } = *note;
    let near = notes.partition_point(|n| n.start < start - SAME_POSITION_BEATS);
    let near = notes.iter().skip(near).take_while(move |n| n.start < start + SAME_POSITION_BEATS);
    near.filter(move |n| n.pitch == pitch)
}

/// By start, then pitch, as a host gives them.
fn sort_for_comparison(notes: &mut [Note]) {
    notes.sort_by(|a, b| a.start.total_cmp(&b.start).then(a.pitch.cmp(&b.pitch)));
}

fn cleared(notes: usize) -> Option<String> {
    let what = match notes {
        0 => return None,
        1 => "its 1 note was".to_owned(),
        many => format!("its {many} notes were"),
    };
    Some(format!("notes is blank, so {what} cleared"))
}

/// The notes of a clip that is about to be made, after the transforms.
pub struct PlannedNotes {
    pub notes: Vec<Note>,
    /// Only when transforms ran.
    pub applied: Option<TransformedNotes>,
    /// Notes that were left out because a later one has their pitch and start.
    pub dropped: usize,
}

/// Works out the notes of a clip that is about to be made.
pub fn plan_notes(
    parsed: &Parsed,
    transforms: Option<&Transforms>,
    context: &ClipContext,
    random: &mut Random,
) -> Result<PlannedNotes, ToolError> {
    let Some(transforms) = transforms else {
        return Ok(PlannedNotes { notes: parsed.notes.clone(), applied: None, dropped: parsed.duplicates });
    };
    let mut run = TransformRun::new(parsed.clone().with_duplicates());
    transforms.run(&mut run, context, random)?;
    let mut applied = run.finish();
    let notes = std::mem::take(&mut applied.notes);
    Ok(PlannedNotes { notes, dropped: applied.duplicates, applied: Some(applied) })
}

/// Where a clip ends that holds these notes, begins at `start` and is given no length: with the bar that the last note
/// starts in, but at least a bar after the start.
pub fn default_end(notes: &[Note], start: Beats, meter: Meter) -> Result<Beats, ToolError> {
    let bar = meter.bar_length();
    let last = notes.iter().map(|n| n.start).fold(f64::NEG_INFINITY, f64::max);
    let end = ((last + 0.0001) / bar).ceil() * bar;
    // Not `clamp`: without notes the end is no number to bring into a range.
    let end = if end > start + 0.0001 { end } else { start + bar };
    if end - start > LONGEST_CLIP_BEATS {
        return Err(ToolError::about(
            "notes",
            format!(
                "the last one starts {last} quarter beats in, and a clip is at most {LONGEST_CLIP_BEATS} quarter beats \
             long; move it, or send length"
            ),
        ));
    }
    Ok(end)
}

/// How many of a clip's notes a read shows, and how many of its notes start where nothing plays any more, or so long
/// before the clip that none but it knows of them.
pub struct NoteCounts {
    pub shown: usize,
    too_early: usize,
    before_start: usize,
    past_end: usize,
    /// They start inside the clip and end behind it.
    running_out: usize,
    begins: Beats,
    end: Beats,
}

/// Looks at a MIDI clip's notes, muted ones aside.
pub fn count_notes(session: &dyn Session, clip: ObjectId) -> Result<NoteCounts, ToolError> {
    let window = note_window(session, clip)?;
    let end = model_read::number(session, clip, "loop_end")?;
    let Region { start, first_start, .. } = region::read(session, clip)?;
    let begins = start.min(first_start);
    let is_pickup = |n: &&Note| n.start >= window.0 && n.start < begins - SAME_POSITION_BEATS;
    let runs_out = |n: &&Note| n.start <= end - SAME_POSITION_BEATS && n.start + n.duration > end + SAME_POSITION_BEATS;
    let notes: Vec<Note> = session.notes(clip)?.into_iter().filter(|n| !n.mute).collect();
    Ok(NoteCounts {
        shown: notes.iter().filter(|n| n.start >= window.0 && n.start < window.1).count(),
        too_early: notes.iter().filter(|n| n.start < window.0).count(),
        before_start: notes.iter().filter(is_pickup).count(),
        running_out: notes.iter().filter(|n| !is_pickup(n) && n.start >= window.0 && runs_out(n)).count(),
        past_end: notes.iter().filter(|n| n.start > end - SAME_POSITION_BEATS).count(),
        begins,
        end,
    })
}

impl NoteCounts {
    /// A sentence each for notes that will not play, or not to their end. Pickups that a text writes are warned of by
    /// their positions; those that transforms may have `moved` there are counted here.
    pub fn unheard_details(&self, meter: Meter, moved: bool) -> Vec<String> {
        let start = |count| if count == 1 { "1 note starts".to_owned() } else { format!("{count} notes start") };
        let early = (self.too_early > 0).then(|| {
            let what = start(self.too_early);
            format!("{what} more than the clip's length before its start, where reads do not show notes and nothing plays them")
        });
        let late = (self.past_end > 0).then(|| {
            let (what, end) = (start(self.past_end), position::format(self.end, meter));
            format!("{what} at or past the clip's end ({end}) and will not play")
        });
        let pickups = (moved && self.before_start > 0).then(|| {
            let (what, begins) = (start(self.before_start), position::format(self.begins, meter));
            format!("{what} before the clip's start ({begins}) and will not play")
        });
        let cut = (self.running_out > 0).then(|| {
            let end = position::format(self.end, meter);
            match self.running_out {
                1 => format!("1 note runs past the clip's end ({end}) and is cut there"),
                many => format!("{many} notes run past the clip's end ({end}) and are cut there"),
            }
        });
        early.into_iter().chain(pickups).chain(late).chain(cut).collect()
    }
}
