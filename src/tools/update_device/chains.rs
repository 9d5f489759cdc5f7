//! What a chain is written, and a pad through its layers: name, colour, mixer, and what only drum chains have.

use super::args::Args;
use crate::music::pitch;
use crate::object_model::{ModelError, ObjectId, Session, Value as Model};
use crate::tools::address::device_targets::{DevicePart, is_return_chain};
use crate::tools::address::model_read::{child, int};
use crate::tools::address::path_format::drum_note;
use crate::tools::address::path_format::{path_and_id, tool_path};
use crate::tools::arguments::one_or_each::{self, Levels, Switch};
use crate::tools::arguments::values;
use crate::tools::arguments::values::Color;
use crate::tools::error::ToolError;
use crate::tools::mixer::mixer_strip;
use crate::tools::mixer::sends::{self, Sends};
use crate::tools::report::write_log::WriteLog;
use serde_json::json;

/// What a call asks of chains and pads.
pub struct ChainWork {
    colors: Option<Vec<Color>>,
    mute: Option<Switch>,
    solo: Option<Switch>,
    gain_db: Option<Levels>,
    pan: Option<Levels>,
    sends: Option<Sends>,
    choke_group: Option<i64>,
    pitches: Option<Vec<u8>>,
}

impl ChainWork {
    pub fn read(args: &Args, count: usize) -> Result<ChainWork, ToolError> {
        let read = |text: &str| pitch::parse(text).map_err(|e| ToolError::about("mappedPitch", e));
        Ok(ChainWork {
            colors: values::colors(args.color.as_ref(), count)?,
            mute: one_or_each::spread("mute", args.mute.clone(), count)?,
            solo: one_or_each::spread("solo", args.solo.clone(), count)?,
            gain_db: one_or_each::spread("gainDb", args.gain_db.clone(), count)?,
            pan: one_or_each::spread("pan", args.pan.clone(), count)?,
            sends: args.sends.read(count)?,
            choke_group: args.choke_group,
            pitches: values::each("mappedPitch", args.mapped_pitch.as_ref(), count, read)?,
        })
    }

    /// The names of the parameters that were sent.
    pub fn sent(&self) -> Vec<&'static str> {
        let mut sent = self.of_any_layer();
        sent.extend(self.of_one_layer());
        sent.extend(self.of_drums());
        sent
    }

    fn of_any_layer(&self) -> Vec<&'static str> {
        let all = [("color", self.colors.is_some()), ("mute", self.mute.is_some()), ("solo", self.solo.is_some())];
        all.into_iter().filter_map(|(name, sent)| sent.then_some(name)).collect()
    }

    fn of_one_layer(&self) -> Vec<&'static str> {
        let all = [("gainDb", self.gain_db.is_some()), ("pan", self.pan.is_some())];
        let strip = all.into_iter().filter_map(|(name, sent)| sent.then_some(name));
        strip.chain(self.sends.iter().flat_map(|sends| sends.sent().iter().copied())).collect()
    }

    fn of_drums(&self) -> Vec<&'static str> {
        let all = [("chokeGroup", self.choke_group.is_some()), ("mappedPitch", self.pitches.is_some())];
        all.into_iter().filter_map(|(name, sent)| sent.then_some(name)).collect()
    }

    /// None of it is for devices.
    pub fn refuse_all(&self, session: &dyn Session, part: DevicePart, log: &mut WriteLog) -> Result<(), ModelError> {
        let sent = self.sent();
        if !sent.is_empty() {
            let named = part.named(session)?;
            log.refuse(format!("{} ignored: {named} is a device; chains and pads have that", sent.join(", ")));
        }
        Ok(())
    }

    pub fn write_chain(
        &self,
        session: &mut dyn Session,
        chain: ObjectId,
        at: usize,
        name: Option<&str>,
        log: &mut WriteLog,
    ) -> Result<(), ToolError> {
        if let Some(name) = name {
            log.name(session, chain, name)?;
        }
        self.write_each(session, &[chain], at, log)?;
        self.write_strip(session, chain, at, log)?;
        let of_drums = self.of_drums();
        if of_drums.is_empty() {
            return Ok(());
        }
        if is_return_chain(session, chain)? || drum_note(session, chain)?.is_none() {
            let named = path_and_id(session, chain)?;
            log.refuse(format!("{} ignored: {named} is no chain of a drum pad", of_drums.join(", ")));
            return Ok(());
        }
        self.write_drums(session, &[chain], at, log)
    }

    /// A pad is its layers: all of them are written, but for what only one can have.
    pub fn write_pad(
        &self,
        session: &mut dyn Session,
        layers: &[ObjectId],
        at: usize,
        name: Option<&str>,
        log: &mut WriteLog,
    ) -> Result<(), ToolError> {
        let mut single = self.of_one_layer();
        if name.is_some() {
            single.insert(0, "name");
        }
        match layers {
            [one] => {
                if let Some(name) = name {
                    log.name(session, *one, name)?;
                }
                self.write_strip(session, *one, at, log)?;
            }
            _ if !single.is_empty() => {
                let paths = layers.iter().filter_map(|layer| tool_path(session, *layer).transpose());
                let paths = paths.collect::<Result<Vec<String>, _>>()?;
                log.refuse(format!(
                    "{} ignored: the pad has {} layers, so name one: {}",
                    single.join(", "),
                    layers.len(),
                    paths.join(", ")
                ));
            }
            _ => {}
        }
        self.write_each(session, layers, at, log)?;
        self.write_drums(session, layers, at, log)
    }

    fn write_each(
        &self,
        session: &mut dyn Session,
        chains: &[ObjectId],
        at: usize,
        log: &mut WriteLog,
    ) -> Result<(), ToolError> {
        if let Some(color) = self.colors.as_ref().and_then(|colors| colors.get(at)) {
            for chain in chains {
                log.color(session, *chain, *color)?;
            }
        }
        for (member, switch) in [("mute", &self.mute), ("solo", &self.solo)] {
            if let Some(switch) = switch {
                write_member(session, chains, member, switch.at(at).into(), member, log)?;
            }
        }
        Ok(())
    }

    fn write_strip(
        &self,
        session: &mut dyn Session,
        chain: ObjectId,
        at: usize,
        log: &mut WriteLog,
    ) -> Result<(), ToolError> {
        if self.gain_db.is_some() || self.pan.is_some() {
            let mixer = child(session, chain, "mixer_device")?;
            let mixer = mixer.ok_or_else(|| ToolError::new("the chain has no mixer"))?;
            if let Some(db) = &self.gain_db {
                mixer_strip::write_gain(session, mixer, db.at(at), log)?;
            }
            if let Some(pan) = &self.pan {
                mixer_strip::write_pan(session, mixer, "panning", "pan", pan.at(at), log)?;
            }
        }
        match &self.sends {
            Some(levels) => sends::write(session, chain, &levels.levels_at(at), log),
            None => Ok(()),
        }
    }

    fn write_drums(
        &self,
        session: &mut dyn Session,
        chains: &[ObjectId],
        at: usize,
        log: &mut WriteLog,
    ) -> Result<(), ToolError> {
        if let Some(group) = self.choke_group {
            write_member(session, chains, "choke_group", group.into(), "chokeGroup", log)?;
        }
        if let Some(pitch) = self.pitches.as_ref().and_then(|pitches| pitches.get(at)) {
            write_member(session, chains, "out_note", i64::from(*pitch).into(), "mappedPitch", log)?;
        }
        Ok(())
    }
}

/// Writes the same to each chain: one phrase.
fn write_member(
    session: &mut dyn Session,
    chains: &[ObjectId],
    member: &str,
    value: Model,
    phrase: &'static str,
    log: &mut WriteLog,
) -> Result<(), ToolError> {
    for chain in chains {
        session.set(*chain, member, value.clone()).map_err(|error| ToolError::new(format!("{phrase}: {error}")))?;
    }
    // A switch says nothing beside what was sent.
    if let (Some(chain), Model::Int(_)) = (chains.first(), &value) {
        let now = int(session, *chain, member)?;
        let note = u8::try_from(now).ok().filter(|_| member == "out_note");
        log.entry
            .insert(phrase.to_owned(), note.map_or_else(|| json!(now), |note| json!(session.spelling().name(note))));
    }
    log.record(phrase, Ok::<_, ToolError>(()))
}
