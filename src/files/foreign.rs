//! Files of sound that are of other kinds than are read here, by their first bytes.

/// The kind of a file that begins so; `None` where it may be MPEG audio or nothing that is known.
pub fn name_of(head: &[u8]) -> Option<&'static str> {
    const KINDS: &[(usize, &[u8], &str)] = &[
        (4, b"ftyp", "an MPEG-4 file (M4A, AAC or ALAC)"),
        (0, b"caff", "a Core Audio file (CAF)"),
        (0, b".snd", "a Sun or NeXT file (AU)"),
        (0, b"\x30\x26\xB2\x75\x8E\x66\xCF\x11", "a Windows Media file (WMA)"),
        (0, b"wvpk", "a WavPack file"),
        (0, b"MAC ", "a Monkey's Audio file"),
        (0, b"TTA1", "a True Audio file"),
        (0, b"MPCK", "a Musepack file"),
        (0, b"MP+", "a Musepack file"),
        (0, b"\x1A\x45\xDF\xA3", "a Matroska or WebM file"),
        (0, b"ADIF", "an AAC file"),
        (0, b"#!AMR", "an AMR file"),
        (0, b"DSD ", "a DSD file"),
        (0, b"FRM8", "a DSD file"),
    ];
    let begins = |(at, bytes, _): &&(usize, &[u8], &str)| head.get(*at..).is_some_and(|rest| rest.starts_with(bytes));
    let found = KINDS.iter().find(begins).map(|(_, _, name)| *name);
    // The frames of AAC begin as those of MPEG audio do, with a layer that the latter does not have.
    let is_adts = matches!(head, [0xFF, second, ..] if second & 0xF6 == 0xF0);
    found.or(is_adts.then_some("an AAC file"))
}
