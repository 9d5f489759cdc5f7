//! The Activity tab: the last calls, the newest first: who, what it did, and the way back.

use super::acts;
use super::model::{Action, WindowModel};
use super::shown::{Shown, ShownCall};
use super::style::{ACCENT, GROUND, LINE, NORMAL, QUIET, ROUND, SMALL, TEXT, WARN};
use super::teach::{curl, draw_no_call};
use super::widgets::{in_place_of_tab, line_in, text_in, toggle_button};
use crate::music::text::counted;
use egui::{Align2, Button, Pos2, Rect, RichText, Role, ScrollArea, Sense, Ui, UiBuilder, Vec2, WidgetInfo};
use std::time::Duration;

const ROW: f32 = 56.0;
/// Where all of a call is in one line, from this width on.
const LOW_ROW: f32 = 40.0;
const WIDE: f32 = 1_200.0;
/// The buttons at the right.
const BUTTONS: f32 = 224.0;
/// A window that is narrower has smaller columns.
const ROOMY: f32 = 900.0;

/// What the user is in the middle of.
#[derive(Clone, Debug, Default)]
pub struct ActivityDrafts {
    /// What page and window only asked is listed too.
    lists_questions: bool,
    /// The newest call that is listed while the pointer is on a row's buttons: rows must not move below it.
    held: Option<u64>,
    /// The call that was copied last, and when by the window's own time, in seconds.
    copied: Option<(u64, f64)>,
}

/// How long a button says that it has copied, in seconds.
const COPIED: f64 = 2.0;

/// A row of the list: a call, or calls of one gesture, of which the newest is told.
struct CallRow<'a> {
    call: &'a ShownCall,
    count: usize,
    /// The number of the first of them.
    oldest: u64,
    /// Its step was undone, whether it can be redone or not.
    is_undone: bool,
}

/// The newest first.
fn rows<'a>(shown: &'a Shown, lists_questions: bool) -> Vec<CallRow<'a>> {
    let mut rows: Vec<CallRow<'a>> = Vec::new();
    let now = shown.set.as_ref().map(|set| set.song.history_step);
    // The lowest step that one of the calls after this one stands on, and whether one of them undid something: the Set
    // is shown a little later than a call that changed it.
    let (mut lowest, mut was_undone) = (u64::MAX, false);
    for call in shown.calls.iter().filter(|call| lists_questions || !call.is_question) {
        match rows.last_mut() {
            Some(row) if row.call.is_of_gesture_of(call) => {
                row.count += 1;
                row.oldest = call.id;
            }
            _ => {
                let is_gone = call.step.is_some_and(|step| step > lowest);
                let is_ahead = was_undone && call.step.zip(now).is_some_and(|(step, now)| step > now);
                was_undone |= call.undoes;
                if let Some(follows) = call.follows_step.filter(|_| !is_gone) {
                    lowest = lowest.min(follows);
                }
                rows.push(CallRow { call, count: 1, oldest: call.id, is_undone: is_gone || is_ahead });
            }
        }
    }
    rows
}

/// Draws the tab; what the user asked for is among `actions` then.
pub fn draw_activity(ui: &mut Ui, model: &WindowModel, drafts: &mut ActivityDrafts, actions: &mut Vec<Action>) {
    let shown = &*model.shown;
    if shown.calls.is_empty() && !shown.are_calls_read {
        in_place_of_tab(ui, "Reading the calls…");
        return;
    }
    let mut rows = rows(shown, drafts.lists_questions);
    let more = hold(ui, shown, &mut rows, drafts);
    let questions = shown.calls.iter().filter(|call| call.is_question).count();
    if rows.is_empty() {
        egui::Frame::new().inner_margin(16).show(ui, |ui| {
            draw_no_call(ui, model, actions);
            draw_questions(ui, questions, drafts);
        });
        return;
    }
    let area = ui.available_rect_before_wrap();
    ui.spacing_mut().item_spacing.y = 0.0;
    let height = if ui.available_width() >= WIDE { LOW_ROW } else { ROW };
    // What lists the questions stands below the last call.
    let count = rows.len() + usize::from(questions > 0);
    ScrollArea::vertical().id_salt("calls").auto_shrink(false).show_rows(ui, height, count, |ui, seen| {
        for at in seen {
            match rows.get(at) {
                Some(row) => draw_call(ui, model, (row, height), &mut drafts.copied, actions),
                None => draw_questions(ui, questions, drafts),
            }
        }
    });
    if more > 0 {
        let text = counted(more, "new call");
        let place = Rect::from_min_size(area.min + Vec2::new(area.width() / 2.0 - 60.0, 6.0), Vec2::new(120.0, 24.0));
        ui.painter().rect_filled(place, ROUND, ACCENT);
        text_in(ui.painter(), place, &text, (SMALL, GROUND), Align2::CENTER_CENTER);
    }
}

/// Leaves out the calls that came while the pointer is on what acts on one; how many.
fn hold(ui: &Ui, shown: &Shown, rows: &mut Vec<CallRow<'_>>, drafts: &mut ActivityDrafts) -> usize {
    let area = ui.available_rect_before_wrap();
    let buttons = Rect::from_min_max(Pos2::new(area.right() - 16.0 - BUTTONS, area.top()), area.max);
    let is_pointed = ui.ctx().pointer_hover_pos().is_some_and(|at| buttons.contains(at));
    drafts.held = if is_pointed { drafts.held.or(shown.calls.first().map(|call| call.id)) } else { None };
    let held = drafts.held.unwrap_or(u64::MAX);
    let more = rows.iter().take_while(|row| row.oldest > held).count();
    rows.drain(..more).count()
}

/// What lists them, or leaves them out.
fn draw_questions(ui: &mut Ui, count: usize, drafts: &mut ActivityDrafts) {
    if count == 0 {
        return;
    }
    let text = match drafts.lists_questions {
        true => "Leave out what window and page asked".to_owned(),
        false => format!("List what window and page asked, too ({count})"),
    };
    ui.add_space(6.0);
    ui.horizontal(|ui| {
        ui.add_space(16.0);
        if toggle_button(ui, &text, drafts.lists_questions).clicked() {
            drafts.lists_questions = !drafts.lists_questions;
        }
    });
}

fn draw_call(
    ui: &mut Ui,
    model: &WindowModel,
    (shown, height): (&CallRow<'_>, f32),
    copied: &mut Option<(u64, f64)>,
    actions: &mut Vec<Action>,
) {
    let CallRow { call, count, is_undone, .. } = *shown;
    let counted = (count > 1).then(|| format!("{count} calls"));
    let (row, _) = ui.allocate_exact_size(Vec2::new(ui.available_width(), height), Sense::hover());
    let response = ui.interact(row, ui.scope_id().with(("call", call.id)), Sense::hover());
    let mut more = counted.as_ref().map(|text| format!(", {text}")).unwrap_or_default();
    if is_undone {
        more += ", undone";
    }
    let spoken = || format!("{} {} {}: {}{more}", call.time, call.client, call.tool, call.line);
    response.widget_info(|| WidgetInfo::labeled(Role::ListItem, true, spoken()));
    let painter = ui.painter();
    painter.hline(row.x_range(), row.bottom() - 0.5, (1.0, LINE.gamma_multiply(0.5)));
    let inner = row.shrink2(Vec2::new(16.0, if height < ROW { 10.0 } else { 6.0 }));
    let right = inner.right() - BUTTONS;
    let is_roomy = inner.width() >= ROOMY;
    let (client, tool) = if is_roomy { (140.0, 190.0) } else { (104.0, 150.0) };
    let cell = |left: f32, width: f32, top: f32| {
        Rect::from_min_size(Pos2::new(inner.left() + left, inner.top() + top), Vec2::new(width, 20.0))
    };
    line_in(painter, cell(0.0, 64.0, 0.0), &call.time, (SMALL, QUIET));
    line_in(painter, cell(72.0, client, 0.0), &call.client, (NORMAL, TEXT));
    line_in(painter, cell(80.0 + client, tool, 0.0), &call.tool, (SMALL, QUIET));
    let spent = Rect::from_min_max(Pos2::new(right - 80.0, inner.top()), Pos2::new(right - 12.0, inner.top() + 20.0));
    text_in(painter, spent, &milliseconds(call.milliseconds), (SMALL, QUIET), Align2::RIGHT_CENTER);
    // Behind the tool, or below it.
    let (mut left, top, end) =
        if height < ROW { (88.0 + client + tool, 0.0, right - 92.0) } else { (72.0, 24.0, right - 12.0) };
    if !call.remarks.is_empty() {
        line_in(painter, cell(left, 60.0, top), call.remark_word(), (SMALL, WARN));
        left += 64.0;
    }
    if is_undone {
        line_in(painter, cell(left, 60.0, top), "Undone", (SMALL, QUIET));
        left += 64.0;
    }
    let color = match (call.has_failed, is_undone) {
        (true, _) => WARN,
        (false, true) => QUIET,
        (false, false) => TEXT,
    };
    if let Some(text) = &counted {
        line_in(painter, cell(left, 60.0, top), text, (SMALL, QUIET));
        left += 64.0;
    }
    line_in(painter, cell(left, end - inner.left() - left, top), &call.line, (NORMAL, color));
    draw_buttons(ui, model, shown, Rect::from_min_max(Pos2::new(right, row.top()), row.max), copied, actions);
    response.on_hover_ui(|ui| {
        ui.set_max_width(480.0);
        ui.label(&call.line);
        if let Some(text) = &counted {
            ui.label(RichText::new(format!("{text}, one undo step; this is the last of them")).color(QUIET));
        }
        for remark in &call.remarks {
            ui.label(RichText::new(remark).color(WARN));
        }
        ui.label(RichText::new(&call.arguments).monospace().color(QUIET));
    });
}

fn draw_buttons(
    ui: &mut Ui,
    model: &WindowModel,
    row: &CallRow<'_>,
    place: Rect,
    copied: &mut Option<(u64, f64)>,
    actions: &mut Vec<Action>,
) {
    let call = row.call;
    let button = |ui: &mut Ui, left: f32, text: &str, name: String| {
        let top = place.center().y - 13.0;
        let place = Rect::from_min_size(Pos2::new(place.left() + left, top), Vec2::new(106.0, 26.0));
        // In a part of its own, so that the rows stay where they are, and with an id that does not count what stands
        // above, so that the keyboard stays where it is when a call comes in.
        let id = ui.scope_id().with((call.id, left as i32));
        let mut part = ui.new_child(UiBuilder::new().scope_id(id).max_rect(place));
        let response = part.add_sized(place.size(), Button::new(RichText::new(text).size(SMALL)));
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
        response
    };
    let now = ui.input(|input| input.time);
    // A window that is opened again counts from zero.
    let passed = copied.filter(|(copied, _)| *copied == call.id).map(|(_, at)| now - at);
    let left = passed.filter(|passed| (0.0..COPIED).contains(passed)).map_or(0.0, |passed| COPIED - passed);
    let (text, name) = if left > 0.0 { ("Copied", "Copied call") } else { ("Copy as curl", "Copy call") };
    if left > 0.0 {
        ui.ctx().request_repaint_after(Duration::from_secs_f64(left));
    }
    if button(ui, 0.0, text, format!("{name} {} as curl", call.id)).clicked() {
        actions.push(Action::Copy(curl(model, &call.tool, &call.arguments)));
        *copied = Some((call.id, now));
    }
    // The numbers of steps have gaps: the one before is the one that the call's own stands on.
    if let Some(before) = call.step.and(call.follows_step).filter(|_| !row.is_undone) {
        let undo = button(ui, 114.0, "Undo from here", format!("Undo from call {}", call.id));
        if undo.clicked() {
            actions.push(Action::Call(acts::undo_to(before)));
        }
        undo.on_hover_text("Undoes this call and all that came after it; Redo brings them back");
    }
}

fn milliseconds(ms: f64) -> String {
    match ms {
        ms if ms >= 1_000.0 => format!("{:.1} s", ms / 1_000.0),
        ms if ms >= 10.0 => format!("{ms:.0} ms"),
        ms => format!("{ms:.1} ms"),
    }
}
