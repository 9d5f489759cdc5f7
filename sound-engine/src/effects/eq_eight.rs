//! EQ Eight: eight bands in a row.

use super::effect::EffectContext;
use crate::dsp::math::gain_of_db;
use crate::dsp::ramp::Ramp;
use crate::dsp::smooth_filter::{FilterSettings, SmoothFilter};
use crate::dsp::span::{Bus, Span};
use crate::dsp::svf::Response;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BandType {
    HighPass48,
    HighPass12,
    LowShelf,
    #[default]
    Bell,
    Notch,
    HighShelf,
    LowPass12,
    LowPass48,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EqBand {
    pub on: bool,
    pub band_type: BandType,
    /// 10 to 22,050.
    pub hz: f32,
    /// -15 to 15; passes and the notch have none.
    pub gain_db: f32,
    /// 0.1 to 18.
    pub q: f32,
}

#[derive(Clone, Debug, PartialEq)]
pub struct EqEightSettings {
    pub bands: [EqBand; 8],
    /// A factor for all gains: -2 to 2.
    pub scale: f32,
    pub output_db: f32,
}

/// The Qs of the four filters that make a pass of 48 dB an octave.
const STEEP_Q: [f32; 4] = [0.509_795_6, 0.601_344_9, 0.899_976_2, 2.562_915_4];

pub struct EqEight {
    bands: [Band; 8],
    output: Ramp,
}

struct Band {
    filters: [SmoothFilter; 4],
}

impl EqEight {
    pub fn new(rate: f32) -> EqEight {
        let filter = || SmoothFilter::new(rate);
        EqEight {
            bands: std::array::from_fn(|_| Band { filters: [filter(), filter(), filter(), filter()] }),
            output: Ramp::new(1.0, 0.005, rate),
        }
    }

    pub fn process(&mut self, settings: &EqEightSettings, context: &EffectContext, bus: &mut Bus) {
        for (state, band) in self.bands.iter_mut().zip(&settings.bands) {
            if context.span.is_tick() {
                for (filter, settings) in state.filters.iter_mut().zip(filters_of(band, settings.scale)) {
                    filter.tick(&settings);
                }
            }
        }
        self.filter(&context.span, bus);
        self.output.go(gain_of_db(settings.output_db));
        let gains = self.output.lane(&context.span);
        for ((left, right), gain) in bus.frames_mut(context.span.frames).zip(gains) {
            *left *= gain;
            *right *= gain;
        }
    }

    fn filter(&mut self, span: &Span, bus: &mut Bus) {
        let filters = || self.bands.iter().flat_map(|band| &band.filters);
        let settled = filters().all(SmoothFilter::is_settled);
        let mut waiting = self.bands.iter_mut().flat_map(|band| &mut band.filters).filter(|filter| !filter.is_idle());
        if !settled {
            waiting.for_each(|filter| filter.process(span, bus));
            return;
        }
        // Several at a time, frame by frame: what one filter waits for, another one uses.
        while let Some(a) = waiting.next() {
            match (waiting.next(), waiting.next(), waiting.next()) {
                (Some(b), Some(c), Some(d)) => {
                    for (left, right) in bus.frames_mut(span.frames) {
                        let (l, r) = a.frame(*left, *right);
                        let (l, r) = b.frame(l, r);
                        let (l, r) = c.frame(l, r);
                        (*left, *right) = d.frame(l, r);
                    }
                }
                (b, c, _) => {
                    for filter in [Some(a), b, c].into_iter().flatten() {
                        filter.process(span, bus);
                    }
                }
            }
        }
    }

    #[cfg(test)]
    pub fn memory(&self) -> impl Iterator<Item = f32> {
        self.bands.iter().flat_map(|band| band.filters.iter().flat_map(SmoothFilter::memory))
    }
}

fn filters_of(band: &EqBand, scale: f32) -> [FilterSettings; 4] {
    let one = |response: Response, q: f32| FilterSettings { response, hz: band.hz, q };
    let through = one(Response::Through, band.q);
    let gain = gain_of_db(band.gain_db * scale);
    let steep = |response: Response| {
        let [a, b, c, d] = STEEP_Q.map(|q| one(response, q));
        // The band's Q lifts or damps the corner, as that of a single filter does.
        [a, b, c, FilterSettings { q: d.q * band.q / std::f32::consts::FRAC_1_SQRT_2, ..d }]
    };
    let single = |response: Response| [one(response, band.q), through, through, through];
    if !band.on {
        return [through; 4];
    }
    match band.band_type {
        BandType::HighPass48 => steep(Response::Highpass),
        BandType::HighPass12 => single(Response::Highpass),
        BandType::LowShelf => single(Response::LowShelf { gain }),
        BandType::Bell => single(Response::Bell { gain }),
        BandType::Notch => single(Response::Notch),
        BandType::HighShelf => single(Response::HighShelf { gain }),
        BandType::LowPass12 => single(Response::Lowpass),
        BandType::LowPass48 => steep(Response::Lowpass),
    }
}
