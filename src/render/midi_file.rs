//! What was played, as a Standard MIDI File: format 1, tempo and meter first, then a track for each that played notes.

use crate::music::Meter;

/// Ticks of a quarter beat.
const TICKS: f64 = 960.0;
/// Kits play on the channel that General MIDI has for drums.
const DRUM_CHANNEL: u8 = 9;

/// A note that began, or ended, at a quarter beat from the file's beginning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NoteEvent {
    pub beats: f64,
    pub pitch: u8,
    /// 1 to 127; `None` where a note ends.
    pub velocity: Option<u8>,
}

/// A track with the notes it played, in any order.
#[derive(Clone, Debug, PartialEq)]
pub struct MidiTrack {
    pub name: String,
    pub is_kit: bool,
    pub events: Vec<NoteEvent>,
}

/// The bytes of the file.
pub fn midi_file(tempo_bpm: f64, meter: Meter, tracks: &[MidiTrack]) -> Vec<u8> {
    let played: Vec<&MidiTrack> = tracks.iter().filter(|track| !track.events.is_empty()).collect();
    let count = u16::try_from(played.len() + 1).unwrap_or(u16::MAX);
    let mut bytes = b"MThd\0\0\0\x06\0\x01".to_vec();
    bytes.extend(count.to_be_bytes());
    bytes.extend((TICKS as u16).to_be_bytes());
    chunk(&mut bytes, &song(tempo_bpm, meter));
    // All channels but that of the drums, in turn.
    let mut channels = (0..16).filter(|channel| *channel != DRUM_CHANNEL).cycle();
    for track in played.iter().take(usize::from(count) - 1) {
        let channel = if track.is_kit { DRUM_CHANNEL } else { channels.next().unwrap_or_default() };
        chunk(&mut bytes, &notes(track, channel));
    }
    bytes
}

fn song(tempo_bpm: f64, meter: Meter) -> Vec<u8> {
    let microseconds = (60e6 / tempo_bpm).round().clamp(1.0, 16_777_215.0) as u32;
    let power = meter.denominator().trailing_zeros() as u8;
    let mut bytes = vec![0, 0xFF, 0x51, 3];
    bytes.extend(microseconds.to_be_bytes().into_iter().skip(1));
    bytes.extend([0, 0xFF, 0x58, 4, meter.numerator(), power, 24, 8]);
    bytes.extend([0, 0xFF, 0x2F, 0]);
    bytes
}

fn notes(track: &MidiTrack, channel: u8) -> Vec<u8> {
    let mut events: Vec<(u32, bool, u8, u8)> = Vec::new();
    for note in sounding(&track.events) {
        events.push((note.from, true, note.pitch, note.velocity));
        events.push((note.to, false, note.pitch, 0));
    }
    // Of one tick, what ends comes first.
    events.sort_by_key(|(tick, begins, ..)| (*tick, *begins));
    let mut bytes = vec![0, 0xFF, 0x03];
    let name = track.name.as_bytes();
    push_length(&mut bytes, u32::try_from(name.len()).unwrap_or_default());
    bytes.extend(name);
    let mut at = 0;
    for (tick, begins, pitch, velocity) in events {
        push_length(&mut bytes, tick - at);
        at = tick;
        let status = if begins { 0x90 } else { 0x80 };
        bytes.extend([status | channel, pitch & 127, velocity & 127]);
    }
    bytes.extend([0, 0xFF, 0x2F, 0]);
    bytes
}

/// A note of the file: it begins at one tick and ends at a later one.
#[derive(Clone, Copy)]
struct WrittenNote {
    pitch: u8,
    velocity: u8,
    from: u32,
    to: u32,
}

/// The notes that those events are. Each lasts a tick at least, and on one key each ends before or where the next one
/// begins, however short they are.
fn sounding(events: &[NoteEvent]) -> Vec<WrittenNote> {
    let tick = |beats: f64| (beats.max(0.0) * TICKS).round() as u32;
    let mut in_order: Vec<&NoteEvent> = events.iter().collect();
    in_order.sort_by(|one, other| {
        one.beats.total_cmp(&other.beats).then(one.velocity.is_some().cmp(&other.velocity.is_some()))
    });
    let mut notes: Vec<WrittenNote> = Vec::new();
    // Of each key the last note, and whether it still sounds.
    let mut last: [Option<(usize, bool)>; 128] = [None; 128];
    for event in in_order {
        let Some(key) = last.get_mut(usize::from(event.pitch & 127)) else { continue };
        let before = key.and_then(|(at, sounds)| Some((notes.get_mut(at)?, sounds)));
        match (event.velocity, before) {
            (Some(velocity), before) => {
                let mut from = tick(event.beats);
                if let Some((before, sounds)) = before {
                    from = from.max(before.from + 1);
                    before.to = if sounds { from } else { before.to.min(from) };
                }
                *key = Some((notes.len(), true));
                notes.push(WrittenNote { pitch: event.pitch, velocity, from, to: from + 1 });
            }
            (None, Some((note, true))) => {
                note.to = tick(event.beats).max(note.from + 1);
                *key = key.map(|(at, _)| (at, false));
            }
            (None, _) => {}
        }
    }
    notes
}

fn chunk(bytes: &mut Vec<u8>, content: &[u8]) {
    bytes.extend(b"MTrk");
    bytes.extend(u32::try_from(content.len()).unwrap_or(u32::MAX).to_be_bytes());
    bytes.extend(content);
}

/// Seven bits a byte, the highest first.
fn push_length(bytes: &mut Vec<u8>, value: u32) {
    let groups = (1..5).rev().filter(|group| value >> (7 * group) != 0);
    bytes.extend(groups.map(|group| (value >> (7 * group)) as u8 & 127 | 128));
    bytes.push(value as u8 & 127);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_written_as_the_format_has_them() {
        for (value, meant) in [
            (0, vec![0]),
            (127, vec![127]),
            (128, vec![0x81, 0]),
            (16_383, vec![0xFF, 0x7F]),
            (16_384, vec![0x81, 0x80, 0]),
            (0x0FFF_FFFF, vec![0xFF, 0xFF, 0xFF, 0x7F]),
        ] {
            let mut bytes = Vec::new();
            push_length(&mut bytes, value);
            assert_eq!(bytes, meant, "{value}");
        }
    }

    #[test]
    fn notes_shorter_than_a_tick_end() {
        let event = |beats, velocity| NoteEvent { beats, pitch: 60, velocity };
        let spans = |events: &[NoteEvent]| -> Vec<(u32, u32)> {
            sounding(events).iter().map(|note| (note.from, note.to)).collect()
        };
        for (events, meant) in [
            // A third of a beat that was cut a hair before the next one begins.
            (
                vec![event(0.66667, Some(1)), event(0.6667, None), event(0.6667, Some(2)), event(1.0, None)],
                vec![(640, 641), (641, 960)],
            ),
            // Repeats touch.
            (
                vec![event(0.0, Some(1)), event(1.0, None), event(1.0, Some(2)), event(2.0, None)],
                vec![(0, 960), (960, 1920)],
            ),
            // Too short for the file, alone and at the end of it.
            (vec![event(1.0, Some(1)), event(1.0001, None)], vec![(960, 961)]),
            // One that is played again before it ended, and one that never ends.
            (vec![event(0.0, Some(1)), event(0.5, Some(2)), event(1.0, None)], vec![(0, 480), (480, 960)]),
            (vec![event(0.5, None), event(1.0, Some(1))], vec![(960, 961)]),
        ] {
            assert_eq!(spans(&events), meant, "{events:?}");
        }
    }

    #[test]
    fn a_file_has_what_was_played() {
        let event = |beats, pitch, velocity| NoteEvent { beats, pitch, velocity };
        let events =
            vec![event(1.0, 60, Some(90)), event(1.0, 60, None), event(0.0, 60, Some(100)), event(2.0, 60, None)];
        let keys = MidiTrack { name: "Keys".to_owned(), is_kit: false, events };
        let silent = MidiTrack { name: "Silent".to_owned(), is_kit: false, events: Vec::new() };
        let kit = MidiTrack { name: "Kit".to_owned(), is_kit: true, events: vec![event(0.0, 36, Some(127))] };
        let bytes = midi_file(120.0, Meter::new(6, 8).expect("a meter"), &[keys, silent, kit]);
        let meant: &[&[u8]] = &[
            b"MThd\0\0\0\x06\0\x01\0\x03\x03\xC0",
            b"MTrk\0\0\0\x13\0\xFF\x51\x03\x07\xA1\x20\0\xFF\x58\x04\x06\x03\x18\x08\0\xFF\x2F\0",
            b"MTrk\0\0\0\x1E\0\xFF\x03\x04Keys",
            b"\0\x90\x3C\x64\x87\x40\x80\x3C\0\0\x90\x3C\x5A\x87\x40\x80\x3C\0\0\xFF\x2F\0",
            b"MTrk\0\0\0\x13\0\xFF\x03\x03Kit\0\x99\x24\x7F\x01\x89\x24\0\0\xFF\x2F\0",
        ];
        assert_eq!(bytes, meant.concat());
    }
}
