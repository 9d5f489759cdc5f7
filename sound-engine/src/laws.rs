//! What is true of everything that is heard, on whole mixes.

mod automation;
mod clips;
mod devices;
mod floors;
mod hashes;
mod instruments;
mod mixes;
mod notes;
mod pieces;
mod roles;
mod samplers;
mod strips;
