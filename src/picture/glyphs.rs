//! The few letters that a picture of notes needs, as strokes: a font would be larger than all the rest.

/// The strokes of a letter in a box 4 wide and 6 high, as SVG path data.
fn strokes(letter: char) -> &'static str {
    match letter {
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
        'C' => "M4 1L3 0H1L0 1V5L1 6H3L4 5",
        '-' => "M0.6 3H3.4",
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

/// Writes `text` (digits, `C` and `-`; others are left blank) with its top left corner at `x`, `y`, into `svg`.
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
