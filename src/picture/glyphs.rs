//! The letters that a picture of notes needs, as strokes: a font would be larger than all the rest.

/// The strokes of a letter in a box 4 wide and 6 high, as SVG path data.
fn strokes(letter: char) -> &'static str {
    match letter.to_ascii_uppercase() {
        '0' => "M1 0H3L4 1V5L3 6H1L0 5V1Z",
        '1' => "M1 1.2L2.4 0V6M1 6H3.8",
        '2' => "M0 1L1 0H3L4 1V2.2L0 6H4",
        '3' => "M0 0H4L1.8 2.5H3L4 3.5V5L3 6H1L0 5",
        '4' => "M3 6V0L0 4H4",
        '5' => "M4 0H0V2.6H3L4 3.6V5L3 6H0",
        '6' => "M3.6 0H2L0 2.6V5L1 6H3L4 5V3.6L3 2.6H0.4",
        '7' => "M0 0H4L1.6 6",
        '8' => "M1 0H3L4 1V2L3 3H1L0 2V1ZM1 3L0 4V5L1 6H3L4 5V4L3 3",
        '9' => "M0.4 6H2L4 3.4V1L3 0H1L0 1V2.4L1 3.4H3.6",
        'A' => "M0 6V1.4L1.4 0H2.6L4 1.4V6M0 3.6H4",
        'B' => "M0 0V6H3L4 5V4L3 3H0M3 3L4 2V1L3 0H0",
        'C' => "M4 1L3 0H1L0 1V5L1 6H3L4 5",
        'D' => "M0 0V6H2.6L4 4.6V1.4L2.6 0Z",
        'E' => "M4 0H0V6H4M0 3H3",
        'F' => "M4 0H0V6M0 3H3",
        'G' => "M4 1L3 0H1L0 1V5L1 6H3L4 5V3.2H2.4",
        'H' => "M0 0V6M4 0V6M0 3H4",
        'I' => "M1 0H3M2 0V6M1 6H3",
        'J' => "M4 0V5L3 6H1L0 5V4.4",
        'K' => "M0 0V6M4 0L0 3.4M1.4 2.4L4 6",
        'L' => "M0 0V6H4",
        'M' => "M0 6V0L2 2.6L4 0V6",
        'N' => "M0 6V0L4 6V0",
        'O' => "M1 0H3L4 1V5L3 6H1L0 5V1Z",
        'P' => "M0 6V0H3L4 1V2.4L3 3.4H0",
        'Q' => "M1 0H3L4 1V5L3 6H1L0 5V1ZM2.4 4.4L4 6",
        'R' => "M0 6V0H3L4 1V2.4L3 3.4H0M2 3.4L4 6",
        'S' => "M4 1L3 0H1L0 1V2L1 3H3L4 4V5L3 6H1L0 5",
        'T' => "M0 0H4M2 0V6",
        'U' => "M0 0V5L1 6H3L4 5V0",
        'V' => "M0 0L2 6L4 0",
        'W' => "M0 0L1 6L2 3L3 6L4 0",
        'X' => "M0 0L4 6M4 0L0 6",
        'Y' => "M0 0L2 3L4 0M2 3V6",
        'Z' => "M0 0H4L0 6H4",
        '-' => "M0.6 3H3.4",
        '_' => "M0 6H4",
        '.' => "M1.8 5.8H2.2",
        '+' => "M2 1.4V4.6M0.4 3H3.6",
        '/' => "M0.4 6L3.6 0",
        '#' => "M1.2 0.6V5.4M2.8 0.6V5.4M0 2H4M0 4H4",
        '&' => "M4 6L1 1.6L2 0L3 1.2L0 4L0.6 6H2.4L4 4",
        '(' => "M2.8 0L1.6 1.4V4.6L2.8 6",
        ')' => "M1.2 0L2.4 1.4V4.6L1.2 6",
        _ => "",
    }
}

/// How far one letter's left edge is from the next one's.
const ADVANCE: f64 = 5.6;
const HEIGHT: f64 = 6.0;

/// Width in pixels of `text` written `height` pixels high.
pub fn width(text: &str, height: f64) -> f64 {
    let letters = text.chars().count() as f64;
    (letters * ADVANCE - (ADVANCE - 4.0)).max(0.0) * height / HEIGHT
}

/// Writes `text` (digits, Latin letters as capitals, a few signs; others are left blank) with its top left corner at
/// `x`, `y`, into `svg`.
pub fn write(svg: &mut String, text: &str, x: f64, y: f64, height: f64, color: &str) {
    let scale = height / HEIGHT;
    svg.push_str(&format!(
        r#"<g transform="translate({x:.2} {y:.2}) scale({scale:.3})" fill="none" stroke="{color}" stroke-width="{:.2}" stroke-linecap="round" stroke-linejoin="round">"#,
        1.25 / scale
    ));
    for (at, letter) in text.chars().enumerate() {
        let left = at as f64 * ADVANCE;
        svg.push_str(&format!(r#"<path transform="translate({left:.2} 0)" d="{}"/>"#, strokes(letter)));
    }
    svg.push_str("</g>");
}
