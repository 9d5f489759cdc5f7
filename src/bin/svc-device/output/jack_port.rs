//! A JACK client with a MIDI port and two of sound: the player runs inside JACK's process callback, so notes are exact
//! to the sample.
//!
//! The callback takes no lock that anybody waits for, allocates nothing and calls nothing of the system. The player is
//! shared with the thread outside only so that it survives a server that dies; that thread tries for it and never
//! waits.

use super::midi;
use super::midi_queue::MidiQueue;
use super::stop_request::StopRequest;
use jack::{
    AsyncClient, AudioOut, Client, ClientOptions, Control, MidiOut, NotificationHandler, PortFlags, ProcessHandler,
    ProcessScope, RawMidi,
};
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use svc_device::playback::{Block, Event};
use svc_device::sound::control::SoundControl;
use svc_device::sound::output_status::{SoundOutput, SoundWay};
use svc_device::sound::player::Player;

/// Without a callback for so long the server counts as gone. JACK's own notice would run in a signal handler, where
/// little is allowed, and a server that hangs gives none.
const GONE_AFTER: Duration = Duration::from_millis(1000);
/// How often that is looked at.
const CHECK_EVERY: Duration = Duration::from_millis(100);
/// How long sound that is switched off fades.
const FADE: Duration = Duration::from_millis(30);
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
    player: Arc<Mutex<Player>>,
    midi: MidiWay,
    left: jack::Port<AudioOut>,
    right: jack::Port<AudioOut>,
    shared: Arc<Shared>,
}

/// Where notes leave.
enum MidiWay {
    Port(jack::Port<MidiOut>),
    /// The port that the user named.
    Queue(MidiQueue),
}

impl MidiWay {
    /// Gives `act` what takes an event of this cycle.
    fn with<R>(&mut self, scope: &ProcessScope, act: impl FnOnce(&mut dyn FnMut(Event) -> bool) -> R) -> R {
        match self {
            MidiWay::Port(port) => {
                let mut writer = port.writer(scope);
                act(&mut |event| {
                    let (time, bytes) = midi::message(event);
                    writer.write(&RawMidi { time, bytes: &bytes }).is_ok()
                })
            }
            MidiWay::Queue(queue) => act(&mut |event| queue.push(Instant::now(), midi::message(event).1)),
        }
    }
}

/// Hears of what broke off.
struct Notices(Arc<SoundControl>);

impl NotificationHandler for Notices {
    fn xrun(&mut self, _: &Client) -> Control {
        self.0.output.count_underrun();
        Control::Continue
    }
}

impl ProcessHandler for JackProcess {
    fn process(&mut self, client: &Client, scope: &ProcessScope) -> Control {
        self.shared.cycles.fetch_add(1, Ordering::Relaxed);
        let JackProcess { player, midi, left, right, shared } = self;
        let (left, right) = (left.as_mut_slice(scope), right.as_mut_slice(scope));
        let stage = shared.stage.load(Ordering::Acquire);
        let Some(mut player) = player.try_lock().filter(|_| stage != stage::DONE) else {
            left.fill(0.0);
            right.fill(0.0);
            return Control::Continue;
        };
        let block = Block { sample_rate: f64::from(client.sample_rate()), frames: scope.n_frames(), host: None };
        match stage {
            stage::PLAY => {
                midi.with(scope, |mut out| player.process(&block, &mut out));
                player.render(&block, left, right);
                return Control::Continue;
            }
            stage::SILENCE => {
                let mut all = true;
                midi.with(scope, |out| {
                    player.silence(&mut |event| {
                        let taken = out(event);
                        all &= taken;
                        taken
                    });
                });
                if all {
                    shared.stage.store(stage::WRITTEN, Ordering::Release);
                }
            }
            _ => {
                // The port's buffer is empty in this cycle.
                midi.with(scope, |_| ());
                shared.stage.store(stage::DONE, Ordering::Release);
            }
        }
        left.fill(0.0);
        right.fill(0.0);
        Control::Continue
    }
}

/// How playing over JACK ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayEnd {
    AsRequested,
    /// The server or the card is gone or hangs.
    Gone,
}

/// A port that plays.
pub struct JackPort {
    client: AsyncClient<Notices, JackProcess>,
    shared: Arc<Shared>,
    sound: Arc<SoundControl>,
    name: String,
}

/// Who the client is, and what it plays by.
pub struct JackParts {
    pub client: &'static str,
    pub port: &'static str,
    pub player: Arc<Mutex<Player>>,
    pub sound: Arc<SoundControl>,
    /// Notes go here instead of to a port of the client's own.
    pub queue: Option<MidiQueue>,
}

/// Starts playing, if a server runs; none is started. The error says why not, in a few words.
pub fn open(parts: JackParts) -> Result<JackPort, String> {
    let JackParts { client, port, player, sound, queue } = parts;
    let (client, _) = Client::new(client, ClientOptions::NO_START_SERVER).map_err(|error| match error {
        jack::Error::LibraryError(_) => "no JACK library".to_owned(),
        jack::Error::ClientError(status) if status.contains(jack::ClientStatus::SERVER_FAILED) => {
            "no JACK server".to_owned()
        }
        other => format!("JACK refused: {other}"),
    })?;
    let refused = |error: jack::Error| format!("JACK refused: {error}");
    let (midi, name) = match queue {
        Some(queue) => (MidiWay::Queue(queue), String::new()),
        None => {
            let port = client.register_port(port, MidiOut::default()).map_err(refused)?;
            let name = port.name().map_err(refused)?;
            (MidiWay::Port(port), name)
        }
    };
    let left = client.register_port("left", AudioOut::default()).map_err(refused)?;
    let right = client.register_port("right", AudioOut::default()).map_err(refused)?;
    let outs = [left.name().map_err(refused)?, right.name().map_err(refused)?];
    let (rate, latency_frames) = (client.sample_rate(), client.buffer_size());
    sound.output.set(SoundWay::Own(SoundOutput { name: "JACK".to_owned(), sample_rate: rate, latency_frames }));
    sound.set_rate(rate as f32);
    let shared = Arc::<Shared>::default();
    let process = JackProcess { player, midi, left, right, shared: shared.clone() };
    let client = client.activate_async(Notices(sound.clone()), process).map_err(refused)?;
    // As people expect of what plays; where there is nothing to hear it by, nothing is connected.
    let inputs = PortFlags::IS_INPUT | PortFlags::IS_PHYSICAL;
    let ears = client.as_client().ports(None, Some("32 bit float mono audio"), inputs);
    for (out, ear) in outs.iter().zip(ears) {
        let _ = client.as_client().connect_ports_by_name(out, &ear);
    }
    Ok(JackPort { client, shared, sound, name })
}

impl JackPort {
    /// The MIDI port's whole name, as other clients see it; empty where notes leave elsewhere.
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
                self.sound.output.set(SoundWay::None);
                let _ = std::thread::Builder::new().name("svc-jack-close".to_owned()).spawn(move || self.close());
                return PlayEnd::Gone;
            }
        }
        self.sound.set_on(false);
        std::thread::sleep(FADE);
        self.sound.output.set(SoundWay::None);
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
