//! Outputs of single tracks, as the player fills them.

use super::*;
use crate::music::Note;
use crate::playback::{
    Block as PlayedBlock, LaunchAction, LaunchOrder, LaunchQuantum, Publisher, Snapshot, TrackLaunch, TransportAction,
    TransportOrder, channel,
};
use crate::set::document::ids::Serial;
use crate::set::document::{Clip, Content, Document, Notes, SessionClip, Signature, StoredNote, TrackDelay, TrackKind};
use crate::sound::control::SoundControl;
use crate::sound::player::{self, Player, PlayerParts};
use crate::sound::publisher::PlanPublisher;
use crate::sound::samples::SampleCache;
use std::sync::Arc;

const RATE: f32 = 48_000.0;
const FRAMES: usize = 300;
const CLIP: Serial = 100_000;

/// Buffers of a host: outputs, channels, frames.
struct Room(Vec<Vec<Vec<f32>>>);

impl Room {
    fn new() -> Room {
        Room(vec![vec![vec![0.0; FRAMES]; 2]; TRACK_OUTPUTS])
    }
}

impl OutputChannels for Room {
    fn channel(&mut self, output: usize, channel: usize) -> Option<&mut [f32]> {
        self.0.get_mut(output)?.get_mut(channel).map(Vec::as_mut_slice)
    }
}

/// The outputs, and what the return tracks put out, added up.
struct WithReturns<'a> {
    outputs: BlockOutputs<'a, Room>,
    returns: &'a [Serial],
    made: Vec<usize>,
    sum: &'a mut [f32],
}

impl Taps for WithReturns<'_> {
    fn track(&mut self, id: u32, signal: &Bus, frames: usize) {
        self.outputs.track(id, signal, frames);
        if let Some(at) = self.returns.iter().position(|serial| *serial == id) {
            for value in &signal.left[..frames] {
                self.sum[self.made[at]] += value;
                self.made[at] += 1;
            }
        }
    }
}

impl Listener for WithReturns<'_> {
    fn outputs(&mut self, tracks: &OutputTracks) {
        self.outputs.outputs(tracks);
    }

    fn fade(&mut self, frame: usize, gain: f32) {
        self.outputs.fade(frame, gain);
        self.sum[frame] *= gain;
    }
}

/// The first track is a group, the second is its member; the second and the third play a note, and send.
fn document() -> Document {
    let mut document = Document::new_set();
    let scene = document.scenes[0].serial;
    let group = document.tracks[0].serial;
    document.tracks.edit(group, |track| (track.kind, track.midi_channel) = (TrackKind::Group, None));
    for (at, pitch) in [(1, 48), (2, 55)] {
        let serial = document.tracks[at].serial;
        document.tracks.edit(serial, |track| {
            let list = vec![StoredNote { id: 1, note: Note::new(pitch, 0.0, 64.0) }];
            let four_four = Signature { numerator: 4, denominator: 4 };
            let content = Content::Midi(Arc::new(Notes { list, next_id: 9 }));
            let clip = Clip { loop_end: 64.0, content, ..Clip::midi(CLIP + serial, 64.0, 0, four_four) };
            track.session.insert(SessionClip { scene, clip: Arc::new(clip) });
            (track.kind, track.name) = (TrackKind::Midi, Some("Organ".to_owned()));
            track.group = (at == 1).then_some(group);
            track.mixer.sends.fill(0.5);
        });
    }
    document
}

struct Rig {
    snapshots: Publisher,
    plans: PlanPublisher,
    player: Player,
    document: Document,
    outputs: TrackOutputs,
}

/// What a block gave: left of the main output, of the outputs, of the returns together.
struct Made {
    main: Vec<f32>,
    outputs: Vec<Vec<f32>>,
    returns: Vec<f32>,
}

impl Rig {
    fn new(document: Document) -> Rig {
        let (snapshots, engine) = channel();
        let (control, _) = SoundControl::new();
        control.set_on(true);
        let (clock, levels) = (snapshots.clock().clone(), Arc::default());
        let (plans, player) =
            player::channel(PlayerParts { engine, clock, keyboard_tracks: Arc::default(), levels, control });
        let outputs = TrackOutputs::new(RATE);
        let mut rig = Rig { snapshots, plans, player, document, outputs };
        rig.publish();
        rig
    }

    fn publish(&mut self) {
        let play = |serial: Serial| {
            let action = LaunchAction::Play { clip: CLIP + serial, legato: false };
            TrackLaunch::new(serial, LaunchOrder { number: 1, action, quantum: LaunchQuantum::None })
        };
        self.snapshots.publish(Snapshot {
            launches: self.document.tracks.iter().map(|track| play(track.serial)).collect(),
            transport: TransportOrder { number: 1, action: TransportAction::Start { at: 0.0 } },
            own_clock: true,
            document: self.document.clone(),
        });
        self.plans.publish(&self.document, RATE, &SampleCache::default());
    }

    /// Makes a block, with the outputs that a host has.
    fn block_into(&mut self, room: &mut Room) -> Made {
        let returns: Vec<Serial> = self.document.returns.iter().map(|track| track.serial).collect();
        let (mut left, mut right) = (vec![0.0; FRAMES], vec![0.0; FRAMES]);
        let mut made = Made { main: Vec::new(), outputs: Vec::new(), returns: vec![0.0; FRAMES] };
        let block = PlayedBlock { sample_rate: RATE.into(), frames: FRAMES as u32, host: None };
        self.player.process(&block, &mut |_| true);
        let mut listener = WithReturns {
            outputs: self.outputs.block(FRAMES, room),
            made: vec![0; returns.len()],
            returns: &returns,
            sum: &mut made.returns,
        };
        self.player.render_to(&block, &mut left, &mut right, &mut listener);
        made.main = left;
        made.outputs = room.0.iter().map(|channels| channels.first().cloned().unwrap_or_default()).collect();
        made
    }

    /// Makes blocks, joined.
    fn blocks(&mut self, count: usize) -> Made {
        let mut all = Made { main: Vec::new(), outputs: vec![Vec::new(); TRACK_OUTPUTS], returns: Vec::new() };
        for _ in 0..count {
            let made = self.block_into(&mut Room::new());
            all.main.extend(made.main);
            all.returns.extend(made.returns);
            all.outputs.iter_mut().zip(made.outputs).for_each(|(all, made)| all.extend(made));
        }
        all
    }
}

fn peak(signal: &[f32]) -> f32 {
    signal.iter().fold(0.0, |peak, value| peak.max(value.abs()))
}

fn step(signal: &[f32]) -> f32 {
    signal.windows(2).fold(0.0, |step, pair| step.max((pair[1] - pair[0]).abs()))
}

/// From the first frame on, through the fade with which the sound comes.
#[test]
fn the_outputs_and_the_returns_add_up_to_what_goes_into_main() {
    let mut rig = Rig::new(document());
    let made = rig.blocks(60);
    assert!([&made.main, &made.returns].iter().all(|signal| (0.01..0.8).contains(&peak(signal))));
    for (frame, main) in made.main.iter().enumerate() {
        // The group and what is in none.
        let tracks: f32 = [0, 2, 3].map(|at| made.outputs[at][frame]).iter().sum();
        assert!((tracks + made.returns[frame] - main).abs() < 1e-5, "frame {frame}");
        assert_eq!(made.outputs[0][frame], made.outputs[1][frame], "a group puts out its tracks");
    }
    let silent = |at: &usize| peak(&made.outputs[*at]) == 0.0;
    assert_eq!((0..TRACK_OUTPUTS).filter(|at| !silent(at)).collect::<Vec<_>>(), [0, 1, 2]);
}

/// The second track is its group's member, the third is in none: both are heard by their delays, and so they leave.
#[test]
fn an_output_is_as_late_as_the_main_output() {
    let delays = [(0, 3.0), (1, 12.0), (2, -20.0)];
    let mut late = document();
    for (at, milliseconds) in delays {
        let serial = late.tracks[at].serial;
        late.tracks.edit(serial, |track| {
            track.delay = Some(TrackDelay::Milliseconds(milliseconds));
            track.mixer.sends.fill(0.0);
        });
    }
    let mut rig = Rig::new(late.clone());
    let made = rig.blocks(60);
    assert!((0.01..0.8).contains(&peak(&made.main)));
    for (frame, main) in made.main.iter().enumerate() {
        let tracks: f32 = [0, 2].map(|at| made.outputs[at][frame]).iter().sum();
        assert!((tracks - main).abs() < 1e-5, "frame {frame}");
        assert_eq!(made.outputs[0][frame], made.outputs[1][frame], "a group puts out its tracks");
    }
    // Without delays they are as they were, and nothing clicks on the way there.
    rig.document = document();
    rig.publish();
    let after = rig.blocks(60);
    for (before, after) in made.outputs.iter().zip(&after.outputs) {
        let (own, step) = (step(before), step(after));
        assert!(step <= own * 1.5 + 0.01, "a step of {step} beside {own}");
    }
}

#[test]
fn fader_mute_and_solo_are_in_the_outputs_and_the_main_fader_is_not() {
    let mut rig = Rig::new(document());
    let before = peak(&rig.blocks(80).outputs[2]);
    let third = rig.document.tracks[2].serial;
    let second = rig.document.tracks[1].serial;
    let mut level_after = |edit: &dyn Fn(&mut Document)| {
        edit(&mut rig.document);
        rig.publish();
        rig.blocks(40);
        let made = rig.blocks(40);
        (peak(&made.main), made.outputs.iter().take(3).map(|output| peak(output)).collect::<Vec<_>>())
    };
    let (main, outputs) = level_after(&|document| Arc::make_mut(&mut document.main).mixer.volume = 0.0);
    assert!(main == 0.0 && (outputs[2] / before - 1.0).abs() < 0.2, "{main} {outputs:?} {before}");
    let (_, outputs) = level_after(&|document| {
        document.tracks.edit(third, |track| track.mixer.volume = 0.4);
    });
    assert!(outputs[2] > 0.0 && outputs[2] < before / 4.0, "{outputs:?} {before}");
    let (_, outputs) = level_after(&|document| {
        document.tracks.edit(second, |track| track.solo = true);
    });
    assert!(outputs[2] == 0.0 && outputs[1] > 0.01, "{outputs:?}");
    let (_, outputs) = level_after(&|document| {
        document.tracks.edit(second, |track| (track.solo, track.mute) = (false, true));
    });
    assert!(outputs[2] > 0.0 && outputs[1] == 0.0, "{outputs:?}");
}

#[test]
fn an_output_goes_from_one_track_to_another_without_a_click() {
    let mut rig = Rig::new(document());
    let own = rig.blocks(80).outputs.iter().map(|output| step(output)).fold(0.0, f32::max);
    let mut joined = vec![Vec::new(); 4];
    let mut go_on = |rig: &mut Rig, count| {
        let made = rig.blocks(count);
        joined.iter_mut().zip(made.outputs).for_each(|(all, made)| all.extend(made));
        joined.iter().map(|output| peak(&output[output.len() - FRAMES..])).collect::<Vec<_>>()
    };
    // The group and its track move on by one place.
    let first = rig.document.tracks.remove(0).expect("a track");
    rig.document.tracks.insert(2, first);
    rig.publish();
    let levels = go_on(&mut rig, 20);
    assert!(levels[0] > 0.01 && levels[1] > 0.01 && levels[2] > 0.01 && levels[3] == 0.0, "{levels:?}");
    // The one that plays outside of the group goes.
    rig.document.tracks.remove(1);
    rig.publish();
    let levels = go_on(&mut rig, 20);
    assert!(levels[0] > 0.01 && levels[1] > 0.01 && levels[2] == 0.0, "{levels:?}");
    for (at, output) in joined.iter().enumerate() {
        assert!(step(output) <= own * 1.5 + 0.01, "output {at}: a step of {} beside {own}", step(output));
    }
}

#[test]
fn what_a_host_has_no_room_for_is_left_out() {
    let mut whole = Rig::new(document());
    let mut narrow = Rig::new(document());
    for _ in 0..40 {
        let wanted = whole.block_into(&mut Room::new());
        // Mono, short, without channels, and after that nothing.
        let mut room = Room(vec![vec![vec![0.0; FRAMES]], vec![vec![0.0; 7], Vec::new()], Vec::new()]);
        let made = narrow.block_into(&mut room);
        assert_eq!(made.main, wanted.main, "the main output is the whole mix");
        assert_eq!(room.0[0][0], wanted.outputs[0]);
        assert_eq!(room.0[1][0], wanted.outputs[1][..7]);
    }
}
