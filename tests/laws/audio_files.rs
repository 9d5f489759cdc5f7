//! What holds of any bytes that are taken for an audio file.

use std::fs::File;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;
use svc_device::files::audio::probe;
use svc_device::files::decode::decode;
use svc_device::files::read_budget::{ReadBudget, ReadLimits};

/// Enough for files of a fuzzer, and soon over.
const LIMITS: ReadLimits = ReadLimits { time: Duration::from_secs(60), ..ReadLimits::CALL };

/// Sound, as long as it is told to be, or a refusal with the same reason. `file` is where the bytes are written to.
pub fn audio(bytes: &[u8], file: &Path) {
    File::create(file).and_then(|mut file| file.write_all(bytes)).expect("the disk takes it");
    let told = probe(&file.to_string_lossy(), &ReadBudget::new(LIMITS));
    let mut samples = 0;
    let found = decode(file, &ReadBudget::new(LIMITS), |more, _| {
        samples += more.len() as u64;
        ControlFlow::Continue(())
    });
    assert_eq!(told.map(|facts| facts.frames), found.clone().map(|(frames, _)| frames));
    if let Ok((frames, format)) = found {
        assert_eq!(samples, frames * u64::from(format.channels));
    }
}
