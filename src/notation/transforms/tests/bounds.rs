//! No text is too much: sizes, depths, and anything at all.

use super::*;
use proptest::prelude::*;

#[test]
fn refuses_what_is_too_much() {
    let notes: Vec<Note> = (0..2000).map(|i| note(60, f64::from(i), 1.0, 64.0)).collect();
    let run = |text: &str| {
        Program::parse(text)
            .unwrap()
            .apply(notes.clone(), &ClipContext::default(), &mut Random::from_seed(1))
            .map(|a| a.notes.len())
    };
    assert_eq!(run("ratchet(50)"), Ok(100_000));
    assert_eq!(run("ratchet(51)"), Err(NotationError::TooManyTransformed));
    assert_eq!(run("repeat(n/512, 60)"), Err(NotationError::TooManyTransformed));
    assert_eq!(run("ratchet(40)\nratchet(40)"), Err(NotationError::TooManyTransformed));
    assert_eq!(run(&format!("velocity = 1{}", "+1".repeat(60_000))), Err(NotationError::TooMuchWork));
    // What cannot come to an end is refused before any of it is done.
    let begun = std::time::Instant::now();
    assert_eq!(run(&"v+1\n".repeat(9_000)), Err(NotationError::TooMuchWork));
    assert!(begun.elapsed() < std::time::Duration::from_secs(1), "{:?}", begun.elapsed());
    assert_eq!(run(&"merge()\nv+1\n".repeat(5_000)), Ok(1));
    assert_eq!(run(&format!("{}merge()", "v+1\n".repeat(8_000))), Err(NotationError::TooMuchWork));
    assert!(Program::parse(&"v1\n\n# no line\n".repeat(10_000)).is_ok());
    assert_eq!(Program::parse(&"v1\n".repeat(10_001)).err(), Some(NotationError::TooManyLines));
    assert!(matches!(Program::parse(&" ".repeat(MAX_TEXT_BYTES + 1)), Err(NotationError::TextTooLong { .. })));
}

#[test]
fn no_depth_overflows_the_stack() {
    let deep = 100_000;
    let nested = format!("velocity = {}5{}", "abs(".repeat(deep), ")".repeat(deep));
    assert_eq!(apply(&nested, four()).notes[0].velocity, 5.0);
    let groups = format!("where({}note.velocity > 0{}): v9", "!(".repeat(deep), ")".repeat(deep));
    assert_eq!(apply(&groups, four()).notes[0].velocity, 9.0);
    for open in ["velocity = (", "velocity = abs(", "where(", "where(!(", "velocity = min(1,", "/*", "C3:", "split("] {
        assert!(Program::parse(&open.repeat(deep / 2)).is_err(), "{open}");
        assert!(Program::parse(&format!("velocity = {}", open.repeat(deep / 2))).is_err(), "{open}");
    }
}

fn any_note() -> impl Strategy<Value = Note> {
    (0..=127u8, -8.0..64.0f64, 0.01..8.0f64, 1.0..=127.0f64).prop_map(|(p, s, d, v)| note(p, s, d, v))
}

fn any_line() -> impl Strategy<Value = String> {
    let selector = prop::sample::select(vec![
        "",
        "",
        "C1-C5: ",
        "1|1-5|1: ",
        "2|*: ",
        "where(note.velocity > 60): ",
        "E3-G4 1|1-<9|1: ",
        "where(note.start % 2 < 1): ",
    ]);
    let body = prop::sample::select(vec![
        "velocity += 20 * rand()",
        "velocity = ramp(-50, 200)",
        "pitch += rand(-90, 90)",
        "pitch = step(note.pitch, 3)",
        "timing += rand(-4, 4)",
        "timing = swing(0.1)",
        "timing *= 3",
        "duration = legato()",
        "duration -= 1",
        "duration = next.start - note.start",
        "probability += rand()",
        "deviation = 300 * rand()",
        "delete",
        "v40-90",
        "ratchet(3)",
        "ratchet(n/16)",
        "repeat(n/8, 2)",
        "merge()",
        "merge(n/4)",
        "split(1|2, 3|1.5)",
        "pitch = pow(note.pitch, 9)",
        "timing = 1 / note.start",
        "duration = 99999999999 * note.velocity",
        "gain = 4",
        "velocity = curve(0, 127, note.velocity / 50)",
        "pitch = wrap(note.pitch, next.pitch, C3)",
        "p-0.3",
        "2bar-n/8",
    ]);
    // A selector with a condition does not go with the operations.
    (selector, body).prop_map(|(selector, body)| {
        let operation = ["ratchet", "repeat", "merge", "split"].iter().any(|name| body.starts_with(name));
        format!("{}{body}", if operation && selector.starts_with("where") { "" } else { selector })
    })
}

proptest! {
    #[test]
    fn no_transform_makes_an_invalid_note(
        notes in prop::collection::vec(any_note(), 0..30),
        lines in prop::collection::vec(any_line(), 1..6),
        d in prop::sample::select(vec![1i64, 2, 4, 8, 16]),
        seed: u64,
    ) {
        let text = lines.join("\n");
        let context = ClipContext { meter: Meter::new(5, d).unwrap(), ..ClipContext::default() };
        let before = notes.len();
        let applied = Program::parse(&text).unwrap().apply(notes, &context, &mut Random::from_seed(seed));
        if let Err(NotationError::FoldsPitches { .. }) = applied {
            return Ok(());
        }
        let applied = applied.unwrap();
        for n in &applied.notes {
            prop_assert!(n.pitch <= 127 && n.start.is_finite() && n.start.abs() <= 1e9, "{text}: {n:?}");
            prop_assert!(n.duration > 0.0 && n.duration <= 1e9, "{text}: {n:?}");
            prop_assert!((1.0..=127.0).contains(&n.velocity) && n.velocity_deviation.abs() <= 127.0, "{text}: {n:?}");
            prop_assert!((0.0..=1.0).contains(&n.probability), "{text}: {n:?}");
        }
        prop_assert!(applied.notes.windows(2).all(|w| w[0].start <= w[1].start));
        prop_assert!(applied.deleted <= before && applied.transformed <= applied.notes.len());
    }

    #[test]
    fn no_text_panics(text in "((velocity|pitch|timing|n/4|C3|1\\|1|v|p|where|ratchet|split|swing|rand|note\\.|next\\.pitch|sync|2bar|delete|gain)?[-+*/%=<>!&|(),.:#;0-9a-zA-Z \n\u{e9}\u{266d}]{0,3}){0,12}") {
        if let Ok(program) = Program::parse(&text) {
            let _ = program.apply(four(), &ClipContext::default(), &mut Random::from_seed(1));
            let _ = program.check(ClipKind::Midi);
        }
    }
}
