//! What lines know of the clip, the arrangement, the Set and audio clips, and what they report.

use super::*;

#[test]
fn reports_what_had_no_effect() {
    let one = |text| apply(text, four()).warnings;
    for (text, wants) in [
        ("gain = 3\nv1", vec!["line 1: gain"]),
        ("velocity = next.pitch", vec!["line 1: the last selected note"]),
        ("velocity = sin(1bar, sync) + clip.position + 50", vec!["sync", "clip.position"]),
        ("velocity = audio.gain", vec!["line 1: audio.gain"]),
        ("velocity = pow(0 - note.start, 0.5)", vec!["finite"]),
        ("timing = quant(note.start - note.start)", vec!["grid of quant"]),
        ("timing = swing(note.velocity)", vec!["amount of swing"]),
        ("velocity = curve(1, 2, note.start)", vec!["exponent"]),
        ("timing = 999999999999", vec!["beyond"]),
        ("D3: duration = 0 - 1", vec!["2 notes were deleted"]),
        ("1|1-2|4: velocity = ramp(1, 100)", vec!["ramp stops short"]),
        ("1|1-2|1: velocity = ramp(1, 100)", vec![]),
        ("repeat(n/4, clip.index)", vec!["repeat needs"]),
        ("where(pow(0 - note.start, 0.5) > 0): v1", vec!["left out"]),
    ] {
        let found = one(text);
        assert_eq!(found.len(), wants.len(), "{text}: {found:?}");
        for (found, want) in found.iter().zip(wants) {
            assert!(found.contains(want), "{text}: {found}");
        }
    }
    assert!(apply("gain = 3\n# nothing\npitchShift += 1", four()).all_ignored);
    assert!(!apply("gain = 3\nv+0", four()).all_ignored);
    let none = apply("v+1", vec![]);
    assert!(none.warnings[0].contains("no notes") && !none.all_ignored);
    let no_end = ClipContext { end: Some(2.0), ..ClipContext::default() };
    let kept = apply_in(&no_end, "duration = legato()", four());
    assert_eq!((kept.notes[3].duration, kept.warnings.len()), (1.0, 1));
}

#[test]
fn knows_the_arrangement() {
    let arranged = ClipContext {
        arrangement_position: Some(10.0),
        start_marker: 1.0,
        duration: 8.0,
        index: 3,
        count: 5,
        ..ClipContext::default()
    };
    let velocities = |text| list(apply_in(&arranged, text, four()).notes.iter().map(|n| n.velocity));
    // Starts 0..3 are 9..12 in the arrangement.
    assert_eq!(velocities("velocity = 70 + 30 * sin(1bar, sync)"), "100 70 40 70");
    assert_eq!(
        velocities("velocity = clip.position + clip.duration * 2 + clip.index * 10 + clip.count"),
        "61 61 61 61"
    );
    assert_eq!(velocities("velocity = clipseq(1, 2, 3)"), "1 1 1 1");
    // Bar 3, beat 4 and a half of the song is 10.5, which is 1.5 in the clip.
    let split = apply_in(&arranged, "split(3|3.5, sync)", four());
    assert_eq!(short(&split.notes[1..3]), "65@1+0.5 80, 65@1.5+0.5 80");
}

#[test]
fn changes_audio_clips() {
    let before = AudioParameters { gain_db: -9.0, pitch_shift_semitones: 1.0 };
    let context = ClipContext { index: 1, count: 2, ..ClipContext::default() };
    for (text, gain_db, pitch_shift_semitones, warnings, all_ignored) in [
        ("gain *= 0.5\npitchShift = clip.index - 3", -4.5, -2.0, 0, false),
        ("gain = 100\ngain -= 80\npitchShift = -99", 20.0, -48.0, 1, false),
        ("gain = ramp(-3, 5) + audio.pitchShift", -2.0, 1.0, 0, false),
        ("gain = seq(-1, -2)", -2.0, 1.0, 0, false),
        ("gain = sin(1bar, 0.25) * 6", 6.0, 1.0, 0, false),
        ("C3: gain = 1", 1.0, 1.0, 1, false),
        ("v+1\nratchet(2)", -9.0, 1.0, 2, true),
        ("gain = note.velocity", -9.0, 1.0, 1, false),
        ("", -9.0, 1.0, 0, false),
    ] {
        let program = Program::parse(text).unwrap();
        let applied = program.apply_audio(before, &context, &mut Random::from_seed(1));
        let after = AudioParameters { gain_db, pitch_shift_semitones };
        assert_eq!((applied.parameters, applied.all_ignored), (after, all_ignored), "{text}");
        assert_eq!(applied.warnings.len(), warnings, "{text}: {:?}", applied.warnings);
    }
}
