//! Impulse: what a slot makes of its sample.

use super::devices::{pluck, with_notes};
use super::pieces::*;
use crate::analysis::{fundamental_hz, largest_step, level_db_at, sine};
use crate::dsp::svf::Response;
use crate::instruments::*;
use crate::offline::{PieceEvent, Stereo};
use crate::plan::settings::*;

fn sound(settings: ImpulseSettings) -> InstrumentSettings {
    InstrumentSettings::Impulse(Box::new(settings))
}

/// A second of 220 Hz that decays so slowly that nothing is heard of it, changed.
fn slot(change: impl Fn(&mut ImpulseSettings)) -> ImpulseSettings {
    let tone = sample(sine(220.0, RATE, SECOND as usize));
    let mut settings = ImpulseSettings { velocity_to_level: 0.0, decay: 1_000.0, ..ImpulseSettings::of(tone) };
    change(&mut settings);
    settings
}

fn play_hits(settings: ImpulseSettings, events: impl IntoIterator<Item = [PieceEvent; 2]>) -> Stereo {
    let one = MixSettings { soft_clip: false, ..mix(vec![track(1, vec![instrument(1, sound(settings))])]) };
    play(one, &in_order(events), 3 * SECOND)
}

fn hit(change: impl Fn(&mut ImpulseSettings)) -> Stereo {
    play_hits(slot(change), [note(1, 60, 1.0, 0, 6_000)])
}

fn last(out: &Stereo) -> usize {
    out.left.iter().rposition(|x| x.abs() > 1e-6).unwrap_or(0)
}

fn cents(out: &Stereo, meant: f32) -> f64 {
    1200.0 * (fundamental_hz(&out.left[..20_000], RATE, meant) / f64::from(meant)).log2()
}

fn level(out: &[f32]) -> f32 {
    out[2_000..10_000].iter().fold(0.0f32, |peak, x| peak.max(x.abs()))
}

#[test]
fn a_hit_has_the_pitch_length_and_part_that_it_is_told() {
    let plain = hit(|_| {});
    assert!(last(&plain).abs_diff(SECOND as usize) < 50 && cents(&plain, 220.0).abs() < 3.0);
    // The key says which slot, not which pitch.
    let other = play_hits(slot(|_| {}), [note(1, 72, 1.0, 0, 6_000)]);
    assert!(cents(&other, 220.0).abs() < 3.0);
    for (semitones, frames) in [(12.0, SECOND as usize / 2), (-7.0, 71_900)] {
        let out = hit(|slot| slot.semitones = semitones);
        assert!(cents(&out, 220.0 * 2f32.powf(semitones / 12.0)).abs() < 3.0);
        assert!(last(&out).abs_diff(frames) < 100, "{}", last(&out));
    }
    for (stretch, frames) in [(1.0, 2 * SECOND as usize), (-1.0, SECOND as usize / 2), (0.5, 67_882)] {
        let out = hit(|slot| slot.stretch = stretch);
        assert!(last(&out).abs_diff(frames) < 400, "{stretch}: {}", last(&out));
        assert!(cents(&out, 220.0).abs() < 5.0, "{stretch}");
    }
    assert!(last(&hit(|slot| slot.start = 0.1)).abs_diff(43_200) < 50);
    assert!(last(&hit(|slot| slot.region = (12_000, 24_000))).abs_diff(12_000) < 50);
    assert!(largest_step(&hit(|slot| slot.start = 0.0908).left) < 0.05, "what begins inside fades in");
}

#[test]
fn a_hit_decays_at_once_or_from_the_end_of_its_key() {
    // 90 dB are one and a half times 60.
    let out = hit(|slot| slot.decay = 0.2);
    assert!((13_000..14_600).contains(&last(&out)), "{}", last(&out));
    let level = |at: usize| out.left[at..at + 300].iter().fold(0.0f32, |peak, x| peak.max(x.abs()));
    let fallen = 20.0 * (level(5_000) / level(200)).log10();
    assert!((fallen + 30.0).abs() < 1.0, "{fallen} dB in half of the decay");
    let gated = hit(|slot| (slot.decay, slot.gate) = (0.2, true));
    assert!((19_000..20_600).contains(&last(&gated)), "{}", last(&gated));
}

#[test]
fn sides_levels_drive_and_filter_do_what_they_say() {
    let plain = hit(|_| {});
    let right = hit(|slot| slot.pan = 1.0);
    assert!(level(&right.left) < 1e-6 && (level(&right.right) - level(&plain.right)).abs() < 1e-3);
    assert!((level(&hit(|slot| slot.gain_db = -6.0206).left) - 0.5 * level(&plain.left)).abs() < 1e-3);
    let harmonic = |out: &Stereo| level_db_at(&out.left[..32_768], RATE, 660.0);
    let driven = hit(|slot| slot.drive_db = 24.0);
    assert!(harmonic(&driven) > harmonic(&plain) + 40.0, "{} {}", harmonic(&driven), harmonic(&plain));
    for (response, steep, hz, falls) in [
        (Response::Lowpass, false, 55.0, 20.0),
        (Response::Lowpass, true, 55.0, 44.0),
        (Response::Highpass, true, 880.0, 44.0),
        (Response::Bandpass, false, 2_000.0, 15.0),
        (Response::Notch, false, 220.0, 20.0),
    ] {
        let out = hit(|slot| {
            (slot.filter.response, slot.filter.steep, slot.filter.hz) = (response, steep, hz);
        });
        let fell = 20.0 * (level(&plain.left) / level(&out.left).max(1e-9)).log10();
        assert!(fell > falls, "{response:?}: {fell} dB");
    }
}

#[test]
fn velocity_and_chance_move_each_hit() {
    let with = |velocity: f32, change: &dyn Fn(&mut ImpulseSettings)| {
        play_hits(slot(change), [note(1, 60, velocity, 0, 6_000)])
    };
    let by_velocity = |slot: &mut ImpulseSettings| slot.semitones_by.velocity = 24.0;
    assert!(cents(&with(0.5, &by_velocity), 440.0).abs() < 3.0);
    let louder = |slot: &mut ImpulseSettings| slot.velocity_to_level = 1.0;
    assert!((level(&with(0.5, &louder).left) - 0.25 * level(&with(1.0, &louder).left)).abs() < 1e-3);
    let aside = |slot: &mut ImpulseSettings| slot.pan_by.velocity = -1.0;
    assert!(level(&with(1.0, &aside).right) < 1e-6 && level(&with(0.5, &aside).right) > 0.4);
    // One hit is as it is however often it is played; another is another.
    let by_chance = slot(|slot| slot.semitones_by.random = 12.0);
    let played = |ids: [u8; 1]| play_hits(by_chance.clone(), ids.map(|pitch| note(1, pitch, 1.0, 0, 6_000))).left;
    assert!(played([60]) == played([60]) && played([60]) != played([61]));
}

/// A slot of steady tone, hit again while it sounds: the old hit ends within 3 ms, without a click.
#[test]
fn a_slot_has_one_hit_at_a_time() {
    let steady = ImpulseSettings {
        velocity_to_level: 0.0,
        decay: 1_000.0,
        ..ImpulseSettings::of(sample(vec![0.5; 2 * SECOND as usize]))
    };
    let twice = play_hits(steady, [note(1, 60, 1.0, 0, 100), note(1, 62, 1.0, 20_000, 20_100)]);
    let ended = &twice.left[20_000 + 200..40_000];
    assert!(ended.iter().all(|x| (x - 0.5).abs() < 0.01), "one sounds");
}

/// Slots of every kind, for what holds of all pieces.
pub fn piece() -> (MixSettings, Vec<PieceEvent>) {
    let every = |velocity: f32, random: f32| HitAmounts { velocity, random };
    let changes: [&dyn Fn(&mut ImpulseSettings); 5] = [
        &|_| {},
        &|slot| (slot.stretch, slot.grain, slot.drive_db) = (0.7, 0.02, 18.0),
        &|slot| {
            slot.filter = ImpulseFilter {
                response: Response::Bandpass,
                hz: 900.0,
                q: 3.0,
                steep: true,
                octaves: every(2.0, 1.0),
            };
        },
        &|slot| {
            (slot.semitones_by, slot.stretch_by, slot.pan_by) = (every(5.0, 7.0), every(-1.0, 0.0), every(0.2, 0.8))
        },
        &|slot| (slot.start, slot.gate, slot.decay, slot.semitones) = (0.03, true, 0.4, -9.0),
    ];
    let tracks = changes.iter().zip(1..).map(|(change, id)| {
        let mut settings = ImpulseSettings::of(pluck());
        change(&mut settings);
        track(id, vec![instrument(u64::from(id), sound(settings))])
    });
    with_notes(tracks.collect(), 3)
}

#[test]
fn no_setting_makes_it_loud_or_no_number() {
    for seed in 0..24u64 {
        let mut noise = crate::dsp::noise::Noise::new(seed);
        let mut unit = || 0.5 + 0.5 * noise.next_value();
        let settings = slot(|_| {});
        let responses = [Response::Lowpass, Response::Bandpass, Response::Highpass, Response::Notch];
        let settings = ImpulseSettings {
            start: 0.1 * unit(),
            semitones: 96.0 * unit() - 48.0,
            semitones_by: HitAmounts { velocity: 48.0 * unit(), random: 48.0 * unit() },
            stretch: 4.0 * unit() - 2.0,
            stretch_by: HitAmounts { velocity: 2.0 * unit() - 1.0, random: 0.0 },
            grain: 0.1 * unit(),
            drive_db: 36.0 * unit(),
            filter: ImpulseFilter {
                response: responses[(seed % 4) as usize],
                hz: 30.0 * 600f32.powf(unit()),
                q: 0.3 + 2.0 * unit(),
                steep: unit() > 0.5,
                octaves: HitAmounts { velocity: 5.0 * unit(), random: 5.0 * unit() },
            },
            decay: 0.01 + unit(),
            gate: unit() > 0.5,
            pan_by: HitAmounts { velocity: unit(), random: unit() },
            ..settings
        };
        let out = play_hits(settings.clone(), (0..12).map(|n| note(1, 60, 0.9, 4_000 * n, 4_000 * n + 3_000)));
        let higher = |peak: f32, x: &f32| if x.is_finite() { peak.max(x.abs()) } else { f32::INFINITY };
        let peak = out.left.iter().chain(&out.right).fold(0.0f32, higher);
        assert!(peak < 4.0, "seed {seed}: peak {peak}, {settings:?}");
        assert_eq!(out.left.last(), Some(&0.0), "seed {seed}: it ends");
    }
}
