//! The steps of undo, to be read while others change the Set.

use super::set_state::SetState;
use crate::object_model::history::{Moment, SetChanges, StepFacts};
use crate::object_model::model::{Spend, StepHistory};
use crate::object_model::{ModelError, Session};
use crate::set::document::Document;
use crate::set::edit::set_changes;
use crate::set::edit::undo_history::{History, MAX_BYTES, MAX_STEPS};

/// A history, with the Set as it was when this was made.
pub(super) struct KeptSteps {
    pub history: History,
    pub now: Document,
}

impl StepHistory for KeptSteps {
    fn steps(&self) -> Vec<StepFacts> {
        self.history.steps().collect()
    }

    fn now(&self) -> u64 {
        self.history.now()
    }

    fn oldest(&self) -> u64 {
        self.history.oldest()
    }

    fn is_cut(&self) -> bool {
        self.history.is_cut()
    }

    fn bounds(&self) -> String {
        format!("{MAX_STEPS} steps or {} MB", MAX_BYTES >> 20)
    }

    fn state(&self, moment: Moment) -> Option<Box<dyn Session + Send>> {
        let document = self.history.document(moment, &self.now)?;
        Some(Box::new(SetState::from_document(document)))
    }

    fn changes(
        &self,
        from: Moment,
        to: Moment,
        most: usize,
        spend: &mut Spend<'_>,
    ) -> Result<Option<SetChanges>, ModelError> {
        let at = |moment| self.history.document(moment, &self.now);
        let (Some(before), Some(after)) = (at(from), at(to)) else { return Ok(None) };
        set_changes::between(&before, &after, most, spend).map(Some)
    }
}
