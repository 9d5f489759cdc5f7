//! Where the song is.

/// The song's position at a frame, and how it moves on from there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SongClock {
    /// Counted from the engine's first.
    pub frame: u64,
    /// Where it was told the position last; from there it counts.
    pub anchor_frame: u64,
    pub anchor_beat: f64,
    /// Quarter beats for each frame.
    pub beats_per_frame: f64,
    /// Whether the song plays. If not, beats pass all the same, but stand for no position.
    pub plays: bool,
    /// Frames a second.
    pub rate: f32,
}

impl SongClock {
    /// As it was so many frames before, for what is late by them.
    pub fn late_by(self, frames: u32) -> SongClock {
        SongClock { anchor_frame: self.anchor_frame + u64::from(frames), ..self }
    }

    /// The position now, quarter beats.
    pub fn beat(&self) -> f64 {
        self.beat_at(self.frame)
    }

    pub fn beat_at(&self, frame: u64) -> f64 {
        self.anchor_beat + (frame as f64 - self.anchor_frame as f64) * self.beats_per_frame
    }

    /// The first frame that is not before a beat.
    pub fn frame_at(&self, beat: f64) -> u64 {
        let frames = (beat - self.anchor_beat) / self.beats_per_frame;
        // What is a rounding above a whole frame belongs to it.
        (self.anchor_frame as f64 + frames - 1e-4).ceil().max(0.0) as u64
    }

    pub fn frames_of_beats(&self, beats: f64) -> f64 {
        beats / self.beats_per_frame
    }

    pub fn frames_of_seconds(&self, seconds: f64) -> f64 {
        seconds * f64::from(self.rate)
    }
}
