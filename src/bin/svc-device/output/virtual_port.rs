//! A MIDI port of our own that other programs connect to: the ALSA sequencer on Linux, CoreMIDI on macOS. Windows has
//! none.

use super::paced::MidiSink;

/// What it is, for the user.
pub const KIND: &str = if cfg!(target_os = "macos") {
    "CoreMIDI"
} else if cfg!(windows) {
    "Windows"
} else {
    "ALSA"
};

/// A client of the system's MIDI. The error says in a few words why there is none.
pub fn client(name: &str) -> Result<midir::MidiOutput, String> {
    // The ALSA library would write lines of its own to stderr.
    if cfg!(target_os = "linux") && !std::path::Path::new("/dev/snd/seq").exists() {
        return Err("no ALSA sequencer".to_owned());
    }
    // midir says only that initialisation failed, whatever the cause.
    midir::MidiOutput::new(name).map_err(|_| format!("no {KIND} MIDI"))
}

pub struct VirtualPort(midir::MidiOutputConnection);

#[cfg(unix)]
pub fn open(client_name: &str, port: &str) -> Result<VirtualPort, String> {
    use midir::os::unix::VirtualOutput;
    let connection = client(client_name)?.create_virtual(port).map_err(|e| format!("no {KIND} port: {e}"))?;
    Ok(VirtualPort(connection))
}

#[cfg(windows)]
pub fn open(_: &str, _: &str) -> Result<VirtualPort, String> {
    Err("Windows has no virtual MIDI ports: name an existing one with --midi-out NAME".to_owned())
}

impl MidiSink for VirtualPort {
    fn send(&mut self, message: [u8; 3]) -> bool {
        self.0.send(&message).is_ok()
    }
}
