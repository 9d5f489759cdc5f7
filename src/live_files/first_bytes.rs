//! The kind of a file by its first bytes: one of Live's, or another, which is refused by its name with the way out.

/// See the [module](self).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    Xml,
    /// By gzip.
    Packed,
    /// A clause that says what it is.
    Other(String),
}

/// How files of other kinds begin, and what is said of them.
const OTHERS: [(&[u8], &str); 15] = [
    (
        &[0xAB, 0x1E, 0x56, 0x78],
        "it was saved by Live 7 or before, in a binary format: open it in a newer Live and save it there",
    ),
    (b"PK\x03\x04", "it is a zip archive: unpack it, and open the .als that is inside"),
    (b"RIFF", "it is audio (WAV)"),
    (b"RIFX", "it is audio (WAV)"),
    (b"FORM", "it is audio (AIFF)"),
    (b"OggS", "it is audio (Ogg)"),
    (b"fLaC", "it is audio (FLAC)"),
    (b"ID3", "it is audio (MP3)"),
    (b"MThd", "it is a MIDI file"),
    (b"7z\xBC\xAF\x27\x1C", "it is a 7-Zip archive: unpack it, and open the .als that is inside"),
    (b"Rar!", "it is a RAR archive: unpack it, and open the .als that is inside"),
    (b"\xFF\xFE", "it is text in UTF-16, and Live writes UTF-8"),
    (b"\xFE\xFF", "it is text in UTF-16, and Live writes UTF-8"),
    (b"{", "it is JSON text"),
    (b"[", "it is JSON text"),
];

pub const GZIP: &[u8] = &[0x1F, 0x8B];
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// The content that begins so.
pub fn content_of(head: &[u8]) -> Content {
    if head.starts_with(GZIP) {
        return Content::Packed;
    }
    let text = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head).trim_ascii_start();
    if text.starts_with(b"<") {
        return Content::Xml;
    }
    let known = OTHERS.iter().find(|(start, _)| head.starts_with(start) || start.len() == 1 && text.starts_with(start));
    Content::Other(match known {
        Some((_, what)) => (*what).to_owned(),
        None if head.is_empty() => "it is empty".to_owned(),
        None => "it does not hold XML, as all that Live saves does".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_known_by_first_bytes() {
        for (head, part) in [
            (&b"\xAB\x1E\x56\x78\0\0"[..], "Live 7 or before"),
            (b"PK\x03\x04", "zip"),
            (b"RIFF\x10\0\0\0WAVE", "WAV"),
            (b"  {\"a\":1}", "JSON"),
            (b"", "empty"),
            (b"words", "does not hold XML"),
        ] {
            let Content::Other(what) = content_of(head) else { panic!("{head:?}") };
            assert!(what.contains(part), "{what}");
        }
        for head in [&b"<Ableton>"[..], b"\xEF\xBB\xBF<?xml ", b"\n <a"] {
            assert_eq!(content_of(head), Content::Xml);
        }
        assert_eq!(content_of(&[0x1F, 0x8B, 8]), Content::Packed);
    }
}
