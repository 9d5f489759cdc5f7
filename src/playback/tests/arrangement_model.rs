//! The Arrangement against a model of it that shares no code with playback: it rolls every clip out, note by note, and
//! cuts the roll where the song's loop goes round.

use super::arrangement::{placed, timeline};
use super::*;
use crate::set::document::PlacedClip;
use proptest::prelude::*;

/// Beats of clips and notes lie on this grid, and frames too: 24,000 a beat.
const GRID: f64 = 8.0;

/// A note as the model says it: on and off in frames since the start.
type Said = (u64, u64, u8);

/// Where the playhead goes: pieces of the song, each with the frame at which it begins.
fn pieces(at: Beats, song_loop: Option<(Beats, Beats)>, frames: u64) -> Vec<(u64, Beats, Beats)> {
    let (mut now, mut beat, mut found) = (0, at, Vec::new());
    while now < frames {
        let stop = match song_loop {
            Some((_, end)) if beat < end => end,
            _ => beat + (frames - now) as f64 / BEAT as f64,
        };
        found.push((now, beat, stop));
        now += ((stop - beat) * BEAT as f64).round() as u64;
        beat = song_loop.map_or(stop, |(start, _)| start);
    }
    found
}

/// The notes of a clip on the song's beats: unrolled pass after pass.
fn roll(placed: &PlacedClip) -> Vec<(Beats, Beats, u8)> {
    let clip = &placed.clip;
    let mut found = Vec::new();
    if clip.muted {
        return found;
    }
    // Each pass: from which beat of the clip, to which, and where on the song it begins.
    let (mut from, mut begin) = (clip.start_marker, placed.start);
    while begin < placed.end {
        let to = if clip.looping { clip.loop_end } else { clip.end_marker };
        for stored in &clip.notes().unwrap().list {
            let Note { start, duration, pitch, .. } = stored.note;
            let on = begin + (start - from);
            if start >= from && start < to && on < placed.end {
                let off = (on + duration).min(begin + (to - from)).min(placed.end);
                found.push((on, off, pitch));
            }
        }
        if !clip.looping {
            break;
        }
        begin += to - from;
        from = clip.loop_start;
    }
    found
}

fn said(clips: &[PlacedClip], at: Beats, song_loop: Option<(Beats, Beats)>, frames: u64) -> Vec<Said> {
    let notes: Vec<_> = clips.iter().flat_map(roll).collect();
    let frame = |now: u64, from: Beats, beat: Beats| now + ((beat - from) * BEAT as f64).round() as u64;
    let mut found = Vec::new();
    for (now, from, to) in pieces(at, song_loop, frames) {
        for &(on, off, pitch) in notes.iter().filter(|note| (from..to).contains(&note.0)) {
            found.push((frame(now, from, on), frame(now, from, off.min(to)), pitch));
        }
    }
    found.retain(|note| note.0 < frames);
    found.sort_unstable();
    found
}

fn any_placed() -> impl Strategy<Value = Vec<PlacedClip>> {
    let grid = |low: u32, high: u32| (low..high).prop_map(|n| f64::from(n) / GRID);
    let lengths = (grid(0, 12), grid(2, 40));
    // Pitches of their own, so that no note ends another.
    let note = (grid(0, 40), grid(1, 30));
    let clip = (prop::collection::vec(note, 0..10), grid(0, 12), grid(2, 24), grid(0, 12), any::<bool>(), 0u8..8)
        .prop_map(|(list, loop_start, length, start, looping, muted)| {
            let list = list.into_iter().zip(0u8..).map(|((start, duration), pitch)| note_at(pitch, start, duration));
            let loop_end = loop_start + length;
            // Behind its loop's end a clip would not loop.
            let start_marker = if looping { start.min(loop_end - 1.0 / GRID) } else { start };
            Clip {
                looping,
                loop_start,
                loop_end,
                start_marker,
                end_marker: start_marker + length,
                muted: muted == 0,
                ..clip(1, 4.0, list)
            }
        });
    prop::collection::vec((lengths, clip), 1..6).prop_map(|parts| {
        let mut at = 0.0;
        parts
            .into_iter()
            .zip(100..)
            .map(|(((gap, length), clip), serial)| {
                let start = at + gap;
                at = start + length;
                placed(start, at, Clip { serial, ..clip })
            })
            .collect()
    })
}

fn note_at(pitch: u8, start: Beats, duration: Beats) -> Note {
    note(40 + pitch, start, duration)
}

/// Ons with their offs.
fn notes_heard(rig: &Rig) -> Vec<Said> {
    let mut found = Vec::new();
    let mut held: Vec<(u64, u8)> = Vec::new();
    for event in &rig.heard {
        if event.on {
            held.push((event.at, event.pitch));
        } else {
            let at = held.iter().position(|note| note.1 == event.pitch).unwrap();
            let (on, pitch) = held.swap_remove(at);
            found.push((on, event.at, pitch));
        }
    }
    assert_eq!(held, []);
    found.sort_unstable();
    found
}

/// Two notes of one pitch that overlap end each other, which the model does not know.
fn retriggers(notes: &[Said]) -> bool {
    notes.iter().enumerate().any(|(at, a)| notes.iter().skip(at + 1).any(|b| a.2 == b.2 && b.0 < a.1))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn what_is_heard_is_what_the_model_says(
        clips in any_placed(),
        at in (0u32..80).prop_map(|n| f64::from(n) / GRID),
        song_loop in prop::option::of(((0u32..60), (2u32..60))),
        blocks in prop::collection::vec(prop_oneof![1u32..64, 64u32..5000], 1..6),
        hosted in any::<bool>(),
    ) {
        let song_loop = song_loop.map(|(start, length)| {
            let start = f64::from(start) / GRID;
            (start, start + f64::from(length) / GRID)
        });
        let frames = 24 * BEAT;
        let mut expected = said(&clips, at, song_loop, frames);
        prop_assume!(!retriggers(&expected));
        let mut document = document([Track { arrangement: timeline(clips), ..track(10, []) }]);
        let mut rig = if hosted {
            // The host goes round by itself; the Set's loop is another one.
            Arc::make_mut(&mut document.song).loop_on = true;
            Rig::hosted(document, at)
        } else {
            if let Some((start, end)) = song_loop {
                let song = Arc::make_mut(&mut document.song);
                (song.loop_on, song.loop_start, song.loop_length) = (true, start, end - start);
            }
            let mut rig = Rig::new(document);
            rig.transport(TransportAction::Start { at });
            rig
        };
        rig.snapshot.launches.clear();
        rig.publish();
        let mut sizes = blocks.iter().cycle();
        // A host that loops gives a block for each side of the seam.
        let seams: Vec<(u64, Beats)> = pieces(at, song_loop, frames).into_iter().map(|piece| (piece.0, piece.1)).collect();
        let mut seams = seams.into_iter().skip(1).filter(|_| hosted).peekable();
        while rig.now < frames {
            if let Some((_, beat)) = seams.next_if(|seam| seam.0 == rig.now) {
                rig.host().position_beats = Some(beat);
            }
            let until = seams.peek().map_or(frames, |seam| seam.0.min(frames));
            let size = u64::from(*sizes.next().unwrap()).min(until - rig.now);
            rig.block(size as u32);
        }
        // What still sounds ends with the clock.
        match &mut rig.host {
            Some(host) => host.playing = false,
            None => rig.transport(TransportAction::Stop),
        }
        rig.block(64);
        for note in &mut expected {
            note.1 = note.1.min(frames);
        }
        // Notes that end together now may have been in another order by where they would have ended.
        expected.sort_unstable();
        prop_assert_eq!(notes_heard(&rig), expected);
    }
}
