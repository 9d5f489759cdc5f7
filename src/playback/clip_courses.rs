//! Where the clips of tracks are in their own time, and where in the song the tracks are that follow the Arrangement,
//! told as stretches of frames: for whoever moves parameters along with them. Nothing here allocates after it was made.

use super::arrangement_notes::heard;
use super::course::Course;
use super::launch_grid::BlockSpan;
use super::phase::ClipPhase;
use super::prepared::PlayableTrack;
use super::started_note::EventSink;
use super::{ClipCourse, Frame, NoteSink, SongCourse};
use crate::music::Beats;
use crate::set::document::Track;
use crate::set::document::ids::Serial;

/// Tracks that are followed at a time; of more nothing is told.
const MOST_TRACKS: usize = 1024;

#[derive(Clone, Copy, Debug)]
struct Followed {
    /// The track's place among those that may sound.
    place: usize,
    since: Frame,
    course: Course,
}

pub(super) struct ClipCourses(Vec<Followed>);

impl ClipCourses {
    pub fn new() -> ClipCourses {
        ClipCourses(Vec::with_capacity(MOST_TRACKS))
    }

    /// Looks at the tracks that are followed in this stretch.
    pub fn begin<S: NoteSink>(&mut self, tracks: &mut [PlayableTrack], sink: &EventSink<S>) {
        self.0.clear();
        let followed = tracks.iter_mut().enumerate().filter(|(_, track)| sink.follows(track.player.track));
        for (place, PlayableTrack { player, track, .. }) in followed.take(MOST_TRACKS) {
            self.0.push(Followed { place, since: 0, course: player.course(track.as_deref()) });
        }
    }

    /// The clock stands: tells where, of the tracks that are followed and follow the Arrangement.
    pub fn stand<S: NoteSink>(tracks: &mut [PlayableTrack], span: &BlockSpan, sink: &mut EventSink<S>) {
        for PlayableTrack { player, track, .. } in tracks.iter_mut() {
            if sink.follows(player.track) && player.course(track.as_deref()) == Course::Arrangement {
                Song { track: player.track, begin: span.begin, per_frame: 0.0 }.tell((0, span.frames), None, sink);
            }
        }
    }

    /// Something happened at `frame` to the tracks that are due; the others go on.
    pub fn follow<S: NoteSink>(
        &mut self,
        tracks: &mut [PlayableTrack],
        span: &BlockSpan,
        frame: Frame,
        sink: &mut EventSink<S>,
    ) {
        for followed in &mut self.0 {
            let due = tracks.get_mut(followed.place).filter(|track| track.player.next <= frame);
            let Some(PlayableTrack { player, track, .. }) = due else { continue };
            let course = player.course(track.as_deref());
            if course != followed.course {
                tell(followed, (player.track, track.as_deref()), span, frame, sink);
                (followed.since, followed.course) = (frame, course);
            }
        }
    }

    /// Tells what was played up to the stretch's end.
    pub fn end<S: NoteSink>(&mut self, tracks: &[PlayableTrack], span: &BlockSpan, sink: &mut EventSink<S>) {
        for followed in self.0.drain(..) {
            if let Some(PlayableTrack { player, track, .. }) = tracks.get(followed.place) {
                tell(&followed, (player.track, track.as_deref()), span, span.frames, sink);
            }
        }
    }
}

fn tell<S: NoteSink>(
    followed: &Followed,
    (serial, track): (Serial, Option<&Track>),
    span: &BlockSpan,
    until: Frame,
    sink: &mut EventSink<S>,
) {
    let since = followed.since;
    match followed.course {
        Course::Silent => {}
        Course::Session { clip, phase } => {
            phase.visit_passes(span, (since, until), |from, to, time, per_frame| {
                let frames = to.saturating_sub(from);
                sink.send_course(ClipCourse { sample: from, frames, track: serial, clip, time, per_frame });
            });
        }
        Course::Arrangement => {
            let song = Song { track: serial, begin: span.begin, per_frame: span.beats_per_frame };
            let frame = |beat: Beats| if beat <= span.since { 0 } else { span.frame(beat) };
            let lane = track.map(|track| &track.arrangement);
            let mut at = since;
            for (start, end, clip) in lane.into_iter().flat_map(|lane| heard(lane, span.since, span.until)) {
                let phase = ClipPhase::launched(clip, start).in_tempo(clip, span);
                let (from, to) = (frame(start).max(since).min(until), frame(end).min(until));
                phase.visit_passes(span, (from, to), |from, to, time, step| {
                    let frames = to.saturating_sub(from);
                    let clip = clip.serial;
                    sink.send_course(ClipCourse { sample: from, frames, track: serial, clip, time, per_frame: step });
                });
                song.tell((at, from), None, sink);
                song.tell((from.max(at), to), Some(clip.serial), sink);
                at = at.max(to);
            }
            song.tell((at, until), None, sink);
        }
    }
}

/// A track that follows the Arrangement, in a stretch.
struct Song {
    track: Serial,
    /// Where the song is at the stretch's first frame.
    begin: Beats,
    per_frame: f64,
}

impl Song {
    fn tell<S: NoteSink>(&self, (from, to): (Frame, Frame), over: Option<Serial>, sink: &mut EventSink<S>) {
        let Song { track, begin, per_frame } = *self;
        if from < to {
            let beats = begin + f64::from(from) * per_frame;
            sink.send_song_course(SongCourse { sample: from, frames: to - from, track, over, beats, per_frame });
        }
    }
}
