//! `wrapInRack`: the devices named become one chain of a new rack: MIDI effects, the instrument, audio effects, each
//! kind in call order. The rack stands where the instrument stood, else where the first of them did.
//!
//! A place holds one instrument, so an Instrument Rack is filled on a track of its own, which is gone in the end. What
//! fails is undone here: a host without working copies keeps what a refused call did. See D23 in `docs/decisions.md`.

use super::moves::{place_in, reference, stands_in};
use crate::object_model::host_values::Capability;
use crate::object_model::{ObjectId, Session, Value as Model};
use crate::tools::address::device_targets::DevicePart;
use crate::tools::address::model_read::{self, child, int};
use crate::tools::address::path_format::path_and_id;
use crate::tools::address::targets::Target;
use crate::tools::arguments::lists::{ListEntry, ValueList};
use crate::tools::call::CallContext;
use crate::tools::device::device_places::{DevicePlace, InsertPoint, ResolvedPlace, index_of};
use crate::tools::error::ToolError;
use crate::tools::read::device_summary::type_of;
use crate::tools::read::settled::settled;
use crate::tools::report::moved_paths::ListBefore;
use crate::tools::report::target_result::{add_detail, not_reached, or_detail};
use crate::tools::report::write_log::WriteLog;
use crate::tools::report::write_targets;
use serde_json::{Value, json};

pub struct Wrap {
    targets: Vec<Target>,
    /// Where the rack goes.
    to: Option<DevicePlace>,
    /// The rack's: one rack takes one name, so the text is the name, commas and all.
    name: Option<String>,
    /// What the entry says of texts that are blank.
    blank: Option<String>,
    ignored: Vec<&'static str>,
}

/// What the devices are together.
struct RackContents {
    /// MIDI effects, the instrument, audio effects.
    devices: Vec<ObjectId>,
    /// Whose place the rack takes.
    first: ObjectId,
    rack: &'static str,
    has_instrument: bool,
}

impl Wrap {
    pub fn read(
        targets: Vec<Target>,
        to: Vec<ListEntry<DevicePlace>>,
        name: Option<String>,
        blank: Option<String>,
        ignored: Vec<&'static str>,
    ) -> Result<Wrap, ToolError> {
        if to.len() > 1 {
            return Err(ToolError::about("toPath", "wrapInRack makes one rack; name one place for it, or none"));
        }
        let to = to.into_iter().next().map(|place| place.read).transpose()?;
        Ok(Wrap { targets, to, name, blank, ignored })
    }

    pub fn run(&self, session: &mut dyn Session, call: &mut CallContext) -> Result<Value, ToolError> {
        session.capability(Capability::NewRacks)?;
        write_targets::warn_of_old_spellings(call, &self.targets);
        if !self.ignored.is_empty() {
            let names = self.ignored.join(", ");
            call.warnings.push(format!("{names} ignored: wrapInRack only puts devices into a new rack"));
        }
        let mut warning = None;
        let mut left = Vec::new();
        let mut devices: Vec<ObjectId> = Vec::new();
        for target in &self.targets {
            match or_detail(DevicePart::find(session, target, &mut warning))? {
                Ok(DevicePart::Device(device)) if devices.contains(&device) => {}
                Ok(DevicePart::Device(device)) => devices.push(device),
                Ok(part) => left.push(format!("{} is no device", part.named(session)?)),
                Err(why) if why.starts_with(&target.spelling) => left.push(why),
                Err(why) => left.push(format!("{}: {why}", target.spelling)),
            }
        }
        if let (None, Some(to)) = (&warning, &self.to) {
            warning = to.spelling_warning(session)?;
        }
        call.warnings.extend(warning);
        let inside = |device| {
            model_read::find(devices.iter().copied(), |other| {
                Ok::<_, ToolError>(other != device && stands_in(session, device, other)?)
            })
        };
        let mut outer = Vec::new();
        for device in devices.iter().copied() {
            match inside(device)? {
                Some(_) => left.push(format!("{} comes along in its rack", path_and_id(session, device)?)),
                None => outer.push(device),
            }
        }
        if outer.is_empty() {
            return Err(ToolError::new(format!("nothing to wrap: {}", left.join("; "))));
        }
        let load = RackContents::of(session, &outer)?;
        if call.is_late() {
            return Err(not_reached());
        }
        let to = self.to.as_ref().map(|to| to.resolve(session)).transpose()?;
        if let Some(to) = &to {
            to.check(session)?;
            let within = |holder| model_read::find(load.devices.iter().copied(), |one| stands_in(session, holder, one));
            if to.holder().map(within).transpose()?.flatten().is_some() {
                return Err(ToolError::about("toPath", "the rack cannot go into one of the devices it is to hold"));
            }
        }
        let mut before: Vec<ListBefore> = Vec::new();
        for device in &load.devices {
            let (home, _) = position_of(session, *device)?;
            ListBefore::remember(&mut before, session, home, "devices")?;
        }
        if let Some(home) = to.as_ref().map(|to| to.existing_container(session)).transpose()?.flatten() {
            ListBefore::remember(&mut before, session, home, "devices")?;
        }
        let mut done = WrapProgress::default();
        let rack = match load.wrap(session, to.as_ref(), &mut done) {
            Ok(rack) => rack,
            Err(error) => {
                let undone = done.undo(session);
                let state = if undone { "it was undone" } else { "it could not be undone whole" };
                return Err(ToolError::about("wrapInRack", format!("{error}; {state}")));
            }
        };
        let mut log = WriteLog::on(session, rack)?;
        log.entry.insert("type".to_owned(), json!(type_of(session, rack)?));
        log.record("wrapInRack", Ok::<_, ToolError>(()))?;
        self.blank.iter().for_each(|said| add_detail(&mut log.entry, said));
        log.entry.insert("deviceCount".to_owned(), json!(load.devices.len()));
        if let Some(room) = done.room {
            let landed = index_of(session, rack)?.unwrap_or_default();
            room.past_end_detail(landed).into_iter().for_each(|said| add_detail(&mut log.entry, said));
            if let Some(created) = room.created {
                log.entry.insert("created".to_owned(), json!(created));
            }
        }
        if !left.is_empty() {
            add_detail(&mut log.entry, format!("not wrapped: {}", left.join("; ")));
        }
        let named = match &self.name {
            Some(name) => {
                let name = ValueList::spread("name", name, 1)?;
                log.name(session, rack, name.at(0))
            }
            None => Ok(()),
        };
        for list in before {
            if let Some(moved) = list.describe(session, &load.devices)? {
                add_detail(&mut log.entry, moved);
            }
        }
        settled(session, log.end(named).map(Value::Object))
    }
}

impl RackContents {
    fn of(session: &dyn Session, outer: &[ObjectId]) -> Result<RackContents, ToolError> {
        let of_type = |wanted: i64| {
            let kind = |device| model_read::if_any(int(session, device, "type"));
            model_read::filter(outer.iter().copied(), |device| Ok::<_, ToolError>(kind(device)? == Some(wanted)))
        };
        let (instruments, audio, midi) = (of_type(1)?, of_type(2)?, of_type(4)?);
        if instruments.len() + audio.len() + midi.len() < outer.len() {
            return Err(ToolError::about("wrapInRack", "one of the devices does not say what kind it is"));
        }
        if instruments.len() > 1 {
            let named = instruments.iter().map(|id| path_and_id(session, *id)).collect::<Result<Vec<_>, _>>()?;
            return Err(ToolError::about(
                "wrapInRack",
                format!("a chain has one instrument, not {}", named.join(", ")),
            ));
        }
        let rack = match (instruments.is_empty(), midi.is_empty(), audio.is_empty()) {
            (false, ..) => "Instrument Rack",
            (true, false, false) => {
                return Err(ToolError::new(
                    "wrapInRack: MIDI effects and audio effects are in one rack only with an instrument between them",
                ));
            }
            (true, false, true) => "MIDI Effect Rack",
            (true, true, _) => "Audio Effect Rack",
        };
        let first = instruments.first().or(outer.first()).copied();
        let first = first.ok_or_else(|| ToolError::new("nothing to wrap"))?;
        let has_instrument = !instruments.is_empty();
        Ok(RackContents { devices: [midi, instruments, audio].concat(), first, rack, has_instrument })
    }

    fn wrap(
        &self,
        session: &mut dyn Session,
        to: Option<&ResolvedPlace>,
        done: &mut WrapProgress,
    ) -> Result<ObjectId, ToolError> {
        for device in &self.devices {
            let (home, at) = position_of(session, *device)?;
            done.stood.push((*device, home, at));
        }
        let room =
            |session: &mut dyn Session, done: &mut WrapProgress| -> Result<(ObjectId, Option<usize>), ToolError> {
                let Some(to) = to else {
                    let (home, at) = position_of(session, self.first)?;
                    return Ok((home, Some(at)));
                };
                let room = done.room.insert(to.make(session)?);
                Ok((room.container, room.at))
            };
        if !self.has_instrument {
            let (container, at) = room(session, done)?;
            let at = at.map(|at| Model::Int(i64::try_from(at).unwrap_or(i64::MAX)));
            let arguments: Vec<Model> = std::iter::once(self.rack.into()).chain(at).collect();
            let rack = made(session.call(container, "insert_device", &arguments)?)?;
            done.made = Some(rack);
            self.fill(session, rack)?;
            return Ok(rack);
        }
        let song = model_read::song(session)?;
        // Read before the instrument leaves it.
        let place = if to.is_none() { Some(room(session, done)?) } else { None };
        let track = made(session.call(song, "create_midi_track", &[Model::Int(-1)])?)?;
        done.track = Some(track);
        let rack = made(session.call(track, "insert_device", &[self.rack.into()])?)?;
        done.made = Some(rack);
        self.fill(session, rack)?;
        let at = match place {
            // Where the instrument stood there is one place for a rack with one.
            Some((home, _)) => (home, place_in(session, rack, home, None)?),
            None => {
                let (container, at) = room(session, done)?;
                (container, place_in(session, rack, container, at)?)
            }
        };
        session.call(song, "move_device", &[reference(rack), reference(at.0), at.1])?;
        delete_track(session, track)?;
        done.track = None;
        Ok(rack)
    }

    fn fill(&self, session: &mut dyn Session, rack: ObjectId) -> Result<(), ToolError> {
        let song = model_read::song(session)?;
        let chain = made(session.call(rack, "insert_chain", &[])?)?;
        // An audio effect needs the instrument there before it; a MIDI effect goes before it all the same.
        let instrument = self.has_instrument.then_some(self.first);
        let others = self.devices.iter().copied().filter(|device| Some(*device) != instrument);
        for device in instrument.into_iter().chain(others) {
            let at = place_in(session, device, chain, None)?;
            session.call(song, "move_device", &[reference(device), reference(chain), at])?;
        }
        Ok(())
    }
}

fn made(answer: Model) -> Result<ObjectId, ToolError> {
    answer.as_object().ok_or_else(|| ToolError::new("nothing was made"))
}

/// The container of a device, and its place there.
fn position_of(session: &dyn Session, device: ObjectId) -> Result<(ObjectId, usize), ToolError> {
    let home = child(session, device, "canonical_parent")?.ok_or_else(|| ToolError::new("a device stands nowhere"))?;
    let at = session.path_of(device)?.and_then(|route| route.rsplit(' ').next()?.parse().ok());
    Ok((home, at.unwrap_or(0)))
}

fn delete_track(session: &mut dyn Session, track: ObjectId) -> Result<(), ToolError> {
    let song = model_read::song(session)?;
    let at = session.path_of(track)?.and_then(|route| route.rsplit(' ').next()?.parse().ok());
    let at = at.ok_or_else(|| ToolError::new("the track that the rack was filled on is gone"))?;
    session.call(song, "delete_track", &[Model::Int(at)])?;
    Ok(())
}

/// What a wrap did so far.
#[derive(Default)]
struct WrapProgress {
    track: Option<ObjectId>,
    made: Option<ObjectId>,
    /// The place of the rack, where one was named.
    room: Option<InsertPoint>,
    /// The devices with the places they had.
    stood: Vec<(ObjectId, ObjectId, usize)>,
}

impl WrapProgress {
    /// Puts everything back; whether that went well.
    fn undo(mut self, session: &mut dyn Session) -> bool {
        let mut well = true;
        // Moved to the end, the rack is in the place of no device that goes back.
        // One of which nothing can be said is treated as if it stood.
        let rack = self.made.filter(|rack| !matches!(session.class_of(*rack), Ok(None)));
        if let Some((rack, (home, _))) = rack.and_then(|rack| Some((rack, position_of(session, rack).ok()?))) {
            let aside = model_read::song(session).and_then(|song| {
                let end = place_in(session, rack, home, None)?;
                Ok(session.call(song, "move_device", &[reference(rack), reference(home), end])?)
            });
            well &= aside.is_ok();
        }
        // From the first place on, so that each finds those that stood before it.
        self.stood.sort_by_key(|(_, _, at)| *at);
        for (device, home, at) in self.stood {
            if position_of(session, device).is_ok_and(|now| now == (home, at)) {
                continue;
            }
            let at = Model::Int(i64::try_from(at).unwrap_or(i64::MAX));
            let song = model_read::song(session);
            let back = song
                .and_then(|song| Ok(session.call(song, "move_device", &[reference(device), reference(home), at])?));
            well &= back.is_ok();
        }
        if let Some(rack) = rack {
            let gone = position_of(session, rack).and_then(|(home, at)| {
                let at = Model::Int(i64::try_from(at).unwrap_or(i64::MAX));
                Ok(session.call(home, "delete_device", &[at])?)
            });
            well &= gone.is_ok();
        }
        if let Some(track) = self.track {
            well &= delete_track(session, track).is_ok();
        }
        well
    }
}
