//! What a call asks for, read before the Set is at hand: what cannot be read in any Set refuses it here.

use super::convert::Conversion;
use super::envelopes::{self, EnvelopeLine};
use super::quantize::Quantize;
use crate::music::Meter;
use crate::music::text::counted;
use crate::music::{duration, position};
use crate::tools::address::path::Moment;
use crate::tools::address::path_parse::moment_of;
use crate::tools::address::targets::{self, Target, TargetKind};
use crate::tools::arguments::action_params::blank_detail;
use crate::tools::arguments::lists::{self, ValueList};
use crate::tools::arguments::one_or_each::{self, Switch};
use crate::tools::arguments::values::Color;
use crate::tools::arguments::values::{self, unless_blank};
use crate::tools::clip::audio_clip::AudioValues;
use crate::tools::clip::notes::{NoteWork, NotesArgument};
use crate::tools::clip::transforms::{RandomSeed, TextErrors};
use crate::tools::error::ToolError;
use crate::tools::report::target_result::or_detail;
use crate::tools::request::RequestContext;
use crate::tools::timeline::place::Destination;
use crate::tools::timeline::split::MAX_CUTS;
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Args {
    id: Option<String>,
    path: Option<String>,
    name: Option<String>,
    color: Option<String>,
    time_signature: Option<String>,
    start: Option<String>,
    length: Option<String>,
    looping: Option<Switch>,
    duplicate_loop: Option<bool>,
    first_start: Option<String>,
    to_path: Option<String>,
    arrangement_length: Option<String>,
    arrangement_split: Option<String>,
    split: Option<String>,
    #[serde(flatten)]
    audio: AudioValues,
    notes: Option<Value>,
    pre_transforms: Option<String>,
    transforms: Option<String>,
    quantize: Option<f64>,
    quantize_grid: Option<String>,
    quantize_pitch: Option<String>,
    envelopes: Option<String>,
    convert: Option<String>,
    seed: Option<i64>,
}

impl Args {
    /// Every parameter that was sent and says something.
    fn asked(&self) -> Vec<&'static str> {
        let says = |text: &Option<String>| unless_blank(text.as_ref()).is_some();
        let sent = [
            ("name", self.name.is_some()),
            ("color", self.color.is_some()),
            ("timeSignature", self.time_signature.is_some()),
            ("start", self.start.is_some()),
            ("length", self.length.is_some()),
            ("looping", self.looping.is_some()),
            ("duplicateLoop", self.duplicate_loop == Some(true)),
            ("firstStart", self.first_start.is_some()),
            ("toPath", says(&self.to_path)),
            ("arrangementLength", says(&self.arrangement_length)),
            ("arrangementSplit", says(&self.arrangement_split) || says(&self.split)),
            ("notes", self.notes.is_some()),
            ("preTransforms", says(&self.pre_transforms)),
            ("transforms", says(&self.transforms)),
            ("quantize", self.quantize.is_some()),
            ("quantizeGrid", self.quantize_grid.is_some()),
            ("quantizePitch", self.quantize_pitch.is_some()),
            ("envelopes", says(&self.envelopes)),
            ("convert", self.convert.is_some()),
        ];
        let sent = sent.into_iter().filter(|(_, sent)| *sent).map(|(name, _)| name);
        sent.chain(self.audio.sent()).collect()
    }
}

/// Where to cut.
#[derive(Debug)]
pub enum Cuts {
    /// Moments of the song.
    Song(Vec<Moment>),
    /// The old spelling: bar|beat from each clip's own beginning, in its meter.
    OwnTime(Vec<String>),
}

/// What to do, and to which clips.
pub struct Plan {
    pub targets: Vec<Target>,
    /// Every parameter that was sent and says something.
    pub asked: Vec<&'static str>,
    pub names: Option<ValueList>,
    pub colors: Option<Vec<Color>>,
    pub meters: Option<Vec<Meter>>,
    pub starts: Option<ValueList>,
    pub lengths: Option<ValueList>,
    pub looping: Option<Switch>,
    pub duplicate_loop: bool,
    pub first_starts: Option<ValueList>,
    pub destinations: Vec<Destination>,
    pub arrangement_lengths: Option<ValueList>,
    pub cuts: Option<Cuts>,
    pub audio: AudioValues,
    /// On the notes as they are before the loop is doubled; all of it when it is not.
    pub first_notes: NoteWork,
    /// On the notes of the doubled loop.
    pub later_notes: NoteWork,
    pub quantize: Option<Quantize>,
    pub envelopes: Vec<EnvelopeLine>,
    pub convert: Option<Conversion>,
    pub seed: RandomSeed,
    /// What every entry says of texts that are blank.
    pub blank: Option<String>,
}

/// A list over the targets, each of which can be read in some meter.
fn timed(
    parameter: &str,
    text: Option<&String>,
    count: usize,
    read: impl Fn(&str) -> Result<(), String>,
) -> Result<Option<ValueList>, ToolError> {
    let Some(values) = values::spread(parameter, text, count)? else { return Ok(None) };
    for at in 0..count {
        read(values.at(at)).map_err(|why| ToolError::about(parameter, why))?;
    }
    Ok(Some(values))
}

fn a_position(text: &str) -> Result<(), String> {
    position::parse(text, Meter::COMMON).map(drop).map_err(|e| e.to_string())
}

fn a_duration(text: &str) -> Result<(), String> {
    duration::parse(text, Meter::COMMON).map(drop).map_err(|e| e.to_string())
}

impl Plan {
    pub fn read(args: Args, view: &RequestContext) -> Result<Plan, ToolError> {
        let targets = targets::read(TargetKind::Clip, args.id.as_ref(), args.path.as_ref())?;
        let count = targets.len();
        let seed = RandomSeed::new(args.seed);
        let duplicate_loop = args.duplicate_loop.unwrap_or(false);
        let asked = args.asked();
        let has = |name: &str| asked.contains(&name);
        if asked.is_empty() {
            return Err(ToolError::nothing_to_write("name, notes, toPath or any other parameter beside the clips"));
        }
        refuse_together(has)?;
        let blank = blank_detail(&[
            ("toPath", args.to_path.as_ref()),
            ("arrangementLength", args.arrangement_length.as_ref()),
            ("arrangementSplit", args.arrangement_split.as_ref()),
            ("preTransforms", args.pre_transforms.as_ref()),
            ("transforms", args.transforms.as_ref()),
            ("envelopes", args.envelopes.as_ref()),
        ]);
        let destinations = match unless_blank(args.to_path.as_ref()) {
            Some(text) => destinations(text, count)?,
            None => Vec::new(),
        };
        let quantize =
            Quantize::read(args.quantize, args.quantize_grid.as_deref(), args.quantize_pitch.as_ref(), count)?;
        let notes = args.notes.map(|sent| NotesArgument::new(sent, view.notation, seed.clone()));
        let mut faults = TextErrors::default();
        let before = faults.transforms("preTransforms", args.pre_transforms.as_ref());
        let after = faults.transforms("transforms", args.transforms.as_ref());
        let (first_notes, later_notes) = if duplicate_loop {
            (NoteWork { before, notes: None, after: None }, NoteWork { before: None, notes, after })
        } else {
            (NoteWork { before, notes, after }, NoteWork { before: None, notes: None, after: None })
        };
        refuse_texts(faults, [&first_notes, &later_notes], &targets, view)?;
        Ok(Plan {
            names: lists::spread("name", args.name.as_ref(), count)?,
            colors: values::colors(args.color.as_ref(), count)?,
            meters: values::each("timeSignature", args.time_signature.as_ref(), count, |text| {
                values::meter("timeSignature", text)
            })?,
            starts: timed("start", args.start.as_ref(), count, a_position)?,
            lengths: timed("length", args.length.as_ref(), count, a_duration)?,
            looping: one_or_each::spread("looping", args.looping, count)?,
            duplicate_loop,
            first_starts: timed("firstStart", args.first_start.as_ref(), count, a_position)?,
            destinations,
            arrangement_lengths: timed(
                "arrangementLength",
                unless_blank(args.arrangement_length.as_ref()),
                count,
                a_duration,
            )?,
            cuts: cuts(unless_blank(args.arrangement_split.as_ref()), unless_blank(args.split.as_ref()))?,
            audio: args.audio.spread(count)?,
            first_notes,
            later_notes,
            quantize,
            envelopes: unless_blank(args.envelopes.as_deref()).map(envelopes::read).transpose()?.unwrap_or_default(),
            convert: args.convert.map(|kind| Conversion::prepare(&kind, &targets, view)).transpose()?,
            seed,
            blank,
            targets,
            asked,
        })
    }

    /// The notes are written, or worked on.
    pub fn has_note_work(&self) -> bool {
        !(self.first_notes.is_empty() && self.later_notes.is_empty())
    }

    pub fn note_work(&self) -> [&NoteWork; 2] {
        [&self.first_notes, &self.later_notes]
    }

    /// Where the clip at that place in the call goes.
    pub fn destination(&self, at: usize) -> Option<&Destination> {
        match self.destinations.as_slice() {
            [one] => Some(one),
            several => several.get(at),
        }
    }
}

/// Refuses texts that cannot be read; what is wrong for the kind of clip that the call is about is reported along with
/// it.
fn refuse_texts(
    mut faults: TextErrors,
    work: [&NoteWork; 2],
    targets: &[Target],
    view: &RequestContext,
) -> Result<(), ToolError> {
    let unreadable = work.iter().find_map(|work| work.unreadable(view.song_meter));
    if faults.count() == 0 && unreadable.is_none() {
        return Ok(());
    }
    let session = (view.at_rest.0)();
    let clips = targets.iter().map(|target| or_detail(target.find(session.as_ref(), TargetKind::Clip)));
    let clips = clips.collect::<Result<Vec<_>, _>>()?.into_iter().flatten();
    faults.check_for(session.as_ref(), clips, &work)?;
    faults.notes("notes".into(), unreadable);
    faults.refuse()
}

/// What one call cannot do together.
fn refuse_together(has: impl Fn(&str) -> bool) -> Result<(), ToolError> {
    let refuse = |text: &str| Err(ToolError::new(text));
    if has("duplicateLoop") && (has("start") || has("length")) {
        return refuse("duplicateLoop comes alone, without start and length: set the region first, in another call");
    }
    if has("arrangementSplit") && (has("toPath") || has("arrangementLength")) {
        return refuse("arrangementSplit comes without toPath and arrangementLength: move or lengthen in another call");
    }
    if has("convert") && (has("toPath") || has("arrangementSplit")) {
        return refuse("convert comes without toPath and arrangementSplit: move or cut the clip in another call");
    }
    Ok(())
}

/// One place for each clip; one that leaves the time or the lane to each clip serves all.
fn destinations(text: &str, count: usize) -> Result<Vec<Destination>, ToolError> {
    let list = Destination::read_list("toPath", text)?;
    match list.as_slice() {
        [one] if count > 1 && one.is_whole() => Err(ToolError::about(
            "toPath",
            format!(
                "{} is one place for {count} clips; name one for each, or one that they can share: [5|1] (each keeps its \
             lane) or t2 (each keeps its time)",
                one.spelling
            ),
        )),
        [_] => Ok(list),
        several if several.len() != count => Err(ToolError::new(format!(
            "toPath names {} for {}; name one for each clip, in their order",
            counted(several.len(), "place"),
            counted(count, "clip")
        ))),
        _ => Ok(list),
    }
}

fn cuts(song: Option<&String>, own: Option<&String>) -> Result<Option<Cuts>, ToolError> {
    let (parameter, text) = match (song, own) {
        (Some(_), Some(_)) => {
            return Err(ToolError::new("arrangementSplit already says it; leave out \"split\" (deprecated)"));
        }
        (Some(text), None) => ("arrangementSplit", text),
        (None, Some(text)) => ("split", text),
        (None, None) => return Ok(None),
    };
    let items = lists::split_targets(parameter, text)?;
    if items.len() > MAX_CUTS {
        return Err(ToolError::about(
            parameter,
            format!("{} positions; one call cuts at {MAX_CUTS} at most", items.len()),
        ));
    }
    let bad = |why: String| ToolError::about(parameter, why);
    if own.is_some() {
        items.iter().try_for_each(|item| a_position(item).map_err(bad))?;
        return Ok(Some(Cuts::OwnTime(items)));
    }
    let moments = items.iter().map(|item| moment_of(item).map_err(bad)).collect::<Result<_, _>>()?;
    Ok(Some(Cuts::Song(moments)))
}
