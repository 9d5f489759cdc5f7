//! A field to write in, whose text is taken when the user is done with it.

use egui::{Align2, Id, Ui};

/// How a field looks.
pub struct FieldStyle {
    pub width: f32,
    /// Stands in it while it is empty.
    pub hint: &'static str,
}

pub const NUMBER_FIELD: FieldStyle = FieldStyle { width: 72.0, hint: "" };

/// A field whose text is taken on Enter or when it is left; gives the text then. Typing clears a refusal. `name` is the
/// label that names it.
pub fn field(
    ui: &mut Ui,
    style: FieldStyle,
    draft: &mut Option<String>,
    present: &str,
    refused: &mut Option<String>,
    name: Id,
) -> Option<String> {
    let mut text = draft.clone().unwrap_or_else(|| present.to_owned());
    let edit = egui::TextEdit::singleline(&mut text)
        .desired_width(style.width)
        .hint_text(style.hint)
        .align(Align2::LEFT_CENTER);
    let response = ui.add(edit).labelled_by(name);
    if response.changed() {
        *draft = Some(text);
        *refused = None;
    }
    if response.lost_focus() { draft.take().filter(|text| text != present) } else { None }
}
