//! What is in a clip, worked out for the clip's meter before anything is written.

use crate::music::{Beats, Meter};
use crate::notation::Parsed;
use crate::notation::transforms::ClipKind;
use crate::object_model::audio::{AudioFacts, AudioFiles};
use crate::tools::arguments::lists::ValueList;
use crate::tools::arguments::one_or_each::Switch;
use crate::tools::clip::audio_clip::AudioValues;
use crate::tools::clip::notes::{NotesArgument, default_end};
use crate::tools::clip::region::{check_end, parse_length, parse_position};
use crate::tools::error::ToolError;
use std::collections::HashMap;
use std::sync::Arc;

/// What goes into the clips of a call, which are all of one kind.
pub enum Contents {
    Midi(MidiContents),
    Audio(AudioContents),
}

pub struct MidiContents {
    pub starts: Option<ValueList>,
    pub lengths: Option<ValueList>,
    pub first_starts: Option<ValueList>,
    pub looping: Option<Switch>,
    /// None, one for all places, or one for each.
    pub notes: Vec<NotesArgument>,
    /// Notes already read, or why they can't be, by their position and the meter they were read for.
    pub read: HashMap<(usize, Meter), Result<Arc<Parsed>, ToolError>>,
}

pub struct AudioContents {
    /// One for each destination.
    pub files: Vec<String>,
    pub facts: AudioFiles,
    pub values: AudioValues,
}

/// What goes into one clip.
#[derive(Clone, Debug)]
pub enum ClipContent {
    Midi { meter: Meter, parsed: Arc<Parsed>, start: Beats, end: Beats, first_start: Option<Beats> },
    Audio { meter: Meter, file: String, facts: AudioFacts },
}

impl Contents {
    pub fn notes(&self) -> &[NotesArgument] {
        match self {
            Contents::Midi(midi) => &midi.notes,
            Contents::Audio(_) => &[],
        }
    }

    pub fn has_notes(&self) -> bool {
        !self.notes().is_empty()
    }

    pub fn clip_kind(&self) -> ClipKind {
        match self {
            Contents::Midi(_) => ClipKind::Midi,
            Contents::Audio(_) => ClipKind::Audio,
        }
    }
}

/// The texts of a clip's region, read.
pub struct RegionTexts {
    start: Beats,
    length: Option<Beats>,
    first_start: Option<Beats>,
}

impl MidiContents {
    /// Reads the texts of the region of one clip.
    pub fn region(&self, at: usize, meter: Meter) -> Result<RegionTexts, ToolError> {
        let place = |name, values: &Option<ValueList>| {
            values.as_ref().map(|values| parse_position(name, values.at(at), meter)).transpose()
        };
        Ok(RegionTexts {
            start: place("start", &self.starts)?.unwrap_or(0.0),
            length: self.lengths.as_ref().map(|values| parse_length("length", values.at(at), meter)).transpose()?,
            first_start: place("firstStart", &self.first_starts)?,
        })
    }

    pub fn content(&mut self, at: usize, meter: Meter) -> Result<ClipContent, ToolError> {
        let RegionTexts { start, length, first_start } = self.region(at, meter)?;
        let parsed = self.notes_for(at, meter)?;
        let end = length.map_or_else(|| default_end(&parsed.notes, start, meter), |length| Ok(start + length))?;
        check_end(if length.is_some() { "length" } else { "start" }, end)?;
        if let Some(first) = first_start.filter(|_| self.looping.as_ref().is_some_and(|looping| looping.at(at)))
            && first >= end
        {
            return Err(ToolError::new("firstStart lies at or past the end of the region, from where it never plays"));
        }
        Ok(ClipContent::Midi { meter, parsed, start, end, first_start })
    }

    fn notes_for(&mut self, at: usize, meter: Meter) -> Result<Arc<Parsed>, ToolError> {
        let at = if self.notes.len() > 1 { at } else { 0 };
        if let Some(read) = self.read.get(&(at, meter)) {
            return read.clone();
        }
        let parsed = match self.notes.get(at) {
            Some(notes) => notes.read(meter, &[]).map(Arc::new),
            None => Ok(Arc::default()),
        };
        self.read.insert((at, meter), parsed.clone());
        parsed
    }
}

impl AudioContents {
    pub fn content(&self, at: usize, meter: Meter) -> Result<ClipContent, ToolError> {
        let file = self.files.get(at).cloned().unwrap_or_default();
        match self.facts.get(&file) {
            Some(Ok(facts)) => Ok(ClipContent::Audio { meter, file, facts }),
            Some(Err(why)) => Err(ToolError::about("sampleFile", format!("\"{file}\": {why}"))),
            None => Err(ToolError::about("sampleFile", format!("nothing is known of \"{file}\""))),
        }
    }
}

impl ClipContent {
    pub fn meter(&self) -> Meter {
        match self {
            ClipContent::Midi { meter, .. } | ClipContent::Audio { meter, .. } => *meter,
        }
    }

    /// How long it is on the timeline; of audio, as long as the host takes it at its own or the Set's
    /// tempo.
    pub fn length(&self, tempo_bpm: f64) -> Beats {
        match self {
            ClipContent::Midi { start, end, .. } => end - start,
            ClipContent::Audio { facts, .. } => facts.seconds() * facts.tempo_bpm.unwrap_or(tempo_bpm) / 60.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::music::Note;

    #[test]
    fn a_clip_ends_with_the_bar_of_its_last_note() {
        let notes = |starts: &[f64]| starts.iter().map(|start| Note::new(60, *start, 1.0)).collect::<Vec<_>>();
        let six = Meter::new(6, 8).unwrap();
        for (starts, start, meter, end) in [
            (vec![], 0.0, Meter::COMMON, 4.0),
            (vec![0.0], 0.0, Meter::COMMON, 4.0),
            (vec![3.99], 0.0, Meter::COMMON, 4.0),
            (vec![4.0], 0.0, Meter::COMMON, 8.0),
            (vec![0.0, 9.0], 0.0, Meter::COMMON, 12.0),
            (vec![-1.0], 0.0, Meter::COMMON, 4.0),
            (vec![], 2.0, Meter::COMMON, 6.0),
            (vec![1.0], 8.0, Meter::COMMON, 12.0),
            (vec![9.0], 2.0, Meter::COMMON, 12.0),
            (vec![0.0], -1.0, Meter::COMMON, 4.0),
            (vec![3.0], 0.0, six, 6.0),
        ] {
            assert_eq!(default_end(&notes(&starts), start, meter), Ok(end), "{starts:?} from {start}");
        }
    }
}
