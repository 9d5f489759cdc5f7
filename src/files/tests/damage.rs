use super::built::*;
use crate::files::audio::ProbeError;

#[test]
fn cut_files_keep_what_is_there() {
    for (name, all, most_lost) in [("half.flac", 4_000, 4_000), ("half.ogg", 4_000, 4_000), ("half.mp3", 4_000, 1_200)]
    {
        let bytes = fixture(name);
        let channels = if name == "half.flac" { 2 } else { 1 };
        assert_eq!(read(&bytes).unwrap().len(), all * channels, "{name}");
        let cut = read(&bytes[..bytes.len() - 3]).map_or(0, |samples| samples.len() / channels);
        assert!(cut <= all && cut + most_lost >= all, "{name}: {cut}");
    }
    let cut = plain_wav();
    assert_eq!(whole(&read(&cut[..cut.len() - 3]).unwrap()), [0, 16_384, -8_192]);
}

#[test]
fn junk_around_sound_is_no_fault() {
    let tag = b"ID3\x03\0\0\0\0\x01\x00".iter().copied().chain([0; 128]).collect::<Vec<u8>>();
    for name in ["half.flac", "half.mp3", "half.ogg", "half.aiff", "half.wav"] {
        let bytes = fixture(name);
        let samples = read(&bytes).unwrap();
        for (what, changed) in [
            ("a tag behind", [&bytes[..], b"TAG", &[b' '; 125]].concat()),
            ("text behind", [&bytes[..], &b"no sound at all ".repeat(9)].concat()),
            ("a tag in front", [&tag[..], &bytes].concat()),
        ] {
            assert_eq!(read(&changed).unwrap(), samples, "{name}: {what}");
        }
    }
}

/// Frames of MPEG 1 layer 3, 128 kbit/s, one channel, silent.
fn silent_frames(count: usize) -> Vec<u8> {
    let frame: Vec<u8> = [0xFF, 0xFB, 0x90, 0xC0].into_iter().chain([0; 413]).collect();
    frame.repeat(count)
}

#[test]
fn mpeg_without_head_is_counted() {
    assert_eq!(read(&silent_frames(7)).unwrap().len(), 7 * 1_152);
    // The last frame is not whole, and lasts as long as the others.
    let cut = silent_frames(7);
    assert_eq!(read(&cut[..cut.len() - 100]).unwrap().len(), 7 * 1_152);
    let tagged = [silent_frames(3), b"TAG".to_vec(), vec![0; 125], silent_frames(4)].concat();
    assert_eq!(read(&tagged).unwrap().len(), 7 * 1_152, "a tag between two files");
    let followed = [silent_frames(3), fixture("half.flac")].concat();
    assert_ne!(
        read(&followed).ok().map(|sound| sound.len()),
        read(&fixture("half.flac")).ok().map(|sound| sound.len())
    );
}

#[test]
fn damaged_mpeg_frames_keep_their_time() {
    let mut bytes = silent_frames(12);
    bytes[417 * 4 - 9..417 * 7 + 1].fill(0);
    assert_eq!(read(&bytes).unwrap().len(), 12 * 1_152, "three heads are gone");
    let other: Vec<u8> = [0xFF, 0xFB, 0x94, 0xC0].into_iter().chain([0; 380]).collect();
    let changed = [silent_frames(5), other.repeat(5)].concat();
    assert_eq!(read(&changed), Err(ProbeError::Changes));
}

#[test]
fn damaged_flac_frames_keep_their_time() {
    let bytes = fixture("half.flac");
    let samples = read(&bytes).unwrap();
    for place in (bytes.len() / 2..bytes.len() - 20).step_by(97) {
        let mut damaged = bytes.clone();
        damaged[place] ^= 0x5A;
        let read = read(&damaged).map_or(0, |samples| samples.len());
        assert!(read <= samples.len(), "{place}: {read}");
    }
}

#[test]
fn damaged_ogg_pages_keep_their_time() {
    let bytes = fixture("half.ogg");
    let samples = read(&bytes).unwrap();
    // In the sound of the last page, whose sum is wrong then.
    let mut damaged = bytes.clone();
    let place = bytes.len() - 40;
    damaged[place] ^= 0x5A;
    assert_eq!(read(&damaged).unwrap().len(), samples.len());
}
