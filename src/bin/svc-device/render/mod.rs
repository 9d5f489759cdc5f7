//! `svc-device render`: a Set in a file as sound, and what is to be heard in it.

pub mod arguments;

use crate::console::{log_lines, print};
use crate::wake_signal::{WakeSignal, stop_on_signals};
use arguments::RenderArguments;
use serde_json::{Value as Json, json};
use std::fmt::Display;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use svc_device::device::set_files::{read_set_file, with_samples_beside};
use svc_device::disk::{Access, StagedFile};
use svc_device::paths::AllowedFolders;
use svc_device::render::faithfulness::Faithfulness;
use svc_device::render::listened::{picture, told};
use svc_device::render::offline::{BLOCK_FRAMES, RenderSettings};
use svc_device::render::render_files::{ChosenBy, RenderFiles, Wanted};
use svc_device::render::rendered::{Progress, render};
use svc_device::render::wish::{Asked, Unfit, Wish};
use svc_device::set::Document;
use svc_device::sound::samples::SampleCache;

/// Nothing is heard.
const ALL_SILENT: u8 = 3;

/// Renders. Exit code 1: nothing was written, and stderr says why; 3: it is rendered, and silent.
pub fn run(arguments: &RenderArguments) -> Result<ExitCode, String> {
    let set = read_set_file(&arguments.file, &AllowedFolders::default())
        .map_err(|why| format!("{}: {why}", arguments.file.display()))?;
    let document = with_samples_beside(&arguments.file, set.document());
    let stretch = wish(arguments).stretch(&document).map_err(as_option)?;
    let signal = WakeSignal::default();
    stop_on_signals(signal.clone()).map_err(|why| format!("cannot listen for signals: {why}"))?;
    let watch = Percent { signal, is_shown: std::io::stderr().is_terminal() };
    let samples = loaded(&document, &arguments.file, &watch);
    let sounds = Faithfulness::of(&document, &samples);
    if arguments.strict {
        let otherwise = sounds.otherwise(&stretch);
        if !otherwise.is_empty() {
            let mut lines = vec!["--strict: these do not sound as the Set says:".to_owned()];
            lines.extend(otherwise.iter().map(|(name, sounds)| format!("  {name}: {sounds}")));
            log_lines(&lines);
            return Ok(ExitCode::FAILURE);
        }
    }
    let picture_file = arguments.picture.as_deref().map(staged_picture).transpose()?;
    let settings = RenderSettings {
        stretch,
        rate_hz: arguments.rate_hz,
        seed: arguments.seed,
        tail: arguments.tail,
        block_frames: BLOCK_FRAMES,
    };
    let files = RenderFiles {
        chosen_by: ChosenBy::Hand,
        mix: arguments.output.clone(),
        midi: arguments.midi.clone(),
        stems: arguments.stems.clone(),
        bits: arguments.bits,
        loudness: arguments.loudness,
    };
    let rendered = render(&document, &samples, &settings, &files, &watch);
    watch.end();
    let rendered = rendered.map_err(|failed| match failed.about {
        Some(wanted) => format!("{}: {}", option(wanted), failed.why),
        None => failed.why,
    })?;
    let mut report = serde_json::Map::new();
    report.extend(arguments.output.iter().map(|file| ("file".to_owned(), json!(file))));
    report.extend(arguments.midi.iter().map(|file| ("midi".to_owned(), json!(file))));
    if !rendered.stem_files.is_empty() {
        report.insert("stems".to_owned(), json!(rendered.stem_files));
    }
    if let (Some(file), Some(staged)) = (&arguments.picture, picture_file) {
        let drawn = picture(&document, &stretch, &rendered, arguments.rate_hz).png().map_err(|why| why.to_string());
        let written = drawn.and_then(|png| put_in_place(staged, &png).map_err(|why| why.to_string()));
        written.map_err(|why| format!("--picture {}: {why}; the other files are written", file.display()))?;
        report.insert("picture".to_owned(), json!(file));
    }
    report.extend(told(&document, &stretch, &rendered, &sounds));
    let report = Json::Object(report);
    match arguments.json {
        true => print(&report.to_string()),
        false => as_text(&report).iter().for_each(|line| print(line)),
    }
    Ok(if rendered.report.main.is_silent() { ExitCode::from(ALL_SILENT) } else { ExitCode::SUCCESS })
}

fn wish(arguments: &RenderArguments) -> Wish {
    Wish {
        scene: arguments.scene.clone(),
        from: arguments.from.clone(),
        to: arguments.to.clone(),
        length: None,
        bars: arguments.bars,
    }
}

/// The file of the picture, made before anything is rendered, so that a folder that takes no file is known by then.
fn staged_picture(picture: &Path) -> Result<StagedFile, String> {
    let refused = |why: &dyn Display| format!("--picture {}: {why}", picture.display());
    if picture.is_dir() {
        return Err(refused(&"it is a folder"));
    }
    StagedFile::by_hand(picture, Access::AsBefore).map_err(|why| match why.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => refused(&"there is no such folder"),
        _ => refused(&why),
    })
}

fn put_in_place(staged: StagedFile, bytes: &[u8]) -> io::Result<()> {
    staged.file().write_all(bytes)?;
    staged.put_in_place().map(drop)
}

fn option(wanted: Wanted) -> &'static str {
    match wanted {
        Wanted::Mix => "-o",
        Wanted::Midi => "--midi",
        Wanted::Stems => "--stems",
        Wanted::MixAndStems => "-o, --stems",
        Wanted::Loudness => "--normalize",
    }
}

fn as_option(unfit: Unfit) -> String {
    let option = match unfit.asked {
        Asked::Scene => "--scene",
        Asked::From => "--from",
        Asked::To => "--to",
        Asked::Length => "--bars",
    };
    format!("{option}: {}", unfit.why)
}

fn loaded(document: &Document, file: &Path, watch: &Percent) -> SampleCache {
    let samples = SampleCache::default();
    // It is the user's own command: nothing is kept from them. Of servers they have named that of the file alone.
    let beside = std::path::absolute(file).ok().and_then(|file| file.parent().map(Path::to_owned));
    let told = AllowedFolders::new([Path::new("/").to_owned()].into_iter().chain(beside));
    for wanted in samples.wanted(document, &told) {
        samples.load(&wanted, &told, &|| watch.is_cancelled());
    }
    samples
}

/// How far it is, where somebody looks; and whether it is to end.
struct Percent {
    signal: WakeSignal,
    is_shown: bool,
}

impl Percent {
    fn show(&self, text: &str) {
        if self.is_shown {
            let mut stderr = std::io::stderr();
            let _ = write!(stderr, "\r{text}");
            let _ = stderr.flush();
        }
    }

    fn end(&self) {
        self.show("      \r");
    }
}

impl Progress for Percent {
    fn report(&self, done: u64, total: u64) {
        let percent = (done * 100).checked_div(total).unwrap_or(100);
        self.show(&format!("{percent:3} %"));
    }

    fn is_cancelled(&self) -> bool {
        self.signal.is_stopping()
    }

    fn commit(&self) -> bool {
        !self.is_cancelled()
    }
}

/// The report for people.
fn as_text(report: &Json) -> Vec<String> {
    let level = |of: &Json, name: &str, unit: &str| match of[name].as_f64() {
        Some(value) => format!("{value:.1} {unit}"),
        None => format!("no {unit}"),
    };
    let loud = |of: &Json| format!("{}, true peak {}", level(of, "lufs", "LUFS"), level(of, "truePeakDbtp", "dBTP"));
    let mut lines = vec![match report["file"].as_str() {
        Some(file) => format!("{file}: {} s", report["seconds"]),
        None if report["stems"].is_array() => format!("{} s: the stems alone; -o writes the mix", report["seconds"]),
        None => format!("{} s, the sound not written: name a file with -o", report["seconds"]),
    }];
    let written = [("notes", "midi"), ("picture", "picture")];
    lines
        .extend(written.into_iter().filter_map(|(what, name)| Some(format!("{}: the {what}", report[name].as_str()?))));
    lines.push(loud(report));
    let list = |name: &str| report[name].as_array().map(Vec::as_slice).unwrap_or_default().to_vec();
    for track in list("tracks") {
        let near = track["sounds"].as_str().filter(|sounds| *sounds != "exact");
        let near = near.map(|sounds| format!(" ({sounds})")).unwrap_or_default();
        lines.push(format!("  {}: {}{near}", text(&track["name"]), loud(&track)));
        let drums = track["drums"].as_array().map(Vec::as_slice).unwrap_or_default();
        lines.extend(drums.iter().map(|drum| format!("    {}: {}", text(&drum["name"]), loud(drum))));
    }
    for track in list("silent") {
        lines.push(format!("  {}: silent: {}", text(&track["name"]), text(&track["why"])));
    }
    lines.extend(list("notes").iter().map(|note| format!("- {}", text(note))));
    lines
}

fn text(value: &Json) -> &str {
    value.as_str().unwrap_or_default()
}
