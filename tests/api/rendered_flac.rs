//! What is rendered as FLAC: the same samples as in a WAV, with each bit, and as much smaller as a FLAC is.

use crate::render::render;
use crate::support::Api;
use serde_json::{Value, json};
use std::fs::File;
use std::path::{Path, PathBuf};
use svc_device::service::Settings;
use symphonia::core::codecs::audio::AudioDecoderOptions;
use symphonia::core::formats::FormatOptions;
use symphonia::core::formats::probe::Hint;
use symphonia::core::io::MediaSourceStream;
use symphonia::core::meta::MetadataOptions;

fn stage() -> (Api, tempfile::TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    let allowed_folders = vec![folder.path().to_str().expect("UTF-8").to_owned()];
    let api = Api::with(Settings { allowed_folders, ..Settings::default() });
    let beat = "v110 n/16 C1 1|1,3 D1 1|2,4 v70 F#1 1|1x8@n/8";
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": beat}));
    api.ok("svc-create-clip", json!({"path": "t1/s0", "notes": "v90 n/2 C3 Eb3 G3 1|1 Ab2 C3 Eb3 1|3"}));
    (api, folder)
}

/// The numbers of a WAV file, left and right in turn.
fn of_wav(path: &Path) -> Vec<i32> {
    let mut reader = hound::WavReader::open(path).expect("a WAV file");
    reader.samples::<i32>().map(|sample| sample.expect("a sample")).collect()
}

/// Those of a FLAC file; its decoder holds them against the checksum that the file states.
fn of_flac(path: &Path, bits: u32) -> Vec<i32> {
    let stream = MediaSourceStream::new(Box::new(File::open(path).expect("a file")), Default::default());
    let probe = symphonia::default::get_probe();
    let mut reader = probe
        .probe(&Hint::new(), stream, FormatOptions::default(), MetadataOptions::default())
        .expect("a format that is known");
    let track = &reader.tracks()[0];
    let parameters = track.codec_params.as_ref().and_then(|codec| codec.audio()).expect("sound").clone();
    assert_eq!(parameters.bits_per_sample, Some(bits));
    let verified = AudioDecoderOptions::default().verify(true);
    let mut decoder = symphonia::default::get_codecs().make_audio_decoder(&parameters, &verified).expect("a decoder");
    let (mut samples, mut block) = (Vec::new(), Vec::<i32>::new());
    while let Some(packet) = reader.next_packet().expect("a packet") {
        decoder.decode(&packet).expect("a block").copy_to_vec_interleaved(&mut block);
        samples.extend(block.iter().map(|sample| sample >> (32 - bits)));
    }
    assert_eq!(decoder.finalize().verify_ok, Some(true), "the checksum");
    samples
}

#[test]
fn a_flac_has_the_samples_of_a_wav() {
    let (api, folder) = stage();
    let written = |name: &str, more: Value| -> (PathBuf, Value) {
        let path = folder.path().join(name);
        let mut arguments = json!({"path": "s0", "file": path, "tail": 0.5});
        arguments.as_object_mut().expect("a map").extend(more.as_object().expect("a map").clone());
        let answer = render(&api, arguments);
        assert_eq!(answer["file"], path.to_str().expect("UTF-8"), "{answer}");
        (path, answer)
    };
    for (bits, rate, most) in [(16, 48_000, 0.8), (24, 48_000, 0.9), (24, 96_000, 0.8)] {
        let (wav, wav_answer) = written("song.wav", json!({"bits": bits, "rate": rate}));
        let (flac, mut answer) = written("Song.FLAC", json!({"bits": bits, "rate": rate}));
        let samples = of_wav(&wav);
        assert_eq!(samples.len(), 2 * 5 * rate / 2, "2.5 s");
        assert!(of_flac(&flac, bits) == samples, "{bits} bits at {rate} Hz");
        answer["file"] = wav_answer["file"].clone();
        assert_eq!(answer, wav_answer, "what is heard is the same");
        let size = |path: &Path| std::fs::metadata(path).expect("a file").len() as f64;
        assert!(size(&flac) < most * size(&wav), "{bits} bits: {} of {}", size(&flac), size(&wav));
    }
}

#[test]
fn stems_are_in_the_format_of_the_mix() {
    let (api, folder) = stage();
    let (mix, stems) = (folder.path().join("mix.flac"), folder.path().join("stems"));
    let answer = render(&api, json!({"path": "s0", "file": mix, "stems": stems, "tail": 0}));
    let files: Vec<PathBuf> = serde_json::from_value(answer["stems"].clone()).expect("stems");
    let names: Vec<_> = files.iter().map(|file| file.file_name().expect("a name").to_str().expect("UTF-8")).collect();
    assert_eq!(names, ["01 1-MIDI.flac", "02 2-MIDI.flac"]);
    let (whole, parts) = (of_flac(&mix, 24), files.iter().map(|file| of_flac(file, 24)).collect::<Vec<_>>());
    let apart = |at: usize| (parts.iter().map(|part| part[at]).sum::<i32>() - whole[at]).abs();
    assert!((0..whole.len()).all(|at| apart(at) <= 2), "each is rounded once");
    assert!(whole.iter().any(|sample| sample.abs() > 100_000));
}

#[test]
fn bits_that_flac_does_not_have_are_refused() {
    let (api, folder) = stage();
    let file = folder.path().join("mix.flac");
    let why = api.refused("svc-render", json!({"path": "s0", "file": file, "bits": 32}));
    assert!(why.contains("bits: FLAC has 16 or 24, not 32 (floating point); a .wav has them"), "{why}");
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
}
