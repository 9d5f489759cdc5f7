//! The messages that are no requests: the first two of a connection, and the beats.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The protocol that this device speaks; a script that speaks another one is refused.
pub const PROTOCOL: u32 = 1;

/// The script's first frame.
#[derive(Clone, Debug, Deserialize)]
pub struct Hello {
    pub protocol: u32,
    pub token: String,
    pub script_version: String,
    /// SHA-256 of the script's files as they lie on disk; empty where it could not read them.
    #[serde(default)]
    pub source_hash: String,
    #[serde(default)]
    pub python: String,
    /// Such as `12.4.1`.
    pub live_version: String,
    #[serde(default)]
    pub live_variant: String,
    /// Live's process.
    pub pid: u32,
    /// Another one for each Set that is loaded: ids of the one before mean nothing.
    pub set: String,
    /// What turns the script: `timer`, or `display` at 100 ms.
    #[serde(default)]
    pub tick: String,
    /// Members that not every Live has and this one does, and the version that those need which it lacks.
    #[serde(default)]
    pub capabilities: Vec<String>,
    #[serde(default)]
    pub needs: BTreeMap<String, String>,
}

/// The answer to it.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Greeting {
    Welcome {
        protocol: u32,
        /// Ids go on from here: a number never means two objects.
        first_id: u64,
        /// It is the Set of the link before: its ids stay what they were.
        keep_ids: bool,
    },
    Refuse {
        text: String,
    },
}

/// What the script tells each second.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Beat {
    /// The longest that Live gave the script no turn, since the last beat.
    #[serde(default)]
    pub tick_gap_ms: f64,
    #[serde(default)]
    pub max_request_ms: f64,
    #[serde(default)]
    pub dialogs: u32,
    #[serde(default)]
    pub dialog: String,
}

/// What a bridge tells whoever made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BridgeNews {
    /// How it stands with the link is to be looked at; at each beat of the script, too.
    Link,
    /// Lists of objects in Live became others, by a call or by hand.
    Changed,
}
