//! What is true of everything that is heard, on whole mixes.

mod automation;
mod clips;
mod floors;
mod hashes;
mod mixes;
mod notes;
mod pieces;
mod roles;
mod samplers;
mod strips;
