//! What an empty Set says: what to do now, as a line to paste.

use super::model::{Action, ServerLine, WindowModel};
use super::style::{QUIET, WELL};
use super::widgets::{card, heading};
use egui::{Align, Frame, Label, Layout, Margin, RichText, Ui, Vec2};
use serde_json::{Value, json};

fn address(model: &WindowModel) -> String {
    match &model.server {
        ServerLine::Listening { address } => address.clone(),
        _ => format!("http://127.0.0.1:{}", model.settings.port),
    }
}

/// A call as one types it into a shell. A token is not in it: who has one knows where it lies.
pub fn curl(model: &WindowModel, tool: &str, arguments: &str) -> String {
    let quoted = arguments.replace('\'', r"'\''");
    let token = if model.needs_token { r#" -H "Authorization: Bearer $SVC_TOKEN""# } else { "" };
    let address = address(model);
    format!("curl -s {address}/api/tools/{tool} -H 'Content-Type: application/json'{token} -d '{quoted}'")
}

pub fn draw_no_track(ui: &mut Ui, model: &WindowModel, actions: &mut Vec<Action>) {
    card(ui, |ui| {
        heading(ui, "No track yet");
        ui.label(RichText::new("Make one from a shell, or ask your assistant for it:").color(QUIET));
        example(ui, model, ("svc-create-track", &json!({ "path": "t+", "name": "Drums" })), actions);
        connect(ui, model, actions);
    });
}

pub fn draw_no_clip(ui: &mut Ui, model: &WindowModel, actions: &mut Vec<Action>) {
    card(ui, |ui| {
        heading(ui, "No clip yet");
        let what = "A beat in the first slot of the first track, to launch with a click:";
        ui.label(RichText::new(what).color(QUIET));
        let notes = "v110 n/16 C1 1|1,3 D1 1|2,4 v70 F#1 1|1x8@n/8";
        example(ui, model, ("svc-create-clip", &json!({ "path": "t0/s0", "name": "Beat", "notes": notes })), actions);
        connect(ui, model, actions);
    });
}

pub fn draw_no_call(ui: &mut Ui, model: &WindowModel, actions: &mut Vec<Action>) {
    card(ui, |ui| {
        heading(ui, "No call yet");
        let what =
            "Every call of a script, an assistant, the page or this window is listed here, with a way to undo it.";
        ui.add(Label::new(what).wrap());
        connect(ui, model, actions);
    });
}

fn example(ui: &mut Ui, model: &WindowModel, (tool, arguments): (&str, &Value), actions: &mut Vec<Action>) {
    copy_line(ui, "curl", &curl(model, tool, &arguments.to_string()), actions);
}

/// For who has no client yet.
fn connect(ui: &mut Ui, model: &WindowModel, actions: &mut Vec<Action>) {
    if model.shown.calls.iter().any(|call| call.via == "mcp") {
        return;
    }
    let address = address(model);
    ui.label(RichText::new("Connect an assistant, by the line that it wants:").color(QUIET));
    copy_line(ui, "Claude Code", &format!("claude mcp add --transport http svc {address}/mcp"), actions);
    let config = json!({ "mcpServers": { "svc": { "url": format!("{address}/mcp") } } });
    copy_line(ui, "Cursor", &config.to_string(), actions);
}

/// A line of text, whole, and what copies it.
fn copy_line(ui: &mut Ui, name: &str, text: &str, actions: &mut Vec<Action>) {
    ui.horizontal_top(|ui| {
        let size = Vec2::new(84.0, 28.0);
        ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
            ui.set_min_size(size);
            ui.label(RichText::new(name).color(QUIET));
        });
        ui.with_layout(Layout::right_to_left(Align::TOP), |ui| {
            let copy = ui.button("Copy");
            copy.widget_info(|| {
                egui::WidgetInfo::labeled(egui::Role::Button, true, format!("Copy the line for {name}"))
            });
            if copy.clicked() {
                actions.push(Action::Copy(text.to_owned()));
            }
            Frame::new().fill(WELL).corner_radius(5).inner_margin(Margin::symmetric(8, 6)).show(ui, |ui| {
                ui.with_layout(Layout::top_down(Align::LEFT), |ui| {
                    ui.add(Label::new(RichText::new(text).monospace()).wrap());
                });
            });
        });
    });
}
