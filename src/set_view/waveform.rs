//! What a sound file looks like.

use crate::files::audio::{ProbeError, read_named};
use crate::files::decode::decode;
use crate::files::read_budget::{ReadBudget, ReadLimits};
use crate::files::spellings::spelled_as_there;
use crate::paths::AllowedFolders;
use parking_lot::Mutex;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

/// Pairs of a lowest and a highest sample that a file is drawn with.
const PEAKS: u64 = 1_000;
/// Files whose shape is kept.
const KEPT: usize = 16;

/// Lowest and highest sample of each part of a file, over all channels; the parts are of the same length.
pub type Peaks = Vec<(f32, f32)>;

/// A file's shape, or why it has none.
pub type Waveform = Result<Arc<Peaks>, String>;

/// Shapes that were asked for last: a long file takes a while to be read.
#[derive(Default)]
pub struct Waveforms(Mutex<Vec<(Key, Waveform)>>);

#[derive(Clone, Debug, PartialEq)]
struct Key {
    path: String,
    frames: u64,
    changed: Option<(SystemTime, u64)>,
}

impl Waveforms {
    /// The shape of a file of so many frames. Reads the file, so it is work for a worker.
    pub fn of(&self, path: &str, frames: u64, folders: &AllowedFolders) -> Waveform {
        let changed = |path: &str| {
            let about = std::fs::metadata(spelled_as_there(Path::new(path))).ok()?;
            Some((about.modified().ok()?, about.len()))
        };
        // What lies on a server is not asked for.
        let changed = if folders.may_ask(Path::new(path)) { changed(path) } else { None };
        let key = Key { path: path.to_owned(), frames, changed };
        if let Some((_, known)) = self.0.lock().iter().find(|(of, _)| *of == key) {
            return known.clone();
        }
        let budget = ReadBudget::new(ReadLimits::CALL);
        let found = read_named(path, folders, || peaks(path, frames, &budget)).map(Arc::new);
        let mut kept = self.0.lock();
        kept.insert(0, (key, found.clone()));
        kept.truncate(KEPT);
        found
    }
}

fn peaks(path: &str, frames: u64, budget: &ReadBudget) -> Result<Peaks, ProbeError> {
    let of_each = usize::try_from(frames.div_ceil(PEAKS).max(1)).unwrap_or(usize::MAX);
    let mut peaks = Peaks::new();
    let (mut present, mut left) = ((f32::MAX, f32::MIN), of_each);
    decode(Path::new(path), budget, |samples, format| {
        for frame in samples.chunks(usize::from(format.channels.max(1))) {
            for sample in frame {
                present = (present.0.min(*sample), present.1.max(*sample));
            }
            left -= 1;
            if left == 0 {
                peaks.push(rounded(present));
                (present, left) = ((f32::MAX, f32::MIN), of_each);
                // A file that is longer than the Set knows is drawn as far as the Set knows it.
                if peaks.len() as u64 >= PEAKS {
                    return ControlFlow::Break(());
                }
            }
        }
        ControlFlow::Continue(())
    })?;
    if left < of_each {
        peaks.push(rounded(present));
    }
    Ok(peaks)
}

/// Finer than anybody sees, and short to write.
fn rounded((low, high): (f32, f32)) -> (f32, f32) {
    let rounded = |sample: f32| (sample * 1_000.0).round() / 1_000.0;
    (rounded(low), rounded(high))
}
