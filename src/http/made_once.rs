//! Texts that are made of a list of tools, once for each list.

use crate::service::ToolList;
use axum::body::Bytes;
use parking_lot::Mutex;
use std::sync::Arc;

/// Texts that are kept; one more takes the place of the one that was asked for longest ago.
const MAX_TEXTS: usize = 16;

/// The texts of one kind made so far, the one asked for last in front.
#[derive(Default)]
pub struct MadeOnce(Mutex<Vec<(ToolList, Bytes)>>);

impl MadeOnce {
    /// The text of this list, made by `make` if it is the first time; a text that cannot be made is not kept.
    pub fn get(&self, tools: &ToolList, make: impl FnOnce() -> Option<String>) -> Option<Bytes> {
        let mut texts = self.0.lock();
        let entry = match texts.iter().position(|(of, _)| Arc::ptr_eq(of, tools)) {
            Some(at) => texts.remove(at),
            None => (tools.clone(), Bytes::from(make()?)),
        };
        let text = entry.1.clone();
        texts.insert(0, entry);
        texts.truncate(MAX_TEXTS);
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_made_once_for_each_list() {
        let made = MadeOnce::default();
        let lists: Vec<ToolList> = (0..MAX_TEXTS + 1).map(|_| Vec::new().into()).collect();
        let mut count = 0;
        let mut ask = |list: usize| {
            made.get(&lists[list], || {
                count += 1;
                Some(list.to_string())
            })
        };
        for list in [0, 0, 1, 0, 1] {
            assert_eq!(ask(list), Some(Bytes::from(list.to_string())));
        }
        (2..MAX_TEXTS).for_each(|list| drop(ask(list)));
        ask(0);
        ask(MAX_TEXTS);
        ask(0);
        ask(1);
        assert_eq!(count, MAX_TEXTS + 2, "only the one that was asked for longest ago is made anew");
        assert_eq!(made.get(&Vec::new().into(), || None), None);
        assert_eq!(made.0.lock().len(), MAX_TEXTS);
    }
}
