//! Value formats that several tools take: tempos, meters, colours over several targets.

use crate::music::Meter;
use crate::tools::arguments::lists::{self, ValueList};
use crate::tools::error::ToolError;

/// A colour as the caller wrote it, `#RRGGBB`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Color(pub i64);

impl Color {
    pub fn parse(text: &str) -> Result<Color, ToolError> {
        let hex =
            text.trim().strip_prefix('#').filter(|hex| hex.len() == 6 && hex.bytes().all(|b| b.is_ascii_hexdigit()));
        let rgb = hex.and_then(|hex| i64::from_str_radix(hex, 16).ok());
        rgb.map(Color).ok_or_else(|| {
            ToolError::about("color", format!("\"{text}\" is no colour; write #RRGGBB, such as #FF8800"))
        })
    }
}

impl std::fmt::Display for Color {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "#{:06X}", self.0)
    }
}

/// Beats a minute that a Set can have.
pub const SLOWEST_BPM: f64 = 20.0;
pub const FASTEST_BPM: f64 = 999.0;

/// A meter, `N/D`.
pub fn meter(parameter: &str, text: &str) -> Result<Meter, ToolError> {
    text.parse().map_err(|e| ToolError::about(parameter, e))
}

/// A scene's own meter, or that it has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SceneMeter {
    Own(Meter),
    Disabled,
}

/// A scene's own tempo, or that it has none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SceneTempo {
    Own(f64),
    Disabled,
}

pub fn scene_meter(text: &str) -> Result<SceneMeter, ToolError> {
    if text.trim().eq_ignore_ascii_case("disabled") {
        return Ok(SceneMeter::Disabled);
    }
    let own = text.parse().map(SceneMeter::Own);
    own.map_err(|e| ToolError::about("timeSignature", format!("{e}, or the word disabled for no meter of its own")))
}

pub fn scene_tempo(bpm: f64) -> Result<SceneTempo, ToolError> {
    if bpm == -1.0 {
        return Ok(SceneTempo::Disabled);
    }
    if (SLOWEST_BPM..=FASTEST_BPM).contains(&bpm) {
        return Ok(SceneTempo::Own(bpm));
    }
    Err(ToolError::about(
        "tempo",
        format!("{bpm} is outside {SLOWEST_BPM}..{FASTEST_BPM}; -1 is for no tempo of its own"),
    ))
}

/// The text, unless it is blank: then it counts as not sent. For targets, destinations, and texts that do nothing when
/// they are blank; the text of a value goes through [`refuse_blank`].
pub fn unless_blank<T: AsRef<str>>(text: Option<T>) -> Option<T> {
    text.filter(|text| !text.as_ref().trim().is_empty())
}

/// The text of a value that has a format: a meter, a colour, a position. A blank one is refused, as it is no such
/// value. (A name has no format, and a blank one clears it.)
pub fn refuse_blank<'a>(parameter: &str, text: Option<&'a String>) -> Result<Option<&'a String>, ToolError> {
    match text {
        Some(text) if text.trim().is_empty() => {
            Err(ToolError::new(format!("{parameter} is blank; send a value, or leave {parameter} out")))
        }
        text => Ok(text),
    }
}

/// One text of that format for each target.
pub fn spread(parameter: &str, text: Option<&String>, count: usize) -> Result<Option<ValueList>, ToolError> {
    lists::spread(parameter, refuse_blank(parameter, text)?, count)
}

/// One value for each target, read with `read`.
pub fn each<T>(
    parameter: &str,
    text: Option<&String>,
    count: usize,
    read: impl Fn(&str) -> Result<T, ToolError>,
) -> Result<Option<Vec<T>>, ToolError> {
    let Some(values) = spread(parameter, text, count)? else { return Ok(None) };
    (0..count).map(|at| read(values.at(at))).collect::<Result<_, _>>().map(Some)
}

/// One colour for each target.
pub fn colors(text: Option<&String>, count: usize) -> Result<Option<Vec<Color>>, ToolError> {
    each("color", text, count, Color::parse)
}

/// Equal at the resolution of reads.
pub fn same(a: f64, b: f64) -> bool {
    (a * 100.0).round() == (b * 100.0).round()
}

/// Whether reads show all of a number: they give two decimals.
pub fn is_in_hundredths(number: f64) -> bool {
    ((number * 100.0).round() / 100.0 - number).abs() < 1e-9
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tempos_and_meters_of_scenes() {
        for (bpm, want) in [
            (20.0, Some(SceneTempo::Own(20.0))),
            (999.0, Some(SceneTempo::Own(999.0))),
            (-1.0, Some(SceneTempo::Disabled)),
        ] {
            assert_eq!(scene_tempo(bpm).ok(), want);
        }
        for bpm in [19.99, 999.5, 0.0, -2.0, f64::NAN, f64::INFINITY] {
            assert!(scene_tempo(bpm).is_err(), "{bpm}");
        }
        assert_eq!(scene_meter(" Disabled "), Ok(SceneMeter::Disabled));
        assert_eq!(scene_meter("7/8"), Ok(SceneMeter::Own(Meter::new(7, 8).unwrap())));
        for text in ["", "7/9", "x", "0/4", "100/4"] {
            assert!(scene_meter(text).unwrap_err().text.contains("disabled"), "{text}");
        }
    }

    #[test]
    fn values_over_targets() {
        let read = |text: &str, count| each("n", Some(&text.to_owned()), count, |t| Ok(t.to_owned()));
        assert_eq!(read(" ", 2), Err(ToolError::new("n is blank; send a value, or leave n out")));
        assert_eq!(each("n", None, 2, |t| Ok(t.to_owned())), Ok(None));
        assert_eq!(read("a", 2), Ok(Some(vec!["a".to_owned(), "a".to_owned()])));
        assert_eq!(read("a,b", 2), Ok(Some(vec!["a".to_owned(), "b".to_owned()])));
        assert!(read("a,b,c", 2).is_err());
        assert!(same(1.004, 1.0) && !same(1.006, 1.0));
    }
}
