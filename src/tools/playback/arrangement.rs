//! The Arrangement's start marker and loop, and playing it.

use super::Args;
use crate::music::{Beats, Meter, SAME_POSITION_BEATS, position};
use crate::object_model::{ObjectId, Session};
use crate::tools::address::model_read::{self, flag, number};
use crate::tools::address::path::Moment;
use crate::tools::address::path_parse::moment_of;
use crate::tools::address::path_resolve;
use crate::tools::arguments::values;
use crate::tools::error::ToolError;
use crate::tools::report::target_result::add_detail;
use serde_json::{Map, Value, json};

/// What a call sent of the start marker and the loop.
pub(super) struct Settings {
    start: Option<SentPosition>,
    looped: Option<bool>,
    loop_start: Option<SentPosition>,
    loop_end: Option<SentPosition>,
}

/// A position as it was sent.
struct SentPosition {
    parameter: &'static str,
    spelling: String,
    moment: Moment,
}

/// The same in beats: what is to be written, and may be.
pub(super) struct ArrangementChange<'a> {
    settings: &'a Settings,
    meter: Meter,
    start: Option<Beats>,
    /// Start and length.
    span: Option<(Beats, Beats)>,
    looped: Option<bool>,
}

impl SentPosition {
    fn read(parameter: &'static str, text: Option<&String>) -> Result<Option<SentPosition>, ToolError> {
        let Some(spelling) = values::refuse_blank(parameter, text)? else { return Ok(None) };
        let moment = moment_of(spelling).map_err(|e| ToolError::about(parameter, e))?;
        Ok(Some(SentPosition { parameter, spelling: spelling.trim().to_owned(), moment }))
    }

    fn find(&self, session: &dyn Session) -> Result<Beats, ToolError> {
        path_resolve::resolve_moment(session, &self.moment)
            .map_err(|e| ToolError::new(format!("{}: {e}", self.parameter)))
    }
}

impl Settings {
    pub fn read(args: &Args) -> Result<Settings, ToolError> {
        Ok(Settings {
            start: SentPosition::read("startTime", args.start_time.as_ref())?,
            looped: args.looped,
            loop_start: SentPosition::read("loopStart", args.loop_start.as_ref())?,
            loop_end: SentPosition::read("loopEnd", args.loop_end.as_ref())?,
        })
    }

    fn names_loop(&self) -> bool {
        self.looped.is_some() || self.loop_start.is_some() || self.loop_end.is_some()
    }

    /// What the positions are, and whether there can be such a loop. Writes nothing.
    pub fn find(&self, session: &dyn Session, song: ObjectId) -> Result<ArrangementChange<'_>, ToolError> {
        let beats = |place: &Option<SentPosition>| place.as_ref().map(|place| place.find(session)).transpose();
        let length = number(session, song, "loop_length")?;
        let span = match (beats(&self.loop_start)?, beats(&self.loop_end)?) {
            (None, None) => None,
            // One bound takes the other with it.
            (Some(start), None) => Some((start, length)),
            (None, Some(end)) if end - length < -SAME_POSITION_BEATS => {
                let meter = model_read::meter(session, song)?;
                return Err(ToolError::about(
                    "loopEnd",
                    format!(
                        "at its length the loop would start before 1|1; send loopStart too, or an end from {} on",
                        position::format(length, meter)
                    ),
                ));
            }
            (None, Some(end)) => Some(((end - length).max(0.0), length)),
            (Some(start), Some(end)) if end - start <= SAME_POSITION_BEATS => {
                return Err(ToolError::new("loopEnd must lie behind loopStart"));
            }
            (Some(start), Some(end)) => Some((start, end - start)),
        };
        Ok(ArrangementChange {
            settings: self,
            meter: model_read::meter(session, song)?,
            start: beats(&self.start)?,
            span,
            // A bound that is sent is meant to be heard.
            looped: self.looped.or(span.map(|_| true)),
        })
    }

    pub fn apply(
        &self,
        session: &mut dyn Session,
        song: ObjectId,
        result: &mut Map<String, Value>,
    ) -> Result<(), ToolError> {
        self.find(session, song)?.write(session, song, result)
    }
}

impl ArrangementChange<'_> {
    /// Writes the settings, and says those that the call did not name or not as they are read.
    pub fn write(
        self,
        session: &mut dyn Session,
        song: ObjectId,
        result: &mut Map<String, Value>,
    ) -> Result<(), ToolError> {
        if let Some(start) = self.start {
            session.set(song, "start_time", start.into())?;
        }
        if let Some((start, length)) = self.span {
            session.set(song, "loop_start", start.into())?;
            session.set(song, "loop_length", length.into())?;
        }
        if let Some(looped) = self.looped {
            session.set(song, "loop", looped.into())?;
        }
        let Settings { start, looped, loop_start, loop_end } = self.settings;
        let mut say = |field: &str, place: &Option<SentPosition>, beats: Option<Beats>| {
            let Some(beats) = beats else { return };
            let text = position::format(beats, self.meter);
            if place.as_ref().is_none_or(|place| place.spelling != text) {
                result.insert(field.to_owned(), json!(text));
            }
        };
        say("startTime", start, self.start);
        // What is written is said from what was asked: a host may not show a new loop within the same call.
        let span = match self.span {
            Some(span) => Some(span),
            None if self.looped == Some(true) => {
                Some((number(session, song, "loop_start")?, number(session, song, "loop_length")?))
            }
            None => None,
        };
        say("loopStart", loop_start, span.map(|(start, _)| start));
        say("loopEnd", loop_end, span.map(|(start, length)| start + length));
        if looped.is_none() && self.looped.is_some() {
            result.insert("loop".to_owned(), json!(true));
        }
        if session.clock()?.led_by_daw {
            if self.start.is_some() {
                add_detail(result, "the DAW's transport decides where it starts; the Set keeps startTime");
            }
            if self.looped.is_some() {
                add_detail(result, "the DAW's own loop is the one heard; the Set keeps its loop");
            }
        }
        Ok(())
    }
}

/// Every track follows the Arrangement, and the transport starts at the start marker, also while it runs.
pub(super) fn play(
    session: &mut dyn Session,
    song: ObjectId,
    settings: &Settings,
    result: &mut Map<String, Value>,
) -> Result<(), ToolError> {
    session.set(song, "back_to_arranger", false.into())?;
    let meter = model_read::meter(session, song)?;
    let at = |beats: Beats| json!(position::format(beats, meter));
    let clock = session.clock()?;
    if !clock.led_by_daw {
        session.call(song, "start_playing", &[])?;
    } else if clock.playing {
        add_detail(result, "every track follows the arrangement from where the DAW's transport is");
    } else {
        add_detail(result, "armed: the arrangement plays when the DAW's transport does, from where that starts");
    }
    result.insert("startTime".to_owned(), at(number(session, song, "start_time")?));
    if !settings.names_loop() {
        let on = flag(session, song, "loop")?;
        result.insert("loop".to_owned(), json!(on));
        if on {
            let start = number(session, song, "loop_start")?;
            result.insert("loopStart".to_owned(), at(start));
            result.insert("loopEnd".to_owned(), at(start + number(session, song, "loop_length")?));
        }
    }
    Ok(())
}
