//! What happens in a device, told to whoever listens: a short memory of events, and readers that follow it.
//!
//! An event is put in once and kept once, whoever reads it and however slowly: a reader is no more than a place in that
//! memory. Who falls behind what is kept is told that there is a gap. Of what only its newest state counts for
//! ([`Kind::Playback`]) no more than that is kept. See D173 in `docs/decisions.md`.

mod hub;
mod reader;
mod words;

pub use hub::{EventHub, MAX_READERS, TooManyReaders};
pub use reader::{Next, Reader};
pub use words::Words;

/// What an event is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The Set changed.
    Set,
    /// What plays, waits and sounds; only the newest counts.
    Playback,
    /// A call was answered.
    Call,
    /// Work that outlasts its call is further than before, or ended.
    Job,
    /// The settings, or what the device tells with them, changed.
    Settings,
    /// Something that the user should know of.
    Log,
}

impl Kind {
    pub const ALL: [Kind; 6] = [Kind::Set, Kind::Playback, Kind::Call, Kind::Job, Kind::Settings, Kind::Log];

    pub fn name(self) -> &'static str {
        match self {
            Kind::Set => "set",
            Kind::Playback => "playback",
            Kind::Call => "call",
            Kind::Job => "job",
            Kind::Settings => "settings",
            Kind::Log => "log",
        }
    }

    pub fn from_name(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Counts up in the order of what happened; 0 of what only the newest counts for.
    pub number: u64,
    pub kind: Kind,
    /// One line of JSON.
    pub data: Words,
}
