//! The region of a clip that sounds: markers while it does not loop, the loop while it does.
//!
//! Switching `looping` carries what sounds over to the other pair, so that a read before and after agree. A new start
//! alone moves the region; a new length alone moves its end.

use super::plan::Plan;
use crate::music::{Beats, Meter, SAME_POSITION_BEATS, duration, position};
use crate::object_model::{ObjectId, Session};
use crate::tools::address::model_read::{self, flag, number};
use crate::tools::arguments::lists::ValueList;
use crate::tools::arguments::one_or_each::Switch;
use crate::tools::clip::audio_clip;
use crate::tools::clip::region;
use crate::tools::clip::source_tempo;
use crate::tools::clip::time::{self, own_units_per_beat};
use crate::tools::error::ToolError;
use crate::tools::report::target_result::add_detail;
use crate::tools::report::write_log::WriteLog;
use crate::tools::timeline::lane::{self, ClipSpan};
use crate::tools::timeline::lane_changes::{LaneBefore, LaneChanges};
use serde_json::{Map, Value};

/// How far behind a first start past the loop's end the end marker is put: it has to lie behind it.
const MARKER_ROOM_BEATS: Beats = 1.0;

/// What one call asks of one clip's region, in quarter beats.
#[derive(Clone, Copy, Debug, Default)]
pub struct RegionChange {
    pub start: Option<Beats>,
    pub length: Option<Beats>,
    pub first_start: Option<Beats>,
    pub looping: Option<bool>,
    /// The file is to be played as it is (`true`), or warped.
    pub warping: Option<bool>,
    /// The tempo at which the file is to be taken to go, in BPM.
    pub source_tempo: Option<f64>,
    /// `start` and `length` follow from it: nobody asked for them.
    follows_tempo: bool,
}

impl RegionChange {
    /// Reads what is asked of the clip at that place in the call, in its meter.
    pub fn read(plan: &Plan, at: usize, meter: Meter, is_audio: bool) -> Result<RegionChange, ToolError> {
        let text = |values: &Option<ValueList>| values.as_ref().map(|v| v.at(at).to_owned());
        let at_position = |parameter: &str, text: Option<String>| {
            text.map(|text| region::parse_position(parameter, &text, meter)).transpose()
        };
        let switch = |of: &Option<Switch>| of.as_ref().map(|switch| switch.at(at));
        let length = text(&plan.lengths).map(|text| region::parse_length("length", &text, meter));
        Ok(RegionChange {
            start: at_position("start", text(&plan.starts))?,
            length: length.transpose()?,
            first_start: at_position("firstStart", text(&plan.first_starts))?,
            looping: switch(&plan.looping),
            warping: switch(&plan.audio.warping).filter(|_| is_audio),
            source_tempo: plan.audio.source_tempo.filter(|_| is_audio),
            follows_tempo: false,
        })
    }

    /// Has the region go on holding the same of the file where its tempo changes and no other region is asked for.
    pub fn follow_tempo(&mut self, session: &dyn Session, clip: ObjectId) -> Result<(), ToolError> {
        let Some(bpm) = self.source_tempo.filter(|_| self.start.is_none() && self.length.is_none()) else {
            return Ok(());
        };
        let Some(old) = source_tempo::read(session, clip)?.filter(|_| self.warping != Some(false)) else {
            return Ok(());
        };
        let (start, end) = (number(session, clip, "loop_start")?, number(session, clip, "loop_end")?);
        self.start = Some(start * bpm / old);
        self.length = Some((end - start) * bpm / old);
        self.follows_tempo = true;
        Ok(())
    }

    /// Refuses what no clip's region can be, before anything is written.
    pub fn check(&self, session: &dyn Session, clip: ObjectId) -> Result<(), ToolError> {
        if let Some(first) = self.first_start {
            region::check_end("firstStart", first + MARKER_ROOM_BEATS)?;
        }
        if self.start.is_none() && self.length.is_none() {
            return Ok(());
        }
        let unit = own_units_per_beat(session, clip)?;
        let old = |member| number(session, clip, member).map(|time| time / unit);
        let start = self.start.map_or_else(|| old("loop_start"), Ok)?;
        let length = match self.length {
            Some(length) => length,
            None => old("loop_end")? - old("loop_start")?,
        };
        region::check_end(if self.length.is_some() { "length" } else { "start" }, start + length)
    }

    /// The call says what the region is, so that a longer stretch of the timeline is filled with that.
    pub fn repeats(&self) -> bool {
        self.length.is_some() && !self.follows_tempo
    }

    fn is_empty(&self) -> bool {
        let RegionChange { start, length, first_start, looping, warping, source_tempo, .. } = self;
        let has_tempo = warping.is_some() || source_tempo.is_some();
        start.is_none() && length.is_none() && first_start.is_none() && looping.is_none() && !has_tempo
    }

    /// Writes the region, and notes what that did to clips behind it on the timeline. What became of it is said when
    /// the clip is where and as long as it will be. One that is to cover no more than `most` of the timeline does not
    /// grow past that on the way.
    pub fn write(
        mut self,
        session: &mut dyn Session,
        clip: ObjectId,
        (meter, most): (Meter, Option<Beats>),
        lanes: &mut LaneChanges,
        log: &mut WriteLog,
    ) -> Result<RegionWritten, ToolError> {
        if self.is_empty() {
            return Ok(RegionWritten::default());
        }
        let lane = lane::of_clip(session, clip)?;
        let placed = lane.map(|_| ClipSpan::read(session, clip)).transpose()?;
        // The farthest that it could reach by this call.
        let before = match (lane, placed) {
            (Some(lane), Some(placed)) => {
                let reach = self.reach(session, clip, placed)?;
                Some(LaneBefore::read(session, lane, placed.end, reach)?)
            }
            _ => None,
        };
        let most = most.filter(|_| placed.is_some());
        self.settle_warping(session, clip, most, log)?;
        self.write_source_tempo(session, clip, log)?;
        self.write_pairs(session, clip, (meter, most), log)?;
        if let Some(before) = before {
            lanes.record(session, &before, &[clip])?;
        }
        let covered = placed.filter(|_| self.length.is_none()).map(|placed| placed.end - placed.start);
        let asked = if self.follows_tempo { (None, None) } else { (self.start, self.length) };
        Ok(RegionWritten { start: asked.0, length: asked.1, covered })
    }

    fn reach(&self, session: &dyn Session, clip: ObjectId, placed: ClipSpan) -> Result<Beats, ToolError> {
        let own_length = number(session, clip, "loop_end")? - number(session, clip, "loop_start")?;
        let mut most = own_length / own_units_per_beat(session, clip)?;
        most = most.max(self.length.unwrap_or_default());
        if flag(session, clip, "is_audio_clip")? {
            let tempo = number(session, model_read::song(session)?, "tempo")?;
            most = most.max(audio_clip::file_seconds(session, clip)? * tempo / 60.0);
        }
        Ok(placed.end.max(placed.start + most))
    }

    /// Warping off means the whole file, unlooped; a clip that is to loop is warped.
    fn settle_warping(
        &mut self,
        session: &mut dyn Session,
        clip: ObjectId,
        most: Option<Beats>,
        log: &mut WriteLog,
    ) -> Result<(), ToolError> {
        if self.looping == Some(true) && self.warping == Some(false) {
            add_detail(&mut log.entry, "warping false gave way to looping true: only a warped clip loops");
            self.warping = Some(true);
        }
        match self.warping {
            Some(true) => {
                log.record("warping", audio_clip::warp(session, clip))?;
            }
            Some(false) => {
                log.record("warping", audio_clip::unwarp(session, clip, most))?;
                let sent = [
                    ("start", self.start.take().is_some()),
                    ("length", self.length.take().is_some()),
                    ("firstStart", self.first_start.take().is_some()),
                ];
                let gone: Vec<&str> = sent.iter().filter(|(_, sent)| *sent).map(|(name, _)| *name).collect();
                if !gone.is_empty() {
                    let gone = gone.join(", ");
                    add_detail(&mut log.entry, format!("{gone} ignored: with warping off the whole file plays"));
                }
                self.looping = None;
            }
            None if self.looping == Some(true) && time::is_unwarped(session, clip)? => {
                add_detail(&mut log.entry, "warping was turned on: only a warped clip loops");
                log.record("warping", audio_clip::warp(session, clip))?;
            }
            None => {}
        }
        Ok(())
    }

    fn write_source_tempo(
        &self,
        session: &mut dyn Session,
        clip: ObjectId,
        log: &mut WriteLog,
    ) -> Result<(), ToolError> {
        let Some(bpm) = self.source_tempo else { return Ok(()) };
        if time::is_unwarped(session, clip)? {
            add_detail(&mut log.entry, "sourceTempo ignored: with warping off the file plays as it is");
            return Ok(());
        }
        log.record("sourceTempo", source_tempo::write(session, clip, bpm))?;
        if let Some(kept) = source_tempo::read(session, clip)? {
            log.record_number("sourceTempo", kept, bpm);
            log.entry.insert("sourceTempo".to_owned(), model_read::rounded(kept));
        }
        Ok(())
    }

    fn write_pairs(
        &self,
        session: &mut dyn Session,
        clip: ObjectId,
        (meter, most): (Meter, Option<Beats>),
        log: &mut WriteLog,
    ) -> Result<(), ToolError> {
        let was_looping = flag(session, clip, "looping")?;
        let looping = self.looping.unwrap_or(was_looping);
        if self.first_start.is_some() && !looping {
            add_detail(&mut log.entry, "firstStart ignored: the clip does not loop");
        }
        let unit = own_units_per_beat(session, clip)?;
        let (old_start, old_end) = (number(session, clip, "loop_start")?, number(session, clip, "loop_end")?);
        let old_first = number(session, clip, "start_marker")?;
        if let Some(on) = self.looping.filter(|on| *on != was_looping) {
            log.record("looping", session.set(clip, "looping", on.into()))?;
        } else if self.looping.is_some() {
            log.record("looping", Ok::<_, ToolError>(()))?;
        }
        let start = self.start.map_or(old_start, |start| start * unit);
        let length = self.length.map_or(old_end - old_start, |length| length * unit);
        // A loop moves nothing on the timeline.
        let end = start + most.filter(|_| !looping).map_or(length, |most| length.min(most * unit));
        let (start, end) = match file_end(session, clip)? {
            // What is shown is rounded, and a file ends where it ends.
            Some(file_end) => {
                let as_meant = |time: f64, meant: f64| {
                    if (time - meant).abs() <= SAME_POSITION_BEATS * unit { meant } else { time }
                };
                (as_meant(start, old_start), as_meant(as_meant(end, old_end), file_end))
            }
            None => (start, end),
        };
        let region_asked = self.start.is_some() || self.length.is_some();
        if region_asked || looping != was_looping {
            let phrase = if self.start.is_some() { "start" } else { "length" };
            let wrote = match past_file(session, clip, meter, unit, (start, end))? {
                Some(why) => Err(why),
                None => region::write_active(session, clip, start, end),
            };
            if region_asked {
                log.record(phrase, wrote)?
            } else {
                wrote?
            };
        }
        if looping {
            self.write_first_start(session, clip, (old_start, old_end, old_first), (start, end), was_looping, log)?;
        }
        if self.follows_tempo {
            let beats = number(session, clip, "loop_end")? - number(session, clip, "loop_start")?;
            log.entry.insert("length".to_owned(), duration::format(beats / unit, meter).into());
        }
        Ok(())
    }

    /// Where playback first enters follows the region, unless it had a place of its own inside it.
    fn write_first_start(
        &self,
        session: &mut dyn Session,
        clip: ObjectId,
        (old_start, old_end, old_first): (f64, f64, f64),
        (start, end): (f64, f64),
        was_looping: bool,
        log: &mut WriteLog,
    ) -> Result<(), ToolError> {
        let followed = (old_first - old_start).abs() <= SAME_POSITION_BEATS;
        let kept = if followed || old_first >= end || !was_looping { start } else { old_first };
        let first = self.first_start.unwrap_or(kept);
        let end_marker = number(session, clip, "end_marker")?;
        // An end marker that was moved only because the start lay past the loop goes back with it.
        let made_room =
            old_first >= old_end && (end_marker - (old_first + MARKER_ROOM_BEATS)).abs() <= SAME_POSITION_BEATS;
        let room = if first < end { end } else { first + MARKER_ROOM_BEATS };
        if first >= end_marker {
            session.set(clip, "end_marker", room.into())?;
        }
        if (first - number(session, clip, "start_marker")?).abs() > 0.0 {
            let wrote = session.set(clip, "start_marker", first.into());
            if self.first_start.is_some() {
                log.record("firstStart", wrote)?
            } else {
                wrote?
            };
        } else if self.first_start.is_some() {
            log.record("firstStart", Ok::<_, ToolError>(()))?;
        }
        if made_room && first < end_marker && (room - end_marker).abs() > SAME_POSITION_BEATS {
            session.set(clip, "end_marker", room.into())?;
        }
        if !followed && kept != old_first && self.first_start.is_none() && was_looping {
            add_detail(&mut log.entry, "firstStart lay past the new region and moved to its start");
        }
        Ok(())
    }
}

/// What was asked of a region and written, and is looked up again when the clip is as it will be.
#[derive(Clone, Copy, Debug, Default)]
pub struct RegionWritten {
    start: Option<Beats>,
    length: Option<Beats>,
    /// How much of the timeline the clip covered, where the call asks for no length.
    covered: Option<Beats>,
}

impl RegionWritten {
    /// Says how much the clip covers, if that is another length now.
    pub fn report_cover(
        &self,
        session: &dyn Session,
        clip: ObjectId,
        entry: &mut Map<String, Value>,
    ) -> Result<(), ToolError> {
        let Some(covered) = self.covered else { return Ok(()) };
        if lane::of_clip(session, clip)?.is_none() {
            return Ok(());
        }
        let now = ClipSpan::read(session, clip)?;
        if (now.end - now.start - covered).abs() > SAME_POSITION_BEATS {
            let song_meter = model_read::meter(session, model_read::song(session)?)?;
            let covers = duration::format(now.end - now.start, song_meter);
            add_detail(entry, format!("covers {covers} of the timeline now"));
        }
        Ok(())
    }

    /// Says what of the region is not as asked.
    pub fn compare(
        &self,
        session: &dyn Session,
        clip: ObjectId,
        meter: Meter,
        log: &mut WriteLog,
    ) -> Result<(), ToolError> {
        if self.start.is_none() && self.length.is_none() {
            return Ok(());
        }
        let unit = own_units_per_beat(session, clip)?;
        let (start, end) = (number(session, clip, "loop_start")? / unit, number(session, clip, "loop_end")? / unit);
        let differs = |wanted: Option<Beats>, is: Beats| wanted.is_some_and(|w| (w - is).abs() > SAME_POSITION_BEATS);
        if differs(self.start, start) {
            log.record_kept("start", position::format(start, meter));
        }
        if differs(self.length, end - start) {
            log.record_kept("length", duration::format(end - start, meter));
        }
        Ok(())
    }
}

/// The length of a clip's region as a read shows it.
pub fn shown_length(session: &dyn Session, clip: ObjectId, meter: Meter) -> Result<String, ToolError> {
    let region = region::read(session, clip)?;
    let format = if time::is_unwarped(session, clip)? { duration::format_within } else { duration::format };
    Ok(format(region.end - region.start, meter))
}

/// Where the file of an unwarped clip ends, in seconds; nothing bounds the region of any other.
fn file_end(session: &dyn Session, clip: ObjectId) -> Result<Option<f64>, ToolError> {
    let is_unwarped = time::is_unwarped(session, clip)?;
    is_unwarped.then(|| audio_clip::file_seconds(session, clip)).transpose()
}

/// Why an unwarped clip cannot have that region, given in seconds: it plays what the file has.
fn past_file(
    session: &dyn Session,
    clip: ObjectId,
    meter: Meter,
    unit: f64,
    (start, end): (f64, f64),
) -> Result<Option<ToolError>, ToolError> {
    let Some(seconds) = file_end(session, clip)? else { return Ok(None) };
    let (first, last) = (position::format(0.0, meter), position::format_within(seconds / unit, meter));
    let outside = start < 0.0 || end > seconds;
    Ok(outside.then(|| {
        ToolError::new(format!(
            "an unwarped clip plays inside its file, here from {first} to {last} ({}); choose a start and length in it, or \
             turn warping on",
            duration::format_within(seconds / unit, meter)
        ))
    }))
}
