//! The Set as the sound engine takes it: tracks, devices and clips as settings in units of the world, and the samples
//! that they play.
//!
//! Nothing here runs on the audio thread or with the right to change the Set: who publishes a mix asks which samples
//! are [wanted](samples::SampleCache::wanted), has them [loaded](samples::SampleCache::load) where disks may be read,
//! and makes the [mix](mix::mix_settings) of what there is.

mod clips;
mod device_values;
mod devices;
pub mod ids;
pub mod mix;
mod routing;
pub mod samples;
mod tracks;
