//! A text that is being written while others may write it too.

use super::style::{QUIET, WARN};
use egui::{Label, RichText, ScrollArea, Ui};

/// Most points of what others wrote that are seen without scrolling.
const MOST_SEEN: f32 = 120.0;

/// What was typed and not yet saved.
#[derive(Clone, Debug, Default)]
pub struct Written {
    draft: Option<Draft>,
}

#[derive(Clone, Debug)]
struct Draft {
    text: String,
    /// The stored text that it began from, or that its writer has since seen.
    base: String,
}

impl Written {
    /// What the field shows.
    pub fn text<'a>(&'a self, stored: &'a str) -> &'a str {
        self.draft.as_ref().map_or(stored, |draft| &draft.text)
    }

    pub fn write(&mut self, text: String, stored: &str) {
        let base = self.draft.take().map_or_else(|| stored.to_owned(), |draft| draft.base);
        self.draft = (text != stored).then_some(Draft { text, base });
    }

    /// What was saved is written no more; it stays until it is stored, so that nothing is lost where that fails.
    pub fn settle(&mut self, stored: &str) {
        if self.draft.as_ref().is_some_and(|draft| draft.text == stored) {
            self.draft = None;
        }
    }

    pub fn is_changed(&self) -> bool {
        self.draft.is_some()
    }

    /// Somebody else has saved another text since this one was begun.
    pub fn is_overtaken(&self, stored: &str) -> bool {
        self.draft.as_ref().is_some_and(|draft| draft.base != stored && draft.text != stored)
    }

    /// What is stored is shown from now on.
    pub fn drop_draft(&mut self) {
        self.draft = None;
    }

    /// Where the text was overtaken: what is stored now, and which of the two is to stay.
    pub fn draw_overtaken(&mut self, ui: &mut Ui, stored: &str) {
        if !self.is_overtaken(stored) {
            return;
        }
        let text = "This text was changed by somebody else while you wrote. It now reads:";
        ui.add(Label::new(RichText::new(text).color(WARN)).wrap());
        ScrollArea::vertical().id_salt("theirs").max_height(MOST_SEEN).auto_shrink([false, true]).show(ui, |ui| {
            let theirs = if stored.is_empty() { "(nothing)" } else { stored };
            ui.add(Label::new(RichText::new(theirs).color(QUIET)).wrap());
        });
        ui.horizontal(|ui| {
            if ui.button("Take theirs").clicked() {
                self.draft = None;
            }
            if ui.button("Keep mine").clicked()
                && let Some(draft) = &mut self.draft
            {
                draft.base = stored.to_owned();
            }
        });
    }
}
