//! How a parameter's value is written: digits, sign and unit as in the label that a fresh device shows.
//!
//! Live writes each parameter in a format of its own (`0.00 dB` here, `-inf dB` and `0.0 dB` there), and no table of
//! formats is published. The label of the default was measured for most, so its number of digits, its plus sign and
//! what stands before and after the number are taken as the parameter's format. A default itself reads as it was
//! measured, whatever its curve.

use crate::music::pitch;
use crate::object_model::faders::pan_text;
use crate::object_model::native_devices::{ParameterSpec, table};
use crate::object_model::parameter_curves::{is_pitch, shown_number, word_at};

/// The label of a raw value, as Live would print it.
pub fn label(spec: &ParameterSpec, raw: f64) -> String {
    if let Some(items) = &spec.items {
        return step(items, raw);
    }
    if let Some(ladder) = spec.ladder.as_deref().and_then(|name| ladder_label(name, raw)) {
        return ladder;
    }
    if let Some(steps) = &spec.step_labels {
        return step(steps, raw - spec.min);
    }
    if let Some(label) = spec.default_display.as_ref().filter(|_| spec.default == Some(raw)) {
        return label.clone();
    }
    if is_pitch(spec) {
        return pitch::name((raw.round().clamp(0.0, 127.0)) as u8);
    }
    let unit = spec.unit.as_deref();
    if unit == Some("pan") {
        return shown_number(spec, raw).map_or_else(|| format!("{raw:.2}"), |steps| pan_text(steps / 50.0));
    }
    let format = LabelFormat::from_spec(spec);
    match (shown_number(spec, raw), word_at(spec, raw)) {
        (Some(number), _) => format.write(number, unit),
        (None, Some(word)) => format!("{}{word}{}", format.prefix, format.tail_of_word(unit)),
        (None, None) => format!("{raw:.2}"),
    }
}

fn step(labels: &[String], raw: f64) -> String {
    labels.get(raw.round().max(0.0) as usize).cloned().unwrap_or_else(|| format!("{raw}"))
}

fn ladder_label(name: &str, raw: f64) -> Option<String> {
    let (name, reversed) = name.strip_suffix("_reversed").map_or((name, false), |base| (base, true));
    let steps = table().ladders.get(name)?;
    let at = raw.round().max(0.0) as usize;
    let at = if reversed { steps.len().checked_sub(1 + at)? } else { at };
    steps.get(at).cloned()
}

/// How a parameter's numbers are written.
struct LabelFormat<'a> {
    /// Digits in all, at least one before the point; a longer whole number is written whole.
    digits: usize,
    plus: bool,
    /// In front of the number: `1 : ` of some ratios.
    prefix: &'a str,
    /// After the number, the blank included.
    tail: Option<&'a str>,
}

/// In front of ratios whose second part changes.
const ONE_TO: &str = "1 : ";

impl LabelFormat<'_> {
    fn from_spec(spec: &ParameterSpec) -> LabelFormat<'_> {
        let usual = LabelFormat { digits: usual_digits(spec.unit.as_deref()), plus: false, prefix: "", tail: None };
        let Some(label) = spec.default_display.as_deref() else { return usual };
        let (prefix, label) = match label.strip_prefix(ONE_TO) {
            Some(label) => (ONE_TO, label),
            None => ("", label),
        };
        let number = label.trim_start_matches(['+', '-']);
        let end = number.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(number.len());
        let (number, tail) = number.split_at(end);
        let count = number.bytes().filter(u8::is_ascii_digit).count();
        // A default such as "100 %" or "1 ms" does not tell how a smaller or larger one is written.
        let told =
            number.contains('.') || count == 1 && matches!(spec.unit.as_deref(), Some("st" | "ct" | "sd" | "oct"));
        let digits = match spec.unit.as_deref() {
            _ if count == 0 => return usual,
            None if !number.contains('.') => 1,
            _ if told => count,
            _ => usual.digits.min(count),
        };
        // Of a balance, `50/50`, the second half tells nothing new.
        let tail = Some(tail).filter(|tail| spec.unit.as_deref() != Some("%") || !tail.contains('/'));
        LabelFormat { digits, plus: label.starts_with('+'), prefix, tail }
    }

    /// What stands after a word such as `-inf`.
    fn tail_of_word(&self, unit: Option<&str>) -> &str {
        match unit {
            Some("ms") => " s",
            Some("dB") => " dB",
            _ => self.tail.unwrap_or_default(),
        }
    }

    fn write(&self, number: f64, unit: Option<&str>) -> String {
        // Milliseconds and hertz change to seconds and kilohertz; the measured tail names one of the two.
        let (number, tail) = match unit {
            Some("Hz") if number.abs() >= 999.5 => (number / 1000.0, " kHz"),
            Some("Hz") => (number, " Hz"),
            Some("ms") if number.abs() >= 999.5 => (number / 1000.0, " s"),
            Some("ms") => (number, " ms"),
            unit => (number, self.tail.unwrap_or(unit.map_or("", usual_tail))),
        };
        let plus = if self.plus && number > 0.0 { "+" } else { "" };
        // Rounding can add a digit before the point: 9.96 in two digits is 10.
        let decimals = |n: f64| self.digits.saturating_sub(whole_digits(n));
        let text = format!("{number:.*}", decimals(number));
        let rounded = text.parse().unwrap_or(number);
        let text = format!("{rounded:.*}", decimals(rounded));
        let text = if text.trim_start_matches('-').bytes().all(|b| matches!(b, b'0' | b'.')) {
            text.trim_start_matches('-').to_owned()
        } else {
            text
        };
        format!("{}{plus}{text}{tail}", self.prefix)
    }
}

fn whole_digits(number: f64) -> usize {
    if number.abs() < 1.0 { 1 } else { number.abs().log10().floor() as usize + 1 }
}

fn usual_digits(unit: Option<&str>) -> usize {
    match unit {
        Some("%" | "dB") => 2,
        Some("st" | "ct" | "sd" | "oct") => 1,
        _ => 3,
    }
}

fn usual_tail(unit: &str) -> &str {
    match unit {
        "dB" => " dB",
        "%" => " %",
        "st" => " st",
        "ct" => " ct",
        "sd" => " sd",
        "oct" => " oct",
        "deg" => "°",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object_model::native_devices::by_name;

    /// Measured labels that no rule of digits prints: padded, without a unit, of a negative zero, in a unit that all
    /// others leave.
    const ODD: [(&str, &str); 13] = [
        ("Simpler", "Sample Selector"),
        ("Sampler", "Sample Selector"),
        ("EQ Eight", "3 Frequency A"),
        ("Analog", "Noise Balance"),
        ("Analog", "OSC1 Balance"),
        ("Analog", "OSC2 Balance"),
        ("Analog", "F1 Freq"),
        ("Analog", "F2 Freq"),
        ("Analog", "LFO1 Phase"),
        ("Analog", "LFO2 Phase"),
        ("Hybrid Reverb", "Blend"),
        ("Roar", "Blend"),
        ("Roar", "Output"),
    ];

    /// The curve itself, not the remembered text, prints the measured default.
    #[test]
    fn a_curve_prints_the_measured_default() {
        let (mut told, mut wrong) = (0, Vec::new());
        for (device, class) in &table().devices {
            for spec in &class.parameters {
                let (Some(raw), Some(want)) = (spec.default, &spec.default_display) else { continue };
                if spec.display.is_none() || is_pitch(spec) || ODD.contains(&(device.as_str(), spec.name.as_str())) {
                    continue;
                }
                told += 1;
                let format = LabelFormat::from_spec(spec);
                let got = match shown_number(spec, raw) {
                    Some(steps) if spec.unit.as_deref() == Some("pan") => pan_text(steps / 50.0),
                    Some(number) => format.write(number, spec.unit.as_deref()),
                    None => {
                        format!("{}{}", word_at(spec, raw).unwrap_or("?"), format.tail_of_word(spec.unit.as_deref()))
                    }
                };
                if got != *want {
                    wrong.push(format!("{device} | {} | {raw} | {got:?} | {want:?}", spec.name));
                }
            }
        }
        assert!(wrong.is_empty(), "{} of {told}:\n{}", wrong.len(), wrong.join("\n"));
        // As many as D9 in `docs/decisions.md` says.
        assert_eq!(told, 1648);
    }

    #[test]
    fn labels() {
        let reverb = by_name("Reverb").unwrap();
        assert_eq!(label(&reverb.parameters[0], 1.0), "On");
        assert_eq!(label(&reverb.parameters[1], 0.258977), "2.50 ms");
        let find = |device: &str, name: &str| {
            by_name(device).unwrap().parameters.iter().find(|spec| spec.name == name).unwrap()
        };
        for (device, name, raw, want) in [
            ("Simpler", "Volume", -12.0, "-12.0 dB"),
            ("Simpler", "Volume", 0.5, "0.50 dB"),
            ("Simpler", "Transpose", -7.0, "-7 st"),
            ("Simpler", "L Sync Rate", 4.0, "1/16"),
            ("Beat Repeat", "Interval", 5.0, "1 Bar"),
            ("Echo", "L Synced", -3.0, "1/8"),
            ("Glue Compressor", "Ratio", 1.0, "4"),
            ("Simpler", "S Length", 1.0, "100 %"),
            ("Simpler", "S Length", 0.0, "0.0 %"),
            ("Simpler", "Pan", -1.0, "50L"),
            ("Analog", "AMP1 Pan", 0.0, "50L"),
            ("Analog", "AMP1 Pan", 0.75, "25R"),
            ("Roar", "LFO 1 16th", 12.0, "12  / 16"),
            ("Instrument Rack", "Macro 1", 64.0, "64"),
            ("Compressor", "Ratio", 0.5, "2.00 : 1"),
            ("Compressor", "Ratio", 1.0, "inf : 1"),
            ("Compressor", "Expansion Ratio", 2.0, "1 : 2.00"),
            ("Multiband Dynamics", "Above Ratio (Low)", 0.5, "1 : 2.00"),
            ("Multiband Dynamics", "Above Ratio (Low)", 1.0, "1 : inf"),
            ("Saturator", "Drive", 0.5555555555, "4.0 dB"),
            ("Saturator", "Dry/Wet", 0.3, "30 %"),
            ("Analog", "FEG1 S Time", 1.0, "inf s"),
            ("Operator", "Ae Init", 0.0, "-inf dB"),
            ("Roar", "Blend", 0.25, "25 %"),
            ("Scale", "Base", 2.0, "D"),
            ("Auto Filter", "LFO 16th", 3.0, "3  / 16"),
        ] {
            assert_eq!(label(find(device, name), raw), want, "{device} {name} {raw}");
        }
    }
}
