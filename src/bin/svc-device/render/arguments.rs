//! The command line of `svc-device render`.

use lexopt::prelude::*;
use std::ffi::OsString;
use std::path::PathBuf;
use svc_device::render::offline::Tail;
use svc_device::render::render_files::Loudness;
use svc_device::render::rendered::RATES_HZ;
use svc_device::render::sound_file::{Bits, SoundFormat};

/// What is asked for; positions are not read yet, as they need the Set's meter.
#[derive(Clone, Debug, PartialEq)]
pub struct RenderArguments {
    pub file: PathBuf,
    pub output: Option<PathBuf>,
    pub stems: Option<PathBuf>,
    pub picture: Option<PathBuf>,
    /// Where the notes go.
    pub midi: Option<PathBuf>,
    pub from: Option<String>,
    pub to: Option<String>,
    /// By its place, `s0`, or its name.
    pub scene: Option<String>,
    pub bars: Option<f64>,
    pub rate_hz: u32,
    pub bits: Bits,
    pub tail: Tail,
    pub loudness: Option<Loudness>,
    pub seed: u64,
    /// Nothing that sounds otherwise than it should is rendered.
    pub strict: bool,
    /// The report as JSON.
    pub json: bool,
}

impl RenderArguments {
    fn of(file: PathBuf) -> RenderArguments {
        RenderArguments {
            file,
            output: None,
            stems: None,
            picture: None,
            midi: None,
            from: None,
            to: None,
            scene: None,
            bars: None,
            rate_hz: 48_000,
            bits: Bits::TwentyFour,
            tail: Tail::UntilSilent,
            loudness: None,
            seed: 1,
            strict: false,
            json: false,
        }
    }
}

/// Reads what follows the word `render`; `None`: help is asked for. The error is one sentence that names the argument.
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Option<RenderArguments>, String> {
    let mut parser = lexopt::Parser::from_args(arguments);
    let mut read = RenderArguments::of(PathBuf::new());
    while let Some(argument) = parser.next().map_err(|e| e.to_string())? {
        match argument {
            Long("help") | Short('h') => return Ok(None),
            Value(file) if read.file.as_os_str().is_empty() => read.file = named(file, "render")?,
            Short('o') | Long("output") => read.output = Some(path(&mut parser, "-o", "a file")?),
            Long("stems") => read.stems = Some(path(&mut parser, "--stems", "a folder")?),
            Long("picture") => read.picture = Some(path(&mut parser, "--picture", "a file")?),
            Long("midi") => read.midi = Some(path(&mut parser, "--midi", "a file")?),
            Long("from") => read.from = Some(text(&mut parser, "--from", "a position, such as 1|1")?),
            Long("to") => read.to = Some(text(&mut parser, "--to", "a position, such as 17|1")?),
            Long("scene") => read.scene = Some(text(&mut parser, "--scene", "a scene, such as s0")?),
            Long("bars") => read.bars = Some(bars(&text(&mut parser, "--bars", "a number of bars")?)?),
            Long("rate") => read.rate_hz = rate_hz(&text(&mut parser, "--rate", "a sample rate")?)?,
            Long("bits") => read.bits = bits(&text(&mut parser, "--bits", "16, 24 or 32")?)?,
            Long("tail") => read.tail = tail(&text(&mut parser, "--tail", "auto or seconds")?)?,
            Long("normalize") => {
                let wanted = Loudness::parse(&text(&mut parser, "--normalize", "-14LUFS or -1dBTP")?);
                read.loudness = Some(wanted.map_err(|why| format!("--normalize takes {why}"))?);
            }
            Long("seed") => {
                let seed = text(&mut parser, "--seed", "a whole number")?;
                read.seed = seed.parse().map_err(|_| format!("--seed takes a whole number, not {seed:?}"))?;
            }
            Long("strict") => read.strict = true,
            Long("report") => match text(&mut parser, "--report", "json")?.as_str() {
                "json" => read.json = true,
                other => return Err(format!("--report takes json, not {other:?}")),
            },
            other => return Err(other.unexpected().to_string()),
        }
    }
    check(&read)?;
    Ok(Some(read))
}

fn check(read: &RenderArguments) -> Result<(), String> {
    if read.file.as_os_str().is_empty() {
        return Err("render needs a file with a Set after it".to_owned());
    }
    if read.scene.is_some() && (read.from.is_some() || read.to.is_some()) {
        return Err("--scene renders a scene, --from and --to the Arrangement: give one of them".to_owned());
    }
    if read.bars.is_some() && read.scene.is_none() {
        return Err("--bars goes with --scene".to_owned());
    }
    if let Some(output) = &read.output {
        let format = SoundFormat::of(output)
            .ok_or_else(|| format!("-o takes a file that ends in .wav or .flac, not {}", output.display()))?;
        format.takes(read.bits).map_err(|why| format!("--bits: {why}"))?;
    }
    let files = [("--picture", &read.picture, "png"), ("--midi", &read.midi, "mid")];
    for (option, file, ending) in files {
        let ends = |file: &PathBuf| file.extension().is_some_and(|own| own.eq_ignore_ascii_case(ending));
        if let Some(file) = file.as_ref().filter(|file| !ends(file)) {
            return Err(format!("{option} takes a file that ends in .{ending}, not {}", file.display()));
        }
    }
    Ok(())
}

fn value(parser: &mut lexopt::Parser, option: &str, what: &str) -> Result<OsString, String> {
    parser.value().map_err(|_| format!("{option} needs {what} after it"))
}

fn text(parser: &mut lexopt::Parser, option: &str, what: &str) -> Result<String, String> {
    value(parser, option, what)?.into_string().map_err(|value| format!("{option} takes {what}, not {value:?}"))
}

fn path(parser: &mut lexopt::Parser, option: &str, what: &str) -> Result<PathBuf, String> {
    named(value(parser, option, what)?, option)
}

fn named(value: OsString, option: &str) -> Result<PathBuf, String> {
    if value.is_empty() { Err(format!("{option} has an empty name after it")) } else { Ok(value.into()) }
}

fn bars(text: &str) -> Result<f64, String> {
    let bars = text.parse().ok().filter(|bars: &f64| *bars > 0.0 && *bars <= 10_000.0);
    bars.ok_or_else(|| format!("--bars takes a number of bars above 0, up to 10000, not {text:?}"))
}

fn rate_hz(text: &str) -> Result<u32, String> {
    let rate = text.parse().ok().filter(|rate| RATES_HZ.contains(rate));
    rate.ok_or_else(|| {
        let rates = RATES_HZ.map(|rate| rate.to_string()).join(", ");
        format!("--rate takes one of {rates}, not {text:?}")
    })
}

fn bits(text: &str) -> Result<Bits, String> {
    let bits = text.parse().ok().and_then(Bits::of_count);
    bits.ok_or_else(|| format!("--bits takes 16, 24 or 32 (floating point), not {text:?}"))
}

fn tail(text: &str) -> Result<Tail, String> {
    if text == "auto" {
        return Ok(Tail::UntilSilent);
    }
    let seconds = text.parse().ok().filter(|seconds: &f64| (0.0..=600.0).contains(seconds));
    seconds.map(Tail::Seconds).ok_or_else(|| format!("--tail takes auto or seconds from 0 to 600, not {text:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Option<RenderArguments>, String> {
        parse(line.split_whitespace().map(|word| OsString::from(word.replace('_', ""))))
    }

    #[test]
    fn arguments_are_read() {
        let plain = RenderArguments::of("a.svcset".into());
        let cases = [
            ("a.svcset", plain.clone()),
            ("a.svcset -o b.WAV", RenderArguments { output: Some("b.WAV".into()), ..plain.clone() }),
            ("a.svcset -o b.flac", RenderArguments { output: Some("b.flac".into()), ..plain.clone() }),
            ("-o b.wav a.svcset", RenderArguments { output: Some("b.wav".into()), ..plain.clone() }),
            ("a.svcset --picture c.png", RenderArguments { picture: Some("c.png".into()), ..plain.clone() }),
            ("a.svcset --midi c.mid", RenderArguments { midi: Some("c.mid".into()), ..plain.clone() }),
            (
                "--scene s0 --bars 8 a.svcset --seed 7",
                RenderArguments { scene: Some("s0".to_owned()), bars: Some(8.0), seed: 7, ..plain.clone() },
            ),
            (
                "a.svcset --from 5|1 --to 9|1 --rate 44100 --bits 16 --tail 0 --report json --strict",
                RenderArguments {
                    from: Some("5|1".to_owned()),
                    to: Some("9|1".to_owned()),
                    rate_hz: 44_100,
                    bits: Bits::Sixteen,
                    tail: Tail::Seconds(0.0),
                    json: true,
                    strict: true,
                    ..plain.clone()
                },
            ),
            (
                "a.svcset --normalize=-14LUFS",
                RenderArguments { loudness: Some(Loudness::Lufs(-14.0)), ..plain.clone() },
            ),
            (
                "a.svcset --normalize -1dBTP --stems out --tail auto",
                RenderArguments {
                    loudness: Some(Loudness::TruePeakDbtp(-1.0)),
                    stems: Some("out".into()),
                    ..plain.clone()
                },
            ),
        ];
        for (line, meant) in cases {
            assert_eq!(read(line), Ok(Some(meant)), "{line}");
        }
        assert_eq!(read("--help"), Ok(None));
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (line, words) in [
            ("", "render needs a file"),
            ("_", "render has an empty name after it"),
            ("a b", "unexpected argument \"b\""),
            ("a -o b.mp3", "-o takes a file that ends in .wav or .flac, not b.mp3"),
            ("a -o b", "-o takes a file that ends in .wav or .flac, not b"),
            ("a -o b.flac --bits 32", "--bits: FLAC has 16 or 24, not 32 (floating point); a .wav has them"),
            ("a -o", "-o needs a file after it"),
            ("a -o _", "-o has an empty name after it"),
            ("a --stems", "--stems needs a folder after it"),
            ("a --picture b.jpg", "--picture takes a file that ends in .png"),
            ("a --midi b.wav", "--midi takes a file that ends in .mid"),
            ("a --scene s0 --from 1|1", "give one of them"),
            ("a --scene s0 --to 1|1", "give one of them"),
            ("a --bars 4", "--bars goes with --scene"),
            ("a --scene s0 --bars 0", "above 0"),
            ("a --scene s0 --bars inf", "above 0"),
            ("a --rate 22050", "44100, 48000, 88200, 96000"),
            ("a --bits 8", "--bits takes 16, 24 or 32"),
            ("a --tail long", "auto or seconds"),
            ("a --tail -1", "auto or seconds"),
            ("a --normalize loud", "-14LUFS"),
            ("a --normalize -90LUFS", "from -60 to 0"),
            ("a --normalize", "--normalize needs -14LUFS or -1dBTP after it"),
            ("a --seed x", "whole number"),
            ("a --report text", "--report takes json"),
            ("a --loud", "--loud"),
        ] {
            let refusal = read(line).expect_err(line);
            assert!(refusal.contains(words), "{line}: {refusal}");
        }
    }
}
