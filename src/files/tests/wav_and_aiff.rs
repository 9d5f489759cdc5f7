use super::built::*;
use crate::files::audio::ProbeError;

fn data(sound: &[u8]) -> Vec<u8> {
    chunk(b"data", sound, false)
}

/// [`SAMPLES`] in the highest bytes of so many.
fn widened(bytes: usize) -> Vec<u8> {
    SAMPLES.iter().flat_map(|sample| [vec![0; bytes - 2], sample.to_le_bytes().to_vec()].concat()).collect()
}

#[test]
fn wav_of_each_width_opens() {
    let floats: Vec<u8> = SAMPLES.iter().flat_map(|s| (f32::from(*s) / 32_768.0).to_le_bytes()).collect();
    let doubles: Vec<u8> = SAMPLES.iter().flat_map(|s| (f64::from(*s) / 32_768.0).to_le_bytes()).collect();
    let extensible = |tag: u8, bits: u16| {
        let tail =
            [22, 0, bits as u8, 0, 4, 0, 0, 0, tag, 0, 0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71];
        [fmt(0xFFFE, 1, bits, bits / 8), tail.to_vec()].concat()
    };
    for (what, fmt, sound) in [
        ("12 bits in 2 bytes", fmt(1, 1, 12, 2), little()),
        ("16 bits", fmt(1, 1, 16, 2), little()),
        ("fmt of 20 bytes", [fmt(1, 1, 16, 2), vec![2, 0, 0, 0]].concat(), little()),
        ("20 bits in 3 bytes", fmt(1, 1, 20, 3), widened(3)),
        ("24 bits", fmt(1, 1, 24, 3), widened(3)),
        ("24 bits in 4 bytes", fmt(1, 1, 24, 4), widened(4)),
        ("32 bits", fmt(1, 1, 32, 4), widened(4)),
        ("64 bits", fmt(1, 1, 64, 8), widened(8)),
        ("float", fmt(3, 1, 32, 4), floats.clone()),
        ("double", fmt(3, 1, 64, 8), doubles),
        ("extensible", extensible(1, 24), widened(3)),
        ("extensible float", extensible(3, 32), floats),
    ] {
        assert!(is_plain(read(&wav(&[chunk(b"fmt ", &fmt, false), data(&sound)]))), "{what}");
    }
    let bytes = wav(&[chunk(b"fmt ", &fmt(1, 1, 8, 1), false), data(&[0x80, 0xC0, 0])]);
    assert_eq!(read(&bytes).unwrap(), [0.0, 0.5, -1.0]);
    for tag in [6, 7] {
        let law = wav(&[chunk(b"fmt ", &fmt(tag, 1, 8, 1), false), data(&[0x2A, 0xAA, 0x80])]);
        assert_eq!(read(&law).unwrap().len(), 3);
    }
}

#[test]
fn wav_with_wrong_sizes_opens() {
    for (place, sizes) in [(4, [0u32, 12, 38, 54, 1_000, u32::MAX]), (40, [0, 11, 0x7FFF_F000, 1_000, u32::MAX, 12])] {
        for size in sizes {
            let mut bytes = plain_wav();
            bytes[place..place + 4].copy_from_slice(&size.to_le_bytes());
            assert!(is_plain(read(&bytes)), "{size} at {place}");
        }
    }
    // A size that is too small for what is there is believed: other things may follow.
    let mut bytes = plain_wav();
    bytes[40] = 6;
    assert_eq!(read(&bytes).unwrap().len(), 3);
}

#[test]
fn wav_with_other_chunks_opens() {
    let (fmt, sound) = (chunk(b"fmt ", &fmt(1, 1, 16, 2), false), data(&little()));
    let odd = chunk(b"LIST", b"INFOINAM\x03\0\0\0abc", false);
    let without_pad = odd[..odd.len() - 1].to_vec();
    for (what, chunks) in [
        ("an odd chunk", vec![fmt.clone(), odd.clone(), sound.clone()]),
        ("an odd chunk without its pad byte", vec![fmt.clone(), without_pad, sound.clone()]),
        (
            "a fact of 12 bytes",
            vec![fmt.clone(), chunk(b"fact", &[5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], false), sound.clone()],
        ),
        (
            "a loop, cues and a tag behind",
            vec![
                fmt.clone(),
                sound.clone(),
                chunk(b"smpl", &[0; 60], false),
                chunk(b"cue ", &[0; 4], false),
                chunk(b"id3 ", b"ID3\x04\0\0\0\0\0\0", false),
            ],
        ),
        ("junk behind", vec![fmt.clone(), sound.clone(), b"anything at all".to_vec()]),
        ("the format behind the sound", vec![sound, fmt]),
    ] {
        assert!(is_plain(read(&wav(&chunks))), "{what}");
    }
    let tagged = [b"ID3\x04\0\0\0\0\0\x0A0123456789".to_vec(), plain_wav()].concat();
    assert!(is_plain(read(&tagged)), "a tag in front");
}

#[test]
fn wav_kinds_beside_riff_open() {
    let (fmt, sound) = (chunk(b"fmt ", &fmt(1, 1, 16, 2), false), little());
    let ds64: Vec<u8> = [80u64, sound.len() as u64, 5].iter().flat_map(|n| n.to_le_bytes()).chain([0; 4]).collect();
    for name in [b"RF64", b"BW64"] {
        let head = [&name[..], &[0xFF; 4], b"WAVE", &chunk(b"ds64", &ds64, false), &fmt].concat();
        let long = [head, b"data\xFF\xFF\xFF\xFF".to_vec(), sound.clone(), b"LIST\x04\0\0\0INFO".to_vec()].concat();
        assert!(is_plain(read(&long)), "{name:?}");
    }
    let mut big_fmt = Vec::new();
    big_fmt.extend([0, 1, 0, 1, 0, 0, 0xAC, 0x44, 0, 1, 0x58, 0x88, 0, 2, 0, 16]);
    let rifx = [chunk(b"fmt ", &big_fmt, true), chunk(b"data", &big(), true)].concat();
    assert!(is_plain(read(&[b"RIFX\0\0\0\0WAVE", &rifx[..]].concat())));
    let guid = |name: &[u8; 4]| [&name[..], b"\xF3\xAC\xD3\x11\x8C\xD1\x00\xC0\x4F\x8E\xDB\x8A"].concat();
    let part = |name: &[u8; 4], body: &[u8]| {
        [guid(name), (body.len() as u64 + 24).to_le_bytes().to_vec(), body.to_vec()].concat()
    };
    let riff = b"riff\x2E\x91\xCF\x11\xA5\xD6\x28\xDB\x04\xC1\x00\x00".to_vec();
    let body = [part(b"fmt ", &fmt[8..]), part(b"data", &sound)].concat();
    assert!(is_plain(read(&[riff, vec![0; 8], guid(b"wave"), body].concat())), "Wave64");
}

#[test]
fn aiff_of_each_coding_opens() {
    let turned = |bytes: usize| -> Vec<u8> {
        let one = |sample: &i16| [sample.to_be_bytes().to_vec(), vec![0; bytes - 2]].concat();
        SAMPLES.iter().flat_map(one).collect()
    };
    let floats: Vec<u8> = SAMPLES.iter().flat_map(|s| (f32::from(*s) / 32_768.0).to_be_bytes()).collect();
    let doubles: Vec<u8> = SAMPLES.iter().flat_map(|s| (f64::from(*s) / 32_768.0).to_be_bytes()).collect();
    for (coding, bits, sound) in [
        (None, 16, big()),
        (None, 12, big()),
        (None, 24, turned(3)),
        (None, 32, turned(4)),
        (Some(b"NONE"), 16, big()),
        (Some(b"twos"), 16, big()),
        (Some(b"sowt"), 16, little()),
        (Some(b"sowt"), 24, widened(3)),
        (Some(b"in24"), 16, turned(3)),
        (Some(b"in32"), 16, turned(4)),
        (Some(b"42ni"), 16, widened(3)),
        (Some(b"23ni"), 16, widened(4)),
        (Some(b"fl32"), 32, floats.clone()),
        (Some(b"FL32"), 16, floats),
        (Some(b"fl64"), 64, doubles),
    ] {
        assert!(is_plain(read(&aiff(coding, bits, 5, &sound))), "{coding:?} {bits}");
    }
    assert_eq!(read(&aiff(Some(b"raw "), 8, 3, &[0x80, 0xC0, 0])).unwrap(), [0.0, 0.5, -1.0]);
    assert_eq!(read(&aiff(None, 8, 3, &[0, 0x40, 0x80])).unwrap(), [0.0, 0.5, -1.0]);
    for law in [b"alaw", b"ALAW", b"ulaw", b"ULAW"] {
        assert_eq!(read(&aiff(Some(law), 16, 2, &[0xAA, 0x2A])).unwrap().len(), 2);
    }
}

#[test]
fn aiff_with_wrong_sizes_opens() {
    let size = aiff(None, 16, 5, &big()).len() as u32;
    for (place, wrong) in [(4, 0), (4, size - 16), (4, size), (4, size + 992), (42, 0), (42, 1_000), (42, u32::MAX)] {
        let mut bytes = aiff(None, 16, 5, &big());
        bytes[place..place + 4].copy_from_slice(&wrong.to_be_bytes());
        assert!(is_plain(read(&bytes)), "{wrong} at {place}");
    }
    assert!(is_plain(read(&aiff(None, 16, 99, &big()))), "more frames than there are");
    let cut = aiff(None, 16, 5, &big());
    assert_eq!(read(&cut[..cut.len() - 4]).unwrap().len(), 3);
}

#[test]
fn packed_kinds_are_refused_by_name() {
    let packed = |tag: u16| wav(&[chunk(b"fmt ", &fmt(tag, 1, 4, 1), false), data(&[0; 64])]);
    for (bytes, name) in [
        (packed(2), "Microsoft ADPCM in a WAV"),
        (packed(0x11), "IMA ADPCM in a WAV"),
        (packed(0x31), "GSM 6.10 in a WAV"),
        (packed(0x55), "MP3 in a WAV"),
        (packed(0x1234), "kind 0x1234 of WAV"),
        (wav(&[chunk(b"fmt ", &fmt(3, 1, 16, 2), false), data(&[0; 64])]), "samples of 16 bits"),
        (aiff(Some(b"able"), 16, 5, &[0; 64]), "Ableton's own compression of its packs in an AIFC"),
        (aiff(Some(b"ima4"), 16, 5, &[0; 64]), "IMA ADPCM in an AIFC"),
        (b"\0\0\0\x20ftypM4A \0\0\0\0".to_vec(), "an MPEG-4 file (M4A, AAC or ALAC)"),
        ([b"\x1A\x45\xDF\xA3 A_FLAC ".to_vec(), fixture("half.flac")].concat(), "a Matroska or WebM file"),
    ] {
        let refusal = read(&bytes).unwrap_err();
        assert_eq!(refusal, ProbeError::Packed(name.into()));
        assert_eq!(refusal.to_string(), format!("it is {name}, which is not read here; convert it to WAV or FLAC"));
    }
}
