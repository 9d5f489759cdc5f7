//! The Arrangement in a DAW: its transport starts, jumps and stops it; a launched clip takes a track over; with a clock
//! of its own the Set's loop goes round. On the build that aborts when `process` allocates.

use super::started;
use crate::bundle::{Build, clap};
use crate::support::api::Api;
use crate::support::clap_host::{Library, Service};
use crate::support::own_process::in_own_process;
use crate::support::song::{self, Daw};
use serde_json::json;

/// At 120 BPM.
const BEAT: u64 = 24_000;

/// What was heard since the last call: samples since `from`, on or off, pitch.
fn take(daw: &mut Daw, from: u64) -> Vec<(u64, bool, u8)> {
    let heard = song::sorted(&std::mem::take(&mut daw.heard));
    heard.iter().map(|event| (event.sample - from, event.on, event.pitch)).collect()
}

fn jump(daw: &mut Daw, beat: f64) -> u64 {
    daw.beat = beat;
    daw.set_tempo(120.0);
    daw.sample
}

#[test]
fn the_arrangement_is_heard_wherever_the_daw_goes() {
    in_own_process(|| {
        let library = Library::load(&clap(Build::Checked));
        let (mut instance, port) = started(&library);
        instance.run(Service::AtOnce, |audio| {
            let mut api = Api::connect(port);
            // A note on the first beat, and one from the second bar on that is longer than its clip.
            let notes = json!([{ "p": 60, "t": 0, "d": 1, "v": 100 }, { "p": 62, "t": 4, "d": 16, "v": 100 }]);
            for path in ["t0[1|1]", "t1[1|1]"] {
                api.call("svc-create-clip", json!({ "path": path, "length": "2bar", "notes": notes }));
            }
            let session = json!([{ "p": 70, "t": 0, "d": 1, "v": 100 }]);
            api.call(
                "svc-create-clip",
                json!({ "path": "t0/s0", "length": "1bar", "looping": true, "notes": session }),
            );
            api.call("svc-update-track", json!({ "path": "t1", "mute": true }));

            let mut daw = Daw::new(audio, 120.0);
            daw.blocks(3);
            let armed = api.call("svc-playback", json!({ "action": "play-arrangement", "startTime": "2|1" }));
            assert_eq!((&armed["playing"], &armed["startTime"]), (&json!(false), &json!("2|1")), "{armed}");
            let said = armed["detail"].as_str().expect("who decides");
            assert!(
                said.contains("the Set keeps startTime") && said.contains("when the DAW's transport does"),
                "{said}"
            );
            daw.blocks(5);
            assert_eq!(daw.heard, []);
            daw.play();
            let from = daw.sample;
            daw.run_to(9.0);
            let whole = [(0, true, 60), (BEAT, false, 60), (4 * BEAT, true, 62), (8 * BEAT, false, 62)];
            assert_eq!(take(&mut daw, from), whole, "from where the DAW stands; the clip's right edge cuts");

            let from = jump(&mut daw, 3.5);
            daw.run_to(6.0);
            let away = jump(&mut daw, 0.5) - from;
            daw.run_to(2.0);
            assert_eq!(take(&mut daw, from), [(BEAT / 2, true, 62), (away, false, 62)], "a jump ends what sounds");

            // The Session's clip takes the track at the next bar.
            let launched = api.call("svc-playback", json!({ "action": "play-session-clips", "path": "t0/s0" }));
            assert_eq!(launched["playing"], json!(true), "{launched}");
            let from = jump(&mut daw, 3.5);
            daw.run_to(7.5);
            assert_eq!(take(&mut daw, from), [(BEAT / 2, true, 70), (BEAT * 3 / 2, false, 70)]);
            let followed = api.call("svc-playback", json!({ "action": "play-arrangement" }));
            assert_eq!(followed["playing"], json!(true), "{followed}");
            assert!(followed["detail"].is_string(), "{followed}");
            for action in ["start-transport", "stop-transport"] {
                let told = api.call("svc-playback", json!({ "action": action }));
                assert_eq!(told["playing"], json!(true), "{action}: {told}");
                assert!(told["detail"].as_str().is_some_and(|why| why.contains("only the DAW can")), "{told}");
            }
            let from = jump(&mut daw, 3.75);
            daw.run_to(5.0);
            assert_eq!(take(&mut daw, from), [(BEAT / 4, true, 62)]);
            daw.stop();
            daw.blocks(1);
            assert_eq!(daw.heard.iter().filter(|event| !event.on).count(), 1, "stopped with the DAW");
            daw.heard.clear();
            let armed = api.call("svc-playback", json!({ "action": "start-transport" }));
            assert_eq!(armed["playing"], json!(false), "{armed}");
            assert!(armed["detail"].as_str().is_some_and(|why| why.starts_with("armed")), "{armed}");

            // By a clock of its own, in the loop of the second bar.
            api.configure(json!({ "ownClock": true }));
            let looped =
                json!({ "action": "play-arrangement", "startTime": "2|1", "loopStart": "2|1", "loopEnd": "3|1" });
            let playing = api.call("svc-playback", looped);
            assert_eq!(playing, json!({ "playing": true, "startTime": "2|1", "loop": true }));
            let from = daw.sample;
            while daw.sample < from + 9 * BEAT {
                daw.blocks(1);
            }
            let round = [
                (0, true, 62),
                (4 * BEAT, false, 62),
                (4 * BEAT, true, 62),
                (8 * BEAT, false, 62),
                (8 * BEAT, true, 62),
            ];
            assert_eq!(take(&mut daw, from), round);
            let stopped = api.call("svc-playback", json!({ "action": "stop" }));
            assert_eq!(stopped, json!({ "playing": false }));
            daw.blocks(1);
            let last = take(&mut daw, 0);
            assert!(matches!(last.as_slice(), [(_, false, 62)]), "{last:?}");
        });
    });
}
