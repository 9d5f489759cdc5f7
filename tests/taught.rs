//! Every example that the device teaches can be read: in the skills, in the tools' descriptions, in the README and in
//! docs/.

use std::path::{Path, PathBuf};
use svc_device::music::{Meter, Random, duration, position};
use svc_device::notation::transforms::{ClipKind, Program};
use svc_device::notation::{self, Notation, ParseContext, Parsed};
use svc_device::tools;
use svc_device::tools::address::path_parse;
use svc_device::tools::request::{DeviceFacts, RequestContext};
use svc_device::tools::tool::About;

/// What a text is written in.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Language {
    Notes(Notation),
    Transforms,
}

/// Code that is no example: names, and forms that stand for others.
const WORDS: [&str; 47] = [
    "bar|beat",
    "transforms",
    "preTransforms",
    "notes",
    "seed",
    "velocity",
    "pitch",
    "timing",
    "duration",
    "probability",
    "deviation",
    "transformed",
    "deletedNotes",
    "notesByLine",
    "notesWritten",
    "notesReplaced",
    "notesDeleted",
    "=",
    "+=",
    "-=",
    "*=",
    "/=",
    "+ - * / %",
    "&&",
    "||",
    "!",
    "where",
    "clip.index",
    "p",
    "t",
    "d",
    "v",
    "vd",
    "c",
    "start",
    "|",
    ".",
    "tom1",
    "tom4",
    "melody",
    "bass",
    "chords",
    "//",
    "// ...",
    "looping",
    "gain",
    "pitchShift",
];

fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The Markdown files of a folder.
fn markdown(folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root(folder)).expect("a folder").map(|entry| entry.expect("a file").path());
    let mut files: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|e| e == "md")).collect();
    files.sort();
    files
}

/// Fenced blocks with their tags, and the code within lines.
fn code(markdown: &str) -> (Vec<(String, String)>, Vec<String>) {
    let (mut blocks, mut spans) = (Vec::new(), Vec::new());
    let mut fence: Option<(String, String)> = None;
    for line in markdown.lines() {
        match (&mut fence, line.trim().strip_prefix("```")) {
            (Some(_), Some(_)) => blocks.extend(fence.take()),
            (Some((_, text)), None) => {
                text.push_str(line);
                text.push('\n');
            }
            (None, Some(tag)) => fence = Some((tag.to_owned(), String::new())),
            (None, None) => spans.extend(line.split('`').skip(1).step_by(2).map(|span| span.replace("\\|", "|"))),
        }
    }
    assert!(fence.is_none(), "a block is not closed");
    (blocks, spans)
}

fn parse(notation: Notation, text: &str) -> Result<Parsed, String> {
    let random = &mut Random::from_seed(1);
    notation::parse(notation, text, ParseContext { meter: Meter::COMMON, existing: &[], random })
        .map_err(|e| e.to_string())
}

fn program(text: &str) -> Result<Program, String> {
    let program = Program::parse(text).map_err(|e| e.to_string())?;
    for kind in [ClipKind::Midi, ClipKind::Audio] {
        program.check(kind).and_then(|()| program.check_in_meter(Meter::COMMON, kind)).map_err(|e| e.to_string())?;
    }
    Ok(program)
}

/// A whole example: read without a warning, and it gives something.
fn is_whole(language: Language, text: &str) -> Result<(), String> {
    match language {
        Language::Notes(notation) => {
            let mut parsed = parse(notation, text)?;
            // What deletes is an example for a clip that has notes.
            parsed.warnings.retain(|warning| !warning.ends_with("found no note"));
            let silent = parsed.notes.is_empty() && !text.contains("v0") && !text.contains("v:0");
            let complaint =
                || format!("{:?}, {} left out, {} notes", parsed.warnings, parsed.duplicates, parsed.notes.len());
            if silent || !parsed.warnings.is_empty() || parsed.duplicates > 0 { Err(complaint()) } else { Ok(()) }
        }
        Language::Transforms => {
            let program = program(text)?;
            if program.is_empty() { Err("no lines".to_owned()) } else { Ok(()) }
        }
    }
}

/// Where a piece of a text may stand, `{}` being the piece.
fn settings(language: Language) -> &'static [&'static str] {
    match language {
        Language::Notes(Notation::Barbeat) => &["{}"],
        Language::Notes(Notation::MidiJson) => &["{}", "[{}]", "[{p:60,t:0,{}}]", "[{p:60,t:{}}]"],
        Language::Notes(Notation::Stark) => &[
            "{}",
            "{}: X",
            "{}: C",
            "kick: {}",
            "kick {}: X",
            "melody: {}",
            "melody: C{}",
            "melody: C/8{}",
            "melody: X{}",
            "chords: {}",
            "kick: X{}",
        ],
        Language::Transforms => &["{}", "{}: v1", "velocity = {}", "pitch = {}", "timing = {}", "{}: ratchet(2)"],
    }
}

/// A piece of a text is read in one of its settings.
fn is_piece(language: Language, piece: &str) -> bool {
    settings(language).iter().any(|setting| {
        let text = setting.replacen("{}", piece, 1);
        match language {
            Language::Notes(notation) => parse(notation, &text).is_ok(),
            Language::Transforms => program(&text).is_ok_and(|program| !program.is_empty()),
        }
    })
}

/// An example that says pitches and times, and so should play without a word.
fn is_complete(language: Language, span: &str) -> bool {
    match language {
        Language::Notes(Notation::Barbeat) => {
            let mut words = span.split_whitespace();
            let pitched = |word: &str| word.starts_with(|c: char| c.is_ascii_uppercase());
            words.any(pitched) && span.contains('|')
        }
        Language::Notes(Notation::MidiJson) => span.starts_with('['),
        Language::Notes(Notation::Stark) => span.contains(": "),
        Language::Transforms => span.contains(": ") || span.contains(" = "),
    }
}

fn named(tag: &str) -> Option<Language> {
    if tag == "transforms" { Some(Language::Transforms) } else { Notation::from_name(tag).map(Language::Notes) }
}

/// The language that a page of the skills teaches: `barbeat-writing` is about barbeat, `transforms-core` about
/// transforms.
fn taught_in(page: &str) -> Option<Language> {
    let page = page.trim_end_matches("-small").trim_end_matches("-writing");
    named(if page.starts_with("transforms-") { "transforms" } else { page })
}

/// Words that a text may have: for a strong model, for a small one.
const MOST_WORDS: (usize, usize) = (900, 350);

#[test]
fn every_example_in_the_skills() {
    let files = markdown("src/skills");
    let mut wrong = Vec::new();
    let mut languages = Vec::new();
    for file in &files {
        let name = file.file_stem().and_then(|stem| stem.to_str()).expect("a name");
        let text = read(file);
        let small = name.strip_suffix("-small");
        let most = if small.is_some() { MOST_WORDS.1 } else { MOST_WORDS.0 };
        let words = text.split_whitespace().count();
        assert!(words < most, "{name} has {words} words");
        let language = taught_in(name);
        let (blocks, spans) = code(&text);
        for (tag, block) in &blocks {
            let language = named(tag).unwrap_or_else(|| panic!("{name}: a block of {tag:?}"));
            if let Err(why) = is_whole(language, block) {
                wrong.push(format!("{name}: {block}\n{why}"));
            }
        }
        let Some(language) = language else { continue };
        languages.push((language, small.is_some()));
        let calls = spans.iter().any(|span| span.starts_with("svc-") && span.contains('{'));
        assert!(!blocks.is_empty() || calls, "{name} shows no whole example");
        for span in spans.iter().filter(|span| !WORDS.contains(&span.as_str()) && !span.starts_with("svc-")) {
            if is_complete(language, span) {
                if let Err(why) = is_whole(language, span) {
                    wrong.push(format!("{name}: {span}: {why}"));
                }
            } else if !is_piece(language, span) {
                wrong.push(format!("{name}: {span} cannot be read"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for language in Notation::ALL.map(Language::Notes).into_iter().chain([Language::Transforms]) {
        for small in [false, true] {
            assert!(languages.contains(&(language, small)), "{language:?} is taught, small: {small}");
        }
    }
}

/// How long the tokens of a stark line are, in quarter beats: when a last token behind them sounds.
fn stark_length(header: &str, tokens: &str) -> f64 {
    let last = if header.starts_with("melody") || header.starts_with("bass") || header.starts_with("chords") {
        "C"
    } else {
        "X"
    };
    let parsed = parse(Notation::Stark, &format!("{header}: {tokens} {last}/1")).expect("a line that was read");
    parsed.notes.iter().map(|note| note.start).fold(0.0, f64::max)
}

/// Whether each bar of each voice is a bar of 4/4, and all voices are as long. A lone line without bars may be any
/// length.
fn adds_up(text: &str) -> Result<(), String> {
    let lines: Vec<(&str, &str)> = text.lines().filter_map(|line| line.split_once(':')).collect();
    let mut lengths = Vec::new();
    for (header, tokens) in &lines {
        let bars: Vec<f64> = tokens.split('|').map(|bar| stark_length(header, bar)).collect();
        if bars.len() > 1 && bars.iter().any(|bar| (bar - 4.0).abs() > 1e-9) {
            return Err(format!("{header} has bars of {bars:?} quarters"));
        }
        lengths.push(bars.iter().sum::<f64>());
    }
    let uneven = |length: &f64| (length - lengths[0]).abs() > 1e-9 || length % 4.0 > 1e-9;
    if lines.len() > 1 && lengths.iter().any(uneven) { Err(format!("voices of {lengths:?} quarters")) } else { Ok(()) }
}

#[test]
fn every_stark_example_adds_up() {
    let (mut found, mut wrong) = (0, Vec::new());
    for file in markdown("src/skills").into_iter().chain(markdown("docs")) {
        let text = read(&file);
        let (blocks, spans) = code(&text);
        let taught = taught_in(file.file_stem().and_then(|s| s.to_str()).unwrap_or_default());
        let sent = spans.iter().filter_map(|span| span.split("\"notes\": \"").nth(1)?.split('"').next());
        let sent: Vec<String> = sent.map(|notes| notes.replace("\\n", "\n")).collect();
        let spans = spans.iter().chain(&sent).filter(|_| taught == Some(Language::Notes(Notation::Stark)));
        let spans = spans.filter(|span| !span.starts_with("svc-") && span.contains(": "));
        let blocks = blocks.iter().filter(|(tag, _)| tag == "stark").map(|(_, block)| block);
        for example in blocks.chain(spans) {
            found += 1;
            wrong.extend(adds_up(example).err().map(|why| format!("{}: {example}: {why}", file.display())));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(found >= 10, "{found} examples");
    for (text, adds) in [
        ("kick: X*4 | X/2*2", true),
        ("kick: X*4\nmelody: C D/2 E", true),
        ("kick: X*3 | X*5", false),
        ("kick: X*4\nmelody: C D/2", false),
        ("chords: C | D/2", false),
        ("hihat /8: X x X x", true),
        ("kick: X*2\nsnare: z X", false),
    ] {
        assert_eq!(adds_up(text).is_ok(), adds, "{text}");
    }
}

/// What stands in quotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('"').skip(1).step_by(2)
}

#[test]
fn every_example_in_the_tools_descriptions() {
    let mut found = 0;
    for notation in Notation::ALL {
        let view = RequestContext {
            notation,
            small_model_mode: false,
            tools: std::sync::Arc::new([]),
            device: std::sync::Arc::new(DeviceFacts::default()),
            json: true,
            as_text: false,
            song_meter: Meter::COMMON,
            at_rest: tools::request::CommittedSet(std::sync::Arc::new(|| Box::new(svc_device::set::SetState::alone()))),
            chosen_file: None,
            may_last: false,
            budget: Default::default(),
        };
        for tool in tools::registry::all() {
            for param in tool.params {
                let about = match param.about {
                    About::Text(text) => text.to_owned(),
                    About::Per(text) => text(&view).into_owned(),
                };
                let language = match param.name {
                    "notes" => Language::Notes(notation),
                    "transforms" | "preTransforms" => Language::Transforms,
                    _ => continue,
                };
                for example in quoted(&about) {
                    found += 1;
                    is_whole(language, example).unwrap_or_else(|why| panic!("{}: {example}: {why}", tool.name));
                }
            }
        }
    }
    assert!(found >= 3, "{found}");
}

/// Whether code in a page that teaches no notation is one all the same.
fn looks_like_notes(span: &str) -> bool {
    let position = span.split('|').collect::<Vec<_>>().windows(2).any(|pair| {
        pair[0].ends_with(|c: char| c.is_ascii_digit()) && pair[1].starts_with(|c: char| c.is_ascii_digit())
    });
    let value = span.starts_with("n/")
        || span
            .strip_prefix('n')
            .is_some_and(|rest| rest.contains('/') && rest.starts_with(|c: char| c.is_ascii_digit()));
    let velocity =
        span.strip_prefix(['v', 'p']).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit() || c == '.'));
    let bars = span.strip_suffix("bar").is_some_and(|rest| rest.parse::<u32>().is_ok());
    let heading = ["kick", "snare", "hihat", "melody", "bass", "chords"]
        .iter()
        .any(|word| span.strip_prefix(word).is_some_and(|rest| rest.trim_start().starts_with([':', '/'])));
    position || value || velocity || bars || heading || span.starts_with("[{") || span.contains("+= ")
}

#[test]
fn every_example_in_the_pages() {
    let mut pages = markdown("docs");
    pages.extend(markdown("."));
    pages.extend(
        markdown("src/skills")
            .into_iter()
            .filter(|path| taught_in(path.file_stem().and_then(|s| s.to_str()).unwrap_or_default()).is_none()),
    );
    let all: Vec<Language> = Notation::ALL.map(Language::Notes).into_iter().chain([Language::Transforms]).collect();
    let (mut found, mut wrong) = (0, Vec::new());
    for page in &pages {
        let text = read(page);
        let (blocks, spans) = code(&text);
        for (tag, block) in &blocks {
            if let Some(language) = named(tag) {
                found += 1;
                wrong.extend(is_whole(language, block).err().map(|why| format!("{}: {block}: {why}", page.display())));
            }
        }
        // Calls are made in a test of their own.
        let is_call = |span: &&String| span.starts_with("svc-") && span.contains('{');
        for span in spans.iter().filter(|span| looks_like_notes(span) && !is_call(span)) {
            found += 1;
            let elsewhere = position::parse(span, Meter::COMMON).is_ok()
                || duration::parse(span, Meter::COMMON).is_ok()
                || path_parse::parse(span).is_ok();
            if !elsewhere && !all.iter().any(|language| is_piece(*language, span)) && !WORDS.contains(&span.as_str()) {
                wrong.push(format!("{}: {span}", page.display()));
            }
        }
        // Arguments of calls, in JSON or in Python.
        for (argument, language) in [
            ("notes", Language::Notes(Notation::Barbeat)),
            ("transforms", Language::Transforms),
            ("preTransforms", Language::Transforms),
        ] {
            for before in [format!("\"{argument}\": \""), format!(" {argument}=\"")] {
                for after in text.split(&before).skip(1) {
                    let example = after.split('"').next().unwrap_or_default().replace("\\n", "\n");
                    found += 1;
                    wrong.extend(
                        is_whole(language, &example).err().map(|why| format!("{}: {example}: {why}", page.display())),
                    );
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(found >= 15, "{found} examples");
}
