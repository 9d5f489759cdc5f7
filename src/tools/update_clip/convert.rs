//! Making an instrument track of an audio clip: a Simpler with its sample, or a Drum Rack with a pad for each
//! transient.
//!
//! The files are read before the Set is at hand, by the clips that the call names as they are then.

use crate::files::audio::{probe_all, read_named};
use crate::files::onsets::{Onset, find_onsets};
use crate::files::read_budget::{ReadBudget, ReadLimits};
use crate::object_model::audio::AudioFiles;
use crate::object_model::{Capability, ModelError, ObjectId, Session, Value as Model};
use crate::tools::address::model_read::{self, flag, number, text};
use crate::tools::address::path_format;
use crate::tools::address::targets::{Target, TargetKind};
use crate::tools::error::ToolError;
use crate::tools::report::target_result::or_detail;
use crate::tools::request::RequestContext;
use crate::tools::timeline::place::{self, ClipPlace};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Pads that a Drum Rack gets at most, from C1 on.
const MAX_PADS: usize = 16;
const FIRST_PAD: i64 = 36;
/// A sound that begins this soon after the clip is the clip's first.
const FIRST_SECONDS: f64 = 0.03;
/// Simpler's mode in which a note plays the whole slice.
const ONE_SHOT: i64 = 1;

/// What is to be made, with what was read for it.
pub struct Conversion {
    way: Way,
    files: AudioFiles,
    /// By file; why there are none.
    onsets: BTreeMap<String, Result<Vec<Onset>, String>>,
}

enum Way {
    /// The host's own conversion to that.
    ByHost(String),
    Simpler,
    DrumRack,
}

/// Why an audio clip cannot be converted.
pub fn unsupported_reason(session: &dyn Session, clip: ObjectId) -> Result<Option<&'static str>, ModelError> {
    Ok(if flag(session, clip, "is_take_lane_clip")? {
        Some("is on a take lane")
    } else if flag(session, clip, "is_recording")? {
        Some("is being recorded")
    } else {
        None
    })
}

impl Conversion {
    /// Reads the files of the clips. Refused where the host can't do it at all.
    pub fn prepare(kind: &str, targets: &[Target], view: &RequestContext) -> Result<Conversion, ToolError> {
        let session = (view.at_rest.0)();
        let way = match (kind, session.capability(Capability::LiveEngine)) {
            (kind, Ok(())) => {
                let way = Way::ByHost(kind.to_owned());
                return Ok(Conversion { way, files: AudioFiles::default(), onsets: BTreeMap::new() });
            }
            ("simpler", _) => Way::Simpler,
            ("drum-rack", _) => Way::DrumRack,
            (other, Err(why)) => {
                return Err(ToolError::new(format!(
                    "convert {other} finds notes in sound, and {why}; simpler and drum-rack work here"
                )));
            }
        };
        let session = session.as_ref();
        let mut paths: Vec<String> = Vec::new();
        for target in targets {
            if let Ok(clip) = or_detail(target.find(session, TargetKind::Clip))?
                && flag(session, clip, "is_audio_clip")?
            {
                paths.push(text(session, clip, "file_path")?);
            }
        }
        paths.sort();
        paths.dedup();
        let sounds = if matches!(way, Way::DrumRack) { paths.clone() } else { Vec::new() };
        let is_over = || view.budget.is_over();
        let budget = ReadBudget::new(ReadLimits::CALL).until(&is_over);
        let folders = view.device.allowed_folders();
        let onsets = sounds.into_iter().map(|path| {
            let found = read_named(&path, &folders, || find_onsets(&path, &budget));
            (path, found)
        });
        Ok(Conversion { way, onsets: onsets.collect(), files: probe_all(paths, &folders, &is_over) })
    }

    /// Makes the track, and gives what the entry says of it.
    pub fn run(&self, session: &mut dyn Session, clip: ObjectId) -> Result<Value, ToolError> {
        if let Way::ByHost(to) = &self.way {
            let track = session.convert_audio(clip, to)?;
            return made_track(session, track);
        }
        let path = text(session, clip, "file_path")?;
        let (from, to) = frames(session, clip)?;
        let changed = || ToolError::new("the clip changed while its file was read; send convert again");
        self.files.get(&path).ok_or_else(changed)?.map_err(|why| ToolError::new(format!("its file: {why}")))?;
        let slices = match self.way {
            Way::Simpler | Way::ByHost(_) => vec![(from, to)],
            Way::DrumRack => {
                let onsets = self.onsets.get(&path).ok_or_else(changed)?.as_ref();
                let onsets = onsets.map_err(|why| ToolError::new(format!("its file: {why}")))?;
                slices(onsets, from, to, number(session, clip, "sample_rate")?)
            }
        };
        let at = match place::of_clip(session, clip)? {
            ClipPlace::Slot { track, .. } => track,
            ClipPlace::Timeline { lane, .. } => lane.track,
        };
        let name = text(session, clip, "name")?;
        session.know_files(self.files.clone());
        let song = model_read::song(session)?;
        let after = i64::try_from(at).unwrap_or(i64::MAX).saturating_add(1);
        let track = made(session.call(song, "create_midi_track", &[Model::Int(after)])?)?;
        if !name.is_empty() {
            session.set(track, "name", Model::Text(name))?;
        }
        match (&self.way, slices.as_slice()) {
            (Way::Simpler, [whole, ..]) => {
                load(session, track, &path, *whole)?;
            }
            _ => self.pads(session, track, &path, &slices)?,
        }
        made_track(session, track)
    }

    fn pads(
        &self,
        session: &mut dyn Session,
        track: ObjectId,
        path: &str,
        slices: &[(i64, i64)],
    ) -> Result<(), ToolError> {
        let rack = made(session.call(track, "insert_device", &["Drum Rack".into()])?)?;
        for (pad, slice) in (0..).zip(slices) {
            let chain = made(session.call(rack, "insert_chain", &[])?)?;
            session.set(chain, "in_note", Model::Int(FIRST_PAD + pad))?;
            session.set(chain, "name", Model::Text(format!("Slice {}", pad + 1)))?;
            let simpler = load(session, chain, path, *slice)?;
            session.set(simpler, "playback_mode", Model::Int(ONE_SHOT))?;
        }
        Ok(())
    }
}

/// What the entry says of the track that was made.
fn made_track(session: &dyn Session, track: ObjectId) -> Result<Value, ToolError> {
    Ok(json!({ "track": { "id": track.to_string(), "path": path_format::tool_path(session, track)? } }))
}

fn made(value: Model) -> Result<ObjectId, ToolError> {
    value.as_object().ok_or_else(|| ToolError::new("the host made nothing"))
}

/// A Simpler that plays a part of a file.
fn load(
    session: &mut dyn Session,
    container: ObjectId,
    path: &str,
    (from, to): (i64, i64),
) -> Result<ObjectId, ToolError> {
    let simpler = made(session.call(container, "insert_device", &["Simpler".into()])?)?;
    session.call(simpler, "replace_sample", &[path.into()])?;
    let sample =
        model_read::child(session, simpler, "sample")?.ok_or_else(|| ToolError::new("the Simpler took no sample"))?;
    session.set(sample, "end_marker", Model::Int(to))?;
    session.set(sample, "start_marker", Model::Int(from))?;
    Ok(simpler)
}

/// The frames of its file that a clip plays.
fn frames(session: &mut dyn Session, clip: ObjectId) -> Result<(i64, i64), ToolError> {
    let (start, end) = (number(session, clip, "loop_start")?, number(session, clip, "loop_end")?);
    let frame_at = |session: &mut dyn Session, time: f64| -> Result<f64, ToolError> {
        if flag(session, clip, "warping")? {
            return Ok(session.call(clip, "beat_to_sample_time", &[time.into()])?.as_f64().unwrap_or_default());
        }
        Ok(time * number(session, clip, "sample_rate")?)
    };
    let last = number(session, clip, "sample_length")?;
    let from = frame_at(session, start)?.clamp(0.0, last).round() as i64;
    let to = frame_at(session, end)?.clamp(0.0, last).round() as i64;
    if from >= to {
        return Err(ToolError::new("nothing of its file lies in the clip's region"));
    }
    Ok((from, to))
}

/// Cuts a stretch of a file at the strongest beginnings in it.
fn slices(onsets: &[Onset], from: i64, to: i64, rate: f64) -> Vec<(i64, i64)> {
    let near = (FIRST_SECONDS * rate) as i64;
    let place = |onset: &Onset| i64::try_from(onset.frame).unwrap_or(i64::MAX);
    let mut inside: Vec<&Onset> =
        onsets.iter().filter(|onset| place(onset) > from + near && place(onset) < to - near).collect();
    inside.sort_by(|a, b| b.strength.total_cmp(&a.strength));
    inside.truncate(MAX_PADS - 1);
    let mut starts: Vec<i64> = inside.into_iter().map(place).chain([from]).collect();
    starts.sort_unstable();
    let ends = starts.iter().skip(1).copied().chain([to]);
    starts.iter().copied().zip(ends).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_strongest_beginnings_make_the_slices() {
        let onset = |frame, strength| Onset { frame, strength };
        let some = [onset(10, 9.0), onset(2_000, 1.0), onset(3_000, 2.0), onset(7_990, 9.0), onset(9_000, 9.0)];
        assert_eq!(slices(&some, 0, 8_000, 1_000.0), [(0, 2_000), (2_000, 3_000), (3_000, 8_000)]);
        assert_eq!(slices(&[], 5, 8_000, 1_000.0), [(5, 8_000)]);
        let many: Vec<Onset> = (1..=40).map(|n| onset(n * 100, n as f64)).collect();
        let cut = slices(&many, 0, 5_000, 1_000.0);
        assert_eq!((cut.len(), cut[0], cut[1].0), (MAX_PADS, (0, 2_600), 2_600));
    }
}
