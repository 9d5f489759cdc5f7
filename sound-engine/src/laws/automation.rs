//! Automation: parameters are where they are told to be, at whatever block size, across plans, without a click.

use super::pieces::*;
use crate::analysis::{largest_step, sine};
use crate::effects::{EffectSettings, EqBand, EqEightSettings, UtilitySettings};
use crate::engine::EventKind;
use crate::mixer::Warp;
use crate::offline::{PieceEvent, Stereo};
use crate::parameter::Parameter;
use crate::plan::Automated;
use crate::plan::settings::*;

fn tone_mix() -> MixSettings {
    let utility = EffectSettings::Utility(UtilitySettings::default());
    let chain = ChainSettings { id: 20, devices: vec![effect(21, utility.clone())], ..ChainSettings::default() };
    let mut tone = track(1, vec![effect(10, utility), device(19, Device::Rack(vec![chain]))]);
    tone.clips = vec![clip(1, sine(200.0, RATE, 8 * SECOND as usize), Warp::Off)];
    tone.sends = vec![Send { to: 2, gain_db: f32::NEG_INFINITY, before_fader: false }];
    tone.output = Output::Main;
    MixSettings { soft_clip: false, ..mix(vec![tone, track(2, vec![])]) }
}

fn start() -> PieceEvent {
    PieceEvent { frame: 0, track: 1, kind: EventKind::ClipStart { clip: 1, time: 0.0, beats: 0.0 } }
}

fn go(frame: u64, of: Automated, parameter: Parameter, value: f32, frames: u32) -> PieceEvent {
    PieceEvent { frame, track: 1, kind: EventKind::Parameter { of, parameter, value, frames } }
}

/// The level of a tone of 200 Hz around a frame.
fn level(out: &Stereo, frame: usize) -> f32 {
    let part = &out.left[frame..frame + 480];
    (2.0 * part.iter().map(|x| x * x).sum::<f32>() / 480.0).sqrt()
}

#[test]
fn parameters_are_where_they_are_told() {
    let db = |db: f32| 10f32.powf(db / 20.0);
    let cases = [
        ("a device", Automated::Device(10), Parameter::Gain, -12.0, db(-6.0), db(-12.0)),
        ("a device in a rack", Automated::Device(21), Parameter::Gain, -12.0, db(-6.0), db(-12.0)),
        ("a chain", Automated::Chain(20), Parameter::Volume, -12.0, db(-6.0), db(-12.0)),
        ("a track", Automated::Track, Parameter::Volume, -12.0, db(-6.0), db(-12.0)),
        ("a send", Automated::Track, Parameter::Send(2), 0.0, 1.0, 2.0),
        ("a mute", Automated::Track, Parameter::On, 0.0, 1.0, 0.0),
        ("what is not there", Automated::Device(77), Parameter::Gain, -12.0, 1.0, 1.0),
        ("no number", Automated::Device(10), Parameter::Gain, f32::NAN, 1.0, 1.0),
    ];
    for (name, of, parameter, value, middle, end) in cases {
        let mut mix = tone_mix();
        if let Some(send) = mix.tracks[0].sends.first_mut().filter(|_| parameter == Parameter::Send(2)) {
            send.gain_db = -100.0;
        }
        let to = if parameter == Parameter::Send(2) { 1 } else { 48_000 };
        let free = PieceEvent { frame: 4 * SECOND, track: 1, kind: EventKind::FreeParameter { of, parameter } };
        let events = [start(), go(SECOND, of, parameter, value, to), free];
        let out = play(mix.clone(), &events, 5 * SECOND);
        let is = [level(&out, 72_000 - 720), level(&out, 100_000), level(&out, 4 * SECOND as usize + 2_000)];
        let meant = if to == 1 { [end, end, 1.0] } else { [middle, end, 1.0] };
        for (is, meant) in is.iter().zip(meant) {
            assert!((is - meant).abs() < 0.02, "{name}: {is}, not {meant}");
        }
        assert!(largest_step(&out.left[100..]) < 2.0 * 0.0262 + 0.006, "{name} clicks: {}", largest_step(&out.left));
        for block in [1, 17, 4_096] {
            assert!(play_in_blocks(mix.clone(), &events, 2 * SECOND, block).left == out.left[..2 * SECOND as usize]);
        }
    }
}

/// A plan that comes changes nothing of what is moved; when it is freed, the newest plan counts.
#[test]
fn what_moves_lives_on_across_plans() {
    let events = [start(), go(100, Automated::Device(10), Parameter::Gain, -20.0, 9_600)];
    let whole = play(tone_mix(), &events, 2 * SECOND);
    let cut = play_changing((0..100).map(|n| (n * 960, tone_mix())).collect(), &events, 2 * SECOND);
    assert!(whole.left == cut.left);
    let quiet = || {
        let mut mix = tone_mix();
        let settings = EffectSettings::Utility(UtilitySettings { gain_db: -6.0206, ..UtilitySettings::default() });
        mix.tracks[0].devices[0] = effect(10, settings);
        mix
    };
    let mut events = events.to_vec();
    events.push(PieceEvent { frame: 2 * SECOND, track: 1, kind: EventKind::FreeParameters });
    let out = play_changing(vec![(0, tone_mix()), (SECOND, quiet())], &events, 3 * SECOND);
    assert!((level(&out, 90_000) - 0.1).abs() < 0.01, "{}", level(&out, 90_000));
    assert!((level(&out, 120_000) - 0.5).abs() < 0.01, "{}", level(&out, 120_000));
}

/// A band of an EQ that sweeps fast, on a tone: no step beyond what its gain makes of the tone.
#[test]
fn sweeps_do_not_click() {
    let band = |hz| EqBand { on: true, band_type: crate::effects::BandType::Bell, hz, gain_db: 12.0, q: 2.0 };
    let eq = EqEightSettings { bands: [band(100.0); 8].map(|b| EqBand { on: false, ..b }), scale: 1.0, output_db: 0.0 };
    let mut settings = eq.clone();
    settings.bands[0] = band(60.0);
    let mut mix = tone_mix();
    mix.tracks[0].devices = vec![effect(10, EffectSettings::EqEight(settings))];
    let mut events = vec![start()];
    for n in 0..20 {
        let hz = if n % 2 == 0 { 4_000.0 } else { 60.0 };
        events.push(go(4_800 * (n + 1), Automated::Device(10), Parameter::BandFrequency(0), hz, 4_800));
    }
    let out = play(mix, &events, 3 * SECOND);
    assert!(largest_step(&out.left[200..]) < 4.0 * 0.0262 + 0.02, "{}", largest_step(&out.left[200..]));
}

#[test]
fn the_crossfader_moves() {
    let mut mix = tone_mix();
    mix.tracks[0].strip.crossfade = crate::mixer::CrossfadeSide::A;
    mix.crossfade = -1.0;
    let kind = EventKind::Parameter { of: Automated::Track, parameter: Parameter::Crossfade, value: 1.0, frames: 0 };
    let events = [start(), PieceEvent { frame: SECOND, track: MAIN, kind }];
    let out = play(mix, &events, 2 * SECOND);
    assert!((level(&out, 40_000) - 1.0).abs() < 0.01 && level(&out, 60_000) < 1e-4);
}
