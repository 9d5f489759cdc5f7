//! What a host does in one step that no function of the object model does.

use super::ObjectId;
use super::audio::AudioFiles;
use super::error::ModelError;
use super::history::Restored;
use super::host_values::{EnvelopePoint, SetVersion};
use crate::music::Beats;
use serde_json::Value as Json;

/// What a host does in one step that no function of the object model does.
///
/// No method is required: each default refuses, and the tool that wanted it says so.
///
/// # Errors
///
/// Every method fails with [`ModelError::Unable`] where the host cannot do it, and as writes and calls of
/// [`ObjectModel`](super::ObjectModel) do where it can. What fails changed nothing.
pub trait HostEdits {
    /// What was found out about the files that the call names, told before any of them is used. A host that makes clips
    /// and samples of them keeps it, as it reads no disk itself; one that reads them itself, as by default, needs
    /// nothing.
    fn know_files(&mut self, _files: AudioFiles) {}

    /// Makes a locator at that moment, where none stands, without moving the playhead.
    fn create_locator(&mut self, _at: Beats) -> Result<ObjectId, ModelError> {
        Err(ModelError::Unable("this host makes locators only at its playhead".to_owned()))
    }

    /// Removes a locator without moving the playhead.
    fn delete_locator(&mut self, _locator: ObjectId) -> Result<(), ModelError> {
        Err(ModelError::Unable("this host removes locators only at its playhead".to_owned()))
    }

    /// Cuts an Arrangement clip at a moment inside it. It keeps what is before; what is after becomes a clip of its
    /// own, which is given. Both sound as the whole did.
    fn split_clip(&mut self, _clip: ObjectId, _at: Beats) -> Result<ObjectId, ModelError> {
        Err(ModelError::Unable("this host cannot cut clips".to_owned()))
    }

    /// Moves the end of an Arrangement clip: a looped one repeats up to there, and the region of an unlooped one ends
    /// there. Growing, it goes over what follows.
    fn set_clip_end(&mut self, _clip: ObjectId, _at: Beats) -> Result<(), ModelError> {
        Err(ModelError::Unable("this host cannot move the end of a clip".to_owned()))
    }

    /// Builds a clip like this one from its notes or its file: in a ClipSlot, or at a moment on the timeline of a Track
    /// or TakeLane, over what is there. For places that no function copies a clip to. Envelopes do not come along, and
    /// the warp markers are those of a new clip.
    fn rebuild_clip(&mut self, _clip: ObjectId, _onto: ObjectId, _at: Beats) -> Result<ObjectId, ModelError> {
        Err(ModelError::Unable("this host cannot build a clip from another".to_owned()))
    }

    /// Draws what a clip of the Session does to a parameter, from scratch. The points are sorted by time; none removes
    /// the envelope.
    fn draw_envelope(
        &mut self,
        _clip: ObjectId,
        _parameter: ObjectId,
        _points: Vec<EnvelopePoint>,
    ) -> Result<(), ModelError> {
        Err(ModelError::Unable("this host cannot draw envelopes".to_owned()))
    }

    /// Copies a device with all that it holds to a place on a Track or in a Chain; without a place, to the end of its
    /// kind.
    fn copy_device(&mut self, _device: ObjectId, _onto: ObjectId, _at: Option<usize>) -> Result<ObjectId, ModelError> {
        Err(ModelError::Unable("this host copies devices only beside themselves".to_owned()))
    }

    /// Copies a chain to a place among those of a rack of the same kind; without a place, to the end. Sends go along
    /// where that rack has a return chain of the same name; macro mappings never do.
    fn copy_chain(&mut self, _chain: ObjectId, _rack: ObjectId, _at: Option<usize>) -> Result<ObjectId, ModelError> {
        Err(ModelError::Unable("this host cannot copy chains".to_owned()))
    }

    /// Maps, unmaps or names a macro of a rack, counted from 0.
    fn edit_macro(&mut self, _rack: ObjectId, _macro_index: usize, _edit: MacroEdit) -> Result<(), ModelError> {
        Err(ModelError::Unable("Live's object model neither maps nor names macros; do it in Live".to_owned()))
    }

    /// Makes a device that was saved: on a Track or in a Chain, as [`HostEdits::copy_device`] does. What is no sound
    /// device is refused.
    fn insert_saved_device(
        &mut self,
        _saved: &Json,
        _onto: ObjectId,
        _at: Option<usize>,
    ) -> Result<ObjectId, ModelError> {
        Err(ModelError::Unable("this host cannot load saved devices".to_owned()))
    }

    /// Makes what the host's browser has: on a Track or in a Chain, at a place or at the end of its kind.
    fn insert_from_browser(
        &mut self,
        _item: &BrowserItem,
        _onto: ObjectId,
        _at: Option<usize>,
    ) -> Result<ObjectId, ModelError> {
        Err(ModelError::Unable("this host has no browser".to_owned()))
    }

    /// Puts what the host's browser has in the place of a device of its kind.
    fn swap_from_browser(&mut self, _item: &BrowserItem, _device: ObjectId) -> Result<ObjectId, ModelError> {
        Err(ModelError::Unable("this host has no browser".to_owned()))
    }

    /// Makes a track of an audio clip, which stays: `drums`, `melody` or `harmony` of its notes, `simpler` or
    /// `drum-rack` of its sound.
    fn convert_audio(&mut self, _clip: ObjectId, _to: &str) -> Result<ObjectId, ModelError> {
        Err(ModelError::Unable("this host converts no audio".to_owned()))
    }

    /// Puts a Set that was read from a file in place of this one, or its tracks behind those that are here; what there
    /// is to say of what did not come along.
    fn put_set(&mut self, _set: &SetVersion, _place: SetPlace) -> Result<Vec<String>, ModelError> {
        Err(ModelError::Unable("files are opened and imported in Ableton Live itself".to_owned()))
    }

    /// Makes a Clip, Track, Scene or Device, with all that it holds, what it was after a step of the
    /// [history](super::HostFacts::history), and leaves everything else; one that is gone comes back with its id. What
    /// was put in its place since gives way. Refused where what it stood in is gone, or where it would cost what stood
    /// elsewhere then.
    fn restore(&mut self, _object: ObjectId, _step: u64) -> Result<Restored, ModelError> {
        Err(ModelError::Unable("this host cannot bring back one object alone; undo steps back".to_owned()))
    }
}

/// What the browser of a host is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrowserItem {
    /// Its name in any case, with or without its ending; with folders before it where several have that name.
    pub name: String,
    /// A folder that it is in, such as the device that a preset is for.
    pub under: Option<String>,
}

/// What can be done with a macro of a rack.
#[derive(Clone, Debug, PartialEq)]
pub enum MacroEdit {
    /// The macro moves a parameter of a device inside the rack, between two raw values. One that it moves already gets
    /// the new values. A macro that moved nothing yet is put where the parameter stands; else the parameter goes to the
    /// macro.
    Map { parameter: ObjectId, at_0: f64, at_127: f64 },
    /// The macro moves that parameter, or none at all, any more.
    Unmap(Option<ObjectId>),
    /// A blank name gives back its own.
    Rename(String),
}

/// Where a Set that was read goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetPlace {
    /// In place of the Set that is there.
    Instead,
    /// Its tracks behind those that are there.
    Beside,
}
