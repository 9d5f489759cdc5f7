#![no_main]

#[path = "../../tests/laws/set_files.rs"]
mod laws;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    laws::live_set(bytes);
    laws::compressed_live_set(bytes);
});
