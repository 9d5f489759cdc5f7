//! Plays a stretch block after block, by the player that the audio thread runs.

use super::heard_block::HeardBlock;
use super::midi_file::MidiTrack;
use super::parts::{Part, parts_of};
use super::stretch::{Stretch, tempo_bpm};
use super::tracks::{RenderedPart, RenderedTrack, rendered_tracks};
use crate::playback::{
    Block, LaunchAction, LaunchOrder, LaunchQuantum, Publisher, Snapshot, TrackLaunch, TransportAction, TransportOrder,
    channel,
};
use crate::set::Document;
use crate::set::document::{Track, TrackKind};
use crate::sound::control::SoundControl;
use crate::sound::mix::mix_settings;
use crate::sound::player::{self, Player, PlayerParts};
use crate::sound::publisher::PlanPublisher;
use crate::sound::samples::SampleCache;
use std::sync::Arc;
use svc_analysis::remarks::BentMix;

/// Frames of a block; nothing that is heard depends on it.
pub const BLOCK_FRAMES: usize = 1_024;
/// A tail that does not end is cut.
pub const LONGEST_TAIL_S: f64 = 30.0;
/// Below -90 dBFS for that long, the tail is over.
const SILENCE: f32 = 3.2e-5;
const SILENCE_S: f64 = 0.5;

/// What follows the stretch: echoes and releases.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tail {
    /// Until it is silent, at most [`LONGEST_TAIL_S`].
    UntilSilent,
    /// So many seconds, 0 for none.
    Seconds(f64),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RenderSettings {
    pub stretch: Stretch,
    pub rate_hz: u32,
    /// Of the chance of notes: another one draws otherwise.
    pub seed: u64,
    pub tail: Tail,
    /// Frames of a block, above 0: [`BLOCK_FRAMES`] but where it is shown that it does not matter.
    pub block_frames: usize,
}

/// Both channels of a block, of the same length.
#[derive(Clone, Copy, Debug)]
pub struct Signal<'a> {
    pub left: &'a [f32],
    pub right: &'a [f32],
}

/// A rendering under way.
pub struct OfflineRender {
    player: Player,
    snapshots: Publisher,
    // Who publishes keeps what it published.
    _plans: PlanPublisher,
    /// What is told when the stretch is over.
    stop: Option<Snapshot>,
    rate_hz: u32,
    block_frames: usize,
    tracks: Vec<RenderedTrack>,
    main: (Vec<f32>, Vec<f32>),
    heard: HeardBlock,
    /// Frames of the stretch that are left.
    left: u64,
    /// The same of what is played, which is heard late where a track is early.
    left_to_play: u64,
    /// Frames before the stretch is heard: they are no part of what is rendered.
    left_before: u64,
    latency: u32,
    stretch_frames: u64,
    tail: TailLeft,
    beats_per_frame: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum TailLeft {
    Frames(u64),
    /// Frames until it is cut, and silent frames so far.
    UntilSilent {
        left: u64,
        silent: u64,
    },
}

impl OfflineRender {
    /// `samples` has loaded what the Set names. With `parts` the drums of kits are heard one by one too.
    pub fn new(document: &Document, samples: &SampleCache, settings: &RenderSettings, parts: bool) -> OfflineRender {
        let document = prepared(document, &settings.stretch);
        let mix = mix_settings(&document, samples);
        let tracks = rendered_tracks(&document, &mix, &settings.stretch);
        let serials: Vec<u32> = tracks.iter().map(|track| track.serial).collect();
        let mut parts = match parts {
            true => parts_of(&document, &mix, &settings.stretch, &serials, settings.rate_hz),
            false => Vec::new(),
        };
        let (mut snapshots, mut notes) = channel();
        notes.draw_from(settings.seed);
        let (control, _) = SoundControl::new();
        control.set_on(true);
        control.set_midi_on(false);
        let clock = snapshots.clock().clone();
        let keyboard_tracks = Arc::default();
        let (mut plans, mut player) =
            player::channel(PlayerParts { engine: notes, clock, keyboard_tracks, levels: Arc::default(), control });
        let rate = f64::from(settings.rate_hz);
        plans.publish(&document, rate as f32, samples);
        player.open_at(rate as f32);
        let launches = launches(&document, &settings.stretch);
        let ordered = |number, action| Snapshot {
            launches: launches.clone(),
            transport: TransportOrder { number, action },
            own_clock: true,
            document: document.clone(),
        };
        snapshots.publish(ordered(1, TransportAction::Start { at: settings.stretch.start() }));
        let latency = player.latency(rate);
        parts.iter_mut().for_each(|part| part.be_late(|track| player.late_by(track)));
        let heard = HeardBlock::new(&tracks, parts, latency, |track| player.late_by(track));
        let beats_per_frame = document.song.tempo_bpm / 60.0 / rate;
        let stretch_frames = ((settings.stretch.beats() / beats_per_frame).round() as u64).max(1);
        OfflineRender {
            player,
            stop: Some(ordered(2, TransportAction::Stop)),
            snapshots,
            _plans: plans,
            rate_hz: settings.rate_hz,
            block_frames: settings.block_frames.max(1),
            main: Default::default(),
            heard,
            tracks,
            left: stretch_frames,
            left_to_play: stretch_frames,
            left_before: latency.into(),
            latency,
            stretch_frames,
            beats_per_frame,
            tail: match settings.tail {
                Tail::UntilSilent => TailLeft::UntilSilent { left: (LONGEST_TAIL_S * rate) as u64, silent: 0 },
                Tail::Seconds(seconds) => TailLeft::Frames((seconds.max(0.0) * rate) as u64),
            },
        }
    }

    pub fn tracks(&self) -> &[RenderedTrack] {
        &self.tracks
    }

    pub fn parts(&self) -> Vec<RenderedPart> {
        let part = |part: &Part| {
            let mut pitches = part.pitches.clone();
            pitches.sort_unstable();
            RenderedPart { of: part.of, name: part.name.clone(), pitches }
        };
        self.heard.parts().iter().map(part).collect()
    }

    /// Frames of the stretch and of a tail of a stated length that are still to come.
    pub fn frames_left(&self) -> u64 {
        self.left + if let TailLeft::Frames(frames) = self.tail { frames } else { 0 }
    }

    /// Of the stretch alone.
    pub fn stretch_frames(&self) -> u64 {
        self.stretch_frames
    }

    /// The notes that were played so far, as far as they belong to the stretch.
    pub fn played(&self) -> Vec<MidiTrack> {
        let end = self.stretch_frames as f64 * self.beats_per_frame;
        self.heard.played(&self.tracks, self.beats_per_frame, end)
    }

    /// What the main track's safety clip bent of all that was made: `None` where nothing was.
    pub fn bent(&mut self) -> Option<BentMix> {
        let bent = self.player.take_bent();
        let first = bent.first_frame?.saturating_sub(self.latency.into());
        Some(BentMix {
            times: bent.times,
            first_s: first as f64 / f64::from(self.rate_hz),
            most_db: bent.most_db(),
            excess_db: bent.excess_db(),
        })
    }

    /// Makes the next block; false when there is none.
    pub fn advance(&mut self) -> bool {
        while self.left_before > 0 {
            self.left_before -= self.make(self.left_before.min(self.block_frames as u64));
            self.player.take_bent();
        }
        let is_tail = self.left == 0;
        let frames = if is_tail { self.tail_frames() } else { self.left.min(self.block_frames as u64) };
        if frames == 0 {
            return false;
        }
        let frames = self.make(frames);
        if is_tail {
            self.note_tail(frames);
        } else {
            self.left -= frames;
        }
        true
    }

    /// Makes at most so many frames, up to where the playing ends, and says how many.
    fn make(&mut self, frames: u64) -> u64 {
        let frames = match self.left_to_play {
            0 => frames,
            left => left.min(frames),
        };
        if self.left_to_play == 0
            && let Some(stop) = self.stop.take()
        {
            self.snapshots.publish(stop);
            // What still rings goes on as it was: an envelope that let go would bring back what it faded out.
            self.player.hold_what_moved();
        }
        self.left_to_play = self.left_to_play.saturating_sub(frames);
        let block = Block { sample_rate: self.rate_hz.into(), frames: frames as u32, host: None };
        for channel in [&mut self.main.0, &mut self.main.1] {
            channel.clear();
            channel.resize(frames as usize, 0.0);
        }
        self.heard.begin(frames as usize);
        self.player.process(&block, &mut |_| true);
        self.player.render_to(&block, &mut self.main.0, &mut self.main.1, &mut self.heard);
        frames
    }

    /// The main output of the block that was made last.
    pub fn main(&self) -> Signal<'_> {
        let (left, right) = &self.main;
        Signal { left, right }
    }

    /// A track's signal behind its fader in the block that was made last, by its place in [`tracks`](Self::tracks).
    pub fn track(&self, at: usize) -> Option<Signal<'_>> {
        let (left, right) = self.heard.track(at)?;
        Some(Signal { left, right })
    }

    /// The same of a drum, by its place in [`parts`](Self::parts).
    pub fn part(&self, at: usize) -> Option<Signal<'_>> {
        let (left, right) = self.heard.parts().get(at)?.signal();
        Some(Signal { left, right })
    }

    fn tail_frames(&self) -> u64 {
        let block = self.block_frames as u64;
        match self.tail {
            TailLeft::Frames(left) => left.min(block),
            TailLeft::UntilSilent { left, silent } => {
                // Where it ends does not depend on blocks.
                let to_end = self.silence_frames().saturating_sub(silent);
                left.min(block).min(to_end)
            }
        }
    }

    fn silence_frames(&self) -> u64 {
        (SILENCE_S * f64::from(self.rate_hz)) as u64
    }

    fn note_tail(&mut self, frames: u64) {
        let (left_channel, right_channel) = &self.main;
        match &mut self.tail {
            TailLeft::Frames(left) => *left -= frames,
            TailLeft::UntilSilent { left, silent } => {
                *left -= frames;
                for (left, right) in left_channel.iter().zip(right_channel) {
                    *silent = if left.abs() < SILENCE && right.abs() < SILENCE { *silent + 1 } else { 0 };
                }
            }
        }
    }
}

/// The Set as it is once the stretch plays.
fn prepared(document: &Document, stretch: &Stretch) -> Document {
    let mut document = document.clone();
    let scene = stretch.scene(&document).cloned();
    let tempo = tempo_bpm(&document, scene.as_ref());
    let song = Arc::make_mut(&mut document.song);
    // A stretch is played once, and by nobody who counts along.
    song.loop_on = false;
    song.stored.remove("metronome");
    song.tempo_bpm = tempo;
    if let Some(signature) = scene.and_then(|scene| scene.signature) {
        song.signature = signature;
    }
    document
}

/// Tracks that have no clip in the scene are stopped, so that they do not follow the Arrangement.
fn launches(document: &Document, stretch: &Stretch) -> Vec<TrackLaunch> {
    let Stretch::Scene { scene, .. } = stretch else { return Vec::new() };
    let plays = |track: &&Arc<Track>| matches!(track.kind, TrackKind::Midi | TrackKind::Audio);
    let launch = |track: &Arc<Track>| {
        let clip = track.session.get(*scene);
        let action = clip.map_or(LaunchAction::Stop, |clip| LaunchAction::Play { clip: clip.serial, legato: false });
        TrackLaunch::new(track.serial, LaunchOrder { number: 1, action, quantum: LaunchQuantum::None })
    };
    document.tracks.iter().filter(plays).map(launch).collect()
}
