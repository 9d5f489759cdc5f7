#![no_main]

#[path = "../../tests/laws/notation.rs"]
mod laws;

libfuzzer_sys::fuzz_target!(|text: &str| laws::midi_json(text));
