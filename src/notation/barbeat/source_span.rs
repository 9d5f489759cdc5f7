//! Where in the text something was written that a warning is about.

use super::grammar::pattern_value_span;
use super::item::SpannedItem;
use crate::music::Meter;
use std::ops::Range;

/// An item, or one value of a pattern, which is only looked for when it is asked for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SourceSpan {
    start: usize,
    end: usize,
    /// Which value of the pattern that the item is.
    value: Option<usize>,
}

impl SourceSpan {
    pub fn item(written: &SpannedItem) -> SourceSpan {
        SourceSpan { start: written.start, end: written.end, value: None }
    }

    /// One of the values of this pattern.
    pub fn value(self, index: usize) -> SourceSpan {
        SourceSpan { value: Some(index), ..self }
    }

    /// The bytes it was written in.
    pub fn span(self, text: &str, meter: Meter) -> Range<usize> {
        match self.value {
            Some(index) => pattern_value_span(text, self.start, index, meter),
            None => self.start..self.end,
        }
    }
}
