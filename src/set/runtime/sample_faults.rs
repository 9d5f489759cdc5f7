//! Why samples of the Set cannot be played, as whoever loads them found out.

use arc_swap::ArcSwap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Written by who loads samples, read by calls.
#[derive(Debug, Default)]
pub struct SampleFaults(ArcSwap<BTreeMap<String, String>>);

impl SampleFaults {
    /// Puts other faults in the place of those that were known, by path; in words without it.
    pub fn set(&self, faults: BTreeMap<String, String>) {
        self.0.store(Arc::new(faults));
    }

    /// Why the file of that path cannot be played, behind its name: `Kick.wav: there is no such file`.
    pub fn why(&self, path: &str) -> Option<String> {
        let faults = self.0.load();
        let why = faults.get(path)?;
        // A Set may come from another system.
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        Some(format!("{name}: {why}"))
    }
}
