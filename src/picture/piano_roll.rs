//! A clip's notes as a piano roll: keys at the left, bars on top, velocities below.

use super::glyphs;
use crate::music::{Beats, Meter, Note};
use std::fmt::Write;

/// What a picture shows.
#[derive(Clone, Debug)]
pub struct PianoRoll {
    /// Also muted ones, which are drawn hollow. Times in quarter beats from the clip's beat 0.
    pub notes: Vec<Note>,
    pub meter: Meter,
    /// Start and end of what sounds; what lies outside is dimmed.
    pub region: (Beats, Beats),
    /// Where playing begins, if that is not where the region does.
    pub first_start: Option<Beats>,
    /// The clip's colour, 0xRRGGBB.
    pub color: u32,
    /// What pitches are called: pads. Written beside their rows instead of the octaves.
    pub row_names: Vec<(u8, String)>,
}

const BACKGROUND: &str = "#16181D";
const BLACK_ROW: &str = "#111317";
const WHITE_ROW: &str = "#1C1F26";
const BAR_LINE: &str = "#4A5160";
const BEAT_LINE: &str = "#2B2F38";
const OCTAVE_LINE: &str = "#343944";
const TEXT_COLOR: &str = "#9DA5B4";
const WHITE_KEY: &str = "#C9CDD6";
const BLACK_KEY: &str = "#2B2F38";

const WIDTH: f64 = 960.0;
/// Left of the rows: the keyboard with its names.
const KEYS_WIDTH: f64 = 44.0;
const NAMED_KEYS_WIDTH: f64 = 128.0;
/// Longer names of rows are cut.
const LONGEST_ROW_NAME: usize = 14;
const RULER_HEIGHT: f64 = 22.0;
/// The lane of velocities, with the gap above it.
const VELOCITIES_HEIGHT: f64 = 64.0;
const LANE_GAP: f64 = 8.0;
const MARGIN: f64 = 10.0;
/// Rows are as high as fits, in these bounds.
const ROWS_HEIGHT: f64 = 384.0;
const MAX_ROW_HEIGHT: f64 = 16.0;
const MIN_ROWS: i32 = 14;
/// Lines of beats are left out where they would stand closer than this, bar numbers where theirs would.
const MIN_BEAT_PIXELS: f64 = 9.0;
const MIN_NUMBER_PIXELS: f64 = 34.0;
const LETTER_HEIGHT: f64 = 8.0;
const NOTES_PER_LAYER: usize = 250;

/// A part of the picture, the size of the whole.
pub struct Layer {
    pub svg: String,
    /// How many notes it shows.
    pub notes: usize,
}

fn layer(layout: &Layout, content: &str, notes: usize) -> Layer {
    let (width, height) = (WIDTH, layout.height().ceil());
    let svg = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">{content}</svg>"#
    );
    Layer { svg, notes }
}

/// The scales of the picture: which times and pitches it shows, and how high a row is.
#[derive(Clone, Copy)]
struct Layout {
    start: Beats,
    end: Beats,
    lowest: i32,
    highest: i32,
    row: f64,
    /// Where the rows begin.
    left: f64,
}

impl Layout {
    fn x(&self, time: Beats) -> f64 {
        let share = (time - self.start) / (self.end - self.start);
        self.left + share.clamp(0.0, 1.0) * self.width()
    }

    /// Of the rows.
    fn width(&self) -> f64 {
        WIDTH - self.left - MARGIN
    }

    /// Top of a pitch's row.
    fn y(&self, pitch: i32) -> f64 {
        RULER_HEIGHT + f64::from(self.highest - pitch) * self.row
    }

    fn rows_end(&self) -> f64 {
        self.y(self.lowest - 1)
    }

    fn height(&self) -> f64 {
        self.rows_end() + LANE_GAP + VELOCITIES_HEIGHT + MARGIN
    }
}

fn is_black(pitch: i32) -> bool {
    matches!(pitch.rem_euclid(12), 1 | 3 | 6 | 8 | 10)
}

impl PianoRoll {
    /// The picture as SVG texts, 960 pixels wide, to be drawn one over the other. No layer has more than a few hundred
    /// notes, so that whoever draws them can stop soon.
    pub fn layers(&self) -> impl Iterator<Item = Layer> {
        let layout = self.layout();
        let mut ground = format!(r#"<rect width="{WIDTH}" height="{}" fill="{BACKGROUND}"/>"#, layout.height().ceil());
        rows(&layout, &mut ground);
        self.lines(&layout, &mut ground);
        self.outside(&layout, &mut ground);
        let ground = layer(&layout, &ground, 0);
        let notes = self.notes.chunks(NOTES_PER_LAYER).map(move |notes| {
            let mut svg = String::new();
            notes.iter().for_each(|note| self.note(&layout, note, &mut svg));
            layer(&layout, &svg, notes.len())
        });
        let velocities = self.notes.chunks(NOTES_PER_LAYER).map(move |notes| {
            let mut svg = String::new();
            notes.iter().for_each(|note| self.velocity(&layout, note, &mut svg));
            layer(&layout, &svg, notes.len())
        });
        let mut front = String::new();
        self.first_start(&layout, &mut front);
        self.keys(&layout, &mut front);
        let front = layer(&layout, &front, 0);
        std::iter::once(ground).chain(notes).chain(velocities).chain(std::iter::once(front))
    }

    fn layout(&self) -> Layout {
        let (mut start, mut end) = self.region;
        let (mut lowest, mut highest) = (i32::MAX, i32::MIN);
        for note in &self.notes {
            start = start.min(note.start);
            end = end.max(note.start + note.duration);
            lowest = lowest.min(i32::from(note.pitch));
            highest = highest.max(i32::from(note.pitch));
        }
        if lowest > highest {
            (lowest, highest) = (60, 60);
        }
        let missing = (MIN_ROWS - (highest - lowest + 1)).max(2);
        lowest = (lowest - missing / 2).max(0);
        highest = (highest + (missing + 1) / 2).min(127);
        let row = (ROWS_HEIGHT / f64::from(highest - lowest + 1)).min(MAX_ROW_HEIGHT);
        // A region always has a length; a picture needs one even so.
        let left = if self.row_names.is_empty() { KEYS_WIDTH } else { NAMED_KEYS_WIDTH };
        Layout { start, end: end.max(start + 1e-3), lowest, highest, row, left }
    }

    /// Bars with their numbers, and beats where there is room.
    fn lines(&self, layout: &Layout, svg: &mut String) {
        let pixels_per_beat = layout.width() / (layout.end - layout.start);
        let (bar, beat) = (self.meter.bar_length(), self.meter.beat_length());
        if beat * pixels_per_beat >= MIN_BEAT_PIXELS {
            each_multiple(layout, beat, |time| vertical(layout, layout.x(time), BEAT_LINE, svg));
        }
        let mut bars_per_number = 1.0;
        while bar * bars_per_number * pixels_per_beat < MIN_NUMBER_PIXELS {
            bars_per_number *= 2.0;
        }
        each_multiple(layout, bar * bars_per_number, |time| {
            let x = layout.x(time);
            vertical(layout, x, BAR_LINE, svg);
            let number = ((time / bar).round() as i64 + 1).to_string();
            if x + glyphs::width(&number, LETTER_HEIGHT) + 4.0 < WIDTH - MARGIN {
                glyphs::write(svg, &number, x + 4.0, 7.0, LETTER_HEIGHT, TEXT_COLOR);
            }
        });
    }

    fn outside(&self, layout: &Layout, svg: &mut String) {
        for (from, to) in [(layout.start, self.region.0), (self.region.1, layout.end)] {
            if to > from {
                let (x, width) = (layout.x(from), layout.x(to) - layout.x(from));
                let _ = write!(
                    svg,
                    r#"<rect x="{x:.1}" y="{RULER_HEIGHT}" width="{width:.1}" height="{:.1}" fill="{BACKGROUND}" fill-opacity="0.65"/>"#,
                    layout.height() - RULER_HEIGHT - MARGIN
                );
            }
        }
    }

    /// A note, as bright as it is loud; dashed when it may not play, hollow when it is muted.
    fn note(&self, layout: &Layout, note: &Note, svg: &mut String) {
        let (x, end) = (layout.x(note.start), layout.x(note.start + note.duration));
        let width = (end - x - 1.0).max(1.5);
        let (y, height) = (layout.y(i32::from(note.pitch)) + 0.5, (layout.row - 1.0).max(1.0));
        let color = self.color & 0xFF_FFFF;
        let loud = 0.35 + 0.65 * (note.velocity / 127.0).clamp(0.0, 1.0);
        let fill = if note.mute { 0.0 } else { loud };
        let dashes = if note.probability < 1.0 { r#" stroke-dasharray="3 2""# } else { "" };
        let _ = write!(
            svg,
            r##"<rect x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}" rx="1.5" fill="#{color:06X}" fill-opacity="{fill:.2}" stroke="#{color:06X}" stroke-width="1"{dashes}/>"##
        );
    }

    /// How loud a note is, below the rows. Of a muted one nothing is shown.
    fn velocity(&self, layout: &Layout, note: &Note, svg: &mut String) {
        if note.mute {
            return;
        }
        let (x, color) = (layout.x(note.start), self.color & 0xFF_FFFF);
        let base = layout.height() - MARGIN;
        let top = base - (note.velocity / 127.0).clamp(0.0, 1.0) * VELOCITIES_HEIGHT;
        let _ = write!(
            svg,
            r##"<path d="M{x:.1} {base:.1}V{top:.1}" stroke="#{color:06X}" stroke-width="2" stroke-opacity="0.8"/><circle cx="{x:.1}" cy="{top:.1}" r="2.5" fill="#{color:06X}"/>"##
        );
    }

    /// The keyboard, with the names of rows, or else of each C.
    fn keys(&self, layout: &Layout, svg: &mut String) {
        let left = layout.left - 14.0;
        for pitch in layout.lowest..=layout.highest {
            let (y, fill) = (layout.y(pitch), if is_black(pitch) { BLACK_KEY } else { WHITE_KEY });
            let _ = write!(
                svg,
                r#"<rect x="{left}" y="{:.2}" width="12" height="{:.2}" fill="{fill}"/>"#,
                y + 0.25,
                (layout.row - 0.5).max(0.5)
            );
            let named = self.row_names.iter().find(|(note, _)| i32::from(*note) == pitch);
            let name = match named {
                Some((_, name)) => name.chars().take(LONGEST_ROW_NAME).collect(),
                None if pitch % 12 == 0 && self.row_names.is_empty() => format!("C{}", pitch / 12 - 2),
                None => continue,
            };
            // Names of neighbours do not run into each other.
            let height = LETTER_HEIGHT.min((layout.row - 1.0).max(3.0));
            let height = if named.is_some() { height } else { LETTER_HEIGHT };
            let x = left - 4.0 - glyphs::width(&name, height);
            glyphs::write(svg, &name, x, y + layout.row / 2.0 - height / 2.0, height, TEXT_COLOR);
        }
    }

    /// A small flag on the ruler.
    fn first_start(&self, layout: &Layout, svg: &mut String) {
        if let Some(time) = self.first_start {
            let x = layout.x(time);
            let _ = write!(
                svg,
                r##"<path d="M{x:.1} {RULER_HEIGHT}V4L{:.1} 8.5L{x:.1} 13" fill="#E8EAEF" stroke="#E8EAEF"/>"##,
                x + 7.0
            );
        }
    }
}

fn rows(layout: &Layout, svg: &mut String) {
    for pitch in layout.lowest..=layout.highest {
        let (y, fill) = (layout.y(pitch), if is_black(pitch) { BLACK_ROW } else { WHITE_ROW });
        let (left, width) = (layout.left, layout.width());
        let _ =
            write!(svg, r#"<rect x="{left}" y="{y:.2}" width="{width}" height="{:.2}" fill="{fill}"/>"#, layout.row);
        if pitch % 12 == 0 {
            let below = y + layout.row;
            let _ = write!(svg, r#"<path d="M{left} {below:.2}h{width}" stroke="{OCTAVE_LINE}"/>"#);
        }
    }
    let (top, left, width) = (layout.rows_end() + LANE_GAP, layout.left, layout.width());
    let _ = write!(
        svg,
        r#"<rect x="{left}" y="{top:.1}" width="{width}" height="{VELOCITIES_HEIGHT}" fill="{WHITE_ROW}"/>"#
    );
}

fn vertical(layout: &Layout, x: f64, color: &str, svg: &mut String) {
    let (rows_end, lane) = (layout.rows_end(), layout.rows_end() + LANE_GAP);
    let _ = write!(
        svg,
        r#"<path d="M{x:.1} {RULER_HEIGHT}V{rows_end:.1}M{x:.1} {lane:.1}v{VELOCITIES_HEIGHT}" stroke="{color}"/>"#
    );
}

/// Every multiple of `step` that is in the picture.
fn each_multiple(layout: &Layout, step: Beats, mut draw: impl FnMut(Beats)) {
    let mut at = (layout.start / step - 1e-9).ceil();
    while at * step <= layout.end + 1e-9 {
        draw(at * step);
        at += 1.0;
    }
}
