//! Operator.

use crate::sound::device_values::DeviceValues;
use svc_sound::dsp::math::{exp2, gain_of_db};
use svc_sound::dsp::svf::Response;
use svc_sound::effects::{LfoRate, LfoWave};
use svc_sound::instruments::{
    EnvelopeCycle, OperatorEnvelope, OperatorFilter, OperatorLfo, OperatorOscillator, OperatorSettings, OperatorShaper,
    OperatorWave, ShaperCurve,
};

/// Octaves that full velocity and a full envelope move the filter; semitones that a full LFO moves a note.
const VELOCITY_OCTAVES: f32 = 4.0;
const ENVELOPE_OCTAVES: f32 = 7.0;
const LFO_SEMITONES: f32 = 12.0;
const LFO_OCTAVES: f32 = 4.0;
/// An LFO's slowest rate, and how far its dial of 127 goes: octaves.
const LFO_LOWEST_HZ: f32 = 0.05;
const LFO_HIGH_TIMES: f32 = 16.0;
const LFO_DIAL_OCTAVES: f32 = 9.0;
/// Times are three octaves longer or shorter at the ends of `Time`.
const TIME_OCTAVES: f32 = 3.0;
/// Quarter beats of a whole note.
const WHOLE: f32 = 4.0;

pub fn settings(values: &DeviceValues) -> OperatorSettings {
    let times = exp2(TIME_OCTAVES * values.part("Time"));
    OperatorSettings {
        algorithm: values.step("Algorithm"),
        oscillators: ["A", "B", "C", "D"].map(|letter| oscillator(values, letter, times)),
        transpose: values.number("Transpose"),
        glide: if values.is_on("Glide On") { values.seconds("Glide Time") } else { 0.0 },
        tone: values.part("Tone"),
        spread: values.part("Spread"),
        pan: values.pan("Panorama"),
        key_to_pan: values.part("Pan < Key"),
        random_pan: values.part("Pan < Rnd"),
        pitch_envelope: pitch_envelope(values, times),
        lfo: values.is_on("LFO On").then(|| lfo(values, times)),
        filter: values.is_on("Filter On").then(|| filter(values, times)),
        shaper: shaper(values),
        level_db: values.finite_db("Volume"),
    }
}

fn oscillator(values: &DeviceValues, letter: &str, times: f32) -> OperatorOscillator {
    let of = |what: &str| format!("Osc-{letter} {what}");
    let name = |what: &str| format!("{letter} {what}");
    let multiplier: f32 = values.step_label(&name("Fix Freq Mul")).parse().unwrap_or(1.0);
    OperatorOscillator {
        on: values.is_on(&format!("Osc-{letter} On")),
        wave: wave(values.step_label(&of("Wave"))),
        ratio: ratio(values.number(&name("Coarse")), values.number(&name("Fine"))),
        fixed_hz: values.is_on(&name("Fix On ")).then(|| values.number(&name("Fix Freq")) * multiplier),
        velocity_to_octaves: values.number(&name("Freq<Vel")) * 0.01,
        level_db: values.number(&of("Level")),
        velocity_to_level: values.part(&of("Lev < Vel")),
        key_to_level: values.part(&of("Lev < Key")),
        retrigger: values.is_on(&of("Retrig")),
        phase: values.part(&of("Phase")),
        feedback: values.part(&of("Feedb")),
        follows_pitch_envelope: values.is_on(&of("< Pe")),
        follows_lfo: values.is_on(&of("< LFO")),
        envelope: envelope(values, &format!("{letter}e"), times),
    }
}

/// `Coarse` in whole numbers, 0 being a half; `Fine` in thousandths of the way to the next.
fn ratio(coarse: f32, fine: f32) -> f32 {
    if coarse < 1.0 { 0.5 + fine * 0.000_5 } else { coarse + fine * 0.001 }
}

/// `Saw 8` has eight harmonics; `D` is the one of a digital synthesizer, with all of them. A wave that the user drew is
/// a sine.
fn wave(label: &str) -> OperatorWave {
    let harmonics = |count: &str| count.parse().unwrap_or(u8::MAX);
    match label.split_once(' ') {
        Some(("Sine", bits)) => OperatorWave::Steps(bits.trim_end_matches(" Bit").parse().unwrap_or(8)),
        Some(("Saw", count)) => OperatorWave::Saw(harmonics(count)),
        Some(("Square", count)) => OperatorWave::Square(harmonics(count)),
        Some(("Noise", _)) => OperatorWave::Noise,
        _ if label == "Triangle" => OperatorWave::Triangle,
        _ => OperatorWave::Sine,
    }
}

/// An envelope whose levels are decibels.
fn envelope(values: &DeviceValues, prefix: &str, times: f32) -> OperatorEnvelope {
    let level = |what: &str| {
        let db = values.number(&format!("{prefix} {what}"));
        if db == f32::NEG_INFINITY { 0.0 } else { gain_of_db(db) }
    };
    with_times(values, prefix, times, [level("Init"), level("Peak"), level("Sustain"), 0.0])
}

fn with_times(
    values: &DeviceValues,
    prefix: &str,
    times: f32,
    [initial, peak, sustain, end]: [f32; 4],
) -> OperatorEnvelope {
    let seconds = |what: &str| values.seconds(&format!("{prefix} {what}")) * times;
    let (attack, decay, release) = (seconds("Attack"), seconds("Decay"), seconds("Release"));
    let cycle = match values.step(&format!("{prefix} Mode")) {
        1 => EnvelopeCycle::Loop(seconds("Loop")),
        2 | 3 => EnvelopeCycle::Every(WHOLE * fraction(values.step_label(&format!("{prefix} Retrig")))),
        4 => EnvelopeCycle::Trigger,
        _ => EnvelopeCycle::Once,
    };
    OperatorEnvelope { initial, attack, peak, decay, sustain, release, end, cycle }
}

/// `1/16`, `1.5`.
fn fraction(label: &str) -> f32 {
    let parts = label.split_once('/').map(|(over, under)| (over.parse::<f32>(), under.parse::<f32>()));
    match parts {
        Some((Ok(over), Ok(under))) if under > 0.0 => over / under,
        _ => label.parse().unwrap_or(1.0),
    }
}

fn pitch_envelope(values: &DeviceValues, times: f32) -> Option<OperatorEnvelope> {
    let amount = values.part("Pe Amount") * values.part("Pe Amt A");
    let levels = ["Pe Init", "Pe Peak", "Pe Sustain", "Pe End"].map(|name| values.number(name) * amount);
    (values.is_on("Pe On") && amount != 0.0).then(|| with_times(values, "Pe", times, levels))
}

fn lfo(values: &DeviceValues, times: f32) -> OperatorLfo {
    let waves = [
        LfoWave::Sine,
        LfoWave::Square,
        LfoWave::Triangle,
        LfoWave::SawUp,
        LfoWave::SawDown,
        LfoWave::SampleAndHold,
        LfoWave::Wander,
    ];
    let dial = LFO_LOWEST_HZ * exp2(LFO_DIAL_OCTAVES * values.number("LFO Rate") / 127.0);
    let rate = match values.step("LFO Range") {
        0 => LfoRate::Hz(dial),
        1 => LfoRate::Hz(dial * LFO_HIGH_TIMES),
        _ => LfoRate::PerBeat(1.0 / (WHOLE * fraction(values.step_label("LFO Sync")))),
    };
    let amount = values.part("LFO Amt") * values.part("LFO Amt A");
    let level = |name: &str| gain_of_db(values.finite_db(name));
    let levels = [level("Le Init"), level("Le Peak"), level("Le Sustain"), level("Le End")];
    OperatorLfo {
        wave: waves.get(values.step("LFO Type")).copied().unwrap_or_default(),
        rate,
        retrigger: values.is_on("LFO Retrigger"),
        semitones: LFO_SEMITONES * amount * amount.abs(),
        filter_octaves: if values.is_on("Filt < LFO") { LFO_OCTAVES * amount } else { 0.0 },
        envelope: with_times(values, "Le", times, levels),
    }
}

fn filter(values: &DeviceValues, times: f32) -> OperatorFilter {
    let response = match values.step("Filter Type") {
        0 => Response::Lowpass,
        1 => Response::Highpass,
        3 => Response::Notch,
        _ => Response::Bandpass,
    };
    let levels = ["Fe Init", "Fe Peak", "Fe Sustain", "Fe End"].map(|name| values.part(name));
    OperatorFilter {
        response,
        steep: values.is_on("Filter Slope"),
        hz: values.number("Filter Freq"),
        q: 0.5 * exp2(4.0 * values.part("Filter Res").min(1.0)),
        drive_db: values.number("Filter Drive"),
        velocity_octaves: values.part("Filt < Vel") * VELOCITY_OCTAVES,
        key_tracking: values.part("Filt < Key"),
        envelope_octaves: values.part("Fe Amount") * ENVELOPE_OCTAVES,
        envelope: with_times(values, "Fe", times, levels),
    }
}

fn shaper(values: &DeviceValues) -> Option<OperatorShaper> {
    let curve = match values.step("Shaper Type") {
        0 => return None,
        1 => ShaperCurve::Soft,
        2 => ShaperCurve::Hard,
        3 => ShaperCurve::Sine,
        _ => ShaperCurve::FourBit,
    };
    Some(OperatorShaper { curve, drive_db: values.number("Shaper Drive"), mix: values.part("Shaper Mix") })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object_model::native_devices::by_class;
    use crate::set::document::device_tree::Device;

    fn with(changes: &[(&str, f64)]) -> OperatorSettings {
        let (_, class) = by_class("Operator").unwrap();
        let mut device = Device::native(1, "Operator").unwrap();
        for (name, raw) in changes {
            let at = class.parameters.iter().position(|spec| spec.name == *name).expect(name);
            device.values[at] = *raw;
        }
        settings(&DeviceValues::of(&device))
    }

    #[test]
    fn a_new_one_is_a_sine_that_is_held() {
        let [a, b, ..] = with(&[]).oscillators;
        assert_eq!((a.on, a.wave, a.ratio, a.level_db, a.fixed_hz), (true, OperatorWave::Sine, 1.0, 0.0, None));
        assert_eq!((a.envelope.initial, a.envelope.peak, a.envelope.sustain), (0.0, 1.0, 1.0));
        assert!((a.envelope.decay - 1.0).abs() < 0.01 && (a.envelope.release - 0.4).abs() < 0.01);
        assert_eq!(b.level_db, f32::NEG_INFINITY);
        let new = with(&[]);
        assert_eq!((new.algorithm, new.pitch_envelope, new.lfo, new.filter, new.shaper), (0, None, None, None, None));
        assert!((new.level_db + 18.0).abs() < 0.1, "{}", new.level_db);
    }

    #[test]
    fn parameters_are_what_they_show() {
        let set = with(&[
            ("Algorithm", 10.0),
            ("B Coarse", 3.0),
            ("B Fine", 250.0),
            ("C Coarse", 0.0),
            ("D Fix On ", 1.0),
            ("D Fix Freq Mul", 5.0),
            ("Osc-A Wave", 8.0),
            ("Osc-B Wave", 17.0),
            ("Osc-C Wave", 1.0),
            ("Be Mode", 2.0),
            ("Be Retrig", 7.0),
            ("Time", 100.0),
            ("Pe On", 1.0),
            ("LFO On", 1.0),
            ("LFO Range", 2.0),
            ("Filter On", 1.0),
            ("Shaper Type", 2.0),
        ]);
        let [a, b, c, d] = set.oscillators;
        assert_eq!((set.algorithm, b.ratio, c.ratio), (10, 3.25, 0.5));
        assert_eq!((a.wave, b.wave, c.wave), (OperatorWave::Saw(32), OperatorWave::Square(64), OperatorWave::Steps(4)));
        assert!((d.fixed_hz.unwrap() - 1_000.0).abs() < 5.0, "{:?}", d.fixed_hz);
        assert_eq!(b.envelope.cycle, EnvelopeCycle::Every(1.0));
        assert!((a.envelope.release - 3.2).abs() < 0.05, "{}", a.envelope.release);
        let pitch = set.pitch_envelope.unwrap();
        assert_eq!((pitch.initial, pitch.peak, pitch.sustain, pitch.end), (12.0, 12.0, 0.0, 0.0));
        assert_eq!(set.lfo.unwrap().rate, LfoRate::PerBeat(4.0));
        assert!((set.filter.unwrap().hz - 12_000.0).abs() < 100.0);
        assert_eq!(set.shaper.unwrap().curve, ShaperCurve::Hard);
    }

    /// At both ends of every parameter, settings are numbers, and every parameter that is asked for is there.
    #[test]
    fn every_value_is_a_setting() {
        let (_, class) = by_class("Operator").unwrap();
        let plain = [("Filter On", 1.0), ("LFO On", 1.0), ("Pe On", 1.0), ("Shaper Type", 1.0), ("Ae Mode", 1.0)];
        let before = format!("{:?}", with(&plain));
        let mut changed = 0;
        for spec in class.parameters.iter().skip(1) {
            for raw in [spec.min, spec.max] {
                let now = format!("{:?}", with(&[&plain[..], &[(&*spec.name, raw)]].concat()));
                assert!(!now.contains("NaN"), "{} {raw}: {now}", spec.name);
                changed += usize::from(now != before);
            }
        }
        assert!(changed > 140, "{changed} ends of parameters are heard");
    }
}
