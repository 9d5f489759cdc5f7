//! Determinism, silence, sanity.

use super::pieces::*;
use crate::dsp::noise::Noise;
use crate::effects::*;
use crate::engine::EventKind;
use crate::instruments::Role;
use crate::offline::PieceEvent;
use crate::plan::settings::*;

fn same(a: &[f32], b: &[f32]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits())
}

#[test]
fn block_sizes_change_nothing() {
    let (mix, events) = full_mix();
    let whole = play_in_blocks(mix.clone(), &events, 6 * SECOND, 4_096);
    assert!(whole.left.iter().fold(0.0f32, |peak, x| peak.max(x.abs())) > 0.1);
    for block in [1, 17, 64, 1_000] {
        let other = play_in_blocks(mix.clone(), &events, 6 * SECOND, block);
        assert!(same(&whole.left, &other.left) && same(&whole.right, &other.right), "blocks of {block}");
    }
}

#[test]
fn stems_come_from_the_same_pass() {
    let (mix, events) = full_mix();
    let (out, stems) = stems(mix.clone(), &events, 2 * SECOND, &[0, 1, 4, 5, 20, 30, 31, MAIN]);
    assert!(same(&out.left, &play(mix, &events, 2 * SECOND).left), "listening changes nothing");
    let main = stems.get(MAIN).expect("main");
    assert!(same(&main.left, &out.left) && same(&main.right, &out.right));
    // What goes to the main track, before its limiter.
    let (mut plain, events) = full_mix();
    plain.main.devices.clear();
    plain.soft_clip = false;
    let (out, stems) = super::pieces::stems(plain, &events, 2 * SECOND, &[0, 1, 4, 5, 20, 30, 31]);
    for (frame, sum) in out.left.iter().enumerate() {
        let of = |id: u32| stems.get(id).expect("a stem").left[frame];
        let parts: f32 = [0, 1, 4, 5, 20, 30, 31].map(of).iter().sum();
        assert!((parts - sum).abs() < 1e-5, "frame {frame}");
    }
}

#[test]
fn silence_is_silence_some_seconds_after_the_end() {
    let (mix, events) = full_mix();
    let out = play(mix, &events, 40 * SECOND);
    let last = out.left.iter().zip(&out.right).rposition(|(l, r)| *l != 0.0 || *r != 0.0).expect("sound");
    assert!(last < 30 * SECOND as usize, "the last sound is at {} s", last as f32 / RATE);
}

#[test]
fn nothing_sounds_of_nothing() {
    let (mix, _) = full_mix();
    let out = play(mix, &[], 2 * SECOND);
    assert!(out.left.iter().chain(&out.right).all(|x| *x == 0.0));
}

/// Any settings, also wild ones: numbers stay numbers, and no louder than 12 dB.
#[test]
fn random_settings_make_no_nonsense() {
    for seed in 0..28u64 {
        let mut dice = Noise::new(seed);
        let mut unit = || 0.5 + 0.5 * dice.next_value();
        let band = |unit: &mut dyn FnMut() -> f32| EqBand {
            on: unit() > 0.3,
            band_type: [BandType::Bell, BandType::LowShelf, BandType::HighPass48, BandType::LowPass48, BandType::Notch]
                [(unit() * 4.99) as usize],
            hz: 10.0 * 2205f32.powf(unit()),
            gain_db: 10.0 * unit() - 8.0,
            q: 0.1 * 20f32.powf(unit()),
        };
        let bands = std::array::from_fn(|_| band(&mut unit));
        let effects = vec![
            EffectSettings::EqEight(EqEightSettings { bands, scale: 1.0, output_db: 0.0 }),
            EffectSettings::AutoFilter(AutoFilterSettings {
                filter_type: FilterType::Morph(unit()),
                hz: 20.0 * 1000f32.powf(unit()),
                resonance: 0.7 * unit(),
                drive: unit(),
                lfo: Lfo {
                    wave: LfoWave::SampleAndHold,
                    rate: LfoRate::Hz(40.0 * unit()),
                    octaves: 6.0 * unit(),
                    phase: unit(),
                    offset: unit(),
                },
                envelope_octaves: 8.0 * unit() - 4.0,
                ..AutoFilterSettings::default()
            }),
            EffectSettings::Saturator(SaturatorSettings {
                drive_db: 72.0 * unit() - 36.0,
                shape: SaturatorShape::Waveshaper { curve: unit(), depth: unit() },
                output_db: -6.0,
                ..SaturatorSettings::default()
            }),
            EffectSettings::Compressor(CompressorSettings {
                threshold_db: -60.0 * unit(),
                ratio: 1.0 + 50.0 * unit(),
                attack_ms: 0.01 + 100.0 * unit(),
                release_ms: 1.0 + 1000.0 * unit(),
                ..CompressorSettings::default()
            }),
            EffectSettings::Delay(DelaySettings {
                left: DelayTime::Seconds(0.001 + unit()),
                right: Some(DelayTime::Sixteenths { count: 5.0, offset: 0.3 * unit() }),
                feedback: 0.9 * unit(),
                mix: unit() * 0.5,
                ..DelaySettings::default()
            }),
            EffectSettings::Reverb(ReverbSettings {
                decay_s: 0.2 + 59.0 * unit(),
                size: 0.05 + 2.0 * unit(),
                chorus_amount: 4.0 * unit(),
                chorus_hz: 8.0 * unit(),
                mix: 0.5 * unit(),
                ..ReverbSettings::default()
            }),
        ];
        let role = Role::ALL[(seed % 14) as usize];
        let mut devices = vec![instrument(1, role.instrument())];
        devices.extend(effects.into_iter().zip(2..).map(|(settings, id)| effect(id, settings)));
        let mut loud = mix(vec![track(1, devices)]);
        loud.soft_clip = false;
        let notes =
            (0..24).map(|n| note(1, (24 + 97 * n % 84) as u8, 0.3 + 0.7 * unit(), 2_000 * n, 2_000 * n + 9_000));
        let out = play(loud, &in_order(notes), 2 * SECOND);
        let peak = out
            .left
            .iter()
            .chain(&out.right)
            .fold(0.0f32, |peak, x| if x.is_finite() { peak.max(x.abs()) } else { f32::INFINITY });
        assert!(peak < 4.0, "seed {seed}, {role:?}: peak {peak}");
    }
}

#[test]
fn what_leads_back_is_left_out_and_told() {
    use crate::plan::{LeftOut, Plan, StateStore};
    let (mut a, mut b) = (track(1, vec![]), track(2, vec![]));
    a.output = Output::Track(2);
    b.output = Output::Track(1);
    b.sends = vec![Send { to: 9, gain_db: 0.0, before_fader: false }];
    let plan = Plan::new(mix(vec![a, b]), &mut StateStore::new(RATE));
    let told = plan.left_out();
    assert!(
        told.contains(&LeftOut::Missing { from: 2, to: 9 }) && told.contains(&LeftOut::Ring { from: 2, to: 1 }),
        "{told:?}"
    );
}

#[test]
fn at_most_128_voices_sound() {
    let tracks: Vec<TrackSettings> =
        (0..6).map(|id| track(id, vec![instrument(u64::from(id), Role::Pad.instrument())])).collect();
    let notes = (0..6u32)
        .flat_map(|id| (0..32u8).map(move |n| note(id, 36 + n, 0.8, u64::from(id) * 32 + u64::from(n), 2 * SECOND)));
    let mut store = crate::plan::StateStore::new(RATE);
    let mut plan = crate::plan::Plan::new(mix(tracks), &mut store);
    let events = in_order(notes);
    let piece = crate::offline::Piece { events: &events, frames: 4_800, tempo_bpm: 120.0, block: 64 };
    crate::offline::render(&mut crate::engine::Engine::new(), &mut plan, &piece, &mut ());
    let mut sounding = Vec::new();
    for track in &plan.tracks {
        track.devices.iter().for_each(|device| device.each_instrument(&mut |i| sounding.push(i.sounding())));
    }
    assert_eq!(sounding.iter().sum::<usize>(), crate::engine::MOST_VOICES_IN_ALL, "{sounding:?}");
}

#[test]
fn effects_sleep_in_silence_and_wake_with_sound() {
    use crate::offline::{Piece, render};
    let (mix, events) = full_mix();
    let mut plan = crate::plan::Plan::new(mix, &mut crate::plan::StateStore::new(RATE));
    let mut engine = crate::engine::Engine::new();
    let mut play = |events: &[PieceEvent], seconds: u64| {
        let piece = Piece { events, frames: (seconds * SECOND) as usize, tempo_bpm: 120.0, block: 512 };
        render(&mut engine, &mut plan, &piece, &mut ());
        plan.tracks.iter().flat_map(|track| &track.devices).map(|device| device.awake()).sum::<usize>()
    };
    // All that sounds is let go of.
    let stop = |track| [EventKind::FadeNotes, EventKind::ClipStop].map(|kind| PieceEvent { frame: 0, track, kind });
    let stops: Vec<PieceEvent> = (0..6).flat_map(stop).collect();
    let [loud, silent, again] = [play(&events, 2), play(&stops, 40), play(&events, 2)];
    assert!(loud == 8 && silent == 0 && again == 8, "awake: {loud}, {silent}, {again}");
}
