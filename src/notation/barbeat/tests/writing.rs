//! Notes as text, and there and back.

use super::*;
use proptest::prelude::*;

#[test]
fn writes_notes() {
    let eight: Vec<Note> = (0..8).map(|i| note(36, f64::from(i), 0.25, 100.0)).collect();
    let spread = Note { velocity_deviation: 20.0, probability: 0.5, ..note(60, 0.0, 1.0, 60.0) };
    let below = Note { velocity_deviation: -20.0, ..note(60, 1.0, 1.0, 80.0) };
    let capped = Note { velocity_deviation: 20.0, ..note(60, 2.0, 8.0, 127.0) };
    for (notes, m, drums, text) in [
        (vec![], "4/4", false, ""),
        (
            vec![note(57, 1.0, 0.5, 84.0), note(57, 3.0, 0.5, 84.0), note(60, 4.0, 0.5, 84.0)],
            "4/4",
            false,
            "v84 n/8 A2 1|2,4\nC3 2|1",
        ),
        (vec![note(48, 0.0, 4.0, 70.0), note(55, 0.0, 1.0, 70.0)], "4/4", false, "v70 n/1 C2 n/4 G2 1|1"),
        (vec![note(60, 1.5, 1.5, 90.0)], "6/8", false, "v90 n/4d C3 1|4"),
        (eight.clone(), "4/4", true, "v100 n/16 C1 1|1x8@n/4"),
        (eight, "4/4", false, "v100 n/16 C1 1|1,2,3,4\nC1 2|1,2,3,4"),
        // Batches of one bar that say the same are merged over others between them.
        (
            vec![note(48, 0.0, 1.0, 9.0), note(50, 1.0, 1.0, 9.0), note(48, 2.0, 1.0, 9.0)],
            "4/4",
            false,
            "v9 n/4 C2 1|1,3\nD2 1|2",
        ),
        (vec![spread, below, capped], "4/4", false, "v60-80 n/4 p0.5 C3 1|1\np1 C3 1|2\nv127 n2/1 C3 1|3"),
        (
            vec![note(60, -5.0, 1.0, 9.0), note(60, 1.0 / 3.0, 1.0 / 3.0, 9.0)],
            "4/4",
            false,
            "v9 n/4 C3 1|1-n5/4\nn/8t C3 1|1+n/12",
        ),
        (
            vec![note(36, 0.0, 0.25, 9.0), note(38, 1.0, 0.25, 9.0), note(36, 1.5, 0.25, 9.0), note(36, 4.0, 0.5, 8.0)],
            "4/4",
            true,
            "v9 n/16 C1 1|1,2.5 v8 n/8 C1 2|1\nv9 n/16 D1 1|2",
        ),
        ((0..12).map(|i| note(42, f64::from(i), 1.0, 9.0)).collect(), "4/4", true, "v9 n/4 Gb1 1|1x12"),
        ((0..12).map(|i| note(42, f64::from(i) * 4.0, 1.0, 9.0)).collect(), "4/4", true, "v9 n/4 Gb1 1|1x12@n/1"),
        (vec![note(60, 0.0, 0.0, 9.0), note(200, 0.0, 1.0, 9.0)], "4/4", false, ""),
    ] {
        assert_eq!(format(&notes, meter(m), drums), text);
    }
}

#[test]
fn a_text_read_and_written_again_is_the_same() {
    for (notes, m, drums, text) in [
        (vec![note(60, 2.069_03, 1.0, 9.0)], "4/4", false, "v9 n/4 C3 1|3.069"),
        (vec![note(60, 0.062_53, 0.062_53, 9.0)], "4/4", false, "v9 n/64 C3 1|1+n/64"),
        (vec![note(60, 3.999_98, 1.0, 9.0)], "4/4", false, "v9 n/4 C3 2|1"),
        // Two of one pitch stay apart, however coarse the meter.
        (vec![note(60, 0.0, 1.0, 9.0), note(60, 0.0016, 1.0, 9.0)], "2/2", false, "v9 n/4 C3 1|1,1.0008"),
        (
            vec![note(60, 0.0, 1.0, 9.0), note(64, 0.0009, 1.0, 9.0), note(60, 0.0012, 1.0, 9.0)],
            "1/1",
            false,
            "v9 n/4 C3 E3 1|1\nC3 1|1.0003",
        ),
        // What a chord took back to a moment does not then go on to an earlier chord without the rest of it.
        (
            vec![note(40, 1.3493, 1.0, 9.0), note(40, 1.3529, 1.0, 9.0), note(36, 1.3543, 1.0, 9.0)],
            "1/1",
            false,
            "v9 n/4 E1 1|1.33733\nC1 E1 1|1.33823",
        ),
        // A note is not taken back so far that it meets one of its pitch.
        (
            vec![note(62, 0.0, 1.0, 9.0), note(64, 0.0008, 1.0, 9.0), note(62, 0.001, 1.0, 9.0)],
            "4/16",
            false,
            "v9 n/4 D3 1|1,1.004\nE3 1|1.0032",
        ),
        // Lengths that are like one another, and one that is like only the second of them.
        (
            vec![
                note(60, 0.0, 0.5, 9.0),
                note(64, 1.0, 0.502, 9.0),
                note(65, 2.0, 0.5007, 9.0),
                note(60, 3.0, 0.5011, 9.0),
            ],
            "4/4",
            false,
            "v9 n/8 C3 1|1\nn0.502/4 E3 1|2\nn/8 F3 1|3\nn0.502/4 C3 1|4",
        ),
        // Hits a hair off what a repeat would say.
        (
            vec![note(36, 0.0, 0.25, 9.0), note(36, 1.0003, 0.25, 9.0), note(36, 2.0, 0.25, 9.0)],
            "4/4",
            true,
            "v9 n/16 C1 1|1,2.0003,3",
        ),
    ] {
        let meter = meter(m);
        let written = format(&notes, meter, drums);
        assert_eq!(written, text);
        let back = parse(&written, meter, &[]).unwrap().notes;
        assert_eq!((back.len(), format(&back, meter, drums)), (notes.len(), written));
    }
}

/// Notes as a hand plays them: on no grid, of any length, some of one pitch close together.
fn played_note() -> impl Strategy<Value = Note> {
    (36u8..42, -2.0f64..20.0, 0.001f64..3.0, 1u8..=127, 0.0f64..=1.0, 0u32..4).prop_map(
        |(pitch, start, duration, velocity, probability, coarse)| {
            let round = |x: f64| if coarse == 0 { x } else { (x * 400.0).round() / 400.0 + x / 1000.0 };
            Note { velocity: velocity.into(), probability, ..Note::new(pitch, round(start), round(duration)) }
        },
    )
}

fn any_note() -> impl Strategy<Value = Note> {
    let parts = prop::sample::select(vec![1u32, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 16, 24, 32, 100]);
    (0u8..=127, -64i32..6400, 1u32..400, 1u8..=127, 0u8..=127, 0u32..=1000, parts).prop_map(
        |(pitch, start, duration, velocity, top, probability, parts)| Note {
            velocity: velocity.min(top.max(1)).into(),
            velocity_deviation: top.max(1).saturating_sub(velocity).into(),
            probability: f64::from(probability) / 1000.0,
            ..Note::new(pitch, f64::from(start) / f64::from(parts), f64::from(duration) / f64::from(parts))
        },
    )
}

fn grid_note() -> impl Strategy<Value = Note> {
    (36u8..40, 0u32..64, prop::sample::select(vec![80.0, 100.0]))
        .prop_map(|(pitch, step, velocity)| note(pitch, f64::from(step) / 4.0, 0.25, velocity))
}

fn same(a: &[Note], b: &[Note], tolerance: f64) -> Result<(), TestCaseError> {
    prop_assert_eq!(a.len(), b.len());
    for (a, b) in a.iter().zip(b) {
        prop_assert_eq!((a.pitch, a.velocity, a.velocity_deviation), (b.pitch, b.velocity, b.velocity_deviation));
        prop_assert!((a.probability - b.probability).abs() < 0.0011, "{:?} {:?}", a, b);
        prop_assert!(
            (a.start - b.start).abs() < tolerance && (a.duration - b.duration).abs() < tolerance,
            "{:?} {:?}",
            a,
            b
        );
    }
    Ok(())
}

proptest! {
    #[test]
    fn the_first_text_is_already_the_last(
        notes in prop_oneof![
            prop::collection::vec(played_note(), 0..80),
            prop::collection::vec(any_note(), 0..60),
            prop::collection::vec(grid_note(), 0..120),
        ],
        n in 1i64..=13,
        d in prop::sample::select(vec![1i64, 2, 4, 8, 16]),
        drums: bool,
    ) {
        let meter = Meter::new(n, d).unwrap();
        let notes = duplicates::resolve(notes, 0).notes;
        let text = format(&notes, meter, drums);
        let back = parse(&text, meter, &[]).unwrap_or_else(|e| panic!("{text}\n{e}"));
        prop_assert_eq!(back.notes.len(), notes.len(), "{}", text);
        prop_assert_eq!(format(&back.notes, meter, drums), text);
    }

    #[test]
    fn notes_survive_text(
        notes in prop_oneof![prop::collection::vec(any_note(), 0..60), prop::collection::vec(grid_note(), 0..120)],
        n in 1i64..=13,
        d in prop::sample::select(vec![1i64, 2, 4, 8, 16]),
        drums: bool,
    ) {
        let meter = Meter::new(n, d).unwrap();
        let mut notes = duplicates::resolve(notes, 0).notes;
        // Notes of one chord but not quite together sort differently once they are.
        let mut reached = f64::NEG_INFINITY;
        notes.retain(|note| {
            let apart = note.start == reached || note.start - reached > 0.02;
            if apart { reached = note.start; }
            apart
        });
        let text = format(&notes, meter, drums);
        let back = parse(&text, meter, &[]).unwrap_or_else(|e| panic!("{text}\n{e}"));
        same(&back.notes, &notes, 0.0011)?;
        let again = parse(&format(&back.notes, meter, drums), meter, &[]).unwrap();
        same(&again.notes, &back.notes, 0.0011)?;
    }

    #[test]
    fn no_text_breaks_the_reader(text in "[\\[\\]()A-Gvnpxb0-9|,.@=/+\\-*# \n\u{a0}\u{266f}dt]{0,80}") {
        if let Err(NotationError::Mistakes { mistakes, .. }) = parse(&text, Meter::COMMON, &[]) {
            prop_assert!(!mistakes.is_empty() && mistakes.len() <= 10);
            for mistake in mistakes {
                if let Some(fix) = mistake.fix {
                    prop_assert!(read::read(&fix, Meter::COMMON).is_ok(), "{}", fix);
                }
            }
        }
    }

    #[test]
    fn written_items_read_back_settled(
        text in prop::collection::vec(prop::sample::select(vec![
            "v90 ", "v0 ", "v10-20 ", "n/8 ", "n/8t ", "1bar ", "p0.5 ", "p1 ", "C3 ", "Db3 ", "(E3 G3) ", "[C3 D3] ",
            "[v50 v70] ", "[n/4 n/8] ", "1|1 ", "1|2,3+n/12 ", "2|1x3 ", "1|1x5@n/8 ", "@2= ", "@3-4=1-2 ", "@clear ", "// x\n",
        ]), 0..40),
        drums: bool,
    ) {
        let meter = Meter::COMMON;
        let first = parse(&text.concat(), meter, &[]).unwrap();
        let second = parse(&format(&first.notes, meter, drums), meter, &[]).unwrap();
        same(&second.notes, &first.notes, 0.001)?;
    }
}
