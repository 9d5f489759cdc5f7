//! Writing the mixer strip of a track, and the fader and panning of a chain's. What this track lacks is refused, and
//! switching it off needs no doing.

use crate::object_model::faders;
use crate::object_model::{ModelError, ObjectId, Session};
use crate::tools::address::model_read::{child, child_if_any, flag, if_any, int, number, rounded};
use crate::tools::address::path_format;
use crate::tools::arguments::one_or_each::{self, Levels, Switch};
use crate::tools::arguments::values;
use crate::tools::error::ToolError;
use crate::tools::report::target_result::add_detail;
use crate::tools::report::write_log::WriteLog;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// What a call asks of the strips of its tracks.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StripArgs {
    pub gain_db: Option<Levels>,
    pub pan: Option<Levels>,
    pub panning_mode: Option<String>,
    pub left_pan: Option<Levels>,
    pub right_pan: Option<Levels>,
    pub mute: Option<Switch>,
    pub solo: Option<Switch>,
    pub arm: Option<Switch>,
    pub monitoring_state: Option<String>,
}

/// Live's monitoring states, by number.
pub const MONITORING: [&str; 3] = ["in", "auto", "off"];

/// How a strip pans.
const STEREO: i64 = 0;
const SPLIT: i64 = 1;

impl StripArgs {
    /// Refuses switches and levels that do not pair with `count` targets.
    pub fn spread(mut self, count: usize) -> Result<StripArgs, ToolError> {
        for (name, switch) in [("mute", &mut self.mute), ("solo", &mut self.solo), ("arm", &mut self.arm)] {
            *switch = one_or_each::spread(name, switch.take(), count)?;
        }
        let pans = [("pan", &mut self.pan), ("leftPan", &mut self.left_pan), ("rightPan", &mut self.right_pan)];
        for (name, asked) in pans.into_iter().chain([("gainDb", &mut self.gain_db)]) {
            *asked = one_or_each::spread(name, asked.take(), count)?;
        }
        Ok(self)
    }

    /// The names of the parameters that were sent.
    pub fn sent(&self) -> Vec<&'static str> {
        [
            ("gainDb", self.gain_db.is_some()),
            ("pan", self.pan.is_some()),
            ("panningMode", self.panning_mode.is_some()),
            ("leftPan", self.left_pan.is_some()),
            ("rightPan", self.right_pan.is_some()),
            ("mute", self.mute.is_some()),
            ("solo", self.solo.is_some()),
            ("arm", self.arm.is_some()),
            ("monitoringState", self.monitoring_state.is_some()),
        ]
        .into_iter()
        .filter_map(|(name, sent)| sent.then_some(name))
        .collect()
    }

    /// Fader and panning of the target at that position.
    pub fn write_levels(
        &self,
        session: &mut dyn Session,
        track: ObjectId,
        at: usize,
        log: &mut WriteLog,
    ) -> Result<(), ToolError> {
        if self.sent().is_empty() {
            return Ok(());
        }
        let mixer = child(session, track, "mixer_device")?.ok_or_else(|| ToolError::new("the track has no mixer"))?;
        if let Some(mode) = &self.panning_mode {
            let mode = if mode == "split" { SPLIT } else { STEREO };
            log.record("panningMode", session.set(mixer, "panning_mode", mode.into()))?;
        }
        if let Some(db) = &self.gain_db {
            write_gain(session, mixer, db.at(at), log)?;
        }
        let split = int(session, mixer, "panning_mode")? == SPLIT;
        let pans = [
            ("pan", "panning", &self.pan, false),
            ("leftPan", "left_split_stereo", &self.left_pan, true),
            ("rightPan", "right_split_stereo", &self.right_pan, true),
        ];
        for (field, member, asked, of_split) in pans {
            let Some(asked) = asked else { continue };
            if of_split != split {
                log.refuse(format!(
                    "{field}: the track pans in {} mode; {}, or switch with panningMode",
                    if split { "split" } else { "stereo" },
                    if split { "send leftPan and rightPan" } else { "send pan" }
                ));
                continue;
            }
            write_pan(session, mixer, member, field, asked.at(at), log)?;
        }
        let panned = self.pan.is_some() || self.left_pan.is_some() || self.right_pan.is_some();
        if split && panned && self.panning_mode.is_none() {
            log.entry.insert("panningMode".to_owned(), json!("split"));
        }
        Ok(())
    }

    /// Mute, solo and record arm of the target at that position.
    pub fn write_switches(
        &self,
        session: &mut dyn Session,
        track: ObjectId,
        at: usize,
        log: &mut WriteLog,
    ) -> Result<(), ToolError> {
        let asked = |switch: &Option<Switch>| switch.as_ref().map(|switch| switch.at(at));
        let main = (self.mute.is_some() || self.solo.is_some())
            && path_format::tool_path(session, track)?.as_deref() == Some("mt");
        for (field, asked) in [("mute", asked(&self.mute)), ("solo", asked(&self.solo))] {
            match asked {
                Some(on) if main => refuse_unless_off(log, field, on, "the main track has none"),
                Some(on) => log.record(field, session.set(track, field, on.into()))?,
                None => {}
            }
        }
        match asked(&self.arm) {
            Some(on) if !flag(session, track, "can_be_armed")? => {
                let named = path_format::path_and_id(session, track)?;
                refuse_unless_off(log, "arm", on, &format!("{named} cannot be armed"));
            }
            Some(on) => log.record("arm", session.set(track, "arm", on.into()))?,
            None => {}
        }
        Ok(())
    }

    pub fn write_monitoring(
        &self,
        session: &mut dyn Session,
        track: ObjectId,
        log: &mut WriteLog,
    ) -> Result<(), ToolError> {
        let Some(asked) = &self.monitoring_state else { return Ok(()) };
        if !flag(session, track, "can_be_armed")? {
            let why = format!("{} cannot be armed, so it has no monitoring", path_format::path_and_id(session, track)?);
            refuse_unless_off(log, "monitoringState", asked != "off", &why);
            return Ok(());
        }
        let number = (0i64..).zip(MONITORING).find(|(_, state)| state == asked).map_or(1, |(at, _)| at);
        log.record("monitoringState", session.set(track, "current_monitoring_state", number.into()))
    }
}

/// The fader of a track's or chain's mixer.
pub fn write_gain(session: &mut dyn Session, mixer: ObjectId, db: f64, log: &mut WriteLog) -> Result<(), ToolError> {
    if let Some(volume) = parameter(session, mixer, "volume", "gainDb", log)? {
        log.record("gainDb", session.set(volume, "value", faders::volume_raw(db).into()))?;
        let kept = faders::volume_db(number(session, volume, "value")?);
        record_kept_db(&mut log.entry, kept, db);
    }
    Ok(())
}

/// One panning of a mixer, -1..=1.
pub fn write_pan(
    session: &mut dyn Session,
    mixer: ObjectId,
    member: &str,
    field: &'static str,
    asked: f64,
    log: &mut WriteLog,
) -> Result<(), ToolError> {
    if let Some(panning) = parameter(session, mixer, member, field, log)? {
        log.record(field, session.set(panning, "value", asked.into()))?;
        let kept = number(session, panning, "value")?;
        log.record_number(field, kept, asked);
    }
    Ok(())
}

/// A parameter of the mixer that takes a value; what a macro owns is refused.
fn parameter(
    session: &dyn Session,
    mixer: ObjectId,
    member: &str,
    field: &str,
    log: &mut WriteLog,
) -> Result<Option<ObjectId>, ToolError> {
    let found = child_if_any(session, mixer, member)?;
    match found {
        None => log.refuse(format!("{field}: this mixer has none")),
        Some(id) if !enabled(session, id)? => {
            log.refuse(format!("{field}: it is disabled, as something else moves it (a rack's macro, for one)"));
            return Ok(None);
        }
        Some(_) => {}
    }
    Ok(found)
}

fn refuse_unless_off(log: &mut WriteLog, field: &str, on: bool, why: &str) {
    if on { log.refuse(format!("{field}: {why}")) } else { log.record_unchanged(format!("{field}: {why}")) }
}

/// Whether a parameter takes a value: one that a macro owns does not.
pub fn enabled(session: &dyn Session, parameter: ObjectId) -> Result<bool, ModelError> {
    Ok(if_any(session.get(parameter, "is_enabled"))?.and_then(|on| on.as_bool()).unwrap_or(true))
}

/// Says in an entry what a level in decibels reads where that is not as asked, or is a word.
pub fn record_kept_db(entry: &mut Map<String, Value>, kept: Option<f64>, asked: f64) {
    let why = match kept {
        _ if !same_db(kept, asked) => "gainDb is not as asked",
        None => "gainDb reads -inf, which is silence",
        Some(_) if !values::is_in_hundredths(asked) => "gainDb was rounded to hundredths",
        Some(_) => return,
    };
    entry.insert("gainDb".to_owned(), shown_db(kept));
    add_detail(entry, why);
}

/// Equal at the resolution of reads; silence is -70, as far as asking goes.
fn same_db(kept: Option<f64>, asked: f64) -> bool {
    values::same(faders::shown_db(kept), asked)
}

/// Decibels as reads show them: fully down is the text `-inf`.
pub fn shown_db(db: Option<f64>) -> Value {
    db.map_or_else(|| json!("-inf"), rounded)
}
