//! Reading paths: the grammar, and what to write instead of a text that is none.

use crate::music::{Meter, locator_names, pitch, position};
use crate::tools::address::path::{DevicePath, LanePath, Moment, Path, Segment, TrackPath};

/// Longest piece of a caller's text that an error repeats.
const ECHO_CHARS: usize = 80;

/// Why a text is no path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{}\" is no path: {why}", .text.chars().take(ECHO_CHARS).collect::<String>())]
pub struct PathError {
    pub text: String,
    pub why: String,
}

const SHAPES: &str = "write t0 (track), rt0 (return track), mt (main track), s0 (scene), t0/s0 (clip slot), t0[5|1] (arrangement) \
                      or t0/d0 (device), counting from 0";

/// Reads one path.
pub fn parse(text: &str) -> Result<Path, PathError> {
    read(text.trim()).map_err(|why| PathError { text: text.to_owned(), why })
}

/// A slot as it was written before paths were, `0/3`, and a bare `0` for a track.
pub fn parse_old(text: &str) -> Option<Path> {
    match text.trim().split_once('/') {
        Some((track, scene)) => Some(Path::Slot { track: index(track)?, scene: index(scene)? }),
        None => index(text.trim()).map(|at| Path::Track(TrackPath::Regular(at))),
    }
}

fn read(text: &str) -> Result<Path, String> {
    let Some((head, coordinate)) = text.split_once('[') else { return read_words(text) };
    let Some(moment) = coordinate.strip_suffix(']') else {
        return Err("a place in the Arrangement ends with its bracket, as in t0[5|1]".to_owned());
    };
    let at = moment_of(moment)?;
    if head.is_empty() {
        return Ok(Path::Arrangement { lane: None, at });
    }
    let lane = match read_words(head)? {
        Path::Track(TrackPath::Regular(track)) => LanePath { track, take_lane: None },
        Path::Lane { track, lane } => LanePath { track, take_lane: Some(lane) },
        Path::Track(_) => return Err("return and main tracks hold no clips".to_owned()),
        Path::NewLane { track } => return Ok(Path::NewLaneMoment { track, at }),
        _ => return Err("a bracket follows a track or a take lane, as in t0[5|1] or t0/l1[5|1]".to_owned()),
    };
    Ok(Path::Arrangement { lane: Some(lane), at })
}

/// A song position: bar|beat, or `loc:` and a locator's id or name.
pub fn moment_of(text: &str) -> Result<Moment, String> {
    if let Some(name) = locator_names::name_in(text) {
        return if name.trim().is_empty() {
            Err("loc: is followed by a locator's name or id".to_owned())
        } else {
            Ok(Moment::Locator(name.to_owned()))
        };
    }
    let text = text.trim();
    // Whether it can be read is the same in every meter.
    match position::parse(text, Meter::COMMON) {
        Ok(_) => Ok(Moment::Position(text.to_owned())),
        Err(e) => Err(format!("{e} (a locator is written loc:<name>)")),
    }
}

fn index(digits: &str) -> Option<usize> {
    (!digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())).then(|| digits.parse().ok())?
}

/// A word made of one of these prefixes and an index.
fn counted(word: &str, prefixes: &[&str]) -> Option<usize> {
    prefixes.iter().find_map(|prefix| word.strip_prefix(prefix).and_then(index))
}

fn track(word: &str) -> Option<TrackPath> {
    match word {
        "mt" => Some(TrackPath::Main),
        word => match word.strip_prefix("rt") {
            Some(digits) => index(digits).map(TrackPath::Return),
            None => index(word.strip_prefix('t')?).map(TrackPath::Regular),
        },
    }
}

fn read_words(text: &str) -> Result<Path, String> {
    let words: Vec<&str> = text.split('/').collect();
    let shapes = || SHAPES.to_owned();
    let Some((first, rest)) = words.split_first() else { return Err(shapes()) };
    match (*first, rest) {
        ("t+", []) => return Ok(Path::NewTrack),
        ("rt+", []) => return Ok(Path::NewReturn),
        ("s+", []) => return Ok(Path::NewScene),
        ("t+" | "rt+" | "s+", _) => return Err(format!("{first} stands alone")),
        (word, []) if word.starts_with('s') => return counted(word, &["s"]).map(Path::Scene).ok_or_else(shapes),
        _ => {}
    }
    let root = track(first).ok_or_else(shapes)?;
    let grid = |word: &str| word.starts_with(['s', 'l']);
    match rest {
        [] => Ok(Path::Track(root)),
        [word, more @ ..] if grid(word) => {
            let TrackPath::Regular(track) = root else {
                return Err("return and main tracks have no clip slots and no take lanes".to_owned());
            };
            if !more.is_empty() {
                return Err(format!("nothing follows t{track}/{word}"));
            }
            if *word == "l+" {
                return Ok(Path::NewLane { track });
            }
            let slot = || counted(word, &["s"]).map(|scene| Path::Slot { track, scene });
            let lane = || counted(word, &["l"]).map(|lane| Path::Lane { track, lane });
            slot().or_else(lane).ok_or_else(shapes)
        }
        words => {
            let mut segments = Vec::with_capacity(words.len());
            for word in words {
                let next = segment(word)?;
                fits(segments.last().copied(), next)?;
                segments.push(next);
            }
            Ok(Path::Device(DevicePath { track: root, segments }))
        }
    }
}

fn segment(word: &str) -> Result<Segment, String> {
    match word {
        "d+" => return Ok(Segment::NewDevice),
        "c+" => return Ok(Segment::NewChain),
        "p*" => return Ok(Segment::CatchAll),
        "inst" | "instrument" => return Ok(Segment::Instrument),
        "mfx" | "midifx" => return Err("which MIDI effect? Write mfx0 for the first".to_owned()),
        "afx" | "audiofx" => return Err("which audio effect? Write afx0 for the first".to_owned()),
        _ => {}
    }
    if let Some(note) = word.strip_prefix('p') {
        return pitch::parse(note).map(Segment::Pad).map_err(|e| format!("a pad carries its note, as in pC1: {e}"));
    }
    counted(word, &["mfx", "midifx"])
        .map(Segment::MidiEffect)
        .or_else(|| counted(word, &["afx", "audiofx"]).map(Segment::AudioEffect))
        .or_else(|| counted(word, &["rc"]).map(Segment::ReturnChain))
        .or_else(|| counted(word, &["d"]).map(Segment::Device))
        .or_else(|| counted(word, &["c"]).map(Segment::Chain))
        .ok_or_else(|| {
            let word: String = word.chars().take(20).collect();
            format!("\"{word}\" is no step; {SHAPES}")
        })
}

/// Nesting follows the host: track > devices > chains, return chains and pads > devices; a pad also takes its layers.
fn fits(before: Option<Segment>, next: Segment) -> Result<(), String> {
    use Segment::{CatchAll, Chain, NewChain, NewDevice, Pad, ReturnChain};
    let into_rack = matches!(next, Chain(_) | NewChain | ReturnChain(_) | Pad(_) | CatchAll);
    let layer = matches!(next, Chain(_) | NewChain);
    match before {
        None | Some(Chain(_) | ReturnChain(_)) if into_rack => {
            Err(format!("{next} is a part of a rack, so a device stands before it, as in d0/{next}"))
        }
        Some(device) if device.is_device() && !into_rack => {
            Err(format!("{next} stands on a track or in a chain, as in {device}/c0/{next}"))
        }
        Some(Pad(_) | CatchAll) if into_rack && !layer => Err(format!("{next} does not follow a pad")),
        Some(CatchAll) if next == NewChain => {
            Err("a chain for all notes is not made by a path; name the pad it is for, as in pC1/c+".to_owned())
        }
        Some(plus @ (NewDevice | NewChain)) => Err(format!("{plus} comes last")),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_read_and_written() {
        for text in [
            "t0",
            "t12",
            "rt1",
            "mt",
            "s3",
            "t0/s3",
            "t+",
            "rt+",
            "s+",
            "t1/d0",
            "mt/d2",
            "rt0/d0",
            "t0/l1",
            "t0/l+",
            "t0[5|1]",
            "t0/l1[5|2.5]",
            "t0/l+[5|1]",
            "[5|1]",
            "t0[loc:Verse, 2/b]",
            "[5|1-n/4]",
            "t0/d+",
            "t0/inst",
            "t0/mfx0",
            "t0/afx1",
            "t0/d0/c1",
            "t0/d0/c+",
            "t0/d0/rc0",
            "t0/d0/pC1",
            "t0/d0/p*",
            "t0/d0/pC1/c1",
            "t0/d0/pC1/c+",
            "t0/d0/pC1/d0",
            "t0/d0/c1/d2/c0/inst",
            "t0/inst/pDb-1/d+",
            "rt0/d0/rc0/d1",
            "t0/d0/p*/c0/d0",
        ] {
            assert_eq!(parse(text).map(|p| p.to_string()).as_deref(), Ok(text));
        }
        for (text, written) in [
            (" t0 ", "t0"),
            ("t0/instrument", "t0/inst"),
            ("t0/midifx1/c0", "t0/mfx1/c0"),
            ("t0/audiofx0", "t0/afx0"),
            ("t0/d0/pc#1", "t0/d0/pDb1"),
            ("[ loc:A ]", "[loc:A ]"),
            ("t0[loc:Chorus [B]]", "t0[loc:Chorus [B]]"),
            (r"t0[loc:A\]]", r"t0[loc:A\]]"),
            ("t0[locator:27]", "t0[loc:27]"),
        ] {
            assert_eq!(parse(text).map(|p| p.to_string()).as_deref(), Ok(written));
        }
        for text in [
            "",
            "x",
            "t",
            "t-1",
            "t 1",
            "rt",
            "s",
            "0/3",
            "t0/",
            "/s1",
            "t0/s",
            "mt/s0",
            "rt0/s1",
            "rt0/l0",
            "t0/s1/c0",
            "t0/x1",
            "T0",
            "t0,t1",
            "t99999999999999999999",
            "t0/c0",
            "t0/d0/d1",
            "t0/afx",
            "t0/mfx",
            "t0/pC1",
            "t0/d0/p60",
            "t0/d0/pC9",
            "t0/d0/c+/d0",
            "t0/d+/c0",
            "t0/d0/pC1/pD1",
            "t0/d0/pC1/rc0",
            "t0/d0/p*/c+",
            "t+/d0",
            "t0/l0/d0",
            "t0[5|1",
            "t0[5|1]x",
            "t0[]",
            "t0[5]",
            "t0[Verse]",
            "t0[loc:]",
            "rt0[1|1]",
            "mt[1|1]",
            "s0[1|1]",
            "t0/s0[1|1]",
            "t0/d0[1|1]",
            "t0/d0/inst",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_refusal_says_what_to_write() {
        for (text, words) in [
            ("t0/c0", "d0/c0"),
            ("t0/d0/d1", "d0/c0/d1"),
            ("t0/afx", "afx0"),
            ("t0[5]", "bar"),
            ("t0[Verse]", "loc:"),
            ("rt0/s1", "no clip slots"),
            ("t0/d0/p60", "pC1"),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains(words), "{text}: {error}");
        }
        assert!(parse(&"x".repeat(10_000)).unwrap_err().to_string().len() < 400);
    }

    proptest::proptest! {
        #[test]
        fn what_is_read_is_written_as_it_reads(text in "(t|rt|mt|s|\\[)?[0-9t+/dclpsCx*#|\\[\\]:. -]{0,12}") {
            if let Ok(path) = parse(&text) {
                proptest::prop_assert_eq!(parse(&path.to_string()), Ok(path));
            }
        }
    }

    #[test]
    fn the_old_spellings() {
        assert_eq!(parse_old("0/3"), Some(Path::Slot { track: 0, scene: 3 }));
        assert_eq!(parse_old("2"), Some(Path::Track(TrackPath::Regular(2))));
        for text in ["t0/s3", "", "0/3/1", "-1", "0/"] {
            assert_eq!(parse_old(text), None, "{text}");
        }
    }
}
