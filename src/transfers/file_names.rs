//! Names of files that somebody else gave: made harmless, and new where they lie.

use crate::paths::is_reserved_by_windows;
use std::path::Path;

/// Bytes of a name without its ending.
const MOST_STEM_BYTES: usize = 100;

/// A name that every system takes, in any folder: without folders, characters that some system keeps for itself and
/// marks that turn text around. Letters of all scripts, and pictures, stay.
pub fn clean(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let shown = last.chars().filter(|c| !is_invisible(*c)).map(|c| if is_kept_by_systems(c) { '_' } else { c });
    let shown: String = shown.collect();
    let (stem, ending) = split(shown.trim());
    let stem = stem.trim_start_matches(['.', ' ']).trim_end_matches(['.', ' ']);
    let stem = match stem {
        "" => "file".to_owned(),
        stem if is_reserved_by_windows(stem) => format!("_{stem}"),
        stem => stem.to_owned(),
    };
    format!("{}{ending}", cut(&stem))
}

/// The name as it is for 1, then `name (2).ending` and so on.
pub fn numbered(name: &str, number: usize) -> String {
    if number < 2 {
        return name.to_owned();
    }
    let (stem, ending) = split(name);
    format!("{stem} ({number}){ending}")
}

/// The ending in lower case, without its dot.
pub fn ending(name: &str) -> String {
    Path::new(name).extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default()
}

/// What stands before the last dot, and the rest.
fn split(name: &str) -> (&str, &str) {
    name.rfind('.').and_then(|at| name.split_at_checked(at)).unwrap_or((name, ""))
}

fn cut(stem: &str) -> &str {
    let end = (0..=MOST_STEM_BYTES.min(stem.len())).rev().find(|at| stem.is_char_boundary(*at));
    stem.get(..end.unwrap_or_default()).unwrap_or_default().trim_end_matches(['.', ' '])
}

fn is_kept_by_systems(c: char) -> bool {
    c.is_control() || matches!(c, ':' | '*' | '?' | '"' | '<' | '>' | '|' | '/' | '\\')
}

/// Marks that nobody sees; what joins pictures to one (U+200D) stays.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200B}' | '\u{200C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_name_becomes_one_in_its_folder() {
        let long = "x".repeat(300);
        for (name, cleaned) in [
            ("song.als", "song.als"),
            ("Größe 🎹 é.wav", "Größe 🎹 é.wav"),
            ("👩\u{200D}🎤.wav", "👩\u{200D}🎤.wav"),
            ("../../etc/passwd.als", "passwd.als"),
            ("..\\..\\boot.als", "boot.als"),
            ("/abs/a.wav", "a.wav"),
            ("C:\\a.wav", "a.wav"),
            ("..", "file."),
            ("..als", "file.als"),
            (".als", "file.als"),
            ("", "file"),
            ("a/", "file"),
            (".hidden.wav", "hidden.wav"),
            ("nul.wav", "_nul.wav"),
            ("a:b*c?.wav", "a_b_c_.wav"),
            ("a\nb\0.wav", "a_b_.wav"),
            ("a\u{202E}vaw.als", "avaw.als"),
            (" a . .wav ", "a.wav"),
        ] {
            assert_eq!(clean(name), cleaned, "{name:?}");
        }
        assert_eq!(clean(&format!("{long}.wav")), format!("{}.wav", "x".repeat(100)));
        assert_eq!(clean(&format!("{}.wav", "ü".repeat(99))).len(), 104);
        assert_eq!((numbered("a.b.wav", 1), numbered("a.b.wav", 3)), ("a.b.wav".to_owned(), "a.b (3).wav".to_owned()));
        assert_eq!((ending("A.WaV"), ending("wav")), ("wav".to_owned(), String::new()));
    }
}
