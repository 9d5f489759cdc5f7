//! What holds for every text, sensible or not: shared by the fuzz targets and the test that runs their corpus.

#![allow(dead_code, reason = "each fuzz target uses one of these")]

use svc_device::music::{Meter, Note, Random};
use svc_device::notation::transforms::{AudioParameters, ClipContext, ClipKind, Program};
use svc_device::notation::{self, Mistake, Notation, NotationErrors, Parsed, Place, Reading};

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

fn parse(notation: Notation, text: &str, meter: Meter) -> Result<Parsed, NotationErrors> {
    notation::parse(notation, text, Reading { meter, existing: &[], random: &mut Random::from_seed(1) })
}

/// A text is refused with places and words, or gives notes that a clip can hold and that can be written and read again.
fn reads_or_says_why(notation: Notation, text: &str) {
    for meter in meters() {
        let notes = match parse(notation, text, meter) {
            Ok(parsed) => parsed.notes,
            Err(error) => {
                says_why(text, &error);
                continue;
            }
        };
        notes.iter().for_each(check);
        assert!(notes.windows(2).all(|pair| (pair[0].start, pair[0].pitch) <= (pair[1].start, pair[1].pitch)));
        for drum_mode in [false, true] {
            let written = notation::format(notation, &notes, meter, drum_mode);
            match parse(notation, &written, meter) {
                Ok(again) if notation == Notation::Stark => {
                    let twice = notation::format(notation, &again.notes, meter, drum_mode);
                    assert_eq!(twice, written, "from {text}");
                }
                Ok(again) => {
                    assert_eq!(again.notes.is_empty(), notes.is_empty(), "{written}");
                    stays(notation, again.notes, meter, drum_mode);
                }
                Err(NotationErrors::TextTooLong { .. } | NotationErrors::TooManyNotes) => {}
                Err(error) => panic!("{text}\nwas written as\n{written}\nwhich does not read: {error}"),
            }
        }
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
        Err(error) => return says_why(text, &error),
    };
    for meter in meters() {
        let context = ClipContext { meter, ..ClipContext::default() };
        for kind in [ClipKind::Midi, ClipKind::Audio] {
            for checked in [program.check(kind), program.check_in(meter, kind)] {
                if let Err(error) = checked {
                    says_why(text, &error);
                }
            }
        }
        let notes = (0..12).map(|i: u8| Note::new(36 + i * 5, f64::from(i / 2) * 0.75, 0.5)).collect();
        let random = &mut Random::from_seed(1);
        if let Ok(applied) = program.apply(notes, &context, random) {
            applied.notes.iter().for_each(check);
        }
        let before = AudioParameters { gain_db: -3.0, pitch_shift_semitones: 2.0 };
        let after = program.apply_audio(before, &context, random).parameters;
        assert!((-70.0..=24.0).contains(&after.gain_db) && (-48.0..=48.0).contains(&after.pitch_shift_semitones));
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
fn says_why(text: &str, error: &NotationErrors) {
    assert!(!error.to_string().is_empty());
    let NotationErrors::Mistakes { mistakes, .. } = error else { return };
    assert!((1..=10).contains(&mistakes.len()), "{error}");
    let length = text.chars().count();
    let points_into = |mistake: &Mistake| match mistake.place {
        Place::Text { line, column, character } => line >= 1 && column >= 1 && character <= length,
        Place::Element { .. } => false,
    };
    assert!(mistakes.iter().all(points_into), "{error}");
}
