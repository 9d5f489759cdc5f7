//! The CLAP plugin in a host: what a scan finds, what an instance opens, the song, note for note.
//!
//! Each test runs in a process of its own, so that an abort is its own failure and threads and sockets can be counted.

mod arrangement;
mod calls;
mod editor;
mod latency;
mod life;
mod states;

use crate::bundle::{Build, clap};
use crate::support::api::{Api, Saved, free_port, listens};
use crate::support::clap_host::{Instance, Library, Service};
use crate::support::own_process::{eventually, in_own_process, open_files, plugin_threads};
use crate::support::song::{self, Daw};
use crate::support::song_sound;
use serde_json::json;
use std::time::Duration;

/// Projects find the plugin by these; they never change.
const ID: &str = "com.svc-device.svc-device";
const NAME: &str = "SVC Device";

/// An instance whose state names a port that is free.
fn with_free_port(library: &Library) -> (Instance, u16) {
    let mut instance = library.instance();
    let port = free_port();
    let saved = Saved::read(&instance.save()).with_port(port);
    instance.load(&saved.bytes());
    (instance, port)
}

/// The same, with its server up.
fn started(library: &Library) -> (Instance, u16) {
    let (mut instance, port) = with_free_port(library);
    instance.activate();
    eventually("the server", Duration::from_secs(5), || listens(port));
    (instance, port)
}

#[test]
fn a_scan_finds_an_instrument_and_opens_nothing() {
    in_own_process(|| {
        let before = (plugin_threads(), open_files().0);
        assert!(before.0.is_empty());
        let library = Library::load(&clap(Build::Release));
        let factory = library.entry().get_plugin_factory().expect("a factory of plugins");
        let plugins: Vec<_> = factory.plugin_descriptors().collect();
        assert_eq!(plugins.len(), 1, "one plugin");
        let text = |text: Option<&std::ffi::CStr>| text.expect("it is said").to_string_lossy().into_owned();
        assert_eq!((text(plugins[0].id()), text(plugins[0].name())), (ID.to_owned(), NAME.to_owned()));
        assert_eq!(text(plugins[0].version()), env!("CARGO_PKG_VERSION"));
        let features: Vec<_> = plugins[0].features().map(|f| f.to_string_lossy().into_owned()).collect();
        assert!(features.contains(&"instrument".to_owned()), "{features:?}");
        assert!(features.contains(&"stereo".to_owned()), "{features:?}");
        assert_eq!((plugin_threads(), open_files().0), before, "a listing opens nothing");

        let mut instance = library.instance();
        assert_eq!(instance.audio_ports(), [vec![2], vec![2]]);
        assert_eq!(instance.note_ports(), [vec![true], vec![true]]);
        assert_eq!(Saved::read(&instance.save()).json()["settings"]["port"], json!(3350), "the default port");
        assert_eq!((plugin_threads(), open_files().0), before, "an instance opens nothing");
        drop(instance);
        drop(library);
        assert_eq!((plugin_threads(), open_files().0), before);
    });
}

#[test]
fn the_port_is_open_from_the_first_activate_to_the_end() {
    in_own_process(|| {
        let library = Library::load(&clap(Build::Release));
        let (mut instance, port) = with_free_port(&library);
        assert!(!listens(port), "not before activate");
        instance.activate();
        let mut api = Api::connect(port);
        let config = instance.run(Service::AtOnce, |_| {
            api.read_all();
            api.config()
        });
        assert_eq!((&config["port"], &config["version"]), (&json!(port), &json!(env!("CARGO_PKG_VERSION"))));
        instance.deactivate();
        // The same connection, too.
        instance.run(Service::AtOnce, |_| api.read_all());

        let other = free_port();
        api.configure(json!({ "port": other }));
        instance.run(Service::AtOnce, |_| Api::connect(other).read_all());
        eventually("the old port is closed", Duration::from_secs(2), || !listens(port));
        drop(instance);
        assert!(!listens(other), "not after the end");
        assert!(plugin_threads().is_empty(), "{:?}", plugin_threads());
    });
}

#[test]
fn the_song_is_heard_note_for_note() {
    in_own_process(|| {
        let library = Library::load(&clap(Build::Release));
        let (mut instance, port) = started(&library);
        instance.run(Service::AtOnce, |audio| {
            let mut api = Api::connect(port);
            song::write(&mut api);
            song::perform(audio, &mut api);
        });
    });
}

/// The same on the build that aborts when `process` allocates, in a host that never gives its main thread.
#[test]
fn the_song_is_heard_without_an_allocation_and_without_the_main_thread() {
    in_own_process(|| {
        let library = Library::load(&clap(Build::Checked));
        let (mut instance, port) = started(&library);
        instance.run(Service::Never, |audio| {
            let mut api = Api::connect(port);
            song::write(&mut api);
            song::perform(audio, &mut api);
        });
    });
}

#[test]
fn the_song_sounds_as_our_own_driver_makes_it() {
    in_own_process(|| {
        for build in [Build::Release, Build::Checked] {
            let library = Library::load(&clap(build));
            let (mut instance, port) = started(&library);
            instance.run(Service::AtOnce, |_| song::write(&mut Api::connect(port)));
            let saved = Saved::read(&instance.save());
            instance.run(Service::AtOnce, |audio| {
                song_sound::perform_as_sound(audio, &mut Api::connect(port), &saved.text);
            });
        }
    });
}

/// A host that chooses nothing has the first configuration.
#[test]
fn each_track_sounds_at_its_own_output_where_the_host_asks_for_them() {
    in_own_process(|| {
        for build in [Build::Release, Build::Checked] {
            let library = Library::load(&clap(build));
            let (mut instance, port) = with_free_port(&library);
            let configurations = [
                ("Stereo", 1, 1),
                ("Stereo", 0, 1),
                ("Stereo and 16 tracks", 1, 17),
                ("Stereo and 16 tracks, no input", 0, 17),
            ];
            assert_eq!(instance.configurations(), configurations.map(|(name, ins, outs)| (name.to_owned(), ins, outs)));
            assert_eq!(instance.audio_ports(), [vec![2], vec![2]], "the first is the default");
            instance.choose_track_outputs();
            assert_eq!(instance.audio_ports(), [vec![2], vec![2; 17]]);
            let names: Vec<String> = (1..=16).map(|n| format!("Track {n}")).collect();
            assert_eq!(instance.output_names()[1..], names);
            instance.activate();
            eventually("the server", Duration::from_secs(5), || listens(port));
            instance.run(Service::AtOnce, |_| song::write(&mut Api::connect(port)));
            let saved = Saved::read(&instance.save());
            instance.run(Service::AtOnce, |audio| {
                song_sound::perform_by_tracks(audio, &mut Api::connect(port), &saved.text);
            });
        }
    });
}

#[test]
fn a_launch_before_the_first_block_waits_for_the_daw_too() {
    in_own_process(|| {
        let library = Library::load(&clap(Build::Release));
        let (mut instance, port) = started(&library);
        instance.run(Service::AtOnce, |audio| {
            let mut api = Api::connect(port);
            song::write(&mut api);
            let armed = api.call("svc-playback", json!({ "action": "play-scene", "path": "s0" }));
            assert_eq!(armed["playing"], json!(false), "{armed}");
            assert!(armed["detail"].is_string(), "{armed}");
            let mut daw = Daw::new(audio, 120.0);
            daw.blocks(5);
            assert_eq!(daw.heard, []);
            daw.play();
            daw.blocks(1);
            assert_eq!(daw.heard.iter().filter(|event| event.on && event.sample == daw.heard[0].sample).count(), 4);
        });
    });
}

#[test]
fn a_launch_while_the_plugin_is_switched_off_waits_too() {
    in_own_process(|| {
        let library = Library::load(&clap(Build::Release));
        let (mut instance, port) = started(&library);
        let mut api = Api::connect(port);
        let fire = |api: &mut Api| api.call("svc-playback", json!({ "action": "play-scene", "path": "s0" }));
        let sounding = instance.run(Service::AtOnce, |audio| {
            song::write(&mut api);
            let mut daw = Daw::new(audio, 120.0);
            daw.play();
            daw.blocks(5);
            assert_eq!(fire(&mut api)["playing"], json!(true));
            daw.run_to(6.1);
            song::hung(&daw.heard)
        });
        assert!(!sounding.is_empty(), "the test is to switch it off inside a note");
        instance.deactivate();
        let armed = instance.run(Service::AtOnce, |_| fire(&mut api));
        assert_eq!((&armed["playing"], armed["detail"].is_string()), (&json!(false), true), "{armed}");
        instance.activate();
        instance.run(Service::AtOnce, |audio| {
            let mut daw = Daw::new(audio, 120.0);
            daw.play();
            daw.run_to(5.0);
            daw.stop();
            daw.blocks(1);
            // What sounded before is ended, too.
            let ended = |key: &(u8, u8)| daw.heard.iter().any(|e| !e.on && (e.channel, e.pitch) == *key);
            assert!(sounding.iter().all(ended), "{sounding:?}");
            assert!(daw.heard.iter().filter(|e| e.on).count() > 10);
            assert_eq!(song::hung(&daw.heard), []);
        });
    });
}

/// What a host refuses in one block it is offered in the next: a note may come late, but each one ends.
#[test]
fn a_host_that_takes_few_events_is_left_with_no_note_on() {
    in_own_process(|| {
        let library = Library::load(&clap(Build::Checked));
        let (mut instance, port) = started(&library);
        instance.run(Service::AtOnce, |audio| {
            let mut api = Api::connect(port);
            song::write(&mut api);
            for clip in ["t0/s0", "t1/s0"] {
                let chord: Vec<_> = (20..50).map(|p| json!({ "p": p, "t": 2.5, "d": 0.01 })).collect();
                api.call("svc-update-clip", json!({ "path": clip, "notes": chord }));
            }
            audio.room = 2;
            let mut daw = Daw::new(audio, 120.0);
            daw.blocks(1);
            api.call("svc-playback", json!({ "action": "play-scene", "path": "s0" }));
            daw.play();
            daw.run_to(2.499);
            let own = song::Heard { sample: 0, on: true, channel: 9, pitch: 100, velocity: 0.5 };
            daw.block_with(vec![own]);
            // The host's own note ends at the end of a block that the chords have filled up.
            daw.run_to(2.51);
            while daw.frames() < song::MAX_FRAMES {
                daw.blocks(1);
            }
            daw.block_with(vec![song::Heard { on: false, sample: u64::from(song::MAX_FRAMES) - 1, ..own }]);
            assert!(song::hung(&daw.heard).contains(&(9, 100)), "the test is to have it refused");
            daw.run_to(9.3);
            daw.stop();
            daw.blocks(60);
            let (heard, ons) = (&daw.heard, daw.heard.iter().filter(|event| event.on).count());
            assert!(ons > 150, "{ons}");
            assert!(heard.iter().any(|event| event.on && event.channel == 9), "the host's own note");
            assert_eq!(song::hung(heard), []);
            let mut sounding = std::collections::HashSet::new();
            for event in heard.iter().filter(|event| event.channel != 9) {
                let key = (event.channel, event.pitch);
                let changed = if event.on { sounding.insert(key) } else { sounding.remove(&key) };
                assert!(changed, "ons and offs take turns: {event:?}");
            }
            assert!(audio.refused > 50, "{}", audio.refused);
        });
    });
}

#[test]
fn with_its_own_clock_a_launch_is_heard_while_the_daw_stands() {
    in_own_process(|| {
        let library = Library::load(&clap(Build::Release));
        let (mut instance, port) = started(&library);
        instance.run(Service::AtOnce, |audio| {
            let mut api = Api::connect(port);
            song::write(&mut api);
            let mut daw = Daw::new(audio, 133.0);
            daw.blocks(2);
            // Answered is done: the very next call sees the other clock.
            for own_clock in [true, false].repeat(20) {
                api.configure(json!({ "ownClock": own_clock }));
                let launched = api.call("svc-playback", json!({ "action": "play-scene", "path": "s0" }));
                assert_eq!(launched["playing"], json!(own_clock), "{launched}");
                daw.blocks(1);
            }
            api.call("svc-playback", json!({ "action": "stop" }));
            daw.blocks(2);
            daw.heard.clear();
            api.configure(json!({ "ownClock": true }));
            let launched = api.call("svc-playback", json!({ "action": "play-scene", "path": "s0" }));
            assert_eq!((&launched["playing"], &launched["detail"]), (&json!(true), &json!(null)), "{launched}");
            let begin = daw.sample;
            while daw.sample < begin + 96_000 {
                daw.blocks(1);
            }
            // 4 beats of the Set's 120 BPM.
            let runs = [&song::BASS, &song::TRIPLETS, &song::DRUMS, &song::PAD].map(|clip| song::Run {
                clip,
                from: 0.0,
                to: 4.0,
            });
            let wanted = song::expected(&runs, |beat| begin + (beat * 24_000.0).round() as u64);
            let before_the_end = |events: &[song::Heard]| {
                events.iter().copied().filter(|e| e.sample < begin + 96_000).collect::<Vec<_>>()
            };
            song::assert_heard(&before_the_end(&daw.heard), &before_the_end(&wanted));
            let stopped = api.call("svc-playback", json!({ "action": "stop" }));
            assert_eq!(stopped["playing"], json!(false), "{stopped}");
            daw.blocks(2);
            assert_eq!(song::hung(&daw.heard), []);
        });
    });
}
