//! What a track is beside its devices: its audio clips, its strip, its meter.

mod clip_fades;
mod clip_player;
mod clip_settings;
mod loudness;
mod meters;
mod metronome;
mod safety_clip;
mod strip;

pub use clip_fades::{ClipFades, Fade};
pub use clip_player::ClipPlayer;
pub use clip_settings::{ClipRegion, ClipSettings, Warp, WarpMarker};
pub use loudness::{Loudness, LoudnessMeter};
pub use meters::Meters;
pub use metronome::Metronome;
pub use safety_clip::{Bent, SafetyClip};
pub use strip::{CrossfadeSide, MOST_SENDS, Strip, StripSettings};
