//! Laying clips on the timeline: what is left of a clip when a piece of it is covered, and making room in a lane.
//!
//! What of a clip still sounds, sounds as it did: a piece begins in the clip's content where the whole clip was at that
//! moment, a loop's turns included.

use crate::music::{Beats, SAME_POSITION_BEATS};
use crate::object_model::ModelError;
use crate::set::document::{Clip, Content, Document, Fade, Fades, PlacedClip};
use crate::set::edit::lane_edits::LaneRef;
use std::sync::Arc;

impl Clip {
    /// A length on the timeline, in the clip's own unit: seconds for an unwarped clip, else beats.
    pub fn own_time(&self, beats: Beats, tempo_bpm: f64) -> f64 {
        if self.is_unwarped() { beats * 60.0 / tempo_bpm } else { beats }
    }

    /// A length in the clip's own unit as it is on the timeline.
    pub fn timeline_beats(&self, own: f64, tempo_bpm: f64) -> Beats {
        if self.is_unwarped() { own * tempo_bpm / 60.0 } else { own }
    }

    /// Where in its content playback is, this long after it began.
    fn content_after(&self, own_time: f64) -> f64 {
        let start = if self.is_unwarped() { self.loop_start } else { self.start_marker };
        let at = start + own_time;
        // From a start marker past the loop's end it plays on and never loops.
        if self.looping && start < self.loop_end && at >= self.loop_end {
            self.loop_start + (at - self.loop_end).rem_euclid(self.loop_end - self.loop_start)
        } else {
            at
        }
    }

    /// Has it begin later in its content, with `left` more to play.
    fn begin_at(&mut self, at: f64, left: f64) {
        let least_end = if self.looping && at < self.loop_end { self.loop_end } else { at + left };
        self.start_marker = at;
        if self.is_unwarped() {
            self.loop_start = at;
            if self.loop_end <= at {
                self.loop_end = at + left;
            }
        } else if self.end_marker <= at {
            self.end_marker = least_end;
        }
    }

    /// Makes what sounds `own_time` long; a loop goes on as long as there is room for it.
    pub fn end_after(&mut self, own_time: f64) {
        if self.is_unwarped() {
            self.loop_end = self.loop_start + own_time;
        } else if !self.looping {
            self.end_marker = self.start_marker + own_time;
        }
    }
}

impl Clip {
    /// A cut edge has no fade of its own.
    fn edit_fades(&mut self, edit: impl FnOnce(&mut Fades)) {
        if let Content::Audio(audio) = &mut self.content
            && audio.fades.is_some()
        {
            Arc::make_mut(audio).fades.as_mut().map(edit);
        }
    }
}

impl PlacedClip {
    /// What is before `at`.
    fn head(&self, at: Beats, tempo_bpm: f64) -> PlacedClip {
        let mut clip = Clip::clone(&self.clip);
        clip.end_after(clip.own_time(at - self.start, tempo_bpm));
        clip.edit_fades(|fades| fades.fade_out = Fade::default());
        PlacedClip { start: self.start, end: at, clip: Arc::new(clip) }
    }

    /// What is from `at` on.
    fn tail(&self, at: Beats, tempo_bpm: f64) -> PlacedClip {
        let mut clip = Clip::clone(&self.clip);
        let content = clip.content_after(clip.own_time(at - self.start, tempo_bpm));
        clip.begin_at(content, clip.own_time(self.end - at, tempo_bpm));
        clip.edit_fades(|fades| (fades.fade_in, fades.crossfade) = (Fade::default(), 0));
        PlacedClip { start: at, end: self.end, clip: Arc::new(clip) }
    }
}

impl Document {
    /// Makes a span of a lane empty: a clip inside it goes, one that reaches in is trimmed, one that goes on at both
    /// sides is split, and its tail is a new clip.
    pub fn clear_span(&mut self, of: LaneRef, from: Beats, to: Beats) -> Result<(), ModelError> {
        let tempo = self.song.tempo_bpm;
        let lane = self.lane(of).ok_or(ModelError::NoObject)?;
        let touched: Vec<PlacedClip> = lane.within(from, to).cloned().collect();
        for placed in touched {
            let serial = placed.clip.serial;
            // No slivers of the noise of sums are left.
            let has_head = from - placed.start > SAME_POSITION_BEATS;
            let has_tail = placed.end - to > SAME_POSITION_BEATS;
            if has_head {
                self.replace_placed(serial, placed.head(from, tempo));
            }
            if has_tail && has_head {
                let mut tail = placed.tail(to, tempo);
                Arc::make_mut(&mut tail.clip).serial = self.fresh_serial()?;
                self.put_placed(of, tail);
            } else if has_tail {
                self.replace_placed(serial, placed.tail(to, tempo));
            } else if !has_head {
                self.take_placed(serial);
            }
        }
        Ok(())
    }

    /// Puts a clip on the timeline, over what is there.
    pub fn lay(&mut self, of: LaneRef, placed: PlacedClip) -> Result<(), ModelError> {
        self.clear_span(of, placed.start, placed.end)?;
        self.put_placed(of, placed).ok_or(ModelError::NoObject)
    }

    /// Cuts a placed clip in two. The tail is a new clip.
    pub fn split_placed(
        &mut self,
        clip: crate::set::document::ids::Serial,
        at: Beats,
    ) -> Result<crate::set::document::ids::Serial, ModelError> {
        let tempo = self.song.tempo_bpm;
        let of = self.lane_of(clip).ok_or(ModelError::NoObject)?;
        let whole = self.placed(clip).ok_or(ModelError::NoObject)?.clone();
        let inside = at - whole.start > SAME_POSITION_BEATS && whole.end - at > SAME_POSITION_BEATS;
        if !inside {
            return Err(ModelError::refused("a clip is cut at a moment inside it"));
        }
        let mut tail = whole.tail(at, tempo);
        let serial = self.fresh_serial()?;
        Arc::make_mut(&mut tail.clip).serial = serial;
        self.replace_placed(clip, whole.head(at, tempo)).ok_or(ModelError::NoObject)?;
        self.put_placed(of, tail).ok_or(ModelError::NoObject)?;
        Ok(serial)
    }

    /// Moves the right edge of a placed clip; growing, it goes over what follows.
    pub fn move_right_edge(&mut self, clip: crate::set::document::ids::Serial, end: Beats) -> Result<(), ModelError> {
        let of = self.lane_of(clip).ok_or(ModelError::NoObject)?;
        let old = self.placed(clip).ok_or(ModelError::NoObject)?.end;
        if end > old {
            self.clear_span(of, old, end)?;
        }
        self.edit_placed(clip, |placed| placed.end = end).ok_or(ModelError::NoObject)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::music::Note;
    use crate::object_model::audio::AudioFacts;
    use crate::set::document::ids::Serial;
    use crate::set::document::timeline_lane::Lane;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn empty() -> (Document, LaneRef) {
        let set = Document::new_set();
        let track = set.tracks.get(0).unwrap().serial;
        (set, LaneRef { track, take_lane: None })
    }

    /// A clip with a note at each beat of its first 16, whose pitch is the beat's number.
    fn clip(set: &mut Document, length: Beats) -> Clip {
        let serial = set.fresh_serial().unwrap();
        let mut clip = Clip::midi(serial, length, 0, set.song.signature);
        if let Content::Midi(notes) = &mut clip.content {
            let list: Vec<Note> = (0u8..16).map(|beat| Note::new(beat, f64::from(beat), 1.0)).collect();
            Arc::make_mut(notes).add(&list);
        }
        clip
    }

    fn lay(set: &mut Document, of: LaneRef, start: Beats, length: Beats, change: impl Fn(&mut Clip)) -> Serial {
        let mut clip = clip(set, length);
        change(&mut clip);
        let serial = clip.serial;
        set.lay(of, PlacedClip { start, end: start + length, clip: Arc::new(clip) }).unwrap();
        serial
    }

    /// What sounds at a whole beat, found out by playing the clip from its left edge on, a beat at a time.
    fn heard(lane: &Lane, beat: u32) -> Option<(Beats, Serial)> {
        let beat = f64::from(beat);
        let placed = lane.iter().find(|placed| placed.start <= beat && beat < placed.end)?;
        let clip = &placed.clip;
        let mut at = clip.start_marker;
        for _ in 0..(beat - placed.start) as u32 {
            let inside = clip.looping && at < clip.loop_end;
            at += 1.0;
            if inside && at >= clip.loop_end {
                at = clip.loop_start + (at - clip.loop_end);
            }
        }
        (clip.looping || at < clip.end_marker).then_some((at, clip.serial))
    }

    fn shape(set: &Document, of: LaneRef) -> Vec<(Beats, Beats, Serial)> {
        set.lane(of).unwrap().iter().map(|placed| (placed.start, placed.end, placed.clip.serial)).collect()
    }

    #[test]
    fn a_clip_over_others_covers_trims_and_splits() {
        // Where the clip that is laid over 4..12 begins and ends, and what the lane holds then; 0 is the old clip, 1
        // the new one, 2 a tail that was split off.
        for (start, end, want) in [
            (0.0, 4.0, vec![(0.0, 4.0, 1), (4.0, 12.0, 0)]),
            (12.0, 16.0, vec![(4.0, 12.0, 0), (12.0, 16.0, 1)]),
            (4.0, 12.0, vec![(4.0, 12.0, 1)]),
            (0.0, 16.0, vec![(0.0, 16.0, 1)]),
            (2.0, 6.0, vec![(2.0, 6.0, 1), (6.0, 12.0, 0)]),
            (10.0, 14.0, vec![(4.0, 10.0, 0), (10.0, 14.0, 1)]),
            (4.0, 6.0, vec![(4.0, 6.0, 1), (6.0, 12.0, 0)]),
            (10.0, 12.0, vec![(4.0, 10.0, 0), (10.0, 12.0, 1)]),
            (6.0, 8.0, vec![(4.0, 6.0, 0), (6.0, 8.0, 1), (8.0, 12.0, 2)]),
        ] {
            let (mut set, of) = empty();
            let first = lay(&mut set, of, 4.0, 8.0, |_| ());
            let got: Vec<_> = {
                lay(&mut set, of, start, end - start, |_| ());
                shape(&set, of).into_iter().map(|(from, to, serial)| (from, to, serial - first)).collect()
            };
            assert_eq!(got, want, "{start}..{end}");
        }
    }

    #[test]
    fn what_is_left_of_a_clip_begins_where_it_was() {
        // Markers, loop, looping; the start marker and end marker of the tail from beat 5 of the clip on.
        for (start_marker, (loop_start, loop_end), looping, want) in [
            (0.0, (0.0, 8.0), false, (5.0, 8.0)),
            (2.0, (0.0, 8.0), false, (7.0, 10.0)),
            (0.0, (0.0, 4.0), true, (1.0, 8.0)),
            (0.0, (1.0, 3.0), true, (1.0, 8.0)),
            (3.0, (0.0, 4.0), true, (0.0, 11.0)),
            // Past the loop's end it plays on.
            (6.0, (0.0, 4.0), true, (11.0, 14.0)),
        ] {
            let (mut set, of) = empty();
            let serial = lay(&mut set, of, 0.0, 8.0, |clip| {
                (clip.start_marker, clip.end_marker, clip.looping) = (start_marker, start_marker + 8.0, looping);
                (clip.loop_start, clip.loop_end) = (loop_start, loop_end);
            });
            set.clear_span(of, 0.0, 5.0).unwrap();
            let tail = set.placed(serial).unwrap();
            assert_eq!((tail.start, tail.end), (5.0, 8.0));
            assert_eq!((tail.clip.start_marker, tail.clip.end_marker), want, "{start_marker} {loop_start}..{loop_end}");
        }
    }

    #[test]
    fn an_audio_clip_is_cut_in_its_own_time() {
        let facts = AudioFacts { frames: 32_000, sample_rate_hz: 8_000.0, channels: 1, tempo_bpm: None };
        // Four seconds at 90 BPM are six beats; the region of each piece when 2..3 of it is covered.
        for (unwarped, want) in
            [(false, [(0.0, 2.0), (3.0, 6.0)]), (true, [(0.0, 2.0 * 60.0 / 90.0), (3.0 * 60.0 / 90.0, 4.0)])]
        {
            let mut set = Document::new_set();
            Arc::make_mut(&mut set.song).tempo_bpm = 90.0;
            let of = LaneRef { track: set.tracks.get(2).unwrap().serial, take_lane: None };
            let serial = set.fresh_serial().unwrap();
            let mut clip = Clip::of_file(serial, "/a.wav", &facts, 0, set.song.signature, 90.0);
            if let (Content::Audio(audio), true) = (&mut clip.content, unwarped) {
                Arc::make_mut(audio).warping = false;
                clip.loop_end = 4.0;
            }
            set.lay(of, PlacedClip { start: 10.0, end: 16.0, clip: Arc::new(clip) }).unwrap();
            set.clear_span(of, 12.0, 13.0).unwrap();
            let pieces: Vec<_> = set.lane(of).unwrap().iter().map(|p| (p.start, p.end)).collect();
            assert_eq!(pieces, [(10.0, 12.0), (13.0, 16.0)]);
            let regions = set.lane(of).unwrap().iter().map(|placed| placed.clip.region());
            for ((from, to), (want_from, want_to)) in regions.zip(want) {
                let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
                assert!(near(from, want_from) && near(to, want_to), "{unwarped}: {from}..{to}");
            }
            assert_eq!(crate::set::edit::validate::validate(&set), Ok(()));
        }
    }

    #[test]
    fn pieces_keep_the_fades_of_their_outer_edges() {
        let facts = AudioFacts { frames: 32_000, sample_rate_hz: 8_000.0, channels: 1, tempo_bpm: None };
        let mut set = Document::new_set();
        let of = LaneRef { track: set.tracks.get(2).unwrap().serial, take_lane: None };
        let serial = set.fresh_serial().unwrap();
        let mut clip = Clip::of_file(serial, "/a.wav", &facts, 0, set.song.signature, 90.0);
        let fade = |length| Fade { length, ..Fade::default() };
        let fades = Fades { on: true, fade_in: fade(1.0), fade_out: fade(0.5), crossfade: 1 };
        if let Content::Audio(audio) = &mut clip.content {
            Arc::make_mut(audio).fades = Some(fades);
        }
        set.lay(of, PlacedClip { start: 8.0, end: 14.0, clip: Arc::new(clip) }).unwrap();
        let tail = set.split_placed(serial, 10.0).unwrap();
        let of_piece = |piece: Serial| set.placed(piece).and_then(|placed| placed.clip.audio()?.fades);
        assert_eq!(of_piece(serial), Some(Fades { fade_out: Fade::default(), ..fades }));
        assert_eq!(of_piece(tail), Some(Fades { fade_in: Fade::default(), crossfade: 0, ..fades }));
    }

    #[test]
    fn a_grown_clip_goes_over_what_follows() {
        let (mut set, of) = empty();
        let first = lay(&mut set, of, 0.0, 4.0, |_| ());
        let second = lay(&mut set, of, 4.0, 4.0, |_| ());
        lay(&mut set, of, 9.0, 1.0, |_| ());
        set.move_right_edge(first, 6.0).unwrap();
        assert_eq!(shape(&set, of)[..2], [(0.0, 6.0, first), (6.0, 8.0, second)]);
        set.move_right_edge(first, 12.0).unwrap();
        assert_eq!(shape(&set, of), [(0.0, 12.0, first)]);
        set.move_right_edge(first, 2.0).unwrap();
        assert_eq!(shape(&set, of), [(0.0, 2.0, first)]);
    }

    proptest! {
        /// Against a plain map from beat to what sounds there.
        #[test]
        fn any_placements_leave_what_they_do_not_cover(
            placements in prop::collection::vec((0u32..48, 1u32..20, prop::bool::ANY, 0u32..6, 1u32..6, 0u32..8), 1..40),
        ) {
            let (mut set, of) = empty();
            let mut model: BTreeMap<u32, Option<Beats>> = BTreeMap::new();
            for (start, length, looping, loop_start, loop_length, marker) in placements {
                let (from, to) = (f64::from(loop_start), f64::from(loop_start + loop_length));
                let marker = f64::from(marker);
                let serial = lay(&mut set, of, f64::from(start), f64::from(length), |clip| {
                    (clip.loop_start, clip.loop_end, clip.looping) = (from, to, looping);
                    (clip.start_marker, clip.end_marker) = (marker, marker + f64::from(length));
                });
                let lane = set.lane(of).unwrap().clone();
                for beat in start..start + length {
                    let sounds = heard(&lane, beat);
                    prop_assert_eq!(sounds.map(|(_, by)| by), Some(serial), "the new clip covers its span");
                    model.insert(beat, sounds.map(|(at, _)| at));
                }
            }
            let lane = set.lane(of).unwrap();
            for beat in 0..80 {
                let want = model.get(&beat).copied().flatten();
                prop_assert_eq!(heard(lane, beat).map(|(at, _)| at), want, "beat {}", beat);
            }
            for (one, next) in lane.iter().zip(lane.iter().skip(1)) {
                prop_assert!(one.end <= next.start);
            }
            // Every clip is found by its id, and the document keeps its rules.
            for placed in lane {
                prop_assert_eq!(set.placed(placed.clip.serial).map(|found| found.start), Some(placed.start));
            }
            prop_assert_eq!(&set.index, &set.index_from_contents());
            prop_assert_eq!(crate::set::edit::validate::validate(&set), Ok(()));
        }
    }
}
