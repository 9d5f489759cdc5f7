//! Warnings about one text.

use std::collections::HashMap;

/// Warnings beyond this many are counted instead of listed.
const MAX_WARNINGS: usize = 100;

/// Warnings in the order they arise, each text once, cut at [`MAX_WARNINGS`].
#[derive(Debug, Default)]
pub(super) struct Warnings {
    list: Vec<(String, usize)>,
    /// Where each text stands in the list.
    known: HashMap<String, usize>,
    more: usize,
}

impl Warnings {
    pub fn add(&mut self, text: impl FnOnce() -> String) {
        // A full list asks for no more texts: finding out where they point may take a walk through a bracket each.
        if self.list.len() >= MAX_WARNINGS {
            self.more += 1;
            return;
        }
        let text = text();
        let known = self.known.get(&text).and_then(|place| self.list.get_mut(*place));
        if let Some((_, times)) = known {
            *times += 1;
        } else {
            self.known.insert(text.clone(), self.list.len());
            self.list.push((text, 1));
        }
    }

    pub fn finish(self) -> Vec<String> {
        let told = |(text, times)| if times == 1 { text } else { format!("{text} ({times} times)") };
        let mut list: Vec<String> = self.list.into_iter().map(told).collect();
        if self.more > 0 {
            list.push(format!("and {} more warnings about the notes", self.more));
        }
        list
    }
}
