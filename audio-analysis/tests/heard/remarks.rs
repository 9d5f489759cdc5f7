//! Each remark made true, and false, by a song built for it; clicks and hiding as well.

use crate::songs::{Beat, Part, RATE_HZ, bars, hits, part, play};
use svc_analysis::clicks::ClickFinder;
use svc_analysis::mix::{MixMeter, MixReport, Role as MixRole, Source};
use svc_analysis::remarks::{BentMix, Expected, remarks, stem_clipping};
use svc_sound::instruments::Role;
use svc_sound::offline::Stereo;

fn report(sound: &Stereo, stems: &[(&str, &Stereo)], piece: usize) -> MixReport {
    let stems: Vec<(&str, MixRole, &Stereo)> =
        stems.iter().map(|(name, stem)| (*name, MixRole::Track, *stem)).collect();
    report_of(sound, &stems, piece)
}

fn report_of(sound: &Stereo, stems: &[(&str, MixRole, &Stereo)], piece: usize) -> MixReport {
    let sources: Vec<Source> = stems.iter().map(|(name, role, _)| Source { name, role: *role }).collect();
    let mut meter = MixMeter::new(RATE_HZ, &sources).unwrap();
    for (left, right) in sound.left.chunks(piece).zip(sound.right.chunks(piece)) {
        meter.push_main(left, right).unwrap();
    }
    for (track, (_, _, stem)) in stems.iter().enumerate() {
        for (left, right) in stem.left.chunks(piece).zip(stem.right.chunks(piece)) {
            meter.push_track(track, left, right).unwrap();
        }
    }
    meter.finish().unwrap()
}

fn told(sound: &Stereo, stems: &[(&str, &Stereo)], expected: &Expected) -> Vec<String> {
    remarks(&report(sound, stems, 48_000), expected)
}

fn clicks(left: &[f32], right: &[f32]) -> Vec<f64> {
    let mut finder = ClickFinder::new(RATE_HZ);
    finder.push(left, right);
    finder.finish()
}

fn drums(volume_db: f32, at: &[f64], pitch: u8) -> Part {
    Part { volume_db, ..part(Role::Drums, bars(4, &hits(pitch, 0.85, at))) }
}

fn says(told: &[String], words: &str) -> bool {
    told.iter().any(|remark| remark.contains(words))
}

fn band() -> Vec<Part> {
    let beat: Vec<Beat> = [
        hits(36, 0.9, &[0.0, 2.0]),
        hits(38, 0.8, &[1.0, 3.0]),
        hits(42, 0.5, &[0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5]),
    ]
    .concat();
    let chord = |at: f64| [57, 60, 64].map(|pitch| (pitch, 0.7, at, 1.8));
    vec![
        part(Role::Drums, bars(4, &beat)),
        Part { volume_db: -9.0, ..part(Role::Bass, bars(4, &[(33, 0.8, 0.5, 0.4), (33, 0.8, 2.5, 0.4)])) },
        Part { volume_db: -9.0, ..part(Role::Keys, bars(4, &[chord(0.0), chord(2.0)].concat())) },
    ]
}

#[test]
fn a_good_mix_needs_no_remark() {
    let song = play(&band(), 110.0, 16.0);
    let stems: Vec<(&str, &Stereo)> = ["Drums", "Bass", "Keys"].into_iter().zip(&song.stems).collect();
    let expected = Expected { tempo_bpm: Some(110.0), scale: Some((9, 0b0101_1010_1101)), ..Expected::default() };
    assert_eq!(told(&song.mix, &stems, &expected), Vec::<String>::new());
}

#[test]
fn pieces_of_any_length_are_the_same_sound() {
    let song = play(&band(), 110.0, 8.0);
    let stems: Vec<(&str, &Stereo)> = ["Drums", "Bass", "Keys"].into_iter().zip(&song.stems).collect();
    let whole = report(&song.mix, &stems, song.mix.left.len());
    assert!(whole.tempo.is_some() && whole.key.is_some() && whole.tracks.len() == 3);
    for piece in [1, 511, 4_800] {
        assert_eq!(report(&song.mix, &stems, piece), whole, "pieces of {piece}");
    }
}

#[test]
fn soft_tracks_are_named() {
    for (snare_db, soft) in [(-6.0, false), (-20.0, true)] {
        let song = play(&[drums(-6.0, &[0.0, 2.0], 36), drums(snare_db, &[1.0, 3.0], 38)], 110.0, 16.0);
        let told = told(&song.mix, &[("Kick", &song.stems[0]), ("Snare", &song.stems[1])], &Expected::default());
        let named = told.iter().any(|remark| remark.starts_with("Snare is ") && remark.ends_with(" LU below Kick"));
        assert_eq!(named, soft, "{told:?}");
    }
}

/// A kit's drums are held against each other, and in its place against other tracks; a group against nobody.
#[test]
fn parts_stand_for_their_track() {
    for (snare_db, soft) in [(-6.0, false), (-20.0, true)] {
        let bass = Part { volume_db: 0.0, ..part(Role::Sub, bars(4, &[(36, 0.9, 0.0, 3.9)])) };
        let song = play(&[drums(-18.0, &[0.0, 2.0], 36), drums(snare_db - 12.0, &[1.0, 3.0], 38), bass], 110.0, 16.0);
        let kit = crate::songs::sum(&song.stems[..2]);
        let stems = [
            ("Drums", MixRole::Track, &kit),
            ("Kick", MixRole::Part { of: 0 }, &song.stems[0]),
            ("Snare", MixRole::Part { of: 0 }, &song.stems[1]),
            ("Bass", MixRole::Track, &song.stems[2]),
            ("All", MixRole::Bus, &song.mix),
        ];
        let report = report_of(&song.mix, &stems, 48_000);
        let told = remarks(&report, &Expected::default());
        assert_eq!(says(&told, "in Drums, Snare is "), soft, "{told:?}");
        assert!(says(&told, "Bass hides ") && says(&told, " of Kick of Drums"), "{told:?}");
        assert!(!told.iter().any(|remark| remark.contains("All") || remark.contains("% of Drums")), "{told:?}");
    }
}

#[test]
fn silence_is_told() {
    let song = play(&[drums(-6.0, &[0.0, 2.0], 36), part(Role::Pad, Vec::new())], 110.0, 16.0);
    let named = told(&song.mix, &[("Drums", &song.stems[0]), ("Pad", &song.stems[1])], &Expected::default());
    assert!(says(&named, "Pad is silent") && !says(&named, "Drums is silent"), "{named:?}");
    let nothing = play(&[part(Role::Pad, Vec::new())], 110.0, 16.0);
    assert_eq!(told(&nothing.mix, &[], &Expected::default()), ["nothing sounds"]);
}

/// Of what nobody hears there is neither a balance nor a key nor a tempo.
#[test]
fn what_is_next_to_silent_is_told_and_nothing_else_of_it() {
    let song = play(&band(), 110.0, 16.0);
    let sub = play(&[part(Role::Sub, bars(4, &[(33, 0.9, 0.0, 3.9)]))], 110.0, 16.0);
    let expected = Expected { tempo_bpm: Some(97.0), scale: Some((3, 0b0101_1010_1101)), ..Expected::default() };
    for (name, song) in [("band", &song), ("sub", &sub)] {
        let peak = song.mix.left.iter().chain(&song.mix.right).fold(0.0_f32, |peak, x| peak.max(x.abs()));
        for (peak_db, is_told) in [(-20.0, false), (-45.0, false), (-53.0, true), (-80.0, true), (-120.0, true)] {
            let gain = 10.0_f32.powf(peak_db / 20.0) / peak;
            let soft = |side: &[f32]| side.iter().map(|x| x * gain).collect::<Vec<f32>>();
            let mix = Stereo { left: soft(&song.mix.left), right: soft(&song.mix.right) };
            let told = told(&mix, &[("Track", &mix)], &expected);
            assert_eq!(says(&told, "next to silent"), is_told, "{name} at {peak_db}: {told:?}");
            assert_eq!(told.len() == 1, is_told, "{name} at {peak_db}: {told:?}");
            assert!(!is_told || says(&told, "its true peak is -") && says(&told, " dBTP"), "{told:?}");
        }
    }
    // Too short for a loudness, and loud.
    let blip = Stereo { left: song.mix.left[..9_600].to_vec(), right: song.mix.right[..9_600].to_vec() };
    assert!(!says(&told(&blip, &[], &Expected::default()), "silent"));
}

#[test]
fn clipping_and_peaks_are_told() {
    let song = play(&band(), 110.0, 16.0);
    let louder = |db: f32, ceiling: f32| {
        let gain = 10.0_f32.powf(db / 20.0);
        let channel = |samples: &[f32]| samples.iter().map(|x| (x * gain).clamp(-ceiling, ceiling)).collect();
        Stereo { left: channel(&song.mix.left), right: channel(&song.mix.right) }
    };
    let clipped = told(&louder(18.0, 1.0), &[], &Expected::default());
    assert!(says(&clipped, "the mix clips"), "{clipped:?}");
    let near = told(&louder(18.0, 0.97), &[], &Expected::default());
    assert!(says(&near, "the true peak is") && !says(&near, "clips "), "{near:?}");
    assert!(!says(&told(&song.mix, &[], &Expected::default()), "true peak"));
    // On the way to the main track nothing of a track is cut; in a file of its own it may be.
    let over = louder(18.0, 10.0);
    let heard = report(&song.mix, &[("Drums", &over)], 48_000);
    let told = remarks(&heard, &Expected::default());
    assert!(!says(&told, "Drums clips"), "{told:?}");
    let of_stem = stem_clipping(&heard.tracks[0]).expect("it is above full scale");
    assert!(of_stem.starts_with("Drums clips ") && of_stem.contains(" times in its stem, first at "), "{of_stem}");
    assert_eq!(stem_clipping(&report(&song.mix, &[("Drums", &song.mix)], 48_000).tracks[0]), None);
}

#[test]
fn sides_that_cancel_or_differ_are_told() {
    let song = play(&band(), 110.0, 16.0);
    let right =
        |gain: f32| Stereo { left: song.mix.left.clone(), right: song.mix.right.iter().map(|x| x * gain).collect() };
    for (gain, cancels, differs) in [(1.0, false, false), (-1.0, true, false), (0.3, false, true), (0.0, false, false)]
    {
        let told = told(&right(gain), &[], &Expected::default());
        assert_eq!(
            (says(&told, "cancel each other"), says(&told, "louder on the left")),
            (cancels, differs),
            "{told:?}"
        );
        assert_eq!(says(&told, "only the left side of the mix sounds"), gain == 0.0, "{told:?}");
    }
    let turned = Stereo { left: vec![0.0; song.mix.right.len()], right: song.mix.right.clone() };
    assert!(says(&told(&turned, &[], &Expected::default()), "only the right side of the mix sounds"));
}

/// The softest case says the most, and nobody is said to hide what is not heard anyway.
#[test]
fn what_is_inaudible_is_told() {
    for (keys_db, is_soft, is_inaudible) in [(-6.0, false, false), (-40.0, true, false), (-75.0, false, true)] {
        let chord = [57, 60, 64].map(|pitch| (pitch, 0.7, 0.0, 3.9));
        let keys = Part { volume_db: keys_db, ..part(Role::Keys, bars(4, &chord)) };
        let song = play(&[part(Role::Organ, bars(4, &chord)), keys], 110.0, 16.0);
        let told = told(&song.mix, &[("Alpha", &song.stems[0]), ("Beta", &song.stems[1])], &Expected::default());
        assert_eq!(says(&told, " LU below Alpha"), is_soft, "{keys_db}: {told:?}");
        let inaudible = told.iter().any(|remark| {
            remark.starts_with("Beta is inaudible: its true peak is -") && remark.ends_with(" dB below that of Alpha")
        });
        assert_eq!(inaudible, is_inaudible, "{keys_db}: {told:?}");
        assert!(!is_inaudible || !says(&told, " of Beta, most around"), "{keys_db}: {told:?}");
    }
}

/// From what can be heard of it on, and that it was before a gain.
#[test]
fn what_a_safety_clip_bends_is_told() {
    let song = play(&band(), 110.0, 8.0);
    let told_of = |most_db: f64, before_gain| {
        let bent = Some(BentMix { times: 3, first_s: 0.5, most_db, excess_db: 1.04 });
        told(&song.mix, &[], &Expected { bent, before_gain, ..Expected::default() })
    };
    for (most_db, words) in [(0.02, None), (0.05, Some("0.05 dB")), (0.29, Some("0.3 dB")), (2.0, Some("2.0 dB"))] {
        for before_gain in [None, Some(report(&song.mix, &[], 48_000).main.levels)] {
            let told = told_of(most_db, before_gain);
            assert_eq!(says(&told, "distorts it: 3 times, first at 0.50 s"), words.is_some(), "{told:?}");
            assert!(words.is_none_or(|words| says(&told, &format!("by up to {words}"))), "{told:?}");
            assert!(words.is_none() || says(&told, "lower the main volume by 1.1 dB"), "{told:?}");
            let is_before = before_gain.is_some() && words.is_some();
            assert_eq!(says(&told, "before it is normalized"), is_before, "{told:?}");
        }
    }
}

#[test]
fn a_bass_that_hides_the_kick_is_told() {
    for (length, bass_db, hides) in [(3.9, 0.0, true), (0.4, -18.0, false)] {
        let at = if hides { 0.0 } else { 0.5 };
        let bass = Part { volume_db: bass_db, ..part(Role::Sub, bars(4, &[(36, 0.9, at, length)])) };
        let song = play(&[drums(-18.0, &[0.0, 1.0, 2.0, 3.0], 36), bass], 110.0, 16.0);
        let stems = [("Kick", &song.stems[0]), ("Bass", &song.stems[1])];
        let told = told(&song.mix, &stems, &Expected::default());
        assert_eq!(says(&told, "Bass hides"), hides, "{told:?}");
    }
}

#[test]
fn another_tempo_or_key_than_the_sets_is_told() {
    let song = play(&band(), 110.0, 16.0);
    let minor = 0b0101_1010_1101;
    for (tempo, root, tempo_words, is_other_key) in [
        (110.0, 9, None, false),
        (220.0, 9, Some("half the Set's tempo"), false),
        (55.0, 9, Some("twice the Set's tempo"), false),
        (97.0, 9, Some("the Set's tempo is 97.0"), false),
        (110.0, 3, None, true),
    ] {
        let expected = Expected { tempo_bpm: Some(tempo), scale: Some((root, minor)), ..Expected::default() };
        let told = told(&song.mix, &[], &expected);
        assert_eq!(says(&told, "not in the Set's scale"), is_other_key, "{told:?}");
        match tempo_words {
            Some(words) => assert!(says(&told, words), "{told:?}"),
            None => assert!(!says(&told, "BPM"), "{told:?}"),
        }
    }
}

#[test]
fn the_colour_is_told_where_it_is_odd() {
    let sub = play(&[part(Role::Sub, bars(4, &[(33, 0.9, 0.0, 3.9)]))], 110.0, 16.0);
    let told_of_sub = told(&sub.mix, &[], &Expected::default());
    assert!(says(&told_of_sub, "small speakers") && says(&told_of_sub, "dull"), "{told_of_sub:?}");
    let hats = play(&[drums(-6.0, &[0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5], 42)], 110.0, 16.0);
    assert!(says(&told(&hats.mix, &[], &Expected::default()), "harsh"));
}

#[test]
fn clicks_are_found_and_beginnings_are_not_clicks() {
    let keys = bars(4, &[(57, 0.8, 0.0, 1.8), (64, 0.8, 2.0, 1.8)]);
    for (name, parts, is_held) in [
        ("band", band(), false),
        ("909", vec![part(Role::Drums909, bars(4, &hits(36, 1.0, &[0.0, 1.0, 2.0, 3.0])))], false),
        ("pluck", vec![part(Role::Pluck, bars(4, &[(69, 0.8, 0.0, 0.5), (76, 0.8, 3.0, 0.5)]))], true),
        ("pad", vec![part(Role::Pad, bars(2, &[(57, 0.8, 0.0, 3.5)]))], true),
        ("keys", vec![part(Role::Keys, keys)], true),
    ] {
        let song = play(&parts, 120.0, 16.0);
        let found = |left: &[f32]| clicks(left, &song.mix.right);
        assert_eq!(found(&song.mix.left), Vec::<f64>::new(), "{name}");
        let is_one_at =
            |found: &[f64], meant: f64| found.len() == 1 && found.iter().all(|at| (at - meant).abs() < 0.002);
        let mut struck = song.mix.left.clone();
        struck[78_000] += 0.25;
        assert!(is_one_at(&found(&struck), 1.625), "{name}: {:?}", found(&struck));
        if is_held {
            // A cut: half a millisecond is gone, where the sound is far from zero.
            let mut cut = song.mix.left.clone();
            let step = |at: &usize| (cut[*at] - cut[at + 24]).abs();
            let at = (76_800..81_600).max_by(|a, b| step(a).total_cmp(&step(b))).unwrap();
            cut.drain(at..at + 24);
            assert!(is_one_at(&found(&cut), at as f64 / RATE_HZ), "{name} at {at}: {:?}", found(&cut));
        }
    }
}
