//! Where the cells of the Session are, and which of them are in sight.

use egui::{Pos2, Rect, Vec2};
use std::ops::Range;

/// Width of a track and height of a scene, with the gap behind them.
pub const COLUMN: f32 = 136.0;
pub const ROW: f32 = 32.0;
pub const GAP: f32 = 4.0;

/// The cells that are in sight, and one beyond so that the keyboard gets there.
pub struct Sight {
    origin: Pos2,
    pub columns: Range<usize>,
    pub rows: Range<usize>,
}

impl Sight {
    /// `origin` is where the first cell is on the screen, `viewport` what of all cells is seen.
    pub fn of(origin: Pos2, viewport: Rect, (columns, rows): (usize, usize)) -> Sight {
        let range = |from: f32, to: f32, size: f32, count: usize| {
            let first = (from / size).floor().max(0.0) as usize;
            let last = (to / size).ceil().max(0.0) as usize + 1;
            first.saturating_sub(1).min(count)..last.min(count)
        };
        Sight {
            origin,
            columns: range(viewport.left(), viewport.right(), COLUMN, columns),
            rows: range(viewport.top(), viewport.bottom(), ROW, rows),
        }
    }

    pub fn left(&self, column: usize) -> f32 {
        self.origin.x + column as f32 * COLUMN
    }

    pub fn top(&self, row: usize) -> f32 {
        self.origin.y + row as f32 * ROW
    }

    pub fn cell(&self, column: usize, row: usize) -> Rect {
        let size = Vec2::new(COLUMN - GAP, ROW - GAP);
        Rect::from_min_size(Pos2::new(self.left(column), self.top(row)), size)
    }
}
