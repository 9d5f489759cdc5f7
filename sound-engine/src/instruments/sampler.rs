//! The sampler: one sample over the keys, once for each hit, or a slice for each key.

use super::sampler_voice::SamplerVoice;
use super::voice_pool::{Note, VoicePool};
use crate::dsp::envelope::EnvelopeTimes;
use crate::dsp::grain_reader::Grains;
use crate::dsp::lfo::{LfoRate, LfoWave};
use crate::dsp::span::{Bus, Span};
use crate::dsp::svf::Response;
use crate::dsp::warp_map::WarpMarker;
use crate::sample::Sample;
use std::sync::Arc;

#[derive(Clone, Debug, PartialEq)]
pub enum SamplerMode {
    /// Keys play it at their pitch, with an envelope and a loop.
    Classic,
    /// A hit plays it from start to end; `gate`: only while the key is held.
    OneShot { gate: bool },
    /// Each key from `first_pitch` on plays one slice; `starts` are frames, ascending.
    Slice { starts: Arc<[u32]>, first_pitch: u8, gate: bool },
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SamplerFilter {
    pub response: Response,
    pub hz: f32,
    pub q: f32,
    pub steep: bool,
    /// 0 to 1, from C3 (60) on.
    pub key_tracking: f32,
    pub velocity_octaves: f32,
    pub envelope_octaves: f32,
    pub envelope: EnvelopeTimes,
}

/// A pitch that begins elsewhere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PitchEnvelope {
    /// Where the envelope is at its highest.
    pub semitones: f32,
    pub envelope: EnvelopeTimes,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SamplerLfo {
    pub wave: LfoWave,
    pub rate: LfoRate,
    /// How far the rate follows the keys, 0 to 1; from C3 (60) on.
    pub key_tracking: f32,
    /// Seconds until it is there.
    pub attack: f32,
    /// Each note begins it anew, at `offset` turns.
    pub retrigger: bool,
    pub offset: f32,
    /// What it moves: semitones, parts of the level and of the way to a side (0 to 1), octaves of the filter.
    pub semitones: f32,
    pub level: f32,
    pub pan: f32,
    pub filter_octaves: f32,
}

/// How a note gets from the pitch before to its own, in so many seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum SamplerGlide {
    #[default]
    Off,
    /// Each note from the one before.
    Portamento(f32),
    /// One note at a time; one that overlaps slides there without a new begin.
    Glide(f32),
}

/// A sample that follows the tempo, as an audio clip does.
#[derive(Clone, Debug, PartialEq)]
pub struct SamplerWarp {
    /// `None`: as a record, the tempo sets the pitch.
    pub grains: Option<Grains>,
    /// Two at least, both numbers ascending.
    pub markers: Arc<[WarpMarker]>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct SamplerSettings {
    pub sample: Sample,
    pub mode: SamplerMode,
    /// The part that is played, frames.
    pub start: u32,
    pub end: u32,
    /// Of [`SamplerMode::Classic`]: what is repeated until the end of the note, frames, at least 32.
    pub repeats: Option<(u32, u32)>,
    /// How long the loop's end lies over its beginning, frames; at least a few are.
    pub crossfade: u32,
    /// The key that plays it as it is.
    pub root: u8,
    pub semitones: f32,
    pub gain_db: f32,
    /// -1 left to 1 right.
    pub pan: f32,
    pub velocity_to_level: f32,
    pub envelope: EnvelopeTimes,
    pub filter: Option<SamplerFilter>,
    /// Seconds.
    pub fade_in: f32,
    pub fade_out: f32,
    /// 1 to 32.
    pub voices: u8,
    pub pitch_envelope: Option<PitchEnvelope>,
    pub lfo: Option<SamplerLfo>,
    pub glide: SamplerGlide,
    /// 0 to 1: two readers, ever further apart in pitch and place.
    pub spread: f32,
    /// How far notes stand aside by chance, 0 to 1.
    pub pan_random: f32,
    pub warp: Option<SamplerWarp>,
}

impl SamplerSettings {
    /// The whole sample over the keys.
    pub fn of(sample: Sample) -> SamplerSettings {
        let end = u32::try_from(sample.frames()).unwrap_or(u32::MAX);
        SamplerSettings {
            sample,
            mode: SamplerMode::Classic,
            start: 0,
            end,
            repeats: None,
            crossfade: 0,
            root: 60,
            semitones: 0.0,
            gain_db: 0.0,
            pan: 0.0,
            velocity_to_level: 0.35,
            envelope: EnvelopeTimes { attack: 0.0, decay: 0.6, sustain: 1.0, release: 0.05 },
            filter: None,
            fade_in: 0.0,
            fade_out: 0.0,
            voices: 32,
            pitch_envelope: None,
            lfo: None,
            glide: SamplerGlide::Off,
            spread: 0.0,
            pan_random: 0.0,
            warp: None,
        }
    }

    /// What a key plays: from, to, semitones. `None`: nothing.
    pub(super) fn part_for(&self, pitch: u8) -> Option<(u32, u32, f32)> {
        let end = self.end.min(u32::try_from(self.sample.frames()).unwrap_or(u32::MAX));
        let part = match &self.mode {
            SamplerMode::Slice { starts, first_pitch, .. } => {
                let index = usize::from(pitch.checked_sub(*first_pitch)?);
                let from = *starts.get(index)?;
                (from, starts.get(index + 1).copied().unwrap_or(end).min(end), self.semitones)
            }
            _ => (self.start, end, self.semitones + f32::from(pitch) - f32::from(self.root)),
        };
        (part.0 < part.1).then_some(part)
    }
}

pub struct Sampler {
    pub(super) pool: VoicePool<SamplerVoice>,
    /// Where a note glides from.
    last_pitch: Option<u8>,
}

impl Sampler {
    pub fn new(rate: f32) -> Sampler {
        Sampler { pool: VoicePool::new(rate, || SamplerVoice::new(rate)), last_pitch: None }
    }

    pub fn note_on(&mut self, settings: &SamplerSettings, note: Note, now: u64) {
        let Some(part) = settings.part_for(note.pitch) else { return };
        let limit = if let SamplerGlide::Glide(_) = settings.glide { 1 } else { usize::from(settings.voices) };
        let last = self.last_pitch.replace(note.pitch).filter(|_| settings.glide != SamplerGlide::Off);
        if let SamplerGlide::Glide(_) = settings.glide
            && let Some(voice) = self.pool.newest_held()
        {
            voice.slide_to(settings, part.2, note.pitch);
            self.pool.rename_held(note);
            return;
        }
        let from = last.map_or(0.0, |last| f32::from(last) - f32::from(note.pitch));
        self.pool.begin(note, now, limit, |voice| voice.start(settings, note, part, (from, now)));
    }

    pub fn note_off(&mut self, settings: &SamplerSettings, id: u64, pitch: u8) {
        let gate = match settings.mode {
            SamplerMode::Classic => true,
            SamplerMode::OneShot { gate } | SamplerMode::Slice { gate, .. } => gate,
        };
        if gate {
            self.pool.end(id, pitch);
        }
    }

    pub fn render(&mut self, settings: &SamplerSettings, span: &Span, tempo_bpm: f32, bus: &mut Bus) {
        self.pool.render(span, bus, |voice, own| voice.render(settings, span, tempo_bpm, own));
    }
}
