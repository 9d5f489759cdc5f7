//! The value a call works on, and how it becomes the Set.

use crate::object_model::audio::{AudioFacts, AudioFiles};
use crate::object_model::history::StepLabel;
use crate::object_model::host_values::Clock;
use crate::object_model::{ModelError, Value};
use crate::set::document::Document;
use crate::set::edit::chosen_sounds::keep_chosen_sounds;
use crate::set::edit::undo_history::History;
use crate::set::model::object_ref::ObjectRef;
use crate::set::runtime::launch_orders::ClockCell;
use crate::set::runtime::runtime_state::RuntimeState;
use imbl::OrdMap;
use std::sync::Arc;

/// Document, what runs beside it, and history together. Cloning copies pointers; a call that fails drops its clone.
#[derive(Clone, Debug)]
pub struct SetState {
    pub document: Document,
    pub runtime: RuntimeState,
    pub history: History,
    /// The document as it was when the present undo step began.
    base: Document,
    /// The document as it was after the last call of the present undo step; none before its first one has ended.
    after_last_call: Option<Document>,
    /// What the present undo step is called.
    step: StepLabel,
    /// View settings that are kept but mean nothing to the Set, by object id and member.
    pub(super) view_settings: OrdMap<(u64, String), serde_json::Value>,
    /// What the present call found out about the files it names.
    pub(super) files: AudioFiles,
    /// Raw writes of this call that land at its end.
    pub(super) late_writes: Vec<LateWrite>,
    /// The transport as it was before the first raw write or function of this call; raw reads show it until the end.
    pub(super) tick: Option<TransportTick>,
}

/// A write that was found right and waits for the end of its call.
#[derive(Clone, Debug)]
pub(super) struct LateWrite {
    pub target: ObjectRef,
    pub member: &'static str,
    pub value: Value,
}

/// The transport as one tick of a running Live shows it.
#[derive(Clone, Copy, Debug)]
pub(super) struct TransportTick {
    pub playing: bool,
    pub position_beats: f64,
}

impl SetState {
    pub fn new(document: Document, clock: Arc<ClockCell>, own_clock: bool) -> SetState {
        SetState {
            base: document.clone(),
            document,
            runtime: RuntimeState::new(clock, own_clock),
            history: History::default(),
            after_last_call: None,
            step: "".into(),
            view_settings: OrdMap::new(),
            files: AudioFiles::default(),
            late_writes: Vec::new(),
            tick: None,
        }
    }

    /// A new Set with a clock of its own and nobody to play it: for tests.
    pub fn alone() -> SetState {
        SetState::from_document(Document::new_set())
    }

    /// A document with a clock of its own and nobody to play it: for looking at it.
    pub fn from_document(document: Document) -> SetState {
        SetState::new(document, Arc::new(ClockCell::default()), true)
    }

    /// A copy for a call, which is an undo step of that label.
    pub fn for_step(&self, step: &StepLabel) -> SetState {
        SetState {
            document: self.document.clone(),
            runtime: self.runtime.clone(),
            history: self.history.clone(),
            base: self.document.clone(),
            after_last_call: None,
            step: step.clone(),
            view_settings: self.view_settings.clone(),
            files: AudioFiles::default(),
            late_writes: self.late_writes.clone(),
            tick: self.tick,
        }
    }

    /// What the present undo step is called.
    pub fn step(&self) -> &StepLabel {
        &self.step
    }

    /// Starts an undo step; what follows belongs to it until [`SetState::end_step`].
    pub fn begin_step(&mut self, name: &str) {
        self.files = AudioFiles::default();
        self.base = self.document.clone();
        self.after_last_call = None;
        self.step = name.into();
    }

    /// Ends the step: if the document changed it goes into the history. Gives whether it did.
    pub fn end_step(&mut self) -> bool {
        self.keep_sounds();
        self.after_last_call = None;
        let changed = !self.document.same_as(&self.base);
        if changed {
            self.history.record(&self.step, &self.base, &self.document);
        } else if self.document.next_serial == self.base.next_serial {
            return false;
        } else {
            // Serials may have been used up by objects that came and went; everything else is as before.
            let next_serial = self.document.next_serial;
            self.document = self.base.clone();
            self.document.next_serial = next_serial;
        }
        self.base = self.document.clone();
        changed
    }

    /// A call of the present step has ended: what it made has the sounds that it would have as a step of its own, so
    /// that a batch leaves what its calls leave one by one.
    pub(super) fn end_call(&mut self) {
        if self.document.same_as(self.after_last_call.as_ref().unwrap_or(&self.base)) {
            return;
        }
        self.keep_sounds();
        self.after_last_call = Some(self.document.clone());
    }

    fn keep_sounds(&mut self) {
        keep_chosen_sounds(self.after_last_call.as_ref().unwrap_or(&self.base), &mut self.document);
    }

    /// Whether raw reads within this call show a running transport.
    pub(super) fn shown_playing(&self) -> bool {
        self.tick.map_or_else(|| self.runtime.is_playing(), |tick| tick.playing)
    }

    /// As [`SetState::shown_playing`]; functions that act at the playhead act there too.
    pub(super) fn shown_position(&self) -> f64 {
        self.tick.map_or_else(|| self.runtime.position(), |tick| tick.position_beats)
    }

    /// The tick of the call's first raw write or function.
    pub(super) fn begin_tick(&mut self) {
        if self.tick.is_none() {
            self.tick =
                Some(TransportTick { playing: self.runtime.is_playing(), position_beats: self.runtime.position() });
        }
    }

    /// Lands the writes that wait. One whose object is gone, or that has become wrong, is dropped as in Live.
    pub(super) fn land_late_writes(&mut self) {
        for LateWrite { target, member, value } in std::mem::take(&mut self.late_writes) {
            if self.object_ref(target.id()).is_some() {
                let _ = self.write(target, member, &value);
            }
        }
    }

    /// Closes the step of what came before, steps back, and begins a new step.
    pub fn undo(&mut self) -> bool {
        self.land_late_writes();
        self.end_step();
        let done = self.history.undo(&mut self.document);
        self.base = self.document.clone();
        done
    }

    pub fn redo(&mut self) -> bool {
        self.land_late_writes();
        self.end_step();
        let done = self.history.redo(&mut self.document);
        self.base = self.document.clone();
        done
    }

    /// Puts another document in place: history cleared, nothing playing.
    pub fn replace_document(&mut self, document: Document) {
        self.runtime.forget_removed(&self.document.index, &document.index);
        self.runtime.selection = Default::default();
        self.runtime.views = Default::default();
        self.base = document.clone();
        self.after_last_call = None;
        self.document = document;
        self.history = self.history.of_next_set();
        self.view_settings.clear();
    }

    /// The shape of an audio file. The Set reads no disk: whoever prepared the call looked at the file, see
    /// [`know_files`](crate::object_model::HostEdits::know_files).
    pub fn audio_file(&self, path: &str) -> Result<AudioFacts, ModelError> {
        match self.files.get(path) {
            Some(found) => found.map_err(|why| ModelError::refused(format!("the audio file cannot be used: {why}"))),
            None => Err(ModelError::Unable(
                "nobody looked at the audio file before this call; its path is an argument of the call itself"
                    .to_owned(),
            )),
        }
    }

    pub fn clock_now(&self) -> Clock {
        self.runtime.clock(&self.document)
    }

    /// The document as it was when the present undo step began.
    pub(super) fn base(&self) -> &Document {
        &self.base
    }

    /// Makes the same edit to the document that the step is compared with, so that it is no part of the step.
    pub(super) fn edit_base(&mut self, edit: impl FnOnce(&mut Document)) {
        edit(&mut self.base);
    }
}
