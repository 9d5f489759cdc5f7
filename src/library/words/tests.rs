use super::*;

#[test]
fn words_of_names() {
    for (name, words) in [
        ("Kick 02", &["kick", "02"][..]),
        ("closedHat_808-Dry", &["closed", "hat", "808", "dry"]),
        ("LOOP_120bpm", &["loop", "120bpm"]),
        ("  ", &[]),
        ("Über–Klang", &["über", "klang"]),
    ] {
        assert_eq!(tokens(name), words, "{name}");
    }
}

#[test]
fn names_tell_tags() {
    for (stem, folders, tags) in [
        ("Kick 02", &["Drums"][..], &["Kick", "Drums"][..]),
        ("BD_808_long", &[], &["Kick", "808"]),
        ("closed hats 3", &["Hats"], &["Closed Hihat", "Hihat"]),
        ("CH02", &[], &["Closed Hihat", "Hihat"]),
        ("Hihat Open", &[], &["Open Hihat", "Hihat"]),
        ("Crash", &["Rides"], &["Crash", "Cymbal", "Ride"]),
        ("thing", &["Vinyl Crate 3", "Snares"], &["Snare", "Vinyl"]),
        ("thing", &["My Pack"], &["My Pack"]),
        ("Bass Loop 124bpm Am", &[], &["Bass", "Loop", "124 BPM", "A minor"]),
        ("pad_C#_minor", &[], &["Pad", "C# minor"]),
        ("FM Bass", &[], &["Bass"]),
        ("a", &[], &[]),
    ] {
        assert_eq!(read(stem, folders).tags, tags, "{stem} {folders:?}");
    }
}

#[test]
fn texts_that_mean_tags() {
    for (text, tags) in [
        ("hihat", Some(&["Hihat"][..])),
        ("Hi-Hats", Some(&["Hihat"])),
        ("hh closed", Some(&["Closed Hihat"])),
        ("808 kick", Some(&["808", "Kick"])),
        ("kick02", None),
        ("kick 02", None),
        ("kick.wav", None),
        ("", None),
    ] {
        assert_eq!(meant(text).as_deref(), tags, "{text}");
    }
}

#[test]
fn broader_tags_are_tags_of_the_same_category() {
    for (narrow, broad) in &TAGS.broader {
        assert_eq!(TAGS.categories.get(narrow), TAGS.categories.get(broad), "{narrow} < {broad}");
        assert!(!TAGS.broader.contains_key(broad), "{narrow} < {broad}: one step only");
    }
}

#[test]
fn names_tell_tempo_and_type() {
    for (stem, bpm, is_loop, one_shot, impulse) in [
        ("drum loop 120 bpm", Some(120), true, false, false),
        ("bpm96 groove", Some(96), true, false, false),
        ("808 one-shot", None, false, true, false),
        ("hall IR", None, false, false, true),
        ("999bpm", None, false, false, false),
        ("kick 120", None, false, false, false),
    ] {
        let told = read(stem, &[]);
        assert_eq!(
            (told.bpm, told.says_loop, told.says_one_shot, told.says_impulse),
            (bpm, is_loop, one_shot, impulse),
            "{stem}"
        );
    }
    assert_eq!(read("x", &["Loops 140bpm"]).bpm, Some(140));
    assert_eq!(read("kick 120", &[]).maybe_bpm, Some(120));
}

#[test]
fn every_tag_has_its_category() {
    assert_eq!(category("Kick"), "Drums");
    assert_eq!(category("124 BPM"), TEMPO_AND_KEY);
    assert_eq!(category("A minor"), TEMPO_AND_KEY);
    assert_eq!(category("My Pack"), FOLDERS);
    for name in TAGS.rows.values().map(|tag| category(tag)) {
        assert!(categories().any(|category| category == name), "{name}");
    }
}
