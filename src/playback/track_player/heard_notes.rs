//! The notes and audio clips of one track that are heard: when the next one starts, which start at a frame, and whether
//! a note still sounds.

use super::TrackPlayer;
use crate::music::Beats;
use crate::playback::audio_clips::AudioRun;
use crate::playback::chance::Draw;
use crate::playback::course::Course;
use crate::playback::launch_grid::BlockSpan;
use crate::playback::phase::ClipPhase;
use crate::playback::started_note::StartedNote;
use crate::playback::{Frame, NEVER, arrangement_notes};
use crate::set::document::ids::Serial;
use crate::set::document::sequence::Sequence;
use crate::set::document::{Clip, ClipPlace, Scene, StoredNote, Track};

/// A note about to start, if it wins its draw.
pub(in crate::playback) struct NoteStart<'d> {
    pub note: &'d StoredNote,
    pub track: Serial,
    pub clip: Serial,
    /// The clock beats of its start and of where its clip cuts it.
    pub on: Beats,
    pub cut: Beats,
    /// But for the clock's changes and the track's place, which the track does not know.
    pub draw: Draw,
}

impl TrackPlayer {
    /// The MIDI channel that the track's notes leave on: `None` while mute or solo keep them back.
    pub fn midi_channel(&self, track: Option<&Track>) -> Option<u8> {
        track?.midi_channel.filter(|_| self.audible)
    }

    /// The playing clip's notes; nothing while the clip is deactivated.
    fn heard_notes<'d>(&mut self, track: Option<&'d Track>) -> Option<(&'d Clip, &'d [StoredNote])> {
        let clip = self.playing_clip(track).filter(|clip| !clip.muted)?;
        Some((clip, &clip.notes()?.list))
    }

    /// Finds the next frame, at or after `earliest`, at which something happens.
    pub fn look_ahead(&mut self, track: Option<&Track>, span: &BlockSpan, earliest: Frame) {
        let phase = self.memory.phase;
        let mut next = if self.moved { earliest } else { self.due };
        next = next.min(self.next_repeat(span).map_or(NEVER, |at| span.frame(at)));
        if self.memory.playing.is_some() {
            next = next.min(phase.ends_at().map_or(NEVER, |end| span.frame(end)));
            if let Some((_, notes)) = self.heard_notes(track) {
                next = next.min(phase.next_note(notes, self.since).map_or(NEVER, |at| span.frame(at)));
            }
        }
        if let Some(timeline) = self.arrangement(track) {
            next = next
                .min(arrangement_notes::next_note(timeline, self.since, span.until).map_or(NEVER, |at| span.frame(at)));
            let edge = arrangement_notes::next_audio_edge(timeline, self.since, span.until);
            next = next.min(edge.map_or(NEVER, |at| span.frame(at)));
        }
        self.next = next.max(earliest);
        if self.next >= span.frames {
            self.next = NEVER;
        }
    }

    /// The audio clip that is to play from `frame` on.
    pub fn audio_run(&mut self, track: Option<&Track>, span: &BlockSpan, frame: Frame) -> Option<AudioRun> {
        let phase = self.memory.phase;
        if let Some(clip) = self.playing_clip(track) {
            let is_heard = clip.audio().is_some() && !clip.muted;
            return is_heard.then_some(AudioRun { clip: clip.serial, phase, session: true, fades: false });
        }
        let until = span.threshold(frame.saturating_add(1)).min(span.until);
        let (start, clip) = arrangement_notes::audio_clip_at(self.arrangement(track)?, until)?;
        let phase = ClipPhase::launched(clip, start).in_tempo(clip, span);
        let fades = clip.audio().and_then(|audio| audio.fades).is_some_and(|fades| fades.are_heard());
        Some(AudioRun { clip: clip.serial, phase, session: false, fades })
    }

    /// What plays now.
    pub fn course(&mut self, track: Option<&Track>) -> Course {
        let phase = self.memory.phase;
        match self.playing_clip(track) {
            Some(clip) if clip.muted => Course::Silent,
            Some(clip) => Course::Session { clip: clip.serial, phase },
            None if self.follows_arrangement() => Course::Arrangement,
            None => Course::Silent,
        }
    }

    /// Visits the notes that start at `frame`.
    pub fn visit_notes(
        &mut self,
        track: Option<&Track>,
        scenes: &Sequence<Scene>,
        span: &BlockSpan,
        frame: Frame,
        mut visitor: impl FnMut(NoteStart),
    ) {
        let until = span.threshold(frame.saturating_add(1)).min(span.until);
        let (phase, since, launch, serial) = (self.memory.phase, self.since, self.memory.handled, self.track);
        let draw =
            |clip, note: &StoredNote, pass| Draw { clock_changes: 0, launch, track: 0, clip, note: note.id, pass };
        if let Some((clip, notes)) = self.heard_notes(track) {
            let (clip, scene) = (clip.serial, scenes.position(self.memory.slot_hint));
            let place = ClipPlace::session(scene.unwrap_or_default());
            phase.visit(notes, since, until, |note, on, cut, pass| {
                visitor(NoteStart { note, track: serial, clip, on, cut, draw: draw(place, note, pass) });
            });
        }
        if let Some(timeline) = self.arrangement(track) {
            arrangement_notes::visit(timeline, since, until, |(start, clip), note, on, cut, pass| {
                let (clip, place) = (clip.serial, ClipPlace::arrangement(start));
                visitor(NoteStart { note, track: serial, clip, on, cut, draw: draw(place, note, pass) });
            });
        }
    }

    /// Closes `frame` and looks for the next.
    pub fn advance(&mut self, track: Option<&Track>, span: &BlockSpan, frame: Frame) {
        self.since = self.since.max(span.threshold(frame.saturating_add(1)).min(span.until));
        self.look_ahead(track, span, frame.saturating_add(1));
    }

    /// Where the Set now has the end of a note that sounds: `None` if it is not to be heard any more.
    pub fn recheck(&mut self, track: Option<&Track>, sounding: &StartedNote, pitch: u8) -> Option<Beats> {
        if let Some(timeline) = self.arrangement(track) {
            return arrangement_notes::ends_at(timeline, sounding, pitch);
        }
        let (clip, notes) = self.heard_notes(track)?;
        let first = notes.partition_point(|n| n.note.start < sounding.note_start);
        let same_start = notes.get(first..)?.iter().take_while(|n| n.note.start == sounding.note_start);
        let note = same_start.map(|n| (n.id, n.note)).find(|&(id, _)| id == sounding.note)?.1;
        let stays = clip.serial == sounding.clip && !note.mute && note.pitch == pitch;
        let length = note.duration.min(self.memory.phase.region.end() - note.start);
        stays.then_some(sounding.on + length).filter(|end| !end.is_nan())
    }
}
