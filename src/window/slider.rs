//! A fader, a pan or a send: dragged, turned by the keyboard's arrows, put back by a double-click. One drag is one
//! gesture, and so are presses of a key that follow each other.

use super::acts::new_gesture;
use super::input_gate::gained_keyboard;
use super::reach::Reach;
use super::sheet::Sheet;
use super::style::{LINE, TEXT, WELL};
use super::widgets::{focus_ring, tip};
use egui::accesskit::Action as Ask;
use egui::{EventFilter, Id, Key, Pos2, Rect, Response, Sense, Ui, Vec2, WidgetInfo};

/// Seconds after which a value that was set by hand is the Set's again, and a key begins a gesture of its own.
const HELD: f64 = 0.5;
/// As a part of the whole: so near is the Set's value, which is rounded, to the one that was set.
const ARRIVED: f64 = 0.01;

/// What the user's hand is on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Held {
    control: Option<HeldControl>,
}

#[derive(Clone, Copy, Debug)]
struct HeldControl {
    id: Id,
    /// The value as the hand has it; the Set's is a moment behind.
    value: f64,
    gesture: u64,
    until: f64,
    /// The Set has it, so that another value there is somebody's edit, or an undo.
    has_arrived: bool,
}

/// What sliders are drawn with.
pub struct Desk<'a, 's> {
    pub reach: Reach,
    pub held: &'a mut Held,
    pub sheet: &'a mut Sheet<'s>,
}

/// What a slider shows.
pub struct Slider<'a> {
    pub name: &'a dyn Fn() -> String,
    pub value: f64,
    pub lowest: f64,
    pub highest: f64,
    /// Where a double-click puts it.
    pub reset: f64,
    pub is_vertical: bool,
    /// A value in words.
    pub text: &'a dyn Fn(f64) -> String,
}

impl Slider<'_> {
    /// Draws it; the value that the user set, and the gesture that it is a part of.
    pub fn draw(&self, ui: &Ui, desk: Desk<'_, '_>, place: Rect, id: Id) -> Option<(f64, u64)> {
        let Desk { reach, held, sheet } = desk;
        if !reach.has(place, id) && held.control.is_none_or(|control| control.id != id) {
            self.paint(sheet, place, self.value);
            return None;
        }
        let response = ui.interact(place, id, Sense::click_and_drag());
        if response.clicked() || response.drag_started() {
            response.request_focus();
        }
        let now = ui.input(|input| input.time);
        // A drag begins at what is shown, whatever the drag before it left.
        let is_in_drag = response.dragged() && !response.drag_started();
        self.look_for_edits(held, id, is_in_drag);
        let mine = held.control.filter(|control| control.id == id && (now < control.until || is_in_drag));
        let value = mine.map_or(self.value, |control| control.value);
        let next = self.moved(ui, &response, place, value);
        let is_new = response.drag_started() || mine.is_none();
        let shown = next.unwrap_or(value);
        let changed = next.filter(|next| *next != value).map(|next| {
            let gesture = mine.filter(|_| !is_new).map_or_else(new_gesture, |control| control.gesture);
            held.control = Some(HeldControl { id, value: next, gesture, until: now + HELD, has_arrived: false });
            (next, gesture)
        });
        if response.drag_started() && changed.is_none() {
            let gesture = new_gesture();
            held.control = Some(HeldControl { id, value, gesture, until: now + HELD, has_arrived: false });
        }
        response.widget_info(|| WidgetInfo::slider(ui.is_enabled(), shown, (self.name)()));
        self.paint(sheet, place, shown);
        focus_ring(ui, &response, place.expand(2.0));
        let told = || format!("{}: {}", (self.name)(), (self.text)(shown));
        if response.dragged() {
            response.show_tooltip_text(told());
        } else {
            tip(&response, |ui| drop(ui.label(told())));
        }
        changed
    }

    /// Lets go of what was set by hand where the Set had it and has another value now.
    fn look_for_edits(&self, held: &mut Held, id: Id, is_in_drag: bool) {
        let Some(control) = held.control.as_mut().filter(|control| control.id == id) else { return };
        let is_there = (self.value - control.value).abs() <= ARRIVED * (self.highest - self.lowest);
        if control.has_arrived && !is_there && !is_in_drag {
            held.control = None;
        } else {
            control.has_arrived |= is_there;
        }
    }

    /// Where the user has moved it in this frame.
    fn moved(&self, ui: &Ui, response: &Response, place: Rect, value: f64) -> Option<f64> {
        if response.double_clicked() {
            return Some(self.reset);
        }
        let span = self.highest - self.lowest;
        if !response.dragged() && !response.has_focus() {
            return None;
        }
        let is_fine = ui.input(|input| input.modifiers.shift);
        if response.dragged() {
            let delta = response.drag_delta();
            let (way, length) = if self.is_vertical { (-delta.y, place.height()) } else { (delta.x, place.width()) };
            let part = f64::from(way / (length - 12.0).max(1.0)) * if is_fine { 0.1 } else { 1.0 };
            return Some((value + part * span).clamp(self.lowest, self.highest));
        }
        let filter = EventFilter {
            horizontal_arrows: !self.is_vertical,
            vertical_arrows: self.is_vertical,
            ..EventFilter::default()
        };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
        // Until the frame after this one egui does not know it, and an arrow goes on to something else.
        if gained_keyboard(response) {
            return None;
        }
        let (up, down) =
            if self.is_vertical { (Key::ArrowUp, Key::ArrowDown) } else { (Key::ArrowRight, Key::ArrowLeft) };
        let steps = ui.input(|input| {
            let pressed = |key, ask| input.num_presses(key) + input.num_accesskit_action_requests(response.id, ask);
            pressed(up, Ask::Increment) as f64 - pressed(down, Ask::Decrement) as f64
        });
        let step = span * if is_fine { 0.002 } else { 0.02 };
        (steps != 0.0).then(|| (value + steps * step).clamp(self.lowest, self.highest))
    }

    fn paint(&self, sheet: &mut Sheet<'_>, place: Rect, value: f64) {
        let part = ((value - self.lowest) / (self.highest - self.lowest)).clamp(0.0, 1.0) as f32;
        let (center, thumb) =
            (place.center(), if self.is_vertical { Vec2::new(20.0, 10.0) } else { Vec2::new(8.0, 14.0) });
        let (track, at) = if self.is_vertical {
            let track = Rect::from_center_size(center, Vec2::new(4.0, place.height()));
            (track, Pos2::new(center.x, place.bottom() - 6.0 - part * (place.height() - 12.0)))
        } else {
            let track = Rect::from_center_size(center, Vec2::new(place.width(), 4.0));
            (track, Pos2::new(place.left() + 5.0 + part * (place.width() - 10.0), center.y))
        };
        sheet.framed(track, 2, (LINE, WELL));
        sheet.fill(Rect::from_center_size(at, thumb), 3, TEXT);
    }
}
