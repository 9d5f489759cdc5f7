//! Places that clips go to: how a caller names them, which place that is for one clip, and whether the clip can go
//! there.

use crate::music::{Beats, SAME_POSITION_BEATS};
use crate::object_model::scope::Origin;
use crate::object_model::{ModelError, ObjectId, Session, Value as Model};
use crate::tools::address::model_read::{self, count, flag, number};
use crate::tools::address::path::{LanePath, Path, TrackPath};
use crate::tools::address::path_format::created_range;
use crate::tools::address::path_format::path_and_id;
use crate::tools::address::path_resolve;
use crate::tools::address::targets;
use crate::tools::arguments::lists::{self, ListEntry};
use crate::tools::clip::time::is_unwarped;
use crate::tools::clip::time::timeline_beats;
use crate::tools::error::ToolError;
use crate::tools::timeline::lane::{self, ClipSpan};
use crate::tools::timeline::take_lanes::{self, LaneNumbers};

/// Scenes of a Set at most, as far as tools make them.
pub const MAX_SCENES: usize = 1000;

/// One place.
#[derive(Clone, Debug, PartialEq)]
pub enum ClipPlace {
    Slot { track: usize, scene: usize },
    Timeline { lane: LanePath, at: Beats },
}

/// A place as the caller named it; it may leave open the time or the lane, which are then the clip's own.
#[derive(Clone, Debug, PartialEq)]
pub struct Destination {
    pub spelling: String,
    /// Or why it is no place for a clip.
    path: Result<Path, ToolError>,
    /// What to send instead of an old spelling.
    pub warning: Option<String>,
}

impl Destination {
    /// Reads a list of places; see [`lists::read_each`].
    pub fn read_list(parameter: &str, text: &str) -> Result<Vec<Destination>, ToolError> {
        let read = |spelling: &str| Destination::read(parameter, spelling);
        let entries = lists::read_each(lists::split_targets(parameter, text)?, read)?;
        let destination = |ListEntry { spelling, read }: ListEntry<(Path, Option<String>)>| match read {
            Ok((path, warning)) => Destination { spelling, path: Ok(path), warning },
            Err(why) => Destination { spelling, path: Err(why), warning: None },
        };
        Ok(entries.into_iter().map(destination).collect())
    }

    fn read(parameter: &str, spelling: &str) -> Result<(Path, Option<String>), ToolError> {
        let refuse = |why: &str| ToolError::about(parameter, format!("{spelling}: {why}"));
        let (path, warning) = targets::path_or_old(parameter, spelling, |_| true)?;
        match &path {
            Path::Slot { .. } | Path::Arrangement { .. } | Path::Track(TrackPath::Regular(_)) => {}
            Path::Lane { .. } | Path::NewLane { .. } | Path::NewLaneMoment { .. } => {}
            Path::Track(_) => return Err(refuse("return and main tracks have no clip slots and hold no clips")),
            _ => {
                return Err(refuse("clips go to a slot (t0/s0) or the Arrangement (t0[5|1], t0/l0[5|1], t0, [5|1])"));
            }
        }
        Ok((path, warning))
    }

    /// Names a place on its own, so that only one clip can go there.
    pub fn is_whole(&self) -> bool {
        let whole = |path: &Path| {
            matches!(path, Path::Slot { .. } | Path::NewLaneMoment { .. } | Path::Arrangement { lane: Some(_), .. })
        };
        self.path.as_ref().is_ok_and(whole)
    }

    /// The slot that it names, in the object model; `None` of another place.
    pub fn slot_origin(&self) -> Option<Origin> {
        match self.path {
            Ok(Path::Slot { track, scene }) => Some(ClipPlace::Slot { track, scene }.origin()),
            _ => None,
        }
    }

    /// Puts the numbers of the lanes that are to be made in the place of each `l+`.
    pub fn number_new_lanes(session: &dyn Session, all: &mut [Destination]) -> Result<(), ToolError> {
        let mut numbers = LaneNumbers::default();
        for destination in all {
            let Ok(path) = &destination.path else { continue };
            let numbered = match path {
                &Path::Lane { track, lane }
                | &Path::Arrangement { lane: Some(LanePath { track, take_lane: Some(lane) }), .. } => {
                    numbers.number(session, track, Some(lane))?;
                    continue;
                }
                &Path::NewLane { track } => Path::Lane { track, lane: numbers.number(session, track, None)? },
                Path::NewLaneMoment { track, at } => {
                    let take_lane = Some(numbers.number(session, *track, None)?);
                    Path::Arrangement { lane: Some(LanePath { track: *track, take_lane }), at: at.clone() }
                }
                _ => continue,
            };
            destination.path = Ok(numbered);
        }
        Ok(())
    }

    /// The place for that clip. An error is that clip's alone.
    pub fn place_for(&self, session: &dyn Session, clip: ObjectId) -> Result<ClipPlace, ToolError> {
        let timeline = |lane, at| Ok(ClipPlace::Timeline { lane, at });
        match self.path.as_ref().map_err(Clone::clone)? {
            &Path::Slot { track, scene } => {
                check_scene("toPath", &self.spelling, scene)?;
                Ok(ClipPlace::Slot { track, scene })
            }
            Path::Arrangement { lane: Some(lane), at } => timeline(*lane, path_resolve::resolve_moment(session, at)?),
            Path::Arrangement { lane: None, at } => {
                timeline(own_lane(session, clip)?, path_resolve::resolve_moment(session, at)?)
            }
            &Path::Track(TrackPath::Regular(track)) => {
                timeline(LanePath { track, take_lane: None }, own_time(session, clip, &self.spelling)?)
            }
            &Path::Lane { track, lane } => {
                timeline(LanePath { track, take_lane: Some(lane) }, own_time(session, clip, &self.spelling)?)
            }
            other => Err(ToolError::new(format!("{other} is no place for a clip"))),
        }
    }
}

/// Refuses a scene past the last that tools make; `parameter` is what names it.
pub fn check_scene(parameter: &str, spelling: &str, scene: usize) -> Result<(), ToolError> {
    if scene < MAX_SCENES {
        return Ok(());
    }
    let why = format!("{spelling} is past the last possible scene, s{}", MAX_SCENES - 1);
    Err(ToolError::about(parameter, why))
}

/// Where a clip stands.
pub fn of_clip(session: &dyn Session, clip: ObjectId) -> Result<ClipPlace, ToolError> {
    let route = session.path_of(clip)?.unwrap_or_default();
    let words: Vec<&str> = route.split(' ').collect();
    let index = |word: &str| word.parse::<usize>().ok();
    let (track, take_lane) = match words.as_slice() {
        ["live_set", "tracks", track, "clip_slots", scene, ..] => {
            if let (Some(track), Some(scene)) = (index(track), index(scene)) {
                return Ok(ClipPlace::Slot { track, scene });
            }
            (None, None)
        }
        ["live_set", "tracks", track, "arrangement_clips", _] => (index(track), None),
        ["live_set", "tracks", track, "take_lanes", lane, "arrangement_clips", _] => (index(track), index(lane)),
        _ => (None, None),
    };
    let Some(track) = track else {
        return Err(ToolError::new(format!("{} has no place of its own", path_and_id(session, clip)?)));
    };
    let at = model_read::number(session, clip, "start_time")?;
    Ok(ClipPlace::Timeline { lane: LanePath { track, take_lane }, at })
}

/// The index of the regular track that an object is, or is in; `None` where it is in none.
pub fn track_index(session: &dyn Session, id: ObjectId) -> Result<Option<usize>, ModelError> {
    let route = session.path_of(id)?.unwrap_or_default();
    let track = route.strip_prefix("live_set tracks ").and_then(|rest| rest.split(' ').next());
    Ok(track.and_then(|track| track.parse().ok()))
}

/// The lane of a clip on the timeline; the main lane of its track for a clip of the Session.
fn own_lane(session: &dyn Session, clip: ObjectId) -> Result<LanePath, ToolError> {
    Ok(match of_clip(session, clip)? {
        ClipPlace::Slot { track, .. } => LanePath { track, take_lane: None },
        ClipPlace::Timeline { lane, .. } => lane,
    })
}

fn own_time(session: &dyn Session, clip: ObjectId, spelling: &str) -> Result<Beats, ToolError> {
    match of_clip(session, clip)? {
        ClipPlace::Timeline { at, .. } => Ok(at),
        ClipPlace::Slot { .. } => Err(ToolError::new(format!(
            "{spelling} alone keeps a clip's time, and {} is a session clip, which has none; write {spelling}[1|1]",
            path_and_id(session, clip)?
        ))),
    }
}

/// How much of the timeline a clip covers, or would cover once: a loop with what it plays before it.
pub fn clip_length(session: &dyn Session, clip: ObjectId) -> Result<Beats, ToolError> {
    if flag(session, clip, "is_arrangement_clip")? {
        let placed = ClipSpan::read(session, clip)?;
        return Ok(placed.end - placed.start);
    }
    let (start, first) = (number(session, clip, "loop_start")?, number(session, clip, "start_marker")?);
    timeline_beats(session, clip, number(session, clip, "loop_end")? - start.min(first))
}

/// What a clip plays before its region begins.
pub fn pre_roll(session: &dyn Session, clip: ObjectId) -> Result<Beats, ToolError> {
    let (start, first) = (number(session, clip, "loop_start")?, number(session, clip, "start_marker")?);
    timeline_beats(session, clip, (start - first).max(0.0))
}

/// How long the region of a clip is.
pub fn region_length(session: &dyn Session, clip: ObjectId) -> Result<Beats, ToolError> {
    let region = number(session, clip, "loop_end")? - number(session, clip, "loop_start")?;
    timeline_beats(session, clip, region)
}

/// How long a clip is to transforms: what it covers of the timeline, else its region.
pub fn content_length(session: &dyn Session, clip: ObjectId) -> Result<Beats, ToolError> {
    if flag(session, clip, "is_arrangement_clip")? { shown_length(session, clip) } else { region_length(session, clip) }
}

/// How much of the timeline a clip on it covers, as reads show it. An unwarped clip is measured from its markers at the
/// Set's tempo, as far as the next clip of its lane: the host moves its end only when it is edited.
pub fn shown_length(session: &dyn Session, clip: ObjectId) -> Result<Beats, ToolError> {
    let placed = ClipSpan::read(session, clip)?;
    if !is_unwarped(session, clip)? {
        return Ok(placed.end - placed.start);
    }
    let sounds = region_length(session, clip)?;
    let Some(lane) = lane::of_clip(session, clip)? else { return Ok(sounds) };
    let behind = lane::within(session, lane, placed.start, placed.start + sounds)?;
    let next = behind.iter().map(|other| other.start - placed.start).filter(|room| *room > SAME_POSITION_BEATS);
    Ok(next.fold(sounds, Beats::min))
}

impl ClipPlace {
    /// Whether it is on a track, not on a take lane and not in a slot.
    pub fn is_main_lane(&self) -> bool {
        matches!(self, ClipPlace::Timeline { lane: LanePath { take_lane: None, .. }, .. })
    }

    pub fn is_same(&self, other: &ClipPlace) -> bool {
        match (self, other) {
            (ClipPlace::Timeline { lane, at }, ClipPlace::Timeline { lane: other, at: then }) => {
                lane == other && (at - then).abs() <= SAME_POSITION_BEATS
            }
            _ => self == other,
        }
    }

    /// Refuses a copy of the clip that would end past the timeline. Only on a main lane does it take a length.
    pub fn check_fits(&self, session: &dyn Session, clip: ObjectId, length: Option<Beats>) -> Result<(), ToolError> {
        match length.filter(|_| self.is_main_lane()) {
            Some(length) => self.check_end(session, "arrangementLength", length),
            None => self.check_end(session, "toPath", clip_length(session, clip)?),
        }
    }

    fn track(&self) -> usize {
        match self {
            ClipPlace::Slot { track, .. } => *track,
            ClipPlace::Timeline { lane, .. } => lane.track,
        }
    }

    /// The slot or lane in the object model.
    pub fn origin(&self) -> Origin {
        Origin::Path(match self {
            ClipPlace::Slot { track, scene } => format!("live_set tracks {track} clip_slots {scene}"),
            ClipPlace::Timeline { lane: LanePath { track, take_lane: None }, .. } => format!("live_set tracks {track}"),
            ClipPlace::Timeline { lane: LanePath { track, take_lane: Some(lane) }, .. } => {
                format!("live_set tracks {track} take_lanes {lane}")
            }
        })
    }

    /// As answers write it.
    pub fn spelled(&self, session: &dyn Session) -> Result<String, ModelError> {
        Ok(match self {
            ClipPlace::Slot { track, scene } => format!("t{track}/s{scene}"),
            ClipPlace::Timeline { lane, at } => format!("{lane}[{}]", lane::position_text(session, *at)?),
        })
    }

    /// Why that clip cannot go there: found out before anything is changed.
    pub fn check(&self, session: &dyn Session, clip: ObjectId) -> Result<(), ToolError> {
        let at = self.track();
        let track = model_read::track(session, TrackPath::Regular(at))?;
        if flag(session, track, "is_foldable")? {
            return Err(ToolError::new(format!(
                "{} is a group track and holds no clips",
                path_and_id(session, track)?
            )));
        }
        let kind = |midi| if midi { "MIDI" } else { "audio" };
        let (of_clip, of_track) = (flag(session, clip, "is_midi_clip")?, flag(session, track, "has_midi_input")?);
        if of_clip != of_track {
            let article = if of_track { "a" } else { "an" };
            let (on, is) = (kind(of_track), kind(of_clip));
            return Err(ToolError::new(format!(
                "{} is {article} {on} track; the clip is {is}",
                path_and_id(session, track)?
            )));
        }
        if flag(session, track, "is_frozen")? {
            return Err(ToolError::new(format!("{} is frozen; unfreeze it first", path_and_id(session, track)?)));
        }
        match self {
            ClipPlace::Timeline { lane: LanePath { take_lane: Some(lane), .. }, .. } => {
                take_lanes::refusal(session, track, *lane)?.map_or(Ok(()), |why| Err(ToolError::new(why)))
            }
            _ => Ok(()),
        }
    }

    /// Refuses a clip of that length that would end past the timeline; `parameter` is what asked for it.
    pub fn check_end(&self, session: &dyn Session, parameter: &str, length: Beats) -> Result<(), ToolError> {
        match self {
            ClipPlace::Timeline { at, .. } => lane::check_end(session, parameter, *at, length),
            ClipPlace::Slot { .. } => Ok(()),
        }
    }

    /// The slot or lane, made if it is missing, and what was made for it, such as `s8-s9`.
    pub fn make(&self, session: &mut dyn Session) -> Result<(ObjectId, Option<String>), ToolError> {
        match *self {
            ClipPlace::Slot { track, scene } => {
                let created = make_scenes(session, scene)?;
                Ok((model_read::slot(session, track, scene)?, created))
            }
            ClipPlace::Timeline { lane, .. } => {
                let track = model_read::track(session, TrackPath::Regular(lane.track))?;
                match lane.take_lane {
                    Some(at) => take_lanes::make_up_to(session, track, at),
                    None => Ok((track, None)),
                }
            }
        }
    }
}

/// Makes the scenes up to `scene` that are missing.
pub fn make_scenes(session: &mut dyn Session, scene: usize) -> Result<Option<String>, ToolError> {
    let song = model_read::song(session)?;
    let before = count(session, song, "scenes")?;
    for _ in before..=scene {
        session.call(song, "create_scene", &[Model::Int(-1)])?;
    }
    Ok(created_range('s', before, scene))
}

/// Makes the take lanes of a track up to `lane` that are missing.
pub fn make_lanes(session: &mut dyn Session, track: usize, lane: usize) -> Result<Option<String>, ToolError> {
    let track = model_read::track(session, TrackPath::Regular(track))?;
    Ok(take_lanes::make_up_to(session, track, lane)?.1)
}
