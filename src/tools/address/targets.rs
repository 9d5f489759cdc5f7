//! The targets of a call: `id` and `path` lists, added up, in call order.

use crate::object_model::class::class as class_table;
use crate::object_model::{ObjectId, Session};
use crate::tools::address::model_read;
use crate::tools::address::path::{DevicePath, LanePath, Path, Segment, TrackPath};
use crate::tools::address::path_format;
use crate::tools::address::path_parse;
use crate::tools::address::path_parse::parse_old;
use crate::tools::address::path_resolve::{self, Found};
use crate::tools::arguments::lists;
use crate::tools::error::ToolError;

/// One target as the caller named it.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// `id` or `path`.
    pub key: &'static str,
    /// Letter for letter as it was sent.
    pub spelling: String,
    pub named: Named,
    /// What to send instead of an old spelling.
    pub warning: Option<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Named {
    Id(ObjectId),
    Path(Path),
}

/// What kind of object a call acts on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    Track,
    /// A track or a take lane.
    Lane,
    /// A track, or a take lane that is there or to be made.
    LaneToMake,
    Scene,
    Clip,
    Device,
    /// A chain of a rack, return chains among them.
    Chain,
    DrumPad,
    /// A device, or a part of one: a chain, a return chain, a pad. Found by [`device_targets`](crate::tools::address::device_targets), as a pad
    /// may be no object.
    DevicePart,
}

impl Wanted {
    pub fn word(self) -> &'static str {
        match self {
            Wanted::Track => "track",
            Wanted::Lane | Wanted::LaneToMake => "track or take lane",
            Wanted::Scene => "scene",
            Wanted::Clip => "clip",
            Wanted::Device => "device",
            Wanted::Chain => "chain",
            Wanted::DrumPad => "drum pad",
            Wanted::DevicePart => "device, chain or pad",
        }
    }

    pub fn is(self, class: &str) -> bool {
        match self {
            Wanted::Track => class == "Track",
            Wanted::Lane | Wanted::LaneToMake => matches!(class, "Track" | "TakeLane"),
            Wanted::Scene => class == "Scene",
            Wanted::Clip => class == "Clip",
            // Every kind of device is a class of its own.
            Wanted::Device => class_table(class).is_some_and(|class| class.properties.get("class_name").is_some()),
            Wanted::Chain => matches!(class, "Chain" | "DrumChain"),
            Wanted::DrumPad => class == "DrumPad",
            Wanted::DevicePart => [Wanted::Device, Wanted::Chain, Wanted::DrumPad].iter().any(|part| part.is(class)),
        }
    }

    fn accepts(self, path: &Path) -> bool {
        match self {
            Wanted::Track => matches!(path, Path::Track(_)),
            Wanted::Lane => matches!(path, Path::Track(_) | Path::Lane { .. }),
            Wanted::LaneToMake => matches!(path, Path::Track(_) | Path::Lane { .. } | Path::NewLane { .. }),
            Wanted::Scene => matches!(path, Path::Scene(_)),
            Wanted::Clip => matches!(path, Path::Slot { .. } | Path::Arrangement { lane: Some(_), .. }),
            Wanted::Device => last_segment(path).is_some_and(Segment::is_device),
            Wanted::Chain => matches!(last_segment(path), Some(Segment::Chain(_) | Segment::ReturnChain(_))),
            Wanted::DrumPad => matches!(last_segment(path), Some(Segment::Pad(_) | Segment::CatchAll)),
            Wanted::DevicePart => {
                last_segment(path).is_some_and(|last| !matches!(last, Segment::NewDevice | Segment::NewChain))
            }
        }
    }

    fn shape(self) -> &'static str {
        match self {
            Wanted::Track => "t0, rt0 or mt",
            Wanted::Lane | Wanted::LaneToMake => "t0, rt0, mt or t0/l0",
            Wanted::Scene => "s0",
            Wanted::Clip => "t0/s0 or t0[5|1]",
            Wanted::Device => "t0/d0",
            Wanted::Chain => "t0/d0/c0 or t0/d0/pC1/c0",
            Wanted::DrumPad => "t0/d0/pC1",
            Wanted::DevicePart => "t0/d0, t0/d0/c0 or t0/d0/pC1",
        }
    }
}

/// Reads the target lists of a call that acts on objects of one kind. An entry that cannot be read, or that is written as
/// no such object ever is, refuses the call.
pub fn read(wanted: Wanted, id: Option<&String>, path: Option<&String>) -> Result<Vec<Target>, ToolError> {
    let targets = read_any(wanted, id, path)?;
    for target in &targets {
        if let Some(why) = target.misfit(wanted) {
            return Err(ToolError::new(format!("path: {why}")));
        }
    }
    Ok(targets)
}

/// An id as it was sent.
pub fn id_of(spelling: &str) -> Result<ObjectId, ToolError> {
    if path_parse::parse(spelling).is_ok() {
        return Err(ToolError::new(format!("id: \"{spelling}\" is a path; send it as path: \"{spelling}\"")));
    }
    spelling
        .parse()
        .map(ObjectId)
        .map_err(|_| ToolError::new(format!("id: \"{spelling}\" is no id; ids are the numbers that results carry")))
}

/// A path, or one as it was once written (`0/3`) where the tool `takes` such a one; the warning then shows the new spelling.
pub fn path_or_old(
    parameter: &str,
    spelling: &str,
    takes: impl Fn(&Path) -> bool,
) -> Result<(Path, Option<String>), ToolError> {
    if let Some(old) = parse_old(spelling).filter(takes) {
        let warning = format!("\"{spelling}\" is an old spelling; send {parameter}: \"{old}\" instead");
        return Ok((old, Some(warning)));
    }
    let path = path_parse::parse(spelling).map_err(|e| ToolError::new(format!("{parameter}: {e}")))?;
    Ok((path, None))
}

/// The one old spelling that every tool takes.
pub fn is_slot(path: &Path) -> bool {
    matches!(path, Path::Slot { .. })
}

/// As [`read`], but a path of another kind of object is a target like any other, which is then not found.
pub fn read_any(wanted: Wanted, id: Option<&String>, path: Option<&String>) -> Result<Vec<Target>, ToolError> {
    let mut targets = Vec::new();
    if let Some(list) = id.filter(|text| !text.trim().is_empty()) {
        for spelling in lists::targets("id", list)? {
            let id = id_of(&spelling)?;
            targets.push(Target { key: "id", spelling, named: Named::Id(id), warning: None });
        }
    }
    if let Some(list) = path.filter(|text| !text.trim().is_empty()) {
        for spelling in lists::targets("path", list)? {
            let (parsed, warning) = path_or_old("path", &spelling, |_| wanted == Wanted::Clip)?;
            targets.push(Target { key: "path", spelling, named: Named::Path(parsed), warning });
        }
    }
    if targets.is_empty() {
        return Err(ToolError::new(format!("name at least one {} by path ({}) or id", wanted.word(), wanted.shape())));
    }
    Ok(targets)
}

impl Target {
    /// Why this target can be no object of that kind, whatever the Set holds.
    pub fn misfit(&self, wanted: Wanted) -> Option<String> {
        match &self.named {
            Named::Path(Path::NewTrack | Path::NewReturn) => {
                Some(format!("{} is for a new track, which svc-create-track makes", self.spelling))
            }
            Named::Path(Path::NewScene) => {
                Some(format!("{} is for a new scene, which svc-create-scene makes", self.spelling))
            }
            Named::Path(Path::NewLane { .. }) if wanted != Wanted::LaneToMake => {
                Some(format!("{} is for a new take lane, which svc-update-track makes", self.spelling))
            }
            Named::Path(Path::Device(device)) if matches!(device.segments.last(), Some(Segment::NewDevice)) => {
                Some(format!("{} is a place for a new device, which svc-create-device makes", self.spelling))
            }
            Named::Path(Path::Device(device)) if matches!(device.segments.last(), Some(Segment::NewChain)) => Some(
                format!("{} is a place for a new chain; svc-create-device and svc-duplicate make those", self.spelling),
            ),
            Named::Path(Path::Track(_) | Path::Lane { .. } | Path::Arrangement { lane: None, .. })
                if wanted == Wanted::Clip =>
            {
                Some(format!("{} alone names many clips or none; a clip is written {}", self.spelling, wanted.shape()))
            }
            Named::Path(Path::Track(_)) if wanted == Wanted::DevicePart => Some(format!(
                "{0} is a track; a device on it is written {0}/d0, and svc-read-track with devices lists them",
                self.spelling
            )),
            Named::Path(path) if !wanted.accepts(path) => Some(format!(
                "{} names no {}; a {} is written {}",
                self.spelling,
                wanted.word(),
                wanted.word(),
                wanted.shape()
            )),
            _ => None,
        }
    }

    /// The object, or why there is none: a sentence for a `detail`.
    pub fn find(&self, session: &dyn Session, wanted: Wanted) -> Result<ObjectId, String> {
        self.find_told(session, wanted, &mut None)
    }

    /// As [`Target::find`]; puts a warning where the target was spelled as answers do not.
    pub fn find_told(
        &self,
        session: &dyn Session,
        wanted: Wanted,
        warning: &mut Option<String>,
    ) -> Result<ObjectId, String> {
        if let Some(why) = self.misfit(wanted) {
            return Err(why);
        }
        match &self.named {
            Named::Id(id) => match model_read::class(session, *id) {
                Some(class) if wanted.is(class) => Ok(*id),
                Some(class) => Err(format!("id {id} is a {}, not a {}", spoken(class), wanted.word())),
                None => Err(format!("no object has the id {id} (any more)")),
            },
            Named::Path(path) => {
                let found = match path {
                    Path::Track(track) => model_read::track(session, *track),
                    Path::Lane { track, lane } => {
                        path_resolve::lane(session, LanePath { track: *track, take_lane: Some(*lane) })
                    }
                    Path::Arrangement { lane: Some(lane), at } => path_resolve::clip_covering(session, *lane, at),
                    Path::Scene(at) => model_read::scene(session, *at),
                    &Path::Slot { track, scene } => model_read::slot(session, track, scene).and_then(|slot| {
                        model_read::child(session, slot, "clip")?
                            .ok_or_else(|| ToolError::new(empty_slot(session, track, scene)))
                    }),
                    Path::Device(device) => return self.find_device(session, device, wanted, warning),
                    other => Err(ToolError::new(format!("{other} names no {}", wanted.word()))),
                };
                found.map_err(|e| e.0)
            }
        }
    }
}

impl Target {
    fn find_device(
        &self,
        session: &dyn Session,
        path: &DevicePath,
        wanted: Wanted,
        warning: &mut Option<String>,
    ) -> Result<ObjectId, String> {
        let (found, told) = path_resolve::device(session, path).map_err(|e| e.0)?;
        if let Some(told) = told {
            warning.get_or_insert(told);
        }
        match found {
            Found::Object(id) => match model_read::class(session, id) {
                Some(class) if wanted.is(class) => Ok(id),
                class => {
                    Err(format!("{} is a {}, not a {}", self.spelling, spoken(class.unwrap_or("?")), wanted.word()))
                }
            },
            Found::Pad(chains) => Err(format!(
                "{} is no object of its own but {}, to be named one by one",
                self.spelling,
                chains
                    .iter()
                    .filter_map(|chain| path_format::tool_path(session, *chain))
                    .collect::<Vec<_>>()
                    .join(", ")
            )),
        }
    }
}

/// The last step of a device path.
fn last_segment(path: &Path) -> Option<Segment> {
    match path {
        Path::Device(device) => device.segments.last().copied(),
        _ => None,
    }
}

/// Why a slot gives no clip.
fn empty_slot(session: &dyn Session, track: usize, scene: usize) -> String {
    let is_group = model_read::track(session, TrackPath::Regular(track))
        .is_ok_and(|id| model_read::flag(session, id, "is_foldable"));
    if is_group {
        format!("t{track} is a group track and holds no clips")
    } else {
        format!("t{track}/s{scene} is empty")
    }
}

/// A class in the words of the tools.
pub fn spoken(class: &str) -> String {
    match class {
        "ClipSlot" => "clip slot".to_owned(),
        "DeviceParameter" => "parameter".to_owned(),
        "MixerDevice" => "mixer".to_owned(),
        "TakeLane" => "take lane".to_owned(),
        "CuePoint" => "locator".to_owned(),
        "DrumPad" => "drum pad".to_owned(),
        "DrumChain" => "chain".to_owned(),
        device if Wanted::Device.is(device) => "device".to_owned(),
        other => other.to_lowercase(),
    }
}
