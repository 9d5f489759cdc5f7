//! What `transforms` does to the clips of copies: a copied clip, or those of a copied scene or track.

use super::Args;
use super::frame::clip_list;
use crate::music::{Beats, Random};
use crate::notation::transforms::{ClipContext, ClipKind};
use crate::object_model::{ModelError, ObjectId, Session};
use crate::tools::address::model_read;
use crate::tools::address::path::{Path, TrackPath};
use crate::tools::address::path_format::path_and_id;
use crate::tools::address::path_parse;
use crate::tools::arguments::action_params::sent;
use crate::tools::arguments::lists;
use crate::tools::clip::audio_clip;
use crate::tools::clip::notes::{self, NoteWork};
use crate::tools::clip::transforms::{self, ClipOrdinal, RandomSeed, TextErrors, Transforms};
use crate::tools::error::ToolError;
use crate::tools::report::target_result::{add_detail, or_detail};
use crate::tools::report::write_log::WriteLog;
use crate::tools::timeline::place::{self, ClipPlace};
use serde_json::{Map, Value};
use std::collections::HashMap;

pub struct ClipTransforms {
    work: NoteWork,
    seed: RandomSeed,
    /// What the transforms draw from, one clip after the other.
    random: Random,
    /// `transformTracks`; empty for all.
    only: Vec<TrackPath>,
    /// The same in the Set.
    tracks: Vec<ObjectId>,
    /// Of a scene's or track's clips: how many are transformed in all, and how many were.
    total: usize,
    done: usize,
    /// What is said of those clips.
    said: HashMap<ObjectId, Map<String, Value>>,
}

impl ClipTransforms {
    pub fn read(args: &Args, warnings: &mut Vec<String>) -> Result<ClipTransforms, ToolError> {
        let after = Transforms::read("transforms", args.transforms.as_ref().filter(|text| sent(Some(text))))?;
        let work = NoteWork { before: None, notes: None, after };
        let seed = RandomSeed::new(args.seed);
        let list = args.transform_tracks.as_ref().filter(|list| sent(Some(list)));
        let mut only = Vec::new();
        for spelling in list.map(|list| lists::split_targets("transformTracks", list)).transpose()?.unwrap_or_default()
        {
            match path_parse::parse(&spelling) {
                Ok(Path::Track(track)) => only.push(track),
                _ => {
                    let why = format!("\"{spelling}\" is no track; write t0, or t1,t3");
                    return Err(ToolError::about("transformTracks", why));
                }
            }
        }
        for (name, sent) in [("seed", args.seed.is_some()), ("transformTracks", !only.is_empty())] {
            if sent && work.is_empty() {
                warnings.push(format!("{name} ignored: it is for transforms, and none were sent"));
            }
        }
        Ok(ClipTransforms {
            work,
            random: seed.transforms(),
            seed,
            only,
            tracks: Vec::new(),
            total: 0,
            done: 0,
            said: HashMap::new(),
        })
    }

    /// See [`RandomSeed::tell_drawn`].
    pub fn tell_drawn(&mut self, dry_run: bool) {
        self.seed.tell_drawn(dry_run);
    }

    /// No transforms were sent: nobody has to look for clips.
    pub fn is_empty(&self) -> bool {
        self.work.is_empty()
    }

    /// Refuses transforms that are wrong for every one of these clips, whatever their meters.
    pub fn check(&self, session: &dyn Session, clips: impl Iterator<Item = ObjectId>) -> Result<(), ToolError> {
        let mut faults = TextErrors::default();
        faults.check_for(session, clips, &[&self.work])?;
        faults.refuse()
    }

    /// Refuses transforms that are wrong in the meter that a copy of the clip has.
    pub fn check_readable(&self, session: &dyn Session, clip: ObjectId) -> Result<(), ToolError> {
        let meter = model_read::meter(session, clip)?;
        let kind = transforms::clip_kind(session, clip)?;
        let mut faults = TextErrors::default();
        faults.check_in(self.work.transforms_for(kind), meter, kind);
        faults.refuse()
    }

    /// Refuses transforms that a copy of the clip cannot take there: found out from its source, before the copy goes
    /// over anything. `random` is what they would draw from.
    pub fn check_copy(
        &self,
        session: &dyn Session,
        clip: ObjectId,
        (to, length): (&ClipPlace, Option<Beats>),
        ordinal: ClipOrdinal,
        random: &mut Random,
    ) -> Result<(), ToolError> {
        self.check_readable(session, clip)?;
        if self.work.is_empty() || transforms::clip_kind(session, clip)? == ClipKind::Audio {
            return Ok(());
        }
        let meter = model_read::meter(session, clip)?;
        let (covers, arrangement_position) = match to {
            ClipPlace::Slot { .. } => (place::region_length(session, clip)?, None),
            ClipPlace::Timeline { at, .. } => {
                let whole = place::clip_length(session, clip)?;
                (length.filter(|_| to.is_main_lane()).map_or(whole, |length| whole.min(length)), Some(*at))
            }
        };
        let context = transforms::context_of(session, clip, meter, covers, ordinal)?;
        let context = ClipContext { arrangement_position, ..context };
        self.work.work_out(session, clip, &context, random).map(drop)
    }

    /// A copy of the random state that the next copy draws from, for trials.
    pub fn trial_draws(&self) -> Random {
        self.random.clone()
    }

    /// As [`check_copy`](Self::check_copy), right before the copy is made: found out anew where the transforms draw, as
    /// only now it is known what.
    pub fn check_draws(
        &self,
        session: &dyn Session,
        clip: ObjectId,
        place: (&ClipPlace, Option<Beats>),
        ordinal: ClipOrdinal,
    ) -> Result<(), ToolError> {
        match self.seed.has_drawn() {
            true => self.check_copy(session, clip, place, ordinal, &mut self.trial_draws()),
            false => Ok(()),
        }
    }

    /// Looks at the clips of all the scenes or tracks whose copies are transformed, each as often as it is copied.
    /// Refuses transforms that none of them can take where it is.
    pub fn look_up(&mut self, session: &dyn Session, clips: Vec<ObjectId>) -> Result<(), ToolError> {
        self.tracks = self.only.iter().map(|track| model_read::track(session, *track)).collect::<Result<_, _>>()?;
        let clips = model_read::filter(clips, |clip| self.reaches(session, clip))?;
        self.check(session, clips.iter().copied())?;
        self.total = clips.len();
        let mut why = None;
        let mut random = self.trial_draws();
        for (index, clip) in clips.into_iter().enumerate() {
            let ordinal = ClipOrdinal { index, count: self.total };
            let place = place::of_clip(session, clip)?;
            match or_detail(self.check_copy(session, clip, (&place, None), ordinal, &mut random))? {
                Ok(()) => return Ok(()),
                Err(unreadable) => why = why.or(Some(unreadable)),
            }
        }
        why.map_or(Ok(()), |why| Err(ToolError::new(why)))
    }

    /// Whether a clip is on one of the tracks that are meant.
    fn reaches(&self, session: &dyn Session, clip: ObjectId) -> Result<bool, ModelError> {
        if self.tracks.is_empty() {
            return Ok(true);
        }
        let mut holder = Some(clip);
        while let Some(id) = holder {
            if self.tracks.contains(&id) {
                return Ok(true);
            }
            holder = model_read::child_if_any(session, id, "canonical_parent")?;
        }
        Ok(false)
    }

    /// Transforms one clip, and says in the log's entry what came of it.
    pub fn write(
        &mut self,
        session: &mut dyn Session,
        clip: ObjectId,
        ordinal: ClipOrdinal,
        log: &mut WriteLog,
    ) -> Result<(), ToolError> {
        let Some(after) = &self.work.after else { return Ok(()) };
        let meter = model_read::meter(session, clip)?;
        let length = place::content_length(session, clip)?;
        let context = transforms::context_of(session, clip, meter, length, ordinal)?;
        match transforms::clip_kind(session, clip)? {
            ClipKind::Midi => {
                let written = self.work.write(session, clip, &context, &mut self.random);
                let written = log.record("transforms", written)?;
                if let Some(applied) = &written.applied {
                    transforms::report_applied(applied, &mut log.entry);
                }
                transforms::report_dropped(written.dropped, &mut log.entry);
                notes::report_shortened(&written.shortened, &mut log.entry);
                notes::report_muted_overwritten(written.muted_overwritten, &mut log.entry);
                self.seed.report(&mut log.entry);
                Ok(())
            }
            ClipKind::Audio => {
                if audio_clip::transform(after, &context, &mut self.random, session, clip, log)? {
                    self.seed.report(&mut log.entry);
                }
                Ok(())
            }
        }
    }

    /// Why a clip of a scene cannot be copied there: it cannot take its transforms. It is counted then.
    pub fn refusal_inner(
        &mut self,
        session: &dyn Session,
        clip: ObjectId,
        place: (&ClipPlace, Option<Beats>),
    ) -> Result<Option<String>, ToolError> {
        if self.work.is_empty() || !self.reaches(session, clip)? {
            return Ok(None);
        }
        let checked = self.check_copy(session, clip, place, self.next_inner(), &mut self.trial_draws());
        let why = or_detail(checked)?.err();
        self.done = self.done.saturating_add(usize::from(why.is_some()));
        Ok(why)
    }

    /// Whether a clip of a scene can be copied there. `trial` counts the clips that were tried, and gives their draws.
    pub fn takes_inner(
        &self,
        session: &dyn Session,
        clip: ObjectId,
        place: (&ClipPlace, Option<Beats>),
        (index, random): &mut (usize, Random),
    ) -> Result<bool, ToolError> {
        if self.work.is_empty() || !self.reaches(session, clip)? {
            return Ok(true);
        }
        let ordinal = ClipOrdinal { index: *index, count: self.total };
        *index += 1;
        Ok(or_detail(self.check_copy(session, clip, place, ordinal, random))?.is_ok())
    }

    fn next_inner(&self) -> ClipOrdinal {
        ClipOrdinal { index: self.done, count: self.total.max(self.done.saturating_add(1)) }
    }

    /// Transforms a clip of a copied scene or track. What came of it stands beside the clip in [`list`](Self::list).
    pub fn write_inner(&mut self, session: &mut dyn Session, clip: ObjectId) -> Result<(), ToolError> {
        if self.work.is_empty() || !self.reaches(session, clip)? {
            return Ok(());
        }
        let ordinal = self.next_inner();
        self.done = self.done.saturating_add(1);
        let mut log = WriteLog::default();
        if let Err(why) = or_detail(self.write(session, clip, ordinal, &mut log))? {
            add_detail(&mut log.entry, why);
        }
        self.said.insert(clip, log.entry);
        Ok(())
    }

    /// As [`write_inner`](Self::write_inner), of the clips of a scene or track that the host copied whole. Those that
    /// cannot take their transforms are taken out of the copy again, which the log says. Gives the others.
    pub fn write_all_inner(
        &mut self,
        session: &mut dyn Session,
        clips: Vec<ObjectId>,
        log: &mut WriteLog,
    ) -> Result<Vec<ObjectId>, ToolError> {
        let mut kept = Vec::new();
        for clip in clips {
            let place = place::of_clip(session, clip)?;
            let Some(why) = self.refusal_inner(session, clip, (&place, None))? else {
                self.write_inner(session, clip)?;
                kept.push(clip);
                continue;
            };
            let holder = model_read::child(session, clip, "canonical_parent")?;
            let holder = holder.ok_or_else(|| ToolError::new("the clip has no place"))?;
            let name = model_read::text(session, clip, "name")?;
            log.refuse(format!("{}: its clip \"{name}\" was left out: {why}", path_and_id(session, holder)?));
            let which =
                if model_read::class(session, holder)? == Some("Track") { vec![clip.into()] } else { Vec::new() };
            session.call(holder, "delete_clip", &which)?;
        }
        Ok(kept)
    }

    /// Says in the entry of a copied scene or track that the transforms reached none of its clips.
    pub fn tell_if_unreached(&self, clips: &[ObjectId], entry: &mut Map<String, Value>) {
        if self.work.is_empty() || clips.iter().any(|clip| self.said.contains_key(clip)) {
            return;
        }
        add_detail(
            entry,
            match clips.is_empty() {
                true => "transforms did nothing: there are no clips in the copy",
                false => "transforms did nothing: none of its clips is on a track of transformTracks",
            },
        );
    }

    /// `[{id, path}]` of clips, with what was said of them.
    pub fn list(&self, session: &dyn Session, clips: &[ObjectId]) -> Result<Value, ModelError> {
        let mut list = clip_list(session, clips)?;
        for (clip, entry) in clips.iter().zip(list.as_array_mut().into_iter().flatten()) {
            if let (Some(said), Some(entry)) = (self.said.get(clip), entry.as_object_mut()) {
                entry.extend(said.clone());
            }
        }
        Ok(list)
    }
}
