//! Where the notes go: the MIDI port that the user named; else JACK if a server runs, else a virtual MIDI port, else
//! nowhere. The clock runs in any case.
//!
//! One thread owns the engine for the device's life. On its way out every sounding note gets its off.

mod jack_port;
mod midi;
mod named_port;
mod paced;
mod stop_request;
mod virtual_port;

use crate::console::log;
use jack_port::PlayEnd;
use named_port::NamedPort;
use paced::{BlockPacer, MidiSink, MonotonicClock, NullSink};
use parking_lot::Mutex;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use stop_request::StopRequest;
use svc_device::playback::Engine;
use svc_device::set::runtime::midi_port::MidiPortCell;

const CLIENT: &str = "SVC Device";
const PORT: &str = "notes";
/// 2.7 ms: a launch waits no longer for its block.
const PORT_BLOCK_FRAMES: u32 = 128;
/// 10 ms: nothing is heard, so the processor may sleep longer.
const SILENT_BLOCK_FRAMES: u32 = 480;
/// How long the thread may take to end.
const STOP_LIMIT: Duration = Duration::from_millis(600);

/// The running output.
pub struct Output {
    stop: Arc<StopRequest>,
    thread: JoinHandle<()>,
}

impl Output {
    /// Starts playing, to the port of that name if one is given; the error says which there are. Says on stderr where
    /// the notes go.
    pub fn start(engine: Engine, midi_port: Arc<MidiPortCell>, midi_out: Option<&str>) -> Result<Output, String> {
        let named = midi_out.map(|name| named_port::open(CLIENT, PORT, name)).transpose()?;
        let stop = Arc::<StopRequest>::default();
        let for_thread = stop.clone();
        let thread = std::thread::Builder::new().name("svc-output".to_owned()).spawn(move || match named {
            Some(port) => run_named(engine, &midi_port, port, &for_thread),
            None => run(engine, &midi_port, &for_thread),
        });
        Ok(Output { stop, thread: thread.map_err(|e| format!("cannot start a thread: {e}"))? })
    }

    /// Sends the offs of all that sounds and ends. A thread that hangs in a MIDI system is left behind.
    pub fn stop(self) {
        self.stop.request();
        let limit = Instant::now() + STOP_LIMIT;
        while !self.thread.is_finished() && Instant::now() < limit {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

fn run_named(mut engine: Engine, midi_port: &MidiPortCell, mut port: NamedPort, stop: &StopRequest) {
    midi_port.set_name(&format!("{} MIDI port {}", virtual_port::KIND, port.name()));
    log(&format!("notes go to the {} MIDI port \"{}\"", virtual_port::KIND, port.name()));
    play(&mut engine, &mut port, PORT_BLOCK_FRAMES, stop);
}

fn run(engine: Engine, midi_port: &MidiPortCell, stop: &StopRequest) {
    let engine = Arc::new(Mutex::new(engine));
    let no_jack = match jack_port::open(CLIENT, PORT, engine.clone()) {
        Ok(port) => {
            log(&format!("notes go to the JACK port \"{}\"", port.name()));
            midi_port.set_name(&format!("JACK port {}", port.name()));
            match port.play(stop) {
                PlayEnd::AsRequested => return,
                PlayEnd::ServerGone => "the JACK server is gone".to_owned(),
            }
        }
        Err(why) => why,
    };
    let mut engine = engine.lock();
    match virtual_port::open(CLIENT, PORT) {
        Ok(mut port) => {
            midi_port.set_name(&format!("{} MIDI port {CLIENT}:{PORT}", virtual_port::KIND));
            log(&format!("notes go to the {} MIDI port \"{CLIENT}:{PORT}\" ({no_jack})", virtual_port::KIND));
            play(&mut engine, &mut port, PORT_BLOCK_FRAMES, stop);
        }
        Err(no_port) => {
            midi_port.set_name("none: there is no MIDI output here");
            log(&format!("no MIDI output ({no_jack}, {no_port}); clips run, but nobody hears them"));
            play(&mut engine, &mut NullSink, SILENT_BLOCK_FRAMES, stop);
        }
    }
}

fn play(engine: &mut Engine, sink: &mut impl MidiSink, block_frames: u32, stop: &StopRequest) {
    let mut pacer = BlockPacer::new(MonotonicClock::start(), block_frames);
    while !stop.is_requested() {
        pacer.block(sink, |block, mut out| engine.process(block, &mut out));
    }
    engine.silence(&mut |event| sink.send(midi::message(event).1));
}
