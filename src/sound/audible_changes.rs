//! Whether two versions of a Set sound alike, but for their notes: then one plan does for both.
//!
//! What both share in memory is not looked at, so that after an edit of notes the answer costs next to nothing.

use super::envelopes::table::drawn_clips;
use crate::set::document::sequence::Sequence;
use crate::set::document::timeline_lane::Lane;
use crate::set::document::{Clip, Document, Song, Track, TrackKind};
use crate::set::model::note_routes::NoteRoutes;
use std::sync::Arc;

/// Whether the mix of `before` is that of `after`.
pub fn sounds_alike(before: &Document, after: &Document) -> bool {
    scale_alike(&before.song, &after.song)
        && tracks_alike(&before.tracks, &after.tracks)
        && tracks_alike(&before.returns, &after.returns)
        && track_alike(&before.main, &after.main)
        // By who is armed, too.
        && NoteRoutes::of(before) == NoteRoutes::of(after)
}

/// Note effects may follow the Set's scale.
fn scale_alike(before: &Arc<Song>, after: &Arc<Song>) -> bool {
    let scale = |song: &Song| (song.root_note, song.scale_mode);
    Arc::ptr_eq(before, after) || (scale(before) == scale(after) && before.scale_name == after.scale_name)
}

fn tracks_alike(before: &Sequence<Track>, after: &Sequence<Track>) -> bool {
    if before.len() != after.len() {
        return false;
    }
    let mut alike = true;
    before.differences(after, |old, new| {
        alike &= match (old, new) {
            (Some(old), Some(new)) => track_alike(old, new),
            _ => false,
        };
    });
    alike
}

fn track_alike(before: &Arc<Track>, after: &Arc<Track>) -> bool {
    if Arc::ptr_eq(before, after) {
        return true;
    }
    // Taken apart, so that a field that is added has to be thought of. Colour, MIDI channel and stop buttons are not
    // heard, and neither are take lanes.
    let Track {
        serial,
        kind,
        name,
        color: _,
        group,
        mute,
        solo,
        arm,
        mixer,
        midi_channel: _,
        session,
        no_stop_button: _,
        devices,
        arrangement,
        take_lanes: _,
        stored,
        chosen_sound: _,
        delay,
        automation,
    } = &**before;
    let same = (serial, kind, name, group, mute, solo, mixer, stored, delay)
        == (
            &after.serial,
            &after.kind,
            &after.name,
            &after.group,
            &after.mute,
            &after.solo,
            &after.mixer,
            &after.stored,
            &after.delay,
        );
    let same_devices = devices.len() == after.devices.len()
        && devices.iter().zip(&after.devices).all(|(old, new)| Arc::ptr_eq(old, new) || old == new);
    same && same_devices
        && *automation == after.automation
        && match kind {
            // An armed one monitors its input.
            TrackKind::Audio => {
                *arm == after.arm && *session == after.session && lanes_alike(arrangement, &after.arrangement)
            }
            TrackKind::Midi => before.default_sound() == after.default_sound() && envelopes_alike(before, after),
            TrackKind::Group | TrackKind::Return | TrackKind::Main => true,
        }
}

/// Clips move what their envelopes say.
fn envelopes_alike(before: &Track, after: &Track) -> bool {
    let same = |(old, new): (&Arc<Clip>, &Arc<Clip>)| {
        Arc::ptr_eq(old, new) || (old.serial == new.serial && old.envelopes == new.envelopes)
    };
    drawn_clips(before).count() == drawn_clips(after).count() && drawn_clips(before).zip(drawn_clips(after)).all(same)
}

/// Where a clip lies is playback's matter, unless it fades out at its end; which there are is not.
fn lanes_alike(before: &Lane, after: &Lane) -> bool {
    let mut alike = true;
    before.differences(after, |old, new| {
        alike &= match (old, new) {
            (Some(old), Some(new)) => {
                let fades = new.clip.audio().is_some_and(|audio| audio.fades.is_some());
                (Arc::ptr_eq(&old.clip, &new.clip) || old.clip == new.clip) && (old.end == new.end || !fades)
            }
            _ => false,
        };
    });
    alike
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::music::Note;
    use crate::object_model::audio::AudioFacts;
    use crate::set::document::device_tree::Device;
    use crate::set::document::{
        Content, Envelope, Fades, Notes, PlacedClip, SessionClip, Signature, StoredNote, TrackDelay,
    };

    type Edit = fn(&mut Document);

    fn first_track(document: &mut Document, edit: impl FnOnce(&mut Track)) {
        let serial = document.tracks[0].serial;
        document.tracks.edit(serial, edit).unwrap();
    }

    fn with_notes(document: &mut Document, pitches: &[u8]) {
        let four_four = Signature { numerator: 4, denominator: 4 };
        let list = pitches.iter().zip(1..).map(|(pitch, id)| StoredNote { id, note: Note::new(*pitch, 0.0, 1.0) });
        let notes = Notes { list: list.collect(), next_id: 99 };
        let clip = Clip { content: Content::Midi(Arc::new(notes)), ..Clip::midi(900, 4.0, 0, four_four) };
        let scene = document.scenes[0].serial;
        first_track(document, |track| track.session.insert(SessionClip { scene, clip: Arc::new(clip) }));
    }

    #[test]
    fn what_is_heard_is_told_from_what_is_not() {
        let mut before = Document::new_set();
        with_notes(&mut before, &[60, 62]);
        let inaudible: [Edit; 7] = [
            |_| {},
            // What has no notes sounds as keys too.
            |document| first_track(document, |track| track.session = Default::default()),
            |document| with_notes(document, &[50, 51, 52]),
            |document| Arc::make_mut(&mut document.song).tempo_bpm = 99.0,
            |document| first_track(document, |track| track.color = 3),
            |document| first_track(document, |track| track.arm = true),
            |document| first_track(document, |track| track.midi_channel = Some(9)),
        ];
        let audible: [Edit; 10] = [
            |document| first_track(document, |track| track.delay = Some(TrackDelay::Samples(-3))),
            |document| {
                let scene = document.scenes[0].serial;
                let envelope = Arc::new(Envelope::new(7, Vec::new()));
                first_track(document, |track| {
                    track.session.edit(scene, |clip| clip.envelopes.push(envelope)).expect("a clip");
                });
            },
            |document| Arc::make_mut(&mut document.song).root_note = 5,
            |document| first_track(document, |track| track.mixer.volume = 0.2),
            |document| first_track(document, |track| track.mute = true),
            |document| first_track(document, |track| track.name = Some("Bass".to_owned())),
            // Low ones are a bass's.
            |document| with_notes(document, &[28, 31, 33]),
            |document| drop(document.tracks.remove(0)),
            |document| Arc::make_mut(&mut document.main).mixer.crossfader = 0.3,
            |document| {
                let serial = document.returns[0].serial;
                document.returns.edit(serial, |track| drop(track.devices.pop())).unwrap();
            },
        ];
        for (edits, meant) in [(&inaudible[..], true), (&audible[..], false)] {
            for (at, edit) in edits.iter().enumerate() {
                let mut after = before.clone();
                edit(&mut after);
                assert_eq!(sounds_alike(&before, &after), meant, "edit {at}");
            }
        }
    }

    #[test]
    fn a_device_that_is_the_same_by_value_is_the_same() {
        let before = Document::new_set();
        let mut after = before.clone();
        let serial = after.returns[0].serial;
        let copy = |device: &Arc<Device>| Arc::new(Device::clone(device));
        after.returns.edit(serial, |track| track.devices = track.devices.iter().map(copy).collect()).unwrap();
        assert!(sounds_alike(&before, &after));
    }

    /// Where a clip that fades ends is where it fades out.
    #[test]
    fn an_edge_that_fades_is_heard() {
        let facts = AudioFacts { frames: 32_000, sample_rate_hz: 8_000.0, channels: 1, tempo_bpm: None };
        for fades in [None, Some(Fades { on: true, ..Fades::default() })] {
            let mut before = Document::new_set();
            let mut clip = Clip::of_file(900, "/a.wav", &facts, 0, before.song.signature, 120.0);
            if let Content::Audio(audio) = &mut clip.content {
                Arc::make_mut(audio).fades = fades;
            }
            let clip = Arc::new(clip);
            let serial = before.tracks[2].serial;
            let lay = |document: &mut Document, end: f64| {
                let placed = PlacedClip { start: 4.0, end, clip: clip.clone() };
                document.tracks.edit(serial, |track| track.arrangement.insert(placed)).unwrap();
            };
            lay(&mut before, 8.0);
            let mut after = before.clone();
            lay(&mut after, 7.0);
            assert_eq!(sounds_alike(&before, &after), fades.is_none());
        }
    }
}
