//! The notations by name.

use serde::{Deserialize, Serialize};

/// The text notation notes are written and read in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Notation {
    #[default]
    Barbeat,
    MidiJson,
    Stark,
}

impl Notation {
    pub const ALL: [Notation; 3] = [Notation::Barbeat, Notation::MidiJson, Notation::Stark];

    pub fn name(self) -> &'static str {
        match self {
            Notation::Barbeat => "barbeat",
            Notation::MidiJson => "midi-json",
            Notation::Stark => "stark",
        }
    }

    pub fn from_name(name: &str) -> Option<Notation> {
        Notation::ALL.into_iter().find(|n| n.name() == name)
    }
}
