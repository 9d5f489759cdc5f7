//! Where clips go: the places as the caller wrote them, and what they come down to in the Set.

use crate::object_model::Session;
use crate::tools::address::path::{self, LanePath, Moment, Path};
use crate::tools::address::path_resolve;
use crate::tools::address::targets;
use crate::tools::arguments::lists;
use crate::tools::error::ToolError;
use crate::tools::timeline::place::{ClipPlace, MAX_SCENES};

/// A place, letter for letter as it was sent, and what it says.
#[derive(Debug)]
pub struct Destination {
    pub spelling: String,
    place: Written,
}

/// A place as it was written: which moment it is depends on the Set.
#[derive(Debug)]
enum Written {
    Slot { track: usize, scene: usize },
    Arranged { lane: LanePath, at: Moment },
}

impl Destination {
    /// Reads the places of a call. The texts beside them are warnings of old spellings.
    pub fn read_all(list: &str) -> Result<(Vec<Destination>, Vec<String>), ToolError> {
        let mut warnings = Vec::new();
        let mut all = Vec::new();
        for spelling in lists::split_targets("path", list)? {
            let (path, warning) = targets::path_or_old("path", &spelling, targets::is_slot)?;
            warnings.extend(warning);
            let place = place(path).map_err(|why| ToolError::about("path", format!("{spelling} {why}")))?;
            all.push(Destination { spelling, place });
        }
        Ok((all, warnings))
    }

    /// The outer error is one of the call, the inner one of this place alone.
    pub fn find(&self, session: &dyn Session) -> Result<Result<ClipPlace, ToolError>, ToolError> {
        Ok(match &self.place {
            &Written::Slot { track, scene } => Ok(ClipPlace::Slot { track, scene }),
            Written::Arranged { lane, at } => match (path_resolve::resolve_moment(session, at), at) {
                (Ok(at), _) => Ok(ClipPlace::Timeline { lane: *lane, at }),
                (Err(e), Moment::Locator(_)) => Err(e),
                (Err(e), Moment::Position(_)) => {
                    return Err(ToolError::about("path", format!("{}: {e}", self.spelling)));
                }
            },
        })
    }
}

/// The place a path says; else why a clip cannot be made there, to follow the path.
fn place(path: Path) -> Result<Written, String> {
    match path {
        Path::Slot { scene, .. } if scene >= MAX_SCENES => {
            Err(format!("is past the last possible scene, s{}", MAX_SCENES - 1))
        }
        Path::Slot { track, scene } => Ok(Written::Slot { track, scene }),
        Path::Arrangement { lane: Some(lane), at } => Ok(Written::Arranged { lane, at }),
        Path::Arrangement { lane: None, at } => Err(format!("names no track; write it as in t0[{at}]")),
        lane @ (Path::Track(path::TrackPath::Regular(_)) | Path::Lane { .. }) => Err(format!(
            "is a whole lane; write where on it the clip begins, as in {lane}[5|1], or a slot such as t0/s0"
        )),
        Path::NewLane { track } => Err(format!(
            "is no place yet; a lane that is missing is made by its number, as in t{track}/l0[5|1], or by svc-update-track"
        )),
        Path::Track(_) => Err("holds no clips; they go to a regular track's slot (t0/s0) or lane (t0[5|1])".to_owned()),
        _ => {
            Err("is no place for a clip; clips go to a slot such as t0/s0, to t0[5|1] or a take lane t0/l0[5|1]"
                .to_owned())
        }
    }
}
