//! What of a roll is in sight: where it opens, and a quiet word for the notes that are elsewhere.

use super::region;
use super::roll_plan::RollPlan;
use crate::music::text::counted;
use crate::set_view::{ClipView, NoteColumns};
use crate::window::style::{LINE, QUIET, RAISED, SMALL, TEXT};
use crate::window::widgets::{focus_ring, line_of, press};
use egui::{Id, Pos2, Rect, Stroke, StrokeKind, Ui, Vec2};

/// A hint, and what is beside its words.
const HINT: f32 = 22.0;
const BESIDE: f32 = 9.0;
/// From the edge of what is in sight.
const EDGE: f32 = 5.0;
/// The least that is drawn of a note.
pub const LEAST_NOTE: f32 = 3.0;

/// Where notes lie, from the left top of all lanes.
pub struct Lanes<'a> {
    pub notes: &'a NoteColumns,
    pub plan: &'a RollPlan,
    /// Of a quarter.
    pub points: f32,
    pub row: f32,
}

impl Lanes<'_> {
    pub fn size(&self) -> Vec2 {
        let beats = (self.plan.to - self.plan.from) as f32;
        Vec2::new(beats * self.points, self.plan.rows.len() as f32 * self.row)
    }

    fn x(&self, beat: f64) -> f32 {
        (beat - self.plan.from) as f32 * self.points
    }

    /// A note's place; `None` where it has no row.
    pub fn place(&self, pitch: u8, start: f64, length: f64) -> Option<Rect> {
        let row = self.plan.row(pitch)?;
        let min = Pos2::new(self.x(start), row as f32 * self.row);
        Some(Rect::from_min_size(min, Vec2::new((length as f32 * self.points).max(LEAST_NOTE), self.row)))
    }

    fn places(&self) -> impl Iterator<Item = Rect> {
        let lists = self.notes.pitch.iter().zip(&self.notes.start_beat).zip(&self.notes.length_beats);
        lists.filter_map(|((pitch, start), length)| self.place(*pitch, *start, *length))
    }

    /// What is to be scrolled away at first, so that the notes that play first are in sight, of which so much is seen.
    pub fn opens_at(&self, clip: &ClipView, seen: Vec2) -> Vec2 {
        let start = self.x(region(clip).0);
        let leftmost = |played: bool| {
            let lefts = self.places().filter(|note| !played || note.right() > start).map(|note| note.left());
            lefts.reduce(f32::min)
        };
        let first = leftmost(true).or_else(|| leftmost(false)).unwrap_or(start);
        // Where it starts to play, unless the first note is further away than that.
        let is_near = first >= start && first < start + seen.x;
        let x = if is_near { start } else { (first - self.points).max(0.0) };
        let in_sight = |note: &Rect| note.right() > x && note.left() < x + seen.x;
        let mut tops: Vec<f32> = self.places().filter(in_sight).map(|note| note.top()).collect();
        tops.sort_by(f32::total_cmp);
        // In the middle: all of them, or where half of them are above.
        let (Some(top), Some(last)) = (tops.first(), tops.last()) else { return Vec2::new(x, 0.0) };
        let half = tops.get(tops.len() / 2).unwrap_or(top);
        let (is_all, bottom) = (last + self.row - top <= seen.y, last + self.row);
        let middle = if is_all { f32::midpoint(*top, bottom) } else { half + self.row / 2.0 };
        let most = (self.size() - seen).max(Vec2::ZERO);
        Vec2::new(x, middle - seen.y / 2.0).clamp(Vec2::ZERO, most)
    }

    /// The notes that are out of sight, by the side where they are.
    pub fn unseen(&self, sight: Rect) -> [Unseen; 4] {
        let mut found = Unseen::NONE;
        let [above, below, left, right] = &mut found;
        // Of a note at the very edge something is seen.
        let sight = sight.shrink(1.0);
        for note in self.places() {
            above.take(note.bottom() <= sight.top(), note.top(), f32::max);
            below.take(note.top() >= sight.bottom(), note.bottom(), f32::min);
            left.take(note.right() <= sight.left(), note.left(), f32::max);
            right.take(note.left() >= sight.right(), note.left(), f32::min);
        }
        found
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Side {
    Above,
    Below,
    Left,
    Right,
}

impl Side {
    fn words(self) -> &'static str {
        match self {
            Side::Above => "above",
            Side::Below => "below",
            Side::Left => "further left",
            Side::Right => "further right",
        }
    }

    /// Where a hint of that size stands: each in a line of its own.
    fn place(self, sight: Rect, size: Vec2) -> Rect {
        let sight = sight.shrink(EDGE);
        let (center, half) = (sight.center(), size / 2.0);
        let at = match self {
            Side::Above => Pos2::new(center.x, sight.top() + half.y),
            Side::Below => Pos2::new(center.x, sight.bottom() - half.y),
            Side::Left => Pos2::new(sight.left() + half.x, sight.bottom() - HINT - EDGE - half.y),
            Side::Right => Pos2::new(sight.right() - half.x, sight.bottom() - 2.0 * (HINT + EDGE) - half.y),
        };
        Rect::from_center_size(at, size)
    }
}

/// Notes that are out of sight at one side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unseen {
    pub side: Side,
    pub count: usize,
    /// Where the nearest of them is, across or down.
    nearest: f32,
}

impl Unseen {
    const NONE: [Unseen; 4] =
        [Unseen::at(Side::Above), Unseen::at(Side::Below), Unseen::at(Side::Left), Unseen::at(Side::Right)];

    const fn at(side: Side) -> Unseen {
        Unseen { side, count: 0, nearest: 0.0 }
    }

    fn take(&mut self, is_there: bool, at: f32, nearer: fn(f32, f32) -> f32) {
        if is_there {
            self.nearest = if self.count == 0 { at } else { nearer(self.nearest, at) };
            self.count += 1;
        }
    }

    /// What is scrolled away once the nearest of them is in the middle.
    fn sought(&self, offset: Vec2, seen: Vec2, most: Vec2) -> Vec2 {
        let sought = match self.side {
            Side::Above | Side::Below => Vec2::new(offset.x, self.nearest - seen.y / 2.0),
            Side::Left | Side::Right => Vec2::new(self.nearest - seen.x / 2.0, offset.y),
        };
        sought.clamp(Vec2::ZERO, most)
    }
}

/// Draws a hint for each side where notes are out of sight; what is to be scrolled away once one was pressed.
pub fn draw_hints(ui: &Ui, id: Id, lanes: &Lanes<'_>, sight: Rect, offset: Vec2) -> Option<Vec2> {
    let mut sought = None;
    let seen = Rect::from_min_size(offset.to_pos2(), sight.size());
    for unseen in lanes.unseen(seen).into_iter().filter(|unseen| unseen.count > 0) {
        let words = format!("{} {}", counted(unseen.count, "note"), unseen.side.words());
        let galley = line_of(ui.painter(), sight.width(), &words, (SMALL, QUIET));
        let place = unseen.side.place(sight, Vec2::new(galley.size().x + 2.0 * BESIDE, HINT));
        let response = press(ui, place, id.with(unseen.side.words()), || words.clone());
        let painter = ui.painter();
        painter.rect_filled(place, HINT / 2.0, RAISED);
        painter.rect_stroke(place, HINT / 2.0, Stroke::new(1.0, LINE), StrokeKind::Inside);
        let color = if response.hovered() { TEXT } else { QUIET };
        let at = place.center() - galley.size() / 2.0;
        painter.galley_with_override_text_color(Pos2::new(at.x, at.y.round()), galley, color);
        focus_ring(ui, &response, place);
        if response.clicked() {
            sought = Some(unseen.sought(offset, sight.size(), (lanes.size() - sight.size()).max(Vec2::ZERO)));
        }
    }
    sought
}
