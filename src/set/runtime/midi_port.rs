//! The port that notes leave by, as whoever plays the Set calls it.

use arc_swap::ArcSwap;
use std::sync::Arc;

/// Said while nobody has named the port.
const OF_A_PLUGIN: &str = "the plug-in's MIDI output";

/// Written by the thread that opens the port, read by calls.
#[derive(Debug)]
pub struct MidiPortCell(ArcSwap<String>);

impl Default for MidiPortCell {
    fn default() -> MidiPortCell {
        MidiPortCell(ArcSwap::from_pointee(OF_A_PLUGIN.to_owned()))
    }
}

impl MidiPortCell {
    /// Says what the port is called from now on.
    pub fn set_name(&self, name: &str) {
        self.0.store(Arc::new(name.to_owned()));
    }

    pub fn name(&self) -> String {
        self.0.load().as_str().to_owned()
    }
}
