//! The sound card, by `cpal`: the card's pace is the clock's. Notes leave by a queue, as what sends MIDI may wait.
//!
//! The callback takes no lock that anybody waits for, allocates nothing and calls nothing of the system but the clock.

use super::jack_port::PlayEnd;
use super::midi;
use super::midi_queue::MidiQueue;
use super::stop_request::StopRequest;
use cpal::traits::{DeviceTrait, HostTrait, StreamTrait};
use cpal::{BufferSize, ErrorKind, FromSample, SampleFormat, SizedSample, StreamConfig, SupportedBufferSize};
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use svc_device::playback::Block;
use svc_device::sound::control::SoundControl;
use svc_device::sound::output_status::{SoundOutput, SoundWay};
use svc_device::sound::player::Player;

/// Frames that the card is asked for at a time: 21 ms at 48 kHz. Defaults of sound servers break off.
const BUFFER_FRAMES: u32 = 1024;
/// The longest piece of a block that is made at once.
const PIECE_FRAMES: usize = 1024;
/// Without a callback for so long the card counts as gone.
const GONE_AFTER: Duration = Duration::from_secs(2);
const CHECK_EVERY: Duration = Duration::from_millis(100);
/// How long sound that is switched off fades, and the card plays what it has.
const FADE: Duration = Duration::from_millis(80);

#[derive(Default)]
struct Shared {
    /// Counts callbacks.
    cycles: AtomicU64,
    has_failed: AtomicBool,
}

/// A card that plays.
pub struct SoundCard {
    stream: cpal::Stream,
    player: Arc<Mutex<Player>>,
    sound: Arc<SoundControl>,
    queue: MidiQueue,
    shared: Arc<Shared>,
    name: String,
}

/// Starts playing on the system's default card. The error says why not, in a few words.
pub fn open(player: Arc<Mutex<Player>>, sound: Arc<SoundControl>, queue: MidiQueue) -> Result<SoundCard, String> {
    if !may_have_card() {
        return Err("no sound card".to_owned());
    }
    let device = cpal::default_host().default_output_device().ok_or("no sound card")?;
    let supported = device.default_output_config().map_err(|error| format!("no sound card: {error}"))?;
    let mut config: StreamConfig = supported.config();
    config.buffer_size = match supported.buffer_size() {
        SupportedBufferSize::Range { min, max } => BufferSize::Fixed(BUFFER_FRAMES.clamp(*min, (*max).max(*min))),
        SupportedBufferSize::Unknown => BufferSize::Default,
    };
    let latency_frames = if let BufferSize::Fixed(frames) = config.buffer_size { frames } else { BUFFER_FRAMES };
    let shared = Arc::<Shared>::default();
    let maker = BlockMaker {
        player: player.clone(),
        queue: queue.clone(),
        shared: shared.clone(),
        sample_rate: f64::from(config.sample_rate),
        channels: usize::from(config.channels).max(1),
        latency: Duration::from_secs_f64(f64::from(latency_frames) / f64::from(config.sample_rate.max(1))),
        left: vec![0.0; PIECE_FRAMES],
        right: vec![0.0; PIECE_FRAMES],
    };
    let of_errors = (shared.clone(), sound.clone());
    let refused = |error: cpal::Error| format!("the sound card refused: {error}");
    let stream = match supported.sample_format() {
        SampleFormat::I16 => build::<i16>(&device, config, maker, of_errors),
        SampleFormat::I32 => build::<i32>(&device, config, maker, of_errors),
        SampleFormat::F64 => build::<f64>(&device, config, maker, of_errors),
        SampleFormat::U8 => build::<u8>(&device, config, maker, of_errors),
        SampleFormat::U16 => build::<u16>(&device, config, maker, of_errors),
        _ => build::<f32>(&device, config, maker, of_errors),
    };
    let stream = stream.map_err(refused)?;
    let name = device.description().map_or_else(|_| "default".to_owned(), |device| device.name().to_owned());
    let sample_rate = config.sample_rate;
    let own = SoundOutput { name: format!("sound card {name}"), sample_rate, latency_frames };
    sound.output.set(SoundWay::Own(own));
    sound.set_rate(sample_rate as f32);
    stream.play().map_err(refused)?;
    Ok(SoundCard { stream, player, sound, queue, shared, name })
}

/// The ALSA library would write lines of its own to stderr where it finds nothing.
fn may_have_card() -> bool {
    if !cfg!(target_os = "linux") {
        return true;
    }
    let runtime = std::env::var_os("XDG_RUNTIME_DIR").map(std::path::PathBuf::from);
    let has_server = runtime.is_some_and(|dir| dir.join("pipewire-0").exists() || dir.join("pulse/native").exists());
    let is_set = ["ALSA_CONFIG_PATH", "PULSE_SERVER"].iter().any(|name| std::env::var_os(name).is_some());
    let nodes = std::fs::read_dir("/dev/snd").into_iter().flatten().flatten();
    has_server || is_set || nodes.into_iter().any(|node| node.file_name().to_string_lossy().starts_with("pcm"))
}

fn build<T: SizedSample + FromSample<f32>>(
    device: &cpal::Device,
    config: StreamConfig,
    mut maker: BlockMaker,
    (shared, sound): (Arc<Shared>, Arc<SoundControl>),
) -> Result<cpal::Stream, cpal::Error> {
    let on_error = move |error: cpal::Error| match error.kind() {
        ErrorKind::Xrun => sound.output.count_underrun(),
        ErrorKind::RealtimeDenied | ErrorKind::DeviceChanged => {}
        _ => shared.has_failed.store(true, Ordering::Release),
    };
    device.build_output_stream(
        config,
        move |out: &mut [T], _: &cpal::OutputCallbackInfo| maker.fill(out),
        on_error,
        None,
    )
}

/// What the callback works with.
struct BlockMaker {
    player: Arc<Mutex<Player>>,
    queue: MidiQueue,
    shared: Arc<Shared>,
    sample_rate: f64,
    channels: usize,
    /// From a callback to what it makes being heard.
    latency: Duration,
    left: Vec<f32>,
    right: Vec<f32>,
}

impl BlockMaker {
    fn fill<T: SizedSample + FromSample<f32>>(&mut self, out: &mut [T]) {
        self.shared.cycles.fetch_add(1, Ordering::Relaxed);
        let heard_at = Instant::now() + self.latency;
        let BlockMaker { player, queue, sample_rate, channels, left, right, .. } = self;
        let Some(mut player) = player.try_lock() else { return out.fill(T::EQUILIBRIUM) };
        let mut made = 0u64;
        for piece in out.chunks_mut(PIECE_FRAMES * *channels) {
            let frames = piece.len() / *channels;
            let (Some(left), Some(right)) = (left.get_mut(..frames), right.get_mut(..frames)) else { continue };
            let block = Block { sample_rate: *sample_rate, frames: frames as u32, host: None };
            player.process(&block, &mut |event| {
                let (sample, message) = midi::message(event);
                let seconds = (made + u64::from(sample)) as f64 / *sample_rate;
                queue.push(heard_at + Duration::from_secs_f64(seconds), message)
            });
            player.render(&block, left, right);
            for (frame, (left, right)) in piece.chunks_mut(*channels).zip(left.iter().zip(right.iter())) {
                write_frame(frame, *left, *right);
            }
            made += frames as u64;
        }
    }
}

/// Left and right go to the first two channels, both to a single one.
fn write_frame<T: SizedSample + FromSample<f32>>(frame: &mut [T], left: f32, right: f32) {
    match frame {
        [single] => *single = T::from_sample((left + right) * 0.5),
        [first, second, others @ ..] => {
            (*first, *second) = (T::from_sample(left), T::from_sample(right));
            others.fill(T::EQUILIBRIUM);
        }
        [] => {}
    }
}

impl SoundCard {
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Plays until it is asked to end, all notes having got their offs, or until the card is gone.
    pub fn play(self, stop: &StopRequest) -> PlayEnd {
        let (mut cycles, mut alive_at) = (self.cycles(), Instant::now());
        let end = loop {
            if stop.wait(CHECK_EVERY) {
                break PlayEnd::AsRequested;
            }
            let now = self.cycles();
            if now != cycles {
                (cycles, alive_at) = (now, Instant::now());
            }
            if self.shared.has_failed.load(Ordering::Acquire) || alive_at.elapsed() > GONE_AFTER {
                break PlayEnd::Gone;
            }
        };
        self.sound.output.set(SoundWay::None);
        if end == PlayEnd::AsRequested {
            self.sound.set_on(false);
            std::thread::sleep(FADE);
        }
        drop(self.stream);
        if end == PlayEnd::AsRequested {
            let queue = &self.queue;
            self.player.lock().silence(&mut |event| queue.push(Instant::now(), midi::message(event).1));
        }
        end
    }

    fn cycles(&self) -> u64 {
        self.shared.cycles.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_of_any_width_get_both_channels() {
        let written = |width: usize| {
            let mut frame = vec![9.0f32; width];
            write_frame(&mut frame, 0.5, -0.25);
            frame
        };
        assert_eq!(written(1), [0.125]);
        assert_eq!(written(2), [0.5, -0.25]);
        assert_eq!(written(4), [0.5, -0.25, 0.0, 0.0]);
        let mut loud = [0i16; 2];
        write_frame(&mut loud, 7.0, -7.0);
        assert_eq!(loud, [i16::MAX, i16::MIN], "what is too loud is cut, and never wraps");
    }
}
