//! Song: functions that make, copy and remove tracks and scenes, and that drive the transport.

use crate::object_model::limits::MAX_RETURNS;
use crate::object_model::{ModelError, Value};
use crate::set::document::default_names::{return_letter, without_letter};
use crate::set::document::ids::Serial;
use crate::set::document::session_clips::SessionClips;
use crate::set::document::timeline_lane::Lane;
use crate::set::document::{Clip, Scene, SessionClip, Track, TrackKind};
use crate::set::edit::device_edits;
use crate::set::edit::put_set::move_envelopes;
use crate::set::model::member_answer::MemberAnswer;
use crate::set::model::object_ref::ObjectRef;
use crate::set::model::set_state::SetState;
use crate::set::model::stored_members::storable;
use crate::set::model::track::track_properties::{data, data_entry};
use crate::set::runtime::launch_orders::{LaunchQuantum, TransportAction};
use crate::set::runtime::runtime_state::Playing;
use crate::set::tables::palette;
use std::sync::Arc;

impl SetState {
    pub(in crate::set::model) fn call_song(&mut self, function: &str, args: &[Value]) -> MemberAnswer<Value> {
        let done = match function {
            "create_midi_track" => self.create_track(TrackKind::Midi, args.first()),
            "create_audio_track" => self.create_track(TrackKind::Audio, args.first()),
            "create_return_track" => self.create_return(),
            "create_scene" => self.create_scene(args.first()),
            "delete_track" => self.delete_track(args.first()),
            "delete_return_track" => self.delete_return(args.first()),
            "delete_scene" => self.delete_scene(args.first()),
            "duplicate_track" => self.duplicate_track(args.first()),
            "duplicate_scene" => self.duplicate_scene(args.first()),
            "start_playing" => {
                self.runtime.start();
                Ok(Value::Nothing)
            }
            "continue_playing" => {
                self.runtime.order_transport(TransportAction::Continue);
                Ok(Value::Nothing)
            }
            "stop_playing" => {
                self.stop_playing();
                Ok(Value::Nothing)
            }
            "stop_all_clips" => {
                let quantized = args.first().and_then(Value::as_bool).unwrap_or(true);
                self.stop_all_clips(quantized);
                Ok(Value::Nothing)
            }
            "undo" => {
                self.undo();
                Ok(Value::Nothing)
            }
            "redo" => {
                self.redo();
                Ok(Value::Nothing)
            }
            // One call is one step; these two end it so far, so that what lies between them is a step of its own.
            "begin_undo_step" | "end_undo_step" => {
                self.land_late_writes();
                self.end_step();
                Ok(Value::Nothing)
            }
            "get_data" => Ok(data(Some(&self.document.song.stored), args)),
            "set_data" => {
                let (key, value) = data_entry(args);
                storable(value).map(|value| {
                    Arc::make_mut(&mut self.document.song).stored.insert(key, value);
                    Value::Nothing
                })
            }
            "sync_parameter_changes" => Ok(Value::Nothing),
            "move_device" => self.place_device(args, true),
            "find_device_position" => self.place_device(args, false),
            _ => return self.call_song_time(function, args),
        };
        Some(done)
    }

    /// A second stop in a row returns the playhead and the start marker to 0.
    fn stop_playing(&mut self) {
        if self.runtime.is_playing() {
            self.runtime.order_transport(TransportAction::Stop);
        } else {
            self.runtime.start_time = 0.0;
            self.runtime.order_transport(TransportAction::Jump { to: 0.0 });
        }
    }

    fn stop_all_clips(&mut self, quantized: bool) {
        let quantum = if quantized { self.global_quantum() } else { LaunchQuantum::None };
        let tracks: Vec<Serial> = self.runtime.launches.iter().map(|launch| launch.track).collect();
        for track in tracks {
            if self.runtime.track_play(track).playing != Playing::Arrangement {
                self.runtime.stop_track(track, quantum);
            }
        }
    }

    /// `-1` or nothing is the end; anything outside 0..=len fails.
    fn insert_position(arg: Option<&Value>, len: usize, what: &str) -> Result<usize, ModelError> {
        match arg.map_or(Some(-1), Value::as_i64) {
            Some(-1) => Ok(len),
            Some(at) => usize::try_from(at)
                .ok()
                .filter(|at| *at <= len)
                .ok_or_else(|| ModelError::refused(format!("{what} index {at} is outside 0..={len} (-1 is the end)"))),
            None => Err(ModelError::refused(format!("a {what} index is a whole number"))),
        }
    }

    fn existing(arg: Option<&Value>, len: usize, what: &str) -> Result<usize, ModelError> {
        arg.and_then(Value::as_i64)
            .and_then(|at| usize::try_from(at).ok())
            .filter(|at| *at < len)
            .ok_or_else(|| ModelError::refused(format!("there is no {what} at that index; there are {len}")))
    }

    fn create_track(&mut self, kind: TrackKind, index: Option<&Value>) -> Result<Value, ModelError> {
        let count = self.document.tracks.len();
        let at = Self::insert_position(index, count, "track")?;
        let serial = self.document.fresh_serial()?;
        let mut track = Track::new(serial, kind, palette::next_for(count), self.document.returns.len());
        track.group = self.group_around(at);
        if kind == TrackKind::Midi {
            track.midi_channel = Some(self.document.free_midi_channel().0);
        }
        self.document.insert_track(at, track);
        Ok(ObjectRef::Track(serial).id().into())
    }

    /// The group that a track put at this index falls into: its right neighbour's, which stands further left.
    fn group_around(&self, at: usize) -> Option<Serial> {
        self.document.tracks.get(at)?.group
    }

    fn create_return(&mut self) -> Result<Value, ModelError> {
        let count = self.document.returns.len();
        if count >= MAX_RETURNS {
            return Err(ModelError::refused(format!("a Set has at most {MAX_RETURNS} return tracks")));
        }
        let serial = self.document.fresh_serial()?;
        // Its own send is added with everyone else's.
        let track = Track::new(serial, TrackKind::Return, palette::next_for(count + 4), count);
        self.document.append_return(track);
        Ok(ObjectRef::Track(serial).id().into())
    }

    fn create_scene(&mut self, index: Option<&Value>) -> Result<Value, ModelError> {
        let at = Self::insert_position(index, self.document.scenes.len(), "scene")?;
        let serial = self.document.fresh_serial()?;
        self.document.insert_scene(at, Scene::new(serial));
        Ok(ObjectRef::Scene(serial).id().into())
    }

    fn delete_track(&mut self, index: Option<&Value>) -> Result<Value, ModelError> {
        let at = Self::existing(index, self.document.tracks.len(), "track")?;
        let Some(track) = self.document.tracks.get(at).map(|t| t.serial) else { return Err(ModelError::NoObject) };
        let family = self.document.with_members(track);
        if family.len() >= self.document.tracks.len() {
            return Err(ModelError::refused("the last track of a Set cannot be deleted"));
        }
        let selected = self.runtime.selection.track.is_some_and(|selected| family.contains(&selected));
        for serial in family {
            self.document.remove_track(serial);
        }
        if selected {
            let near = self.document.tracks.get(at).or(self.document.tracks.last()).map(|t| t.serial);
            near.into_iter().for_each(|near| self.select_track(near));
        }
        Ok(Value::Nothing)
    }

    fn delete_return(&mut self, index: Option<&Value>) -> Result<Value, ModelError> {
        let at = Self::existing(index, self.document.returns.len(), "return track")?;
        if let Some(serial) = self.document.returns.get(at).map(|t| t.serial) {
            self.take_letters_off_names();
            self.document.remove_return(serial);
        }
        Ok(Value::Nothing)
    }

    /// Saved Sets of before have returns whose names hold their letter. It goes before the letters change.
    fn take_letters_off_names(&mut self) {
        let names = self.document.returns.iter().enumerate().filter_map(|(at, track)| {
            let name = track.name.as_deref()?;
            let own = without_letter(name, return_letter(at));
            (own != name).then(|| (track.serial, own.to_owned()))
        });
        for (serial, own) in names.collect::<Vec<_>>() {
            self.document.edit_track(serial, |track| track.name = Some(own));
        }
    }

    fn delete_scene(&mut self, index: Option<&Value>) -> Result<Value, ModelError> {
        let count = self.document.scenes.len();
        let at = Self::existing(index, count, "scene")?;
        if count == 1 {
            return Err(ModelError::refused("the last scene of a Set cannot be deleted"));
        }
        if let Some(serial) = self.document.scenes.get(at).map(|s| s.serial) {
            self.document.remove_scene(serial);
            if self.runtime.selection.scene == Some(serial) {
                let near = self.document.scenes.get(at).or(self.document.scenes.last());
                self.runtime.selection.scene = near.map(|scene| scene.serial);
            }
        }
        Ok(Value::Nothing)
    }

    /// The copy goes right after the source (and its members) and becomes selected.
    fn duplicate_track(&mut self, index: Option<&Value>) -> Result<Value, ModelError> {
        let at = Self::existing(index, self.document.tracks.len(), "track")?;
        let Some(source) = self.document.tracks.get(at).map(|t| t.serial) else { return Err(ModelError::NoObject) };
        let family = self.document.with_members(source);
        let mut copies: Vec<(Serial, Serial)> = Vec::new();
        for (offset, old) in family.iter().enumerate() {
            let Some(track) = self.document.track(*old).cloned() else { continue };
            let mut copy = self.copy_of(&track)?;
            copy.group = copy.group.map(|g| copies.iter().find(|(from, _)| *from == g).map_or(g, |(_, to)| *to));
            copies.push((*old, copy.serial));
            self.document.insert_track(at + family.len() + offset, copy);
        }
        if let Some((_, copy)) = copies.first() {
            self.select_track(*copy);
        }
        // A folded group around the copy opens, so that the copy can be seen.
        let mut group = self.document.track(source).and_then(|track| track.group);
        while let Some(parent) = group.and_then(|serial| self.document.track(serial)) {
            group = parent.group;
            if !parent.is_folded() {
                continue;
            }
            let parent = parent.serial;
            self.document.edit_track(parent, |track| drop(track.stored.remove("fold_state")));
        }
        Ok(Value::Nothing)
    }

    fn copy_of(&mut self, track: &Track) -> Result<Track, ModelError> {
        let mut copy = track.clone();
        copy.serial = self.document.fresh_serial()?;
        copy.session = track
            .session
            .iter()
            .map(|entry| {
                let serial = self.document.fresh_serial()?;
                Ok(SessionClip { scene: entry.scene, clip: Arc::new(Clip { serial, ..Clip::clone(&entry.clip) }) })
            })
            .collect::<Result<SessionClips, ModelError>>()?;
        let mut fresh = || self.document.fresh_serial();
        copy.arrangement = track.arrangement.renumbered(&mut fresh)?;
        for lane in &mut copy.take_lanes {
            let lane = Arc::make_mut(lane);
            lane.serial = fresh()?;
            lane.clips = lane.clips.renumbered(&mut fresh)?;
        }
        for device in &mut copy.devices {
            device_edits::renumber_device(Arc::make_mut(device), &mut fresh)?;
        }
        move_to_copy(track, &mut copy);
        if copy.midi_channel.is_some() {
            copy.midi_channel = Some(self.document.free_midi_channel().0);
        }
        Ok(copy)
    }

    /// The copy goes right below the source and becomes selected.
    fn duplicate_scene(&mut self, index: Option<&Value>) -> Result<Value, ModelError> {
        let at = Self::existing(index, self.document.scenes.len(), "scene")?;
        let Some(source) = self.document.scenes.get(at).cloned() else { return Err(ModelError::NoObject) };
        let serial = self.document.fresh_serial()?;
        self.document.insert_scene(at + 1, Scene { serial, ..Scene::clone(&source) });
        let mut holders: Vec<Serial> = self.document.index.row(source.serial).collect();
        holders.sort_by_key(|track| self.document.track_position(*track));
        let clip = |track: Serial| Some((track, self.document.clip_in(track, source.serial)?.clone()));
        let clips: Vec<(Serial, Arc<Clip>)> = holders.into_iter().filter_map(clip).collect();
        for (track, clip) in clips {
            let copy = Clip { serial: self.document.fresh_serial()?, ..Clip::clone(&clip) };
            self.document.put_clip(track, serial, copy);
        }
        self.runtime.selection.scene = Some(serial);
        Ok(Value::Nothing)
    }
}

/// What is drawn on a copied track, and in its clips, moves the copies of what it moved.
fn move_to_copy(track: &Track, copy: &mut Track) {
    let mut serials = device_edits::copied_serials(&track.devices, &copy.devices);
    serials.insert(track.serial, copy.serial);
    let moved = |serial: Serial| serials.get(&serial).copied().unwrap_or(serial);
    move_envelopes(&mut copy.automation, &moved);
    let with_envelopes = |clip: &mut Arc<Clip>| {
        if !clip.envelopes.is_empty() {
            move_envelopes(&mut Arc::make_mut(clip).envelopes, &moved);
        }
    };
    let mut session = SessionClips::default();
    for mut entry in copy.session.iter().cloned() {
        with_envelopes(&mut entry.clip);
        session.insert(entry);
    }
    copy.session = session;
    copy.arrangement = lane_with(&copy.arrangement, &with_envelopes);
    for lane in &mut copy.take_lanes {
        let lane = Arc::make_mut(lane);
        lane.clips = lane_with(&lane.clips, &with_envelopes);
    }
}

fn lane_with(lane: &Lane, change: &dyn Fn(&mut Arc<Clip>)) -> Lane {
    let mut next = Lane::default();
    for mut placed in lane.iter().cloned() {
        change(&mut placed.clip);
        next.insert(placed);
    }
    next
}
