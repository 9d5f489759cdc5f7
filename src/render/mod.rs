//! A stretch of the Set as sound, faster than it lasts: what it plays, block after block, in files, and what is to be
//! heard in it.
//!
//! Everything works on a document that nobody changes, away from the Set and from the audio thread, and plays it by the
//! same player as that thread. The same Set, stretch, rate and seed give the same samples, bit for bit.

pub mod faithfulness;
mod flac_writer;
mod heard_block;
mod late_signal;
pub mod listened;
mod measuring;
pub mod midi_file;
pub mod offline;
mod outputs;
mod parts;
mod portrait;
pub mod render_files;
pub mod rendered;
pub mod sound_file;
mod stem_sum;
pub mod stretch;
pub mod tracks;
pub mod wish;
