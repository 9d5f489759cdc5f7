//! A host for the CLAP plugin: the thread that makes it is the plugin's main thread, another one does the audio and is
//! the scripts' thread too, so that a test's calls and blocks come in one order.

use super::song::{
    AudioThread, Block, Heard, MAX_FRAMES, SAMPLE_RATE, TRACK_OUTPUTS, keep_added, keep_tracks, some_audio,
};
use clack_extensions::audio_ports::{AudioPortInfoBuffer, PluginAudioPorts};
use clack_extensions::audio_ports_config::{AudioPortsConfigBuffer, PluginAudioPortsConfig};
use clack_extensions::latency::{HostLatency, HostLatencyImpl, PluginLatency};
use clack_extensions::note_ports::{NoteDialect, NotePortInfoBuffer, PluginNotePorts};
use clack_extensions::state::PluginState;
use clack_extensions::thread_check::{HostThreadCheck, HostThreadCheckImpl};
use clack_host::events::event_types::{NoteOffEvent, NoteOnEvent, TransportEvent, TransportFlags};
use clack_host::events::io::{OutputEventBuffer, TryPushError};
use clack_host::events::spaces::CoreEventSpace;
use clack_host::events::{EventFlags, Match};
use clack_host::prelude::*;
use clack_host::utils::{BeatTime, SecondsTime};
use crossbeam_channel::{Receiver, Sender, bounded, select, unbounded};
use std::cell::Cell;
use std::ffi::CString;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, ThreadId};
use std::time::Duration;

/// How often a host lets the plugin have its main thread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Service {
    AtOnce,
    Every(Duration),
    Never,
}

pub struct Handlers;

pub struct Shared {
    main_thread: ThreadId,
    callbacks: Sender<()>,
    /// How long the host takes to note a request for its main thread.
    request_takes: Duration,
    restarts: Arc<AtomicUsize>,
}

/// What the host keeps on its main thread.
#[derive(Default)]
pub struct MainThread {
    latency_changes: Cell<usize>,
}

impl MainThreadHandler<'_> for MainThread {}

impl HostLatencyImpl for MainThread {
    fn changed(&self) {
        self.latency_changes.set(self.latency_changes.get() + 1);
    }
}

impl HostHandlers for Handlers {
    type Shared<'a> = Shared;
    type MainThread<'a> = MainThread;
    type AudioProcessor<'a> = ();

    fn declare_extensions(builder: &mut HostExtensions<Self>, _: &Shared) {
        builder.register::<HostThreadCheck>();
        builder.register::<HostLatency>();
        // A plugin may ask for it before it opens a window.
        builder.register::<clack_extensions::gui::HostGui>();
    }
}

impl SharedHandler<'_> for Shared {
    fn request_restart(&self) {
        self.restarts.fetch_add(1, Ordering::Relaxed);
    }

    fn request_process(&self) {}

    fn request_callback(&self) {
        // Nobody listens once the host is being dropped.
        let _ = self.callbacks.send(());
        thread::sleep(self.request_takes);
    }
}

/// The window keeps its size, and the host opens and closes it.
impl clack_extensions::gui::HostGuiImpl for Shared {
    fn resize_hints_changed(&self) {}

    fn request_resize(&self, _: clack_extensions::gui::GuiSize) -> Result<(), HostError> {
        Err(HostError::Message("this window keeps its size"))
    }

    fn request_show(&self) -> Result<(), HostError> {
        Ok(())
    }

    fn request_hide(&self) -> Result<(), HostError> {
        Ok(())
    }

    fn closed(&self, _: bool) {}
}

impl HostThreadCheckImpl for Shared {
    fn is_main_thread(&self) -> bool {
        thread::current().id() == self.main_thread
    }

    fn is_audio_thread(&self) -> bool {
        !self.is_main_thread()
    }
}

/// The loaded library.
pub struct Library(PluginEntry);

impl Library {
    pub fn load(path: &Path) -> Library {
        // SAFETY: the file is the plugin that this very build made.
        Library(unsafe { PluginEntry::load(path) }.unwrap_or_else(|error| panic!("{}: {error}", path.display())))
    }

    pub fn entry(&self) -> &PluginEntry {
        &self.0
    }

    /// An instance of the one plugin in the library.
    pub fn instance(&self) -> Instance {
        self.instance_in_host(Duration::ZERO)
    }

    /// The same, in a host that takes so long to note a request for its main thread.
    pub fn instance_in_host(&self, request_takes: Duration) -> Instance {
        let factory = self.0.get_plugin_factory().expect("a factory of plugins");
        let id: CString = factory.plugin_descriptor(0).and_then(|plugin| plugin.id()).expect("a plugin").into();
        let host = HostInfo::new("SVC test host", "SVC", "https://example.com", "1").expect("names without zeros");
        let (sender, callbacks) = unbounded();
        let main_thread = thread::current().id();
        let restarts = Arc::<AtomicUsize>::default();
        let counted = Arc::clone(&restarts);
        let plugin = PluginInstance::new(
            |()| Shared { main_thread, callbacks: sender, request_takes, restarts: counted },
            |_| MainThread::default(),
            &self.0,
            &id,
            &host,
        )
        .expect("an instance");
        Instance {
            audio: Audio {
                processor: None,
                steady: 0,
                room: usize::MAX,
                refused: 0,
                added: Default::default(),
                outputs: 0,
                tracks: Vec::new(),
            },
            callbacks,
            restarts,
            plugin,
        }
    }
}

/// The audio side of an instance.
pub struct Audio {
    processor: Option<PluginAudioProcessor<Handlers>>,
    steady: u64,
    /// Events that the host takes in a block; it refuses more.
    pub room: usize,
    /// Events that it has refused.
    pub refused: usize,
    /// What came out beyond what went in.
    added: [Vec<f32>; 2],
    /// How many outputs of single tracks there are, and what came out of them.
    outputs: usize,
    tracks: Vec<[Vec<f32>; 2]>,
}

/// The events of a block, as many as there is room for.
struct Sent {
    events: EventBuffer,
    room: usize,
    refused: usize,
}

impl OutputEventBuffer for Sent {
    fn try_push(&mut self, event: &UnknownEvent) -> Result<(), TryPushError> {
        if self.room == 0 {
            self.refused += 1;
            return Err(TryPushError::new());
        }
        self.room -= 1;
        self.events.push(event);
        Ok(())
    }
}

pub struct Instance {
    // Before the plugin, which has to be the last to go.
    audio: Audio,
    callbacks: Receiver<()>,
    restarts: Arc<AtomicUsize>,
    plugin: PluginInstance<Handlers>,
}

impl Instance {
    /// The plugin's handle on the main thread.
    pub fn handle(&mut self) -> PluginMainThreadHandle<'_> {
        self.plugin.plugin_handle()
    }

    /// How late the plugin says that it is, in samples.
    pub fn latency(&mut self) -> u32 {
        let handle = self.plugin.plugin_handle();
        let latency: PluginLatency = handle.get_extension().expect("the plugin has a latency");
        latency.get(&handle)
    }

    /// How often the plugin said that its latency changed, and how often it asked to be restarted.
    pub fn latency_changes(&mut self) -> (usize, usize) {
        let changes = self.plugin.access_handler(|main| main.latency_changes.get());
        (changes, self.restarts.load(Ordering::Relaxed))
    }

    pub fn activate(&mut self) {
        let configuration =
            PluginAudioConfiguration { sample_rate: SAMPLE_RATE, min_frames_count: 1, max_frames_count: MAX_FRAMES };
        let stopped = self.plugin.activate(|_, _| (), configuration).expect("it activates");
        self.audio.processor = Some(stopped.into());
    }

    /// Waits until the plugin asks for the main thread.
    pub fn wait_for_request(&self) {
        self.callbacks.recv_timeout(Duration::from_secs(5)).expect("the plugin asks for the main thread");
    }

    pub fn deactivate(&mut self) {
        let processor = self.audio.processor.take().expect("it is active");
        self.plugin.deactivate(processor.into_stopped());
    }

    /// Runs `work` beside this thread, which does what a host's main thread does meanwhile.
    pub fn run<T: Send>(&mut self, service: Service, work: impl FnOnce(&mut Audio) -> T + Send) -> T {
        let Instance { audio, callbacks, plugin, .. } = self;
        let (working, done) = bounded::<()>(0);
        thread::scope(|scope| {
            let worker = thread::Builder::new()
                .name("audio".to_owned())
                .spawn_scoped(scope, move || {
                    let _working = working;
                    work(audio)
                })
                .expect("a thread");
            match service {
                Service::AtOnce => loop {
                    select! {
                        recv(callbacks) -> _ => plugin.call_on_main_thread_callback(),
                        recv(done) -> _ => break,
                    }
                },
                Service::Every(pause) => {
                    while done.recv_timeout(pause).is_err_and(|error| error.is_timeout()) {
                        if callbacks.try_iter().count() > 0 {
                            plugin.call_on_main_thread_callback();
                        }
                    }
                }
                Service::Never => assert!(done.recv().is_err(), "nothing is ever sent"),
            }
            worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }

    pub fn save(&mut self) -> Vec<u8> {
        let handle = self.plugin.plugin_handle();
        let state: PluginState = handle.get_extension().expect("the plugin has a state");
        let mut bytes = Vec::new();
        state.save(&handle, &mut bytes).expect("the state is saved");
        bytes
    }

    pub fn load(&mut self, bytes: &[u8]) {
        assert!(self.try_load(bytes), "the state is loaded");
    }

    pub fn try_load(&mut self, bytes: &[u8]) -> bool {
        let handle = self.plugin.plugin_handle();
        let state: PluginState = handle.get_extension().expect("the plugin has a state");
        state.load(&handle, &mut &bytes[..]).is_ok()
    }

    /// The names of the configurations of audio ports, with how many inputs and outputs each has.
    pub fn configurations(&mut self) -> Vec<(String, u32, u32)> {
        let handle = self.plugin.plugin_handle();
        let configurations: PluginAudioPortsConfig = handle.get_extension().expect("the plugin has configurations");
        let mut list = Vec::new();
        for at in 0..configurations.count(&handle) {
            let mut buffer = AudioPortsConfigBuffer::new();
            let one = configurations.get(&handle, at, &mut buffer).expect("a configuration");
            assert_eq!(one.id.get(), at);
            list.push((String::from_utf8_lossy(one.name).into_owned(), one.input_port_count, one.output_port_count));
        }
        list
    }

    /// Chooses the one with outputs of single tracks.
    pub fn choose_track_outputs(&mut self) {
        let wanted = TRACK_OUTPUTS as u32 + 1;
        let at = self.configurations().iter().position(|(_, inputs, outputs)| (*inputs, *outputs) == (1, wanted));
        let id = ClapId::new(at.expect("the plugin has it") as u32);
        let handle = self.plugin.plugin_handle();
        let configurations: PluginAudioPortsConfig = handle.get_extension().expect("the plugin has configurations");
        configurations.select(&handle, id).expect("it may be chosen");
        self.audio.outputs = TRACK_OUTPUTS;
    }

    /// The names of the audio outputs.
    pub fn output_names(&mut self) -> Vec<String> {
        let handle = self.plugin.plugin_handle();
        let ports: PluginAudioPorts = handle.get_extension().expect("the plugin has audio ports");
        (0..ports.count(&handle, false))
            .filter_map(|at| {
                let mut buffer = AudioPortInfoBuffer::new();
                ports.get(&handle, at, false, &mut buffer).map(|port| String::from_utf8_lossy(port.name).into_owned())
            })
            .collect()
    }

    /// Channels of each audio port: inputs, outputs.
    pub fn audio_ports(&mut self) -> [Vec<u32>; 2] {
        let handle = self.plugin.plugin_handle();
        let ports: PluginAudioPorts = handle.get_extension().expect("the plugin has audio ports");
        [true, false].map(|is_input| {
            (0..ports.count(&handle, is_input))
                .filter_map(|at| {
                    let mut buffer = AudioPortInfoBuffer::new();
                    ports.get(&handle, at, is_input, &mut buffer).map(|port| port.channel_count)
                })
                .collect()
        })
    }

    /// For each note port, whether it takes CLAP's own notes: inputs, outputs.
    pub fn note_ports(&mut self) -> [Vec<bool>; 2] {
        let handle = self.plugin.plugin_handle();
        let ports: PluginNotePorts = handle.get_extension().expect("the plugin has note ports");
        [true, false].map(|is_input| {
            (0..ports.count(&handle, is_input))
                .filter_map(|at| {
                    let mut buffer = NotePortInfoBuffer::new();
                    let port = ports.get(&handle, at, is_input, &mut buffer)?;
                    Some(port.supported_dialects.supports(NoteDialect::Clap))
                })
                .collect()
        })
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        if self.audio.processor.is_some() {
            self.deactivate();
        }
    }
}

impl AudioThread for Audio {
    fn process(&mut self, block: &Block) -> Vec<Heard> {
        let processor = self.processor.as_mut().expect("the plugin is active");
        let processor = processor.ensure_processing_started().expect("it processes");
        let mut host_notes = EventBuffer::with_capacity(block.notes.len());
        for note in &block.notes {
            let sample = u32::try_from(note.sample).expect("inside the block");
            let key = Pckn::new(0u16, u16::from(note.channel), u16::from(note.pitch), Match::All);
            if note.on {
                host_notes.push(&NoteOnEvent::new(sample, key, note.velocity));
            } else {
                host_notes.push(&NoteOffEvent::new(sample, key, note.velocity));
            }
        }
        let mut sent = Sent { events: EventBuffer::with_capacity(256), room: self.room, refused: 0 };
        let mut input = [0, 1].map(|channel| some_audio(channel, block.frames));
        let mut output = [0, 1].map(|_| vec![f32::NAN; block.frames as usize]);
        let mut tracks: Vec<[Vec<f32>; 2]> = vec![output.clone(); self.outputs];
        let (mut in_ports, mut out_ports) =
            (AudioPorts::with_capacity(2, 1), AudioPorts::with_capacity(2 + 2 * tracks.len(), 1 + tracks.len()));
        let wanted = input.clone();
        let audio_in = in_ports.with_input_buffers([AudioPortBuffer {
            latency: 0,
            channels: AudioPortBufferType::f32_input_only(input.iter_mut().map(InputChannel::variable)),
        }]);
        let ports = [&mut output].into_iter().chain(&mut tracks).map(|port| AudioPortBuffer {
            latency: 0,
            channels: AudioPortBufferType::f32_output_only(port.iter_mut().map(|b| b.as_mut_slice())),
        });
        // As many as are counted.
        let ports: Vec<_> = ports.collect();
        let mut audio_out = out_ports.with_output_buffers(ports);
        processor
            .process(
                &audio_in,
                &mut audio_out,
                &host_notes.as_input(),
                &mut OutputEvents::from_buffer(&mut sent),
                Some(self.steady),
                Some(&transport(block)),
            )
            .expect("it processes a block");
        self.steady += u64::from(block.frames);
        keep_added(&mut self.added, &wanted, &output);
        keep_tracks(&mut self.tracks, &tracks);
        self.refused += sent.refused;
        sent.events.iter().map(heard).collect()
    }

    fn take_added(&mut self) -> [Vec<f32>; 2] {
        std::mem::take(&mut self.added)
    }

    fn take_tracks(&mut self) -> Vec<[Vec<f32>; 2]> {
        std::mem::take(&mut self.tracks)
    }
}

fn transport(block: &Block) -> TransportEvent {
    let playing = if block.playing { TransportFlags::IS_PLAYING } else { TransportFlags::empty() };
    TransportEvent {
        header: clack_host::events::EventHeader::new_core(0, EventFlags::empty()),
        flags: TransportFlags::HAS_TEMPO
            | TransportFlags::HAS_BEATS_TIMELINE
            | TransportFlags::HAS_TIME_SIGNATURE
            | playing,
        song_pos_beats: BeatTime::from_float(block.position_beats),
        song_pos_seconds: SecondsTime::from_int(0),
        tempo: block.tempo_bpm,
        tempo_inc: 0.0,
        loop_start_beats: BeatTime::from_int(0),
        loop_end_beats: BeatTime::from_int(0),
        loop_start_seconds: SecondsTime::from_int(0),
        loop_end_seconds: SecondsTime::from_int(0),
        bar_start: BeatTime::from_float(block.bar_start_beats),
        bar_number: (block.bar_start_beats / 4.0) as i32,
        time_signature_numerator: 4,
        time_signature_denominator: 4,
    }
}

fn heard(event: &UnknownEvent) -> Heard {
    let number = |value: Match<u16>| {
        value.into_specific().and_then(|n| u8::try_from(n).ok()).unwrap_or_else(|| panic!("{value:?} in an event"))
    };
    let sample = u64::from(event.header().time());
    match event.as_core_event() {
        Some(CoreEventSpace::NoteOn(note)) => Heard {
            sample,
            on: true,
            channel: number(note.channel()),
            pitch: number(note.key()),
            velocity: note.velocity(),
        },
        Some(CoreEventSpace::NoteOff(note)) => Heard {
            sample,
            on: false,
            channel: number(note.channel()),
            pitch: number(note.key()),
            velocity: note.velocity(),
        },
        _ => panic!("the plugin sent an event that is no note: {:?}", event.header().type_id()),
    }
}
