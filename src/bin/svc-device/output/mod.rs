//! Where notes and sound go. Notes: the MIDI port that the user named; else JACK if a server runs, else a virtual MIDI
//! port, else nowhere. Sound: JACK if a server runs, else the sound card, else nowhere. The clock runs in any case: the
//! server's, the card's, or one of our own.
//!
//! One thread owns the player for the device's life. On its way out every sounding note gets its off.

mod jack_port;
mod midi;
mod midi_queue;
mod named_port;
mod paced;
mod sound_card;
mod stop_request;
mod virtual_port;

use crate::console::log;
use jack_port::{JackParts, PlayEnd};
use midi_queue::{MidiQueue, MidiSender};
use named_port::NamedPort;
use paced::{BlockPacer, MidiSink, MonotonicClock, NullSink};
use parking_lot::Mutex;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use stop_request::StopRequest;
use svc_device::set::runtime::midi_port::MidiPortCell;
use svc_device::sound::control::SoundControl;
use svc_device::sound::output_status::SoundWay;
use svc_device::sound::player::Player;
use virtual_port::VirtualPort;

const CLIENT: &str = "SVC Device";
const PORT: &str = "notes";
/// 2.7 ms: a launch waits no longer for its block.
const PORT_BLOCK_FRAMES: u32 = 128;
/// 10 ms: nothing is heard, so the processor may sleep longer.
const SILENT_BLOCK_FRAMES: u32 = 480;
/// How long the thread may take to end.
const STOP_LIMIT: Duration = Duration::from_millis(700);
/// How what is said begins where notes go nowhere.
const NO_PORT: &str = "no MIDI output";
/// A card that is gone may have left another one in its place.
const TRIES_OF_CARDS: usize = 2;

/// The running output.
pub struct Output {
    stop: Arc<StopRequest>,
    thread: JoinHandle<()>,
}

impl Output {
    /// Starts playing, notes to the port of that name if one is given; the error says which there are. Says on stderr
    /// where both go.
    pub fn start(player: Player, midi_port: Arc<MidiPortCell>, midi_out: Option<&str>) -> Result<Output, String> {
        let named = midi_out.map(|name| named_port::open(CLIENT, PORT, name)).transpose()?;
        let stop = Arc::<StopRequest>::default();
        let ways = Ways { sound: player.control().clone(), midi_port, stop: stop.clone() };
        let player = Arc::new(Mutex::new(player));
        let thread = std::thread::Builder::new().name("svc-output".to_owned());
        let thread = thread.spawn(move || ways.run(&player, named)).map_err(cannot_start)?;
        Ok(Output { stop, thread })
    }

    /// Sends the offs of all that sounds and ends. A thread that hangs in a MIDI or sound system is left behind.
    pub fn stop(self) {
        self.stop.request();
        let limit = Instant::now() + STOP_LIMIT;
        while !self.thread.is_finished() && Instant::now() < limit {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

fn cannot_start(why: std::io::Error) -> String {
    format!("cannot start a thread: {why}")
}

/// A port other than JACK's that notes go to.
enum MidiPort {
    Named(NamedPort),
    Virtual(VirtualPort),
    /// There is none: nobody hears them.
    None(NullSink),
}

impl MidiSink for MidiPort {
    fn send(&mut self, message: [u8; 3]) -> bool {
        match self {
            MidiPort::Named(port) => port.send(message),
            MidiPort::Virtual(port) => port.send(message),
            MidiPort::None(port) => port.send(message),
        }
    }
}

/// What choosing the ways works with.
struct Ways {
    sound: Arc<SoundControl>,
    midi_port: Arc<MidiPortCell>,
    stop: Arc<StopRequest>,
}

impl Ways {
    fn run(&self, player: &Arc<Mutex<Player>>, named: Option<NamedPort>) {
        let named = named.map(|port| {
            let name = format!("{} MIDI port {}", virtual_port::KIND, port.name());
            let told = format!("notes go to the {} MIDI port \"{}\"", virtual_port::KIND, port.name());
            self.midi_port.set_name(&name);
            (MidiSender::start(MidiPort::Named(port)), told)
        });
        let (no_jack, named) = match named {
            Some((Ok(sender), told)) => {
                let (ended, why) = self.play_by_jack(player, Some((sender.queue(), &told)));
                if ended {
                    sender.finish();
                    return;
                }
                (why, Some((sender, told)))
            }
            Some((Err(why), _)) => return log(&cannot_start(why)),
            None => match self.play_by_jack(player, None) {
                (true, _) => return,
                (false, why) => (why, None),
            },
        };
        let (sender, told) = match named.map_or_else(|| self.own_port(&no_jack), Ok) {
            Ok(found) => found,
            Err(why) => return log(&why),
        };
        let no_card = match self.play_by_card(player, &sender, &told, &no_jack) {
            Ok(()) => return drop(sender.finish()),
            Err(why) => why,
        };
        log(&match told.starts_with(NO_PORT) {
            true => format!("{told} and no sound ({no_card}); clips run, but nobody hears them"),
            false => format!("{told}; no sound ({no_jack}, {no_card})"),
        });
        self.sound.output.set(SoundWay::Nowhere(format!("{no_jack}, {no_card}")));
        let Some(mut port) = sender.finish() else { return };
        let has_port = !matches!(port, MidiPort::None(_));
        let frames = if has_port { PORT_BLOCK_FRAMES } else { SILENT_BLOCK_FRAMES };
        play(&mut player.lock(), &mut port, frames, &self.stop);
    }

    /// Plays as long as a JACK server does, notes to a port of our own there unless they have another way. Gives
    /// whether that ended as requested, and else why there is none.
    fn play_by_jack(&self, player: &Arc<Mutex<Player>>, named: Option<(MidiQueue, &str)>) -> (bool, String) {
        let (queue, told) = named.map_or((None, None), |(queue, told)| (Some(queue), Some(told)));
        let parts = JackParts { client: CLIENT, port: PORT, player: player.clone(), sound: self.sound.clone(), queue };
        let port = match jack_port::open(parts) {
            Ok(port) => port,
            Err(why) => return (false, why),
        };
        match told {
            Some(told) => log(&format!("{told}, sound to JACK")),
            None => {
                log(&format!("notes go to the JACK port \"{}\", sound to JACK", port.name()));
                self.midi_port.set_name(&format!("JACK port {}", port.name()));
            }
        }
        match port.play(&self.stop) {
            PlayEnd::AsRequested => (true, String::new()),
            PlayEnd::Gone => (false, "the JACK server is gone".to_owned()),
        }
    }

    /// A virtual port, or none, with what to say of it.
    fn own_port(&self, no_jack: &str) -> Result<(MidiSender<MidiPort>, String), String> {
        let (port, told) = match virtual_port::open(CLIENT, PORT) {
            Ok(port) => {
                self.midi_port.set_name(&format!("{} MIDI port {CLIENT}:{PORT}", virtual_port::KIND));
                let told = format!("notes go to the {} MIDI port \"{CLIENT}:{PORT}\"", virtual_port::KIND);
                (MidiPort::Virtual(port), told)
            }
            Err(no_port) => {
                self.midi_port.set_name("none: there is no MIDI output here");
                (MidiPort::None(NullSink), format!("{NO_PORT} ({no_jack}, {no_port})"))
            }
        };
        MidiSender::start(port).map(|sender| (sender, told)).map_err(cannot_start)
    }

    /// Plays as long as a sound card does; the error says why there is none.
    fn play_by_card(
        &self,
        player: &Arc<Mutex<Player>>,
        sender: &MidiSender<MidiPort>,
        told: &str,
        no_jack: &str,
    ) -> Result<(), String> {
        for _ in 0..TRIES_OF_CARDS {
            let card = sound_card::open(player.clone(), self.sound.clone(), sender.queue())?;
            log(&format!("{told}, sound goes to the sound card \"{}\" ({no_jack})", card.name()));
            if card.play(&self.stop) == PlayEnd::AsRequested {
                return Ok(());
            }
        }
        Err("the sound card is gone".to_owned())
    }
}

fn play(player: &mut Player, sink: &mut impl MidiSink, block_frames: u32, stop: &StopRequest) {
    let mut pacer = BlockPacer::new(MonotonicClock::start(), block_frames);
    while !stop.is_requested() {
        pacer.block(sink, |block, mut out| player.process(block, &mut out));
    }
    player.silence(&mut |event| sink.send(midi::message(event).1));
}
