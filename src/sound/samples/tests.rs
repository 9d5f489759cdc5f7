use super::*;
use crate::object_model::audio::AudioFacts;
use crate::set::document::device_tree::{Chain, Rack};
use crate::set::document::sound_zones::SampleZone;
use crate::set::document::{PlacedClip, SessionClip, Track, simpler_sample};
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

fn nowhere() -> AllowedFolders {
    AllowedFolders::default()
}

fn load_wanted(cache: &SampleCache, document: &Document, told: &AllowedFolders) -> usize {
    let wanted = cache.wanted(document, told);
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
    assert_eq!(load_wanted(&cache, &document, &nowhere()), 2);
    let sample = cache.get(file.to_str().unwrap()).unwrap();
    assert_eq!((sample.frames(), sample.rate(), sample.channels()), (11_025, 22_050.0, 1));
    let generation = cache.generation();
    assert_eq!((load_wanted(&cache, &document, &nowhere()), cache.generation()), (0, generation));
    // Another length is another file, whatever its time.
    std::fs::copy(fixture("half.ogg"), &file).unwrap();
    assert_eq!(load_wanted(&cache, &document, &nowhere()), 1);
    assert!(cache.generation() > generation && cache.get(file.to_str().unwrap()) != Some(sample));
}

#[test]
fn what_cannot_be_played_says_why_where_that_may_be_told() {
    let folder = tempfile::tempdir().unwrap();
    let (gone, text) = (folder.path().join("gone.wav"), folder.path().join("text.wav"));
    std::fs::write(&text, b"not a sound at all").unwrap();
    let faults = Arc::new(SampleFaults::default());
    let (cache, document) = (SampleCache::telling(faults.clone()), naming(&[&gone, &text]));
    let why = |path: &Path| {
        let told = faults.why(path.to_str().unwrap()).unwrap_or_default();
        told.split_once(".wav: ").map(|(_, why)| why.to_owned()).unwrap_or_default()
    };
    load_wanted(&cache, &document, &nowhere());
    assert_eq!((why(&gone).as_str(), why(&text).as_str()), (OUTSIDE, OUTSIDE));
    let cache = SampleCache::telling(faults.clone());
    assert_eq!(load_wanted(&cache, &document, &AllowedFolders::new([folder.path()])), 2);
    assert_eq!(why(&gone), ProbeError::Missing.to_string());
    assert_eq!(why(&text), ProbeError::NotAudio.to_string());
    assert_eq!(cache.state(gone.to_str().unwrap()), SampleState::Unplayable(why(&gone)));
    // Nobody looks again before something changed; a file that came is read.
    assert_eq!(load_wanted(&cache, &document, &nowhere()), 0);
    std::fs::copy(fixture("half.wav"), &gone).unwrap();
    assert_eq!(load_wanted(&cache, &document, &nowhere()), 1);
    assert!(cache.get(gone.to_str().unwrap()).is_some() && why(&gone).is_empty());
}

#[test]
fn memory_has_an_end_and_what_is_not_named_any_more_makes_room() {
    let (wav, flac) = (fixture("half.wav"), fixture("half.flac"));
    let of = |path: &Path| path.to_str().unwrap().to_owned();
    // 11,025 frames of one channel, 4,000 of two: together 76,100 bytes.
    let cache = SampleCache::with_limit(60_000);
    load_wanted(&cache, &naming(&[&wav, &flac]), &nowhere());
    let ready = |path: &Path| cache.get(&of(path)).is_some();
    assert_eq!([ready(&wav), ready(&flac)].iter().filter(|ready| **ready).count(), 1);
    let refused = if ready(&wav) { &flac } else { &wav };
    assert!(matches!(cache.state(&of(refused)), SampleState::Unplayable(why) if why.contains("kept in memory")));
    load_wanted(&cache, &naming(&[refused]), &nowhere());
    assert!(ready(refused));
}

/// Clips and devices of every kind that name the sample.
fn naming_everywhere(path: &str) -> [Document; 5] {
    let facts = AudioFacts { frames: 11_025, sample_rate_hz: 22_050.0, channels: 1, tempo_bpm: None };
    let sample = simpler_sample::Sample::loaded(path, facts);
    let simpler = Device { sample: Some(Arc::new(sample.clone())), ..Device::native(900, "Simpler").unwrap() };
    let sampler =
        Device { sample_zones: vec![Arc::new(SampleZone::of(sample))], ..Device::native(901, "Sampler").unwrap() };
    let mut drum_rack = Device::native(902, "Drum Rack").unwrap();
    let pad = Chain { devices: vec![Arc::new(simpler.clone())], ..Chain::new(903, 0, 0) };
    drum_rack.rack = Some(Arc::new(Rack { chains: vec![Arc::new(pad)], ..Rack::default() }));
    let with = |change: &dyn Fn(&mut Track, Clip)| {
        let mut document = Document::new_set();
        let track = document.tracks.first().unwrap().serial;
        let clip = Clip::of_file(904, path, &facts, 0, document.song.signature, 120.0);
        document.edit_track(track, |track| change(track, clip.clone()));
        document
    };
    let devices = |device: Device| with(&|track, _| track.devices = vec![Arc::new(device.clone())]);
    let placed = with(&|track, clip| {
        track.arrangement.insert(PlacedClip { start: 0.0, end: 4.0, clip: Arc::new(clip) });
    });
    let launched = with(&|track, clip| {
        track.session.insert(SessionClip { scene: 905, clip: Arc::new(clip) });
    });
    [launched, placed, devices(simpler), devices(sampler), devices(drum_rack)]
}

/// Whoever asks for a file on a server has Windows log on there. Two slashes in front of a path name a server on
/// Windows, and the same file elsewhere: so a file that was asked for is a sample that was read.
#[test]
fn no_server_and_no_device_is_asked_for_a_sample() {
    let folder = tempfile::tempdir().unwrap();
    let plain = folder.path().join("loop.wav").to_str().unwrap().to_owned();
    std::fs::copy(fixture("half.wav"), &plain).unwrap();
    std::fs::copy(fixture("half.wav"), folder.path().join("com1.wav")).unwrap();
    let state = |document: &Document, path: &str, told: &AllowedFolders| {
        let cache = SampleCache::default();
        let wanted = cache.wanted(document, told);
        assert_eq!(wanted.iter().map(|wanted| wanted.path.as_str()).collect::<Vec<_>>(), [path]);
        wanted.iter().for_each(|wanted| cache.load(wanted, told, &|| false));
        (wanted[0].stamp.is_some(), cache.state(path))
    };
    let share = format!("/{plain}");
    let device = format!("//.{plain}");
    let reserved = plain.replace("loop", "com1");
    let elsewhere = AllowedFolders::new(["//nas/samples"]).as_on_windows();
    let named = AllowedFolders::new([share.trim_end_matches("/loop.wav")]).as_on_windows();
    let everything = AllowedFolders::new([share.trim_end_matches("/loop.wav"), "//./", "/"]).as_on_windows();
    for (path, told, is_asked) in [
        (&share, &elsewhere, false),
        (&device, &elsewhere, false),
        (&device, &everything, false),
        (&reserved, &everything, false),
        (&share, &named, true),
        (&plain, &elsewhere, true),
    ] {
        for document in naming_everywhere(path) {
            let found = state(&document, path, told);
            if !is_asked {
                let is_refused = matches!(&found.1, SampleState::Unplayable(why) if why == OUTSIDE);
                assert!(!found.0 && is_refused, "{path} was asked for");
            } else if cfg!(unix) || *path == plain {
                assert!(found.0 && matches!(found.1, SampleState::Ready(_)), "{path} was not read");
            }
        }
    }
    // Nothing but the rule keeps these from being read.
    for path in [&share, &device, &reserved].into_iter().filter(|_| cfg!(unix)) {
        let (is_there, found) = state(&naming_everywhere(path)[0], path, &AllowedFolders::default());
        assert!(is_there && matches!(found, SampleState::Ready(_)), "{path} was not read");
    }
}
