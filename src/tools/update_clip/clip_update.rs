//! What is to be done to one clip, looked up before anything is written: what of the call is for it, where it goes,
//! where it is cut, and whether everything that is to be written can be.

use super::plan::{Cuts, Plan};
use super::region::RegionChange;
use super::{convert, envelopes};
use crate::music::LONGEST_CLIP_BEATS;
use crate::music::{Beats, Meter, SAME_POSITION_BEATS, duration, position};
use crate::notation::transforms::ClipKind;
use crate::object_model::{ModelError, ObjectId, Session};
use crate::tools::address::model_read::{self, flag, number};
use crate::tools::address::path_format::path_and_id;
use crate::tools::address::path_resolve;
use crate::tools::clip::audio_clip;
use crate::tools::clip::time;
use crate::tools::clip::transforms::{self, TextErrors};
use crate::tools::error::ToolError;
use crate::tools::timeline::area::{Area, ClipMove};
use crate::tools::timeline::lane;
use crate::tools::timeline::length::{self, PendingRegion};
use crate::tools::timeline::place::{self, ClipPlace};
use crate::tools::timeline::split::{self, Uncuttable};

const MIDI_ONLY: [&str; 6] = ["duplicateLoop", "notes", "preTransforms", "quantize", "quantizeGrid", "quantizePitch"];
const AUDIO_ONLY: [&str; 6] = ["gainDb", "pitchShift", "warpMode", "warping", "sourceTempo", "convert"];

/// What is to be done to a clip that can be written.
#[derive(Debug)]
pub struct ClipUpdate {
    pub clip: ObjectId,
    pub kind: ClipKind,
    /// The one it will have.
    pub meter: Meter,
    pub region: RegionChange,
    /// Where it goes.
    pub to: Option<ClipPlace>,
    /// How much of the timeline it is to cover.
    pub length: Option<Beats>,
    pub cuts: Vec<Beats>,
    /// Not so for clips that are never cut, which say so by themselves.
    pub takes_cuts: bool,
    pub draws_envelopes: bool,
    pub converts: bool,
    /// What of the call is not for it.
    pub details: Vec<String>,
    /// All that is asked of it is done already.
    pub needs_nothing: bool,
}

/// Why a clip cannot be written.
#[derive(Debug)]
pub struct ClipRefusal {
    pub error: ToolError,
    /// What was sent cannot be read in its meter; else it is not for this clip, or has nowhere to go.
    pub is_unreadable: bool,
}

impl From<ModelError> for ClipRefusal {
    fn from(error: ModelError) -> Self {
        ToolError::from(error).into()
    }
}

impl From<ToolError> for ClipRefusal {
    fn from(error: ToolError) -> Self {
        ClipRefusal { error, is_unreadable: false }
    }
}

/// The moments of the song where the call cuts; `None` where they depend on the clip.
pub fn song_cuts(plan: &Plan, session: &dyn Session) -> Result<Vec<Beats>, ToolError> {
    let Some(Cuts::Song(moments)) = &plan.cuts else { return Ok(Vec::new()) };
    let read = |at| path_resolve::resolve_moment(session, at).map_err(|e| ToolError::about("arrangementSplit", e));
    moments.iter().map(read).collect()
}

impl ClipUpdate {
    /// Looks at one clip; `at` is the position of its target in the call.
    pub fn look_up(
        plan: &Plan,
        session: &dyn Session,
        at: usize,
        clip: ObjectId,
        song_cuts: &[Beats],
    ) -> Result<ClipUpdate, ClipRefusal> {
        let unreadable = |error: ToolError| ClipRefusal { error, is_unreadable: true };
        let kind = transforms::clip_kind(session, clip)?;
        let own_meter = model_read::meter(session, clip)?;
        let meter = plan.meters.as_ref().and_then(|meters| meters.get(at)).copied().unwrap_or(own_meter);
        let to = match plan.destination(at) {
            Some(destination) => Some(destination.place_for(session, clip)?),
            None => None,
        };
        if let Some(to) = &to {
            to.check(session, clip)?;
        }
        let uncuttable = split::refusal(session, clip)?;
        let ignored = ignored(plan, session, clip, kind, to.as_ref(), uncuttable)?;
        let for_it = |parameter: &str| plan.asked.contains(&parameter) && !ignored.iter().any(|(p, _)| *p == parameter);
        let details = ignored_details(session, clip, &ignored)?;
        if ignored.len() == plan.asked.len() {
            return Err(ToolError::new(details.join("; ")).into());
        }
        check_texts(plan, kind, meter).map_err(unreadable)?;
        let mut region = RegionChange::read(plan, at, meter, kind == ClipKind::Audio).map_err(unreadable)?;
        region.follow_tempo(session, clip)?;
        region.check(session, clip)?;
        let length = match &plan.arrangement_lengths {
            Some(values) if for_it("arrangementLength") => {
                Some(song_length(session, values.at(at)).map_err(unreadable)?)
            }
            _ => None,
        };
        let cuts = if for_it("arrangementSplit") { cuts(plan, session, clip, meter, song_cuts)? } else { Vec::new() };
        let rest = plan.asked.iter().filter(|parameter| for_it(parameter));
        let needs_nothing = cuts.is_empty() && rest.clone().count() == 1 && for_it("arrangementSplit");
        let update = ClipUpdate {
            clip,
            kind,
            meter,
            region,
            to,
            length,
            takes_cuts: uncuttable.is_none(),
            cuts,
            draws_envelopes: for_it("envelopes"),
            converts: for_it("convert"),
            details,
            needs_nothing,
        };
        update.check_end(plan, session)?;
        Ok(update)
    }

    /// Refuses what would have it end past the timeline.
    fn check_end(&self, plan: &Plan, session: &dyn Session) -> Result<(), ToolError> {
        let placed = flag(session, self.clip, "is_arrangement_clip")?;
        let to = match &self.to {
            Some(to) => to.clone(),
            None if placed => place::of_clip(session, self.clip)?,
            None => return Ok(()),
        };
        if let Some(length) = self.length {
            return to.check_end(session, "arrangementLength", length);
        }
        let asked = match (self.region.length, &self.to) {
            (Some(_), _) => "length",
            (None, Some(_)) => "toPath",
            (None, None) if plan.duplicate_loop => "duplicateLoop",
            (None, None) if self.region.warping == Some(false) => "warping",
            (None, None) if self.region.looping == Some(false) => "looping",
            // It gets no longer.
            (None, None) => return Ok(()),
        };
        to.check_end(session, asked, self.coming_length(plan, session)?)
    }

    /// Something other than a length on the timeline may have it cover more of it, where it is.
    pub fn may_grow_in_place(&self, plan: &Plan) -> bool {
        let RegionChange { length, looping, warping, .. } = self.region;
        let unloops = looping == Some(false) || warping == Some(false);
        let doubles = plan.duplicate_loop && self.kind == ClipKind::Midi;
        self.to.is_none() && (length.is_some() || unloops || doubles)
    }

    /// Where it is and where it will be once the call moved or lengthened it.
    pub fn clip_move(&self, plan: &Plan, session: &dyn Session) -> Result<ClipMove, ToolError> {
        let from = Area::of_clip(session, self.clip)?;
        let to = match &self.to {
            Some(to) => to.clone(),
            None => place::of_clip(session, self.clip)?,
        };
        let length = match self.length {
            Some(length) => length,
            None => self.coming_length(plan, session)?,
        };
        let grows = match place::of_clip(session, self.clip)? {
            place @ ClipPlace::Timeline { .. } => Area::of(&place, self.growing_length(plan, session)?),
            slot @ ClipPlace::Slot { .. } => Area::of(&slot, length),
        };
        Ok(ClipMove { from, covers_before: grows, to: Area::of(&to, length), stays: false })
    }

    /// Notes that play may fall silent by it, as it gets another region or covers another length. A cut leaves each
    /// note in one of the pieces.
    pub fn changes_what_plays(&self) -> bool {
        let RegionChange { start, length, first_start, looping, .. } = self.region;
        let region = start.is_some() || length.is_some() || first_start.is_some() || looping.is_some();
        (region || self.length.is_some()) && self.cuts.is_empty()
    }

    /// How many copies of it fill the length that is asked for.
    pub fn tiles(&self, plan: &Plan, session: &dyn Session) -> Result<usize, ToolError> {
        let Some(length) = self.length else { return Ok(0) };
        length::count_tiles(session, self.clip, length, self.pending_region(plan))
    }

    fn pending_region(&self, plan: &Plan) -> PendingRegion {
        let RegionChange { looping, length: region, .. } = self.region;
        PendingRegion { looping, region, repeats: self.region.repeats(), doubled: plan.duplicate_loop }
    }

    /// What it will play before its loop once its region is written.
    fn coming_pre_roll(&self, session: &dyn Session) -> Result<Beats, ToolError> {
        match (self.region.start, self.region.first_start) {
            (None, None) => place::pre_roll(session, self.clip),
            (Some(_), None) => Ok(0.0),
            (start, Some(first)) => {
                let own = || time::timeline_beats(session, self.clip, number(session, self.clip, "loop_start")?);
                Ok((start.map_or_else(own, Ok)? - first).max(0.0))
            }
        }
    }

    /// How much of the timeline it covers at most where it is before it goes.
    pub fn growing_length(&self, plan: &Plan, session: &dyn Session) -> Result<Beats, ToolError> {
        let coming = self.coming_length(plan, session)?;
        let Some(most) = self.length else { return Ok(coming) };
        Ok(coming.min(most.max(place::clip_length(session, self.clip)?)))
    }

    /// How long it will be on the timeline once its region is written.
    pub fn coming_length(&self, plan: &Plan, session: &dyn Session) -> Result<Beats, ToolError> {
        let placed = flag(session, self.clip, "is_arrangement_clip")?;
        let loops = match self.region.looping {
            Some(looping) => looping,
            None => flag(session, self.clip, "looping")?,
        };
        let is = place::clip_length(session, self.clip)?;
        // The whole file plays, whatever region was sent along.
        if self.region.warping == Some(false) && self.region.looping != Some(true) {
            let tempo = number(session, model_read::song(session)?, "tempo")?;
            return Ok(audio_clip::file_seconds(session, self.clip)? * tempo / 60.0);
        }
        if placed && loops {
            return Ok(is);
        }
        let pre_roll = if placed || !loops { 0.0 } else { self.coming_pre_roll(session)? };
        Ok(self.pending_region(plan).loop_length(session, self.clip)? + pre_roll)
    }
}

/// What of the call is not for a clip, and why.
fn ignored(
    plan: &Plan,
    session: &dyn Session,
    clip: ObjectId,
    kind: ClipKind,
    to: Option<&ClipPlace>,
    uncuttable: Option<Uncuttable>,
) -> Result<Vec<(&'static str, &'static str)>, ToolError> {
    let mut ignored: Vec<(&'static str, &'static str)> = Vec::new();
    let mut ignore = |parameter: &'static str, why: &'static str| {
        if plan.asked.contains(&parameter) {
            ignored.push((parameter, why));
        }
    };
    match kind {
        ClipKind::Audio => MIDI_ONLY.iter().for_each(|parameter| ignore(parameter, "is audio")),
        ClipKind::Midi => AUDIO_ONLY.iter().for_each(|parameter| ignore(parameter, "is MIDI")),
    }
    match uncuttable {
        Some(Uncuttable::SessionClip) => ignore("arrangementSplit", "is a session clip"),
        Some(Uncuttable::OnTakeLane) => ignore("arrangementSplit", "is on a take lane"),
        None => {}
    }
    if let Some(why) = no_length(session, clip, to)? {
        ignore("arrangementLength", why);
    }
    let no_envelopes = match to {
        Some(ClipPlace::Timeline { .. }) => Some("goes to the timeline, where clips have no envelopes of their own"),
        Some(ClipPlace::Slot { .. }) => None,
        None => envelopes::unsupported_reason(session, clip)?,
    };
    if let Some(why) = no_envelopes {
        ignore("envelopes", why);
    }
    if kind == ClipKind::Audio
        && let Some(why) = convert::unsupported_reason(session, clip)?
    {
        ignore("convert", why);
    }
    Ok(ignored)
}

/// Why a clip that goes there takes no length on the timeline.
fn no_length(session: &dyn Session, clip: ObjectId, to: Option<&ClipPlace>) -> Result<Option<&'static str>, ToolError> {
    let on_take_lane = flag(session, clip, "is_take_lane_clip")?;
    Ok(match to {
        Some(ClipPlace::Slot { .. }) => Some("goes to a session slot"),
        Some(ClipPlace::Timeline { lane, .. }) => lane.take_lane.map(|_| "goes to a take lane"),
        None if on_take_lane => Some("is on a take lane"),
        None if lane::of_clip(session, clip)?.is_none() => Some("is a session clip"),
        None => None,
    })
}

/// Refuses transforms and notes that cannot be read in that meter.
fn check_texts(plan: &Plan, kind: ClipKind, meter: Meter) -> Result<(), ToolError> {
    let mut faults = TextErrors::default();
    for work in plan.note_work() {
        faults.check_in(work.transforms_for(kind), meter, kind);
    }
    faults.refuse()?;
    let notes = plan.note_work().into_iter().filter_map(|work| work.notes.as_ref());
    for notes in notes.filter(|_| kind == ClipKind::Midi) {
        notes.read(meter, &[])?;
    }
    Ok(())
}

/// `t4/s0 (id 50) is audio: notes, quantizeGrid ignored`, a sentence for each reason.
fn ignored_details(session: &dyn Session, clip: ObjectId, ignored: &[(&str, &str)]) -> Result<Vec<String>, ModelError> {
    let mut reasons: Vec<&str> = ignored.iter().map(|(_, why)| *why).collect();
    reasons.dedup();
    let one = |why: &&str| {
        let parameters = ignored.iter().filter(|(_, of)| of == why).map(|(parameter, _)| *parameter);
        Ok(format!("{} {why}: {} ignored", path_and_id(session, clip)?, parameters.collect::<Vec<_>>().join(", ")))
    };
    reasons.iter().map(one).collect()
}

fn song_length(session: &dyn Session, text: &str) -> Result<Beats, ToolError> {
    let meter = model_read::meter(session, model_read::song(session)?)?;
    let beats = duration::parse(text, meter).map_err(|e| ToolError::about("arrangementLength", e))?;
    if beats <= SAME_POSITION_BEATS {
        return Err(ToolError::about("arrangementLength", format!("{text} is no length in {meter}")));
    }
    if beats > LONGEST_CLIP_BEATS {
        return Err(ToolError::about(
            "arrangementLength",
            format!("\"{text}\" is {beats} quarter beats; a clip is at most {LONGEST_CLIP_BEATS}"),
        ));
    }
    Ok(beats)
}

fn cuts(
    plan: &Plan,
    session: &dyn Session,
    clip: ObjectId,
    meter: Meter,
    song_cuts: &[Beats],
) -> Result<Vec<Beats>, ToolError> {
    let Some(Cuts::OwnTime(texts)) = &plan.cuts else { return split::inside(session, clip, song_cuts) };
    let start = number(session, clip, "start_time")?;
    let read = |text: &String| {
        let at = position::parse(text, meter).map_err(|e| ToolError::about("split", e))?;
        Ok(start + at.beats)
    };
    let moments = texts.iter().map(read).collect::<Result<Vec<Beats>, ToolError>>()?;
    split::inside(session, clip, &moments)
}
