//! A MIDI port of our own that other programs connect to: the ALSA sequencer on Linux, CoreMIDI on macOS.

use super::paced::MidiSink;

/// What it is, for the user.
pub const KIND: &str = if cfg!(target_os = "macos") { "CoreMIDI" } else { "ALSA" };

#[cfg(unix)]
pub struct VirtualPort(midir::MidiOutputConnection);

#[cfg(unix)]
pub fn open(client: &str, port: &str) -> Result<VirtualPort, String> {
    use midir::os::unix::VirtualOutput;
    // The ALSA library would write lines of its own to stderr.
    if cfg!(target_os = "linux") && !std::path::Path::new("/dev/snd/seq").exists() {
        return Err("no ALSA sequencer".to_owned());
    }
    // midir says only that initialisation failed, whatever the cause.
    let output = midir::MidiOutput::new(client).map_err(|_| format!("no {KIND} MIDI"))?;
    let connection = output.create_virtual(port).map_err(|e| format!("no {KIND} port: {e}"))?;
    Ok(VirtualPort(connection))
}

#[cfg(unix)]
impl MidiSink for VirtualPort {
    fn send(&mut self, message: [u8; 3]) -> bool {
        self.0.send(&message).is_ok()
    }
}

#[cfg(not(unix))]
pub struct VirtualPort(std::convert::Infallible);

#[cfg(not(unix))]
pub fn open(_: &str, _: &str) -> Result<VirtualPort, String> {
    Err("Windows has no virtual MIDI ports".to_owned())
}

#[cfg(not(unix))]
impl MidiSink for VirtualPort {
    fn send(&mut self, _: [u8; 3]) -> bool {
        match self.0 {}
    }
}
