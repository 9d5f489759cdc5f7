//! EQ Eight: eight bands in a row.

use super::effect::EffectContext;
use crate::dsp::filter_row::FilterRow;
use crate::dsp::math::{GainOfDb, gain_of_db};
use crate::dsp::ramp::Ramp;
use crate::dsp::smooth_filter::{FilterSettings, SmoothFilter};
use crate::dsp::span::Bus;
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

/// Rows that all filters fit into.
const ROWS: usize = 4;

pub struct EqEight {
    bands: [Band; 8],
    /// What all bands were told.
    told: Option<EqEightSettings>,
    /// The filters while all of them are at rest.
    rows: Option<[FilterRow; ROWS]>,
    output: Ramp,
    output_gain: GainOfDb,
}

struct Band {
    filters: [SmoothFilter; 4],
    /// What the band was told last, with the scale, and what that is to its filters.
    told: Option<(EqBand, f32)>,
    settings: [FilterSettings; 4],
}

impl Band {
    fn new(rate: f32) -> Band {
        let idle = FilterSettings { response: Response::Through, hz: 1000.0, q: 1.0 };
        Band { filters: std::array::from_fn(|_| SmoothFilter::new(rate)), told: None, settings: [idle; 4] }
    }

    fn tick(&mut self, band: &EqBand, scale: f32) {
        let is_new = self.told != Some((*band, scale));
        if is_new {
            self.told = Some((*band, scale));
            self.settings = filters_of(band, scale);
        }
        for (filter, settings) in self.filters.iter_mut().zip(&self.settings) {
            if is_new || !filter.is_idle() {
                filter.tick(settings);
            }
        }
    }
}

impl EqEight {
    pub fn new(rate: f32) -> EqEight {
        EqEight {
            bands: std::array::from_fn(|_| Band::new(rate)),
            told: None,
            rows: None,
            output: Ramp::new(1.0, 0.005, rate),
            output_gain: GainOfDb::default(),
        }
    }

    pub fn process(&mut self, settings: &EqEightSettings, context: &EffectContext, bus: &mut Bus) {
        if context.span.is_tick() {
            self.tick(settings);
        }
        match &mut self.rows {
            Some(rows) => rows.iter_mut().for_each(|row| row.process(context.span.frames, bus)),
            None => self.bands.iter_mut().for_each(|band| {
                band.filters.iter_mut().for_each(|filter| filter.process(&context.span, bus));
            }),
        }
        self.output.go(self.output_gain.of(settings.output_db));
        self.output.multiply(&context.span, bus);
    }

    fn tick(&mut self, settings: &EqEightSettings) {
        if let Some(rows) = &mut self.rows {
            if self.told.as_ref() == Some(settings) {
                rows.iter_mut().for_each(FilterRow::settle);
                return;
            }
            let memories = rows.iter().flat_map(FilterRow::memories);
            let working = self.bands.iter_mut().flat_map(|band| &mut band.filters).filter(|filter| !filter.is_idle());
            working.zip(memories).for_each(|(filter, memory)| filter.remember(memory));
            self.rows = None;
        }
        self.told = Some(settings.clone());
        for (state, band) in self.bands.iter_mut().zip(&settings.bands) {
            state.tick(band, settings.scale);
        }
        let filters = || self.bands.iter().flat_map(|band| &band.filters).filter(|filter| !filter.is_idle());
        if filters().all(SmoothFilter::is_at_rest) {
            let mut filters = filters().map(SmoothFilter::parts);
            self.rows = Some(std::array::from_fn(|_| FilterRow::of(filters.by_ref())));
        }
    }

    #[cfg(test)]
    pub fn memory(&self) -> impl Iterator<Item = f32> {
        let alone = self.bands.iter().flat_map(|band| band.filters.iter().flat_map(SmoothFilter::memory));
        let rows = self.rows.iter().flatten().flat_map(FilterRow::memories);
        let together = rows.flat_map(|memory| memory.left.memory().into_iter().chain(memory.right.memory()));
        alone.filter(|_| self.rows.is_none()).chain(together)
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
