//! Notes that tracks give to other tracks: as they came in or behind the note effects, to the frame, and none hangs.

use super::notes::note_effect;
use super::pieces::*;
use crate::instruments::{Role, SamplerSettings};
use crate::note_effects::*;
use crate::offline::{Piece, PieceEvent, Stems, render};
use crate::plan::settings::*;
use crate::plan::{Plan, StateStore};

fn pitch(semitones: i16) -> NoteEffectSettings {
    NoteEffectSettings::Pitch(PitchSettings { shift: Shift::Semitones(semitones), ..PitchSettings::default() })
}

fn arpeggiator() -> NoteEffectSettings {
    let settings = ArpeggiatorSettings { rate: StepRate::Beats(0.25), ..ArpeggiatorSettings::default() };
    NoteEffectSettings::Arpeggiator(settings)
}

/// A tone of 200 Hz at the key 60, as long as the note.
fn tone(id: u64) -> DeviceSettings {
    let wave = |n: u32| 0.5 * (std::f32::consts::TAU * 200.0 * n as f32 / RATE).sin();
    let looped = SamplerSettings::of(sample((0..96_000).map(wave).collect()));
    instrument(id, sampler(looped))
}

fn with_ways(track: TrackSettings, ways: &[(u32, bool)]) -> TrackSettings {
    let ways = ways.iter().map(|(to, behind_devices)| NoteWay { to: *to, behind_devices: *behind_devices });
    TrackSettings { note_ways: ways.collect(), ..track }
}

/// What each of the tracks 1, 2 and so on sounds like, on its left.
fn stems(mix: MixSettings, events: &[PieceEvent], frames: u64, block: usize) -> Vec<Vec<f32>> {
    let ids: Vec<u32> = mix.tracks.iter().map(|track| track.id).collect();
    let mut stems = Stems::of(ids.iter().copied());
    let mut plan = Plan::new(mix, &mut StateStore::new(RATE));
    let piece = Piece { events, frames: frames as usize, tempo_bpm: 120.0, block };
    render(&mut crate::engine::Engine::new(), &mut plan, &piece, &mut stems);
    ids.into_iter().map(|id| stems.get(id).expect("a stem").left.clone()).collect()
}

/// How often a signal rises through 0 in a second.
fn rises(signal: &[f32]) -> usize {
    signal[4_800..28_800].windows(2).filter(|pair| pair[0] < 0.0 && pair[1] >= 0.0).count() * 2
}

#[test]
fn a_way_takes_notes_where_it_says() {
    let events = in_order([note(1, 60, 1.0, 0, 40_000)]);
    for (behind, hz) in [(false, 200), (true, 400)] {
        let giver = || with_ways(track(1, vec![note_effect(1, pitch(12))]), &[(2, behind)]);
        // On its way through a track of its own the note is changed once more.
        let between = || with_ways(track(2, vec![note_effect(2, pitch(-12)), tone(3)]), &[(3, true)]);
        let made = stems(mix(vec![giver(), between(), track(3, vec![tone(4)])]), &events, SECOND, 512);
        for (at, meant) in [(1, hz / 2), (2, hz / 2)] {
            assert!(rises(&made[at]).abs_diff(meant) <= 2, "behind: {behind}, track {at}: {} Hz", rises(&made[at]));
        }
        // The order of the tracks is no matter, and neither are blocks.
        let turned = stems(mix(vec![track(3, vec![tone(4)]), between(), giver()]), &events, SECOND, 64);
        assert!(turned[0] == made[2] && turned[1] == made[1]);
        assert!(made[1][44_000..].iter().all(|x| x.abs() < 1e-3), "the end arrives too");
    }
}

#[test]
fn what_an_arpeggiator_makes_goes_on_at_its_very_frame() {
    let events = in_order([note(1, 60, 1.0, 1_000, 40_000)]);
    let own = stems(mix(vec![track(1, vec![note_effect(1, arpeggiator()), tone(3)])]), &events, SECOND, 512);
    for block in [1, 64, 512] {
        let giver = with_ways(track(2, vec![note_effect(1, arpeggiator())]), &[(1, true)]);
        let events: Vec<PieceEvent> = events.iter().map(|event| PieceEvent { track: 2, ..*event }).collect();
        let given = stems(mix(vec![track(1, vec![tone(3)]), giver]), &events, SECOND, block);
        assert!(given[0] == own[0], "blocks of {block}");
    }
}

#[test]
fn in_a_ring_notes_go_around_once() {
    let ring = |id: u32, to| {
        with_ways(track(id, vec![note_effect(u64::from(id), arpeggiator()), tone(u64::from(id) + 9)]), &[(to, true)])
    };
    let made =
        stems(mix(vec![ring(1, 2), ring(2, 3), ring(3, 1)]), &in_order([note(1, 60, 1.0, 0, 20_000)]), 2 * SECOND, 512);
    for (at, signal) in made.iter().enumerate() {
        assert!(signal[..20_000].iter().any(|x| x.abs() > 0.1), "track {at} plays it");
        assert!(signal[40_000..].iter().all(|x| x.abs() < 1e-3), "track {at} plays on");
    }
}

/// Whatever becomes of ways, tracks and note effects while notes sound, all is silent in the end.
#[test]
fn edits_of_ways_hang_no_notes() {
    let taker = || track(2, vec![instrument(9, Role::Organ.instrument())]);
    let giver = |effects: Vec<DeviceSettings>, ways: &[(u32, bool)]| with_ways(track(1, effects), ways);
    let arp = || vec![note_effect(1, arpeggiator())];
    type Edit = Box<dyn Fn() -> MixSettings>;
    let edits: [(&str, Edit); 5] = [
        ("the way goes", Box::new(move || mix(vec![giver(arp(), &[]), taker()]))),
        ("it is taken elsewhere", Box::new(move || mix(vec![giver(arp(), &[(2, false)]), taker()]))),
        ("the giver goes", Box::new(move || mix(vec![taker()]))),
        ("the note effect goes", Box::new(move || mix(vec![giver(vec![], &[(2, true)]), taker()]))),
        (
            "another one comes",
            Box::new(move || {
                mix(vec![giver(vec![note_effect(5, pitch(7)), note_effect(1, arpeggiator())], &[(2, true)]), taker()])
            }),
        ),
    ];
    for (what, edit) in edits {
        for at in [3_000, 9_000] {
            let mut store = StateStore::new(RATE);
            let mut engine = crate::engine::Engine::new();
            let events = in_order([note(1, 60, 1.0, 0, 30_000), note(1, 64, 1.0, 100, 12_000)]);
            let mut made = 0;
            let mut part = |store: &mut StateStore, mix, until: u64| {
                let events: Vec<PieceEvent> = events
                    .iter()
                    .filter(|event| (made..until).contains(&event.frame))
                    .map(|event| PieceEvent { frame: event.frame - made, ..*event })
                    .collect();
                let mut plan = Plan::new(mix, store);
                let piece = Piece { events: &events, frames: (until - made) as usize, tempo_bpm: 120.0, block: 64 };
                made = until;
                render(&mut engine, &mut plan, &piece, &mut ()).left
            };
            let before = part(&mut store, mix(vec![giver(arp(), &[(2, true)]), taker()]), at);
            assert!(before.iter().any(|x| x.abs() > 0.01), "it sounds");
            part(&mut store, edit(), at + 2_000);
            let rest = part(&mut store, edit(), 3 * SECOND);
            assert!(rest[rest.len() - 4_800..].iter().all(|x| x.abs() < 1e-4), "{what} at {at}: a note hangs");
        }
    }
}
