//! Which audio clip each track plays, as whoever makes the sound was told, and where that one is in it by now.
//!
//! What is told is held against what is to play, at the start of each stretch and wherever something happens to a
//! track: a clip that goes on is left alone, so it is told anew only where it begins, jumps or ends. Nothing here
//! allocates after it was made. See D146 in `docs/decisions.md`.

use super::launch_grid::BlockSpan;
use super::phase::ClipPhase;
use super::started_note::EventSink;
use super::{Frame, NoteSink, TrackClip, TrackClipKind};
use crate::music::Beats;
use crate::set::document::ids::Serial;

/// Tracks that play audio clips at a time; more stay silent.
const MOST_TRACKS: usize = 1024;
/// A clip that is this near to where it should be is left alone, in its own time: 2 ms at 120 BPM, or 4.
const TOLERANCE: f64 = 1.0 / 256.0;

/// What a track is to play.
#[derive(Clone, Copy, Debug)]
pub(super) struct AudioRun {
    pub clip: Serial,
    pub phase: ClipPhase,
    /// The run is a matter of what was launched; else it is the Arrangement's, and a function of the position.
    pub session: bool,
    /// How loud it is goes by where the song is, and not only by where it is in the clip.
    pub fades: bool,
}

#[derive(Clone, Copy, Debug)]
struct PlayingClip {
    track: Serial,
    clip: Serial,
    /// Where whoever plays it is.
    heard: ClipPhase,
    /// How far the song is from where whoever plays it takes it to be.
    moved: Beats,
}

pub(super) struct AudioClips {
    playing: Vec<PlayingClip>,
    /// The clock went somewhere in this stretch.
    jumped: bool,
}

impl AudioClips {
    pub fn new() -> AudioClips {
        AudioClips { playing: Vec::with_capacity(MOST_TRACKS), jumped: false }
    }

    /// Whoever plays goes on from frame to frame, wherever the clock went.
    pub fn begin_stretch(&mut self, moved_by: Beats) {
        self.jumped = moved_by.abs() > TOLERANCE;
        for playing in &mut self.playing {
            playing.heard.anchor += moved_by;
            playing.moved += moved_by;
        }
    }

    /// What is told apart by its track is to play `run` from `frame` on.
    pub fn follow<S: NoteSink>(
        &mut self,
        track: Serial,
        run: Option<AudioRun>,
        span: &BlockSpan,
        frame: Frame,
        sink: &mut EventSink<S>,
    ) {
        let at = self.playing.iter().position(|playing| playing.track == track);
        let run = run.filter(|run| sink.knows_clip(track, run.clip));
        let now = span.begin + f64::from(frame) * span.beats_per_frame;
        let Some(run) = run else {
            if let Some(at) = at {
                self.playing.swap_remove(at);
                sink.send_clip(TrackClip { sample: frame, track, kind: TrackClipKind::Stop });
            }
            return;
        };
        if let Some(playing) = at.and_then(|at| self.playing.get_mut(at)) {
            playing.heard = playing.heard.rebased(now).with_course_of(run.phase);
            // Where the Arrangement has seconds, a tempo that moves would move them all along.
            let is_compared = run.session || self.jumped || run.phase.seconds_per_beat.is_none();
            let is_there = !is_compared || playing.heard.distance(run.phase, now) <= TOLERANCE;
            let is_there = is_there && !(run.fades && playing.moved.abs() > TOLERANCE);
            if playing.clip == run.clip && is_there {
                return;
            }
            *playing = PlayingClip { track, clip: run.clip, heard: run.phase, moved: 0.0 };
        } else if self.playing.len() < MOST_TRACKS {
            self.playing.push(PlayingClip { track, clip: run.clip, heard: run.phase, moved: 0.0 });
        } else {
            return;
        }
        let kind = TrackClipKind::Start { clip: run.clip, time: run.phase.content(now), beats: now };
        sink.send_clip(TrackClip { sample: frame, track, kind });
    }

    /// Stops the clips of tracks that are not to play.
    pub fn keep<S: NoteSink>(&mut self, sink: &mut EventSink<S>, mut stays: impl FnMut(Serial) -> bool) {
        self.playing.retain(|playing| {
            let stays = stays(playing.track);
            if !stays {
                sink.send_clip(TrackClip { sample: 0, track: playing.track, kind: TrackClipKind::Stop });
            }
            stays
        });
    }
}
