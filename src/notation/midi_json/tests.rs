use super::*;
use crate::notation::{MistakePlace, duplicates};
use proptest::prelude::*;
use serde_json::json;

mod mistakes;

fn meter(text: &str) -> Meter {
    text.parse().unwrap()
}

fn short(notes: &[Note]) -> Vec<(u8, f64, f64, f64)> {
    let round = |x: f64| (x * 1e4).round() / 1e4;
    notes.iter().map(|n| (n.pitch, round(n.start), round(n.duration), n.velocity)).collect()
}

#[test]
fn reads_notes() {
    for (text, m, notes, warnings) in [
        ("", "4/4", vec![], 0),
        (" \n", "4/4", vec![], 0),
        ("[ ]", "4/4", vec![], 0),
        ("[{p:45,t:2,d:.5,v:60}]", "4/4", vec![(45, 2.0, 0.5, 60.0)], 0),
        ("[{p:45,t:3}]", "6/8", vec![(45, 1.5, 0.5, 100.0)], 0),
        ("[{p:45,t:1,d:2}]", "2/2", vec![(45, 2.0, 4.0, 100.0)], 0),
        ("[{p:45,t:3}]", "5/16", vec![(45, 0.75, 0.25, 100.0)], 0),
        ("[{\"pitch\":45,'start':1,\"velocity\":20}]", "4/4", vec![(45, 1.0, 1.0, 20.0)], 0),
        ("[{p:150,t:0,v:999}]", "4/4", vec![(127, 0.0, 1.0, 127.0)], 2),
        ("[{t:0},{p:45,t:1}]", "4/4", vec![(45, 1.0, 1.0, 100.0)], 1),
        ("[{p:45,t:1},{}]", "4/4", vec![(45, 1.0, 1.0, 100.0)], 1),
        ("[{p:45,t:0},{p:47,t:0},{p:45,t:0,v:0}]", "4/4", vec![(47, 0.0, 1.0, 100.0)], 0),
        ("[{p:45,t:0,v:0},{p:45,t:0}]", "4/4", vec![(45, 0.0, 1.0, 100.0)], 1),
        ("[{p:45,t:0,v:0,d:0}]", "4/4", vec![], 1),
        ("[{p:45,t:1},{p:200,t:0,v:0}]", "4/4", vec![(45, 1.0, 1.0, 100.0)], 1),
        ("[{p:45,t:0,v:.4}]", "4/4", vec![(45, 0.0, 1.0, 1.0)], 1),
        ("[{p:45,t:1},{p:45,t:0,d:0}]", "4/4", vec![(45, 1.0, 1.0, 100.0)], 1),
        ("[{p:45,t:1},{p:45,t:0,d:1/0}]", "4/4", vec![(45, 1.0, 1.0, 100.0)], 1),
        ("[{p:45,t:1},{p:45,t:1e400}]", "4/4", vec![(45, 1.0, 1.0, 100.0)], 1),
        ("[{p:45,t:1},{p:45,t:1e300}]", "4/4", vec![(45, 1.0, 1.0, 100.0)], 1),
        ("[{p:45,t:0,vd:1/0}]", "4/4", vec![(45, 0.0, 1.0, 100.0)], 0),
        ("[{p:45,t:0,d:1e-9}]", "4/4", vec![(45, 0.0, 0.001, 100.0)], 1),
        ("[{p:45,pitch:60,start:2,t:-1/4}]", "4/4", vec![(45, -0.25, 1.0, 100.0)], 0),
        ("[{start:2,t:1,start:3,t:1.5/4,p:007}]", "4/4", vec![(7, 0.375, 1.0, 100.0)], 0),
        ("[{p:44.5,t:1,zz:3}]", "4/4", vec![(45, 1.0, 1.0, 100.0)], 0),
        ("[ {p : 45 , t : 1 } , {p:46,t:0} ]", "4/4", vec![(46, 0.0, 1.0, 100.0), (45, 1.0, 1.0, 100.0)], 0),
    ] {
        let parsed = parse(text, meter(m), &[]).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!((short(&parsed.notes), parsed.warnings.len()), (notes, warnings), "{text}");
    }
    let parsed = parse("[{p:45,t:2/3,d:1/3,v:70,vd:5,deviation:9,c:.8}]", Meter::COMMON, &[]).unwrap();
    let note = parsed.notes[0];
    assert_eq!((note.velocity_deviation, note.probability, note.start), (5.0, 0.8, 2.0 / 3.0));
}

#[test]
fn the_rules_one_by_one() {
    // the members of a note, the meter, (pitch, start, duration, velocity) or nothing where it is dropped
    for (members, m, note) in [
        ("p:60,t:0", "4/4", Some((60, 0.0, 1.0, 100.0))),
        ("p:60,t:0", "7/8", Some((60, 0.0, 0.5, 100.0))),
        ("p:60,t:0", "5/4", Some((60, 0.0, 1.0, 100.0))),
        ("p:60,t:3", "12/8", Some((60, 1.5, 0.5, 100.0))),
        ("p:60,t:-4", "2/2", Some((60, -8.0, 2.0, 100.0))),
        ("P:1,p:60,t:0", "4/4", Some((60, 0.0, 1.0, 100.0))),
        ("P:60,t:0", "4/4", None),
        ("p:60,T:1,t:0", "4/4", Some((60, 0.0, 1.0, 100.0))),
        ("p:60,t:.5,d:1e1", "4/4", Some((60, 0.5, 10.0, 100.0))),
        ("p:60,t:5E-1,d:1.5e+1/3", "4/4", Some((60, 0.5, 5.0, 100.0))),
        ("p:60,t:-.5,d:007/4", "4/4", Some((60, -0.5, 1.75, 100.0))),
        ("p:120/2,t:1/4,v:201/2", "4/4", Some((60, 0.25, 1.0, 101.0))),
        ("p:-0.5,t:0", "4/4", Some((0, 0.0, 1.0, 100.0))),
        ("p:-7,t:0,v:-0", "4/4", None),
        ("p:-7,t:0", "4/4", Some((0, 0.0, 1.0, 100.0))),
        ("p:60,t:0,v:-1", "4/4", None),
        ("p:60,t:0,v:0.1", "4/4", Some((60, 0.0, 1.0, 1.0))),
        ("p:60,t:0,v:127.4", "4/4", Some((60, 0.0, 1.0, 127.0))),
        ("p:60,t:0,d:-1", "4/4", None),
        ("p:60,t:0,d:0.00001", "6/8", Some((60, 0.0, 0.0005, 100.0))),
        ("p:60,t:1/0", "4/4", None),
        ("p:1/0,t:0", "4/4", None),
        ("p:60,t:0,v:1/0", "4/4", None),
        ("p:60,t:0,c:0/0", "4/4", None),
        ("p:60,t:0,a1:5,velocity:5", "4/4", Some((60, 0.0, 1.0, 5.0))),
        ("p:60,t:0,velocity:5,v:6,velocity:7", "4/4", Some((60, 0.0, 1.0, 6.0))),
    ] {
        let text = format!("[{{{members}}}]");
        let parsed = match parse(&text, meter(m), &[]) {
            // Where it is the only one.
            Err(NotationError::NoUsableNote { .. }) => Parsed::default(),
            read => read.unwrap_or_else(|e| panic!("{text}: {e}")),
        };
        assert_eq!(short(&parsed.notes).first().copied(), note, "{text}");
    }
    for (members, deviation, probability) in [
        ("vd:5", 5.0, 1.0),
        ("vd:5.5", 6.0, 1.0),
        ("vd:-5", 0.0, 1.0),
        ("vd:999", 127.0, 1.0),
        ("deviation:3", 3.0, 1.0),
        ("velocityDeviation:4,deviation:3", 4.0, 1.0),
        ("deviation:3,vd:5,velocityDeviation:4", 5.0, 1.0),
        ("c:0", 0.0, 0.0),
        ("c:2", 0.0, 1.0),
        ("c:-1", 0.0, 0.0),
        ("probability:1/4", 0.0, 0.25),
    ] {
        let note = parse(&format!("[{{p:1,t:0,{members}}}]"), Meter::COMMON, &[]).unwrap().notes[0];
        assert_eq!((note.velocity_deviation, note.probability), (deviation, probability), "{members}");
    }
    for members in [
        "x:\"a\"", "x:null", "x:true", "x:{}", "x:[]", "p:\"60\"", "p:+60", "p:60.", "p:1e", "p:--1", "p:0x3c",
        "p:NaN", "p:1/-2", "p", "p:",
    ] {
        let text = format!("[{{p:60,t:0,{members}}}]");
        assert!(parse(&text, Meter::COMMON, &[]).is_err(), "{text}");
    }
    // A deletion reaches back only, to within a thousandth of a quarter.
    for (text, left) in [
        ("[{p:60,t:0},{p:60,t:0.0009,v:0}]", 0),
        ("[{p:60,t:0},{p:60,t:0.001,v:0}]", 1),
        ("[{p:60,t:0},{p:61,t:0,v:0}]", 1),
        ("[{p:60,t:0,v:0,d:0,c:0,vd:0},{p:60,t:0}]", 1),
    ] {
        assert_eq!(parse(text, Meter::COMMON, &[]).unwrap().notes.len(), left, "{text}");
    }
}

#[test]
fn times_are_written_as_decimals_or_ratios() {
    for (start, m, text) in [
        (0.0, "4/4", "0"),
        (-0.0, "4/4", "0"),
        (0.1234, "4/4", "0.1234"),
        (-1.5, "4/4", "-1.5"),
        (2.0 / 3.0, "4/4", "2/3"),
        (-1.0 / 6.0, "4/4", "-1/6"),
        (5.0 / 7.0, "4/4", "5/7"),
        (1.0 / 32.0 + 1.0 / 24.0, "4/4", "7/96"),
        (1.0 / 3.0, "2/2", "1/6"),
        (1.0 / 3.0, "4/16", "4/3"),
        // No denominator of the list fits.
        (0.56789, "4/4", "0.5679"),
    ] {
        let written = format(&[Note::new(60, start, 1.0)], meter(m));
        let time = written.split("t:").nth(1).and_then(|rest| rest.split(',').next()).unwrap_or_default();
        assert_eq!(time, text, "{start} in {m}");
    }
    // In the order given.
    let written = format(&[Note::new(61, 1.0, 1.0), Note::new(60, 0.0, 1.0)], Meter::COMMON);
    assert_eq!(written, "[{p:61,t:1,d:1,v:100},{p:60,t:0,d:1,v:100}]");
    let faint = Note { velocity: 64.1 + 0.2, probability: 0.1 + 0.2, ..Note::new(60, 0.1 + 0.2, 1.0) };
    assert_eq!(format(&[faint], Meter::COMMON), "[{p:60,t:0.3,d:1,v:64.3,c:0.3}]");
    assert_eq!(format_array(&[faint], Meter::COMMON).to_string(), r#"[{"p":60,"t":0.3,"d":1,"v":64.3,"c":0.3}]"#);
}

#[test]
fn refuses_with_every_mistake_and_its_place() {
    for (text, places) in [
        ("{p:45,t:0}", vec![(1, 1, 0)]),
        ("x", vec![(1, 1, 0)]),
        ("[{p:45,t:0},]", vec![(1, 12, 11)]),
        ("[{p:45,t:0,}]", vec![(1, 11, 10)]),
        ("[{p:45,t:0}", vec![(1, 12, 11)]),
        ("[{p:45,t:0", vec![(1, 11, 10)]),
        ("[", vec![(1, 2, 1)]),
        ("[{p:45,t:0}] x", vec![(1, 14, 13)]),
        ("[{p:45,t:0}\n{p:46,t:0}]", vec![(2, 1, 12)]),
        ("[60,61]", vec![(1, 2, 1), (1, 5, 4)]),
        ("[{p:C3,t:0},\n{p:60,t:+1},{p:60.,t:0,v:null}]", vec![(1, 5, 4), (2, 9, 21), (2, 16, 28), (2, 26, 38)]),
        ("[{p 60}]", vec![(1, 5, 4)]),
        ("[{a_b:60}]", vec![(1, 4, 3)]),
        ("[{\"p':60}]", vec![(1, 3, 2)]),
        ("[{p:1/.5}]", vec![(1, 5, 4)]),
        ("[{p:1/2/3}]", vec![(1, 5, 4)]),
        ("[{p:1 /2}]", vec![(1, 7, 6)]),
        ("[{p:{x:1}}]", vec![(1, 5, 4)]),
        ("[{p:1}/*c*/]", vec![(1, 7, 6)]),
        ("[{p:1},\u{a0}{p:2}]", vec![(1, 8, 7)]),
    ] {
        let NotationError::Mistakes { mistakes, .. } = parse(text, Meter::COMMON, &[]).unwrap_err() else {
            panic!("{text}")
        };
        let found: Vec<_> = mistakes
            .iter()
            .map(|m| match m.place {
                MistakePlace::Text { line, column, character } => (line, column, character),
                MistakePlace::Element { .. } => panic!("{m}"),
            })
            .collect();
        assert_eq!(found.get(..places.len()), Some(&places[..]), "{text}: {mistakes:?}");
    }
    let error = parse("[{p:C3,t:+1}]", Meter::COMMON, &[]).unwrap_err().to_string();
    assert!(error.contains("60") && error.contains("Did you mean 1 ?"), "{error}");
    let many = format!("[{}]", vec!["{p:x}"; 40].join(","));
    let NotationError::Mistakes { mistakes, .. } = parse(&many, Meter::COMMON, &[]).unwrap_err() else { panic!() };
    assert_eq!(mistakes.len(), 10);
}

#[test]
fn an_array_is_read_like_its_text() {
    let value = json!([{"p":45,"t":"2/3","d":0.5,"v":60},{"pitch":60,"start":1},{"p":60,"t":1,"v":0}]);
    let text = "[{p:45,t:2/3,d:.5,v:60}]";
    let array = parse_array(value.as_array().unwrap(), Meter::COMMON, &[]).unwrap();
    assert_eq!(array, parse(text, Meter::COMMON, &[]).unwrap());

    let value = json!([{"p":45,"t":null}, 7, {"p":"C3","t":true}]);
    let NotationError::Mistakes { mistakes, .. } =
        parse_array(value.as_array().unwrap(), Meter::COMMON, &[]).unwrap_err()
    else {
        panic!()
    };
    let places: Vec<String> = mistakes.iter().map(|m| m.to_string()).collect();
    assert_eq!(places.len(), 4);
    assert!(places[0].contains("element 0") && places[0].contains("\"t\""), "{places:?}");
    assert!(places[2].contains("Did you mean 60 ?"), "{places:?}");
    let too_many = vec![json!({"p":1,"t":1}); MAX_NOTES + 1];
    assert_eq!(parse_array(&too_many, Meter::COMMON, &[]), Err(NotationError::TooManyNotes));
}

#[test]
fn an_update_keeps_what_it_does_not_touch() {
    let kept = Note { release_velocity: 12.0, ..Note::new(40, 2.0, 1.0) };
    let existing = [kept, Note::new(41, 0.0, 1.0), Note::new(42, 0.0, 1.0)];
    let parsed = parse("[{p:41,t:0,v:0},{p:42,t:0,v:9}]", Meter::COMMON, &existing).unwrap();
    assert_eq!(parsed.notes, [Note { velocity: 9.0, ..Note::new(42, 0.0, 1.0) }, kept]);
}

#[test]
fn dropped_notes_are_told_in_one_warning() {
    let text = "[{t:0},{p:1},{p:1},{p:1,t:0,d:0},{p:1,t:0,v:1/0},{p:1,t:0,c:1/0},{p:500,t:0,v:0},{p:1,t:0}]";
    let parsed = parse(text, Meter::COMMON, &[]).unwrap();
    let [warning] = &parsed.warnings[..] else { panic!("{:?}", parsed.warnings) };
    for fact in ["7 notes", "t (start) is missing or no finite number (2)", "3 more reasons"] {
        assert!(warning.contains(fact), "{warning}");
    }
}

#[test]
fn times_near_a_whole_number_are_short() {
    for (beats, text) in [
        (4.9999999, "5"),
        (2.0000001, "2"),
        (10.99999, "11"),
        (-3.0000001, "-3"),
        (1.0 / 3.0, "1/3"),
        (-4.0 / 3.0, "-4/3"),
        (0.00001, "0.0001"),
        (5.0007, "5.0007"),
    ] {
        assert_eq!(write::time_text(beats), text, "{beats}");
    }
}

#[test]
fn writes_text_and_arrays() {
    let note = Note { velocity: 60.0, ..Note::new(45, 0.5, 0.25) };
    let third = Note { start: 1.0 / 3.0, duration: 1.0 / 3.0, ..note };
    let odd = Note { velocity_deviation: -10.0, probability: 0.123456, start: -1.0 / 3.0, ..note };
    for (note, m, text) in [
        (note, "4/4", "[{p:45,t:0.5,d:0.25,v:60}]"),
        (note, "6/8", "[{p:45,t:1,d:0.5,v:60}]"),
        (third, "4/4", "[{p:45,t:1/3,d:1/3,v:60}]"),
        (third, "6/8", "[{p:45,t:2/3,d:2/3,v:60}]"),
        (odd, "4/4", "[{p:45,t:-1/3,d:0.25,v:50,vd:10,c:0.1235}]"),
    ] {
        assert_eq!(format(&[note], meter(m)), text);
    }
    assert_eq!(format(&[], Meter::COMMON), "");
    assert_eq!(
        format_array(&[third, note], meter("6/8")),
        json!([{"p":45,"t":2.0/3.0,"d":2.0/3.0,"v":60},{"p":45,"t":1,"d":0.5,"v":60}])
    );
}

fn any_note() -> impl Strategy<Value = Note> {
    (0u8..=127, -64i32..6400, 1u32..400, 1u8..=127, 0u8..=127, 0u32..=10_000, 1u32..=16).prop_map(
        |(pitch, start, duration, velocity, deviation, probability, parts)| Note {
            velocity: velocity.into(),
            velocity_deviation: deviation.into(),
            probability: f64::from(probability) / 10_000.0,
            ..Note::new(pitch, f64::from(start) / f64::from(parts), f64::from(duration) / f64::from(parts))
        },
    )
}

proptest! {
    #[test]
    fn notes_survive_text_and_array(
        notes in prop::collection::vec(any_note(), 0..60),
        n in 1i64..=13,
        d in prop::sample::select(vec![1i64, 2, 4, 8, 16]),
    ) {
        let meter = Meter::new(n, d).unwrap();
        let notes = duplicates::resolve(notes, 0).notes;
        let back = parse(&format(&notes, meter), meter, &[]).unwrap();
        prop_assert_eq!(back.notes.len(), notes.len());
        prop_assert!(back.warnings.is_empty());
        for (a, b) in notes.iter().zip(&back.notes) {
            prop_assert_eq!((a.pitch, a.velocity, a.velocity_deviation, a.probability), (b.pitch, b.velocity, b.velocity_deviation, b.probability));
            prop_assert!((a.start - b.start).abs() < 0.001 && (a.duration - b.duration).abs() < 0.001);
        }
        let again = parse(&format(&back.notes, meter), meter, &[]).unwrap();
        prop_assert_eq!(&again, &back);
        let array = format_array(&notes, meter);
        let exact = parse_array(array.as_array().unwrap(), meter, &[]).unwrap();
        prop_assert_eq!(&exact.notes, &notes);
    }

    #[test]
    fn no_text_breaks_the_reader(text in "[\\[\\]{}:,ptdvc\"' \\-.e/0-9\n\u{a0}#*]{0,60}") {
        if let Err(NotationError::Mistakes { mistakes, .. }) = parse(&text, Meter::COMMON, &[]) {
            let place = |mistake: &crate::notation::Mistake| match mistake.place {
                MistakePlace::Text { character, .. } => character,
                MistakePlace::Element { .. } => panic!("{mistake}"),
            };
            assert!(mistakes.windows(2).all(|pair| place(&pair[0]) < place(&pair[1])), "{text}: {mistakes:#?}");
        }
    }
}
