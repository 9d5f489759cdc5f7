//! How the embedded Set gives ids to objects.
//!
//! Every object that is made gets a [`Serial`] from a counter that never goes back. Objects that exist because another
//! one does (a track's slots, mixer, parameters, views) are stored nowhere: their id is computed from their owner's
//! serial and taken apart again when it is looked up. A Set of 500 tracks by 1,000 scenes pays nothing for its 500,000
//! slots.
//!
//! Layout, below 2^53:
//!
//! ```text
//! serial                                      1 ..= 2^25 - 1
//! kind << 44 | serial << 12 | index           kind 1..=63
//! pair << 50 | serial a << 25 | serial b      pair 1..=7
//! ```
//!
//! See D8 in `docs/decisions.md`.

use crate::object_model::ObjectId;

/// The number an object got when it was made. 1 is the Song itself; 0 is never given out.
pub type Serial = u32;

/// The Song's serial.
pub const SONG: Serial = 1;
/// The Application's serial.
pub const APPLICATION: Serial = 2;
/// The first serial that a new object of a Set gets.
pub const FIRST_FREE: Serial = 3;
/// Serials end here, so that two of them fit a derived id.
pub const SERIAL_END: Serial = 1 << 25;

/// An id taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IdParts {
    /// An object with a serial of its own.
    Made(Serial),
    /// The slot of a track in a scene.
    Slot {
        track: Serial,
        scene: Serial,
    },
    /// A track's send to a return track.
    Send {
        track: Serial,
        return_track: Serial,
    },
    /// A track's mixer.
    Mixer(Serial),
    /// A parameter of a track's mixer, by [`crate::set::document::device_tree::MixerParameter`] position.
    MixerParameter {
        track: Serial,
        index: u16,
    },
    /// A parameter of a device, by position.
    Parameter {
        device: Serial,
        index: u16,
    },
    /// The view of an object.
    View(Serial),
    /// A rack chain's mixer.
    ChainMixer(Serial),
    /// A parameter of a chain's mixer, by position: volume, panning, chain_activator.
    ChainMixerParameter {
        chain: Serial,
        index: u16,
    },
    /// A chain's send to a return chain of its rack.
    ChainSend {
        chain: Serial,
        return_chain: Serial,
    },
    /// A pad of a Drum Rack, by its note.
    DrumPad {
        device: Serial,
        note: u16,
    },
    /// The sample of a Simpler.
    Sample(Serial),
    /// An input or output of a Max device: the list's position times 1024 plus the position in the list.
    DeviceIo {
        device: Serial,
        index: u16,
    },
    /// The groove pool, the tuning system: parts of the Song.
    GroovePool,
    TuningSystem,
    /// A controller, by position.
    ControlSurface(u16),
}

const INDEX_BITS: u32 = 12;
const KIND_SHIFT: u32 = 44;
const PAIR_SHIFT: u32 = 50;
const SERIAL_BITS: u32 = 25;

impl IdParts {
    pub fn id(self) -> ObjectId {
        let one = |kind: u64, serial: Serial, index: u16| {
            kind << KIND_SHIFT | u64::from(serial) << INDEX_BITS | u64::from(index)
        };
        let pair = |tag: u64, a: Serial, b: Serial| tag << PAIR_SHIFT | u64::from(a) << SERIAL_BITS | u64::from(b);
        ObjectId(match self {
            IdParts::Made(serial) => u64::from(serial),
            IdParts::Mixer(track) => one(1, track, 0),
            IdParts::MixerParameter { track, index } => one(2, track, index),
            IdParts::Parameter { device, index } => one(3, device, index),
            IdParts::View(owner) => one(4, owner, 0),
            IdParts::ChainMixer(chain) => one(5, chain, 0),
            IdParts::ChainMixerParameter { chain, index } => one(6, chain, index),
            IdParts::DrumPad { device, note } => one(7, device, note),
            IdParts::Sample(device) => one(8, device, 0),
            IdParts::DeviceIo { device, index } => one(9, device, index),
            IdParts::GroovePool => one(10, SONG, 0),
            IdParts::TuningSystem => one(10, SONG, 1),
            IdParts::ControlSurface(index) => one(11, APPLICATION, index),
            IdParts::ChainSend { chain, return_chain } => pair(3, chain, return_chain),
            IdParts::Slot { track, scene } => pair(1, track, scene),
            IdParts::Send { track, return_track } => pair(2, track, return_track),
        })
    }

    /// `None` for numbers that no object of any Set can have.
    pub fn from_id(id: ObjectId) -> Option<IdParts> {
        let n = id.0;
        let serial_mask = (1u64 << SERIAL_BITS) - 1;
        let serial = |bits: u64| Serial::try_from(bits).ok().filter(|s| (1..SERIAL_END).contains(s));
        let pair = n >> PAIR_SHIFT;
        if pair > 0 {
            let a = serial(n >> SERIAL_BITS & serial_mask)?;
            let b = serial(n & serial_mask)?;
            return match pair {
                1 => Some(IdParts::Slot { track: a, scene: b }),
                2 => Some(IdParts::Send { track: a, return_track: b }),
                3 => Some(IdParts::ChainSend { chain: a, return_chain: b }),
                _ => None,
            };
        }
        let kind = n >> KIND_SHIFT;
        if kind == 0 {
            return serial(n).map(IdParts::Made);
        }
        let owner = serial(n >> INDEX_BITS & ((1 << (KIND_SHIFT - INDEX_BITS)) - 1))?;
        let index = u16::try_from(n & ((1 << INDEX_BITS) - 1)).ok()?;
        match (kind, index) {
            (1, 0) => Some(IdParts::Mixer(owner)),
            (2, index) => Some(IdParts::MixerParameter { track: owner, index }),
            (3, index) => Some(IdParts::Parameter { device: owner, index }),
            (4, 0) => Some(IdParts::View(owner)),
            (5, 0) => Some(IdParts::ChainMixer(owner)),
            (6, index) => Some(IdParts::ChainMixerParameter { chain: owner, index }),
            (7, note) => Some(IdParts::DrumPad { device: owner, note }),
            (8, 0) => Some(IdParts::Sample(owner)),
            (9, index) => Some(IdParts::DeviceIo { device: owner, index }),
            (10, 0) if owner == SONG => Some(IdParts::GroovePool),
            (10, 1) if owner == SONG => Some(IdParts::TuningSystem),
            (11, index) if owner == APPLICATION => Some(IdParts::ControlSurface(index)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn taking_an_id_apart_undoes_putting_it_together(a in 1..SERIAL_END, b in 1..SERIAL_END, index in 0u16..4096) {
            for parts in [
                IdParts::Made(a),
                IdParts::Slot { track: a, scene: b },
                IdParts::Send { track: a, return_track: b },
                IdParts::Mixer(a),
                IdParts::MixerParameter { track: a, index },
                IdParts::Parameter { device: a, index },
                IdParts::View(a),
                IdParts::ChainMixer(a),
                IdParts::ChainMixerParameter { chain: a, index },
                IdParts::ChainSend { chain: a, return_chain: b },
                IdParts::DrumPad { device: a, note: index },
                IdParts::Sample(a),
                IdParts::DeviceIo { device: a, index },
                IdParts::GroovePool,
                IdParts::TuningSystem,
                IdParts::ControlSurface(index),
            ] {
                let id = parts.id();
                prop_assert!(id.0 < 1 << 53);
                prop_assert_eq!(IdParts::from_id(id), Some(parts));
            }
        }

        #[test]
        fn any_number_is_an_id_or_is_not(n: u64) {
            if let Some(parts) = IdParts::from_id(ObjectId(n)) {
                prop_assert_eq!(parts.id(), ObjectId(n));
            }
        }
    }
}
