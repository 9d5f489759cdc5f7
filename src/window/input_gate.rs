//! How input comes to the frames: held back where the frame before left places out, and where a drag would be over
//! within one frame; and to what the keyboard came.

use egui::{Context, Event, Id, Plugin, PointerButton, RawInput, Response, Ui};

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
    /// Whether this frame, and the one before it, have no input, so that places may be left out if `leaves_out`.
    pub fn leave_out(&mut self, leaves_out: bool) -> bool {
        self.left_out = self.quiet >= QUIET && leaves_out;
        self.left_out
    }

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
