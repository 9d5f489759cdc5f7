//! Four notes of the synthesizer side by side: its filters and envelopes wait for their own last frame, so that four of
//! them take as long as one.

use super::patch::Patch;
use super::synth_control::control;
use super::synth_voice::SynthVoice;
use crate::dsp::envelope::Envelope;
use crate::dsp::four::{Four, ZEROS};
use crate::dsp::four_lanes::{FourLanes, apart, side_by_side};
use crate::dsp::four_svf::{FourCoefficients, FourSvf};
use crate::dsp::math::tanh;
use crate::dsp::span::{Bus, Span, TICK};

pub(super) type Voices<'a> = [Option<&'a mut SynthVoice>; 4];

/// Fills the silent buses of the voices that there are.
pub(super) fn render_fours(mut voices: Voices, patch: &Patch, span: &Span, own: &mut [Bus; 4]) {
    if span.is_tick() {
        control(&mut voices, patch);
    }
    for (voice, bus) in voices.iter_mut().flatten().zip(own.iter_mut()) {
        voice.sources(patch, span, bus);
        if patch.drive > 0.0 {
            // Of a signal that is the same on both sides there is only the left one.
            let lanes = if patch.is_stereo() { 2 } else { 1 };
            for lane in [&mut bus.left, &mut bus.right].into_iter().take(lanes) {
                lane.iter_mut().for_each(|value| *value = tanh(*value * patch.drive));
            }
        }
    }
    let levels = Four::new(voices.each_ref().map(|voice| voice.as_ref().map_or(0.0, |v| v.gain * patch.level)));
    // The second one moves nothing but the filter.
    let has_filter = patch.has_filter();
    let (mut amplitudes, mut others) = ([const { None }; 4], [const { None }; 4]);
    for ((voice, amplitude), other) in voices.iter_mut().zip(&mut amplitudes).zip(&mut others) {
        let Some(voice) = voice else { continue };
        *amplitude = Some(&mut voice.amplitude);
        *other = has_filter.then_some(&mut voice.modulation);
    }
    let gains = Envelope::lanes(amplitudes, others, span.frames).map(|gain| gain * levels);
    if !has_filter {
        for (bus, gains) in own.iter_mut().zip(apart(&gains)) {
            bus.left.iter_mut().zip(gains).for_each(|(value, gain)| *value *= gain);
            if patch.is_stereo() {
                bus.right.iter_mut().zip(gains).for_each(|(value, gain)| *value *= gain);
            } else {
                bus.right = bus.left;
            }
        }
        return;
    }
    match (patch.is_stereo(), patch.filter.steep) {
        (true, true) => filter::<true, true>(&mut voices, span, &gains, own),
        (true, false) => filter::<true, false>(&mut voices, span, &gains, own),
        (false, true) => filter::<false, true>(&mut voices, span, &gains, own),
        (false, false) => filter::<false, false>(&mut voices, span, &gains, own),
    }
}

/// Filters, once or twice, and multiplies by the gains.
fn filter<const IS_STEREO: bool, const IS_STEEP: bool>(
    voices: &mut Voices,
    span: &Span,
    gains: &FourLanes,
    own: &mut [Bus; 4],
) {
    let all = voices.each_ref().map(Option::as_ref);
    let c = FourCoefficients::of(all.map(|voice| voice.map(|voice| &voice.coefficients)));
    let [[left_1, right_1], [left_2, right_2]] = FourSvf::of_rows(all.map(|voice| voice.map(|voice| &voice.filters)));
    let (mut left_filters, mut right_filters) = ([left_1, left_2], [right_1, right_2]);
    let mut left = side_by_side(own.each_ref().map(|bus| &bus.left));
    let mut right = if IS_STEREO { side_by_side(own.each_ref().map(|bus| &bus.right)) } else { [ZEROS; TICK] };
    let pass = |[first, second]: &mut [FourSvf; 2], input: Four| {
        let once = first.process(&c, input);
        if IS_STEEP { second.process(&c, once) } else { once }
    };
    for ((left, right), gain) in left.iter_mut().zip(&mut right).zip(gains).take(span.frames) {
        *left = pass(&mut left_filters, *left) * *gain;
        if IS_STEREO {
            *right = pass(&mut right_filters, *right) * *gain;
        }
    }
    [&mut left, &mut right].into_iter().for_each(|side| side.iter_mut().skip(span.frames).for_each(|v| *v = ZEROS));
    let left = apart(&left);
    let right = if IS_STEREO { apart(&right) } else { left };
    for (bus, (left, right)) in own.iter_mut().zip(left.into_iter().zip(right)) {
        *bus = Bus { left, right };
    }
    for (at, (left, right)) in left_filters.iter().zip(&right_filters).enumerate() {
        for (voice, memory) in voices.iter_mut().zip(FourSvf::both_apart(left, right)) {
            if let Some(filter) = voice.as_mut().and_then(|voice| voice.filters.get_mut(at)) {
                *filter = memory;
            }
        }
    }
}
