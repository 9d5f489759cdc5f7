//! The Context tab: what assistants are told of this project and of the user, and what they remember.

use super::acts;
use super::model::{Action, WindowModel};
use super::style::{QUIET, WARN};
use super::widgets::{about, card, heading, in_the_middle};
use super::written::Written;
use egui::{Align, Button, Label, Layout, RichText, ScrollArea, TextEdit, Ui};

/// Characters of a document.
const LONGEST: usize = 10_000;
const ROWS: usize = 8;
/// From this width on the documents are beside each other.
const BESIDE: f32 = 880.0;
/// The most that they take, beside and below each other.
const MOST_BESIDE: f32 = 1_200.0;
const MOST_BELOW: f32 = 800.0;

/// Texts that were typed and not yet saved.
#[derive(Clone, Debug, Default)]
pub struct ContextDrafts {
    project: Written,
    global: Written,
    entry: Option<EntryDraft>,
}

#[derive(Clone, Debug, Default)]
struct EntryDraft {
    name: String,
    description: String,
    content: Written,
    is_new: bool,
}

/// A document as it is shown.
struct Document<'a> {
    scope: &'static str,
    title: &'static str,
    about: &'static str,
    /// `None` until it was read.
    stored: Option<Result<&'a str, &'a str>>,
}

/// Draws the tab; what the user asked for is among `actions` then.
pub fn draw_context(ui: &mut Ui, model: &WindowModel, drafts: &mut ContextDrafts, actions: &mut Vec<Action>) {
    ScrollArea::vertical().id_salt("context").auto_shrink(false).show(ui, |ui| {
        let are_beside = ui.available_width() >= BESIDE;
        in_the_middle(ui, if are_beside { MOST_BESIDE } else { MOST_BELOW }, |ui| {
            let project = Document {
                scope: "project",
                title: "This project",
                about: "What assistants should know of this Set: its genre, what is settled, what not to touch. Saved \
                        with the Set.",
                stored: Some(Ok(&model.settings.project_context)),
            };
            let global = Document {
                scope: "global",
                title: "All projects",
                about: "What they should know of you everywhere: taste, instruments, how you like to work. Kept in \
                        your user folder.",
                stored: match &model.shown.context.global {
                    Some(Ok(text)) => Some(Ok(text)),
                    Some(Err(why)) => Some(Err(why)),
                    None => None,
                },
            };
            if are_beside {
                ui.columns(2, |columns| {
                    if let [left, right] = columns {
                        draw_document(left, &project, &mut drafts.project, actions);
                        draw_document(right, &global, &mut drafts.global, actions);
                    }
                });
            } else {
                draw_document(ui, &project, &mut drafts.project, actions);
                draw_document(ui, &global, &mut drafts.global, actions);
            }
            draw_memory(ui, model, &mut drafts.entry, actions);
        });
    });
}

fn draw_document(ui: &mut Ui, document: &Document<'_>, written: &mut Written, actions: &mut Vec<Action>) {
    card(ui, |ui| {
        let title = ui.label(RichText::new(document.title).heading().strong());
        about(ui, document.about);
        let stored = match document.stored {
            Some(Ok(text)) => text,
            None => {
                ui.label(RichText::new("Reading…").color(QUIET));
                return;
            }
            Some(Err(why)) => {
                ui.add(Label::new(RichText::new(why).color(WARN)).wrap());
                return;
            }
        };
        written.settle(stored);
        let mut text = written.text(stored).to_owned();
        let edit = TextEdit::multiline(&mut text)
            .desired_width(f32::INFINITY)
            .desired_rows(ROWS)
            .hint_text("Nothing yet.")
            .char_limit(LONGEST);
        if ui.add(edit).labelled_by(title.id).changed() {
            written.write(text.clone(), stored);
        }
        written.draw_overtaken(ui, stored);
        ui.horizontal(|ui| {
            let count = format!("{} of {LONGEST} characters", text.chars().count());
            ui.label(RichText::new(count).small().color(QUIET));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let is_new = written.is_changed();
                if ui.add_enabled(is_new && !written.is_overtaken(stored), Button::new("Save")).clicked() {
                    actions.push(Action::Call(acts::write_context(document.scope, &text)));
                }
                if ui.add_enabled(is_new, Button::new("Revert")).clicked() {
                    written.drop_draft();
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
                *draft = (!is_open).then(|| EntryDraft { name: name.clone(), description, ..EntryDraft::default() });
                actions.extend((!is_open).then_some(Action::ReadMemory(name)));
            }
            if is_open {
                let read = context.entry.as_ref().filter(|(read, _)| read == name).map(|(_, text)| text.as_str());
                draw_entry(ui, read, draft, actions);
            }
        }
        if draft.as_ref().is_some_and(|draft| draft.is_new) {
            draw_entry(ui, Some(""), draft, actions);
        } else if ui.button("Add an entry").clicked() {
            *draft = Some(EntryDraft { is_new: true, ..EntryDraft::default() });
        }
    });
}

/// An entry that is changed or made; `read` is its stored text, once it was read.
fn draw_entry(ui: &mut Ui, read: Option<&str>, draft: &mut Option<EntryDraft>, actions: &mut Vec<Action>) {
    let Some(entry) = draft else { return };
    let mut is_done = false;
    if entry.is_new {
        line(ui, "Name", &mut entry.name);
    }
    line(ui, "When it matters", &mut entry.description);
    let name = ui.label(RichText::new("What to remember").color(QUIET));
    let stored = read.unwrap_or_default();
    let mut text = entry.content.text(stored).to_owned();
    let edit = TextEdit::multiline(&mut text).desired_width(f32::INFINITY).desired_rows(4).char_limit(LONGEST);
    if ui.add_enabled(read.is_some(), edit).labelled_by(name.id).changed() {
        entry.content.write(text.clone(), stored);
    }
    entry.content.draw_overtaken(ui, stored);
    ui.horizontal(|ui| {
        let is_whole = !entry.name.trim().is_empty() && !entry.description.trim().is_empty();
        let may_be_saved = is_whole && read.is_some() && !entry.content.is_overtaken(stored);
        if ui.add_enabled(may_be_saved, Button::new("Save")).clicked() {
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
