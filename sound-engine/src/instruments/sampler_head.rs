//! Where a sampler reads its sample: on through it, around a loop, or at the beat.

use super::sampler::SamplerSettings;
use crate::dsp::grain_reader::GrainReader;
use crate::dsp::sinc_reader::{END_EDGE, SincReader};
use crate::dsp::warp_map::{beats_at, seconds_at};

/// A loop's end lies over its beginning for at least so many frames.
const SHORTEST_CROSSFADE: f64 = 64.0;

#[derive(Clone, Copy)]
pub(super) struct Head {
    /// The frame of the sample.
    pub position: f64,
    /// Frames of the sample for each frame.
    pub speed: f64,
    reader: SincReader,
    /// Of a warped sample: its beat, and the frames of the sample that the tempo makes pass for each frame.
    beat: f64,
    pace: f64,
    grains: GrainReader,
    /// Frames of a grain's edge at the sample's end.
    edge: f32,
}

/// A part of the sample that is repeated, frames.
#[derive(Clone, Copy)]
pub(super) struct Repeat {
    pub from: f64,
    pub to: f64,
    pub crossfade: f64,
}

impl Repeat {
    /// The loop, if it can be one. A region that lies behind the place that is read is no loop of it.
    pub fn of(settings: &SamplerSettings, (from, to): (u32, u32), position: f64, end: f64) -> Option<Repeat> {
        let classic = settings.mode == super::sampler::SamplerMode::Classic;
        let (from, to) = (f64::from(from), f64::from(to).min(end));
        if !classic || to - from < 32.0 || position >= to {
            return None;
        }
        let crossfade = f64::from(settings.crossfade).max(SHORTEST_CROSSFADE).min(0.5 * (to - from));
        Some(Repeat { from, to, crossfade })
    }
}

impl Head {
    pub fn new(rate: f32) -> Head {
        let reader = SincReader::at_speed(1.0);
        Head {
            position: 0.0,
            speed: 1.0,
            reader,
            beat: 0.0,
            pace: 1.0,
            grains: GrainReader::new(),
            edge: END_EDGE * rate,
        }
    }

    pub fn start(&mut self, settings: &SamplerSettings, position: f64) {
        self.position = position;
        if let Some(warp) = &settings.warp {
            self.beat = beats_at(&warp.markers, position / f64::from(settings.sample.rate())).0;
            self.grains = GrainReader::new();
        }
    }

    pub fn set_speed(&mut self, speed: f64) {
        self.speed = speed;
        self.reader = SincReader::at_speed(speed);
    }

    /// Frames of the sample that its place moves by for each frame.
    pub fn pace(&self, settings: &SamplerSettings) -> f64 {
        if settings.warp.is_some() { self.pace } else { self.speed }
    }

    /// The frame that is heard now.
    #[inline]
    pub fn read(&mut self, settings: &SamplerSettings, repeats: Option<Repeat>) -> (f32, f32) {
        if let Some(grains) = settings.warp.as_ref().and_then(|warp| warp.grains) {
            let reader = (&self.reader, self.edge);
            return self.grains.next(&settings.sample, &grains, self.position, self.speed, reader);
        }
        let (mut l, mut r) = self.reader.read(&settings.sample, self.position);
        if let Some(Repeat { from, to, crossfade }) = repeats {
            let left_over = to - self.position;
            if left_over < crossfade && left_over > 0.0 {
                let weight = (left_over / crossfade) as f32;
                let (next_l, next_r) = self.reader.read(&settings.sample, self.position - (to - from));
                (l, r) = (next_l + (l - next_l) * weight, next_r + (r - next_r) * weight);
            }
        }
        (l, r)
    }

    /// Goes on by a frame; `beats` pass in it.
    #[inline]
    pub fn step(&mut self, settings: &SamplerSettings, repeats: Option<Repeat>, beats: f64) {
        if let Some(warp) = &settings.warp {
            self.beat += beats;
            let rate = f64::from(settings.sample.rate());
            let (seconds, slope) = seconds_at(&warp.markers, self.beat);
            self.position = seconds * rate;
            self.pace = beats * slope * rate;
            if warp.grains.is_none() {
                self.reader = SincReader::at_speed(self.pace);
            }
            if let Some(Repeat { from, to, .. }) = repeats
                && self.position >= to
            {
                self.position -= to - from;
                self.beat = beats_at(&warp.markers, self.position / rate).0;
            }
            return;
        }
        self.position += self.speed;
        if let Some(Repeat { from, to, .. }) = repeats
            && self.position >= to
        {
            self.position -= to - from;
        }
    }
}
