//! Laws: the block size changes nothing, and every on has its off.

use super::*;
use crate::set::document::TrackDelay;
use proptest::prelude::*;

fn any_note() -> impl Strategy<Value = Note> {
    // Sixteenths and odd places; lengths from nothing to longer than any loop.
    let place = prop_oneof![(0u32..32).prop_map(|n| f64::from(n) / 4.0), 0.0..8.0];
    let length = prop_oneof![Just(1e-6), (1u32..16).prop_map(|n| f64::from(n) / 8.0), 0.001..20.0];
    let chance = prop_oneof![3 => Just(1.0), 1 => Just(0.5)];
    (58u8..64, place, length, chance, 0.0..40.0).prop_map(|(pitch, start, duration, probability, deviation)| Note {
        probability,
        velocity_deviation: deviation,
        ..note(pitch, start, duration)
    })
}

fn any_clip(serial: Serial) -> impl Strategy<Value = Clip> {
    let region = (0u32..16, prop_oneof![(1u32..32).prop_map(|n| f64::from(n) / 4.0), 0.01..9.0]);
    (prop::collection::vec(any_note(), 0..12), region, 0u32..40, any::<bool>()).prop_map(
        move |(list, (start, length), enter, looping)| {
            let loop_start = f64::from(start) / 4.0;
            let enter = f64::from(enter) / 4.0;
            Clip {
                looping,
                loop_start,
                loop_end: loop_start + length,
                start_marker: enter,
                end_marker: enter + length,
                ..clip(serial, 4.0, list)
            }
        },
    )
}

fn any_quantum() -> impl Strategy<Value = LaunchQuantum> {
    prop_oneof![
        Just(LaunchQuantum::None),
        Just(BAR),
        Just(LaunchQuantum::Bars(2)),
        Just(LaunchQuantum::Beats(0.5)),
        Just(LaunchQuantum::Beats(1.0 / 3.0))
    ]
}

/// What the model and the host do at a frame of their own choosing; blocks are cut there, as they are in life.
#[derive(Clone, Debug)]
enum Operation {
    Play {
        track: u32,
        clip: u32,
        legato: bool,
        quantum: LaunchQuantum,
    },
    Stop {
        track: u32,
        quantum: LaunchQuantum,
    },
    Tempo(f64),
    Seek(f64),
    Playing(bool),
    Mute {
        track: usize,
        mute: bool,
    },
    Delete {
        track: usize,
    },
    Delay {
        track: usize,
        by: i64,
    },
    Resize {
        track: usize,
        length: f64,
    },
    /// Leaves a track to the Arrangement.
    Leave {
        track: u32,
    },
    Loop {
        on: bool,
        start: f64,
        length: f64,
    },
    Place {
        track: usize,
        start: f64,
        end: f64,
    },
}

fn any_deed() -> impl Strategy<Value = Operation> {
    let tempo = prop_oneof![Just(120.0), Just(90.0), 20.0..400.0];
    prop_oneof![
        4 => (10u32..13, 0u32..2, any::<bool>(), any_quantum())
            .prop_map(|(track, clip, legato, quantum)| Operation::Play { track, clip, legato, quantum }),
        1 => (10u32..13, any_quantum()).prop_map(|(track, quantum)| Operation::Stop { track, quantum }),
        1 => tempo.prop_map(Operation::Tempo),
        1 => (0u32..64).prop_map(|n| Operation::Seek(f64::from(n) / 4.0)),
        1 => any::<bool>().prop_map(Operation::Playing),
        1 => (0usize..3, any::<bool>()).prop_map(|(track, mute)| Operation::Mute { track, mute }),
        1 => (0usize..3).prop_map(|track| Operation::Delete { track }),
        1 => (0usize..3, -90i64..90).prop_map(|(track, by)| Operation::Delay { track, by: by * 100 }),
        1 => (0usize..3, 0.1..6.0).prop_map(|(track, length)| Operation::Resize { track, length }),
        2 => (10u32..13).prop_map(|track| Operation::Leave { track }),
        1 => (any::<bool>(), (0u32..16).prop_map(|n| f64::from(n) / 4.0), prop_oneof![Just(1.0), 0.01..5.0])
            .prop_map(|(on, start, length)| Operation::Loop { on, start, length }),
        1 => (0usize..3, 0.0..8.0, 0.1..6.0)
            .prop_map(|(track, start, length)| Operation::Place { track, start, end: start + length }),
    ]
}

fn act(rig: &mut Rig, operation: &Operation) {
    match *operation {
        Operation::Play { track, clip, legato, quantum } => {
            let clip = track * 10 + clip;
            rig.order(track, LaunchAction::Play { clip, legato }, quantum);
        }
        Operation::Stop { track, quantum } => drop(rig.stop(track, quantum)),
        Operation::Tempo(tempo) => match &mut rig.host {
            Some(host) => host.tempo_bpm = Some(tempo),
            None => rig.edit(|document| Arc::make_mut(&mut document.song).tempo_bpm = tempo),
        },
        Operation::Seek(to) => match &mut rig.host {
            Some(host) => host.position_beats = Some(to),
            None => rig.transport(TransportAction::Jump { to }),
        },
        Operation::Playing(playing) => match &mut rig.host {
            Some(host) => host.playing = playing,
            None => rig.transport(if playing { TransportAction::Continue } else { TransportAction::Stop }),
        },
        Operation::Mute { track, mute } => rig.edit_track(track, |track| track.mute = mute),
        Operation::Delete { track } => rig.edit_track(track, |track| {
            if let Some(scene) = track.session.iter().next_back().map(|slot| slot.scene) {
                track.session.remove(scene);
            }
        }),
        Operation::Leave { track } => {
            let launch = rig.snapshot.launches.iter_mut().find(|launch| launch.track == track).unwrap();
            // What comes after has to have a number of its own, as in life.
            let order = LaunchOrder { number: 0, action: LaunchAction::Stop, quantum: LaunchQuantum::None };
            *launch = TrackLaunch::new(track, order);
            rig.publish();
        }
        Operation::Loop { on, start, length } => rig.edit(|document| {
            let song = Arc::make_mut(&mut document.song);
            (song.loop_on, song.loop_start, song.loop_length) = (on, start, length);
        }),
        Operation::Place { track, start, end } => rig.edit_track(track, |track| {
            let clip =
                Clip { serial: track.serial * 10 + 5, ..clip(1, 1.5, [note(64, 0.0, 1.0), note(65, 0.75, 2.0)]) };
            track.arrangement = super::arrangement::timeline([super::arrangement::placed(start, end, clip)]);
        }),
        Operation::Delay { track, by } => rig.edit_track(track, |track| {
            track.delay = Some(TrackDelay::Samples(by)).filter(|_| by != 0);
        }),
        Operation::Resize { track, length } => rig.edit_clip(track, |clip| clip.loop_end = clip.loop_start + length),
    }
}

fn heard(document: &Document, operations: &[(u64, Operation)], blocks: &[u32], end: u64) -> Played {
    heard_by(Rig::hosted(document.clone(), 0.0), operations, blocks, end)
}

/// The same by the Set's own clock; of the operations those of a host's transport become its orders.
fn heard_alone(document: &Document, operations: &[(u64, Operation)], blocks: &[u32], end: u64) -> Played {
    let mut rig = Rig::new(document.clone());
    rig.transport(TransportAction::Start { at: 0.0 });
    heard_by(rig, operations, blocks, end)
}

/// What left over MIDI, what the tracks sounded, and how each track stands.
type Played = (Vec<Heard>, Vec<TrackHeard>, Vec<TrackState>);

fn heard_by(mut rig: Rig, operations: &[(u64, Operation)], blocks: &[u32], end: u64) -> Played {
    let mut sizes = blocks.iter().cycle();
    let mut run_to = |rig: &mut Rig, end: u64| {
        while rig.now < end {
            let size = u64::from(*sizes.next().unwrap());
            rig.block(size.min(end - rig.now) as u32);
        }
    };
    for (at, operation) in operations {
        run_to(&mut rig, *at);
        act(&mut rig, operation);
    }
    run_to(&mut rig, end);
    let states = (10..13).map(|track| rig.state(track)).collect();
    // Every on has its off once the clock stands.
    match &mut rig.host {
        Some(host) => host.playing = false,
        None => rig.transport(TransportAction::Stop),
    }
    rig.block(64);
    // What is late ends late.
    rig.run_to(rig.now + 2 * BEAT);
    assert_eq!((&rig.held[..], &rig.track_held[..]), (&[][..], &[][..]));
    (rig.heard, rig.track_heard, states)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 160, ..ProptestConfig::default() })]

    #[test]
    fn the_block_size_changes_nothing(
        clips in (any_clip(100), any_clip(101), any_clip(110), any_clip(111), any_clip(120), any_clip(121)),
        shared in any::<bool>(),
        alone in any::<bool>(),
        first in any_deed(),
        operations in prop::collection::vec((0u64..8 * BEAT, any_deed()), 3..12),
        blocks in prop::collection::vec(prop_oneof![1u32..64, 64u32..5000], 1..6),
    ) {
        let third = Track { midi_channel: Some(if shared { 0 } else { 2 }), ..track(12, [clips.4, clips.5]) };
        let document = document([track(10, [clips.0, clips.1]), track(11, [clips.2, clips.3]), third]);
        let mut operations = operations;
        operations.push((0, first));
        operations.push((0, Operation::Play { track: 10, clip: 0, legato: false, quantum: BAR }));
        operations.sort_by_key(|operation| operation.0);
        // An order without quantum acts with its block; the operations' places are the same for every split.
        let end = 10 * BEAT;
        let heard = if alone { heard_alone } else { heard };
        let (expected, expected_of_tracks, states) = heard(&document, &operations, &[512], end);
        for blocks in [&blocks[..], &[4096], &[31]] {
            let (found, found_of_tracks, found_states) = heard(&document, &operations, blocks, end);
            prop_assert_eq!(&found, &expected);
            prop_assert_eq!(&found_of_tracks, &expected_of_tracks);
            for (found, state) in found_states.iter().zip(&states) {
                prop_assert_eq!((found.playing, found.handled, found.ended_by_itself), (state.playing, state.handled, state.ended_by_itself));
            }
        }
    }
}

#[test]
fn single_frames_too() {
    let list = [
        note(60, 0.0, 0.3),
        note(60, 0.25, 1e-6),
        note(61, 1.0 / 3.0, 5.0),
        Note { probability: 0.5, ..note(62, 0.7, 0.2) },
    ];
    let document = document([track(10, [clip(100, 0.77, list)]), track(11, []), track(12, [])]);
    let operations = [(0, Operation::Play { track: 10, clip: 0, legato: false, quantum: BAR })];
    let expected = heard(&document, &operations, &[512], 4 * BEAT).0;
    assert!(expected.len() > 20);
    assert_eq!(heard(&document, &operations, &[1], 4 * BEAT).0, expected);
}
