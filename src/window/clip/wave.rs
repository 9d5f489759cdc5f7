//! The waveform of an audio clip, over the clip's own time.

use super::{ClipTimes, RULER, draw_mark, draw_markers, draw_remark};
use crate::set_view::{ClipView, WaveformView};
use crate::window::shown::color;
use crate::window::style::{CARD, LINE};
use crate::window::times::ShownMeter;
use crate::window::widgets::playhead;
use egui::{Pos2, Rect, Role, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo};

/// Names of times in the ruler.
const MARKS: u8 = 8;

/// Draws it; `beat` is where the clip plays.
pub fn draw_wave(ui: &mut Ui, place: Rect, clip: &ClipView, wave: &WaveformView, beat: Option<f64>) {
    let frame = ui.interact(place, ui.scope_id().with("wave"), Sense::hover());
    let name = || format!("Waveform of {}, {:.2} seconds", wave.file, wave.seconds);
    frame.widget_info(|| WidgetInfo::labeled(Role::Image, true, name()));
    let brace = &clip.loop_brace;
    let from = brace.start_beat.min(clip.markers.start_beat);
    let to = clip.markers.end_beat.max(brace.start_beat + brace.length_beats).max(from + 0.01);
    let times = ClipTimes { from, left: place.left(), points: place.width() / (to - from) as f32 };
    let painter = ui.painter().with_clip_rect(place);
    let area = Rect::from_min_max(place.min + Vec2::new(0.0, RULER), place.max);
    painter.rect_filled(area, 0, CARD);
    painter.hline(area.x_range(), area.center().y, (1.0, LINE));
    let meter = ShownMeter::of(&clip.meter);
    for mark in 0..MARKS {
        let at = from + (to - from) * f64::from(mark) / f64::from(MARKS);
        let text = if clip.is_in_seconds { format!("{at:.1} s") } else { meter.position(at) };
        draw_mark(&painter, place, times.x(at), &text);
    }
    draw_peaks(&painter, area, clip, wave, (from, to));
    draw_markers(&painter, place, clip, &times);
    if let Some(beat) = beat {
        playhead(&painter, times.x(beat), area.y_range());
    }
    painter.rect_stroke(place, 0, Stroke::new(1.0, LINE), StrokeKind::Inside);
    if let Some(why) = &wave.why {
        draw_remark(&painter, area, why);
    }
}

fn draw_peaks(painter: &egui::Painter, area: Rect, clip: &ClipView, wave: &WaveformView, (from, to): (f64, f64)) {
    if wave.peaks.is_empty() || wave.seconds <= 0.0 {
        return;
    }
    let (middle, half) = (area.center().y, area.height() / 2.0 - 6.0);
    let fill = color(&clip.color);
    let count = wave.peaks.len();
    let index = |pixel: f32| {
        let beat = from + f64::from(pixel / area.width()) * (to - from);
        (seconds_at(beat, clip, wave) / wave.seconds * count as f64).floor()
    };
    let mut left = 0.0;
    while left < area.width() {
        let first = index(left);
        let last = (index(left + 1.0) - 1.0).max(first);
        if last >= 0.0 && first < count as f64 {
            let parts = wave.peaks.get(first.max(0.0) as usize..=(last as usize).min(count - 1)).unwrap_or_default();
            let low = parts.iter().fold(0.0, |low: f32, peak| low.min(peak.0));
            let high = parts.iter().fold(0.0, |high: f32, peak| high.max(peak.1));
            let top = Pos2::new(area.left() + left, middle - high * half);
            let size = Vec2::new(1.0, ((high - low) * half).max(1.0));
            painter.rect_filled(Rect::from_min_size(top, size), 0, fill);
        }
        left += 1.0;
    }
}

/// Where in the file a time of the clip is, by straight lines between its warp markers.
fn seconds_at(beat: f64, clip: &ClipView, wave: &WaveformView) -> f64 {
    if clip.is_in_seconds {
        return beat;
    }
    let marks = &wave.warp_markers;
    let after = marks.partition_point(|(at, _)| *at <= beat).clamp(1, marks.len().max(2) - 1);
    match (marks.get(after - 1), marks.get(after)) {
        (Some(from), Some(to)) if to.0 > from.0 => from.1 + (beat - from.0) / (to.0 - from.0) * (to.1 - from.1),
        _ if clip.length_beats > 0.0 => beat / clip.length_beats * wave.seconds,
        _ => 0.0,
    }
}
