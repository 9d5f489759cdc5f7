//! The 35 scales a Set knows, and their `<Root> <Name>` spelling (`Gb Dorian`).

use super::pitch::{CLASS_NAMES, Spelling, class_name, parse_class};

/// A scale's name and its semitones above the root, the first of them 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScaleKind {
    pub name: &'static str,
    pub intervals: &'static [u8],
}

const fn kind(name: &'static str, intervals: &'static [u8]) -> ScaleKind {
    ScaleKind { name, intervals }
}

/// Every scale, in Live's order.
pub const SCALES: [ScaleKind; 35] = [
    kind("Major", &[0, 2, 4, 5, 7, 9, 11]),
    kind("Minor", &[0, 2, 3, 5, 7, 8, 10]),
    kind("Dorian", &[0, 2, 3, 5, 7, 9, 10]),
    kind("Mixolydian", &[0, 2, 4, 5, 7, 9, 10]),
    kind("Lydian", &[0, 2, 4, 6, 7, 9, 11]),
    kind("Phrygian", &[0, 1, 3, 5, 7, 8, 10]),
    kind("Locrian", &[0, 1, 3, 5, 6, 8, 10]),
    kind("Whole Tone", &[0, 2, 4, 6, 8, 10]),
    kind("Half-whole Dim.", &[0, 1, 3, 4, 6, 7, 9, 10]),
    kind("Whole-half Dim.", &[0, 2, 3, 5, 6, 8, 9, 11]),
    kind("Minor Blues", &[0, 3, 5, 6, 7, 10]),
    kind("Minor Pentatonic", &[0, 3, 5, 7, 10]),
    kind("Major Pentatonic", &[0, 2, 4, 7, 9]),
    kind("Harmonic Minor", &[0, 2, 3, 5, 7, 8, 11]),
    kind("Harmonic Major", &[0, 2, 4, 5, 7, 8, 11]),
    kind("Dorian #4", &[0, 2, 3, 6, 7, 9, 10]),
    kind("Phrygian Dominant", &[0, 1, 4, 5, 7, 8, 10]),
    kind("Melodic Minor", &[0, 2, 3, 5, 7, 9, 11]),
    kind("Lydian Augmented", &[0, 2, 4, 6, 8, 9, 11]),
    kind("Lydian Dominant", &[0, 2, 4, 6, 7, 9, 10]),
    kind("Super Locrian", &[0, 1, 3, 4, 6, 8, 10]),
    kind("8-Tone Spanish", &[0, 1, 3, 4, 5, 6, 8, 10]),
    kind("Bhairav", &[0, 1, 4, 5, 7, 8, 11]),
    kind("Hungarian Minor", &[0, 2, 3, 6, 7, 8, 11]),
    kind("Hirajoshi", &[0, 2, 3, 7, 8]),
    kind("In-Sen", &[0, 1, 5, 7, 10]),
    kind("Iwato", &[0, 1, 5, 6, 10]),
    kind("Kumoi", &[0, 2, 3, 7, 9]),
    kind("Pelog Selisir", &[0, 1, 3, 7, 8]),
    kind("Pelog Tembung", &[0, 1, 5, 7, 8]),
    kind("Messiaen 3", &[0, 2, 3, 4, 6, 7, 8, 10, 11]),
    kind("Messiaen 4", &[0, 1, 2, 5, 6, 7, 8, 11]),
    kind("Messiaen 5", &[0, 1, 5, 6, 7, 11]),
    kind("Messiaen 6", &[0, 2, 4, 5, 6, 8, 10, 11]),
    kind("Messiaen 7", &[0, 1, 2, 3, 5, 6, 7, 8, 9, 11]),
];

/// A scale on a root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    /// 0 = C .. 11 = B.
    pub root: u8,
    pub kind: &'static ScaleKind,
}

/// Why a text names no scale.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadScale {
    #[error("\"{text}\" starts with no root note: a scale is written <Root> <Name>, such as F Minor. Roots: {}", CLASS_NAMES.join(", "))]
    Root { text: String },
    #[error(
        "\"{text}\" is a root alone: a scale is written <Root> <Name>, such as {text} Minor. Scales: {}",
        all_names()
    )]
    RootAlone { text: String },
    #[error("\"{name}\" is no scale that is known here. Scales: {}", all_names())]
    Name { name: String },
}

fn all_names() -> String {
    SCALES.map(|kind| kind.name).join(", ")
}

/// The scale of that name, any case.
pub fn kind_named(name: &str) -> Option<&'static ScaleKind> {
    SCALES.iter().find(|kind| kind.name.eq_ignore_ascii_case(name))
}

/// A scale written `<Root> <Name>`, any case, its root with a sharp or a flat: `F# minor`, `gb dorian`.
pub fn parse(text: &str) -> Result<Scale, BadScale> {
    let trimmed = text.trim();
    let (root, name) = trimmed.split_once(char::is_whitespace).unwrap_or((trimmed, ""));
    let root = parse_class(root).ok_or_else(|| BadScale::Root { text: trimmed.to_owned() })?;
    let name = name.trim();
    if name.is_empty() {
        return Err(BadScale::RootAlone { text: trimmed.to_owned() });
    }
    let kind = kind_named(name).ok_or_else(|| BadScale::Name { name: name.to_owned() })?;
    Ok(Scale { root, kind })
}

impl Scale {
    /// The names of the scale's pitch classes from its root up, as it spells them.
    pub fn pitch_names(self) -> Vec<&'static str> {
        pitch_names(self.root, self.kind.intervals)
    }

    /// How pitches are written where this scale is in force.
    pub fn spelling(self) -> Spelling {
        spelling(self.root, self.kind.intervals)
    }
}

impl std::fmt::Display for Scale {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", class_name(self.root), self.kind.name)
    }
}

/// The names of pitch classes `intervals` above `root` (0 = C .. 11 = B), as that scale spells them.
pub fn pitch_names(root: u8, intervals: &[u8]) -> Vec<&'static str> {
    let spelling = spelling(root, intervals);
    intervals.iter().map(|interval| spelling.class_name((root % 12).saturating_add(interval % 12))).collect()
}

/// How a scale `intervals` above `root` (0 = C .. 11 = B) writes pitches. Roots on black keys are named with flats, and
/// so is all else in their scales. On other roots a black key of the scale takes the letter that the scale has not used
/// (F# in D Major, Bb in D Minor). Where that does not say it, and outside of the scale, its other keys and the key
/// signature do: sharps in G, D, A, E and B major, and in E and B minor.
pub fn spelling(root: u8, intervals: &[u8]) -> Spelling {
    const BLACK: [u8; 5] = [1, 3, 6, 8, 10];
    let root = root % 12;
    if BLACK.contains(&root) {
        return Spelling::FLATS;
    }
    let holds = |class: u8| intervals.iter().any(|interval| (root + interval) % 12 == class % 12);
    let is_minor = intervals.contains(&3) && !intervals.contains(&4);
    let signature_has_sharps = if is_minor { matches!(root, 4 | 11) } else { matches!(root, 2 | 4 | 7 | 9 | 11) };
    // More pitches than letters leave none free.
    let has_letters = intervals.len() <= 7;
    let by_letter = |class: u8| match (has_letters && holds(class), holds(class + 11), holds(class + 1)) {
        (true, false, true) => Some(true),
        (true, true, false) => Some(false),
        _ => None,
    };
    let takes = |sharp: bool| BLACK.into_iter().any(|class| by_letter(class) == Some(sharp));
    let others_are_sharp = signature_has_sharps || (takes(true) && !takes(false));
    let is_sharp = |class: &u8| by_letter(*class).unwrap_or(others_are_sharp);
    Spelling::with_sharps(BLACK.into_iter().filter(is_sharp))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_writes_scales() {
        for (text, written, pitches) in [
            ("F Minor", "F Minor", "F,G,Ab,Bb,C,Db,Eb"),
            ("f# minor", "Gb Minor", "Gb,Ab,A,B,Db,D,E"),
            ("gb DORIAN", "Gb Dorian", "Gb,Ab,A,B,Db,Eb,E"),
            ("C half-whole dim.", "C Half-whole Dim.", "C,Db,Eb,E,Gb,G,A,Bb"),
            (" D  Dorian #4 ", "D Dorian #4", "D,E,F,G#,A,B,C"),
            ("D major", "D Major", "D,E,F#,G,A,B,C#"),
            ("A Harmonic Minor", "A Harmonic Minor", "A,B,C,D,E,F,G#"),
            ("D Harmonic Minor", "D Harmonic Minor", "D,E,F,G,A,Bb,C#"),
            ("F Major", "F Major", "F,G,A,Bb,C,D,E"),
            ("Bb Minor", "Bb Minor", "Bb,C,Db,Eb,F,Gb,Ab"),
            ("C Lydian", "C Lydian", "C,D,E,F#,G,A,B"),
            ("A Major Pentatonic", "A Major Pentatonic", "A,B,C#,E,F#"),
            ("C Minor Blues", "C Minor Blues", "C,Eb,F,Gb,G,Bb"),
            ("Cb Major", "B Major", "B,C#,D#,E,F#,G#,A#"),
            ("b# messiaen 7", "C Messiaen 7", "C,Db,D,Eb,F,Gb,G,Ab,A,B"),
        ] {
            let scale = parse(text).unwrap();
            assert_eq!((scale.to_string().as_str(), scale.pitch_names().join(",").as_str()), (written, pitches));
        }
    }

    #[test]
    fn scales_of_seven_use_each_letter_once_on_white_roots() {
        let usual = ["Major", "Minor", "Dorian", "Mixolydian", "Lydian", "Phrygian", "Harmonic Minor", "Melodic Minor"];
        for name in usual {
            for root in ["C", "D", "E", "F", "G", "A", "B"] {
                let scale = parse(&format!("{root} {name}")).unwrap();
                let mut letters: Vec<char> =
                    scale.pitch_names().iter().filter_map(|name| name.chars().next()).collect();
                letters.sort_unstable();
                letters.dedup();
                // It would need an E#, which no name here is.
                let has_all = scale.pitch_names().len() == letters.len();
                let needs_more = scale.to_string() == "B Lydian";
                assert!(has_all != needs_more, "{scale}: {:?}", scale.pitch_names());
            }
        }
    }

    #[test]
    fn a_refusal_lists_what_is_accepted() {
        for (text, wants) in [
            ("H Minor", ["Gb", "Roots"]),
            ("Minor", ["Gb", "Roots"]),
            ("", ["Gb", "Roots"]),
            ("C", ["Messiaen 7", "Half-whole Dim."]),
            ("C Klingon", ["Klingon", "8-Tone Spanish"]),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(wants.iter().all(|want| error.contains(want)), "{text}: {error}");
        }
    }

    #[test]
    fn intervals_rise_from_the_root_and_names_are_unique() {
        for (index, kind) in SCALES.iter().enumerate() {
            assert_eq!(kind.intervals.first(), Some(&0), "{}", kind.name);
            assert!(kind.intervals.windows(2).all(|w| w[0] < w[1]) && kind.intervals.iter().all(|i| *i < 12));
            assert_eq!(SCALES.iter().position(|k| k.name == kind.name), Some(index));
        }
    }
}
