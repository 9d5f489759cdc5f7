//! Notes as text, and there and back.

use super::*;
use proptest::prelude::*;

#[test]
fn writes_lines() {
    let n = |list: &[(u8, f64, f64, f64)]| list.iter().map(|(p, s, d, v)| note(*p, *s, *d, *v)).collect::<Vec<_>>();
    for (notes, drum_mode, text) in [
        (n(&[]), false, ""),
        (n(&[]), true, ""),
        (
            n(&[(36, 0.0, 1.0, 105.0), (36, 2.0, 1.0, 105.0), (38, 1.0, 1.0, 105.0), (38, 3.0, 1.0, 120.0)]),
            true,
            "kick: X z X\nsnare: z X z ^",
        ),
        (
            n(&[(55, 0.0, 0.5, 105.0), (57, 0.5, 0.5, 105.0), (59, 1.0, 0.5, 70.0), (60, 2.0, 1.0, 120.0)]),
            false,
            "melody /8: G, A, B,? z C/4!",
        ),
        (
            n(&[(40, 0.0, 1.0, 105.0), (40, 1.0, 1.0, 105.0), (40, 2.0, 1.0, 105.0), (43, 3.0, 1.0, 105.0)]),
            false,
            "bass: E*3 G",
        ),
        (n(&[(60, 0.0, 3.0, 105.0), (64, 1.0, 1.0, 105.0)]), false, "melody: C E"),
        (n(&[(47, 0.0, 1.0, 111.0)]), false, "bass: B"),
        (n(&[(48, 0.0, 1.0, 89.0)]), false, "melody: C,?"),
        (n(&[(60, 0.0, 1.0, 100.0), (60, 1.0, 1.0, 112.0)]), false, "melody: C C!"),
        // A stack takes its length and level from its lowest note.
        (n(&[(67, 0.0, 4.0, 120.0), (60, 0.0009, 2.0, 70.0), (72, 0.0, 1.0, 90.0)]), false, "melody /2: [C G C']?"),
        // 2.75 is no sum of longest-first rests, but it is one of others.
        (n(&[(36, 2.75, 1.0, 100.0)]), true, "kick: z/2 z/8. X"),
        (n(&[(36, 0.0, 1.0, 100.0), (36, 1.75, 1.0, 100.0)]), true, "kick: X z/8. X"),
        // Room that no rest fills behind the nearest length: the note gives way.
        (n(&[(36, 0.0, 0.5, 100.0), (36, 2.0 / 3.0, 0.5, 100.0)]), true, "kick /8: X z/16t X"),
        (n(&[(36, 0.0, 0.5, 100.0), (36, 0.625, 0.5, 100.0)]), true, "kick /8: X/16. z/16 X"),
        (n(&[(18, 0.0, 10.0, 100.0)]), true, "Gb-1 /1.: X"),
        (n(&[(36, 0.0, 1.0, 100.0), (36, 1234.0, 1.0, 100.0)]), true, "kick /1.: X/4 z*205 z/2. X/4"),
        (n(&[(36, 0.0, 1.0, 100.0), (36, 0.0, 1.0, 120.0)]), true, "kick: ^"),
        // What starts before the line gives way to what can be where it is.
        (n(&[(60, -2.0, 1.0, 100.0), (62, 0.0, 1.0, 100.0), (64, 1.0, 1.0, 100.0)]), false, "melody: D E"),
        (n(&[(40, -0.01, 1.0, 100.0), (62, -0.0009, 1.0, 100.0)]), false, "melody: D"),
        (n(&[(36, -1.0, 1.0, 100.0), (36, 1.0, 1.0, 100.0), (38, -1.0, 1.0, 100.0)]), true, "kick: z X"),
        (n(&[(36, -1.0, 1.0, 100.0)]), true, ""),
        (n(&[(36, -1.0, 1.0, 100.0)]), false, ""),
        // Off every grid: longest first, less than the shortest length early.
        (n(&[(36, 0.1, 0.25, 100.0), (36, 1.1, 0.25, 100.0)]), true, "kick /16: X z/8. X"),
    ] {
        assert_eq!(format(&notes, drum_mode), text, "{notes:?}");
    }
}

#[test]
fn tells_what_the_text_does_not_say() {
    let spread = Note { velocity_deviation: 5.0, ..note(60, 0.0, 1.0, 100.0) };
    let rare = Note { probability: 0.5, ..note(60, 0.0, 1.0, 100.0) };
    for (notes, drum_mode, said) in [
        (vec![], false, None),
        (vec![note(60, 0.0, 1.0, 64.0), note(60, 1.5, 6.0, 127.0)], false, None),
        (
            vec![note(60, 0.0, 1.0, 64.0), note(60, 1.1, 1.0, 127.0)],
            false,
            Some("1 with a start up to 0.1 quarter beats off"),
        ),
        (vec![note(60, 0.0, 7.0, 64.0), note(60, 8.0, 9.0, 64.0)], true, Some("2 cut to 6 quarter beats")),
        // Without the room it could not have been longer anyhow.
        (vec![note(60, 0.0, 7.0, 64.0), note(62, 1.0, 1.0, 64.0)], false, Some("1 with another length")),
        (vec![note(60, 0.0, 2.0, 64.0), note(64, 0.0, 1.0, 64.0)], false, Some("1 with another length")),
        (vec![note(60, 0.0, 2.0, 64.0), note(64, 0.0, 1.0, 64.0)], true, None),
        (vec![spread], false, Some("1 without chance or velocity range")),
        (vec![rare], true, Some("1 without chance or velocity range")),
        (vec![note(60, 0.0, 1.0, 64.0), note(60, 0.0, 1.0, 64.0)], true, Some("1 left out")),
        (vec![note(60, 0.0, 1.0, 64.0), note(60, 0.0, 1.0, 64.0)], false, Some("1 left out")),
        (
            vec![note(60, -2.0, 1.0, 64.0), note(62, 0.0, 1.0, 64.0)],
            false,
            Some("nearly: 1 left out, before 1|1: no line starts earlier"),
        ),
        (vec![note(60, -2.0, 1.0, 64.0), note(62, -1.0, 1.0, 64.0)], true, Some("2 left out, before 1|1")),
        (
            vec![note(60, 0.0, 1.0, 105.0), note(64, 0.0, 1.0, 127.0), note(67, 0.0, 1.0, 1.0)],
            false,
            Some("2 with another loudness: a stack has one for all its notes"),
        ),
        (vec![note(60, 0.0, 1.0, 105.0), note(64, 0.0, 1.0, 127.0)], true, None),
        (vec![note(60, 0.0, 1.0, 101.0), note(64, 0.0, 1.0, 109.0)], false, None),
        (
            vec![note(60, 0.0, 6.0, 64.0), note(62, 0.1, 1.0, 64.0), note(64, 1.0, 1.0, 64.0)],
            true,
            Some("0.1 quarter beats"),
        ),
        (vec![note(200, 0.0, 1.0, 64.0)], false, Some("1 left out")),
        (
            vec![note(60, 0.1, 1.3, 64.0), note(60, 20.0, 7.0, 64.0)],
            true,
            Some(
                "1 with a start up to 0.1 quarter beats off, 1 cut to 6 quarter beats, the longest that a token lasts, 1 with",
            ),
        ),
    ] {
        let losses = write(&notes, drum_mode).approximations;
        match said {
            None => assert_eq!(losses, None, "{notes:?}"),
            Some(said) => assert!(losses.as_ref().is_some_and(|l| l.contains(said)), "{notes:?}: {losses:?}"),
        }
    }
}

/// Times in 24ths of a beat.
fn ticks() -> impl Strategy<Value = u32> {
    prop_oneof![0..400u32, (0..60u32).prop_map(|n| n * 6), (0..60u32).prop_map(|n| n * 8)]
}

fn token() -> impl Strategy<Value = String> {
    let value = prop::sample::select(vec!["", "", "/1", "/2.", "/4", "/8t", "/8.", "/16", "/16t", "/16.", "/2t"]);
    let glyph = prop::sample::select(vec!["z", "C", "Db'", "[C, Eb G]", "Bb,", "G"]);
    let level = prop::sample::select(vec!["", "!", "?"]);
    (glyph, value, level, 1..4u32).prop_map(|(glyph, value, level, count)| {
        let level = if glyph == "z" { "" } else { level };
        if count == 1 { format!("{glyph}{value}{level}") } else { format!("{glyph}{value}{level}*{count}") }
    })
}

fn places(notes: &[Note]) -> Vec<(u8, i64, i64, char)> {
    let ticks = |beats: f64| (beats * 24.0).round() as i64;
    notes.iter().map(|n| (n.pitch, ticks(n.start), ticks(n.duration), level(n.velocity))).collect()
}

proptest! {
    #[test]
    fn onsets_of_hits_survive(starts in prop::collection::btree_set(ticks(), 1..40), duration in 1..200u32, pitch in 0..=127u8) {
        let notes: Vec<Note> = starts.iter().map(|t| note(pitch, f64::from(*t) / 24.0, f64::from(duration) / 24.0, 100.0)).collect();
        // Only gaps of these many ticks are no sum of lengths.
        let hard = |gap: u32| matches!(gap, 1 | 2 | 3 | 5 | 7 | 11);
        let all: Vec<u32> = std::iter::once(0).chain(starts.iter().copied()).collect();
        let exact = !all.windows(2).any(|w| hard(w[1] - w[0]));
        for drum_mode in [false, true] {
            let text = format(&notes, drum_mode);
            let back = read(&text).unwrap().notes;
            prop_assert_eq!(back.len(), notes.len(), "{}", text);
            for (old, new) in notes.iter().zip(&back) {
                prop_assert_eq!(old.pitch, new.pitch);
                let off = (old.start - new.start).abs();
                prop_assert!(off < if exact { 0.001 } else { notes.len() as f64 / 6.0 }, "{} {} {text}", old.start, new.start);
            }
            prop_assert_eq!(format(&back, drum_mode), text);
        }
    }

    #[test]
    fn a_line_that_was_read_reads_back_the_same(tokens in prop::collection::vec(token(), 0..30)) {
        let first = read(&format!("melody: {}", tokens.join(" "))).unwrap().notes;
        let text = format(&first, false);
        let back = read(&text).unwrap().notes;
        prop_assert_eq!(places(&back), places(&first), "{}", text);
        prop_assert_eq!(write(&back, false), NotesText { text, approximations: None });
    }

    #[test]
    fn any_notes_are_written_as_something_that_reads(
        list in prop::collection::vec((0..=127u8, -5.0..200.0f64, 0.001..20.0f64, 1.0..127.0f64), 0..60),
        drum_mode: bool,
    ) {
        // As a clip holds them: one note in a slot.
        let notes = duplicates::resolve(list.into_iter().map(|(p, s, d, v)| note(p, s, d, v)).collect(), 0).notes;
        let text = format(&notes, drum_mode);
        let can_be_said = |note: &&Note| note.start > -0.001;
        let mut old: Vec<u8> = notes.iter().filter(can_be_said).map(|n| n.pitch).collect();
        let mut new: Vec<u8> = read(&text).unwrap().notes.iter().map(|n| n.pitch).collect();
        old.sort_unstable();
        new.sort_unstable();
        prop_assert_eq!(old, new, "{}", text);
    }

    #[test]
    fn no_text_panics(text in "(kick|melody|bass|chords|C3|snare2|foo)? ?(/(8|4\\.|3))? ?:?[ XxzZ^CDEab#'!?,/*0-9\\[\\]()<>|mj\\n\u{266d}\u{e9}\u{a0}\u{200b}\u{2019}:.t_-]{0,60}") {
        if let Err(NotationError::Mistakes { mistakes, .. }) = read(&text) {
            in_order(&text, &mistakes);
        }
    }
}
