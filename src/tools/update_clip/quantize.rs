//! Quantizing the notes of a clip.

use crate::music::pitch;
use crate::object_model::{ObjectId, Session, Value as Model};
use crate::tools::arguments::values;
use crate::tools::error::ToolError;
use crate::tools::report::target_result::add_detail;
use crate::tools::report::write_log::WriteLog;
use serde_json::json;

/// Words for a grid; the second half are other names for some of the first.
pub const GRIDS: &[&str] = &[
    "1/4",
    "1/8",
    "1/8T",
    "1/8+1/8T",
    "1/16",
    "1/16T",
    "1/16+1/16T",
    "1/32",
    "n/4",
    "n/8",
    "n/12",
    "n/16",
    "n/24",
    "n/32",
];

/// Notes brought nearer to a grid.
#[derive(Debug)]
pub struct Quantize {
    /// A number of Live's `midi_recording_quantization`.
    grid: i64,
    strength: f64,
    /// Only notes of this pitch, one for each target.
    pitches: Option<Vec<u8>>,
}

impl Quantize {
    /// Reads the three parameters; `count` is the number of targets.
    pub fn read(
        strength: Option<f64>,
        grid: Option<&str>,
        pitches: Option<&String>,
        count: usize,
    ) -> Result<Option<Quantize>, ToolError> {
        let pitches = values::spread("quantizePitch", pitches, count)?
            .map(|values| (0..count).map(|at| pitch::parse(values.at(at))).collect::<Result<Vec<u8>, _>>())
            .transpose()
            .map_err(|e| ToolError::about("quantizePitch", e))?;
        if strength.is_none() && grid.is_none() {
            return match pitches {
                Some(_) => Err(ToolError::new("quantizePitch says which notes; send quantize or quantizeGrid with it")),
                None => Ok(None),
            };
        }
        let grid = match grid.unwrap_or("1/16") {
            "1/4" | "n/4" => 1,
            "1/8" | "n/8" => 2,
            "1/8T" | "n/12" => 3,
            "1/8+1/8T" => 4,
            "1/16T" | "n/24" => 6,
            "1/16+1/16T" => 7,
            "1/32" | "n/32" => 8,
            _ => 5,
        };
        Ok(Some(Quantize { grid, strength: strength.unwrap_or(1.0), pitches }))
    }

    /// Quantizes a clip; `at` is the position of its target in the call.
    pub fn run(
        &self,
        session: &mut dyn Session,
        clip: ObjectId,
        at: usize,
        log: &mut WriteLog,
    ) -> Result<(), ToolError> {
        let before = session.notes(clip)?;
        let (grid, strength) = (Model::Int(self.grid), Model::Float(self.strength));
        let done = match self.pitches.as_ref().and_then(|pitches| pitches.get(at)) {
            Some(pitch) => session.call(clip, "quantize_pitch", &[Model::Int(i64::from(*pitch)), grid, strength]),
            None => session.call(clip, "quantize", &[grid, strength]),
        };
        done?;
        let after = session.notes(clip)?;
        let lost = before.len().saturating_sub(after.len());
        let mut before = before;
        let (mut moved, mut muted) = (0_usize, 0_usize);
        for note in &after {
            match before.iter().position(|other| other == note) {
                Some(at) => drop(before.swap_remove(at)),
                None if note.mute => muted += 1,
                None => moved += 1,
            }
        }
        if moved + muted + lost == 0 {
            log.record_unchanged("quantize moved no note");
            return Ok(());
        }
        log.record("quantize", Ok::<_, ToolError>(()))?;
        log.entry.insert("quantized".to_owned(), json!(moved));
        match lost {
            0 => {}
            1 => add_detail(&mut log.entry, "1 note was left out: another of its pitch came to the same place"),
            many => add_detail(
                &mut log.entry,
                format!("{many} notes were left out: others of their pitch came to the same places"),
            ),
        }
        add_muted_detail(muted, "moved too", log);
        Ok(())
    }
}

/// Says how many muted notes a step acted on too, as reads do not show them.
pub fn add_muted_detail(count: usize, what: &str, log: &mut WriteLog) {
    match count {
        0 => {}
        1 => add_detail(&mut log.entry, format!("1 muted note {what}")),
        many => add_detail(&mut log.entry, format!("{many} muted notes {what}")),
    }
}
