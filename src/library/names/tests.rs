use super::parser::*;
use super::vocabulary::*;

#[test]
fn words_of_names() {
    for (name, words) in [
        ("Kick 02", &["kick", "02"][..]),
        ("closedHat_808-Dry", &["closed", "hat", "808", "dry"]),
        ("LOOP_120bpm", &["loop", "120bpm"]),
        ("  ", &[]),
        ("Über–Klang", &["über", "klang"]),
    ] {
        assert_eq!(split_words(name), words, "{name}");
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
        assert_eq!(parse_name(stem, folders).tags, tags, "{stem} {folders:?}");
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
        assert_eq!(tags_meant_by(text).as_deref(), tags, "{text}");
    }
}

#[test]
fn broader_tags_are_tags_of_the_same_category() {
    for (narrow, broad) in &VOCABULARY.broader {
        assert_eq!(VOCABULARY.categories.get(narrow), VOCABULARY.categories.get(broad), "{narrow} < {broad}");
        assert!(!VOCABULARY.broader.contains_key(broad), "{narrow} < {broad}: one step only");
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
        let told = parse_name(stem, &[]);
        assert_eq!(
            (told.bpm, told.says_loop, told.says_one_shot, told.says_impulse_response),
            (bpm, is_loop, one_shot, impulse),
            "{stem}"
        );
    }
    assert_eq!(parse_name("x", &["Loops 140bpm"]).bpm, Some(140));
    assert_eq!(parse_name("kick 120", &[]).possible_bpm, Some(120));
}

#[test]
fn every_tag_has_its_category() {
    assert_eq!(tag_category("Kick"), "Drums");
    assert_eq!(tag_category("124 BPM"), TEMPO_AND_KEY_CATEGORY);
    assert_eq!(tag_category("A minor"), TEMPO_AND_KEY_CATEGORY);
    assert_eq!(tag_category("My Pack"), FOLDER_CATEGORY);
    for name in VOCABULARY.phrases.values().map(|tag| tag_category(tag)) {
        assert!(tag_categories().any(|category| category == name), "{name}");
    }
}
