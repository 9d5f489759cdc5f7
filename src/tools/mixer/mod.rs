//! The mixer of a track or chain: its strip, its sends, where its signal comes from and goes.

pub mod mixer_strip;
pub mod routing;
pub mod sends;
