//! The plugins in a host for Windows that is the tests' own.

use super::wine::Wine;

fn clap(what: &str) {
    if let Some(wine) = Wine::here() {
        wine.host(what, wine.built("SVC Device.clap")).goes_well();
    }
}

fn vst3(what: &str) {
    if let Some(wine) = Wine::here() {
        wine.host(what, wine.vst3()).goes_well();
    }
}

#[test]
fn a_clap_host_hears_the_song_note_for_note() {
    clap("clap-song");
}

#[test]
fn a_clap_instance_serves_saves_and_goes() {
    clap("clap-life");
}

#[test]
fn a_vst3_host_hears_the_song_note_for_note() {
    vst3("vst3-song");
}

#[test]
fn a_vst3_instance_serves_saves_and_goes() {
    vst3("vst3-life");
}
