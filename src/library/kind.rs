//! What a file is, by its extension; what a sample is for; where it lies.

use std::path::Path;

/// Kinds of content, in the words of a library's search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    Audio,
    Midi,
    LiveClip,
    Preset,
    DeviceGroup,
    M4lDevice,
    LiveSet,
    Image,
    Video,
    Folder,
}

/// Extensions in lower case. Audio that cannot be read here (such as `m4a`) is not listed: nothing could be made of it.
const EXTENSIONS: &[(Kind, &[&str])] = &[
    (Kind::Audio, &["wav", "wave", "aif", "aiff", "aifc", "flac", "mp3", "ogg", "oga"]),
    (Kind::Midi, &["mid", "midi"]),
    (Kind::LiveClip, &["alc"]),
    (Kind::Preset, &["adv", "vstpreset", "fxp", "aupreset"]),
    (Kind::DeviceGroup, &["adg"]),
    (Kind::M4lDevice, &["amxd"]),
    (Kind::LiveSet, &["als"]),
    (Kind::Image, &["png", "jpg", "jpeg", "gif", "webp"]),
    (Kind::Video, &["mp4", "mov", "mkv", "webm"]),
];

impl Kind {
    /// By the extension; `None` for what a library has no use for.
    pub fn of_file(path: &Path) -> Option<Kind> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        EXTENSIONS.iter().find(|(_, list)| list.contains(&extension.as_str())).map(|(kind, _)| *kind)
    }

    pub fn name(self) -> &'static str {
        match self {
            Kind::Audio => "audio",
            Kind::Midi => "midi",
            Kind::LiveClip => "live-clip",
            Kind::Preset => "preset",
            Kind::DeviceGroup => "device-group",
            Kind::M4lDevice => "m4l-device",
            Kind::LiveSet => "live-set",
            Kind::Image => "image",
            Kind::Video => "video",
            Kind::Folder => "folder",
        }
    }
}

/// How a sample is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Playback {
    Loop,
    OneShot,
    ImpulseResponse,
}

impl Playback {
    pub fn name(self) -> &'static str {
        match self {
            Playback::Loop => "loop",
            Playback::OneShot => "oneshot",
            Playback::ImpulseResponse => "impulse-response",
        }
    }
}

/// Which of the folders a file lies in. The sample folder comes first wherever items are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    SampleFolder,
    /// A folder that the user allowed beside it.
    User,
}

impl Source {
    pub fn name(self) -> &'static str {
        match self {
            Source::SampleFolder => "sample-folder",
            Source::User => "user",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_by_extension() {
        for (name, kind) in [
            ("a.wav", Some(Kind::Audio)),
            ("a.WAV", Some(Kind::Audio)),
            ("a.b.Aiff", Some(Kind::Audio)),
            ("a.mid", Some(Kind::Midi)),
            ("a.als", Some(Kind::LiveSet)),
            ("a.adg", Some(Kind::DeviceGroup)),
            ("a.m4a", None),
            ("a.asd", None),
            ("wav", None),
            (".wav", None),
        ] {
            assert_eq!(Kind::of_file(Path::new(name)), kind, "{name}");
        }
    }
}
