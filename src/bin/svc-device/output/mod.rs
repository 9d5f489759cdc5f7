//! Where the notes go: JACK if a server runs, else a virtual MIDI port, else nowhere; the clock runs in any case.
//!
//! One thread owns the engine for the device's life. On its way out every sounding note gets its off.

mod jack_port;
mod midi;
mod paced;
mod virtual_port;

use crate::say::say;
use jack_port::Ended;
use paced::{Pace, Port, Silence, Watch};
use parking_lot::{Condvar, Mutex};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use svc_device::playback::Engine;

const CLIENT: &str = "SVC Device";
const PORT: &str = "notes";
/// 2.7 ms: a launch waits no longer for its block.
const PORT_BLOCK_FRAMES: u32 = 128;
/// 10 ms: nobody hears when, so the processor may sleep longer.
const SILENT_BLOCK_FRAMES: u32 = 480;
/// How long the thread may take to end.
const STOP_LIMIT: Duration = Duration::from_millis(600);

/// The wish that the output ends, for the thread that plays.
#[derive(Default)]
pub struct Ending {
    asked: Mutex<bool>,
    bell: Condvar,
}

impl Ending {
    fn ask(&self) {
        *self.asked.lock() = true;
        self.bell.notify_all();
    }

    fn is_asked(&self) -> bool {
        *self.asked.lock()
    }

    /// Waits for the wish, at most for `limit`; true when it is there.
    fn wait(&self, limit: Duration) -> bool {
        let mut asked = self.asked.lock();
        if !*asked {
            self.bell.wait_for(&mut asked, limit);
        }
        *asked
    }
}

/// The running output.
pub struct Output {
    ending: Arc<Ending>,
    thread: JoinHandle<()>,
}

impl Output {
    /// Starts playing. Says on stderr where the notes go.
    pub fn start(engine: Engine) -> Result<Output, String> {
        let ending = Arc::<Ending>::default();
        let wish = ending.clone();
        let thread = std::thread::Builder::new().name("svc-output".to_owned()).spawn(move || run(engine, &wish));
        Ok(Output { ending, thread: thread.map_err(|e| format!("cannot start a thread: {e}"))? })
    }

    /// Sends the offs of all that sounds and ends. A thread that hangs in a MIDI system is left behind.
    pub fn stop(self) {
        self.ending.ask();
        let limit = Instant::now() + STOP_LIMIT;
        while !self.thread.is_finished() && Instant::now() < limit {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

fn run(engine: Engine, ending: &Ending) {
    let engine = Arc::new(Mutex::new(engine));
    let no_jack = match jack_port::open(CLIENT, PORT, engine.clone()) {
        Ok(port) => {
            say(&format!("notes go to the JACK port \"{}\"", port.name()));
            match port.play(ending) {
                Ended::AsAsked => return,
                Ended::ServerGone => "the JACK server is gone".to_owned(),
            }
        }
        Err(why) => why,
    };
    let mut engine = engine.lock();
    match virtual_port::open(CLIENT, PORT) {
        Ok(mut port) => {
            say(&format!("notes go to the {} MIDI port \"{CLIENT}:{PORT}\" ({no_jack})", virtual_port::KIND));
            play(&mut engine, &mut port, PORT_BLOCK_FRAMES, ending);
        }
        Err(no_port) => {
            say(&format!("no MIDI output ({no_jack}, {no_port}); clips run, but nobody hears them"));
            play(&mut engine, &mut Silence, SILENT_BLOCK_FRAMES, ending);
        }
    }
}

fn play(engine: &mut Engine, port: &mut impl Port, block_frames: u32, ending: &Ending) {
    let mut pace = Pace::new(Watch::start(), block_frames);
    while !ending.is_asked() {
        pace.block(port, |block, mut out| engine.process(block, &mut out));
    }
    engine.silence(&mut |event| port.send(midi::message(event).1));
}
