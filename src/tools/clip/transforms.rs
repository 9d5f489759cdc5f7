//! The `preTransforms`, `transforms` and `seed` arguments: read and checked before anything changes, run with what the
//! Set says of each clip, and reported in the clip's entry.

use crate::music::{Beats, Meter, Random};
use crate::notation::transforms::{
    AudioParameters, ClipContext, ClipKind, LineCounts, Program, TransformRun, TransformedAudio, TransformedNotes,
};
use crate::notation::{MAX_MISTAKES, NotationError};
use crate::object_model::{ModelError, ObjectId, Session};
use crate::tools::address::model_read::{self, flag, number};
use crate::tools::clip::time::own_units_per_beat;
use crate::tools::error::ToolError;
use crate::tools::report::target_result::add_detail;
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What the `seed` parameter does, for the tools that have it.
pub const SEED_ABOUT: &str = "same seed, same draws";

/// How many seeds there are to take one from.
const FRESH_SEEDS: u64 = 1_000_000_000;

/// Where the draws of a call come from.
#[derive(Clone, Debug)]
pub struct RandomSeed {
    seed: u64,
    /// As the caller sent it.
    asked: Option<i64>,
    /// Whether anything was drawn.
    notes_drawn: Arc<AtomicBool>,
    transforms_drawn: Arc<AtomicBool>,
    /// What notes have drawn by is told too.
    tells_drawn: bool,
}

impl RandomSeed {
    /// From the caller's `seed`, so that the call can be repeated; without one a fresh one, short enough to be sent.
    pub fn new(asked: Option<i64>) -> RandomSeed {
        let seed = asked.map_or_else(|| Random::fresh_seed() % FRESH_SEEDS, |seed| seed as u64);
        RandomSeed { seed, asked, notes_drawn: Arc::default(), transforms_drawn: Arc::default(), tells_drawn: false }
    }

    /// In a dry run the seed of notes is told without being asked for, so that the call itself can be made the same.
    pub fn tell_drawn(&mut self, dry_run: bool) {
        self.tells_drawn = dry_run;
    }

    /// For one of several texts of notes, so that they do not all draw the same.
    pub fn of_item(&self, at: usize) -> RandomSeed {
        RandomSeed { seed: self.seed.wrapping_add(at as u64), ..self.clone() }
    }

    /// What the text of the notes draws from, each time the same.
    pub fn notes(&self) -> Random {
        Random::from_seed(self.seed).noting(self.notes_drawn.clone())
    }

    /// What the transforms of all the clips of the call draw from, one clip after the other.
    pub fn transforms(&self) -> Random {
        Random::second_stream(self.seed).noting(self.transforms_drawn.clone())
    }

    /// Says the seed where the caller asked with one, where transforms have drawn, and where all that was drawn is
    /// told.
    pub fn report(&self, entry: &mut Map<String, Value>) {
        let is_drawn = |drawn: &AtomicBool| drawn.load(Ordering::Relaxed);
        let drawn = is_drawn(&self.transforms_drawn) || (self.tells_drawn && is_drawn(&self.notes_drawn));
        if let Some(seed) = self.asked.or(drawn.then_some(self.seed as i64)) {
            entry.insert("seed".to_owned(), json!(seed));
        }
    }

    /// Whether transforms have drawn.
    pub fn has_drawn(&self) -> bool {
        self.transforms_drawn.load(Ordering::Relaxed)
    }

    /// The warning when nothing could draw.
    pub fn unused_warning(&self) -> Option<String> {
        self.asked.map(|_| "seed ignored: it is for notes and transforms, and none were sent".to_owned())
    }
}

/// A clip's position in the list of a call. Clips that are missing or not written are counted too.
#[derive(Clone, Copy, Debug)]
pub struct ClipOrdinal {
    /// From 0.
    pub index: usize,
    pub count: usize,
}

/// A text of transforms and the argument that it came in.
#[derive(Clone, Debug)]
pub struct Transforms {
    pub argument: &'static str,
    program: Program,
}

impl Transforms {
    /// Reads the text. A blank one was not sent.
    pub fn read(argument: &'static str, text: Option<&String>) -> Result<Option<Transforms>, ToolError> {
        let mut faults = TextErrors::default();
        let transforms = faults.transforms(argument, text);
        faults.refuse()?;
        Ok(transforms)
    }

    /// What is wrong in every meter with the lines for this kind of clip.
    fn faults(&self, kind: ClipKind) -> Option<NotationError> {
        self.program.check(kind).err()
    }

    /// Refuses the whole call for arguments that are wrong in every meter, on lines for this kind of clip.
    pub fn check(&self, kind: ClipKind) -> Result<(), ToolError> {
        self.faults(kind).map_or(Ok(()), |e| Err(refused(self.argument, &e)))
    }

    /// Refuses one clip for arguments that are wrong in its meter.
    pub fn check_in(&self, meter: Meter, kind: ClipKind) -> Result<(), ToolError> {
        self.program.check_in_meter(meter, kind).map_err(|e| refused(self.argument, &e))
    }

    /// Runs on an audio clip's gain and pitch.
    pub fn run_on_audio(
        &self,
        before: AudioParameters,
        context: &ClipContext,
        random: &mut Random,
    ) -> TransformedAudio {
        self.program.apply_audio(before, context, random)
    }

    pub fn run(&self, run: &mut TransformRun, context: &ClipContext, random: &mut Random) -> Result<(), ToolError> {
        run.apply(&self.program, context, random).map_err(|e| refused(self.argument, &e))
    }
}

/// What is wrong with the texts of one call, reported together: up to ten mistakes over all of them.
#[derive(Debug, Default)]
pub struct TextErrors {
    found: Vec<(Cow<'static, str>, NotationError)>,
}

impl TextErrors {
    /// Reads a text of transforms. A blank one was not sent.
    pub fn transforms(&mut self, argument: &'static str, text: Option<&String>) -> Option<Transforms> {
        let text = text.filter(|text| !text.trim().is_empty())?;
        match Program::parse(text) {
            Ok(program) => Some(Transforms { argument, program: program.with_name(argument) }),
            Err(error) => {
                self.found.push((argument.into(), error));
                None
            }
        }
    }

    /// Looks for arguments that are wrong in every meter, on lines for this kind of clip.
    pub fn check<'a>(&mut self, all: impl IntoIterator<Item = &'a Transforms>, kind: ClipKind) {
        let found =
            all.into_iter().filter_map(|transforms| Some((transforms.argument.into(), transforms.faults(kind)?)));
        self.found.extend(found);
    }

    /// How many texts have some.
    pub fn count(&self) -> usize {
        self.found.len()
    }

    /// Looks for arguments that are wrong in this meter.
    pub fn check_in<'a>(&mut self, all: impl IntoIterator<Item = &'a Transforms>, meter: Meter, kind: ClipKind) {
        let fault = |transforms: &'a Transforms| transforms.program.check_in_meter(meter, kind).err();
        let found = all.into_iter().filter_map(|transforms| Some((transforms.argument.into(), fault(transforms)?)));
        self.found.extend(found);
    }

    /// Takes what is wrong with the notes along.
    pub fn notes(&mut self, argument: Cow<'static, str>, errors: Option<NotationError>) {
        self.found.extend(errors.map(|error| (argument, error)));
    }

    /// Refuses for what was found.
    pub fn refuse(self) -> Result<(), ToolError> {
        if self.found.is_empty() {
            return Ok(());
        }
        let mut left = MAX_MISTAKES;
        let mut said: Vec<String> = Vec::new();
        for (argument, error) in self.found {
            if left == 0 {
                said.push(format!("{argument} has mistakes too; they are told once these are mended"));
                continue;
            }
            let error = error.limited_to(left);
            left = left.saturating_sub(error.mistake_count());
            said.push(refused(&argument, &error).text);
        }
        Err(ToolError::new(said.join("\n")))
    }
}

fn refused(argument: &str, error: &NotationError) -> ToolError {
    ToolError::about(argument, error)
}

/// What transforms may ask of a session clip that is about to be made.
pub fn context_of_new(
    session: &dyn Session,
    meter: Meter,
    length: Beats,
    place: ClipOrdinal,
) -> Result<ClipContext, ToolError> {
    let song = model_read::song(session)?;
    Ok(ClipContext {
        meter,
        song_meter: model_read::meter(session, song)?,
        tempo_bpm: number(session, song, "tempo")?,
        scale: model_read::scale(session)?,
        index: place.index,
        count: place.count,
        duration: length,
        arrangement_position: None,
        start_marker: 0.0,
        start: 0.0,
        end: Some(length),
    })
}

/// What kind of clip it is.
pub fn clip_kind(session: &dyn Session, clip: ObjectId) -> Result<ClipKind, ModelError> {
    Ok(if flag(session, clip, "is_midi_clip")? { ClipKind::Midi } else { ClipKind::Audio })
}

/// What transforms may ask of a clip that is there, and that long.
pub fn context_of(
    session: &dyn Session,
    clip: ObjectId,
    meter: Meter,
    length: Beats,
    place: ClipOrdinal,
) -> Result<ClipContext, ToolError> {
    let unit = own_units_per_beat(session, clip)?;
    let member = |name| number(session, clip, name).map(|time| time / unit);
    let arranged = flag(session, clip, "is_arrangement_clip")?;
    // While looping is off these are the markers.
    let (start, end) = (member("loop_start")?, member("loop_end")?);
    let song = model_read::song(session)?;
    Ok(ClipContext {
        meter,
        song_meter: model_read::meter(session, song)?,
        tempo_bpm: number(session, song, "tempo")?,
        scale: model_read::scale(session)?,
        index: place.index,
        count: place.count,
        duration: length,
        arrangement_position: if arranged { Some(number(session, clip, "start_time")?) } else { None },
        start_marker: member("start_marker")?,
        start,
        end: Some(end),
    })
}

/// Says in a clip's entry what came of the transforms.
pub fn report_applied(applied: &TransformedNotes, entry: &mut Map<String, Value>) {
    entry.insert("transformed".to_owned(), json!(applied.transformed));
    if applied.deleted > 0 {
        entry.insert("deletedNotes".to_owned(), json!(applied.deleted));
    }
    report_line_counts(&applied.line_counts, entry);
    for warning in &applied.warnings {
        add_detail(entry, warning);
    }
}

/// Says in a clip's entry how many notes each line matched, of texts with several.
pub fn report_line_counts(counts: &[LineCounts], entry: &mut Map<String, Value>) {
    let several: Map<String, Value> = counts
        .iter()
        .filter(|text| text.matched.len() > 1)
        .map(|text| (text.name.to_owned(), json!(text.matched)))
        .collect();
    if !several.is_empty() {
        entry.insert("notesByLine".to_owned(), Value::Object(several));
    }
}

/// Says in a clip's entry how many notes were left out because a later one has their pitch and start.
pub fn report_dropped(dropped: usize, entry: &mut Map<String, Value>) {
    let notes = match dropped {
        0 => return,
        1 => "1 note was left out: a later one has its pitch and start".to_owned(),
        many => format!("{many} notes were left out: later ones have their pitch and start"),
    };
    add_detail(entry, notes);
}
