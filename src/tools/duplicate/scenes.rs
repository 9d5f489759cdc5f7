//! Copies of scenes in the Session, right below their source.

use super::Args;
use super::clip_transforms::ClipTransforms;
use super::frame::{Batch, Candidate, CopyKind, CopyResult, CopyTask, SourceCopies, clip_list_bare};
use super::song_lists::copy_in_list;
use crate::object_model::scope::{Part, Shape};
use crate::object_model::{ModelError, ObjectId, Session};
use crate::tools::address::model_read::{self, count};
use crate::tools::arguments::action_params::sent;
use crate::tools::call::CallContext;
use crate::tools::error::ToolError;
use crate::tools::report::moved_paths::ListBefore;
use crate::tools::report::write_log::WriteLog;
use crate::tools::scene::name;
use crate::tools::timeline::place::MAX_SCENES;
use std::sync::Arc;

pub struct SceneCopies {
    /// Copies of each source.
    count: usize,
    without_clips: bool,
    transforms: ClipTransforms,
    /// The Song, once it was looked up.
    song: Option<ObjectId>,
    /// The Set's scenes before the call.
    scenes: Option<ListBefore>,
    /// Those of the source that is being copied.
    copies: SourceCopies<ObjectId>,
    /// Copies whose clips are still to be listed, with their positions in the call.
    unlisted: Vec<(usize, ObjectId)>,
}

impl SceneCopies {
    pub fn read(args: &Args, count: usize, warnings: &mut Vec<String>) -> Result<SceneCopies, ToolError> {
        if sent(args.arrangement_length.as_ref()) {
            warnings.push("arrangementLength ignored: copies in the session have no length on the timeline".to_owned());
        }
        let without_clips = args.without_clips == Some(true);
        if without_clips && sent(args.transforms.as_ref()) {
            warnings.push("transforms ignored: withoutClips leaves no clips to transform".to_owned());
        }
        Ok(SceneCopies {
            count,
            without_clips,
            transforms: ClipTransforms::read(args, warnings)?,
            song: None,
            scenes: None,
            copies: SourceCopies::default(),
            unlisted: Vec::new(),
        })
    }
}

impl CopyKind for SceneCopies {
    fn look_up(
        &mut self,
        session: &dyn Session,
        call: &mut CallContext,
        batch: &Batch,
        found: &[Result<ObjectId, String>],
    ) -> Result<Vec<Candidate>, ToolError> {
        self.transforms.tell_drawn(call.dry_run);
        let song = model_read::song(session)?;
        self.song = Some(song);
        let there = count(session, song, "scenes")?;
        self.scenes = Some(ListBefore::read(session, song, "scenes")?);
        let wanted = found.iter().flatten().count().saturating_mul(self.count);
        if there.saturating_add(wanted) > MAX_SCENES {
            return Err(ToolError::new(format!("{there} scenes and {wanted} copies are more than {MAX_SCENES}")));
        }
        if !self.without_clips && !self.transforms.is_empty() {
            self.transforms.look_up(session, clips_of_copies(session, batch, found)?)?;
        }
        Ok(batch.candidates(found, |_| None))
    }

    fn checks_time(&self) -> bool {
        true
    }

    fn copy(&mut self, session: &mut dyn Session, task: &CopyTask, log: &mut WriteLog) -> Result<(), ToolError> {
        if self.copies.begins(task) {
            let song = self.song.map_or_else(|| model_read::song(session), Ok)?;
            // The one that is made last stands first.
            let mut targets = (task.at..task.at.saturating_add(self.count)).rev();
            self.copies.make(task.call, self.count, || {
                session.begin_target(targets.next().unwrap_or(task.at));
                copy_scene(session, song, task.source)
            });
            session.begin_target(task.at);
        }
        let scene = self.copies.next()?;
        *log = WriteLog::on(session, scene)?;
        log.record("scene copy", Ok::<_, ToolError>(()))?;
        if self.without_clips {
            for (slot, _) in filled_slots(session, scene)? {
                session.call(slot, "delete_clip", &[])?;
            }
        }
        let labels = &task.batch.labels;
        if let Some(names) = &labels.names {
            let name = name::written_name(session, scene, names.at(task.at))?;
            log.record("name", session.set(scene, "name", name.as_str().into()))?;
            log.entry.insert("name".to_owned(), name::shown_name(session, scene)?.into());
        }
        labels.write_color(session, scene, task.at, log)?;
        if self.transforms.is_empty() {
            self.unlisted.push((task.at, scene));
            return Ok(());
        }
        let clips: Vec<ObjectId> = filled_slots(session, scene)?.into_iter().map(|(_, clip)| clip).collect();
        let held_none = clips.is_empty();
        let clips = self.transforms.write_all_inner(session, clips, log)?;
        if (held_none || !clips.is_empty()) && !self.without_clips {
            self.transforms.tell_if_unreached(&clips, &mut log.entry);
        }
        if !clips.is_empty() || !self.without_clips {
            log.entry.insert("clips".to_owned(), self.transforms.list(session, &clips)?);
        }
        Ok(())
    }

    fn report(&self, session: &dyn Session, results: &mut [CopyResult]) -> Result<(), ToolError> {
        let all: Vec<ObjectId> = self.unlisted.iter().map(|(_, scene)| *scene).collect();
        let found = filled_slots_of_all(session, &all)?;
        for ((at, _), filled) in self.unlisted.iter().zip(found) {
            let entry = results.get_mut(*at).and_then(|result| result.entry.written_mut());
            if let Some(entry) = entry.filter(|_| !filled.is_empty() || !self.without_clips) {
                let clips: Vec<ObjectId> = filled.into_iter().map(|(_, clip)| clip).collect();
                entry.insert("clips".to_owned(), clip_list_bare(&clips));
            }
        }
        if let Some(scenes) = &self.scenes {
            scenes.report(session, &[], results.iter_mut().map(|one| &mut one.entry))?;
        }
        Ok(())
    }
}

fn copy_scene(session: &mut dyn Session, song: ObjectId, scene: ObjectId) -> Result<ObjectId, ToolError> {
    let new = copy_in_list(session, song, "scenes", "duplicate_scene", scene)?;
    new.first().copied().ok_or_else(|| ToolError::new("no copy was made"))
}

/// The clips of the scenes of a call, once for each copy.
pub fn clips_of_copies(
    session: &dyn Session,
    batch: &Batch,
    found: &[Result<ObjectId, String>],
) -> Result<Vec<ObjectId>, ModelError> {
    let mut clips = Vec::new();
    for scene in batch.copies.iter().filter_map(|copy| found.get(copy.source)?.as_ref().ok()) {
        clips.extend(filled_slots(session, *scene)?.into_iter().map(|(_, clip)| clip));
    }
    Ok(clips)
}

/// The slots of a scene that hold a clip, with it, from the first track on.
pub fn filled_slots(session: &dyn Session, scene: ObjectId) -> Result<Vec<(ObjectId, ObjectId)>, ModelError> {
    Ok(filled_slots_of_all(session, &[scene])?.into_iter().flatten().collect())
}

/// The same of each of several scenes.
fn filled_slots_of_all(
    session: &dyn Session,
    scenes: &[ObjectId],
) -> Result<Vec<Vec<(ObjectId, ObjectId)>>, ModelError> {
    if scenes.is_empty() {
        return Ok(Vec::new());
    }
    let parts = || {
        let clip = Shape::default().below("clip", Shape::default());
        let slots = Arc::new(Shape::default().below("clip_slots", clip));
        Ok(scenes.iter().map(|scene| Part::of_id(*scene, slots.clone())).collect())
    };
    model_read::through_snapshot(session, &parts, |session| {
        let all = scenes.iter().map(|scene| {
            let mut filled = Vec::new();
            for slot in model_read::children(session, *scene, "clip_slots")? {
                filled.extend(session.child_at(slot, "clip", 0)?.map(|clip| (slot, clip)));
            }
            Ok(filled)
        });
        all.collect()
    })
}
