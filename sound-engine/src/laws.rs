//! What is true of everything that is heard, on whole mixes.

mod clips;
mod floors;
mod hashes;
mod mixes;
mod pieces;
mod roles;
mod samplers;
mod strips;
