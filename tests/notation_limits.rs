//! Texts made to hurt: as long as they may be, as deep as they go, mistakes everywhere. On a small stack, against the
//! clock.

use std::time::{Duration, Instant};
use svc_device::music::{Meter, Note, Random};
use svc_device::notation::transforms::{AudioParameters, ClipContext, ClipKind, Program};
use svc_device::notation::{self, MAX_NOTES, MAX_TEXT_BYTES, Notation, NotationError, ParseContext};

/// Less than half of what any thread of the device has.
const STACK_BYTES: usize = 256 * 1024;
/// Nothing takes a tenth of it here; what grows with the square of a text would take hours.
const PATIENCE: Duration = Duration::from_secs(20);

/// The largest size, or enough to tell squares from lines where nothing is optimised.
const TEXT_BYTES: usize = if cfg!(debug_assertions) { MAX_TEXT_BYTES / 4 } else { MAX_TEXT_BYTES };

/// A long text: a beginning, then a piece again and again, then an end.
fn long((before, piece, after): (&str, &str, &str)) -> String {
    let room = TEXT_BYTES - before.len() - after.len();
    format!("{before}{}{after}", piece.repeat(room / piece.len()))
}

fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(work).expect("a thread");
    assert!(thread.join().is_ok(), "it panicked or overflowed its stack");
}

fn timed(what: &str, work: impl FnOnce()) {
    let start = Instant::now();
    work();
    let took = start.elapsed();
    if std::env::var_os("SHOW_TIMES").is_some() {
        println!("{:>7.0} ms  {what}", took.as_secs_f64() * 1e3);
    }
    assert!(took < PATIENCE, "{what} took {took:?}");
}

/// Reads a text in every way there is, and writes what came of it.
fn read(notation: Notation, shape: (&'static str, &'static str, &'static str)) {
    on_a_small_stack(move || {
        let text = long(shape);
        timed(&format!("{} {shape:?}", notation.name()), || {
            let existing: Vec<Note> = (0..1000).map(|i| Note::new(60, f64::from(i), 1.0)).collect();
            let random = &mut Random::from_seed(1);
            let reading = ParseContext { meter: Meter::COMMON, existing: &existing, random };
            match notation::parse(notation, &text, reading) {
                Ok(parsed) => {
                    assert!(parsed.notes.len() <= MAX_NOTES + existing.len() && parsed.warnings.len() <= 101);
                    notation::write(notation, &parsed.notes, Meter::COMMON, false);
                    notation::write(notation, &parsed.notes, Meter::COMMON, true);
                }
                Err(error) => {
                    assert!(
                        error.to_string().len() < 10_000,
                        "{shape:?}: a message of {} bytes",
                        error.to_string().len()
                    );
                }
            }
        });
    });
}

#[test]
fn barbeat() {
    for shape in [
        ("", "[", ""),
        ("", "(", ""),
        ("", "[F2 ", ""),
        ("", "(F2 ", ""),
        ("[", "F2 ", "]1|1"),
        ("(", "F2 ", ") 1|1"),
        ("", "/*", ""),
        ("/*", "*", ""),
        ("", "/**/", ""),
        ("", "//\n", ""),
        ("", "#", ""),
        ("", "1|", ""),
        ("", "1,", ""),
        ("F2 1|1", ",1", ""),
        ("F2 1|1", ", 2|0", ""),
        ("F2 1|1", ", 2", ",x"),
        ("F2 1|1", " /**/ , 2", ""),
        ("F2 1|1", ",\n2", ""),
        ("F2 1|1", " x 4", ""),
        ("F2 1|1", " 2", ""),
        ("F2 1", "1", "|1, 2, 0"),
        ("", "C3, ", "X"),
        ("[", "n4 ", "] C3 1|1"),
        ("[", "n0/4 ", "] C3 1|1"),
        ("[", "(H3) ", "] C3 1|1"),
        ("[", "(C3 ", "] C3 1|1"),
        ("(", "C3, ", "] 1|1"),
        ("v999", "9", " C3 1|1"),
        ("F2 1|1", ",1x", ""),
        ("F2 ", "1|1 ", ""),
        ("", "F2", ""),
        ("", "F2,", ""),
        ("", "F2 ", "1|1"),
        ("F2 1|", "9", ""),
        ("F2 1|1.", "9", ""),
        ("n/", "9", ""),
        ("v", "9", " F2 1|1"),
        ("p0.", "9", " F2 1|1"),
        ("", "v90 ", ""),
        ("", "[v90 v80]", ""),
        ("F2 1|1 ", "@2= ", ""),
        ("F2 1|1 ", "@1-999999999=1-999999998 ", ""),
        ("F2 1|1x100 ", "@2-9=1 ", ""),
        ("", "@clear ", ""),
        ("v0 F2 ", "1|1 ", ""),
        ("v0 F2 ", "1|1x9 ", ""),
        ("", "\u{a0}", ""),
        ("", "\u{200b}F2 ", ""),
        ("", "\u{e9}", ""),
        ("", " ", ""),
        ("", "\r\n", ""),
        ("", "-", ""),
        ("", "C", ""),
        ("", "Dm7 ", ""),
        ("", "2 | 3 ", ""),
        ("", "n/8 t ", ""),
        ("F2 ", "1|1x999999999@n/64 ", ""),
        ("", "1|1x999999999 ", ""),
        ("[F2 A2] ", "1|1,2,3 ", ""),
        ("", "@", ""),
        ("", "]", ""),
        ("", "[]", ""),
        ("", "[v1 F2]", ""),
        ("F2 1|1 v10 ", "@1=1 ", ""),
        ("", "F2 v1 ", ""),
        ("", "n9999999999/1 ", ""),
        ("", "1bar-n/1 ", ""),
    ] {
        read(Notation::Barbeat, shape);
    }
}

#[test]
fn midi_json() {
    for shape in [
        ("", "[", ""),
        ("", "{", ""),
        ("[", "{", ""),
        ("[", "{p:1,t:", ""),
        ("[", "{p:1,t:1},", ""),
        ("[", "{},", "{}]"),
        ("[{p:1,t:1", ",p:1", "}]"),
        ("[{", "a:1,", "a:1}]"),
        ("[{p:", "9", ",t:0}]"),
        ("[{p:1,t:0.", "9", "}]"),
        ("[{p:1,t:1e", "9", "}]"),
        ("[{p:1,t:1/", "9", "}]"),
        ("[{p:1,t:", "1/", "}]"),
        ("[{p:1,t:", "-", "}]"),
        ("[", ",", "]"),
        ("[{", "a", ":1}]"),
        ("[{\"", "a", "\":1}]"),
        ("", "\"", ""),
        ("", "]", ""),
        ("[] ", "]", ""),
        ("", " ", ""),
        ("[{p:C3,t:", "x", "}]"),
        ("[", "{p:C3},", "{}]"),
        ("[", "/*", "]"),
        ("[", "\u{e9}", "]"),
        ("[{p:1,t:1,v:0}", ",{p:1,t:1,v:0}", "]"),
        ("[{p:1,t:1}", " ", "]"),
        ("[{p", " ", ":1}]"),
        ("[", "{p:1,t:1}", "]"),
        ("[[", "[],", "]]"),
        ("[", "1,", "1]"),
        ("[", "{a:1},", "{}]"),
        ("[{p:1,t:", "[{\"", ""),
        ("[{p:1,t:", "[]{}", ""),
        ("[", "\"' ", ""),
        ("[", "{p:1]", ""),
    ] {
        read(Notation::MidiJson, shape);
    }
}

#[test]
fn stark() {
    for shape in [
        ("", "[", ""),
        ("melody: ", "[", ""),
        ("melody: ", "[C ", ""),
        ("melody: [", "C ", "]"),
        ("melody: C", "'", ""),
        ("melody: C", ",", ""),
        ("melody: C", "/4", ""),
        ("melody: C", "!?", ""),
        ("melody: ", "C", ""),
        ("melody: ", "z", ""),
        ("melody: ", "z*900000000 ", ""),
        ("kick: ", "X", ""),
        ("kick: ", "|", ""),
        ("", "kick:\n", ""),
        ("", "kick: ", ""),
        ("", "kick: X ", ""),
        ("", "kick:X\n", ""),
        ("", "kick", ""),
        ("", "X ", ""),
        ("", "o\n", ""),
        ("kick: ", "o ", ""),
        ("kick: ", "X*", ""),
        ("kick: X*", "9", ""),
        ("chords: ", "C ", ""),
        ("chords: C", "m", ""),
        ("chords: ", "Cm7b5 ", ""),
        ("chords: ", "Cfoo ", ""),
        ("chords: C", "/", ""),
        ("chords: ", "[", ""),
        ("chords: ", "C/", ""),
        ("C", "9", ": X"),
        ("melody: C", "9", ""),
        ("melody: ", "A9 ", ""),
        ("kick: ", "x-", ""),
        ("kick: x", "-", ""),
        ("kick: ", "x-- ", ""),
        ("melody: ", "(C ", ""),
        ("melody: ", "C. ", ""),
        ("melody: ", "C* ", ""),
        ("melody ", "4", ": C"),
        ("melody:\n", "C ", ""),
        ("chords: ", "C[", ""),
        ("chords: ", "C\u{a0}", ""),
        ("", "A9: X\n", ""),
        ("", "\u{a0}", ""),
        ("melody: ", "\u{266f}", ""),
        ("", " ", ""),
        ("", ":", ""),
        ("", "kick /8", ""),
        ("melody", " ", ""),
        ("melody: ", "C ", "kick X"),
        ("melody: ", "E bass: C ", ""),
        ("", "snar: X\n", ""),
        ("", "melody: [C E\n", ""),
        ("melody: ", "]", ""),
    ] {
        read(Notation::Stark, shape);
    }
}

#[test]
fn transforms() {
    for shape in [
        ("velocity = ", "(", ""),
        ("velocity = ", "abs(", ""),
        ("velocity = ", "min(1,", ""),
        ("velocity = ", "1+", "1"),
        ("velocity = ", "1,", ""),
        ("velocity = min(", "1,", "1)"),
        ("velocity = ", "-", "1"),
        ("velocity = ", "9", ""),
        ("velocity = 0.", "9", ""),
        ("where(", "!", "note.pitch > 1): v1"),
        ("where(", "(", ""),
        ("where(", "note.pitch>1&&", "note.pitch>1): v1"),
        ("where(", "note.pitch>1||", "1): v1"),
        ("", "where(", ""),
        ("", "where(1>0): ", ""),
        ("", "C3: ", ""),
        ("", "C3 ", ": v1"),
        ("", "1|1-", ""),
        ("", "/*", ""),
        ("/*", " ", ""),
        ("", "/**/", "v1"),
        ("", "//\n", ""),
        ("", "#\n", ""),
        ("", "\n", ""),
        ("", " ", "v1"),
        ("", "v+1\n", ""),
        ("", "foo\n", ""),
        ("", "velosity = 1\n", ""),
        ("foo", "o", " = 1"),
        ("", "velocity = ", ""),
        ("", "=", ""),
        ("", ";", ""),
        ("split(", "1|1,", "1|1)"),
        ("", "split(1|1)\n", ""),
        ("", "ratchet(2)\n", ""),
        ("", "ratchet(", ""),
        ("", "merge()\n", ""),
        ("velocity = ", "note.", ""),
        ("velocity = ", "note.velocity * ", "1"),
        ("velocity = ", "rand() + ", "1"),
        ("velocity = n/", "9", ""),
        ("velocity = ", "\u{e9}", ""),
        ("", "\u{a0}v1\n", ""),
        ("velocity = choose(", "1,", "1)"),
        ("velocity = ", "swing(0.1)+", "1"),
        ("velocity = ", "curve(1,2,0)+", "1"),
        ("", "velocity = ramp(1)\n", ""),
        ("gain = ", "1+", "1"),
        ("", "gain = 1\n", ""),
        ("velocity = ", "foo(", ""),
        ("velocity = 1 ", ")", ""),
        ("", "C", ""),
        ("", "C3-", "C4: v1"),
        ("", "2bar", ""),
        ("velocity = ", "1bar-", "1"),
    ] {
        on_a_small_stack(move || {
            let text = long(shape);
            timed(&format!("transforms {shape:?}"), || {
                let program = match Program::parse(&text) {
                    Ok(program) => program,
                    Err(error) => return assert!(error.to_string().len() < 20_000, "{shape:?}"),
                };
                for kind in [ClipKind::Midi, ClipKind::Audio] {
                    let _ = program.check(kind).and_then(|()| program.check_in_meter(Meter::COMMON, kind));
                }
                let notes = (0..200).map(|i| Note::new(60, f64::from(i), 1.0)).collect();
                let (context, random) = (ClipContext::default(), &mut Random::from_seed(1));
                match program.apply(notes, &context, random) {
                    Ok(applied) => assert!(applied.notes.len() <= MAX_NOTES && applied.warnings.len() <= 101),
                    Err(error) => assert!(
                        matches!(error, NotationError::TooMuchWork | NotationError::TooManyTransformed),
                        "{shape:?}: {error}"
                    ),
                }
                program.apply_audio(AudioParameters { gain_db: 0.0, pitch_shift_semitones: 0.0 }, &context, random);
            });
        });
    }
}
