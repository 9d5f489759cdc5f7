//! The player allocates and frees nothing on the audio thread, whatever plays, and whatever plan and Set come or go.
//!
//! A file of its own, because the counting allocator counts for a whole binary.

#[path = "support/counting_allocator.rs"]
mod counting_allocator;

use counting_allocator::watched;
use std::sync::Arc;
use svc_device::music::Note;
use svc_device::playback::{
    self, Block, LaunchAction, LaunchOrder, LaunchQuantum, Publisher, Snapshot, TrackLaunch, TransportAction,
    TransportOrder,
};
use svc_device::set::document::ids::Serial;
use svc_device::set::document::{Clip, Content, Document, Notes, SessionClip, Signature, StoredNote, TrackDelay};
use svc_device::set::runtime::keyboard_tracks::KeyboardTracks;
use svc_device::sound::Key;
use svc_device::sound::control::SoundControl;
use svc_device::sound::player::{self, Player, PlayerParts};
use svc_device::sound::publisher::PlanPublisher;
use svc_device::sound::samples::SampleCache;
use svc_device::sound::track_outputs::{OutputChannels, TrackOutputs};

const RATE: f32 = 48_000.0;
const FIRST_CLIP: Serial = 100_000;

/// A Set whose MIDI tracks play chords, another one in each version.
fn document(version: u64) -> Document {
    let mut document = Document::new_set();
    let scene = document.scenes.first().expect("a scene").serial;
    let serials: Vec<Serial> =
        document.tracks.iter().filter(|track| track.midi_channel.is_some()).map(|track| track.serial).collect();
    for (at, serial) in (0..).zip(serials) {
        let note = |n: u32| StoredNote {
            id: n,
            note: Note::new((36 + (n * 5 + at as u32 + version as u32) % 40) as u8, f64::from(n) / 8.0, 0.6),
        };
        let notes = Notes { list: (0..32).map(note).collect(), next_id: 99 };
        let signature = Signature { numerator: 4, denominator: 4 };
        let clip = Clip {
            loop_end: 4.0,
            content: Content::Midi(Arc::new(notes)),
            ..Clip::midi(FIRST_CLIP + serial, 4.0, 0, signature)
        };
        document.tracks.edit(serial, |track| {
            track.session.insert(SessionClip { scene, clip: Arc::new(clip) });
            track.mixer.volume = 0.5 + (version % 5) as f64 / 10.0;
            track.mute = (version + at) % 7 == 3;
            let delays = [None, Some(TrackDelay::Samples(-700)), Some(TrackDelay::Milliseconds(20.0)), None, None];
            track.delay = delays[((version / 2 + at) % 5) as usize];
            track.name = Some(["Drums", "Bass", "Pad", "Lead"][((version / 3 + at) % 4) as usize].to_owned());
        });
    }
    if version % 5 == 2
        && let Some(first) = document.tracks.remove(0)
    {
        document.tracks.insert(1, first);
    }
    if version % 4 == 1 {
        document.returns = Default::default();
    }
    let metronome = serde_json::json!(version.is_multiple_of(2));
    Arc::make_mut(&mut document.song).stored.insert("metronome".to_owned(), metronome);
    document
}

/// A host's buffers of single tracks.
struct TrackBuffers(Vec<[Vec<f32>; 2]>);

impl OutputChannels for TrackBuffers {
    fn channel(&mut self, output: usize, channel: usize) -> Option<&mut [f32]> {
        self.0.get_mut(output)?.get_mut(channel).map(Vec::as_mut_slice)
    }
}

struct Rig {
    snapshots: Publisher,
    plans: PlanPublisher,
    player: Player,
    control: Arc<SoundControl>,
    snapshot: Snapshot,
}

fn rig() -> Rig {
    let (snapshots, engine) = playback::channel();
    let (control, _) = SoundControl::new();
    let keyboard_tracks = Arc::<KeyboardTracks>::default();
    let document = document(0);
    keyboard_tracks.set(document.tracks.iter().take(2).map(|track| track.serial));
    let parts = PlayerParts {
        engine,
        clock: snapshots.clock().clone(),
        keyboard_tracks,
        levels: Arc::default(),
        control: control.clone(),
    };
    let (plans, player) = player::channel(parts);
    let play = |track: Serial| {
        let action = LaunchAction::Play { clip: FIRST_CLIP + track, legato: false };
        TrackLaunch::new(track, LaunchOrder { number: 1, action, quantum: LaunchQuantum::None })
    };
    let launches = document.tracks.iter().map(|track| play(track.serial)).collect();
    let transport = TransportOrder { number: 1, action: TransportAction::Start { at: 0.0 } };
    control.set_on(true);
    Rig { snapshots, plans, player, control, snapshot: Snapshot { document, launches, transport, own_clock: true } }
}

#[test]
fn the_player_allocates_and_frees_nothing() {
    let Rig { mut snapshots, mut plans, mut player, control, mut snapshot } = rig();
    let samples = SampleCache::default();
    let (mut left, mut right) = (vec![0.0f32; 512], vec![0.0f32; 512]);
    let mut outputs = TrackOutputs::new(RATE);
    let mut buffers = TrackBuffers(vec![[vec![0.0; 512], vec![0.0; 512]]; 16]);
    let (mut count, mut loudest, mut silent_blocks, mut loudest_track) = (0, 0.0f32, 0, 0.0f32);
    for block in 0..900u64 {
        if block % 9 == 0 {
            snapshot.document = document(block / 9);
            snapshots.publish(snapshot.clone());
        }
        if block % 9 == 4 {
            plans.publish(&snapshot.document, RATE, &samples);
        }
        match block % 300 {
            100 => control.set_on(false),
            120 => plans.fall_silent(),
            150 => control.set_on(true),
            200 => control.set_midi_on(false),
            250 => control.set_midi_on(true),
            _ => {}
        }
        let frames = [512usize, 64, 1, 300][(block % 4) as usize];
        let made = Block { sample_rate: f64::from(RATE), frames: frames as u32, host: None };
        // Tracks come and go, so outputs change hands.
        let has_outputs = block % 3 != 0;
        buffers.0.iter_mut().flatten().for_each(|channel| channel.fill(0.0));
        count += watched(|| {
            let mut taken = 0;
            player.process(&made, &mut |event| {
                std::hint::black_box(event);
                taken += 1;
                taken < 40
            });
            for n in 0..24u8 {
                let velocity = (u64::from(n) + block).is_multiple_of(2).then_some(0.7);
                player.key(Key { sample: u32::from(n) % frames as u32, channel: n % 3, pitch: 40 + n, velocity });
            }
            let (left, right) = (&mut left[..frames], &mut right[..frames]);
            let sounds = match has_outputs {
                false => player.render(&made, left, right),
                true => player.render_to(&made, left, right, &mut outputs.block(frames, &mut buffers)),
            };
            silent_blocks += u32::from(!sounds);
            if block % 100 == 99 {
                player.silence(&mut |_| true);
                player.suspend();
            }
        });
        loudest = left[..frames].iter().fold(loudest, |peak, value| peak.max(value.abs()));
        loudest_track = buffers.0[0][0].iter().fold(loudest_track, |peak, value| peak.max(value.abs()));
    }
    assert_eq!(count, 0, "in 900 blocks");
    assert!(loudest > 0.05 && silent_blocks > 20, "it plays, and is switched off: {loudest}, {silent_blocks}");
    assert!(loudest_track > 0.02, "and a track by its own output: {loudest_track}");
}
