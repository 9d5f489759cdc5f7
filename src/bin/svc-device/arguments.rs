//! The command line.

use lexopt::prelude::*;
use std::ffi::OsString;
use std::path::PathBuf;

pub const HELP: &str = "\
svc-device: a music session behind a local HTTP server

Usage: svc-device [--headless] [--port N] [--open FILE] [--data-dir DIR]

  --headless       no window
  --port N         listen on this port, whatever the settings say; 0 picks a free one; not saved
  --open FILE      the Set in this file, which is made if it is missing; changes are saved to it
  --data-dir DIR   where settings and the Set are kept, instead of ~/.svc
  --help, -h       this text
  --version, -V    the version

When it is ready it prints: svc-device listening on http://127.0.0.1:PORT
Ctrl-C ends it. Notes go to a JACK port if a JACK server runs, else to a virtual MIDI port.";

/// What to do.
#[derive(Debug, PartialEq)]
pub enum Command {
    Run(Options),
    Help,
    Version,
}

#[derive(Debug, Default, PartialEq)]
pub struct Options {
    pub headless: bool,
    pub port: Option<u16>,
    pub open: Option<PathBuf>,
    pub data_dir: Option<PathBuf>,
}

/// Reads the arguments, without the program's name. The error is one sentence that names the argument. Of an option
/// given twice the last counts.
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Command, String> {
    let mut parser = lexopt::Parser::from_args(arguments);
    let mut options = Options::default();
    while let Some(argument) = parser.next().map_err(|e| e.to_string())? {
        match argument {
            Long("headless") => options.headless = true,
            Long("port") => options.port = Some(port(&value(&mut parser, "--port", "a port number")?)?),
            Long("open") => options.open = Some(path(value(&mut parser, "--open", "a file")?, "--open")?),
            Long("data-dir") => {
                options.data_dir = Some(path(value(&mut parser, "--data-dir", "a folder")?, "--data-dir")?);
            }
            Long("help") | Short('h') => return Ok(Command::Help),
            Long("version") | Short('V') => return Ok(Command::Version),
            other => return Err(other.unexpected().to_string()),
        }
    }
    Ok(Command::Run(options))
}

fn value(parser: &mut lexopt::Parser, option: &str, what: &str) -> Result<OsString, String> {
    parser.value().map_err(|_| format!("{option} needs {what} after it"))
}

fn port(value: &OsString) -> Result<u16, String> {
    let number = value.to_str().filter(|text| text.bytes().all(|b| b.is_ascii_digit())).and_then(|t| t.parse().ok());
    number.ok_or_else(|| format!("--port takes a number from 0 to 65535, not {value:?}"))
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
            ("--headless -h --port x", Ok(Command::Help)),
            ("--help", Ok(Command::Help)),
            ("-V", Ok(Command::Version)),
            ("--version", Ok(Command::Version)),
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
            ("--port", "--port needs a port number"),
            ("--port 65536", "--port takes a number from 0 to 65535, not \"65536\""),
            ("--port -1", "--port"),
            ("--port +1", "--port takes"),
            ("--port _", "--port takes"),
            ("--headless=1", "--headless"),
            ("--open", "--open needs a file"),
            ("--open _", "--open has an empty name"),
            ("--data-dir", "--data-dir needs a folder"),
        ] {
            let error = read(line).unwrap_err();
            assert!(error.contains(part), "{line}: {error}");
        }
    }
}
