//! The ruler above the Arrangement: bars, loop, start, locators.

use super::acts;
use super::input_gate::gained_keyboard;
use super::model::Action;
use super::shown::{Shown, ShownSet};
use super::style::{ACCENT, CARD, LINE, QUIET, RAISED, SMALL, TEXT};
use super::times::ShownMeter;
use super::widgets::{flash, focus_ring, line_in, press, tip};
use egui::{EventFilter, Key, PointerButton, Pos2, Rect, Sense, Shape, Stroke, Ui, Vec2, WidgetInfo};

pub const RULER: f32 = 44.0;
/// Bars' numbers are never nearer to each other.
const LEAST_STEP: f32 = 48.0;
/// How wide the name of a locator is at most, and the flag that has room for one at all.
const MOST_NAME: f32 = 160.0;
const LEAST_NAME: f32 = 28.0;

/// Where beats are on the screen.
pub struct Timeline {
    /// Of the first beat and the first lane.
    pub origin: Pos2,
    /// Points of a quarter.
    pub points: f32,
    /// What of it is in sight, in points from the first beat.
    pub from: f32,
    pub to: f32,
    /// Quarters in all.
    pub beats: f64,
}

impl Timeline {
    pub fn x(&self, beat: f64) -> f32 {
        self.origin.x + beat as f32 * self.points
    }

    /// The beat so many points from the first.
    pub fn beat_of(&self, points: f32) -> f64 {
        f64::from(points / self.points)
    }

    /// The beats at which numbered bars in sight begin.
    pub fn bars(&self, meter: ShownMeter) -> impl Iterator<Item = f64> {
        let bar = meter.bar();
        let mut step = 1.0_f64;
        while (step * bar) as f32 * self.points < LEAST_STEP {
            step *= 2.0;
        }
        let (unit, to) = (step * bar, self.beat_of(self.to).min(self.beats));
        let first = (self.beat_of(self.from) / unit).floor().max(0.0);
        (0_u32..).map(move |at| (first + f64::from(at)) * unit).take_while(move |beat| *beat < to)
    }
}

/// Draws it; what the user asked for is among `actions` then.
pub fn draw_ruler(
    ui: &mut Ui,
    place: Rect,
    shown: &Shown,
    set: &ShownSet,
    timeline: &Timeline,
    actions: &mut Vec<Action>,
) {
    let painter = ui.painter().clone();
    painter.rect_filled(place, 0, CARD);
    take_clicks(ui, place, shown, (set, timeline), actions);
    for beat in timeline.bars(set.meter) {
        let left = timeline.x(beat);
        painter.vline(left, place.y_range(), (1.0, LINE));
        let text = Rect::from_min_size(Pos2::new(left + 4.0, place.top() + 2.0), Vec2::new(40.0, 16.0));
        line_in(&painter, text, &set.meter.short_position(beat), (SMALL, QUIET));
    }
    let brace = &set.song.loop_brace;
    let span = Rect::from_min_max(
        Pos2::new(timeline.x(brace.start_beat), place.top() + 18.0),
        Pos2::new(timeline.x(brace.start_beat + brace.length_beats), place.top() + 23.0),
    );
    super::widgets::brace(&painter, span, brace.is_on);
    let start = Pos2::new(timeline.x(shown.start_beats(set)), place.top() + 16.0);
    let corners = vec![start, start + Vec2::new(8.0, 5.0), start + Vec2::new(0.0, 10.0)];
    painter.add(Shape::convex_polygon(corners, TEXT, Stroke::NONE));
    for locator in &set.locators {
        let left = timeline.x(locator.beat);
        let width = painter.layout_no_wrap(locator.name.clone(), super::style::font(SMALL), TEXT).size().x;
        // It ends before the next one.
        let behind = set.locators.iter().map(|other| other.beat).filter(|beat| *beat > locator.beat);
        let next = behind.min_by(f64::total_cmp).map_or(f32::INFINITY, |beat| timeline.x(beat) - left - 2.0);
        let size = Vec2::new((width.min(MOST_NAME) + 14.0).min(next), 18.0);
        let flag = Rect::from_min_size(Pos2::new(left, place.top() + 25.0), size);
        if !flag.intersects(place) {
            continue;
        }
        let response = press(ui, flag, ui.scope_id().with(locator.id), || format!("Start at {}", locator.name));
        painter.rect_filled(flag, 3, RAISED);
        painter.vline(left, flag.y_range(), (2.0, ACCENT));
        if flag.width() > LEAST_NAME {
            line_in(&painter, flag.shrink2(Vec2::new(7.0, 0.0)), &locator.name, (SMALL, TEXT));
        }
        flash(&painter, flag, shown.flash(locator.id));
        focus_ring(ui, &response, flag);
        if response.clicked() {
            actions.push(Action::Call(acts::set_start(locator.beat, set.meter)));
        }
        tip(&response, |ui| drop(ui.label(&locator.name)));
    }
    painter.hline(place.x_range(), place.bottom(), (1.0, LINE));
}

fn take_clicks(
    ui: &Ui,
    place: Rect,
    shown: &Shown,
    (set, timeline): (&ShownSet, &Timeline),
    actions: &mut Vec<Action>,
) {
    let response = ui.interact(place, ui.scope_id().with("start"), Sense::click());
    if response.clicked() {
        response.request_focus();
    }
    let start = shown.start_beats(set);
    let name = || format!("Start of the song, bar {}: a click sets it", set.meter.short_position(start));
    response.widget_info(|| WidgetInfo::slider(true, start, name()));
    let is_pointed = response.clicked_by(PointerButton::Primary);
    let clicked = response.interact_pointer_pos().filter(|_| is_pointed);
    if response.clicked() && !is_pointed {
        // Space or Enter: what one means after the start was set.
        actions.push(Action::Call(acts::play_or_stop(shown.is_playing())));
    }
    // To the beat below, as a hand in the dark means it.
    let mut next =
        clicked.map(|at| (timeline.beat_of(at.x - timeline.origin.x) / set.meter.beat()).floor() * set.meter.beat());
    if response.has_focus() {
        let filter = EventFilter { horizontal_arrows: true, ..EventFilter::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
        let presses = |key| ui.input(|input| input.num_presses(key)) as f64;
        let by = (presses(Key::ArrowRight) - presses(Key::ArrowLeft)) * set.meter.bar();
        // An arrow that comes before egui knows that this takes them goes on to something else.
        if by != 0.0 && !gained_keyboard(&response) {
            next = Some(start + by);
        }
    }
    focus_ring(ui, &response, place);
    if let Some(beat) = next {
        actions.push(Action::Call(acts::set_start(beat.max(0.0), set.meter)));
    }
    response.on_hover_text("A click sets where the song starts");
}
