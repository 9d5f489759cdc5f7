//! A stretch of sound as a picture: its waveform over its spectrogram, with bars on top.

use super::glyphs;
use super::png::Canvas;
use super::{PREFIX, PictureError};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::fmt::Write;

/// Columns that a picture has room for.
pub const MOST_COLUMNS: usize = 880;
/// Bands of a column, from [`LOWEST_HZ`] to [`HIGHEST_HZ`], each as wide as the others to the ear.
pub const BANDS: usize = 144;
pub const LOWEST_HZ: f64 = 30.0;
pub const HIGHEST_HZ: f64 = 18_000.0;

/// A moment of the sound.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// The lowest and the highest sample of both channels.
    pub lowest: f32,
    pub highest: f32,
    /// The power of each band from the lowest on, dB below full scale.
    pub bands_db: [f32; BANDS],
}

/// What a picture shows.
#[derive(Clone, Debug)]
pub struct SoundPicture {
    /// At most [`MOST_COLUMNS`], each as long as the others.
    pub columns: Vec<Column>,
    pub seconds: f64,
    /// Where bars begin: seconds of the first, and its number.
    pub first_bar: (f64, i64),
    pub bar_seconds: f64,
    /// Where what was asked for ends, and a tail begins.
    pub end_seconds: f64,
}

const WIDTH: usize = 960;
const LEFT: usize = 56;
const RULER: usize = 20;
const WAVE: usize = 112;
const GAP: usize = 10;
const BAND_PIXELS: usize = 2;
const MARGIN: usize = 10;
const HEIGHT: usize = RULER + WAVE + GAP + BANDS * BAND_PIXELS + MARGIN;
const SPECTRUM_TOP: usize = RULER + WAVE + GAP;

const BACKGROUND: [u8; 3] = [0x16, 0x18, 0x1D];
const LANE: [u8; 3] = [0x1C, 0x1F, 0x26];
const WAVE_COLOR: [u8; 3] = [0x5E, 0xC4, 0xB0];
/// What stands at full scale.
const FULL_COLOR: [u8; 3] = [0xFF, 0x5A, 0x4F];
const FULL_SCALE: f32 = 0.999_9;
const TEXT_COLOR: &str = "#9DA5B4";
const LINE_COLOR: &str = "#FFFFFF";
/// From here on up the spectrogram is brighter; below it is dark.
const DARK_DB: f32 = -96.0;
const BRIGHT_DB: f32 = -8.0;
const LETTER_HEIGHT: f64 = 8.0;
const MIN_NUMBER_PIXELS: f64 = 34.0;

/// From dark to bright, evenly.
const HEAT: [[u8; 3]; 7] = [
    [0x12, 0x14, 0x1A],
    [0x22, 0x1E, 0x4A],
    [0x5A, 0x1F, 0x75],
    [0xA3, 0x2F, 0x6C],
    [0xE2, 0x5C, 0x48],
    [0xF9, 0xA8, 0x3C],
    [0xFB, 0xF3, 0xB0],
];

impl SoundPicture {
    /// The picture as a data URL, 960 pixels wide.
    pub fn data_url(&self) -> Result<String, PictureError> {
        Ok(format!("{PREFIX}{}", STANDARD.encode(self.png()?)))
    }

    /// The same as the bytes of a PNG file.
    pub fn png(&self) -> Result<Vec<u8>, PictureError> {
        let mut pixels = Pixels::new();
        self.wave(&mut pixels);
        self.spectrogram(&mut pixels);
        let mut canvas = Canvas::of_pixels(WIDTH as u32, HEIGHT as u32, &pixels.0)?;
        canvas.draw(&self.lines())?;
        canvas.into_png()
    }

    /// What is shown at a pixel; `None` behind the end.
    fn column(&self, x: usize) -> Option<&Column> {
        self.columns.get(x * self.columns.len() / MOST_COLUMNS)
    }

    fn wave(&self, pixels: &mut Pixels) {
        for x in 0..MOST_COLUMNS {
            let Some(column) = self.column(x) else { continue };
            let y = |value: f32| RULER as f32 + (1.0 - value.clamp(-1.0, 1.0)) * 0.5 * (WAVE - 1) as f32;
            let (top, bottom) = (y(column.highest).round() as usize, y(column.lowest).round() as usize);
            let is_full = column.highest >= FULL_SCALE || column.lowest <= -FULL_SCALE;
            for row in RULER..RULER + WAVE {
                let is_wave = (top..=bottom).contains(&row);
                let color = if is_wave && is_full { FULL_COLOR } else { WAVE_COLOR };
                pixels.set(LEFT + x, row, if is_wave { color } else { LANE });
            }
        }
    }

    fn spectrogram(&self, pixels: &mut Pixels) {
        for x in 0..MOST_COLUMNS {
            let Some(column) = self.column(x) else { continue };
            for (band, db) in column.bands_db.iter().enumerate() {
                let top = SPECTRUM_TOP + (BANDS - 1 - band) * BAND_PIXELS;
                (top..top + BAND_PIXELS).for_each(|row| pixels.set(LEFT + x, row, heat(*db)));
            }
        }
    }

    /// Bars with their numbers, frequencies, the tail.
    fn lines(&self) -> String {
        let mut svg = format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}">"#
        );
        let x = |seconds: f64| LEFT as f64 + seconds / self.seconds.max(1e-9) * MOST_COLUMNS as f64;
        let bottom = HEIGHT - MARGIN;
        let (first, number) = self.first_bar;
        let pixels_per_bar = x(self.bar_seconds) - x(0.0);
        let mut step = 1;
        while pixels_per_bar * f64::from(step) < MIN_NUMBER_PIXELS && step < 1 << 20 {
            step *= 2;
        }
        let bars = ((self.end_seconds - first) / self.bar_seconds.max(1e-6)).clamp(0.0, 1e6) as i64;
        for bar in (0..=bars).filter(|bar| (number + bar - 1) % i64::from(step) == 0) {
            let at = x(first + bar as f64 * self.bar_seconds);
            if at > WIDTH as f64 - 2.0 * MARGIN as f64 {
                break;
            }
            let _ = write!(svg, r#"<path d="M{at:.1} {RULER}V{bottom}" stroke="{LINE_COLOR}" stroke-opacity="0.16"/>"#);
            glyphs::write(&mut svg, &(number + bar).to_string(), at + 3.0, 6.0, LETTER_HEIGHT, TEXT_COLOR);
        }
        for (hz, name) in [(100.0, "100 HZ"), (1_000.0, "1 KHZ"), (10_000.0, "10 KHZ")] {
            let place = (hz / LOWEST_HZ).ln() / (HIGHEST_HZ / LOWEST_HZ).ln();
            let y = (SPECTRUM_TOP + BANDS * BAND_PIXELS) as f64 - place * (BANDS * BAND_PIXELS) as f64;
            let (right, end) = (LEFT as f64 - 6.0, LEFT + MOST_COLUMNS);
            let _ = write!(svg, r#"<path d="M{LEFT} {y:.1}H{end}" stroke="{LINE_COLOR}" stroke-opacity="0.1"/>"#);
            let left = right - glyphs::width(name, LETTER_HEIGHT - 1.0);
            glyphs::write(&mut svg, name, left, y - 3.5, LETTER_HEIGHT - 1.0, TEXT_COLOR);
        }
        if self.end_seconds < self.seconds {
            let at = x(self.end_seconds);
            let _ = write!(
                svg,
                r#"<path d="M{at:.1} {RULER}V{bottom}" stroke="{LINE_COLOR}" stroke-opacity="0.5" stroke-dasharray="3 3"/>"#
            );
        }
        svg.push_str("</svg>");
        svg
    }
}

fn heat(db: f32) -> [u8; 3] {
    let place = ((db - DARK_DB) / (BRIGHT_DB - DARK_DB)).clamp(0.0, 1.0) * (HEAT.len() - 1) as f32;
    let at = (place as usize).min(HEAT.len() - 2);
    let share = place - at as f32;
    let (Some(low), Some(high)) = (HEAT.get(at), HEAT.get(at + 1)) else { return BACKGROUND };
    let mut color = *low;
    for (channel, high) in color.iter_mut().zip(high) {
        *channel = (f32::from(*channel) + share * (f32::from(*high) - f32::from(*channel))).round() as u8;
    }
    color
}

/// Red, green, blue and 255 for each pixel, row by row.
struct Pixels(Vec<u8>);

impl Pixels {
    fn new() -> Pixels {
        let [red, green, blue] = BACKGROUND;
        Pixels([red, green, blue, 255].repeat(WIDTH * HEIGHT))
    }

    fn set(&mut self, x: usize, y: usize, color: [u8; 3]) {
        let at = 4 * (y * WIDTH + x);
        if let Some(pixel) = self.0.get_mut(at..at + 3) {
            pixel.copy_from_slice(&color);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(columns: usize, seconds: f64) -> SoundPicture {
        let column = Column { lowest: -0.5, highest: 0.5, bands_db: [-30.0; BANDS] };
        let columns = vec![column; columns];
        SoundPicture { columns, seconds, first_bar: (0.0, 1), bar_seconds: 2.0, end_seconds: seconds * 0.9 }
    }

    #[test]
    fn any_stretch_can_be_drawn() {
        for (columns, seconds) in [(0, 0.0), (1, 0.02), (500, 10.0), (MOST_COLUMNS, 3_600.0)] {
            let url = picture(columns, seconds).data_url().expect("a picture");
            assert!(url.starts_with(PREFIX), "{columns}");
            let lines = picture(columns, seconds).lines();
            assert!(lines.len() < 60_000, "{columns}: {}", lines.len());
        }
    }

    #[test]
    fn louder_is_brighter() {
        let light = |db: f32| heat(db).iter().map(|c| u32::from(*c)).sum::<u32>();
        assert_eq!((heat(-200.0), heat(0.0)), (HEAT[0], HEAT[6]));
        assert!((-95..-12).all(|db| light(db as f32) < light(db as f32 + 4.0)));
    }
}
