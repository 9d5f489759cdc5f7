//! The audio thread allocates and frees nothing, whatever it plays and whatever snapshot comes or goes.
//!
//! A file of its own, because the counting allocator counts for a whole binary.

#[path = "support/counting_allocator.rs"]
mod counting_allocator;

use counting_allocator::watched;
use std::sync::Arc;
use svc_device::music::Note;
use svc_device::playback::{
    Block, Engine, Event, HostTransport, LaunchAction, LaunchOrder, LaunchQuantum, Snapshot, TrackLaunch,
    TransportAction, TransportOrder, channel,
};
use svc_device::set::document::ids::Serial;
use svc_device::set::document::timeline_lane::Lane;
use svc_device::set::document::{
    Clip, Content, Document, Notes, PlacedClip, SessionClip, Signature, Song, StoredNote, Track, TrackKind,
};

const TRACKS: Serial = 64;

fn document(shift: f64) -> Document {
    let signature = Signature { numerator: 4, denominator: 4 };
    let song = Song { loop_start: 0.0, loop_length: 4.0, ..Song::default() };
    let clip = |serial: Serial| Clip {
        name: format!("clip {serial}"),
        loop_end: 3.5 + f64::from(serial % 3),
        content: Content::Midi(Arc::new(Notes {
            list: (0..400u32)
                .map(|id| StoredNote {
                    id,
                    note: Note {
                        probability: if id % 5 == 0 { 0.5 } else { 1.0 },
                        velocity_deviation: 10.0,
                        ..Note::new(
                            (id * 7 % 128) as u8,
                            f64::from(id / 8) / 16.0,
                            0.1 + shift + f64::from(id % 9) / 4.0,
                        )
                    },
                })
                .collect(),
            next_id: 1000,
        })),
        ..Clip::midi(serial, 4.0, 0, signature)
    };
    let track = |serial: Serial, kind| Track {
        name: Some(format!("track {serial}")),
        midi_channel: Some((serial % 16) as u8),
        session: [(5000, 1000), (5001, 2000)]
            .into_iter()
            .map(|(scene, above)| SessionClip { scene, clip: Arc::new(clip(serial + above)) })
            .collect(),
        arrangement: {
            let mut lane = Lane::default();
            for at in 0..4 {
                let start = f64::from(at * 6);
                lane.insert(PlacedClip { start, end: start + 5.0, clip: Arc::new(clip(serial + 3000 + at * 100)) });
            }
            lane
        },
        ..Track::new(serial, kind, 0, 0)
    };
    let mut document = Document {
        index: Default::default(),
        song: Arc::new(song),
        tracks: (10..10 + TRACKS).map(|serial| Arc::new(track(serial, TrackKind::Midi))).collect(),
        returns: Default::default(),
        main: Arc::new(track(3, TrackKind::Main)),
        scenes: Default::default(),
        cue_points: Arc::default(),
        grooves: Arc::default(),
        next_serial: 9000,
    };
    document.rebuild_index();
    document
}

/// An order for every track, new in every way.
fn launches() -> Vec<TrackLaunch> {
    (10..10 + TRACKS)
        .map(|track| {
            TrackLaunch::new(
                track,
                LaunchOrder {
                    number: 1,
                    action: LaunchAction::Play { clip: track + 1000, legato: false },
                    quantum: LaunchQuantum::Bars(1),
                },
            )
        })
        .collect()
}

#[test]
fn process_allocates_and_frees_nothing() {
    let (mut publisher, engine) = channel();
    // Everything the test itself needs is made before it watches.
    let mut engine: Engine = engine;
    let mut snapshot = Snapshot {
        document: document(0.0),
        launches: launches(),
        transport: TransportOrder { number: 0, action: TransportAction::Stop },
        own_clock: false,
    };
    let mut host = HostTransport {
        playing: true,
        tempo_bpm: Some(120.0),
        position_beats: Some(0.0),
        meter: Some((4, 4)),
        bar_start_beats: None,
    };
    let (mut events, mut allocations) = (0u64, 0);
    for block in 0..2000u64 {
        match block % 100 {
            // A new snapshot that shares nothing with the old one, whose last owner may be the engine.
            10 => snapshot.document = document(block as f64 / 1e4),
            20 => {
                for launch in &mut snapshot.launches {
                    let next = launch.track + if block % 200 < 100 { 2000 } else { 1000 };
                    launch.order.number += 1;
                    launch.order.action = LaunchAction::Play { clip: next, legato: launch.track % 2 == 0 };
                }
            }
            // Held buttons of clips that repeat; moves within what plays.
            22 => snapshot.launches.iter_mut().for_each(|l| l.repeat = Some(LaunchQuantum::Beats(0.25))),
            26 => {
                for launch in &mut snapshot.launches {
                    launch.skip.number = launch.order.number + 1;
                    launch.skip.by = 1.5;
                }
            }
            28 => snapshot.launches.iter_mut().for_each(|l| l.repeat = None),
            30 => host.position_beats = Some(block as f64 / 7.0),
            40 => host.tempo_bpm = if block % 200 < 100 { None } else { Some(171.0) },
            50 => host.playing = false,
            55 => host.playing = true,
            // Some tracks are left to the Arrangement, and taken over again by their next launch.
            5 => snapshot.launches.retain(|l| l.track % 3 != 0),
            15 => snapshot.launches = launches(),
            57 => {
                let song = Arc::make_mut(&mut snapshot.document.song);
                (song.loop_on, song.loop_start, song.loop_length) = (true, 0.0, 0.01);
            }
            60 => snapshot.own_clock = true,
            61 => {
                snapshot.transport.number += 1;
                snapshot.transport.action = TransportAction::Start { at: 0.0 };
            }
            80 => snapshot.own_clock = false,
            90 => snapshot.launches.reverse(),
            _ => {}
        }
        publisher.publish(snapshot.clone());
        let frames = [512, 64, 2048, 1][(block % 4) as usize];
        let block_of = Block { sample_rate: 48_000.0, frames, host: Some(host) };
        let room = if block % 13 == 0 { 5 } else { u64::MAX };
        allocations += watched(|| {
            let mut taken = 0;
            engine.process(&block_of, &mut |event: Event| {
                std::hint::black_box(event);
                taken += 1;
                events += u64::from(taken <= room);
                taken <= room
            });
            if block % 100 == 99 {
                engine.silence(&mut |_| true);
            }
        });
        if let (true, Some(position)) = (host.playing, &mut host.position_beats) {
            *position += f64::from(frames) * host.tempo_bpm.unwrap_or(120.0) / 60.0 / 48_000.0;
        }
    }
    assert!(events > 50_000, "the test has to play something: {events}");
    assert_eq!(allocations, 0, "in 2000 blocks");
    assert!(watched(|| drop(Vec::<u8>::with_capacity(9))) == 2, "the watch has to see an allocation and a free");
}
