//! Where clips go: the places as the caller wrote them, and what they come down to in the Set.

use super::content::ClipContent;
use crate::music::{Beats, SAME_POSITION_BEATS};
use crate::object_model::Session;
use crate::tools::address::path::{self, LanePath, Moment, Path};
use crate::tools::address::path_resolve;
use crate::tools::address::targets;
use crate::tools::arguments::lists;
use crate::tools::error::ToolError;
use crate::tools::timeline::place::{self, ClipPlace};
use crate::tools::timeline::take_lanes::LaneNumbers;

/// A place, letter for letter as it was sent, and what it says.
#[derive(Debug)]
pub struct Destination {
    pub spelling: String,
    place: UnresolvedPlace,
}

/// A place as it was written: which moment it is depends on the Set.
#[derive(Debug)]
enum UnresolvedPlace {
    Slot {
        track: usize,
        scene: usize,
    },
    Arranged {
        lane: LanePath,
        at: Moment,
    },
    /// On a take lane that is still to be made.
    NewLane {
        track: usize,
        at: Moment,
    },
}

impl Destination {
    /// Reads the places of a call. The texts beside them are warnings of old spellings.
    pub fn read_all(list: &str) -> Result<(Vec<Destination>, Vec<String>), ToolError> {
        let mut warnings = Vec::new();
        let mut all = Vec::new();
        for spelling in lists::split_targets("path", list)? {
            let (path, warning) = targets::path_or_old("path", &spelling, targets::is_slot)?;
            warnings.extend(warning);
            let place = place_of(path).map_err(|why| ToolError::about("path", format!("{spelling} {why}")))?;
            all.push(Destination { spelling, place });
        }
        Ok((all, warnings))
    }

    /// Puts the numbers of the lanes that are to be made in the place of each `l+`.
    pub fn number_new_lanes(session: &dyn Session, all: &mut [Destination]) -> Result<(), ToolError> {
        let mut numbers = LaneNumbers::default();
        for destination in all {
            let numbered = match &destination.place {
                &UnresolvedPlace::Arranged { lane: LanePath { track, take_lane: Some(lane) }, .. } => {
                    numbers.number(session, track, Some(lane))?;
                    continue;
                }
                UnresolvedPlace::NewLane { track, at } => {
                    let take_lane = Some(numbers.number(session, *track, None)?);
                    UnresolvedPlace::Arranged { lane: LanePath { track: *track, take_lane }, at: at.clone() }
                }
                _ => continue,
            };
            destination.place = numbered;
        }
        Ok(())
    }

    /// The outer error is one of the call, the inner one of this place alone.
    pub fn find(&self, session: &dyn Session) -> Result<Result<ClipPlace, ToolError>, ToolError> {
        Ok(match &self.place {
            &UnresolvedPlace::Slot { track, scene } => {
                place::check_scene("path", &self.spelling, scene).map(|()| ClipPlace::Slot { track, scene })
            }
            UnresolvedPlace::NewLane { .. } => {
                Err(ToolError::new(format!("{}: the lane has no number", self.spelling)))
            }
            UnresolvedPlace::Arranged { lane, at } => match (path_resolve::resolve_moment(session, at), at) {
                (Ok(at), _) => Ok(ClipPlace::Timeline { lane: *lane, at }),
                (Err(e), _) if e.kind.ends_call() => return Err(e),
                (Err(e), Moment::Locator(_)) => Err(e),
                (Err(e), Moment::Position(_)) => Err(ToolError::about("path", format!("{}: {e}", self.spelling))),
            },
        })
    }
}

/// The place a path says; else why a clip cannot be made there, to follow the path.
fn place_of(path: Path) -> Result<UnresolvedPlace, String> {
    match path {
        Path::Slot { track, scene } => Ok(UnresolvedPlace::Slot { track, scene }),
        Path::Arrangement { lane: Some(lane), at } => Ok(UnresolvedPlace::Arranged { lane, at }),
        Path::Arrangement { lane: None, at } => Err(format!("names no track; write it as in t0[{at}]")),
        lane @ (Path::Track(path::TrackPath::Regular(_)) | Path::Lane { .. }) => Err(format!(
            "is a whole lane; write where on it the clip begins, as in {lane}[5|1], or a slot such as t0/s0"
        )),
        Path::NewLaneMoment { track, at } => Ok(UnresolvedPlace::NewLane { track, at }),
        lane @ Path::NewLane { .. } => {
            Err(format!("is a whole lane; write where on it the clip begins, as in {lane}[5|1]"))
        }
        Path::Track(_) => Err("holds no clips; they go to a regular track's slot (t0/s0) or lane (t0[5|1])".to_owned()),
        _ => {
            Err("is no place for a clip; clips go to a slot such as t0/s0, to t0[5|1] or a take lane t0/l0[5|1]"
                .to_owned())
        }
    }
}

/// The later place of the call, by its position, that a place is left to.
#[derive(Clone, Copy)]
pub enum LaterPlace {
    Same(usize),
    Covers(usize),
}

/// The next later place that is the same, or that covers all of this one's clip.
pub fn left_to(
    places: &[Result<ClipPlace, ToolError>],
    contents: &[Result<ClipContent, ToolError>],
    at: usize,
    tempo: f64,
) -> Option<LaterPlace> {
    let this = places.get(at)?.as_ref().ok()?;
    let span = |place: &ClipPlace, at: usize| match (place, contents.get(at)) {
        // How long the host makes an audio clip is seen only when it is there.
        (ClipPlace::Timeline { lane, at: start }, Some(Ok(content @ ClipContent::Midi { .. }))) => {
            Some((*lane, *start, start + content.length(tempo)))
        }
        _ => None,
    };
    let near = |a: Beats, b: Beats| (a - b).abs() <= SAME_POSITION_BEATS;
    places.iter().enumerate().skip(at.saturating_add(1)).find_map(|(by, other)| {
        let other = other.as_ref().ok()?;
        let same = match (this, other) {
            (ClipPlace::Timeline { lane, at: start }, ClipPlace::Timeline { lane: on, at }) => {
                lane == on && near(*start, *at)
            }
            _ => this == other,
        };
        if same {
            return Some(LaterPlace::Same(by));
        }
        let ((lane, start, end), (on, from, to)) = (span(this, at)?, span(other, by)?);
        let covered = lane == on && from <= start + SAME_POSITION_BEATS && end <= to + SAME_POSITION_BEATS;
        covered.then_some(LaterPlace::Covers(by))
    })
}
