//! A rendering from its beginning to its end: written, measured, told of on the way, given up when asked to.

use super::measuring::{Measuring, Place};
use super::midi_file::midi_file;
use super::offline::{OfflineRender, RenderSettings};
use super::outputs::Outputs;
use super::portrait::Portrait;
use super::render_files::{CANCELLED, Loudness, RenderFiles, Unrendered, Wanted};
use super::sound_file::Bits;
use super::stem_sum::StemSum;
use super::stretch::{meter, tempo_bpm};
use super::tracks::{RenderedPart, RenderedTrack};
use crate::music::Meter;
use crate::picture::sound_picture::Column;
use crate::set::Document;
use crate::set::document::TrackKind;
use crate::sound::samples::SampleCache;
use std::cell::Cell;
use std::path::PathBuf;
use std::thread;
use svc_analysis::levels::Levels;
use svc_analysis::mix::{MixMeter, MixReport, Role, Source};
use svc_analysis::remarks::BentMix;

/// Rates that are rendered at.
pub const RATES_HZ: [u32; 4] = [44_100, 48_000, 88_200, 96_000];

/// Who waits for it.
pub trait Progress: Sync {
    /// Frames done and in all, as far as they are known; told whenever that is another percent.
    fn report(&self, done: u64, total: u64);

    fn is_cancelled(&self) -> bool;

    /// Asked once, before files are put in place; false where it was cancelled by then.
    fn commit(&self) -> bool;
}

/// Nobody waits, and nobody is told.
pub struct Unwatched;

impl Progress for Unwatched {
    fn report(&self, _: u64, _: u64) {}

    fn is_cancelled(&self) -> bool {
        false
    }

    fn commit(&self) -> bool {
        true
    }
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Rendered {
    pub frames: u64,
    /// Of the stretch that was asked for; what follows is its tail.
    pub stretch_frames: u64,
    pub tracks: Vec<RenderedTrack>,
    pub parts: Vec<RenderedPart>,
    /// Of what was written, the gain included: the tracks, then the parts.
    pub report: MixReport,
    /// 0 where no loudness was asked for.
    pub gain_db: f64,
    /// Of the main output before that gain; `None` where no loudness was asked for.
    pub before_gain: Option<Levels>,
    /// What the main track's safety clip bent.
    pub bent: Option<BentMix>,
    pub stem_files: Vec<PathBuf>,
    /// Stems are written, and in bits that cut what is above full scale.
    pub stems_are_cut: bool,
    /// The main track makes something else of them than their sum.
    pub stems_differ: bool,
    pub portrait: Vec<Column>,
}

/// Renders a stretch. Where it fails, all files and folders are as they were.
pub fn render(
    document: &Document,
    samples: &SampleCache,
    settings: &RenderSettings,
    files: &RenderFiles,
    progress: &dyn Progress,
) -> Result<Rendered, Unrendered> {
    let passes = if files.loudness.is_some() { 2 } else { 1 };
    let render = OfflineRender::new(document, samples, settings, true);
    // Before anything is rendered, as much of it can be refused.
    let outputs = Outputs::create(render.tracks(), settings.rate_hz, files)?;
    let before = match files.loudness {
        Some(loudness) => Some(loud(document, samples, settings, loudness, &Pass::new(progress, 0, passes))?),
        None => None,
    };
    let song = Song {
        tempo_bpm: tempo_bpm(document, settings.stretch.scene(document)),
        meter: meter(document, &settings.stretch),
        before,
        stems_are_cut: files.stems.is_some() && files.bits != Bits::Float,
    };
    fill(outputs, render, settings.rate_hz, &song, &Pass::new(progress, passes - 1, passes))
}

/// One of several passes over the same stretch.
struct Pass<'a> {
    progress: &'a dyn Progress,
    at: u64,
    of: u64,
    told_percent: Cell<Option<u64>>,
}

impl Pass<'_> {
    fn new(progress: &dyn Progress, at: u64, of: u64) -> Pass<'_> {
        Pass { progress, at, of, told_percent: Cell::new(None) }
    }

    fn report(&self, done: u64, total: u64) -> Result<(), String> {
        let (done, total) = (self.at * total + done, self.of * total);
        let percent = (done * 100).checked_div(total);
        if percent != self.told_percent.replace(percent) {
            self.progress.report(done, total);
        }
        if self.progress.is_cancelled() { Err(CANCELLED.to_owned()) } else { Ok(()) }
    }
}

/// By how many decibels the mix is to be louder, and its levels before.
fn loud(
    document: &Document,
    samples: &SampleCache,
    settings: &RenderSettings,
    loudness: Loudness,
    pass: &Pass,
) -> Result<(f64, Levels), Unrendered> {
    let mut render = OfflineRender::new(document, samples, settings, false);
    let mut meter = MixMeter::new(settings.rate_hz.into(), &[])?;
    let (total, mut done) = (render.frames_left(), 0);
    while render.advance() {
        let main = render.main();
        meter.push_main(main.left, main.right)?;
        done += main.left.len() as u64;
        pass.report(done.min(total), total)?;
    }
    let heard = meter.finish()?.main;
    let (wanted, is) = match loudness {
        Loudness::Lufs(lufs) => (lufs, heard.loudness.integrated_lufs),
        Loudness::TruePeakDbtp(peak) => (peak, heard.loudness.true_peak_dbtp),
    };
    let silent = || Unrendered::about(Wanted::Loudness, "nothing sounds, so it cannot be brought to a loudness");
    Ok((wanted - is.ok_or_else(silent)?, heard.levels))
}

/// What a file of notes says first, and by how many decibels all is louder than it sounds, with its levels before.
struct Song {
    tempo_bpm: f64,
    meter: Meter,
    before: Option<(f64, Levels)>,
    stems_are_cut: bool,
}

fn fill(
    mut outputs: Outputs,
    mut render: OfflineRender,
    rate_hz: u32,
    song: &Song,
    pass: &Pass,
) -> Result<Rendered, Unrendered> {
    let (tracks, parts) = (render.tracks().to_vec(), render.parts());
    let meter = MixMeter::new(rate_hz.into(), &sources(&tracks, &parts))?;
    let (gain_db, before_gain) = song.before.map_or((0.0, None), |(gain_db, levels)| (gain_db, Some(levels)));
    let gain = 10.0_f64.powf(gain_db / 20.0) as f32;
    let (total, mut frames) = (render.frames_left(), 0);
    let stretch_frames = render.stretch_frames();
    let portrait = Portrait::new(rate_hz.into(), total);
    let mut sum = StemSum::default();
    let (report, portrait) = thread::scope(|scope| {
        let measuring = Measuring::start(scope, meter, portrait)?;
        while render.advance() {
            let stems = tracks.iter().enumerate().filter(|(_, track)| track.is_stem);
            sum.hold_against(render.main(), stems.filter_map(|(at, _)| render.track(at)));
            let mut block = measuring.empty_block();
            let main = block.add(Place::Main, render.main(), gain);
            outputs.write_mix(main)?;
            frames += main.left.len() as u64;
            for at in 0..tracks.len() {
                let Some(signal) = render.track(at) else { continue };
                outputs.write_stem(at, block.add(Place::Source(at), signal, gain))?;
            }
            for at in 0..parts.len() {
                let Some(signal) = render.part(at) else { continue };
                block.add(Place::Source(tracks.len() + at), signal, gain);
            }
            if !measuring.take(block) {
                break;
            }
            pass.report(frames.min(total), total)?;
        }
        measuring.finish().map_err(Unrendered::from)
    })?;
    let bent = render.bent();
    // Nobody needs files of silence.
    let is_heard = |at: usize| report.tracks.get(at).is_some_and(|track| !track.signal.is_silent());
    outputs.keep_stems(is_heard);
    outputs.write_midi(|| midi_file(song.tempo_bpm, song.meter, &render.played()))?;
    let stem_files = outputs.stem_files();
    outputs.put_in_place(|| pass.progress.commit())?;
    let (stems_are_cut, stems_differ) = (song.stems_are_cut, sum.differs());
    Ok(Rendered {
        frames,
        stretch_frames,
        tracks,
        parts,
        report,
        gain_db,
        before_gain,
        bent,
        stem_files,
        stems_are_cut,
        stems_differ,
        portrait,
    })
}

/// What is measured beside the mix, in order.
fn sources<'a>(tracks: &'a [RenderedTrack], parts: &'a [RenderedPart]) -> Vec<Source<'a>> {
    let tracks = tracks.iter().map(|track| {
        let plays = track.plays && !track.gives_notes_away && matches!(track.kind, TrackKind::Midi | TrackKind::Audio);
        // One without clips may get the sound of others, one whose notes another plays has none: no own voices.
        Source { name: &track.name, role: if plays { Role::Track } else { Role::Bus } }
    });
    tracks.chain(parts.iter().map(|part| Source { name: &part.name, role: Role::Part { of: part.of } })).collect()
}
