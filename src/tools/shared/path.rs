//! The path grammar of the tools: `t0`, `rt0`, `mt`, `s3`, `t0/s3`, and `t+`, `rt+`, `s+` for new ones.

use std::fmt;

/// A track by its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TrackPath {
    Regular(usize),
    Return(usize),
    Main,
}

/// A place or object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Path {
    Track(TrackPath),
    NewTrack,
    NewReturn,
    Scene(usize),
    NewScene,
    Slot { track: usize, scene: usize },
    Device { track: TrackPath, device: usize },
}

/// Why a text is no path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "\"{0}\" is no path: write t0 (track), rt0 (return track), mt (main track), s0 (scene) or t0/s0 (clip slot), counting from 0"
)]
pub struct BadPath(pub String);

impl fmt::Display for TrackPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TrackPath::Regular(at) => write!(f, "t{at}"),
            TrackPath::Return(at) => write!(f, "rt{at}"),
            TrackPath::Main => f.write_str("mt"),
        }
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Path::Track(track) => track.fmt(f),
            Path::NewTrack => f.write_str("t+"),
            Path::NewReturn => f.write_str("rt+"),
            Path::Scene(at) => write!(f, "s{at}"),
            Path::NewScene => f.write_str("s+"),
            Path::Slot { track, scene } => write!(f, "t{track}/s{scene}"),
            Path::Device { track, device } => write!(f, "{track}/d{device}"),
        }
    }
}

/// Reads one path.
pub fn parse(text: &str) -> Result<Path, BadPath> {
    let bad = || BadPath(text.to_owned());
    let index = |digits: &str| -> Option<usize> {
        (!digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())).then(|| digits.parse().ok())?
    };
    let track = |word: &str| -> Option<TrackPath> {
        match word {
            "mt" => Some(TrackPath::Main),
            word => match word.strip_prefix("rt") {
                Some(digits) => index(digits).map(TrackPath::Return),
                None => index(word.strip_prefix('t')?).map(TrackPath::Regular),
            },
        }
    };
    let words: Vec<&str> = text.trim().split('/').collect();
    Ok(match words.as_slice() {
        ["t+"] => Path::NewTrack,
        ["rt+"] => Path::NewReturn,
        ["s+"] => Path::NewScene,
        [word] if word.starts_with('s') => Path::Scene(word.strip_prefix('s').and_then(index).ok_or_else(bad)?),
        [word] => Path::Track(track(word).ok_or_else(bad)?),
        [first, second] => {
            let track = track(first).ok_or_else(bad)?;
            if let Some(digits) = second.strip_prefix('d') {
                Path::Device { track, device: index(digits).ok_or_else(bad)? }
            } else {
                let scene = second.strip_prefix('s').and_then(index).ok_or_else(bad)?;
                let TrackPath::Regular(track) = track else { return Err(bad()) };
                Path::Slot { track, scene }
            }
        }
        _ => return Err(bad()),
    })
}

/// The tool path of an object-model path: `live_set tracks 0 clip_slots 3 clip` is `t0/s3`.
pub fn from_object_path(path: &str) -> Option<String> {
    let words: Vec<&str> = path.split(' ').collect();
    let rest = words.strip_prefix(&["live_set"])?;
    let (head, rest) = match rest {
        ["tracks", at, rest @ ..] => (format!("t{at}"), rest),
        ["return_tracks", at, rest @ ..] => (format!("rt{at}"), rest),
        ["master_track", rest @ ..] => ("mt".to_owned(), rest),
        ["scenes", at] => return Some(format!("s{at}")),
        _ => return None,
    };
    match rest {
        [] => Some(head),
        ["clip_slots", at] | ["clip_slots", at, "clip"] => Some(format!("{head}/s{at}")),
        ["devices", at] => Some(format!("{head}/d{at}")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_read_and_written() {
        for text in ["t0", "t12", "rt1", "mt", "s3", "t0/s3", "t+", "rt+", "s+", "t1/d0", "mt/d2", "rt0/d0"] {
            assert_eq!(parse(text).map(|p| p.to_string()).as_deref(), Ok(text));
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
            "t0/s1/c0",
            "t0/x1",
            "T0",
            "t0,t1",
            "t99999999999999999999",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn object_paths_have_tool_paths() {
        for (path, want) in [
            ("live_set tracks 0", Some("t0")),
            ("live_set return_tracks 1", Some("rt1")),
            ("live_set master_track", Some("mt")),
            ("live_set scenes 4", Some("s4")),
            ("live_set tracks 2 clip_slots 5 clip", Some("t2/s5")),
            ("live_set tracks 2 devices 1", Some("t2/d1")),
            ("live_set view", None),
            ("live_app", None),
        ] {
            assert_eq!(from_object_path(path).as_deref(), want);
        }
    }
}
