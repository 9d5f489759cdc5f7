//! The sound of the standalone, where it leaves the program: through JACK, and through ALSA where a card would be.

use crate::jack_notes::Server;
use crate::support::child::{Device, Heard, PATIENCE, Start};
use serde_json::json;
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Long enough for a busy machine to be heard.
const HEARD_WITHIN: Duration = Duration::from_secs(30);

struct Ear(Child);

impl Drop for Ear {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn play_something(device: &Device) {
    device.call("svc-create-clip", json!({ "path": "t0/s0", "notes": "v110 n/8 C3 1|1x8@n/8", "length": "1bar" }));
    let launched = device.call("svc-playback", json!({ "action": "play-scene", "path": "s0" }));
    assert_eq!(launched["playing"], true);
}

fn end(mut device: Device) {
    device.signal("TERM");
    assert_eq!(device.ended(PATIENCE).expect("it ends").code(), Some(0), "{}", device.stderr().all());
}

#[test]
fn the_sound_leaves_by_jack() {
    let server = Server::start("sound");
    let python = std::env::var_os("SVC_PYTHON").expect("SVC_PYTHON names a Python that has JACK-Client");
    let ear = Command::new(python)
        .args(["-c", include_str!("support/jack_ear.py"), "SVC Device:left", "SVC Device:right"])
        .env("JACK_DEFAULT_SERVER", server.name())
        .stdout(Stdio::piped())
        .spawn()
        .expect("Python runs");
    let mut ear = Ear(ear);
    let heard = Heard::listen(ear.0.stdout.take().expect("stdout is piped"));
    assert!(heard.wait_for("server").is_some(), "it reaches the server");

    let device = Start::new().env("JACK_DEFAULT_SERVER", server.name()).start();
    let told = device.stderr().wait_for("notes go to the JACK port \"SVC Device:notes\", sound to JACK");
    assert!(told.is_some(), "{}", device.stderr().so_far());
    let output = device.config()["soundOutput"].clone();
    let shown = (&output["name"], &output["sampleRate"], &output["latencyFrames"]);
    assert_eq!(shown, (&json!("JACK"), &json!(48_000), &json!(256)));
    play_something(&device);
    let line = heard.wait(|lines| lines.iter().find(|line| line.starts_with("heard ")).cloned());
    let line = line.expect("both channels are heard");
    let peaks: Vec<f64> = line.split(' ').skip(1).filter_map(|number| number.parse().ok()).collect();
    assert!(peaks.len() == 2 && peaks.iter().all(|peak| (0.01..=1.0).contains(peak)), "{line}");
    drop(ear);
    end(device);
}

/// ALSA's writer of files stands for the card; it takes whatever comes as fast as it comes.
#[test]
fn the_sound_leaves_by_the_sound_card() {
    let folder = tempfile::tempdir().expect("a folder");
    let (config, written) = (folder.path().join("asound.conf"), folder.path().join("sound.raw"));
    let text = format!(
        "pcm.nothing {{ type null }}\npcm.!default {{ type file slave.pcm nothing file {written:?} format raw }}\n"
    );
    std::fs::write(&config, text).expect("it is written");
    // No JACK server has that name.
    let device =
        Start::new().env("JACK_DEFAULT_SERVER", "svc-device-no-server").env("ALSA_CONFIG_PATH", &config).start();
    let told = device.stderr().wait_for("sound goes to the sound card");
    assert!(told.is_some(), "{}", device.stderr().so_far());
    assert!(device.config()["soundOutput"]["sampleRate"].as_u64().is_some_and(|rate| rate >= 8_000));
    play_something(&device);
    let end_at = Instant::now() + HEARD_WITHIN;
    let mut file = std::fs::File::open(&written).expect("sound is written");
    let mut bytes = vec![0u8; 1 << 20];
    loop {
        let count = file.read(&mut bytes).expect("it is read");
        if bytes[..count].iter().any(|byte| *byte != 0) {
            break;
        }
        assert!(Instant::now() < end_at, "something else than silence is written");
        if count == 0 {
            std::thread::sleep(Duration::from_millis(5));
        }
    }
    end(device);
}
