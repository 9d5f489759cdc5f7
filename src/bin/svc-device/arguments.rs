//! The command line.

use super::help::Topic;
use super::render::arguments::{self as render_arguments, RenderArguments};
use lexopt::prelude::*;
use std::ffi::OsString;
use std::path::PathBuf;
use svc_device::live_files::Damage;
use svc_device::service::hosts::HostChoice;

/// What to do.
#[derive(Debug, PartialEq)]
pub enum Command {
    Run(Options),
    /// On stdin and stdout, with these headers to each request.
    Mcp(Options, Vec<(String, String)>),
    /// The script in Ableton Live.
    Live(LiveAction, Options),
    /// What is right and what is wrong here.
    Doctor(Options),
    /// What a file holds.
    Info(PathBuf, Options),
    /// What is different between two files.
    Diff(PathBuf, PathBuf, Options),
    /// What in a file is missing, or will not be heard.
    Lint(PathBuf, Options),
    /// A file with a Set, written anew as another.
    Convert(PathBuf, PathBuf, Damage),
    /// The Set in a file as sound.
    Render(Box<RenderArguments>),
    Help(Topic),
    Version,
}

/// See [`Command::Live`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LiveAction {
    Install,
    Status,
    Remove,
    Check,
}

#[derive(Debug, Default, PartialEq)]
pub struct Options {
    pub headless: bool,
    pub port: Option<u16>,
    pub host: Option<HostChoice>,
    /// The MIDI port that notes go to.
    pub midi_out: Option<String>,
    pub open: Option<PathBuf>,
    pub data_dir: Option<PathBuf>,
    pub token_file: Option<PathBuf>,
    pub user_library: Option<PathBuf>,
    /// Answer every question of the check with yes.
    pub yes: bool,
    /// Run the check although the host is not Live.
    pub any_host: bool,
    /// Print JSON.
    pub json: bool,
    /// Whether a damaged file is read up to where it is.
    pub damage: Damage,
}

/// The options, and the commands that each goes with; the empty word is the device itself.
const OPTIONS: [(&str, &[&str]); 13] = [
    ("--headless", &[""]),
    ("--port", &["", "mcp", "live status", "live check", "doctor"]),
    ("--host", &["", "mcp"]),
    ("--midi-out", &["", "mcp"]),
    ("--open", &["", "mcp"]),
    ("--data-dir", &["", "mcp", "live install", "live status", "live remove", "live check", "doctor"]),
    ("--token-file", &["", "mcp", "live status", "live check", "doctor"]),
    ("--user-library", &["live install", "live status", "live remove", "doctor"]),
    ("--yes", &["live check"]),
    ("--any-host", &["live check"]),
    ("--header", &["mcp"]),
    ("--json", &["info", "diff", "lint"]),
    ("--salvage", &["", "mcp", "info", "convert"]),
];

/// Reads the arguments, without the program's name. The error is one sentence that names the argument. Of an option
/// given twice the last counts.
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Command, String> {
    let mut arguments = arguments.into_iter().peekable();
    // It has options of its own.
    if arguments.next_if(|first| first == "render").is_some() {
        let read = render_arguments::parse(arguments)?;
        return Ok(read.map_or(Command::Help(Topic::Render), |read| Command::Render(Box::new(read))));
    }
    let mut parser = lexopt::Parser::from_args(arguments);
    let mut options = Options::default();
    let (mut words, mut headers, mut given) = (Vec::<String>::new(), Vec::new(), Vec::new());
    let mut files = Vec::new();
    while let Some(argument) = parser.next().map_err(|e| e.to_string())? {
        if let Long(name) = &argument {
            given.extend(OPTIONS.iter().map(|(option, _)| *option).find(|option| option.get(2..) == Some(*name)));
        }
        match argument {
            Long("headless") => options.headless = true,
            Long("yes") => options.yes = true,
            Long("any-host") => options.any_host = true,
            Long("json") => options.json = true,
            Long("salvage") => options.damage = Damage::CutOff,
            Long("port") => options.port = Some(port(&value(&mut parser, "--port", "a port number")?)?),
            Long("host") => options.host = Some(host(&value(&mut parser, "--host", "auto, embedded or live")?)?),
            Long("midi-out") => options.midi_out = Some(midi_out(value(&mut parser, "--midi-out", "a port's name")?)?),
            Long("open") => options.open = Some(path(value(&mut parser, "--open", "a file")?, "--open")?),
            Long("data-dir") => {
                options.data_dir = Some(path(value(&mut parser, "--data-dir", "a folder")?, "--data-dir")?);
            }
            Long("token-file") => {
                options.token_file = Some(path(value(&mut parser, "--token-file", "a file")?, "--token-file")?);
            }
            Long("user-library") => {
                options.user_library = Some(path(value(&mut parser, "--user-library", "a folder")?, "--user-library")?);
            }
            Long("header") => headers.push(header(&value(&mut parser, "--header", "a header, NAME:VALUE,")?)?),
            Value(word) if takes_file(&words, files.len()) => files.push(path(word, words.first().map_or("", |w| w))?),
            Value(word) => words.push(word.into_string().map_err(|word| format!("unexpected argument {word:?}"))?),
            Long("help") | Short('h') => return Ok(Command::Help(topic(&words))),
            Long("version") | Short('V') => return Ok(Command::Version),
            other => return Err(other.unexpected().to_string()),
        }
    }
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let command = words.join(" ");
    let command = match words.as_slice() {
        [] => "",
        [command @ ("info" | "lint")] if files.is_empty() => return Err(format!("{command} needs a file after it")),
        ["diff"] if files.len() < 2 => return Err("diff needs two files after it: the older and the newer".to_owned()),
        ["convert"] if files.len() < 2 => {
            return Err("convert needs two files after it: the one to read and the one to write".to_owned());
        }
        ["mcp" | "doctor" | "info" | "diff" | "lint" | "convert"]
        | ["live", "install" | "status" | "remove" | "check"] => command.as_str(),
        ["live"] => return Err("live needs install, status, remove or check after it".to_owned()),
        ["live", "install" | "status" | "remove" | "check", other, ..] => {
            return Err(format!("unexpected argument {other:?}"));
        }
        ["live", other, ..] => {
            return Err(format!("live takes install, status, remove or check after it, not {other:?}"));
        }
        ["mcp" | "doctor" | "info" | "diff" | "lint" | "convert", other, ..] | [other, ..] => {
            return Err(format!("unexpected argument {other:?}"));
        }
    };
    check_options(command, &given)?;
    let mut files = files.into_iter();
    match (files.next(), files.next()) {
        (Some(from), Some(to)) if command == "diff" => return Ok(Command::Diff(from, to, options)),
        (Some(from), Some(to)) => return Ok(Command::Convert(from, to, options.damage)),
        (Some(file), None) if command == "lint" => return Ok(Command::Lint(file, options)),
        (Some(file), None) => return Ok(Command::Info(file, options)),
        (None, _) => {}
    }
    Ok(match command {
        "mcp" => Command::Mcp(options, headers),
        "doctor" => Command::Doctor(options),
        "live install" => Command::Live(LiveAction::Install, options),
        "live status" => Command::Live(LiveAction::Status, options),
        "live remove" => Command::Live(LiveAction::Remove, options),
        "live check" => Command::Live(LiveAction::Check, options),
        _ => Command::Run(options),
    })
}

/// Whether the next word is a file that the command reads or writes.
fn takes_file(words: &[String], files: usize) -> bool {
    match words {
        [command] if ["info", "lint"].contains(&command.as_str()) => files < 1,
        [command] if ["convert", "diff"].contains(&command.as_str()) => files < 2,
        _ => false,
    }
}

/// Refuses an option that the command does not read.
fn check_options(command: &str, given: &[&str]) -> Result<(), String> {
    if command == "mcp" && given.contains(&"--headless") {
        return Err("mcp has no window: leave --headless out".to_owned());
    }
    for (option, commands) in OPTIONS.iter().filter(|(option, _)| given.contains(option)) {
        if !commands.contains(&command) {
            let names: Vec<String> =
                commands.iter().map(|name| format!("svc-device {name}").trim().to_owned()).collect();
            return Err(format!("{option} goes with {}", names.join(", ")));
        }
    }
    Ok(())
}

fn topic(words: &[String]) -> Topic {
    match words.first().map(String::as_str) {
        Some("live") => Topic::Live,
        Some("doctor") => Topic::Doctor,
        Some("info") => Topic::Info,
        Some("diff") => Topic::Diff,
        Some("lint") => Topic::Lint,
        Some("convert") => Topic::Convert,
        _ => Topic::Device,
    }
}

/// Only what a request's profile is made of: anything else is the protocol's own.
fn header(text: &OsString) -> Result<(String, String), String> {
    let plain = |part: &str| !part.is_empty() && part.bytes().all(|byte| (b'!'..=b'~').contains(&byte));
    let parts = text.to_str().and_then(|text| text.split_once(':'));
    parts
        .map(|(name, value)| (name.trim().to_ascii_lowercase(), value.trim().to_owned()))
        .filter(|(name, value)| name.starts_with("x-svc-") && plain(name) && plain(value))
        .ok_or_else(|| format!("--header takes a profile header such as x-svc-notation:stark, not {text:?}"))
}

fn value(parser: &mut lexopt::Parser, option: &str, what: &str) -> Result<OsString, String> {
    parser.value().map_err(|_| format!("{option} needs {what} after it"))
}

fn port(value: &OsString) -> Result<u16, String> {
    let number = value.to_str().filter(|text| text.bytes().all(|b| b.is_ascii_digit())).and_then(|t| t.parse().ok());
    number.ok_or_else(|| format!("--port takes a number from 0 to 65535, not {value:?}"))
}

fn host(value: &OsString) -> Result<HostChoice, String> {
    let named = value.to_str().and_then(HostChoice::from_name);
    named.ok_or_else(|| format!("--host takes auto, embedded or live, not {value:?}"))
}

fn midi_out(value: OsString) -> Result<String, String> {
    let name = value.into_string().ok().filter(|name| !name.trim().is_empty());
    name.ok_or_else(|| "--midi-out takes the name of a MIDI port, or a part of it".to_owned())
}

fn path(value: OsString, option: &str) -> Result<PathBuf, String> {
    if value.is_empty() {
        return Err(format!("{option} has an empty name after it"));
    }
    Ok(PathBuf::from(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Command, String> {
        parse(line.split(' ').filter(|word| !word.is_empty()).map(|word| OsString::from(word.replace('_', ""))))
    }

    #[test]
    fn good_lines() {
        let run = |options| Ok(Command::Run(options));
        for (line, want) in [
            ("", run(Options::default())),
            ("--headless", run(Options { headless: true, ..Options::default() })),
            ("--port 0", run(Options { port: Some(0), ..Options::default() })),
            ("--port=65535", run(Options { port: Some(65535), ..Options::default() })),
            ("--port 1 --port 2", run(Options { port: Some(2), ..Options::default() })),
            (
                "--open a.json --data-dir b",
                run(Options { open: Some("a.json".into()), data_dir: Some("b".into()), ..Options::default() }),
            ),
            ("--host live", run(Options { host: Some(HostChoice::Live), ..Options::default() })),
            ("--midi-out loopMIDI", run(Options { midi_out: Some("loopMIDI".into()), ..Options::default() })),
            ("--token-file a", run(Options { token_file: Some("a".into()), ..Options::default() })),
            ("--headless -h --port x", Ok(Command::Help(Topic::Device))),
            ("--help", Ok(Command::Help(Topic::Device))),
            ("mcp --help", Ok(Command::Help(Topic::Device))),
            ("live --help", Ok(Command::Help(Topic::Live))),
            ("live install -h", Ok(Command::Help(Topic::Live))),
            ("doctor -h", Ok(Command::Help(Topic::Doctor))),
            ("info --help", Ok(Command::Help(Topic::Info))),
            ("convert --help", Ok(Command::Help(Topic::Convert))),
            ("render --help", Ok(Command::Help(Topic::Render))),
            ("render a -h", Ok(Command::Help(Topic::Render))),
            (
                "convert a.als b.svcset --salvage",
                Ok(Command::Convert("a.als".into(), "b.svcset".into(), Damage::CutOff)),
            ),
            ("convert a.als b.svcset", Ok(Command::Convert("a.als".into(), "b.svcset".into(), Damage::Refused))),
            ("info a.als", Ok(Command::Info("a.als".into(), Options::default()))),
            ("--json info live", Ok(Command::Info("live".into(), Options { json: true, ..Options::default() }))),
            (
                "diff a.als --json b.svcset",
                Ok(Command::Diff("a.als".into(), "b.svcset".into(), Options { json: true, ..Options::default() })),
            ),
            ("lint a.als", Ok(Command::Lint("a.als".into(), Options::default()))),
            ("diff -h", Ok(Command::Help(Topic::Diff))),
            ("lint --help", Ok(Command::Help(Topic::Lint))),
            ("doctor --port 4000", Ok(Command::Doctor(Options { port: Some(4000), ..Options::default() }))),
            ("live status", Ok(Command::Live(LiveAction::Status, Options::default()))),
            (
                "live install --user-library a --data-dir b",
                Ok(Command::Live(
                    LiveAction::Install,
                    Options { user_library: Some("a".into()), data_dir: Some("b".into()), ..Options::default() },
                )),
            ),
            (
                "--user-library a live remove",
                Ok(Command::Live(LiveAction::Remove, Options { user_library: Some("a".into()), ..Options::default() })),
            ),
            (
                "live check --yes --any-host --port 4000",
                Ok(Command::Live(
                    LiveAction::Check,
                    Options { yes: true, any_host: true, port: Some(4000), ..Options::default() },
                )),
            ),
            ("-V", Ok(Command::Version)),
            ("--version", Ok(Command::Version)),
            ("mcp", Ok(Command::Mcp(Options::default(), vec![]))),
            (
                "mcp --port 4000 --header X-SVC-Notation:stark --header x-svc-tools:a,b",
                Ok(Command::Mcp(
                    Options { port: Some(4000), ..Options::default() },
                    vec![
                        ("x-svc-notation".to_owned(), "stark".to_owned()),
                        ("x-svc-tools".to_owned(), "a,b".to_owned()),
                    ],
                )),
            ),
        ] {
            assert_eq!(read(line), want, "{line}");
        }
    }

    #[test]
    fn bad_lines_name_the_argument() {
        for (line, part) in [
            ("--prot 1", "--prot"),
            ("-x", "-x"),
            ("song.json", "song.json"),
            ("--host", "--host needs auto"),
            ("--host Live", "--host takes auto, embedded or live, not \"Live\""),
            ("--port", "--port needs a port number"),
            ("--port 65536", "--port takes a number from 0 to 65535, not \"65536\""),
            ("--port -1", "--port"),
            ("--port +1", "--port takes"),
            ("--port _", "--port takes"),
            ("--headless=1", "--headless"),
            ("mpc", "mpc"),
            ("mcp --headless", "mcp has no window"),
            ("--header x-svc-format:json", "--header goes with svc-device mcp"),
            ("mcp --header", "--header needs a header"),
            ("mcp --header x-svc-format", "--header takes a profile header"),
            ("mcp --header host:evil", "--header takes a profile header"),
            ("mcp --header x-svc-:", "--header takes a profile header"),
            ("--midi-out", "--midi-out needs a port's name"),
            ("--midi-out _", "--midi-out takes the name"),
            ("doctor --midi-out a", "--midi-out goes with svc-device, svc-device mcp"),
            ("--open", "--open needs a file"),
            ("--open _", "--open has an empty name"),
            ("--token-file", "--token-file needs a file"),
            ("--token-file _", "--token-file has an empty name"),
            ("--data-dir", "--data-dir needs a folder"),
            ("live", "live needs install, status, remove or check"),
            ("live instal", "live takes install, status, remove or check after it, not \"instal\""),
            ("live install now", "unexpected argument \"now\""),
            ("doctor now", "unexpected argument \"now\""),
            ("info", "info needs a file after it"),
            ("info _", "info has an empty name after it"),
            ("info a.als b.als", "unexpected argument \"b.als\""),
            ("convert a.als", "convert needs two files"),
            ("render", "render needs a file"),
            ("render a.als --json", "--json"),
            ("--port 1 render a.als", "unexpected argument \"render\""),
            ("convert a b c", "unexpected argument \"c\""),
            ("convert a b --json", "--json goes with svc-device info"),
            ("--json", "--json goes with svc-device info"),
            ("info a.als --port 1", "--port goes with svc-device, svc-device mcp"),
            ("live install --port 1", "--port goes with svc-device, svc-device mcp, svc-device live status"),
            ("live check --user-library a", "--user-library goes with svc-device live install"),
            ("--user-library a", "--user-library goes with svc-device live install"),
            ("live install --user-library", "--user-library needs a folder"),
            ("live install --user-library _", "--user-library has an empty name"),
            ("live install --yes", "--yes goes with svc-device live check"),
            ("doctor --headless", "--headless goes with svc-device"),
            ("doctor --yes=1", "--yes"),
        ] {
            let error = read(line).unwrap_err();
            assert!(error.contains(part), "{line}: {error}");
        }
    }
}
