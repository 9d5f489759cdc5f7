//! What belongs to the whole Set and to no track: its settings, scenes, locators and grooves.

use super::attributes::{ColorIndex, Signature, StoredMembers};
use super::clip::Notes;
use super::ids::Serial;
use super::is_empty;
use super::kept::{FollowAction, MeterChange, TempoPoint};
use crate::music::Beats;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Settings of the Set that belong to no single object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Song {
    /// 20..=999.
    pub tempo_bpm: f64,
    pub signature: Signature,
    /// 0..=13, [`classes.json`](crate::object_model) `quantization`; 4 is one bar.
    pub launch_quantization: u8,
    /// 0 = C .. 11 = B.
    pub root_note: u8,
    pub scale_name: String,
    pub scale_mode: bool,
    pub loop_on: bool,
    pub loop_start: Beats,
    pub loop_length: Beats,
    pub name: String,
    /// What connected controllers call themselves. None on this host; a document of a host that has them lists them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub control_surfaces: Vec<String>,
    /// The tempos of the Arrangement where a file has more than one, sorted by place. The Set plays at `tempo_bpm`.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub tempo_points: Arc<Vec<TempoPoint>>,
    /// The same of its time signatures; `signature` counts.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub meter_changes: Arc<Vec<MeterChange>>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub stored: StoredMembers,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scene {
    pub serial: Serial,
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<ColorIndex>,
    /// `None` while the scene has no tempo of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tempo_bpm: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<Signature>,
    /// Kept, and not followed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub follow_action: Option<FollowAction>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub stored: StoredMembers,
}

/// A locator on the Arrangement's timeline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CuePoint {
    pub serial: Serial,
    pub name: String,
    pub time: Beats,
}

/// A groove of the pool. Amounts are percent as Live stores them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Groove {
    pub serial: Serial,
    /// What it was taken from; empty where a file does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notes: Option<Arc<Notes>>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub stored: StoredMembers,
}
