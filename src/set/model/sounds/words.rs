//! The words in which one is told how something is heard.

use crate::object_model::default_sound::DefaultSound;
use std::fmt;

/// Names that one answer lists at most.
pub const SAID_NAMES: usize = 3;

/// From the nearest to the farthest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Nearness {
    Exact,
    Approximate,
    StandIn,
    Silent,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Sounds {
    pub nearness: Nearness,
    pub why: String,
}

impl Sounds {
    pub const EXACT: Sounds = Sounds { nearness: Nearness::Exact, why: String::new() };

    pub fn new(nearness: Nearness, why: impl Into<String>) -> Sounds {
        Sounds { nearness, why: why.into() }
    }

    pub fn silent(why: impl Into<String>) -> Sounds {
        Sounds::new(Nearness::Silent, why)
    }

    pub fn stand_in(sound: DefaultSound) -> Sounds {
        Sounds::new(Nearness::StandIn, format!("plays as the default {}", sound.name()))
    }

    pub fn bypassed(why: &str) -> Sounds {
        Sounds::new(Nearness::StandIn, format!("bypassed, {why}"))
    }
}

impl fmt::Display for Sounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.nearness {
            Nearness::Exact => f.write_str("exact"),
            Nearness::Approximate => write!(f, "approximate: {}", self.why),
            Nearness::StandIn => write!(f, "stand-in: {}", self.why),
            Nearness::Silent => write!(f, "silent: {}", self.why),
        }
    }
}
