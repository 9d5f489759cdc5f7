//! The VST3 plugin in a host that has no run loop: what a scan finds, the song, note for note, and instances that go
//! while calls are under way.

use crate::bundle::{Build, vst3};
use crate::support::api::{Api, Saved, free_port, listens, local};
use crate::support::http::once;
use crate::support::own_process::{eventually, in_own_process, open_files, plugin_threads, thread_count};
use crate::support::vst3_host::{ClassFacts, Instance, Module};
use crate::support::{song, song_sound};
use serde_json::json;
use std::collections::BTreeMap;
use std::thread;
use std::time::{Duration, Instant};

/// Projects find the plugin by it; it never changes.
const CLASS_ID: &[u8; 16] = b"SvcDeviceSession";

/// An active instance whose server is up on a port of its own.
fn started(module: &Module) -> (Instance, u16) {
    let mut instance = module.instance();
    let port = free_port();
    instance.load(&Saved::read(&instance.save()).with_port(port).bytes());
    assert!(!listens(port), "not before it is active");
    instance.activate();
    eventually("the server", Duration::from_secs(5), || listens(port));
    (instance, port)
}

#[test]
fn a_scan_finds_an_instrument_and_opens_nothing() {
    in_own_process(|| {
        let before = (plugin_threads(), open_files().0);
        let module = Module::load(&vst3(Build::Release));
        let wanted = ClassFacts {
            id: *CLASS_ID,
            name: "SVC Device".to_owned(),
            category: "Audio Module Class".to_owned(),
            sub_categories: "Instrument|Tools".to_owned(),
            classes: 1,
        };
        assert_eq!(module.facts(), wanted);
        let instance = module.instance();
        assert_eq!(instance.audio_buses(), [vec![2], vec![2]]);
        assert_eq!(instance.event_buses(), [vec![16], vec![16]], "one bus of 16 channels each way");
        assert_eq!(Saved::read(&instance.save()).json()["settings"]["port"], json!(3350));
        assert_eq!((plugin_threads(), open_files().0), before, "an instance opens nothing");
        drop(instance);
        drop(module);
        assert_eq!((plugin_threads(), open_files().0), before);
    });
}

/// A track that is early makes all else late, which the host learns of when it activates the plugin.
#[test]
fn a_host_is_told_how_late_the_plugin_is() {
    in_own_process(|| {
        let module = Module::load(&vst3(Build::Release));
        let mut instance = module.instance();
        let saved = Saved::read(&instance.save()).with_port(free_port());
        for (samples, latency) in [(-480, 480), (480, 0), (-37, 37)] {
            instance.load(&saved.with_delay(samples).bytes());
            instance.activate();
            assert_eq!(instance.latency(), latency, "a first track of {samples} samples");
            instance.deactivate();
        }
    });
}

fn song_is_heard(build: Build) {
    let module = Module::load(&vst3(build));
    let (mut instance, port) = started(&module);
    instance.run(|audio| {
        let mut api = Api::connect(port);
        song::write(&mut api);
        song::perform(audio, &mut api);
    });
}

#[test]
fn the_song_sounds_as_our_own_driver_makes_it() {
    in_own_process(|| {
        let module = Module::load(&vst3(Build::Release));
        let (mut instance, port) = started(&module);
        instance.run(|_| song::write(&mut Api::connect(port)));
        let saved = Saved::read(&instance.save());
        instance.run(|audio| song_sound::perform_as_sound(audio, &mut Api::connect(port), &saved.text));
    });
}

/// Where a host asks for 17 stereo outputs.
#[test]
fn each_track_sounds_at_its_own_output_where_the_host_asks_for_them() {
    in_own_process(|| {
        let module = Module::load(&vst3(Build::Release));
        let (mut instance, port) = started(&module);
        instance.deactivate();
        instance.choose_track_outputs();
        instance.activate();
        assert_eq!(instance.audio_buses(), [vec![2], vec![2; 17]]);
        instance.run(|_| song::write(&mut Api::connect(port)));
        let saved = Saved::read(&instance.save());
        instance.run(|audio| song_sound::perform_by_tracks(audio, &mut Api::connect(port), &saved.text));
    });
}

#[test]
fn the_song_is_heard_note_for_note() {
    in_own_process(|| song_is_heard(Build::Release));
}

#[test]
fn the_song_is_heard_without_an_allocation() {
    in_own_process(|| song_is_heard(Build::Checked));
}

/// On Linux a VST3 plugin has no main thread to be called on.
#[test]
fn calls_run_on_a_thread_of_the_plugins_own() {
    in_own_process(|| {
        let module = Module::load(&vst3(Build::Checked));
        let (mut instance, port) = started(&module);
        instance.run(|_| {
            let mut api = Api::connect(port);
            for _ in 0..20 {
                assert_eq!(api.call("svc-test", json!({ "behave": "well" }))["thread"], json!("svc-model"));
            }
        });
    });
}

#[test]
fn a_saved_project_comes_back_as_it_was() {
    in_own_process(|| {
        let module = Module::load(&vst3(Build::Release));
        let (instance, port) = started(&module);
        let mut api = Api::connect(port);
        song::write(&mut api);
        api.configure(json!({ "projectContext": "süd \"x\"", "timeoutMs": 777 }));
        let before = api.read_all();
        let saved = Saved::read(&instance.save());
        drop(instance);

        let mut instance = module.instance();
        let port = free_port();
        instance.load(&saved.with_port(port).bytes());
        instance.activate();
        instance.run(|audio| {
            let mut api = Api::connect(port);
            assert_eq!(api.read_all(), before);
            let config = api.config();
            assert_eq!((&config["projectContext"], &config["timeoutMs"]), (&json!("süd \"x\""), &json!(777)));
            song::perform(audio, &mut api);
        });
    });
}

/// The plugin framework's own queue for the main thread loses the calls of one instance when another one goes, and then
/// takes the host down; the device must not depend on it.
#[test]
fn an_instance_that_goes_in_the_middle_of_a_call_does_the_other_no_harm() {
    in_own_process(|| {
        let module = Module::load(&vst3(Build::Checked));
        let (threads, files) = (thread_count(), open_files());
        let (mut stays, its_port) = started(&module);
        let mut api = Api::connect(its_port);
        stays.run(|_| song::write(&mut api));
        let before = api.read_all();
        for round in 0..5 {
            let (goes, port) = started(&module);
            let body = r#"{"behave":"sleep","sleep":"250"}"#;
            let calls: Vec<_> = (0..3)
                .map(|_| thread::spawn(move || once(local(port), "POST", "/api/tools/svc-test", "", body)))
                .collect();
            // Nobody tells that a call has begun; this is ample.
            thread::sleep(Duration::from_millis(80));
            let begun = Instant::now();
            drop(goes);
            assert!(begun.elapsed() < Duration::from_millis(1500), "{:?}", begun.elapsed());
            for call in calls {
                let reply = call.join().expect("each client is answered");
                assert!(matches!(reply.status, 200 | 500 | 503), "round {round}: {}", reply.status);
            }
            assert!(!listens(port));
            assert_eq!(api.read_all(), before, "round {round}: the other one answers, and has its own Set");
        }
        stays.run(|audio| song::perform(audio, &mut api));
        drop(stays);
        drop(api);
        assert_eq!(plugin_threads(), BTreeMap::new());
        assert_eq!((thread_count(), open_files()), (threads, files));
    });
}

/// Some hosts switch a plugin on and off four times before they play it.
#[test]
fn activating_and_deactivating_starts_and_leaves_nothing_more() {
    in_own_process(|| {
        let module = Module::load(&vst3(Build::Release));
        let (mut instance, port) = started(&module);
        let mut api = Api::connect(port);
        api.read_all();
        let steady = (plugin_threads(), thread_count(), open_files());
        for _ in 0..100 {
            instance.deactivate();
            instance.activate();
        }
        api.read_all();
        assert_eq!((plugin_threads(), thread_count()), (steady.0, steady.1));
        // The file for the script in Live may have been in writing at first.
        assert!(open_files() <= steady.2, "{:?} after {:?}", open_files(), steady.2);
    });
}
