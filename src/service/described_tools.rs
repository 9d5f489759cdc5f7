//! The lists of tools that requests see. Each is made once: what it says depends on the tools, the notation and the
//! mode alone, whatever settings and headers they come from.

use super::types::{ToolDescriptor, ToolList};
use crate::notation::Notation;
use crate::tools::request::RequestContext;
use parking_lot::Mutex;
use std::sync::Arc;

/// Lists that are kept; one more takes the place of the one that was asked for longest ago.
const MAX_LISTS: usize = 16;

/// The lists made so far, the one asked for last in front.
#[derive(Default)]
pub struct DescribedTools(Mutex<Vec<(Seen, ToolList)>>);

/// All that a description depends on.
#[derive(PartialEq)]
struct Seen {
    notation: Notation,
    small_model_mode: bool,
    tools: Arc<[&'static str]>,
}

impl DescribedTools {
    /// The list for a request, made by `describe` if it is the first of its kind.
    pub fn get(&self, view: &RequestContext, describe: impl FnOnce() -> Vec<ToolDescriptor>) -> ToolList {
        let seen = Seen { notation: view.notation, small_model_mode: view.small_model_mode, tools: view.tools.clone() };
        let mut lists = self.0.lock();
        let at = lists.iter().position(|(of, _)| *of == seen);
        let entry = match at {
            Some(at) => lists.remove(at),
            None => (seen, describe().into()),
        };
        let list = entry.1.clone();
        lists.insert(0, entry);
        lists.truncate(MAX_LISTS);
        list
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::request::{CommittedSet, DeviceFacts};

    fn view(notation: Notation, small_model_mode: bool, tools: &[&'static str]) -> RequestContext {
        RequestContext {
            notation,
            small_model_mode,
            tools: tools.into(),
            device: Arc::new(DeviceFacts::default()),
            json: true,
            as_text: false,
            song_meter: crate::set::Document::new_set().song.signature.into(),
            budget: Default::default(),
            at_rest: CommittedSet(Arc::new(|| panic!("no list looks at the Set"))),
            chosen_file: None,
            may_last: false,
        }
    }

    #[test]
    fn a_list_is_made_once_for_what_is_seen() {
        let described = DescribedTools::default();
        let mut made = 0;
        let mut ask = |notation, small, tools: &[&'static str]| {
            described.get(&view(notation, small, tools), || {
                made += 1;
                Vec::new()
            })
        };
        let first = ask(Notation::Barbeat, false, &["a", "b"]);
        assert!(Arc::ptr_eq(&first, &ask(Notation::Barbeat, false, &["a", "b"])));
        ask(Notation::Barbeat, true, &["a", "b"]);
        ask(Notation::Stark, false, &["a", "b"]);
        ask(Notation::Barbeat, false, &["a"]);
        assert!(Arc::ptr_eq(&first, &ask(Notation::Barbeat, false, &["a", "b"])));
        assert_eq!(made, 4);
        assert_eq!(described.0.lock().len(), 4);
    }
}
