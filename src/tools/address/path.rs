//! Paths as the tools write them: `t0`, `rt0`, `mt`, `s3`, `t0/s3`, `t0/l1`, `t0[5|1]`, `t0/d1/c0/d2`, `t0/d0/pC1`, and
//! `+` for new ones. What a path says is read here; what it names in a Set is found in
//! [`places`](crate::tools::address::path_resolve), and the path of an object is spelled in
//! [`spell`](crate::tools::address::path_format).

use crate::music::pitch;
use std::fmt;

/// A track by its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TrackPath {
    Regular(usize),
    Return(usize),
    Main,
}

/// A place or object.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Path {
    Track(TrackPath),
    NewTrack,
    NewReturn,
    Scene(usize),
    NewScene,
    Slot {
        track: usize,
        scene: usize,
    },
    /// A take lane; the main lane is the track itself.
    Lane {
        track: usize,
        lane: usize,
    },
    NewLane {
        track: usize,
    },
    /// A moment on a take lane that is still to be made.
    NewLaneMoment {
        track: usize,
        at: Moment,
    },
    /// A moment of the Arrangement, on one lane or on whichever the target has.
    Arrangement {
        lane: Option<LanePath>,
        at: Moment,
    },
    Device(DevicePath),
}

/// A lane of the Arrangement: a track's main lane, or a take lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LanePath {
    pub track: usize,
    pub take_lane: Option<usize>,
}

/// A moment of the song as it was written: which one it is depends on the song's meter and locators.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Moment {
    /// bar|beat; it can be read.
    Position(String),
    /// What follows `loc:`.
    Locator(String),
}

/// A device, chain or pad, by the way to it from its track. There is at least one segment.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DevicePath {
    pub track: TrackPath,
    pub segments: Vec<Segment>,
}

/// One step of a [`DevicePath`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Segment {
    Device(usize),
    NewDevice,
    Instrument,
    MidiEffect(usize),
    AudioEffect(usize),
    /// Of a rack; after a pad, a layer of that pad.
    Chain(usize),
    NewChain,
    ReturnChain(usize),
    /// All the chains of a Drum Rack that answer this note.
    Pad(u8),
    /// The chains of a Drum Rack that answer every note nothing else claims.
    CatchAll,
}

impl Segment {
    pub fn is_device(self) -> bool {
        matches!(self, Segment::Device(_) | Segment::Instrument | Segment::MidiEffect(_) | Segment::AudioEffect(_))
    }
}

impl fmt::Display for TrackPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TrackPath::Regular(at) => write!(f, "t{at}"),
            TrackPath::Return(at) => write!(f, "rt{at}"),
            TrackPath::Main => f.write_str("mt"),
        }
    }
}

impl fmt::Display for LanePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.take_lane {
            Some(lane) => write!(f, "t{}/l{lane}", self.track),
            None => write!(f, "t{}", self.track),
        }
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Moment::Position(text) => f.write_str(text),
            Moment::Locator(name) => write!(f, "loc:{name}"),
        }
    }
}

impl fmt::Display for Segment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Segment::Device(at) => write!(f, "d{at}"),
            Segment::NewDevice => f.write_str("d+"),
            Segment::Instrument => f.write_str("inst"),
            Segment::MidiEffect(at) => write!(f, "mfx{at}"),
            Segment::AudioEffect(at) => write!(f, "afx{at}"),
            Segment::Chain(at) => write!(f, "c{at}"),
            Segment::NewChain => f.write_str("c+"),
            Segment::ReturnChain(at) => write!(f, "rc{at}"),
            Segment::Pad(note) => write!(f, "p{}", pitch::name(*note)),
            Segment::CatchAll => f.write_str("p*"),
        }
    }
}

impl fmt::Display for DevicePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.track.fmt(f)?;
        self.segments.iter().try_for_each(|segment| write!(f, "/{segment}"))
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
            Path::Lane { track, lane } => write!(f, "t{track}/l{lane}"),
            Path::NewLane { track } => write!(f, "t{track}/l+"),
            Path::NewLaneMoment { track, at } => write!(f, "t{track}/l+[{at}]"),
            Path::Arrangement { lane: Some(lane), at } => write!(f, "{lane}[{at}]"),
            Path::Arrangement { lane: None, at } => write!(f, "[{at}]"),
            Path::Device(device) => device.fmt(f),
        }
    }
}
