//! The steps of the check.

use super::walk::Walk;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// One step.
pub struct Step {
    pub name: &'static str,
    pub does: &'static str,
    /// What somebody does first.
    pub before: Option<&'static str>,
    /// What somebody looks at afterwards.
    pub look: Option<&'static str>,
    /// The check ends where it fails.
    pub is_needed: bool,
    /// What was seen; the error says what was wrong.
    pub run: fn(&mut Walk) -> Result<String, String>,
}

const STEP: Step = Step { name: "", does: "", before: None, look: None, is_needed: false, run: |_| Ok(String::new()) };

pub const STEPS: [Step; 12] = [
    Step { name: "connect", does: "who is the host?", is_needed: true, run: connect, ..STEP },
    Step { name: "read", does: "reads the Set", is_needed: true, run: read, ..STEP },
    Step { name: "turns", does: "thirty small reads, one after another", run: turns, ..STEP },
    Step {
        name: "tempo",
        does: "sets the tempo 7 BPM faster",
        look: Some("Does the tempo field of Live show that tempo?"),
        run: faster,
        ..STEP
    },
    Step {
        name: "tempo back",
        does: "sets the tempo back",
        look: Some("Does the tempo field show the old tempo?"),
        run: as_fast_as_before,
        ..STEP
    },
    Step {
        name: "track",
        does: "makes a MIDI track",
        look: Some("Is there a MIDI track \"SVC check\" behind the last one?"),
        is_needed: true,
        run: make_track,
        ..STEP
    },
    Step {
        name: "clip",
        does: "makes a clip of one bar with four rising notes, and reads it back",
        look: Some("Is there a clip \"SVC check\" in the track's first slot, with C3, E3, G3 and C4?"),
        run: make_clip,
        ..STEP
    },
    Step {
        name: "playback",
        does: "launches the clip and waits until Live says that it plays",
        look: Some("Does the clip play? (It is stopped when you answer.)"),
        run: launch,
        ..STEP
    },
    Step { name: "stop", does: "stops everything", look: Some("Is everything still?"), run: stop, ..STEP },
    Step {
        name: "dialog",
        does: "reads the Set while a dialog is open: the answer says that Live does not answer, and Live goes on after it",
        before: Some("Open File > Save Live Set As... in Live and leave it open; then Enter, or write why not."),
        look: Some("Close the dialog. Does Live go on as before?"),
        run: during_a_dialog,
        ..STEP
    },
    Step {
        name: "undo",
        does: "takes back what the check made, step by step, and reads the Set",
        look: Some("Is the Set as it was, without the track, at the old tempo?"),
        run: undo,
        ..STEP
    },
    Step {
        name: "another Set",
        does: "waits until the tools work on the Set that was opened in the meantime",
        before: Some("Choose File > New Live Set in Live; when it is there, Enter, or write why not."),
        run: another_set,
        ..STEP
    },
];

/// How long Live may take for what it does at once, or at the next bar.
const PATIENCE: Duration = Duration::from_secs(20);

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn connect(walk: &mut Walk) -> Result<String, String> {
    let (answer, took) = walk.call("svc-connect", json!({}))?;
    let (host, live) = (text(&answer["host"]), text(&answer["abletonLiveVersion"]));
    walk.facts = vec![
        ("device", format!("{}, {}", text(&answer["svcVersion"]), text(&answer["instance"]))),
        ("host", host.clone()),
        ("Live", live.clone()),
    ];
    let link = walk.link();
    walk.facts.extend(link.as_ref().map(|link| ("link", link.to_string())));
    let how = link.and_then(|link| link["text"].as_str().map(|text| format!(" ({text})"))).unwrap_or_default();
    let saw = format!("host {host}, Live {live} ({} ms)", took.as_millis());
    if host == "live" && answer["connected"] != true {
        let why = answer["link"]["text"].as_str().unwrap_or("the Set cannot be read");
        return Err(format!("{saw}: {why}"));
    }
    match host == "live" || walk.any_host {
        true => Ok(saw),
        false => Err(format!(
            "{saw}: the device does not drive Live{how}. Open Live with SvcDevice as a Control Surface and choose Ableton Live \
             as the host; --any-host goes on all the same"
        )),
    }
}

fn read(walk: &mut Walk) -> Result<String, String> {
    let (set, took) = walk.call("svc-read-live-set", json!({ "include": ["tracks"] }))?;
    let tracks = set["tracks"].as_array().map_or(0, Vec::len);
    let saw = format!("tempo {}, {tracks} tracks ({} ms)", set["tempo"], took.as_millis());
    if !set["tempo"].is_number() {
        return Err(format!("{saw}: no tempo in {set}"));
    }
    walk.before = set;
    Ok(saw)
}

fn turns(walk: &mut Walk) -> Result<String, String> {
    let mut times = Vec::new();
    for _ in 0..30 {
        times.push(walk.call("svc-read-live-set", json!({}))?.1);
    }
    times.sort();
    let ms = |at: usize| times.get(at).map_or(0.0, Duration::as_secs_f64) * 1000.0;
    Ok(format!("shortest {:.1} ms, median {:.1} ms, longest {:.1} ms", ms(0), ms(15), ms(29)))
}

fn tempo_now(walk: &Walk) -> Result<f64, String> {
    let (set, _) = walk.call("svc-read-live-set", json!({}))?;
    set["tempo"].as_f64().ok_or_else(|| format!("no tempo in {set}"))
}

fn set_tempo(walk: &mut Walk, tempo: f64) -> Result<String, String> {
    let (_, took) = walk.change("svc-update-live-set", json!({ "tempo": tempo }))?;
    let now = tempo_now(walk)?;
    match (now - tempo).abs() < 0.01 {
        true => Ok(format!("the Set reads {now} ({} ms)", took.as_millis())),
        false => Err(format!("{tempo} was written, and the Set reads {now}")),
    }
}

fn faster(walk: &mut Walk) -> Result<String, String> {
    let before = walk.before["tempo"].as_f64().unwrap_or(120.0);
    set_tempo(walk, if before > 900.0 { before - 7.0 } else { before + 7.0 })
}

fn as_fast_as_before(walk: &mut Walk) -> Result<String, String> {
    let before = walk.before["tempo"].as_f64().unwrap_or(120.0);
    set_tempo(walk, before)
}

/// What a call that makes one thing answers: the thing, alone or as the only one of a list.
fn only(answer: &Value) -> &Value {
    answer.as_array().and_then(|list| list.first()).unwrap_or(answer)
}

fn make_track(walk: &mut Walk) -> Result<String, String> {
    let (answer, took) = walk.change("svc-create-track", json!({ "name": "SVC check" }))?;
    let path = only(&answer)["path"].as_str().map(str::to_owned).ok_or_else(|| format!("no path in {answer}"))?;
    walk.track = Some(path.clone());
    let (track, _) = walk.call("svc-read-track", json!({ "path": path }))?;
    match track["name"] == "SVC check" {
        true => Ok(format!("{path}, \"SVC check\" ({} ms)", took.as_millis())),
        false => Err(format!("{path} reads {track}")),
    }
}

fn slot(walk: &Walk) -> Result<String, String> {
    let track = walk.track.as_ref().ok_or("there is no track, as the step before failed")?;
    Ok(format!("{track}/s0"))
}

fn make_clip(walk: &mut Walk) -> Result<String, String> {
    let path = slot(walk)?;
    let notes = "v100 n/4 C3 1|1 E3 1|2 G3 1|3 C4 1|4";
    let clip = json!({ "path": path, "name": "SVC check", "length": "1bar", "notes": notes });
    let (_, took) = walk.change("svc-create-clip", clip)?;
    let (answer, read) = walk.call("svc-read-clip", json!({ "path": path, "include": ["notes"] }))?;
    let clip = only(&answer);
    let written = clip["notes"].as_str().unwrap_or_default();
    let saw = format!("{written} (made in {} ms, read in {} ms)", took.as_millis(), read.as_millis());
    let has_all = ["C3", "E3", "G3", "C4"].iter().all(|note| written.contains(note));
    if clip["noteCount"] == 4 && has_all { Ok(saw) } else { Err(format!("other notes were read: {clip}")) }
}

fn launch(walk: &mut Walk) -> Result<String, String> {
    let (path, track) = (slot(walk)?, walk.track.clone());
    let start = Instant::now();
    walk.is_playing = true;
    walk.call("svc-playback", json!({ "action": "play-session-clips", "path": path }))?;
    loop {
        let (answer, _) = walk.call("svc-read-track", json!({ "path": track }))?;
        if only(&answer)["playingSlotIndex"] == 0 {
            return Ok(format!("it plays after {} ms", start.elapsed().as_millis()));
        }
        if start.elapsed() > PATIENCE {
            return Err(format!("it does not play after {} s: {answer}", PATIENCE.as_secs()));
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}

fn stop(walk: &mut Walk) -> Result<String, String> {
    let (_, clips) = walk.call("svc-playback", json!({ "action": "stop-all-session-clips" }))?;
    let (_, song) = walk.call("svc-playback", json!({ "action": "stop" }))?;
    walk.is_playing = false;
    Ok(format!("stopped (clips {} ms, song {} ms)", clips.as_millis(), song.as_millis()))
}

fn during_a_dialog(walk: &mut Walk) -> Result<String, String> {
    match walk.call("svc-read-live-set", json!({})) {
        Ok((_, took)) => Ok(format!("answered in {} ms: this dialog does not stop Live", took.as_millis())),
        Err(why) => Ok(why),
    }
}

fn undo(walk: &mut Walk) -> Result<String, String> {
    let saw = walk.take_back()?;
    let (set, _) = walk.call("svc-read-live-set", json!({ "include": ["tracks"] }))?;
    let names = |set: &Value| -> Vec<String> {
        set["tracks"].as_array().into_iter().flatten().map(|track| text(&track["name"])).collect()
    };
    if set["tempo"] != walk.before["tempo"] || names(&set) != names(&walk.before) {
        return Err(format!(
            "{saw}, and the Set is another one: tempo {}, tracks {}",
            set["tempo"],
            names(&set).join(", ")
        ));
    }
    Ok(format!("{saw}; tempo and tracks are as before"))
}

fn another_set(walk: &mut Walk) -> Result<String, String> {
    let start = Instant::now();
    let mut refused = 0;
    loop {
        match walk.call("svc-read-live-set", json!({ "include": ["tracks"] })) {
            // Ids are never given twice, so those of another Set are others.
            Ok((set, _)) if set["tracks"][0]["id"] == walk.before["tracks"][0]["id"] => {
                if start.elapsed() > PATIENCE {
                    return Err("the tools still work on the Set of before".to_owned());
                }
            }
            Ok((set, _)) => {
                let tracks = set["tracks"].as_array().map_or(0, Vec::len);
                let after = start.elapsed().as_millis();
                return Ok(format!("{tracks} tracks, tempo {}, after {after} ms and {refused} refusals", set["tempo"]));
            }
            Err(why) if start.elapsed() > PATIENCE => return Err(why),
            Err(_) => refused += 1,
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}
