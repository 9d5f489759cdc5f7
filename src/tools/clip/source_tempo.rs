//! The tempo at which the file of an audio clip goes: what the file states, else what its name does, else the Set's. A
//! warped clip has it in its warp markers.

use crate::library::tempo_in_name;
use crate::object_model::audio::AudioFiles;
use crate::object_model::{Capability, ObjectId, Session, Value as Model};
use crate::tools::address::model_read::flag;
use crate::tools::clip::audio_clip::file_seconds;
use crate::tools::error::ToolError;
use serde_json::{Value, json};
use std::path::Path;

/// The tempos that can be asked for, in BPM.
pub const SLOWEST_SOURCE_BPM: f64 = 20.0;
pub const FASTEST_SOURCE_BPM: f64 = 999.0;

/// What the `sourceTempo` parameter does, for the tools that have it.
pub const SOURCE_TEMPO_ABOUT: &str = "audio: BPM of the file, else as it or its name says";

/// The same, of a clip that is there.
pub const SOURCE_TEMPO_SET: &str = "audio: BPM of the file; its part of the file stays";

/// Equal as far as anyone can tell.
const SAME_BPM: f64 = 0.005;

/// A warp marker: beats, and seconds of the file.
type Marker = (f64, f64);

/// The files with the tempo that is to count: `asked`, or where the file states none, that of its name.
pub fn with_tempo(files: AudioFiles, asked: Option<f64>) -> AudioFiles {
    files.map_facts(|path, mut facts| {
        let named = || tempo_in_name(Path::new(path), facts.seconds());
        facts.tempo_bpm = asked.or(facts.tempo_bpm).or_else(named);
        facts
    })
}

/// The files as if none of them went at a tempo of its own.
pub fn without_tempo(files: AudioFiles) -> AudioFiles {
    files.map_facts(|_, mut facts| {
        facts.tempo_bpm = None;
        facts
    })
}

/// The tempo of a warped clip's file; `None` where it goes at several, or the clip is not warped.
pub fn read(session: &dyn Session, clip: ObjectId) -> Result<Option<f64>, ToolError> {
    if !flag(session, clip, "warping")? {
        return Ok(None);
    }
    let seconds = file_seconds(session, clip)?;
    Ok(of_markers(&markers(session, clip)?, seconds))
}

fn markers(session: &dyn Session, clip: ObjectId) -> Result<Vec<Marker>, ToolError> {
    let Model::Struct(told) = session.get(clip, "warp_markers")? else { return Ok(Vec::new()) };
    let list = told.get("warp_markers").and_then(Value::as_array).into_iter().flatten();
    let field = |marker: &Value, name: &str| marker.get(name).and_then(Value::as_f64);
    Ok(list.filter_map(|marker| Some((field(marker, "beat_time")?, field(marker, "sample_time")?))).collect())
}

/// One tempo over all stretches that begin inside the file.
fn of_markers(markers: &[Marker], seconds: f64) -> Option<f64> {
    let stretches = markers.windows(2).filter_map(|pair| match pair {
        [a, b] if a.1 < seconds - 0.001 => Some((b.0 - a.0) / (b.1 - a.1) * 60.0),
        _ => None,
    });
    let tempos: Vec<f64> = stretches.collect();
    let first = tempos.first().copied()?;
    tempos.iter().all(|bpm| (bpm - first).abs() < SAME_BPM).then_some(first)
}

/// Takes the file to go at `bpm` from its first marker on. Gives by how much longer everything is in beats.
pub fn write(session: &mut dyn Session, clip: ObjectId, bpm: f64) -> Result<f64, ToolError> {
    let old = read(session, clip)?.ok_or_else(|| {
        ToolError::new("sourceTempo: the clip has warp markers that say how its file goes; they stay as they are")
    })?;
    if (old - bpm).abs() < SAME_BPM {
        return Ok(1.0);
    }
    session.capability(Capability::WarpMarkers)?;
    let seconds = file_seconds(session, clip)?;
    let all = markers(session, clip)?;
    // The last one is the host's own helper.
    let set = all.split_last().map_or(&[][..], |(_, set)| set);
    let Some(((first_beat, first_seconds), others)) = set.split_first() else { return Ok(1.0) };
    for (beat, _) in others {
        session.call(clip, "remove_warp_marker", &[(*beat).into()])?;
    }
    let end = first_beat + (seconds - first_seconds) * bpm / 60.0;
    let marker = Model::Struct(json!({ "beat_time": end, "sample_time": seconds }));
    session.call(clip, "add_warp_marker", &[marker])?;
    Ok(bpm / old)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_tempo_inside_the_file() {
        for (markers, seconds, bpm) in [
            (&[(0.0, 0.0), (1.0, 0.5)][..], 8.0, Some(120.0)),
            (&[(0.0, 0.0), (16.0, 8.0), (16.03125, 8.02)], 8.0, Some(120.0)),
            (&[(0.0, 0.0), (4.0, 2.0), (16.0, 9.0), (17.0, 10.0)], 12.0, None),
            (&[], 8.0, None),
        ] {
            let told = of_markers(markers, seconds);
            assert_eq!(told.map(f64::round), bpm, "{markers:?}");
        }
    }
}
