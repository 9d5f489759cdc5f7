use super::*;
use crate::object_model::audio::AudioFacts;
use crate::set::document::simpler_sample;
use std::path::PathBuf;

fn fixture(name: &str) -> PathBuf {
    PathBuf::from(format!("{}/tests/fixtures/audio/{name}", env!("CARGO_MANIFEST_DIR")))
}

/// A Set with a Simpler for each file, on its first track.
fn naming(paths: &[&Path]) -> Document {
    let mut document = Document::new_set();
    let facts = AudioFacts { frames: 100, sample_rate_hz: 44_100.0, channels: 1, tempo_bpm: None };
    let simpler = |(serial, path): (u32, &&Path)| {
        let mut device = Device::native(serial, "Simpler").unwrap();
        device.sample = Some(Arc::new(simpler_sample::Sample::loaded(path.to_str().unwrap(), facts)));
        Arc::new(device)
    };
    let devices: Vec<Arc<Device>> = (900..).zip(paths).map(simpler).collect();
    let track = document.tracks.first().unwrap().serial;
    document.edit_track(track, |track| track.devices = devices);
    document
}

fn load_wanted(cache: &SampleCache, document: &Document, told: &[PathBuf]) -> usize {
    let wanted = cache.wanted(document);
    wanted.iter().for_each(|wanted| cache.load(wanted, told, &|| false));
    wanted.len()
}

#[test]
fn samples_are_read_once_and_again_when_their_file_changed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.wav");
    std::fs::copy(fixture("half.wav"), &file).unwrap();
    let (cache, document) = (SampleCache::default(), naming(&[&file, &fixture("half.flac"), &file]));
    assert_eq!(cache.state(file.to_str().unwrap()), SampleState::NotReady);
    assert_eq!(load_wanted(&cache, &document, &[]), 2);
    let sample = cache.get(file.to_str().unwrap()).unwrap();
    assert_eq!((sample.frames(), sample.rate(), sample.channels()), (11_025, 22_050.0, 1));
    let generation = cache.generation();
    assert_eq!((load_wanted(&cache, &document, &[]), cache.generation()), (0, generation));
    // Another length is another file, whatever its time.
    std::fs::copy(fixture("half.ogg"), &file).unwrap();
    assert_eq!(load_wanted(&cache, &document, &[]), 1);
    assert!(cache.generation() > generation && cache.get(file.to_str().unwrap()) != Some(sample));
}

#[test]
fn what_cannot_be_played_says_why_where_that_may_be_told() {
    let folder = tempfile::tempdir().unwrap();
    let (gone, text) = (folder.path().join("gone.wav"), folder.path().join("text.wav"));
    std::fs::write(&text, b"not a sound at all").unwrap();
    let faults = Arc::new(SampleFaults::default());
    let (cache, document) = (SampleCache::telling(faults.clone()), naming(&[&gone, &text]));
    let why = |path: &Path| faults.why(path.to_str().unwrap()).unwrap_or_default();
    load_wanted(&cache, &document, &[]);
    assert_eq!((why(&gone).as_str(), why(&text).as_str()), (OUTSIDE, OUTSIDE));
    let cache = SampleCache::telling(faults.clone());
    assert_eq!(load_wanted(&cache, &document, &[folder.path().to_owned()]), 2);
    assert_eq!(why(&gone), ProbeError::Missing.to_string());
    assert_eq!(why(&text), ProbeError::NotAudio.to_string());
    assert_eq!(cache.state(gone.to_str().unwrap()), SampleState::Unplayable(why(&gone)));
    // Nobody looks again before something changed; a file that came is read.
    assert_eq!(load_wanted(&cache, &document, &[]), 0);
    std::fs::copy(fixture("half.wav"), &gone).unwrap();
    assert_eq!(load_wanted(&cache, &document, &[]), 1);
    assert!(cache.get(gone.to_str().unwrap()).is_some() && why(&gone).is_empty());
}

#[test]
fn memory_has_an_end_and_what_is_not_named_any_more_makes_room() {
    let (wav, flac) = (fixture("half.wav"), fixture("half.flac"));
    let of = |path: &Path| path.to_str().unwrap().to_owned();
    // 11,025 frames of one channel, 4,000 of two: together 76,100 bytes.
    let cache = SampleCache::with_limit(60_000);
    load_wanted(&cache, &naming(&[&wav, &flac]), &[]);
    let ready = |path: &Path| cache.get(&of(path)).is_some();
    assert_eq!([ready(&wav), ready(&flac)].iter().filter(|ready| **ready).count(), 1);
    let refused = if ready(&wav) { &flac } else { &wav };
    assert!(matches!(cache.state(&of(refused)), SampleState::Unplayable(why) if why.contains("kept in memory")));
    load_wanted(&cache, &naming(&[refused]), &[]);
    assert!(ready(refused));
}
