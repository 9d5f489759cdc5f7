//! What devices that follow a level listen to: the names are the same in all of them.

use crate::sound::device_values::DeviceValues;
use svc_sound::dsp::math::gain_of_db;
use svc_sound::effects::{DetectorSettings, FilterSettings, Response};

pub fn detector(values: &DeviceValues) -> DetectorSettings {
    DetectorSettings {
        filter: values.is_on("S/C EQ On").then(|| filter(values)),
        gain_db: values.finite_db("S/C Gain"),
        mix: values.part("S/C Mix"),
    }
}

pub fn filter(values: &DeviceValues) -> FilterSettings {
    let gain = gain_of_db(values.number("S/C EQ Gain"));
    let response = match values.step("S/C EQ Type") {
        0 => Response::LowShelf { gain },
        1 => Response::Bell { gain },
        2 => Response::HighShelf { gain },
        3 => Response::Lowpass,
        4 => Response::Bandpass,
        _ => Response::Highpass,
    };
    FilterSettings { response, hz: values.number("S/C EQ Freq"), q: values.number("S/C EQ Q") }
}
