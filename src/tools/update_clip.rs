//! `svc-update-clip`: names and notes of clips that exist.

use super::create_clip::{SEED_ABOUT, notes_about};
use super::shared::audio_clip;
use super::shared::entry::{add_detail, named_again};
use super::shared::hidden::{CLIP_IDS, PATHS};
use super::shared::lists::{self, Values};
use super::shared::notes::{self, NoteWork, NotesArgument};
use super::shared::objects;
use super::shared::targets::{self, Target, Wanted};
use super::shared::transforms::{self, Chance, Faults, Place};
use super::{About, CallContext, Kind, Param, Tool, ToolError, arguments, job};
use crate::music::Random;
use crate::notation::transforms::ClipKind;
use crate::object_model::{ObjectId, Session};
use serde::Deserialize;
use serde_json::{Map, Value, json};

pub static TOOL: Tool = Tool {
    name: "svc-update-clip",
    title: "Update Clip",
    read_only: false,
    destructive: true,
    description: |view| {
        format!(
            "Renames clips, merges notes ({} notation) into them (same pitch and start replaces, velocity 0 deletes, everything \
             else stays) and transforms them. In order: preTransforms, notes, transforms.",
            view.notation.name()
        )
    },
    params: &[
        Param::new("id", Kind::Text, "clip id(s), comma-separated"),
        Param::new("path", Kind::Text, "clip slot(s), comma-separated, such as t0/s0"),
        Param::new("name", Kind::Text, "name(s)"),
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
            "preTransforms",
            Kind::Text,
            "transform lines for the notes already there, before notes are merged: \"C3: delete\", \"2|*: timing += n/8\"",
        ),
        Param::new(
            "transforms",
            Kind::Text,
            "transform lines for all notes after the merge: \"velocity = ramp(40, 110)\"",
        )
        .hidden_in_small_model(),
        Param::new("seed", Kind::Integer, SEED_ABOUT).hidden_in_small_model(),
    ],
    hidden: &[CLIP_IDS, PATHS],
    withheld_in_small_model: false,
    reads_files: |_| false,
    prepare: |map, view| {
        let args: Args = arguments(map)?;
        let targets = targets::read(Wanted::Clip, args.id.as_ref(), args.path.as_ref())?;
        let chance = Chance::of(args.seed);
        let mut faults = Faults::default();
        let work = NoteWork {
            before: faults.transforms("preTransforms", args.pre_transforms.as_ref()),
            notes: args.notes.map(|sent| NotesArgument::new(sent, view.notation, chance.notes_seed())),
            after: faults.transforms("transforms", args.transforms.as_ref()),
        };
        faults.refuse(|| work.unreadable(view.song_meter))?;
        if args.name.is_none() && work.is_empty() {
            return Err(ToolError::new(
                "nothing to write: send name, notes, preTransforms or transforms beside the clips",
            ));
        }
        let names = lists::spread("name", args.name.as_ref(), targets.len())?;
        work.try_reading(view.song_meter)?;
        let plan = Plan { names, work, chance };
        Ok(job(move |session, call| plan.run(session, call, &targets)))
    },
};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Args {
    id: Option<String>,
    path: Option<String>,
    name: Option<String>,
    notes: Option<Value>,
    pre_transforms: Option<String>,
    transforms: Option<String>,
    seed: Option<i64>,
}

struct Plan {
    names: Option<Values>,
    work: NoteWork,
    chance: Chance,
}

impl Plan {
    fn run(&self, session: &mut dyn Session, call: &mut CallContext, targets: &[Target]) -> Result<Value, ToolError> {
        let clips: Vec<Option<ObjectId>> = targets.iter().map(|t| t.find(session, Wanted::Clip).ok()).collect();
        for clip in clips.iter().flatten() {
            self.work.check(kind(session, *clip))?;
        }
        // Clips are counted as they are written: what is not there, or is named again later, is none of them.
        let written = |at: &usize| clips.get(*at).is_some_and(Option::is_some) && named_again(&clips, *at).is_none();
        let batch: Vec<usize> = (0..clips.len()).filter(written).collect();
        let mut random = self.chance.transforms();
        let mut failed: Vec<ToolError> = Vec::new();
        let answer = targets::write_each(session, call, targets, Wanted::Clip, |session, call, at, clip| {
            let index = batch.iter().position(|place| *place == at).unwrap_or_default();
            let place = Place { index, count: batch.len() };
            self.write(session, call, at, clip, place, &mut random).inspect_err(|error| failed.push(error.clone()))
        })?;
        if let Some(warning) = self.chance.unused().filter(|_| self.work.is_empty()) {
            call.warnings.push(warning);
        }
        let failed_count = failed.len();
        // What is wrong for every clip of the call is wrong with the call.
        match failed.into_iter().next() {
            Some(error) if failed_count == batch.len() => Err(error),
            _ => Ok(answer),
        }
    }

    fn write(
        &self,
        session: &mut dyn Session,
        call: &mut CallContext,
        at: usize,
        clip: ObjectId,
        place: Place,
        random: &mut Random,
    ) -> Result<Map<String, Value>, ToolError> {
        let mut map = Map::new();
        map.insert("id".to_owned(), json!(clip.to_string()));
        map.insert("path".to_owned(), json!(objects::tool_path(session, clip)));
        if !self.work.is_empty() {
            match kind(session, clip) {
                ClipKind::Midi => self.write_notes(session, call, clip, place, random, &mut map)?,
                ClipKind::Audio => self.write_audio(session, clip, place, random, &mut map)?,
            }
        }
        if let Some(names) = &self.names {
            session.set(clip, "name", names.at(at).into())?;
        }
        Ok(map)
    }

    fn write_notes(
        &self,
        session: &mut dyn Session,
        call: &mut CallContext,
        clip: ObjectId,
        place: Place,
        random: &mut Random,
        map: &mut Map<String, Value>,
    ) -> Result<(), ToolError> {
        let meter = objects::meter(session, clip)?;
        let context = transforms::clip(session, clip, meter, place)?;
        let written = self.work.write(session, clip, &context, random)?;
        let heard = notes::heard(session, clip)?;
        map.insert("noteCount".to_owned(), json!(heard.shown));
        if let Some(applied) = &written.applied {
            if applied.all_ignored && self.work.notes.is_none() && self.names.is_none() {
                return Err(ToolError::new(applied.warnings.join("; ")));
            }
            transforms::tell(applied, map);
        }
        transforms::tell_dropped(written.dropped, map);
        if let Some(detail) = heard.past_end(meter) {
            add_detail(map, detail);
        }
        self.chance.tell(map);
        for warning in written.warnings {
            if !call.warnings.contains(&warning) {
                call.warnings.push(warning);
            }
        }
        Ok(())
    }
}

impl Plan {
    /// The gain and pitch of an audio clip; it has no notes.
    fn write_audio(
        &self,
        session: &mut dyn Session,
        clip: ObjectId,
        place: Place,
        random: &mut Random,
        map: &mut Map<String, Value>,
    ) -> Result<(), ToolError> {
        let ignored: Vec<&str> =
            self.work.arguments().into_iter().filter(|argument| *argument != "transforms").collect();
        let mut said = Vec::new();
        if !ignored.is_empty() {
            said.push(format!("{} ignored: {} is an audio clip", ignored.join(", "), objects::named(session, clip)));
        }
        let mut did_something = self.names.is_some();
        if let Some(transforms) = &self.work.after {
            let meter = objects::meter(session, clip)?;
            transforms.check_in(meter, ClipKind::Audio)?;
            let context = transforms::clip(session, clip, meter, place)?;
            let before = audio_clip::read(session, clip)?;
            let applied = transforms.run_on_audio(before, &context, random);
            said.extend(applied.warnings);
            if !applied.all_ignored {
                did_something = true;
                audio_clip::write(session, clip, before, applied.parameters)?;
                let after = audio_clip::read(session, clip)?;
                map.insert("gainDb".to_owned(), objects::rounded(after.gain_db));
                map.insert("pitchShift".to_owned(), objects::rounded(after.pitch_shift_semitones));
                self.chance.tell(map);
            }
        }
        if !did_something {
            return Err(ToolError::new(said.join("; ")));
        }
        for detail in said {
            add_detail(map, detail);
        }
        Ok(())
    }
}

fn kind(session: &dyn Session, clip: ObjectId) -> ClipKind {
    if objects::flag(session, clip, "is_midi_clip") { ClipKind::Midi } else { ClipKind::Audio }
}
