//! EQ Eight. The curve of the first channel is that of both.

use crate::sound::device_values::DeviceValues;
use svc_sound::effects::{BandType, EqBand, EqEightSettings};

/// In the order of the types' labels.
const TYPES: [BandType; 8] = [
    BandType::HighPass48,
    BandType::HighPass12,
    BandType::LowShelf,
    BandType::Bell,
    BandType::Notch,
    BandType::HighShelf,
    BandType::LowPass12,
    BandType::LowPass48,
];

pub fn settings(values: &DeviceValues) -> EqEightSettings {
    let band = |index: usize| {
        let name = |what: &str| format!("{} {what} A", index + 1);
        EqBand {
            on: values.is_on(&name("Filter On")),
            band_type: TYPES.get(values.step(&name("Filter Type"))).copied().unwrap_or_default(),
            hz: values.number(&name("Frequency")),
            gain_db: values.number(&name("Gain")),
            q: values.number(&name("Q")),
        }
    };
    EqEightSettings {
        bands: std::array::from_fn(band),
        scale: values.part("Scale"),
        output_db: values.number("Output"),
    }
}
