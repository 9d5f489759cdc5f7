//! EQ Three: three bands that add up to what they were cut from, each with a level and a switch.

use super::effect::EffectContext;
use crate::dsp::math::gain_of_db;
use crate::dsp::ramp::Ramp;
use crate::dsp::smooth_filter::{FilterSettings, SmoothFilter};
use crate::dsp::span::{Bus, Span};
use crate::dsp::svf::Response;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EqThreeSettings {
    /// Negative infinity is silence.
    pub low_db: f32,
    pub mid_db: f32,
    pub high_db: f32,
    pub low_on: bool,
    pub mid_on: bool,
    pub high_on: bool,
    pub low_hz: f32,
    pub high_hz: f32,
    /// 48 dB an octave rather than 24.
    pub steep: bool,
}

impl Default for EqThreeSettings {
    fn default() -> EqThreeSettings {
        EqThreeSettings {
            low_db: 0.0,
            mid_db: 0.0,
            high_db: 0.0,
            low_on: true,
            mid_on: true,
            high_on: true,
            low_hz: 250.0,
            high_hz: 2_500.0,
            steep: true,
        }
    }
}

/// The Qs of a pass that is made twice: of 24 dB an octave in all, and of 48.
const Q_24: [f32; 2] = [std::f32::consts::FRAC_1_SQRT_2, 0.0];
const Q_48: [f32; 2] = [0.541_196_1, 1.306_563];

/// Four filters in a row; of a pass of 24 dB two of them do nothing.
struct Row([SmoothFilter; 4]);

impl Row {
    fn new(rate: f32) -> Row {
        Row(std::array::from_fn(|_| SmoothFilter::new(rate)))
    }

    /// A pass, or (once each) the turn of phase that both passes together make.
    fn tick(&mut self, response: Response, hz: f32, steep: bool) {
        let [one, two] = if steep { Q_48 } else { Q_24 };
        let twice = response != Response::Allpass;
        let stages = [(one, true), (two, steep), (one, twice), (two, twice && steep)];
        for (filter, (q, used)) in self.0.iter_mut().zip(stages) {
            let response = if used { response } else { Response::Through };
            filter.tick(&FilterSettings { response, hz, q: q.max(0.1) });
        }
    }

    fn process(&mut self, span: &Span, bus: &mut Bus) {
        self.0.iter_mut().for_each(|filter| filter.process(span, bus));
    }
}

pub struct EqThree {
    low: Row,
    low_phase: Row,
    above: Row,
    mid: Row,
    high: Row,
    gains: [Ramp; 3],
    fresh: bool,
}

impl EqThree {
    pub fn new(rate: f32) -> EqThree {
        let row = || Row::new(rate);
        EqThree {
            low: row(),
            low_phase: row(),
            above: row(),
            mid: row(),
            high: row(),
            gains: [1.0; 3].map(|value| Ramp::new(value, 0.005, rate)),
            fresh: true,
        }
    }

    pub fn process(&mut self, settings: &EqThreeSettings, context: &EffectContext, bus: &mut Bus) {
        let span = &context.span;
        if span.is_tick() {
            let low_hz = settings.low_hz.min(settings.high_hz);
            self.low.tick(Response::Lowpass, low_hz, settings.steep);
            self.above.tick(Response::Highpass, low_hz, settings.steep);
            self.low_phase.tick(Response::Allpass, settings.high_hz, settings.steep);
            self.mid.tick(Response::Lowpass, settings.high_hz, settings.steep);
            self.high.tick(Response::Highpass, settings.high_hz, settings.steep);
        }
        let (mut low, mut mid) = (*bus, *bus);
        self.low.process(span, &mut low);
        self.low_phase.process(span, &mut low);
        self.above.process(span, &mut mid);
        let mut high = mid;
        self.mid.process(span, &mut mid);
        self.high.process(span, &mut high);
        let bands = [
            (settings.low_on, settings.low_db),
            (settings.mid_on, settings.mid_db),
            (settings.high_on, settings.high_db),
        ];
        bus.clear();
        for ((ramp, (on, db)), band) in self.gains.iter_mut().zip(bands).zip([low, mid, high]) {
            let gain = if on && db > f32::NEG_INFINITY { gain_of_db(db) } else { 0.0 };
            if self.fresh {
                ramp.jump(gain)
            } else {
                ramp.go(gain)
            }
            bus.add_scaled(&band, &ramp.lane(span));
        }
        self.fresh = false;
    }

    #[cfg(test)]
    pub fn memory(&self) -> impl Iterator<Item = f32> {
        let rows = [&self.low, &self.low_phase, &self.above, &self.mid, &self.high];
        rows.into_iter().flat_map(|row| row.0.iter().flat_map(SmoothFilter::memory))
    }
}
