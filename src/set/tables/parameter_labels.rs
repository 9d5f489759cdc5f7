//! How a parameter's value is written: digits, sign and unit as in the label that a fresh device shows.
//!
//! Live writes each parameter in a format of its own (`0.00 dB` here, `-inf dB` and `0.0 dB` there), and no table of
//! formats is published. The label of the default was measured for most, so its number of digits, its plus sign and
//! what stands after the number are taken as the parameter's format. A default itself reads as it was measured,
//! whatever its curve.

use crate::music::pitch;
use crate::object_model::faders::pan_text;
use crate::object_model::native_devices::{ParameterSpec, table};
use crate::set::tables::parameter_curves::{is_pitch, shown_number};

/// The label of a raw value, as Live would print it where the curve is known, else the raw number.
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
    match shown_number(spec, raw).or_else(|| at_an_end(spec, raw)) {
        Some(number) => LabelFormat::from_spec(spec).write(number, unit),
        None if unit == Some("dB") && spec.display.is_some() && raw <= spec.min => "-inf dB".to_owned(),
        None => format!("{raw:.2}"),
    }
}

/// The numbers shown at the ends of the range are known for many a parameter whose curve is not.
fn at_an_end(spec: &ParameterSpec, raw: f64) -> Option<f64> {
    let display = spec.display.as_ref()?;
    let end = if raw == spec.min { display.min } else { display.max.filter(|_| raw == spec.max) };
    end.filter(|_| display.curve.is_none())
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
    /// After the number, the blank included.
    tail: Option<&'a str>,
}

impl LabelFormat<'_> {
    fn from_spec(spec: &ParameterSpec) -> LabelFormat<'_> {
        let usual = LabelFormat { digits: usual_digits(spec.unit.as_deref()), plus: false, tail: None };
        let Some(label) = spec.default_display.as_deref() else { return usual };
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
        LabelFormat { digits, plus: label.starts_with('+'), tail: Some(tail) }
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
        format!("{plus}{text}{tail}")
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
    use crate::set::tables::parameter_curves::curve_is_known;

    /// Live pads the one and forgets to change to kilohertz in the other.
    const ODD: [(&str, &str); 2] = [("Simpler", "Sample Selector"), ("EQ Eight", "3 Frequency A")];

    /// Where the curve is known, the curve itself, not the remembered text, prints the measured default.
    #[test]
    fn a_known_curve_prints_the_measured_default() {
        let (mut known, mut wrong) = (0, Vec::new());
        for (device, class) in &table().devices {
            for spec in &class.parameters {
                let (Some(raw), Some(want)) = (spec.default, &spec.default_display) else { continue };
                let odd = ODD.contains(&(device.as_str(), spec.name.as_str()));
                if !curve_is_known(spec) || spec.items.is_some() || odd {
                    continue;
                }
                known += 1;
                let got = match shown_number(spec, raw) {
                    Some(steps) if spec.unit.as_deref() == Some("pan") => pan_text(steps / 50.0),
                    Some(number) => LabelFormat::from_spec(spec).write(number, spec.unit.as_deref()),
                    None => "-inf dB".to_owned(),
                };
                if got != *want {
                    wrong.push(format!("{device} | {} | {raw} | {got:?} | {want:?}", spec.name));
                }
            }
        }
        // As many as D9 in `docs/decisions.md` says.
        assert_eq!(known, 771);
        assert!(wrong.is_empty(), "{} of {known}:\n{}", wrong.len(), wrong.join("\n"));
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
        ] {
            assert_eq!(label(find(device, name), raw), want, "{device} {name} {raw}");
        }
    }
}
