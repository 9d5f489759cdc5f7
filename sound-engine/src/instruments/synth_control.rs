//! What of the synthesizer's notes changes from tick to tick, of four notes side by side.

use super::patch::Patch;
use super::synth_fours::Voices;
use super::synth_voice::{LARGEST_STEP, SynthVoice};
use crate::dsp::four::{Four, ZEROS};
use crate::dsp::four_svf::FourCoefficients;
use crate::dsp::math::{clamped, exps2, floors, sines, smaller};
use crate::dsp::span::{TICK, quiet};
use wide::CmpNe;

/// Once a tick, and at the begin of a note.
pub(super) fn control(voices: &mut Voices, patch: &Patch) {
    let Some(rate) = voices.iter().flatten().map(|voice| voice.rate).next() else { return };
    for voice in voices.iter_mut().flatten() {
        voice.tuning.follow(patch);
        for operators in &mut voice.fm {
            operators.index = quiet(operators.index * operators.index_part);
        }
    }
    let before = of(voices, |voice| voice.pitch);
    let pitch = before + (of(voices, |voice| voice.target) - before) * of(voices, |voice| voice.glide);
    give(voices, pitch, |voice| &mut voice.pitch);
    let bent = pitch + vibrato(voices, patch, rate);
    if bent.cmp_ne(of(voices, |voice| voice.step_pitch)).any() {
        give(voices, bent, |voice| &mut voice.step_pitch);
        let hz = Four::splat(440.0) * exps2((bent - Four::splat(69.0)) * Four::splat(1.0 / 12.0));
        give(voices, smaller(hz / Four::splat(rate), LARGEST_STEP), |voice| &mut voice.step);
    }
    if patch.has_filter() {
        control_filters(voices, patch, pitch, rate);
    }
}

/// Semitones.
fn vibrato(voices: &mut Voices, patch: &Patch, rate: f32) -> Four {
    if patch.vibrato.cents == 0.0 {
        return ZEROS;
    }
    let (turn, depth) = (of(voices, |voice| voice.vibrato_turn), of(voices, |voice| voice.vibrato_depth));
    let semitones = sines(turn) * depth * Four::splat(patch.vibrato.cents) * Four::splat(0.01);
    let turn = turn + Four::splat(patch.vibrato.hz * TICK as f32 / rate);
    give(voices, turn - floors(turn), |voice| &mut voice.vibrato_turn);
    let depth = depth + (Four::ONE - depth) * of(voices, |voice| voice.vibrato_rise);
    give(voices, depth, |voice| &mut voice.vibrato_depth);
    semitones
}

fn control_filters(voices: &mut Voices, patch: &Patch, pitch: Four, rate: f32) {
    let filter = &patch.filter;
    let octaves = Four::splat(filter.key_tracking) * (pitch - Four::splat(60.0)) * Four::splat(1.0 / 12.0)
        + Four::splat(filter.envelope_octaves) * of(voices, |voice| voice.modulation.level())
        + Four::splat(filter.velocity_octaves) * (of(voices, |voice| voice.velocity) - Four::ONE);
    let octave = of(voices, |voice| voice.tuning.filter_octave) + octaves;
    let frequencies = exps2(clamped(octave, 4.0, 14.3)) / Four::splat(rate);
    let numbers = FourCoefficients::new(filter.response, frequencies, filter.q).apart();
    for (voice, numbers) in voices.iter_mut().zip(numbers) {
        let Some(voice) = voice else { continue };
        voice.coefficients = numbers;
        for filter in &mut voice.filters {
            filter.settle();
        }
    }
}

/// A number of each voice; 0 where there is none.
#[inline(always)]
fn of(voices: &Voices, number: impl Fn(&SynthVoice) -> f32) -> Four {
    Four::new(voices.each_ref().map(|voice| voice.as_ref().map_or(0.0, |voice| number(voice))))
}

#[inline(always)]
fn give(voices: &mut Voices, numbers: Four, place: impl Fn(&mut SynthVoice) -> &mut f32) {
    for (voice, number) in voices.iter_mut().zip(numbers.to_array()) {
        if let Some(voice) = voice {
            *place(voice) = number;
        }
    }
}
