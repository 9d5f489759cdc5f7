//! Which of the many places of a tab egui is asked about in a frame. To ask about hundreds of them takes as long as to
//! draw them, and most frames of a playing Set come without any input.
//!
//! Where a frame, and the one before it, have no input, no button is down and nobody reads the tree for screen readers,
//! only the places near the pointer and the one with the keyboard are asked about. egui judges input by the places of
//! the frame before, so that the first input after such a frame waits for the next one, which comes at once and has
//! them all. See D238 in `docs/decisions.md`.

use super::widgets::{focus_ring, press, press_switch, tip};
use egui::{Context, Event, Id, Plugin, PointerButton, Pos2, RawInput, Rect, Response, Sense, Ui};

/// How near is near the pointer: farther than egui looks for something to press (5 points).
const NEAR: f32 = 16.0;
/// Frames without input before places are left out: what egui does a frame later is done by then.
const QUIET: u32 = 2;

/// Holds input back for a frame where the one before left places out, and where a drag would be over within one.
#[derive(Default)]
pub struct InputGate {
    held: Vec<Event>,
    /// The pointer's button is.
    is_down: bool,
    /// Frames since the last one with input.
    quiet: u32,
    /// The last frame left places out.
    left_out: bool,
    /// What had the keyboard when this frame began, and whether something else had it a frame before.
    focused: Option<Id>,
    is_focus_new: bool,
}

impl Plugin for InputGate {
    fn debug_name(&self) -> &'static str {
        "svc input gate"
    }

    fn on_begin_pass(&mut self, ui: &mut Ui) {
        let focused = ui.ctx().memory(|memory| memory.focused());
        self.is_focus_new = focused != self.focused;
        self.focused = focused;
    }

    fn input_hook(&mut self, ctx: &Context, input: &mut RawInput) {
        let left_out = std::mem::take(&mut self.left_out);
        if self.held.is_empty() && input.events.is_empty() {
            self.quiet = self.quiet.saturating_add(1);
            return;
        }
        self.quiet = 0;
        let held = std::mem::take(&mut self.held);
        input.events.splice(0..0, held);
        let taken = if left_out { 0 } else { self.whole_part(&input.events) };
        self.held = input.events.split_off(taken);
        if !self.held.is_empty() {
            ctx.request_repaint();
        }
    }
}

impl InputGate {
    /// How many of these events one frame may have. egui drags by what moves between the frame of a press and that of
    /// the release: a drag that is quicker than frames are would be none, or end short.
    fn whole_part(&mut self, events: &[Event]) -> usize {
        let (mut is_pressed, mut has_moved) = (false, false);
        for (at, event) in events.iter().enumerate() {
            match event {
                Event::PointerMoved(_) if self.is_down => {
                    if is_pressed {
                        return at;
                    }
                    has_moved = true;
                }
                Event::PointerButton { button: PointerButton::Primary, pressed, .. } => {
                    if has_moved && !pressed {
                        return at;
                    }
                    (self.is_down, is_pressed) = (*pressed, *pressed);
                }
                _ => {}
            }
        }
        events.len()
    }
}

/// Whether the keyboard came to something in this frame or at the end of the one before, as it does by an arrow, of
/// which egui does not tell.
pub fn gained_keyboard(response: &Response) -> bool {
    let is_new = || response.ctx.with_plugin(|gate: &mut InputGate| gate.is_focus_new) == Some(true);
    response.gained_focus() || response.has_focus() && is_new()
}

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct Reach {
    /// Every place is.
    is_whole: bool,
    pointer: Option<Pos2>,
    focused: Option<Id>,
}

impl Reach {
    /// Of this frame. A context without an [`InputGate`] asks about every place.
    pub fn of(ui: &Ui) -> Reach {
        let ctx = ui.ctx();
        let (pointer, is_down) = ctx.input(|input| (input.pointer.latest_pos(), input.pointer.any_down()));
        let focused = ctx.memory(|memory| memory.focused());
        let is_read = ctx.accesskit_node_builder(ui.unique_id(), |_| ()).is_some();
        let leaves_out = ctx.with_plugin(|gate: &mut InputGate| {
            gate.left_out = gate.quiet >= QUIET && !is_down && !is_read;
            gate.left_out
        });
        Reach { is_whole: leaves_out != Some(true), pointer, focused }
    }

    /// Nobody asks about what is beyond the edge, where places are for the keyboard alone.
    pub fn skips(&self, ui: &Ui, place: Rect) -> bool {
        !self.is_whole && self.focused.is_none() && !ui.is_rect_visible(place)
    }

    pub fn has(&self, place: Rect, id: Id) -> bool {
        self.is_whole
            || self.focused == Some(id)
            || self.pointer.is_some_and(|pointer| place.expand(NEAR).contains(pointer))
    }

    pub fn press(&self, ui: &Ui, place: Rect, id: Id, name: impl Fn() -> String) -> Touch {
        Touch(self.has(place, id).then(|| press(ui, place, id, name)))
    }

    pub fn press_switch(&self, ui: &Ui, place: Rect, id: Id, is_on: bool, name: impl Fn() -> String) -> Touch {
        Touch(self.has(place, id).then(|| press_switch(ui, place, id, is_on, name)))
    }

    pub fn hover(&self, ui: &Ui, place: Rect, id: Id) -> Touch {
        Touch(self.has(place, id).then(|| ui.interact(place, id, Sense::hover())))
    }
}

/// What the user does with a place: nothing where egui was not asked.
pub struct Touch(Option<Response>);

impl Touch {
    pub fn response(&self) -> Option<&Response> {
        self.0.as_ref()
    }

    pub fn hovered(&self) -> bool {
        self.0.as_ref().is_some_and(Response::hovered)
    }

    pub fn has_focus(&self) -> bool {
        self.0.as_ref().is_some_and(Response::has_focus)
    }

    pub fn clicked(&self) -> bool {
        self.0.as_ref().is_some_and(Response::clicked)
    }

    /// Twice, or by the keyboard, where there is no second click.
    pub fn is_opened(&self) -> bool {
        let opened = |response: &Response| response.double_clicked() || !response.clicked_by(PointerButton::Primary);
        self.clicked() && self.0.as_ref().is_some_and(opened)
    }

    /// Shows that the keyboard is here.
    pub fn ring(&self, ui: &Ui, place: Rect) {
        if let Some(response) = &self.0 {
            focus_ring(ui, response, place);
        }
    }

    /// Tells more of what the pointer is on.
    pub fn tip(&self, tell: impl FnOnce(&mut Ui)) {
        if let Some(response) = &self.0 {
            tip(response, tell);
        }
    }
}
