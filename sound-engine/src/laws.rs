//! What is true of everything that is heard, on whole mixes.

mod automation;
mod clips;
mod delays;
mod devices;
mod floors;
mod hashes;
mod impulse;
mod instruments;
mod meters;
mod mixes;
mod note_ways;
mod notes;
mod operator;
mod pieces;
mod roles;
mod samplers;
mod strips;
