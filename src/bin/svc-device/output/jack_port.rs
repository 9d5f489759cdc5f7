//! A JACK client with one MIDI port: the engine runs inside JACK's process callback, so notes are exact to the sample.
//!
//! The callback takes no lock that anybody waits for, allocates nothing and calls nothing of the system. The engine is
//! shared with the thread outside only so that it survives a server that dies; that thread tries for it and never
//! waits.

use super::midi;
use super::stop_request::StopRequest;
use jack::{AsyncClient, Client, ClientOptions, Control, MidiOut, ProcessHandler, ProcessScope, RawMidi};
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use svc_device::playback::{Block, Engine, Event};

/// Without a callback for so long the server counts as gone. JACK's own notice would run in a signal handler, where
/// little is allowed, and a server that hangs gives none.
const GONE_AFTER: Duration = Duration::from_millis(1000);
/// How often that is looked at.
const CHECK_EVERY: Duration = Duration::from_millis(100);
/// How long the last note-offs may take to leave.
const SILENCE_LIMIT: Duration = Duration::from_millis(400);

/// What the callback does; each stage is entered from the one before.
mod stage {
    pub const PLAY: u8 = 0;
    /// The offs of all that sounds are to be written.
    pub const SILENCE: u8 = 1;
    /// They are written; the cycle that carries them still runs.
    pub const WRITTEN: u8 = 2;
    /// They have left.
    pub const DONE: u8 = 3;
}

#[derive(Default)]
struct Shared {
    stage: AtomicU8,
    /// Counts callbacks.
    cycles: AtomicU64,
}

/// What JACK calls for each cycle.
struct JackProcess {
    engine: Arc<Mutex<Engine>>,
    port: jack::Port<MidiOut>,
    shared: Arc<Shared>,
}

impl ProcessHandler for JackProcess {
    fn process(&mut self, client: &Client, scope: &ProcessScope) -> Control {
        self.shared.cycles.fetch_add(1, Ordering::Relaxed);
        let mut writer = self.port.writer(scope);
        let Some(mut engine) = self.engine.try_lock() else { return Control::Continue };
        let mut all = true;
        let mut out = |event: Event| {
            let (time, bytes) = midi::message(event);
            let taken = writer.write(&RawMidi { time, bytes: &bytes }).is_ok();
            all &= taken;
            taken
        };
        match self.shared.stage.load(Ordering::Acquire) {
            stage::PLAY => {
                let sample_rate = f64::from(client.sample_rate());
                engine.process(&Block { sample_rate, frames: scope.n_frames(), host: None }, &mut out);
            }
            stage::SILENCE => {
                engine.silence(&mut out);
                if all {
                    self.shared.stage.store(stage::WRITTEN, Ordering::Release);
                }
            }
            stage::WRITTEN => self.shared.stage.store(stage::DONE, Ordering::Release),
            _ => {}
        }
        Control::Continue
    }
}

/// How playing over JACK ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayEnd {
    AsRequested,
    /// The server is gone or hangs.
    ServerGone,
}

/// A port that plays.
pub struct JackPort {
    client: AsyncClient<(), JackProcess>,
    shared: Arc<Shared>,
    name: String,
}

/// Starts playing, if a server runs; none is started. The error says why not, in a few words.
pub fn open(client: &str, port: &str, engine: Arc<Mutex<Engine>>) -> Result<JackPort, String> {
    let (client, _) = Client::new(client, ClientOptions::NO_START_SERVER).map_err(|error| match error {
        jack::Error::LibraryError(_) => "no JACK library".to_owned(),
        jack::Error::ClientError(status) if status.contains(jack::ClientStatus::SERVER_FAILED) => {
            "no JACK server".to_owned()
        }
        other => format!("JACK refused: {other}"),
    })?;
    let refused = |error: jack::Error| format!("JACK refused: {error}");
    let port = client.register_port(port, MidiOut::default()).map_err(refused)?;
    let name = port.name().map_err(refused)?;
    let shared = Arc::<Shared>::default();
    let client = client.activate_async((), JackProcess { engine, port, shared: shared.clone() }).map_err(refused)?;
    Ok(JackPort { client, shared, name })
}

impl JackPort {
    /// The port's whole name, as other clients see it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Plays until it is asked to end, all notes having got their offs, or until the server is gone.
    pub fn play(self, stop: &StopRequest) -> PlayEnd {
        let mut cycles = self.cycles();
        let mut alive_at = Instant::now();
        while !stop.wait(CHECK_EVERY) {
            let now = self.cycles();
            if now != cycles {
                (cycles, alive_at) = (now, Instant::now());
            } else if alive_at.elapsed() > GONE_AFTER {
                // A server that hangs would keep us here.
                let _ = std::thread::Builder::new().name("svc-jack-close".to_owned()).spawn(move || self.close());
                return PlayEnd::ServerGone;
            }
        }
        self.shared.stage.store(stage::SILENCE, Ordering::Release);
        let limit = Instant::now() + SILENCE_LIMIT;
        while self.shared.stage.load(Ordering::Acquire) != stage::DONE && Instant::now() < limit {
            std::thread::sleep(Duration::from_millis(1));
        }
        self.close();
        PlayEnd::AsRequested
    }

    fn cycles(&self) -> u64 {
        self.shared.cycles.load(Ordering::Relaxed)
    }

    fn close(self) {
        // A server that is gone does not answer: there is nothing to do about an error.
        let _ = self.client.deactivate();
    }
}
