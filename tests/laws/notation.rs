//! What holds for every text, sensible or not: shared by the fuzz targets and the test that runs their corpus.

#![allow(dead_code, reason = "each fuzz target uses one of these")]

use svc_device::music::{Meter, Note, Random, SAME_POSITION_BEATS, scale};
use svc_device::notation::transforms::{AudioParameters, ClipContext, ClipKind, Program};
use svc_device::notation::{self, Mistake, MistakePlace, Notation, NotationError, ParseContext, Parsed};

fn meters() -> [Meter; 2] {
    [Meter::COMMON, Meter::new(6, 8).expect("a meter")]
}

pub fn barbeat(text: &str) {
    reads_or_says_why(Notation::Barbeat, text);
}

pub fn midi_json(text: &str) {
    reads_or_says_why(Notation::MidiJson, text);
}

pub fn stark(text: &str) {
    reads_or_says_why(Notation::Stark, text);
}

fn parse(notation: Notation, text: &str, meter: Meter) -> Result<Parsed, NotationError> {
    notation::parse(notation, text, ParseContext { meter, existing: &[], random: &mut Random::from_seed(1) })
}

/// A text is refused with places, words and corrections that can be read, or gives notes that a clip can hold and that
/// can be written and read again.
fn reads_or_says_why(notation: Notation, text: &str) {
    for meter in meters() {
        let notes = match parse(notation, text, meter) {
            Ok(parsed) => parsed.notes,
            Err(error) => {
                says_why(text, &error);
                if notation == Notation::Barbeat {
                    corrects(&error, |fix| parse(notation, fix, meter).err());
                }
                continue;
            }
        };
        is_settled(&notes);
        for drum_mode in [false, true] {
            if notation == Notation::Stark {
                stark_stays(&notes, meter, drum_mode);
                continue;
            }
            let written = notation::format(notation, &notes, meter, drum_mode);
            match parse(notation, &written, meter) {
                Ok(again) => {
                    assert_eq!(again.notes.is_empty(), notes.is_empty(), "{written}");
                    stays(notation, again.notes, meter, drum_mode);
                }
                Err(NotationError::TextTooLong { .. } | NotationError::TooManyNotes) => {}
                Err(error) => panic!("{text}\nwas written as\n{written}\nwhich does not read: {error}"),
            }
        }
    }
}

/// Notes as a clip holds them: each valid, in order, one in a slot.
fn is_settled(notes: &[Note]) {
    notes.iter().for_each(check);
    for pair in notes.windows(2) {
        assert!((pair[0].start, pair[0].pitch) <= (pair[1].start, pair[1].pitch), "{pair:?}");
    }
    for (at, note) in notes.iter().enumerate() {
        let near = notes[at + 1..].iter().take_while(|other| other.start - note.start < SAME_POSITION_BEATS);
        assert!(near.into_iter().all(|other| other.pitch != note.pitch), "{note:?} is there twice");
    }
}

/// Stark writes nearly; but what it says it wrote exactly is read back so, it adds nothing, and its text is its own
/// reading.
fn stark_stays(notes: &[Note], meter: Meter, drum_mode: bool) {
    let written = notation::write(Notation::Stark, notes, meter, drum_mode);
    let again = match parse(Notation::Stark, &written.text, meter) {
        Ok(again) => again.notes,
        Err(NotationError::TextTooLong { .. } | NotationError::TooManyNotes) => return,
        Err(error) => panic!("{}\ndoes not read: {error}", written.text),
    };
    let text = &written.text;
    assert_eq!(&notation::format(Notation::Stark, &again, meter, drum_mode), text);
    assert!(again.len() <= notes.len(), "more notes than there were:\n{text}");
    assert_eq!(again.is_empty(), notes.is_empty(), "{text}");
    let pitches = |notes: &[Note]| notes.iter().map(|n| n.pitch).collect::<std::collections::BTreeSet<u8>>();
    assert!(pitches(&again).is_subset(&pitches(notes)), "{text}");
    if drum_mode {
        assert_eq!(pitches(&again), pitches(notes), "{text}");
    }
    // How loud a hit is says its letter.
    let level =
        |note: &Note| notation::format(Notation::Stark, &[Note { start: 0.0, duration: 1.0, ..*note }], meter, true);
    if written.approximations.is_none() {
        assert_eq!(again.len(), notes.len(), "{text}");
        let mut sorted = [notes.to_vec(), again];
        for list in &mut sorted {
            list.sort_by(|a, b| a.pitch.cmp(&b.pitch).then(a.start.total_cmp(&b.start)));
        }
        for (was, is) in sorted[0].iter().zip(&sorted[1]) {
            // The writing rounds to a tick, the comparison allows as much.
            let near = |a: f64, b: f64| (a - b).abs() <= SAME_POSITION_BEATS + 1e-6;
            let same = was.pitch == is.pitch && near(was.start, is.start) && near(was.duration, is.duration);
            assert!(same, "{was:?} became {is:?} without a word by\n{text}");
            assert!(!drum_mode || level(was) == level(is), "{was:?} became {is:?} by\n{text}");
        }
    }
    // What is drawn is the velocities alone.
    let other = ParseContext { meter, existing: &[], random: &mut Random::from_seed(2) };
    let drawn = notation::parse(Notation::Stark, text, other).expect("it was read before").notes;
    let lines = |notes: &[Note]| notes.iter().map(|n| (n.pitch, n.start.to_bits(), level(n))).collect::<Vec<_>>();
    let first = parse(Notation::Stark, text, meter).expect("it was read before").notes;
    if first.len() <= 500 {
        assert_eq!(lines(&first), lines(&drawn), "{text}");
    }
}

/// What was written and read once is written and read the same from then on.
fn stays(notation: Notation, mut notes: Vec<Note>, meter: Meter, drum_mode: bool) {
    let written = notation::format(notation, &notes, meter, drum_mode);
    let Ok(again) = parse(notation, &written, meter) else { return };
    let mut again = again.notes;
    // Notes of one moment may trade places.
    for list in [&mut notes, &mut again] {
        list.sort_by(|a, b| a.pitch.cmp(&b.pitch).then(a.start.total_cmp(&b.start)));
    }
    assert_eq!(again.len(), notes.len(), "{written}");
    for (a, b) in notes.iter().zip(&again) {
        let near = |a: f64, b: f64| (a - b).abs() <= 0.0021;
        let same = (a.pitch, a.velocity, a.velocity_deviation) == (b.pitch, b.velocity, b.velocity_deviation);
        assert!(same && near(a.start, b.start) && near(a.duration, b.duration), "{a:?} became {b:?} by\n{written}");
    }
}

pub fn transforms(text: &str) {
    let program = match Program::parse(text) {
        Ok(program) => program,
        Err(error) => {
            says_why(text, &error);
            return corrects(&error, |fix| Program::parse(fix).err());
        }
    };
    // A comment behind the text says nothing.
    let commented = Program::parse(&format!("{text}\n# nothing")).ok();
    for meter in meters() {
        for kind in [ClipKind::Midi, ClipKind::Audio] {
            for checked in [program.check(kind), program.check_in_meter(meter, kind)] {
                if let Err(error) = checked {
                    says_why(text, &error);
                    corrects(&error, |fix| Program::parse(fix).err());
                }
            }
        }
        for context in contexts(meter) {
            changes(&program, commented.as_ref(), &context);
            let random = &mut Random::from_seed(1);
            let before = AudioParameters { gain_db: -3.0, pitch_shift_semitones: 2.0 };
            let after = program.apply_audio(before, &context, random).parameters;
            assert!((-70.0..=24.0).contains(&after.gain_db) && (-48.0..=48.0).contains(&after.pitch_shift_semitones));
        }
    }
}

/// A lone session clip, and an arrangement clip that is one of many, under a scale.
fn contexts(meter: Meter) -> [ClipContext; 2] {
    let scale = Some(scale::parse("D Minor").expect("a scale"));
    let arranged = ClipContext {
        meter,
        song_meter: Meter::new(3, 4).expect("a meter"),
        tempo_bpm: 93.5,
        scale,
        index: 2,
        count: 5,
        duration: 7.5,
        arrangement_position: Some(33.0),
        start_marker: 0.5,
        start: 0.25,
        end: None,
    };
    [ClipContext { meter, ..ClipContext::default() }, arranged]
}

/// Runs on some notes: the result is what a clip can hold and a notation can write, adds up, and comes again with its
/// seed.
fn changes(program: &Program, commented: Option<&Program>, context: &ClipContext) {
    let notes: Vec<Note> = (0..12).map(|i: u8| Note::new(36 + i * 5, f64::from(i / 2) * 0.75, 0.5)).collect();
    let run = |program: &Program| program.apply(notes.clone(), context, &mut Random::from_seed(1));
    let result = run(program);
    let commented = commented.expect("a comment behind a text that reads does too");
    assert_eq!(run(program), result, "the same seed gave something else");
    assert_eq!(run(commented), result, "a comment gave something else");
    let Ok(applied) = result else { return };
    is_settled(&applied.notes);
    assert!(applied.deleted <= notes.len() && applied.transformed <= applied.notes.len(), "{applied:?}");
    if program.is_empty() {
        assert_eq!(applied.notes, notes);
    }
    if applied.notes.len() <= 1_000 {
        for notation in [Notation::Barbeat, Notation::MidiJson] {
            let written = notation::format(notation, &applied.notes, context.meter, false);
            let again = parse(notation, &written, context.meter);
            let again = again.unwrap_or_else(|error| panic!("{written}\ndoes not read: {error}"));
            assert_eq!(again.notes.is_empty(), applied.notes.is_empty(), "{written}");
        }
    }
}

/// Every correction that is offered can be read.
fn corrects(error: &NotationError, read: impl Fn(&str) -> Option<NotationError>) {
    let NotationError::Mistakes { mistakes, .. } = error else { return };
    for fix in mistakes.iter().filter_map(|mistake| mistake.fix.as_ref()) {
        if let Some(refusal @ NotationError::Mistakes { .. }) = read(fix) {
            panic!("{fix} is offered and does not read: {refusal}");
        }
    }
}

fn check(note: &Note) {
    let is_valid = note.pitch <= 127
        && note.start.is_finite()
        && note.duration > 0.0
        && note.duration.is_finite()
        && (1.0..=127.0).contains(&note.velocity)
        && note.velocity_deviation.abs() <= 127.0
        && (0.0..=1.0).contains(&note.probability);
    assert!(is_valid, "{note:?}");
}

/// Mistakes point into the text and are at most ten.
fn says_why(text: &str, error: &NotationError) {
    assert!(!error.to_string().is_empty());
    let NotationError::Mistakes { mistakes, .. } = error else { return };
    assert!((1..=10).contains(&mistakes.len()), "{error}");
    let length = text.chars().count();
    let points_into = |mistake: &Mistake| match mistake.place {
        MistakePlace::Text { line, column, character } => line >= 1 && column >= 1 && character <= length,
        MistakePlace::Element { .. } => false,
    };
    assert!(mistakes.iter().all(points_into), "{error}");
}
