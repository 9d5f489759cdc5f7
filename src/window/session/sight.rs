//! Where the cells of the Session are, and which of them are in sight.

use egui::{Pos2, Rect, Vec2};
use std::ops::Range;

/// Width of a track and height of a scene, with the gap behind them.
const COLUMN: f32 = 136.0;
pub const ROW: f32 = 32.0;
pub const GAP: f32 = 4.0;
/// Where all tracks fit by it, they are narrower, down to this.
const LEAST_COLUMN: f32 = 108.0;

/// How wide a track is where so many share the room.
pub fn column_width(room: f32, columns: usize) -> f32 {
    let share = (room / columns.max(1) as f32).floor();
    if share >= LEAST_COLUMN { share.min(COLUMN) } else { COLUMN }
}

/// The cells that are in sight, and one beyond so that the keyboard gets there.
pub struct Sight {
    origin: Pos2,
    /// Width of a track, with the gap behind it.
    column: f32,
    pub columns: Range<usize>,
    pub rows: Range<usize>,
}

impl Sight {
    /// `origin` is where the first cell is on the screen, `viewport` what of all cells is seen.
    pub fn of(origin: Pos2, viewport: Rect, column: f32, (columns, rows): (usize, usize)) -> Sight {
        let range = |from: f32, to: f32, size: f32, count: usize| {
            let first = (from / size).floor().max(0.0) as usize;
            let last = (to / size).ceil().max(0.0) as usize + 1;
            first.saturating_sub(1).min(count)..last.min(count)
        };
        Sight {
            origin,
            column,
            columns: range(viewport.left(), viewport.right(), column, columns),
            rows: range(viewport.top(), viewport.bottom(), ROW, rows),
        }
    }

    pub fn left(&self, column: usize) -> f32 {
        self.origin.x + column as f32 * self.column
    }

    /// Width of a track, without the gap.
    pub fn width(&self) -> f32 {
        self.column - GAP
    }

    pub fn top(&self, row: usize) -> f32 {
        self.origin.y + row as f32 * ROW
    }

    pub fn cell(&self, column: usize, row: usize) -> Rect {
        let size = Vec2::new(self.width(), ROW - GAP);
        Rect::from_min_size(Pos2::new(self.left(column), self.top(row)), size)
    }
}
