//! The sound engine of SVC Device: a plan and events in, samples out.
//!
//! It knows nothing of the Set, of HTTP or of plugins. Its rooms, each using only those before it:
//!
//! 1. [`dsp`]: signals. [`sample`]: recorded ones. [`parameter`]: names of what moves.
//! 2. [`instruments`] and [`effects`]: notes to sound, sound to sound; [`note_effects`]: notes to notes. Settings in
//!    units of the world.
//! 3. [`mixer`]: audio clips, strips, meters.
//! 4. [`plan`]: what there is, joined with what it remembers.
//! 5. [`engine`]: the walk through a block. [`offline`]: a whole piece at once.
//!
//! Two laws hold everywhere. What is made depends on settings, events and the frames since the engine was made: not on
//! block sizes, build flags or the processor. And what runs in [`engine::Engine::process`] allocates, frees, locks and
//! waits for nothing.

pub mod dsp;
pub mod effects;
pub mod engine;
pub mod instruments;
pub mod mixer;
pub mod note_effects;
pub mod offline;
pub mod parameter;
pub mod plan;
pub mod sample;

#[cfg(test)]
mod analysis;
#[cfg(test)]
mod laws;
