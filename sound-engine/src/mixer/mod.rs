//! What a track is beside its devices: its audio clips, its strip, its meter.

mod clip_player;
mod clip_settings;
mod meters;
mod strip;

pub use clip_player::ClipPlayer;
pub use clip_settings::{ClipRegion, ClipSettings, Warp, WarpMarker};
pub use meters::Meters;
pub use strip::{CrossfadeSide, MOST_SENDS, Strip, StripSettings, soft_clip};
