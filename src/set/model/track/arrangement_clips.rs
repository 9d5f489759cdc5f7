//! Track and TakeLane: clips on the timeline.
//!
//! An unlooped clip that is counted in beats is on the timeline exactly as long as its region. A looped one is as long
//! as it was made, and repeats.

use crate::object_model::limits::ARRANGEMENT_END_BEATS;
use crate::object_model::value::object_argument;
use crate::object_model::{ModelError, Value};
use crate::set::document::ids::Serial;
use crate::set::document::object_index::Location;
use crate::set::document::{Clip, PlacedClip, TakeLane, Track, TrackKind};
use crate::set::edit::lane_edits::LaneRef;
use crate::set::model::member_answer::MemberAnswer;
use crate::set::model::object_ref::ObjectRef;
use crate::set::model::set_state::SetState;
use std::sync::Arc;

/// A number among arguments: a truth value is none.
pub(in crate::set::model) fn number(args: &[Value], at: usize) -> Option<f64> {
    match args.get(at) {
        Some(value @ (Value::Int(_) | Value::Float(_))) => value.as_f64().filter(|n| n.is_finite()),
        _ => None,
    }
}

/// A place on the timeline.
fn position(args: &[Value], at: usize, name: &str) -> Result<f64, ModelError> {
    number(args, at).filter(|beats| (0.0..=ARRANGEMENT_END_BEATS).contains(beats)).ok_or_else(|| {
        ModelError::OutOfRange { member: name.to_owned(), range: format!("from 0 to {ARRANGEMENT_END_BEATS} beats") }
    })
}

impl SetState {
    pub(in crate::set::model) fn call_arrangement(
        &mut self,
        of: LaneRef,
        function: &str,
        args: &[Value],
    ) -> MemberAnswer<Value> {
        Some(match function {
            "create_midi_clip" => self.create_placed_midi(of, args),
            "create_audio_clip" => self.create_placed_audio(of, args),
            "create_take_lane" => self.create_take_lane(of.track),
            "delete_clip" => self.delete_clip(of.track, args.first()),
            "duplicate_clip_to_arrangement" => self.duplicate_to_arrangement(of, args),
            _ => return None,
        })
    }

    pub(in crate::set::model) fn read_take_lane(&self, lane: &TakeLane, member: &str) -> MemberAnswer<Value> {
        (member == "name").then(|| Ok(lane.name.as_str().into()))
    }

    pub(in crate::set::model) fn write_take_lane(
        &mut self,
        lane: Serial,
        member: &str,
        value: &Value,
    ) -> MemberAnswer<()> {
        let name = value.as_str().unwrap_or_default();
        (member == "name")
            .then(|| self.document.edit_take_lane(lane, |lane| lane.name = name.to_owned()).ok_or(ModelError::NoObject))
    }

    pub(in crate::set::model) fn call_take_lane(
        &mut self,
        lane: Serial,
        function: &str,
        args: &[Value],
    ) -> MemberAnswer<Value> {
        let Some(Location::TakeLane { track }) = self.document.location(lane) else { return None };
        self.call_arrangement(LaneRef { track, take_lane: Some(lane) }, function, args)
    }

    /// The track, if clips of that kind lie on its timeline.
    pub(in crate::set::model) fn host(&self, track: Serial, kind: TrackKind) -> Result<&Arc<Track>, ModelError> {
        let host = self.document.track(track).ok_or(ModelError::NoObject)?;
        match (host.kind, kind) {
            (have, want) if have == want => Ok(host),
            (TrackKind::Midi, _) => Err(ModelError::refused("a MIDI track takes MIDI clips only")),
            (TrackKind::Audio, _) => Err(ModelError::refused("an audio track takes audio clips only")),
            _ => Err(ModelError::refused("group, return and main tracks have no Arrangement clips")),
        }
    }

    fn create_placed_midi(&mut self, of: LaneRef, args: &[Value]) -> Result<Value, ModelError> {
        let color = self.host(of.track, TrackKind::Midi)?.color;
        let start = position(args, 0, "start_time")?;
        let limit = crate::music::LONGEST_CLIP_BEATS;
        let length = number(args, 1)
            .filter(|length| *length > 0.0 && *length <= limit)
            .ok_or_else(|| ModelError::refused(format!("a clip's length is above 0 and at most {limit} beats")))?;
        let serial = self.document.fresh_serial()?;
        let clip = Clip::midi(serial, length, color, self.document.song.signature);
        self.lay(of, start, length, clip)
    }

    fn create_placed_audio(&mut self, of: LaneRef, args: &[Value]) -> Result<Value, ModelError> {
        let color = self.host(of.track, TrackKind::Audio)?.color;
        let start = position(args, 1, "start_time")?;
        let clip = self.audio_clip(args.first(), color)?;
        let (from, to) = clip.region();
        let length = clip.timeline_beats(to - from, self.document.song.tempo_bpm);
        self.lay(of, start, length, clip)
    }

    pub(in crate::set::model) fn lay(
        &mut self,
        of: LaneRef,
        start: f64,
        length: f64,
        clip: Clip,
    ) -> Result<Value, ModelError> {
        let serial = clip.serial;
        // -0 is 0.
        let start = start + 0.0;
        self.document.lay(of, PlacedClip { start, end: start + length, clip: Arc::new(clip) })?;
        Ok(ObjectRef::Clip(serial).id().into())
    }

    fn create_take_lane(&mut self, track: Serial) -> Result<Value, ModelError> {
        let host = self.document.track(track).ok_or(ModelError::NoObject)?;
        if !matches!(host.kind, TrackKind::Midi | TrackKind::Audio) {
            return Err(ModelError::refused("only MIDI and audio tracks have take lanes"));
        }
        let name = format!("Take Lane {}", host.take_lanes.len() + 1);
        let serial = self.document.fresh_serial()?;
        let lane = TakeLane { serial, name, clips: Default::default() };
        self.document.append_take_lane(track, lane).ok_or(ModelError::NoObject)?;
        Ok(ObjectRef::TakeLane(serial).id().into())
    }

    /// The clip that an argument names, and where it is.
    fn clip_argument(&self, arg: Option<&Value>) -> Result<(Serial, Location), ModelError> {
        let target = arg.and_then(object_argument).flatten().and_then(|id| self.object_ref(id));
        match target {
            Some(ObjectRef::Clip(clip)) => Ok((clip, self.document.location(clip).ok_or(ModelError::NoObject)?)),
            _ => Err(ModelError::refused("the argument is a clip: \"id N\"")),
        }
    }

    fn delete_clip(&mut self, track: Serial, arg: Option<&Value>) -> Result<Value, ModelError> {
        match self.clip_argument(arg)? {
            (_, Location::SessionClip { track: on, scene }) if on == track => {
                self.document.take_clip(track, scene);
            }
            (clip, Location::PlacedClip { track: on, .. }) if on == track => {
                self.document.take_placed(clip);
            }
            _ => return Err(ModelError::refused("the clip is not on this track")),
        }
        Ok(Value::Nothing)
    }

    /// A clip of the Session is as long on the timeline as what of it plays once.
    fn duplicate_to_arrangement(&mut self, of: LaneRef, args: &[Value]) -> Result<Value, ModelError> {
        let (source, location) = self.clip_argument(args.first())?;
        let clip = self.document.clip(source).ok_or(ModelError::NoObject)?.clone();
        let kind = if clip.notes().is_some() { TrackKind::Midi } else { TrackKind::Audio };
        self.host(of.track, kind)?;
        let start = position(args, 1, "destination_time")?;
        let length = match (location, self.document.placed(source)) {
            (Location::PlacedClip { .. }, Some(placed)) => placed.end - placed.start,
            _ => {
                let (from, to) = clip.region();
                clip.timeline_beats(to - from, self.document.song.tempo_bpm)
            }
        };
        let serial = self.document.fresh_serial()?;
        self.lay(of, start, length, Clip { serial, ..Clip::clone(&clip) })
    }

    /// Brings the right edge of a placed clip to where its region ends, if it is unlooped.
    pub(in crate::set::model) fn fit_right_edge(&mut self, clip: Serial) -> Result<(), ModelError> {
        let Some(placed) = self.document.placed(clip).filter(|placed| !placed.clip.looping) else { return Ok(()) };
        let (from, to) = placed.clip.region();
        let length = placed.clip.timeline_beats(to - from, self.document.song.tempo_bpm);
        let end = placed.start + length;
        self.document.move_right_edge(clip, end)
    }
}
