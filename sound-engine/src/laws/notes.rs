//! Note effects in a mix: notes come at their frame, and none hangs whatever is edited.

use super::pieces::*;
use crate::engine::EventKind;
use crate::instruments::{InstrumentSettings, Role, SamplerSettings};
use crate::note_effects::*;
use crate::offline::{Piece, PieceEvent, render};
use crate::plan::settings::*;
use crate::plan::{Plan, StateStore};

pub fn note_effect(id: u64, settings: NoteEffectSettings) -> DeviceSettings {
    device(id, Device::NoteEffect(settings))
}

fn pitch(semitones: i16) -> NoteEffectSettings {
    NoteEffectSettings::Pitch(PitchSettings { shift: Shift::Semitones(semitones), ..PitchSettings::default() })
}

fn arpeggiator() -> ArpeggiatorSettings {
    ArpeggiatorSettings { rate: StepRate::Beats(0.25), ..ArpeggiatorSettings::default() }
}

/// A click of 100 frames on each note.
fn click() -> InstrumentSettings {
    sampler(SamplerSettings { velocity_to_level: 0.0, ..SamplerSettings::of(sample(vec![0.5; 100])) })
}

fn position(frame: u64, beats: f64, plays: bool) -> PieceEvent {
    PieceEvent { frame, track: 0, kind: EventKind::Position { beats, plays } }
}

/// Frames at which something begins after 200 silent ones.
fn begins(signal: &[f32]) -> Vec<usize> {
    let mut silent = 200;
    let mut found = Vec::new();
    for (frame, value) in signal.iter().enumerate() {
        if value.abs() > 1e-3 {
            if silent >= 200 {
                found.push(frame);
            }
            silent = 0;
        } else {
            silent += 1;
        }
    }
    found
}

#[test]
fn steps_sound_at_their_very_frame() {
    let chain = |settings| vec![note_effect(1, NoteEffectSettings::Arpeggiator(settings)), instrument(2, click())];
    let mut events = in_order([note(1, 60, 1.0, 1_000, 40_000)]);
    // The song stands at first: steps count from the key on.
    let free = play(mix(vec![track(1, chain(arpeggiator()))]), &events, SECOND);
    let first = begins(&free.left)[0];
    assert!(first - 1_000 < 8, "at the key: {first}");
    let meant: Vec<usize> = (0..7).map(|n| first + 6_000 * n).collect();
    assert_eq!(begins(&free.left), meant);
    // The song plays, and jumps: steps lie on its grid.
    events.insert(0, position(0, 4.0, true));
    events.push(position(20_000, 8.1, true));
    events.sort_by_key(|event| event.frame);
    let bound = play(mix(vec![track(1, chain(arpeggiator()))]), &events, SECOND);
    let late = first - 1_000;
    let jumped = 20_000 + (0.15 * 24_000.0) as usize;
    let meant = [6_000, 12_000, 18_000, jumped, jumped + 6_000, jumped + 12_000].map(|frame| frame + late);
    assert_eq!(begins(&bound.left), meant);
    for block in [1, 17, 64, 4_096] {
        let other = play_in_blocks(mix(vec![track(1, chain(arpeggiator()))]), &events, SECOND, block);
        assert!(other.left == bound.left, "blocks of {block}");
    }
}

/// A rack of note effects gives what its chains make to the instrument behind it.
#[test]
fn racks_of_note_effects_lead_to_what_follows() {
    let chain = |id, semitones| ChainSettings {
        id,
        devices: vec![note_effect(id + 10, pitch(semitones))],
        ..ChainSettings::default()
    };
    let rack = device(1, Device::Rack(vec![chain(2, 0), chain(3, 12), chain(4, 7)]));
    let mut store = StateStore::new(RATE);
    let mut plan = Plan::new(mix(vec![track(1, vec![rack, instrument(5, Role::Organ.instrument())])]), &mut store);
    let events = in_order([note(1, 60, 1.0, 0, 20_000)]);
    let mut engine = crate::engine::Engine::new();
    let mut sounding = |events: &[PieceEvent], frames| {
        let piece = Piece { events, frames, tempo_bpm: 120.0, block: 64 };
        render(&mut engine, &mut plan, &piece, &mut ());
        let mut count = 0;
        plan.tracks
            .iter()
            .flat_map(|track| &track.devices)
            .for_each(|d| d.each_instrument(&mut |i| count += i.sounding()));
        count
    };
    assert_eq!(sounding(&events[..1], 10_000), 3);
    let end = PieceEvent { frame: 0, ..events[1] };
    assert_eq!(sounding(&[end], 96_000), 0);
}

/// Whatever becomes of a note effect while its notes sound, all is silent in the end.
#[test]
fn edits_hang_no_notes() {
    let arp = |hold| NoteEffectSettings::Arpeggiator(ArpeggiatorSettings { hold, ..arpeggiator() });
    let chord = || {
        let mut notes = [ChordNote::NONE; 6];
        notes[0] = ChordNote { shift: Shift::Semitones(4), ..ChordNote::NONE };
        NoteEffectSettings::Chord(ChordSettings { notes, strum_ms: 200.0, ..ChordSettings::default() })
    };
    let with = |effects: Vec<DeviceSettings>| {
        let organ = instrument(9, Role::Organ.instrument());
        mix(vec![track(1, effects.into_iter().chain([organ]).collect())])
    };
    let off = |device: DeviceSettings| DeviceSettings { on: false, ..device };
    let zone = |keys, plays| {
        let organ = instrument(9, Role::Organ.instrument());
        let chain = ChainSettings { id: 5, keys, plays, devices: vec![organ], ..ChainSettings::default() };
        mix(vec![track(1, vec![device(4, Device::Rack(vec![chain]))])])
    };
    let cases = [
        ("goes", with(vec![note_effect(1, pitch(12))]), with(vec![])),
        ("comes", with(vec![]), with(vec![note_effect(1, pitch(12))])),
        ("is moved", with(vec![note_effect(1, pitch(12))]), with(vec![note_effect(1, pitch(5))])),
        ("is switched off", with(vec![note_effect(1, pitch(12))]), with(vec![off(note_effect(1, pitch(12)))])),
        ("is switched on", with(vec![off(note_effect(1, pitch(12)))]), with(vec![note_effect(1, pitch(12))])),
        ("changes places", with(vec![note_effect(1, pitch(12)), note_effect(2, chord())]), {
            with(vec![note_effect(2, chord()), note_effect(1, pitch(12))])
        }),
        ("an arpeggiator goes", with(vec![note_effect(1, arp(true))]), with(vec![])),
        ("an arpeggiator is switched off", with(vec![note_effect(1, arp(true))]), {
            with(vec![off(note_effect(1, arp(true)))])
        }),
        ("an arpeggiator holds no more", with(vec![note_effect(1, arp(true))]), with(vec![note_effect(1, arp(false))])),
        ("becomes another", with(vec![note_effect(1, chord())]), with(vec![note_effect(1, arp(false))])),
        ("a zone moves", zone((0, 127), None), zone((100, 127), None)),
        ("a pad plays another pitch", zone((60, 60), Some(40)), zone((60, 60), Some(41))),
        ("goes into a rack", with(vec![]), zone((0, 127), None)),
    ];
    for (name, before, after) in cases {
        for skipped in [false, true] {
            // A triple buffer may skip the plan in which what goes is switched off.
            let (mut store, mut engine) = (StateStore::new(RATE), crate::engine::Engine::new());
            let mut plan = Plan::new(before.clone(), &mut store);
            let mut part = |plan: &mut Plan, events: &[PieceEvent], frames| {
                let piece = Piece { events, frames, tempo_bpm: 120.0, block: 64 };
                render(&mut engine, plan, &piece, &mut ())
            };
            let events = in_order([note(1, 60, 1.0, 0, 1), note(1, 64, 1.0, 5, 6)]);
            let (ons, mut offs): (Vec<_>, Vec<_>) =
                events.into_iter().partition(|event| matches!(event.kind, EventKind::NoteOn(_)));
            let loud = part(&mut plan, &ons, 15_000);
            assert!(loud.left.iter().any(|x| x.abs() > 0.01), "{name}: it sounds");
            let mut next = Plan::new(after.clone(), &mut store);
            if skipped {
                next = Plan::new(after.clone(), &mut store);
            }
            part(&mut next, &[], 5_000);
            offs.iter_mut().for_each(|event| event.frame = 0);
            part(&mut next, &offs, 3 * SECOND as usize);
            let rest = part(&mut next, &[], SECOND as usize);
            assert!(rest.left.iter().all(|x| *x == 0.0), "{name} (skipped: {skipped}): it sounds for ever");
        }
    }
}

#[test]
fn zones_fade_and_selectors_choose() {
    let level = |chain: ChainSettings, pitch: u8, velocity: f32| {
        let chain = ChainSettings {
            devices: vec![instrument(
                9,
                sampler(SamplerSettings { velocity_to_level: 1.0, ..SamplerSettings::of(sample(vec![1.0; 48_000])) }),
            )],
            ..chain
        };
        let rack = device(1, Device::Rack(vec![chain]));
        let out = play(
            MixSettings { soft_clip: false, ..mix(vec![track(1, vec![rack])]) },
            &in_order([note(1, pitch, velocity, 0, 40_000)]),
            SECOND / 10,
        );
        // The sampler makes the square of velocities of levels.
        out.left[3_000].sqrt()
    };
    let fades = ChainSettings { id: 2, keys: (50, 70), key_fades: (9, 0), ..ChainSettings::default() };
    let soft = ChainSettings { id: 2, velocities: (1, 100), velocity_fades: (0, 49), ..ChainSettings::default() };
    let selector = |value| ChainSettings {
        id: 2,
        selector: Some(ChainSelector { zone: (10, 20), fades: (0, 0), value }),
        ..ChainSettings::default()
    };
    for (chain, pitch, velocity, meant) in [
        (fades.clone(), 50, 1.0, 0.1),
        (fades.clone(), 54, 1.0, 0.5),
        (fades.clone(), 65, 1.0, 1.0),
        (fades, 71, 1.0, 0.0),
        (soft.clone(), 60, 50.0 / 127.0, 50.0 / 127.0),
        (soft, 60, 76.0 / 127.0, 0.5 * 76.0 / 127.0),
        (selector(15.0), 60, 1.0, 1.0),
        (selector(21.0), 60, 1.0, 0.0),
    ] {
        let is = level(chain.clone(), pitch, velocity);
        assert!((is - meant).abs() < 0.01, "{pitch} at {velocity} of {chain:?}: {is}, not {meant}");
    }
}

#[test]
fn chains_send_to_the_returns_of_their_rack() {
    let tone = || sampler(SamplerSettings { velocity_to_level: 0.0, ..SamplerSettings::of(sample(vec![0.5; 48_000])) });
    let pad = |id: u64, key, gain_db| ChainSettings {
        id,
        keys: (key, key),
        plays: Some(60),
        sends: vec![ChainSend { to: 50, gain_db }],
        devices: vec![instrument(id + 10, tone())],
        ..ChainSettings::default()
    };
    let half = crate::effects::UtilitySettings { gain_db: -6.0206, ..Default::default() };
    let back = ChainSettings {
        id: 50,
        is_return: true,
        devices: vec![effect(51, crate::effects::EffectSettings::Utility(half))],
        ..ChainSettings::default()
    };
    let rack = device(1, Device::Rack(vec![pad(2, 36, 0.0), pad(3, 38, f32::NEG_INFINITY), back]));
    let events = in_order([note(1, 36, 1.0, 0, 20_000), note(1, 38, 1.0, 30_000, 40_000)]);
    let out = play(MixSettings { soft_clip: false, ..mix(vec![track(1, vec![rack])]) }, &events, SECOND);
    assert!((out.left[10_000] - 0.75).abs() < 1e-3, "{}", out.left[10_000]);
    assert!((out.left[35_000] - 0.5).abs() < 1e-3, "{}", out.left[35_000]);
}
