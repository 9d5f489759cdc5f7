//! How large the window is and what it shows, kept with the device's settings.

use super::tab::Tab;
use egui::{Context, Vec2};
use std::time::{Duration, Instant};

pub use crate::service::settings::WindowPlace;

/// The least that it may be, in points at 100 percent.
pub const LEAST_SIZE: (f64, f64) = (800.0, 480.0);
/// A size is kept once it has been for so long.
const SETTLED: Duration = Duration::from_millis(800);

/// Says when there is something to be kept.
#[derive(Default)]
pub struct PlaceKeeper {
    kept: WindowPlace,
    seen: Option<(WindowPlace, Instant)>,
}

impl PlaceKeeper {
    /// Of a window that was just opened: takes up the size of its letters, and gives its tab.
    pub fn restore(&mut self, ctx: &Context, kept: &WindowPlace) -> Tab {
        self.kept = kept.clone();
        self.seen = None;
        ctx.set_zoom_factor(kept.scale());
        Tab::from_name(&kept.tab)
    }

    /// What is to be kept now, if it is another than what was. Called in each frame.
    pub fn changed(&mut self, ctx: &Context, tab: Tab) -> Option<WindowPlace> {
        let Vec2 { x, y } = ctx.content_rect().size();
        let percent = (ctx.zoom_factor() * 100.0).round() as u16;
        let tab = tab.name().to_owned();
        let now = WindowPlace { tab, width: x.round() as u16, height: y.round() as u16, percent };
        if now == self.kept {
            self.seen = None;
            return None;
        }
        match &self.seen {
            Some((seen, since)) if *seen == now => {
                let left = SETTLED.saturating_sub(since.elapsed());
                if left.is_zero() {
                    self.kept = now.clone();
                    return Some(now);
                }
                ctx.request_repaint_after(left);
            }
            _ => {
                self.seen = Some((now, Instant::now()));
                ctx.request_repaint_after(SETTLED);
            }
        }
        None
    }
}
