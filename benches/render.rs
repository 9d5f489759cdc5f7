//! How many times faster than it lasts a Set is rendered: the example song, and 16 tracks with EQ Eight and Compressor,
//! chords of four on each, Reverb and Delay on returns. With all that is heard of it, and the sound alone.

mod support;

use std::path::Path;
use std::time::Instant;
use support::{Table, rounds};
use svc_device::device::set_files::read_set_file;
use svc_device::paths::AllowedFolders;
use svc_device::render::offline::{BLOCK_FRAMES, OfflineRender, RenderSettings, Tail};
use svc_device::render::render_files::{ChosenBy, RenderFiles};
use svc_device::render::rendered::{Unwatched, render};
use svc_device::render::sound_file::Bits;
use svc_device::render::wish::Wish;
use svc_device::set::Document;
use svc_device::sound::samples::SampleCache;

const BARS: f64 = 32.0;

fn main() {
    let bars = if rounds(2) > 1 { BARS } else { 1.0 };
    let mut table = Table::new(&["times real time", "the sound alone", "listened to and written"]);
    for (name, file) in [("the example song", "song.svcset"), ("16 tracks with effects", "sixteen-tracks.svcset")] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(file);
        let set = read_set_file(&path, &AllowedFolders::default()).expect("it is a Set");
        let alone = best(|| sound_alone(set.document(), bars));
        let whole = best(|| listened_to(set.document(), bars));
        table.row(name, [format!("{alone:.1}x"), format!("{whole:.1}x")]);
    }
    table.print();
}

/// The most of some runs: seconds of sound for each second.
fn best(run: impl Fn() -> f64) -> f64 {
    (0..rounds(3).max(1)).map(|_| run()).fold(0.0, f64::max)
}

fn settings(document: &Document, bars: f64) -> RenderSettings {
    let wish = Wish { scene: Some("s0".to_owned()), bars: Some(bars), ..Wish::default() };
    let stretch = wish.stretch(document).expect("the first scene has clips");
    RenderSettings { stretch, rate_hz: 48_000, seed: 1, tail: Tail::Seconds(0.0), block_frames: BLOCK_FRAMES }
}

fn sound_alone(document: &Document, bars: f64) -> f64 {
    let begun = Instant::now();
    let mut render = OfflineRender::new(document, &SampleCache::default(), &settings(document, bars), false);
    let frames = render.frames_left();
    while render.advance() {}
    frames as f64 / 48_000.0 / begun.elapsed().as_secs_f64()
}

fn listened_to(document: &Document, bars: f64) -> f64 {
    let folder = tempfile::tempdir().expect("a folder");
    let mix = Some(folder.path().join("mix.wav"));
    let files =
        RenderFiles { chosen_by: ChosenBy::Hand, mix, midi: None, stems: None, bits: Bits::TwentyFour, loudness: None };
    let begun = Instant::now();
    let made = render(document, &SampleCache::default(), &settings(document, bars), &files, &Unwatched);
    made.expect("it is rendered").frames as f64 / 48_000.0 / begun.elapsed().as_secs_f64()
}
