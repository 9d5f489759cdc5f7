#![no_main]

#[path = "../../tests/laws/audio_files.rs"]
mod laws;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let file = std::env::temp_dir().join(format!("svc-audio-{}", std::process::id()));
    laws::audio(bytes, &file);
});
