//! Song, Application, scenes, slots, locators, grooves, launching, and what is selected.

pub(super) mod application;
mod cue_points;
mod groove_and_tuning;
pub(super) mod launch_buttons;
mod selection;
mod session_clips;
mod session_grid;
pub(super) mod song_functions;
mod song_properties;
mod song_time;
