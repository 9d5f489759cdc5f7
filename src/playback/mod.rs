//! Which notes sound when: snapshots of the Set and launch orders in, timed notes out.
//!
//! The only room whose code runs on the audio thread. [`Engine::process`] takes no lock, allocates and frees nothing,
//! makes no system call, writes no log and has no path that panics. It reads the clips' notes where they lie in the
//! published [`Document`](crate::set::document::Document); nothing is copied or compiled first.
//!
//! How a block is made:
//!
//! 1. [`clock`] decides which beats the block covers, from the host's transport or the engine's own.
//!    Where the song's loop ends, the block is cut: each stretch is made as if it were a block.
//! 2. [`track_player`] gives each track that may sound its next frame at which something happens: a launch, an end, a
//!    note. A track that launched nothing follows the Arrangement ([`arrangement_notes`]); from a launch on it has the
//!    Session's clip, until it is left to the Arrangement again.
//! 3. [`engine`] walks from one such frame to the next; at each, all note-offs go out before the note-ons. There is no
//!    event buffer, so none can overflow.
//! 4. [`audio_clips`] tells whoever makes the tracks' sound which audio clip a track plays, and from where;
//!    [`metronome`] where the beats are, and [`clip_courses`] where in their own time the clips of those tracks are
//!    that somebody follows.
//! 5. [`started_notes`] knows every note that started: [`midi_notes`] sends each off on the channel its on went to,
//!    [`track_notes`] tells whoever makes the tracks' sound.
//! 6. [`late_midi`] keeps the MIDI of tracks with delays until they are heard; tracks are told of their notes at once,
//!    for it is their sound that is late.
//!
//! Time is cut at the middle between two samples: an event belongs to the sample it rounds to, and whether that sample
//! is in this block or the next depends on nothing but the event. So the events of a stretch of music do not depend on
//! the host's block size.

mod arrangement_notes;
mod audio_clips;
mod chance;
mod clip_courses;
mod clock;
mod course;
mod engine;
mod late_midi;
mod launch_grid;
mod metronome;
mod midi_notes;
mod phase;
mod prepared;
mod publisher;
mod started_note;
mod started_notes;
#[cfg(test)]
mod tests;
mod track_memory;
mod track_notes;
mod track_player;

pub use crate::set::runtime::launch_orders::{
    ClockCell, ClockState, LaunchAction, LaunchOrder, LaunchQuantum, TrackCell, TrackLaunch, TrackState,
    TransportAction, TransportOrder,
};
pub use engine::Engine;
pub use publisher::{Publisher, Snapshot, channel};

/// A frame of the block being made, or [`NEVER`].
type Frame = u32;

/// Later than this block.
const NEVER: Frame = Frame::MAX;

/// One stretch of audio time that the host asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Block {
    /// Frames a second; a number outside 1,000..=10,000,000 is read as 44,100.
    pub sample_rate: f64,
    /// Length in frames; a block of 0 frames changes nothing and makes no event.
    pub frames: u32,
    /// What the host says of its transport. `None`: there is no host clock at all, the engine's own runs.
    pub host: Option<HostTransport>,
}

/// The host's transport at the start of a block. Hosts leave out, zero or spoil any of these; each has a fallback.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HostTransport {
    pub playing: bool,
    /// Quarter beats a minute. Fallback: the Set's tempo.
    pub tempo_bpm: Option<f64>,
    /// Quarter beats from the song's start. Fallback: the engine counts on.
    pub position_beats: Option<f64>,
    /// Numerator and denominator. Fallback: the Set's meter.
    pub meter: Option<(u32, u32)>,
    /// Where the bar at `position_beats` began, in quarter beats. Fallback: bars count from beat 0.
    pub bar_start_beats: Option<f64>,
}

/// A note event at a frame of its block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// `sample` 0..frames, `channel` 0..=15, `pitch` 0..=127, `velocity` above 0, up to 1.
    NoteOn { sample: u32, channel: u8, pitch: u8, velocity: f32 },
    /// As above; `velocity` is the release velocity, 0..=1.
    NoteOff { sample: u32, channel: u8, pitch: u8, velocity: f32 },
}

/// A note of a track, for what makes its sound. Mute and solo change nothing here: they are the mixer's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrackNote {
    /// Frame of the block, 0..frames.
    pub sample: u32,
    /// The track's serial.
    pub track: u32,
    /// Told apart by this from every other note that sounds; its end has the number of its start.
    pub number: u32,
    /// 0..=127.
    pub pitch: u8,
    pub kind: TrackNoteKind,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TrackNoteKind {
    /// `velocity` above 0, up to 1.
    Start { velocity: f32 },
    /// `velocity` is the release velocity, 0..=1.
    End { velocity: f32 },
}

/// What becomes of a track's audio clip, for what makes its sound: one plays at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrackClip {
    /// Frame of the block, 0..frames.
    pub sample: u32,
    /// The track's serial.
    pub track: u32,
    pub kind: TrackClipKind,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TrackClipKind {
    /// The clip of that serial plays from a time of its own on (beats, or seconds of its file where it is not warped),
    /// in place of what the track played, with the song at so many quarter beats. Its loop is the hearer's matter.
    Start {
        clip: u32,
        time: f64,
        beats: f64,
    },
    Stop,
}

/// For so many frames a track's clip plays straight on in its own time: for what moves along with it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClipCourse {
    /// Frame of the block, 0..frames.
    pub sample: u32,
    /// At least 1.
    pub frames: u32,
    /// The track's serial.
    pub track: u32,
    /// The clip's serial.
    pub clip: u32,
    /// Beats of the clip, or seconds of its file where it is not warped, at `sample`; and how much of that passes in a
    /// frame.
    pub time: f64,
    pub per_frame: f64,
}

/// For so many frames a track follows the Arrangement, straight on in the song's time: for what moves along with it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SongCourse {
    /// Frame of the block.
    pub sample: u32,
    /// At least 1.
    pub frames: u32,
    /// The track's serial.
    pub track: u32,
    /// The clip of the Arrangement that plays meanwhile, by its serial.
    pub over: Option<u32>,
    /// Quarter beats of the song at `sample`, and how many pass in a frame: 0 while the clock stands.
    pub beats: f64,
    pub per_frame: f64,
}

/// Who hears the notes. Called on the audio thread, whose rules it must keep.
pub trait NoteSink {
    /// Whether more than MIDI is of use here; else nothing but [`midi`](Self::midi) is called.
    const HEARS_TRACKS: bool;

    /// Takes an event of MIDI, or answers `false` when it takes no more in this block: it is then not called again
    /// before the next one, which begins with what was refused.
    fn midi(&mut self, event: Event) -> bool;

    /// By how many frames the sound as a whole is late, where that is more than the Set's delays alone say.
    fn latency(&self) -> u32 {
        0
    }

    /// Takes a note of a track, in time order, at each frame the ends before the starts.
    fn track_note(&mut self, note: TrackNote);

    /// Whether an audio clip can be played now. One that cannot is asked for again in each block, and begins in the
    /// middle.
    fn knows_clip(&self, track: u32, clip: u32) -> bool;

    /// Takes what a track's audio clip does, in time order.
    fn track_clip(&mut self, clip: TrackClip);

    /// Whether [`clip_course`](Self::clip_course) and [`song_course`](Self::song_course) are to tell of a track.
    fn follows(&self, _track: u32) -> bool {
        false
    }

    /// Takes where a clip of a track that is followed is. What plays is told without a gap, of each track in time
    /// order; where nothing is told, nothing plays.
    fn clip_course(&mut self, _course: ClipCourse) {}

    /// Takes where the song is, as long as a track that is followed follows the Arrangement: behind the courses of the
    /// clip it plays meanwhile, of each track in time order; also while the clock stands.
    fn song_course(&mut self, _course: SongCourse) {}

    /// Where the song is at a frame, in quarter beats, and whether it plays: at the start of each stretch that is made.
    fn position(&mut self, sample: u32, beats: f64, plays: bool);

    /// Takes a beat of the metronome, in time order; with `is_bar` a bar begins.
    fn metronome(&mut self, sample: u32, is_bar: bool);
}

/// MIDI alone.
impl<F: FnMut(Event) -> bool> NoteSink for F {
    const HEARS_TRACKS: bool = false;

    fn midi(&mut self, event: Event) -> bool {
        self(event)
    }

    fn track_note(&mut self, _: TrackNote) {}

    fn knows_clip(&self, _: u32, _: u32) -> bool {
        false
    }

    fn track_clip(&mut self, _: TrackClip) {}

    fn position(&mut self, _: u32, _: f64, _: bool) {}

    fn metronome(&mut self, _: u32, _: bool) {}
}
