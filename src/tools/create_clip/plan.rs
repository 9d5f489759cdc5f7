//! The call, read away from the Set: what is wrong with its texts is found here.

use super::content::{AudioContents, ClipContent, Contents, MidiContents};
use super::destination::Destination;
use super::{Args, Auto};
use crate::files::audio;
use crate::music::Meter;
use crate::notation::transforms::ClipKind;
use crate::tools::arguments::action_params::blank_detail;
use crate::tools::arguments::lists::{self, ValueList};
use crate::tools::arguments::one_or_each;
use crate::tools::arguments::values::Color;
use crate::tools::arguments::values::{self, unless_blank};
use crate::tools::clip::notes::NotesArgument;
use crate::tools::clip::source_tempo;
use crate::tools::clip::transforms::{RandomSeed, TextErrors, Transforms};
use crate::tools::error::ToolError;
use crate::tools::request::RequestContext;
use serde_json::Value;
use std::collections::HashMap;
use std::path::Path;

pub struct Plan {
    pub destinations: Vec<Destination>,
    pub names: Option<ValueList>,
    pub colors: Option<Vec<Color>>,
    pub meters: Option<Vec<Meter>>,
    pub transforms: Option<Transforms>,
    pub seed: RandomSeed,
    pub contents: Contents,
    pub auto: Option<Auto>,
    pub take_lane_name: Option<String>,
    /// Whole-call warnings.
    pub warnings: Vec<String>,
    /// Parameters that this kind of clip does not read.
    pub ignored: Vec<&'static str>,
    /// What every entry says of texts that are blank.
    pub blank: Option<String>,
}

impl Plan {
    pub fn read(args: Args, view: &RequestContext) -> Result<Plan, ToolError> {
        let Some(list) = unless_blank(args.path.as_ref()) else {
            return Err(ToolError::new("path says where: t0/s0 for a slot, t0[5|1] for the arrangement"));
        };
        let (destinations, mut warnings) = Destination::read_all(list)?;
        let count = destinations.len();
        let meters =
            values::each("timeSignature", args.time_signature.as_ref(), count, |t| values::meter("timeSignature", t))?;
        let seed = RandomSeed::new(args.seed);
        let blank = blank_detail(&[("transforms", args.transforms.as_ref())]);
        let mut faults = TextErrors::default();
        let transforms = faults.transforms("transforms", args.transforms.as_ref());
        let files = values::spread("sampleFile", args.sample_file.as_ref(), count)?;
        let clip_kind = if files.is_some() { ClipKind::Audio } else { ClipKind::Midi };
        faults.check(&transforms, clip_kind);
        let regions = [
            ("start", args.start.as_ref()),
            ("length", args.length.as_ref()),
            ("firstStart", args.first_start.as_ref()),
        ];
        let mut ignored = Vec::new();
        let sent_notes = args.notes.filter(|notes| files.is_none() || !is_blank(notes));
        let contents = if let Some(files) = files {
            if sent_notes.is_some() {
                return Err(ToolError::new("notes and sampleFile make two kinds of clip; send one of them"));
            }
            let mut files: Vec<String> = (0..count).map(|at| files.at(at).to_owned()).collect();
            if let Some(file) = files.iter().find(|file| !Path::new(file).is_absolute()) {
                return Err(ToolError::about(
                    "sampleFile",
                    format!("\"{file}\" is no absolute path, such as /folder/loop.wav"),
                ));
            }
            ignored.extend(regions.iter().filter(|(_, text)| text.is_some()).map(|(name, _)| *name));
            ignored.extend(args.looping.as_ref().map(|_| "looping"));
            let look = |files: &[String]| {
                audio::probe_all(files.iter().cloned(), &view.device.allowed_folders(), &|| view.budget.is_over())
            };
            let mut facts = look(&files);
            // A name may hold what is the escape of a comma in a list.
            let as_written = args.sample_file.clone().filter(|text| count == 1 && text.contains("\\,"));
            if let Some(file) = as_written.filter(|_| !files.iter().any(|file| matches!(facts.get(file), Some(Ok(_)))))
            {
                let literal = look(std::slice::from_ref(&file));
                if matches!(literal.get(&file), Some(Ok(_))) {
                    (files, facts) = (vec![file], literal);
                }
            }
            let values = args.audio.spread(count)?;
            let is_warped = |at| values.warping.as_ref().is_none_or(|warping| warping.at(at));
            // What is not warped goes at no tempo.
            let facts = match (0..count).any(is_warped) {
                true => source_tempo::with_tempo(facts, values.source_tempo),
                false => source_tempo::without_tempo(facts),
            };
            Contents::Audio(AudioContents { files, facts, values })
        } else {
            ignored.extend(args.audio.sent());
            let [starts, lengths, first_starts] = regions;
            let spread = |(name, text)| values::spread(name, text, count);
            let notes = sent_notes.map(|sent| NotesArgument::read_each(sent, view.notation, &seed, count));
            let notes = notes.transpose()?.unwrap_or_default();
            Contents::Midi(MidiContents {
                starts: spread(starts)?,
                lengths: spread(lengths)?,
                first_starts: spread(first_starts)?,
                looping: one_or_each::spread("looping", args.looping, count)?,
                notes,
                read: HashMap::new(),
            })
        };
        if let Some(warning) = seed.unused_warning().filter(|_| transforms.is_none() && !contents.has_notes()) {
            warnings.push(warning);
        }
        let mut plan = Plan {
            names: lists::spread("name", args.name.as_ref(), count)?,
            colors: values::colors(args.color.as_ref(), count)?,
            destinations,
            meters,
            transforms,
            seed,
            contents,
            auto: args.auto,
            take_lane_name: unless_blank(args.take_lane_name.as_ref()).cloned(),
            warnings,
            ignored,
            blank,
        };
        // Read while no one waits; the Set's meter may have changed by the time the Set is at hand, then it is read
        // again.
        plan.check_regions(view.song_meter)?;
        let meters = plan.meters.clone().unwrap_or_else(|| vec![view.song_meter]);
        let has_faults = faults.count() > 0;
        match plan.contents.notes() {
            // Notes that can be read are read below, with their regions.
            [one] if has_faults => faults.notes(one.argument(), one.unreadable(&meters)),
            [] | [_] => {}
            several => {
                for (at, notes) in several.iter().enumerate() {
                    faults.notes(notes.argument(), notes.unreadable(&[plan.meter_for(at, view.song_meter)]));
                }
            }
        }
        faults.refuse()?;
        let tried = (0..count).map(|at| plan.content(at, view.song_meter)).collect();
        refuse_if_all(tried)?;
        Ok(plan)
    }

    /// What goes to the place at that position.
    pub fn content(&mut self, at: usize, song_meter: Meter) -> Result<ClipContent, ToolError> {
        let meter = self.meter_for(at, song_meter);
        if let Some(transforms) = &self.transforms {
            transforms.check_in(meter, self.contents.clip_kind())?;
        }
        match &mut self.contents {
            Contents::Midi(midi) => midi.content(at, meter),
            Contents::Audio(audio) => audio.content(at, meter),
        }
    }

    /// Refuses the call for texts of regions that cannot be read.
    pub fn check_regions(&self, song_meter: Meter) -> Result<(), ToolError> {
        let Contents::Midi(midi) = &self.contents else { return Ok(()) };
        (0..self.destinations.len()).try_for_each(|at| midi.region(at, self.meter_for(at, song_meter)).map(drop))
    }

    /// What its clip will not play of the pickups that were written.
    pub fn unheard(&self, at: usize, content: &ClipContent) -> Vec<String> {
        let ClipContent::Midi { meter, parsed, start, first_start, .. } = content else { return Vec::new() };
        let first = first_start.filter(|_| self.loops(at)).unwrap_or(*start);
        parsed.pickup_warnings(first.min(*start), *meter)
    }

    /// Whether the clip at that position is asked to loop.
    pub fn loops(&self, at: usize) -> bool {
        self.looping(at) == Some(true)
    }

    /// What the call says of the looping of the clip at that position.
    pub fn looping(&self, at: usize) -> Option<bool> {
        let Contents::Midi(midi) = &self.contents else { return None };
        midi.looping.as_ref().map(|looping| looping.at(at))
    }

    /// The meter of the clip at that position.
    pub fn meter_for(&self, at: usize, song_meter: Meter) -> Meter {
        self.meters.as_ref().and_then(|meters| meters.get(at)).copied().unwrap_or(song_meter)
    }
}

/// What fits none of the clips is wrong with the call.
pub fn refuse_if_all<T>(results: Vec<Result<T, ToolError>>) -> Result<Vec<Result<T, ToolError>>, ToolError> {
    match results.iter().position(Result::is_ok) {
        Some(_) => Ok(results),
        None => results.into_iter().map(|one| one.map(Ok)).collect(),
    }
}

fn is_blank(notes: &Value) -> bool {
    match notes {
        Value::Array(items) => items.iter().all(is_blank),
        other => other.as_str().is_some_and(|text| text.trim().is_empty()),
    }
}
