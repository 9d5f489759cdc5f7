//! The Context tab: what assistants are told of this project and of the user, and what they remember.

use super::acts;
use super::model::{Action, WindowModel};
use super::style::{QUIET, WARN};
use super::widgets::{about, card, heading};
use egui::{Align, Button, Label, Layout, RichText, ScrollArea, TextEdit, Ui};

/// Characters of a document.
const LONGEST: usize = 10_000;
const ROWS: usize = 8;

/// Texts that were typed and not yet saved.
#[derive(Clone, Debug, Default)]
pub struct ContextDrafts {
    project: Option<String>,
    global: Option<String>,
    entry: Option<EntryDraft>,
}

#[derive(Clone, Debug, Default)]
struct EntryDraft {
    name: String,
    description: String,
    /// `None` until it was read.
    content: Option<String>,
    is_new: bool,
}

/// A document as it is shown.
struct Document<'a> {
    scope: &'static str,
    title: &'static str,
    about: &'static str,
    stored: Result<&'a str, &'a str>,
}

/// Draws the tab; what the user asked for is among `actions` then.
pub fn draw_context(ui: &mut Ui, model: &WindowModel, drafts: &mut ContextDrafts, actions: &mut Vec<Action>) {
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        egui::Frame::new().inner_margin(16).show(ui, |ui| {
            ui.set_max_width(ui.available_width().min(800.0));
            let project = Document {
                scope: "project",
                title: "This project",
                about: "What assistants should know of this Set: its genre, what is settled, what not to touch. Saved \
                        with the Set.",
                stored: Ok(&model.settings.project_context),
            };
            draw_document(ui, &project, &mut drafts.project, actions);
            let global = Document {
                scope: "global",
                title: "All projects",
                about: "What they should know of you everywhere: taste, instruments, how you like to work. Kept in \
                        your user folder.",
                stored: match &model.shown.context.global {
                    Some(Ok(text)) => Ok(text),
                    Some(Err(why)) => Err(why),
                    None => Err("Reading…"),
                },
            };
            draw_document(ui, &global, &mut drafts.global, actions);
            draw_memory(ui, model, &mut drafts.entry, actions);
        });
    });
}

fn draw_document(ui: &mut Ui, document: &Document<'_>, draft: &mut Option<String>, actions: &mut Vec<Action>) {
    card(ui, |ui| {
        let title = ui.label(RichText::new(document.title).heading().strong());
        about(ui, document.about);
        let stored = match document.stored {
            Ok(text) => text,
            Err(why) => {
                ui.add(Label::new(RichText::new(why).color(WARN)).wrap());
                return;
            }
        };
        let mut text = draft.clone().unwrap_or_else(|| stored.to_owned());
        let edit = TextEdit::multiline(&mut text)
            .desired_width(f32::INFINITY)
            .desired_rows(ROWS)
            .hint_text("Nothing yet.")
            .char_limit(LONGEST);
        if ui.add(edit).labelled_by(title.id).changed() {
            *draft = Some(text.clone()).filter(|text| text != stored);
        }
        ui.horizontal(|ui| {
            let count = format!("{} of {LONGEST} characters", text.chars().count());
            ui.label(RichText::new(count).small().color(QUIET));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let is_new = draft.is_some();
                if ui.add_enabled(is_new, Button::new("Save")).clicked() {
                    actions.push(Action::Call(acts::write_context(document.scope, &text)));
                    *draft = None;
                }
                if ui.add_enabled(is_new, Button::new("Revert")).clicked() {
                    *draft = None;
                }
            });
        });
    });
}

fn draw_memory(ui: &mut Ui, model: &WindowModel, draft: &mut Option<EntryDraft>, actions: &mut Vec<Action>) {
    let context = &model.shown.context;
    card(ui, |ui| {
        heading(ui, "Memory");
        about(ui, "Facts that an assistant keeps, each for the moments that its line names.");
        if context.memory.is_empty() && draft.is_none() {
            ui.label("Nothing is remembered yet.");
        }
        for (name, description) in &context.memory {
            let is_open = draft.as_ref().is_some_and(|draft| !draft.is_new && draft.name == *name);
            let response = ui.horizontal(|ui| {
                let response = ui.selectable_label(is_open, RichText::new(name).strong());
                ui.add(Label::new(RichText::new(description).color(QUIET)).truncate());
                response
            });
            if response.inner.clicked() {
                let (name, description) = (name.clone(), description.clone());
                *draft =
                    (!is_open).then(|| EntryDraft { name: name.clone(), description, content: None, is_new: false });
                actions.extend((!is_open).then_some(Action::ReadMemory(name)));
            }
            if is_open {
                let read = context.entry.as_ref().filter(|(read, _)| read == name).map(|(_, text)| text);
                draw_entry(ui, read, draft, actions);
            }
        }
        if draft.as_ref().is_some_and(|draft| draft.is_new) {
            draw_entry(ui, None, draft, actions);
        } else if ui.button("Add an entry").clicked() {
            *draft = Some(EntryDraft { is_new: true, content: Some(String::new()), ..EntryDraft::default() });
        }
    });
}

/// An entry that is changed or made; `read` is its stored text.
fn draw_entry(ui: &mut Ui, read: Option<&String>, draft: &mut Option<EntryDraft>, actions: &mut Vec<Action>) {
    let Some(entry) = draft else { return };
    let mut is_done = false;
    if entry.is_new {
        line(ui, "Name", &mut entry.name);
    }
    line(ui, "When it matters", &mut entry.description);
    let name = ui.label(RichText::new("What to remember").color(QUIET));
    if entry.content.is_none() {
        entry.content = read.cloned();
    }
    let mut text = entry.content.clone().unwrap_or_default();
    let edit = TextEdit::multiline(&mut text).desired_width(f32::INFINITY).desired_rows(4).char_limit(LONGEST);
    if ui.add_enabled(entry.content.is_some(), edit).labelled_by(name.id).changed() {
        entry.content = Some(text.clone());
    }
    ui.horizontal(|ui| {
        let is_whole = !entry.name.trim().is_empty() && !entry.description.trim().is_empty();
        if ui.add_enabled(is_whole && entry.content.is_some(), Button::new("Save")).clicked() {
            actions.push(Action::Call(acts::write_memory(entry.name.trim(), entry.description.trim(), &text)));
            is_done = true;
        }
        is_done |= ui.button("Cancel").clicked();
        if !entry.is_new && ui.button("Delete").clicked() {
            actions.push(Action::Call(acts::delete_memory(&entry.name)));
            is_done = true;
        }
    });
    if is_done {
        *draft = None;
    }
}

fn line(ui: &mut Ui, name: &str, text: &mut String) {
    let label = ui.label(RichText::new(name).color(QUIET));
    ui.add(TextEdit::singleline(text).desired_width(f32::INFINITY)).labelled_by(label.id);
}
