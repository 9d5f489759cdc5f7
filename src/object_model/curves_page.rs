//! `docs/display-curves.md`, made from the device table: how what each parameter shows is known.

use super::native_devices::{Basis, CurveShape, DeviceClass, ParameterDisplay, ParameterSpec, table};
use indexmap::IndexMap;

const HEAD: &str = "# How parameters show their values

A parameter's raw value is a number that Live keeps; what a person reads is a number with a unit, or a label. Between
the two stands a curve, or a list of labels. How it is known:

- **measured**: labels prove it.
- **fitted**: it passes through every point that is known (both ends and the default), one of them between the ends.
- **assumed**: it passes through every point that is known. Between them, and at ends that nobody knows, it is what
  parameters of its kind have: percentages and decibels straight, times and frequencies exponential.

Numbers, labels and what is written go by one curve. A host that prints its own labels, a running Live, overrules it.
What is not listed here is measured. `t` is the place in the raw range, 0 to 1.

This page is made from the device table: `WRITE_DOCS=1 cargo test --features standalone,test-tools --lib curves_page`.
";

fn scale(spec: &ParameterSpec) -> String {
    match &spec.display {
        Some(display) => curve(display, spec),
        None if spec.ladder.is_some() => "steps of a ladder of beats".to_owned(),
        None => {
            let labels = spec.step_labels.as_deref().unwrap_or_default();
            let ends = labels.first().zip(labels.last()).map(|(first, last)| format!("{first} to {last}"));
            format!("{} steps, {}", labels.len(), ends.unwrap_or_default())
        }
    }
}

fn curve(display: &ParameterDisplay, spec: &ParameterSpec) -> String {
    let unit = spec.unit.as_deref().map_or(String::new(), |unit| format!(" {unit}"));
    let number = |end: Option<f64>| end.map_or("?".to_owned(), |end| format!("{end}"));
    let (low, high) = (number(display.min), number(display.max));
    let exponent = number(display.exponent);
    let ends = format!("{low} to {high}{unit}");
    let silent = if display.silent_at_min { ", -inf at the bottom" } else { "" };
    let infinite = if display.infinite_at_max { ", inf at the top" } else { "" };
    let shape = match display.curve {
        CurveShape::Raw => format!("the raw value, {} to {}{unit}", spec.min, spec.max),
        CurveShape::Linear => format!("straight, {ends}"),
        CurveShape::Exp => format!("exponential, {ends}"),
        CurveShape::Power => format!("t^{exponent}, {ends}"),
        CurveShape::SignedPower => format!("t^{exponent} to both sides, {ends}"),
        CurveShape::Log10 => format!("10^raw, {ends}"),
        CurveShape::Reciprocal => "1 / (1 - raw)".to_owned(),
        CurveShape::MixerVolume => format!("a fader, -inf to {high} dB"),
        CurveShape::ClipGain => format!("a clip's gain, -inf to {high} dB"),
        CurveShape::Gain => format!("20 * {exponent} * log10(t) dB, -inf to {high} dB"),
        CurveShape::Amplitude => format!("straight in amplitude, {ends}"),
        CurveShape::UtilityGain => format!("straight above 0 dB, a fader below, -inf to {high} dB"),
    };
    format!("{shape}{silent}{infinite}")
}

/// How many of a device's parameters are of a basis, and a table of their scales; nothing where there are none.
fn section(class: &DeviceClass, basis: Basis, word: &str) -> (usize, String) {
    let mut scales: IndexMap<String, Vec<&str>> = IndexMap::new();
    let of_basis = class.parameters.iter().filter(|spec| spec.basis() == basis);
    of_basis.for_each(|spec| scales.entry(scale(spec)).or_default().push(spec.name.trim()));
    let count = scales.values().map(Vec::len).sum();
    let rows = scales.iter().map(|(scale, names)| format!("| {word} | {scale} | {} |\n", names.join(" · ")));
    (count, rows.collect())
}

fn page() -> String {
    let (mut counts, mut devices) = ([0; 3], String::new());
    for (name, class) in &table().devices {
        let (fitted, fitted_rows) = section(class, Basis::Fitted, "fitted");
        let (assumed, assumed_rows) = section(class, Basis::Assumed, "assumed");
        let measured = class.parameters.len() - fitted - assumed;
        for (count, more) in counts.iter_mut().zip([measured, fitted, assumed]) {
            *count += more;
        }
        if fitted + assumed > 0 {
            devices += &format!(
                "\n## {name} ({measured} measured, {fitted} fitted, {assumed} assumed)\n\n\
                 | | Shown | Parameters |\n|---|---|---|\n{fitted_rows}{assumed_rows}"
            );
        }
    }
    let [measured, fitted, assumed] = counts;
    format!("{HEAD}\nOf 2,468 parameters {measured} are measured, {fitted} fitted, {assumed} assumed.\n{devices}")
}

/// Run with `WRITE_DOCS=1` to write the page anew.
#[test]
fn the_page_of_curves_is_that_of_the_table() {
    let text = page();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/display-curves.md");
    if std::env::var_os("WRITE_DOCS").is_some() {
        std::fs::write(path, &text).expect("the page is written");
    }
    assert!(std::fs::read_to_string(path).unwrap_or_default() == text, "docs/display-curves.md is out of date");
}
