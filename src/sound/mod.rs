//! The Set as the sound engine takes it: tracks, devices and clips as settings in units of the world, and the samples
//! that they play.
//!
//! Nothing here but the player runs on the audio thread, and nothing with the right to change the Set: who publishes a
//! mix asks which samples are [wanted](samples::SampleCache::wanted), has them [loaded](samples::SampleCache::load)
//! where disks may be read, and makes the [mix](mix::mix_settings) of what there is.
//!
//! That is [`publisher`]; [`player`] is the audio thread's side, and [`control`] what both share with the device.

mod audible_changes;
mod click;
mod clips;
mod collected_events;
pub mod control;
mod delays;
mod device_values;
mod devices;
pub mod envelopes;
pub mod ids;
mod keyboard;
pub mod listener;
pub mod mix;
pub mod output_status;
pub mod passed_sound;
pub mod player;
pub mod publisher;
mod routing;
pub mod samples;
pub mod track_outputs;
mod tracks;

pub use keyboard::Key;
