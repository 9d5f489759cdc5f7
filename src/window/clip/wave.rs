//! The waveform of an audio clip, over the clip's own time.

use super::{ClipTimes, RULER, draw_mark, draw_markers, draw_remark};
use crate::set_view::{ClipView, WaveformView};
use crate::window::shown::color;
use crate::window::style::{CARD, LINE};
use crate::window::times::ShownMeter;
use crate::window::widgets::playhead;
use egui::{Pos2, Rect, Role, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo};

/// Names of times in the ruler are never nearer to each other, in points.
const LEAST_STEP: f32 = 72.0;

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
    for at in marks(from, to, times.points, if clip.is_in_seconds { None } else { Some(meter) }) {
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

/// Where times are named: at beats or bars, or at parts and multiples of a second.
fn marks(from: f64, to: f64, points: f32, meter: Option<ShownMeter>) -> impl Iterator<Item = f64> {
    let fits = |unit: &f64| *unit as f32 * points >= LEAST_STEP;
    let unit = match meter {
        Some(meter) => {
            let longer = std::iter::successors(Some(meter.bar()), |unit| Some(unit * 2.0));
            [meter.beat() / 4.0, meter.beat()].into_iter().chain(longer).find(fits)
        }
        None => {
            let decades = std::iter::successors(Some(0.1), |unit| Some(unit * 10.0));
            decades.flat_map(|unit| [unit, unit * 2.0, unit * 5.0]).find(fits)
        }
    };
    let unit = unit.unwrap_or(to - from);
    let first = (from / unit - 1e-6).ceil();
    (0_u32..).map(move |at| (first + f64::from(at)) * unit).take_while(move |at| *at < to)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_named_at_beats_and_bars_or_parts_of_a_second() {
        let meter = Some(ShownMeter::of("3/4"));
        type Case<'a> = (f64, f64, f32, Option<ShownMeter>, &'a [f64]);
        let cases: [Case<'_>; 5] = [
            (0.0, 9.33, 100.0, meter, &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]),
            (-0.5, 9.0, 40.0, meter, &[0.0, 3.0, 6.0]),
            (1.0, 20.0, 15.0, meter, &[6.0, 12.0, 18.0]),
            (0.0, 0.7, 300.0, meter, &[0.0, 0.25, 0.5]),
            (0.25, 1.9, 150.0, None, &[0.5, 1.0, 1.5]),
        ];
        for (from, to, points, meter, expected) in cases {
            let found: Vec<f64> = marks(from, to, points, meter).collect();
            assert!(found.len() == expected.len(), "{found:?} {expected:?}");
            for (found, expected) in found.iter().zip(expected) {
                assert!((found - expected).abs() < 1e-9, "{found} {expected}");
            }
        }
    }
}
