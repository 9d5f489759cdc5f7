//! Files that are damaged at one place: refused with the way out, or read up to there.

use super::*;

fn salvaged(file: &[u8]) -> Result<LiveSetFile, ReadError> {
    read_damaged_set(file, SampleSearch::nowhere(), Damage::CutOff)
}

#[test]
fn what_stands_before_damage_is_read() {
    let behind_the_first_track = ONE_OF_EACH.find("</GroupTrack>").unwrap() + "</GroupTrack>".len();
    let (before, after) = ONE_OF_EACH.split_at(behind_the_first_track);
    for damage in [&b"</Tracks></Tracks>"[..], b"<A>&nothing;</A>", b"<A B=\"\">\xFF</A>", b"<A", b"<!DOCTYPE a>"] {
        let xml = [before.as_bytes(), damage, after.as_bytes()].concat();
        let file = compressed(&xml);
        let why = read_set(file.as_slice(), SampleSearch::nowhere()).unwrap_err().to_string();
        assert!(why.contains("--salvage") && why.contains("salvage: true"), "{why}");
        let read = salvaged(&file).unwrap();
        assert_eq!(read.document.tracks.len(), 1, "{damage:?}");
        assert_eq!(read.document.track_name(&read.document.tracks[0]), "Band & Co");
        let cut = read.report.cut_off.clone().unwrap();
        assert!(cut.starts_with("the file is damaged at /Ableton/LiveSet"), "{cut}");
        assert!(read.report.lines()[1].starts_with("cut off: "), "{:?}", read.report.lines());
    }
}

#[test]
fn a_cut_file_keeps_its_beginning() {
    let whole = compressed(ONE_OF_EACH.as_bytes());
    let mut most = 0;
    for length in (0..whole.len()).step_by(11) {
        if let Ok(read) = salvaged(whole.get(..length).unwrap()) {
            assert!(read.report.cut_off.is_some(), "{length}");
            most = most.max(read.document.tracks.len());
        }
    }
    assert_eq!(most, 3);
    // The checksum alone is wrong: all of it is read.
    let mut spoilt = whole.clone();
    let at = spoilt.len() - 8;
    spoilt[at] ^= 1;
    let read = salvaged(&spoilt).unwrap();
    assert_eq!((read.document.tracks.len(), read.document.scenes.len()), (3, 2));
    let sound = salvaged(&whole).unwrap();
    assert_eq!(sound.report.cut_off, None);
}

#[test]
fn nothing_before_the_damage_is_refused() {
    for xml in ["<Ableton", "<Ableton><Live", "<Ableton><LiveSet><Tracks", "<Ableton></LiveSet>"] {
        let why = salvaged(&compressed(xml.as_bytes())).unwrap_err().to_string();
        assert!(why.contains("damaged") || why.contains("it holds no tracks"), "{xml}: {why}");
    }
}
