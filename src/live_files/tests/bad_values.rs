//! Values that cannot be: none refuses a Set, each is told with its place and read as the nearest that can.

use super::super::report::MENDED;
use super::every_part::elements;
use super::versions::SETS;
use super::*;
use proptest::prelude::*;
use serde_json::{Value as Json, json};

/// The Set with one text replaced, which has to be there.
fn spoilt(from: &str, to: &str) -> String {
    assert!(ONE_OF_EACH.contains(from), "{from}");
    ONE_OF_EACH.replacen(from, to, 1)
}

/// The text that is spoilt, the element or attribute that is counted, the place in the document and what stands there.
fn table() -> Vec<(&'static str, &'static str, &'static str, &'static str, Json)> {
    let tempo = r#"<Manual Value="101"/>"#;
    vec![
        (r#"Velocity="96.5""#, r#"Velocity="128""#, "Velocity", "list/0/velocity", json!(127.0)),
        (r#"Velocity="96.5""#, r#"Velocity="NaN""#, "Velocity", "list/0/velocity", json!(100.0)),
        (r#"Duration="0.5""#, r#"Duration="0""#, "Duration", "list/0/duration", json!(0.0001)),
        (r#"Duration="0.5""#, r#"Duration="-2""#, "Duration", "list/0/duration", json!(0.0001)),
        (r#"Duration="0.5""#, "", "Duration", "list/0/duration", json!(0.25)),
        (r#"Probability="0.75""#, r#"Probability="1.5""#, "Probability", "list/0/probability", json!(1.0)),
        (r#"IsEnabled="false""#, r#"IsEnabled="no""#, "IsEnabled", "list/0/mute", json!(false)),
        (r#"IsEnabled="false""#, r#"IsEnabled="0""#, "IsEnabled", "list/0/mute", json!(true)),
        (r#"<MidiKey Value="61"/>"#, r#"<MidiKey Value="128"/>"#, "MidiKey", "list/1/pitch", json!(127)),
        (r#"<LaunchMode Value="2"/>"#, r#"<LaunchMode Value="4"/>"#, "LaunchMode", "launch_mode", json!(3)),
        (r#"<LoopEnd Value="6"/>"#, r#"<LoopEnd Value="2"/>"#, "LoopEnd", "loop_end", json!(6.0)),
        (r#"<LoopEnd Value="6"/>"#, r#"<LoopEnd Value="2"/>"#, "LoopEnd", "looping", json!(false)),
        (r#"<LoopEnd Value="6"/>"#, r#"<LoopEnd Value="-6"/>"#, "LoopEnd", "loop_start", json!(-6.0)),
        (r#"<LoopEnd Value="6"/>"#, "", "LoopEnd", "loop_end", json!(6.0)),
        (
            r#"<Denominator Value="8"/>"#,
            r#"<Denominator Value="7"/>"#,
            "Denominator",
            "signature/denominator",
            json!(4),
        ),
        (
            r#"<CurrentEnd Value="19"/>"#,
            r#"<CurrentEnd Value="13"/>"#,
            "CurrentEnd",
            "/tracks/1/arrangement/0/end",
            json!(19.0),
        ),
        (r#"<CurrentEnd Value="19"/>"#, "", "CurrentEnd", "/tracks/1/arrangement/0/end", json!(19.0)),
        (r#"Value="133.5""#, r#"Value="1""#, "Tempo", "/song/tempo_bpm", json!(20.0)),
        (r#"<Pan><Manual Value="-0.25"/></Pan>"#, "<Pan/>", "Pan", "/tracks/1/mixer/panning", json!(0.0)),
        (r#"<Name Value="Riff"/>"#, r#"<Name Value="Riff &b; Co"/>"#, "Name", "name", json!("Riff &b; Co")),
        (tempo, r#"<Manual Value="x"/>"#, "Tempo", "/song/tempo_bpm", json!(133.5)),
    ]
}

#[test]
fn bad_values_become_the_nearest() {
    for (from, to, kind, place, want) in table() {
        let read = read(&spoilt(from, to)).unwrap_or_else(|why| panic!("{to}: {why}"));
        let document = serde_json::to_value(&read.document).unwrap();
        let place = match place {
            place if place.starts_with('/') => place.to_owned(),
            place if place.starts_with("list") => format!("/tracks/1/session/0/clip/content/midi/{place}"),
            place => format!("/tracks/1/session/0/clip/{place}"),
        };
        assert_eq!(document.pointer(&place), Some(&want), "{to} of {from}");
        let counted = read.report.left_out.contains_key(&format!("{MENDED}: {kind}"));
        assert!(counted, "{to}: {:?}", read.report.left_out);
        let (named, all) = (format!(": {kind} is "), &read.report.bad_values);
        let named = all.iter().find(|bad| bad.contains(&named));
        assert!(named.is_some_and(|bad| bad.starts_with("/Ableton/LiveSet")), "{to}: {all:?}");
    }
}

#[test]
fn a_sound_set_has_no_bad_values() {
    for xml in SETS.iter().map(|(_, xml)| *xml).chain([ONE_OF_EACH]) {
        assert_eq!(read(xml).unwrap().report.bad_values, Vec::<String>::new());
    }
}

#[test]
fn missing_parts_of_a_set_are_made() {
    let set = |inside: &str| format!("<Ableton><LiveSet>{inside}</LiveSet></Ableton>");
    for (inside, kind) in [
        ("<Tracks><MidiTrack Id=\"1\"/></Tracks>", "main track, which the file does not have: as in a new Set"),
        ("<MainTrack/>", "tracks, of which the file has none: an empty one"),
        ("<MainTrack/>", "scenes, of which the file has none: as many as its clips need"),
        (
            "<Tracks><MidiTrack Id=\"1\"><TrackGroupId Value=\"7\"/></MidiTrack></Tracks>",
            "groups of tracks that do not stand behind them",
        ),
        (
            "<Tracks><GroupTrack Id=\"1\"><TrackGroupId Value=\"1\"/></GroupTrack></Tracks>",
            "groups of tracks that do not stand behind them",
        ),
    ] {
        let read = read(&set(inside)).unwrap();
        assert_eq!(read.report.left_out.get(kind), Some(&1), "{inside}: {:?}", read.report.left_out);
        assert!(!read.document.tracks.is_empty() && !read.document.scenes.is_empty());
    }
    let clips = spoilt("<Scenes>", "<Gone>").replace("</Scenes>", "</Gone>");
    assert_eq!(read(&clips).unwrap().document.scenes.len(), 2);
}

/// Where each attribute's value begins and ends.
fn values(xml: &str) -> Vec<(usize, usize)> {
    let body = xml.find("<LiveSet").unwrap();
    let mut quotes = xml.match_indices('"').map(|(at, _)| at).filter(|at| *at > body);
    std::iter::from_fn(|| Some((quotes.next()? + 1, quotes.next()?))).collect()
}

const NONSENSE: [&str; 14] = [
    "",
    "NaN",
    "inf",
    "-inf",
    "1e300",
    "-1e300",
    "x",
    "true",
    "no",
    "99999999999999999999",
    "-1",
    "0",
    "&b;",
    "\u{7f}Ω",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// A document that passes its check, or a refusal for want of all, whatever is missing.
    #[test]
    fn any_elements_may_be_missing(
        of in 0..SETS.len() + 1,
        at in proptest::collection::vec(any::<prop::sample::Index>(), 1..12),
    ) {
        let xml = SETS.get(of).map_or(ONE_OF_EACH, |(_, xml)| *xml);
        let all = elements(xml);
        let chosen = at.iter().map(|at| at.get(&all));
        let mut gone: Vec<(usize, usize)> = chosen.map(|(from, to, _)| (*from, *to)).collect();
        gone.sort_unstable();
        let (mut left, mut end) = (String::new(), 0);
        for (from, to) in gone {
            if from >= end {
                left.push_str(&xml[end..from]);
            }
            end = end.max(to);
        }
        left.push_str(&xml[end..]);
        match read(&left) {
            Ok(read) => prop_assert!(crate::set::edit::validate::validate(&read.document).is_ok()),
            Err(why) => prop_assert!(matches!(why, ReadError::NotASet(_) | ReadError::Impossible(_)), "{why}"),
        }
    }

    /// The Set opens whatever its values say.
    #[test]
    fn any_values_may_be_nonsense(
        of in 0..SETS.len() + 1,
        at in proptest::collection::vec((any::<prop::sample::Index>(), prop::sample::select(&NONSENSE[..])), 1..12),
    ) {
        let xml = SETS.get(of).map_or(ONE_OF_EACH, |(_, xml)| *xml);
        let all = values(xml);
        let mut spoilt = xml.to_owned();
        let mut places: Vec<_> = at.iter().map(|(at, put)| (*at.get(&all), *put)).collect();
        places.sort_unstable();
        places.dedup_by_key(|(place, _)| *place);
        for ((from, to), put) in places.into_iter().rev() {
            spoilt.replace_range(from..to, put);
        }
        let read = read(&spoilt);
        prop_assert!(read.is_ok(), "{:?}", read.err());
    }
}
