//! Copies of instruments, racks and chains, for which Live has no function: it copies their whole track, from which the
//! devices are moved to where they belong, and the rest is deleted again.

use super::exchange::unreadable;
use super::session::LiveSession;
use crate::object_model::{HostFacts, ModelError, ObjectId, ObjectModel, Value};

/// What a chain is beside its devices.
const OF_CHAIN: [&str; 4] = ["name", "color", "mute", "solo"];
/// What a chain of a Drum Rack is besides.
const OF_DRUM_CHAIN: [&str; 3] = ["in_note", "out_note", "choke_group"];
const OF_MIXER: [&str; 3] = ["volume", "panning", "chain_activator"];

/// A track as it can be copied.
struct Copied {
    song: ObjectId,
    index: usize,
    selected: Option<ObjectId>,
}

impl LiveSession {
    /// The track that an object stands on, and the object's route behind it; why it cannot be copied.
    fn track_of(&self, object: ObjectId) -> Result<(usize, String), ModelError> {
        let route = self.path_of(object)?.ok_or(ModelError::NoObject)?;
        let only_tracks = || ModelError::Unable("Live copies neither return tracks nor the main track".to_owned());
        let rest = route.strip_prefix("live_set tracks ").ok_or_else(only_tracks)?;
        let (index, rest) = rest.split_once(' ').ok_or_else(only_tracks)?;
        let index = index.parse::<usize>().map_err(|_| unreadable())?;
        let song = self.resolve("live_set")?.ok_or(ModelError::NoObject)?;
        let track = self.child_at(song, "tracks", index)?.ok_or(ModelError::NoObject)?;
        if self.get(track, "is_foldable")?.as_bool() == Some(true) {
            return Err(ModelError::Unable("Live copies a group with all its tracks".to_owned()));
        }
        let home = format!("live_set tracks {index} ");
        for own in self.own_devices()? {
            if self.path_of(own)?.is_some_and(|route| route.starts_with(&home)) {
                return Err(ModelError::Unable(
                    "its track holds an SVC Device plugin, which would be there twice: copy it in Live".to_owned(),
                ));
            }
        }
        Ok((index, rest.to_owned()))
    }

    /// Has the track copied, hands over what is at the same place on the copy, and deletes the copy.
    fn on_copy_of_track<T>(
        &mut self,
        object: ObjectId,
        work: impl FnOnce(&mut LiveSession, ObjectId) -> Result<T, ModelError>,
    ) -> Result<T, ModelError> {
        let (index, rest) = self.track_of(object)?;
        let song = self.resolve("live_set")?.ok_or(ModelError::NoObject)?;
        let view = self.resolve("live_set view")?.ok_or(ModelError::NoObject)?;
        let selected = self.get(view, "selected_track")?.as_object();
        self.call(song, "duplicate_track", &[place(index)])?;
        let copied = Copied { song, index: index + 1, selected };
        let route = format!("live_set tracks {}", copied.index);
        let track = self.resolve(&route)?.ok_or(ModelError::NoObject)?;
        let found = self.resolve(&format!("{route} {rest}"))?.ok_or_else(unreadable);
        let done = found.and_then(|found| work(self, found));
        // Nothing is left of it, whatever became of the work.
        let gone = self.delete_copy(&copied, track);
        let done = done?;
        gone?;
        Ok(done)
    }

    fn delete_copy(&mut self, copied: &Copied, track: ObjectId) -> Result<(), ModelError> {
        let route = self.path_of(track)?.ok_or(ModelError::NoObject)?;
        let index = route.rsplit(' ').next().and_then(|index| index.parse().ok()).unwrap_or(copied.index);
        self.call(copied.song, "delete_track", &[place(index)])?;
        let view = self.resolve("live_set view")?.ok_or(ModelError::NoObject)?;
        match copied.selected {
            Some(selected) if self.class_of(selected)?.is_some() => {
                self.set(view, "selected_track", Value::Object(Some(selected)))
            }
            _ => Ok(()),
        }
    }

    /// Why nothing of its track can be copied.
    pub(super) fn refuse_track_copy(&self, object: ObjectId) -> Result<(), ModelError> {
        self.track_of(object).map(|_| ())
    }

    /// A copy of a device, by its track.
    pub(super) fn copy_device_by_track(
        &mut self,
        device: ObjectId,
        onto: ObjectId,
        at: Option<usize>,
    ) -> Result<ObjectId, ModelError> {
        self.on_copy_of_track(device, |live, copy| {
            let end = live.child_count(onto, "devices")?;
            live.move_to(copy, onto, at.unwrap_or(end))?;
            Ok(copy)
        })
    }

    fn move_to(&mut self, device: ObjectId, onto: ObjectId, at: usize) -> Result<(), ModelError> {
        let song = self.resolve("live_set")?.ok_or(ModelError::NoObject)?;
        self.call(song, "move_device", &[device.into(), onto.into(), place(at)]).map(|_| ())
    }

    /// A new chain with the devices of a copy of that one, and all else that it is.
    pub(super) fn copy_chain_by_track(
        &mut self,
        chain: ObjectId,
        rack: ObjectId,
        at: Option<usize>,
    ) -> Result<ObjectId, ModelError> {
        let devices = self.child_count(chain, "devices")?;
        if devices > 0 {
            self.refuse_track_copy(chain)?;
        }
        let args: Vec<Value> = at.map(place).into_iter().collect();
        let made = self.call(rack, "insert_chain", &args)?.as_object().ok_or_else(unreadable)?;
        let filled = self.fill_chain(chain, made, devices);
        filled.map_err(|why| match why {
            ModelError::Refused(why) => ModelError::refused(format!("{why}; an incomplete chain is left there")),
            why => why,
        })?;
        Ok(made)
    }

    fn fill_chain(&mut self, chain: ObjectId, made: ObjectId, devices: usize) -> Result<(), ModelError> {
        let is_drum = self.class_of(made)?.is_some_and(|class| class.name == "DrumChain")
            && self.class_of(chain)?.is_some_and(|class| class.name == "DrumChain");
        if devices > 0 {
            self.on_copy_of_track(chain, |live, copy| {
                for place in 0..devices {
                    let device = live.child_at(copy, "devices", 0)?.ok_or_else(unreadable)?;
                    live.move_to(device, made, place)?;
                }
                Ok(())
            })?;
        }
        self.copy_members(chain, made, &OF_CHAIN)?;
        if is_drum {
            self.copy_members(chain, made, &OF_DRUM_CHAIN)?;
        }
        for parameter in OF_MIXER {
            self.copy_of_mixer(chain, made, |live, mixer| live.child_at(mixer, parameter, 0))?;
        }
        if self.get(chain, "canonical_parent")? == self.get(made, "canonical_parent")? {
            let mixer = self.get(chain, "mixer_device")?.as_object().ok_or_else(unreadable)?;
            for send in 0..self.child_count(mixer, "sends")? {
                self.copy_of_mixer(chain, made, |live, mixer| live.child_at(mixer, "sends", send))?;
            }
        }
        Ok(())
    }

    /// A value of the mixer of a chain, where both have it.
    fn copy_of_mixer(
        &mut self,
        from: ObjectId,
        to: ObjectId,
        of: impl Fn(&LiveSession, ObjectId) -> Result<Option<ObjectId>, ModelError>,
    ) -> Result<(), ModelError> {
        let mixer = |live: &LiveSession, chain| live.get(chain, "mixer_device").map(|mixer| mixer.as_object());
        let (Some(from), Some(to)) = (mixer(self, from)?, mixer(self, to)?) else { return Ok(()) };
        match (of(self, from)?, of(self, to)?) {
            (Some(from), Some(to)) => self.copy_members(from, to, &["value"]),
            _ => Ok(()),
        }
    }
}

fn place(index: usize) -> Value {
    Value::Int(i64::try_from(index).unwrap_or(i64::MAX))
}
