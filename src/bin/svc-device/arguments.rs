//! The command line.

use lexopt::prelude::*;
use std::ffi::OsString;
use std::path::PathBuf;
use svc_device::service::hosts::HostChoice;

pub const HELP: &str = "\
svc-device: a music session behind a local HTTP server

Usage: svc-device [--headless] [--port N] [--host HOST] [--open FILE] [--data-dir DIR] [--token-file FILE]
       svc-device mcp [--port N] [--header NAME:VALUE]... [--open FILE] [--data-dir DIR] [--token-file FILE]

  --headless       no window
  --port N         listen on this port, whatever the settings say; 0 picks a free one; not saved
  --host HOST      whose Set the tools work on, whatever the settings say: embedded (the device's own), live (the one
                   that is open in Ableton Live, through the script there), or auto; not saved
  --open FILE      the Set in this file, which is made if it is missing; changes are saved to it
  --data-dir DIR   where settings and the Set are kept, instead of ~/.svc
  --token-file FILE  the token in this file is wanted with every call, instead of the one that is set (none at first)
  mcp              speak the Model Context Protocol on stdin and stdout, for clients that start commands: for the
                   device that runs on the port (default 3350), or as one without a window when none does
  --header N:V     with mcp: a profile header to send with each request, such as x-svc-notation:stark
  --help, -h       this text
  --version, -V    the version

When it is ready it prints: svc-device listening on http://127.0.0.1:PORT
Ctrl-C ends it. Notes go to a JACK port if a JACK server runs, else to a virtual MIDI port.";

/// What to do.
#[derive(Debug, PartialEq)]
pub enum Command {
    Run(Options),
    /// On stdin and stdout, with these headers to each request.
    Mcp(Options, Vec<(String, String)>),
    Help,
    Version,
}

#[derive(Debug, Default, PartialEq)]
pub struct Options {
    pub headless: bool,
    pub port: Option<u16>,
    pub host: Option<HostChoice>,
    pub open: Option<PathBuf>,
    pub data_dir: Option<PathBuf>,
    pub token_file: Option<PathBuf>,
}

/// Reads the arguments, without the program's name. The error is one sentence that names the argument. Of an option
/// given twice the last counts.
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Command, String> {
    let mut parser = lexopt::Parser::from_args(arguments);
    let mut options = Options::default();
    let (mut mcp, mut headers) = (false, Vec::new());
    while let Some(argument) = parser.next().map_err(|e| e.to_string())? {
        match argument {
            Long("headless") => options.headless = true,
            Long("port") => options.port = Some(port(&value(&mut parser, "--port", "a port number")?)?),
            Long("host") => options.host = Some(host(&value(&mut parser, "--host", "auto, embedded or live")?)?),
            Long("open") => options.open = Some(path(value(&mut parser, "--open", "a file")?, "--open")?),
            Long("data-dir") => {
                options.data_dir = Some(path(value(&mut parser, "--data-dir", "a folder")?, "--data-dir")?);
            }
            Long("token-file") => {
                options.token_file = Some(path(value(&mut parser, "--token-file", "a file")?, "--token-file")?);
            }
            Long("header") => headers.push(header(&value(&mut parser, "--header", "a header, NAME:VALUE,")?)?),
            Value(word) if word == "mcp" => mcp = true,
            Long("help") | Short('h') => return Ok(Command::Help),
            Long("version") | Short('V') => return Ok(Command::Version),
            other => return Err(other.unexpected().to_string()),
        }
    }
    match (mcp, headers.is_empty()) {
        (true, _) if options.headless => Err("mcp has no window: leave --headless out".to_owned()),
        (true, _) => Ok(Command::Mcp(options, headers)),
        (false, true) => Ok(Command::Run(options)),
        (false, false) => Err("--header goes with mcp: svc-device mcp --header NAME:VALUE".to_owned()),
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
            ("--token-file a", run(Options { token_file: Some("a".into()), ..Options::default() })),
            ("--headless -h --port x", Ok(Command::Help)),
            ("--help", Ok(Command::Help)),
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
            ("--header x-svc-format:json", "--header goes with mcp"),
            ("mcp --header", "--header needs a header"),
            ("mcp --header x-svc-format", "--header takes a profile header"),
            ("mcp --header host:evil", "--header takes a profile header"),
            ("mcp --header x-svc-:", "--header takes a profile header"),
            ("--open", "--open needs a file"),
            ("--open _", "--open has an empty name"),
            ("--token-file", "--token-file needs a file"),
            ("--token-file _", "--token-file has an empty name"),
            ("--data-dir", "--data-dir needs a folder"),
        ] {
            let error = read(line).unwrap_err();
            assert!(error.contains(part), "{line}: {error}");
        }
    }
}
