//! Which of the many places of a tab egui is asked about in a frame. To ask about hundreds of them takes as long as to
//! draw them, and most frames of a playing Set come without any input.
//!
//! Where a frame, and the one before it, have no input, no button is down and nobody reads the tree for screen readers,
//! only the places near the pointer and the one with the keyboard are asked about. egui judges input by the places of
//! the frame before, so that the first input after such a frame waits for the next one, which comes at once and has
//! them all. See D238 in `docs/decisions.md`.

use super::input_gate::InputGate;
use super::widgets::{focus_ring, press, press_switch, tip};
use egui::text_selection::LabelSelectionState;
use egui::{Id, PointerButton, Pos2, Rect, Response, Sense, Ui};

/// How near is near the pointer: farther than egui looks for something to press (5 points).
const NEAR: f32 = 16.0;

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
        // What is selected of a text is dropped where the text is gone.
        let is_selected = ctx.with_plugin(|selection: &mut LabelSelectionState| selection.has_selection());
        // What is typed would come a frame late.
        let is_written = ctx.text_edit_focused();
        let may_leave_out = !is_down && !is_read && is_selected != Some(true) && !is_written;
        let leaves_out = ctx.with_plugin(|gate: &mut InputGate| gate.leave_out(may_leave_out));
        Reach { is_whole: leaves_out != Some(true), pointer, focused }
    }

    /// Nobody asks about what is beyond the edge, where places are for the keyboard alone.
    pub fn skips(&self, ui: &Ui, place: Rect) -> bool {
        !self.is_whole && self.focused.is_none() && !ui.is_rect_visible(place)
    }

    /// Nobody does anything there or near it, and nobody reads it.
    pub fn is_far(&self, place: Rect) -> bool {
        let is_near = self.pointer.is_some_and(|pointer| place.expand(NEAR).contains(pointer));
        !self.is_whole && self.focused.is_none() && !is_near
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
