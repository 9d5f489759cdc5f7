//! What the audio thread spends on a block while 64 clips play, of the Session and of the Arrangement; and what the
//! device's player does, sound and all, while its API is called or not.

#[path = "support/real_player.rs"]
mod real_player;
#[path = "support/samples.rs"]
mod samples;
mod support;

use samples::{Samples, spoken};
use std::sync::Arc;
use std::time::Duration;
use support::{Table, rounds};
use svc_device::music::Note;
use svc_device::playback::{
    Block, Event, LaunchAction, LaunchOrder, LaunchQuantum, Snapshot, TrackLaunch, TransportAction, TransportOrder,
    channel,
};
use svc_device::set::Document;
use svc_device::set::document::ids::Serial;
use svc_device::set::document::{Clip, Content, Notes, PlacedClip, StoredNote, Track, TrackKind};
use svc_device::set::edit::lane_edits::LaneRef;

const SAMPLE_RATE: f64 = 48_000.0;
const FRAMES: u32 = 256;
const TRACKS: Serial = 64;
const BARS: u32 = 4;

fn main() {
    let budget = Duration::from_secs_f64(f64::from(FRAMES) / SAMPLE_RATE);
    let mut table =
        Table::new(&["64 playing clips, 256 frames", "p50", "p99", "max", "of the block (p99)", "events a block"]);
    for (name, notes_a_bar) in [("no notes", 0), ("sixteenths in each", 16), ("1,000 notes in each", 1000 / BARS)] {
        let (samples, events) = play(notes_a_bar, Side::Session);
        let share = samples.at(0.99).as_secs_f64() / budget.as_secs_f64() * 100.0;
        let [p50, p99, max] = samples.cells();
        table.row(name, [p50, p99, max, format!("{share:.2} %"), format!("{events:.1}")]);
    }
    for (name, side) in [
        ("Arrangement, 64 x 500 clips of sixteenths", Side::Arrangement),
        ("the same, in a loop of 1/16 beat", Side::ShortLoop),
    ] {
        let (samples, events) = play(16, side);
        let share = samples.at(0.99).as_secs_f64() / budget.as_secs_f64() * 100.0;
        let [p50, p99, max] = samples.cells();
        table.row(name, [p50, p99, max, format!("{share:.2} %"), format!("{events:.1}")]);
    }
    table.row("a block lasts", [spoken(budget)]);
    table.print();
    println!();
    device_player();
}

/// Notes and sound, in time of the thread that makes them.
fn device_player() {
    let head = format!("the device's player, 16 tracks that sound, {} frames", real_player::FRAMES);
    let mut table = Table::new(&[&head, "p50", "p99", "p99.9", "max", "of the block (p99.9)"]);
    let [quiet, called] = real_player::measure();
    for (name, blocks) in [
        ("nobody calls".to_owned(), &quiet.blocks),
        (format!("{:.0} HTTP calls a second", called.calls_a_second), &called.blocks),
        ("a fixed sum instead: what the machine adds".to_owned(), &real_player::control()),
    ] {
        let share = blocks.at(0.999).as_secs_f64() / real_player::budget().as_secs_f64() * 100.0;
        let times = [0.5, 0.99, 0.999, 1.0].map(|part| spoken(blocks.at(part)));
        table.row(&name, times.into_iter().chain([format!("{share:.2} %")]));
    }
    table.row("a block lasts", [spoken(real_player::budget())]);
    table.print();
}

#[derive(Clone, Copy, PartialEq)]
enum Side {
    Session,
    Arrangement,
    /// The Arrangement in a song loop that goes round in every block or so.
    ShortLoop,
}

fn play(notes_a_bar: u32, side: Side) -> (Samples, f64) {
    let (mut publisher, mut engine) = channel();
    let (mut document, mut clips) = document(notes_a_bar);
    if side != Side::Session {
        lay_out(&mut document, &clips);
        clips.clear();
    }
    if side == Side::ShortLoop {
        let song = Arc::make_mut(&mut document.song);
        (song.loop_on, song.loop_start, song.loop_length) = (true, 100.0, 1.0 / 16.0);
    }
    let at = if side == Side::ShortLoop { 100.0 } else { 0.0 };
    let launch = |(track, clip): &(Serial, Serial)| {
        TrackLaunch::new(
            *track,
            LaunchOrder {
                number: 1,
                action: LaunchAction::Play { clip: *clip, legato: false },
                quantum: LaunchQuantum::None,
            },
        )
    };
    publisher.publish(Snapshot {
        document,
        launches: clips.iter().map(launch).collect(),
        transport: TransportOrder { number: 2, action: TransportAction::Start { at } },
        own_clock: true,
    });
    let block = Block { sample_rate: SAMPLE_RATE, frames: FRAMES, host: None };
    let blocks = rounds(40_000);
    let (mut samples, mut events) = (Samples::default(), 0_u64);
    for _ in 0..blocks {
        samples.time(|| {
            engine.process(&block, &mut |event: Event| {
                std::hint::black_box(event);
                events += 1;
                true
            });
        });
    }
    assert!((events > 0) == (notes_a_bar > 0), "the clips have to play");
    (samples, events as f64 / blocks as f64)
}

/// Puts 500 copies of each track's clip on its timeline, one after another.
fn lay_out(document: &mut Document, clips: &[(Serial, Serial)]) {
    let mut serial = 30_000;
    for (track, clip) in clips {
        let clip = Arc::clone(document.clip(*clip).expect("the clip"));
        for at in 0..500u32 {
            let start = f64::from(at * 4 * BARS);
            let copy = Clip { serial, ..Clip::clone(&clip) };
            let placed = PlacedClip { start, end: start + f64::from(4 * BARS), clip: Arc::new(copy) };
            document.put_placed(LaneRef { track: *track, take_lane: None }, placed).expect("a track");
            serial += 1;
        }
    }
    document.next_serial = serial;
}

/// A Set with [`TRACKS`] MIDI tracks, and its clips by track.
fn document(notes_a_bar: u32) -> (Document, Vec<(Serial, Serial)>) {
    let mut set = Document::new_set();
    let scene = set.scenes.first().expect("a new Set has scenes").serial;
    let mut clips = Vec::new();
    for at in 0..TRACKS {
        let (track, clip) = (10_000 + at, 20_000 + at);
        let mut strip = Track::new(track, TrackKind::Midi, 1, 2);
        strip.midi_channel = Some((at % 16) as u8);
        set.insert_track(at as usize, strip);
        let mut made = Clip::midi(clip, f64::from(4 * BARS), 1, set.song.signature);
        let list: Vec<StoredNote> = (0..notes_a_bar * BARS)
            .map(|id| {
                let start = f64::from(id) * 4.0 / f64::from(notes_a_bar);
                StoredNote { id, note: Note::new(((at * 5 + id * 7) % 128) as u8, start, 0.25) }
            })
            .collect();
        made.content = Content::Midi(Arc::new(Notes { list, next_id: notes_a_bar * BARS }));
        set.put_clip(track, scene, made);
        clips.push((track, clip));
    }
    set.next_serial = 30_000;
    (set, clips)
}
