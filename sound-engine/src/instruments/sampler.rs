//! The sampler: one sample over the keys, once for each hit, or a slice for each key.

use super::sampler_voice::SamplerVoice;
use super::voice_pool::{Note, VoicePool};
use crate::dsp::envelope::EnvelopeTimes;
use crate::dsp::span::{Bus, Span};
use crate::dsp::svf::Response;
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
}

impl Sampler {
    pub fn new(rate: f32) -> Sampler {
        Sampler { pool: VoicePool::new(rate, || SamplerVoice::new(rate)) }
    }

    pub fn note_on(&mut self, settings: &SamplerSettings, note: Note, now: u64) {
        let Some(part) = settings.part_for(note.pitch) else { return };
        let limit = usize::from(settings.voices);
        self.pool.begin(note, now, limit, |voice| voice.start(settings, note, part));
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
