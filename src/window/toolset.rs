//! The toolset as a checklist by group.

use super::model::Action;
use super::style::QUIET;
use super::widgets::{about, heading};
use crate::service::Settings;
use crate::tools::registry;
use crate::tools::tool::Tool;
use egui::{RichText, Ui};

/// Groups, and how the names of their tools begin behind `svc-`; a tool is of the first that fits.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Session", &["connect", "context", "manage", "batch", "read-history", "read-job"]),
    ("Read", &["read-", "select", "library"]),
    ("Make", &["create-", "duplicate"]),
    ("Change", &["update-", "delete"]),
    ("Play", &["playback", "render"]),
];
const OTHERS: &str = "Others";

const COLUMN: f32 = 200.0;
const GAP: f32 = 16.0;

fn group(tool: &Tool) -> &'static str {
    let name = tool.name.strip_prefix("svc-").unwrap_or(tool.name);
    let found = GROUPS.iter().find(|(_, begins)| begins.iter().any(|begin| name.starts_with(begin)));
    found.map_or(OTHERS, |(group, _)| group)
}

/// Draws it; `raw` is the tool that has a switch of its own.
pub fn draw_toolset(ui: &mut Ui, settings: &Settings, raw: &str, actions: &mut Vec<Action>) {
    heading(ui, "Tools");
    about(ui, "What scripts and assistants may call. One that is off is gone from every list.");
    let tools: Vec<&'static Tool> = registry::all().iter().copied().filter(|tool| tool.name != raw).collect();
    let is_on = |tool: &Tool| !settings.disabled_tools.contains(tool.name);
    let most = ((ui.available_width() + GAP) / (COLUMN + GAP)).floor().max(1.0) as usize;
    egui::Grid::new(("tools", most)).num_columns(most).min_col_width(COLUMN).spacing([GAP, 12.0]).show(ui, |ui| {
        let groups = GROUPS.iter().map(|(group, _)| *group).chain([OTHERS]);
        let mut columns = 0;
        for name in groups {
            let members: Vec<&&'static Tool> = tools.iter().filter(|tool| group(tool) == name).collect();
            if members.is_empty() {
                continue;
            }
            ui.with_layout(egui::Layout::top_down(egui::Align::LEFT), |ui| {
                let on = members.iter().filter(|tool| is_on(tool)).count();
                ui.horizontal(|ui| {
                    ui.label(RichText::new(name).strong());
                    ui.label(RichText::new(format!("{on} of {}", members.len())).small().color(QUIET));
                });
                for tool in members {
                    let mut shown = is_on(tool);
                    if ui.checkbox(&mut shown, tool.title).on_hover_text(tool.name).changed() {
                        actions.push(Action::ShowTool(tool.name, shown));
                    }
                }
            });
            columns += 1;
            if columns % most == 0 {
                ui.end_row();
            }
        }
    });
}
