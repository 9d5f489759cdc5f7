//! The plugin, as hosts load it: CLAP and VST3, through `nice-plug`. The library that hosts load, with the entries of
//! both formats, is the package in `plugin-library/`.
//!
//! The life cycle in order: a scan makes and drops instances, which open nothing. The first `activate` starts the
//! device (server, threads); it stays up over deactivate and activate. `Drop` stops it: every call answered, every
//! socket closed, every thread joined, or, should one hang, the library pinned so that its code stays mapped.
//!
//! The framework's executor is used for one thing only: one thread asks it for a slice on the host's main thread, and
//! only where it really is that thread (CLAP everywhere, VST3 on Windows and macOS). Its background executor is never
//! used. See D37 in `docs/decisions.md`.

mod editor;
mod outputs;
mod pin;
mod process;
mod state;

use crate::device::recovery::JournalFolder;
use crate::device::{Config, Device, Persistence};
use crate::service::Settings;
use crate::service::pump::SliceThread;
use crate::set::Document;
use crate::sound::passed_sound::PassedSound;
use crate::sound::player::Player;
use crate::sound::track_outputs::TrackOutputs;
use editor::DeviceEditor;
use nice_plug::prelude::*;
use nice_plug_egui::RepaintNotifier;
use outputs::TrackBuffers;
use process::PassThrough;
use state::DeviceParams;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Found by programs that look into the built library.
static VERSION_MARKER: &str = concat!("svc-device-version=", env!("CARGO_PKG_VERSION"), ";");

/// Numbers the instances of this process.
static INSTANCES: AtomicU32 = AtomicU32::new(0);

/// One instance on a track.
pub struct SvcDevice {
    device: Arc<Device>,
    player: Player,
    /// Room for a block's sound, made when the host says how long blocks are.
    sound: (Vec<f32>, Vec<f32>),
    /// Where the host asked for outputs of single tracks.
    track_outputs: Option<TrackOutputs>,
    pass_through: PassThrough,
    passed_sound: PassedSound,
    /// By how many frames all is late, as the host was asked to allow for last.
    latency: u32,
    /// Whether a host may be asked to start the plugin anew from the thread that makes the sound.
    asks_for_restart: bool,
    params: Arc<DeviceParams>,
    repaint: RepaintNotifier,
    executor: Option<AsyncExecutor<SvcDevice>>,
    sample_rate: f64,
    has_input: bool,
}

/// The one task there is: a slice of the pump. It carries nothing.
pub struct PumpSlice;

impl Default for SvcDevice {
    fn default() -> Self {
        let number = INSTANCES.fetch_add(1, Ordering::Relaxed) + 1;
        let repaint = RepaintNotifier::new();
        let window = repaint.clone();
        let (device, player) = Device::new(Config {
            instance: format!("plugin, process {}, instance {number}", std::process::id()),
            settings: Settings::default(),
            document: Document::new_set(),
            own_clock: false,
            port_override: None,
            host_override: None,
            persistence: JournalFolder::of_user().map_or(Persistence::Nowhere, Persistence::Journal),
            on_change: Box::new(move || window.request_repaint()),
        });
        SvcDevice {
            params: Arc::new(DeviceParams::new(device.clone())),
            device,
            player,
            sound: (Vec::new(), Vec::new()),
            track_outputs: None,
            pass_through: PassThrough::default(),
            passed_sound: PassedSound::default(),
            latency: 0,
            asks_for_restart: false,
            repaint,
            executor: None,
            sample_rate: 44_100.0,
            has_input: true,
        }
    }
}

impl Plugin for SvcDevice {
    const NAME: &'static str = "SVC Device";
    const VENDOR: &'static str = "SVC";
    const URL: &'static str = env!("CARGO_PKG_REPOSITORY");
    const EMAIL: &'static str = "";
    const VERSION: &'static str = env!("CARGO_PKG_VERSION");

    const AUDIO_IO_LAYOUTS: &'static [AudioIOLayout] = outputs::LAYOUTS;

    const MIDI_INPUT: MidiConfig = MidiConfig::Basic;
    const MIDI_OUTPUT: MidiConfig = MidiConfig::Basic;

    type Editor = DeviceEditor;
    type SysExMessage = ();
    type BackgroundTask = PumpSlice;

    fn task_executor(&mut self) -> TaskExecutor<Self> {
        let pump = self.device.pump.clone();
        Box::new(move |PumpSlice| pump.run_slice_on_main_thread())
    }

    fn params(&self) -> Arc<dyn Params> {
        self.params.clone()
    }

    fn editor(&mut self, executor: AsyncExecutor<Self>) -> Option<Self::Editor> {
        self.executor = Some(executor);
        Some(DeviceEditor::new(self.device.clone(), self.params.clone(), self.repaint.clone()))
    }

    fn activate(
        &mut self,
        layout: &AudioIOLayout,
        buffer: &BufferConfig,
        context: &mut impl ActivateContext<Self>,
    ) -> bool {
        std::hint::black_box(VERSION_MARKER);
        self.sample_rate = f64::from(buffer.sample_rate);
        self.has_input = layout.main_input_channels.is_some();
        let longest = usize::try_from(buffer.max_buffer_size).unwrap_or_default();
        self.sound = (vec![0.0; longest], vec![0.0; longest]);
        let has_tracks = !layout.aux_output_ports.is_empty();
        self.track_outputs = has_tracks.then(|| TrackOutputs::new(buffer.sample_rate));
        self.device.sound.set_rate(buffer.sample_rate);
        self.latency = self.player.latency(self.sample_rate);
        self.passed_sound = PassedSound::late_by(self.latency);
        // Only here may it change: what hosts make of it is fixed while they play.
        context.set_latency_samples(self.latency);
        // VST3 hosts are asked through a thread of the framework's, behind locks.
        self.asks_for_restart = context.plugin_api() == PluginApi::Clap;
        let slice_thread = match (&self.executor, has_main_thread(context.plugin_api())) {
            (Some(executor), true) => {
                let executor = executor.clone();
                SliceThread::PluginHost(Box::new(move || executor.execute_gui(PumpSlice)))
            }
            _ => SliceThread::Model,
        };
        self.device.pump.set_plugin_host_active(true);
        if let Err(why) = self.device.start(slice_thread) {
            // The plugin still passes audio and notes; a host that refused it would lose the project's state.
            nice_log!("SVC Device cannot start: {why}");
        }
        true
    }

    fn deactivate(&mut self) {
        self.device.pump.set_plugin_host_active(false);
        self.player.suspend();
    }

    fn process(
        &mut self,
        buffer: &mut Buffer,
        aux: &mut AuxiliaryBuffers,
        context: &mut impl ProcessContext<Self>,
    ) -> ProcessStatus {
        if !self.has_input {
            for channel in buffer.as_slice() {
                channel.fill(0.0);
            }
        }
        self.passed_sound.pass(buffer.as_slice());
        // A host keeps to the length that it said.
        let frames = buffer.samples().min(self.sound.0.len());
        let (left, right) = &mut self.sound;
        if let (Some(left), Some(right)) = (left.get_mut(..frames), right.get_mut(..frames)) {
            let (made, player) = ((&mut *left, &mut *right), &mut self.player);
            let (pass_through, rate) = (&mut self.pass_through, self.sample_rate);
            let sounds = match &mut self.track_outputs {
                None => process::run(player, pass_through, rate, made, &mut (), context),
                Some(tracks) => {
                    let mut buffers = TrackBuffers(aux.outputs);
                    process::run(player, pass_through, rate, made, &mut tracks.block(frames, &mut buffers), context)
                }
            };
            if sounds {
                // What comes in is passed through.
                for (out, made) in buffer.as_slice().iter_mut().zip([left, right]) {
                    out.iter_mut().zip(made.iter()).for_each(|(out, made)| *out += made);
                }
            }
        }
        let latency = self.player.latency(self.sample_rate);
        if latency != self.latency && std::mem::take(&mut self.asks_for_restart) {
            context.request_restart();
        }
        ProcessStatus::KeepAlive
    }
}

/// Whether the framework's executor really runs on the host's main thread.
fn has_main_thread(api: PluginApi) -> bool {
    match api {
        PluginApi::Clap => true,
        PluginApi::Vst3 => cfg!(not(target_os = "linux")),
        PluginApi::Standalone => false,
    }
}

impl Drop for SvcDevice {
    fn drop(&mut self) {
        if !self.device.stop() {
            nice_log!("SVC Device: a thread did not end in time; the library stays loaded");
            pin::pin_library();
        }
    }
}

impl ClapPlugin for SvcDevice {
    /// Projects find the plugin by this; it never changes.
    const CLAP_ID: &'static str = "com.svc-device.svc-device";
    const CLAP_DESCRIPTION: Option<&'static str> =
        Some("A music session that scripts and agents can play, behind a local HTTP server");
    const CLAP_MANUAL_URL: Option<&'static str> = None;
    const CLAP_SUPPORT_URL: Option<&'static str> = None;
    const CLAP_FEATURES: &'static [ClapFeature] = &[ClapFeature::Instrument, ClapFeature::Utility, ClapFeature::Stereo];
}

impl Vst3Plugin for SvcDevice {
    /// Projects find the plugin by this; it never changes.
    const VST3_CLASS_ID: [u8; 16] = *b"SvcDeviceSession";
    const VST3_SUBCATEGORIES: &'static [Vst3SubCategory] = &[Vst3SubCategory::Instrument, Vst3SubCategory::Tools];
}
