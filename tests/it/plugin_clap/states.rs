//! Saving and loading with a project.

use super::{Api, Build, Instance, Library, Saved, Service, clap, in_own_process, started, with_free_port};
use crate::support::api::free_port;
use crate::support::song;
use serde_json::{Value, json};
use std::thread;
use std::time::Duration;

fn settings(api: &mut Api) -> Value {
    let mut config = api.config();
    let members = config.as_object_mut().expect("an object");
    // These are not the project's.
    members.remove("instance");
    members.remove("port");
    members.remove("listeningPort");
    // One device of a process listens for Live.
    members.remove("host");
    config
}

/// Loads a state, on another port, into a new instance and starts that.
fn restored(library: &Library, saved: &Saved) -> (Instance, u16) {
    let mut instance = library.instance();
    let port = free_port();
    instance.load(&saved.with_port(port).bytes());
    instance.activate();
    (instance, port)
}

#[test]
fn a_saved_project_comes_back_as_it_was() {
    in_own_process(|| {
        let library = Library::load(&clap(Build::Release));
        let (mut instance, port) = started(&library);
        let before = instance.run(Service::AtOnce, |_| {
            let mut api = Api::connect(port);
            song::write(&mut api);
            api.configure(
                json!({ "projectContext": "A \"quoted\" süd\n", "timeoutMs": 12345, "smallModelMode": true }),
            );
            api.call("svc-update-track", json!({ "path": "t0", "name": "Bäss \\ \"1\"" }));
            api.call("svc-delete", json!({ "path": "t3", "type": "track" }));
            (api.read_all(), settings(&mut api))
        });
        let saved = Saved::read(&instance.save());
        assert_eq!(Saved::read(&saved.bytes()), saved, "the test's own wrapping");
        drop(instance);

        let (mut instance, port) = restored(&library, &saved);
        let after = instance.run(Service::AtOnce, |_| {
            let mut api = Api::connect(port);
            (api.read_all(), settings(&mut api))
        });
        assert_eq!(after, before);
        let (mut again, mut first) = (Saved::read(&instance.save()).json(), saved.json());
        for json in [&mut again, &mut first] {
            json["settings"]["port"] = Value::Null;
        }
        assert_eq!(again["set"], first["set"]);
        assert_eq!(again["settings"], first["settings"]);

        // Into an instance that runs, over what it has.
        let (mut running, port) = started(&library);
        let loaded = running.run(Service::AtOnce, |_| {
            let mut api = Api::connect(port);
            api.call("svc-create-track", json!({ "path": "t0,t0" }));
            api
        });
        let mut api = loaded;
        running.load(&saved.with_port(port).bytes());
        let after = running.run(Service::AtOnce, |_| (api.read_all(), settings(&mut api)));
        assert_eq!(after, before);
    });
}

#[test]
fn what_cannot_be_read_is_kept_and_given_back_until_the_user_starts_fresh() {
    in_own_process(|| {
        let library = Library::load(&clap(Build::Release));
        let good = Saved::read(&library.instance().save());
        let mut newer = good.json();
        newer["format"] = json!(999);
        newer["settings"] = json!({ "unknown": [1, 2, 3] });
        let half: String = good.text.chars().take(good.text.chars().count() / 2).collect();
        let mut wrong = good.json();
        wrong["set"]["song"]["tempo_bpm"] = json!(-5);
        let cases = [
            ("newer", newer.to_string(), "newer version"),
            ("half", half, "damaged"),
            ("no JSON", " \u{e9}\"\\ \n nothing\t".to_owned(), "damaged"),
            ("empty", String::new(), "damaged"),
            ("a bad tempo", wrong.to_string(), "damaged"),
        ];
        for (case, text, why) in cases {
            let (mut instance, port) = with_free_port(&library);
            let held = Saved::read(&instance.save()).with_text(text.clone());
            instance.load(&held.bytes());
            instance.activate();
            instance.run(Service::AtOnce, |audio| {
                let mut api = Api::connect(port);
                api.read_all();
                let refusal = api.refused("svc-create-track", json!({}));
                assert!(refusal.contains(why) && refusal.contains("startFresh"), "{case}: {refusal}");
                assert!(api.config()["heldState"].as_str().is_some_and(|text| text.contains(why)), "{case}");
                song::Daw::new(audio, 120.0).blocks(3);
            });
            assert_eq!(Saved::read(&instance.save()).text, text, "{case}: byte for byte");
            let all = instance.run(Service::AtOnce, |_| {
                let mut api = Api::connect(port);
                // A changed setting does not write over it either.
                api.configure(json!({ "timeoutMs": 4321 }));
                api.read_all()
            });
            assert_eq!(Saved::read(&instance.save()).text, text, "{case}: still byte for byte");
            let healed = instance.run(Service::AtOnce, |_| {
                let mut api = Api::connect(port);
                let config = api.configure(json!({ "startFresh": true }));
                assert_eq!(config["heldState"], Value::Null, "{case}");
                assert_eq!(api.read_all(), all, "{case}: what was there while it was held");
                api.call("svc-create-track", json!({}));
                api.read_all()
            });
            let saved = Saved::read(&instance.save());
            drop(instance);
            let (mut instance, port) = restored(&library, &saved);
            assert_eq!(instance.run(Service::AtOnce, |_| Api::connect(port).read_all()), healed, "{case}");
        }
    });
}

#[test]
fn a_call_that_waits_while_a_project_is_loaded_fails_and_changes_nothing() {
    in_own_process(|| {
        let library = Library::load(&clap(Build::Checked));
        let (mut instance, port) = started(&library);
        let mut api = Api::connect(port);
        let before = instance.run(Service::Never, |_| {
            song::write(&mut api);
            api.read_all()
        });
        let saved = instance.save();
        thread::scope(|scope| {
            let call = |tool: &'static str, arguments: Value| {
                let mut api = Api::connect(port);
                scope.spawn(move || api.post(tool, "", &arguments))
            };
            // The stand-in carries it out, since this thread, the host's main one, does not come.
            let running = call("svc-test", json!({ "behave": "sleep", "sleep": "700" }));
            // Nobody tells that a call has begun; its 700 ms are ample.
            thread::sleep(Duration::from_millis(150));
            let waiting = call("svc-create-track", json!({}));
            thread::sleep(Duration::from_millis(150));
            instance.load(&saved);
            for (case, call) in [("running", running), ("waiting", waiting)] {
                let reply = call.join().expect("the client");
                let body = reply.json();
                let told = body["error"].as_str().is_some_and(|text| text.contains("was replaced"));
                assert!(reply.status == 500 && told, "{case}: {} {body}", reply.status);
            }
        });
        let after = instance.run(Service::Never, |_| api.read_all());
        assert_eq!(after, before);
        // The next call works.
        instance.run(Service::Never, |_| api.call("svc-create-track", json!({})));
    });
}

/// What this version saved. Every version to come must load it; a new version adds its own, made by this test with
/// `SVC_WRITE_FIXTURE` set, and keeps this one.
const FIXTURE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/state-0.1.0.json");

#[test]
fn a_project_of_version_0_1_0_still_plays() {
    in_own_process(|| {
        let library = Library::load(&clap(Build::Release));
        if std::env::var_os("SVC_WRITE_FIXTURE").is_some() {
            let (mut instance, port) = started(&library);
            instance.run(Service::AtOnce, |_| {
                let mut api = Api::connect(port);
                song::write(&mut api);
                api.call("svc-update-track", json!({ "path": "t0,t1", "name": "Bass,Triplets", "color": "#FF0000" }));
                api.configure(json!({ "projectContext": "The song of the tests", "timeoutMs": 20000, "port": 3350 }));
            });
            std::fs::write(FIXTURE, instance.save()).expect("the fixture is written");
        }
        let bytes = std::fs::read(FIXTURE).expect("the fixture is checked in");
        let (mut instance, port) = restored(&library, &Saved::read(&bytes));
        instance.run(Service::AtOnce, |audio| {
            let mut api = Api::connect(port);
            let config = api.config();
            assert_eq!(config["projectContext"], json!("The song of the tests"));
            assert_eq!(config["timeoutMs"], json!(20_000));
            assert_eq!(config["heldState"], Value::Null);
            let tracks = &api.read_all()["tracks"];
            assert_eq!((&tracks[0]["name"], &tracks[5]["name"]), (&json!("Bass"), &json!("Pad")));
            song::perform(audio, &mut api);
        });
    });
}
