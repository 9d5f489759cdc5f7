//! Each sentence of `notes` made true, and false, by a Set that was built for it and rendered.

use crate::render::{named, notes, render};
use crate::sample_tree::{put, wav};
use crate::support::Api;
use serde_json::{Value, json};
use std::path::Path;
use svc_device::service::Settings;

const BEAT: &str = "v110 n/16 C1 1|1,3 D1 1|2,4 v70 F#1 1|1x8@n/8";
const CHORDS: &str = "v90 n/2 A2 C3 E3 1|1 F2 A2 C3 1|3";

type Calls = Vec<(&'static str, Value)>;

/// What is said of a Set, and by which change it becomes true and false.
struct Sentence {
    /// Parts of it; numbers lie between them.
    words: &'static [&'static str],
    begin: Calls,
    wrong: Calls,
    right: Calls,
    render: Value,
}

impl Sentence {
    fn new(words: &'static [&'static str], begin: Calls, wrong: Calls, right: Calls) -> Sentence {
        Sentence { words, begin, wrong, right, render: json!({"path": "s0", "length": "1bar", "tail": 0}) }
    }

    fn over(self, length: &str) -> Sentence {
        Sentence { render: json!({"path": "s0", "length": length, "tail": 0}), ..self }
    }

    fn is_said(&self, heard: &Value) -> bool {
        notes(heard).iter().any(|note| {
            let mut rest = *note;
            self.words.iter().all(|words| {
                let found = rest.find(words);
                rest = found.map_or(rest, |at| &rest[at + words.len()..]);
                found.is_some()
            })
        })
    }
}

fn clip(path: &str, notes: &str) -> (&'static str, Value) {
    ("svc-create-clip", json!({"path": path, "notes": notes, "length": "1bar"}))
}

fn clip_of(path: &str, notes: &str, length: &str) -> (&'static str, Value) {
    ("svc-create-clip", json!({"path": path, "notes": notes, "length": length}))
}

fn audio(file: &str) -> (&'static str, Value) {
    ("svc-create-clip", json!({"path": "t2/s0", "sampleFile": file, "warping": false}))
}

fn track(arguments: Value) -> (&'static str, Value) {
    ("svc-update-track", arguments)
}

fn set(arguments: Value) -> (&'static str, Value) {
    ("svc-update-live-set", arguments)
}

fn device(path: &str, device: &str, name: &str, value: &str) -> (&'static str, Value) {
    ("svc-create-device", json!({"path": path, "device": device, "params": [{"name": name, "value": value}]}))
}

fn parameter(path: &str, name: &str, value: &str) -> (&'static str, Value) {
    ("svc-update-device", json!({"path": path, "params": [{"name": name, "value": value}]}))
}

/// Two seconds: a sine that swells and fades, and one that is cut in its middle.
fn sine(folder: &Path, name: &str, cut: bool) -> String {
    let at =
        |n: u32| (f64::from(n) * std::f64::consts::TAU * 220.0 / 44_100.0 + 1.5 * f64::from(cut && n > 40_000)).sin();
    let level = |n: u32| (f64::from(n.min(88_200 - n)) / 8_820.0).min(1.0);
    let samples: Vec<f32> = (0..88_200).map(|n| (0.4 * level(n) * at(n)) as f32).collect();
    put(folder, name, &wav(&samples)).to_str().expect("UTF-8").to_owned()
}

/// Kick, snare and hat as often as a bar of 16 beats has them, at another tempo than the Set's: its beats last so many
/// of the Set's.
fn beats_of(beat: f64) -> String {
    let place = |at: f64| format!("{}|{:.4}", (at / 4.0) as u32 + 1, at % 4.0 + 1.0);
    let hits = |first: f64, step: f64| -> String {
        let at = (0..).map(|n| (first + step * f64::from(n)) * beat).take_while(|at| *at < 15.9);
        at.map(place).collect::<Vec<_>>().join(" ")
    };
    let each = |pitch: &str, at: String| -> String { at.split(' ').map(|at| format!(" {pitch} {at}")).collect() };
    format!("v110 n/16{}{} v70{}", each("C1", hits(0.0, 2.0)), each("D1", hits(1.0, 2.0)), each("F#1", hits(0.0, 0.5)))
}

/// What is wrong with the mix as a whole.
fn faults(folder: &Path) -> Vec<Sentence> {
    let begin = || vec![clip("t0/s0", BEAT), clip("t1/s0", CHORDS)];
    vec![
        Sentence::new(
            &["nothing sounds"],
            begin(),
            vec![track(json!({"path": "t0,t1", "mute": true}))],
            vec![track(json!({"path": "t0,t1", "mute": false}))],
        ),
        Sentence::new(
            &["the mix clips ", ", first at ", " s: lower the main volume"],
            [begin(), vec![device("mt", "Utility", "Output", "0 dB")]].concat(),
            vec![parameter("mt/d0", "Output", "35 dB")],
            vec![parameter("mt/d0", "Output", "-6 dB")],
        ),
        Sentence::new(
            &[
                "the mix goes above -1 dBFS, where the safety clip of the main track distorts it: ",
                ", first at ",
                " s, by up to ",
                " dB; lower the main volume by ",
                " dB to keep it clean",
            ],
            [begin(), vec![device("mt", "Utility", "Output", "0 dB")]].concat(),
            vec![parameter("mt/d0", "Output", "14 dB")],
            vec![parameter("mt/d0", "Output", "-6 dB")],
        ),
        Sentence::new(
            &["the true peak is ", " dBTP: above -1 dBTP encoders may clip"],
            [begin(), vec![device("mt", "Limiter", "Input Gain", "24 dB")]].concat(),
            vec![parameter("mt/d0", "Ceiling", "-0.3 dB")],
            // It has no look-ahead: a beater gets through for a moment.
            vec![parameter("mt/d0", "Ceiling", "-8 dB")],
        ),
        Sentence::new(
            &["1 click is heard, first at 0.91 s"],
            Vec::new(),
            vec![audio(&sine(folder, "cut.wav", true))],
            vec![audio(&sine(folder, "whole.wav", false))],
        ),
        Sentence::new(
            &["left and right of the mix cancel each other (correlation -", "): much is lost in mono"],
            [begin(), vec![device("mt", "Utility", "Left Inv", "On")]].concat(),
            vec![parameter("mt/d0", "Left Inv", "On")],
            vec![parameter("mt/d0", "Left Inv", "Off")],
        ),
        Sentence::new(
            &["the mix is ", " dB louder on the right than on the left"],
            begin(),
            vec![track(json!({"path": "t0,t1", "pan": 0.7}))],
            vec![track(json!({"path": "t0,t1", "pan": 0.1}))],
        ),
    ]
}

/// How tracks and drums stand beside each other.
fn balances() -> Vec<Sentence> {
    let begin = || vec![clip("t0/s0", BEAT), clip("t1/s0", CHORDS)];
    let low = |volume: f64, notes: &str| vec![clip("t1/s0", notes), track(json!({"path": "t1", "gainDb": volume}))];
    vec![
        Sentence::new(
            &["2-MIDI is silent"],
            begin(),
            vec![track(json!({"path": "t1", "mute": true}))],
            vec![track(json!({"path": "t1", "mute": false}))],
        ),
        Sentence::new(
            &["2-MIDI is inaudible: its true peak is -", " dBTP, ", " dB below that of 1-MIDI"],
            begin(),
            vec![track(json!({"path": "t1", "gainDb": -69}))],
            vec![track(json!({"path": "t1", "gainDb": -25}))],
        ),
        Sentence::new(
            &["2-MIDI is ", " LU below 1-MIDI"],
            begin(),
            vec![track(json!({"path": "t1", "gainDb": -25}))],
            vec![track(json!({"path": "t1", "gainDb": 0}))],
        ),
        Sentence::new(
            &["in 1-MIDI, Snare is ", " LU below Kick"],
            Vec::new(),
            vec![clip("t0/s0", "v110 n/16 C1 1|1,3 v20 D1 1|2,4")],
            vec![clip("t0/s0", "v110 n/16 C1 1|1,3 v120 D1 1|2,4")],
        ),
        Sentence::new(
            &["Bass hides ", " % of 1-MIDI, most around ", " Hz"],
            vec![
                track(json!({"path": "t1", "name": "Bass"})),
                clip("t0/s0", "v110 n/16 C1 1|1,2,3,4"),
                track(json!({"path": "t0", "gainDb": -14})),
            ],
            low(0.0, "v120 n/1 C1 1|1"),
            low(-18.0, "v80 n/16 C1 1|1.5,3.5"),
        ),
    ]
}

/// Its colour, and what is heard of it beside what the Set says.
fn music() -> Vec<Sentence> {
    let tempo = |beat: f64, bpm: f64| vec![clip_of("t0/s0", &beats_of(beat), "4bar"), set(json!({"tempo": bpm}))];
    let scale = |name: &str| vec![set(json!({"scale": name}))];
    vec![
        Sentence::new(
            &["nearly all power lies below 150 Hz: little is heard on small speakers"],
            vec![track(json!({"path": "t0", "name": "Sub"}))],
            vec![clip("t0/s0", "v110 n/1 A0 1|1")],
            vec![clip("t0/s0", "v110 n/1 A2 1|1")],
        ),
        Sentence::new(
            &["the highs above 5 kHz are strong (", " dB of the whole): it may sound harsh"],
            Vec::new(),
            vec![clip("t0/s0", "v110 n/16 F#1 1|1x8@n/8")],
            vec![clip("t0/s0", "v110 n/16 C1 1|1,3 D1 1|2,4 v40 F#1 1|1x8@n/8")],
        ),
        Sentence::new(
            &["there is little above 5 kHz (", " dB of the whole): it sounds dull"],
            vec![track(json!({"path": "t0", "name": "Sub"}))],
            vec![clip("t0/s0", "v110 n/1 A1 1|1")],
            vec![clip("t0/s0", "v110 n/1 A1 1|1"), clip("t1/s0", "v110 n/16 C1 1|1,3 F#1 1|1x8@n/8")],
        ),
        Sentence::new(
            &["it is heard at ", " BPM, half the Set's tempo of 200"],
            Vec::new(),
            tempo(2.0, 200.0),
            tempo(1.0, 110.0),
        )
        .over("4bar"),
        Sentence::new(
            &["it is heard at ", " BPM, twice the Set's tempo of 58"],
            Vec::new(),
            tempo(0.5, 58.0),
            tempo(1.0, 110.0),
        )
        .over("4bar"),
        Sentence::new(
            &["it is heard at ", " BPM, and the Set's tempo is 97.0"],
            Vec::new(),
            tempo(97.0 / 112.0, 97.0),
            tempo(1.0, 97.0),
        )
        .over("4bar"),
        Sentence::new(
            &["it is heard in A minor, ", " of whose notes are not in the Set's scale"],
            vec![clip_of("t0/s0", "v90 n/2 A2 C3 E3 A1 1|1 F2 A2 C3 1|3 E2 G2 B2 2|1 A2 C3 E3 A1 2|3", "2bar")],
            scale("Eb Minor"),
            scale("A Minor"),
        )
        .over("4bar"),
        // Drums have pitches, and no key.
        Sentence::new(
            &["it is heard in ", " of whose notes are not in the Set's scale"],
            vec![clip_of("t0/s0", "v90 n/2 A2 C3 E3 A1 1|1 F2 A2 C3 1|3 E2 G2 B2 2|1 A2 C3 E3 A1 2|3", "2bar")],
            scale("Eb Minor"),
            vec![track(json!({"path": "t0", "mute": true})), clip("t1/s0", BEAT)],
        )
        .over("4bar"),
    ]
}

#[test]
fn each_sentence_is_said_where_it_is_true_and_nowhere_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut failed = Vec::new();
    for sentence in [faults(folder.path()), balances(), music()].into_iter().flatten() {
        let api = Api::new();
        let heard_after = |calls: &Calls| {
            apply(&api, calls);
            render(&api, sentence.render.clone())
        };
        apply(&api, &sentence.begin);
        let wrong = heard_after(&sentence.wrong);
        if !sentence.is_said(&wrong) {
            failed.push(format!("{:?} is not said: {:?}", sentence.words, notes(&wrong)));
        }
        let right = heard_after(&sentence.right);
        if sentence.is_said(&right) {
            failed.push(format!("{:?} is said: {:?}", sentence.words, notes(&right)));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// A track above full scale is cut in a file of its own alone, and not where that has floating point.
#[test]
fn a_track_clips_in_its_stem_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let allowed_folders = vec![folder.path().to_str().expect("UTF-8").to_owned()];
    let api = Api::with(Settings { allowed_folders, ..Settings::default() });
    let quiet_main = track(json!({"path": "mt", "gainDb": -30}));
    apply(&api, &vec![clip("t0/s0", BEAT), device("t0", "Utility", "Output", "35 dB"), quiet_main]);
    let stems = folder.path().join("stems");
    let heard = |more: Value| {
        let mut arguments = json!({"path": "s0", "length": "1bar", "tail": 0});
        arguments.as_object_mut().expect("arguments").extend(more.as_object().expect("more").clone());
        render(&api, arguments)
    };
    for (more, is_cut) in [
        (json!({}), false),
        (json!({"stems": stems, "bits": 16}), true),
        (json!({"stems": stems}), true),
        (json!({"stems": stems, "bits": 32}), false),
    ] {
        let heard = heard(more.clone());
        let says = |words: &str| notes(&heard).iter().any(|note| note.contains(words));
        assert_eq!(says("1-MIDI clips "), is_cut, "{more}: {:?}", notes(&heard));
        assert_eq!(says(" in its stem, first at "), is_cut, "{more}: {:?}", notes(&heard));
        assert_eq!(named(&heard["tracks"], "1-MIDI")["clipped"].is_null(), !is_cut, "{more}: {heard}");
        // The main fader stands between them and the mix.
        let differ = says("the stems add up to what goes into the main track, before its devices, fader and safety");
        assert_eq!(differ, !more["stems"].is_null(), "{more}: {:?}", notes(&heard));
    }
    apply(&api, &vec![track(json!({"path": "mt", "gainDb": 0})), parameter("t0/d0", "Output", "-6 dB")]);
    let heard = heard(json!({"stems": stems}));
    assert!(!notes(&heard).iter().any(|note| note.contains("stem")), "{:?}", notes(&heard));
}

/// From the first that can be heard on, and that it was bent before a gain made it softer.
#[test]
fn a_tone_over_full_scale_is_told_as_distorted() {
    let folder = tempfile::tempdir().expect("a folder");
    let tone = |peak_db: f64| {
        let peak = 10.0_f64.powf(peak_db / 20.0);
        let at = |n: u32| (f64::from(n) * std::f64::consts::TAU * 220.0 / 44_100.0).sin();
        let level = |n: u32| (f64::from(n.min(88_200 - n)) / 8_820.0).min(1.0);
        let samples: Vec<f32> = (0..88_200).map(|n| (peak * level(n) * at(n)) as f32).collect();
        put(folder.path(), &format!("tone{peak_db}.wav"), &wav(&samples)).to_str().expect("UTF-8").to_owned()
    };
    // The file is below, and its track's fader makes it louder.
    for (over_db, is_told) in [(-3.0, false), (-0.4, true), (0.1, true), (0.5, true), (1.0, true), (2.0, true)] {
        for normalize in [Value::Null, json!("-20LUFS")] {
            let api = Api::new();
            apply(&api, &vec![audio(&tone(-3.0)), track(json!({"path": "t2", "gainDb": over_db + 3.0}))]);
            let mut order = json!({"path": "s0", "length": "1bar", "tail": 0});
            order["normalize"] = normalize.clone();
            if normalize.is_null() {
                order.as_object_mut().expect("arguments").remove("normalize");
            }
            let heard = render(&api, order);
            let note =
                notes(&heard).into_iter().find(|note| note.contains("safety clip of the main track distorts it"));
            assert_eq!(note.is_some(), is_told, "{over_db} dB: {:?}", notes(&heard));
            let before = note.is_some_and(|note| note.contains("before it is normalized"));
            assert_eq!(before, is_told && !normalize.is_null(), "{over_db} dB: {note:?}");
        }
    }
}

/// Where the clips are in scenes, an Arrangement that is silent says so; a locator is a place in it.
#[test]
fn an_empty_arrangement_says_where_the_clips_are() {
    let api = Api::new();
    apply(&api, &vec![clip("t0/s2", BEAT)]);
    let hint = "there is no clip in the Arrangement; the clips are in scenes, such as s2: name one to hear it";
    let heard = render(&api, json!({"start": "1|1", "length": "1bar", "tail": 0}));
    assert_eq!(notes(&heard), ["nothing sounds", hint]);
    assert!(api.refused("svc-render", json!({"start": "1|1"})).contains(hint));
    let locator = json!({"locatorOperation": "create", "locatorTime": "3|1", "locatorName": "Drop"});
    apply(&api, &vec![clip_of("t0[3|1]", BEAT, "2bar"), set(locator)]);
    for start in ["loc:Drop", "3|1"] {
        let heard = render(&api, json!({"start": start, "tail": 0}));
        assert!(heard["seconds"] == 4.0 && !notes(&heard).iter().any(|note| note.contains("scenes")), "{heard}");
    }
    let why = api.refused("svc-render", json!({"start": "loc:End"}));
    assert!(why.contains("start: no locator has the id or name \"End\""), "{why}");
}

/// What is brought to a loudness has that whatever the main volume is: what is said holds for what was written.
#[test]
fn clipping_is_told_as_it_is_where_the_mix_is_normalized() {
    const BEFORE: &str = " before it is normalized";
    const AFTER: &str = "normalized, the mix clips ";
    let api = Api::new();
    apply(&api, &vec![clip("t0/s0", BEAT), clip("t1/s0", CHORDS), device("mt", "Utility", "Output", "0 dB")]);
    for (output, normalize, before, after) in [
        ("-6 dB", "-20LUFS", false, false),
        ("-30 dB", "-1LUFS", false, true),
        // Cut by the safety clip of the main track, and made softer afterwards.
        ("35 dB", "-20LUFS", true, false),
        ("35 dB", "-1dBTP", true, false),
    ] {
        apply(&api, &vec![parameter("mt/d0", "Output", output)]);
        let heard = render(&api, json!({"path": "s0", "length": "1bar", "tail": 0, "normalize": normalize}));
        let says = |words: &str| notes(&heard).iter().any(|note| note.contains(words));
        assert_eq!((says(BEFORE), says(AFTER)), (before, after), "{output} {normalize}: {:?}", notes(&heard));
        assert_eq!(says("lower the main volume"), before, "{output} {normalize}: {:?}", notes(&heard));
    }
}

/// How far to turn down is said so that it is enough, and no more than is needed.
#[test]
fn what_the_safety_clip_bends_is_told_with_how_much_and_how_often() {
    let api = Api::new();
    let kicks = json!({"path": "t0/s0", "notes": "v127 C1 1|1,2,3,4", "length": "1bar"});
    apply(&api, &vec![("svc-create-clip", kicks), device("mt", "Utility", "Output", "0 dB")]);
    let bent = |output: f64| {
        apply(&api, &vec![parameter("mt/d0", "Output", &format!("{output} dB"))]);
        let heard = render(&api, json!({"path": "s0", "tail": 0}));
        let note = notes(&heard).into_iter().find(|note| note.contains("safety clip")).map(str::to_owned);
        assert_eq!(note.is_some(), heard["bent"]["mostDb"].as_f64().is_some_and(|db| db >= 0.03), "{heard}");
        (heard, note)
    };
    // Loud enough for each kick to be bent, and so that none is.
    let loud =
        (0..24).map(f64::from).find(|output| bent(*output).0["bent"]["times"] == 4).expect("kicks that are bent");
    let (heard, note) = bent(loud);
    let first = heard["bent"]["firstAtSeconds"].as_f64().expect("a second");
    assert!(first < 0.1 && heard["bent"]["mostDb"].as_f64().is_some_and(|db| db > 0.0), "{heard}");
    let Some(note) = note else { return assert!(heard["bent"]["mostDb"].as_f64() < Some(0.03), "{heard}") };
    assert!(note.contains("distorts it: 4 times"), "{note}");
    let by = note.split("lower the main volume by ").nth(1).and_then(|rest| rest.split(' ').next());
    let by: f64 = by.and_then(|by| by.parse().ok()).expect("decibels");
    assert!(bent(loud - by).0["bent"].is_null(), "{note}");
    assert!(!bent(loud - by + 0.3).0["bent"].is_null(), "{note}");
}

/// Of what nobody hears, neither tempo nor key is told as heard.
#[test]
fn a_mix_next_to_silent_has_no_tempo_and_no_key() {
    let api = Api::new();
    apply(&api, &vec![clip_of("t0/s0", BEAT, "1bar"), clip_of("t1/s0", CHORDS, "1bar")]);
    for (gain, is_heard) in [(0, true), (-55, false)] {
        api.ok("svc-update-track", json!({"path": "mt", "gainDb": gain}));
        let heard = render(&api, json!({"path": "s0", "length": "4bar"}));
        for name in ["tempoBpm", "key"] {
            let of = &heard[name];
            assert_eq!((of["heard"].is_null(), of["confidence"].is_null()), (!is_heard, !is_heard), "{gain}: {heard}");
        }
        assert_eq!(heard["tempoBpm"]["set"], 120.0, "{heard}");
    }
}

fn apply(api: &Api, calls: &Calls) {
    for (tool, arguments) in calls {
        let answer = api.envelope(tool, "", arguments);
        assert_eq!(answer["isError"], false, "{tool} {arguments}: {answer}");
        assert!(answer["result"]["ok"].is_null(), "{tool} {arguments}: {answer}");
    }
}

/// The numbers of the answer are good enough to steer by: who hears by them alone makes the snare louder until it sits
/// 3 LU under the kick, in at most six turns, whatever it is turned by.
#[test]
fn a_snare_is_brought_to_3_lu_under_the_kick_by_ear() {
    const WANTED_LU: f64 = 3.0;
    for way in [Way::Velocities, Way::Pad, Way::Track] {
        let api = Api::new();
        way.begin(&api);
        let mut told = Vec::new();
        let mut setting = way.setting();
        for _ in 0..6 {
            let heard = render(&api, json!({"path": "s0"}));
            let below = way.below(&heard);
            told.push(below);
            if (below - WANTED_LU).abs() <= 0.5 {
                break;
            }
            setting = way.turn(&api, setting, below - WANTED_LU);
        }
        let reached = told.last().is_some_and(|below| (below - WANTED_LU).abs() <= 0.5);
        assert!(reached && told.len() > 1, "{way:?}: {told:?}");
        // What was told is what is written: the snare is louder, the kick as it was.
        assert!(told[0] > WANTED_LU + 5.0, "{way:?}: {told:?}");
    }
}

/// What the snare is made louder by.
#[derive(Clone, Copy, Debug)]
enum Way {
    /// Of the default kit: velocities of its notes.
    Velocities,
    /// Of a Drum Rack: its pad's volume.
    Pad,
    /// Of a track of its own: its fader.
    Track,
}

impl Way {
    fn begin(self, api: &Api) {
        match self {
            Way::Velocities => drop(api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": kit(30.0)}))),
            Way::Pad => {
                api.ok("svc-create-device", json!({"device": "Drum Rack", "path": "t0"}));
                for (pad, name) in [("pC1", "Kick"), ("pD1", "Snare")] {
                    api.ok("svc-create-device", json!({"device": "Drum Sampler", "path": format!("t0/d0/{pad}")}));
                    api.ok("svc-update-device", json!({"path": format!("t0/d0/{pad}"), "name": name}));
                }
                api.ok("svc-update-device", json!({"path": "t0/d0/pD1", "gainDb": -24}));
                api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": kit(100.0)}));
            }
            Way::Track => {
                api.ok("svc-update-track", json!({"path": "t0,t1", "name": "Kick,Snare", "gainDb": "0,-24"}));
                api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "v100 n/16 C1 1|1,3", "length": "1bar"}));
                api.ok("svc-create-clip", json!({"path": "t1/s0", "notes": "v100 n/16 D1 1|2,4", "length": "1bar"}));
            }
        }
    }

    /// Where it begins: a velocity, or decibels.
    fn setting(self) -> f64 {
        match self {
            Way::Velocities => 30.0,
            Way::Pad | Way::Track => -24.0,
        }
    }

    /// How far the snare is told to be below the kick.
    fn below(self, heard: &Value) -> f64 {
        let tracks = &heard["tracks"];
        let among = if let Way::Track = self { tracks } else { &named(tracks, "1-MIDI")["drums"] };
        let lufs = |name: &str| named(among, name)["lufs"].as_f64().expect("a loudness");
        lufs("Kick") - lufs("Snare")
    }

    /// Makes it louder by what is missing, as far as an agent knows: a tenth more of a velocity is 1.7 dB.
    fn turn(self, api: &Api, setting: f64, missing_lu: f64) -> f64 {
        let to = match self {
            Way::Velocities => (setting * 1.1_f64.powf(missing_lu / 1.7)).round().min(127.0),
            Way::Pad | Way::Track => setting + missing_lu,
        };
        let (tool, arguments) = match self {
            Way::Velocities => {
                ("svc-update-clip", json!({"path": "t0/s0", "transforms": format!("D1: velocity = {to}")}))
            }
            Way::Pad => ("svc-update-device", json!({"path": "t0/d0/pD1", "gainDb": to})),
            Way::Track => ("svc-update-track", json!({"path": "t1", "gainDb": to})),
        };
        api.ok(tool, arguments);
        to
    }
}

fn kit(snare: f64) -> String {
    format!("v100 n/16 C1 1|1,3 v{snare} D1 1|2,4")
}
