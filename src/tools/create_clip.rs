//! `svc-create-clip`: MIDI clips in Session slots.

use super::shared::entry::{self, Entry, add_detail};
use super::shared::hidden::PATHS;
use super::shared::lists::{self, Values};
use super::shared::notes::{self, NotesArgument};
use super::shared::objects;
use super::shared::path::{self, Path, TrackPath};
use super::shared::transforms::{self, Chance, Faults, Place, Transforms};
use super::{About, CallContext, Kind, Param, Tool, ToolError, View, arguments, job};
use crate::music::{Beats, Meter, Note, Random, duration};
use crate::notation::transforms::{Applied, ClipContext, ClipKind, Run};
use crate::notation::{Notation, Parsed};
use crate::object_model::{ObjectId, Session, Value as Model};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::sync::Arc;

pub static TOOL: Tool = Tool {
    name: "svc-create-clip",
    title: "Create Clip",
    read_only: false,
    destructive: true,
    description: |view| {
        format!(
            "Makes MIDI clips in session slots, with notes in {} notation. An occupied slot is replaced; a slot past the last \
             scene makes the scenes.",
            view.notation.name()
        )
    },
    params: &[
        Param::new(
            "path",
            Kind::Text,
            "clip slot(s), comma-separated: t0/s0 is the first track's slot in the first scene",
        )
        .required(),
        Param::new("name", Kind::Text, "clip name(s)"),
        Param::new("timeSignature", Kind::Text, "N/D, such as 4/4; the Set's when omitted"),
        Param::new(
            "length",
            Kind::Text,
            "duration: 4bar, n/4, 1bar+n/4; when omitted, whole bars up to the start of the last note",
        ),
        Param::new("looping", Kind::Boolean, "whether the clip loops; true when omitted"),
        Param {
            name: "notes",
            kind: Kind::Notes,
            required: false,
            about: About::Per(notes_about),
            hidden_in_small_model: false,
            small_model_drops: &[],
            unpublished: &[],
        },
        Param::new(
            "transforms",
            Kind::Text,
            "transform lines for the notes: \"velocity += 10 * rand()\", \"C1: ratchet(2)\"; a clip's place in the call is clip.index",
        )
        .hidden_in_small_model(),
        Param::new("seed", Kind::Integer, SEED_ABOUT).hidden_in_small_model(),
    ],
    hidden: &[PATHS],
    withheld_in_small_model: false,
    reads_files: |_| false,
    prepare: |map, view| {
        let mut plan = Plan::read(arguments(map)?, view)?;
        Ok(job(move |session, call| plan.run(session, call)))
    },
};

pub const SEED_ABOUT: &str = "whole number (to 2^53-1 either way): what is drawn at random comes out the same again";

/// What to write into `notes`, by notation.
pub fn notes_about(view: &View) -> Cow<'static, str> {
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

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Args {
    path: String,
    name: Option<String>,
    time_signature: Option<String>,
    length: Option<String>,
    looping: Option<bool>,
    notes: Option<Value>,
    transforms: Option<String>,
    seed: Option<i64>,
}

/// A slot as the caller named it.
struct Destination {
    spelling: String,
    track: usize,
    scene: usize,
}

struct Plan {
    destinations: Vec<Destination>,
    names: Option<Values>,
    meters: Option<Vec<Meter>>,
    lengths: Option<Values>,
    looping: Option<bool>,
    notes: Option<NotesArgument>,
    transforms: Option<Transforms>,
    chance: Chance,
    /// Notes already read, or why they can't be, by the meter they were read for.
    read: Vec<(Meter, Result<Arc<Parsed>, ToolError>)>,
}

/// What is known of a clip before it is made.
struct Ready {
    meter: Meter,
    parsed: Arc<Parsed>,
    length: Option<Beats>,
}

/// Scenes of a Set at most, as far as tools make them.
const MAX_SCENES: usize = 1000;

impl Plan {
    fn read(args: Args, view: &View) -> Result<Plan, ToolError> {
        let spellings = lists::targets("path", &args.path)?;
        let mut destinations = Vec::new();
        for spelling in spellings {
            let Path::Slot { track, scene } =
                path::parse(&spelling).map_err(|e| ToolError::new(format!("path: {e}")))?
            else {
                return Err(ToolError::new(format!(
                    "path: {spelling} is no clip slot; clips go to a slot such as t0/s0"
                )));
            };
            if scene >= MAX_SCENES {
                return Err(ToolError::new(format!(
                    "path: {spelling} is past the last possible scene, s{}",
                    MAX_SCENES - 1
                )));
            }
            destinations.push(Destination { spelling, track, scene });
        }
        let count = destinations.len();
        let meters =
            lists::spread("timeSignature", args.time_signature.as_ref().filter(|t| !t.trim().is_empty()), count)?;
        let meters = meters.map(|values| (0..count).map(|at| values.at(at).parse()).collect::<Result<Vec<Meter>, _>>());
        let meters = meters.transpose().map_err(|e| ToolError::new(format!("timeSignature: {e}")))?;
        let lengths = lists::spread("length", args.length.as_ref().filter(|t| !t.trim().is_empty()), count)?;
        let chance = Chance::of(args.seed);
        let notes = args.notes.map(|sent| NotesArgument::new(sent, view.notation, chance.notes_seed()));
        let mut faults = Faults::default();
        let transforms = faults.transforms("transforms", args.transforms.as_ref());
        faults.check(&transforms, ClipKind::Midi);
        let mut plan = Plan {
            names: lists::spread("name", args.name.as_ref(), count)?,
            destinations,
            meters,
            lengths,
            looping: args.looping,
            notes,
            transforms,
            chance,
            read: Vec::new(),
        };
        // Read while no one waits; the Set's meter may have changed by the time the Set is at hand, then it is read again.
        let guesses = plan.meters.clone().unwrap_or_else(|| vec![view.song_meter]);
        for (at, meter) in guesses.iter().enumerate() {
            plan.length_for(at, *meter)?;
        }
        faults.refuse(|| plan.notes.as_ref()?.unreadable(&guesses))?;
        let ready = guesses.iter().map(|meter| plan.notes_for(*meter)).collect();
        Plan::refuse_if_all(ready)?;
        Ok(plan)
    }

    /// What fits none of the clips is wrong with the call.
    fn refuse_if_all<T>(results: Vec<Result<T, ToolError>>) -> Result<Vec<Result<T, ToolError>>, ToolError> {
        match results.iter().position(Result::is_ok) {
            Some(_) => Ok(results),
            None => results.into_iter().map(|one| one.map(Ok)).collect(),
        }
    }

    fn notes_for(&mut self, meter: Meter) -> Result<Arc<Parsed>, ToolError> {
        if let Some((_, read)) = self.read.iter().find(|(m, _)| *m == meter) {
            return read.clone();
        }
        let parsed = match &self.notes {
            Some(notes) => notes.read(meter, &[]).map(Arc::new),
            None => Ok(Arc::default()),
        };
        self.read.push((meter, parsed.clone()));
        parsed
    }

    fn meter_for(&self, at: usize, song_meter: Meter) -> Meter {
        self.meters.as_ref().and_then(|m| m.get(at).or(m.first())).copied().unwrap_or(song_meter)
    }

    fn ready(&mut self, meter: Meter, length: Option<Beats>) -> Result<Ready, ToolError> {
        let parsed = self.notes_for(meter)?;
        if let Some(transforms) = &self.transforms {
            transforms.check_in(meter, ClipKind::Midi)?;
        }
        Ok(Ready { meter, parsed, length })
    }

    fn length_for(&self, at: usize, meter: Meter) -> Result<Option<Beats>, ToolError> {
        let Some(lengths) = &self.lengths else { return Ok(None) };
        let text = lengths.at(at);
        let beats = duration::parse(text, meter).map_err(|e| ToolError::new(format!("length: {e}")))?;
        if beats <= 0.0 || beats > crate::set::model::MAX_CLIP_LENGTH_BEATS {
            return Err(ToolError::new(format!(
                "length: \"{text}\" is {beats} quarter beats; a clip is longer than 0 and at most 1000000"
            )));
        }
        Ok(Some(beats))
    }

    fn run(&mut self, session: &mut dyn Session, call: &mut CallContext) -> Result<Value, ToolError> {
        let song_meter = objects::meter(session, objects::song(session)?)?;
        // Everything that may refuse comes before the first write.
        let mut ready = Vec::new();
        for at in 0..self.destinations.len() {
            let meter = self.meter_for(at, song_meter);
            let length = self.length_for(at, meter)?;
            ready.push(self.ready(meter, length));
        }
        let ready = Plan::refuse_if_all(ready)?;
        if let Some(ready) = ready.iter().flatten().next() {
            call.warnings.extend(ready.parsed.warnings.iter().cloned());
        }
        if let Some(warning) = self.chance.unused().filter(|_| self.notes.is_none() && self.transforms.is_none()) {
            call.warnings.push(warning);
        }
        let scale = objects::scale(session)?;
        let mut random = self.chance.transforms();
        let places: Vec<Option<(usize, usize)>> = self.destinations.iter().map(|d| Some((d.track, d.scene))).collect();
        let count = (0..places.len()).filter(|at| entry::named_again(&places, *at).is_none()).count();
        let mut index = 0;
        let mut entries = Vec::new();
        for (at, ready) in ready.into_iter().enumerate() {
            let Some(destination) = self.destinations.get(at) else { continue };
            if let Some(by) = entry::named_again(&places, at) {
                entries.push(Entry::superseded("path", &destination.spelling, by));
                continue;
            }
            let place = Place { index, count };
            index += 1;
            if call.is_late() {
                entries.push(Entry::skip("path", &destination.spelling, entry::NOT_REACHED));
                continue;
            }
            let written = ready.and_then(|ready| {
                let length =
                    ready.length.map_or_else(|| notes::default_length(&ready.parsed.notes, ready.meter), Ok)?;
                let context = transforms::new_clip(ready.meter, length, scale, place);
                self.write(session, at, destination, &ready.parsed, &context, &mut random)
            });
            entries.push(match written {
                Ok(entry) => Entry::Written(entry),
                Err(detail) => Entry::skip("path", &destination.spelling, detail.0),
            });
        }
        entry::answer(entries)
    }

    /// The notes of a clip after the transforms.
    fn transformed(
        &self,
        parsed: &Parsed,
        context: &ClipContext,
        random: &mut Random,
    ) -> Result<Option<Applied>, ToolError> {
        let Some(transforms) = &self.transforms else { return Ok(None) };
        let mut run = Run::new(parsed.notes.clone());
        transforms.run(&mut run, context, random)?;
        Ok(Some(run.finish()))
    }

    fn write(
        &self,
        session: &mut dyn Session,
        at: usize,
        destination: &Destination,
        parsed: &Parsed,
        context: &ClipContext,
        random: &mut Random,
    ) -> Result<Map<String, Value>, ToolError> {
        let track = objects::track(session, TrackPath::Regular(destination.track))?;
        let path = &destination.spelling;
        if objects::flag(session, track, "is_foldable") {
            return Err(ToolError::new(format!("{path}: t{} is a group track and holds no clips", destination.track)));
        }
        if !objects::flag(session, track, "has_midi_input") {
            return Err(ToolError::new(format!(
                "{path}: {} is an audio track; notes need a MIDI track",
                objects::named(session, track)
            )));
        }
        let applied = self.transformed(parsed, context, random)?;
        let created = make_scenes(session, destination.scene)?;
        let slot = objects::slot(session, destination.track, destination.scene)?;
        let replaced = objects::child(session, slot, "clip")?;
        let was_playing = replaced.is_some_and(|old| objects::flag(session, old, "is_playing"));
        if replaced.is_some() {
            session.call(slot, "delete_clip", &[])?;
        }
        let (meter, beats) = (context.meter, context.duration);
        let made = session.call(slot, "create_clip", &[Model::Float(beats)])?;
        let clip = made.as_object().ok_or_else(|| ToolError::new(format!("{path}: no clip was made")))?;
        self.fill(session, clip, at, meter, applied.as_ref().map_or(&parsed.notes, |applied| &applied.notes))?;
        let mut entry = Map::new();
        entry.insert("id".to_owned(), json!(clip.to_string()));
        entry.insert("path".to_owned(), json!(objects::tool_path(session, clip)));
        if self.notes.is_some() || self.transforms.is_some() {
            let heard = notes::heard(session, clip)?;
            entry.insert("noteCount".to_owned(), json!(heard.shown));
            if let Some(applied) = &applied {
                transforms::tell(applied, &mut entry);
            }
            let duplicates = applied.as_ref().map_or(0, |applied| applied.duplicates);
            transforms::tell_dropped(parsed.dropped + duplicates, &mut entry);
            if let Some(detail) = heard.past_end(meter) {
                add_detail(&mut entry, detail);
            }
            self.chance.tell(&mut entry);
        }
        if self.lengths.is_none() {
            entry.insert("length".to_owned(), json!(duration::format(beats, meter)));
        }
        if let Some(created) = created {
            entry.insert("created".to_owned(), json!(created));
        }
        if replaced.is_some() {
            add_detail(&mut entry, format!("replaced the clip that was at {path}"));
        }
        if was_playing {
            add_detail(
                &mut entry,
                "that clip was playing and has stopped; launch the new one, or edit with svc-update-clip",
            );
        }
        Ok(entry)
    }

    fn fill(
        &self,
        session: &mut dyn Session,
        clip: ObjectId,
        at: usize,
        meter: Meter,
        notes: &[Note],
    ) -> Result<(), ToolError> {
        session.set(clip, "signature_numerator", Model::Int(meter.numerator().into()))?;
        session.set(clip, "signature_denominator", Model::Int(meter.denominator().into()))?;
        if let Some(names) = &self.names {
            session.set(clip, "name", names.at(at).into())?;
        }
        if let Some(looping) = self.looping {
            session.set(clip, "looping", looping.into())?;
        }
        if !notes.is_empty() {
            session.replace_notes(clip, notes.to_vec())?;
        }
        Ok(())
    }
}

/// Makes the scenes up to `scene` that are missing; names them as `s8-s9`.
fn make_scenes(session: &mut dyn Session, scene: usize) -> Result<Option<String>, ToolError> {
    let song = objects::song(session)?;
    let before = objects::count(session, song, "scenes");
    if scene < before {
        return Ok(None);
    }
    for _ in before..=scene {
        session.call(song, "create_scene", &[Model::Int(-1)])?;
    }
    Ok(Some(if before == scene { format!("s{scene}") } else { format!("s{before}-s{scene}") }))
}
