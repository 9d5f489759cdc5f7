//! Tags that programs put in front of a file.

/// The length of an ID3v2 tag that begins so.
pub fn id3_bytes(head: &[u8]) -> Option<u64> {
    match head {
        [b'I', b'D', b'3', major, minor, flags, a, b, c, d, ..] if *major < 0xFF && *minor < 0xFF => {
            let size = [a, b, c, d]
                .into_iter()
                .try_fold(0u64, |size, byte| (*byte < 0x80).then(|| size << 7 | u64::from(*byte)))?;
            let footer = if flags & 0x10 == 0 { 0 } else { 10 };
            Some(10 + size + footer)
        }
        _ => None,
    }
}
