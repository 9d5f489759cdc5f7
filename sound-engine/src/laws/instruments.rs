//! Drift, the drum sampler, and what moves in samplers: pitch, sides, lengths, levels.

use super::devices::pluck;
use super::pieces::*;
use crate::analysis::{fundamental_hz, largest_step, level_db_at, sine, spectrum};
use crate::effects::{LfoRate, LfoWave};
use crate::instruments::*;
use crate::mixer::{Warp, WarpMarker};
use crate::offline::Stereo;
use crate::plan::settings::*;

fn play_notes(settings: InstrumentSettings, notes: &[(u8, u64, u64)], frames: u64) -> Stereo {
    let events = in_order(notes.iter().map(|(pitch, from, to)| note(1, *pitch, 1.0, *from, *to)));
    play(MixSettings { soft_clip: false, ..mix(vec![track(1, vec![instrument(1, settings)])]) }, &events, frames)
}

fn hz(pitch: u8) -> f32 {
    440.0 * 2f32.powf((f32::from(pitch) - 69.0) / 12.0)
}

fn cents(signal: &[f32], meant: f32) -> f64 {
    1200.0 * (fundamental_hz(signal, RATE, meant) / f64::from(meant)).log2()
}

/// One oscillator, nothing that moves.
fn plain_drift() -> DriftSettings {
    let settings = DriftSettings::default();
    DriftSettings {
        second: DriftOscillator { on: false, ..settings.second },
        shape_by: DriftAmount::default(),
        lowpass_by: [DriftAmount::default(); 2],
        envelope: EnvelopeTimes { sustain: 1.0, ..settings.envelope },
        drift: 0.0,
        retrigger: true,
        ..settings
    }
}

fn drift(settings: DriftSettings) -> InstrumentSettings {
    InstrumentSettings::Drift(Box::new(settings))
}

const WAVES: [DriftWave; 7] = [
    DriftWave::Sine,
    DriftWave::Triangle,
    DriftWave::SharkTooth,
    DriftWave::Saturated,
    DriftWave::Saw,
    DriftWave::Pulse,
    DriftWave::Rectangle,
];

#[test]
fn drift_is_in_tune_and_does_not_alias() {
    for wave in WAVES {
        for shape in [0.0, 0.6] {
            for pitch in [36, 57, 96] {
                let mut settings = plain_drift();
                (settings.first.wave, settings.first.shape) = (wave, shape);
                let out = play_notes(drift(settings), &[(pitch, 0, 3 * SECOND)], 2 * SECOND);
                let off = cents(&out.left, hz(pitch));
                assert!(off.abs() < 3.0, "{wave:?} {shape} at {pitch}: {off:.2} cents");
                if pitch == 96 {
                    let (bins, width) = spectrum(&out.left[20_000..20_000 + 32_768], RATE);
                    let (mut wanted, mut other) = (0.0f64, 0.0f64);
                    for (at, magnitude) in bins.iter().enumerate().filter(|(at, _)| *at as f64 * width > 20.0) {
                        let partial = (at as f64 * width / f64::from(hz(96))).round();
                        let near = (at as f64 * width - partial * f64::from(hz(96))).abs() < 8.0 * width;
                        let place = if partial >= 1.0 && near { &mut wanted } else { &mut other };
                        *place = place.max(*magnitude);
                    }
                    assert!(20.0 * (other / wanted).log10() < -60.0, "{wave:?} {shape} aliases");
                }
            }
        }
    }
}

#[test]
fn drift_moves_what_it_is_told() {
    let note = [(48u8, 0u64, 2 * SECOND)];
    let bright = |settings| level_db_at(&play_notes(drift(settings), &note, SECOND).left, RATE, hz(48) * 12.0);
    let closed = DriftSettings { lowpass_hz: 200.0, ..plain_drift() };
    let opened = DriftAmount { source: DriftSource::Velocity, amount: 0.8 };
    let by_velocity = DriftSettings { lowpass_by: [opened, DriftAmount::default()], ..closed };
    assert!(bright(by_velocity) > bright(closed) + 25.0);
    assert!(bright(DriftSettings { lowpass: DriftLowpass::Two, ..closed }) < bright(closed) - 15.0);
    let route = DriftRoute { from: opened, target: DriftTarget::LowpassFrequency };
    let routed = DriftSettings { routes: [route, DriftRoute::default(), DriftRoute::default()], ..closed };
    assert!(bright(routed) > bright(closed) + 25.0);
    let low = |settings| level_db_at(&play_notes(drift(settings), &note, SECOND).left, RATE, hz(48));
    assert!(low(DriftSettings { highpass_hz: 2_000.0, ..plain_drift() }) < low(plain_drift()) - 30.0);
    // The second oscillator an octave below; the pitch by velocity two octaves up.
    let mut second = plain_drift();
    (second.first.on, second.second.on, second.second.wave) = (false, true, DriftWave::Saw);
    assert!(cents(&play_notes(drift(second), &note, SECOND).left, hz(36)).abs() < 3.0);
    let amount = DriftAmount { source: DriftSource::Velocity, amount: 0.5 };
    let up = DriftSettings { pitch_by: [amount, DriftAmount::default()], ..plain_drift() };
    assert!(cents(&play_notes(drift(up), &note, SECOND).left, hz(60)).abs() < 5.0);
    // Sides differ in stereo, and only there; drift makes two notes differ.
    let stereo = play_notes(
        drift(DriftSettings { voices: DriftVoices::Stereo { spread: 1.0 }, ..plain_drift() }),
        &note,
        SECOND,
    );
    let mono = play_notes(drift(plain_drift()), &note, SECOND);
    assert!(stereo.left != stereo.right && mono.left == mono.right);
    let twice = [(48, 0, 20_000), (48, 100_000, 120_000)];
    let of = |amount| {
        let out = play_notes(drift(DriftSettings { drift: amount, ..plain_drift() }), &twice, 3 * SECOND).left;
        (cents(&out[..20_000], hz(48)), cents(&out[100_000..120_000], hz(48)))
    };
    let (first, second) = of(1.0);
    assert!((first - second).abs() > 1.0 && (of(0.0).0 - of(0.0).1).abs() < 0.5, "{first} and {second}");
}

#[test]
fn one_voice_glides() {
    let settings = DriftSettings { voices: DriftVoices::Mono { thickness: 0.0 }, glide: 0.2, ..plain_drift() };
    for legato in [false, true] {
        let out = play_notes(
            drift(DriftSettings { legato, ..settings }),
            &[(48, 0, SECOND), (60, 24_000, 2 * SECOND)],
            2 * SECOND,
        );
        assert!(cents(&out.left[10_000..22_000], hz(48)).abs() < 3.0);
        assert!(cents(&out.left[60_000..90_000], hz(60)).abs() < 5.0);
        assert!(largest_step(&out.left) < 1.2);
    }
    let whole = SamplerSettings {
        velocity_to_level: 0.0,
        ..SamplerSettings::of(sample(sine(220.0, RATE, 4 * SECOND as usize)))
    };
    let glide = SamplerSettings { glide: SamplerGlide::Glide(0.1), ..whole.clone() };
    let out = play_notes(sampler(glide), &[(60, 0, SECOND), (72, 24_000, 2 * SECOND)], 2 * SECOND);
    assert!(cents(&out.left[8_000..22_000], 220.0).abs() < 3.0 && cents(&out.left[50_000..70_000], 440.0).abs() < 5.0);
    assert!(largest_step(&out.left) < 0.06, "it begins no new note: {}", largest_step(&out.left));
    let from_before = SamplerSettings { glide: SamplerGlide::Portamento(0.5), ..whole };
    let out = play_notes(sampler(from_before), &[(48, 0, 10_000), (60, 24_000, SECOND * 2)], 2 * SECOND);
    assert!(cents(&out.left[25_000..27_000], 125.0) > -500.0 && cents(&out.left[60_000..90_000], 220.0).abs() < 5.0);
}

#[test]
fn samplers_move_pitch_level_and_place() {
    let whole = SamplerSettings {
        velocity_to_level: 0.0,
        ..SamplerSettings::of(sample(sine(220.0, RATE, 8 * SECOND as usize)))
    };
    let held = [(60u8, 0u64, 3 * SECOND)];
    let of = |settings| play_notes(sampler(settings), &held, 3 * SECOND);
    // The envelope holds it an octave up.
    let times = EnvelopeTimes { attack: 0.0, decay: 0.1, sustain: 1.0, release: 0.1 };
    let up =
        SamplerSettings { pitch_envelope: Some(PitchEnvelope { semitones: 12.0, envelope: times }), ..whole.clone() };
    assert!(cents(&of(up).left, 440.0).abs() < 5.0);
    let lfo = SamplerLfo {
        wave: LfoWave::Square,
        rate: LfoRate::Hz(1.0),
        key_tracking: 0.0,
        attack: 0.0,
        retrigger: true,
        offset: 0.0,
        semitones: 0.0,
        level: 0.0,
        pan: 0.0,
        filter_octaves: 0.0,
    };
    let power = |signal: &[f32]| (2.0 * signal.iter().map(|x| x * x).sum::<f32>() / signal.len() as f32).sqrt();
    let halves = |lfo| {
        let out = of(SamplerSettings { lfo: Some(lfo), ..whole.clone() });
        let part = |from: usize| (power(&out.left[from..from + 9_600]), power(&out.right[from..from + 9_600]));
        (part(7_200), part(31_200))
    };
    let ((up, _), (down, _)) = halves(SamplerLfo { level: 1.0, ..lfo });
    assert!(up > 0.97 && down < 0.02, "{up} {down}");
    let ((left, right), (left_after, right_after)) = halves(SamplerLfo { pan: 1.0, ..lfo });
    assert!(left < 0.02 && right > 0.97 && left_after > 0.97 && right_after < 0.02);
    let out = of(SamplerSettings { lfo: Some(SamplerLfo { semitones: 12.0, ..lfo }), ..whole.clone() });
    assert!(
        cents(&out.left[4_800..20_000], 440.0).abs() < 10.0 && cents(&out.left[28_000..46_000], 110.0).abs() < 10.0
    );
    let spread = of(SamplerSettings { spread: 1.0, ..whole });
    assert!(cents(&spread.left, 220.0) > 5.0 && cents(&spread.right, 220.0) < -5.0);
}

/// A sampler that follows the tempo has the pitch of the key, and the length of its beats.
#[test]
fn warped_samplers_keep_pitch_and_length() {
    let markers = [WarpMarker { beats: 0.0, seconds: 0.0 }, WarpMarker { beats: 1.0, seconds: 1.0 }];
    for warp in [Warp::BEATS, Warp::TONES, Warp::Repitch] {
        let grains = match warp {
            Warp::Grains(grains) => Some(grains),
            _ => None,
        };
        let warp = Some(SamplerWarp { grains, markers: markers.into() });
        let whole = SamplerSettings::of(sample(sine(220.0, RATE, 2 * SECOND as usize)));
        let settings = SamplerSettings { warp, velocity_to_level: 0.0, ..whole };
        let out = play_notes(sampler(settings), &[(67, 0, 4 * SECOND)], 2 * SECOND);
        // Two beats at 120 are a second.
        let last = out.left.iter().rposition(|x| x.abs() > 1e-4).expect("sound");
        assert!(last.abs_diff(SECOND as usize) < 400, "{grains:?}: {last}");
        let meant = if grains.is_some() { 220.0 * 2f32.powf(7.0 / 12.0) } else { 440.0 };
        assert!(cents(&out.left[..40_000], meant).abs() < 3.0, "{grains:?}: {}", cents(&out.left[..40_000], meant));
    }
}

fn hit(change: impl Fn(&mut DrumSamplerSettings)) -> Stereo {
    let mut settings = DrumSamplerSettings { velocity_to_level: 0.0, ..DrumSamplerSettings::of(pluck()) };
    change(&mut settings);
    play_notes(InstrumentSettings::DrumSampler(Box::new(settings)), &[(60, 0, 6_000)], 3 * SECOND)
}

#[test]
fn hits_have_their_envelope_and_part() {
    let last = |out: &Stereo| out.left.iter().rposition(|x| x.abs() > 1e-6).unwrap_or(0);
    assert!(last(&hit(|_| {})).abs_diff(SECOND as usize) < 50);
    let short = hit(|s| (s.hold, s.decay) = (0.1, 0.05));
    // 90 dB of decay are one and a half times those of 60.
    assert!((4_800..4_800 + 3_800).contains(&last(&short)), "{}", last(&short));
    let gated = hit(|s| (s.gate, s.decay) = (true, 0.05));
    assert!((6_000..6_000 + 3_800).contains(&last(&gated)), "{}", last(&gated));
    assert!(last(&hit(|s| (s.start, s.length) = (0.25, 0.25))).abs_diff(12_000) < 50);
    assert!(cents(&hit(|s| s.semitones = 12.0).left[..20_000], 440.0).abs() < 5.0);
    let slow = hit(|s| s.attack = 0.1);
    assert!(slow.left[..200].iter().all(|x| x.abs() < 0.05));
    let low = hit(|s| {
        let filter_type = DrumFilterType::Lowpass24;
        s.filter = Some(DrumFilter { filter_type, hz: 300.0, resonance: 0.0, gain_db: 0.0 });
    });
    assert!(
        level_db_at(&low.left[..40_000], RATE, 2_200.0)
            < level_db_at(&hit(|_| {}).left[..40_000], RATE, 2_200.0) - 40.0
    );
}

#[test]
fn playback_effects_do_what_they_are_called() {
    let with = |effect| hit(move |s| s.effect = Some(effect));
    let last = |out: &Stereo| out.left.iter().rposition(|x| x.abs() > 1e-6).unwrap_or(0);
    let plain = hit(|s| s.hold = 3.0);
    let stretched = hit(|s| {
        s.hold = 3.0;
        s.effect = Some(DrumSamplerEffect::Stretch { factor: 2.0, grain: 0.06 });
    });
    assert!(last(&stretched).abs_diff(2 * SECOND as usize) < 400);
    assert!(cents(&stretched.left[..40_000], 220.0).abs() < 5.0);
    let looped = hit(|s| {
        s.hold = 2.0;
        s.effect = Some(DrumSamplerEffect::Loop { offset: 0.0, length: 0.1 });
    });
    assert!(last(&looped) > 2 * SECOND as usize && largest_step(&looped.left) < 2.1);
    let punch = with(DrumSamplerEffect::Punch { amount: 1.0, release: 0.05 });
    let peak = |out: &Stereo| out.left[..400].iter().fold(0.0f32, |peak, x| peak.max(x.abs()));
    assert!(peak(&punch) > 1.6 * peak(&plain));
    let falling = with(DrumSamplerEffect::PitchEnvelope { semitones: 24.0, decay: 0.1 });
    assert!(cents(&falling.left[20_000..40_000], 220.0).abs() < 5.0 && falling.left != plain.left);
    let ring = with(DrumSamplerEffect::RingModulation { amount: 1.0, hz: 100.0 });
    assert!(level_db_at(&ring.left[..20_000], RATE, 320.0) > level_db_at(&plain.left[..20_000], RATE, 320.0) + 15.0);
    let sub = with(DrumSamplerEffect::SubOscillator { amount: 1.0, hz: 50.0 });
    assert!(level_db_at(&sub.left[..20_000], RATE, 50.0) > -12.0);
    let noise = with(DrumSamplerEffect::Noise { amount: 0.5, color: 0.9 });
    let bits = with(DrumSamplerEffect::EightBit { hz: 3_000.0, filter_decay: 0.0 });
    let modulated = with(DrumSamplerEffect::FrequencyModulation { amount: 1.0, hz: 300.0 });
    for other in [&noise, &bits, &modulated] {
        let differs = plain.left[..20_000].iter().zip(&other.left).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(differs > 0.05);
    }
    let runs = bits.left[..4_800].windows(2).filter(|pair| (pair[0] - pair[1]).abs() > 1e-4).count();
    assert!(runs < 4_000, "{runs} steps");
}
